//! Reads the questions and calls of vectors, for the adapter and for the tests of the core.
#![allow(dead_code, reason = "a test needs only some of it")]

use agentsdisc_core::call::{Answer, Done, Header, Options};
use agentsdisc_core::policy::{Approved, Confirmation, Request};
use serde_json::Value;

/// When the answers of a call arrive, in seconds since 1970.
const NOW: u64 = 1_790_000_000;

/// The URLs that a question calls approved.
pub(crate) fn approved(question: &Value) -> Vec<&str> {
    question["approved"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What a question asks: the members of a policy question or of a call.
pub(crate) fn request<'a>(question: &'a Value, approved: &'a [&'a str]) -> Request<'a> {
    let agent = question["agent"].as_str().unwrap_or("Bot");
    let mut request = match question["capability"].as_str() {
        Some(id) => Request::capability(agent, id),
        None => Request::url(agent, question["url"].as_str().unwrap()),
    };
    request.method = question["method"].as_str();
    request.origin = question["origin"].as_str();
    request.purpose = question["purpose"].as_str();
    request.content_usage = question["content_usage"].as_str();
    request.approved = Approved::List(approved);
    request
}

/// The arguments of a call: text as it is, any other value as JSON.
pub(crate) fn arguments(call: &Value) -> String {
    sent(&call["arguments"], "{}")
}

fn sent(value: &Value, absent: &str) -> String {
    match value {
        Value::Null => absent.into(),
        Value::String(text) => text.clone(),
        json => json.to_string(),
    }
}

/// The answers of other actions that a call requires: the bodies, from which `options` takes them.
pub(crate) fn bodies(call: &Value) -> Vec<String> {
    actions(call).map(|done| done["body"].to_string()).collect()
}

fn actions(call: &Value) -> impl Iterator<Item = &Value> {
    call["options"]["done"].as_array().into_iter().flatten()
}

/// The actions that were called before, with the bodies of their answers.
pub(crate) fn done<'a>(call: &'a Value, bodies: &'a [String]) -> Vec<Done<'a>> {
    let actions = actions(call).map(|done| done["action"].as_str().unwrap());
    actions.zip(bodies).map(|(action, body)| Done { action, body: body.as_bytes() }).collect()
}

/// The options of a call.
pub(crate) fn options<'a>(call: &'a Value, done: &'a [Done<'a>]) -> Options<'a> {
    let given = &call["options"];
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
    options.done = done;
    options
}

/// Passes on an answer to a call.
pub(crate) fn with_answer<T>(answer: &Value, read: impl FnOnce(&Answer<'_, '_>) -> T) -> T {
    let fields = answer["headers"].as_object().into_iter().flatten();
    let headers: Vec<_> =
        fields.map(|(name, value)| Header { name, value: value.as_str().unwrap() }).collect();
    let body = sent(&answer["body"], "");
    read(&Answer {
        status: answer["status"].as_u64().unwrap() as u16,
        headers: &headers,
        body: body.as_bytes(),
        now: NOW,
    })
}
