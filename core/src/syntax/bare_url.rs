//! Where a URL ends that stands in text without any marks around it.

/// The length of what belongs to a URL whose scheme and slashes precede `text`. Brackets belong to
/// it if they are closed within it. With `is_json`, the text is inside a JSON string.
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
                let Some(left) = open
                    .get(bracket(*byte))
                    .and_then(|count| count.checked_sub(1))
                else {
                    break;
                };
                if let Some(count) = open.get_mut(bracket(*byte)) {
                    *count = left;
                }
            }
            0x80.. if is_punctuation(rest) => break,
            _ => {}
        }
        at = at.saturating_add(step);
    }
    at.min(text.len())
}

/// The index of a kind of brackets.
const fn bracket(byte: u8) -> usize {
    match byte {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}

/// The length of a JSON escape of a character that a URL can contain: `\/`, or `\u` of an ASCII
/// character.
fn escape_len(text: &[u8]) -> Option<usize> {
    match text {
        [b'\\', b'/', ..] => Some(2),
        [b'\\', b'u', b'0', b'0', high, low, ..] => {
            let digit = |byte: u8| (byte as char).to_digit(16);
            let byte = digit(*high)?.checked_mul(16)?.checked_add(digit(*low)?)?;
            let is_part =
                matches!(byte, 0x21 | 0x23..=0x3b | 0x3d | 0x3f..=0x5b | 0x5d | 0x5f | 0x61..=0x7e);
            is_part.then_some(6)
        }
        _ => None,
    }
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
    while let [
        rest @ ..,
        b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*',
    ] = url
    {
        url = rest;
    }
    url
}
