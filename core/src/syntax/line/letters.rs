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
    pub(crate) const NONE: Self = Self {
        words: [0; 3],
        length: 0,
    };

    /// The letters of a key of 2 to 19 bytes; none of any other.
    ///
    /// Bit 5 is what tells an upper-case letter from a lower-case one. Setting it in every byte confuses no byte of a name of letters and
    /// hyphens with another: a letter comes from nothing but the two cases of it, a hyphen from nothing but itself and CR, which no line holds, and a blank from
    /// itself and NUL.
    #[inline]
    pub(crate) const fn of(key: &[u8]) -> Option<Self> {
        const LOWER: u64 = 0x2020_2020_2020_2020;
        let length = key.len();
        let words = if let (Some(first), Some(last)) =
            (key.first_chunk::<8>(), key.last_chunk::<8>())
        {
            let middle = match key.split_at_checked(8) {
                Some((_, rest)) if length > 16 && length <= LONGEST => rest.first_chunk::<8>(),
                _ => None,
            };
            let middle = match middle {
                Some(middle) => u64::from_le_bytes(*middle),
                None if length > LONGEST => return None,
                None => 0,
            };
            [
                u64::from_le_bytes(*first) | LOWER,
                middle | LOWER,
                u64::from_le_bytes(*last) | LOWER,
            ]
        } else if let (Some(first), Some(last)) = (key.first_chunk::<4>(), key.last_chunk::<4>()) {
            [
                u32::from_le_bytes(*first) as u64 | LOWER,
                LOWER,
                u32::from_le_bytes(*last) as u64 | LOWER,
            ]
        } else if let (Some(first), Some(last)) = (key.first_chunk::<2>(), key.last_chunk::<2>()) {
            [
                u16::from_le_bytes(*first) as u64 | LOWER,
                LOWER,
                u16::from_le_bytes(*last) as u64 | LOWER,
            ]
        } else {
            return None;
        };
        Some(Self { words, length })
    }

    /// All of it in one word, by which it is looked up.
    #[inline]
    const fn word(self) -> u64 {
        let [first, middle, last] = self.words;
        first ^ middle.rotate_left(24) ^ last.rotate_left(40)
    }
}

/// A table from names to meanings, looked up by key with the letter case ignored. `PLACES` is a power of two; with four times as many places as
/// names, the compiler finds a perfect hash soon.
pub(crate) struct Names<T: 'static, const N: usize, const PLACES: usize> {
    places: Perfect<PLACES>,
    letters: [Letters; N],
    names: [&'static str; N],
    meanings: [T; N],
}

#[allow(clippy::indexing_slicing, clippy::panic)] // Runs only when the program is compiled.
impl<T: Copy, const N: usize, const PLACES: usize> Names<T, N, PLACES> {
    /// For constants. The names have 2 to 19 bytes: letters, hyphens and blanks.
    pub(crate) const fn of(table: &[(&'static str, T); N]) -> Self {
        let (mut letters, mut names, mut words, mut meanings) =
            ([Letters::NONE; N], [""; N], [0; N], [table[0].1; N]);
        let mut i = 0;
        while i < N {
            (names[i], meanings[i]) = table[i];
            match Letters::of(names[i].as_bytes()) {
                Some(packed) => (letters[i], words[i]) = (packed, packed.word()),
                None => panic!("a name is too short or too long"),
            }
            i += 1;
        }
        Self {
            places: Perfect::of(&words),
            letters,
            names,
            meanings,
        }
    }
}

impl<T, const N: usize, const PLACES: usize> Names<T, N, PLACES> {
    /// What a key means, letter case ignored.
    #[inline]
    pub(crate) fn find(&self, key: &[u8]) -> Option<&T> {
        self.meanings.get(self.number(key)?)
    }

    /// The index in the table of the name that a key is, letter case ignored.
    #[inline]
    pub(crate) fn number(&self, key: &[u8]) -> Option<usize> {
        let letters = Letters::of(key)?;
        let number = self.places.find(letters.word());
        if *self.letters.get(number)? == letters {
            Some(number)
        } else {
            None
        }
    }

    /// The name with this index in the table; empty where there is none.
    pub(crate) fn name(&self, number: usize) -> &'static str {
        self.names.get(number).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    const TABLE: [(&str, u8); 7] = [
        ("ab", 0),
        ("site", 1),
        ("useragent", 2),
        ("user agent", 3),
        ("spec-version", 4),
        ("agent-declaration", 5),
        ("site-privacy-policy", 6),
    ];
    static NAMES: Names<u8, 7, 32> = Names::of(&TABLE);

    #[test]
    fn a_key_is_found_as_by_comparing_it_with_every_name() {
        let mut keys: Vec<Vec<u8>> = (0..25)
            .map(|length| b"spec-version-spec-version"[..length].to_vec())
            .collect();
        for (number, (name, meaning)) in TABLE.iter().enumerate() {
            assert_eq!(NAMES.name(number), *name);
            assert_eq!(NAMES.find(name.as_bytes()), Some(meaning));
            for at in 0..name.len() {
                // No line holds CR, and NUL is taken for a blank.
                for byte in (1..=255_u8).filter(|byte| *byte != b'\r') {
                    let mut key = name.to_uppercase().into_bytes();
                    key[at] = byte;
                    keys.push(key);
                }
            }
        }
        for key in keys {
            assert_eq!(
                NAMES.number(&key),
                TABLE
                    .iter()
                    .position(|(name, _)| name.as_bytes().eq_ignore_ascii_case(&key)),
                "{key:?}"
            );
        }
    }
}
