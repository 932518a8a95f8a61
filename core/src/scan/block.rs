//! The algorithms, written once over 64 bytes at a time.
//!
//! # How the machine is built
//!
//! A back end gives the few questions of [`Block`]: which of 64 bytes equal a byte, lie below one, are blanks or operators of JSON. Each
//! answer is a word with one bit for each byte, the first byte lowest. Everything else is arithmetic on such words, and stands here.
//!
//! JSON is taken in order, so three bits of state go from block to block ([`Carry`]): whether the next byte is escaped, whether it is
//! inside a string, whether it continues a number or word. From them come the masks of [`JsonMasks`]: where tokens begin, and where
//! a string needs a closer look. They are exact for all text; that of broken text is found by whoever walks the tokens.
//!
//! Safety of every `unsafe` here: the functions are only called by a back end that has asked the CPU for its features.

/// What a back end can tell of 64 bytes.
///
/// # Safety
/// Every method may only be called where the CPU has the features of the back end.
pub(crate) trait Block: Copy {
    /// Takes 64 bytes.
    unsafe fn load(bytes: &[u8; 64]) -> Self;
    /// Which equal `byte`.
    unsafe fn equal(self, byte: u8) -> u64;
    /// Which equal `byte` with bit 5 set; `byte` has it set.
    unsafe fn equal_folded(self, byte: u8) -> u64;
    /// Which are below 0x20.
    unsafe fn controls(self) -> u64;
    /// Bit n is the parity of the bits 0 to n.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    unsafe fn parity(bits: u64) -> u64 {
        let mut bits = bits;
        bits ^= bits << 1;
        bits ^= bits << 2;
        bits ^= bits << 4;
        bits ^= bits << 8;
        bits ^= bits << 16;
        bits ^ (bits << 32)
    }
    /// Which are `{ } [ ] : ,`, and perhaps the control characters that bit 5 folds onto them.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    unsafe fn operators(self) -> u64 {
        // SAFETY: the caller's promise.
        unsafe {
            self.equal_folded(b'{') | self.equal_folded(b'}') | self.equal(b':') | self.equal(b',')
        }
    }
    /// Which are space, tab, CR or LF.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    unsafe fn blanks(self) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { self.equal(b' ') | self.equal(b'\t') | self.equal(b'\r') | self.equal(b'\n') }
    }
}

/// What one block of JSON leaves to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carry {
    /// 1 where the first byte is escaped.
    escaped: u64,
    /// All ones where the first byte is inside a string.
    inside: u64,
    /// 1 where the first byte may continue a number or word.
    scalar: u64,
}

impl Carry {
    /// Which bytes a backslash escapes. One step for each escape: there are few.
    #[cfg_attr(not(target_os = "none"), inline(always))]
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

/// What 64 bytes of JSON hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct JsonMasks {
    /// Brackets, colons and commas outside strings, both quotes of strings, the first byte of everything else that is no blank.
    pub(crate) tokens: u64,
    /// Backslashes and control characters inside strings.
    pub(crate) trouble: u64,
}

/// How many blocks are looked at together: 1 KiB, so that the call that may cost a jump is rare.
pub(crate) const BATCH: usize = 16;

/// What 64 bytes of lines hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineMasks {
    /// LF and CR.
    pub(crate) ends: u64,
    /// Colons, LF and CR.
    pub(crate) stops: u64,
}

/// Fills `$out` from the start of `$bytes` with the masks that `$masks` makes of each block, and evaluates to how many blocks were filled. The last one
/// may reach past the end, where blanks are seen.
// A macro: a closure is a function of its own, without the features of the CPU, in which the instructions of a back end become calls.
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

/// The masks of JSON, and how many blocks there are.
///
/// # Safety
/// As for [`Block`].
#[cfg_attr(not(target_os = "none"), inline(always))]
pub(crate) unsafe fn json_masks<B: Block>(
    bytes: &[u8],
    carry: &mut Carry,
    out: &mut [JsonMasks; BATCH],
) -> usize {
    // SAFETY: the caller's promise.
    fill!(bytes, out, block => unsafe { json_block::<B>(block, carry) })
}

/// The masks of lines, and how many blocks there are.
///
/// # Safety
/// As for [`Block`].
#[cfg_attr(not(target_os = "none"), inline(always))]
pub(crate) unsafe fn line_masks<B: Block>(bytes: &[u8], out: &mut [LineMasks; BATCH]) -> usize {
    // SAFETY: the caller's promise.
    fill!(bytes, out, block => unsafe { line_block::<B>(block) })
}

/// Fewer than 64 bytes, with blanks behind them.
#[cfg_attr(not(target_os = "none"), inline(always))]
fn padded(tail: &[u8]) -> [u8; 64] {
    let mut block = [b' '; 64];
    if let Some(place) = block.get_mut(..tail.len()) {
        place.copy_from_slice(tail);
    }
    block
}

#[cfg_attr(not(target_os = "none"), inline(always))]
unsafe fn json_block<B: Block>(bytes: &[u8; 64], carry: &mut Carry) -> JsonMasks {
    // SAFETY: the caller's promise.
    let (backslashes, quotes, operators, blanks, controls) = unsafe {
        let block = B::load(bytes);
        (
            block.equal(b'\\'),
            block.equal(b'"'),
            block.operators(),
            block.blanks(),
            block.controls(),
        )
    };
    let quotes = quotes & !carry.escaped(backslashes);
    // From each opening quote on, up to the byte before the closing one.
    // SAFETY: the caller's promise.
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

#[cfg_attr(not(target_os = "none"), inline(always))]
unsafe fn line_block<B: Block>(bytes: &[u8; 64]) -> LineMasks {
    // SAFETY: the caller's promise.
    let (ends, colons) = unsafe {
        let block = B::load(bytes);
        (block.equal(b'\n') | block.equal(b'\r'), block.equal(b':'))
    };
    LineMasks {
        ends,
        stops: ends | colons,
    }
}

/// The offset after the bracket that closes the container opening at the start of `bytes`. For validated text; the length where it is missing.
///
/// # Safety
/// As for [`Block`].
#[cfg_attr(not(target_os = "none"), inline(always))]
pub(crate) unsafe fn container_end<B: Block>(bytes: &[u8]) -> usize {
    let (blocks, tail) = bytes.as_chunks::<64>();
    let mut carry = Carry::default();
    let mut depth = 0_u32;
    let mut start = 0;
    for block in blocks {
        // SAFETY: the caller's promise.
        if let Some(end) = unsafe { closing::<B>(block, &mut carry, &mut depth) } {
            return start + end;
        }
        start += 64;
    }
    if tail.is_empty() {
        return bytes.len();
    }
    // SAFETY: the caller's promise.
    let end = unsafe { closing::<B>(&padded(tail), &mut carry, &mut depth) };
    end.map_or(bytes.len(), |end| (start + end).min(bytes.len()))
}

/// Where, in a block, the depth comes back to zero.
#[cfg_attr(not(target_os = "none"), inline(always))]
unsafe fn closing<B: Block>(bytes: &[u8; 64], carry: &mut Carry, depth: &mut u32) -> Option<usize> {
    // SAFETY: the caller's promise.
    let (backslashes, quotes, opening, closing) = unsafe {
        let block = B::load(bytes);
        (
            block.equal(b'\\'),
            block.equal(b'"'),
            block.equal_folded(b'{'),
            block.equal_folded(b'}'),
        )
    };
    let quotes = quotes & !carry.escaped(backslashes);
    // SAFETY: the caller's promise.
    let inside = unsafe { B::parity(quotes) } ^ carry.inside;
    carry.inside = ((inside as i64) >> 63) as u64;
    let (opening, mut closing) = (opening & !inside, closing & !inside);
    let (opened, closed) = (opening.count_ones(), closing.count_ones());
    // With fewer closing brackets than open containers, zero is not reached in this block.
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
