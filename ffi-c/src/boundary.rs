//! Where pointers from C become Rust values and back: everything that the C types share.
//!
//! INVARIANT: memory of the caller that holds library state begins with a tag of its type, written together with that state and never
//! without it. So state is read only behind a comparison of the tag.
//!
//! State is stored as pointers and `MaybeUninit`, never as integers, so that a copy of it keeps what its pointers may reach.

use core::ffi::{c_char, c_void};
use core::fmt;
use core::mem::{MaybeUninit, align_of, offset_of, size_of};

use agentsdisc_core::write::Sink;

use crate::status::{
    AGD_ERROR_ARGUMENT, AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_NULL, AGD_ERROR_STRUCT_SIZE,
    AGD_ERROR_UNINITIALISED, AGD_NONE, AGD_OK, AGD_SOME, agd_status,
};

/// Words of the state of a list: a tag, a slice and a function, and 24 bytes of numbers. The header says the same in words of C
/// (`cbindgen.toml`).
pub const AGD_LIST_WORDS: usize = 4 + 24 / size_of::<*const c_void>();

/// The memory of a list.
pub type agd_list_state = [MaybeUninit<*const c_void>; AGD_LIST_WORDS];

/// State in the caller's memory: a tag, then the value.
#[repr(C)]
pub(crate) struct Tagged<T> {
    pub(crate) tag: usize,
    pub(crate) value: T,
}

/// A C type that holds state of the library.
///
/// # Safety
/// `Self` is at least as large and as aligned as `Tagged<Self::State>`, holds bytes only, and no other type has its tag. The state owns nothing: a
/// copy of its bytes is as good as itself, and nothing is lost where it is never dropped.
pub(crate) unsafe trait Holder {
    /// What it holds.
    type State;
    /// Tells it from zeroed memory and from other holders.
    const TAG: usize;
}

/// Puts state into a C value.
pub(crate) fn hold<H: Holder>(empty: H, state: H::State) -> H {
    let mut holder = empty;
    let place = (&raw mut holder).cast::<Tagged<H::State>>();
    // SAFETY: `Holder` promises room and alignment, and `holder` is ours.
    unsafe {
        place.write(Tagged {
            tag: H::TAG,
            value: state,
        })
    };
    holder
}

/// Puts state into a C value in its place, where it is large.
///
/// # Safety
/// `holder` points to a writable `H`, aligned.
pub(crate) unsafe fn hold_in<H: Holder>(holder: *mut H, state: H::State) {
    // SAFETY: `Holder` promises room and alignment, and the contract the rest.
    unsafe {
        holder.cast::<Tagged<H::State>>().write(Tagged {
            tag: H::TAG,
            value: state,
        })
    };
}

/// Leaves a C value without state, whatever was there: a walk that cannot begin must not go on with what was walked before.
///
/// # Safety
/// `holder` is NULL or points to a writable `H`.
pub(crate) unsafe fn clear<H: Holder>(holder: *mut H) -> Result<(), agd_status> {
    checked(holder)?;
    // SAFETY: it was checked, and every holder begins with its tag.
    unsafe { holder.cast::<usize>().write(0) };
    Ok(())
}

/// The state that a C value holds.
///
/// # Safety
/// `holder` is NULL or points to a readable `H`.
pub(crate) unsafe fn held<'a, H: Holder>(holder: *const H) -> Result<&'a H::State, agd_status> {
    let place = checked(holder)?.cast::<Tagged<H::State>>();
    // SAFETY: it is not NULL, aligned, and readable by the contract; a tag may hold any bits.
    if unsafe { (&raw const (*place).tag).read() } != H::TAG {
        return Err(AGD_ERROR_UNINITIALISED);
    }
    // SAFETY: the tag says that `hold` wrote the state behind it.
    Ok(unsafe { &(*place).value })
}

/// The same to change it.
///
/// # Safety
/// `holder` is NULL or points to a writable `H` in sole use.
pub(crate) unsafe fn held_mut<'a, H: Holder>(
    holder: *mut H,
) -> Result<&'a mut H::State, agd_status> {
    // SAFETY: the contract of `held` is part of ours.
    unsafe { held(holder)? };
    let place = holder.cast::<Tagged<H::State>>();
    // SAFETY: `held` checked pointer and tag; the contract grants sole use.
    Ok(unsafe { &mut (*place).value })
}

/// Whether a pointer is neither NULL nor misaligned.
#[inline(always)]
pub(crate) fn is_place<T>(pointer: *const T) -> bool {
    !pointer.is_null() && pointer.is_aligned()
}

/// A pointer that is neither NULL nor misaligned.
pub(crate) fn checked<T>(pointer: *const T) -> Result<*const T, agd_status> {
    if pointer.is_null() {
        Err(AGD_ERROR_NULL)
    } else if !pointer.is_aligned() {
        Err(AGD_ERROR_ARGUMENT)
    } else {
        Ok(pointer)
    }
}

/// A C struct that a function fills for the caller.
///
/// # Safety
/// Where `GROWS`, the type is `repr(C)` and begins with a `usize`: the size of the struct as the caller knows it.
pub(crate) unsafe trait Out: Sized {
    /// Whether the struct begins with its size, so that fields can be added at its end.
    const GROWS: bool;
    /// The size it had when it was first published.
    const LEAST: usize = size_of::<Self>();
}

/// Declares structs that begin with their size.
macro_rules! growing {
    ($($name:ident,)*) => {$(
        const _: () = assert!(core::mem::offset_of!($name, size) == 0);
        // SAFETY: the first field is the size, as the assertion shows.
        unsafe impl $crate::boundary::Out for $name {
            const GROWS: bool = true;
        }
    )*};
}
pub(crate) use growing;

/// Declares structs that never change.
macro_rules! fixed {
    ($($name:ident,)*) => {$(
        // SAFETY: nothing is promised about a type that does not grow.
        unsafe impl $crate::boundary::Out for $name {
            const GROWS: bool = false;
        }
    )*};
}
pub(crate) use fixed;

/// How many bytes of a struct the caller has room for.
///
/// # Safety
/// `out` is NULL or points to a writable `T` as the caller knows it.
pub(crate) unsafe fn room<T: Out>(out: *mut T) -> Result<usize, agd_status> {
    checked(out)?;
    if !T::GROWS {
        return Ok(size_of::<T>());
    }
    // SAFETY: it is not NULL and aligned; `Out` promises that a size comes first.
    let size = unsafe { out.cast::<usize>().read() };
    if size < T::LEAST {
        Err(AGD_ERROR_STRUCT_SIZE)
    } else {
        Ok(size)
    }
}

/// Writes as much of a struct as the caller has room for; the size that the caller wrote stays.
///
/// # Safety
/// `room` is what the function of this name said for `out`.
#[inline(always)]
pub(crate) unsafe fn put<T: Out>(out: *mut T, room: usize, value: T) {
    if room >= size_of::<T>() {
        // As nearly always: the value is made where it belongs, without a copy.
        // SAFETY: there is room for all of it.
        unsafe { out.write(value) };
    } else {
        let value = MaybeUninit::new(value);
        // SAFETY: so many bytes are writable at `out`, and fewer than `value` has, which is a local.
        unsafe {
            out.cast::<MaybeUninit<u8>>()
                .copy_from_nonoverlapping(value.as_ptr().cast(), room)
        };
    }
    if T::GROWS {
        // SAFETY: a struct that grows begins with its size.
        unsafe { out.cast::<usize>().write(room) };
    }
}

/// Fills a struct with what may be absent.
///
/// # Safety
/// `out` is NULL or points to a writable `T` as the caller knows it.
pub(crate) unsafe fn give<T: Out>(out: *mut T, value: Option<T>) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    let room = unsafe { room(out)? };
    let Some(value) = value else {
        return Ok(AGD_NONE);
    };
    // SAFETY: `room` is the room of `out`.
    unsafe { put(out, room, value) };
    Ok(AGD_SOME)
}

/// Writes a plain value, where the caller wants it.
///
/// # Safety
/// `out` is NULL or points to a writable `T`.
pub(crate) unsafe fn tell<T>(out: *mut T, value: T) -> Result<(), agd_status> {
    if out.is_null() {
        return Ok(());
    }
    checked(out)?;
    // SAFETY: it is neither NULL nor misaligned, and writable by the contract.
    unsafe { out.write(value) };
    Ok(())
}

/// Options that the caller may leave out: a struct that begins with its size, copied so that a shorter one has defaults at its end.
///
/// # Safety
/// `options` is NULL or points to a readable `T` as the caller knows it, and `T` holds integers and pointers only.
pub(crate) unsafe fn options<T: Out + Copy>(
    options: *const T,
    default: T,
) -> Result<T, agd_status> {
    if options.is_null() {
        return Ok(default);
    }
    // SAFETY: the contract grants reading, which is all that `room` does.
    let length = unsafe { room(options.cast_mut())? }.min(size_of::<T>());
    let mut copy = default;
    // SAFETY: `length` bytes are readable there and writable in `copy`, and any bits make a `T`.
    unsafe {
        (&raw mut copy)
            .cast::<MaybeUninit<u8>>()
            .copy_from_nonoverlapping(options.cast(), length)
    };
    Ok(copy)
}

/// The bytes that C names by pointer and length. NULL is the empty slice where the length is zero.
///
/// # Safety
/// `pointer` is NULL or `length` bytes are readable there, and stay as they are while anything made from them is used.
pub(crate) unsafe fn bytes(pointer: *const u8, length: usize) -> Result<&'static [u8], agd_status> {
    if length == 0 {
        return Ok(b"");
    }
    if pointer.is_null() {
        return Err(AGD_ERROR_NULL);
    }
    if length > isize::MAX as usize {
        return Err(AGD_ERROR_ARGUMENT);
    }
    // SAFETY: not NULL, not too long, and the rest is the contract.
    Ok(unsafe { core::slice::from_raw_parts(pointer, length) })
}

/// Numbers that C lends, cleared, because C may not have. NULL goes with none only.
///
/// # Safety
/// `start` is NULL or `length` numbers are writable there, and nothing else uses them while the slice is used.
pub(crate) unsafe fn lent(
    start: *mut u32,
    length: usize,
) -> Result<&'static mut [u32], agd_status> {
    if length == 0 {
        return Ok(&mut []);
    }
    checked(start)?;
    if length > isize::MAX as usize / size_of::<u32>() {
        return Err(AGD_ERROR_ARGUMENT);
    }
    // SAFETY: not NULL, aligned, not too long, and the rest is the contract.
    Ok(unsafe {
        start.write_bytes(0, length);
        core::slice::from_raw_parts_mut(start, length)
    })
}

/// The status of a function that may have ended early.
pub(crate) fn ended(result: Result<agd_status, agd_status>) -> agd_status {
    match result {
        Ok(status) | Err(status) => status,
    }
}

/// A value of the core that becomes a value of C where that belongs: what lists give is large, and a copy of it would cost as much as finding it.
pub(crate) trait Carry<C> {
    /// Makes it at `place`.
    ///
    /// # Safety
    /// `place` is writable and aligned.
    unsafe fn carry(self, place: *mut C);
}

/// Declares numbers, which are the same in C.
macro_rules! carried_as_they_are {
    ($($name:ty,)*) => {$(
        impl Carry<Self> for $name {
            #[inline(always)]
            unsafe fn carry(self, place: *mut Self) {
                // SAFETY: the contract is the same.
                unsafe { place.write(self) };
            }
        }
    )*};
}

carried_as_they_are! { i32, u32, i64, }

/// A C struct that is made of an item of the core.
pub(crate) trait Filled<Item>: Out {
    /// Makes it at `out`; the size that it begins with, where it grows, is not touched.
    ///
    /// # Safety
    /// `out` is writable and aligned.
    unsafe fn fill(item: &Item, out: *mut Self);
}

/// What a part of something that is absent is: what is read of it says which type that has.
#[inline(always)]
pub(crate) fn absent<T, R: Default>(_: &Option<T>, _: impl Fn(&T) -> R) -> R {
    R::default()
}

/// Declares how a struct that grows is filled: every member except its size must be named. Members that are present or absent together stand in a
/// group, `(part in option) { … }`.
macro_rules! filled {
    ($name:ident from $item:ident: $type:ty {
        $(($some:ident in $option:expr) { $($inner:ident: $inside:expr,)* })*
        $($field:ident: $value:expr,)*
    }) => {
        impl $crate::boundary::Filled<$type> for $name {
            #[inline(always)]
            unsafe fn fill($item: &$type, out: *mut Self) {
                const _: fn($name) = |every| {
                    let $name { size: _, $($($inner: _,)*)* $($field: _,)* } = every;
                };
                // SAFETY: the contract is the same.
                unsafe {
                    $(match &$option {
                        Some($some) => {
                            $($crate::boundary::Carry::carry($inside, &raw mut (*out).$inner);)*
                        }
                        None => {
                            $($crate::boundary::Carry::carry($crate::boundary::absent(&$option, |$some| $inside), &raw mut (*out).$inner);)*
                        }
                    })*
                    $($crate::boundary::Carry::carry($value, &raw mut (*out).$field);)*
                }
            }
        }
    };
}
pub(crate) use filled;

/// Declares small structs that are what one value of the core becomes.
macro_rules! filled_by_value {
    ($($name:ident from $type:ty,)*) => {$(
        impl $crate::boundary::Filled<$type> for $name {
            #[inline(always)]
            unsafe fn fill(item: &$type, out: *mut Self) {
                // SAFETY: the contract is the same.
                unsafe { $crate::boundary::Carry::carry(*item, out) };
            }
        }
    )*};
}
pub(crate) use filled_by_value;

/// Makes a struct of C of an item.
///
/// # Safety
/// `room` checked `out`.
#[inline(always)]
pub(crate) unsafe fn fill<C: Filled<Item>, Item>(out: *mut C, item: &Item) {
    let room = if C::GROWS {
        // SAFETY: a struct that grows begins with its size.
        unsafe { out.cast::<usize>().read() }
    } else {
        size_of::<C>()
    };
    if C::LEAST == size_of::<C>() || room >= size_of::<C>() {
        // SAFETY: there is room for all of it.
        return unsafe { C::fill(item, out) };
    }
    // The program knows less of it.
    let mut whole = MaybeUninit::<C>::uninit();
    // SAFETY: every byte of the copy is written or padding, but for the size, which stays.
    unsafe {
        C::fill(item, whole.as_mut_ptr());
        out.cast::<MaybeUninit<u8>>()
            .copy_from_nonoverlapping(whole.as_ptr().cast(), room);
        out.cast::<usize>().write(room);
    }
}

/// Fills a struct with an item that may be absent. It is read behind the checks, so that nothing of it must be kept while they are made.
///
/// # Safety
/// `out` is NULL or points to a writable `C` as the caller knows it.
#[inline(always)]
pub(crate) unsafe fn show<C: Filled<Item>, Item>(
    out: *mut C,
    item: impl FnOnce() -> Option<Item>,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    unsafe { room(out)? };
    let Some(item) = &item() else {
        return Ok(AGD_NONE);
    };
    // SAFETY: it was checked.
    unsafe { fill(out, item) };
    Ok(AGD_SOME)
}

/// The state of nothing: every function answers `AGD_ERROR_UNINITIALISED`.
pub(crate) const NO_STATE: agd_list_state = [MaybeUninit::new(core::ptr::null()); AGD_LIST_WORDS];

/// A buffer of the caller that text is written into, and a count of what it would have needed.
pub(crate) struct Buffer {
    start: *mut u8,
    capacity: usize,
    length: usize,
}

impl Buffer {
    /// The buffer that C names by pointer and capacity; NULL has none.
    ///
    /// # Safety
    /// `capacity` bytes are writable at `start`, and nothing else uses them while this value lives. NULL goes with zero only, or is refused.
    pub(crate) unsafe fn new(start: *mut c_char, capacity: usize) -> Result<Self, agd_status> {
        if start.is_null() && capacity != 0 {
            return Err(AGD_ERROR_NULL);
        }
        Ok(Self {
            start: start.cast(),
            capacity,
            length: 0,
        })
    }

    /// Puts a NUL behind the text and tells its length. Where there is no room for both, the buffer holds the empty string: nothing is
    /// ever cut silently.
    ///
    /// # Safety
    /// `length` is NULL or writable.
    pub(crate) unsafe fn finish(self, length: *mut usize) -> Result<agd_status, agd_status> {
        // SAFETY: the contract is the same.
        unsafe { tell(length, self.length)? };
        let whole = self.length < self.capacity;
        if self.capacity != 0 {
            // SAFETY: the offset is below the capacity.
            unsafe { self.start.add(if whole { self.length } else { 0 }).write(0) };
        }
        if whole {
            Ok(AGD_OK)
        } else {
            Err(AGD_ERROR_BUFFER_TOO_SMALL)
        }
    }
}

impl Sink for Buffer {
    fn put(&mut self, bytes: &[u8]) {
        let end = self.length.saturating_add(bytes.len());
        if end <= self.capacity {
            // SAFETY: the bytes from the length so far to `end` are within the capacity, and a slice of Rust does not overlap a buffer in
            // sole use.
            unsafe {
                self.start
                    .add(self.length)
                    .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
            };
        }
        self.length = end;
    }
}

impl fmt::Write for Buffer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.put(text.as_bytes());
        Ok(())
    }
}

/// A text with a NUL behind it, made when this library is compiled.
macro_rules! c_text {
    ($text:expr) => {{
        const TEXT: &str = $text;
        const BYTES: [u8; TEXT.len() + 1] = $crate::boundary::with_nul(TEXT);
        BYTES.as_ptr().cast::<core::ffi::c_char>()
    }};
}
pub(crate) use c_text;

/// The bytes of `text` and a NUL.
pub(crate) const fn with_nul<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let (place, _) = bytes.split_at_mut(text.len());
    place.copy_from_slice(text.as_bytes());
    bytes
}

// A tag in front of a list must leave no gap that would make the state larger than planned.
const _: () = assert!(
    offset_of!(Tagged<usize>, value) == size_of::<usize>()
        && align_of::<usize>() == align_of::<*const c_void>()
);
