//! Cuts each vector at each byte: it parses or returns an error, and views of the rest, even with
//! the outline of the whole, never panic. Vectors over 8 KB are cut at a sample of offsets.
use crate::common::vectors;

use std::fs;

use agentsdisc_core::manifest::Raw;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{CheckOptions, Document, Format, ParseOptions};

use crate::common::inside::assert_inside;
use crate::common::walk;

/// Checks that all texts are slices of the rest.
struct Inside<'b> {
    bytes: &'b [u8],
}

impl walk::Visitor for Inside<'_> {
    fn text(&mut self, text: Text<'_>) {
        assert_inside(self.bytes, text.raw());
        // The id of an operation begins with its method, which is another text of the document.
        assert!(text.chars().count() <= text.raw().len() + "options ".len());
    }

    fn raw(&mut self, raw: Raw<'_>) {
        match raw {
            Raw::Text(text) => self.text(text),
            Raw::Json(value) => assert_inside(self.bytes, value.raw()),
        }
    }

    fn number(&mut self, _: u64) {}

    fn source(&mut self, source: &[u8]) {
        assert_inside(self.bytes, source);
    }
}

/// Reads, checks and writes everything in the views. Spans are checked if the outline belongs to
/// the document.
fn exercise(document: &Document<'_>, own: bool) {
    walk::manifest(&document.manifest(), &mut Inside { bytes: document.bytes() });
    let length = document.json_len();
    let mut model = vec![0; length];
    assert_eq!(document.write_json(&mut model), Ok(length));
    document.check(&CheckOptions::default(), |diagnostic| {
        assert!(
            !own || diagnostic.span.end as usize <= document.bytes().len(),
            "{diagnostic} points outside"
        );
        assert!(!diagnostic.to_string().is_empty());
    });
}

fn cut(bytes: &[u8], at: usize, whole: &[Document<'_>]) {
    let head = &bytes[..at];
    match Document::parse(head) {
        Ok(document) => {
            exercise(&document, true);
            let mut model = vec![0; document.json_len()];
            document.write_json(&mut model).unwrap();
            serde_json::from_slice::<serde_json::Value>(&model).unwrap();
        }
        Err(error) => assert!(error.offset <= at, "{error}"),
    }
    for document in whole {
        // The outline of the whole with the bytes of the rest: wrong results, but no panic.
        exercise(&Document::attach(head, *document.outline()), false);
    }
}

/// Returns the offsets to cut at: a sample if the document is long.
fn places(length: usize) -> impl Iterator<Item = usize> {
    let step = if length > 8 << 10 { length / 16 } else { 1 };
    (0..length).step_by(step)
}

#[test]
fn every_vector_can_be_cut_anywhere() {
    let paths = vectors::inputs();
    for path in &paths {
        let bytes = fs::read(path).unwrap();
        let whole: Vec<_> = Document::parse(&bytes).into_iter().collect();
        for at in places(bytes.len()) {
            cut(&bytes, at, &whole);
        }
    }
}

#[test]
fn an_outline_with_other_bytes_never_panics() {
    let paths = vectors::inputs();
    let all: Vec<_> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    for (number, bytes) in all.iter().enumerate().filter(|(_, bytes)| bytes.len() <= 8 << 10) {
        let Ok(document) = Document::parse(bytes) else {
            continue;
        };
        for step in 1..6 {
            let other = &all[(number + step * 37) % all.len()];
            if other.len() <= 8 << 10 {
                exercise(&Document::attach(other, *document.outline()), false);
            }
        }
        // Views of bytes that are neither UTF-8 nor of any grammar.
        let noise: Vec<u8> = (0..bytes.len()).map(|at| (at * 151 + at / 7) as u8).collect();
        exercise(&Document::attach(&noise, *document.outline()), false);
    }
}

#[test]
fn a_forced_format_parses_or_returns_an_error() {
    let paths = vectors::inputs();
    for path in &paths {
        let bytes = fs::read(path).unwrap();
        for &format in Format::ALL {
            for at in [bytes.len(), bytes.len() / 2, bytes.len() / 3] {
                let options = ParseOptions { format: Some(format), ..ParseOptions::default() };
                if let Ok(document) = Document::parse_with(&bytes[..at], &options) {
                    exercise(&document, true);
                }
            }
        }
    }
}
