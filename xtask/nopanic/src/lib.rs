//! Calls to the public functions of the core that the C library does not call, for the linker's
//! proof that the core cannot panic. `cargo xtask nopanic` looks for a panic in the C library and in
//! this library.
//!
//! The panic handler below is in the library only if code that can panic remains after optimisation
//! in what the entry points reach.
//!
//! # Adding calls
//!
//! The check compares the public functions in `core/src` with the functions of the C library, and
//! with the names in these files, and lists those that neither has. Call such a function here, from
//! a function `nopanic_…` with the C calling convention. Results go through [`keep`], and inputs come
//! from the caller's pointers, so the optimiser can neither drop a call nor know its arguments.
//! Exclude a function with a line of the form `// not called: NAME, because …`.
//!
//! # Exclusions
//!
//! The feature `serde` is off: serde-json-core and the parsing of `f64` have code that can panic as
//! far as the linker sees.
//!
//! `Debug` is excluded: the standard library's `Debug` of strings and characters contains code that
//! can panic in every program. The core never calls it; it exists for programmers.
#![no_std]

mod documents;
mod formats;
mod identity;
mod names;
mod policy;
mod syntax;

use core::fmt::{self, Write};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    panic_is_reachable()
}

/// The symbol for which the check looks. Not inlined, so that the symbol is there if it is called.
#[inline(never)]
fn panic_is_reachable() -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// Returns the bytes of an entry point.
///
/// # Safety
/// `data` must point to `length` bytes that live as long as the result.
unsafe fn bytes<'a>(data: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: guaranteed by the caller.
    unsafe { core::slice::from_raw_parts(data, length) }
}

/// Returns the text of an entry point; empty if it is not UTF-8.
///
/// # Safety
/// As for [`bytes`].
unsafe fn text<'a>(data: *const u8, length: usize) -> &'a str {
    // SAFETY: guaranteed by the caller.
    core::str::from_utf8(unsafe { bytes(data, length) }).unwrap_or_default()
}

/// Returns the buffer of an entry point.
///
/// # Safety
/// `data` must point to `length` bytes that are not aliased during the life of the result.
unsafe fn buffer<'a>(data: *mut u8, length: usize) -> &'a mut [u8] {
    // SAFETY: guaranteed by the caller.
    unsafe { core::slice::from_raw_parts_mut(data, length) }
}

/// Prevents the optimiser from removing `value`.
fn keep<T>(value: T) {
    core::hint::black_box(value);
}

/// Formats `value` and discards the output, to include its `Display`.
fn show(value: impl fmt::Display) {
    keep(write!(Nowhere, "{value}"));
}

struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        keep(text);
        Ok(())
    }
}
