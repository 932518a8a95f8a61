//! Frames of compressed archives: gzip members, Zstandard frames (RFC 8878) and LZ4 frames (lz4_Frame_format).
//!
//! Each is read in two ways. `open` gives a window that expands a frame step by step, in bounded memory, and says what is wrong with it.
//! `Whole::expand` expands a whole frame in memory, and says nothing: what it cannot expand is opened.

use std::io::{self, Read};
use std::sync::Arc;

use flate2::{Decompress, FlushDecompress, Status};
use lz4_flex::frame::FrameDecoder;
use zstd_safe::{DCtx, InBuffer, OutBuffer};

use crate::bytes::{is_at, part, rest, span};
use crate::codings;
use crate::inflate::{Failure, Inflater};
use crate::window::{Buffer, File, Stop, Window};

/// The compressed bytes of one call of zlib, at least and at most. What a call inflates before it finds damage is lost, so the bytes are about as many
/// as the last member had.
const LEAST_STEP: usize = 64;
const STEP: usize = 1 << 16;
/// The maximum sizes in bytes of a Zstandard block, an LZ4 block and a dictionary.
const ZSTD_BLOCK: usize = 128 << 10;
const LZ4_BLOCK: usize = 4 << 20;
const DICTIONARY: usize = 16 << 20;
/// The largest window of Zstandard, which is what its decoder needs.
const WINDOW_LOG: u32 = 27;
/// The maximum content of a frame that is expanded as a whole.
pub(crate) const WHOLE: usize = 8 << 20;
const FIRST_WHOLE: usize = 256 << 10;
const SKIPPABLE: &[u8] = b"\x2a\x4d\x18";

/// A compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
    Lz4,
}

impl Packing {
    /// The compression of a file, from its first bytes or, if these are damaged, from its name. `None`: not compressed.
    pub(crate) fn of(name: &str, first: &[u8]) -> Option<Self> {
        const ALL: [Packing; 3] = [Packing::Gzip, Packing::Zstd, Packing::Lz4];
        if first.starts_with(b"WARC/") || first.starts_with(b"filedesc") {
            return None;
        }
        if is_at(first, 1, SKIPPABLE) {
            return Some(Self::Zstd);
        }
        if let Some(found) = ALL.into_iter().find(|one| first.starts_with(one.magic())) {
            return Some(found);
        }
        let name = name.to_lowercase();
        let suffix = name.rsplit_once('.').map(|(_, suffix)| suffix)?;
        // A damaged WACZ has the members as they are in the archives in it.
        [(Self::Gzip, "gz"), (Self::Gzip, "wacz"), (Self::Zstd, "zst"), (Self::Lz4, "lz4")]
            .into_iter()
            .find_map(|(packing, known)| (suffix == known).then_some(packing))
    }

    /// The first bytes of each frame.
    pub(crate) const fn magic(self) -> &'static [u8] {
        match self {
            Self::Gzip => b"\x1f\x8b\x08",
            Self::Zstd => b"\x28\xb5\x2f\xfd",
            Self::Lz4 => b"\x04\x22\x4d\x18",
        }
    }
}

/// Skips bytes that are allowed between gzip members: zeros, and members without content.
pub(crate) fn padding(data: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += span(rest(data, at), |byte| byte == 0);
        let member = part(data, at, at + EMPTY);
        let is_empty = member.len() == EMPTY
            && member.starts_with(b"\x1f\x8b\x08\0")
            && is_at(member, 10, b"\x03\0\0\0\0\0\0\0\0\0");
        if !is_empty {
            return at;
        }
        at += EMPTY;
    }
}

/// The size of a member without content.
pub(crate) const EMPTY: usize = 20;

/// The frames of a file.
#[derive(Debug)]
pub(crate) struct Frames {
    pub(crate) packing: Packing,
    pub(crate) dictionary: Option<Arc<[u8]>>,
    step: usize,
}

impl Frames {
    pub(crate) fn new(packing: Packing) -> Self {
        Self { packing, dictionary: None, step: STEP }
    }

    /// Moves past what may be between frames.
    pub(crate) fn skip_padding(&self, file: &mut File) -> Result<(), Stop> {
        if self.packing != Packing::Gzip {
            return Ok(());
        }
        loop {
            file.ahead(EMPTY)?;
            let passed = padding(file.buffer().ahead());
            file.pass(passed);
            if passed == 0 {
                return Ok(());
            }
        }
    }

    /// Whether a frame starts at the current position. Skips skippable frames, and takes the dictionary of the first one.
    pub(crate) fn is_next(&mut self, file: &mut File) -> Result<bool, Stop> {
        if self.packing == Packing::Zstd {
            loop {
                let head = file.peek(8)?;
                let [first, _, _, _, a, b, c, d, ..] = *head else { break };
                if !is_at(head, 1, SKIPPABLE) || first >> 4 != 5 {
                    break;
                }
                let size = u32::from_le_bytes([a, b, c, d]) as usize;
                if size > DICTIONARY || !file.fill(8 + size)? {
                    return Ok(false);
                }
                if file.position() == 0 && first == 0x5d {
                    let words = part(file.buffer().ahead(), 8, 8 + size);
                    self.dictionary = Some(dictionary(words)?);
                }
                file.pass(8 + size);
            }
        }
        let magic = self.packing.magic();
        Ok(file.peek(magic.len())? == magic)
    }

    /// The content of the frame at the current position. Reading it fails if the frame is damaged or cut.
    pub(crate) fn open<'a>(&self, file: &'a mut File) -> Frame<'a> {
        let expander = match self.packing {
            Packing::Gzip => Expander::Gzip(Decompress::new_gzip(15), self.step, false, file),
            Packing::Zstd => {
                let context = DCtx::try_create().map(|mut context| {
                    let _ = context.set_parameter(zstd_safe::DParameter::WindowLogMax(WINDOW_LOG));
                    if let Some(words) = &self.dictionary {
                        let _ = context.load_dictionary(words);
                    }
                    context
                });
                let extent =
                    Extent { file, parts: Parts::zstd(), problem: None, rest: Vec::new(), at: 0 };
                Expander::Zstd(Box::new((context, extent, 1)))
            }
            Packing::Lz4 => {
                let extent =
                    Extent { file, parts: Parts::lz4(), problem: None, rest: Vec::new(), at: 0 };
                Expander::Lz4(Box::new(FrameDecoder::new(extent)))
            }
        };
        Frame { buffer: Buffer::new(), expander }
    }

    /// Sets the step for the next member, which is probably not much longer than the one that was read to its end.
    pub(crate) fn closed(&mut self, length: u64) {
        let length = usize::try_from(length).unwrap_or(STEP);
        self.step = length.saturating_mul(4).clamp(LEAST_STEP, STEP);
    }
}

/// The dictionary, expanded if it is compressed.
fn dictionary(data: &[u8]) -> Result<Arc<[u8]>, Stop> {
    if !data.starts_with(Packing::Zstd.magic()) {
        return Ok(data.into());
    }
    let words = codings::unpacked(data, DICTIONARY - 1);
    words.map(Arc::from).map_err(|problem| Stop::damaged(problem.why))
}

/// A window over the content of a frame.
pub(crate) struct Frame<'a> {
    buffer: Buffer,
    expander: Expander<'a>,
}

enum Expander<'a> {
    /// The inflater, the step, whether the member is over, and the file.
    Gzip(Decompress, usize, bool, &'a mut File),
    /// The context, the frame, and what the decoder still wants: 0 at the end of the frame.
    Zstd(Box<(Option<DCtx<'static>>, Extent<'a>, usize)>),
    Lz4(Box<FrameDecoder<Extent<'a>>>),
}

impl Window for Frame<'_> {
    fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    fn buffer_mut(&mut self) -> &mut Buffer {
        &mut self.buffer
    }

    fn outer(&self) -> u64 {
        match &self.expander {
            Expander::Gzip(.., file) => file.position(),
            Expander::Zstd(parts) => parts.1.file.position(),
            Expander::Lz4(decoder) => decoder.get_ref().file.position(),
        }
    }

    fn more(&mut self, size: usize) -> Result<usize, Stop> {
        let begin = self.buffer.data.len();
        self.buffer.data.resize(begin + size, 0);
        let room = self.buffer.data.get_mut(begin..).unwrap_or_default();
        let made = match &mut self.expander {
            Expander::Gzip(inflater, step, is_over, file) => {
                inflated(inflater, step, is_over, file, room)
                    .inspect(|_| self.buffer.is_over = *is_over)
            }
            Expander::Zstd(parts) => {
                let (context, extent, hint) = &mut **parts;
                match context {
                    Some(context) => unpacked(context, extent, hint, room),
                    None => Err(Stop::damaged("no memory")),
                }
            }
            Expander::Lz4(decoder) => unpacked_lz4(decoder, room),
        };
        self.buffer.data.truncate(begin + made.as_ref().copied().unwrap_or(0));
        made
    }
}

fn inflated(
    inflater: &mut Decompress,
    step: &mut usize,
    is_over: &mut bool,
    file: &mut File,
    room: &mut [u8],
) -> Result<usize, Stop> {
    while !*is_over {
        // The step does not depend on what the buffer holds, so neither does what is lost.
        file.ahead(*step)?;
        let is_there = !file.buffer().ahead().is_empty();
        let (before, made) = (inflater.total_in(), inflater.total_out());
        let given = part(file.buffer().ahead(), 0, *step);
        let status = inflater.decompress(given, room, FlushDecompress::None);
        let used = (inflater.total_in() - before) as usize;
        let made = (inflater.total_out() - made) as usize;
        let status =
            status.map_err(|problem| Stop::damaged(format!("gzip: {}", codings::why(&problem))))?;
        file.pass(used);
        *is_over = status == Status::StreamEnd;
        if made > 0 {
            return Ok(made);
        }
        if !is_there {
            return Err(Stop::cut("the input ends in the middle of a gzip member"));
        }
        *step = (2 * *step).min(STEP);
    }
    Ok(0)
}

fn unpacked(
    context: &mut DCtx<'static>,
    extent: &mut Extent<'_>,
    hint: &mut usize,
    room: &mut [u8],
) -> Result<usize, Stop> {
    while *hint != 0 {
        let is_there = extent.fill();
        let given = rest(&extent.rest, extent.at);
        let mut input = InBuffer { src: given, pos: 0 };
        let mut output = OutBuffer::around(&mut *room);
        let result = context.decompress_stream(&mut output, &mut input);
        let (used, made) = (input.pos(), output.pos());
        extent.at += used;
        match result {
            Ok(more) => *hint = more,
            Err(code) => {
                let why = zstd_safe::get_error_name(code).to_lowercase();
                return Err(extent.problem.clone().unwrap_or_else(|| Stop::damaged(why)));
            }
        }
        if made > 0 {
            return Ok(made);
        }
        if !is_there && *hint != 0 {
            return Err(extent
                .problem
                .clone()
                .unwrap_or_else(|| Stop::damaged("incomplete frame")));
        }
    }
    extent.close()
}

fn unpacked_lz4(decoder: &mut FrameDecoder<Extent<'_>>, room: &mut [u8]) -> Result<usize, Stop> {
    match decoder.read(room) {
        Ok(0) => decoder.get_mut().close(),
        Ok(made) => Ok(made),
        Err(problem) => {
            let why = problem.to_string().to_lowercase();
            Err(decoder.get_ref().problem.clone().unwrap_or_else(|| Stop::damaged(why)))
        }
    }
}

/// A frame as a reader that ends at the end of the frame.
struct Extent<'a> {
    file: &'a mut File,
    parts: Parts,
    /// Why the frame has no further part.
    problem: Option<Stop>,
    rest: Vec<u8>,
    at: usize,
}

impl Extent<'_> {
    /// Whether there are further bytes.
    fn fill(&mut self) -> bool {
        if self.at < self.rest.len() {
            return true;
        }
        self.rest.clear();
        self.at = 0;
        if let Err(problem) = self.parts.next(self.file, &mut self.rest) {
            self.problem = Some(problem);
        }
        !self.rest.is_empty()
    }

    /// Checks that the content ends where the frame ends.
    fn close(&mut self) -> Result<usize, Stop> {
        let is_left = self.fill();
        match &self.problem {
            Some(problem) => Err(problem.clone()),
            None if is_left => Err(Stop::damaged("the content of a frame ends before the frame")),
            None => Ok(0),
        }
    }
}

impl Read for Extent<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.fill();
        let given = rest(&self.rest, self.at);
        let count = given.len().min(room.len());
        room.iter_mut().zip(given).for_each(|(to, byte)| *to = *byte);
        self.at += count;
        Ok(count)
    }
}

/// The parts of a frame, each with a declared length.
#[derive(Debug)]
struct Parts {
    packing: Packing,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Head,
    /// The sizes of the checksums of a block and of the frame.
    Blocks(usize, usize),
    Checksum(usize),
    End,
}

impl Parts {
    fn zstd() -> Self {
        Self { packing: Packing::Zstd, state: State::Head }
    }

    fn lz4() -> Self {
        Self { packing: Packing::Lz4, state: State::Head }
    }

    /// Appends the next part; nothing at the end.
    fn next(&mut self, file: &mut File, to: &mut Vec<u8>) -> Result<(), Stop> {
        let is_zstd = self.packing == Packing::Zstd;
        match self.state {
            State::Head => {
                let flags = file.peek(5)?.get(4).copied().unwrap_or(0);
                let size = if is_zstd { zstd_head(flags) } else { lz4_head(flags) };
                let block = if is_zstd { 0 } else { 4 * usize::from(flags >> 4 & 1) };
                to.extend_from_slice(file.take(size)?);
                self.state = State::Blocks(block, 4 * usize::from(flags >> 2 & 1));
            }
            State::Blocks(..) if is_zstd => self.zstd_block(file, to)?,
            State::Blocks(check, end) => {
                let head = number(file.take(4)?);
                to.extend_from_slice(&(head as u32).to_le_bytes());
                let size = head & 0x7fff_ffff;
                if head == 0 {
                    to.extend_from_slice(file.take(end)?);
                    self.state = State::End;
                } else if size > LZ4_BLOCK {
                    return Err(Stop::damaged("lz4: the head of a block is invalid"));
                } else {
                    to.extend_from_slice(file.take(size + check)?);
                }
            }
            State::Checksum(size) => {
                self.state = State::End;
                to.extend_from_slice(file.take(size)?);
            }
            State::End => {}
        }
        Ok(())
    }

    fn zstd_block(&mut self, file: &mut File, to: &mut Vec<u8>) -> Result<(), Stop> {
        let head = file.take(3)?;
        to.extend_from_slice(head);
        let block = number(head);
        let (kind, size) = (block >> 1 & 3, block >> 3);
        if kind == 3 || size > ZSTD_BLOCK {
            return Err(Stop::damaged("zstd: the head of a block is invalid"));
        }
        to.extend_from_slice(file.take(if kind == 1 { 1 } else { size })?);
        if block & 1 == 1 {
            let State::Blocks(_, end) = self.state else { return Ok(()) };
            self.state = if end > 0 { State::Checksum(end) } else { State::End };
        }
        Ok(())
    }
}

fn zstd_head(flags: u8) -> usize {
    let is_single = usize::from(flags >> 5 & 1);
    let content = match flags >> 6 {
        0 => is_single,
        shift => 1 << shift,
    };
    let words = match flags & 3 {
        0 => 0,
        shift => 1 << (shift - 1),
    };
    5 + content + words + (1 - is_single)
}

fn lz4_head(flags: u8) -> usize {
    7 + 8 * usize::from(flags >> 3 & 1) + 4 * usize::from(flags & 1)
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

/// Expands whole frames in memory, into a buffer that grows to a hard bound and is used again.
pub(crate) struct Whole {
    packing: Packing,
    inflater: Option<Inflater>,
    context: Option<DCtx<'static>>,
    out: Vec<u8>,
}

impl Whole {
    pub(crate) fn new(packing: Packing, dictionary: Option<&[u8]>) -> Self {
        let mut context = (packing == Packing::Zstd).then(DCtx::try_create).flatten();
        if let (Some(context), Some(words)) = (&mut context, dictionary) {
            let _ = context.load_dictionary(words);
        }
        let inflater = (packing == Packing::Gzip).then(Inflater::new).flatten();
        Self { packing, inflater, context, out: vec![0; FIRST_WHOLE] }
    }

    /// Expands the frame at the start of `input`. Returns its size and its content; `None` if it is damaged, does not end in the input, or is too
    /// large.
    pub(crate) fn expand(&mut self, input: &[u8]) -> Option<(usize, &[u8])> {
        if !input.starts_with(self.packing.magic()) {
            return None;
        }
        loop {
            match self.once(input) {
                Ok((used, made)) => return Some((used, part(&self.out, 0, made))),
                Err(Failure::Bad) => return None,
                Err(Failure::Large) if self.out.len() >= WHOLE => return None,
                Err(Failure::Large) => {
                    let size = (2 * self.out.len()).min(WHOLE);
                    // The content is not kept, so it need not be moved.
                    self.out = Vec::new();
                    self.out = vec![0; size];
                }
            }
        }
    }

    fn once(&mut self, input: &[u8]) -> Result<(usize, usize), Failure> {
        match self.packing {
            Packing::Gzip => {
                self.inflater.as_mut().ok_or(Failure::Bad)?.member(input, &mut self.out)
            }
            Packing::Zstd => {
                let used =
                    zstd_safe::find_frame_compressed_size(input).map_err(|_| Failure::Bad)?;
                let context = self.context.as_mut().ok_or(Failure::Bad)?;
                let frame = part(input, 0, used);
                if let Ok(Some(size)) = zstd_safe::get_frame_content_size(frame)
                    && size > self.out.len() as u64
                {
                    return Err(Failure::Large);
                }
                match context.decompress(self.out.as_mut_slice(), frame) {
                    Ok(made) => Ok((used, made)),
                    Err(code) if is_small(code) => Err(Failure::Large),
                    Err(_) => Err(Failure::Bad),
                }
            }
            Packing::Lz4 => self.lz4(input),
        }
    }

    fn lz4(&mut self, input: &[u8]) -> Result<(usize, usize), Failure> {
        let flags = input.get(4).copied().ok_or(Failure::Bad)?;
        let mut used = lz4_head(flags);
        loop {
            let head = part(input, used, used + 4);
            let size = number(head) & 0x7fff_ffff;
            if head.len() < 4 || size > LZ4_BLOCK {
                return Err(Failure::Bad);
            }
            used += 4;
            if number(head) == 0 {
                used += 4 * usize::from(flags >> 2 & 1);
                break;
            }
            used += size + 4 * usize::from(flags >> 4 & 1);
        }
        let frame = input.get(..used).ok_or(Failure::Bad)?;
        let mut decoder = FrameDecoder::new(frame);
        let mut made = 0;
        loop {
            let room = self.out.get_mut(made..).unwrap_or_default();
            if room.is_empty() {
                return Err(Failure::Large);
            }
            match decoder.read(room) {
                Ok(0) => break,
                Ok(count) => made += count,
                Err(_) => return Err(Failure::Bad),
            }
        }
        if decoder.get_ref().is_empty() { Ok((used, made)) } else { Err(Failure::Bad) }
    }
}

fn is_small(code: usize) -> bool {
    zstd_safe::is_error_kind(code, zstd_safe::zstd_sys::ZSTD_ErrorCode::ZSTD_error_dstSize_tooSmall)
}
