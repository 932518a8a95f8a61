#![cfg_attr(not(feature = "std"), no_std)]
// The doc comments are also those of the header, and state the conditions of each call in C terms.
#![allow(clippy::missing_safety_doc)]
// Every module reads or writes memory of C, or implements the unsafe traits of `boundary`.
#![allow(unsafe_code, reason = "the boundary to C")]
// The names are those of the C types.
#![allow(non_camel_case_types)]
// Without some features, shared code may be unused.
#![cfg_attr(
    not(all(
        feature = "policy",
        feature = "call",
        feature = "discovery",
        feature = "check",
        feature = "write",
        feature = "json"
    )),
    allow(dead_code, unused_imports, unused_macros)
)]
//! libagentsdisc: [`agentsdisc_core`] for C.
//!
//! One module per C type or family of types. cbindgen generates the header `include/agentsdisc.h`
//! from this crate; it does not expand macros, so every function and struct is written out and
//! calls the generic functions of `boundary.rs`.
//!
//! Rules for changes:
//! - All `unsafe` reasoning rests on three rules, which `boundary.rs` states: a pointer from C is
//!   checked before it is used; state that the library keeps in the caller's memory begins with a
//!   tag, so that zeroed or foreign memory is recognized; and structs that may grow begin with the
//!   size that the caller knows.
//! - Everything read from a document has the lifetime `'static` here. Every function that takes
//!   bytes states what C must do: keep the bytes while anything read from them is used.
//! - Nothing here interprets documents; values are only copied from Rust structs to C structs.
//! - A struct grows at its end only, and never changes otherwise: `layout.rs` compares it with the
//!   record.

mod adp;
mod adp_request;
#[cfg(feature = "policy")]
mod advice;
mod agents;
mod agents_md;
mod awp;
mod boundary;
#[cfg(feature = "call")]
mod call;
#[cfg(feature = "call")]
mod call_next;
mod capability;
#[cfg(feature = "write")]
mod convert;
#[cfg(feature = "policy")]
mod decision;
mod defaults;
mod detect;
#[cfg(feature = "check")]
mod diagnostics;
#[cfg(feature = "check")]
mod diagnostics_list;
#[cfg(feature = "check")]
mod differences;
#[cfg(feature = "discovery")]
mod discovery;
#[cfg(feature = "discovery")]
mod discovery_names;
#[cfg(feature = "discovery")]
mod discovery_types;
mod document;
mod enumerations;
mod format;
mod holders;
mod http_header;
#[cfg(feature = "identity")]
mod identity;
#[cfg(feature = "json")]
mod json;
#[cfg(any(test, agentsdisc_layout))]
#[forbid(unsafe_code)]
mod layout;
mod links;
mod list;
mod manifest;
mod members;
mod model;
#[cfg(feature = "policy")]
mod offers;
mod output_buffer;
mod parameter;
mod parts;
#[cfg(feature = "policy")]
mod policy;
#[cfg(feature = "policy")]
mod reason;
mod references;
#[cfg(feature = "call")]
mod refusal;
mod robots;
mod robots_txt;
mod severity;
#[cfg(feature = "check")]
mod sorted;
mod status;
mod text;
mod type_expr;
mod url;
mod value;
#[cfg(feature = "identity")]
mod verdict;
mod version;
#[cfg(feature = "policy")]
mod workspace;

pub use adp::*;
pub use adp_request::*;
#[cfg(feature = "policy")]
pub use advice::*;
pub use agents::*;
pub use agents_md::*;
pub use awp::*;
pub use boundary::{AGD_LIST_WORDS, agd_list_state};
#[cfg(feature = "call")]
pub use call::*;
#[cfg(feature = "call")]
pub use call_next::*;
pub use capability::*;
#[cfg(feature = "write")]
pub use convert::*;
#[cfg(feature = "policy")]
pub use decision::*;
pub use defaults::*;
pub use detect::*;
#[cfg(feature = "check")]
pub use diagnostics::*;
#[cfg(feature = "check")]
pub use diagnostics_list::*;
#[cfg(feature = "check")]
pub use differences::*;
#[cfg(feature = "discovery")]
pub use discovery::*;
#[cfg(feature = "discovery")]
pub use discovery_names::*;
#[cfg(feature = "discovery")]
pub use discovery_types::*;
pub use document::*;
pub use enumerations::*;
pub use format::*;
pub use http_header::*;
#[cfg(feature = "identity")]
pub use identity::*;
#[cfg(feature = "json")]
pub use json::*;
pub use links::*;
pub use manifest::*;
pub use members::*;
pub use model::*;
#[cfg(feature = "policy")]
pub use offers::*;
pub use parameter::*;
#[cfg(feature = "policy")]
pub use policy::*;
#[cfg(feature = "policy")]
pub use reason::*;
pub use references::*;
#[cfg(feature = "call")]
pub use refusal::*;
pub use robots::*;
pub use robots_txt::*;
pub use severity::*;
pub use status::*;
pub use text::*;
pub use type_expr::*;
pub use url::*;
pub use value::*;
#[cfg(feature = "identity")]
pub use verdict::*;
pub use version::*;
#[cfg(feature = "policy")]
pub use workspace::*;

// The shared library names the C library that it calls (memcpy, strlen): without std, nothing else does.
#[cfg(all(feature = "panic-handler", unix))]
#[link(name = "c")]
unsafe extern "C" {}

/// Never called, as `cargo xtask nopanic` proves. A library without the standard library still
/// needs a handler.
#[cfg(all(feature = "panic-handler", not(feature = "std")))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    panic_is_reachable()
}

/// The function that the proof must not find in a library. Not inlined, so that its symbol is there
/// if anything can panic.
#[cfg(all(feature = "panic-handler", not(feature = "std")))]
#[inline(never)]
fn panic_is_reachable() -> ! {
    loop {
        core::hint::spin_loop();
    }
}
