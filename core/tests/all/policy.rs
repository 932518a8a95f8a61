//! Decisions: the vectors of `conformance/policy/`, and properties of all decisions.
use crate::common::vectors;

use std::fs;
use std::path::Path;

use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::policy::{
    Approved, Decision, Reason, Request, Robots, Target, Workspace, decide,
};
use agentsdisc_core::{Document, Format, ParseOptions};
use serde_json::Value;

fn written(decision: &Decision<'_>) -> Value {
    let mut scratch = [0; 256];
    let needed = decision
        .write_json(&mut scratch, &mut [])
        .unwrap_err()
        .needed;
    let mut buffer = vec![0; needed];
    assert_eq!(decision.write_json(&mut scratch, &mut buffer), Ok(needed));
    serde_json::from_slice(&buffer).unwrap()
}

#[test]
fn every_vector_holds() {
    let root = vectors::root().join("policy");
    let paths = vectors::files(&root, "json");
    assert!(
        paths.len() > 80,
        "only {} vectors in {}",
        paths.len(),
        root.display()
    );
    let mut seen = Vec::new();
    let mut failures = Vec::new();
    // Reused between cases: leftovers of one case must not affect the next.
    let (mut kept, mut workspace) = (Decision::open(), Workspace::new());
    for path in &paths {
        let case: Value = serde_json::from_slice(&fs::read(path).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if case["requires"].as_array().is_some_and(|needs| {
            needs
                .iter()
                .any(|need| need != "public-suffix-list" || !cfg!(feature = "psl"))
        }) {
            continue;
        }
        // The decision outlives the case.
        let case: &'static Value = Box::leak(Box::new(case));
        let texts: &'static Vec<_> = Box::leak(Box::new(
            case["documents"]
                .as_array()
                .unwrap()
                .iter()
                .map(|document| (vectors::lines(document), document["format"].as_str()))
                .collect::<Vec<_>>(),
        ));
        let documents: Vec<_> = texts
            .iter()
            .map(|(text, format)| {
                let options = ParseOptions {
                    format: format.map(|id| Format::from_id(id).unwrap()),
                    ..ParseOptions::default()
                };
                if *format == Some("unknown") {
                    return Document::unread(text);
                }
                Document::parse_with(text, &options)
                    .unwrap_or_else(|error| panic!("{}: {error:?}", path.display()))
            })
            .collect();
        let documents: &'static [Document<'static>] = documents.leak();
        let robots_text = case["robots"]
            .is_object()
            .then(|| &*vectors::lines(&case["robots"]).leak());
        let robots = match (robots_text, case["robots"].as_str()) {
            (Some(text), _) => Robots::Found(RobotsTxt::parse(text)),
            (None, Some("absent")) => Robots::Absent,
            (None, Some("unreachable")) => Robots::Unreachable,
            _ => Robots::NotAsked,
        };
        for question in case["questions"].as_array().unwrap() {
            let agent = question["agent"].as_str().unwrap();
            let approved = question["approved"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|url| url.as_str().unwrap())
                .collect::<Vec<_>>()
                .leak();
            let mut request = match question["capability"].as_str() {
                Some(id) => Request::capability(agent, id),
                None => Request::url(agent, question["url"].as_str().unwrap()),
            };
            request.method = question["method"].as_str();
            request.origin = question["origin"].as_str();
            request.purpose = question["purpose"].as_str();
            request.content_usage = question["content_usage"].as_str();
            request.approved = Approved::List(approved);
            let decision = decide(documents, robots, &request);
            assert_eq!(decision.allowed, decision.reason.is_allowed());
            seen.push(decision.reason);
            let actual = written(&decision);
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
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
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
fn the_guide_lists_every_reason() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/policy.md");
    let guide = fs::read_to_string(path).unwrap();
    let (allowed, denied) = guide.split_once("### Not allowed").unwrap();
    let rows = |part: &str| {
        part.lines()
            .filter(|line| line.starts_with("| `") && line.matches('|').count() == 4)
            .count()
    };
    for reason in Reason::ALL {
        let row = format!(
            "| `{reason}` | {} | {} |",
            reason.section(),
            reason.message()
        );
        assert!(
            if reason.is_allowed() { allowed } else { denied }.contains(&row),
            "{row}"
        );
    }
    let denied = denied.split_once("## As JSON").unwrap().0;
    let allowed = allowed.split_once("### Allowed").unwrap().1;
    assert_eq!(
        rows(allowed) + rows(denied),
        Reason::ALL.len(),
        "the guide lists reasons that there are not"
    );
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
    assert!(matches!(
        request.approved,
        Approved::List(["https://d.test/"])
    ));
}

#[test]
fn endpoints_are_approved_by_a_list_or_a_text() {
    let text = b"Spec-Version: 1.0\nSite-URL: https://a.test\nCapability: c\n  Endpoint: https://b.test/c\n";
    let document = Document::parse(text).unwrap();
    let mut request = Request::capability("bot", "c");
    assert_eq!(
        decide(&document, Robots::NotAsked, &request).reason,
        Reason::CrossOriginEndpoint
    );
    for approved in [
        Approved::List(&["https://b.test/c"]),
        Approved::Text("https://x.test/\r\n https://b.test/c\n"),
    ] {
        request.approved = approved;
        assert_eq!(
            decide(&document, Robots::NotAsked, &request).reason,
            Reason::ApprovedEndpoint
        );
    }
}
