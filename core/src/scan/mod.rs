//! From bytes to positions: the searches that every tokenizer spends its time in.
//!
//! The functions here say what is looked for; the back ends below them say how. All back ends give the same answers.

mod json;
mod scalar;

pub(crate) use json::{blanks_end, container_end, string_end, string_stop};

/// Offset of the first LF or CR; the length where there is none.
#[inline(always)]
pub(crate) fn line_end(bytes: &[u8]) -> usize {
    scalar::line_end(bytes)
}

/// Offset of the first colon, LF or CR; the length where there is none.
#[inline(always)]
pub(crate) fn key_end(bytes: &[u8]) -> usize {
    scalar::key_end(bytes)
}
