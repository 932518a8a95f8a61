//! All back ends return the same tokens, errors, lines, views and models as the scalar one, at any
//! offset of the blocks.

use agentsdisc_core::scan::{Backend, force};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::line::{Line, Lines};
use agentsdisc_core::{Error, Format, ParseOptions};
use received::{model, received};
use tokens::{Tokens, tokens};

#[path = "../../core/tests/common/received.rs"]
mod received;
#[path = "../../core/tests/common/tokens.rs"]
mod tokens;

/// Everything that back ends could change.
#[derive(Debug, PartialEq)]
struct Reading<'a> {
    tokens: Tokens,
    value: Result<&'a [u8], Error>,
    lines: Vec<Line<'a>>,
    /// The model of each JSON and line-based format, as JSON.
    models: Vec<Result<Vec<u8>, Error>>,
    /// The items that one pass over lines reports.
    received: Result<Vec<String>, Error>,
}

fn read(text: &[u8]) -> Reading<'_> {
    let of = |format| ParseOptions { format, ..ParseOptions::default() };
    let formats =
        [None, Some(Format::AgentsJson), Some(Format::AgentsTxt), Some(Format::RobotsTxt)];
    Reading {
        tokens: tokens(text, 64),
        value: Value::parse(text).map(|value| value.raw()),
        lines: Lines::new(text).collect(),
        models: formats.map(|format| model(text, &of(format))).into(),
        received: received(text, &of(Some(Format::AgentsTxt))),
    }
}

/// Reads one input.
pub fn run(bytes: &[u8]) {
    // Every part of the input should be at the border of a block in some run. If the first byte
    // cannot begin a text, it selects the offset of the rest, so that the fuzzer can vary it. Other
    // inputs, such as the seeds, are shifted by their length.
    let (shift, text) = match bytes {
        [shift @ 0x80..=0xBF, rest @ ..] => (usize::from(*shift), rest),
        _ => (bytes.len(), bytes),
    };
    let text = [&b" ".repeat(shift % 64), text].concat();
    force(Some(Backend::Scalar));
    let plain = read(&text);
    for &backend in Backend::ALL {
        if backend != Backend::Scalar && force(Some(backend)) {
            assert_eq!(read(&text), plain, "{backend:?}");
        }
    }
    force(None);
}
