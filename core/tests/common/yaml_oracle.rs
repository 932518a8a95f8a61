//! Compares the YAML subset with a YAML 1.2 library, for the property tests and the fuzz target.
#![allow(unreachable_pub, dead_code)]

use agentsdisc_core::syntax::yaml::{Event, Events, Style};

/// An event in a common form for both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Mapping,
    Sequence,
    End,
    Scalar(String, Style),
    Unsupported(String),
}

pub fn ours(text: &str) -> Vec<Step> {
    Events::new(text.as_bytes(), 64)
        .map(|event| match event {
            Event::Mapping => Step::Mapping,
            Event::Sequence => Step::Sequence,
            Event::End => Step::End,
            Event::Key(scalar) | Event::Scalar(scalar) => {
                let decoded = scalar.text.to_string();
                assert_eq!(scalar.text.decoded_len(), decoded.len());
                Step::Scalar(decoded, scalar.style)
            }
            Event::Unsupported(unsupported) => {
                Step::Unsupported(String::from_utf8_lossy(unsupported.raw).into_owned())
            }
        })
        .collect()
}

/// Returns what saphyr-parser reads, or `None` for an error or something outside the subset.
pub fn oracle(text: &str) -> Option<Vec<Step>> {
    use saphyr_parser::{Event, Parser, ScalarStyle};
    let mut steps = Vec::new();
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        steps.push(match event.ok()?.0 {
            Event::MappingStart(0, None) => Step::Mapping,
            Event::SequenceStart(0, None) => Step::Sequence,
            Event::MappingEnd | Event::SequenceEnd => Step::End,
            Event::Scalar(text, style, 0, None) => {
                let style = match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::SingleQuoted => Style::SingleQuoted,
                    ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
                    ScalarStyle::Literal => Style::Literal,
                    ScalarStyle::Folded => Style::Folded,
                };
                // The library returns `~` for an absent value.
                Step::Scalar(text.into_owned(), style)
            }
            Event::DocumentStart(_) => {
                documents += 1;
                continue;
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => continue,
            _ => return None,
        });
    }
    (documents <= 1).then_some(steps)
}

pub fn normal(steps: Vec<Step>) -> Vec<Step> {
    let null = |step| {
        if step == Step::Scalar("~".into(), Style::Plain) {
            Step::Scalar(String::new(), Style::Plain)
        } else {
            step
        }
    };
    steps.into_iter().map(null).collect()
}

pub fn is_read(steps: &[Step]) -> bool {
    !steps.iter().any(|step| matches!(step, Step::Unsupported(_)))
}

/// Checks that every text that is accepted without a diagnostic is read like the library reads it.
pub fn compare(text: &str) {
    // The library counts the spaces of a last line without a line break as a line.
    let text = format!("{text}\n");
    let steps = ours(&text);
    let expected = oracle(&text).map(normal);
    // The library rejects some tabs between tokens, and comments and empty lines around block
    // scalars, which YAML allows. It also rejects, like YAML, a flow collection directly after the
    // colon of a plain key, which this library reads.
    let strict = expected.is_none()
        && (text.contains(['\t', '|', '>']) || text.contains(":[") || text.contains(":{"));
    if is_read(&steps) && !strict {
        assert_eq!(Some(normal(steps)), expected, "{text:?}");
    }
}

/// Pieces of texts at the border between the subset and the rest of YAML.
pub const PARTS: &[&str] = &[
    "a",
    "b",
    "key",
    ":",
    ": ",
    "- ",
    "-",
    "\n",
    "\n",
    "\n",
    "\n  ",
    "\n    ",
    "\n ",
    " ",
    "  ",
    "\t",
    "#",
    " #",
    "'",
    "\"",
    "\\n",
    "\\\n",
    "\\x41",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    "|",
    ">",
    "|-\n",
    ">+\n",
    "|2\n",
    "&",
    "*",
    "!",
    "?",
    "? ",
    "---",
    "...",
    "%",
    "@",
    "1.0",
    "~",
    "é",
    "a: b\n",
    "c:\n  d: e\n",
    "- f\n",
    "key: 'x",
    "\r\n",
    "\r",
];
