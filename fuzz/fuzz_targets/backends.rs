//! Every back end gives the same tokens, errors, lines, views and model as the scalar one, wherever blocks begin.
#![no_main]

use agentsdisc_core::scan::{Backend, force};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::line::{Line, Lines};
use agentsdisc_core::{Error, Format, ParseOptions};
use libfuzzer_sys::fuzz_target;
use tokens::{Tokens, tokens};
use received::{model, received};

#[path = "../../core/tests/common/tokens.rs"]
mod tokens;
#[path = "../../core/tests/common/received.rs"]
mod received;

/// Everything that could differ.
#[derive(Debug, PartialEq)]
struct Reading<'a> {
    tokens: Tokens,
    value: Result<&'a [u8], Error>,
    lines: Vec<Line<'a>>,
    /// What each format that is made of JSON or of lines says, in one form.
    models: Vec<Result<Vec<u8>, Error>>,
    /// What one pass over lines says of its blocks.
    received: Result<Vec<String>, Error>,
}

fn read(text: &[u8]) -> Reading<'_> {
    let of = |format| ParseOptions {
        format,
        ..ParseOptions::default()
    };
    let formats = [
        None,
        Some(Format::AgentsJson),
        Some(Format::AgentsTxt),
        Some(Format::RobotsTxt),
    ];
    Reading {
        tokens: tokens(text, 64),
        value: Value::parse(text).map(|value| value.raw()),
        lines: Lines::new(text).collect(),
        models: formats.map(|format| model(text, &of(format))).into(),
        received: received(text, &of(Some(Format::AgentsTxt))),
    }
}

fuzz_target!(|bytes: &[u8]| {
    // Everything shall meet the border of a block somewhere. A first byte that begins no text says by how much the rest is
    // shifted, so that the fuzzer can look for it; texts, such as the seeds, are shifted by what their length gives.
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
});
