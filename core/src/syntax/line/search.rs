//! The search for line ends and colons, in two ways.

use crate::scan;
use crate::scan::block::{BATCH, LineMasks};

/// Finds line ends and colons in a text that is read from left to right.
pub(crate) trait Search: Copy + Default {
    /// The offset of the first LF or CR at or after `from`; the length of the text if there is
    /// none.
    fn line_end(&mut self, bytes: &[u8], from: usize) -> usize;
    /// The offset of the first colon, LF or CR at or after `from`; the length of the text if there
    /// is none.
    fn key_end(&mut self, bytes: &[u8], from: usize) -> usize;
}

/// Searches on each call. Needs no set-up and no state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Singly;

impl Search for Singly {
    #[inline]
    fn line_end(&mut self, bytes: &[u8], from: usize) -> usize {
        from.saturating_add(scan::line_end(bytes.get(from..).unwrap_or_default()))
    }

    #[inline]
    fn key_end(&mut self, bytes: &[u8], from: usize) -> usize {
        from.saturating_add(scan::key_end(bytes.get(from..).unwrap_or_default()))
    }
}

/// For whole documents: [`Batches`], because there is a back end.
#[cfg(all(
    not(agentsdisc_scalar),
    any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))
))]
pub(crate) type Whole = Batches;
/// For whole documents. Without masks, because this target has no back end for them.
#[cfg(any(
    agentsdisc_scalar,
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))
))]
pub(crate) type Whole = Singly;

/// Makes masks of 64 bytes for 1 KiB at a time; on CPUs without a back end, the same as [`Singly`].
///
/// Finding the end of a line then takes no loop, and the CPU rarely mispredicts the length of the
/// line.
#[cfg_attr(
    any(
        agentsdisc_scalar,
        not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))
    ),
    allow(dead_code)
)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batches {
    masks: [LineMasks; BATCH],
    /// The offset of the first byte of the masks.
    start: usize,
    /// The number of bytes of the masks.
    length: usize,
}

impl Default for Batches {
    fn default() -> Self {
        Self { masks: [LineMasks { ends: 0, stops: 0 }; BATCH], start: 0, length: 0 }
    }
}

impl Batches {
    /// The first set bit at or after `from` in the masks that `of` selects; `None` if there are no
    /// masks, because there is no back end.
    #[inline(always)]
    fn first(
        &mut self,
        bytes: &[u8],
        from: usize,
        of: impl Fn(&LineMasks) -> u64,
    ) -> Option<usize> {
        let within = from.wrapping_sub(self.start);
        if within < self.length
            && let Some(masks) = self.masks.get(within / 64)
        {
            let bits = of(masks) >> (within % 64);
            if bits != 0 {
                return Some(from + bits.trailing_zeros() as usize);
            }
        }
        self.search(bytes, from, of)
    }

    /// Like [`first`](Self::first), if the block that contains `from` has no such bit.
    #[inline(never)]
    fn search(
        &mut self,
        bytes: &[u8],
        mut from: usize,
        of: impl Fn(&LineMasks) -> u64,
    ) -> Option<usize> {
        while from < bytes.len() {
            let within = from.wrapping_sub(self.start);
            if within >= self.length {
                let rest = bytes.get(from..)?;
                let blocks = scan::line_masks(rest, &mut self.masks);
                if blocks == 0 {
                    return None;
                }
                (self.start, self.length) = (from, (blocks * 64).min(rest.len()));
                continue;
            }
            let bits = of(self.masks.get(within / 64)?) >> (within % 64);
            if bits != 0 {
                return Some(from + bits.trailing_zeros() as usize);
            }
            from += 64 - within % 64;
        }
        Some(bytes.len())
    }
}

impl Search for Batches {
    #[inline(always)]
    fn line_end(&mut self, bytes: &[u8], from: usize) -> usize {
        match self.first(bytes, from, |masks| masks.ends) {
            Some(end) => end,
            None => Singly.line_end(bytes, from),
        }
    }

    #[inline(always)]
    fn key_end(&mut self, bytes: &[u8], from: usize) -> usize {
        match self.first(bytes, from, |masks| masks.stops) {
            Some(end) => end,
            None => Singly.key_end(bytes, from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_state_is_small() {
        assert!(size_of::<super::super::Sweep<'_, Batches>>() <= 512);
    }

    proptest! {
        #[test]
        fn both_find_the_same(text in "[a-c: \n\r\t]{0,30}([a-c]{0,150}[:\n]){0,30}", steps in prop::collection::vec((0_usize..150, any::<bool>()), 0..40)) {
            let bytes = text.as_bytes();
            let mut batches = Batches::default();
            let mut from = 0;
            for (step, key) in steps {
                let (found, plain) = match key {
                    true => (batches.key_end(bytes, from), Singly.key_end(bytes, from)),
                    false => (batches.line_end(bytes, from), Singly.line_end(bytes, from)),
                };
                prop_assert_eq!(found, plain);
                from = (from + step).min(bytes.len());
            }
        }
    }
}
