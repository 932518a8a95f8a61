//! The public types, and the thread that reads.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, LazyLock};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::{Source, archive};

/// The number of processors, which takes several reads of files to find.
static PROCESSORS: LazyLock<usize> =
    LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

/// How an archive is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the archive. Its suffixes select the compression and the format if the first bytes are damaged.
    pub name: String,
    /// The maximum size of a document in bytes. At most one byte more of a body is read.
    pub limit: usize,
    /// Whether responses from all URLs are read, and not only those from locations of documents ([`is_location`](crate::is_location)).
    pub all_records: bool,
    /// The URLs whose responses are read, instead of those from locations of documents. No body of another URL is decoded.
    pub only: Option<Arc<HashSet<String>>>,
    /// Whether the revisits of documents are returned, and not only counted.
    pub revisits: bool,
    /// The number of threads that read, at least 1. The items and their order do not depend on it.
    pub threads: usize,
    /// The bytes of the compressed archive that a thread reads at once. The items do not depend on it.
    pub range: u64,
    /// The number of items at which a batch is full.
    pub batch_items: usize,
    /// The number of bytes of bodies at which a batch is full.
    pub batch_bytes: usize,
}

impl Default for Options {
    /// No name, documents of up to 16 MiB, locations of documents only, as many threads as there are processors, ranges of 1 MiB, and batches
    /// of up to 4096 items or 16 MiB.
    fn default() -> Self {
        Self {
            name: String::new(),
            limit: 16 << 20,
            all_records: false,
            only: None,
            revisits: false,
            threads: *PROCESSORS,
            range: 1 << 20,
            batch_items: 4096,
            batch_bytes: 16 << 20,
        }
    }
}

/// The location of a record. Its text is `@offset`, `@frame`, or `@frame+offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The byte offset of the frame, such as a gzip member; `None` if the archive is not compressed.
    pub frame: Option<u64>,
    /// The byte offset of the record, in the expanded frame if there is one.
    pub offset: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.frame, self.offset) {
            (None, offset) => write!(to, "@{offset}"),
            (Some(frame), 0) => write!(to, "@{frame}"),
            (Some(frame), offset) => write!(to, "@{frame}+{offset}"),
        }
    }
}

/// Why there is no document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `http-status`, `truncated-record`, `corrupt-record` or `unreadable`.
    pub kind: &'static str,
    /// The reason, which may quote the archive.
    pub why: String,
}

impl Problem {
    pub(crate) fn new(kind: &'static str, why: impl Into<String>) -> Self {
        Self { kind, why: why.into() }
    }

    pub(crate) fn corrupt(why: impl Into<String>) -> Self {
        Self::new("corrupt-record", why)
    }

    pub(crate) fn truncated(why: impl Into<String>) -> Self {
        Self::new("truncated-record", why)
    }
}

/// A document, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Where the record is.
    pub place: Place,
    /// WARC-Target-URI, without the angle brackets of WARC 1.0, or the URL in ARC. `None` if it is missing or if the section has no readable head.
    pub url: Option<String>,
    /// WARC-Date, as it is written, or the date in ARC in the same form. `None` if it is missing, and for lost sections.
    pub fetched: Option<String>,
    /// The status of the response behind all interim ones. `None` if the record holds no HTTP response, and for lost sections.
    pub http_status: Option<u16>,
    /// WARC-Payload-Digest with its algorithm, unchecked. `None` if it is missing or no digest, in ARC, and for lost sections.
    pub digest: Option<String>,
    /// WARC-Type in lower case, in ARC `response`. `None` for lost sections.
    pub record_type: Option<String>,
    /// Content-Type of the response, as it is written. `None` if it is missing, and for lost sections.
    pub content_type: Option<String>,
    /// The body without its codings, and at most one byte more than the limit. Empty if there is a problem.
    pub body: Vec<u8>,
    /// The size of the body in bytes, of which `body` may hold only the first ones.
    pub size: u64,
    /// Why there is no document.
    pub problem: Option<Problem>,
    /// Whether the record was found by a search after damage. It may be a part of another document.
    pub is_recovered: bool,
    /// Whether this stands for a section of the archive that cannot be read.
    pub is_lost: bool,
}

impl Item {
    pub(crate) fn nothing(place: Place) -> Self {
        Self {
            place,
            url: None,
            fetched: None,
            http_status: None,
            digest: None,
            record_type: None,
            content_type: None,
            body: Vec::new(),
            size: 0,
            problem: None,
            is_recovered: false,
            is_lost: false,
        }
    }

    /// About how many bytes of memory it takes, beyond a fixed size.
    pub(crate) fn held(&self) -> usize {
        self.body.len() + self.url.as_ref().map_or(0, String::len)
    }
}

/// A record without a body, because an earlier record has the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revisit {
    /// Where the record is.
    pub place: Place,
    /// WARC-Target-URI, as of an [`Item`].
    pub url: String,
    /// WARC-Date, as it is written. `None` if it is missing.
    pub fetched: Option<String>,
    /// WARC-Payload-Digest, unchecked. `None` if it is missing or no digest; then there is `of_date`.
    pub digest: Option<String>,
    /// The URL of the earlier record: WARC-Refers-To-Target-URI, or else the URL of this one.
    pub of_url: String,
    /// WARC-Refers-To-Date, as it is written: when the earlier record was captured. `None` if it is missing.
    pub of_date: Option<String>,
}

impl Revisit {
    /// About how many bytes of memory it takes.
    pub(crate) fn held(&self) -> usize {
        let texts = [&self.fetched, &self.digest, &self.of_date];
        let texts = texts.into_iter().flatten().map(String::len).sum::<usize>();
        256 + self.url.len() + self.of_url.len() + texts
    }
}

/// Items in the order of the archive. The batches do not depend on the number of threads.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The items.
    pub items: Vec<Item>,
    /// The revisits of documents, if [`Options::revisits`] is set: at most 16 MiB of them, further ones are counted in `passed`.
    pub revisits: Vec<Revisit>,
    /// The number of records that were passed over, by reason, in the order in which the reasons occurred: the type of the record, `response from
    /// another URL`, `record of another type`, or `revisit beyond the limit`.
    pub passed: Vec<(&'static str, u64)>,
    /// The number of bytes of the archive, compressed if it is compressed, that the batch stands for.
    pub consumed: u64,
}

impl Batch {
    pub(crate) fn pass(&mut self, why: &'static str) {
        match self.passed.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => self.passed.push((why, 1)),
        }
    }
}

enum Step {
    Batch(Batch),
    End,
}

/// Reads an archive in threads of its own, a few batches ahead. Dropping it ends the threads; a thread that waits for a stream ends behind its read.
pub struct Reader {
    steps: Option<Receiver<Step>>,
    thread: Option<JoinHandle<()>>,
    is_stream: bool,
    items: VecDeque<Item>,
    passed: Vec<(&'static str, u64)>,
}

impl Reader {
    /// Reads the file at `path`, whose name becomes [`Options::name`] if that is empty.
    pub fn open(path: impl AsRef<Path>, mut options: Options) -> std::io::Result<Self> {
        let source = Source::file(std::fs::File::open(&path)?)?;
        if options.name.is_empty() {
            options.name = path.as_ref().display().to_string();
        }
        Ok(Self::new(source, options))
    }

    /// Reads a source.
    pub fn new(source: Source, options: Options) -> Self {
        let (sender, steps) = sync_channel(1);
        let is_stream = source.size().is_none();
        let options = Arc::new(options);
        let read = move || {
            archive::read(source, &options, &mut |batch| sender.send(Step::Batch(batch)).is_ok());
            let _ = sender.send(Step::End);
        };
        let thread = std::thread::Builder::new().name("agentsdisc-archive".to_owned()).spawn(read);
        Self {
            steps: Some(steps),
            thread: thread.ok(),
            is_stream,
            items: VecDeque::new(),
            passed: Vec::new(),
        }
    }

    /// The next batch; `None` at the end. Do not mix it with the iterator: it passes over items that the iterator holds.
    pub fn next_batch(&mut self) -> Option<Batch> {
        loop {
            if let Ok(step) = self.next_batch_within(Duration::from_secs(3600)) {
                return step;
            }
        }
    }

    /// The next batch, `None` at the end, or an error if there is none within the time.
    pub fn next_batch_within(&mut self, time: Duration) -> Result<Option<Batch>, TimedOut> {
        let Some(steps) = &self.steps else { return Ok(None) };
        match steps.recv_timeout(time) {
            Ok(Step::Batch(batch)) => return Ok(Some(batch)),
            Err(RecvTimeoutError::Timeout) => return Err(TimedOut),
            Ok(Step::End) => self.steps = None,
            Err(RecvTimeoutError::Disconnected) => {
                self.steps = None;
                // The end must never look like the end of the archive.
                let mut item = Item::nothing(Place::default());
                item.problem =
                    Some(Problem::new("unreadable", "the reader failed; the rest is not read"));
                item.is_lost = true;
                return Ok(Some(Batch { items: vec![item], ..Batch::default() }));
            }
        }
        Ok(None)
    }

    /// The number of records that were passed over so far, by reason.
    pub fn passed(&self) -> &[(&'static str, u64)] {
        &self.passed
    }
}

/// There is no batch yet.
#[derive(Clone, Copy, Debug)]
pub struct TimedOut;

impl Iterator for Reader {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.items.pop_front() {
                return Some(item);
            }
            let batch = self.next_batch()?;
            self.items = batch.items.into();
            for (why, count) in batch.passed {
                match self.passed.iter_mut().find(|(known, _)| *known == why) {
                    Some((_, sum)) => *sum += count,
                    None => self.passed.push((why, count)),
                }
            }
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.steps = None;
        // A read of a pipe may take any time.
        if let Some(thread) = self.thread.take().filter(|_| !self.is_stream) {
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Reader").field("passed", &self.passed).finish_non_exhaustive()
    }
}
