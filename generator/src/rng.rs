//! Random numbers that are the same everywhere.

/// A small generator of random numbers (a counter, mixed); good enough to vary documents, useless for secrets.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// One that gives the same numbers for the same seed.
    pub const fn new(seed: u64) -> Self {
        Self {
            state: seed ^ 0x6A09_E667_F3BC_C908,
        }
    }

    /// Any number.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0xB5AD_4ECE_DA1C_E2A9);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 where `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// A number from `first` to `last`.
    pub fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last.saturating_sub(first) + 1)
    }

    /// Whether something happens that happens `percent` times of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of some things.
    ///
    /// # Panics
    /// Where there is none: every list in this crate is a constant.
    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        let at = self.below(things.len());
        things
            .get(at)
            .unwrap_or_else(|| unreachable!("an empty list"))
    }

    /// One of some things, the first of each pair saying how often.
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
