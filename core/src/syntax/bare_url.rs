//! Finds the end of a URL in text that has no delimiters around the URL.

use super::text::hex;

/// The length of the part of `text` that belongs to a URL whose scheme and slashes precede `text`.
/// A closing bracket belongs to the URL only if its opening bracket does. A comma or a semicolon
/// before the scheme of another URL ends it. With `is_json`, the text
/// is inside a JSON string.
pub(crate) fn length(text: &[u8], is_json: bool) -> usize {
    let (mut at, mut open) = (0_usize, [0_u32; 3]);
    while let Some(rest @ [byte, ..]) = text.get(at..) {
        let mut step = 1;
        match byte {
            0..=b' ' | 0x7f | b'"' | b'<' | b'>' | b'`' | b'|' | b'^' => break,
            b'\\' => match escape_len(rest) {
                Some(length) if is_json => step = length,
                _ => break,
            },
            b'(' | b'[' | b'{' => {
                if let Some(count) = open.get_mut(bracket(*byte)) {
                    *count = count.saturating_add(1);
                }
            }
            b')' | b']' | b'}' => {
                let Some(left) = open.get(bracket(*byte)).and_then(|count| count.checked_sub(1))
                else {
                    break;
                };
                if let Some(count) = open.get_mut(bracket(*byte)) {
                    *count = left;
                }
            }
            b',' | b';' if begins_url(rest.get(1..).unwrap_or_default()) => break,
            0x80.. if is_punctuation(rest) => break,
            _ => {}
        }
        at = at.saturating_add(step);
    }
    at.min(text.len())
}

/// True if a text begins with the scheme of a URL, so that a separator before it ends another URL.
fn begins_url(text: &[u8]) -> bool {
    let is_here = |scheme: &&[u8]| {
        let start = text.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    [&b"http:"[..], b"https:"].iter().any(is_here)
}

/// The index of a kind of brackets.
const fn bracket(byte: u8) -> usize {
    match byte {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}

/// The length of the slash at the beginning of `text`. With `is_json`, the slash may be escaped.
pub(crate) fn slash_len(text: &[u8], is_json: bool) -> Option<usize> {
    match text {
        [b'/', ..] => Some(1),
        [b'\\', b'/', ..] if is_json => Some(2),
        _ => (is_json && escaped_char(text) == Some('/')).then_some(ESCAPE),
    }
}

/// The length of the JSON escape at the beginning of `text`, `\/` or `\u`, if it stands for a
/// character that a URL can contain.
fn escape_len(text: &[u8]) -> Option<usize> {
    if text.starts_with(br"\/") {
        return Some(2);
    }
    let is_part = match escaped_char(text)? {
        '\0'..=' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '|' | '\u{7f}' => false,
        char => !is_punctuation(char.encode_utf8(&mut [0; 4]).as_bytes()),
    };
    is_part.then_some(ESCAPE)
}

/// The length of `\u` with its four digits.
pub(crate) const ESCAPE: usize = 6;

/// The character of the escape `\u` at the beginning of `text`; U+FFFD for half of a surrogate
/// pair.
pub(crate) fn escaped_char(text: &[u8]) -> Option<char> {
    let number = hex(text.strip_prefix(br"\u")?, 4)?;
    Some(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// True if the text begins with a non-ASCII blank, dash, quotation mark or bracket.
const fn is_punctuation(text: &[u8]) -> bool {
    matches!(
        text,
        [0xc2, 0xa0 | 0xab | 0xbb, ..]
            | [0xe2, 0x80 | 0x81, ..]
            | [0xe3, 0x80, ..]
            | [0xef, 0xbc, 0x80..=0x8f | 0x9a..=0x9f, ..]
            | [0xef, 0xbd, 0x9b..=0xa5, ..]
    )
}

/// The URL without the punctuation of the sentence around it.
pub(crate) fn without_punctuation(mut url: &[u8]) -> &[u8] {
    while let [rest @ .., b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*'] = url {
        url = rest;
    }
    url
}
