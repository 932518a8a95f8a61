//! Random numbers that are the same on all machines.

/// A small random number generator (a mixed counter): good enough to vary documents, not for
/// secrets.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// Creates a generator; the same seed gives the same numbers.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed ^ 0x6A09_E667_F3BC_C908 }
    }

    /// Returns any number.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0xB5AD_4ECE_DA1C_E2A9);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// Returns a number from `first` to `last`.
    pub fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last.saturating_sub(first) + 1)
    }

    /// Returns true with a probability of `percent` percent.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of some values.
    ///
    /// # Panics
    /// If there are none; all lists in this crate are constants.
    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        let at = self.below(things.len());
        things.get(at).unwrap_or_else(|| unreachable!("an empty list"))
    }

    /// Returns one of some values; the first of each pair is its weight.
    pub fn weighted<T: Copy>(&mut self, things: &[(usize, T)]) -> T {
        let mut left = self.below(things.iter().map(|(weight, _)| weight).sum());
        for &(weight, thing) in things {
            if left < weight {
                return thing;
            }
            left -= weight;
        }
        unreachable!("an empty list")
    }
}
