//! Conversion between pointers from C and Rust values: everything that the C types share.
//!
//! INVARIANT: caller memory that holds library state begins with a tag of its type, written
//! together with that state and never without it. State is read only after a comparison of the tag.
//!
//! State is stored as pointers and `MaybeUninit`, never as integers, so that a copy keeps the
//! provenance of its pointers.

use core::ffi::{c_char, c_void};
use core::fmt;
use core::mem::{MaybeUninit, align_of, offset_of, size_of};

use agentsdisc_core::write::Sink;

use crate::status::{
    AGD_ERROR_ARGUMENT, AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_NULL, AGD_ERROR_STRUCT_SIZE,
    AGD_ERROR_UNINITIALISED, AGD_NONE, AGD_OK, AGD_SOME, agd_status,
};

/// Size of the state of a list in words: a tag, a slice and a function, and 24 bytes of numbers.
/// The header has the same definition in C (`cbindgen.toml`).
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
/// `Self` is at least as large and as aligned as `Tagged<Self::State>`, holds bytes only, and no
/// other type has its tag. The state owns nothing: a bytewise copy is a valid copy, and the state
/// need not be dropped.
pub(crate) unsafe trait Holder {
    /// The state.
    type State;
    /// Distinguishes the type from zeroed memory and from other holders.
    const TAG: usize;
}

/// Returns `empty` with the state written into it.
pub(crate) fn hold<H: Holder>(empty: H, state: H::State) -> H {
    let mut holder = empty;
    let place = (&raw mut holder).cast::<Tagged<H::State>>();
    // SAFETY: `Holder` promises room and alignment, and `holder` is a local.
    unsafe { place.write(Tagged { tag: H::TAG, value: state }) };
    holder
}

/// Writes state into a C value in place. For large states.
///
/// # Safety
/// `holder` points to a writable `H`, aligned.
pub(crate) unsafe fn hold_in<H: Holder>(holder: *mut H, state: H::State) {
    // SAFETY: `Holder` promises room and alignment, and the contract the rest.
    unsafe { holder.cast::<Tagged<H::State>>().write(Tagged { tag: H::TAG, value: state }) };
}

/// Removes the state from a C value, so that a walk that fails to start does not continue with its
/// previous state.
///
/// # Safety
/// `holder` is NULL or points to a writable `H`.
pub(crate) unsafe fn clear<H: Holder>(holder: *mut H) -> Result<(), agd_status> {
    checked(holder)?;
    // SAFETY: the pointer was checked, and every holder begins with its tag.
    unsafe { holder.cast::<usize>().write(0) };
    Ok(())
}

/// Returns the state in a C value.
///
/// # Safety
/// `holder` is NULL or points to a readable `H`.
pub(crate) unsafe fn held<'a, H: Holder>(holder: *const H) -> Result<&'a H::State, agd_status> {
    let place = checked(holder)?.cast::<Tagged<H::State>>();
    // SAFETY: the pointer is not NULL, aligned, and readable by the contract; any bits are a valid
    // tag.
    if unsafe { (&raw const (*place).tag).read() } != H::TAG {
        return Err(AGD_ERROR_UNINITIALISED);
    }
    // SAFETY: the tag shows that `hold` wrote the state after it.
    Ok(unsafe { &(*place).value })
}

/// Like `held`, for writing.
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
/// If `GROWS`, the type is `repr(C)` and begins with a `usize`: the size of the struct that the
/// caller was compiled with.
pub(crate) unsafe trait Out: Sized {
    /// Whether the struct begins with its size, so that fields can be added at its end.
    const GROWS: bool;
    /// The size in the first published version.
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

/// The size in bytes of the caller's struct, at most that of `T`.
///
/// # Safety
/// `out` is NULL or points to a writable `T` of the size that it states.
pub(crate) unsafe fn room<T: Out>(out: *mut T) -> Result<usize, agd_status> {
    checked(out)?;
    if !T::GROWS {
        return Ok(size_of::<T>());
    }
    // SAFETY: the pointer is not NULL and aligned; `Out` promises that a size comes first.
    let size = unsafe { out.cast::<usize>().read() };
    if size < T::LEAST { Err(AGD_ERROR_STRUCT_SIZE) } else { Ok(size) }
}

/// Writes the part of a struct that the caller's version has; keeps the size that the caller wrote.
///
/// # Safety
/// `room` is the result of the function `room` for `out`.
#[inline(always)]
pub(crate) unsafe fn put<T: Out>(out: *mut T, room: usize, value: T) {
    if room >= size_of::<T>() {
        // The common case: the value is constructed in place, without a copy.
        // SAFETY: there is room for the whole struct.
        unsafe { out.write(value) };
    } else {
        let value = MaybeUninit::new(value);
        // SAFETY: `room` bytes are writable at `out`, and `value`, a local, has more.
        unsafe {
            out.cast::<MaybeUninit<u8>>().copy_from_nonoverlapping(value.as_ptr().cast(), room)
        };
    }
    if T::GROWS {
        // SAFETY: a struct that grows begins with its size.
        unsafe { out.cast::<usize>().write(room) };
    }
}

/// Fills a struct with a value that may be absent.
///
/// # Safety
/// `out` is NULL or points to a writable `T` of the size that it states.
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

/// Writes a plain value, unless `out` is NULL.
///
/// # Safety
/// `out` is NULL or points to a writable `T`.
pub(crate) unsafe fn write_out<T>(out: *mut T, value: T) -> Result<(), agd_status> {
    if out.is_null() {
        return Ok(());
    }
    checked(out)?;
    // SAFETY: the pointer is not NULL, aligned, and writable by the contract.
    unsafe { out.write(value) };
    Ok(())
}

/// Reads optional options: a struct that begins with its size. Members that a shorter struct lacks
/// have their defaults; NULL means all defaults.
///
/// # Safety
/// `options` is NULL or points to a readable `T` of the size that it states, and `T` holds integers
/// and pointers only.
pub(crate) unsafe fn options<T: Out + Copy>(
    options: *const T,
    default: T,
) -> Result<T, agd_status> {
    if options.is_null() {
        return Ok(default);
    }
    // SAFETY: `room` only reads, which the contract grants.
    let length = unsafe { room(options.cast_mut())? }.min(size_of::<T>());
    let mut copy = default;
    // SAFETY: `length` bytes are readable there and writable in `copy`, and any bits make a `T`.
    unsafe {
        (&raw mut copy).cast::<MaybeUninit<u8>>().copy_from_nonoverlapping(options.cast(), length)
    };
    Ok(copy)
}

/// The bytes at a pointer from C. NULL with length zero is the empty slice.
///
/// # Safety
/// `pointer` is NULL or `length` bytes are readable there and do not change while the result is
/// used.
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
    // SAFETY: not NULL, not too long; the contract grants the rest.
    Ok(unsafe { core::slice::from_raw_parts(pointer, length) })
}

/// Memory of the caller for values, cleared because it may be uninitialised. NULL is valid only with
/// length zero.
///
/// # Safety
/// `start` is NULL or `length` values are writable there, and nothing else uses them while the slice
/// is used. All bits of a value may be zero.
pub(crate) unsafe fn cleared<T>(
    start: *mut T,
    length: usize,
) -> Result<&'static mut [T], agd_status> {
    if length == 0 {
        return Ok(&mut []);
    }
    checked(start)?;
    if length > isize::MAX as usize / size_of::<T>() {
        return Err(AGD_ERROR_ARGUMENT);
    }
    // SAFETY: not NULL, aligned, not too long; the contract grants the rest.
    Ok(unsafe {
        start.write_bytes(0, length);
        core::slice::from_raw_parts_mut(start, length)
    })
}

/// The status of a result, success or error.
pub(crate) fn ended(result: Result<agd_status, agd_status>) -> agd_status {
    match result {
        Ok(status) | Err(status) => status,
    }
}

/// A core value that is converted to a C value in place. Items of lists are large; a copy would
/// cost as much as finding them.
pub(crate) trait Carry<C> {
    /// Writes the C value to `place`.
    ///
    /// # Safety
    /// `place` is writable and aligned.
    unsafe fn carry(self, place: *mut C);
}

/// Declares numbers, which have the same representation in C.
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

/// A C struct that is filled from an item of the core.
pub(crate) trait Filled<Item>: Out {
    /// Fills the struct at `out`, except its leading size.
    ///
    /// # Safety
    /// `out` is writable and aligned.
    unsafe fn fill(item: &Item, out: *mut Self);
}

/// The value for a member of an absent object; `read` only determines its type.
#[inline(always)]
pub(crate) fn absent<T, R: Default>(_: &Option<T>, _: impl Fn(&T) -> R) -> R {
    R::default()
}

/// Declares how a growing struct is filled: every member except its size must be named. Members
/// that are present or absent together form a group, `(part in option) { … }`.
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

/// Declares small structs that are filled from one value of the core.
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

/// Fills a C struct from an item.
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
        // SAFETY: there is room for the whole struct.
        return unsafe { C::fill(item, out) };
    }
    // The caller's version of the struct is shorter.
    let mut whole = MaybeUninit::<C>::uninit();
    // SAFETY: every byte of the copy is initialised or padding, except the size, which is kept.
    unsafe {
        C::fill(item, whole.as_mut_ptr());
        out.cast::<MaybeUninit<u8>>().copy_from_nonoverlapping(whole.as_ptr().cast(), room);
        out.cast::<usize>().write(room);
    }
}

/// Fills a struct with an item that may be absent. The item is read after the checks, so that
/// nothing must be saved across them.
///
/// # Safety
/// `out` is NULL or points to a writable `C` of the size that it states.
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
    // SAFETY: the pointer was checked.
    unsafe { fill(out, item) };
    Ok(AGD_SOME)
}

/// No state: every function returns `AGD_ERROR_UNINITIALISED`.
pub(crate) const NO_STATE: agd_list_state = [MaybeUninit::new(core::ptr::null()); AGD_LIST_WORDS];

/// An output buffer of the caller for text. Counts the length of the whole text, also beyond the
/// capacity.
pub(crate) struct Buffer {
    start: *mut u8,
    capacity: usize,
    length: usize,
}

impl Buffer {
    /// A buffer from pointer and capacity. NULL is valid only with capacity zero.
    ///
    /// # Safety
    /// `capacity` bytes are writable at `start`, and nothing else uses them while this value lives.
    pub(crate) unsafe fn new(start: *mut c_char, capacity: usize) -> Result<Self, agd_status> {
        if start.is_null() && capacity != 0 {
            return Err(AGD_ERROR_NULL);
        }
        Ok(Self { start: start.cast(), capacity, length: 0 })
    }

    /// The number of bytes received, including those that did not fit.
    pub(crate) const fn length(&self) -> usize {
        self.length
    }

    /// Terminates the text with a NUL and writes its length. If there is no room for both, the
    /// buffer holds the empty string: text is never truncated silently.
    ///
    /// # Safety
    /// `length` is NULL or writable.
    pub(crate) unsafe fn finish(self, length: *mut usize) -> Result<agd_status, agd_status> {
        // SAFETY: the contract is the same.
        unsafe { write_out(length, self.length)? };
        let whole = self.length < self.capacity;
        if self.capacity != 0 {
            // SAFETY: the offset is below the capacity.
            unsafe { self.start.add(if whole { self.length } else { 0 }).write(0) };
        }
        if whole { Ok(AGD_OK) } else { Err(AGD_ERROR_BUFFER_TOO_SMALL) }
    }
}

impl Sink for Buffer {
    fn put(&mut self, bytes: &[u8]) {
        let end = self.length.saturating_add(bytes.len());
        if end <= self.capacity {
            // SAFETY: the bytes from the current length to `end` are within the capacity, and a
            // Rust slice does not overlap a buffer in sole use.
            unsafe {
                self.start.add(self.length).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
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

/// A NUL-terminated text, built at compile time.
macro_rules! c_text {
    ($text:expr) => {{
        const TEXT: &str = $text;
        const BYTES: [u8; TEXT.len() + 1] = $crate::boundary::with_nul(TEXT);
        BYTES.as_ptr().cast::<core::ffi::c_char>()
    }};
}
pub(crate) use c_text;

/// Defines number, name and message of each reason of an enumeration of the core. The numbers are the
/// core's plus one, because zero means a newer reason.
macro_rules! reasons {
    ($unknown:ident, $number_of:ident; $($constant:ident = $reason:ident,)*) => {
        $(const _: () = assert!($constant == Reason::$reason as i32 + 1);)*
        const _: () = assert!(Reason::ALL.len() == [$($constant),*].len());

        /// The C number of a reason.
        pub(crate) fn $number_of(reason: Reason) -> i32 {
            match reason {
                $(Reason::$reason => $constant,)*
                _ => $unknown,
            }
        }

        fn name_of(number: i32) -> *const c_char {
            match number {
                $($constant => c_text!(Reason::$reason.as_str()),)*
                _ => c"unknown".as_ptr(),
            }
        }

        fn message_of(number: i32) -> *const c_char {
            match number {
                $($constant => c_text!(Reason::$reason.message()),)*
                _ => c"The reason is not known to this version.".as_ptr(),
            }
        }
    };
}
pub(crate) use reasons;

/// The bytes of `text` and a NUL.
pub(crate) const fn with_nul<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let (place, _) = bytes.split_at_mut(text.len());
    place.copy_from_slice(text.as_bytes());
    bytes
}

// There must be no padding after the tag of a list, which would exceed the planned size.
const _: () = assert!(
    offset_of!(Tagged<usize>, value) == size_of::<usize>()
        && align_of::<usize>() == align_of::<*const c_void>()
);
