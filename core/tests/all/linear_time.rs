//! Time is linear in the size of any document: the time per byte is not greater for a large
//! document than for a small one, within a generous factor.
//!
//! A quadratic pass would cost 32 times as much per byte over a range of 32 in size.
use crate::common::time;

use std::time::{Duration, Instant};

use agentsdisc_core::manifest::Raw;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{CheckOptions, ConvertOptions, Document, Format, Limits, ParseOptions};

use crate::common::walk;

mod lists;
mod masking;

#[derive(Default)]
struct Count(u64);

impl walk::Visitor for Count {
    fn text(&mut self, text: Text<'_>) {
        self.0 += text.raw().len() as u64;
    }
    fn raw(&mut self, _: Raw<'_>) {
        self.0 += 1;
    }
    fn number(&mut self, number: u64) {
        self.0 = self.0.wrapping_add(number);
    }
}

/// Runs everything that is documented as linear.
fn read(bytes: &[u8], format: Option<Format>) -> u64 {
    let limits = Limits {
        document: usize::MAX,
        line: usize::MAX,
        depth: Limits::MAX_DEPTH,
        ..Limits::DEFAULT
    };
    match Document::parse_with(bytes, &ParseOptions { format, limits, ..ParseOptions::default() }) {
        Err(error) => error.offset as u64,
        Ok(document) => {
            let mut count = Count::default();
            walk::manifest(&document.manifest(), &mut count);
            count.0 + document.json_len() as u64
        }
    }
}

fn check(bytes: &[u8], format: Option<Format>) -> u64 {
    let limits = Limits {
        document: usize::MAX,
        line: usize::MAX,
        depth: Limits::MAX_DEPTH,
        ..Limits::DEFAULT
    };
    let mut found = 0;
    if let Ok(document) =
        Document::parse_with(bytes, &ParseOptions { format, limits, ..ParseOptions::default() })
    {
        document.check(&CheckOptions::default(), |_| found += 1);
    }
    found
}

/// Runs all conversions and the automatic fixes.
fn write(bytes: &[u8], format: Option<Format>) -> u64 {
    let limits = Limits {
        document: usize::MAX,
        line: usize::MAX,
        depth: Limits::MAX_DEPTH,
        ..Limits::DEFAULT
    };
    let mut count = 0;
    if let Ok(document) =
        Document::parse_with(bytes, &ParseOptions { format, limits, ..ParseOptions::default() })
    {
        for target in [
            Format::AgentsTxt,
            Format::AgentsJson,
            Format::AgentsTxt01,
            Format::AgentsJson01,
            Format::Adp,
            Format::AdpCapability,
        ] {
            let mut sink = |piece: &[u8]| count += piece.len() as u64;
            let _ = document.convert(target, &ConvertOptions::default(), &mut sink, |loss| {
                std::hint::black_box(loss);
            });
        }
        let _ = document.fix(&mut |piece: &[u8]| count += piece.len() as u64, |_| {});
    }
    count
}

/// Returns the seconds that `times` runs take.
fn seconds(times: usize, work: impl Fn() -> u64) -> f64 {
    let start = time::processor_time();
    for _ in 0..times {
        std::hint::black_box(work());
    }
    (time::processor_time() - start).as_secs_f64()
}

const SMALL: usize = 16 << 10;
const LARGE: usize = if cfg!(debug_assertions) { 1 << 19 } else { 32 << 20 };
const FACTOR: f64 = 6.0;

/// Checks that `make`, which returns a document of about the requested size, is read in linear
/// time.
fn linear(name: &str, format: Option<Format>, make: impl Fn(usize) -> Vec<u8>) {
    let (small, large) = (make(SMALL), make(LARGE));
    // The small document is read as often as it fits into the large one, alternating with it, so
    // that both runs take equally long and other load affects both alike.
    let times = large.len() / small.len();
    for (what, work) in [
        ("reading", read as fn(&[u8], Option<Format>) -> u64),
        ("the check", check),
        ("writing", write),
    ] {
        let (mut few, mut many) = (f64::MAX, f64::MAX);
        let begin = Instant::now();
        for turn in 0..7 {
            few = few.min(seconds(times, || work(&small, format)));
            many = many.min(seconds(1, || work(&large, format)));
            // One success is enough, because a measured time can only be too long.
            if many < few * 2.0 || turn > 0 && begin.elapsed() > Duration::from_secs(3) {
                break;
            }
        }
        let per_byte = |seconds: f64, bytes: usize| seconds * 1e9 / bytes as f64;
        let (few, many) = (per_byte(few, small.len() * times), per_byte(many, large.len()));
        println!(
            "{name}, {what}: {few:.2} ns for each byte of {} KB, {many:.2} of {} KB",
            small.len() >> 10,
            large.len() >> 10
        );
        assert!(
            many < few * FACTOR + 1.0,
            "{name}, {what}: {few:.2} ns for each byte, then {many:.2}"
        );
    }
}

/// Returns `head`, then `item` as often as it fits, then `tail`.
fn repeated(head: &str, item: impl Fn(usize) -> String, tail: &str) -> impl Fn(usize) -> Vec<u8> {
    move |size| {
        let mut text = head.to_owned();
        let mut number = 0;
        while text.len() < size {
            text.push_str(&item(number));
            number += 1;
        }
        text.push_str(tail);
        text.into_bytes()
    }
}

/// Returns two parts of one size, one after the other.
fn halves(
    first: impl Fn(usize) -> Vec<u8>,
    second: impl Fn(usize) -> Vec<u8>,
) -> impl Fn(usize) -> Vec<u8> {
    move |size| [first(size / 2), second(size / 2)].concat()
}

const JSON: Option<Format> = Some(Format::AgentsJson);
const TEXT: Option<Format> = Some(Format::AgentsTxt);

#[test]
fn json_of_one_construct_is_linear() {
    linear("deep nesting", JSON, |size| [vec![b'['; size / 2], vec![b']'; size / 2]].concat());
    linear(
        "deep nesting within the limit",
        JSON,
        repeated(r#"{"x":[0"#, |_| format!(",{}{}", "[".repeat(200), "]".repeat(200)), "]}"),
    );
    linear("one long string", JSON, |size| {
        format!(r#"{{"specVersion":"{}"}}"#, "x".repeat(size)).into_bytes()
    });
    linear("all quotes", JSON, |size| vec![b'"'; size]);
    linear("all backslashes", JSON, |size| {
        [&br#"{"x":""#[..], &vec![b'\\'; size / 2 * 2], br#""}"#].concat()
    });
    linear(
        "escapes in a value that is read",
        JSON,
        repeated(r#"{"specVersion":""#, |_| "\\u00e9\\\"".to_owned(), r#""}"#),
    );
    linear("all blanks", JSON, |size| [&vec![b' '; size][..], b"{}"].concat());
    linear("all commas", JSON, |size| [&b"["[..], &vec![b','; size]].concat());
    linear("one long number", JSON, |size| {
        format!(r#"{{"x":1{}}}"#, "0".repeat(size)).into_bytes()
    });
    linear(
        "never closed",
        JSON,
        repeated(r#"{"capabilities":["#, |_| r#"{"id":"a"},"#.to_owned(), ""),
    );
}

#[test]
fn json_with_many_members_is_linear() {
    linear(
        "capabilities",
        JSON,
        repeated(
            r#"{"capabilities":[{"id":"first"}"#,
            |n| format!(r#",{{"id":"c{n}","endpoint":"https://a.example/{n}"}}"#),
            "]}",
        ),
    );
    linear(
        "capabilities of one id",
        JSON,
        repeated(r#"{"capabilities":[{"id":"a"}"#, |_| r#",{"id":"a"}"#.to_owned(), "]}"),
    );
    linear(
        "parameters",
        JSON,
        repeated(
            r#"{"capabilities":[{"id":"a","parameters":[{}"#,
            |n| format!(r#",{{"name":"p{n}","in":"query"}}"#),
            "]}]}",
        ),
    );
    linear(
        "one name again and again",
        JSON,
        repeated(r#"{"site":{}"#, |_| r#","site":{"name":"x"}"#.to_owned(), "}"),
    );
    linear(
        "unknown members",
        JSON,
        repeated(r#"{"specVersion":"1.0""#, |n| format!(r#","u{n}":{n}"#), "}"),
    );
    linear(
        "agents",
        JSON,
        repeated(
            r#"{"agents":{"first":{}"#,
            |n| format!(r#","agent{n}":{{"capabilities":["a"]}}"#),
            "}}",
        ),
    );
    linear(
        "access rules",
        JSON,
        repeated(r#"{"access":{"allow":["/a"]"#, |_| r#","x":1"#.to_owned(), "}}"),
    );
    linear(
        "empty containers",
        JSON,
        repeated(r#"{"capabilities":[[]"#, |_| ",[],{}".to_owned(), "]}"),
    );
}

#[test]
fn text_of_one_construct_is_linear() {
    linear("one long line", TEXT, |size| format!("Site-Name: {}", "x".repeat(size)).into_bytes());
    linear("line ends", TEXT, |size| vec![b'\n'; size]);
    linear("colons", TEXT, |size| vec![b':'; size]);
    linear("tabs", TEXT, |size| vec![b'\t'; size]);
    linear(
        "comments",
        TEXT,
        repeated("Spec-Version: 1.0\n", |_| "# Spec-Version: 1.0\n".to_owned(), ""),
    );
    linear(
        "capabilities",
        TEXT,
        repeated(
            "Spec-Version: 1.0\n",
            |n| format!("Capability: c{n}\n  Endpoint: https://a.example/{n}\n"),
            "",
        ),
    );
    linear(
        "capabilities of one id",
        TEXT,
        repeated("Spec-Version: 1.0\n", |_| "Capability: a\n".to_owned(), ""),
    );
    linear(
        "agents among capabilities",
        TEXT,
        repeated("", |n| format!("Capability: c{n}\nAgent: a{n}\n"), ""),
    );
    linear(
        "parameters",
        TEXT,
        repeated(
            "Capability: a\n",
            |n| format!("  Param: p{n} (query, string, required) - x\n"),
            "",
        ),
    );
    linear(
        "a list on one line",
        TEXT,
        repeated("Agent: a\n  Capabilities: a", |n| format!(", c{n}"), "\n"),
    );
    linear("empty items", TEXT, repeated("Agent: a\n  Capabilities: a", |_| ",".to_owned(), "\n"));
    linear("unknown fields", TEXT, repeated("Spec-Version: 1.0\n", |n| format!("X-{n}: y\n"), ""));
    linear(
        "rules far apart",
        TEXT,
        repeated(
            "Allow: /a\n",
            |n| {
                if n % 1000 == 0 { "Allow: /b\n".to_owned() } else { "X: y\n".to_owned() }
            },
            "",
        ),
    );
    linear("parentheses", TEXT, repeated("Capability: a\n  Param: p (", |_| "(".to_owned(), "\n"));
}

#[test]
fn lookups_for_each_capability_are_linear() {
    let awp = Some(Format::Awp);
    let action = |n: usize| {
        format!(r#",{{"id":"a{n}","via":"p{n}","auth_required":false,"endpoint":"/a"}}"#)
    };
    let entry = |n: usize| {
        format!(r#","p{n}":{{"endpoint":"https://a.example/","x":"{}"}}"#, "x".repeat(4000))
    };
    linear(
        "protocols",
        awp,
        halves(
            repeated(r#"{"protocols":{"p":{}"#, entry, r#"},"actions":[{}"#),
            repeated("", action, "]}"),
        ),
    );
    let name = |n: usize| format!(r#","{}{n}""#, "x".repeat(4000));
    linear(
        "names that need authentication",
        awp,
        halves(
            repeated(r#"{"auth":{"type":"none","required_for":["x""#, name, r#"]},"actions":[{}"#),
            repeated("", action, "]}"),
        ),
    );
    let intent = |_: usize| "x".repeat(100);
    linear(
        "a long description",
        awp,
        halves(
            repeated(r#"{"domain":"a.example","intent":""#, intent, r#"","actions":[{}"#),
            repeated("", action, "]}"),
        ),
    );
}

#[test]
fn detection() {
    linear("text of no format", None, repeated("", |n| format!("word{n}\n"), ""));
    linear("fields of no format", None, repeated("", |n| format!("key{n}: value\n"), ""));
    linear("comments before a page", None, repeated("", |_| "<!-- x -->".to_owned(), "<html>"));
    linear(
        "front matter that never closes",
        None,
        repeated("---\n", |n| format!("key{n}: value\n"), ""),
    );
    linear("members of no format", None, repeated(r#"{"a":0"#, |n| format!(r#","k{n}":0"#), "}"));
    linear(
        "capabilities again and again",
        None,
        repeated(r#"{"capabilities":[]"#, |_| r#","capabilities":[{"id":1}]"#.to_owned(), "}"),
    );
}

/// References of an OpenAPI description: a chain of thousands, and thousands in circles.
#[test]
fn references_of_a_description() {
    let openapi = Some(Format::OpenApi);
    let head = r##"{"openapi":"3.1.0","info":{"title":"T","version":"1"},"components":{"parameters":{"p":{"$ref":"#/components/parameters/p0"}"##;
    let used = r##"}},"paths":{"/":{"get":{"operationId":"o","parameters":[{"$ref":"#/components/parameters/p"}],"responses":{}}}}}"##;
    let chain = |n: usize| format!(r##","p{n}":{{"$ref":"#/components/parameters/p{}"}}"##, n + 1);
    linear("a chain of references", openapi, repeated(head, chain, used));
    let circle = |n: usize| format!(r##","p{n}":{{"$ref":"#/components/parameters/p{}"}}"##, n ^ 1);
    linear("references in circles", openapi, repeated(head, circle, used));
}
