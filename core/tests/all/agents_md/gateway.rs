//! The front matter, and the gateway that it or the MCP section describes.

use agentsdisc_core::format::agents_md::{
    FrontMatter, McpAuth, McpSource, McpTransport, SectionKind,
};
use agentsdisc_core::{Code, Severity};

use super::{codes, findings, items, parse};

#[test]
fn front_matter_that_never_closes_is_markdown() {
    let text = "---\nversion: 1.0\n\n# Name\n\n## Can\n- a\n";
    let site = parse(text);
    assert_eq!(site.front_matter(), FrontMatter::Unclosed);
    assert_eq!(site.version(), None);
    assert_eq!(site.title().unwrap(), "Name");
    assert_eq!(items(site, SectionKind::Can), ["a"]);
    assert_eq!(findings(text, None), [(Code::UnclosedFrontMatter, "---")]);
}

#[test]
fn front_matter_has_exact_delimiters() {
    for text in [
        "---\nversion: 1.0\n...\n# A",
        "---  \r\nversion: 1.0\r\n---\t\r\n# A",
        "\u{feff}---\rversion: 1.0\r---\r# A",
    ] {
        let site = parse(text);
        assert_eq!(site.front_matter(), FrontMatter::Closed, "{text:?}");
        assert_eq!(site.version().unwrap(), "1.0");
        assert_eq!(site.title().unwrap(), "A");
    }
    for text in
        ["----\nversion: 1.0\n---\n", " ---\nversion: 1.0\n---\n", "\n---\nversion: 1.0\n---\n"]
    {
        assert_eq!(parse(text).front_matter(), FrontMatter::Absent, "{text:?}");
    }
    assert_eq!(parse("---\n---\n# A").title().unwrap(), "A");
}

#[test]
fn a_version_may_be_a_number_and_must_have_major_1() {
    for (version, fine) in [
        ("1.0", true),
        ("1", true),
        ("'1.2'", true),
        ("1.x", true),
        ("2.0", false),
        ("10.0", false),
        ("v1", false),
    ] {
        let text = format!("---\nversion: {version}\n---\n## Can\n- a\n");
        assert_eq!(parse(&text).version().unwrap(), version.trim_matches('\''));
        let expected: &[Code] = if fine { &[] } else { &[Code::UnsupportedVersion] };
        assert_eq!(codes(&text), expected, "{version}");
    }
    assert_eq!(parse("---\nversion: true\n---\n").version(), None);
    assert_eq!(codes("---\nversion: true\n---\n## Can\n- a\n"), [Code::WrongType]);
    assert_eq!(codes("---\nversion: [1]\n---\n## Can\n- a\n"), [Code::WrongType]);
}

#[test]
fn other_keys_are_metadata() {
    let text = "---\nsite: x\nmcp:\n  endpoint: https://example.com/.well-known/mcp\n  tools: [a]\ntags:\n- b\n---\n## Can\n- a\n";
    let site = parse(text);
    assert!(site.metadata().map(|(key, _)| key.text.to_string()).eq(["site", "tags"]));
    assert!(site.mcp_metadata().map(|(key, _)| key.text.to_string()).eq(["tools"]));
    assert_eq!(
        findings(text, None),
        [(Code::UnknownField, "site"), (Code::UnknownField, "tools"), (Code::UnknownField, "tags")]
    );
}

fn gateway(lines: &str) -> String {
    format!("---\nmcp:\n  endpoint: https://example.com/.well-known/mcp\n{lines}---\n## Can\n- a\n")
}

#[test]
fn unreadable_authentication_is_unknown_not_none() {
    for (line, auth) in [
        ("", McpAuth::None),
        ("  auth: null\n", McpAuth::None),
        ("  auth: NONE\n", McpAuth::None),
        ("  auth: Api_Key\n", McpAuth::ApiKey),
        ("  auth: \"oauth\\x32\"\n", McpAuth::OAuth2),
        ("  auth:\n", McpAuth::Unknown),
        ("  auth: ''\n", McpAuth::Unknown),
        ("  auth: no\n", McpAuth::Unknown),
        ("  auth: false\n", McpAuth::Unknown),
        ("  auth: basic\n", McpAuth::Unknown),
        ("  auth: {type: none}\n", McpAuth::Unknown),
        ("  auth: &x none\n", McpAuth::Unknown),
        ("  auth: none\n  auth: oauth2\n", McpAuth::OAuth2),
    ] {
        assert_eq!(parse(&gateway(line)).mcp().unwrap().auth, auth, "{line:?}");
    }
    assert_eq!(
        parse("---\nmcp: *anchor\n---\n## MCP\nendpoint: https://a.test\n").mcp().unwrap().auth,
        McpAuth::Unknown
    );
    assert_eq!(codes(&gateway("  auth: basic\n")), [Code::InvalidValue]);
    assert_eq!(codes(&gateway("  auth:\n")), [Code::EmptyValue]);
    assert_eq!(codes(&gateway("  auth: 7\n")), [Code::WrongType]);
    assert_eq!(codes(&gateway("  auth: &x none\n")), [Code::YamlUnsupported]);
    assert_eq!(codes(&gateway("  transport: stdio\n")), [Code::InvalidValue]);
    assert_eq!(codes(&gateway("  auth: none\n  auth: none\n")), [Code::DuplicateField]);
    assert_eq!(codes(&gateway("  Auth: none\n")), [Code::NonstandardField]);
}

#[test]
fn endpoints_are_checked() {
    let of =
        |endpoint: &str| codes(&format!("---\nmcp:\n  endpoint: {endpoint}\n---\n## Can\n- a\n"));
    assert_eq!(of("https://example.com/.well-known/mcp"), []);
    assert_eq!(of("https://EXAMPLE.com./.well-known/mcp?x=1"), []);
    assert_eq!(of("\"https:\\/\\/api.example.com\\/.well-known\\/mcp\""), []);
    assert_eq!(of("https://example.com/mcp"), [Code::EndpointLocation]);
    assert_eq!(of("http://example.com/.well-known/mcp"), [Code::InsecureUrl]);
    assert_eq!(of("https://evil.test/.well-known/mcp"), [Code::CrossOriginEndpoint]);
    assert_eq!(
        of("https://example.com@evil.test/.well-known/mcp"),
        [Code::InvalidUrl, Code::CrossOriginEndpoint]
    );
    assert_eq!(of("/.well-known/mcp"), [Code::InvalidUrl]);
    assert_eq!(of("7"), [Code::WrongType]);
    assert_eq!(of("''"), [Code::EmptyValue]);
    assert_eq!(of("null"), [Code::MissingRequiredField]);
    assert_eq!(codes("---\nmcp:\n  auth: none\n---\n## Can\n- a\n"), [Code::MissingRequiredField]);
    assert_eq!(codes("---\nmcp: yes\n---\n## Can\n- a\n"), [Code::WrongType]);
    let mut severity = None;
    parse(&gateway("").replace("https", "http").replace("example.com", "localhost:80"))
        .findings(None, |d| severity = Some(d.severity));
    assert_eq!(severity, Some(Severity::Info));
}

#[test]
fn the_mcp_section_is_yaml_fenced_or_not() {
    for body in [
        "endpoint: https://example.com/.well-known/mcp\ntransport: sse\nauth: api_key\n",
        "```yaml\nendpoint: https://example.com/.well-known/mcp\ntransport: sse\nauth: api_key\n```\n",
        "Connect like this.\n\n  endpoint: https://example.com/.well-known/mcp\n  transport: sse\n\n    auth: api_key\n",
        "- endpoint: https://example.com/.well-known/mcp\n- Transport: \"sse\"\n- auth: api_key # soon more\n",
    ] {
        let text = format!("## MCP\n{body}\n## Can\n- a\n");
        let mcp = parse(&text).mcp().unwrap();
        assert_eq!(mcp.source, McpSource::Section);
        assert_eq!(mcp.endpoint.unwrap(), "https://example.com/.well-known/mcp", "{body}");
        assert_eq!((mcp.transport, mcp.auth), (McpTransport::Sse, McpAuth::ApiKey), "{body}");
    }
    assert_eq!(codes("## MCP\nendpoint: https://example.com/.well-known/mcp\n"), []);
    assert_eq!(codes("## MCP\nauth: none\n"), [Code::MissingRequiredField]);
    assert_eq!(codes("## MCP\nAsk us.\n"), [Code::MissingRequiredField, Code::YamlUnsupported]);
}

#[test]
fn front_matter_wins_over_the_section() {
    let text = gateway("") + "## MCP\nendpoint: https://other.test/\nauth: oauth2\n";
    let mcp = parse(&text).mcp().unwrap();
    assert_eq!((mcp.source, mcp.auth), (McpSource::FrontMatter, McpAuth::None));
    assert_eq!(mcp.endpoint.unwrap(), "https://example.com/.well-known/mcp");
    assert_eq!(findings(&text, None), [(Code::ShadowedSection, "MCP")]);
    let text = "---\nmcp: null\n---\n## MCP\nendpoint: https://example.com/.well-known/mcp\n";
    assert_eq!(parse(text).mcp().unwrap().source, McpSource::Section);
}
