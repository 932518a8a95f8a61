//! The WebAssembly module of the npm package `agentsdisc`.
//!
//! The module has no imports, and its exports take and return numbers, so that nothing but the
//! package's own TypeScript has to be loaded. A question takes three steps:
//!
//! 1. `begin(n)` frees everything and returns the place for `n` bytes: documents, one after the
//!    other ([`input::Source`]). `load()` parses them. They stay until the next `begin`, so that
//!    several questions about the same documents copy and parse them once.
//! 2. `ask(n)` frees what the last question left and returns the place for `n` bytes of arguments.
//! 3. A question, such as `check()`, returns the length of its answer, and `answer()` where it is.
//!    A negative length is that of an error, which is JSON.
//!
//! All memory is one arena ([`arena`]) that these two steps empty, so it does not grow with the
//! number of calls. Nothing in it has to survive: after a trap, the package makes a new instance.

#![cfg_attr(target_arch = "wasm32", no_std)]
// Elsewhere only the lints look at it.
#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code, unreachable_pub))]

extern crate alloc;

#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code)]
mod abi;
#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code)]
mod arena;
#[cfg(feature = "full")]
mod call;
#[cfg(feature = "full")]
mod documents;
#[cfg(feature = "identity")]
mod identity;
mod input;
mod json;
#[cfg(feature = "full")]
#[allow(unsafe_code)]
mod kept;
#[cfg(feature = "robots")]
mod policy;
#[cfg(feature = "readiness")]
mod readiness;
#[cfg(feature = "robots")]
mod robots;
#[cfg(feature = "full")]
mod site;
