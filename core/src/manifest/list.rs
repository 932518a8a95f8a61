//! Lists of the unified model: iterators over the document itself.
//!
//! Every list, whatever format it comes from, is one type: a cursor into the bytes, and a function of the format
//! that takes the next item. So a list is `Copy`, a few words large, needs no heap, and a new format brings functions, not types.

use core::fmt;

/// The state of a list: a slice, a position in it, and numbers whose meaning is the format's.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor<'a> {
    /// The bytes that the list is read from: a block, or the inside of an array or object.
    pub(crate) bytes: &'a [u8],
    /// Where the next item is looked for.
    pub(crate) position: u32,
    /// What the format needs besides: a mode, a count.
    pub(crate) mode: u32,
    /// The Markdown containers around the next item (`syntax::markdown::blocks::Mark`); 0 in all other formats.
    pub(crate) containers: [u64; 2],
}

/// Takes the next item of a list.
pub(crate) type Step<'a, T> = fn(&mut Cursor<'a>) -> Option<T>;

/// A list in a document: an iterator that is `Copy`, so that it can be walked as often as needed.
///
/// Walking the whole list is linear in the bytes it stands in.
#[derive(Clone, Copy)]
pub struct List<'a, T> {
    cursor: Cursor<'a>,
    step: Step<'a, T>,
}

impl<'a, T> List<'a, T> {
    /// The list without items.
    pub fn empty() -> Self {
        Self { cursor: Cursor::default(), step: |_| None }
    }

    /// A list that `step` takes from `bytes`.
    pub(crate) fn new(bytes: &'a [u8], mode: u32, step: Step<'a, T>) -> Self {
        Self { cursor: Cursor { bytes, mode, ..Cursor::default() }, step }
    }

    /// The same with the position that the walk starts at.
    pub(crate) const fn from(mut self, position: u32) -> Self {
        self.cursor.position = position;
        self
    }

    /// The bytes that it is taken from.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.cursor.bytes
    }

    /// Whether there is no (further) item. As costly as finding the first one.
    pub fn is_empty(&self) -> bool {
        (self.step)(&mut { self.cursor }).is_none()
    }
}

impl<T> Iterator for List<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        (self.step)(&mut self.cursor)
    }
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        Self::empty()
    }
}

impl<T: fmt::Debug + Copy> fmt::Debug for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}
