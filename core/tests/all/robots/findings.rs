//! The check of a robots.txt.
use agentsdisc_core::diagnostic::Severity;
use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::manifest::Stance;

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

/// The agents that no `Content-Signal` of a group for `*` reaches, asked one by one.
fn unreached(robots: &RobotsTxt<'_>) -> Vec<u32> {
    let mut found = Vec::new();
    for group in robots.groups() {
        let Some(agent) = group.agents().next().filter(|agent| !agent.is_any()) else {
            continue;
        };
        let ask = |purpose: &&str| robots.preference(agent.token(), "/", purpose);
        let answers: Vec<_> = ["search", "ai-input", "train-ai"].iter().map(ask).collect();
        let is_stated = answers.iter().any(|answer| answer.stance != Stance::NotStated);
        if !is_stated && answers.iter().any(|answer| answer.statement.is_some()) {
            found.push(agent.span.start);
        }
    }
    found
}

#[test]
fn agents_that_no_signal_reaches_are_those_that_have_no_preference() {
    const LINES: [&str; 10] = [
        "User-agent: *",
        "User-agent: A",
        "User-agent: b2",
        "User-agent: Mozilla/5.0 (compatible; A)",
        "User-agent:",
        "Disallow: /",
        "Disallow: /x",
        "Content-Signal: search=yes, ai-train=no",
        "Content-Signal: other",
        "Content-Usage: train-ai=n",
    ];
    let mut reported = 0;
    for number in 0..LINES.len().pow(4) {
        let mut lines = vec!["User-agent: *", LINES[7], LINES[6]];
        lines.extend((0..4).map(|at| LINES[number / LINES.len().pow(at) % LINES.len()]));
        lines.extend(["Disallow: /y", "User-agent: C", "Disallow:"]);
        // Also with the first group last.
        let moved: Vec<_> = lines.iter().skip(3).chain(lines.iter().take(3)).copied().collect();
        for lines in [lines, moved] {
            let text = lines.join("\n");
            let robots = RobotsTxt::parse(text.as_bytes());
            let mut found = Vec::new();
            robots.findings(|finding| {
                if finding.code.as_str() == "missing-recommended-field" {
                    found.push(finding.span.start);
                }
            });
            assert_eq!(found, unreached(&robots), "{text}");
            reported += found.len();
        }
    }
    assert!(reported > 10_000);
}
