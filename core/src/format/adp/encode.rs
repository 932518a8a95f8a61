//! Writes characters of URLs and forms.

use crate::scan;
use crate::sink::Sink;

pub(crate) fn put_char(c: char, sink: &mut impl Sink) {
    sink.put(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Writes a character, percent-encoded unless it is unreserved (RFC 3986 section 2.3).
pub(crate) fn put_encoded(c: char, sink: &mut impl Sink) {
    if c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~') {
        return put_char(c, sink);
    }
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or(b'0');
        sink.put(&[b'%', digit(byte >> 4), digit(byte & 15)]);
    }
}

/// Writes a character of a form (`application/x-www-form-urlencoded`).
pub(crate) fn put_form(c: char, sink: &mut impl Sink) {
    match c {
        ' ' => sink.put(b"+"),
        // Forms escape the tilde, but not the asterisk.
        '~' => sink.put(b"%7E"),
        '*' => sink.put(b"*"),
        c => put_encoded(c, sink),
    }
}

/// Returns the text before and after the first occurrence of an ASCII byte. (The compiler can prove
/// that this never panics, unlike the search methods of `str`.)
pub(crate) fn cut(text: &str, at: u8) -> Option<(&str, &str)> {
    let place = scan::memchr(at, text.as_bytes())?;
    Some((text.get(..place)?, text.get(place.checked_add(1)?..)?))
}

pub(crate) fn text(buffer: &[u8], start: usize, end: usize) -> &str {
    scan::text(buffer.get(start..end).unwrap_or_default()).unwrap_or_default()
}
