//! `Document::read` reports to a visitor what `Manifest::visit` reports, for whole documents and for damaged ones.

use std::fs;

use agentsdisc_core::scan::{Backend, force};
use agentsdisc_core::{Document, Error, Format, ParseOptions};
use proptest::prelude::*;

use crate::collect::Collected;
use crate::one_at_a_time;
use crate::vectors;

fn compare(bytes: &[u8], format: Option<Format>) {
    let options = ParseOptions { format, ..ParseOptions::default() };
    let plain: Result<_, Error> = Document::parse_with(bytes, &options).map(|document| {
        let mut collected = Collected::default();
        document.manifest().visit(&mut collected);
        (*document.outline(), collected)
    });
    let mut collected = Collected::default();
    let fused = Document::read(bytes, &options, &mut collected)
        .map(|document| (*document.outline(), collected));
    assert_eq!(fused, plain, "{}", String::from_utf8_lossy(bytes));
}

#[test]
fn every_vector_is_reported_alike() {
    let _lock = one_at_a_time();
    compare_vectors();
}

#[test]
fn every_vector_is_reported_alike_without_simd() {
    let _lock = one_at_a_time();
    assert!(force(Some(Backend::Scalar)));
    compare_vectors();
    force(None);
}

fn compare_vectors() {
    for path in vectors::inputs() {
        let bytes = fs::read(path).unwrap();
        compare(&bytes, None);
        for format in { Format::ALL.iter() }.filter(|format| format.is_read_in_one_pass()) {
            compare(&bytes, Some(*format));
        }
    }
}

const RICH: &str = r#"{"specVersion":"1.0","site":{"name":"A","url":"https://a.example"},
 "capabilities":[{"id":"x","endpoint":"https://a.example/x","protocol":"REST","auth":{"type":"oauth2","scopes":["a"]},
   "parameters":[{"name":"q","in":"query","type":"string","required":true},{"name":"n","default":[1,{"b":2}]}],"extra":{"z":[]}},
   7,[{"id":"no"}],{"id":"y","params":[],"rateLimit":"5/day"}],
 "access":{"allow":["/"]},"agents":{"*":{},"a":{"capabilities":["x"]},"b":null}}"#;

const LINES: &str = "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n\nCapability: x\n  Endpoint: https://a.example/x\n  Protocol: REST\n\
  Param: q (query, string, required) - Words\n  Param:\n\tParam: n (body, int)\n  Rate-Limit: 5/day\n  Scopes: a, b\n  Odd: z\nParam: late\n\nAgent: *\n  \
  Capabilities: x\n  Param: no\n  Rate-Limit: odd\nCapability: y\n  Auth-Endpoint: https://a.example/t\nAllow: /\n";

proptest! {
    #[test]
    fn damaged_lines_are_reported_alike(at in 0usize..400, byte in prop::sample::select(b":,\n\r\t01x P(".to_vec()), cut in any::<bool>()) {
        let _lock = one_at_a_time();
        let mut bytes = LINES.as_bytes().to_vec();
        let at = at % bytes.len();
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        compare(&bytes, None);
        compare(&bytes, Some(Format::AgentsTxt));
    }
}

const RICH_AWP: &str = r#"{"awp_version":"0.2","domain":"a.example","intent":"x","protocols":{"mcp":{"version":"1","x":1},"a2a":null},
 "capabilities":{"streaming":true,"n":null},"auth":{"type":"oauth2","required_for":["a",1],"optional_for":"b"},
 "entities":{"e":{"fields":{"f":"string","g":null,"h":{}}},"n":7},"actions":[{"id":"a","inputs":{"q":{"type":"string","required":1},"r":"string",
 "s":null},"outputs":{"o":"string","p":[{}]},"rate_limit":"5/day","idempotency":{"supported":true}},3,[]],"errors":{"E":{"recovery":"r"},"F":"g"},
 "dependencies":{"a":["b",{"c":"d"}],"c":"d","e":null,"f":4},"agent_hints":{"k":"v","l":[null]},"agent_status":{"degraded_actions":["a"]},"z":0}"#;

const RICH_ADP: &str = r#"{"spec_version":"1.0","name":"A\u0062","description":"d","base_url":"https://a.example","auth":{"type":"oauth2",
 "scopes":["a","b",["c"]],"x":{}},"pricing":{"type":"free","plans":[{"name":"p","price":1,"limits":"l"},4],"plans_url":null},
 "capabilities":[{"name":"n","detail_url":"/d","endpo\u0069nt":"/e","k":[1,{"name":"no"}]},null,{"name":3}],"metadata":{"m":1}}"#;

#[test]
fn repeated_members_are_reported_alike() {
    let _lock = one_at_a_time();
    for (old, new) in [
        (r#""extra":{"z":[]}"#, r#""parameters":"none""#),
        (r#""extra":{"z":[]}"#, r#""parameters":null"#),
        (r#""extra":{"z":[]}"#, r#""auth":{"type":"none"}"#),
        (
            r#""extra":{"z":[]}"#,
            r#""auth":{"type":"none","x":[1],"docsUrl":"d"},"auth":{"scopes":["b",[]],"y":{"a":1}}"#,
        ),
        (
            r#""extra":{"z":[]}"#,
            r#""rateLimit":{"requests":1,"z":{}},"rateLimit":{"window":"day","requests":2},"auth":"none""#,
        ),
        (
            r#""extra":{"z":[]}"#,
            r#""id":7,"id":"z","rateLimit":{"requests":1,"window":"day"},"rateLimit":"2/day""#,
        ),
        (r#""params":[]"#, r#""parameters":1,"params":[{"name":"p"}]"#),
        (r#""access":"#, r#""agents":{"c":{}},"access":"#),
        (
            r#""access":"#,
            r#""site":null,"specVersion":3,"disallow":"/x","capabilities":[],"access":"#,
        ),
    ] {
        assert!(RICH.contains(old));
        compare(RICH.replacen(old, new, 1).as_bytes(), None);
    }
}

proptest! {
    #[test]
    fn damaged_documents_are_reported_alike(
        which in 0usize..3,
        at in 0usize..2000,
        byte in prop::sample::select(br#"{}[]":,\n01x "#.to_vec()),
        cut in any::<bool>(),
    ) {
        let _lock = one_at_a_time();
        let (text, format) = [(RICH, Format::AgentsJson), (RICH_AWP, Format::Awp), (RICH_ADP, Format::Adp)][which];
        let mut bytes = text.as_bytes().to_vec();
        let at = at % bytes.len();
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        compare(&bytes, None);
        compare(&bytes, Some(format));
    }
}
