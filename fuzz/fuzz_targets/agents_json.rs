//! agents.json of the Internet-Draft: reads, checks and writes any bytes.
#![no_main]

use agentsdisc_core::{Format, Limits, ParseOptions};
use libfuzzer_sys::fuzz_target;

mod common;

fuzz_target!(|bytes: &[u8]| {
    common::exercise(
        bytes,
        &ParseOptions { format: Some(Format::AgentsJson), ..ParseOptions::default() },
    );
    let limits = Limits { document: 200, depth: 3, line: 40, ..Limits::DEFAULT };
    common::exercise(
        bytes,
        &ParseOptions { format: Some(Format::AgentsJson), limits, ..ParseOptions::default() },
    );
});
