//! The formats that a build reads depend on its Cargo features; the formats that it recognizes do
//! not. `cargo xtask test --only features` runs this file without formats, and with one format of
//! each family of two; with `--long`, also with each family alone and with all formats.

use agentsdisc_core::{Document, ErrorKind, Format, Hints, Limits, ParseOptions, detect};

/// A document of each format, the feature of its family, and whether its own feature is enabled.
const DOCUMENTS: [(Format, &str, bool, &str); 16] = [
    (
        Format::AgentsTxt,
        "agents-txt",
        cfg!(feature = "agents-txt-draft"),
        "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n",
    ),
    (
        Format::AgentsTxt01,
        "agents-txt",
        cfg!(feature = "agents-txt-01"),
        "Site: A\nURL: https://a.example\nAllow: search\nAllow: cart.add\n",
    ),
    (
        Format::AgentsJson,
        "agents-json",
        cfg!(feature = "agents-json-draft"),
        r#"{"specVersion": "1.0", "site": {"name": "A"}}"#,
    ),
    (
        Format::AgentsJson01,
        "agents-json",
        cfg!(feature = "agents-json-01"),
        r#"{"schema_version": "0.1.0", "site": {"name": "A"}}"#,
    ),
    (
        Format::AgentsMd,
        "agents-md",
        cfg!(feature = "agents-md"),
        "---\nname: A\nversion: 1.0\n---\n# A\n\n## Can\n\n- read\n\n## Cannot\n\n- write\n",
    ),
    (
        Format::Awp,
        "awp",
        cfg!(feature = "awp"),
        r#"{"awp_version": "0.2", "domain": "a.example", "intent": "A", "actions": []}"#,
    ),
    (
        Format::Adp,
        "adp",
        cfg!(feature = "adp"),
        r#"{"spec_version": "1.0", "base_url": "https://a.example", "auth": {"type": "none"}}"#,
    ),
    (
        Format::AdpCapability,
        "adp",
        cfg!(feature = "adp"),
        r#"{"name": "a", "description": "A", "endpoint": "/a", "method": "GET", "parameters": []}"#,
    ),
    (
        Format::AdpSearch,
        "adp",
        cfg!(feature = "adp"),
        r#"{"success": true, "data": [], "query": "a", "result_count": 0}"#,
    ),
    (
        Format::RobotsTxt,
        "robots-txt",
        cfg!(feature = "robots-txt"),
        "User-agent: *\nDisallow: /a\n",
    ),
    (
        Format::LlmsTxt,
        "llms-txt",
        cfg!(feature = "llms-txt"),
        "# A\n\n> B\n\n## C\n\n- [D](https://a.example/d): E\n",
    ),
    (
        Format::A2aAgentCard,
        "a2a",
        cfg!(feature = "a2a"),
        r#"{"name": "A", "url": "https://a.example/a2a", "version": "1", "skills": [{"id": "a"}]}"#,
    ),
    (
        Format::McpServerCard,
        "mcp-card",
        cfg!(feature = "mcp-card"),
        r#"{"protocolVersion": "2025-06-18", "serverInfo": {"name": "a", "version": "1"}, "transport": {"type": "http", "endpoint": "/mcp"}}"#,
    ),
    (
        Format::AiCatalog,
        "catalogs",
        cfg!(feature = "catalogs"),
        r#"{"specVersion": "1.0", "entries": []}"#,
    ),
    (
        Format::AgentSkills,
        "catalogs",
        cfg!(feature = "catalogs"),
        r#"{"skills": [{"name": "a", "description": "A", "files": ["SKILL.md"]}]}"#,
    ),
    (Format::ApiCatalog, "catalogs", cfg!(feature = "catalogs"), r#"{"linkset": []}"#),
];

#[test]
fn each_format_has_a_document() {
    let missing = Format::ALL
        .iter()
        .find(|format| format.is_read() && DOCUMENTS.iter().all(|(listed, ..)| listed != *format));
    assert_eq!(missing, None);
}

#[test]
fn disabled_formats_are_recognized_but_not_read() {
    let reads_json =
        DOCUMENTS.iter().any(|(format, _, is_built_in, _)| format.is_json() && *is_built_in);
    for (format, feature, is_built_in, text) in DOCUMENTS {
        assert_eq!(
            (format.feature(), format.is_built_in()),
            (Some(feature), is_built_in),
            "{format}"
        );
        assert_eq!(detect(text.as_bytes(), Hints::default()).format, format);
        let forced = ParseOptions { format: Some(format), ..ParseOptions::default() };
        for text in [text.to_owned(), format!("\u{feff}{text}"), "{".to_owned(), String::new()] {
            let parsed = Document::parse_as(text.as_bytes(), format, &Limits::default());
            let expected = Document::parse_with(text.as_bytes(), &forced);
            assert_eq!(
                parsed.map(|document| *document.outline()),
                expected.map(|document| *document.outline()),
                "{format}: {text}"
            );
        }
        for (options, is_forced) in [(ParseOptions::default(), false), (forced, true)] {
            match Document::parse_with(text.as_bytes(), &options) {
                Ok(document) => assert!(is_built_in && document.format() == format, "{format}"),
                Err(error) => {
                    // Without any JSON format, the kind of JSON is not determined.
                    let named = if is_forced || reads_json || !format.is_json() {
                        format
                    } else {
                        Format::Unknown
                    };
                    assert_eq!(
                        (is_built_in, error.kind, error.offset),
                        (false, ErrorKind::NotBuiltIn(named), 0),
                        "{format}"
                    );
                    let expected = if named == format { feature } else { "agents-json" };
                    assert!(
                        error.kind.message().contains(&format!("`{expected}`")),
                        "{format}: {}",
                        error.kind.message()
                    );
                }
            }
        }
    }
}

#[test]
fn other_formats_are_recognized_without_features() {
    for format in Format::ALL.iter().filter(|format| !format.is_read()) {
        assert_eq!((format.feature(), format.is_built_in()), (None, false), "{format}");
        let error = Document::parse_as(b"Allow: /\n", *format, &Limits::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::UnknownFormat, "{format}");
    }
    let error = Document::parse(b"<!doctype html><title>A</title>").unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotADiscoveryDocument(Format::Html));
}

#[cfg(all(feature = "policy", not(feature = "robots-txt")))]
#[test]
fn a_robots_txt_in_a_build_without_it_disallows() {
    use agentsdisc_core::format::robots_txt::RobotsTxt;
    use agentsdisc_core::policy::{Documents, Reason, Request, Robots, decide};
    let documents: [Document<'_>; 0] = [];
    let request = Request::url("ExampleBot", "https://a.example/b");
    let decision =
        decide(Documents::from(&documents), Robots::Found(RobotsTxt::parse(b"")), &request);
    assert_eq!(decision.reason, Reason::RobotsUnreachable);
}

#[cfg(feature = "discovery")]
#[test]
fn only_readable_formats_are_requested() {
    use agentsdisc_core::discovery::{Discovery, Options, Resource, Resources};
    let discovery = Discovery::new("a.example", &Options::default()).unwrap();
    let asked: Vec<Resource> = discovery.attempts().map(|attempt| attempt.resource()).collect();
    let expected: Vec<Resource> = Resource::ALL
        .iter()
        .copied()
        .filter(|kind| kind.is_well_known() && kind.is_built_in())
        .filter(|kind| Resources::DEFAULT.contains(*kind))
        .collect();
    assert_eq!(asked, expected);
    assert_eq!(
        asked.contains(&Resource::AgentsTxt),
        cfg!(any(feature = "agents-txt-draft", feature = "agents-txt-01"))
    );
}
