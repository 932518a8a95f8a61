//! Perfect hashing: which of a few known names something can be, by one multiplication and one look into a small table.
//!
//! The table is made when the program is compiled: a multiplier is looked for that gives every name a place of its own. What leads to a place may
//! still be another name, so whoever asks compares.

/// For every place the number of the name that leads there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Perfect<const PLACES: usize> {
    multiplier: u64,
    places: [u8; PLACES],
}

const NOBODY: u8 = u8::MAX;

impl<const PLACES: usize> Perfect<PLACES> {
    /// The table of some names, each as one word. For constants: it tries one multiplier after the other, and does not end where two words are the
    /// same. `PLACES` is a power of two, and the names are fewer.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    pub(crate) const fn of(words: &[u64]) -> Self {
        // Any odd number may do; this one has its bits well spread.
        let mut multiplier = 0x9E37_79B9_7F4A_7C15_u64;
        loop {
            let mut table = Self {
                multiplier,
                places: [NOBODY; PLACES],
            };
            let mut number = 0;
            while number < words.len() && table.places[table.place(words[number])] == NOBODY {
                table.places[table.place(words[number])] = number as u8;
                number += 1;
            }
            if number == words.len() {
                return table;
            }
            multiplier = multiplier
                .wrapping_mul(0xD129_0D7F_4C95_7F2D)
                .wrapping_add(2)
                | 1;
        }
    }

    #[inline]
    const fn place(&self, word: u64) -> usize {
        (word.wrapping_mul(self.multiplier) >> (64 - PLACES.ilog2())) as usize
    }

    /// The number of the one name that a word can belong to; more than there are names where it belongs to none.
    #[inline]
    pub(crate) fn find(&self, word: u64) -> usize {
        usize::from(self.places.get(self.place(word)).copied().unwrap_or(NOBODY))
    }
}
