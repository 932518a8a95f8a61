//! The check of a robots.txt.
use agentsdisc_core::diagnostic::Severity;
use agentsdisc_core::format::robots_txt::RobotsTxt;

pub(super) fn findings(text: &[u8]) -> Vec<&'static str> {
    let mut found = Vec::new();
    RobotsTxt::parse(text).findings(|finding| found.push(finding.code.as_str()));
    found
}

#[test]
fn problems_are_reported() {
    let table: [(&[u8], &[&str]); 26] = [
        (b"User-agent: *\nDisallow: /x # c\nAllow: *y$\n\nSitemap: https://a.test/s\nCrawl-delay: 1.5\n", &[]),
        (b"User-agent: *\nDisallow:\n", &[]),
        (b"\xEF\xBB\xBFUser-agent: *\n", &["byte-order-mark"]),
        (b"User-agent: *\nDisallow /x\n", &["missing-colon"]),
        (b"User-agent: *\nDisallow\n", &["malformed-line"]),
        (b"User-agent: *\n: x\n", &["malformed-line"]),
        (b"<!doctype html>\n", &["malformed-line"]),
        (b"Useragent: *\n", &["nonstandard-field"]),
        (b"User-agent: *\nDisallowed: /x\n", &["nonstandard-field"]),
        (b"User-agent: *\nDiasllow /x\n", &["missing-colon", "nonstandard-field"]),
        (b"Site-map: https://a.test\n", &["nonstandard-field"]),
        (b"Disallow: /x\nUser-agent: *\nAllow: /\n", &["misplaced-field"]),
        (b"Host: a.test\n", &["unknown-field"]),
        (b"User-agent: *\nAllow:\n", &["empty-value"]),
        (b"User-agent:\n", &["empty-value"]),
        (b"User-agent: Foo/1.0\n", &["invalid-value"]),
        (b"User-agent: 007\n", &["invalid-value"]),
        (b"User-agent: * all\n", &["invalid-value"]),
        (b"User-agent: *\nDisallow: x\nDisallow: https://a.test/x\n", &["pattern-without-slash", "pattern-without-slash"]),
        (b"User-agent: *\nCrawl-delay: soon\n", &["invalid-value"]),
        (b"Sitemap: /s.xml\nSitemap:\n", &["invalid-url", "empty-value"]),
        (b"User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /\n", &["unclosed-group"]),
        (b"User-agent: a\nUser-agent: b\nDisallow: /\nSitemap: https://a.test\nUser-agent: c\n", &[]),
        (b"User-agent: *\nDisallow: /a\0b\n", &["control-character"]),
        (b"User-agent: *\nDisallow: /caf\xe9\nAllow: x\n", &["not-utf8", "pattern-without-slash"]),
        (b"# \xff\n", &["not-utf8"]),
    ];
    for (text, expected) in table {
        assert_eq!(findings(text), expected, "{}", text.escape_ascii());
    }
}

#[test]
fn diagnostics_have_exact_spans() {
    let text = b"User-agent: *\nDissallow : x\nHost: a\n";
    let mut found = Vec::new();
    RobotsTxt::parse(text).findings(|finding| {
        found.push((
            finding.span.slice(text),
            finding.severity,
            finding.to_string(),
            finding.section,
        ))
    });
    assert_eq!(
        found,
        [
            (
                &b"Dissallow"[..],
                Severity::Warning,
                "`Dissallow` is read as Disallow".to_string(),
                "2.2"
            ),
            (
                b"x",
                Severity::Warning,
                "`x` matches nothing; a pattern begins with / or *".to_string(),
                "2.2.2"
            ),
            (
                b"Host",
                Severity::Info,
                "`Host` is not defined by RFC 9309 and has no effect".to_string(),
                "2.2.4"
            ),
        ]
    );
}
