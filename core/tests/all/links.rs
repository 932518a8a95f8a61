//! Links of any document.

use agentsdisc_core::Document;
use agentsdisc_core::document::{LinkKind, Links};

/// The URLs of a text, decoded.
fn urls(text: &str) -> Vec<String> {
    Links::new(text.as_bytes())
        .map(|link| link.url.to_string())
        .collect()
}

/// The labels and kinds of the links of a text.
fn labels(text: &str) -> Vec<(String, &'static str)> {
    Links::new(text.as_bytes())
        .map(|link| (link.label.to_string(), link.kind.as_str()))
        .collect()
}

#[test]
fn a_url_ends_where_its_text_ends() {
    for (text, expected) in [
        ("https://a.test", "https://a.test"),
        ("HTTP://A.test/x", "HTTP://A.test/x"),
        ("see https://a.test/x, or", "https://a.test/x"),
        ("(https://a.test/x)", "https://a.test/x"),
        ("https://a.test/x_(y)", "https://a.test/x_(y)"),
        ("<https://a.test/x>.", "https://a.test/x"),
        ("**https://a.test/x**", "https://a.test/x"),
        ("`https://a.test/x`", "https://a.test/x"),
        ("href='https://a.test/x'>", "https://a.test/x"),
        ("https://a.test/x?y=z&w#v", "https://a.test/x?y=z&w#v"),
        ("https://a.test/{id}/x", "https://a.test/{id}/x"),
        ("{u:https://a.test/x}", "https://a.test/x"),
        ("https://[::1]:80/x]", "https://[::1]:80/x"),
        ("“https://a.test/x”", "https://a.test/x"),
        ("https://a.test/ü\u{a0}x", "https://a.test/ü"),
        ("https://ü.test/x", "https://ü.test/x"),
        ("POST https://a.test/x\r\ny", "https://a.test/x"),
    ] {
        assert_eq!(urls(text), [expected], "{text}");
    }
    assert_eq!(
        urls("[a](https://a.test),[b](https://b.test)"),
        ["https://a.test", "https://b.test"]
    );
    for nothing in [
        "",
        "https://",
        "https:// a",
        "https:/a.test",
        "xhttps://a.test",
        "ftp://a.test",
        "https:\\/\\/a.test",
        "http:",
        "://a.test",
    ] {
        assert_eq!(urls(nothing), [""; 0], "{nothing}");
    }
}

#[test]
fn strings_of_json_are_decoded() {
    for (text, expected) in [
        (r#"{"a":"https:\/\/a.test\/x"}"#, "https://a.test/x"),
        (
            r#"{"a":"https://a.test/x?y=1\u0026z=2"}"#,
            "https://a.test/x?y=1&z=2",
        ),
        (r#"{"a":"https://a.test/x\nmore"}"#, "https://a.test/x"),
        (r#"{"a":"https://a.test/x\u0020y"}"#, "https://a.test/x"),
        (
            r#"{"a":"https://a.test/search?q=."}"#,
            "https://a.test/search?q=.",
        ),
        (r#"{"a":"See https://a.test/x."}"#, "https://a.test/x"),
    ] {
        assert_eq!(urls(text), [expected], "{text}");
    }
}

#[test]
fn labels_and_kinds() {
    for (text, label, kind) in [
        ("- [The docs](https://a.test/x): y", "The docs", "docs"),
        ("- Contact: https://a.test/x", "Contact", "contact"),
        (
            "* MCP server: POST https://a.test/x",
            "MCP server: POST",
            "mcp-endpoint",
        ),
        (
            "mcp_search: https://a.test/api/mcp/search?q=",
            "mcp_search",
            "other",
        ),
        ("https://a.test/mcp", "", "mcp-endpoint"),
        ("https://mcp.a.test/", "", "mcp-endpoint"),
        ("https://mcp.a.test/privacy", "", "other"),
        ("MCP: https://a.test/mcp.html", "MCP", "other"),
        (
            "https://a.test/.well-known/agent-card.json",
            "",
            "agent-card",
        ),
        ("https://a.test/.well-known/agent.json", "", "agent-card"),
        ("https://a.test/agent.json", "", "other"),
        (
            "https://a.test/.well-known/ai-catalog.json",
            "",
            "ai-catalog",
        ),
        ("https://a.test/llms-full.txt", "", "llms-txt"),
        ("https://a.test/v1/swagger.yaml", "", "openapi"),
        (
            "Spec (OpenAPI 3.1): https://a.test/v1",
            "Spec (OpenAPI 3.1)",
            "openapi",
        ),
        ("https://docs.a.test/", "", "docs"),
        ("https://a.test/docs/x.md", "", "docs"),
        ("https://buy.stripe.com/x", "", "payment"),
        ("Contactless: https://a.test/x", "Contactless", "other"),
        (
            r#"<link rel="ai-catalog" href="https://a.test/c">"#,
            "ai-catalog",
            "ai-catalog",
        ),
        (r#"{"openapi": "https://a.test/x"}"#, "openapi", "openapi"),
        (
            r#"{"service-desc":[{"href":"https://a.test/x"}]}"#,
            "service-desc",
            "openapi",
        ),
        (
            r#"{"mcp":{"url":"https:\/\/a.test\/x"}}"#,
            "mcp",
            "mcp-endpoint",
        ),
        (r#"{"url":"https:\/\/a.test\/docs\/x"}"#, "url", "docs"),
        (r#"{"support":["https://a.test/x"]}"#, "support", "contact"),
    ] {
        assert_eq!(labels(text), [(label.to_owned(), kind)], "{text}");
    }
}

#[test]
fn spans_cover_the_url_and_documents_have_the_same_links() {
    let text = "\u{feff}# A\n\n## Can\n\n- read https://a.test/x\n\n## Cannot\n\n- write\n";
    let document = Document::parse(text.as_bytes()).unwrap();
    let links: Vec<_> = document.links().collect();
    assert_eq!(links.len(), 1);
    assert_eq!(links[0].span.slice(text.as_bytes()), b"https://a.test/x");
    assert_eq!(
        links[0].span,
        Links::new(text.as_bytes()).next().unwrap().span
    );
    let ids: std::collections::HashSet<_> =
        LinkKind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(ids.len(), LinkKind::ALL.len());
}

proptest::proptest! {
    /// Every link is in the text, behind the one before it, and begins with its scheme.
    #[test]
    fn links_are_in_order_and_within_the_text(
        pieces in proptest::collection::vec("https?|:|//|\\\\/|[a-c.,()\\[\\]{}\"<> \n]{0,3}|\\PC", 0..60)
    ) {
        for text in [pieces.concat(), format!("{{{}", pieces.concat())] {
            let mut end = 0;
            for link in Links::new(text.as_bytes()) {
                proptest::prop_assert!(link.span.start >= end && link.span.end as usize <= text.len());
                let url = link.url.to_string().to_ascii_lowercase();
                proptest::prop_assert!(url.starts_with("http://") || url.starts_with("https://"), "{}", url);
                end = link.span.end;
            }
        }
    }
}
