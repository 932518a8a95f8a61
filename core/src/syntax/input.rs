//! The input type of the value grammars, which use nom's combinators.
//!
//! nom also reads `&[u8]` and `&str`, but splits them with functions that can panic as far as the
//! compiler knows. [`Input`] splits without such a branch. An index behind the end yields the whole
//! input.

use core::iter::{Copied, Enumerate};
use core::slice::Iter;

use nom::{Compare, CompareResult, IResult, Needed};

/// Bytes that nom's combinators read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

/// The result of a parser of the value grammars. Errors carry no data.
pub(crate) type Parsed<'a, T> = IResult<Input<'a>, T, ()>;

impl<'a> nom::Input for Input<'a> {
    type Item = u8;
    type Iter = Copied<Iter<'a, u8>>;
    type IterIndices = Enumerate<Self::Iter>;

    #[inline]
    fn input_len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn take(&self, index: usize) -> Self {
        self.take_split(index).1
    }

    #[inline]
    fn take_from(&self, index: usize) -> Self {
        self.take_split(index).0
    }

    #[inline]
    fn take_split(&self, index: usize) -> (Self, Self) {
        let (before, after) = self.0.split_at_checked(index).unwrap_or((self.0, &[]));
        (Self(after), Self(before))
    }

    #[inline]
    fn position<P: Fn(u8) -> bool>(&self, predicate: P) -> Option<usize> {
        self.0.iter().position(|byte| predicate(*byte))
    }

    #[inline]
    fn iter_elements(&self) -> Self::Iter {
        self.0.iter().copied()
    }

    #[inline]
    fn iter_indices(&self) -> Self::IterIndices {
        self.iter_elements().enumerate()
    }

    #[inline]
    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        match count.checked_sub(self.0.len()) {
            None | Some(0) => Ok(count),
            Some(missing) => Err(Needed::new(missing)),
        }
    }
}

impl Compare<&str> for Input<'_> {
    #[inline]
    fn compare(&self, text: &str) -> CompareResult {
        compare(self.0, text, |head, text| head == text)
    }

    #[inline]
    fn compare_no_case(&self, text: &str) -> CompareResult {
        compare(self.0, text, <[u8]>::eq_ignore_ascii_case)
    }
}

#[inline]
fn compare(input: &[u8], text: &str, is_same: impl Fn(&[u8], &[u8]) -> bool) -> CompareResult {
    match input.get(..text.len()) {
        Some(head) if is_same(head, text.as_bytes()) => CompareResult::Ok,
        Some(_) => CompareResult::Error,
        None => CompareResult::Incomplete,
    }
}
