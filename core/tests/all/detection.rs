//! What detection returns besides the format: the signs that it found, and whether it needed a
//! hint. The vectors in `conformance/detection/` test the formats.
use agentsdisc_core::{Detection, Format, Hints, detect};

fn at<'a>(url: &'a str, text: &'a str) -> Detection {
    let hints = Hints { url: Some(url), ..Hints::default() };
    detect(text.as_bytes(), hints)
}

#[test]
fn the_signs_of_each_format_are_named_and_counted() {
    let text = "Spec-Version: 1.0\nSite-URL: https://a.test\nSite: A\nUser-agent: *\nDisallow: /\n";
    let json = r#"{"specVersion": "1.0", "site": {"name": "A"}, "openapi": "3.1.0"}"#;
    for (document, signs, all, counts) in [
        (
            text,
            &[
                "field Spec-Version",
                "field Site-URL",
                "field Site",
                "field User-agent",
                "field Disallow after User-agent",
            ][..],
            "agents-txt: field Spec-Version, field Site-URL; agents-txt-0.1: field Site; robots-txt: field User-agent, field Disallow after User-agent",
            &[(Format::AgentsTxt, 2), (Format::AgentsTxt01, 1), (Format::RobotsTxt, 2)][..],
        ),
        (
            json,
            &[
                "member specVersion",
                "member site with a name or a url",
                "member openapi or swagger with a version",
            ],
            "agents-json: member specVersion, member site with a name or a url; agents-json-0.1: member site with a name or a url; openapi: member openapi or swagger with a version",
            &[(Format::AgentsJson, 2), (Format::AgentsJson01, 1), (Format::OpenApi, 1)],
        ),
        ("Hello.\n", &[], "", &[]),
    ] {
        let evidence = detect(document.as_bytes(), Hints::default()).evidence;
        assert_eq!(evidence.signs().collect::<Vec<_>>(), signs);
        assert_eq!(evidence.to_string(), all);
        assert_eq!(evidence.counts().collect::<Vec<_>>(), counts);
        for (format, count) in counts {
            assert_eq!(evidence.count_of(*format), *count);
        }
        assert_eq!(evidence.count_of(Format::Awp), 0);
    }
}

#[test]
fn every_sign_of_a_json_format_counts() {
    for (document, format, count) in [
        (r#"{"endpoint": "/a", "request_example": {}}"#, Format::AdpCapability, 2),
        (r#"{"success": true, "data": [{"matching_capabilities": []}]}"#, Format::AdpSearch, 3),
        (r#"{"serverInfo": {}, "tools": [{"name": "a"}]}"#, Format::McpServerCard, 2),
    ] {
        let evidence = detect(document.as_bytes(), Hints::default()).evidence;
        assert_eq!(evidence.count_of(format), count, "{document}");
    }
}

#[test]
fn a_hint_is_reported_only_where_it_decided() {
    for (url, text, format, by_hint) in [
        ("https://a.test/x", r#"{"ucp": {}}"#, Format::UcpProfile, false),
        ("https://a.test/x", r#"{"v": "x"}"#, Format::Unknown, false),
        (
            "https://a.test/agents.json",
            r#"{"allow": [], "capabilities": [{"id": "a", "endpoint": "/a"}]}"#,
            Format::AgentsJson,
            true,
        ),
        ("https://a.test/x", "Audit: true\nSite: A\n", Format::AgentsTxt01, false),
        ("https://a.test/agents.txt", "Capability: c\nDescription: d\n", Format::AgentsTxt, true),
        ("https://a.test/agents.md", "# T\nSite: A\n", Format::AgentsMd, true),
        ("https://a.test/llms.txt", "# T\n- [a](https://a.test)\n", Format::LlmsTxt, true),
        ("https://a.test/llms.txt", "# T\n> q\n\n- [a](https://a.test)\n", Format::LlmsTxt, false),
    ] {
        let found = at(url, text);
        assert_eq!((found.format, found.by_hint), (format, by_hint), "{text}");
    }
}
