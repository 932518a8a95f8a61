//! Plans of calls and their answers do not allocate.

use std::fs;

use agentsdisc_core::call::{Answer, Call, Header, Options, Step};
use agentsdisc_core::policy::{Confirmation, Decision, Request, Robots, decide};

use serde_json::Value;

use super::{counted, vectors};

/// Plans a call, and reads answers to it.
fn exercise(decision: &Decision<'_>, arguments: &[u8], buffer: &mut [u8], answer: &[u8]) -> u32 {
    let mut options = Options::default();
    options.operation = Some("tool");
    options.idempotency_key = Some("key");
    let mut planned = 0;
    for is_all in [false, true] {
        (options.has_credential, options.has_session) = (is_all, is_all);
        (options.from_text, options.undeclared, options.constant_headers) =
            (is_all, is_all, is_all);
        if is_all {
            options.confirmed = Confirmation::Must;
        }
        let mut call = Call::new();
        match call.plan(decision, arguments, &options, buffer) {
            Ok(plan) => {
                planned += u32::from(matches!(plan.step, Step::Http(_) | Step::Client(_)));
                let _ = plan.write_json(&mut [0; 64]);
            }
            Err(refusal) => {
                let _ = refusal.write_json(decision, &mut [0; 64]);
                assert!(!refusal.problem.message().is_empty());
            }
        }
        let headers = [Header { name: "Retry-After", value: "Mon, 21 Sep 2026 14:13:50 GMT" }];
        for status in [200, 202, 302, 400, 401, 429, 503] {
            let answer = Answer { status, headers: &headers, body: answer, now: 1_790_000_000 };
            if let Ok(next) = call.next(decision, &answer, &mut [0; 256]) {
                let _ = next.write_json(&mut [0; 64]);
            }
        }
    }
    planned
}

#[test]
fn calls_do_not_allocate() {
    let mut planned = 0;
    for path in vectors::files(&vectors::root().join("call"), "json") {
        let case: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let given = case["documents"].as_array().unwrap();
        let texts: Vec<_> = given.iter().map(vectors::bytes).collect();
        let documents: Vec<_> = given
            .iter()
            .zip(&texts)
            .map(|(document, text)| vectors::read(text, document).unwrap())
            .collect();
        let mut buffer = vec![0; 1 << 14];
        for call in case["calls"].as_array().unwrap() {
            let arguments = match &call["arguments"] {
                Value::Null => "{}".to_string(),
                Value::String(text) => text.clone(),
                object => object.to_string(),
            };
            let request = match call["capability"].as_str() {
                Some(id) => Request::capability("Bot", id),
                None => Request::url("Bot", call["url"].as_str().unwrap()),
            };
            counted(&path.display(), || {
                let decision = decide(&*documents, Robots::NotAsked, &request);
                let body = br#"{"job_id": "7", "status": "running", "error": "AUTH_EXPIRED", "name": "x"}"#;
                planned += exercise(&decision, arguments.as_bytes(), &mut buffer, body);
            });
        }
    }
    assert!(planned > 50, "only {planned} calls were planned");
}
