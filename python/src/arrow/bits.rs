//! Growing bit vectors with one bit per row, and capacity for growing vectors.

use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};

/// One bit per row; bits that were never set are 0.
#[derive(Default)]
pub(super) struct Bits {
    bits: Vec<u8>,
}

impl Bits {
    #[inline]
    pub(super) fn set(&mut self, row: usize) {
        let at = row >> 3;
        if at >= self.bits.len() {
            self.bits.resize(at + 1, 0);
        }
        if let Some(byte) = self.bits.get_mut(at) {
            *byte |= 1 << (row & 7);
        }
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        if self.bits.len() > rows >> 3 {
            self.bits.truncate(rows.div_ceil(8));
            if let (Some(last), 1..) = (self.bits.get_mut(rows >> 3), rows & 7) {
                *last &= (1 << (rows & 7)) - 1;
            }
        }
    }

    pub(super) fn make_room(&mut self, times: usize) {
        make_room(&mut self.bits, times);
    }

    /// Appends other bits after the first `rows`.
    pub(super) fn append(&mut self, rows: usize, other: &Self) {
        if other.bits.is_empty() {
            return;
        }
        self.bits.resize(rows.div_ceil(8), 0);
        let shift = rows & 7;
        if shift == 0 {
            self.bits.extend_from_slice(&other.bits);
            return;
        }
        self.bits.reserve(other.bits.len());
        for byte in &other.bits {
            if let Some(last) = self.bits.last_mut() {
                *last |= byte << shift;
            }
            self.bits.push(byte >> (8 - shift));
        }
    }

    /// Whether no bit was set.
    pub(super) const fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    pub(super) fn finish(mut self, rows: usize) -> BooleanBuffer {
        self.bits.resize(rows.div_ceil(8), 0);
        BooleanBuffer::new(Buffer::from_vec(self.bits), 0, rows)
    }

    /// Returns the validity buffer.
    pub(super) fn nulls(self, rows: usize) -> Option<NullBuffer> {
        Some(NullBuffer::new(self.finish(rows))).filter(|nulls| nulls.null_count() > 0)
    }
}

/// Reserves capacity for a multiple of the current length, and an eighth more. If that fails, the
/// vector grows as usual.
pub(super) fn make_room<T>(of: &mut Vec<T>, times: usize) {
    let more = of.len().saturating_mul(times);
    drop(of.try_reserve_exact(more.saturating_add(more / 8)));
}
