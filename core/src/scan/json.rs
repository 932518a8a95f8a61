//! The scalar back end of the searches in JSON: eight bytes at a time, with the method of `scalar`.

use super::scalar::{HIGH, lowest, splat, zeros};

/// High bits mark the bytes of `word` below 0x20; only the lowest mark is exact.
#[inline(always)]
const fn control(word: u64) -> u64 {
    word.wrapping_sub(splat(0x20)) & !word & HIGH
}

#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk::<8>()?))
}

/// Offset of the first quote, backslash or control character at or after `from`, or the length.
#[inline]
pub(crate) fn string_stop(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(word) = word_at(bytes, at) {
        let hits = zeros(word ^ splat(b'"')) | zeros(word ^ splat(b'\\')) | control(word);
        if hits != 0 {
            return at + lowest(hits);
        }
        at += 8;
    }
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' || byte == b'\\' || byte < 0x20 {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// The offset of the quote that closes the string whose content begins at `from`, and whether the
/// string contains a backslash. The length of `bytes` if the quote is missing. Only for validated
/// text.
#[inline]
pub(crate) fn string_end(bytes: &[u8], from: usize) -> (usize, bool) {
    let mut at = from;
    let mut escaped = false;
    loop {
        at = super::string_stop(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return (at, escaped),
            Some(b'\\') => {
                escaped = true;
                at += 2;
            }
            Some(_) => at += 1,
            None => return (bytes.len(), escaped),
        }
    }
}

/// Offset of the first byte at or after `from` that is not space, tab, CR or LF.
#[inline(always)]
pub(crate) fn blanks_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        match bytes.get(at) {
            // The usual indentation: a line end and spaces.
            Some(b' ') => {
                let Some(word) = word_at(bytes, at) else {
                    at += 1;
                    continue;
                };
                let others = word ^ splat(0x20);
                if others != 0 {
                    at += lowest(others);
                } else {
                    at += 8;
                }
            }
            Some(b'\n' | b'\r' | b'\t') => at += 1,
            _ => return at,
        }
    }
}

/// The offset after the bracket that closes the container at `from`. The length of `bytes` if the
/// bracket is missing. Only for validated text.
pub(crate) fn container_end(bytes: &[u8], from: usize) -> usize {
    let mut depth = 0u32;
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => at = string_end(bytes, at).0 + 1,
            b'{' | b'[' => depth = depth.saturating_add(1),
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            b' ' => at = super::blanks_end(bytes, at),
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn string_stop_is_the_first_special_byte(bytes in proptest::collection::vec(prop_oneof![Just(b'a'), Just(b'"'), Just(b'\\'), any::<u8>()], 0..80), from in 0usize..90) {
            let plain = (from.min(bytes.len())..bytes.len()).find(|&i| matches!(bytes[i], b'"' | b'\\' | 0..0x20)).unwrap_or(bytes.len());
            prop_assert_eq!(string_stop(&bytes, from), plain);
        }

        #[test]
        fn blanks_end_at_the_first_other_byte(text in "[ \n\r\ta]{0,60}", from in 0usize..60) {
            let plain = (from..text.len()).find(|&i| text.as_bytes()[i] == b'a').unwrap_or(text.len().max(from));
            prop_assert_eq!(blanks_end(text.as_bytes(), from), plain);
        }
    }

    #[test]
    fn containers_end_at_their_bracket() {
        for (text, end) in [("[]x", 2), (r#"{"a]":[1,{"b":"\"}"}]}, 2"#, 22), ("[[", 2), ("", 0)] {
            assert_eq!(container_end(text.as_bytes(), 0), end, "{text}");
        }
    }
}
