//! Reads JSON Lines with one document per line into a table, without intermediate Python objects.

use std::sync::Arc;

use agentsdisc_core::Limits as CoreLimits;
use agentsdisc_core::syntax::json::{Kind, Value};
use arrow_array::Int64Array;
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrow::{Batch, Rows, plan, table};
use crate::input::Limits;

/// The longest URL in bytes that the row of a line without a document shows, as in decisions.
const LONGEST_URL: usize = 2048;

/// Reads the documents of JSON Lines: the table of `parse_batch`, with one row for each line that
/// is not blank, and the column `line` (from 0, in `data`) before the others.
///
/// `data` holds whole lines: objects with the string `body` and optionally `url`. Releases the GIL.
/// A line that is not such an object becomes a row with the status `error` and the kind
/// `invalid-record`, never an exception.
#[pyfunction]
#[pyo3(signature = (data, *, columns=None, check=true, limits=None))]
pub(crate) fn json_lines(
    py: Python<'_>,
    data: &Bound<'_, PyBytes>,
    columns: Option<Vec<String>>,
    check: bool,
    limits: Option<&Bound<'_, Limits>>,
) -> PyResult<Batch> {
    let plan = plan(columns, check, limits)?;
    let bytes = data.as_bytes();
    py.detach(|| {
        let mut rows = Rows::new(&plan.chosen);
        let numbers = read(bytes, plan.limits, &mut rows);
        let field = Field::new("line", DataType::Int64, false);
        table(&plan, rows, Some((Arc::new(field), Arc::new(Int64Array::from(numbers)))))
    })
}

/// Adds a row for every line that is not blank; returns the line numbers.
fn read(data: &[u8], limits: CoreLimits, rows: &mut Rows) -> Vec<i64> {
    let mut numbers = Vec::new();
    let mut body = Vec::new();
    let mut rest = data;
    let mut number = 0;
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..end).unwrap_or_default();
        rest = rest.get(end.saturating_add(1)..).unwrap_or_default();
        if !line.iter().all(u8::is_ascii_whitespace) {
            numbers.push(number);
            let mut url = None;
            if let Err(why) = record(line, limits, &mut body, &mut url, rows) {
                let url = url.as_deref().filter(|url| url.len() <= LONGEST_URL);
                rows.add_no_record(&why, url, line.len());
            }
        }
        number += 1;
    }
    numbers
}

/// Returns the length of the longest line that is read. Escapes make a body at most six times as
/// long; the rest is for the other members.
fn longest(limits: CoreLimits) -> usize {
    limits.document_limit().saturating_mul(6).saturating_add(1 << 20)
}

/// Adds the row of one line, or returns the error. `body` is a buffer for the decoded document;
/// `url` becomes the URL, also that of a line without a document.
fn record(
    line: &[u8],
    limits: CoreLimits,
    body: &mut Vec<u8>,
    url: &mut Option<String>,
    rows: &mut Rows,
) -> Result<(), String> {
    if line.len() >= longest(limits) {
        return Err("the line is too long".to_owned());
    }
    let value = Value::parse(line).map_err(|error| {
        format!(
            "the line is not JSON: {} (column {})",
            error.kind.message(),
            error.offset.saturating_add(1)
        )
    })?;
    let (mut text, mut place) = (None, None);
    for member in value.members() {
        if member.name == "body" {
            text = Some(member.value);
        } else if member.name == "url" {
            place = Some(member.value).filter(|place| !place.is_null());
        }
    }
    let is_place = place.is_none_or(|place| place.kind() == Kind::String);
    let place = place.and_then(Value::as_text).map(|place| place.to_string());
    *url = place.filter(|place| !place.is_empty());
    let Some(text) = text.and_then(Value::as_text) else {
        return Err("the line is not an object with a string `body`".to_owned());
    };
    if !is_place {
        return Err("`url` is not a string".to_owned());
    }
    let bytes = if text.is_escaped() {
        body.clear();
        unescape(text.raw(), body);
        body.as_slice()
    } else {
        text.raw()
    };
    rows.add(Some(bytes), url.as_deref(), limits);
    Ok(())
}

/// Decodes the content of a valid JSON string. An unpaired surrogate becomes the bytes that would
/// represent it in UTF-8, so that parsing rejects the document instead of replacing it silently.
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

/// Decodes the digits after `\u`, and the second escape of a surrogate pair; returns the rest.
fn unicode<'t>(text: &'t [u8], into: &mut Vec<u8>) -> &'t [u8] {
    let Some((first, rest)) = hex(text) else {
        return b"";
    };
    if (0xd800..0xdc00).contains(&first)
        && let Some((second @ 0xdc00..0xe000, behind)) = rest.strip_prefix(b"\\u").and_then(hex)
        && let Some(character) =
            char::from_u32(0x10000 + ((first & 0x3ff) << 10 | (second & 0x3ff)))
    {
        into.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        return behind;
    }
    match char::from_u32(first) {
        Some(character) => into.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        None => into.extend([
            0xe0 | (first >> 12) as u8,
            0x80 | (first >> 6 & 63) as u8,
            0x80 | (first & 63) as u8,
        ]),
    }
    rest
}

fn hex(text: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_at_checked(4)?;
    let digit = |value: u32, byte: &u8| Some(value << 4 | (*byte as char).to_digit(16)?);
    Some((digits.iter().try_fold(0, digit)?, rest))
}
