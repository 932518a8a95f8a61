//! What the value grammars read: bytes, through [`nom`]'s eyes.
//!
//! nom over plain slices indexes, and leaves code behind that could panic. This type slices through `get`, so that nothing can:
//! a position past the end is the end.

use nom::{Compare, CompareResult, Input as NomInput, Needed};

/// Bytes of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl<'a> Input<'a> {
    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn split(self, index: usize) -> (&'a [u8], &'a [u8]) {
        self.0.split_at_checked(index).unwrap_or((self.0, self.0.get(self.0.len()..).unwrap_or_default()))
    }
}

impl<'a> NomInput for Input<'a> {
    type Item = u8;
    type Iter = core::iter::Copied<core::slice::Iter<'a, u8>>;
    type IterIndices = core::iter::Enumerate<Self::Iter>;

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn input_len(&self) -> usize {
        self.0.len()
    }

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn take(&self, index: usize) -> Self {
        Self(self.split(index).0)
    }

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn take_from(&self, index: usize) -> Self {
        Self(self.split(index).1)
    }

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn take_split(&self, index: usize) -> (Self, Self) {
        let (before, after) = self.split(index);
        (Self(after), Self(before))
    }

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn position<P: Fn(u8) -> bool>(&self, predicate: P) -> Option<usize> {
        self.0.iter().position(|&byte| predicate(byte))
    }

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn iter_elements(&self) -> Self::Iter {
        self.0.iter().copied()
    }

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn iter_indices(&self) -> Self::IterIndices {
        self.iter_elements().enumerate()
    }

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        if count <= self.0.len() { Ok(count) } else { Err(Needed::new(count.wrapping_sub(self.0.len()))) }
    }
}

impl Compare<&str> for Input<'_> {
    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn compare(&self, other: &str) -> CompareResult {
        let other = other.as_bytes();
        if self.0.starts_with(other) {
            CompareResult::Ok
        } else if other.starts_with(self.0) {
            CompareResult::Incomplete
        } else {
            CompareResult::Error
        }
    }

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn compare_no_case(&self, other: &str) -> CompareResult {
        let shared = self.0.len().min(other.len());
        match (self.0.get(..shared), other.as_bytes().get(..shared)) {
            (Some(own), Some(wanted)) if own.eq_ignore_ascii_case(wanted) => {
                if shared == other.len() {
                    CompareResult::Ok
                } else {
                    CompareResult::Incomplete
                }
            }
            _ => CompareResult::Error,
        }
    }
}
