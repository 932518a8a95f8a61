//! Reads any bytes, with every forced format and with the detected format.

use agentsdisc_core::{Document, Format, Hints, ParseOptions, detect};

use crate::common;

/// Reads one input.
pub fn run(bytes: &[u8]) {
    common::exercise(bytes, &ParseOptions::default());
    for &format in Format::ALL {
        common::exercise(bytes, &ParseOptions { format: Some(format), ..ParseOptions::default() });
    }
    for path in Format::ALL.iter().flat_map(|format| format.facts().locations) {
        let hints = Hints { url: Some(*path), content_type: None };
        let detection = detect(bytes, hints);
        let _ = detection.evidence.signs().count();
        if let Ok(document) =
            Document::parse_with(bytes, &ParseOptions { hints, ..ParseOptions::default() })
        {
            assert_eq!(document.format(), detection.format, "parsing and detection agree");
        }
    }
}
