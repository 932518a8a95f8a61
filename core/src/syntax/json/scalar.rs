//! Strings with escapes, numbers and words, checked byte by byte, and the errors of the grammar.

use crate::error::{Error, ErrorKind, JsonError};
use crate::scan;
use crate::syntax::text::hex;

/// Checks a string that may contain a backslash or control character and whose content begins at
/// `at`. Returns its end, and whether it contains a backslash. (Its closing quote is already
/// consumed, or absent.)
#[cold]
#[inline(never)]
pub(super) fn escaped_string(bytes: &[u8], at: usize) -> Result<(usize, bool), Error> {
    let mut at = scan::string_stop(bytes, at);
    let mut escaped = false;
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok((at + 1, escaped)),
            Some(b'\\') => {
                escaped = true;
                at = escape(bytes, at)?;
            }
            Some(_) => return Err(json(JsonError::ControlCharacter, at)),
            None => return Err(json(JsonError::UnexpectedEnd, bytes.len())),
        }
        at = scan::string_stop(bytes, at);
    }
}

/// Returns the offset after the escape at `at`.
fn escape(bytes: &[u8], at: usize) -> Result<usize, Error> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let digits = bytes.get(at + 2..).unwrap_or_default();
            if hex(digits, 4).is_some() {
                Ok(at + 6)
            } else if digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit) {
                Err(json(JsonError::UnexpectedEnd, bytes.len()))
            } else {
                Err(json(JsonError::BadEscape, at))
            }
        }
        Some(_) => Err(json(JsonError::BadEscape, at)),
        None => Err(json(JsonError::UnexpectedEnd, bytes.len())),
    }
}

#[inline(always)]
pub(super) fn literal(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, Error> {
    let end = at + word.len();
    if bytes.get(at..end) == Some(word) {
        ended(bytes, end, JsonError::ExpectedCommaOrEnd)
    } else {
        Err(bad_literal(bytes, at, word))
    }
}

#[cold]
fn bad_literal(bytes: &[u8], at: usize, word: &[u8]) -> Error {
    let rest = bytes.get(at..).unwrap_or_default();
    let same = rest.iter().zip(word).take_while(|(a, b)| a == b).count();
    unexpected(bytes, at + same, JsonError::BadLiteral)
}

/// Returns the end of the number at `at`.
#[inline(always)]
pub(super) fn number(bytes: &[u8], at: usize) -> Result<usize, Error> {
    let mut end = at;
    if bytes.get(end) == Some(&b'-') {
        end += 1;
    }
    end = match bytes.get(end) {
        Some(b'0') => end + 1,
        Some(b'1'..=b'9') => digits(bytes, end),
        _ => return Err(unexpected(bytes, end, JsonError::BadNumber)),
    };
    if bytes.get(end) == Some(&b'.') {
        end = some_digits(bytes, end + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        end += 1;
        if let Some(b'+' | b'-') = bytes.get(end) {
            end += 1;
        }
        end = some_digits(bytes, end)?;
    }
    ended(bytes, end, JsonError::BadNumber)
}

/// Checks that a number or word ends correctly. Rejects invalid bytes after it here, because the
/// masks show no token there.
#[inline(always)]
fn ended(bytes: &[u8], end: usize, why: JsonError) -> Result<usize, Error> {
    match bytes.get(end) {
        None
        | Some(b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | b'"' | b':' | b'{' | b'[') => {
            Ok(end)
        }
        Some(_) => Err(json(why, end)),
    }
}

#[inline(always)]
fn digits(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b'0'..=b'9') = bytes.get(at) {
        at += 1;
    }
    at
}

fn some_digits(bytes: &[u8], at: usize) -> Result<usize, Error> {
    let end = digits(bytes, at);
    if end == at { Err(unexpected(bytes, at, JsonError::BadNumber)) } else { Ok(end) }
}

#[cold]
pub(super) const fn json(why: JsonError, at: usize) -> Error {
    Error::new(ErrorKind::InvalidJson(why), at)
}

/// Returns the error for an unexpected byte; the end of the text has an error of its own.
#[cold]
pub(super) fn unexpected(bytes: &[u8], at: usize, why: JsonError) -> Error {
    json(if at >= bytes.len() { JsonError::UnexpectedEnd } else { why }, at.min(bytes.len()))
}
