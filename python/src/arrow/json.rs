//! Values that have no type of their own, as JSON text: raw values of a JSON document, texts of a text document.

use agentsdisc_core::manifest::{List, Member, Raw};
use agentsdisc_core::syntax::text::{Escape, Text};
use memchr::{memchr2, memmem};

/// Adds a value, without white space between its parts.
pub(super) fn raw(value: Raw<'_>, to: &mut Vec<u8>) {
    match value {
        Raw::Json(value) => minified(value.raw(), to),
        Raw::Text(text) => string(text, to),
    }
}

/// Adds an object of these members, in their order, those of one name too.
pub(super) fn object<'a>(members: List<'a, Member<'a>>, to: &mut Vec<u8>) {
    for (number, member) in members.enumerate() {
        to.push(if number == 0 { b'{' } else { b',' });
        string(member.name, to);
        to.push(b':');
        raw(member.value, to);
    }
    to.push(b'}');
}

/// Adds valid JSON text without the white space outside its strings.
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

/// The place behind the quote that ends the string whose inside starts at `at`.
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

/// Adds a string with its quotes.
pub(super) fn string(text: Text<'_>, to: &mut Vec<u8>) {
    to.push(b'"');
    match text.escape() {
        // As it is written, but for surrogates, which may be alone.
        Escape::Json if memmem::find(text.raw(), b"\\u").is_none() => to.extend_from_slice(text.raw()),
        _ => text.chars().for_each(|c| character(c, to)),
    }
    to.push(b'"');
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
