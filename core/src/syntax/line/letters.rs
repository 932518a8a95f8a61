//! Keys in a few words, for comparing them with many names at once.

use crate::syntax::perfect::Perfect;

/// The longest key that is told from others.
const LONGEST: usize = 19;

/// The letters of a key, lower-cased: its first eight, those behind them, its last eight; and how many there are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Letters {
    words: [u64; 3],
    length: usize,
}

impl Letters {
    /// Those of no key.
    pub(crate) const NONE: Self = Self { words: [0; 3], length: 0 };

    /// The letters of a key of 2 to 19 bytes; none of any other.
    ///
    /// Bit 5 is what tells an upper-case letter from a lower-case one. Setting it in every byte confuses no byte of a name of letters and
    /// hyphens with another: a letter comes from nothing but the two cases of it, and a hyphen from nothing but itself and CR, which no line holds.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) const fn of(key: &[u8]) -> Option<Self> {
        const LOWER: u64 = 0x2020_2020_2020_2020;
        let length = key.len();
        let words = if let (Some(first), Some(last)) = (key.first_chunk::<8>(), key.last_chunk::<8>()) {
            let middle = match key.split_at_checked(8) {
                Some((_, rest)) if length > 16 && length <= LONGEST => rest.first_chunk::<8>(),
                _ => None,
            };
            let middle = match middle {
                Some(middle) => u64::from_le_bytes(*middle),
                None if length > LONGEST => return None,
                None => 0,
            };
            [u64::from_le_bytes(*first) | LOWER, middle | LOWER, u64::from_le_bytes(*last) | LOWER]
        } else if let (Some(first), Some(last)) = (key.first_chunk::<4>(), key.last_chunk::<4>()) {
            [u32::from_le_bytes(*first) as u64 | LOWER, LOWER, u32::from_le_bytes(*last) as u64 | LOWER]
        } else if let (Some(first), Some(last)) = (key.first_chunk::<2>(), key.last_chunk::<2>()) {
            [u16::from_le_bytes(*first) as u64 | LOWER, LOWER, u16::from_le_bytes(*last) as u64 | LOWER]
        } else {
            return None;
        };
        Some(Self { words, length })
    }

    /// All of it in one word, by which it is looked up.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    const fn word(self) -> u64 {
        let [first, middle, last] = self.words;
        first ^ middle.rotate_left(24) ^ last.rotate_left(40)
    }
}

/// An index of a table of names and what they mean, to find which of them a key is. `PLACES` is a power of two; with four times as many as there
/// are names, the index is soon made.
pub(crate) struct Names<const N: usize, const PLACES: usize> {
    places: Perfect<PLACES>,
    letters: [Letters; N],
}

impl<const N: usize, const PLACES: usize> Names<N, PLACES> {
    /// For constants. The names have 2 to 19 bytes, letters and hyphens.
    #[allow(clippy::indexing_slicing, clippy::panic)] // Only when the program is compiled.
    pub(crate) const fn of<T>(table: &[(&str, T); N]) -> Self {
        let mut letters = [Letters::NONE; N];
        let mut words = [0; N];
        let mut i = 0;
        while i < N {
            match Letters::of(table[i].0.as_bytes()) {
                Some(packed) => (letters[i], words[i]) = (packed, packed.word()),
                None => panic!("a name is too short or too long"),
            }
            i += 1;
        }
        Self { places: Perfect::of(&words), letters }
    }

    /// What a key means by the table that this is the index of, letter case ignored. On firmware a key is compared with one name after the other, and
    /// the index is not linked.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) fn find<'t, T>(&self, key: &[u8], table: &'t [(&str, T); N]) -> Option<&'t T> {
        if cfg!(target_os = "none") {
            return table.iter().find(|(name, _)| are_letters_of(key, name)).map(|(_, meaning)| meaning);
        }
        table.get(self.number(key)?).map(|(_, meaning)| meaning)
    }

    /// The place in the table of the name that a key is, letter case ignored.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) fn number(&self, key: &[u8]) -> Option<usize> {
        let letters = Letters::of(key)?;
        let number = self.places.find(letters.word());
        if *self.letters.get(number)? == letters { Some(number) } else { None }
    }
}

/// Whether a key has the letters of a name, told in little code.
fn are_letters_of(key: &[u8], name: &str) -> bool {
    let lower = |byte: u8| byte | 0x20;
    (2..=LONGEST).contains(&key.len()) && key.len() == name.len() && key.iter().zip(name.bytes()).all(|(a, b)| lower(*a) == lower(b))
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    #[test]
    fn two_ways_to_compare_agree() {
        for name in ["ab", "site", "useragent", "spec-version", "agent-declaration", "site-privacy-policy"] {
            let mut keys: Vec<Vec<u8>> = Vec::new();
            for byte in 0..=255_u8 {
                for at in 0..name.len() {
                    let mut key = name.to_uppercase().into_bytes();
                    key[at] = byte;
                    keys.push(key);
                }
            }
            for length in 0..25 {
                keys.push(b"spec-version-spec-version"[..length].to_vec());
            }
            for key in keys {
                assert_eq!(
                    Letters::of(&key) == Letters::of(name.as_bytes()) && Letters::of(&key).is_some(),
                    are_letters_of(&key, name),
                    "{key:?}"
                );
            }
        }
    }
}
