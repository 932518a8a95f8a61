//! Searches eight bytes at a time in ordinary registers.
//!
//! A word holds eight bytes, the first one lowest. `zeros(word)` sets the high bit of every zero
//! byte, exact up to the lowest one; above it there may be false bits, so only the lowest bit of
//! the result is valid. To search for a byte, the word is first combined with eight copies of it.
//! Line ends are searched as "any byte below 16": one test for LF and CR together. The few other
//! bytes of that range (mostly tabs) are checked and skipped one by one.

const LOW: u64 = u64::MAX / 255;
pub(super) const HIGH: u64 = LOW << 7;

/// Eight copies of a byte.
pub(super) const fn splat(byte: u8) -> u64 {
    LOW * byte as u64
}

/// Sets the high bit of every zero byte; only the lowest one is exact.
#[inline(always)]
pub(super) const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word & HIGH
}

/// The index of the byte that the lowest bit of `mask` marks.
#[inline(always)]
pub(super) const fn lowest(mask: u64) -> usize {
    (mask.trailing_zeros() / 8) as usize
}

#[inline(always)]
fn search(bytes: &[u8], mask: impl Fn(u64) -> u64, wanted: impl Fn(u8) -> bool) -> usize {
    if cfg!(target_os = "none") {
        // On firmware, small code matters more than speed.
        return bytes.iter().position(|&byte| wanted(byte)).unwrap_or(bytes.len());
    }
    let (words, tail) = bytes.as_chunks::<8>();
    for (number, chunk) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*chunk);
        let hits = mask(word);
        if hits != 0 {
            let first = lowest(hits);
            if wanted((word >> (first * 8)) as u8) {
                return number * 8 + first;
            }
            // The first match was a byte to skip: check the following bytes singly, and continue.
            if let Some(later) = chunk.iter().position(|&byte| wanted(byte)) {
                return number * 8 + later;
            }
        }
    }
    bytes.len() - tail.len() + tail.iter().position(|&byte| wanted(byte)).unwrap_or(tail.len())
}

/// See [`super::line_end`].
#[inline(always)]
pub(super) fn line_end(bytes: &[u8]) -> usize {
    search(bytes, |word| zeros(word & splat(0xF0)), |byte| matches!(byte, b'\n' | b'\r'))
}

/// See [`super::key_end`].
#[inline(always)]
pub(super) fn key_end(bytes: &[u8]) -> usize {
    search(
        bytes,
        |word| zeros(word & splat(0xF0)) | zeros(word ^ splat(b':')),
        |byte| matches!(byte, b':' | b'\n' | b'\r'),
    )
}

/// See [`super::text_end`].
#[inline(always)]
pub(super) fn text_end(bytes: &[u8]) -> usize {
    search(
        bytes,
        |word| zeros(word & splat(0xF0)) | zeros(word ^ splat(b'#')),
        |byte| matches!(byte, b'#' | b'\n' | b'\r'),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_is_found_or_passed_over() {
        for length in 0..40 {
            for at in 0..length {
                for byte in 0..=255_u8 {
                    let mut bytes = [b'x'; 40];
                    bytes[at] = byte;
                    let bytes = &bytes[..length];
                    assert_eq!(
                        line_end(bytes),
                        if matches!(byte, b'\n' | b'\r') { at } else { length }
                    );
                    assert_eq!(
                        key_end(bytes),
                        if matches!(byte, b':' | b'\n' | b'\r') { at } else { length }
                    );
                    assert_eq!(
                        text_end(bytes),
                        if matches!(byte, b'#' | b'\n' | b'\r') { at } else { length }
                    );
                }
            }
        }
    }

    #[test]
    fn passed_over_bytes_hide_nothing() {
        for noise in [b'\t', 0, 0x0B, b';', b'9'] {
            for at in 0..32 {
                for end in [b'\n', b'\r', b':'] {
                    let mut bytes = [noise; 33];
                    bytes[at] = end;
                    assert_eq!(key_end(&bytes), at);
                    assert_eq!(line_end(&bytes), if end == b':' { 33 } else { at });
                }
            }
        }
    }
}
