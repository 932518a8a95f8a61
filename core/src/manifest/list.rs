//! Lists of the unified model: iterators over the document itself.
//!
//! Every list, whatever format it comes from, is one type: a cursor into the bytes, and a function of the format
//! that takes the next item. So a list is `Copy`, a few words large, needs no heap, and a new format brings functions, not types.

use core::fmt;

use crate::syntax::markdown::Containers;

/// The state of a list: a slice, a position in it, and numbers whose meaning is the format's.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor<'a> {
    /// The bytes that the list is read from: a block, or the inside of an array or object.
    pub(crate) bytes: &'a [u8],
    /// Where the next item is looked for.
    pub(crate) position: u32,
    /// What the format needs besides: a mode, a count.
    pub(crate) mode: u32,
    /// The Markdown containers around the next item, or what else agents.md keeps; none in all other formats.
    pub(crate) containers: Containers,
}

impl Cursor<'_> {
    /// At the end of nothing.
    const NONE: Self = Self {
        bytes: b"",
        position: 0,
        mode: 0,
        containers: Containers::NONE,
    };
}

/// Takes the next item of a list.
pub(crate) type Step<'a, T> = fn(&mut Cursor<'a>) -> Option<T>;

/// Where a list of objects stands, as plain numbers: [`List::resume`] goes on from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Mark {
    position: u32,
    mode: u32,
    /// How many bytes are left, as some lists drop those that they have passed.
    left: u32,
    containers: Containers,
}

/// A list in a document: an iterator that is `Copy`, so that it can be walked as often as needed.
///
/// Walking the whole list is linear in the bytes it stands in.
// In one `Option`, so that nothing but its niche is written where there is no list, as in most fields of an item.
#[derive(Clone, Copy)]
pub struct List<'a, T>(Option<Walk<'a, T>>);

/// Where a list stands, and what takes its items.
#[derive(Clone, Copy)]
struct Walk<'a, T> {
    cursor: Cursor<'a>,
    step: Step<'a, T>,
}

impl<'a, T> List<'a, T> {
    /// The list without items.
    pub const fn empty() -> Self {
        Self(None)
    }

    /// A list that `step` takes from `bytes`.
    pub(crate) fn new(bytes: &'a [u8], mode: u32, step: Step<'a, T>) -> Self {
        Self(Some(Walk {
            cursor: Cursor {
                bytes,
                mode,
                ..Cursor::default()
            },
            step,
        }))
    }

    /// The same with the position that the walk starts at.
    pub(crate) const fn from(mut self, position: u32) -> Self {
        if let Some(walk) = &mut self.0 {
            walk.cursor.position = position;
        }
        self
    }

    /// Where the list stands: what is before its next item.
    pub const fn mark(&self) -> Mark {
        let Cursor {
            bytes,
            position,
            mode,
            containers,
        } = self.cursor();
        Mark {
            position,
            mode,
            left: bytes.len() as u32,
            containers,
        }
    }

    /// The same list, read anew from the same document, at the place where another one stood. In constant time: it is what lets a
    /// caller that cannot hold a borrow keep one item of a long list. With the mark of another list, the items are nonsense, but nothing breaks.
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

    /// Where it stands, for who knows its step.
    pub(crate) const fn cursor(&self) -> Cursor<'a> {
        match &self.0 {
            Some(walk) => walk.cursor,
            None => Cursor::NONE,
        }
    }

    /// The same, to take items otherwise than by its step; absent where there are none.
    pub(crate) const fn cursor_mut(&mut self) -> Option<&mut Cursor<'a>> {
        match &mut self.0 {
            Some(walk) => Some(&mut walk.cursor),
            None => None,
        }
    }

    /// The bytes that it is taken from.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.0.as_ref().map_or(b"", |walk| walk.cursor.bytes)
    }

    /// Whether there is no (further) item. As costly as finding the first one.
    pub fn is_empty(&self) -> bool {
        self.0
            .as_ref()
            .is_none_or(|walk| (walk.step)(&mut { walk.cursor }).is_none())
    }

    /// Whether it is the list of something that the document does not have. In constant time; a list that is not may be empty all the same.
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
    fn a_list_goes_on_where_another_one_stood() {
        collected(
            List::new(b"abc", 0, |c| {
                c.bytes
                    .get(c.position as usize)
                    .inspect(|_| c.position += 1)
                    .copied()
            }),
            *b"abc",
        );
        let dropping: Step<'_, u8> = |c| {
            let (first, rest) = c.bytes.split_first()?;
            c.bytes = rest;
            Some(*first)
        };
        collected(List::new(b"abc", 0, dropping), *b"abc");
        collected(
            List::new(b"abc", 0, |c| {
                core::mem::take(&mut c.bytes).first().copied()
            }),
            *b"a",
        );
        collected(
            List::new(b"abc", 0, |c| {
                if core::mem::replace(&mut c.mode, 1) == 0 {
                    Some(7)
                } else {
                    None
                }
            }),
            [7],
        );
    }
}
