//! Small searches in bytes. None of them panics, whatever the indices are.

use std::borrow::Cow;

/// The bytes from `from` to `to`, as far as they exist.
pub(crate) fn part(data: &[u8], from: usize, to: usize) -> &[u8] {
    let to = to.min(data.len());
    data.get(from.min(to)..to).unwrap_or_default()
}

/// The bytes from `from` on.
pub(crate) fn rest(data: &[u8], from: usize) -> &[u8] {
    data.get(from..).unwrap_or_default()
}

/// Whether `wanted` is at `at`.
pub(crate) fn is_at(data: &[u8], at: usize, wanted: &[u8]) -> bool {
    rest(data, at).starts_with(wanted)
}

/// Where `wanted` is in the bytes from `from` to `to`.
pub(crate) fn find(data: &[u8], wanted: &[u8], from: usize, to: usize) -> Option<usize> {
    memchr::memmem::find(part(data, from, to), wanted).map(|at| at + from)
}

/// The bytes without white space around them.
pub(crate) fn strip(data: &[u8]) -> &[u8] {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    let Some(first) = data.iter().position(|byte| !is_space(byte)) else { return &[] };
    let last = data.iter().rposition(|byte| !is_space(byte)).unwrap_or(first);
    part(data, first, last + 1)
}

/// How many of the first bytes `is` accepts.
pub(crate) fn span(data: &[u8], is: impl Fn(u8) -> bool) -> usize {
    data.iter().position(|byte| !is(*byte)).unwrap_or(data.len())
}

/// The head of a message with `blank` in place of each fold: a line end, and the blanks behind it.
pub(crate) fn unfolded(head: &[u8], blank: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(head.len());
    let mut at = 0;
    while let Some(byte) = head.get(at) {
        let end = match rest(head, at) {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => 0,
        };
        let blanks = span(rest(head, at + end), |byte| matches!(byte, b' ' | b'\t'));
        if end > 0 && blanks > 0 {
            whole.extend_from_slice(blank);
            at += end + blanks;
        } else {
            whole.push(*byte);
            at += 1;
        }
    }
    whole
}

/// Whether this is a number without a sign.
pub(crate) fn is_number(data: &[u8]) -> bool {
    !data.is_empty() && data.iter().all(u8::is_ascii_digit)
}

/// The number that digits state; the largest one if it is larger.
pub(crate) fn number(digits: &[u8]) -> u128 {
    digits.iter().fold(0u128, |sum, byte| {
        sum.saturating_mul(10).saturating_add(u128::from(byte.saturating_sub(b'0')))
    })
}

/// Bytes of the input as text for a message, at most 200 of them.
pub(crate) fn shown(data: &[u8]) -> String {
    text(part(data, 0, 200)).into_owned()
}

/// Bytes as text; what is not UTF-8 is replaced.
pub(crate) fn text(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// The length of the blanks, optional carriage return and line feed at the start; `None` if it is something else.
pub(crate) fn line_end(data: &[u8], blanks: usize) -> Option<usize> {
    let blank = span(part(data, 0, blanks), |byte| matches!(byte, b' ' | b'\t'));
    match rest(data, blank) {
        [b'\n', ..] => Some(blank + 1),
        [b'\r', b'\n', ..] => Some(blank + 2),
        _ => None,
    }
}

/// A number with commas between its thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A text between quotes as in a message: with the quotes and control characters escaped.
pub(crate) fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut shown = String::from(quote);
    for letter in text.chars() {
        match letter {
            '\\' => shown.push_str("\\\\"),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ if letter == quote => shown.extend(['\\', letter]),
            _ if letter < ' ' || ('\x7f'..='\u{a0}').contains(&letter) => {
                shown.push_str(&format!("\\x{:02x}", u32::from(letter)));
            }
            _ => shown.push(letter),
        }
    }
    shown.push(quote);
    shown
}
