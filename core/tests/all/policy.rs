//! Decisions: the vectors of `conformance/policy/`, and properties of all decisions.
use crate::common::{questions, vectors};

use std::fs;
use std::mem::MaybeUninit;
use std::sync::LazyLock;

use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::policy::{
    Approved, Decision, Documents, HeaderError, Reason, Request, Robots, Target, Workspace, decide,
};
use agentsdisc_core::{CheckOptions, Code, Document, Format, ParseOptions};
use serde_json::Value;

fn written(decision: &Decision<'_>) -> Value {
    let mut scratch = [0; 256];
    let needed = decision.write_json(&mut scratch, &mut []).unwrap_err().needed;
    let mut buffer = vec![0; needed];
    assert_eq!(decision.write_json(&mut scratch, &mut buffer), Ok(needed));
    serde_json::from_slice(&buffer).unwrap()
}

/// Checks that the accessors of a decision return the same as its JSON.
fn says_what_is_written(decision: &Decision<'_>, actual: &Value) {
    let position = decision.rule_position();
    let (line, column) = (&actual["rule"]["line"], &actual["rule"]["column"]);
    assert_eq!(position.map(|at| at.line as u64), line.as_u64());
    assert_eq!(position.map(|at| at.column as u64), column.as_u64());
    let limit = decision.advisory_limit_with(&mut Workspace::new());
    let requests = &actual["advisory_limit"]["requests"];
    assert_eq!(limit.map(|limit| limit.requests.into()), requests.as_u64());
    let is_unknown = actual["prerequisites_unknown"] == true;
    assert_eq!(decision.prerequisites_unknown(), is_unknown, "{actual}");
}

#[test]
fn every_vector_holds() {
    let root = vectors::root().join("policy");
    let paths = vectors::files(&root, "json");
    assert!(paths.len() > 80, "only {} vectors in {}", paths.len(), root.display());
    let mut seen = Vec::new();
    let mut failures = Vec::new();
    // Reused between cases: leftovers of one case must not affect the next.
    let (mut kept, mut workspace) = (Decision::open(), Workspace::new());
    for path in &paths {
        let case: Value = serde_json::from_slice(&fs::read(path).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if case["requires"].as_array().is_some_and(|needs| {
            needs.iter().any(|need| need != "public-suffix-list" || !cfg!(feature = "psl"))
        }) {
            continue;
        }
        // The decision outlives the case.
        let case: &'static Value = Box::leak(Box::new(case));
        let documents: Vec<_> = case["documents"]
            .as_array()
            .unwrap()
            .iter()
            .map(|document| {
                vectors::read(vectors::bytes(document).leak(), document)
                    .unwrap_or_else(|error| panic!("{}: {error:?}", path.display()))
            })
            .collect();
        let documents: &'static [Document<'static>] = documents.leak();
        let robots_text =
            case["robots"].is_object().then(|| &*vectors::lines(&case["robots"]).leak());
        let robots = match (robots_text, case["robots"].as_str()) {
            (Some(text), _) => Robots::Found(RobotsTxt::parse(text)),
            (None, Some("absent")) => Robots::Absent,
            (None, Some("unreachable")) => Robots::Unreachable,
            _ => Robots::NotAsked,
        };
        for question in case["questions"].as_array().unwrap() {
            let approved = questions::approved(question).leak();
            let request = questions::request(question, approved);
            let decision = decide(documents, robots, &request);
            assert_eq!(decision.allowed, decision.reason.is_allowed());
            seen.push(decision.reason);
            let actual = written(&decision);
            says_what_is_written(&decision, &actual);
            kept.settle(documents, robots, &request, &mut workspace);
            assert_eq!(
                actual,
                written(&kept),
                "{}: the same question has the same answer",
                path.display()
            );
            if !vectors::holds(&question["expect"], Some(&actual)) {
                let name = path.strip_prefix(&root).unwrap().display();
                failures.push(format!(
                    "{name}: {:?}\n  expected {}\n  actual   {actual}",
                    request.target, question["expect"]
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    for reason in Reason::ALL {
        assert!(seen.contains(reason), "no vector shows {reason}");
    }
}

#[test]
fn reasons_are_unique() {
    for reason in Reason::ALL {
        assert_eq!(Reason::from_id(reason.as_str()), Some(*reason));
        assert!(reason.message().ends_with('.') && !reason.section().is_empty());
    }
}

#[test]
fn requests_have_the_stated_form() {
    let request = Request::capability("a", "b")
        .with_method("POST")
        .with_origin("https://c.test")
        .with_approved(&["https://d.test/"]);
    assert_eq!(
        (request.agent, request.target, request.method),
        ("a", Target::Capability("b"), Some("POST"))
    );
    assert_eq!(request.origin, Some("https://c.test"));
    assert!(matches!(request.approved, Approved::List(["https://d.test/"])));
}

#[test]
fn endpoints_are_approved_by_a_list_or_a_text() {
    let text = b"Spec-Version: 1.0\nSite-URL: https://a.test\nCapability: c\n  Endpoint: https://b.test/c\n";
    let document = Document::parse(text).unwrap();
    let mut request = Request::capability("bot", "c");
    assert_eq!(decide(&document, Robots::NotAsked, &request).reason, Reason::CrossOriginEndpoint);
    for approved in [
        Approved::List(&["https://b.test/c"]),
        Approved::Text("https://x.test/\r\n https://b.test/c\n"),
    ] {
        request.approved = approved;
        assert_eq!(decide(&document, Robots::NotAsked, &request).reason, Reason::ApprovedEndpoint);
    }
}

#[test]
fn the_header_of_a_token_follows_the_document() {
    let adp = |auth: &str| format!(r#"{{"base_url": "https://a.test", "auth": {auth}}}"#);
    let key = adp(r#"{"type": "api_key", "header": "X-Key"}"#);
    let bearer = adp(r#"{"type": "oauth2"}"#);
    let none = adp(r#"{"type": "none"}"#);
    let optional = r#"{"base_url": "http://a.test"}"#.to_owned();
    let bad_name = adp(r#"{"type": "api_key", "header": "X Key"}"#);
    let bad_prefix = adp(r#"{"type": "api_key", "header": "X-Key", "prefix": "\u0007"}"#);
    let draft = |auth: &str| {
        format!(
            "Spec-Version: 1.0\nSite-URL: https://a.test\nCapability: c\n  Endpoint: https://a.test/c\n  Auth: {auth}\nDisallow: /x\n"
        )
    };
    let (unnamed, denied) = (draft("API-Key"), draft("Bearer-Token"));
    let cases = [
        (Format::Adp, &key, "/c", "k1", "X-Key: k1"),
        (Format::Adp, &bearer, "/c", "k1", "Authorization: Bearer k1"),
        (Format::Adp, &none, "/c", "k1", "no authentication is needed"),
        (Format::Adp, &bad_name, "/c", "k1", "not valid in a request"),
        (Format::Adp, &bad_prefix, "/c", "k1", "not valid in a request"),
        (Format::Adp, &key, "/c", "", "the token is empty"),
        (Format::Adp, &key, "/c", "k\n1", "the token is empty"),
        (Format::Adp, &key, "http://a.test/c", "k1", "(insecure)"),
        (Format::Adp, &optional, "http://a.test/c", "k1", "(insecure)"),
        (Format::AgentsTxt, &unnamed, "/c", "k1", "does not say which header"),
        (Format::AgentsTxt, &denied, "/c", "k1", "Authorization: Bearer k1"),
        (Format::AgentsTxt, &denied, "/x", "k1", "the request is not allowed"),
    ];
    for (format, text, path, token, expected) in cases {
        let options = ParseOptions { format: Some(format), ..ParseOptions::default() };
        let document = Document::parse_with(text.as_bytes(), &options).unwrap();
        let url = format!("https://a.test{path}");
        let url = if path.starts_with('/') { &url } else { path };
        let request = Request::url("bot", url).with_origin("https://a.test");
        let decision = decide(&document, Robots::NotAsked, &request);
        let mut buffer = [0; 64];
        let found = match decision.auth_header(token, &mut buffer) {
            Ok(header) => {
                let needed = header.len();
                let mut short = [0; 2];
                let error = decision.auth_header(token, &mut short).unwrap_err();
                assert_eq!(error, HeaderError::BufferTooSmall { needed });
                header.to_owned()
            }
            Err(error) => error.to_string(),
        };
        assert!(found.contains(expected), "{text} {path}: {found}");
    }
}

#[test]
fn documents_in_other_storage_decide_alike() {
    static DOCUMENT: LazyLock<Document<'static>> = LazyLock::new(|| {
        Document::parse(b"Spec-Version: 1.0\nSite-URL: https://a.test\nDisallow: /x\nAgent: *\n  Rate-Limit: 5/minute\n")
            .unwrap()
    });
    fn stored(_: &[MaybeUninit<u64>], index: usize) -> Option<&'static Document<'static>> {
        assert_eq!(index, 0, "only indices below the count are asked for");
        Some(&DOCUMENT)
    }
    for path in ["/x", "/y"] {
        let request = Request::url("bot", path);
        let kept = decide(&*DOCUMENT, Robots::NotAsked, &request);
        let other = decide(Documents::stored(&[], 1, stored), Robots::NotAsked, &request);
        assert_eq!(written(&kept), written(&other));
    }
}

#[test]
fn a_missing_document_hides_none_of_those_behind_it() {
    static DOCUMENT: LazyLock<Document<'static>> = LazyLock::new(|| {
        Document::parse(
            b"# A\n\n## Can\n- a\n\n## Cannot\n- b\n\n## Behavior\n- 5 requests per minute\n",
        )
        .unwrap()
    });
    static DENIAL: LazyLock<Document<'static>> = LazyLock::new(|| {
        Document::parse(b"Spec-Version: 1.0\nSite-URL: https://a.test\nDisallow: /x\nAgent: *\n  Rate-Limit: 7/minute\n")
            .unwrap()
    });
    fn stored(_: &[MaybeUninit<u64>], index: usize) -> Option<&'static Document<'static>> {
        match index {
            1 => Some(&DOCUMENT),
            4 => Some(&DENIAL),
            _ => None,
        }
    }
    let documents = Documents::stored(&[], 6, stored);
    let request = Request::url("bot", "/x").with_origin("https://a.test");
    let decision = decide(documents, Robots::NotAsked, &request);
    assert_eq!((decision.allowed, decision.reason), (false, Reason::Disallowed));
    let words = |words: agentsdisc_core::policy::Words<'_>| -> Vec<_> {
        words.map(|(index, text)| (index, text.to_string())).collect()
    };
    assert_eq!(words(decision.can()), [(1, "a".to_owned())]);
    assert_eq!(words(decision.cannot()), [(1, "b".to_owned())]);
    let limits: Vec<_> = decision.rate_limits().map(|limit| limit.requests).collect();
    assert_eq!(limits, [5, 7]);
}

#[test]
fn words_have_the_index_of_their_document() {
    let first = b"---\nversion: \"1.0\"\n---\n# A\n\n## Can\n- a\n\n## Cannot\n- b\n\nOr c.\n";
    let second = b"---\nversion: \"1.0\"\n---\n# B\n\n## Cannot\n- d\n\n## Behavior\n- e\n";
    let documents = [first.as_slice(), second].map(|text| Document::parse(text).unwrap());
    let decision = decide(&documents, Robots::NotAsked, &Request::url("bot", "/"));
    let found = |words: agentsdisc_core::policy::Words<'_>| {
        words.map(|(index, text)| format!("{index} {text}")).collect::<Vec<_>>()
    };
    assert_eq!(found(decision.can()), ["0 a"]);
    assert_eq!(found(decision.cannot()), ["0 b", "0 Or c.", "1 d"]);
    assert_eq!(found(decision.behavior()), ["1 e"]);
}

#[test]
fn a_status_tells_what_an_absent_robots_txt_means() {
    for (status, expected) in [
        (200, None),
        (301, None),
        (399, None),
        (400, Some("Absent")),
        (404, Some("Absent")),
        (499, Some("Absent")),
        (500, Some("Unreachable")),
        (599, Some("Unreachable")),
        (100, Some("Unreachable")),
    ] {
        let found = Robots::of_status(status).map(|robots| format!("{robots:?}"));
        assert_eq!(found.as_deref(), expected, "{status}");
    }
}

#[test]
fn utf_16_and_utf_32_with_a_byte_order_mark_hide_no_restriction() {
    let units: [fn(u32) -> Vec<u8>; 4] = [
        |c| (c as u16).to_le_bytes().to_vec(),
        |c| (c as u16).to_be_bytes().to_vec(),
        |c| c.to_le_bytes().to_vec(),
        |c| c.to_be_bytes().to_vec(),
    ];
    for (text, reason) in [
        ("\u{feff}Disallow: /x", Reason::UnreadRestriction),
        ("\u{feff}# caf\u{e9}\r\n\u{a0}Disallow: /x\r\n", Reason::UnreadRestriction),
        ("\u{feff}{'disallow': ['/x']}", Reason::UnreadRestriction),
        ("\u{feff}Disallow:\r\n\r\nAllow: /x", Reason::NotStated),
        ("\u{feff}Allow: /x", Reason::NotStated),
    ] {
        for unit in units {
            let bytes: Vec<u8> = text.chars().flat_map(|c| unit(c.into())).collect();
            let document = Document::unread(&bytes);
            let request = Request::url("Foo", "https://a.example/y");
            let decision = decide(&document, Robots::Absent, &request);
            assert_eq!(decision.reason, reason, "{bytes:x?}");
        }
    }
}

/// Returns the names that differ from a name by one letter.
fn misspellings(name: &str) -> Vec<String> {
    (0..name.len())
        .flat_map(|at| {
            let (start, rest) = name.split_at(at);
            let mut letters = rest.chars();
            let letter = letters.next().unwrap();
            let behind = letters.as_str();
            let swapped = behind.chars().next().map_or(String::new(), |next| {
                format!("{start}{next}{letter}{}", &behind[next.len_utf8()..])
            });
            [
                format!("{start}{behind}"),
                format!("{start}{letter}{rest}"),
                format!("{start}x{behind}"),
                swapped,
            ]
        })
        .filter(|other| !other.eq_ignore_ascii_case(name))
        .collect()
}

#[test]
fn what_the_check_reports_as_misspelled_never_permits_more() {
    let text = "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n";
    let entries = "Capability: a\n  Endpoint: /a\nCapability: b\n  Endpoint: /b\n";
    let json = |members: &str| {
        let site = r#""specVersion": "1.0", "site": {"name": "A", "url": "https://a.example"}"#;
        let entries = r#"[{"id": "a", "endpoint": "/a"}, {"id": "b", "endpoint": "/b"}]"#;
        format!("{{{site}, \"capabilities\": {entries}, {members}}}")
    };
    let mut tried = 0;
    for (name, written) in [
        ("Disallow", format!("{text}Allow: /\n@: /b\n{entries}")),
        ("Disallow", format!("{text}Disallow: /x\n{entries}  @: /b\n")),
        ("Allow", format!("{text}Disallow: /x\n@: /a\n{entries}Agent: *\n  Capabilities: a\n")),
        ("Allow", format!("{text}Disallow: /x\n{entries}Agent: *\n  Capabilities: a\n  @: /a\n")),
        ("Agent", format!("{text}Allow: /\n{entries}@: Foo\n  Capabilities: a\n")),
        ("Capabilities", format!("{text}Allow: /\n{entries}Agent: Foo\n  @: a\n")),
        ("disallow", json(r#""access": {"allow": ["/"], "@": ["/b"]}"#)),
        ("disallow", json(r#""allow": ["/"], "@": ["/b"]"#)),
        ("disallow", json(r#""allow": ["/"], "agents": {"Foo": {"@": ["/b"]}}"#)),
        (
            "allow",
            json(
                r#""access": {"disallow": ["/x"], "@": ["/a"]}, "agents": {"*": {"capabilities": ["a"]}}"#,
            ),
        ),
        (
            "allow",
            json(r#""disallow": ["/x"], "@": ["/a"], "agents": {"*": {"capabilities": ["a"]}}"#),
        ),
        ("agents", json(r#""allow": ["/"], "@": {"Foo": {"capabilities": ["a"]}}"#)),
        ("capabilities", json(r#""allow": ["/"], "agents": {"Foo": {"@": ["a"]}}"#)),
    ] {
        let requests = [
            Request::url("Foo", "https://a.example/b"),
            Request::url("Foo", "https://a.example/c"),
            Request::capability("Foo", "b"),
        ];
        let allowed = |text: &str| {
            let document = Document::parse(text.as_bytes()).unwrap();
            let is_allowed = |request: Request<'_>| {
                let request = request.with_origin("https://a.example");
                decide(&document, Robots::Absent, &request).allowed
            };
            requests.map(is_allowed)
        };
        let named = allowed(&written.replace('@', name));
        assert!(named.contains(&false), "{written}");
        for other in misspellings(name) {
            let written = written.replace('@', &other);
            let mut is_reported = false;
            let document = Document::parse(written.as_bytes()).unwrap();
            document.check(&CheckOptions::default(), |found| {
                is_reported |= found.code == Code::MisspelledField;
            });
            let permits_more = allowed(&written).iter().zip(named).any(|(now, then)| *now && !then);
            assert!(!is_reported || !permits_more, "{written}");
            tried += usize::from(is_reported);
        }
    }
    assert!(tried > 200, "{tried}");
}
