//! Calls: the vectors of `conformance/call/`, and properties of all plans.
use crate::common::{cases, questions, vectors};

use std::fs;

use agentsdisc_core::call::{Answer, Call, Next, Options, Problem, Step};
use agentsdisc_core::policy::{Decision, Request, Robots, Workspace, decide, decide_with};
use agentsdisc_core::{Document, ParseOptions};
use proptest::prelude::*;
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

/// The documents of a vector.
fn documents(case: &'static Value) -> &'static [Document<'static>] {
    let documents: Vec<_> = case["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|document| vectors::read(vectors::bytes(document).leak(), document).unwrap())
        .collect();
    documents.leak()
}

/// The result of reading an answer, as JSON.
fn read(call: &mut Call, decision: &Decision<'_>, answer: &Value) -> Value {
    questions::with_answer(answer, |answer| read_one(call, decision, answer))
}

fn read_one(call: &mut Call, decision: &Decision<'_>, answer: &Answer<'_, '_>) -> Value {
    let mut again = *call;
    if let Err(refusal) = again.next(decision, answer, &mut [])
        && let Problem::BufferTooSmall { .. } = refusal.problem
    {
        assert_eq!(again, *call, "a buffer that is too small changes nothing");
    }
    again = *call;
    let mut buffer = [0; 4096];
    let result = call.next(decision, answer, &mut buffer);
    let mut json = Vec::new();
    let mut sink = |bytes: &[u8]| json.extend_from_slice(bytes);
    match &result {
        Ok(next) => next.put_json(&mut sink),
        Err(refusal) => refusal.put_json(decision, &mut sink),
    }
    let mut other = [0; 4096];
    let same = again.next(decision, answer, &mut other);
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
            let approved = questions::approved(call);
            let request = questions::request(call, &approved);
            let decision = decide(documents, Robots::NotAsked, &request);
            let arguments = questions::arguments(call);
            let bodies = questions::bodies(call);
            let done = questions::done(call, &bodies);
            let options = questions::options(call, &done);
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
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    let _ = seen;
}

/// A document with one capability, which has a parameter at every location.
const EVERYWHERE: &str = r#"{"specVersion": "1.0", "site": {"name": "M", "url": "https://mugs.example"}, "capabilities": [
    {"id": "x", "endpoint": "https://mugs.example/a/{p}/b", "method": "POST", "protocol": "REST", "parameters": [
        {"name": "p", "in": "path", "type": "string", "required": true}, {"name": "q", "in": "query", "type": "string"},
        {"name": "X-H", "in": "header", "type": "string"}, {"name": "b", "in": "body", "type": "string"}]}]}"#;

/// Decodes a percent-encoded text.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, tail @ ..] = rest {
        let hex = || u8::from_str_radix(std::str::from_utf8(tail.get(..2)?).ok()?, 16).ok();
        match (*first, hex()) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            (byte, _) => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Text that breaks URLs, headers and JSON.
fn hostile() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("..".to_string()),
        Just("/".to_string()),
        Just("\r\nHost: evil.test".to_string()),
        Just("%2e%2e%2f".to_string()),
        Just("{p}".to_string()),
        Just("\"},{".to_string()),
        Just("://evil.test@".to_string()),
        "[ -~]{0,4}",
        "\\PC{0,3}",
        "[\\x00-\\x20\u{7f}-\u{a0}]{1,2}",
    ];
    prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn arguments_stay_in_their_places(p in hostile(), q in hostile(), h in hostile(), b in hostile()) {
        let document = Document::parse(EVERYWHERE.as_bytes()).unwrap();
        let documents = [document];
        let decision = decide(&documents, Robots::NotAsked, &Request::capability("Bot", "x"));
        let arguments = serde_json::json!({"p": p, "q": q, "X-H": h, "b": b}).to_string();
        let mut buffer = vec![0; 1 << 14];
        let plan = Call::new().plan(&decision, arguments.as_bytes(), &Options::default(), &mut buffer);
        let plan = match plan {
            Ok(plan) => plan,
            Err(refusal) => {
                let in_header = h.chars().any(|c| !matches!(c, ' '..='~')) || h.trim_matches(' ') != h;
                match refusal.problem {
                    Problem::InvalidValue => prop_assert!(in_header || p.chars().all(|c| c == '.')),
                    // Encoded slashes and dots that servers read in different ways.
                    Problem::Denied(_) => prop_assert!(p.contains(['%', '/', '\\', ';', '.', '\0'])),
                    problem => prop_assert!(false, "{problem:?}"),
                }
                return Ok(());
            }
        };
        let Step::Http(request) = plan.step else { panic!() };
        prop_assert!(request.url.is_ascii() && !request.url.contains(|c: char| c <= ' '));
        let rest = request.url.strip_prefix("https://mugs.example/a/").unwrap();
        let (segment, query) = rest.split_once("/b?q=").unwrap();
        prop_assert!(!segment.contains(['/', '?', '#', '\\']) && !query.contains(['&', '#', ';']));
        prop_assert_eq!(decoded(segment), p);
        prop_assert_eq!(decoded(query), q);
        let headers: Vec<_> = request.headers.collect();
        prop_assert_eq!(headers.len(), 2);
        prop_assert_eq!((headers[1].name, headers[1].value), ("X-H", h.as_str()));
        let body: Value = serde_json::from_str(request.body.unwrap()).unwrap();
        prop_assert_eq!(body, serde_json::json!({"b": b}));
    }

    #[test]
    fn any_bytes_are_arguments_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64), text in "[{}\\[\\]\":,a-z0-9\\\\ ]{0,40}") {
        let document = Document::parse(EVERYWHERE.as_bytes()).unwrap();
        let documents = [document];
        let decision = decide(&documents, Robots::NotAsked, &Request::capability("Bot", "x"));
        for arguments in [bytes.as_slice(), text.as_bytes()] {
            let (_, problem) = planned(&decision, arguments, &Options::default());
            prop_assert!(problem.is_some());
        }
    }
}

#[test]
fn a_call_ends() {
    let text = r#"{"awp_version": "0.2", "domain": "a.example", "intent": "i", "actions": [
        {"id": "x", "description": "d", "auth_required": false, "endpoint": "/x", "method": "GET", "inputs": {}, "outputs": {},
         "execution_model": "async", "poll_endpoint": "/jobs"}],
        "errors": {"E": {"recovery": "call /y"}, "W": {"recovery": "wait"}}}"#;
    let documents = [Document::parse(text.as_bytes()).unwrap()];
    let decision = decide(&documents, Robots::NotAsked, &Request::capability("Bot", "x"));
    for (status, body) in [
        (202, "{}"),
        (200, r#"{"status": "running"}"#),
        (503, ""),
        (429, ""),
        (401, ""),
        (400, r#"{"error": "E"}"#),
        (400, r#"{"error": "W"}"#),
    ] {
        let mut call = Call::new();
        let mut buffer = [0; 512];
        call.plan(&decision, b"{}", &Options::default(), &mut buffer).unwrap();
        let answer = Answer { status, body: body.as_bytes(), now: 1, ..Answer::default() };
        let mut count = 0;
        while !matches!(call.next(&decision, &answer, &mut [0; 512]).unwrap(), Next::Failed(_)) {
            count += 1;
            assert!(count <= 100, "{status} {body}");
        }
    }
    let mut call = Call::new();
    let mut plans = 0;
    while call.plan(&decision, b"{}", &Options::default(), &mut [0; 512]).is_ok() {
        plans += 1;
        assert!(plans < 1000);
    }
}

#[test]
fn a_filled_base_url_does_not_stay_in_the_workspace() {
    let manifest = br#"{"spec_version": "1.0", "name": "Shops", "description": "d", "base_url": "https://{shop}.mugs.example",
        "auth": {"type": "none"}, "capabilities": [{"name": "list", "description": "d", "detail_url": "/d"}]}"#;
    let detail = br#"{"name": "list", "description": "d", "endpoint": "/l", "method": "GET", "parameters": []}"#;
    let documents = [Document::parse(manifest).unwrap(), Document::parse(detail).unwrap()];
    let request = Request::capability("Bot", "list");
    let mut workspace = Workspace::new();
    let before = decide_with(&documents, Robots::NotAsked, &request, &mut workspace);
    let mut buffer = [0; 512];
    let plan = Call::new().plan_with(
        &before,
        br#"{"shop": "blue"}"#,
        &Options::default(),
        &mut workspace,
        &mut buffer,
    );
    assert!(
        matches!(plan.unwrap().step, Step::Http(request) if request.url == "https://blue.mugs.example/l")
    );
    let after = decide_with(&documents, Robots::NotAsked, &request, &mut workspace);
    assert_eq!((after.allowed, after.reason), (before.allowed, before.reason));
    assert!(!after.allowed);
}

#[test]
fn long_lists_take_linear_time() {
    // The product of both lengths would take minutes.
    let many: String =
        (0..20_000).map(|n| format!(r#""e{n}": {{"fields": {{"f{n}": "e{n}"}}}},"#)).collect();
    let text = format!(
        r#"{{"awp_version": "0.2", "domain": "a.example", "intent": "i", "entities": {{{many} "last": {{"fields": {{"a": "last"}}}}}}, "actions": [
        {{"id": "x", "description": "d", "auth_required": false, "endpoint": "/x", "method": "POST", "outputs": {{}},
          "inputs": {{"l": {{"type": "array[last]"}}}}}}]}}"#
    );
    let options = ParseOptions {
        limits: agentsdisc_core::Limits { document: 1 << 24, ..agentsdisc_core::Limits::DEFAULT },
        ..ParseOptions::default()
    };
    let documents = [Document::parse_with(text.as_bytes(), &options).unwrap()];
    let decision = decide(&documents, Robots::NotAsked, &Request::capability("Bot", "x"));
    let items = r#"{"a": {"a": {}}},"#.repeat(20_000);
    let arguments = format!(r#"{{"l": [{items} {{}}]}}"#);
    let mut buffer = vec![0; arguments.len() + 1024];
    let start = std::time::Instant::now();
    let plan = Call::new().plan(&decision, arguments.as_bytes(), &Options::default(), &mut buffer);
    assert!(plan.is_ok());
    assert!(start.elapsed().as_secs() < 20);
}
