//! The linker's proof that the core cannot panic.
//!
//! The panic handler below calls a symbol that exists nowhere. If any code that can panic is left after optimisation in
//! what the entry points reach, the finished library needs that symbol; if none is left, it does not. `cargo xtask nopanic`
//! builds this crate at several optimisation levels and looks.
//!
//! # Adding to it
//!
//! Every public function of the core is called here, from a function `nopanic_…` with the C calling convention. Results go
//! through [`keep`], inputs come from the caller's pointers, so that the optimiser can neither drop a call nor know its
//! arguments. One file per part of the core; a new part is a new file beside the others and a `mod` line here. The check
//! compares the names of public functions in `core/src` with the calls in these files and names what is missing. What is
//! left out on purpose is said in a line of the form `// not called: NAME, because …`.
//!
//! # What is outside
//!
//! The features `serde` and `psl` are off. serde-json-core and the parsing of `f64` have code that can panic as far as the linker sees; the
//! Public Suffix List is half a megabyte of generated code that is not ours to keep free of it.
//!
//! `Debug` is not covered: the standard library's own `Debug` of strings and characters keeps code that can panic, in
//! every program. Nothing in the core calls it; it is there for programmers.
#![no_std]

mod agents_md;
mod basics;
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

use core::fmt::{self, Write};

use agentsdisc_core::manifest::List;

unsafe extern "C" {
    /// Exists nowhere; see above.
    fn agentsdisc_panic_is_reachable() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: this code cannot run: a library that needs the symbol is refused by the check and cannot be loaded.
    unsafe { agentsdisc_panic_is_reachable() }
}

/// The bytes an entry point was given.
///
/// # Safety
/// `data` must point to `length` bytes that live as long as the result is used.
unsafe fn bytes<'a>(data: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts(data, length) }
}

/// The buffer an entry point was given.
///
/// # Safety
/// `data` must point to `length` bytes that nobody else uses as long as the result is used.
unsafe fn buffer<'a>(data: *mut u8, length: usize) -> &'a mut [u8] {
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts_mut(data, length) }
}

/// Makes the optimiser believe that somebody looks at `value`.
fn keep<T>(value: T) {
    core::hint::black_box(value);
}

/// The text an entry point was given; empty where it is not UTF-8.
///
/// # Safety
/// As for [`bytes`].
unsafe fn text<'a>(data: *const u8, length: usize) -> &'a str {
    // SAFETY: the caller's promise.
    core::str::from_utf8(unsafe { bytes(data, length) }).unwrap_or_default()
}

/// Walks a list to its end.
fn walk<T>(list: List<'_, T>, each: impl FnMut(T)) {
    keep((list.is_empty(), list.is_nothing(), list.mark()));
    list.for_each(each);
}

/// Writes `value` to where nobody reads it: what `Display` does counts as well.
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
    // SAFETY: the caller's promise.
    let bytes = unsafe { bytes(data, length) };
    bytes[index]
}
