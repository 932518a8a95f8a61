//! How tokens are found in the text: a word at a time where they are asked for, or in the masks of blocks, made a KiB at once.
//!
//! The masks are right for JSON. Where the text is none, the first token that cannot be is the place of the error in both, because masks are
//! taken in order: whatever is wrong behind it was not used yet.
//!
//! What is needed for each token ([`Locate::Place`]) is apart from what is needed for each block, so that a loop over tokens holds the
//! former in registers: nothing that is called, and not inlined, is given a reference to it.

use crate::scan;
use crate::scan::block::{BATCH, Carry, JsonMasks};

/// A way to find tokens.
pub(crate) trait Locate: Copy {
    /// Where the search stands.
    type Place: Copy;
    /// From an offset on.
    fn at(start: usize) -> (Self, Self::Place);
    /// Where the next token begins, `from` being the offset behind the last one; the length, or more, where there is none.
    fn next(&mut self, place: &mut Self::Place, bytes: &[u8], from: usize) -> usize;
    /// The offset behind the string that opens at `open`, where nothing in it needs a closer look. Where something may, `None`: its closing
    /// quote, if it has one, is taken all the same.
    fn plain_string(&mut self, place: &mut Self::Place, bytes: &[u8], open: usize)
    -> Option<usize>;
}

/// Finds tokens a word at a time, where they are asked for.
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

/// Finds tokens in the masks of blocks of 64 bytes, made a batch at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks {
    blocks: [JsonMasks; BATCH],
    carry: Carry,
    /// How many of the blocks are filled, and which one is next.
    filled: usize,
    next: usize,
}

/// A block whose tokens are being taken.
///
/// INVARIANT: `tokens` holds those of the block at `start` that were not yet taken; none where the search begins (one block before the text)
/// and where it ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InBlock {
    tokens: u64,
    trouble: u64,
    start: usize,
}

impl InBlock {
    /// Takes the next token of the block, which has one.
    #[inline(always)]
    fn take(&mut self) -> usize {
        let at = self
            .start
            .wrapping_add(self.tokens.trailing_zeros() as usize);
        self.tokens &= self.tokens.wrapping_sub(1);
        at
    }

    /// Whether all trouble of the block stands outside of a string. Where the string begins before the block, that is not known.
    #[cold]
    fn spares(self, open: usize, close: usize) -> bool {
        let behind = |at: usize| u64::MAX << (at.wrapping_sub(self.start) & 63);
        open >= self.start && self.trouble & behind(open) & !behind(close) == 0
    }
}

impl Masks {
    /// The block behind the one at `start`; `None` at the end of the text.
    #[inline(always)]
    fn block_behind(&mut self, bytes: &[u8], start: usize) -> Option<InBlock> {
        let start = start.wrapping_add(64);
        if self.next == self.filled && !self.refill(bytes, start) {
            return None;
        }
        let masks = self.blocks.get(self.next)?;
        self.next += 1;
        Some(InBlock {
            tokens: masks.tokens,
            trouble: masks.trouble,
            start,
        })
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self, bytes: &[u8], start: usize) -> bool {
        self.next = 0;
        self.filled = bytes.get(start..).map_or(0, |rest| {
            scan::json_masks(rest, &mut self.carry, &mut self.blocks)
        });
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
        (
            masks,
            InBlock {
                tokens: 0,
                trouble: 0,
                start: start.wrapping_sub(64),
            },
        )
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
        // Most blocks have no trouble; and it may be that of other strings.
        if trouble == 0 || place.spares(open, close) {
            Some(close + 1)
        } else {
            None
        }
    }
}
