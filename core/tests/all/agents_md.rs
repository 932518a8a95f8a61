//! agents.md: the rulings of docs/formats/agents-md.md about sections and their text.

mod examples;
mod gateway;
mod hostile;

use agentsdisc_core::format::agents_md::{AgentsMd, ContactKind, Entry, SectionKind};
use agentsdisc_core::{Code, Limits};

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
        assert!(diagnostic.span.start >= last, "{diagnostic:?} stands before the one before it");
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

#[test]
fn section_names_are_compared_leniently() {
    let text = "## can\n- a\n##  CAN'T ##\n- b\n## Can\u{2019}t\n- c\n## Can not:\n- d\n\nBehaviour\n---\n- e\n## Other\n- f\n";
    let site = parse(text);
    assert_eq!(items(site, SectionKind::Can), ["a"]);
    assert_eq!(items(site, SectionKind::Cannot), ["b", "c", "d"]);
    assert_eq!(items(site, SectionKind::Behavior), ["e"]);
    assert_eq!(items(site, SectionKind::Other), ["f"]);
    let codes = codes(text);
    assert_eq!(codes.iter().filter(|&&code| code == Code::DuplicateSection).count(), 2);
    assert_eq!(codes.iter().filter(|&&code| code == Code::NonstandardField).count(), 4);
}

#[test]
fn duplicate_sections_count_together() {
    let text = "## Can\n- a\n## X\n- x\n## CAN\n- b\n";
    assert_eq!(items(parse(text), SectionKind::Can), ["a", "b"]);
    assert_eq!(findings(text, None), [(Code::UnreadSection, "X"), (Code::DuplicateSection, "CAN")]);
}

#[test]
fn a_document_without_known_sections_is_reported() {
    assert_eq!(
        findings("# A\n\n## Install\n- b\n", None),
        [(Code::NoKnownSection, ""), (Code::UnreadSection, "Install")]
    );
    assert_eq!(findings("# A\n\nWhat it is.\n", None), []);
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
    let found: Vec<_> = site.can().map(|item| (item.depth, item.text.to_string())).collect();
    let expected = [
        (1, "Search the catalog"),
        (2, "by title"),
        (3, "or lazily"),
        (1, "Buy\n\nwith consent\n\nand more"),
        (1, "quoted twice"),
        (1, "Heading"),
        (2, "inner"),
    ];
    assert_eq!(found, expected.map(|(depth, text)| (depth, text.to_string())));
    assert_eq!(findings(text, None), [(Code::EmptyValue, "*"), (Code::EmptyValue, "-")]);
    let section = site.sections().next().unwrap();
    assert_eq!(section.items().count(), 7);
    assert_eq!(section.paragraphs().count(), 0);
}

#[test]
fn nothing_in_code_html_or_quotes_is_a_section() {
    let text = "# A\n\n```\n## Can\n- a\n```\n\n<!--\n## Can\n- b\n-->\n\n> ## Can\n> - c\n\n- ## Can\n\n    ## Can\n";
    assert!(!parse(text).has_known_section());
    assert_eq!(parse(text).walk().filter(|entry| matches!(entry, Entry::Section(_))).count(), 0);
}

#[test]
fn title_and_description() {
    let of = |text: &str| parse(text).description().map(|text| text.to_string());
    assert_eq!(of("# A\nOne\ntwo.\n\nThree.\n### B\nFour."), Some("One two.\n\nThree.".into()));
    assert_eq!(
        of("# A\n> One\n> two.\n\nThree.\n\n- x\n\nFour."),
        Some("One two.\n\nThree.".into())
    );
    assert_eq!(of("# A\n<!-- x -->\n\nOne."), Some("One.".into()));
    assert_eq!(of("One.\n# A\n## Can\n"), None);
    assert_eq!(of("One."), None);
    assert_eq!(parse("## Can\n- a\n# B\n- b\n# C\n").title().unwrap(), "B");
    assert_eq!(items(parse("## Can\n- a\n# B\n- b\n"), SectionKind::Can), ["a"]);
    assert_eq!(parse("A *b*\n===\n").title().unwrap(), "A *b*");
}

#[test]
fn contacts_are_lines() {
    let text = "## Contact\na@example.com\n<https://example.com/agents>\n\n- mailto:b@example.com\n- Ask the desk\n> c@d@e\n";
    let found: Vec<_> =
        parse(text).contacts().map(|contact| (contact.text.to_string(), contact.kind)).collect();
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
    assert_eq!(codes("## Behavior\n- 0 requests/day\n"), [Code::InvalidRateLimit]);
}

#[test]
fn invalid_bytes_are_reported() {
    assert_eq!(
        findings("\u{feff}## Can\n- a\u{0}b\n", None),
        [(Code::ByteOrderMark, "\u{feff}"), (Code::ControlCharacter, "\0")]
    );
}

#[test]
fn a_section_may_follow_a_byte_order_mark() {
    assert_eq!(items(parse("\u{feff}## Can\n- a\n"), SectionKind::Can), ["a"]);
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
