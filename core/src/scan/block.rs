//! The algorithms over 64 bytes at a time.
//!
//! # How it works
//!
//! A back end implements the few operations of [`Block`]: which of 64 bytes equal a value, are
//! control characters, are blanks, or are JSON operators. Each result is a word with one bit for
//! each byte, the first byte lowest. Everything else is arithmetic on such words, in this file.
//!
//! JSON is processed in order, and three bits of state pass from block to block ([`Carry`]):
//! whether the next byte is escaped, whether it is inside a string, and whether it continues a
//! number or word. [`JsonMasks`] follows from them: where tokens begin, and which strings need a
//! closer look. The masks are exact for any input; the tokenizer detects invalid text.
//!
//! Safety of every `unsafe` block here: the functions are only called by a back end whose CPU
//! features were detected.

/// Operations of a back end on 64 bytes.
///
/// # Safety
/// The CPU must have the features of the back end.
pub(crate) trait Block: Copy {
    /// Loads 64 bytes.
    unsafe fn load(bytes: &[u8; 64]) -> Self;
    /// Bytes that equal `byte`.
    unsafe fn equal(self, byte: u8) -> u64;
    /// Bytes that equal `byte` after setting bit 5; `byte` has it set.
    unsafe fn equal_folded(self, byte: u8) -> u64;
    /// Bytes below 0x20.
    unsafe fn controls(self) -> u64;
    /// Bit n is the parity of the bits 0 to n.
    #[inline(always)]
    unsafe fn parity(bits: u64) -> u64 {
        let mut bits = bits;
        bits ^= bits << 1;
        bits ^= bits << 2;
        bits ^= bits << 4;
        bits ^= bits << 8;
        bits ^= bits << 16;
        bits ^ (bits << 32)
    }
    /// Bytes that are `{ } [ ] : ,`, and possibly control characters that setting bit 5 turns into
    /// them.
    #[inline(always)]
    unsafe fn operators(self) -> u64 {
        // SAFETY: the caller guarantees it.
        unsafe {
            self.equal_folded(b'{') | self.equal_folded(b'}') | self.equal(b':') | self.equal(b',')
        }
    }
    /// Bytes that are space, tab, CR or LF.
    #[inline(always)]
    unsafe fn blanks(self) -> u64 {
        // SAFETY: the caller guarantees it.
        unsafe { self.equal(b' ') | self.equal(b'\t') | self.equal(b'\r') | self.equal(b'\n') }
    }
}

/// State that passes from one block of JSON to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carry {
    /// 1 if the first byte is escaped.
    escaped: u64,
    /// All ones if the first byte is inside a string.
    inside: u64,
    /// 1 if the first byte may continue a number or word.
    scalar: u64,
}

impl Carry {
    /// The bytes that a backslash escapes. One step for each escape; they are rare.
    #[inline(always)]
    fn escaped(&mut self, backslashes: u64) -> u64 {
        let mut escaped = self.escaped;
        self.escaped = 0;
        let mut rest = backslashes & !escaped;
        while rest != 0 {
            let escape = rest & rest.wrapping_neg();
            self.escaped |= escape >> 63;
            escaped |= escape << 1;
            rest &= !(escape | escape << 1);
        }
        escaped
    }
}

/// Masks for 64 bytes of JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct JsonMasks {
    /// Brackets, colons and commas outside strings, both quotes of strings, and the first byte of
    /// every other token.
    pub(crate) tokens: u64,
    /// Backslashes and control characters inside strings.
    pub(crate) trouble: u64,
}

/// Number of blocks in a batch: 1 KiB, so that the indirect call is rare.
pub(crate) const BATCH: usize = 16;

/// Masks for 64 bytes of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineMasks {
    /// LF and CR.
    pub(crate) ends: u64,
    /// Colons, LF and CR.
    pub(crate) stops: u64,
}

/// Fills `$out` from the start of `$bytes` with the masks that `$masks` computes for each block,
/// and evaluates to the number of blocks. The last block may reach past the end, filled with
/// blanks.
// A macro, because a closure would not have the CPU features, and every intrinsic in it would
// become a call.
macro_rules! fill {
    ($bytes:expr, $out:expr, $block:ident => $masks:expr) => {{
        let (blocks, tail) = $bytes.as_chunks::<64>();
        let mut count = 0;
        for ($block, place) in blocks.iter().zip($out.iter_mut()) {
            *place = $masks;
            count += 1;
        }
        if !tail.is_empty()
            && let Some(place) = $out.get_mut(count)
            && count == blocks.len()
        {
            let $block = &padded(tail);
            *place = $masks;
            count += 1;
        }
        count
    }};
}

/// Fills the JSON masks; returns the number of blocks.
///
/// # Safety
/// As for [`Block`].
#[inline(always)]
pub(crate) unsafe fn json_masks<B: Block>(
    bytes: &[u8],
    carry: &mut Carry,
    out: &mut [JsonMasks; BATCH],
) -> usize {
    // SAFETY: the caller guarantees it.
    fill!(bytes, out, block => unsafe { json_block::<B>(block, carry) })
}

/// Fills the line masks; returns the number of blocks.
///
/// # Safety
/// As for [`Block`].
#[inline(always)]
pub(crate) unsafe fn line_masks<B: Block>(bytes: &[u8], out: &mut [LineMasks; BATCH]) -> usize {
    // SAFETY: the caller guarantees it.
    fill!(bytes, out, block => unsafe { line_block::<B>(block) })
}

/// Loads fewer than 64 bytes, filled with blanks.
#[inline(always)]
fn padded(tail: &[u8]) -> [u8; 64] {
    let mut block = [b' '; 64];
    if let Some(place) = block.get_mut(..tail.len()) {
        place.copy_from_slice(tail);
    }
    block
}

#[inline(always)]
unsafe fn json_block<B: Block>(bytes: &[u8; 64], carry: &mut Carry) -> JsonMasks {
    // SAFETY: the caller guarantees it.
    let (backslashes, quotes, operators, blanks, controls) = unsafe {
        let block = B::load(bytes);
        (block.equal(b'\\'), block.equal(b'"'), block.operators(), block.blanks(), block.controls())
    };
    let quotes = quotes & !carry.escaped(backslashes);
    // From each opening quote up to the byte before the closing one.
    // SAFETY: the caller guarantees it.
    let inside = unsafe { B::parity(quotes) } ^ carry.inside;
    carry.inside = ((inside as i64) >> 63) as u64;
    let scalars = !(operators | blanks | quotes | inside);
    let starts = scalars & !(scalars << 1 | carry.scalar);
    carry.scalar = scalars >> 63;
    JsonMasks {
        tokens: (operators & !inside) | quotes | starts,
        trouble: (backslashes | controls) & inside,
    }
}

#[inline(always)]
unsafe fn line_block<B: Block>(bytes: &[u8; 64]) -> LineMasks {
    // SAFETY: the caller guarantees it.
    let (ends, colons) = unsafe {
        let block = B::load(bytes);
        (block.equal(b'\n') | block.equal(b'\r'), block.equal(b':'))
    };
    LineMasks { ends, stops: ends | colons }
}

/// The offset after the bracket that closes the container at the start of `bytes`. The length of
/// `bytes` if the bracket is missing. Only for validated text.
///
/// # Safety
/// As for [`Block`].
#[inline(always)]
pub(crate) unsafe fn container_end<B: Block>(bytes: &[u8]) -> usize {
    let (blocks, tail) = bytes.as_chunks::<64>();
    let mut carry = Carry::default();
    let mut depth = 0_u32;
    let mut start = 0;
    for block in blocks {
        // SAFETY: the caller guarantees it.
        if let Some(end) = unsafe { closing::<B>(block, &mut carry, &mut depth) } {
            return start + end;
        }
        start += 64;
    }
    if tail.is_empty() {
        return bytes.len();
    }
    // SAFETY: the caller guarantees it.
    let end = unsafe { closing::<B>(&padded(tail), &mut carry, &mut depth) };
    end.map_or(bytes.len(), |end| (start + end).min(bytes.len()))
}

/// The position in a block where the depth returns to zero.
#[inline(always)]
unsafe fn closing<B: Block>(bytes: &[u8; 64], carry: &mut Carry, depth: &mut u32) -> Option<usize> {
    // SAFETY: the caller guarantees it.
    let (backslashes, quotes, opening, closing) = unsafe {
        let block = B::load(bytes);
        (block.equal(b'\\'), block.equal(b'"'), block.equal_folded(b'{'), block.equal_folded(b'}'))
    };
    let quotes = quotes & !carry.escaped(backslashes);
    // SAFETY: the caller guarantees it.
    let inside = unsafe { B::parity(quotes) } ^ carry.inside;
    carry.inside = ((inside as i64) >> 63) as u64;
    let (opening, mut closing) = (opening & !inside, closing & !inside);
    let (opened, closed) = (opening.count_ones(), closing.count_ones());
    // With fewer closing brackets than open containers, the depth stays above zero in this block.
    if closed < *depth {
        *depth = *depth + opened - closed;
        return None;
    }
    let mut passed = 0;
    while closing != 0 {
        let at = closing.trailing_zeros();
        closing &= closing - 1;
        passed += 1;
        let before = opening & (1_u64 << at).wrapping_sub(1);
        if *depth + before.count_ones() <= passed {
            return Some(at as usize + 1);
        }
    }
    *depth = (*depth + opened).saturating_sub(closed);
    None
}
