//! Looks up keys in a table of names. A key is packed into a few machine words, so that one lookup
//! replaces a comparison with each name.

use crate::syntax::perfect::Perfect;

/// The maximum length of a key.
const LONGEST: usize = 19;

/// The lower-case letters of a key: the first eight, the following ones, the last eight; and their
/// number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Letters {
    words: [u64; 3],
    length: usize,
}

impl Letters {
    /// A placeholder for tables under construction, and for other keys. No name has these letters.
    pub(crate) const NONE: Self = Self { words: [0; 3], length: 0 };

    /// The letters of a key of 2 to 19 bytes; `None` for any other key.
    ///
    /// Bit 5 distinguishes upper case from lower case. Setting it in every byte makes no other byte
    /// equal to a letter, only CR equal to a hyphen, and only NUL equal to a blank. Lines contain
    /// no CR.
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
            [u64::from_le_bytes(*first) | LOWER, middle | LOWER, u64::from_le_bytes(*last) | LOWER]
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

    /// All letters in one word, for the lookup.
    #[inline]
    const fn word(self) -> u64 {
        let [first, middle, last] = self.words;
        first ^ middle.rotate_left(24) ^ last.rotate_left(40)
    }
}

/// A table from names to values. Lookups ignore case. `PLACES` is a power of two; with four times
/// as many places as names, the compiler finds a perfect hash quickly.
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
        Self { places: Perfect::of(&words), letters, names, meanings }
    }
}

impl<T, const N: usize, const PLACES: usize> Names<T, N, PLACES> {
    /// The value of a key, ignoring case.
    #[inline]
    pub(crate) fn find(&self, key: &[u8]) -> Option<&T> {
        self.find_packed(Letters::of(key)?)
    }

    /// The value of a key with these letters. For a key that is looked up in several tables.
    #[inline]
    pub(crate) fn find_packed(&self, letters: Letters) -> Option<&T> {
        self.meaning(self.number_packed(letters)?)
    }

    /// The value of the key with this index.
    #[inline]
    pub(crate) fn meaning(&self, number: usize) -> Option<&T> {
        self.meanings.get(number)
    }

    /// The index of a key with these letters in the table.
    #[inline]
    pub(crate) fn number_packed(&self, letters: Letters) -> Option<usize> {
        let number = self.places.find(letters.word());
        if *self.letters.get(number)? == letters { Some(number) } else { None }
    }

    /// The name with this index; empty if there is none.
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
        let mut keys: Vec<Vec<u8>> =
            (0..25).map(|length| b"spec-version-spec-version"[..length].to_vec()).collect();
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
                Letters::of(&key).and_then(|letters| NAMES.number_packed(letters)),
                TABLE.iter().position(|(name, _)| name.as_bytes().eq_ignore_ascii_case(&key)),
                "{key:?}"
            );
        }
    }
}
