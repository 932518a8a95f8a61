//! Valid documents give no error and no warning, except those that `conformance/valid/accepted.json`
//! lists with reasons.

use crate::common::vectors;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use agentsdisc_core::{CheckOptions, Document, ErrorKind, Format, Hints, ParseOptions, Severity};
use agentsdisc_generator::{Kind, Layout, Request, valid};

/// Returns the errors and warnings of a document.
fn found(bytes: &[u8], format: Format, origin: Option<&str>) -> Vec<String> {
    let options = ParseOptions { format: Some(format), ..ParseOptions::default() };
    let document = match Document::parse_with(bytes, &options) {
        Ok(document) => document,
        Err(error) => return vec![format!("parse: {error}")],
    };
    let mut found = Vec::new();
    document.check(&CheckOptions { origin, ..CheckOptions::default() }, |diagnostic| {
        if diagnostic.severity > Severity::Info {
            found.push(format!("{}: {diagnostic}", diagnostic.code));
        }
    });
    found
}

#[test]
fn documents_of_the_corpus_give_no_error_and_no_warning() {
    let root = vectors::root().join("valid");
    let accepted: serde_json::Value =
        serde_json::from_slice(&fs::read(root.join("accepted.json")).unwrap()).unwrap();
    let (mut failures, mut formats, mut used) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let mut count = 0;
    for folder in fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()) {
        let Some(format) = folder.file_name().and_then(|name| Format::from_id(name.to_str()?))
        else {
            assert!(!folder.is_dir(), "{} is no format", folder.display());
            continue;
        };
        formats.insert(format.id());
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            count += 1;
            let name = entry.strip_prefix(&root).unwrap().display().to_string();
            let bytes = fs::read(&entry).unwrap();
            // It must also be recognized, at its well-known place at least.
            let place =
                format.facts().locations.first().map(|path| format!("https://example.com{path}"));
            let hints = Hints { url: place.as_deref(), content_type: None };
            let options = ParseOptions { hints, ..ParseOptions::default() };
            match Document::parse_with(&bytes, &options) {
                Ok(document) if document.format() == format => {}
                Err(error) if accepted[&name]["unknown-format"].is_string() => {
                    assert_eq!(error.kind, ErrorKind::UnknownFormat);
                    used.insert((name.clone(), "unknown-format".to_owned()));
                }
                other => failures.push(format!("{name}: {:?}", other.map(|it| it.format()))),
            }
            for finding in found(&bytes, format, None) {
                let code = finding.split(':').next().unwrap();
                if accepted[&name][code].is_string() {
                    used.insert((name.clone(), code.to_owned()));
                } else {
                    failures.push(format!("{name}: {finding}"));
                }
            }
        }
    }
    for (name, codes) in accepted.as_object().unwrap() {
        for code in codes.as_object().unwrap().keys() {
            if !used.contains(&(name.clone(), code.clone())) {
                failures.push(format!("accepted.json lists {code} of {name}, which is not found"));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert!(count > 60 && formats.len() == 16, "{count} documents of {formats:?}");
}

#[test]
fn generated_documents_give_no_error_and_no_warning() {
    let mut failures = BTreeMap::new();
    for kind in Kind::ALL {
        let format = Format::from_id(kind.id()).unwrap();
        for seed in 0..500 {
            let (size, layout) = match seed % 4 {
                0 => (400, Layout::Minified),
                1 => (1500, Layout::Pretty),
                2 => (2500, Layout::Minified),
                _ => (5000, Layout::Pretty),
            };
            let bytes = valid(&Request { kind, size, layout, seed });
            for finding in found(&bytes, format, None) {
                let code = finding.split(':').next().unwrap().to_owned();
                let case = failures.entry((kind.id(), code)).or_insert((0, seed, finding));
                case.0 += 1;
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
