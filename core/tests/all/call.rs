//! Calls: the vectors of `conformance/call/`.
use crate::common::vectors;

use std::fs;

use agentsdisc_core::call::{Answer, Call, Done, Header, Options, Problem};
use agentsdisc_core::policy::{Approved, Confirmation, Decision, Request, Robots, decide};
use agentsdisc_core::{Document, Format, ParseOptions};
use serde_json::Value;

/// A plan or a refusal as JSON.
pub(super) fn planned(
    decision: &Decision<'_>,
    arguments: &[u8],
    options: &Options<'_>,
) -> (Value, Option<Problem>) {
    let needed = match Call::new().plan(decision, arguments, options, &mut []) {
        Err(refusal) => match refusal.problem {
            Problem::BufferTooSmall { needed } => needed,
            _ => 0,
        },
        Ok(_) => 0,
    };
    let mut buffer = vec![0; needed];
    let (mut json, mut size) = (Vec::new(), 0);
    let mut sink = |bytes: &[u8]| {
        size += bytes.len();
        json.extend_from_slice(bytes);
    };
    let result = Call::new().plan(decision, arguments, options, &mut buffer);
    let problem = result.as_ref().err().map(|refusal| refusal.problem);
    match &result {
        Ok(plan) => {
            plan.put_json(&mut sink);
            assert_eq!(plan.write_json(&mut vec![0; size]), Ok(size));
        }
        Err(refusal) => {
            assert!(!matches!(problem, Some(Problem::BufferTooSmall { .. })));
            refusal.put_json(decision, &mut sink);
            assert_eq!(refusal.write_json(decision, &mut vec![0; size]), Ok(size));
        }
    }
    if needed > 0 {
        let mut less = vec![0; needed - 1];
        let less = Call::new().plan(decision, arguments, options, &mut less);
        assert!(less.is_err(), "the size is exact");
    }
    let json: Value = serde_json::from_slice(&json).unwrap();
    (json, problem)
}

/// The options in a vector. They live as long as the program.
fn options(given: &'static Value) -> Options<'static> {
    let is = |name: &str| given[name].as_bool().unwrap_or_default();
    let mut options = Options::default();
    options.has_credential = is("credential");
    options.has_session = is("session");
    options.undeclared = is("undeclared");
    options.from_text = is("from_text");
    options.constant_headers = is("constant_headers");
    options.idempotency_key = given["idempotency_key"].as_str();
    options.operation = given["operation"].as_str();
    options.confirmed = match given["confirmed"].as_str() {
        Some("must") => Confirmation::Must,
        Some("should") => Confirmation::Should,
        _ => Confirmation::NotStated,
    };
    let done: Vec<_> = given["done"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|done| Done {
            action: done["action"].as_str().unwrap(),
            body: done["body"].to_string().leak().as_bytes(),
        })
        .collect();
    options.done = done.leak();
    options
}

/// The documents of a vector.
fn documents(case: &'static Value) -> &'static [Document<'static>] {
    let documents: Vec<_> = case["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|document| {
            let options = ParseOptions {
                format: document["format"]
                    .as_str()
                    .map(|id| Format::from_id(id).unwrap()),
                ..ParseOptions::default()
            };
            let text: &'static [u8] = match &document["json"] {
                Value::Null => vectors::lines(document).leak(),
                json => json.to_string().leak().as_bytes(),
            };
            Document::parse_with(text, &options).unwrap()
        })
        .collect();
    documents.leak()
}

/// What an answer means, as JSON.
fn read(call: &mut Call, decision: &Decision<'_>, answer: &Value) -> Value {
    let headers: Vec<_> = answer["headers"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| Header {
            name,
            value: value.as_str().unwrap(),
        })
        .collect();
    let body = match &answer["body"] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        json => json.to_string(),
    };
    let answer = Answer {
        status: answer["status"].as_u64().unwrap() as u16,
        headers: &headers,
        body: body.as_bytes(),
        now: 1_790_000_000,
    };
    let mut again = *call;
    let mut buffer = [0; 4096];
    let result = call.next(decision, &answer, &mut buffer);
    let mut json = Vec::new();
    let mut sink = |bytes: &[u8]| json.extend_from_slice(bytes);
    match &result {
        Ok(next) => next.put_json(&mut sink),
        Err(refusal) => refusal.put_json(decision, &mut sink),
    }
    let mut other = [0; 4096];
    let same = again.next(decision, &answer, &mut other);
    assert_eq!(format!("{same:?}"), format!("{result:?}"));
    assert_eq!(again, *call);
    serde_json::from_slice(&json).unwrap()
}

#[test]
fn every_vector_holds() {
    let root = vectors::root().join("call");
    let paths = vectors::files(&root, "json");
    assert!(paths.len() > 12, "only {} vectors", paths.len());
    let mut failures = Vec::new();
    let mut seen = Vec::new();
    for path in &paths {
        let name = path.strip_prefix(&root).unwrap().display();
        let case: Value = serde_json::from_slice(&fs::read(path).unwrap())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let case: &'static Value = Box::leak(Box::new(case));
        if case["requires"] != Value::Null && !cfg!(feature = "psl") {
            continue;
        }
        let documents = documents(case);
        for call in case["calls"].as_array().unwrap() {
            let agent = call["agent"].as_str().unwrap_or("Bot");
            let mut request = match call["capability"].as_str() {
                Some(id) => Request::capability(agent, id),
                None => Request::url(agent, call["url"].as_str().unwrap()),
            };
            request.origin = call["origin"].as_str();
            request.method = call["method"].as_str();
            let approved: Vec<_> = call["approved"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|url| url.as_str().unwrap())
                .collect();
            request.approved = Approved::List(approved.leak());
            let decision = decide(documents, Robots::NotAsked, &request);
            let arguments = match &call["arguments"] {
                Value::Null => "{}".to_string(),
                Value::String(text) => text.clone(),
                object => object.to_string(),
            };
            let options = options(&call["options"]);
            let (actual, problem) = planned(&decision, arguments.as_bytes(), &options);
            seen.extend(problem.map(Problem::as_str));
            if !vectors::holds(&call["expect"], Some(&actual)) {
                failures.push(format!(
                    "{name}: {arguments}\n  expected {}\n  actual   {actual}",
                    call["expect"]
                ));
            }
            let mut state = Call::new();
            let _ = state.plan(&decision, arguments.as_bytes(), &options, &mut [0; 4096]);
            for answer in call["answers"].as_array().into_iter().flatten() {
                let actual = read(&mut state, &decision, answer);
                if !vectors::holds(&answer["expect"], Some(&actual)) {
                    failures.push(format!(
                        "{name}: {answer}\n  expected {}\n  actual   {actual}",
                        answer["expect"]
                    ));
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
    let _ = seen;
}
