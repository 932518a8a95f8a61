//! HTTP responses in archives: their head, their body, and the length that they state themselves.
//!
//! The head is read leniently and with few rules, as browsers do it, because archives hold what servers really send: lone line feeds, lines
//! without a colon, bytes outside of ASCII. A parser that follows RFC 9112 would turn these responses into errors.

use crate::Problem;
use crate::bytes::{find, grouped, is_number, number, part, rest, shown, span, strip};
use crate::codings;

/// The maximum size of the head of a response in bytes, with the interim responses before it.
pub(crate) const HEAD: usize = 1 << 20;
/// The number of bytes in which the head is searched for at first, and however short the record is by its own length.
pub(crate) const FIRST: usize = 1 << 12;
const LENGTH: &[u8] = b"\ncontent-length:";
const TYPE: &[u8] = b"\ncontent-type:";
const ENCODING: &[u8] = b"-encoding";
const TRANSFER: &[u8] = b"\ntransfer-encoding";
/// The digits of the longest length.
const LONGEST: usize = 17;
/// The maximum number of interim responses (RFC 9110, section 15.2), such as 103 Early Hints, before the one that counts.
const MOST_INTERIM: usize = 8;
/// The bytes in which a status line begins, if one follows.
const LONGEST_STATUS: usize = 64;

/// The status line at `at`: its code and its end.
#[derive(Clone, Copy, Debug)]
struct Status {
    code: [u8; 3],
    begin: usize,
    end: usize,
}

/// The head of the response that starts at `begin` in a buffer, of which it may use the bytes up to `end`. The head is searched for in the length of its
/// record, because nothing says that each of many small records has a head that ends.
pub(crate) struct Message<'a> {
    data: &'a [u8],
    begin: usize,
    end: usize,
    head: usize,
    /// The head in lower case.
    names: Vec<u8>,
    status: Option<Status>,
    /// Whether the head ends in the buffer.
    pub(crate) is_whole: bool,
    /// The index of the body in the buffer.
    body: usize,
}

/// A response with its content codings.
pub(crate) struct Answer<'a> {
    pub(crate) body: &'a [u8],
    /// The size of the body in bytes; `body` may hold only its start.
    pub(crate) size: u64,
    /// The head if it names a coding.
    pub(crate) head: &'a [u8],
    pub(crate) problem: Option<Problem>,
    pub(crate) status: Option<u16>,
    pub(crate) content_type: Option<String>,
}

impl<'a> Message<'a> {
    pub(crate) fn new(data: &'a [u8], begin: usize, end: usize, length: u64) -> Self {
        let end = end.min(data.len());
        let last = end.min(begin.saturating_add(room(length)));
        let mut status = status(data, begin, end);
        let mut head = begin;
        let mut body = behind_blank(data, begin, last);
        for _ in 0..MOST_INTERIM {
            let Some(after) = body else { break };
            // 101 is the only one that no other response follows.
            if !status.is_some_and(|status| status.code.starts_with(b"1") && &status.code != b"101")
            {
                break;
            }
            let Some(following) = self::status(data, after, last) else {
                // Without more bytes in the buffer, it may still follow.
                body = body.filter(|body| body + LONGEST_STATUS <= last);
                break;
            };
            status = Some(following);
            head = after;
            body = behind_blank(data, head, last);
        }
        let is_whole = body.is_some();
        let body = body.unwrap_or(last);
        let names = part(data, head, body).to_ascii_lowercase();
        Self { data, begin, end, head, names, status, is_whole, body }
    }

    /// The length of the response in bytes according to its own head or chunks, which are checked as far as they are in the buffer; `None` if it
    /// states none. `length` is the number according to the record. A crawler may have decoded the body and kept the field: then only an equal
    /// number counts.
    pub(crate) fn stated(&self, length: u64) -> Option<u64> {
        let names = &self.names;
        let head = (self.body - self.begin) as u64;
        let at = memchr::memmem::find(names, LENGTH);
        if let (Some(body), Some(at)) = (length.checked_sub(head), at) {
            // As nearly always. A further field with another number does not count then.
            let usual = format!("\ncontent-length: {body}\r");
            if names.get(at..).is_some_and(|here| here.starts_with(usual.as_bytes()))
                || memchr::memmem::find(names, usual.as_bytes()).is_some()
            {
                return Some(length);
            }
        }
        if self.is_chunked() {
            let end = codings::end_of_chunks(self.data, self.body, self.end)?;
            return Some((end - self.begin) as u64);
        }
        let at = at?;
        let end = find(names, b"\n", at + 1, names.len()).unwrap_or(names.len().saturating_sub(1));
        let value = strip(part(names, at + LENGTH.len(), end));
        if !is_number(value) || value.len() > LONGEST {
            return None;
        }
        let size = head + u64::try_from(number(value)).unwrap_or(u64::MAX >> 1);
        if size == length {
            return Some(size);
        }
        let has_coding = memchr::memmem::find(names, b"content-encoding").is_some();
        let is_certain = find(names, LENGTH, end, names.len()).is_none()
            && (!has_coding || codings::is_coded(rest(self.data, self.body)))
            && self.status.is_some_and(|status| !matches!(&status.code, b"204" | b"304"));
        is_certain.then_some(size)
    }

    fn is_chunked(&self) -> bool {
        let names = &self.names;
        if memchr::memmem::find(names, ENCODING).is_none() {
            return false;
        }
        memchr::memmem::find_iter(names, TRANSFER).any(|at| {
            let line = rest(names, at + TRANSFER.len());
            let line = rest(line, span(line, |byte| matches!(byte, b' ' | b'\t')));
            let Some(value) = line.strip_prefix(b":") else { return false };
            let value = part(value, 0, span(value, |byte| byte != b'\n'));
            memchr::memmem::find_iter(value, b"chunked").any(|at| {
                let before = at.checked_sub(1).and_then(|before| value.get(before));
                !before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            })
        })
    }

    fn content_type(&self) -> Option<String> {
        let at = memchr::memmem::find(&self.names, TYPE)? + TYPE.len();
        let value = rest(part(self.data, self.head, self.body), at);
        let value = strip(part(value, 0, span(value, |byte| byte != b'\n')));
        (!value.is_empty()).then(|| shown(value))
    }

    /// The response, which has `length` bytes in its record. `why_partial` is the reason why the record holds only a part of it. The body has
    /// at most the bytes in the buffer, and only one more than the limit unless it is coded.
    pub(crate) fn answer(
        &self,
        length: u64,
        stated: Option<u64>,
        why_partial: Option<String>,
        limit: usize,
    ) -> Answer<'a> {
        let failed = |size, status, why: String| Answer {
            body: &[],
            size,
            head: &[],
            problem: Some(Problem::corrupt(why)),
            status,
            content_type: None,
        };
        let Some(status) = self.status else {
            return failed(0, None, "the record holds no http answer".to_owned());
        };
        let code = std::str::from_utf8(&status.code).ok().and_then(|code| code.parse().ok());
        let start = (self.body - self.begin) as u64;
        if !self.is_whole && length > HEAD as u64 {
            let most = grouped(HEAD as u64);
            let why = format!("the http headers have more than {most} bytes");
            return failed(length, code, why);
        }
        let size = length.saturating_sub(start);
        let is_coded = memchr::memmem::find(&self.names, ENCODING).is_some();
        let line = || shown(part(self.data, status.begin, status.end));
        let stated = stated.unwrap_or(0);
        let problem = if status.code.first() != Some(&b'2') {
            Some(Problem::new("http-status", line()))
        } else if let Some(why) = why_partial {
            Some(Problem::truncated(why))
        } else if &status.code == b"206" {
            Some(Problem::truncated(format!("the answer is a part of the document: {}", line())))
        } else if stated > length && !self.is_chunked() {
            let (size, whole) = (grouped(size), grouped(stated - start));
            Some(Problem::truncated(format!("the answer ends after {size} of its {whole} bytes")))
        } else {
            None
        };
        let record = self.begin.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
        let mut end = self.end.min(record);
        if !is_coded {
            end = end.min(self.body.saturating_add(limit).saturating_add(1));
        }
        Answer {
            body: part(self.data, self.body, end),
            size,
            head: if is_coded { part(self.data, self.head, self.body) } else { &[] },
            problem,
            status: code,
            content_type: self.content_type(),
        }
    }
}

/// The number of bytes in which the head of a response is searched for whose record has this length.
pub(crate) fn room(length: u64) -> usize {
    usize::try_from(length).unwrap_or(HEAD).clamp(FIRST, HEAD)
}

/// The status line at `at`.
fn status(data: &[u8], begin: usize, end: usize) -> Option<Status> {
    let line = part(data, begin, end);
    let digit = |byte: u8| byte.is_ascii_digit();
    let mut rest = line.strip_prefix(b"HTTP/")?;
    let major = span(rest, digit);
    if major == 0 {
        return None;
    }
    rest = self::rest(rest, major);
    if let Some(after) = rest.strip_prefix(b".") {
        let minor = span(after, digit);
        if minor > 0 {
            rest = self::rest(after, minor);
        }
    }
    let blanks = span(rest, |byte| matches!(byte, b' ' | b'\t'));
    let (code, after) = self::rest(rest, blanks).split_first_chunk::<3>()?;
    if blanks == 0 || !is_number(code) || after.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let text = span(after, |byte| !matches!(byte, b'\r' | b'\n'));
    Some(Status { code: *code, begin, end: begin + (line.len() - after.len()) + text })
}

/// The index behind the first empty line.
fn behind_blank(data: &[u8], begin: usize, end: usize) -> Option<usize> {
    let head = part(data, begin, end);
    memchr::memchr_iter(b'\n', head).find_map(|at| match rest(head, at + 1) {
        [b'\n', ..] => Some(begin + at + 2),
        [b'\r', b'\n', ..] => Some(begin + at + 3),
        _ => None,
    })
}
