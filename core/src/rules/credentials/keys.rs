//! Finds private keys whose lines are separate texts of a document. A single line cannot be
//! recognized as a part of a key.

use core::ops::Range;

use super::memory::Memory;
use super::{is_key_material, next_block};
use crate::scan;

/// The maximum length of a key, in bytes. In a longer key, or in one without an end, only full
/// lines count as parts of the key.
const LONGEST: usize = 16 * 1024;

/// The maximum distance of the last line of a key without an end from the full line before it, in
/// bytes.
const NEAR: usize = 80;

/// The minimum length of the last line: one group of base64.
const SHORTEST: usize = 4;

/// Calls `take` with the byte range of each base64 word in the private keys (RFC 7468) of a
/// document. Other text between these words is skipped, as are ordinary words. Linear.
///
/// ```
/// use agentsdisc_core::format::credentials::key_words;
/// let document = b"X: -----BEGIN PRIVATE KEY-----\nX: MIIEpAIBAAKCAQEA\nX: Qw8=\nX: -----END PRIVATE KEY-----";
/// let mut words = String::new();
/// key_words(document, |range| words.push_str(core::str::from_utf8(&document[range]).unwrap()));
/// assert_eq!(words, "MIIEpAIBAAKCAQEAQw8=");
/// ```
pub fn key_words(document: &[u8], mut take: impl FnMut(Range<usize>)) {
    let mut from = 0;
    while let Some(block) = next_block(document, from, &mut Memory::new()) {
        words_in(document, block.start..block.end, &mut take);
        from = block.end;
    }
}

fn words_in(document: &[u8], block: Range<usize>, take: &mut impl FnMut(Range<usize>)) {
    let text = document.get(block.clone()).unwrap_or_default();
    let end = scan::find(text, b"-----END ");
    let is_whole = end.is_some_and(|end| end <= LONGEST);
    let text = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    // On the last line, a name may precede the `-----END`.
    let last_line = text.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
    let last_line = last_line.unwrap_or(text.len());
    let mut last = None;
    let mut near = 0;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = word_length(rest);
        let word = rest.get(..length).unwrap_or_default();
        let range = at..at.saturating_add(length);
        // An escape such as `\n` is two bytes.
        let is_escape = rest.get(length) == Some(&b'\\');
        at = range.end.saturating_add(if is_escape { 2 } else { 1 });
        if length < SHORTEST || matches!(word, b"true" | b"false" | b"null") {
            continue;
        }
        let in_document =
            block.start.saturating_add(range.start)..block.start.saturating_add(range.end);
        if is_key_material(word) {
            near = range.end.saturating_add(NEAR);
        } else if is_word(word) {
            if range.end <= last_line {
                last = Some(in_document);
            }
            continue;
        } else if !is_whole && range.start > near {
            continue;
        }
        last = None;
        take(in_document);
    }
    if let Some(last) = last.filter(|_| is_whole) {
        take(last);
    }
}

/// Whether a text inside a private key is a part of the key.
pub(crate) fn is_key_word(text: &[u8]) -> bool {
    text.len() >= SHORTEST && word_length(text) == text.len() && !is_word(text)
}

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Returns the number of bytes of base64 at the start of a text. JSON may escape a `/`.
fn word_length(text: &[u8]) -> usize {
    let mut bytes = text.iter().copied().peekable();
    let mut length = 0_usize;
    while let Some(byte) = bytes.next() {
        if !(is_base64(byte) || byte == b'\\' && bytes.peek() == Some(&b'/')) {
            break;
        }
        length = length.saturating_add(1);
    }
    length
}

/// Whether a text is an ordinary word or a number.
fn is_word(text: &[u8]) -> bool {
    let rest = text.get(1..).unwrap_or_default();
    text.iter().all(u8::is_ascii_digit)
        || text.iter().all(u8::is_ascii_uppercase)
        || (text.iter().all(u8::is_ascii_alphabetic) && rest.iter().all(u8::is_ascii_lowercase))
}
