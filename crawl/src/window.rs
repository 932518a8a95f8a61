//! Buffers over an input that is read once, forwards.
//!
//! INVARIANT: a window over a frame never reads beyond that frame, and buffers no more than it needs, because a frame may expand to a thousand
//! times its size. After a frame is read to its end, the position of the file is exactly the end of the frame.

use crate::bytes::{part, rest, span};
use crate::source::Source;

const BLOCK: usize = 1 << 16;
/// The size of the first read after a seek.
const PROBE: usize = 512;
/// The number of bytes after the mark that a window keeps if the input cannot seek.
const KEPT: usize = 16 << 20;

/// Why reading stops.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// The input is damaged, or cut.
    Damaged { is_cut: bool, why: String },
    /// The input cannot be read.
    Failed(String),
    /// Nobody waits for more.
    Ended,
}

impl Stop {
    pub(crate) fn damaged(why: impl Into<String>) -> Self {
        Self::Damaged { is_cut: false, why: why.into() }
    }

    pub(crate) fn cut(why: impl Into<String>) -> Self {
        Self::Damaged { is_cut: true, why: why.into() }
    }
}

/// The buffer of a window.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    pub(crate) data: Vec<u8>,
    /// The index of the current position in the buffer.
    pub(crate) at: usize,
    /// The position of the first byte of the buffer.
    start: u64,
    mark: u64,
    /// Whether the buffer holds the rest of the input.
    pub(crate) is_over: bool,
    block: usize,
    /// The damage at which the input ends early.
    damage: Option<Stop>,
    /// The number of bytes read, including repeated reads.
    pub(crate) cost: u64,
}

impl Buffer {
    pub(crate) fn new() -> Self {
        Self { block: BLOCK, ..Self::default() }
    }

    /// The bytes from the current position on.
    pub(crate) fn ahead(&self) -> &[u8] {
        rest(&self.data, self.at)
    }
}

/// A window over an input.
pub(crate) trait Window {
    fn buffer(&self) -> &Buffer;
    fn buffer_mut(&mut self) -> &mut Buffer;

    /// Appends about `size` bytes of the input to the buffer, and returns how many; 0 at the end.
    fn more(&mut self, size: usize) -> Result<usize, Stop>;

    /// The position in the file, of which the window may be a part.
    fn outer(&self) -> u64;

    /// The byte offset in the input.
    fn position(&self) -> u64 {
        self.buffer().start + self.buffer().at as u64
    }

    /// Keeps the bytes from here on, up to the limit of the buffer, so that `back` can return here.
    fn mark(&mut self) {
        self.buffer_mut().mark = self.position();
    }

    /// Buffers at least `size` bytes from the current position. Returns false if the input ends earlier, and fails if it is damaged earlier.
    fn fill(&mut self, size: usize) -> Result<bool, Stop> {
        let buffer = self.buffer_mut();
        let mut held = buffer.data.len() - buffer.at;
        if held >= size || buffer.is_over {
            return Ok(held >= size);
        }
        let mut kept = buffer.mark.saturating_sub(buffer.start);
        kept = kept.min(buffer.at as u64);
        let mut kept = usize::try_from(kept).unwrap_or(buffer.at);
        if buffer.at - kept > KEPT {
            kept = buffer.at;
        }
        // Blocks grow with the buffer, so that each byte is copied only a few times.
        let least = buffer.block.max((buffer.data.len() - kept) / 2);
        buffer.data.drain(..kept);
        buffer.start += kept as u64;
        buffer.at -= kept;
        while held < size && !self.buffer().is_over && self.buffer().damage.is_none() {
            match self.more(least.max(size - held)) {
                Ok(0) => self.buffer_mut().is_over = true,
                Ok(count) => {
                    held += count;
                    self.buffer_mut().cost += count as u64;
                }
                Err(damage @ Stop::Damaged { .. }) => self.buffer_mut().damage = Some(damage),
                Err(stop) => return Err(stop),
            }
        }
        let buffer = self.buffer_mut();
        buffer.block = BLOCK;
        match &buffer.damage {
            Some(damage) if held < size => Err(damage.clone()),
            _ => Ok(held >= size),
        }
    }

    /// Buffers at least `size` bytes. Returns false if the input ends or is damaged earlier.
    fn ahead(&mut self, size: usize) -> Result<bool, Stop> {
        match self.fill(size) {
            Err(Stop::Damaged { .. }) => Ok(false),
            other => other,
        }
    }

    /// The next bytes, or fewer at the end of the input, without moving.
    fn peek(&mut self, size: usize) -> Result<&[u8], Stop> {
        self.fill(size)?;
        Ok(part(self.buffer().ahead(), 0, size))
    }

    /// Moves past bytes in the buffer.
    fn pass(&mut self, size: usize) {
        let buffer = self.buffer_mut();
        buffer.at = buffer.at.saturating_add(size).min(buffer.data.len());
    }

    /// Skips bytes. Returns their number, which is smaller if the input ends earlier.
    fn skip(&mut self, size: u64) -> Result<u64, Stop> {
        skipped(self, size)
    }

    /// Skips line breaks. Returns their number of bytes.
    fn skip_line_ends(&mut self) -> Result<u64, Stop> {
        let begin = self.position();
        while !self.buffer().ahead().is_empty() || self.ahead(1)? {
            let ends = span(self.buffer().ahead(), |byte| matches!(byte, b'\r' | b'\n'));
            let is_inside = ends < self.buffer().ahead().len();
            self.pass(ends);
            if is_inside {
                break;
            }
        }
        Ok(self.position() - begin)
    }

    /// Returns to a position, or to the first buffered byte after it.
    fn back(&mut self, position: u64) {
        let buffer = self.buffer_mut();
        let at = usize::try_from(position.saturating_sub(buffer.start)).unwrap_or(usize::MAX);
        buffer.at = at.min(buffer.data.len());
    }

    /// Moves to what `search` finds, which has at most `longest` bytes. If there is none, moves to the end and returns false.
    fn find(
        &mut self,
        search: &dyn Fn(&[u8]) -> Option<usize>,
        longest: usize,
    ) -> Result<bool, Stop> {
        loop {
            let is_more = self.ahead(longest)?;
            let buffer = self.buffer_mut();
            if let Some(found) = search(buffer.ahead()) {
                buffer.at += found;
                return Ok(true);
            }
            if !is_more {
                // Fails with the damage if that is the reason.
                self.fill(longest)?;
                let buffer = self.buffer_mut();
                buffer.at = buffer.data.len();
                return Ok(false);
            }
            let buffer = self.buffer_mut();
            buffer.at = buffer.data.len() - longest + 1;
        }
    }
}

fn skipped<W: Window + ?Sized>(window: &mut W, size: u64) -> Result<u64, Stop> {
    let mut left = size;
    loop {
        let buffer = window.buffer_mut();
        let held = (buffer.data.len() - buffer.at) as u64;
        if held >= left {
            buffer.at += left as usize;
            return Ok(size);
        }
        left -= held;
        buffer.at = buffer.data.len();
        // Steps grow with the buffer, so that each byte is copied only a few times.
        let step = left.min(BLOCK.max(buffer.data.len()) as u64);
        if !window.fill(step as usize)? && !window.fill(1)? {
            return Ok(size - left);
        }
    }
}

/// A window over bytes.
#[derive(Debug)]
pub(crate) struct File {
    buffer: Buffer,
    source: Source,
    size: Option<u64>,
    /// The buffer before the last seek: `back` needs it again if the length of a record is wrong.
    left: (u64, Vec<u8>),
}

impl File {
    pub(crate) fn new(source: Source) -> Self {
        let size = source.size();
        Self { buffer: Buffer::new(), source, size, left: (0, Vec::new()) }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Moves to a position of a file that can seek.
    pub(crate) fn seek(&mut self, position: u64) {
        let data = std::mem::take(&mut self.buffer.data);
        self.left = (self.buffer.start, data);
        self.buffer.at = 0;
        self.buffer.is_over = false;
        self.buffer.start = position;
        self.buffer.block = PROBE;
    }

    /// Takes bytes. Fails if the input ends earlier.
    pub(crate) fn take(&mut self, size: usize) -> Result<&[u8], Stop> {
        if !self.fill(size)? {
            return Err(Stop::cut("the input ends in the middle of a record"));
        }
        let begin = self.buffer.at;
        self.buffer.at += size;
        Ok(part(&self.buffer.data, begin, begin + size))
    }
}

impl Window for File {
    fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    fn buffer_mut(&mut self) -> &mut Buffer {
        &mut self.buffer
    }

    fn more(&mut self, size: usize) -> Result<usize, Stop> {
        let at = self.buffer.start + self.buffer.data.len() as u64;
        self.source.append(at, size, &mut self.buffer.data).map_err(Stop::Failed)
    }

    fn outer(&self) -> u64 {
        self.position()
    }

    fn mark(&mut self) {
        // A file that can seek is not held in memory.
        self.buffer.mark = if self.size.is_some() { u64::MAX } else { self.position() };
    }

    fn skip(&mut self, size: u64) -> Result<u64, Stop> {
        match self.size {
            Some(whole) if size > self.buffer.ahead().len() as u64 => {
                let passed = size.min(whole.saturating_sub(self.position()));
                self.seek(self.position() + passed);
                Ok(passed)
            }
            _ => skipped(self, size),
        }
    }

    fn back(&mut self, position: u64) {
        let buffer = &mut self.buffer;
        let is_within =
            |start: u64, data: &[u8]| start <= position && position <= start + data.len() as u64;
        if self.size.is_none() || is_within(buffer.start, &buffer.data) {
            let at = usize::try_from(position.saturating_sub(buffer.start)).unwrap_or(usize::MAX);
            buffer.at = at.min(buffer.data.len());
            return;
        }
        if is_within(self.left.0, &self.left.1) {
            let (start, data) = std::mem::take(&mut self.left);
            self.seek(start);
            self.buffer.data = data;
            self.buffer.at = (position - start) as usize;
            return;
        }
        self.seek(position);
    }
}
