//! The vectors of `conformance/`, run through the public API.
use crate::common::vectors;

use std::fs;

use agentsdisc_core::call::put_schema;
use agentsdisc_core::format::credentials::mask;
use agentsdisc_core::manifest::{Capability, Enumeration};
use agentsdisc_core::{CheckOptions, Document, Format, Hints, Limits, ParseOptions, detect};
use serde_json::{Value, json};

/// Converts all numbers to doubles, so that `1e2` equals `100`.
fn normalised(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or_else(|| value.clone(), Into::into),
        Value::Array(items) => items.iter().map(normalised).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), normalised(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// Returns the result for a vector, in the form of the vector.
fn actual(input: &[u8], expected: &Value) -> Value {
    let options = &expected["options"];
    let hints =
        Hints { url: options["url"].as_str(), content_type: options["content_type"].as_str() };
    let limit = |name: &str, default: usize| {
        options["limits"][name].as_u64().map_or(default, |n| n as usize)
    };
    let limits = Limits {
        document: limit("document", Limits::DEFAULT.document),
        depth: limit("depth", Limits::DEFAULT.depth),
        line: limit("line", Limits::DEFAULT.line),
        robots: limit("robots", Limits::DEFAULT.robots),
    };
    let format = options["format"]
        .as_str()
        .map(|id| Format::from_id(id).unwrap_or_else(|| panic!("no format {id}")));
    let mut actual = json!({ "detect": detect(input, hints).format.id() });
    match Document::parse_with(input, &ParseOptions { format, hints, limits }) {
        Err(error) => {
            let position = error.position(input);
            actual["error"] = json!({"kind": error.kind.as_str(), "offset": error.offset, "line": position.line, "column": position.column});
        }
        Ok(document) => {
            let mut text = vec![0; document.json_len()];
            let length = document.write_json(&mut text).unwrap();
            assert_eq!(length, text.len());
            let text = String::from_utf8(text).unwrap();
            assert!(!text.contains('\n'), "the model is one line");
            actual["model"] =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            actual["decisions"] = decisions(&document, &expected["decisions"]);
            actual["preferences"] = preferences(&document, &expected["preferences"]);
            actual["schemas"] = schemas(&document);
            let mut found = Vec::new();
            let check =
                CheckOptions { origin: options["origin"].as_str(), ..CheckOptions::default() };
            document.check(&check, |diagnostic| {
                let (message, mut masked) = (diagnostic.to_string(), String::new());
                assert!(!message.is_empty());
                mask(&message, |piece| masked.push_str(piece));
                assert_eq!(message, masked, "a message repeats a credential");
                found.push((
                    diagnostic.span.start,
                    diagnostic.code.as_str(),
                    diagnostic.severity.as_str(),
                ));
            });
            found.sort_unstable();
            actual["diagnostics"] = found
                .iter()
                .map(|&(offset, code, severity)| {
                    let position = document.position(offset as usize);
                    json!({"code": code, "severity": severity, "line": position.line, "column": position.column})
                })
                .collect();
        }
    }
    actual
}

/// Returns the robots.txt decisions that a vector expects; null if it expects none.
fn decisions(document: &Document<'_>, expected: &Value) -> Value {
    let Some(questions) = expected.as_array() else {
        return Value::Null;
    };
    let Some(robots) = document.robots_txt() else { panic!("decisions are asked of a robots.txt") };
    let decide = |question: &Value| {
        let (agent, url) = (question["agent"].as_str().unwrap(), question["url"].as_str().unwrap());
        let verdict = robots.decide(agent, url);
        let mut answer = json!({ "agent": agent, "url": url, "allowed": verdict.allowed });
        if let Some(rule) = verdict.rule {
            answer["line"] = rule.line.into();
        }
        answer
    };
    questions.iter().map(decide).collect()
}

/// Returns the AI preferences that a vector expects; null if it expects none.
fn preferences(document: &Document<'_>, expected: &Value) -> Value {
    let Some(questions) = expected.as_array() else {
        return Value::Null;
    };
    let Some(robots) = document.robots_txt() else {
        panic!("preferences are asked of a robots.txt")
    };
    let answer = |question: &Value| {
        let [agent, url, purpose] =
            ["agent", "url", "purpose"].map(|name| question[name].as_str().unwrap());
        let preferred = robots.preference(agent, url, purpose);
        let stance = preferred.stance.as_str();
        let mut answer =
            json!({ "agent": agent, "url": url, "purpose": purpose, "preference": stance });
        if let Some(statement) = preferred.statement {
            answer["line"] = statement.line.into();
        }
        answer
    };
    questions.iter().map(answer).collect()
}

/// Returns the schemas of the arguments of all capabilities, by their ids.
fn schemas<'a>(document: &Document<'a>) -> Value {
    let schema = |capability: Capability<'a>| {
        let mut text = Vec::new();
        put_schema(document, &capability, &mut |piece: &[u8]| text.extend_from_slice(piece));
        Some((capability.id?.to_string(), serde_json::from_slice::<Value>(&text).unwrap()))
    };
    document.manifest().capabilities().filter_map(schema).collect::<serde_json::Map<_, _>>().into()
}

/// Whether this build has all formats and parts that a vector needs.
fn can_run(expected: &Value) -> bool {
    expected["requires"].as_array().is_none_or(|needs| {
        needs.iter().all(|need| need == "public-suffix-list" && cfg!(feature = "psl"))
    })
}

#[test]
fn every_vector_holds() {
    let (root, paths) = (vectors::root(), vectors::inputs());
    let only = std::env::var("VECTOR").ok();
    let mut failures = Vec::new();
    for path in &paths {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let input = fs::read(path).unwrap();
        let expected = vectors::expected(path);
        if !can_run(&expected) {
            continue;
        }
        let actual = actual(&input, &expected);
        // A case with neither model nor error tests detection only.
        let only_detection = expected.get("model").is_none() && expected.get("error").is_none();
        for member in
            ["detect", "model", "error", "decisions", "preferences", "schemas", "diagnostics"]
        {
            // An absent member is checked too: a document that must not parse has no model.
            let asked = expected.get(member).is_some();
            if matches!(member, "detect" | "decisions" | "preferences" | "schemas") && !asked
                || member != "detect" && only_detection
            {
                continue;
            }
            if actual.get(member).map(normalised) != expected.get(member).map(normalised) {
                failures.push(format!(
                    "{name}: {member}\n  expected {}\n  actual   {}",
                    expected.get(member).unwrap_or(&Value::Null),
                    actual.get(member).unwrap_or(&Value::Null)
                ));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} vectors fail:\n{}",
        failures.len(),
        paths.len(),
        failures.join("\n")
    );
}
