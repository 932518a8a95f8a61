//! JSON Lines with a document in each line: read, parsed and checked without Python objects in between.

use agentsdisc_core::Limits as CoreLimits;
use agentsdisc_core::syntax::json::{Kind, Value};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::input::Limits;
use crate::rows::{Row, columns};

/// Reads the documents of JSON Lines, one row for each line that is not blank: columns by name, with `line` (from 0, in `data`) and `url` besides
/// those of `rows`.
///
/// `data` holds whole lines: objects with the string `body` and perhaps `url`. Other Python threads run meanwhile. A line that is no
/// such object is a row with the status `error` and the kind `invalid-record`, never an exception.
#[pyfunction]
#[pyo3(signature = (data, *, limits=None))]
pub(crate) fn json_lines<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyBytes>,
    limits: Option<&Bound<'py, Limits>>,
) -> PyResult<Bound<'py, PyDict>> {
    let limits = Limits::core(limits.map(Bound::get));
    let bytes = data.as_bytes();
    let rows = py.detach(|| read(bytes, limits));
    columns(py, &rows)
}

fn read(data: &[u8], limits: CoreLimits) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut body = Vec::new();
    let mut rest = data;
    let mut number = 0;
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..end).unwrap_or_default();
        rest = rest.get(end.saturating_add(1)..).unwrap_or_default();
        if !line.iter().all(u8::is_ascii_whitespace) {
            let mut row = record(line, limits, &mut body);
            row.line = number;
            rows.push(row);
        }
        number += 1;
    }
    rows
}

/// The longest line that is read: escapes make a body at most six times as long, and the rest is for the other members.
fn longest(limits: CoreLimits) -> usize {
    limits.document_limit().saturating_mul(6).saturating_add(1 << 20)
}

/// The row of one line. `body` is room for the decoded document.
fn record(line: &[u8], limits: CoreLimits, body: &mut Vec<u8>) -> Row {
    let wrong = |why: String| Row::invalid_record(why, line.len());
    if line.len() >= longest(limits) {
        return wrong("the line is too long".to_owned());
    }
    let value = match Value::parse(line) {
        Ok(value) => value,
        Err(error) => return wrong(format!("the line is not JSON: {} (column {})", error.kind.message(), error.offset.saturating_add(1))),
    };
    let (mut text, mut url) = (None, None);
    for member in value.members() {
        if member.name == "body" {
            text = Some(member.value);
        } else if member.name == "url" {
            url = Some(member.value).filter(|url| !url.is_null());
        }
    }
    let Some(text) = text.and_then(Value::as_text) else { return wrong("the line is no object with a string `body`".to_owned()) };
    if url.is_some_and(|url| url.kind() != Kind::String) {
        return wrong("`url` is no string".to_owned());
    }
    let url = url.and_then(Value::as_text).map(|url| url.to_string()).filter(|url| !url.is_empty());
    let bytes = if text.is_escaped() {
        body.clear();
        unescape(text.raw(), body);
        body.as_slice()
    } else {
        text.raw()
    };
    let mut row = Row::of(bytes, url.as_deref(), limits);
    row.url = url;
    row
}

/// Decodes the inside of a valid JSON string. Half a surrogate pair becomes the bytes that would stand for it in UTF-8, so that the
/// document is refused where it has one, and nothing is replaced in silence.
fn unescape(mut raw: &[u8], into: &mut Vec<u8>) {
    while let Some(at) = memchr::memchr(b'\\', raw) {
        let (plain, escape) = raw.split_at_checked(at).unwrap_or((raw, b""));
        into.extend_from_slice(plain);
        raw = match escape {
            [_, b'u', rest @ ..] => unicode(rest, into),
            [_, letter, rest @ ..] => {
                into.push(match letter {
                    b'b' => 8,
                    b'f' => 12,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    other => *other,
                });
                rest
            }
            _ => b"",
        };
    }
    into.extend_from_slice(raw);
}

/// Decodes what stands behind `\u`, and a second escape where both are one character; returns what follows.
fn unicode<'t>(text: &'t [u8], into: &mut Vec<u8>) -> &'t [u8] {
    let Some((first, rest)) = hex(text) else { return b"" };
    if (0xd800..0xdc00).contains(&first)
        && let Some((second @ 0xdc00..0xe000, behind)) = rest.strip_prefix(b"\\u").and_then(hex)
        && let Some(character) = char::from_u32(0x10000 + ((first & 0x3ff) << 10 | (second & 0x3ff)))
    {
        into.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        return behind;
    }
    match char::from_u32(first) {
        Some(character) => into.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        None => into.extend([0xe0 | (first >> 12) as u8, 0x80 | (first >> 6 & 63) as u8, 0x80 | (first & 63) as u8]),
    }
    rest
}

fn hex(text: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_at_checked(4)?;
    let digit = |value: u32, byte: &u8| Some(value << 4 | (*byte as char).to_digit(16)?);
    Some((digits.iter().try_fold(0, digit)?, rest))
}
