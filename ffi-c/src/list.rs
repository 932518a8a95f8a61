//! C lists: how they store the lists of the core, and how iteration works.
//!
//! INVARIANT: `Items::TAG` precedes the state of a list that can have items. An empty list has the
//! tag `Items::EMPTY` and no state: most lists of a struct are empty, and then only one word is
//! written.

use core::mem::align_of;

use agentsdisc_core::manifest::List;

use crate::boundary::{Filled, Holder, Out, Tagged, checked, fill, is_place};
use crate::status::{
    AGD_ERROR_ARGUMENT, AGD_ERROR_NULL, AGD_ERROR_STRUCT_SIZE, AGD_ERROR_UNINITIALISED, AGD_NONE,
    AGD_SOME, agd_status,
};

/// A C list: holds a [`List`] and returns items of a C type.
pub(crate) trait Items:
    Holder<State = List<'static, Self::Item>> + From<List<'static, Self::Item>>
{
    /// The item of the core's list.
    type Item: Copy + 'static;
    /// The struct that C receives.
    type Out: Filled<Self::Item>;
    /// The tag of an empty list.
    const EMPTY: usize = Self::TAG ^ 0x0100_0000;
    /// A list without state: asking for its next item returns `AGD_ERROR_UNINITIALISED`.
    const UNINITIALISED: Self;
}

/// Takes the next item of a list.
///
/// # Safety
/// `list` is NULL or points to a writable `L` in sole use; `out` is NULL or points to a writable
/// `L::Out` of the size that it states.
#[inline(always)]
pub(crate) unsafe fn next<L: Items>(list: *mut L, out: *mut L::Out) -> agd_status {
    // Both pointers are checked before the list advances, so that misuse loses no item.
    // SAFETY: pointers are read only if they are not NULL and aligned, and they are readable by the
    // contract; a tag and a size may hold any bits.
    unsafe {
        let is_right = is_place(list)
            && is_place(out)
            && (!L::Out::GROWS || out.cast::<usize>().read() >= L::Out::LEAST);
        if is_right && list.cast::<usize>().read() == L::TAG {
            take(list, out)
        } else {
            without_item(list.cast(), out.cast(), const { &Kind::of::<L>() })
        }
    }
}

/// Takes the next item of a list whose pointers and tag were checked.
///
/// # Safety
/// That of `next`; the list has the tag `L::TAG`, and `out` has room.
#[inline(always)]
unsafe fn take<L: Items>(list: *mut L, out: *mut L::Out) -> agd_status {
    // SAFETY: the tag shows that the list is not empty and that its state was written; the
    // contract grants sole use.
    let found = unsafe {
        let list = &mut (*list.cast::<Tagged<L::State>>()).value;
        core::hint::assert_unchecked(!list.is_nothing());
        list.next()
    };
    match &found {
        Some(item) => {
            // SAFETY: the caller checked `out`.
            unsafe { fill(out, item) };
            AGD_SOME
        }
        None => AGD_NONE,
    }
}

/// The properties of a list type that `without_item` needs, so that one function serves all types.
struct Kind {
    tags: [usize; 2],
    align: usize,
    /// The minimum size of an item that grows; 0 for other items.
    least: usize,
}

impl Kind {
    const fn of<L: Items>() -> Self {
        let least = if L::Out::GROWS { L::Out::LEAST } else { 0 };
        Self { tags: [L::TAG, L::EMPTY], align: align_of::<L::Out>(), least }
    }
}

/// Returns `AGD_NONE` for an empty list, and an error for misuse. A function with the C ABI cannot
/// unwind, so that callers can jump to it.
///
/// # Safety
/// That of `next`, for a list of that kind.
#[cold]
#[inline(never)]
unsafe extern "C" fn without_item(
    list: *const usize,
    out: *const usize,
    kind: &Kind,
) -> agd_status {
    let tag = match checked(list) {
        // SAFETY: the pointer was checked, and every list begins with its tag.
        Ok(list) => unsafe { list.read() },
        Err(status) => return status,
    };
    if !kind.tags.contains(&tag) {
        AGD_ERROR_UNINITIALISED
    } else if out.is_null() {
        AGD_ERROR_NULL
    } else if !out.addr().is_multiple_of(kind.align) {
        AGD_ERROR_ARGUMENT
    // SAFETY: the pointer was checked, and an item that grows begins with its size.
    } else if kind.least != 0 && unsafe { out.read() } < kind.least {
        AGD_ERROR_STRUCT_SIZE
    } else {
        AGD_NONE
    }
}
