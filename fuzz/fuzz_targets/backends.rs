//! Every back end gives the same tokens, errors, lines, views and model as the scalar one, wherever blocks begin.
#![no_main]

use agentsdisc_core::scan::{Backend, force};
use agentsdisc_core::syntax::json::{Token, TokenKind, Tokenizer, Value};
use agentsdisc_core::syntax::line::{Line, Lines};
use agentsdisc_core::{Document, Error, Format, ParseOptions};
use libfuzzer_sys::fuzz_target;

/// A token's kind, place, text, and whether it says that it holds escapes.
type Seen = (TokenKind, u32, u32, Option<(String, bool)>);

/// Everything that could differ.
#[derive(Debug, PartialEq)]
struct Reading<'a> {
    tokens: (Vec<Seen>, Option<Error>),
    value: Result<&'a [u8], Error>,
    lines: Vec<Line<'a>>,
    /// What each format that is made of JSON or of lines says, in one form.
    models: Vec<Result<Vec<u8>, Error>>,
}

fn seen(token: Token<'_>) -> Seen {
    (token.kind, token.span.start, token.span.end, token.text().map(|text| (text.to_string(), text.is_escaped())))
}

/// The first `asked` tokens asked for, the rest given to a function.
fn tokens(text: &[u8], asked: usize) -> (Vec<Seen>, Option<Error>) {
    let mut tokens = Tokenizer::with_depth(text, 64);
    let mut found = Vec::new();
    for _ in 0..asked {
        match tokens.next_token() {
            Ok(None) => return (found, None),
            Ok(Some(token)) => found.push(seen(token)),
            Err(error) => {
                assert_eq!(tokens.next_token().err(), Some(error), "the error stays");
                return (found, Some(error));
            }
        }
    }
    let error = tokens.for_each(|token| found.push(seen(token))).err();
    (found, error)
}

fn model(text: &[u8], format: Option<Format>) -> Result<Vec<u8>, Error> {
    let document = Document::parse_with(text, &ParseOptions { format, ..ParseOptions::default() })?;
    let mut json = Vec::new();
    document.put_json(&mut |piece: &[u8]| json.extend_from_slice(piece));
    Ok(json)
}

fn read(text: &[u8]) -> Reading<'_> {
    let all = tokens(text, usize::MAX);
    for asked in [0, 1, all.0.len() / 2, all.0.len()] {
        assert_eq!(tokens(text, asked), all, "{asked} asked for");
    }
    let formats = [None, Some(Format::AgentsJson), Some(Format::AgentsTxt), Some(Format::RobotsTxt)];
    Reading {
        tokens: all,
        value: Value::parse(text).map(|value| value.raw()),
        lines: Lines::new(text).collect(),
        models: formats.map(|format| model(text, format)).into(),
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
