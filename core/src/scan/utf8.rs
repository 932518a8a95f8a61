//! Converts bytes to text. Uses the validation of `core` where speed matters. Its code has 600
//! bytes, so firmware uses a loop over characters, which has less than half of that.

/// The bytes as text, if they are valid UTF-8. Linear.
pub(crate) fn text(bytes: &[u8]) -> Option<&str> {
    #[cfg(not(target_os = "none"))]
    return core::str::from_utf8(bytes).ok();
    #[cfg(target_os = "none")]
    return if valid_up_to(bytes) == bytes.len() {
        // SAFETY: all bytes are valid UTF-8.
        Some(unsafe { core::str::from_utf8_unchecked(bytes) })
    } else {
        None
    };
}

/// The length of the valid UTF-8 prefix.
pub(crate) fn valid_up_to(bytes: &[u8]) -> usize {
    #[cfg(not(target_os = "none"))]
    return match core::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    };
    #[cfg(target_os = "none")]
    return characters(bytes);
}

/// Like [`valid_up_to`], one character at a time.
#[cfg(any(test, target_os = "none"))]
fn characters(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((_, behind)) = character(rest) {
        rest = behind;
    }
    bytes.len().saturating_sub(rest.len())
}

/// The first character of a text, and the rest; `None` if no valid character begins here.
pub(crate) fn character(bytes: &[u8]) -> Option<(char, &[u8])> {
    let (&first, mut rest) = bytes.split_first()?;
    // The number of leading ones is the length, and zero means one byte.
    let length = match first.leading_ones() {
        0 => return Some((char::from(first), rest)),
        length @ 2..=4 => length,
        _ => return None,
    };
    let mut value = u32::from(first) & (0x7f >> length);
    for _ in 1..length {
        let (&next, behind) = rest.split_first()?;
        if next & 0xc0 != 0x80 {
            return None;
        }
        value = value << 6 | u32::from(next & 0x3f);
        rest = behind;
    }
    // Overlong forms and surrogates are invalid.
    char::from_u32(value).filter(|c| c.len_utf8() == length as usize).map(|c| (c, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Checks every first byte of a character, with possible next bytes.
    #[test]
    fn every_sequence_is_read_as_by_core() {
        // Both sides of every boundary in the table.
        let borders: [u8; 15] = [
            0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xf4,
            0xff,
        ];
        for first in 0..=u8::MAX {
            for second in 0..=u8::MAX {
                assert_eq!(characters(&[first, second]), valid_up_to(&[first, second]));
                for third in borders {
                    assert_eq!(
                        characters(&[first, second, third]),
                        valid_up_to(&[first, second, third])
                    );
                    for fourth in borders {
                        let bytes = [first, second, third, fourth];
                        assert_eq!(characters(&bytes), valid_up_to(&bytes), "{bytes:x?}");
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn text_is_text(text in "\\PC{0,40}", cut in 0_usize..80, byte: u8) {
            let (mut bytes, at) = (text.into_bytes(), cut);
            prop_assert_eq!(characters(&bytes), bytes.len());
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            prop_assert_eq!(characters(&bytes), valid_up_to(&bytes));
        }
    }
}
