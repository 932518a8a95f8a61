//! Reads documents of every selected format, decides, runs a discovery, and prints each result as a
//! digest of all values.
//!
//! The program runs on two platforms: on a Cortex-M3 (`board.rs`) the documents are in flash and the
//! output goes to the debugger by semihosting; on a host it goes to standard output.
//! `cargo xtask embedded` runs both and compares the output.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod board;
#[cfg(feature = "call")]
mod call;
mod calls;
#[cfg(feature = "policy")]
mod decision;
mod digest;
#[cfg(feature = "discovery")]
mod discovery;
mod documents;
#[cfg(feature = "identity")]
mod identity;
mod model;
mod store;
mod terminal;
#[cfg(any(feature = "write", feature = "json"))]
mod written;

use agentsdisc_core::{Hints, ParseOptions};

use digest::Digest;
use documents::{VECTORS, Vector};
use store::Store;
use terminal::{Terminal, line};

#[cfg(not(target_os = "none"))]
fn main() {
    struct Output;
    impl Terminal for Output {
        fn put(&mut self, text: &str) {
            print!("{text}");
        }
    }
    run(&mut Output, &mut Store::new());
}

fn run(terminal: &mut impl Terminal, store: &mut Store) {
    VECTORS.iter().for_each(|vector| read(terminal, vector, store));
    #[cfg(feature = "deliberate-panic")]
    line(terminal, &[VECTORS[core::hint::black_box(0)].name], None);
    #[cfg(feature = "deliberate-recursion")]
    line(terminal, &["deep: "], Some(deep(core::hint::black_box(3))));
    #[cfg(feature = "discovery")]
    discovery::print(terminal, &mut store.discovery);
    #[cfg(feature = "identity")]
    identity::print(terminal);
    #[cfg(target_os = "none")]
    structs(terminal);
}

/// Sizes of the values that a caller keeps; they differ on a host.
#[cfg(target_os = "none")]
fn structs(terminal: &mut impl Terminal) {
    use core::mem::size_of;
    line(
        terminal,
        &["size of Document: "],
        Some(size_of::<agentsdisc_core::Document<'_>>() as u32),
    );
    line(
        terminal,
        &["size of Capability: "],
        Some(size_of::<agentsdisc_core::manifest::Capability<'_>>() as u32),
    );
    #[cfg(feature = "policy")]
    line(
        terminal,
        &["size of Workspace: "],
        Some(size_of::<agentsdisc_core::policy::Workspace>() as u32),
    );
    #[cfg(feature = "policy")]
    line(
        terminal,
        &["size of Decision: "],
        Some(size_of::<agentsdisc_core::policy::Decision<'_>>() as u32),
    );
    #[cfg(feature = "discovery")]
    line(
        terminal,
        &["size of Discovery: "],
        Some(size_of::<agentsdisc_core::discovery::Discovery>() as u32),
    );
}

#[inline(never)]
#[cfg_attr(
    not(any(feature = "policy", feature = "write", feature = "json")),
    expect(unused_variables, reason = "nothing large is needed")
)]
fn read(terminal: &mut impl Terminal, vector: &Vector, store: &mut Store) {
    line(terminal, &[vector.name], None);
    // Only the location identifies a robots.txt.
    let url = vector.name.starts_with("robots-txt").then_some("https://a.example/robots.txt");
    let options =
        ParseOptions { hints: Hints { url, ..Hints::default() }, ..ParseOptions::default() };
    terminal.begin();
    let parsed = calls::parse(vector.bytes, &options);
    terminal.end("parse");
    let Ok(document) = parsed else {
        line(terminal, &["  cannot be read"], None);
        return;
    };
    let mut digest = Digest::new();
    terminal.begin();
    model::add(&mut digest, &document.manifest());
    terminal.end("read");
    #[cfg(feature = "ids")]
    let format = calls::format_id(&document);
    #[cfg(not(feature = "ids"))]
    let format = digest.instead_of_id(document.format() as u32);
    line(terminal, &["  ", format, ", values: "], Some(digest.sum()));
    #[cfg(feature = "check")]
    {
        terminal.begin();
        let found = calls::check(&document);
        terminal.end("check");
        line(terminal, &["  diagnostics: "], Some(found));
    }
    #[cfg(any(feature = "write", feature = "json"))]
    written::print(terminal, &document, &mut store.buffer);
    #[cfg(feature = "policy")]
    decision::print(terminal, document, store);
}

/// A deliberate recursion, which `cargo xtask embedded` must find.
#[cfg(feature = "deliberate-recursion")]
#[inline(never)]
fn deep(levels: u32) -> u32 {
    if levels == 0 { 0 } else { deep(core::hint::black_box(levels - 1)) + core::hint::black_box(1) }
}
