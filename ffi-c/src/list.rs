//! Lists of C: how they hold those of the core, and how the next item is taken.
//!
//! INVARIANT: behind the tag of a list stands the state of a list that is not of nothing; a list of nothing has a tag of its own, and no state.

use core::mem::{align_of, size_of};

use agentsdisc_core::manifest::List;

use crate::boundary::{Filled, Holder, Out, Tagged, checked, fill, is_place};
use crate::status::{
    AGD_ERROR_ARGUMENT, AGD_ERROR_NULL, AGD_ERROR_STRUCT_SIZE, AGD_ERROR_UNINITIALISED, AGD_NONE,
    AGD_SOME, agd_status,
};

/// A C list: holds a [`List`] and gives items of a C type.
pub(crate) trait Items: Holder<State = List<'static, Self::Item>> {
    /// What the core's list gives.
    type Item: Copy + 'static;
    /// What C gets.
    type Out: Filled<Self::Item>;
    /// The tag of a list of what the document does not have: there is no state behind it.
    const NOTHING: usize = Self::TAG ^ 0x0100_0000;

    /// Takes the next item of the core.
    #[inline(always)]
    fn step(list: &mut List<'static, Self::Item>) -> Option<Self::Item> {
        list.next()
    }

    /// The tag of a list that is read in a second, lighter way; where there is none, that of nothing.
    const LIGHT: usize = Self::NOTHING;

    /// Takes the next item of such a list.
    ///
    /// # Safety
    /// That of `take`, for that tag.
    #[inline(always)]
    unsafe fn take_light(_: *mut Self, _: *mut Self::Out) -> agd_status {
        AGD_NONE
    }
}

/// Puts a list into a C value that is read in the lighter way.
///
/// The state of a list is the same memory whatever its items are: that it has room, the assertion shows.
pub(crate) fn hold_light<L: Items, Item>(empty: L, list: List<'static, Item>) -> L {
    const {
        assert!(
            size_of::<Tagged<List<'static, Item>>>() <= size_of::<L>()
                && align_of::<Tagged<List<'static, Item>>>() <= align_of::<L>()
        )
    };
    let mut holder = empty;
    let tag = if list.is_nothing() {
        L::NOTHING
    } else {
        L::LIGHT
    };
    // SAFETY: room and alignment are compared above, and `holder` is ours.
    unsafe {
        (&raw mut holder)
            .cast::<Tagged<List<'static, Item>>>()
            .write(Tagged { tag, value: list })
    };
    holder
}

/// The next item of such a list.
///
/// # Safety
/// `list` is readable, writable, in sole use, and was made by `hold_light` with the same item.
#[inline(always)]
pub(crate) unsafe fn next_light<L: Items, Item>(list: *mut L) -> Option<Item> {
    // SAFETY: the contract says that this state was written, which it never is for a list of nothing.
    unsafe {
        let list = &mut (*list.cast::<Tagged<List<'static, Item>>>()).value;
        core::hint::assert_unchecked(!list.is_nothing());
        list.next()
    }
}

/// Takes the next item of a list. The way of a caller that does nothing wrong is short. Lists of nothing are not on it: the header answers for them
/// (`cbindgen.toml`).
///
/// # Safety
/// `list` is NULL or points to a writable `L` in sole use; `out` is NULL or points to a writable `L::Out` as the caller knows it.
#[inline(always)]
pub(crate) unsafe fn next<L: Items>(list: *mut L, out: *mut L::Out) -> agd_status {
    // Asked before the list moves, so that misuse loses no item.
    // SAFETY: what is read is neither NULL nor misaligned, and readable by the contract; a tag and a size may hold any bits.
    unsafe {
        let is_right = is_place(list)
            && is_place(out)
            && (!L::Out::GROWS || out.cast::<usize>().read() >= L::Out::LEAST);
        match if is_right {
            list.cast::<usize>().read()
        } else {
            0
        } {
            tag if tag == L::TAG && L::LIGHT == L::NOTHING => take(list, out),
            // Where there are two ways, each is jumped to, and the registers that one of them needs are not saved for the other.
            tag if tag == L::TAG => take_apart(list, out),
            tag if tag == L::LIGHT && L::LIGHT != L::NOTHING => L::take_light(list, out),
            _ => otherwise(list.cast(), out.cast(), const { &Kind::of::<L>() }),
        }
    }
}

/// Takes the next item of a list that is one, into a struct that was looked at.
///
/// # Safety
/// That of `next`; the list has its tag, and `out` has room.
#[inline(always)]
unsafe fn take<L: Items>(list: *mut L, out: *mut L::Out) -> agd_status {
    // SAFETY: the tag says that the state behind it was written, which it never is for a list of nothing; the contract grants sole use.
    let found = unsafe {
        let list = &mut (*list.cast::<Tagged<L::State>>()).value;
        core::hint::assert_unchecked(!list.is_nothing());
        L::step(list)
    };
    match &found {
        Some(item) => {
            // SAFETY: it was looked at.
            unsafe { fill(out, item) };
            AGD_SOME
        }
        None => AGD_NONE,
    }
}

/// The same as a function of its own.
///
/// # Safety
/// That of `take`.
#[inline(never)]
unsafe extern "C" fn take_apart<L: Items>(list: *mut L, out: *mut L::Out) -> agd_status {
    // SAFETY: the contract is the same.
    unsafe { take(list, out) }
}

/// What tells a list of one type, and what its items need: so one function answers for all types where there is no item.
struct Kind {
    tags: [usize; 3],
    align: usize,
    /// The least size of items that grow; 0 for others.
    least: usize,
}

impl Kind {
    const fn of<L: Items>() -> Self {
        let least = if L::Out::GROWS { L::Out::LEAST } else { 0 };
        Self {
            tags: [L::TAG, L::NOTHING, L::LIGHT],
            align: align_of::<L::Out>(),
            least,
        }
    }
}

/// That there is no item in a list of nothing, or why none is taken. A function of C, because such functions cannot unwind, so that it is jumped to.
///
/// # Safety
/// That of `next`, for a list of the kind.
#[cold]
#[inline(never)]
unsafe extern "C" fn otherwise(list: *const usize, out: *const usize, kind: &Kind) -> agd_status {
    let tag = match checked(list) {
        // SAFETY: it was looked at, and every list begins with its tag.
        Ok(list) => unsafe { list.read() },
        Err(status) => return status,
    };
    if !kind.tags.contains(&tag) {
        AGD_ERROR_UNINITIALISED
    } else if out.is_null() {
        AGD_ERROR_NULL
    } else if !out.addr().is_multiple_of(kind.align) {
        AGD_ERROR_ARGUMENT
    // SAFETY: it was looked at, and an item that grows begins with its size.
    } else if kind.least != 0 && unsafe { out.read() } < kind.least {
        AGD_ERROR_STRUCT_SIZE
    } else {
        AGD_NONE
    }
}
