//! The adapter of agentsdisc-core.

use agentsdisc_core::call::Call;
use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::identity::{self, Claim, Message, Reason, find_key, put_base};
use agentsdisc_core::manifest::Enumeration;
use agentsdisc_core::policy::{Robots, decide};
use agentsdisc_core::{CheckOptions, Document, Error, Format, Hints, Limits, ParseOptions};
use serde_json::{Value, json};

use crate::{Adapter, document_of, questions};

/// The size of the buffers for plans, which is more than any vector needs.
const ROOM: usize = 1 << 20;

pub(crate) fn adapter() -> Adapter {
    Adapter {
        name: "agentsdisc (Rust)",
        version: env!("CARGO_PKG_VERSION").into(),
        tasks: &[
            "detect",
            "parse",
            "check",
            "robots",
            "preferences",
            "policy",
            "call",
            "signature-base",
            "signed-request",
        ],
        formats: &[],
        answer,
    }
}

fn answer(request: &Value) -> Option<Value> {
    Some(match request["task"].as_str()? {
        "detect" => detect(request),
        "parse" => parse(request),
        "check" => check(request),
        "robots" => robots(request),
        "preferences" => preferences(request),
        "policy" => policy(request),
        "call" => call(request),
        "signature-base" => signature_base(request),
        "signed-request" => return signed_request(request),
        _ => return None,
    })
}

fn limits(request: &Value) -> Limits {
    let given = &request["options"]["limits"];
    let limit = |name: &str, default: usize| given[name].as_u64().map_or(default, |n| n as usize);
    Limits {
        document: limit("document", Limits::DEFAULT.document),
        depth: limit("depth", Limits::DEFAULT.depth),
        line: limit("line", Limits::DEFAULT.line),
        robots: limit("robots", Limits::DEFAULT.robots),
    }
}

fn hints(request: &Value) -> Hints<'_> {
    let options = &request["options"];
    Hints { url: options["url"].as_str(), content_type: options["content_type"].as_str() }
}

/// Parses the document of a request, or one of its documents.
fn parsed<'a>(bytes: &'a [u8], request: &Value) -> Result<Document<'a>, Error> {
    let id = request["options"]["format"].as_str().or(request["format"].as_str());
    if id == Some("unknown") {
        return Ok(Document::unread(bytes));
    }
    let options = ParseOptions {
        format: id.map(|id| Format::from_id(id).unwrap()),
        hints: hints(request),
        limits: limits(request),
    };
    Document::parse_with(bytes, &options)
}

fn detect(request: &Value) -> Value {
    let found = agentsdisc_core::detect(&document_of(request), hints(request));
    json!({ "format": found.format.id() })
}

fn parse(request: &Value) -> Value {
    let bytes = document_of(request);
    match parsed(&bytes, request) {
        Ok(document) => json!({ "model": written(|mut sink| document.put_json(&mut sink)) }),
        Err(error) => {
            let position = error.position(&bytes);
            json!({ "error": { "kind": error.kind.as_str(), "offset": error.offset,
                "line": position.line, "column": position.column } })
        }
    }
}

/// What a function writes, as JSON.
fn written(write: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Value {
    let mut json = Vec::new();
    write(&mut |bytes: &[u8]| json.extend_from_slice(bytes));
    serde_json::from_slice(&json).unwrap()
}

fn check(request: &Value) -> Value {
    let bytes = document_of(request);
    let document = parsed(&bytes, request).unwrap();
    let origin = request["options"]["origin"].as_str();
    let mut found = Vec::new();
    document.check(&CheckOptions { origin, ..CheckOptions::default() }, |diagnostic| {
        let position = document.position(diagnostic.span.start as usize);
        found.push(json!({ "code": diagnostic.code.as_str(),
            "severity": diagnostic.severity.as_str(),
            "line": position.line, "column": position.column }));
    });
    json!({ "diagnostics": found })
}

fn rules<'a>(bytes: &'a [u8], request: &Value) -> RobotsTxt<'a> {
    RobotsTxt::parse_with(bytes, &limits(request))
}

fn robots(request: &Value) -> Value {
    let bytes = document_of(request);
    let verdict = rules(&bytes, request).decide(text(request, "agent"), text(request, "url"));
    json!({ "allowed": verdict.allowed, "line": verdict.rule.map(|rule| rule.line) })
}

fn preferences(request: &Value) -> Value {
    let bytes = document_of(request);
    let [agent, url, purpose] = ["agent", "url", "purpose"].map(|name| text(request, name));
    let answer = rules(&bytes, request).preference(agent, url, purpose);
    json!({ "preference": answer.stance.as_str(),
        "line": answer.statement.map(|statement| statement.line) })
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("the request has no {name}"))
}

/// The bytes of the documents of a request.
fn all_bytes(request: &Value) -> Vec<Vec<u8>> {
    request["documents"].as_array().into_iter().flatten().map(document_of).collect()
}

fn documents<'a>(bytes: &'a [Vec<u8>], request: &Value) -> Vec<Document<'a>> {
    let parts = request["documents"].as_array().into_iter().flatten();
    parts.zip(bytes).map(|(part, bytes)| parsed(bytes, part).unwrap()).collect()
}

fn policy(request: &Value) -> Value {
    let (bytes, stated) = (all_bytes(request), &request["robots"]);
    let question = &request["question"];
    let (documents, approved) = (documents(&bytes, request), questions::approved(question));
    let robots_text = if stated.is_object() { document_of(stated) } else { Vec::new() };
    let robots = match stated.as_str() {
        Some("absent") => Robots::Absent,
        Some(_) => Robots::Unreachable,
        None if stated.is_object() => Robots::Found(RobotsTxt::parse(&robots_text)),
        None => Robots::NotAsked,
    };
    let decision = decide(&*documents, robots, &questions::request(question, &approved));
    let (mut scratch, mut buffer) = ([0; 4096], vec![0; ROOM]);
    let length = decision.write_json(&mut scratch, &mut buffer).unwrap();
    serde_json::from_slice(&buffer[..length]).unwrap()
}

fn call(request: &Value) -> Value {
    let asked = &request["call"];
    let (bytes, approved) = (all_bytes(request), questions::approved(asked));
    let documents = documents(&bytes, request);
    let decision = decide(&*documents, Robots::NotAsked, &questions::request(asked, &approved));
    let bodies = questions::bodies(asked);
    let done = questions::done(asked, &bodies);
    let options = questions::options(asked, &done);
    let arguments = questions::arguments(asked);
    let (mut progress, mut buffer) = (Call::new(), vec![0; ROOM]);
    let plan = match progress.plan(&decision, arguments.as_bytes(), &options, &mut buffer) {
        Ok(plan) => written(|mut sink| plan.put_json(&mut sink)),
        Err(refusal) => written(|mut sink| refusal.put_json(&decision, &mut sink)),
    };
    let mut following = Vec::new();
    for answer in request["answers"].as_array().into_iter().flatten() {
        let mut buffer = vec![0; ROOM];
        following.push(questions::with_answer(answer, |answer| {
            match progress.next(&decision, answer, &mut buffer) {
                Ok(next) => written(|mut sink| next.put_json(&mut sink)),
                Err(refusal) => written(|mut sink| refusal.put_json(&decision, &mut sink)),
            }
        }));
    }
    json!({ "plan": plan, "next": following })
}

/// The octets of a text of HTTP, of which each character is one.
fn octets(text: &Value) -> Vec<u8> {
    text.as_str().into_iter().flat_map(str::chars).map(|c| c as u8).collect()
}

fn fields(pairs: &Value) -> Vec<(Vec<u8>, Vec<u8>)> {
    let pairs = pairs.as_array().into_iter().flatten();
    pairs.map(|pair| (octets(&pair[0]), octets(&pair[1]))).collect()
}

fn headers(fields: &[(Vec<u8>, Vec<u8>)]) -> Vec<identity::Header<'_>> {
    fields.iter().map(|(name, value)| identity::Header { name, value }).collect()
}

fn signature_base(request: &Value) -> Value {
    let (own, answer) = (fields(&request["headers"]), fields(&request["answer"]));
    let (own, answer) = (headers(&own), headers(&answer));
    let (method, url) = (octets(&request["method"]), octets(&request["url"]));
    let message = Message {
        answer: (!answer.is_empty()).then_some(&answer[..]),
        ..Message::new(&method, &url, &own)
    };
    let (label, mut base) = (octets(&request["label"]), Vec::new());
    put_base(&message, &label, &mut |bytes: &[u8]| base.extend_from_slice(bytes)).unwrap();
    json!({ "base": base.into_iter().map(char::from).collect::<String>() })
}

/// The verdict of the first signature that could be valid. The core has no cryptography, so a case is
/// left out where that decides.
fn signed_request(request: &Value) -> Option<Value> {
    let fields = fields(&request["headers"]);
    let (headers, keys) = (headers(&fields), request["keys"].to_string());
    let (method, url) = (octets(&request["method"]), octets(&request["url"]));
    let message = Message::new(&method, &url, &headers);
    let options = identity::Options {
        longest: request["longest"].as_u64(),
        ..identity::Options::at(request["now"].as_u64()?)
    };
    let document =
        Document::parse_as(keys.as_bytes(), Format::SignatureDirectory, &Limits::DEFAULT).ok()?;
    let directory = document.signature_directory()?;
    let claims = (0..).map_while(|index| Claim::read(&message, index, &options));
    let mut reasons = claims.map(|claim| match claim {
        Err(reason) => reason,
        Ok(claim) => find_key(&directory, claim.key_id, claim.algorithm, options.now)
            .map_or_else(|reason| reason, |_| Reason::Valid),
    });
    let first = reasons.next()?;
    let is_open = first == Reason::Valid || reasons.any(|reason| reason == Reason::Valid);
    (!is_open).then(|| json!({ "valid": false, "reason": first.as_str() }))
}
