//! Keeps the first diagnostics in document order in the caller's array, without allocation.
//!
//! While diagnostics arrive, the array is a heap (the data structure): the last diagnostic in order
//! is on top, and is replaced if the array is full. At the end it is sorted in place. So n
//! diagnostics cost n log(capacity), and the array keeps the first ones in order.
//!
//! INVARIANT: the first `filled` elements hold diagnostics that `put` wrote; no other element is
//! read. An element may be longer or shorter than the struct of this library, but never shorter
//! than its first version, which has all compared members.

use core::mem::{MaybeUninit, align_of, size_of};
use core::ptr;

use agentsdisc_core::span::PositionCursor;

use crate::boundary::{Out, bytes, checked, put};
use crate::diagnostics::agd_diagnostic;
use crate::status::{AGD_ERROR_ARGUMENT, AGD_ERROR_STRUCT_SIZE, agd_status};

/// The caller's array.
#[derive(Clone, Copy)]
pub(crate) struct Sorted {
    items: *mut agd_diagnostic,
    /// Distance between two elements, in bytes.
    stride: usize,
    capacity: usize,
    filled: usize,
    /// Number of diagnostics offered.
    found: usize,
    /// Whether a diagnostic was dropped because the array is full.
    is_short: bool,
    /// Only diagnostics after this key are kept.
    after: Option<Key>,
}

impl Sorted {
    /// An array from C. NULL is valid only with capacity zero.
    ///
    /// # Safety
    /// `items` is NULL or `stride * capacity` bytes are writable there, and nothing else uses them
    /// while this value lives.
    pub(crate) unsafe fn new(
        items: *mut agd_diagnostic,
        stride: usize,
        capacity: usize,
    ) -> Result<Self, agd_status> {
        if capacity != 0 {
            checked(items)?;
            if stride < agd_diagnostic::LEAST {
                return Err(AGD_ERROR_STRUCT_SIZE);
            }
            let fits =
                stride.checked_mul(capacity).is_some_and(|bytes| bytes <= isize::MAX as usize);
            if !fits || !stride.is_multiple_of(align_of::<agd_diagnostic>()) {
                return Err(AGD_ERROR_ARGUMENT);
            }
        }
        Ok(Self { items, stride, capacity, filled: 0, found: 0, is_short: false, after: None })
    }

    /// Empties the array; from now on only diagnostics after `after` are kept.
    pub(crate) const fn clear(&mut self, after: Option<Key>) {
        (self.filled, self.found, self.is_short, self.after) = (0, 0, false, after);
    }

    /// Number of diagnostics in the array.
    pub(crate) const fn filled(&self) -> usize {
        self.filled
    }

    /// Returns a diagnostic in the array, and how many of its bytes were written.
    pub(crate) fn item(&self, index: usize) -> (*const agd_diagnostic, usize) {
        (self.at(index), self.stride.min(size_of::<agd_diagnostic>()))
    }

    /// Number of diagnostics offered.
    pub(crate) const fn found(&self) -> usize {
        self.found
    }

    /// Keeps a diagnostic, unless the array is full of earlier ones. Diagnostics that compare equal
    /// stay in the order in which they were offered.
    pub(crate) fn offer(&mut self, mut diagnostic: agd_diagnostic) {
        diagnostic.reserved = u32::try_from(self.found).unwrap_or(u32::MAX);
        self.found = self.found.saturating_add(1);
        // SAFETY: this library made the diagnostic, and it is a local.
        let key = unsafe { Key::of(&raw const diagnostic) };
        if self.after.is_some_and(|after| key <= after) {
            return;
        }
        if self.filled < self.capacity {
            self.filled += 1;
            self.write(self.filled - 1, diagnostic);
            self.up(self.filled - 1);
        } else {
            self.is_short = true;
            if self.filled > 0 && key < self.key(0) {
                self.write(0, diagnostic);
                self.down(0, self.filled);
            }
        }
    }

    /// Sorts the array, and fills in lines and columns in `document`. Returns the key of the last
    /// diagnostic if there are more.
    pub(crate) fn finish(&mut self, document: &[u8]) -> Option<Key> {
        for end in (1..self.filled).rev() {
            self.swap(0, end);
            self.down(0, end);
        }
        let last = if self.is_short {
            self.filled.checked_sub(1).map(|index| self.key(index))
        } else {
            None
        };
        let mut cursor = PositionCursor::new(document);
        for index in 0..self.filled {
            let position = cursor.at(self.key(index).start);
            let item = self.at(index);
            // SAFETY: by the invariant this library wrote it, in the caller's array.
            unsafe {
                (*item).line = position.line;
                (*item).column = position.column;
                (*item).reserved = 0;
            }
        }
        last
    }

    fn up(&mut self, mut child: usize) {
        while child > 0 {
            let parent = (child - 1) / 2;
            if self.key(child) <= self.key(parent) {
                break;
            }
            self.swap(child, parent);
            child = parent;
        }
    }

    fn down(&mut self, mut parent: usize, end: usize) {
        loop {
            let mut child = 2 * parent + 1;
            if child >= end {
                break;
            }
            if child + 1 < end && self.key(child + 1) > self.key(child) {
                child += 1;
            }
            if self.key(child) <= self.key(parent) {
                break;
            }
            self.swap(child, parent);
            parent = child;
        }
    }

    /// The address of an element.
    fn at(&self, index: usize) -> *mut agd_diagnostic {
        // The element is never outside the array, so the address does not overflow.
        self.items.cast::<u8>().wrapping_add(index * self.stride).cast()
    }

    /// The sort key of an element. Valid only for the first `filled`.
    fn key(&self, index: usize) -> Key {
        // SAFETY: by the invariant this library wrote it, it is at least as long as its first
        // version, and nothing else uses the array.
        unsafe { Key::of(self.at(index)) }
    }

    fn write(&mut self, index: usize, diagnostic: agd_diagnostic) {
        // SAFETY: the element is in the caller's array and has room for `stride` bytes.
        unsafe { put(self.at(index), self.stride, diagnostic) };
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            let length = self.stride.min(size_of::<agd_diagnostic>());
            let (a, b) =
                (self.at(a).cast::<MaybeUninit<u8>>(), self.at(b).cast::<MaybeUninit<u8>>());
            // SAFETY: two elements of the caller's array, which do not overlap, and only the bytes
            // that `write` wrote.
            unsafe { ptr::swap_nonoverlapping(a, b, length) };
        }
    }
}

/// The sort key: the order of the conformance vectors, then that of the check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    start: usize,
    code: &'static [u8],
    severity: i32,
    sequence: u32,
}

impl Key {
    /// # Safety
    /// This library made the diagnostic.
    unsafe fn of(diagnostic: *const agd_diagnostic) -> Self {
        // SAFETY: the contract grants reading these members, and the code is static text.
        unsafe {
            let code =
                bytes((*diagnostic).code.ptr.cast(), (*diagnostic).code.len).unwrap_or_default();
            Self {
                start: (*diagnostic).start,
                code,
                severity: (*diagnostic).severity,
                sequence: (*diagnostic).reserved,
            }
        }
    }
}
