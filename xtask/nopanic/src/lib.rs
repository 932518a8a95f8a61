//! The linker's proof that the core cannot panic.
//!
//! The panic handler below calls an undefined symbol. If code that can panic remains after
//! optimisation in what the entry points reach, the library needs that symbol; otherwise it does
//! not. `cargo xtask nopanic` builds this crate at several optimisation levels and checks.
//!
//! # Adding calls
//!
//! Every public function of the core is called here, from a function `nopanic_…` with the C calling
//! convention. Results go through [`keep`], and inputs come from the caller's pointers, so the
//! optimiser can neither drop a call nor know its arguments. There is one file for each part of the
//! core; add a new file and a `mod` line for a new part. The check compares the names of public
//! functions in `core/src` with the calls in these files and lists the missing ones. Exclude a
//! function with a line of the form `// not called: NAME, because …`.
//!
//! # Exclusions
//!
//! The feature `serde` is off: serde-json-core and the parsing of `f64` have code that can panic as
//! far as the linker sees. `psl` is on, except in the build like firmware.
//!
//! `Debug` is excluded: the standard library's `Debug` of strings and characters contains code that
//! can panic in every program. The core never calls it; it exists for programmers.
#![no_std]
#![cfg_attr(feature = "deliberate-panic", allow(dead_code, reason = "only entry points use it"))]

/// The entry points. The build with a deliberate panic does not need them, and is much faster
/// without.
#[cfg(not(feature = "deliberate-panic"))]
#[path = "."]
mod entries {
    mod agents_md;
    mod basics;
    mod call;
    mod discovery;
    mod documents;
    mod formats;
    mod json;
    mod lines;
    mod manifest;
    mod markdown;
    mod policy;
    mod requests;
    mod robots;
    mod scan;
    mod url;
    mod write;
    mod yaml;
}

use core::fmt::{self, Write};

use agentsdisc_core::manifest::List;

unsafe extern "C" {
    /// Undefined; see above.
    fn agentsdisc_panic_is_reachable() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: this code cannot run: the check rejects a library that needs the symbol, and it
    // cannot be loaded.
    unsafe { agentsdisc_panic_is_reachable() }
}

/// Returns the bytes of an entry point.
///
/// # Safety
/// `data` must point to `length` bytes that live as long as the result.
unsafe fn bytes<'a>(data: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: guaranteed by the caller.
    unsafe { core::slice::from_raw_parts(data, length) }
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

/// Returns the text of an entry point; empty if it is not UTF-8.
///
/// # Safety
/// As for [`bytes`].
unsafe fn text<'a>(data: *const u8, length: usize) -> &'a str {
    // SAFETY: guaranteed by the caller.
    core::str::from_utf8(unsafe { bytes(data, length) }).unwrap_or_default()
}

/// Walks a list to its end.
fn walk<T>(list: List<'_, T>, each: impl FnMut(T)) {
    keep((list.is_empty(), list.is_nothing(), list.mark()));
    list.for_each(each);
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

/// Panics for some inputs; see the feature.
///
/// # Safety
/// `data` must point to `length` bytes.
#[cfg(feature = "deliberate-panic")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_deliberate(data: *const u8, length: usize, index: usize) -> u8 {
    // SAFETY: guaranteed by the caller.
    let bytes = unsafe { bytes(data, length) };
    bytes[index]
}
