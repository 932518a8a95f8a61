//! Links of any document.

use agentsdisc_core::Document;
use agentsdisc_core::document::{LinkKind, Links};

/// The URLs of a text, decoded.
fn urls(text: &str) -> Vec<String> {
    Links::new(text.as_bytes()).map(|link| link.url.to_string()).collect()
}

/// The labels and kinds of the links of a text.
fn labels(text: &str) -> Vec<(String, &'static str)> {
    Links::new(text.as_bytes()).map(|link| (link.label.to_string(), link.kind.as_str())).collect()
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
        ("https://-a.test/x", "https://-a.test/x"),
        ("https://_a.test/x", "https://_a.test/x"),
        ("POST https://a.test/x\r\ny", "https://a.test/x"),
    ] {
        assert_eq!(urls(text), [expected], "{text}");
    }
    assert_eq!(
        urls("[a](https://a.test),[b](https://b.test)"),
        ["https://a.test", "https://b.test"]
    );
    for separated in ["https://a.test/x,https://b.test", "https://a.test/x;http://b.test"] {
        assert_eq!(urls(separated).len(), 2, "{separated}");
        assert_eq!(urls(separated)[0], "https://a.test/x");
    }
    assert_eq!(urls("https://a.test/x,y;https"), ["https://a.test/x,y;https"]);
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
        "https://--",
        "https://-/x",
        "\\u0068ttps://a.test",
    ] {
        assert_eq!(urls(nothing), [""; 0], "{nothing}");
    }
}

#[test]
fn strings_of_json_are_decoded() {
    for (text, expected) in [
        (r#"{"a":"https:\/\/a.test\/x"}"#, "https://a.test/x"),
        (r#"{"a":"https://a.test/x?y=1\u0026z=2"}"#, "https://a.test/x?y=1&z=2"),
        (r#"{"a":"https://a.test/x\nmore"}"#, "https://a.test/x"),
        (r#"{"a":"https://a.test/x\u0020y"}"#, "https://a.test/x"),
        (r#"{"a":"https://a.test/search?q=."}"#, "https://a.test/search?q=."),
        (r#"{"a":"See https://a.test/x."}"#, "https://a.test/x"),
        (r#"{"a":"https://a.test/r\u00e9/rpc"}"#, "https://a.test/ré/rpc"),
        (r#"{"a":"https://\u30c6.test/\ud83d\ude00/x"}"#, "https://テ.test/😀/x"),
        (r#"{"a":"https:\u002F\u002fa.test\u002Fx"}"#, "https://a.test/x"),
        (r#"{"a":"\u201chttps://a.test/x\u201d"}"#, "https://a.test/x"),
        (r#"{"a":"https://a.test/x\u00a0y"}"#, "https://a.test/x"),
        (r#"{"a":"See\nhttps://a.test/x\ny"}"#, "https://a.test/x"),
        (r#"{"a":"https://a.test/x\u007cy"}"#, "https://a.test/x"),
    ] {
        assert_eq!(urls(text), [expected], "{text}");
    }
}

#[test]
fn labels_and_kinds() {
    for (text, label, kind) in [
        ("- [The docs](https://a.test/x): y", "The docs", "docs"),
        ("- Contact: https://a.test/x", "Contact", "contact"),
        ("* MCP server: POST https://a.test/x", "MCP server: POST", "mcp-endpoint"),
        ("mcp_search: https://a.test/api/mcp/search?q=", "mcp_search", "other"),
        ("https://a.test/mcp", "", "mcp-endpoint"),
        ("https://mcp.a.test/", "", "mcp-endpoint"),
        ("https://mcp.a.test/privacy", "", "other"),
        ("MCP: https://a.test/mcp.html", "MCP", "other"),
        ("https://a.test/.well-known/agent-card.json", "", "agent-card"),
        ("https://a.test/.well-known/agent.json", "", "agent-card"),
        ("https://a.test/agent.json", "", "other"),
        ("https://a.test/.well-known/ai-catalog.json", "", "ai-catalog"),
        ("https://a.test/llms-full.txt", "", "llms-txt"),
        ("https://a.test/v1/swagger.yaml", "", "openapi"),
        ("Spec (OpenAPI 3.1): https://a.test/v1", "Spec (OpenAPI 3.1)", "openapi"),
        ("https://docs.a.test/", "", "docs"),
        ("https://a.test/docs/x.md", "", "docs"),
        ("https://buy.stripe.com/x", "", "payment"),
        ("Contactless: https://a.test/x", "Contactless", "other"),
        (r#"<link rel="ai-catalog" href="https://a.test/c">"#, "ai-catalog", "ai-catalog"),
        (r#"<LINK href="https://a.test/c" REL=ai-catalog>"#, "ai-catalog", "ai-catalog"),
        ("<link\n rel = 'llms'\n href='https://a.test/c'>", "llms", "llms-txt"),
        (r#"<a href="https://a.test/c">MCP</a>"#, "", "other"),
        ("<li>Docs: https://a.test/c", "Docs", "docs"),
        ("<p> a < b: https://a.test/c", "a < b", "other"),
        (r#"{"openapi": "https://a.test/x"}"#, "openapi", "openapi"),
        (r#"{"service-desc":[{"href":"https://a.test/x"}]}"#, "service-desc", "openapi"),
        (r#"{"mcp":{"url":"https:\/\/a.test\/x"}}"#, "mcp", "mcp-endpoint"),
        (r#"{"url":"https:\/\/a.test\/docs\/x"}"#, "url", "docs"),
        (r#"{"support":["https://a.test/x"]}"#, "support", "contact"),
        // Licences of Really Simple Licensing.
        (
            r#"<link rel="license" type="application/rsl+xml" href="https://a.test/c">"#,
            "license",
            "license",
        ),
        ("License: https://a.test/c", "License", "license"),
        ("https://a.test/rsl.xml", "", "license"),
        (r#"{"l":{"href":"https://a.test/c","type":"application/rsl+xml"}}"#, "l", "license"),
        ("Licensed goods: https://a.test/c", "Licensed goods", "other"),
        // The nearest word of the label counts, and a place that says what it is, before all words.
        ("MCP docs: https://a.test/x", "MCP docs", "docs"),
        ("Agent card: https://a.test/llms.txt", "Agent card", "llms-txt"),
        ("Docs: https://a.test/openapi.json", "Docs", "openapi"),
        ("LLMs: https://a.test/x", "LLMs", "llms-txt"),
        ("Agentmap: https://a.test/x", "Agentmap", "ai-catalog"),
        ("Open API for all: https://a.test/x", "Open API for all", "other"),
        ("Installing MCP: https://a.test/x", "Installing MCP", "other"),
        // Keys of JSON.
        (r#"{"serverUrl":"https://a.test/x"}"#, "serverUrl", "mcp-endpoint"),
        (r#"{"mcpUrl":"https://a.test/x"}"#, "mcpUrl", "mcp-endpoint"),
        (r#"{"MCPServerURL":"https://a.test/x"}"#, "MCPServerURL", "mcp-endpoint"),
        (r#"{"openApiUrl":"https://a.test/x"}"#, "openApiUrl", "openapi"),
        (r#"{"documentationUrl":"https://a.test/x"}"#, "documentationUrl", "docs"),
        (r#"{"supportURL":"https://a.test/x"}"#, "supportURL", "contact"),
        (r#"{"llmsTxt":"https://a.test/x"}"#, "llmsTxt", "llms-txt"),
        (r#"{"llms_txt":"https://a.test/x"}"#, "llms_txt", "llms-txt"),
        (r#"{"llms":"https://a.test/x"}"#, "llms", "llms-txt"),
        (r#"{"agentCardUrl":"https://a.test/x"}"#, "agentCardUrl", "agent-card"),
        (
            r#"{"remotes":[{"type":"streamable-http","url":"https://a.test/x"}]}"#,
            "remotes",
            "mcp-endpoint",
        ),
        (
            r#"{"remotes":[{"url":"https://a.test/x","transport":"sse"}]}"#,
            "remotes",
            "mcp-endpoint",
        ),
        (
            r#"{"mcpServers":{"shop":{"headers":{"a":"{b}"},"url":"https://a.test/x"}}}"#,
            "shop",
            "mcp-endpoint",
        ),
        (
            r#"{"entries":[{"tags":["docs"],"type":"application/a2a-agent-card+json","url":"https://a.test/x"}]}"#,
            "entries",
            "agent-card",
        ),
        (
            r#"{"entries":[{"url":"https://a.test/x","mediaType":"application/ai-catalog+json"}]}"#,
            "entries",
            "ai-catalog",
        ),
        (
            r#"{"item":[{"href":"https:\u002f\u002fa.test\u002fx","type":"application/vnd.oai.openapi+json"}]}"#,
            "item",
            "openapi",
        ),
        (r#"{"mcp":{"a":1},"other":{"url":"https://a.test/x"}}"#, "other", "other"),
    ] {
        assert_eq!(labels(text), [(label.to_owned(), kind)], "{text}");
    }
}

#[test]
fn the_label_of_each_of_several_urls() {
    let kinds = |text: &str| -> Vec<_> { labels(text).into_iter().map(|(_, kind)| kind).collect() };
    let json = |text: &str| format!(r#"{{"description":"{text}"}}"#);
    for (text, expected) in [
        (
            "Our OpenAPI description is at https://a.test/x and the MCP endpoint is https://a.test/y.",
            &["openapi", "mcp-endpoint"][..],
        ),
        ("Docs: https://a.test/x MCP: https://a.test/y", &["docs", "mcp-endpoint"]),
        ("Docs: https://a.test/x | https://a.test/y", &["docs", "other"]),
        (
            "Agent card: https://a.test/x | llms: https://a.test/llms.txt, pay: https://a.test/z",
            &["agent-card", "llms-txt", "payment"],
        ),
        ("[Docs](https://a.test/x), [Pay](https://a.test/y)", &["docs", "payment"]),
    ] {
        assert_eq!(kinds(text), expected, "{text}");
        if !text.contains('[') {
            assert_eq!(kinds(&json(text)), expected, "{text}");
        }
    }
    let text = r#"{"docs":["https://a.test/x","https://a.test/y"]}"#;
    assert_eq!(labels(text), [("docs".to_owned(), "docs"), ("docs".to_owned(), "docs")]);
}

#[test]
fn spans_cover_the_url_and_documents_have_the_same_links() {
    let text = "\u{feff}# A\n\n## Can\n\n- read https://a.test/x\n\n## Cannot\n\n- write\n";
    let document = Document::parse(text.as_bytes()).unwrap();
    let links: Vec<_> = document.links().collect();
    assert_eq!(links.len(), 1);
    assert_eq!(links[0].span.slice(text.as_bytes()), b"https://a.test/x");
    assert_eq!(links[0].span, Links::new(text.as_bytes()).next().unwrap().span);
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

/// Any letter of the scheme may be an escape, and no label is cut within one.
#[test]
fn escapes_in_schemes_and_labels() {
    for text in [
        r#"{"a":"\u0068ttps://a.test"}"#,
        r#"{"a":"see \u0048TTPS://a.test"}"#,
        r#"{"a":"h\u0074tp\u0073:\/\u002fa.test"}"#,
        r#"{"a":["\u0068\u0074\u0074\u0070\u0073://a.test"]}"#,
    ] {
        let found = urls(text);
        assert_eq!(found.len(), 1, "{text}");
        assert!(found[0].eq_ignore_ascii_case("https://a.test"), "{text}");
    }
    for nothing in [
        r#"{"a":"x\u0068ttps://a.test"}"#,
        r#"{"a":"\\u0068ttps://a.test"}"#,
        r#"{"a":"\u0069ttps://a.test"}"#,
        r#"{"a":"ttps://a.test"}"#,
    ] {
        assert_eq!(urls(nothing), [""; 0], "{nothing}");
    }
    for (text, expected) in [
        (r#"{"d":"https://a.test\nhttps://b.test"}"#, "d"),
        (r#"{"d":"https://a.test\r\n\t- https://b.test"}"#, "d"),
        (r#"{"d":"https://a.test\u000a\u2014 https://b.test"}"#, "d"),
        (r#"{"d":"\n- The API:\n https://a.test"}"#, "The API"),
        (r#"{"d":"the \"API\" https://a.test"}"#, "the \"API"),
        (r#"{"d":"of the caf\u00e9: https://a.test"}"#, "of the café"),
        (r#"{"d":"C:\\ https://a.test"}"#, "C:\\"),
    ] {
        assert_eq!(labels(text).pop().unwrap().0, expected, "{text}");
    }
}
