//! Lists of the unified model: iterators over the bytes of a document.
//!
//! All lists of all formats have one type: a cursor into the bytes, and a function of the format
//! that reads the next item. A list is `Copy`, a few words large, and needs no heap. A new format
//! adds functions, not types.

use core::fmt;

use crate::span::Span;
use crate::syntax::markdown::Containers;

/// The state of a list: a slice, a position in it, and numbers that only the format interprets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor<'a> {
    /// The bytes of the list: a block, or the content of an array or object.
    pub(crate) bytes: &'a [u8],
    /// The byte offset where the next item is searched for.
    pub(crate) position: u32,
    /// The [`State`] of the list.
    pub(crate) mode: u32,
    /// The Markdown containers around the next item, or numbers of the format; unused by most
    /// formats.
    pub(crate) containers: Containers,
}

impl Cursor<'_> {
    /// The end of an empty list.
    const NONE: Self = Self { bytes: b"", position: 0, mode: 0, containers: Containers::NONE };

    /// Returns the state of the list.
    #[inline(always)]
    pub(crate) fn state<S: State>(&self) -> S {
        S::of_bits(self.mode)
    }

    /// Changes the state of the list.
    #[inline(always)]
    pub(crate) fn set<S: State>(&mut self, state: S) {
        self.mode = state.bits();
    }

    /// Moves to the first item inside an array or object, which is a part of the bytes.
    pub(crate) fn go_inside(&mut self, container: &[u8]) {
        self.position = Span::of(container, self.bytes).start.saturating_add(1);
    }
}

/// What a list knows between two items besides its position, as a type of the format. A cursor
/// stores it as a number, because a cursor has the same size for all formats, and a [`Mark`] of
/// plain numbers can leave the library.
pub(crate) trait State: Copy {
    /// Returns the number that stands for the state.
    fn bits(self) -> u32;

    /// Returns the state for a number. A number that stands for no state gives any state.
    fn of_bits(bits: u32) -> Self;
}

/// A state that is one number, such as a length or a count.
impl State for u32 {
    fn bits(self) -> u32 {
        self
    }

    fn of_bits(bits: u32) -> Self {
        bits
    }
}

/// Makes an enum without data the [`State`] of a list.
macro_rules! states {
    ($name:ident: $first:ident $(, $other:ident)*) => {
        impl $crate::model::list::State for $name {
            fn bits(self) -> u32 {
                self as u32
            }

            fn of_bits(bits: u32) -> Self {
                $(if bits == Self::$other as u32 {
                    return Self::$other;
                })*
                Self::$first
            }
        }
    };
}
pub(crate) use states;

/// A part of a list that is joined from several parts of a document; see [`List::chain`]. The
/// state of the list is the current part.
pub(crate) trait Part<'a>: State {
    /// The type of the items, the same in all parts.
    type Item;

    /// Returns the next item of this part.
    fn next(self, cursor: &mut Cursor<'a>) -> Option<Self::Item>;

    /// Moves to the first item of the part that follows this one. `None` behind the last part.
    fn after(self, cursor: &mut Cursor<'a>) -> Option<Self>;
}

/// Returns the next item of a list that [`List::chain`] created.
fn next_of_chain<'a, P: Part<'a>>(cursor: &mut Cursor<'a>) -> Option<P::Item> {
    loop {
        let part: P = cursor.state();
        if let Some(item) = part.next(cursor) {
            return Some(item);
        }
        let next = part.after(cursor)?;
        cursor.set(next);
    }
}

/// Reads the next item of a list.
pub(crate) type Step<'a, T> = fn(&mut Cursor<'a>) -> Option<T>;

/// The position of a list of objects, as plain numbers; see [`List::resume`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Mark {
    position: u32,
    mode: u32,
    /// The number of bytes that remain. Some lists drop the bytes before their position.
    left: u32,
    containers: Containers,
}

/// A list in a document: an iterator that is `Copy`, so that it can be walked repeatedly.
///
/// A walk over the whole list is linear in the size of its bytes.
// One `Option`, so that an empty list, the usual case, writes only its niche.
#[derive(Clone, Copy)]
pub struct List<'a, T>(Option<Walk<'a, T>>);

/// The position of a list, and the function that reads its items.
#[derive(Clone, Copy)]
struct Walk<'a, T> {
    cursor: Cursor<'a>,
    step: Step<'a, T>,
}

impl<'a, T> List<'a, T> {
    /// The empty list.
    pub const fn empty() -> Self {
        Self(None)
    }

    /// Creates a list that reads its items from `bytes` with `step`.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], state: impl State, step: Step<'a, T>) -> Self {
        Self::of_bits(bytes, state.bits(), step)
    }

    #[inline(never)] // Keeps its buffers off the stack of its callers.
    fn of_bits(bytes: &'a [u8], mode: u32, step: Step<'a, T>) -> Self {
        Self(Some(Walk { cursor: Cursor { bytes, mode, ..Cursor::default() }, step }))
    }

    /// Creates a list that reads the items of several parts of `bytes`, one part after the other.
    /// It begins in the part `first`, at the position 0.
    #[inline(always)]
    pub(crate) fn chain<P: Part<'a, Item = T>>(bytes: &'a [u8], first: P) -> Self {
        Self::new(bytes, first, next_of_chain::<P>)
    }

    /// Like [`new`](Self::new), with an initial position.
    pub(crate) const fn from(mut self, position: u32) -> Self {
        if let Some(walk) = &mut self.0 {
            walk.cursor.position = position;
        }
        self
    }

    /// Returns the position of the next item.
    pub const fn mark(&self) -> Mark {
        let Cursor { bytes, position, mode, containers } = self.cursor();
        Mark { position, mode, left: bytes.len() as u32, containers }
    }

    /// Returns the list at a position that [`mark`](Self::mark) returned for the same list of the
    /// same document. Constant time. Callers that cannot hold a borrow use it to keep one item of a
    /// long list. With the position of another list, the items are wrong, but nothing panics.
    #[must_use]
    pub fn resume(mut self, mark: Mark) -> Self {
        if let Some(Walk { cursor, .. }) = &mut self.0 {
            let passed = cursor.bytes.len().saturating_sub(mark.left as usize);
            cursor.bytes = cursor.bytes.get(passed..).unwrap_or_default();
            cursor.position = mark.position;
            cursor.mode = mark.mode;
            cursor.containers = mark.containers;
        }
        self
    }

    /// Returns the position, for callers that know how the items are read.
    pub(crate) const fn cursor(&self) -> Cursor<'a> {
        match &self.0 {
            Some(walk) => walk.cursor,
            None => Cursor::NONE,
        }
    }

    /// Returns the bytes of the list.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.0.as_ref().map_or(b"", |walk| walk.cursor.bytes)
    }

    /// Whether there are no (further) items. Costs as much as reading the next item.
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|walk| (walk.step)(&mut { walk.cursor }).is_none())
    }

    /// Whether the document does not contain this list at all. Constant time. A list that is
    /// present may still be empty.
    #[inline]
    pub const fn is_nothing(&self) -> bool {
        self.0.is_none()
    }
}

impl<T> Iterator for List<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let Walk { cursor, step } = self.0.as_mut()?;
        step(cursor)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn collected<T: PartialEq + fmt::Debug + Copy, const N: usize>(
        list: List<'_, T>,
        expected: [T; N],
    ) {
        let mut walking = list;
        for item in expected {
            assert_eq!(list.resume(walking.mark()).next(), Some(item));
            assert_eq!(walking.next(), Some(item));
        }
        assert_eq!(list.resume(walking.mark()).next(), None);
    }

    #[test]
    fn a_list_resumes_at_a_mark() {
        collected(
            List::new(b"abc", 0, |c| {
                c.bytes.get(c.position as usize).inspect(|_| c.position += 1).copied()
            }),
            *b"abc",
        );
        let dropping: Step<'_, u8> = |c| {
            let (first, rest) = c.bytes.split_first()?;
            c.bytes = rest;
            Some(*first)
        };
        collected(List::new(b"abc", 0, dropping), *b"abc");
        collected(List::new(b"abc", 0, |c| core::mem::take(&mut c.bytes).first().copied()), *b"a");
        collected(
            List::new(b"abc", 0, |c| {
                if core::mem::replace(&mut c.mode, 1) == 0 { Some(7) } else { None }
            }),
            [7],
        );
    }
}
