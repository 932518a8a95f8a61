//! Reads the responses in archives (WARC, ISO 28500, and ARC), including the intact parts of damaged files. A file has one format, which the first
//! record that is read decides, and else its name.
//!
//! INVARIANT: a record ends where its frame ends (a gzip member, a Zstandard frame or an LZ4 frame), whatever its Content-Length is. After damage,
//! the reader searches for the next record, starting after the last whole record. A record found by a search may be part of other data, for
//! example of the body of another site's response. It is marked as recovered, as is every record up to the next certain boundary: the end of the
//! frame in which the record was found, or the end of the file if the frame itself was found by a search.
//!
//! A Content-Length that leads to the end of some record may still be wrong. It is compared with the length that a response states itself, and,
//! where that does not confirm it, with the starts of records inside the claimed bytes (`content`).
//!
//! Each byte is read a bounded number of times, even if every record is damaged (`next`).
//!
//! Most frames hold one whole record. `whole` reads such a record from the expanded frame, on any thread and without a window; what it
//! refuses is read by `of_frame`, which gives the same rows.

use std::sync::Arc;

use crate::bytes::{grouped, is_at, part, rest};
use crate::form::Form;
use crate::frames::{Frames, Packing};
use crate::head::{self, FIRST_SIZE, HEAD_SIZE, Head, RECORD_SIZE};
use crate::message::{self, Answer, HEAD, Message};
use crate::ranges::{Entry, Ranges};
use crate::wanted::is_location;
use crate::window::{File, Stop, Window};
use crate::{Batch, Item, Options, Place, Problem, Revisit, codings};

/// The bytes of the start of a record of WARC: the line feed before it, its version and the name of a field.
const START_SIZE: usize = 64;
/// The number of bytes that are searched for such a start at once.
const SCANNED: u64 = 1 << 16;
/// After a failure, reading resumes just after its start while the bytes read are at most TIMES * (bytes completed) + FREE.
const TIMES: u64 = 8;
const FREE: u64 = 1 << 20;
/// The maximum size of the revisits of a batch in bytes: few items may stand between many of them.
const REVISITS: usize = 16 << 20;

/// What a record gives.
pub(crate) enum Outcome {
    /// The record was passed over, for this reason.
    Passed(&'static str),
    Row(Box<Item>),
    Revisit(Box<Revisit>),
}

/// A section that cannot be read, kept until the offset where reading resumes is known.
struct Loss {
    place: Place,
    url: Option<String>,
    kind: &'static str,
    why: String,
}

/// The content of a record.
#[derive(Default)]
struct Content {
    /// Why the Content-Length is wrong, and the position in the window at which the search for the next record begins.
    problem: Option<(Problem, u64)>,
    /// The item of the response, if it is to be read.
    item: Option<Box<Item>>,
    /// Whether the response itself states the same length.
    is_confirmed: bool,
}

impl Content {
    fn wrong(problem: Problem, resume: u64) -> Self {
        Self { problem: Some((problem, resume)), ..Self::default() }
    }
}

/// Where finished batches go; false if nobody waits for more.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(Batch) -> bool;

/// Reads an archive to its end.
pub(crate) fn read(source: crate::Source, options: &Arc<Options>, sink: Sink<'_>) {
    let mut file = File::new(source);
    let mut state = State {
        most: codings::room(options.limit).saturating_add(HEAD),
        form: Form::of(&options.name),
        is_form_known: false,
        options: Arc::clone(options),
        batch: Batch::default(),
        held: 0,
        revisits: 0,
        begun: 0,
        loss: None,
        is_searched: false,
        record: (0, None),
        safe: 0,
        is_single: None,
        sink,
    };
    match state.read(&mut file) {
        Err(Stop::Ended) => return,
        Err(Stop::Failed(why)) => {
            let place = Place { frame: None, offset: file.position() };
            state.settle(None);
            let why = format!("{why}; the rest is not read");
            state.loss = Some(Loss { place, url: None, kind: "unreadable", why });
        }
        Err(Stop::Damaged { why, .. }) => {
            let place = Place { frame: None, offset: file.position() };
            state.stretch(place, why, "corrupt-record");
        }
        Ok(()) => {}
    }
    if let Some(size) = file.source().missing() {
        // Its end may have been at the end of a record, or in one that was passed over.
        let place = Place { frame: None, offset: file.position() };
        let why = format!("the file has no longer its {} bytes", grouped(size));
        state.stretch(place, why, "truncated-record");
    }
    state.settle(None);
    let batch = &state.batch;
    if !(batch.items.is_empty() && batch.passed.is_empty() && batch.revisits.is_empty()) {
        let _ = state.hand_over(file.position());
    }
}

struct State<'a> {
    options: Arc<Options>,
    form: Form,
    /// Whether a record of the file has decided the format.
    is_form_known: bool,
    /// The maximum number of bytes read of a record.
    most: usize,
    batch: Batch,
    /// The sizes of the items and of the revisits of the batch.
    held: usize,
    revisits: usize,
    /// The file position at which this batch starts.
    begun: u64,
    loss: Option<Loss>,
    /// Whether the current frame or an earlier one was found by a search.
    is_searched: bool,
    /// The byte offset in the frame of the current record, and its URL if its head was read.
    record: (u64, Option<Option<String>>),
    /// The file position after the last whole record.
    safe: u64,
    /// Whether each frame so far held one record; `None` before the first frame.
    is_single: Option<bool>,
    sink: Sink<'a>,
}

impl State<'_> {
    fn read(&mut self, file: &mut File) -> Result<(), Stop> {
        let first = file.peek(RECORD_SIZE)?;
        let Some(packing) = Packing::of(&self.options.name, first) else {
            return self.of_window(file, None);
        };
        let mut frames = Frames::new(packing);
        let mut ranges: Option<Ranges> = None;
        loop {
            frames.skip_padding(file)?;
            if !file.fill(1)? {
                return Ok(());
            }
            file.mark();
            if self.is_single == Some(true) {
                if ranges.is_none() {
                    let source = file.source().shared();
                    let words = frames.dictionary.clone();
                    ranges = source.map(|source| {
                        Ranges::new(source, packing, words, self.form, &self.options)
                    });
                }
                if let Some(ranges) = &mut ranges
                    && self.of_range(file, &mut frames, ranges)?
                {
                    continue;
                }
            }
            self.of_frame(file, &mut frames)?;
        }
    }

    /// Reads the frames of the current range that were expanded as a whole. Returns false if the frame at the current position is none of them.
    fn of_range(
        &mut self,
        file: &mut File,
        frames: &mut Frames,
        ranges: &mut Ranges,
    ) -> Result<bool, Stop> {
        let begin = file.position();
        let entries = ranges.at(begin);
        if entries.is_empty() {
            return Ok(false);
        }
        let mut at = begin;
        for Entry { begin, size, end, outcome } in entries {
            if let Some(outcome) = outcome {
                let place = Place { frame: Some(begin), offset: 0 };
                self.settle(Some(place));
                let is_recovered = self.is_searched;
                self.put(outcome, is_recovered);
                frames.closed(size);
                at = end;
                if self.is_full() {
                    self.hand_over(end)?;
                }
                continue;
            }
            // The frame holds something else than one whole record.
            let cost = file.buffer().cost;
            file.seek(begin);
            self.of_frame(file, frames)?;
            frames.skip_padding(file)?;
            at = file.position();
            if at != end || self.is_single != Some(true) {
                break;
            }
            file.buffer_mut().cost = cost + (end - begin);
        }
        file.seek(at);
        Ok(true)
    }

    /// Reads the frame at the current position. Searches for the next frame if there is none or if it is damaged.
    fn of_frame(&mut self, file: &mut File, frames: &mut Frames) -> Result<(), Stop> {
        let begin = file.position();
        self.safe = begin;
        self.record = (0, None);
        if !frames.is_next(file)? {
            let place = Place { frame: None, offset: begin };
            self.stretch(place, "no record starts here".to_owned(), "corrupt-record");
            return self.search(file, frames, begin + 1);
        }
        let opened = file.position();
        let mut frame = frames.open(file);
        let result = self.of_window(&mut frame, Some(begin));
        drop(frame);
        let Err(stop) = result else {
            frames.closed(file.position() - opened);
            return Ok(());
        };
        let Stop::Damaged { is_cut, why } = stop else { return Err(stop) };
        let (offset, head) = std::mem::take(&mut self.record);
        let place = Place { frame: Some(begin), offset };
        let kind = if is_cut { "truncated-record" } else { "corrupt-record" };
        if head.is_none() && self.safe == begin {
            self.stretch(place, why, kind);
        } else {
            self.settle(Some(Place { frame: Some(begin), offset: 0 }));
            self.loss = Some(Loss { place, url: head.flatten(), kind, why });
        }
        let end = file.position();
        file.buffer_mut().cost += end.saturating_sub(begin);
        // A wrong length of a block may lead past the start of the next frame before the whole record ends.
        let is_blocks = frames.packing != Packing::Gzip;
        let safe = if is_blocks { begin } else { begin.max(self.safe.saturating_sub(1)) };
        let resume = next(file, safe, end);
        self.search(file, frames, resume)
    }

    /// Moves to the next possible frame start at or after `begin`, or to the end.
    fn search(&mut self, file: &mut File, frames: &Frames, begin: u64) -> Result<(), Stop> {
        let magic = frames.packing.magic();
        file.back(begin);
        file.mark();
        file.find(&|data| memchr::memmem::find(data, magic), magic.len())?;
        self.is_searched = true;
        Ok(())
    }

    /// Reads the frame at offset `frame`, or an uncompressed file if `frame` is `None`.
    fn of_window<W: Window>(&mut self, window: &mut W, frame: Option<u64>) -> Result<(), Stop> {
        let (mut is_searched, mut count) = (false, 0);
        loop {
            window.skip_line_ends()?;
            if !window.fill(1)? {
                break;
            }
            window.mark();
            let begin = window.position();
            self.record = (begin, None);
            let place = Place { frame, offset: begin };
            if !self.is_form_known && count == 0 && !is_searched {
                window.ahead(FIRST_SIZE)?;
                if let Some(form) = Form::found(window.buffer().ahead()) {
                    (self.form, self.is_form_known) = (form, true);
                }
            }
            let form = self.form;
            let Some(head) = head_at(window, form)? else {
                let kind = kind(window, form)?;
                self.stretch(place, form.no_record().to_owned(), kind);
                let held = window.buffer().ahead().len().min(HEAD_SIZE);
                window.buffer_mut().cost += held as u64;
                let resume = next(window, begin, begin + HEAD_SIZE as u64);
                window.back(resume);
                is_searched = true;
                if !window.find(&|data| form.find(data), form.size())? {
                    break;
                }
                continue;
            };
            let is_alone = frame.is_some() && begin == 0 && self.is_single == Some(true);
            self.record = (begin, Some(head.url.clone()));
            window.skip(head.size as u64)?;
            let known = of_head(&head, place, &self.options);
            let mut content = self.content(window, &head, known.is_none(), is_alone)?;
            count += 1;
            self.settle(Some(place));
            let Some((problem, resume)) = content.problem.take() else {
                // The buffer may hold bytes after this record, but none of an earlier whole record.
                self.safe = window.outer();
                self.record = (window.position(), None);
                let is_recovered = is_searched || self.is_searched;
                if let Some(outcome) = known {
                    self.put(outcome, is_recovered);
                } else if let Some(mut item) = content.item {
                    item.place = place;
                    self.put(Outcome::Row(item), is_recovered);
                }
                if self.is_full() {
                    self.hand_over(window.outer())?;
                }
                if is_alone && head.is_answer() && !content.is_confirmed {
                    // A further record in the frame may belong to the body of this one.
                    is_searched = true;
                }
                continue;
            };
            let Problem { kind, why } = problem;
            let mut loss = Loss { place, url: head.url, kind, why };
            if is_alone {
                // The rest of the frame belongs to this record, because every earlier frame held one record.
                self.loss = Some(loss);
                while window.skip(HEAD_SIZE as u64)? > 0 {}
                if let Some(loss) = &mut self.loss {
                    loss.kind = "corrupt-record";
                }
                self.settle(None);
                break;
            }
            loss.place = place;
            self.loss = Some(loss);
            window.back(resume);
            is_searched = true;
            if !window.find(&|data| form.find(data), form.size())? {
                break;
            }
        }
        if frame.is_some() && !is_searched && count > 0 {
            self.is_single = Some(count == 1 && self.is_single != Some(false));
        }
        Ok(())
    }

    /// Skips the content of a record. `is_read` says that it is a response to read, and `is_alone` that the frame holds no other record.
    fn content<W: Window>(
        &self,
        window: &mut W,
        head: &Head,
        is_read: bool,
        is_alone: bool,
    ) -> Result<Content, Stop> {
        let begin = window.position();
        let Some(length) = head.bytes() else {
            let why = head.why_no_length();
            let is_there = window.fill(1)?;
            let problem = if is_there { Problem::corrupt(why) } else { Problem::truncated(why) };
            return Ok(Content::wrong(problem, begin));
        };
        let form = head.form;
        let said = format!("{} is {}, but", form.length(), head.length.unwrap_or_default());
        let (mut stated, mut item) = (None, None);
        if head.is_answer() {
            stated = self.stated(window, length, is_read, form)?;
            if is_read {
                let message = self.message(window, length);
                let why = head.why_partial();
                let answer = message.answer(length, stated, why, self.options.limit);
                item = Some(Box::new(item_of(head, answer, &self.options)));
            }
        }
        if let Some(stated) = stated.filter(|stated| *stated != length)
            && is_end(window, stated, form)
        {
            let why = format!("{said} the answer ends after {} bytes", grouped(stated));
            return Ok(Content::wrong(Problem::corrupt(why), begin + stated));
        }
        let is_scanned = stated != Some(length) && !is_alone;
        let passed;
        if is_scanned && !is_clear(window, length, form) {
            let is_start;
            (passed, is_start) = searched(window, length, form)?;
            if is_start {
                let why = format!("{said} a record begins after {} bytes", grouped(passed));
                return Ok(Content::wrong(Problem::corrupt(why), begin + passed));
            }
        } else {
            passed = window.skip(length)?;
        }
        let ends = if passed == length { window.skip_line_ends()? } else { 0 };
        // A record before damage is whole, unless the damage is at the end of its own frame.
        window.ahead(form.size())?;
        let is_last = !(if is_alone { window.fill(1)? } else { window.ahead(1)? });
        // The length of the record that describes an ARC file may include the line end.
        let is_ended = ends > 0 || (form == Form::Arc && !head.is_answer());
        let is_next = is_ended && form.is_next(window.buffer().ahead());
        let is_confirmed = stated == Some(length) && ends >= form.ends().len() as u64;
        if passed < length || !(is_last || is_next || is_confirmed) {
            window.buffer_mut().cost += if is_scanned { passed } else { 0 };
            let resume = next(window, begin.saturating_sub(1), begin + passed);
            let problem = if passed < length {
                Problem::truncated(head::only(&said, passed))
            } else {
                Problem::corrupt(format!("{said} no record ends there"))
            };
            return Ok(Content::wrong(problem, resume));
        }
        // Other bytes may follow the record, but a response of the length that it states is whole.
        Ok(Content { problem: None, item, is_confirmed: stated == Some(length) })
    }

    /// Buffers the start of the response at the current position: its body, if it is to be read, and the end that it states, which it returns.
    fn stated<W: Window>(
        &self,
        window: &mut W,
        length: u64,
        is_read: bool,
        form: Form,
    ) -> Result<Option<u64>, Stop> {
        let body = if is_read { usize::try_from(length).unwrap_or(usize::MAX) } else { 0 };
        self.buffer(window, body.max(message::FIRST))?;
        if !self.message(window, length).is_whole {
            self.buffer(window, message::room(length))?;
        }
        let stated = self.message(window, length).stated(length);
        let Some(other) = stated.filter(|stated| *stated != length) else { return Ok(stated) };
        let size = usize::try_from(other).unwrap_or(usize::MAX);
        self.buffer(window, size.saturating_add(form.ends().len() + form.size()))?;
        Ok(self.message(window, length).stated(length))
    }

    fn buffer<W: Window>(&self, window: &mut W, size: usize) -> Result<bool, Stop> {
        window.ahead(size.min(self.most))
    }

    fn message<'w, W: Window>(&self, window: &'w W, length: u64) -> Message<'w> {
        let buffer = window.buffer();
        Message::new(&buffer.data, buffer.at, buffer.at.saturating_add(self.most), length)
    }

    fn put(&mut self, outcome: Outcome, is_recovered: bool) {
        match outcome {
            Outcome::Passed(why) => self.batch.pass(why),
            Outcome::Row(mut item) => {
                item.is_recovered = is_recovered && !item.is_lost;
                self.push(item);
            }
            Outcome::Revisit(revisit) => {
                self.revisits += revisit.held();
                if self.revisits > REVISITS {
                    self.batch.pass("revisit beyond the limit");
                } else {
                    self.batch.revisits.push(*revisit);
                }
            }
        }
    }

    fn push(&mut self, item: Box<Item>) {
        self.held += item.held();
        self.batch.items.push(*item);
    }

    /// Notes a section of bytes that is not a record. Bytes that follow a loss belong to that loss.
    fn stretch(&mut self, place: Place, why: String, kind: &'static str) {
        if self.loss.is_none() {
            self.loss = Some(Loss { place, url: None, kind, why });
        }
    }

    /// Adds the item of a loss. Reading resumes at `place`; `None` if nothing follows.
    fn settle(&mut self, place: Option<Place>) {
        let Some(Loss { place: lost, url, mut kind, mut why }) = self.loss.take() else { return };
        if let Some(place) = place {
            if kind == "truncated-record" {
                kind = "corrupt-record";
            }
            why = format!("{why}; reading goes on at {place}");
        }
        let mut item = Item::nothing(lost);
        item.url = url;
        item.problem = Some(Problem { kind, why });
        item.is_lost = true;
        self.push(Box::new(item));
    }

    fn is_full(&self) -> bool {
        self.batch.items.len() >= self.options.batch_items.max(1)
            || self.held >= self.options.batch_bytes
    }

    fn hand_over(&mut self, position: u64) -> Result<(), Stop> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.consumed = position.saturating_sub(self.begun);
        self.begun = position;
        self.held = 0;
        self.revisits = 0;
        if (self.sink)(batch) { Ok(()) } else { Err(Stop::Ended) }
    }
}

/// Reads a frame that certainly holds one whole record; `None` otherwise. The frame starts at `begin` in the file.
pub(crate) fn whole(data: &[u8], begin: u64, form: Form, options: &Options) -> Option<Outcome> {
    let head = form.head(data)?;
    let length = usize::try_from(head.bytes()?).ok()?;
    let end = head.size.checked_add(length)?;
    let ends = form.ends();
    if end.checked_add(ends.len())? != data.len() || !is_at(data, end, ends) {
        return None;
    }
    let place = Place { frame: Some(begin), offset: 0 };
    let known = of_head(&head, place, options);
    if known.is_some() {
        return known;
    }
    let most = codings::room(options.limit).saturating_add(HEAD);
    let last = data.len().min(head.size.saturating_add(most));
    let length = length as u64;
    let message = Message::new(data, head.size, last, length);
    if message.stated(length).is_some_and(|stated| stated != length) {
        return None;
    }
    let answer = message.answer(length, None, head.why_partial(), options.limit);
    let mut item = item_of(&head, answer, options);
    item.place = place;
    Some(Outcome::Row(Box::new(item)))
}

/// What a whole record gives according to its head; `None` for a response that is to be read.
fn of_head(head: &Head, place: Place, options: &Options) -> Option<Outcome> {
    let url = head.url.as_deref();
    let is_clear = url.is_some_and(|url| !url.bytes().any(|byte| byte < 0x20 || byte == 0x7f));
    let is_wanted = is_clear && url.is_some_and(|url| is_document(url, options));
    if head.kind.is_some() && !head.is_answer() {
        let revisit = head.revisit(place).filter(|_| is_wanted && options.revisits);
        return Some(match revisit {
            Some(revisit) => Outcome::Revisit(Box::new(revisit)),
            None => Outcome::Passed(head.passed()),
        });
    }
    if is_clear && !is_wanted {
        return Some(Outcome::Passed(head.passed()));
    }
    let fault = if head.kind.is_none() {
        "WARC-Type is missing"
    } else if url.is_none() {
        "WARC-Target-URI is missing"
    } else if is_clear {
        return None;
    } else if head.form == Form::Arc {
        "the URL contains control characters"
    } else {
        "WARC-Target-URI contains control characters"
    };
    let mut item = Item::nothing(place);
    item.url.clone_from(&head.url);
    item.problem = Some(Problem::corrupt(fault));
    item.is_lost = true;
    Some(Outcome::Row(Box::new(item)))
}

/// Whether the response from a URL is read.
fn is_document(url: &str, options: &Options) -> bool {
    match &options.only {
        Some(only) => only.contains(url),
        None => options.all_records || is_location(url),
    }
}

/// The item of a response, without its place.
fn item_of(head: &Head, answer: Answer<'_>, options: &Options) -> Item {
    let limit = options.limit;
    let mut item = Item::nothing(Place { frame: None, offset: 0 });
    item.url.clone_from(&head.url);
    item.fetched.clone_from(&head.date);
    item.digest.clone_from(&head.digest);
    item.record_type = head.kind.as_deref().map(crate::bytes::shown);
    item.http_status = answer.status;
    item.content_type = answer.content_type;
    item.size = answer.size;
    item.problem = answer.problem;
    if item.problem.is_some() {
        return item;
    }
    // A body that was not read to its end is too large.
    if !answer.head.is_empty() && answer.body.len() as u64 == answer.size {
        match codings::undone(answer.body, answer.head, limit) {
            Ok(mut body) => {
                let made = body.len() as u64;
                item.size = if body.len() <= limit { made } else { made.max(answer.size) };
                body.truncate(limit.saturating_add(1));
                item.body = body;
            }
            Err(problem) => item.problem = Some(problem),
        }
    } else {
        item.body = part(answer.body, 0, limit.saturating_add(1)).to_vec();
    }
    item
}

/// Where the search resumes after a failure: just after its start, or at its end if too many bytes were read repeatedly.
fn next<W: Window>(window: &W, begin: u64, end: u64) -> u64 {
    let is_cheap = window.buffer().cost <= FREE.saturating_add(TIMES.saturating_mul(begin));
    if is_cheap { begin + 1 } else { end.max(begin + 1) }
}

/// The head of the record at the current position.
fn head_at<W: Window>(window: &mut W, form: Form) -> Result<Option<Head>, Stop> {
    for size in [FIRST_SIZE, HEAD_SIZE] {
        let is_more = window.ahead(size)?;
        let here = window.buffer().ahead();
        if let Some(head) = form.head(here) {
            return Ok(Some(head));
        }
        if !is_more || !form.is_begun(here) {
            // Fails with the damage if that is the reason.
            window.fill(size)?;
            return Ok(None);
        }
    }
    Ok(None)
}

/// The kind of the error of an invalid head: damaged, or truncated by the end of the input.
fn kind<W: Window>(window: &mut W, form: Form) -> Result<&'static str, Stop> {
    let is_cut = form.is_begun(window.peek(RECORD_SIZE)?)
        && !window.fill(HEAD_SIZE)?
        && form.is_begun(window.buffer().ahead());
    Ok(if is_cut { "truncated-record" } else { "corrupt-record" })
}

/// Whether a record ends `after` bytes from here: exactly what ends one follows, and then a record or the end.
fn is_end<W: Window>(window: &W, after: u64, form: Form) -> bool {
    let buffer = window.buffer();
    let here = usize::try_from(after).map_or(&[][..], |after| rest(buffer.ahead(), after));
    match here.strip_prefix(form.ends()) {
        Some(behind) => form.is_next(behind) || (behind.is_empty() && buffer.is_over),
        None => false,
    }
}

/// Whether the buffer holds the next `length` bytes and no record starts within them.
fn is_clear<W: Window>(window: &W, length: u64, form: Form) -> bool {
    let here = window.buffer().ahead();
    let Some(here) = usize::try_from(length).ok().and_then(|length| here.get(..length)) else {
        return false;
    };
    form.find_inside(here, 0, here.len()).is_none()
}

/// Skips `length` bytes, or fewer if a record starts within them or the input ends. Returns their number, and whether a record starts.
fn searched<W: Window>(window: &mut W, length: u64, form: Form) -> Result<(u64, bool), Stop> {
    let size = form.size().max(START_SIZE) as u64;
    let mut left = length;
    loop {
        window.fill(left.min(SCANNED) as usize)?;
        let buffer = window.buffer_mut();
        let (data, at) = (&buffer.data, buffer.at);
        let end = data.len().min(at.saturating_add(usize::try_from(left).unwrap_or(usize::MAX)));
        if let Some(found) = form.find_inside(data, at, end) {
            let passed = length - left + (found - at) as u64;
            buffer.at = found;
            return Ok((passed, true));
        }
        let held = (end - at) as u64;
        let is_last = held == left || buffer.is_over;
        let step = if is_last { held } else { held.saturating_sub(size) };
        buffer.at += step as usize;
        left -= step;
        if is_last {
            return Ok((length - left, false));
        }
    }
}
