//! agents.md: everything is read, checked and written, whatever the bytes are.
#![no_main]

use agentsdisc_core::{Document, Format, Limits, ParseOptions};
use libfuzzer_sys::fuzz_target;

mod common;

fuzz_target!(|bytes: &[u8]| {
    let options = ParseOptions { format: Some(Format::AgentsMd), ..ParseOptions::default() };
    common::exercise(bytes, &options);
    let limits = Limits { document: 200, depth: 3, line: 40, ..Limits::DEFAULT };
    common::exercise(bytes, &ParseOptions { limits, ..options });
});
