//! Reads the frames of an archive in parallel, in ranges of compressed bytes.
//!
//! A thread cannot know where the first frame of a range begins: a stored block can hold a whole forged frame with a valid checksum. So a
//! range is a guess until the frames before it are read. INVARIANT: entries leave `Ranges::at` only from the exact position where the frame before
//! ended; the frames of a range that began elsewhere are expanded again from there.
//!
//! What a thread finds does not depend on other threads, so one thread gives the same rows as many.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

use crate::archive::{Outcome, whole};
use crate::bytes::rest;
use crate::form::Form;
use crate::frames::{Packing, Whole, padding};
use crate::{Options, Source};

/// The bytes that are read behind a range for the end of its last frame.
const SLACK: u64 = 1 << 19;
/// The number of frames that are tried to find the first one of a range.
const TRIES: usize = 16;
/// The size of bodies, URLs and revisits after which a range ends early.
const HELD: usize = 8 << 20;

/// A frame that was expanded as a whole.
pub(crate) struct Entry {
    /// Its position in the file.
    pub(crate) begin: u64,
    /// Its size.
    pub(crate) size: u64,
    /// Its end, with the padding behind it.
    pub(crate) end: u64,
    /// What its record gives; `None` if it may hold something else than one whole record.
    pub(crate) outcome: Option<Outcome>,
}

/// What all threads share.
struct Job {
    source: Source,
    packing: Packing,
    dictionary: Option<Arc<[u8]>>,
    form: Form,
    options: Arc<Options>,
    /// The compressed bytes of a range.
    size: u64,
    count: u64,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// The range that is being appended.
    current: u64,
    /// The next range to read.
    next: u64,
    is_over: bool,
    /// The finished ranges; `None` while one is being read.
    ranges: BTreeMap<u64, Option<Vec<Entry>>>,
}

/// The ranges of a file.
pub(crate) struct Ranges {
    job: Arc<Job>,
    threads: Vec<JoinHandle<()>>,
    expander: Expander,
    is_started: bool,
}

impl Ranges {
    pub(crate) fn new(
        source: Source,
        packing: Packing,
        dictionary: Option<Arc<[u8]>>,
        form: Form,
        options: &Arc<Options>,
    ) -> Self {
        let size = options.range.clamp(1, 1 << 30);
        let count = source.size().unwrap_or(0).div_ceil(size);
        let expander = Expander::new(packing, dictionary.as_deref());
        let options = Arc::clone(options);
        let (queue, changed) = (Mutex::default(), Condvar::new());
        let job = Job { source, packing, dictionary, form, options, size, count, queue, changed };
        Self { job: Arc::new(job), threads: Vec::new(), expander, is_started: false }
    }

    /// The frames from exactly this position on, as far as they were expanded as a whole in its range. Empty if the first one cannot be.
    pub(crate) fn at(&mut self, position: u64) -> Vec<Entry> {
        let range = position / self.job.size;
        self.start(range);
        let job = Arc::clone(&self.job);
        while let Some(mut queue) = job.locked() {
            queue.current = range;
            queue.ranges = queue.ranges.split_off(&range);
            match queue.ranges.remove(&range) {
                Some(Some(mut entries)) => {
                    job.changed.notify_all();
                    let first = entries.partition_point(|entry| entry.begin < position);
                    if entries.get(first).is_some_and(|entry| entry.begin == position) {
                        return entries.split_off(first);
                    }
                    break;
                }
                Some(None) => {
                    queue.ranges.insert(range, None);
                    // Another thread reads it. Reads a further one meanwhile.
                    if !job.step(queue, &mut self.expander, true) {
                        break;
                    }
                }
                None => {
                    queue.next = queue.next.max(range + 1);
                    job.changed.notify_all();
                    break;
                }
            }
        }
        self.expander.scan(&job, range, Some(position))
    }

    /// Starts the threads as soon as there is something for them.
    fn start(&mut self, range: u64) {
        if self.is_started {
            return;
        }
        self.is_started = true;
        let others = self.job.options.threads.max(1) as u64 - 1;
        for _ in 0..others.min(self.job.count.saturating_sub(range + 1)) {
            let job = Arc::clone(&self.job);
            let thread = std::thread::Builder::new().name("agentsdisc-range".to_owned());
            // Without threads, everything is read by this one.
            if let Ok(thread) = thread.spawn(move || job.work()) {
                self.threads.push(thread);
            }
        }
    }
}

impl Drop for Ranges {
    fn drop(&mut self) {
        if let Some(mut queue) = self.job.locked() {
            queue.is_over = true;
        }
        self.job.changed.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Job {
    /// The queue; `None` if a thread failed.
    fn locked(&self) -> Option<MutexGuard<'_, Queue>> {
        self.queue.lock().ok()
    }

    fn work(&self) {
        let mut expander = Expander::new(self.packing, self.dictionary.as_deref());
        while let Some(queue) = self.locked() {
            if queue.is_over || !self.step(queue, &mut expander, false) {
                break;
            }
        }
    }

    /// Reads the next range if one may be read now, and waits for a change otherwise. Returns false if a thread failed. `is_first` says that this
    /// is the thread that appends, which reads no range beyond the last.
    fn step(
        &self,
        mut queue: MutexGuard<'_, Queue>,
        expander: &mut Expander,
        is_first: bool,
    ) -> bool {
        let ahead = queue.current + self.options.threads as u64 + 2;
        let range = queue.next;
        if range >= self.count.min(ahead) {
            return self.changed.wait(queue).is_ok() || is_first;
        }
        queue.next += 1;
        queue.ranges.insert(range, None);
        drop(queue);
        // A range whose thread failed is read again by the thread that appends.
        let scan = || expander.scan(self, range, None);
        let entries =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(scan)).unwrap_or_default();
        let Some(mut queue) = self.locked() else { return false };
        if range >= queue.current {
            queue.ranges.insert(range, Some(entries));
        }
        self.changed.notify_all();
        true
    }
}

/// The buffers of a thread.
struct Expander {
    whole: Whole,
    data: Vec<u8>,
    /// The range that `data` holds.
    range: Option<u64>,
    /// Whether `data` ends where the file ends.
    is_last: bool,
}

impl Expander {
    fn new(packing: Packing, dictionary: Option<&[u8]>) -> Self {
        let whole = Whole::new(packing, dictionary);
        Self { whole, data: Vec::new(), range: None, is_last: false }
    }

    /// Reads the compressed bytes of a range.
    fn load(&mut self, job: &Job, range: u64) {
        if self.range == Some(range) {
            return;
        }
        self.range = Some(range);
        self.data.clear();
        self.is_last = false;
        let (mut at, end) = (range * job.size, (range + 1) * job.size + SLACK);
        while at < end {
            // What cannot be read is read, and reported, by the thread that appends.
            match job.source.append(at, (end - at) as usize, &mut self.data) {
                Ok(0) => self.is_last = true,
                Ok(count) => {
                    at += count as u64;
                    continue;
                }
                Err(_) => {}
            }
            break;
        }
    }

    /// Expands the frames of a range, from exactly `position` or from the first frame that can be expanded.
    fn scan(&mut self, job: &Job, range: u64, position: Option<u64>) -> Vec<Entry> {
        self.load(job, range);
        let start = range * job.size;
        let last = usize::try_from(job.size).unwrap_or(usize::MAX);
        let mut at = usize::try_from(position.unwrap_or(start) - start).unwrap_or(usize::MAX);
        let (mut tries, mut held) = (if position.is_some() { 1 } else { TRIES }, 0);
        let mut entries = Vec::new();
        while at < last && held < HELD {
            let Some((used, data)) = self.whole.expand(rest(&self.data, at)) else {
                tries -= 1;
                if !entries.is_empty() || tries == 0 {
                    break;
                }
                let further = memchr::memmem::find(rest(&self.data, at + 1), job.packing.magic());
                let Some(further) = further else { break };
                at += 1 + further;
                continue;
            };
            let begin = start + at as u64;
            let outcome = whole(data, begin, job.form, &job.options);
            held += match &outcome {
                Some(Outcome::Row(item)) => item.held(),
                Some(Outcome::Revisit(revisit)) => revisit.held(),
                _ => 0,
            };
            at += used;
            if job.packing == Packing::Gzip {
                at += padding(rest(&self.data, at));
            }
            entries.push(Entry { begin, size: used as u64, end: start + at as u64, outcome });
            if at >= self.data.len() && !self.is_last {
                // Further padding may follow.
                break;
            }
        }
        entries
    }
}
