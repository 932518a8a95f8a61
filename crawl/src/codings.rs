//! Decodes responses in archives: chunks, gzip, deflate, Brotli and Zstandard, as the HTTP headers state.
//!
//! Some programs that write archives decode a body and keep the header that names the coding. So if a body does not start like the named coding,
//! it counts as decoded already. Nothing marks the start of Brotli, so there a body that is text counts as decoded. An unknown coding is ignored,
//! as in browsers.
//!
//! INVARIANT: no body grows beyond the limit and one byte, whatever is in it.

use std::io::Read;

use flate2::{Decompress, FlushDecompress, Status};
use zstd_safe::{DCtx, InBuffer, OutBuffer};

use crate::Problem;
use crate::bytes::{is_at, part, rest, span, unfolded};

/// The bytes that the head of a chunk rarely exceeds.
const CHUNK_HEAD: usize = 64;
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
const GZIP: &[u8] = b"\x1f\x8b";
/// The maximum number of nested codings to decode. Real responses have fewer; hostile ones are endless.
const MOST: usize = 4;
const BLOCK: usize = 1 << 16;

/// How many bytes of an encoded body to read: chunks may be small, so the body may be longer than its content.
pub(crate) fn room(limit: usize) -> usize {
    limit.saturating_mul(2).saturating_add(BLOCK)
}

/// The body without the codings that the head names; at least one byte more than the limit if it is longer.
pub(crate) fn undone(body: &[u8], head: &[u8], limit: usize) -> Result<Vec<u8>, Problem> {
    let mut data: Option<Vec<u8>> = None;
    let fields = fields(head);
    for coding in codings(&fields) {
        let given = data.as_deref().unwrap_or(body);
        if given.is_empty() {
            break;
        }
        let decoded = match coding.as_str() {
            "chunked" => of_chunks(given)?,
            "gzip" | "x-gzip" | "deflate" => inflated(given, &coding, limit)?,
            "zstd" if given.starts_with(ZSTD) => Some(unpacked(given, limit)?),
            "br" if !is_text(given) => brotli(given, limit)?,
            _ => None,
        };
        let Some(decoded) = decoded else { continue };
        // The content of chunks is not longer than the chunks, which are bounded. Other truncated content cannot be decoded further: the
        // document is too large.
        let is_whole = coding == "chunked" || decoded.len() <= limit;
        data = Some(decoded);
        if !is_whole {
            break;
        }
    }
    Ok(data.unwrap_or_else(|| body.to_vec()))
}

/// The name and value of each field, in Latin-1.
fn fields(head: &[u8]) -> Vec<(String, String)> {
    let text: String = unfolded(head, b" ").into_iter().map(char::from).collect();
    let is_end =
        |letter| matches!(letter, '\n' | '\r' | '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}');
    let lines = text.split(is_end).skip(1).filter_map(|line| line.split_once(':'));
    lines.map(|(name, value)| (name.trim().to_lowercase(), value.trim().to_lowercase())).collect()
}

/// The codings in the order of decoding. A repeated header equals one with both values.
fn codings(fields: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for wanted in ["transfer-encoding", "content-encoding"] {
        let values = fields.iter().filter(|(name, _)| name == wanted).map(|(_, value)| value);
        let named: Vec<&str> = values.flat_map(|value| value.split(',')).collect();
        found.extend(named.iter().rev().take(MOST).map(|one| one.trim().to_owned()));
    }
    found
}

/// Whether the content starts like gzip, zlib or Zstandard.
pub(crate) fn is_coded(data: &[u8]) -> bool {
    data.starts_with(GZIP) || data.starts_with(ZSTD) || is_zlib(data)
}

fn is_zlib(data: &[u8]) -> bool {
    match data {
        [0x78, second, ..] => (0x7800 + u16::from(*second)) % 31 == 0,
        _ => false,
    }
}

/// The index where the chunks at `at` end; an index beyond `end` if more data is needed to tell; `None` if the data is not chunked.
pub(crate) fn end_of_chunks(data: &[u8], at: usize, end: usize) -> Option<usize> {
    let (start, after) = Chunks { data, at, end, is_over: false }.last()?;
    if start < after {
        let is_cut = after > end.saturating_sub(CHUNK_HEAD);
        return is_cut.then(|| after.max(end).saturating_add(1));
    }
    // The trailing fields.
    let mut line = after;
    loop {
        let here = part(data, line, end);
        match here {
            [b'\n', ..] => return Some(line + 1),
            [b'\r', b'\n', ..] => return Some(line + 2),
            _ => {}
        }
        let text = span(here, |byte| !matches!(byte, b'\r' | b'\n'));
        let break_at = match rest(here, text) {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return Some(end + 1),
        };
        if text == 0 {
            return Some(end + 1);
        }
        line += text + break_at;
    }
}

/// The start and end of the content of each chunk; the last one is empty.
struct Chunks<'a> {
    data: &'a [u8],
    at: usize,
    end: usize,
    is_over: bool,
}

impl Iterator for Chunks<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over || self.at > self.end {
            return None;
        }
        let here = part(self.data, self.at, self.end);
        let (head, size) = chunk(here)?;
        let start = self.at + head;
        let after = start.saturating_add(size);
        self.is_over = start == after;
        self.at = if is_at(self.data, after, b"\r\n") { after + 2 } else { after };
        Some((start, after))
    }
}

/// The size of the head of a chunk, and the size that it states.
fn chunk(here: &[u8]) -> Option<(usize, usize)> {
    let digits = span(here, |byte| byte.is_ascii_hexdigit());
    let zeros = span(part(here, 0, digits), |byte| byte == b'0');
    if digits == 0 || digits - zeros > 16 {
        return None;
    }
    let mut size = 0u64;
    for digit in part(here, zeros, digits) {
        size = size << 4 | u64::from(char::from(*digit).to_digit(16)?);
    }
    let mut at = digits + span(rest(here, digits), |byte| matches!(byte, b' ' | b'\t'));
    if here.get(at) == Some(&b';') {
        at += span(rest(here, at), |byte| !matches!(byte, b'\r' | b'\n'));
    }
    is_at(here, at, b"\r\n").then(|| (at + 2, usize::try_from(size).unwrap_or(usize::MAX)))
}

fn of_chunks(data: &[u8]) -> Result<Option<Vec<u8>>, Problem> {
    let mut body: Option<Vec<u8>> = None;
    let mut last = 0;
    for (start, end) in (Chunks { data, at: 0, end: data.len(), is_over: false }) {
        let body = body.get_or_insert_default();
        if start == end {
            return Ok(Some(std::mem::take(body)));
        }
        body.extend_from_slice(part(data, start, end));
        last = end;
    }
    if body.is_none() {
        return Ok(None);
    }
    if data.len().saturating_sub(last) <= b"\r\n".len() {
        return Err(Problem::truncated("the answer ends in the middle of its chunks"));
    }
    Err(Problem::corrupt("the size of a chunk is not a number"))
}

fn inflated(data: &[u8], coding: &str, limit: usize) -> Result<Option<Vec<u8>>, Problem> {
    let is_gzip = data.starts_with(GZIP);
    if !is_gzip && !is_zlib(data) {
        return Ok(if coding == "deflate" { bare(data, limit) } else { None });
    }
    let fresh = || if is_gzip { Decompress::new_gzip(15) } else { Decompress::new(true) };
    let mut body = Vec::new();
    let (mut at, mut inflating) = (0, fresh());
    while at < data.len() && body.len() <= limit {
        let (used, is_end) = inflate(&mut inflating, rest(data, at), &mut body, limit + 1)
            .map_err(|why| Problem::corrupt(format!("{coding}: {why}")))?;
        at += used;
        if is_end {
            // Members of gzip follow each other; other data after a member is ignored.
            if !is_gzip || !is_at(data, at, GZIP) {
                return Ok(Some(body));
            }
            inflating = fresh();
        }
    }
    if body.len() <= limit {
        let why = format!("the answer ends in the middle of its {coding} coding");
        return Err(Problem::truncated(why));
    }
    Ok(Some(body))
}

/// Appends what one call of zlib inflates, up to `most` bytes of the body. Returns how many bytes it used, and whether the data ends.
fn inflate(
    inflating: &mut Decompress,
    data: &[u8],
    body: &mut Vec<u8>,
    most: usize,
) -> Result<(usize, bool), String> {
    let mut used = 0;
    while body.len() < most {
        let begin = body.len();
        body.resize(most.min(begin + BLOCK.max(begin / 2)), 0);
        let (before, made) = (inflating.total_in(), inflating.total_out());
        let room = body.get_mut(begin..).unwrap_or_default();
        let status = inflating.decompress(rest(data, used), room, FlushDecompress::None);
        let step = (inflating.total_in() - before) as usize;
        let out = (inflating.total_out() - made) as usize;
        used += step;
        body.truncate(begin + out);
        match status {
            Ok(Status::StreamEnd) => return Ok((used, true)),
            Ok(_) if step == 0 && out == 0 => return Ok((data.len(), false)),
            Ok(_) => {}
            Err(problem) => return Err(why(&problem)),
        }
    }
    Ok((used, false))
}

/// The message of zlib.
pub(crate) fn why(problem: &flate2::DecompressError) -> String {
    if problem.needs_dictionary().is_some() {
        return "error 2 while decompressing data: need dictionary".to_owned();
    }
    // zlib-rs says this of its own state if a length or distance is wrong.
    let said = problem.message().filter(|why| *why != "repeated call with bad state");
    let why = said.unwrap_or("invalid data");
    format!("error -3 while decompressing data: {}", why.to_lowercase())
}

/// Decodes `deflate` without the header of zlib, which some servers send. Only success distinguishes it from a decoded body.
fn bare(data: &[u8], limit: usize) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    let (used, is_end) = inflate(&mut Decompress::new(false), data, &mut body, limit + 1).ok()?;
    (is_end && used == data.len() || body.len() > limit).then_some(body)
}

/// Whether the data is UTF-8 without control characters, as no encoded body is by chance.
fn is_text(data: &[u8]) -> bool {
    let is_control = |byte: &u8| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1f | 0x7f);
    std::str::from_utf8(data).is_ok() && !data.iter().any(is_control)
}

/// Decodes Brotli. Data that is none, and starts like another coding that the header names too, is left to that one.
fn brotli(data: &[u8], limit: usize) -> Result<Option<Vec<u8>>, Problem> {
    let most = limit as u64 + 1;
    let read = || {
        let mut body = Vec::new();
        let reader = brotli_decompressor::Decompressor::new(data, 1 << 12);
        let result = reader.take(most).read_to_end(&mut body);
        result.map(|_| body).map_err(|problem| problem.to_string().to_lowercase())
    };
    // A panic of the decoder would lose the rest of the archive.
    let body = std::panic::catch_unwind(read).unwrap_or_else(|_| Err("invalid data".to_owned()));
    match body {
        Ok(body) => Ok(Some(body)),
        Err(_) if is_coded(data) => Ok(None),
        Err(why) => Err(Problem::corrupt(format!("br: {why}"))),
    }
}

/// Decodes the frames of Zstandard.
pub(crate) fn unpacked(data: &[u8], limit: usize) -> Result<Vec<u8>, Problem> {
    let failed = |why: &str| Problem::corrupt(format!("zstd: {}", why.to_lowercase()));
    let mut context = DCtx::try_create().ok_or_else(|| failed("no memory"))?;
    let mut body: Vec<u8> = Vec::new();
    let mut input = InBuffer { src: data, pos: 0 };
    loop {
        let begin = body.len();
        body.reserve((limit + 1 - begin).min(BLOCK.max(begin / 2)));
        let (hint, is_full, made) = {
            let most = body.capacity();
            let mut output = OutBuffer::around_pos(&mut body, begin);
            let hint = context
                .decompress_stream(&mut output, &mut input)
                .map_err(|code| failed(zstd_safe::get_error_name(code)))?;
            (hint, output.pos() == most, output.pos() - begin)
        };
        if body.len() > limit {
            body.truncate(limit + 1);
            return Ok(body);
        }
        let is_read = input.pos() >= data.len();
        if is_read && hint == 0 {
            return Ok(body);
        }
        if is_read && !is_full && made == 0 {
            return Err(failed("incomplete frame"));
        }
    }
}
