//! The feature `serde`: writing the unified model through any serializer, and reading what documents pass on into types.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use agentsdisc_core::manifest::Raw;
use agentsdisc_core::serde_support::DeserializeError;
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::{Escape, Text};
use agentsdisc_core::{Document, Format, Hints, Limits, Outline, ParseOptions};
use proptest::prelude::*;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

fn inputs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            inputs(&path, found);
        } else if !path.to_string_lossy().ends_with(".json") || path.starts_with(root().join("samples")) {
            found.push(path);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().into()
}

/// A document as it is parsed for its vector.
fn parse(path: &Path, bytes: &'static [u8]) -> Option<Document<'static>> {
    let case = fs::read(path.with_extension("json")).unwrap_or_default();
    let case: serde_json::Value = serde_json::from_slice(&case).unwrap_or_default();
    let options = &case["options"];
    let limit = |name: &str, default: usize| options["limits"][name].as_u64().map_or(default, |n| n as usize);
    let options = ParseOptions {
        format: options["format"].as_str().and_then(Format::from_id),
        hints: Hints { url: options["url"].as_str().or(path.to_str()), content_type: options["content_type"].as_str() },
        limits: Limits {
            document: limit("document", Limits::DEFAULT.document),
            depth: limit("depth", Limits::DEFAULT.depth),
            line: limit("line", Limits::DEFAULT.line),
            ..Limits::DEFAULT
        },
    };
    Document::parse_with(bytes, &options).ok()
}

/// What our own writer writes.
fn ours(document: &Document<'_>) -> serde_json::Value {
    let mut text = Vec::new();
    document.put_json(&mut |piece: &[u8]| text.extend_from_slice(piece));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&text)))
}

/// Every number as a double: serde-json-core writes `1e2` as `100.0`.
fn normalised(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Number(number) => number.as_f64().map_or_else(|| value.clone(), Into::into),
        serde_json::Value::Array(items) => items.iter().map(normalised).collect(),
        serde_json::Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), normalised(value))).collect::<serde_json::Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

/// The paths of all members, without what stands in metadata and raw values.
fn members(value: &serde_json::Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Array(items) => items.iter().for_each(|item| members(item, path, found)),
        serde_json::Value::Object(object) => {
            for (name, value) in object {
                let path = format!("{path}.{name}");
                if !matches!(name.as_str(), "metadata" | "extra" | "features" | "default" | "example" | "items" | "options") {
                    members(value, &path, found);
                }
                found.insert(path);
            }
        }
        _ => {}
    }
}

/// What no vector has: a robots.txt with everything.
const ROBOTS: &[u8] = b"User-agent: a\nUser-agent: b\xff\nAllow: /x\nDisallow: /\nCrawl-delay: 1.5\nSitemap: https://a.example/s.xml\n";

/// Documents with what serializers may stumble over.
const AWKWARD: &[&str] = &[
    r#"{"specVersion":"1.0","site":{"name":"\ud83d\ude00 \ud800 \"q\" \\ \n\u0001","url":"https:\/\/a.example"},"capabilities":[],
        "metadata":{"a":1,"a":2,"\u0061":{"\n":[[],{},null,true,-0,-1,0.1,1E2,9223372036854775808,-9223372036854775808,1e-7,5e-324]}}}"#,
    r#"{"specVersion":"1.0","site":{"name":"A","url":"https://a.example"},"agents":{"none":{"capabilities":[]},"all":{},"odd":{"capabilities":7}},
        "capabilities":[{"id":"x","endpoint":"/x","protocol":"Gopher","auth":"odd","rateLimit":"often","parameters":[{"name":"p","options":[1,"a"]}, 5]}]}"#,
    r#"{"awp_version":"0.2","hints":{"a":{"b":[1,2]},"c":"d"},"protocols":{"x402":{"network":"base"}},"errors":{"E":{"recovery":"wait","x":1}}}"#,
];

#[test]
fn every_serializer_writes_the_model() {
    let mut paths = Vec::new();
    inputs(&root().join("conformance"), &mut paths);
    inputs(&root().join("samples"), &mut paths);
    let texts = paths.iter().map(|path| (path.display().to_string(), parse(path, fs::read(path).unwrap().leak())));
    let options = ParseOptions { format: Some(Format::RobotsTxt), ..ParseOptions::default() };
    let robots = Document::parse_with(ROBOTS, &options).ok();
    let awkward = AWKWARD.iter().map(|text| (text.to_string(), Some(Document::parse(text.as_bytes()).unwrap())));
    let (mut documents, mut found) = (0, BTreeSet::new());
    let mut buffer = vec![0; 8 << 20];
    for (name, document) in texts.chain(awkward).chain([("robots.txt".into(), robots)]) {
        let Some(document) = document else { continue };
        documents += 1;
        let ours = ours(&document);
        // As text as well, which shows the order of members.
        let theirs = serde_json::to_value(document).unwrap();
        assert_eq!(theirs.to_string(), ours.to_string(), "{name}");
        assert_eq!(serde_json::to_value(document.manifest()).unwrap(), theirs, "{name}");
        let length = serde_json_core::to_slice(&document, &mut buffer).unwrap();
        let theirs: serde_json::Value = serde_json::from_slice(&buffer[..length]).unwrap();
        assert_eq!(normalised(&theirs), normalised(&ours), "{name}");
        members(&ours, "", &mut found);
    }
    assert!(documents > 500, "only {documents} documents");
    eprintln!("{documents} {found:#?}");
}
