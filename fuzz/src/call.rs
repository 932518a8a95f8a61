//! Plans calls with arbitrary documents, arguments and answers: every planned request is one that
//! the site does not deny, no argument becomes a part of the syntax, and every loop ends.
//!
//! The input is a document, the arguments and the body of an answer, with NULs between them.

use agentsdisc_core::call::{Answer, Call, First, Header, Next, Options, Plan, Step};
use agentsdisc_core::policy::{
    AuthNeed, Confirmation, Credentials, Decision, Request, Robots, decide,
};
use agentsdisc_core::syntax::json::{Kind, Value};
use agentsdisc_core::syntax::url::Url;
use agentsdisc_core::{Document, Format, ParseOptions};

const AGENT: &str = "Bot/1.0";
/// The longest wait that a call returns, in seconds.
const LONGEST: u32 = 86_400;

fn is_place(text: &str) -> bool {
    Url::parse(text.as_bytes()).is_some_and(|url| url.userinfo().is_none())
}

fn is_url(text: &str) -> bool {
    is_place(text) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The documents of a call, and its decision.
struct Case<'a> {
    documents: [Document<'a>; 1],
}

impl<'a> Case<'a> {
    /// Whether the site allows a credential to be sent to a URL.
    fn may_send(&self, url: &str, method: &str) -> bool {
        let request = Request::url(AGENT, url).with_method(method);
        let decision = decide(&self.documents, Robots::NotAsked, &request);
        decision.credentials == Credentials::Allowed
    }

    fn check(&self, id: &str, arguments: &[u8], body: &[u8], buffer: &mut [u8]) {
        let decision = decide(&self.documents, Robots::NotAsked, &Request::capability(AGENT, id));
        for bare in [false, true] {
            let mut options = Options::default();
            (options.has_credential, options.has_session) = (!bare, !bare);
            (options.undeclared, options.from_text) = (!bare, bare);
            options.confirmed = match bare {
                true => Confirmation::NotStated,
                false => Confirmation::Must,
            };
            options.idempotency_key = Some("key").filter(|_| !bare);
            let mut call = Call::new();
            match call.plan(&decision, arguments, &options, buffer) {
                Ok(plan) => self.check_plan(&plan, &decision, bare),
                Err(refusal) => check_json(|text| {
                    refusal.put_json(&decision, &mut |bytes: &[u8]| text.extend_from_slice(bytes))
                }),
            }
            for status in [0, 200, 202, 302, 400, 401, 408, 429, 503, u16::MAX] {
                self.follow(call, &decision, (status, body), buffer);
            }
        }
    }

    fn check_plan(&self, plan: &Plan<'_, '_>, decision: &Decision<'_>, bare: bool) {
        assert!(decision.allowed, "nothing is planned that is denied");
        check_json(|text| plan.put_json(&mut |bytes: &[u8]| text.extend_from_slice(bytes)));
        let has_credential = plan.credential.is_some();
        assert!(!has_credential || !bare, "there is none");
        match plan.step {
            Step::Http(request) => {
                assert!(is_url(request.url), "{}", request.url);
                assert!(!request.method.is_empty());
                for header in request.headers {
                    assert!(header.value.bytes().all(|byte| matches!(byte, b' '..=b'~')));
                    for own in ["Host", "Authorization", "User-Agent", "Content-Length"] {
                        assert!(!header.name.eq_ignore_ascii_case(own), "{own}");
                    }
                }
                let final_url = Request::url(AGENT, request.url).with_method(request.method);
                let again = decide(&self.documents, Robots::NotAsked, &final_url);
                assert_ne!(again.reason.as_str(), "disallowed", "{}", request.url);
                let url = request.url;
                assert!(
                    url.len() > 2000 || !has_credential || self.may_send(url, request.method),
                    "{url}"
                );
            }
            Step::Client(client) => {
                let arguments = Value::parse(client.arguments.as_bytes()).expect("JSON");
                assert_eq!(arguments.kind(), Kind::Object);
                assert!(Url::parse(client.url.as_bytes()).is_some(), "{}", client.url);
                assert!(client.operation.is_none_or(|name| !name.is_empty()));
            }
            Step::First(First::Document { url }) => assert!(is_place(url), "{url}"),
            Step::First(First::Action { action }) => assert!(!action.is_empty()),
            Step::First(First::Token(auth)) => assert!(bare && auth.need > AuthNeed::None),
            Step::First(First::Session(open)) => {
                assert!(bare && is_place(open.url) && open.method == "POST");
            }
            Step::First(First::Confirmation) => {
                assert!(bare && plan.human.confirmation > Confirmation::NotStated);
            }
            _ => {}
        }
    }

    /// Passes the same answer until the call ends.
    fn follow(
        &self,
        mut call: Call,
        decision: &Decision<'_>,
        (status, body): (u16, &[u8]),
        buffer: &mut [u8],
    ) {
        let headers = [Header { name: "Retry-After", value: "1" }];
        let answer = Answer {
            status,
            headers: if status == 429 { &[] } else { &headers },
            body,
            now: 1_790_000_000,
        };
        let (mut count, mut polls) = (0, 0);
        loop {
            let next = match call.next(decision, &answer, buffer) {
                Ok(next) => next,
                Err(refusal) => {
                    return check_json(|text| {
                        refusal
                            .put_json(decision, &mut |bytes: &[u8]| text.extend_from_slice(bytes))
                    });
                }
            };
            check_json(|text| next.put_json(&mut |bytes: &[u8]| text.extend_from_slice(bytes)));
            match next {
                Next::Done(outputs) => {
                    assert!((200..300).contains(&status));
                    for output in outputs {
                        assert!(!output.is_typed || output.value.is_some());
                    }
                    return;
                }
                Next::Retry { seconds } => {
                    assert!(
                        seconds <= LONGEST && polls == 0,
                        "the first request is not sent again"
                    );
                }
                Next::Poll { url, seconds, credential } => {
                    assert!(seconds <= LONGEST);
                    assert_eq!(url.is_some(), polls == 0, "polls stay at one URL");
                    if let Some(url) = url {
                        assert!(is_url(url), "{url}");
                        assert!(!credential || self.may_send(url, "GET"), "{url}");
                    }
                    polls += 1;
                }
                Next::Refresh { url } => {
                    let own = Url::parse(url.as_bytes()).expect("a URL");
                    assert!(is_url(url) && (own.is_secure() || own.is_loopback()), "{url}");
                }
                Next::Token | Next::Session => {}
                Next::Recover(recovery) => {
                    assert!(recovery.url.is_none_or(is_place));
                    assert!(recovery.seconds.is_none_or(|seconds| seconds <= LONGEST));
                    assert!(recovery.url.is_none() || recovery.endpoint.is_some());
                    assert!(recovery.action.is_none_or(|action| !action.is_empty()));
                }
                Next::Failed(failure) => return assert!(!failure.as_str().is_empty()),
                _ => {}
            }
            count += 1;
            assert!(count < 256, "every loop ends");
        }
    }
}

/// Checks that a JSON form is JSON.
fn check_json(put: impl FnOnce(&mut Vec<u8>)) {
    let mut text = Vec::new();
    put(&mut text);
    let kind = Value::parse(&text).map(|value| value.kind());
    assert_eq!(kind, Ok(Kind::Object), "{}", String::from_utf8_lossy(&text));
}

/// Reads one input.
pub fn run(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == 0);
    let text = parts.next().unwrap_or_default();
    let arguments = parts.next().unwrap_or(b"{}");
    let body = parts.next().unwrap_or(b"{}");
    let mut buffer = [0; 1 << 12];
    let forced = Format::ALL.iter().copied().filter(|format| format.is_read()).map(Some);
    for format in core::iter::once(None).chain(forced) {
        let options = ParseOptions { format, ..ParseOptions::default() };
        let Ok(document) = Document::parse_with(text, &options) else {
            continue;
        };
        let case = Case { documents: [document] };
        for capability in document.manifest().capabilities().take(4) {
            let mut room = [0; 64];
            let id = capability.id.unwrap_or_default();
            if let Ok(id) = id.decode(&mut room) {
                case.check(id, arguments, body, &mut buffer);
            }
        }
    }
}
