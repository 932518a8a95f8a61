//! Lists of the unified model: iterators over the bytes of a document.
//!
//! All lists of all formats have one type: a cursor into the bytes, and a function of the format
//! that reads the next item. A list is `Copy`, a few words large, and needs no heap. A new format
//! adds functions, not types.

use core::fmt;

use crate::span::Span;
use crate::syntax::markdown::Containers;

/// The state of a list: a slice, a position in it, and a [`State`] of the format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    /// The bytes of the list: a block, or the content of an array or object.
    pub(crate) bytes: &'a [u8],
    /// The byte offset where the next item is searched for.
    pub(crate) position: u32,
    /// The [`State`] of the list, as a number.
    mode: u32,
    /// The Markdown containers around the next item, or numbers of the format; unused by most
    /// formats.
    pub(crate) containers: Containers,
}

/// The state of a list of two parts in its second part. Before, the state is the offset of the
/// second part, or 0 if there is none.
const SECOND: u32 = u32::MAX;

impl<'a> Cursor<'a> {
    /// Returns the start of a list whose state is 0.
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0, mode: 0, containers: Containers::NONE }
    }

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

    /// Changes a part of the state of the list.
    #[inline(always)]
    pub(crate) fn change<S: State>(&mut self, change: impl FnOnce(&mut S)) {
        let mut state = self.state();
        change(&mut state);
        self.set(state);
    }

    /// Returns the next item of a list of two parts of the bytes. The list starts in the first part,
    /// and its state is the offset of the second part, or 0 if there is none. `next` returns the
    /// next item of a part; it is told whether the part is the second one.
    #[inline]
    pub(crate) fn next_of_two<T>(
        &mut self,
        next: impl Fn(&mut Self, bool) -> Option<T>,
    ) -> Option<T> {
        loop {
            let item = next(self, self.mode == SECOND);
            if item.is_some() || matches!(self.mode, 0 | SECOND) {
                return item;
            }
            (self.position, self.mode) = (self.mode, SECOND);
        }
    }

    /// Moves to the first item inside an array or object, which is a part of the bytes.
    pub(crate) fn go_inside(&mut self, container: &[u8]) {
        self.position = Span::of(container, self.bytes).start.saturating_add(1);
    }
}

/// What a list knows between two items besides its position, as a type of the format. A cursor
/// stores it as a number, because a cursor has the same size for all formats, and a [`Mark`] of
/// plain numbers can leave the library. [`states!`] implements it.
pub(crate) trait State: Copy {
    /// The number of bits that the numbers need.
    const BITS: u32;

    /// Returns the number that stands for the state.
    fn bits(self) -> u32;

    /// Returns the state for a number. A number that stands for no state gives any state.
    fn of_bits(bits: u32) -> Self;
}

/// A state that is one number, such as a length or an offset.
impl State for u32 {
    const BITS: u32 = 32;

    fn bits(self) -> u32 {
        self
    }

    fn of_bits(bits: u32) -> Self {
        bits
    }
}

impl State for bool {
    const BITS: u32 = 1;

    fn bits(self) -> u32 {
        u32::from(self)
    }

    fn of_bits(bits: u32) -> Self {
        bits != 0
    }
}

impl<S: State> State for Option<S> {
    const BITS: u32 = S::BITS + 1;

    fn bits(self) -> u32 {
        self.map_or(0, |state| state.bits() << 1 | 1)
    }

    fn of_bits(bits: u32) -> Self {
        (bits & 1 == 1).then(|| S::of_bits(bits >> 1))
    }
}

/// The fields of a state in one number, from the lowest bits on.
#[derive(Clone, Copy)]
pub(crate) struct Packed {
    bits: u32,
    /// The number of bits of the fields so far.
    width: u32,
}

impl Packed {
    /// The number with no field read or written yet.
    pub(crate) const fn new(bits: u32) -> Self {
        Self { bits, width: 0 }
    }

    /// Writes a field of so many bits. A number that needs more is stored as 0.
    #[inline(always)]
    pub(crate) fn with(self, field: impl State, width: u32) -> Self {
        let bits = Some(field.bits()).filter(|bits| width == 32 || bits >> width == 0);
        Self { bits: self.bits | bits.unwrap_or(0) << self.width, width: self.width + width }
    }

    /// Reads the next field, which has so many bits.
    #[inline(always)]
    pub(crate) fn take<S: State>(&mut self, width: u32) -> S {
        let bits = self.bits >> self.width & (u32::MAX >> (32 - width));
        self.width += width;
        S::of_bits(bits)
    }

    /// Returns the number with all fields.
    pub(crate) const fn bits(self) -> u32 {
        self.bits
    }
}

/// Makes the [`State`] of a list: of an enum without data, whose first variant has the number 0
/// (`states!(Level: Contexts, Relations)`); or of a struct, which it also defines. Each field is a
/// state; a number has its bits in brackets, and 0 is stored for one that needs more.
macro_rules! states {
    ($name:ident: $first:ident $(, $other:ident)*) => {
        impl $crate::model::list::State for $name {
            const BITS: u32 = 32 - (0 $(| Self::$other as u32)*).leading_zeros();

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
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$about:meta])* $reach:vis $field:ident: $type:ty $([$bits:expr])?,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $vis struct $name {
            $($(#[$about])* $reach $field: $type,)+
        }

        impl $crate::model::list::State for $name {
            const BITS: u32 = 0 $(+ $crate::model::list::states!(@ $type $([$bits])?))+;

            #[inline(always)]
            fn bits(self) -> u32 {
                const { assert!(Self::BITS <= 32) }
                $crate::model::list::Packed::new(0)
                    $(.with(self.$field, $crate::model::list::states!(@ $type $([$bits])?)))+
                    .bits()
            }

            #[inline(always)]
            fn of_bits(bits: u32) -> Self {
                let mut packed = $crate::model::list::Packed::new(bits);
                Self {
                    $($field: packed.take($crate::model::list::states!(@ $type $([$bits])?)),)+
                }
            }
        }
    };
    (@ $type:ty) => {
        <$type as $crate::model::list::State>::BITS
    };
    (@ $type:ty [$bits:expr]) => {
        $bits
    };
}
pub(crate) use states;

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

impl Mark {
    /// The number of numbers of a mark.
    pub(crate) const WORDS: usize = 7;

    /// Returns the mark as numbers.
    pub(crate) fn numbers(&self) -> [u32; Self::WORDS] {
        let [a, b, c, d] = self.containers.numbers();
        [self.position, self.mode, self.left, a, b, c, d]
    }

    /// Returns the mark for its numbers.
    pub(crate) fn of_numbers([position, mode, left, a, b, c, d]: [u32; Self::WORDS]) -> Self {
        Self { position, mode, left, containers: Containers::of_numbers([a, b, c, d]) }
    }
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
        Self(Some(Walk { cursor: Cursor { mode, ..Cursor::new(bytes) }, step }))
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
            None => Cursor::new(b""),
        }
    }

    /// Returns the position, for callers that change it before the first item; `None` for the empty
    /// list.
    pub(crate) const fn cursor_mut(&mut self) -> Option<&mut Cursor<'a>> {
        match &mut self.0 {
            Some(walk) => Some(&mut walk.cursor),
            None => None,
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
