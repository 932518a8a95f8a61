//! agents.json of the Internet-Draft: reads, checks and writes any bytes.

use agentsdisc_core::{Format, Limits, ParseOptions};

use crate::common;

/// Reads one input.
pub fn run(bytes: &[u8]) {
    common::exercise(
        bytes,
        &ParseOptions { format: Some(Format::AgentsJson), ..ParseOptions::default() },
    );
    let limits = Limits { document: 200, depth: 3, line: 40, ..Limits::DEFAULT };
    common::exercise(
        bytes,
        &ParseOptions { format: Some(Format::AgentsJson), limits, ..ParseOptions::default() },
    );
}
