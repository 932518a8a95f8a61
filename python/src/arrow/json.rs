//! Writes values without a fixed type as JSON text: raw values of a JSON document, and texts of a
//! text document.

use agentsdisc_core::manifest::{List, Member, Raw};
use agentsdisc_core::syntax::json::Kind;
use agentsdisc_core::syntax::text::{Escape, Text};
use memchr::{memchr2, memmem};

/// Appends a value, without white space between its parts.
pub(super) fn raw(value: Raw<'_>, to: &mut Vec<u8>) {
    match value {
        Raw::Json(value) if matches!(value.kind(), Kind::Object | Kind::Array) => {
            minified(value.raw(), to)
        }
        Raw::Json(value) => to.extend_from_slice(value.raw()),
        Raw::Text(text) => string(text, to),
    }
}

/// Appends an object of these members, in their order, including duplicates.
pub(super) fn object<'a>(first: Member<'a>, others: List<'a, Member<'a>>, to: &mut Vec<u8>) {
    let mut member = |before: u8, member: Member<'a>| {
        to.push(before);
        string(member.name, to);
        to.push(b':');
        raw(member.value, to);
    };
    member(b'{', first);
    others.for_each(|other| member(b',', other));
    to.push(b'}');
}

/// Appends valid JSON text without the white space outside its strings.
fn minified(text: &[u8], to: &mut Vec<u8>) {
    let (mut from, mut at) = (0, 0);
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => at = string_end(text, at),
            b' ' | b'\t' | b'\n' | b'\r' => {
                to.extend_from_slice(text.get(from..at - 1).unwrap_or_default());
                from = at;
            }
            _ => {}
        }
    }
    to.extend_from_slice(text.get(from..).unwrap_or_default());
}

/// Returns the offset after the closing quote of the string whose content starts at `at`.
fn string_end(text: &[u8], mut at: usize) -> usize {
    while let Some(next) = memchr2(b'"', b'\\', text.get(at..).unwrap_or_default()) {
        at += next;
        if text.get(at) == Some(&b'"') {
            return at + 1;
        }
        at += 2;
    }
    text.len()
}

/// Appends a string with its quotes.
pub(super) fn string(text: Text<'_>, to: &mut Vec<u8>) {
    let raw = text.raw();
    to.push(b'"');
    match text.escape() {
        Escape::Plain if !needs_escape(raw) => to.extend_from_slice(raw),
        // Copied as written, except for surrogates, which may be unpaired.
        Escape::Json if memmem::find(raw, b"\\u").is_none() => to.extend_from_slice(raw),
        _ => text.chars().for_each(|c| character(c, to)),
    }
    to.push(b'"');
}

/// Whether JSON escapes a character of a plain text. Tests all characters, many at once.
fn needs_escape(raw: &[u8]) -> bool {
    raw.iter().fold(false, |found, byte| found | matches!(byte, 0..0x20 | b'"' | b'\\'))
}

fn character(c: char, to: &mut Vec<u8>) {
    match c {
        '"' => to.extend_from_slice(b"\\\""),
        '\\' => to.extend_from_slice(b"\\\\"),
        '\n' => to.extend_from_slice(b"\\n"),
        '\r' => to.extend_from_slice(b"\\r"),
        '\t' => to.extend_from_slice(b"\\t"),
        '\0'..='\u{1f}' => to.extend_from_slice(format!("\\u{:04x}", u32::from(c)).as_bytes()),
        _ => to.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}
