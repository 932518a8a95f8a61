//! The formats that a build reads depend on its Cargo features; the formats that it recognizes do
//! not. `cargo xtask test --only features` runs this file without formats, and with one format of
//! each family of two; with `--long`, also with each family alone and with all formats. It names the
//! selection in `AGENTSDISC_FEATURES`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "common/vectors.rs"]
mod vectors;

use agentsdisc_core::{Document, ErrorKind, Format, Hints, Limits, ParseOptions, detect};

/// The formats that are read, each with its shortest vector that is detected without hints.
fn documents() -> Vec<(Format, Vec<u8>)> {
    let vector = |format: Format| {
        let inputs = vectors::files(&vectors::root().join(format.id()), "in").into_iter();
        let detected = inputs.filter(|path| {
            let expected = vectors::expected(path);
            expected["options"].is_null()
                && expected["detect"] == format.id()
                && expected["model"].is_object()
        });
        // A build without JSON formats does not decode names with escapes.
        let plain = |text: &Vec<u8>| !text.contains(&b'\\');
        let texts = detected.map(|path| std::fs::read(path).unwrap()).filter(plain);
        let shortest = texts.min_by_key(Vec::len);
        (format, shortest.unwrap_or_else(|| panic!("{format} has no vector that is detected")))
    };
    Format::ALL.iter().copied().filter(|format| format.is_read()).map(vector).collect()
}

/// The features of this build: `AGENTSDISC_FEATURES`, or the default. `None` if other features are
/// enabled.
fn selected() -> Option<Vec<String>> {
    if cfg!(feature = "full") {
        return Some(vec!["full".to_owned()]);
    }
    let named = std::env::var("AGENTSDISC_FEATURES").ok()?;
    Some(named.split(',').map(str::to_owned).collect())
}

#[test]
fn a_feature_enables_its_formats() {
    let Some(selected) = selected() else { return };
    let has = |feature: &str| selected.iter().any(|name| name == feature);
    for format in Format::ALL.iter().filter(|format| format.is_read()) {
        let [family, own] = [format.feature(), format.facts().feature].map(Option::unwrap);
        assert_eq!(format.is_built_in(), has("full") || has(family) || has(own), "{format}");
    }
}

#[test]
fn every_family_has_formats() {
    let manifest = include_str!("../Cargo.toml");
    let lines = || manifest.lines().filter_map(|line| line.split_once(" = ["));
    let names = |list: &'static str| list.split('"').skip(1).step_by(2);
    let (_, full) = lines().find(|(name, _)| *name == "full").unwrap();
    let parts = ["policy", "call", "discovery", "check", "write", "json"];
    for family in names(full).filter(|name| !parts.contains(name)) {
        let formats = Format::ALL.iter().filter(|format| format.feature() == Some(family));
        let mut own: Vec<&str> = formats.map(|format| format.facts().feature.unwrap()).collect();
        own.dedup();
        let (_, list) = lines().find(|(name, _)| *name == family).unwrap();
        let listed: Vec<&str> = names(list).filter(|name| !name.starts_with("dep:")).collect();
        assert_eq!(own, if listed.is_empty() { vec![family] } else { listed });
    }
}

#[test]
fn every_format_says_how_it_is_published() {
    let read = || Format::ALL.iter().copied().filter(|format| format.is_read());
    let mut places = Vec::new();
    for format in read() {
        let (facts, published) = (format.facts(), format.facts().published);
        for text in [facts.title, published.document, published.specification] {
            assert!(!text.is_empty() && !text.ends_with('.'), "{format}: {text:?}");
        }
        let types = published.serving.map_or(&[][..], |serving| serving.types);
        assert!(facts.locations.is_empty() || !types.is_empty(), "{format} has no media type");
        assert_ne!(published.spec, agentsdisc_core::diagnostic::Spec::Ruling, "{format}");
        places.extend(published.registry);
    }
    places.sort_unstable();
    let count = places.len();
    places.dedup();
    assert_eq!(places.len(), count, "two formats have the same place in a registry");
}

#[test]
fn disabled_formats_are_recognized_but_not_read() {
    let reads_json = Format::ALL.iter().any(|format| format.is_json() && format.is_built_in());
    for (format, text) in documents() {
        let (feature, is_built_in) = (format.feature().unwrap(), format.is_built_in());
        assert_eq!(detect(&text, Hints::default()).format, format, "{}", text.escape_ascii());
        let forced = ParseOptions { format: Some(format), ..ParseOptions::default() };
        let marked = [&b"\xef\xbb\xbf"[..], &text].concat();
        for text in [text.clone(), marked, b"{".to_vec(), Vec::new()] {
            let parsed = Document::parse_as(&text, format, &Limits::default());
            let expected = Document::parse_with(&text, &forced);
            assert_eq!(
                parsed.map(|document| *document.outline()),
                expected.map(|document| *document.outline()),
                "{format}: {}",
                text.escape_ascii()
            );
        }
        for (options, is_forced) in [(ParseOptions::default(), false), (forced, true)] {
            match Document::parse_with(&text, &options) {
                Ok(document) => assert!(is_built_in && document.format() == format, "{format}"),
                Err(error) => {
                    // Without any JSON format, the kind of JSON is not determined.
                    let named = if is_forced || reads_json || !format.is_json() {
                        format
                    } else {
                        Format::Unknown
                    };
                    assert_eq!(
                        (is_built_in, error.kind, error.offset),
                        (false, ErrorKind::NotBuiltIn(named), 0),
                        "{format}"
                    );
                    let expected = if named == format { feature } else { "agents-json" };
                    assert!(
                        error.kind.message().contains(&format!("`{expected}`")),
                        "{format}: {}",
                        error.kind.message()
                    );
                }
            }
        }
    }
}

#[test]
fn other_formats_are_recognized_without_features() {
    for format in Format::ALL.iter().filter(|format| !format.is_read()) {
        assert_eq!((format.feature(), format.is_built_in()), (None, false), "{format}");
        let error = Document::parse_as(b"Allow: /\n", *format, &Limits::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::UnknownFormat, "{format}");
    }
    let error = Document::parse(b"<!doctype html><title>A</title>").unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotADiscoveryDocument(Format::Html));
}

#[cfg(all(feature = "policy", not(feature = "robots-txt")))]
#[test]
fn a_robots_txt_in_a_build_without_it_disallows() {
    use agentsdisc_core::format::robots_txt::RobotsTxt;
    use agentsdisc_core::policy::{Documents, Reason, Request, Robots, decide};
    let documents: [Document<'_>; 0] = [];
    let request = Request::url("ExampleBot", "https://a.example/b");
    let decision =
        decide(Documents::from(&documents), Robots::Found(RobotsTxt::parse(b"")), &request);
    assert_eq!(decision.reason, Reason::RobotsUnreachable);
}

#[cfg(feature = "discovery")]
#[test]
fn only_readable_formats_are_requested() {
    use agentsdisc_core::discovery::{Discovery, Options, Resource, Resources};
    let discovery = Discovery::new("a.example", &Options::default()).unwrap();
    let asked: Vec<Resource> = discovery.attempts().map(|attempt| attempt.resource()).collect();
    let expected: Vec<Resource> = Resource::ALL
        .iter()
        .copied()
        .filter(|kind| kind.is_well_known() && kind.is_built_in())
        .filter(|kind| Resources::DEFAULT.contains(*kind))
        .collect();
    assert_eq!(asked, expected);
    assert_eq!(
        asked.contains(&Resource::AgentsTxt),
        cfg!(any(feature = "agents-txt-draft", feature = "agents-txt-01"))
    );
}
