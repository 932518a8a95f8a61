//! Access to the conformance vectors, for all tests that use them.
#![allow(unreachable_pub, dead_code, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use agentsdisc_core::{Document, Error, Format, Hints, ParseOptions};
use serde_json::Value;

/// Returns the folder `conformance/`, from any package of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance")
}

/// Returns all files with this extension below a folder, ordered by name.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns the documents of all vectors.
pub fn inputs() -> Vec<PathBuf> {
    let found = files(&root(), "in");
    assert!(found.len() > 100, "only {} vectors in {}", found.len(), root().display());
    found
}

/// Returns the expectation of a vector for the document at `path`.
pub fn expected(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path.with_extension("json")).unwrap()).unwrap()
}

/// Reads the document of a vector with the vector's format and hints.
pub fn parse<'a>(input: &'a [u8], expected: &Value) -> Result<Document<'a>, Error> {
    let options = &expected["options"];
    let hints =
        Hints { url: options["url"].as_str(), content_type: options["content_type"].as_str() };
    let format = options["format"].as_str().and_then(Format::from_id);
    Document::parse_with(input, &ParseOptions { format, hints, ..ParseOptions::default() })
}

/// Returns the bytes of a document or robots.txt that a vector contains line by line.
pub fn lines(value: &Value) -> Vec<u8> {
    let lines: Vec<_> =
        value["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    (lines.join("\n") + "\n").into_bytes()
}

/// Returns the bytes of a document in a vector of `policy/` or `call/`: its lines, or its JSON.
pub fn bytes(document: &Value) -> Vec<u8> {
    match &document["json"] {
        Value::Null => lines(document),
        json => json.to_string().into_bytes(),
    }
}

/// Reads a document of such a vector. Its format can be `unknown`.
pub fn read<'a>(bytes: &'a [u8], document: &Value) -> Result<Document<'a>, Error> {
    let format = match document["format"].as_str() {
        Some("unknown") => return Ok(Document::unread(bytes)),
        id => id.map(|id| Format::from_id(id).unwrap()),
    };
    let options = ParseOptions { format, ..ParseOptions::default() };
    Document::parse_with(bytes, &options)
}

/// Whether the actual value contains the expected one: the named members of an object (`null` means
/// absent), all items of a list.
pub fn holds(expected: &Value, actual: Option<&Value>) -> bool {
    match (expected, actual) {
        (Value::Null, actual) => actual.is_none(),
        (Value::Object(expected), Some(actual)) => {
            expected.iter().all(|(name, expected)| holds(expected, actual.get(name)))
        }
        (Value::Array(expected), Some(Value::Array(actual))) => {
            expected.len() == actual.len()
                && expected
                    .iter()
                    .zip(actual)
                    .all(|(expected, actual)| holds(expected, Some(actual)))
        }
        (expected, actual) => Some(expected) == actual,
    }
}
