//! Perfect hashing: finds the one candidate among a few known names with one multiplication and one
//! table lookup.
//!
//! The table is made at compile time, with a multiplier that gives every name an entry of its own.
//! Other words can lead to the same entry, so callers compare the name.

/// For every entry the index of its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Perfect<const PLACES: usize> {
    multiplier: u64,
    places: [u8; PLACES],
}

const NOBODY: u8 = u8::MAX;

impl<const PLACES: usize> Perfect<PLACES> {
    /// Makes the table for names, each as one word. Only for constants: it tries one multiplier
    /// after another, and does not end if two words are equal. `PLACES` is a power of two and
    /// larger than the number of names.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    pub(crate) const fn of(words: &[u64]) -> Self {
        // Any odd number works; this one has well-distributed bits.
        let mut multiplier = 0x9E37_79B9_7F4A_7C15_u64;
        loop {
            let mut table = Self { multiplier, places: [NOBODY; PLACES] };
            let mut number = 0;
            while number < words.len() && table.places[table.place(words[number])] == NOBODY {
                table.places[table.place(words[number])] = number as u8;
                number += 1;
            }
            if number == words.len() {
                return table;
            }
            multiplier = multiplier.wrapping_mul(0xD129_0D7F_4C95_7F2D).wrapping_add(2) | 1;
        }
    }

    #[inline]
    const fn place(&self, word: u64) -> usize {
        (word.wrapping_mul(self.multiplier) >> (64 - PLACES.ilog2())) as usize
    }

    /// The index of the only name that can equal the word; out of range if there is none.
    #[inline]
    pub(crate) fn find(&self, word: u64) -> usize {
        usize::from(self.places.get(self.place(word)).copied().unwrap_or(NOBODY))
    }
}
