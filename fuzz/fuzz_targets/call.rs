//! Calls with arbitrary documents, arguments and answers: every plan is a request to a place that the
//! site does not deny, no argument becomes a part of the syntax, and every loop ends.
//!
//! The input is a document, the arguments and the body of an answer, with NULs between them.
#![no_main]

use agentsdisc_core::call::{Answer, Call, Header, Next, Options, Step};
use agentsdisc_core::policy::{Confirmation, Request, Robots, decide};
use agentsdisc_core::syntax::json::{Kind, Value};
use agentsdisc_core::syntax::url::Url;
use agentsdisc_core::{Document, Format, ParseOptions};
use libfuzzer_sys::fuzz_target;

fn is_url(text: &str) -> bool {
    Url::parse(text.as_bytes()).is_some_and(|url| url.userinfo().is_none())
        && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn check(document: Document<'_>, id: &str, arguments: &[u8], body: &[u8], buffer: &mut [u8]) {
    let documents = [document];
    let decision = decide(
        &documents,
        Robots::NotAsked,
        &Request::capability("Bot/1.0", id),
    );
    let mut options = Options::default();
    (options.has_credential, options.has_session) = (true, true);
    (options.undeclared, options.confirmed) = (true, Confirmation::Must);
    options.idempotency_key = Some("key");
    let mut call = Call::new();
    let plan = call.plan(&decision, arguments, &options, buffer);
    if let Ok(plan) = plan {
        assert!(decision.allowed, "nothing is planned that is denied");
        match plan.step {
            Step::Http(request) => {
                assert!(is_url(request.url), "{}", request.url);
                assert!(!request.method.is_empty());
                for header in request.headers {
                    assert!(header.value.bytes().all(|byte| matches!(byte, b' '..=b'~')));
                    assert!(!header.name.eq_ignore_ascii_case("Host"));
                    assert!(!header.name.eq_ignore_ascii_case("Authorization"));
                }
                let final_url = Request::url("Bot/1.0", request.url).with_method(request.method);
                let again = decide(&documents, Robots::NotAsked, &final_url);
                assert_ne!(again.reason.as_str(), "disallowed", "{}", request.url);
            }
            Step::Client(client) => {
                let arguments = Value::parse(client.arguments.as_bytes()).expect("JSON");
                assert_eq!(arguments.kind(), Kind::Object);
            }
            _ => {}
        }
    }
    let headers = [Header {
        name: "Retry-After",
        value: "1",
    }];
    for status in [200, 202, 400, 401, 429, 503] {
        let answer = Answer {
            status,
            headers: &headers,
            body,
            now: 1_790_000_000,
        };
        let mut own = call;
        let mut count = 0;
        while let Ok(next) = own.next(&decision, &answer, buffer) {
            if let Next::Poll { url: Some(url), .. } | Next::Refresh { url } = next {
                assert!(is_url(url), "{url}");
            }
            if matches!(next, Next::Done(_) | Next::Failed(_)) {
                break;
            }
            count += 1;
            assert!(count < 256, "every loop ends");
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(3, |byte| *byte == 0);
    let text = parts.next().unwrap_or_default();
    let arguments = parts.next().unwrap_or(b"{}");
    let body = parts.next().unwrap_or(b"{}");
    let mut buffer = [0; 1 << 12];
    for format in [
        None,
        Some(Format::AgentsTxt),
        Some(Format::AgentsJson),
        Some(Format::AgentsJson01),
        Some(Format::Awp),
        Some(Format::AdpCapability),
    ] {
        let options = ParseOptions {
            format,
            ..ParseOptions::default()
        };
        let Ok(document) = Document::parse_with(text, &options) else {
            continue;
        };
        for capability in document.manifest().capabilities().take(4) {
            let mut room = [0; 64];
            let id = capability.id.unwrap_or_default();
            if let Ok(id) = id.decode(&mut room) {
                check(document, id, arguments, body, &mut buffer);
            }
        }
    }
});
