//! Runs the conformance vectors through a C program and compares its output with the core's
//! results. The tests of the core compare the core's results with the vectors.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use agentsdisc_core::{CheckOptions, Document, Format, Hints, Limits, ParseOptions, detect};
use serde_json::{Value, json};

mod compile;
#[path = "../../core/tests/common/vectors.rs"]
mod vectors;

/// A vector: its name and its options.
struct Vector {
    name: String,
    input: Vec<u8>,
    options: Value,
    /// Expected robots.txt decisions: agent, URL, whether it is allowed, and the line of the deciding rule.
    decisions: Vec<Value>,
}

fn all_vectors() -> Vec<Vector> {
    let (root, paths) = (vectors::root(), vectors::inputs());
    let read = |path: &PathBuf| {
        let expected = vectors::expected(path);
        Vector {
            name: path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"),
            input: fs::read(path).unwrap(),
            options: expected.get("options").cloned().unwrap_or_default(),
            decisions: expected["decisions"].as_array().cloned().unwrap_or_default(),
        }
    };
    paths.iter().map(read).collect()
}

/// Returns the list of vectors for the C program.
fn list(vectors: &[Vector]) -> String {
    let mut list = String::new();
    for Vector { name, options, .. } in vectors {
        let text = |member: &str| options[member].as_str().unwrap_or("-");
        let limit = |member: &str| {
            options["limits"][member].as_u64().map_or("-".into(), |limit| limit.to_string())
        };
        let fields = [text("format"), text("url"), text("content_type"), text("origin")];
        assert!(
            fields.iter().all(|field| !field.contains(['\t', '\n', '\0']) && !field.is_empty()),
            "{name}"
        );
        writeln!(
            list,
            "{name}\t{}\t{}\t{}\t{}",
            fields.join("\t"),
            limit("document"),
            limit("depth"),
            limit("line")
        )
        .unwrap();
    }
    list
}

/// Returns the robots.txt questions of all vectors for the C program, and the expected answers.
fn questions(vectors: &[Vector]) -> (String, Vec<String>) {
    let (mut list, mut answers) = (String::new(), Vec::new());
    // The program uses the default limits.
    for Vector { name, decisions, .. } in
        vectors.iter().filter(|vector| vector.options["limits"].is_null())
    {
        for decision in decisions {
            let text = |member: &str| {
                decision[member].as_str().unwrap_or_else(|| panic!("{name}: {member}"))
            };
            // The program reads one question from each line, so its texts have no control characters.
            if [text("agent"), text("url")].concat().contains(|c: char| c.is_ascii_control()) {
                continue;
            }
            let question = format!("{name}\t{}\t{}", text("agent"), text("url"));
            let line = decision["line"].as_u64().map_or("-".into(), |line| line.to_string());
            answers.push(format!(
                "{question}\t{}\t{line}",
                if decision["allowed"].as_bool().unwrap() { "allowed" } else { "disallowed" }
            ));
            writeln!(list, "{question}").unwrap();
        }
    }
    (list, answers)
}

/// Returns the core's result for a vector in the form of the program's output: fields, and JSON in the last three.
fn expected(vector: &Vector) -> Vec<String> {
    let Vector { name, input, options, .. } = vector;
    let hints =
        Hints { url: options["url"].as_str(), content_type: options["content_type"].as_str() };
    let limit = |member: &str, default: usize| {
        options["limits"][member].as_u64().map_or(default, |n| n as usize)
    };
    let limits = Limits {
        document: limit("document", Limits::DEFAULT.document),
        depth: limit("depth", Limits::DEFAULT.depth),
        line: limit("line", Limits::DEFAULT.line),
        ..Limits::DEFAULT
    };
    let format = options["format"].as_str().map(|id| Format::from_id(id).unwrap());
    let mut fields = vec![name.clone(), detect(input, hints).format.id().to_string()];
    match Document::parse_with(input, &ParseOptions { format, hints, limits }) {
        Err(error) => {
            let position = error.position(input);
            fields.extend(["error", error.kind.as_str()].map(String::from));
            fields.extend([
                error.offset.to_string(),
                position.line.to_string(),
                position.column.to_string(),
            ]);
            fields.push(error.kind.message().to_string());
        }
        Ok(document) => {
            let mut text = vec![0; document.json_len()];
            document.write_json(&mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            let mut diagnostics = Vec::new();
            let check =
                CheckOptions { origin: options["origin"].as_str(), ..CheckOptions::default() };
            document.check(&check, |found| {
                let position = document.position(found.span.start as usize);
                diagnostics.push(json!({
                    "code": found.code.as_str(), "severity": found.severity.as_str(), "start": found.span.start, "end": found.span.end,
                    "line": position.line, "column": position.column, "spec": found.spec.as_str(), "section": found.section,
                    "message": found.to_string(),
                }));
            });
            fields.extend([
                "model".into(),
                text.clone(),
                text,
                Value::from(diagnostics).to_string(),
            ]);
        }
    }
    fields
}

/// The C program that runs vectors, compiled once for all tests; `None` where there is no compiler.
fn program() -> Option<&'static PathBuf> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let compile = || {
        let source = compile::package().join("tests/c/conformance.c");
        let compiler = compile::compilers(&source).into_iter().next()?;
        Some(compile::compile(compiler, &source))
    };
    PROGRAM.get_or_init(compile).as_ref()
}

#[test]
fn robots_decisions_in_c_match_the_vectors() {
    let (list, mut expected) = questions(&all_vectors());
    // Two questions that do not depend on the vectors.
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("decisions.robots");
    fs::write(&file, "User-agent: FooBot\nDisallow: /private\n").unwrap();
    let own = file.to_str().unwrap();
    let questions = format!("{list}{own}\tFooBot\t/private/x\n{own}\t\thttps://example.com/x\n");
    expected.push(format!("{own}\tFooBot\t/private/x\tdisallowed\t2"));
    expected.push(format!("{own}\t\thttps://example.com/x\tdisallowed\t-"));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("decisions.tsv");
    fs::write(&path, questions).unwrap();
    let Some(program) = program() else { return };
    let output = String::from_utf8(
        compile::run(program, &[&compile::vectors(), Path::new("--decisions"), &path]).stdout,
    )
    .unwrap();
    assert_eq!(output.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn c_and_rust_agree_on_every_vector() {
    let vectors = all_vectors();
    let Some(program) = program() else { return };
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("vectors.tsv");
    fs::write(&path, list(&vectors)).unwrap();
    let output =
        String::from_utf8(compile::run(program, &[&compile::vectors(), &path]).stdout).unwrap();
    let lines: Vec<_> = output.lines().collect();
    assert_eq!(lines.len(), vectors.len());
    let parse = |text: &str, name: &str| -> Value {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"))
    };
    for (line, vector) in lines.iter().zip(&vectors) {
        let (actual, expected) = (line.split('\t').collect::<Vec<_>>(), expected(vector));
        let name = &vector.name;
        assert_eq!(actual.len(), expected.len(), "{name}: {line}");
        assert_eq!(actual[..3], expected[..3], "{name}");
        if expected[2] == "error" {
            assert_eq!(actual, expected, "{name}");
            continue;
        }
        assert_eq!(actual[3], expected[3], "{name}: the model that the library writes");
        assert_eq!(
            parse(actual[4], name),
            parse(&expected[4], name),
            "{name}: the model walked in C"
        );
        assert_eq!(parse(actual[5], name), parse(&expected[5], name), "{name}: the diagnostics");
    }
}
