//! Shared by the targets: calls everything on a document and checks the guarantees.
#![allow(dead_code)]

use agentsdisc_core::manifest::Raw;
use agentsdisc_core::policy::{Decision, Request, Robots, decide};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::write::Reason;
use agentsdisc_core::{CheckOptions, ConvertError, ConvertOptions, Document, Format, ParseOptions};

use again::assert_only_stricter;
use inside::assert_inside;

#[path = "../../core/tests/common/again.rs"]
mod again;
#[path = "../../core/tests/common/inside.rs"]
mod inside;
#[path = "../../core/tests/common/walk.rs"]
mod walk;

/// All views are slices of the bytes, and decoding ends.
struct Inside<'b> {
    bytes: &'b [u8],
    decoded: Vec<u8>,
}

impl walk::Visitor for Inside<'_> {
    fn text(&mut self, text: Text<'_>) {
        assert_inside(self.bytes, text.raw());
        let length = text.decoded_len();
        self.decoded.resize(length, 0);
        let decoded = text.decode(&mut self.decoded).expect("the length is enough");
        assert_eq!(decoded.len(), length);
        // Bytes that are not UTF-8 read as U+FFFD, but are not equal to it in comparisons.
        assert!(text == *decoded || core::str::from_utf8(text.raw()).is_err());
    }

    fn raw(&mut self, raw: Raw<'_>) {
        match raw {
            Raw::Text(text) => self.text(text),
            Raw::Json(value) => {
                assert_inside(self.bytes, value.raw());
                let _ = (
                    value.members().count(),
                    value.elements().count(),
                    value.as_number().map(|number| number.as_i64()),
                );
            }
        }
    }

    fn number(&mut self, _: u64) {}

    fn source(&mut self, source: &[u8]) {
        assert_inside(self.bytes, source);
    }
}

fn model(document: &Document<'_>) -> Vec<u8> {
    let length = document.json_len();
    let mut model = vec![0; length];
    assert_eq!(document.write_json(&mut model), Ok(length));
    if length > 0 {
        assert!(document.write_json(&mut vec![0; length - 1]).is_err());
    }
    model
}

/// A document that was parsed from these bytes.
pub fn own(document: &Document<'_>) {
    walk::manifest(
        &document.manifest(),
        &mut Inside { bytes: document.bytes(), decoded: Vec::new() },
    );
    decisions(document);
    let model = model(document);
    // `metadata` may contain values that serde_json rejects: numbers beyond a double, and half a
    // surrogate pair.
    if let Err(error) = serde_json::from_slice::<serde_json::Value>(&model) {
        let why = error.to_string();
        let known = ["out of range", "recursion", "surrogate", "hex escape"]
            .iter()
            .any(|known| why.contains(known));
        assert!(known, "{why}: {}", String::from_utf8_lossy(&model));
    }
    let origin = Some("https://example.com");
    document.check(&CheckOptions { origin, ..CheckOptions::default() }, |diagnostic| {
        assert!(
            diagnostic.span.start <= diagnostic.span.end
                && diagnostic.span.end as usize <= document.bytes().len(),
            "{diagnostic:?}"
        );
        assert!(!diagnostic.to_string().is_empty());
    });
}

/// Every document gives a decision, and the same one if it is repeated; the deciding rule is in the
/// document.
fn decisions(document: &Document<'_>) {
    let text = |decision: &Decision<'_>| {
        let mut text = Vec::new();
        decision.put_json(&mut [0; 64], &mut |piece: &[u8]| text.extend_from_slice(piece));
        text
    };
    let id = document
        .manifest()
        .capabilities()
        .find_map(|capability| capability.id)
        .map(|id| id.to_string())
        .unwrap_or_default();
    let endpoint = document
        .manifest()
        .capabilities()
        .find_map(|capability| capability.endpoint)
        .map(|url| url.to_string());
    let endpoint = endpoint.unwrap_or_default();
    for request in [
        Request::url("bot/1.0", "https://example.com/a/../b?c"),
        Request::url("bot/1.0", "/a%2Fb").with_method("POST"),
        Request::url("bot/1.0", &endpoint).with_origin("https://example.com"),
        Request::capability("claude", &id),
        Request::capability("claude", &id)
            .with_origin("https://example.com")
            .with_approved(&[&endpoint]),
    ] {
        let decision = decide(document, Robots::NotAsked, &request);
        assert_eq!(text(&decision), text(&decide(document, Robots::NotAsked, &request)));
        if let Some(rule) = decision.rule {
            assert_eq!(rule.span.slice(document.bytes()), rule.text.raw());
        }
        if let Some(strictest) = decision.advisory_limit() {
            assert!(decision.rate_limits().all(|limit| !limit.is_stricter_than(&strictest)));
        }
    }
}

/// Written documents can be read, and are unchanged when written again; fixed documents have the
/// same meaning.
pub fn written(document: &Document<'_>) {
    let read = |bytes: &[u8], format| {
        Document::parse_with(
            bytes,
            &ParseOptions { format: Some(format), ..ParseOptions::default() },
        )
        .map(|one| *one.outline())
    };
    const TARGETS: [Format; 7] = [
        Format::AgentsTxt,
        Format::AgentsJson,
        Format::AgentsTxt01,
        Format::AgentsJson01,
        Format::LlmsTxt,
        Format::Adp,
        Format::AdpCapability,
    ];
    for target in TARGETS {
        let mut bytes = Vec::new();
        let converted = document.convert(
            target,
            &ConvertOptions::default(),
            &mut |piece: &[u8]| bytes.extend_from_slice(piece),
            |loss| {
                assert!(
                    !loss.to_string().is_empty()
                        && loss.span.end as usize <= document.bytes().len()
                );
            },
        );
        if converted.is_err() || bytes.len() > 1 << 20 {
            continue;
        }
        let outline = read(&bytes, target)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&bytes)));
        let (mut again, mut lost, mut is_twice) = (Vec::new(), Vec::new(), false);
        let second = Document::attach(&bytes, outline);
        let result = second.convert(
            target,
            &ConvertOptions::default(),
            &mut |piece: &[u8]| again.extend_from_slice(piece),
            |loss| {
                let path = loss.path.to_string();
                is_twice |= target.is_json()
                    && loss.reason == Reason::Unreadable
                    && ["access", "agents"].contains(&path.as_str());
                lost.push(loss.to_string());
            },
        );
        // In JSON, two lines of one unknown name can become a restriction that is stated twice, and two
        // blocks for one agent two policies that contradict each other.
        if is_twice {
            assert_eq!(result, Err(ConvertError::Refused));
        } else {
            assert!(lost.is_empty(), "{lost:?}");
            assert_eq!(result, Ok(again.len()));
            // A member without a meaning, or a line of one capability, can become a line that seems to
            // state the authentication of all capabilities; a line of many words, or one that
            // begins with `X-`, can become a member that seems to state it, or a list of capabilities.
            let stricter: &[&str] = match target {
                Format::AgentsTxt => &["\n  Auth: unknown"],
                Format::AgentsJson => &[
                    ",\n      \"auth\": {\n        \"type\": \"unknown\"\n      }",
                    "\"capabilities\": [],\n      ",
                ],
                _ => &[],
            };
            assert_only_stricter(&bytes, &again, stricter, target.id());
        }
    }
    let mut bytes = Vec::new();
    if document.fix(&mut |piece: &[u8]| bytes.extend_from_slice(piece), |_| {}).is_ok()
        && bytes.len() <= 1 << 20
    {
        let outline = read(&bytes, document.format()).expect("what is put right can be read");
        assert_eq!(model(document), model(&Document::attach(&bytes, outline)));
    }
}

/// An outline with other bytes: results may be wrong, but nothing panics and views stay inside.
pub fn foreign(document: &Document<'_>) {
    walk::manifest(
        &document.manifest(),
        &mut Inside { bytes: document.bytes(), decoded: Vec::new() },
    );
    model(document);
    decisions(document);
    document
        .check(&CheckOptions::default(), |diagnostic| assert!(!diagnostic.to_string().is_empty()));
    let _ =
        document.convert(Format::AgentsTxt, &ConvertOptions::default(), &mut |_: &[u8]| {}, |_| {});
    let _ = document.convert(
        Format::AgentsJson,
        &ConvertOptions::default(),
        &mut |_: &[u8]| {},
        |_| {},
    );
    let _ = document.fix(&mut |_: &[u8]| {}, |_| {});
}

/// Parses and checks everything; then uses the same outline with truncated bytes.
pub fn exercise(bytes: &[u8], options: &ParseOptions<'_>) {
    match Document::parse_with(bytes, options) {
        Ok(document) => {
            own(&document);
            written(&document);
            for cut in [bytes.len() / 2, bytes.len().saturating_sub(1)] {
                foreign(&Document::attach(&bytes[..cut], *document.outline()));
            }
        }
        Err(error) => {
            assert!(error.offset <= bytes.len(), "{error}");
            let _ = (error.position(bytes), error.to_string());
        }
    }
}
