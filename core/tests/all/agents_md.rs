//! agents.md: the examples of the specification, the decisions of formats.md, and hostile
//! documents.

// Clippy allows indexing in tests, but not in their helpers.
use crate::common::time;

use agentsdisc_core::format::agents_md::{
    AgentsMd, AgentsMdOutline, ContactKind, Entry, FrontMatter, McpAuth, McpSource, McpTransport,
    SectionKind,
};
use agentsdisc_core::{Code, ErrorKind, Limits, Severity};

// The examples of the specification, with their layout.

const FORMAT_A: &str = "\
# Example Site

A bookstore since 2010.

## Can
- Search catalog
- Read book details
- Check availability

## Cannot
- Place orders without human
- Access user accounts

## Contact
agents@example.com
";

const FORMAT_B: &str = "\
---
version: \"1.0\"
mcp:
  endpoint: https://example.com/.well-known/mcp
  transport: streamable-http
  auth: none
---
# Example Bookstore

Online bookstore with 50,000 titles.

## Can
- Search and browse catalog
- Read reviews and descriptions
- Check prices and stock
- Place orders (authenticated)

## Cannot
- Modify user accounts
- Access admin functions

## Behavior
- Respect 1 request/second
- Cache product data 1 hour
- Identify in User-Agent header

## Contact
agents@example.com
";

const MINIMAL: &str = "\
# My Tech Blog

Articles about software development.

## Can
- Read all public articles
- Search by topic
- Access RSS feed at /feed.xml

## Cannot
- Post comments (requires human)
- Access draft posts

## Contact
hello@myblog.example
";

const WITH_MCP: &str = "\
---
version: \"1.0\"
mcp:
  endpoint: https://weather.example/.well-known/mcp
  transport: streamable-http
  auth: none
---
# Weather API

Free weather data for AI agents.

## Can
- Get current conditions
- Get forecasts (up to 7 days)
- Get weather alerts

## Behavior
- 60 requests/minute
- Cache forecasts 30 minutes

## Contact
api@weather.example
";

const E_COMMERCE: &str = "\
---
version: \"1.0\"
mcp:
  endpoint: https://techmart.example/.well-known/mcp
  transport: streamable-http
  auth: oauth2
---
# TechMart

Electronics retailer.

## Can
- Search products
- Compare specifications
- Check prices and stock
- Add to cart (authenticated)
- Checkout (authenticated)

## Cannot
- Access order history without user consent
- Modify account settings

## Behavior
- 1 request/second for browsing
- Identify as AI agent in requests

## Contact
partners@techmart.example
";

const EXAMPLES: [&str; 5] = [FORMAT_A, FORMAT_B, MINIMAL, WITH_MCP, E_COMMERCE];

fn parse(text: &str) -> AgentsMd<'_> {
    AgentsMd::parse(text.as_bytes(), &Limits::DEFAULT).unwrap()
}

fn items(site: AgentsMd<'_>, kind: SectionKind) -> Vec<String> {
    site.items(kind).map(|item| item.text.to_string()).collect()
}

/// Returns the diagnostics as code and covered text; checks their order.
fn findings<'a>(text: &'a str, origin: Option<&str>) -> Vec<(Code, &'a str)> {
    let mut found = Vec::new();
    let mut last = 0;
    parse(text).findings(origin, |diagnostic| {
        assert!(
            diagnostic.span.start >= last,
            "{diagnostic:?} stands before the one before it"
        );
        last = diagnostic.span.start;
        assert!(!diagnostic.to_string().is_empty());
        found.push((
            diagnostic.code,
            std::str::from_utf8(diagnostic.span.slice(text.as_bytes())).unwrap(),
        ));
    });
    found
}

fn codes(text: &str) -> Vec<Code> {
    findings(text, Some("https://example.com/agents.md"))
        .into_iter()
        .map(|(code, _)| code)
        .collect()
}

/// Calls all accessors of a document.
fn read_all(site: AgentsMd<'_>) -> usize {
    let mut count = site.walk().count()
        + site
            .sections()
            .map(|section| section.entries().count())
            .sum::<usize>();
    count += site.metadata().count()
        + site.mcp_metadata().count()
        + site.contacts().count()
        + site.rates().count();
    count += site.cache_seconds().unwrap_or(0) as usize + usize::from(site.mcp().is_some());
    for text in [site.title(), site.description(), site.version()]
        .into_iter()
        .flatten()
    {
        count += text.decoded_len();
    }
    site.findings(Some("https://example.com"), |diagnostic| {
        count += diagnostic.to_string().len()
    });
    count
}

#[test]
fn the_simple_example_is_read() {
    let site = parse(FORMAT_A);
    assert_eq!(site.front_matter(), FrontMatter::Absent);
    assert_eq!(site.title().unwrap(), "Example Site");
    assert_eq!(site.description().unwrap(), "A bookstore since 2010.");
    assert_eq!(
        items(site, SectionKind::Can),
        ["Search catalog", "Read book details", "Check availability"]
    );
    assert_eq!(
        items(site, SectionKind::Cannot),
        ["Place orders without human", "Access user accounts"]
    );
    let contacts: Vec<_> = site.contacts().collect();
    assert_eq!(contacts.len(), 1);
    assert_eq!(
        (contacts[0].text, contacts[0].kind),
        (site.contacts().next().unwrap().text, ContactKind::Email)
    );
    assert_eq!(contacts[0].text, "agents@example.com");
    assert_eq!(site.mcp(), None);
    assert_eq!(site.version(), None);
    assert_eq!(findings(FORMAT_A, Some("https://example.com")), []);
}

#[test]
fn the_structured_example_is_read() {
    let site = parse(FORMAT_B);
    assert_eq!(site.front_matter(), FrontMatter::Closed);
    assert_eq!(site.version().unwrap(), "1.0");
    let mcp = site.mcp().unwrap();
    assert_eq!(mcp.source, McpSource::FrontMatter);
    assert_eq!(mcp.endpoint.unwrap(), "https://example.com/.well-known/mcp");
    assert_eq!(
        (mcp.transport, mcp.auth),
        (McpTransport::StreamableHttp, McpAuth::None)
    );
    assert_eq!(site.title().unwrap(), "Example Bookstore");
    assert_eq!(
        site.description().unwrap(),
        "Online bookstore with 50,000 titles."
    );
    assert_eq!(items(site, SectionKind::Can).len(), 4);
    assert_eq!(items(site, SectionKind::Behavior).len(), 3);
    assert!(
        site.rates()
            .map(|rate| (rate.requests, rate.window.as_str()))
            .eq([(1, "second")])
    );
    assert_eq!(site.cache_seconds(), Some(3_600));
    assert!(
        site.sections()
            .map(|section| section.name.to_string())
            .eq(["Can", "Cannot", "Behavior", "Contact"])
    );
    assert_eq!(findings(FORMAT_B, Some("https://example.com")), []);
    assert_eq!(findings(FORMAT_B, None), []);
}

#[test]
fn the_minimal_example_is_read() {
    let site = parse(MINIMAL);
    assert_eq!(site.title().unwrap(), "My Tech Blog");
    assert_eq!(
        site.description().unwrap(),
        "Articles about software development."
    );
    assert_eq!(
        items(site, SectionKind::Can),
        [
            "Read all public articles",
            "Search by topic",
            "Access RSS feed at /feed.xml"
        ]
    );
    assert_eq!(
        items(site, SectionKind::Cannot),
        ["Post comments (requires human)", "Access draft posts"]
    );
    assert_eq!(site.contacts().next().unwrap().text, "hello@myblog.example");
    assert_eq!(findings(MINIMAL, Some("https://myblog.example")), []);
}

#[test]
fn the_gateway_example_is_read() {
    let site = parse(WITH_MCP);
    assert_eq!(
        site.mcp().unwrap().endpoint.unwrap(),
        "https://weather.example/.well-known/mcp"
    );
    assert!(
        site.rates()
            .map(|rate| (rate.requests, rate.window.as_str()))
            .eq([(60, "minute")])
    );
    assert_eq!(site.cache_seconds(), Some(1_800));
    assert_eq!(items(site, SectionKind::Cannot).len(), 0);
    assert_eq!(findings(WITH_MCP, Some("https://weather.example")), []);
}

#[test]
fn the_oauth_example_is_read() {
    let site = parse(E_COMMERCE);
    assert_eq!(site.mcp().unwrap().auth, McpAuth::OAuth2);
    assert!(
        site.rates()
            .map(|rate| (rate.requests, rate.window.as_str()))
            .eq([(1, "second")])
    );
    assert_eq!(site.cache_seconds(), None);
    assert_eq!(items(site, SectionKind::Can).len(), 5);
    assert_eq!(findings(E_COMMERCE, Some("https://techmart.example")), []);
}

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
    for text in [
        "----\nversion: 1.0\n---\n",
        " ---\nversion: 1.0\n---\n",
        "\n---\nversion: 1.0\n---\n",
    ] {
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
        let expected: &[Code] = if fine {
            &[]
        } else {
            &[Code::UnsupportedVersion]
        };
        assert_eq!(codes(&text), expected, "{version}");
    }
    assert_eq!(parse("---\nversion: true\n---\n").version(), None);
    assert_eq!(
        codes("---\nversion: true\n---\n## Can\n- a\n"),
        [Code::WrongType]
    );
    assert_eq!(
        codes("---\nversion: [1]\n---\n## Can\n- a\n"),
        [Code::WrongType]
    );
}

#[test]
fn other_keys_are_metadata() {
    let text = "---\nsite: x\nmcp:\n  endpoint: https://example.com/.well-known/mcp\n  tools: [a]\ntags:\n- b\n---\n## Can\n- a\n";
    let site = parse(text);
    assert!(
        site.metadata()
            .map(|(key, _)| key.text.to_string())
            .eq(["site", "tags"])
    );
    assert!(
        site.mcp_metadata()
            .map(|(key, _)| key.text.to_string())
            .eq(["tools"])
    );
    assert_eq!(
        findings(text, None),
        [
            (Code::UnknownField, "site"),
            (Code::UnknownField, "tools"),
            (Code::UnknownField, "tags")
        ]
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
        parse("---\nmcp: *anchor\n---\n## MCP\nendpoint: https://a.test\n")
            .mcp()
            .unwrap()
            .auth,
        McpAuth::Unknown
    );
    assert_eq!(codes(&gateway("  auth: basic\n")), [Code::InvalidValue]);
    assert_eq!(codes(&gateway("  auth:\n")), [Code::EmptyValue]);
    assert_eq!(codes(&gateway("  auth: 7\n")), [Code::WrongType]);
    assert_eq!(
        codes(&gateway("  auth: &x none\n")),
        [Code::YamlUnsupported]
    );
    assert_eq!(
        codes(&gateway("  transport: stdio\n")),
        [Code::InvalidValue]
    );
    assert_eq!(
        codes(&gateway("  auth: none\n  auth: none\n")),
        [Code::DuplicateField]
    );
    assert_eq!(codes(&gateway("  Auth: none\n")), [Code::NonstandardField]);
}

#[test]
fn endpoints_are_checked() {
    let of = |endpoint: &str| {
        codes(&format!(
            "---\nmcp:\n  endpoint: {endpoint}\n---\n## Can\n- a\n"
        ))
    };
    assert_eq!(of("https://example.com/.well-known/mcp"), []);
    assert_eq!(of("https://EXAMPLE.com./.well-known/mcp?x=1"), []);
    assert_eq!(
        of("\"https:\\/\\/api.example.com\\/.well-known\\/mcp\""),
        []
    );
    assert_eq!(of("https://example.com/mcp"), [Code::EndpointLocation]);
    assert_eq!(
        of("http://example.com/.well-known/mcp"),
        [Code::InsecureUrl]
    );
    assert_eq!(
        of("https://evil.test/.well-known/mcp"),
        [Code::CrossOriginEndpoint]
    );
    assert_eq!(
        of("https://example.com@evil.test/.well-known/mcp"),
        [Code::InvalidUrl, Code::CrossOriginEndpoint]
    );
    assert_eq!(of("/.well-known/mcp"), [Code::InvalidUrl]);
    assert_eq!(of("7"), [Code::WrongType]);
    assert_eq!(of("''"), [Code::EmptyValue]);
    assert_eq!(of("null"), [Code::MissingRequiredField]);
    assert_eq!(
        codes("---\nmcp:\n  auth: none\n---\n## Can\n- a\n"),
        [Code::MissingRequiredField]
    );
    assert_eq!(
        codes("---\nmcp: yes\n---\n## Can\n- a\n"),
        [Code::WrongType]
    );
    let mut severity = None;
    parse(
        &gateway("")
            .replace("https", "http")
            .replace("example.com", "localhost:80"),
    )
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
        assert_eq!(
            mcp.endpoint.unwrap(),
            "https://example.com/.well-known/mcp",
            "{body}"
        );
        assert_eq!(
            (mcp.transport, mcp.auth),
            (McpTransport::Sse, McpAuth::ApiKey),
            "{body}"
        );
    }
    assert_eq!(
        codes("## MCP\nendpoint: https://example.com/.well-known/mcp\n"),
        []
    );
    assert_eq!(codes("## MCP\nauth: none\n"), [Code::MissingRequiredField]);
    assert_eq!(
        codes("## MCP\nAsk us.\n"),
        [Code::MissingRequiredField, Code::YamlUnsupported]
    );
}

#[test]
fn front_matter_wins_over_the_section() {
    let text = gateway("") + "## MCP\nendpoint: https://other.test/\nauth: oauth2\n";
    let mcp = parse(&text).mcp().unwrap();
    assert_eq!(
        (mcp.source, mcp.auth),
        (McpSource::FrontMatter, McpAuth::None)
    );
    assert_eq!(mcp.endpoint.unwrap(), "https://example.com/.well-known/mcp");
    assert_eq!(findings(&text, None), [(Code::ShadowedSection, "MCP")]);
    let text = "---\nmcp: null\n---\n## MCP\nendpoint: https://example.com/.well-known/mcp\n";
    assert_eq!(parse(text).mcp().unwrap().source, McpSource::Section);
}

#[test]
fn section_names_are_compared_leniently() {
    let text = "## can\n- a\n##  CAN'T ##\n- b\n## Can\u{2019}t\n- c\n## Can not:\n- d\n\nBehaviour\n---\n- e\n## Other\n- f\n";
    let site = parse(text);
    assert_eq!(items(site, SectionKind::Can), ["a"]);
    assert_eq!(items(site, SectionKind::Cannot), ["b", "c", "d"]);
    assert_eq!(items(site, SectionKind::Behavior), ["e"]);
    assert_eq!(items(site, SectionKind::Other), ["f"]);
    let codes = codes(text);
    assert_eq!(
        codes
            .iter()
            .filter(|&&code| code == Code::DuplicateSection)
            .count(),
        2
    );
    assert_eq!(
        codes
            .iter()
            .filter(|&&code| code == Code::NonstandardField)
            .count(),
        4
    );
}

#[test]
fn duplicate_sections_count_together() {
    let text = "## Can\n- a\n## X\n- x\n## CAN\n- b\n";
    assert_eq!(items(parse(text), SectionKind::Can), ["a", "b"]);
    assert_eq!(findings(text, None), [(Code::DuplicateSection, "CAN")]);
}

#[test]
fn a_document_without_known_sections_is_reported() {
    assert_eq!(
        findings("# A\n\n## Install\n- b\n", None),
        [(Code::NoKnownSection, "")]
    );
    assert_eq!(findings("", None), [(Code::NoKnownSection, "")]);
}

#[test]
fn items_have_a_depth_and_their_whole_text() {
    let text = "\
## Can
- Search
  the catalog
  - by title
    1. or
lazily
- Buy

  with consent

  ```
  - not an item
  ```
  and more
- > quoted
  > twice
- # Heading
*
- - inner
";
    let site = parse(text);
    let found: Vec<_> = site
        .can()
        .map(|item| (item.depth, item.text.to_string()))
        .collect();
    let expected = [
        (1, "Search the catalog"),
        (2, "by title"),
        (3, "or lazily"),
        (1, "Buy\n\nwith consent\n\nand more"),
        (1, "quoted twice"),
        (1, "Heading"),
        (2, "inner"),
    ];
    assert_eq!(
        found,
        expected.map(|(depth, text)| (depth, text.to_string()))
    );
    assert_eq!(
        findings(text, None),
        [(Code::EmptyValue, "*"), (Code::EmptyValue, "-")]
    );
    let section = site.sections().next().unwrap();
    assert_eq!(section.items().count(), 7);
    assert_eq!(section.paragraphs().count(), 0);
}

#[test]
fn nothing_in_code_html_or_quotes_is_a_section() {
    let text = "# A\n\n```\n## Can\n- a\n```\n\n<!--\n## Can\n- b\n-->\n\n> ## Can\n> - c\n\n- ## Can\n\n    ## Can\n";
    assert!(!parse(text).has_known_section());
    assert_eq!(
        parse(text)
            .walk()
            .filter(|entry| matches!(entry, Entry::Section(_)))
            .count(),
        0
    );
}

#[test]
fn title_and_description() {
    let of = |text: &str| parse(text).description().map(|text| text.to_string());
    assert_eq!(
        of("# A\nOne\ntwo.\n\nThree.\n### B\nFour."),
        Some("One two.\n\nThree.".into())
    );
    assert_eq!(
        of("# A\n> One\n> two.\n\nThree.\n\n- x\n\nFour."),
        Some("One two.\n\nThree.".into())
    );
    assert_eq!(of("# A\n<!-- x -->\n\nOne."), Some("One.".into()));
    assert_eq!(of("One.\n# A\n## Can\n"), None);
    assert_eq!(of("One."), None);
    assert_eq!(parse("## Can\n- a\n# B\n- b\n# C\n").title().unwrap(), "B");
    assert_eq!(
        items(parse("## Can\n- a\n# B\n- b\n"), SectionKind::Can),
        ["a"]
    );
    assert_eq!(parse("A *b*\n===\n").title().unwrap(), "A *b*");
}

#[test]
fn contacts_are_lines() {
    let text = "## Contact\na@example.com\n<https://example.com/agents>\n\n- mailto:b@example.com\n- Ask the desk\n> c@d@e\n";
    let found: Vec<_> = parse(text)
        .contacts()
        .map(|contact| (contact.text.to_string(), contact.kind))
        .collect();
    let expected = [
        ("a@example.com", ContactKind::Email),
        ("<https://example.com/agents>", ContactKind::Url),
        ("mailto:b@example.com", ContactKind::Email),
        ("Ask the desk", ContactKind::Other),
        ("c@d@e", ContactKind::Other),
    ];
    assert_eq!(found, expected.map(|(text, kind)| (text.to_string(), kind)));
}

#[test]
fn ambiguous_guidance_is_not_interpreted() {
    let site = parse(
        "## Behavior\n- Cache prices 1 hour\n- Cache stock 5 minutes\n- 1 request/second or 2 requests/second\n- 0 requests/day\n",
    );
    assert_eq!(site.cache_seconds(), None);
    assert!(site.rates().map(|rate| rate.requests).eq([0]));
    assert_eq!(
        codes("## Behavior\n- 0 requests/day\n"),
        [Code::InvalidRateLimit]
    );
}

#[test]
fn invalid_bytes_are_reported() {
    assert_eq!(
        findings("\u{feff}## Can\n- a\u{0}b\n", None),
        [
            (Code::ByteOrderMark, "\u{feff}"),
            (Code::ControlCharacter, "\0")
        ]
    );
}

#[test]
fn a_section_may_follow_a_byte_order_mark() {
    assert_eq!(
        items(parse("\u{feff}## Can\n- a\n"), SectionKind::Can),
        ["a"]
    );
}

#[test]
fn diagnostics_are_in_document_order() {
    for text in [
        "---\n\ta\n- b\n---\n## Can\n",
        "## MCP\na:\n\n- \n---\nb\n    - >\n",
        "---\nmcp:\n  auth: x\nmcp: [a, &b]\n---\n## Can:\n",
    ] {
        assert!(!findings(text, None).is_empty());
    }
}

#[test]
fn limits_are_errors() {
    let limits = |change: fn(&mut Limits)| {
        let mut limits = Limits::DEFAULT;
        change(&mut limits);
        limits
    };
    let kind = |text: &str, limits: &Limits| {
        AgentsMd::parse(text.as_bytes(), limits)
            .map(|_| ())
            .map_err(|error| (error.kind, error.offset))
    };
    assert_eq!(
        kind("# Name", &limits(|l| l.document = 5)),
        Err((ErrorKind::TooLarge, 5))
    );
    assert_eq!(
        kind("# A\nlong line\n", &limits(|l| l.line = 8)),
        Err((ErrorKind::LineTooLong, 4))
    );
    assert_eq!(kind("# A\nlong line\n", &limits(|l| l.line = 9)), Ok(()));
    assert_eq!(
        kind("# A\n> > a", &limits(|l| l.depth = 1)),
        Err((ErrorKind::TooDeep, 6))
    );
    assert_eq!(
        kind("---\na:\n  b:\n    c: 1\n---\n", &limits(|l| l.depth = 2)),
        Err((ErrorKind::TooDeep, 16))
    );
    assert!(
        matches!(AgentsMd::parse(b"# \xff", &Limits::DEFAULT), Err(error) if error.kind == ErrorKind::InvalidUtf8 && error.offset == 2)
    );
}

#[test]
fn an_outline_does_not_borrow_the_document() {
    let outline: AgentsMdOutline = {
        let bytes = FORMAT_B.as_bytes().to_vec();
        AgentsMdOutline::read(&bytes, &Limits::DEFAULT).unwrap()
    };
    assert_eq!(
        outline.attach(FORMAT_B.as_bytes()).title().unwrap(),
        "Example Bookstore"
    );
    // With other bytes the results are wrong, but nothing panics.
    read_all(outline.attach(b"short"));
    read_all(outline.attach(MINIMAL.as_bytes()));
}

#[test]
fn every_truncation_of_every_example_is_read() {
    let more = "\u{feff}---\na: \"x\\u00e9\n  y\"\nb: |2-\n   c\nd: [e, {f: 'g'}]\n...\nT\n=\n> q\n> - 1) x\n>\n>   y\n\n~~~\n## Can\n~~~\n\
                <pre>\n</pre>\n## MCP\nendpoint: https://a.test\n## Contact\n- <a@b>\n";
    for text in EXAMPLES.into_iter().chain([more]) {
        for end in 0..=text.len() {
            match AgentsMd::parse(&text.as_bytes()[..end], &Limits::DEFAULT) {
                Ok(site) => {
                    read_all(site);
                }
                Err(error) => assert_eq!(error.kind, ErrorKind::InvalidUtf8),
            }
        }
    }
}

/// The time of each of these is linear: 16 times the text takes less than 64 times as long.
#[test]
fn hostile_documents_take_linear_time() {
    let samples: [fn(usize) -> String; 16] = [
        |n| "---\n".to_string() + &"a: b\n".repeat(n),
        |n| "---\n".to_string() + &"a: \"b\n".repeat(n) + "---\n",
        |n| "---\n".to_string() + &"a: &a [*a, *a]\n".repeat(n) + "---\n",
        |n| "---\n".to_string() + &"mcp:\n  auth: x\n".repeat(n) + "---\n",
        |n| "---\n".to_string() + &"\ta\n".repeat(n) + "---\n",
        |n| format!("---\na: {}\n---\n", "[".repeat(n)),
        |n| "# a\n".repeat(n),
        |n| "## Can\n".repeat(n),
        |n| "## MCP\nendpoint: x\n".repeat(n),
        |n| "## Contact\n".to_string() + &"> a\n".repeat(n),
        |n| "## Can\n".to_string() + &"+ ".repeat(60) + "a\n" + &"\n".repeat(n),
        |n| "## Behavior\n- ".to_string() + &"1 request/second ".repeat(n),
        |n| "## Behavior\n".to_string() + &"- Cache 1 hour\n".repeat(n),
        |n| "## Can\n- a\n".to_string() + &"\n  b\n".repeat(n),
        |n| "\0".repeat(n),
        |n| "# ".to_string() + &"a\n".repeat(n) + &"- \n".repeat(n),
    ];
    let limits = Limits {
        document: 1 << 24,
        line: 1 << 24,
        ..Limits::DEFAULT
    };
    let measure = |text: &str| {
        (0..3)
            .map(|_| {
                let start = time::processor_time();
                std::hint::black_box(
                    AgentsMd::parse(text.as_bytes(), &limits)
                        .map(read_all)
                        .unwrap_or(0),
                );
                time::processor_time() - start
            })
            .min()
            .unwrap()
    };
    for (i, sample) in samples.iter().enumerate() {
        let (small, large) = (measure(&sample(500)), measure(&sample(8_000)));
        assert!(
            large < small * 64 + std::time::Duration::from_millis(20),
            "sample {i}: {small:?} then {large:?}"
        );
    }
}

#[test]
fn a_hundred_thousand_headings_are_read() {
    let text = "## Can\n- a\n".repeat(100_000);
    let limits = Limits {
        document: 1 << 24,
        ..Limits::DEFAULT
    };
    let site = AgentsMd::parse(text.as_bytes(), &limits).unwrap();
    assert_eq!(site.sections().count(), 100_000);
    assert_eq!(site.can().count(), 100_000);
}
