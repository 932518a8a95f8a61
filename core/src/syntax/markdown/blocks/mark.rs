//! A position between two blocks, and the passes that continue from it.

use super::{Blocks, Phase, QUOTE, width};
use crate::kind::{Format, READS_MARKDOWN};
use crate::limits::Limits;

/// A position between two blocks from which another pass can continue. The lists of the unified
/// model need it, because their state must be small.
///
/// `containers` are the containers that are open at `offset`, the start of a line. The outermost
/// one is in the lowest bits: a quote is one set bit; an item of width `w` is `w - 1` clear bits
/// and one set bit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    pub(crate) offset: usize,
    pub(crate) containers: Containers,
}

/// The open containers of a [`Mark`]. Every list of the model contains them, so they are bytes,
/// which do not enlarge a list on 32-bit targets, and are empty if no built-in format needs them.
/// Some lists store four [`numbers`](Self::numbers) here instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub(crate) struct Containers(
    [u8; if READS_MARKDOWN || Format::ApiCatalog.is_built_in() { 16 } else { 0 }],
);

impl Containers {
    /// No containers.
    pub(crate) const NONE: Self = Self([0; size_of::<Self>()]);

    /// Returns the numbers that [`of_numbers`](Self::of_numbers) stored.
    pub(crate) fn numbers(&self) -> [u32; 4] {
        let mut numbers = [0; 4];
        for (number, octets) in numbers.iter_mut().zip(self.0.as_chunks().0) {
            *number = u32::from_ne_bytes(*octets);
        }
        numbers
    }

    /// Stores numbers instead of containers.
    pub(crate) fn of_numbers(numbers: [u32; 4]) -> Self {
        let mut stored = Self::NONE;
        for (octets, number) in stored.0.as_chunks_mut().0.iter_mut().zip(numbers) {
            *octets = number.to_ne_bytes();
        }
        stored
    }
}

impl<'a> Blocks<'a> {
    /// Continues in `text`, which starts at the offset of a mark.
    pub(crate) fn resume(text: &'a [u8], containers: Containers) -> Self {
        let mut blocks = Self::new(text, Limits::MAX_DEPTH);
        // Bit by bit within bytes, which needs less code on 32-bit targets than 128-bit integers.
        let mut width = 0_u8;
        for octet in &containers.0 {
            let (mut octet, mut left) = (*octet, 8);
            while octet != 0 {
                let zeros = octet.trailing_zeros() as u8;
                width += zeros + 1;
                blocks.push(if width == 1 { QUOTE } else { width });
                octet = octet >> zeros >> 1;
                left -= zeros + 1;
                width = 0;
            }
            width += left;
        }
        blocks
    }

    /// The position after the last block, from which another pass can continue. The last block must
    /// not be an item, and nothing may be [too wide](Self::too_wide).
    pub(crate) fn mark(&self) -> Mark {
        let (mut containers, mut end) = (Containers::NONE, 0);
        for &container in self.containers.iter().take(usize::from(self.depth)) {
            end += usize::from(width(container));
            if let Some(octet) = containers.0.get_mut((end - 1) / 8) {
                *octet |= 1 << ((end - 1) % 8);
            }
        }
        let offset =
            if matches!(self.phase, Phase::Open | Phase::Item(..)) { self.line } else { self.next };
        Mark { offset, containers }
    }
}
