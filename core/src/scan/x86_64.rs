//! x86-64: SSE2, which every such CPU has; AVX2 with carry-less multiplication; AVX-512.
//!
//! Safety of every `unsafe` block here: an intrinsic may be called if the CPU has its feature. The
//! functions at the end have the features in their attributes, and [`super::dispatch`] calls each
//! only after detecting them.

use core::arch::x86_64::*;

use super::block::{self, BATCH, Block, Carry, JsonMasks, LineMasks};

/// 64 bytes in four registers.
#[derive(Clone, Copy)]
struct Sse2([__m128i; 4]);

impl Sse2 {
    /// One bit for each byte, from a comparison of each register.
    #[inline(always)]
    unsafe fn bits(self, compare: impl Fn(__m128i) -> __m128i) -> u64 {
        let [a, b, c, d] = self.0;
        // SAFETY: see the module.
        let bits = |register| unsafe { u64::from(_mm_movemask_epi8(register) as u32) };
        bits(compare(a)) | bits(compare(b)) << 16 | bits(compare(c)) << 32 | bits(compare(d)) << 48
    }
}

impl Block for Sse2 {
    #[inline(always)]
    unsafe fn load(bytes: &[u8; 64]) -> Self {
        let start = bytes.as_ptr().cast::<__m128i>();
        // SAFETY: four unaligned loads of 16 bytes within the 64.
        unsafe {
            Self([
                _mm_loadu_si128(start),
                _mm_loadu_si128(start.add(1)),
                _mm_loadu_si128(start.add(2)),
                _mm_loadu_si128(start.add(3)),
            ])
        }
    }

    #[inline(always)]
    unsafe fn equal(self, byte: u8) -> u64 {
        // SAFETY: see the module.
        unsafe { self.bits(|register| _mm_cmpeq_epi8(register, _mm_set1_epi8(byte as i8))) }
    }

    #[inline(always)]
    unsafe fn equal_folded(self, byte: u8) -> u64 {
        // SAFETY: see the module.
        unsafe {
            self.bits(|register| {
                _mm_cmpeq_epi8(
                    _mm_or_si128(register, _mm_set1_epi8(0x20)),
                    _mm_set1_epi8(byte as i8),
                )
            })
        }
    }

    #[inline(always)]
    unsafe fn controls(self) -> u64 {
        // SAFETY: see the module.
        unsafe {
            self.bits(|register| {
                _mm_cmpeq_epi8(_mm_min_epu8(register, _mm_set1_epi8(0x1F)), register)
            })
        }
    }
}

/// 64 bytes in two registers.
#[derive(Clone, Copy)]
struct Avx2(__m256i, __m256i);

impl Avx2 {
    #[inline(always)]
    unsafe fn bits(self, compare: impl Fn(__m256i) -> __m256i) -> u64 {
        // SAFETY: see the module.
        let bits = |register| unsafe { u64::from(_mm256_movemask_epi8(register) as u32) };
        bits(compare(self.0)) | bits(compare(self.1)) << 32
    }
}

/// Indexed by the low four bits of a byte: the blank with these bits, or a byte with other low
/// bits, which never matches.
const BLANKS: [u8; 16] = [b' ', 0, 0, 0, 0, 0, 0, 0, 0, b'\t', b'\n', 0, 0, b'\r', 0, 0];
/// Indexed by the low four bits of a byte: the JSON operator with these bits, with bit 5 set.
const OPERATORS: [u8; 16] = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, b':', b'{', b',', b'}', 0, 0];

impl Block for Avx2 {
    #[inline(always)]
    unsafe fn load(bytes: &[u8; 64]) -> Self {
        let start = bytes.as_ptr().cast::<__m256i>();
        // SAFETY: two unaligned loads of 32 bytes within the 64.
        unsafe { Self(_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))) }
    }

    #[inline(always)]
    unsafe fn equal(self, byte: u8) -> u64 {
        // SAFETY: see the module.
        unsafe { self.bits(|register| _mm256_cmpeq_epi8(register, _mm256_set1_epi8(byte as i8))) }
    }

    #[inline(always)]
    unsafe fn equal_folded(self, byte: u8) -> u64 {
        // SAFETY: see the module.
        unsafe {
            self.bits(|register| {
                _mm256_cmpeq_epi8(
                    _mm256_or_si256(register, _mm256_set1_epi8(0x20)),
                    _mm256_set1_epi8(byte as i8),
                )
            })
        }
    }

    #[inline(always)]
    unsafe fn controls(self) -> u64 {
        // SAFETY: see the module.
        unsafe {
            self.bits(|register| {
                _mm256_cmpeq_epi8(_mm256_min_epu8(register, _mm256_set1_epi8(0x1F)), register)
            })
        }
    }

    #[inline(always)]
    unsafe fn parity(bits: u64) -> u64 {
        // SAFETY: see the module.
        unsafe {
            _mm_cvtsi128_si64(_mm_clmulepi64_si128::<0>(
                _mm_set_epi64x(0, bits as i64),
                _mm_set1_epi8(-1),
            )) as u64
        }
    }

    #[inline(always)]
    unsafe fn operators(self) -> u64 {
        // SAFETY: see the module. A byte of 0x80 and above looks up 0, which is not an operator.
        unsafe {
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(OPERATORS.as_ptr().cast()));
            self.bits(|register| {
                _mm256_cmpeq_epi8(
                    _mm256_shuffle_epi8(table, register),
                    _mm256_or_si256(register, _mm256_set1_epi8(0x20)),
                )
            })
        }
    }

    #[inline(always)]
    unsafe fn blanks(self) -> u64 {
        // SAFETY: see the module. A zero byte looks up a space, which it does not equal.
        unsafe {
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(BLANKS.as_ptr().cast()));
            self.bits(|register| _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, register), register))
        }
    }
}

/// 64 bytes in one register.
#[derive(Clone, Copy)]
struct Avx512(__m512i);

impl Block for Avx512 {
    #[inline(always)]
    unsafe fn load(bytes: &[u8; 64]) -> Self {
        // SAFETY: one unaligned load of the 64 bytes.
        unsafe { Self(_mm512_loadu_si512(bytes.as_ptr().cast())) }
    }

    #[inline(always)]
    unsafe fn equal(self, byte: u8) -> u64 {
        // SAFETY: see the module.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    unsafe fn equal_folded(self, byte: u8) -> u64 {
        // SAFETY: see the module.
        unsafe {
            _mm512_cmpeq_epi8_mask(
                _mm512_or_si512(self.0, _mm512_set1_epi8(0x20)),
                _mm512_set1_epi8(byte as i8),
            )
        }
    }

    #[inline(always)]
    unsafe fn controls(self) -> u64 {
        // SAFETY: see the module.
        unsafe { _mm512_cmplt_epu8_mask(self.0, _mm512_set1_epi8(0x20)) }
    }

    #[inline(always)]
    unsafe fn parity(bits: u64) -> u64 {
        // SAFETY: see the module; the features of this back end include those of AVX2's.
        unsafe { Avx2::parity(bits) }
    }

    #[inline(always)]
    unsafe fn operators(self) -> u64 {
        // SAFETY: see the module.
        unsafe {
            let table = _mm512_broadcast_i32x4(_mm_loadu_si128(OPERATORS.as_ptr().cast()));
            _mm512_cmpeq_epi8_mask(
                _mm512_shuffle_epi8(table, self.0),
                _mm512_or_si512(self.0, _mm512_set1_epi8(0x20)),
            )
        }
    }

    #[inline(always)]
    unsafe fn blanks(self) -> u64 {
        // SAFETY: see the module.
        unsafe {
            let table = _mm512_broadcast_i32x4(_mm_loadu_si128(BLANKS.as_ptr().cast()));
            _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(table, self.0), self.0)
        }
    }
}

macro_rules! back_end {
    ($module:ident, $block:ty, $features:literal) => {
        /// The algorithms compiled for this back end.
        pub(crate) mod $module {
            use super::*;

            /// # Safety
            /// The CPU must have the features of the attribute.
            #[target_feature(enable = $features)]
            pub(crate) unsafe fn json_masks(
                bytes: &[u8],
                carry: &mut Carry,
                out: &mut [JsonMasks; BATCH],
            ) -> usize {
                // SAFETY: the caller guarantees it.
                unsafe { block::json_masks::<$block>(bytes, carry, out) }
            }

            /// # Safety
            /// The CPU must have the features of the attribute.
            #[target_feature(enable = $features)]
            pub(crate) unsafe fn line_masks(bytes: &[u8], out: &mut [LineMasks; BATCH]) -> usize {
                // SAFETY: the caller guarantees it.
                unsafe { block::line_masks::<$block>(bytes, out) }
            }

            /// # Safety
            /// The CPU must have the features of the attribute.
            #[target_feature(enable = $features)]
            pub(crate) unsafe fn container_end(bytes: &[u8]) -> usize {
                // SAFETY: the caller guarantees it.
                unsafe { block::container_end::<$block>(bytes) }
            }
        }
    };
}

back_end!(sse2, Sse2, "sse2");
back_end!(avx2, Avx2, "avx2,pclmulqdq,bmi1,popcnt");
back_end!(avx512, Avx512, "avx512f,avx512bw,avx2,pclmulqdq,bmi1,popcnt");

/// Offset of the first quote, backslash or control character at or after `from`, or the length.
/// Uses SSE2, which is always available.
#[inline(always)]
pub(crate) fn string_stop(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        // SAFETY: every x86-64 CPU has SSE2; the load is of the 16 bytes of the chunk.
        let hits = unsafe {
            let register = _mm_loadu_si128(chunk.as_ptr().cast());
            let quote = _mm_cmpeq_epi8(register, _mm_set1_epi8(b'"' as i8));
            let backslash = _mm_cmpeq_epi8(register, _mm_set1_epi8(b'\\' as i8));
            let control = _mm_cmpeq_epi8(_mm_min_epu8(register, _mm_set1_epi8(0x1F)), register);
            _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control)) as u32
        };
        if hits != 0 {
            return at + hits.trailing_zeros() as usize;
        }
        at += 16;
    }
    super::json::string_stop(bytes, at)
}

/// Offset of the first byte at or after `from` that is not space, tab, CR or LF. Uses SSE2, which
/// is always available.
#[inline(always)]
pub(crate) fn blanks_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    // Often there is no blank, or one.
    for _ in 0..2 {
        match bytes.get(at) {
            Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
            _ => return at,
        }
    }
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        // SAFETY: every x86-64 CPU has SSE2; the load is of the 16 bytes of the chunk.
        let others = unsafe {
            let register = _mm_loadu_si128(chunk.as_ptr().cast());
            let equal = |byte: u8| _mm_cmpeq_epi8(register, _mm_set1_epi8(byte as i8));
            let blanks = _mm_or_si128(
                _mm_or_si128(equal(b' '), equal(b'\n')),
                _mm_or_si128(equal(b'\r'), equal(b'\t')),
            );
            !_mm_movemask_epi8(blanks) as u32 & 0xFFFF
        };
        if others != 0 {
            return at + others.trailing_zeros() as usize;
        }
        at += 16;
    }
    super::json::blanks_end(bytes, at)
}

/// Offset of the first byte that `wanted` marks, 16 bytes at a time. `plain` searches the last
/// bytes, which are fewer than 16. Uses SSE2, which is always available.
#[inline(always)]
fn first(
    bytes: &[u8],
    wanted: impl Fn(__m128i) -> __m128i,
    plain: impl FnOnce(&[u8]) -> usize,
) -> usize {
    let mut rest = bytes;
    while let Some((chunk, behind)) = rest.split_first_chunk::<16>() {
        // SAFETY: every x86-64 CPU has SSE2; the load is of the 16 bytes of the chunk.
        let hits =
            unsafe { _mm_movemask_epi8(wanted(_mm_loadu_si128(chunk.as_ptr().cast()))) } as u32;
        if hits != 0 {
            return bytes.len() - rest.len() + hits.trailing_zeros() as usize;
        }
        rest = behind;
    }
    bytes.len() - rest.len() + plain(rest)
}

/// Marks the line ends in 16 bytes.
#[inline(always)]
fn line_ends(register: __m128i) -> __m128i {
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe {
        _mm_or_si128(
            _mm_cmpeq_epi8(register, _mm_set1_epi8(b'\n' as i8)),
            _mm_cmpeq_epi8(register, _mm_set1_epi8(b'\r' as i8)),
        )
    }
}

/// Marks line ends and one other byte in 16 bytes.
#[inline(always)]
fn line_ends_or(register: __m128i, byte: u8) -> __m128i {
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe {
        _mm_or_si128(line_ends(register), _mm_cmpeq_epi8(register, _mm_set1_epi8(byte as i8)))
    }
}

/// See [`super::line_end`].
#[inline(always)]
pub(crate) fn line_end(bytes: &[u8]) -> usize {
    first(bytes, line_ends, super::scalar::line_end)
}

/// See [`super::key_end`].
#[inline(always)]
pub(crate) fn key_end(bytes: &[u8]) -> usize {
    first(bytes, |register| line_ends_or(register, b':'), super::scalar::key_end)
}

/// See [`super::text_end`].
#[inline(always)]
pub(crate) fn text_end(bytes: &[u8]) -> usize {
    first(bytes, |register| line_ends_or(register, b'#'), super::scalar::text_end)
}
