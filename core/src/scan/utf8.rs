//! Text from bytes: on a host as `core` tells it, whose code is quick. It takes 600 bytes with its table, so firmware looks at one character
//! after the other, in less than half of that.

/// The bytes as text, where they are UTF-8. Linear.
pub(crate) fn text(bytes: &[u8]) -> Option<&str> {
    #[cfg(not(target_os = "none"))]
    return core::str::from_utf8(bytes).ok();
    #[cfg(target_os = "none")]
    return if valid_up_to(bytes) == bytes.len() {
        // SAFETY: all of the bytes were found to be UTF-8.
        Some(unsafe { core::str::from_utf8_unchecked(bytes) })
    } else {
        None
    };
}

/// How many of the bytes are UTF-8 before the first that are not.
pub(crate) fn valid_up_to(bytes: &[u8]) -> usize {
    #[cfg(not(target_os = "none"))]
    return match core::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    };
    #[cfg(target_os = "none")]
    return characters(bytes);
}

/// The same, one character after the other.
#[cfg(any(test, target_os = "none"))]
#[cfg_attr(target_os = "none", inline(never))]
fn characters(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((_, behind)) = character(rest) {
        rest = behind;
    }
    bytes.len().saturating_sub(rest.len())
}

/// The first character of a text, and what stands behind it; `None` where no character begins.
#[cfg_attr(target_os = "none", inline(never))]
pub(crate) fn character(bytes: &[u8]) -> Option<(char, &[u8])> {
    let (&first, mut rest) = bytes.split_first()?;
    // As many ones lead as there are octets, and none where it is one.
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
    // What could be written shorter is none, and neither is a surrogate.
    char::from_u32(value)
        .filter(|c| c.len_utf8() == length as usize)
        .map(|c| (c, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every way in which one character can begin, and what may stand behind it.
    #[test]
    fn every_sequence_is_told_as_core_tells_it() {
        // On both sides of every border of the table.
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
