//! Finds the tokens in the text: one machine word at a time on demand, or in the masks of blocks of
//! 64 bytes, which are made in batches of 1 KiB.
//!
//! The masks are correct for valid JSON. In invalid text, both ways report the error at the same
//! byte offset, that of the first token that is not allowed: masks are consumed in order, and wrong
//! bits after the error are not used.
//!
//! The state needed for each token ([`Locate::Place`]) is separate from the state needed for each
//! block, so that a loop over tokens keeps the former in registers: no function that is not inlined
//! receives a reference to it.

use crate::scan;
use crate::scan::block::{BATCH, Carry, JsonMasks};

/// A way to find tokens.
pub(crate) trait Locate: Copy {
    /// The state of the search.
    type Place: Copy;
    /// Starts a search at a byte offset.
    fn at(start: usize) -> (Self, Self::Place);
    /// Returns the offset of the next token; `from` is the offset after the last one. Without
    /// another token, returns the length of the text or more.
    fn next(&mut self, place: &mut Self::Place, bytes: &[u8], from: usize) -> usize;
    /// Returns the offset after the string that opens at `open`, if nothing in it needs further
    /// checks; otherwise `None`. Consumes the closing quote, if there is one, in both cases.
    fn plain_string(&mut self, place: &mut Self::Place, bytes: &[u8], open: usize)
    -> Option<usize>;
}

/// Finds tokens one machine word at a time, on demand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words;

impl Locate for Words {
    type Place = ();

    fn at(_: usize) -> (Self, ()) {
        (Self, ())
    }

    #[inline(always)]
    fn next(&mut self, (): &mut (), bytes: &[u8], from: usize) -> usize {
        scan::blanks_end(bytes, from)
    }

    #[inline(always)]
    fn plain_string(&mut self, (): &mut (), bytes: &[u8], open: usize) -> Option<usize> {
        let stop = scan::string_stop(bytes, open + 1);
        (bytes.get(stop) == Some(&b'"')).then_some(stop + 1)
    }
}

/// Finds tokens in the masks of blocks of 64 bytes, made in batches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks {
    blocks: [JsonMasks; BATCH],
    carry: Carry,
    /// The number of filled blocks, and the index of the next one.
    filled: usize,
    next: usize,
}

/// The block whose tokens are being consumed.
///
/// INVARIANT: `tokens` holds the tokens of the block at `start` that are not consumed yet. It is
/// empty at the start of the search (one block before the text) and at the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InBlock {
    tokens: u64,
    trouble: u64,
    start: usize,
}

impl InBlock {
    /// Takes the next token of the block, which must have one.
    #[inline(always)]
    fn take(&mut self) -> usize {
        let at = self.start.wrapping_add(self.tokens.trailing_zeros() as usize);
        self.tokens &= self.tokens.wrapping_sub(1);
        at
    }

    /// Whether all trouble bits of the block are outside the string. False if the string begins
    /// before the block, because that is unknown.
    #[cold]
    fn spares(self, open: usize, close: usize) -> bool {
        let behind = |at: usize| u64::MAX << (at.wrapping_sub(self.start) & 63);
        open >= self.start && self.trouble & behind(open) & !behind(close) == 0
    }
}

impl Masks {
    /// Returns the block after the one at `start`; `None` at the end of the text.
    #[inline(always)]
    fn block_behind(&mut self, bytes: &[u8], start: usize) -> Option<InBlock> {
        let start = start.wrapping_add(64);
        if self.next == self.filled && !self.refill(bytes, start) {
            return None;
        }
        let masks = self.blocks.get(self.next)?;
        self.next += 1;
        Some(InBlock { tokens: masks.tokens, trouble: masks.trouble, start })
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self, bytes: &[u8], start: usize) -> bool {
        self.next = 0;
        self.filled = bytes
            .get(start..)
            .map_or(0, |rest| scan::json_masks(rest, &mut self.carry, &mut self.blocks));
        self.filled > 0
    }
}

impl Locate for Masks {
    type Place = InBlock;

    fn at(start: usize) -> (Self, InBlock) {
        let masks = Self {
            blocks: [JsonMasks::default(); BATCH],
            carry: Carry::default(),
            filled: 0,
            next: 0,
        };
        (masks, InBlock { tokens: 0, trouble: 0, start: start.wrapping_sub(64) })
    }

    #[inline(always)]
    fn next(&mut self, place: &mut InBlock, bytes: &[u8], _: usize) -> usize {
        while place.tokens == 0 {
            match self.block_behind(bytes, place.start) {
                Some(block) => *place = block,
                None => return bytes.len(),
            }
        }
        place.take()
    }

    #[inline(always)]
    fn plain_string(&mut self, place: &mut InBlock, bytes: &[u8], open: usize) -> Option<usize> {
        let mut trouble = place.trouble;
        while place.tokens == 0 {
            *place = self.block_behind(bytes, place.start)?;
            trouble |= place.trouble;
        }
        let close = place.take();
        // Most blocks have no trouble bits, and trouble bits of a block may belong to other
        // strings.
        if trouble == 0 || place.spares(open, close) { Some(close + 1) } else { None }
    }
}
