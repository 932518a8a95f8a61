//! Runs the vectors of `conformance/call/` through the C ABI: the structs are read into the JSON that the core writes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(unsafe_code, reason = "calls the C ABI")]
#![cfg(feature = "call")]

#[path = "common/documents.rs"]
mod documents;
#[path = "../../core/tests/common/vectors.rs"]
mod vectors;

use std::ffi::{CStr, c_char};
use std::fs;
use std::mem::{size_of, zeroed};
use std::ptr::{null, null_mut};

use agentsdisc as agd;
use agentsdisc_core::syntax::text::{Escape, Text};
use serde_json::{Value, json};

fn text(value: Option<&str>) -> agd::agd_text {
    agd::agd_text {
        ptr: value.map_or(null(), |text| text.as_ptr().cast()),
        len: value.map_or(0, str::len),
        flags: 0,
    }
}

/// A text of the library; `Null` if it is absent.
fn read(text: agd::agd_text) -> Value {
    if text.ptr.is_null() {
        return Value::Null;
    }
    // SAFETY: the library returned the text, and its bytes are still valid.
    let raw = unsafe { std::slice::from_raw_parts(text.ptr.cast::<u8>(), text.len) };
    let escape = Escape::from_number(text.flags).unwrap_or(Escape::Plain);
    Text::escaped(raw, escape).chars().collect::<String>().into()
}

/// A NUL-terminated text of the library; `Null` if it is absent.
fn string(start: *const c_char) -> Value {
    if start.is_null() {
        return Value::Null;
    }
    // SAFETY: the library returned the text.
    unsafe { CStr::from_ptr(start) }.to_str().unwrap().into()
}

/// A value of the library; `Null` if it is absent.
fn value(value: agd::agd_value) -> Value {
    match value.kind {
        agd::AGD_VALUE_STRING => read(value.text),
        agd::AGD_VALUE_ABSENT => Value::Null,
        _ => serde_json::from_str(read(value.text).as_str().unwrap()).unwrap(),
    }
}

fn number(number: i64) -> Value {
    if number == -1 { Value::Null } else { number.into() }
}

/// An object without its absent members.
fn object(members: Value) -> Value {
    let Value::Object(mut members) = members else { panic!("no object") };
    members.retain(|_, value| !value.is_null());
    Value::Object(members)
}

const NEEDS: [&str; 4] = ["not-stated", "none", "optional", "required"];

fn credential(step: &agd::agd_call_step) -> Value {
    let carries = match step.carries {
        agd::AGD_CARRIES_CREDENTIAL => "service",
        agd::AGD_CARRIES_SESSION => "session",
        _ => return Value::Null,
    };
    object(
        json!({"for": carries, "need": NEEDS[step.credential_need as usize], "type": string(agd::agd_auth_name(step.credential_type.value)),
        "header": read(step.credential_header), "prefix": read(step.credential_prefix)}),
    )
}

fn auth(step: &agd::agd_call_step) -> Value {
    let mut scopes = step.scopes;
    let (mut names, mut scope) = (Vec::new(), text(None));
    // SAFETY: the list is from the library, and the documents are still valid.
    while unsafe { agd::agd_texts_next(&raw mut scopes, &raw mut scope) } == agd::AGD_SOME {
        names.push(read(scope));
    }
    object(
        json!({"need": NEEDS[step.credential_need as usize], "type": string(agd::agd_auth_name(step.credential_type.value)),
        "token_url": read(step.token_url), "authorization_url": read(step.authorization_url), "refresh_url": read(step.refresh_url),
        "setup_url": read(step.setup_url), "docs_url": read(step.docs_url), "header": read(step.credential_header),
        "scopes": if names.is_empty() { Value::Null } else { names.into() }}),
    )
}

fn headers(step: &agd::agd_call_step) -> Value {
    let mut list = step.headers;
    let (mut found, mut header) = (Vec::new(), agd::agd_header { name: null(), value: null() });
    // SAFETY: the list is from the library, and its buffer is unchanged.
    while unsafe { agd::agd_headers_next(&raw mut list, &raw mut header) } == agd::AGD_SOME {
        found.push(json!({"name": string(header.name), "value": string(header.value)}));
    }
    if found.is_empty() { Value::Null } else { found.into() }
}

/// The JSON form of a step (`docs/calls.md`).
fn planned(step: &agd::agd_call_step) -> Value {
    let name = ["", "http", "client", "document", "action", "token", "session", "confirmation"];
    let confirmation = ["not-stated", "should", "must"][step.confirmation as usize];
    let human = object(json!({"confirmation": confirmation,
        "handoff": (step.handoff == 1).then_some(true),
        "reversible": match step.reversible { 0 => json!(false), 1 => json!(true), _ => Value::Null },
        "sensitivity": if step.sensitivity.value < 0 { Value::Null } else { string(agd::agd_sensitivity_name(step.sensitivity.value)) }}));
    let is_client = step.step == agd::AGD_STEP_CLIENT;
    let arguments = read(step.arguments);
    let key = read(step.key_field);
    object(
        json!({"step": name[step.step as usize], "method": string(step.method), "url": string(step.url),
        "headers": if step.step == agd::AGD_STEP_HTTP { headers(step) } else { Value::Null },
        "body": string(step.body),
        "protocol": if is_client { string(agd::agd_protocol_name(step.protocol.value)) } else { Value::Null },
        "transport": if step.transport.value < 0 { Value::Null } else { string(agd::agd_transport_name(step.transport.value)) },
        "version": read(step.version), "operation": read(step.operation), "tenant": read(step.tenant), "openapi": read(step.openapi),
        "arguments": arguments.as_str().map(|text| serde_json::from_str::<Value>(text).unwrap()),
        "action": read(step.action), "ttl_seconds": number(step.session_seconds),
        "auth": if step.step == agd::AGD_STEP_TOKEN { auth(step) } else { Value::Null },
        "credential": credential(step), "human": human,
        "idempotency": if key.is_null() { Value::Null } else {
            object(json!({"field": key, "window_seconds": number(step.key_seconds), "sent": step.key_sent == 1})) },
        "repeatable": step.repeatable == 1, "async": (step.asynchronous == 1).then_some(true), "document": step.document}),
    )
}

/// The JSON form of a refusal.
fn refused(refusal: &agd::agd_refusal) -> Value {
    const CREDENTIALS: [&str; 6] =
        ["", "allowed", "insecure", "non-ascii-host", "other-domain", "unknown-host"];
    let credentials = usize::try_from(refusal.credentials).ok();
    let rule = read(refusal.rule);
    object(
        json!({"refused": string(agd::agd_problem_name(refusal.problem)), "message": string(refusal.message),
        "reason": if refusal.reason < 0 { Value::Null } else { string(agd::agd_reason_name(refusal.reason)) },
        "credentials": credentials.map(|number| CREDENTIALS[number]),
        "argument": read(refusal.argument), "expected": read(refusal.expected),
        "rule": if rule.is_null() { Value::Null } else {
            json!({"text": rule, "document": refusal.rule_document, "line": refusal.rule_line, "column": refusal.rule_column,
                "start": refusal.rule_start, "end": refusal.rule_end}) }}),
    )
}

/// The JSON form of what to do next.
fn next(result: &agd::agd_call_result) -> Value {
    let name = ["", "done", "retry", "poll", "refresh", "token", "session", "recover", "failed"];
    let (mut list, mut found) = (result.outputs, Vec::new());
    // SAFETY: a zeroed struct with its size is initialised; the list borrows what is still valid.
    unsafe {
        let mut output: agd::agd_outcome = zeroed();
        output.size = size_of::<agd::agd_outcome>();
        while agd::agd_outcomes_next(&raw mut list, &raw mut output) == agd::AGD_SOME {
            found.push(object(json!({"name": read(output.name), "type": read(output.r#type), "value": value(output.value), "typed": output.typed == 1})));
        }
    }
    let is_recovery = result.next == agd::AGD_NEXT_RECOVER;
    object(
        json!({"next": name[result.next as usize], "seconds": number(result.seconds), "url": string(result.url),
        "outputs": if found.is_empty() { Value::Null } else { found.into() },
        "failure": if result.failure == 0 { Value::Null } else { string(agd::agd_call_failure_name(result.failure)) },
        "code": read(result.code), "text": read(result.text), "endpoint": read(result.endpoint), "action": read(result.action),
        "retries": is_recovery.then_some(result.retries == 1),
        "credential": (result.next == agd::AGD_NEXT_POLL).then_some(result.credential == 1)}),
    )
}

/// The data of a vector, at addresses that do not change.
struct Case {
    arguments: String,
    done: Vec<(String, String)>,
    options: Value,
}

impl Case {
    fn of(call: &Value) -> Self {
        let options = call["options"].clone();
        let done = options["done"].as_array().into_iter().flatten();
        let done =
            done.map(|done| (done["action"].as_str().unwrap().into(), done["body"].to_string()));
        Self {
            arguments: match &call["arguments"] {
                Value::Null => "{}".into(),
                Value::String(text) => text.clone(),
                object => object.to_string(),
            },
            done: done.collect(),
            options,
        }
    }

    /// Plans with a buffer of this size. The buffer is leaked, because the step borrows it.
    fn plan(
        &self,
        call: &mut agd::agd_call,
        decision: &agd::agd_decision,
        size: usize,
        with: bool,
    ) -> (i32, usize, Value) {
        let is = |name: &str| i32::from(self.options[name].as_bool().unwrap_or_default());
        let done: Vec<_> = self
            .done
            .iter()
            .map(|(action, body)| agd::agd_done {
                action: text(Some(action)),
                body: text(Some(body)),
            })
            .collect();
        let buffer = vec![0x5A_u8; size].leak();
        // SAFETY: zeroed structs with their size are initialised; everything borrowed is still valid.
        unsafe {
            let (mut options, mut step, mut refusal): (
                agd::agd_call_options,
                agd::agd_call_step,
                agd::agd_refusal,
            ) = (zeroed(), zeroed(), zeroed());
            (options.size, step.size, refusal.size) = (
                size_of::<agd::agd_call_options>(),
                size_of::<agd::agd_call_step>(),
                size_of::<agd::agd_refusal>(),
            );
            (options.has_credential, options.has_session) = (is("credential"), is("session"));
            (options.undeclared, options.from_text, options.constant_headers) =
                (is("undeclared"), is("from_text"), is("constant_headers"));
            options.confirmed = match self.options["confirmed"].as_str() {
                Some("must") => agd::AGD_CONFIRMATION_MUST,
                Some("should") => agd::AGD_CONFIRMATION_SHOULD,
                _ => agd::AGD_CONFIRMATION_NOT_STATED,
            };
            (options.done, options.done_count) = (done.as_ptr(), done.len());
            options.idempotency_key = text(self.options["idempotency_key"].as_str());
            options.operation = text(self.options["operation"].as_str());
            let (mut needed, arguments) = (0, text(Some(&self.arguments)));
            let start = if size == 0 { null_mut() } else { buffer.as_mut_ptr().cast() };
            let status = if with {
                let mut workspace: Box<agd::agd_workspace> = Box::new(zeroed());
                agd::agd_call_plan_with(
                    call,
                    decision,
                    arguments,
                    &raw const options,
                    &raw mut *workspace,
                    start,
                    size,
                    &raw mut needed,
                    &raw mut step,
                    &raw mut refusal,
                )
            } else {
                agd::agd_call_plan(
                    call,
                    decision,
                    arguments,
                    &raw const options,
                    start,
                    size,
                    &raw mut needed,
                    &raw mut step,
                    &raw mut refusal,
                )
            };
            let json = match status {
                agd::AGD_OK => planned(&step),
                agd::AGD_ERROR_CALL_REFUSED => refused(&refusal),
                _ => Value::Null,
            };
            assert_eq!(status == agd::AGD_OK, step.step != agd::AGD_STEP_NONE);
            (status, needed, json)
        }
    }
}

/// Reads an answer, with a buffer that grows as required.
fn answered(call: &mut agd::agd_call, decision: &agd::agd_decision, answer: &Value) -> Value {
    let pairs: Vec<(&str, &str)> = answer["headers"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
        .collect();
    let headers: Vec<_> = pairs
        .iter()
        .map(|(name, value)| agd::agd_http_header {
            name: text(Some(name)),
            value: text(Some(value)),
        })
        .collect();
    let body = match &answer["body"] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        json => json.to_string(),
    };
    let body = body.leak();
    // SAFETY: zeroed structs with their size are initialised; everything borrowed is still valid.
    unsafe {
        let (mut given, mut result, mut refusal): (
            agd::agd_call_answer,
            agd::agd_call_result,
            agd::agd_refusal,
        ) = (zeroed(), zeroed(), zeroed());
        (given.size, result.size, refusal.size) = (
            size_of::<agd::agd_call_answer>(),
            size_of::<agd::agd_call_result>(),
            size_of::<agd::agd_refusal>(),
        );
        given.status = answer["status"].as_i64().unwrap() as i32;
        (given.headers, given.header_count) = (headers.as_ptr(), headers.len());
        (given.body, given.now) = (text(Some(body)), 1_790_000_000);
        let mut needed = 0;
        let mut status = agd::agd_call_next(
            call,
            decision,
            &raw const given,
            null_mut(),
            0,
            &raw mut needed,
            &raw mut result,
            &raw mut refusal,
        );
        if status == agd::AGD_ERROR_BUFFER_TOO_SMALL {
            let (size, mut workspace): (usize, Box<agd::agd_workspace>) =
                (needed, Box::new(zeroed()));
            let start = vec![0_u8; size].leak().as_mut_ptr().cast();
            let small = agd::agd_call_next(
                call,
                decision,
                &raw const given,
                start,
                size - 1,
                null_mut(),
                &raw mut result,
                &raw mut refusal,
            );
            assert_eq!((small, result.next), (agd::AGD_ERROR_BUFFER_TOO_SMALL, agd::AGD_NEXT_NONE));
            status = agd::agd_call_next_with(
                call,
                decision,
                &raw const given,
                &raw mut *workspace,
                start,
                size,
                &raw mut needed,
                &raw mut result,
                &raw mut refusal,
            );
        }
        match status {
            agd::AGD_OK => next(&result),
            agd::AGD_ERROR_CALL_REFUSED => refused(&refusal),
            status => panic!("{status}"),
        }
    }
}

/// Plans like a C program: asks for the size, then plans.
fn plan(case: &Case, call: &mut agd::agd_call, decision: &agd::agd_decision) -> Value {
    let (status, needed, json) = case.plan(call, decision, 0, false);
    if status != agd::AGD_ERROR_BUFFER_TOO_SMALL {
        return json;
    }
    let mut other = *call;
    assert_eq!(case.plan(call, decision, needed - 1, false).0, agd::AGD_ERROR_BUFFER_TOO_SMALL);
    let (_, _, json) = case.plan(call, decision, needed, false);
    assert_eq!(case.plan(&mut other, decision, needed, true).2, json, "with a workspace");
    json
}

#[test]
fn every_call_vector_passes() {
    let root = vectors::root().join("call");
    let mut failures = Vec::new();
    for path in &vectors::files(&root, "json") {
        let case: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        if case["requires"] != Value::Null && !cfg!(feature = "psl") {
            continue;
        }
        let texts = documents::texts(&case);
        let documents = documents::read(&texts);
        for call in case["calls"].as_array().unwrap() {
            let approved: Vec<_> = call["approved"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|url| url.as_str().unwrap())
                .collect();
            let approved = approved.join("\n");
            // SAFETY: as above; the decision borrows what is valid until the end of the case.
            let decision = unsafe {
                let (mut request, mut decision): (agd::agd_request, agd::agd_decision) =
                    (zeroed(), zeroed());
                (request.size, decision.size) =
                    (size_of::<agd::agd_request>(), size_of::<agd::agd_decision>());
                request.agent = text(Some(call["agent"].as_str().unwrap_or("Bot")));
                request.url = text(call["url"].as_str());
                request.capability = text(call["capability"].as_str());
                request.method = text(call["method"].as_str());
                request.origin = text(call["origin"].as_str());
                request.approved = text(Some(&approved));
                let status = agd::agd_decide(
                    documents.as_ptr(),
                    documents.len(),
                    &raw const request,
                    &raw mut decision,
                );
                assert_eq!(status, agd::AGD_SOME);
                decision
            };
            let given = Case::of(call);
            let mut state = agd::agd_call_begin();
            let actual = plan(&given, &mut state, &decision);
            if !vectors::holds(&call["expect"], Some(&actual)) {
                failures.push(format!(
                    "{}: expected {}\n  actual   {actual}",
                    path.display(),
                    call["expect"]
                ));
            }
            for answer in call["answers"].as_array().into_iter().flatten() {
                let actual = answered(&mut state, &decision, answer);
                if !vectors::holds(&answer["expect"], Some(&actual)) {
                    failures.push(format!(
                        "{}: {answer}\n  expected {}\n  actual   {actual}",
                        path.display(),
                        answer["expect"]
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn misuse_is_answered_and_changes_no_call() {
    // SAFETY: pointers are NULL or locals; zeroed structs are what a program has before any call.
    unsafe {
        let mut decision: agd::agd_decision = zeroed();
        decision.size = size_of::<agd::agd_decision>();
        let (mut call, mut step): (agd::agd_call, agd::agd_call_step) = (zeroed(), zeroed());
        let none = text(None);
        let plan = |call, decision, options, size, step| {
            agd::agd_call_plan(
                call,
                decision,
                none,
                options,
                null_mut(),
                size,
                null_mut(),
                step,
                null_mut(),
            )
        };
        assert_eq!(
            plan(null_mut(), &raw const decision, null(), 0, &raw mut step),
            agd::AGD_ERROR_NULL
        );
        assert_eq!(
            plan(&raw mut call, &raw const decision, null(), 0, &raw mut step),
            agd::AGD_ERROR_UNINITIALISED
        );
        call = agd::agd_call_begin();
        assert_eq!(plan(&raw mut call, null(), null(), 0, &raw mut step), agd::AGD_ERROR_NULL);
        assert_eq!(
            plan(&raw mut call, &raw const decision, null(), 0, &raw mut step),
            agd::AGD_ERROR_UNINITIALISED
        );
        let (mut request, document): (agd::agd_request, *const agd::agd_document) =
            (zeroed(), null());
        request.size = size_of::<agd::agd_request>();
        request.capability = text(Some("x"));
        assert_eq!(
            agd::agd_decide(document, 0, &raw const request, &raw mut decision),
            agd::AGD_SOME
        );
        assert_eq!(
            plan(&raw mut call, &raw const decision, null(), 0, null_mut()),
            agd::AGD_ERROR_NULL
        );
        assert_eq!(
            plan(&raw mut call, &raw const decision, null(), 0, &raw mut step),
            agd::AGD_ERROR_STRUCT_SIZE
        );
        step.size = size_of::<agd::agd_call_step>();
        assert_eq!(
            plan(&raw mut call, &raw const decision, null(), 9, &raw mut step),
            agd::AGD_ERROR_NULL
        );
        let mut options: agd::agd_call_options = zeroed();
        assert_eq!(
            plan(&raw mut call, &raw const decision, &raw const options, 0, &raw mut step),
            agd::AGD_ERROR_STRUCT_SIZE
        );
        options.size = size_of::<agd::agd_call_options>();
        for (confirmed, undeclared) in [(3, 0), (-1, 0), (0, 2)] {
            (options.confirmed, options.undeclared) = (confirmed, undeclared);
            assert_eq!(
                plan(&raw mut call, &raw const decision, &raw const options, 0, &raw mut step),
                agd::AGD_ERROR_ARGUMENT
            );
        }
        (options.undeclared, options.done_count) = (0, 1);
        assert_eq!(
            plan(&raw mut call, &raw const decision, &raw const options, 0, &raw mut step),
            agd::AGD_ERROR_NULL
        );
        // None of these calls counted as a step, and the decision denies the call.
        assert_eq!(
            plan(&raw mut call, &raw const decision, null(), 0, &raw mut step),
            agd::AGD_ERROR_CALL_REFUSED
        );
        let (mut result, mut list): (agd::agd_call_result, agd::agd_outcomes) =
            (zeroed(), zeroed());
        let mut ask = |answer, result| {
            agd::agd_call_next(
                &raw mut call,
                &raw const decision,
                answer,
                null_mut(),
                0,
                null_mut(),
                result,
                null_mut(),
            )
        };
        assert_eq!(ask(null(), &raw mut result), agd::AGD_ERROR_NULL);
        assert_eq!(agd::agd_outcomes_next(&raw mut list, null_mut()), agd::AGD_ERROR_UNINITIALISED);
        assert_eq!(agd::agd_outcomes_next(null_mut(), null_mut()), agd::AGD_ERROR_NULL);
    }
}
