//! AArch64: NEON. Every target has it, except those without floating point, which are for kernels.
//!
//! Safety of every `unsafe` block here: this module is only compiled if NEON is part of the target.

use core::arch::aarch64::*;

use super::block::{self, BATCH, Block, Carry, JsonMasks, LineMasks};

/// 64 bytes in four registers.
#[derive(Clone, Copy)]
struct Neon([uint8x16_t; 4]);

/// The bit that stands for each byte: bit n for byte n of each eight bytes.
const PLACES: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

impl Neon {
    /// One bit for each byte, from a comparison of each register: each byte keeps its bit, and
    /// three rounds of pairwise sums collect them.
    #[inline(always)]
    unsafe fn bits(self, compare: impl Fn(uint8x16_t) -> uint8x16_t) -> u64 {
        // SAFETY: see the module; the load is of the 16 bytes of the table.
        unsafe {
            let places = vld1q_u8(PLACES.as_ptr());
            let [a, b, c, d] = self.0.map(|register| vandq_u8(compare(register), places));
            let sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)))
        }
    }
}

impl Block for Neon {
    #[inline(always)]
    unsafe fn load(bytes: &[u8; 64]) -> Self {
        let start = bytes.as_ptr();
        // SAFETY: four loads of 16 bytes within the 64.
        unsafe {
            Self([
                vld1q_u8(start),
                vld1q_u8(start.add(16)),
                vld1q_u8(start.add(32)),
                vld1q_u8(start.add(48)),
            ])
        }
    }

    #[inline(always)]
    unsafe fn equal(self, byte: u8) -> u64 {
        // SAFETY: see the module.
        unsafe { self.bits(|register| vceqq_u8(register, vdupq_n_u8(byte))) }
    }

    #[inline(always)]
    unsafe fn equal_folded(self, byte: u8) -> u64 {
        // SAFETY: see the module.
        unsafe {
            self.bits(|register| vceqq_u8(vorrq_u8(register, vdupq_n_u8(0x20)), vdupq_n_u8(byte)))
        }
    }

    #[inline(always)]
    unsafe fn controls(self) -> u64 {
        // SAFETY: see the module.
        unsafe { self.bits(|register| vcltq_u8(register, vdupq_n_u8(0x20))) }
    }
}

/// The algorithms compiled for NEON.
pub(crate) mod neon {
    use super::*;

    pub(crate) fn json_masks(
        bytes: &[u8],
        carry: &mut Carry,
        out: &mut [JsonMasks; BATCH],
    ) -> usize {
        // SAFETY: see the module.
        unsafe { block::json_masks::<Neon>(bytes, carry, out) }
    }

    pub(crate) fn line_masks(bytes: &[u8], out: &mut [LineMasks; BATCH]) -> usize {
        // SAFETY: see the module.
        unsafe { block::line_masks::<Neon>(bytes, out) }
    }

    pub(crate) fn container_end(bytes: &[u8]) -> usize {
        // SAFETY: see the module.
        unsafe { block::container_end::<Neon>(bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one bit for each of the 64 bytes: set if `holds` returns true for the byte.
    fn mask(bytes: &[u8; 64], holds: impl Fn(u8) -> bool) -> u64 {
        bytes
            .iter()
            .enumerate()
            .filter(|(_, byte)| holds(**byte))
            .map(|(place, _)| 1_u64 << place)
            .sum()
    }

    fn compare(bytes: &[u8; 64], asked: u8) {
        // SAFETY: see the module.
        unsafe {
            let block = Neon::load(bytes);
            assert_eq!(
                block.equal(asked),
                mask(bytes, |byte| byte == asked),
                "{asked:#x}: {bytes:?}"
            );
            assert_eq!(
                block.equal_folded(asked | 0x20),
                mask(bytes, |byte| byte | 0x20 == asked | 0x20),
                "{asked:#x}: {bytes:?}"
            );
            assert_eq!(block.controls(), mask(bytes, |byte| byte < 0x20), "{bytes:?}");
        }
    }

    #[test]
    fn every_byte_is_seen_at_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..64 {
                for others in [0, b' ', !byte] {
                    let mut bytes = [others; 64];
                    bytes[place] = byte;
                    compare(&bytes, byte);
                }
            }
        }
    }

    #[test]
    fn masks_of_many_bytes_do_not_run_into_each_other() {
        for asked in 0..=u8::MAX {
            compare(&[asked; 64], asked);
            for step in 1..=u8::MAX {
                compare(
                    &core::array::from_fn(|place| {
                        (place as u8).wrapping_mul(step).wrapping_add(asked)
                    }),
                    asked,
                );
            }
        }
    }
}
