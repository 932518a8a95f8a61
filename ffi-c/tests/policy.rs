//! Runs the vectors of `conformance/policy/` through the C ABI.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(unsafe_code, reason = "calls the C ABI")]

#[path = "common/documents.rs"]
mod documents;
#[path = "../../core/tests/common/vectors.rs"]
mod vectors;

use std::ffi::c_char;
use std::fs;
use std::mem::{size_of, zeroed};
use std::ptr::{null, null_mut};

use agentsdisc as agd;
use serde_json::Value;

fn text(value: Option<&str>) -> agd::agd_text {
    match value {
        // An empty Rust slice has a dangling pointer, but never NULL.
        Some(text) => agd::agd_text { ptr: text.as_ptr().cast(), len: text.len(), flags: 0 },
        None => agd::agd_text { ptr: null(), len: 0, flags: 0 },
    }
}

fn written(decision: &agd::agd_decision) -> Value {
    let (mut scratch, mut length) = ([0_u32; 256], 0);
    // SAFETY: the decision was made, and what it borrows is still valid; the buffers are locals.
    unsafe {
        agd::agd_decision_json(decision, scratch.as_mut_ptr(), 256, null_mut(), 0, &raw mut length);
        let mut buffer = vec![0_u8; length + 1];
        let put = buffer.as_mut_ptr().cast::<c_char>();
        assert_eq!(
            agd::agd_decision_json(
                decision,
                scratch.as_mut_ptr(),
                256,
                put,
                length + 1,
                null_mut()
            ),
            agd::AGD_OK
        );
        serde_json::from_slice(&buffer[..length]).unwrap()
    }
}

/// Compares the members of the struct with its JSON.
fn agrees(decision: &agd::agd_decision, json: &Value) {
    // SAFETY: names are static NUL-terminated strings.
    let name = unsafe { std::ffi::CStr::from_ptr(agd::agd_reason_name(decision.reason)) };
    assert_eq!(
        (name.to_str().unwrap(), decision.allowed == agd::AGD_TRUE),
        (json["reason"].as_str().unwrap(), json["allowed"] == true)
    );
    assert_eq!(u64::from(decision.rule_line), json["rule"]["line"].as_u64().unwrap_or(0));
    assert_eq!(decision.session_required == agd::AGD_TRUE, json.get("session").is_some());
    assert_eq!(decision.session_seconds, json["session"]["ttl_seconds"].as_i64().unwrap_or(-1));
    let need = ["not-stated", "none", "optional", "required"][decision.auth_need as usize];
    assert_eq!(json["auth"]["need"], need);
    let confirmation = ["not-stated", "should", "must"][decision.confirmation as usize];
    assert_eq!(json["human"]["confirmation"].as_str().unwrap_or("not-stated"), confirmation);
    assert_eq!(decision.header.ptr.is_null(), json["auth"].get("header").is_none());
    let mut count = 0;
    // SAFETY: the decision was made, and what it borrows is still valid; a zeroed limit with its size is initialised.
    unsafe {
        let mut list = agd::agd_decision_limits(decision);
        let mut limit: agd::agd_applied_limit = zeroed();
        limit.size = size_of::<agd::agd_applied_limit>();
        while agd::agd_applied_limits_next(&raw mut list, &raw mut limit) == agd::AGD_SOME {
            let expected = &json["rate_limits"][count];
            assert_eq!(
                (limit.requests, limit.milliseconds),
                (
                    expected["requests"].as_i64().unwrap(),
                    expected["milliseconds"].as_i64().unwrap_or(-1)
                )
            );
            count += 1;
        }
    }
    assert_eq!(count, json["rate_limits"].as_array().map_or(0, Vec::len));
}

#[test]
fn every_policy_vector_passes() {
    let root = vectors::root().join("policy");
    let paths = vectors::files(&root, "json");
    assert!(paths.len() > 80);
    let mut failures = Vec::new();
    for path in &paths {
        let case: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let needs = |name: &str| {
            case["requires"].as_array().is_some_and(|needs| needs.iter().any(|need| need == name))
        };
        if needs("public-suffix-list") && !cfg!(feature = "psl") {
            continue;
        }
        let texts = documents::texts(&case);
        let documents = documents::read(&texts);
        let rules = case["robots"].is_object().then(|| vectors::lines(&case["robots"]));
        // SAFETY: as above.
        let robots: Option<agd::agd_robots> = rules.as_ref().map(|rules| unsafe {
            let mut robots = zeroed();
            assert_eq!(
                agd::agd_robots_parse(rules.as_ptr().cast(), rules.len(), null(), &raw mut robots),
                agd::AGD_OK
            );
            robots
        });
        for question in case["questions"].as_array().unwrap() {
            let approved: Vec<_> = question["approved"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|url| url.as_str().unwrap())
                .collect();
            let approved = approved.join("\n");
            // SAFETY: zeroed structs with their size are initialised; everything that the decision borrows is valid until the end
            // of the case.
            let (actual, decision) = unsafe {
                let (mut request, mut decision): (agd::agd_request, agd::agd_decision) =
                    (zeroed(), zeroed());
                (request.size, decision.size) =
                    (size_of::<agd::agd_request>(), size_of::<agd::agd_decision>());
                request.agent = text(question["agent"].as_str());
                request.url = text(question["url"].as_str());
                request.capability = text(question["capability"].as_str());
                request.method = text(question["method"].as_str());
                request.origin = text(question["origin"].as_str());
                request.purpose = text(question["purpose"].as_str());
                request.content_usage = text(question["content_usage"].as_str());
                request.approved = text(Some(&approved));
                request.robots = robots.as_ref().map_or(null(), |robots| &raw const *robots);
                request.robots_state = match case["robots"].as_str() {
                    Some("absent") => agd::AGD_ROBOTS_ABSENT,
                    Some("unreachable") => agd::AGD_ROBOTS_UNREACHABLE,
                    _ => agd::AGD_ROBOTS_NOT_ASKED,
                };
                let status = agd::agd_decide(
                    documents.as_ptr(),
                    documents.len(),
                    &raw const request,
                    &raw mut decision,
                );
                assert_eq!(status, agd::AGD_SOME, "{}", path.display());
                let (mut workspace, mut other): (Box<agd::agd_workspace>, agd::agd_decision) =
                    (Box::new(zeroed()), zeroed());
                other.size = size_of::<agd::agd_decision>();
                let (request, lent) = (&raw const request, &raw mut *workspace);
                let status = agd::agd_decide_with(
                    documents.as_ptr(),
                    documents.len(),
                    request,
                    lent,
                    &raw mut other,
                );
                assert_eq!(
                    (status, written(&other)),
                    (agd::AGD_SOME, written(&decision)),
                    "{}",
                    path.display()
                );
                (written(&decision), decision)
            };
            agrees(&decision, &actual);
            if !vectors::holds(&question["expect"], Some(&actual)) {
                failures.push(format!(
                    "{}: expected {}\n  actual   {actual}",
                    path.display(),
                    question["expect"]
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
