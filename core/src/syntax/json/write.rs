//! Writes JSON strings.

use crate::scan;
use crate::sink::Sink;
use crate::syntax::text::{Escape, Text};

/// Writes a text as a JSON string with its quotes. `lossy`: the text may contain invalid UTF-8.
#[inline]
pub(crate) fn write_string<S: Sink>(text: Text<'_>, lossy: bool, sink: &mut S) {
    sink.put(b"\"");
    match text.escape() {
        // Text without special characters is copied.
        Escape::Plain
            if scan::string_stop(text.raw(), 0) == text.raw().len()
                && !(lossy && text.as_str().is_none()) =>
        {
            sink.put(text.raw());
        }
        // A JSON string is copied as written, except surrogates, which may be unpaired.
        Escape::Json if !text.raw().windows(2).any(|pair| pair == b"\\u") => sink.put(text.raw()),
        _ => write_characters(text, sink),
    }
    sink.put(b"\"");
}

#[inline(never)]
fn write_characters<S: Sink>(text: Text<'_>, sink: &mut S) {
    for c in text.chars() {
        match c {
            '"' => sink.put(b"\\\""),
            '\\' => sink.put(b"\\\\"),
            '\n' => sink.put(b"\\n"),
            '\r' => sink.put(b"\\r"),
            '\t' => sink.put(b"\\t"),
            '\0'..='\u{1f}' => {
                let hex = |digit: u32| char::from_digit(digit & 15, 16).map_or(b'0', |c| c as u8);
                sink.put(&[b'\\', b'u', b'0', b'0', hex(u32::from(c) >> 4), hex(u32::from(c))]);
            }
            _ => sink.put(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}
