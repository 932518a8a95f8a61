//! robots.txt as RFC 9309 describes it, and as the widely used open parser reads it.

use crate::common::robots_oracle as oracle;
use crate::common::time;

use agentsdisc_core::diagnostic::Severity;
use agentsdisc_core::format::robots_txt::{Binding, Reason, RobotsTxt, product_token};
use agentsdisc_core::{Limits, Span};
use oracle::{naive, walk};
use proptest::prelude::*;

fn allowed(robots: &str, agent: &str, url: &str) -> bool {
    RobotsTxt::parse(robots.as_bytes()).allowed(agent, url)
}

/// RFC 9309 section 5.1.
#[test]
fn simple_example_of_the_rfc() {
    let robots = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
                  User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n\
                  User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n";
    let table = [
        ("otherbot", "/a.gif", false),
        ("otherbot", "/a.gif?b", true),
        ("otherbot", "/example/x", false),
        ("otherbot", "/publications/a", true),
        ("otherbot", "/", true),
        ("foobot", "/", false),
        ("FooBot", "/example/page.html", true),
        ("foobot", "/example/allowed.gif", true),
        ("foobot", "/example/disallowed.gif", false),
        ("barbot", "/example/page.html", false),
        ("bazbot", "/example/page.html", false),
        ("bazbot", "/example/a.gif", true),
        ("barbot", "/example/", true),
        ("quxbot", "/example/a.gif", true),
        ("quxbot", "/", true),
    ];
    for (agent, url, expected) in table {
        assert_eq!(allowed(robots, agent, url), expected, "{agent} {url}");
    }
}

/// RFC 9309 section 5.2.
#[test]
fn longest_match_of_the_rfc() {
    let robots =
        "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
    assert!(!allowed(
        robots,
        "foobot",
        "https://www.example.com/example/page/disallowed.gif"
    ));
    assert!(allowed(
        robots,
        "foobot",
        "https://www.example.com/example/page/other.gif"
    ));
}

#[test]
fn groups_are_chosen_by_product_token() {
    let robots = "User-agent: *\nDisallow: /\n\nUser-agent: Foo-Bot/1.0 (x)\nDisallow: /a\n\nUser-agent: BAR_BOT\nAllow: /\n";
    for (agent, url, expected) in [
        ("Foo-Bot", "/a", false),
        ("foo-bot", "/b", true),
        ("FOO-BOT/9.9", "/b", true),
        ("Foo-Bot (compatible)", "/b", true),
        ("Foo", "/b", false),
        ("Foo-BotX", "/b", false),
        ("Foo-Bot-News", "/b", false),
        ("bar_bot", "/b", true),
        ("bar", "/b", false),
        ("", "/b", false),
        ("*", "/b", false),
        ("1Bot", "/b", false),
        (" Foo-Bot", "/b", false),
    ] {
        assert_eq!(allowed(robots, agent, url), expected, "{agent} {url}");
    }
    assert_eq!(product_token(b"Mozilla/5.0"), b"Mozilla");
    assert_eq!(product_token(b"7bot"), b"");
    // A name without a token is nobody's, the agent's without one is bound by * only.
    assert!(allowed("User-agent: 7bot\nDisallow: /\n", "7bot", "/"));
    // * may be followed by a blank and more, and by nothing else.
    assert!(!allowed("User-agent: * all\nDisallow: /\n", "foo", "/"));
    assert!(allowed("User-agent: *bot\nDisallow: /\n", "foo", "/"));
}

#[test]
fn groups_of_one_agent_merge() {
    let robots = "User-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n\nUser-agent: A\nUser-agent: b\nDisallow: /y\nAllow: /x/z\n";
    for (agent, url, expected) in [
        ("a", "/x", false),
        ("a", "/y", false),
        ("a", "/x/z", true),
        ("a", "/q", true),
        ("b", "/x", true),
        ("b", "/y", false),
        ("c", "/q", false),
    ] {
        assert_eq!(allowed(robots, agent, url), expected, "{agent} {url}");
    }
    // A rule of a group for the agent and for * binds the agent as its own.
    let robots = "User-agent: *\nUser-agent: a\nDisallow: /x\n\nUser-agent: a\nDisallow: /y\n";
    for (agent, url, expected) in [
        ("a", "/x", false),
        ("a", "/y", false),
        ("b", "/x", false),
        ("b", "/y", true),
    ] {
        assert_eq!(allowed(robots, agent, url), expected, "{agent} {url}");
    }
}

#[test]
fn a_named_group_replaces_the_one_for_all() {
    assert!(allowed(
        "User-agent: a\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
        "a",
        "/x"
    ));
    assert!(allowed(
        "User-agent: *\nDisallow: /\n\nUser-agent: a\n",
        "a",
        "/x"
    ));
    let verdict = RobotsTxt::parse(b"User-agent: *\nDisallow: /\n\nUser-agent: a\nDisallow: /y")
        .decide("a", "/x");
    assert_eq!(
        (verdict.allowed, verdict.reason, verdict.binding),
        (true, Reason::NoRule, Binding::Named)
    );
}

#[test]
fn only_rules_end_the_list_of_agents() {
    for between in [
        "",
        "\n",
        "# comment\n",
        "Sitemap: https://a.test/s\n",
        "Crawl-delay: 1\n",
        "Unknown: x\n",
        "what is this\n",
    ] {
        let robots = format!("User-agent: a\n{between}User-agent: b\nDisallow: /x\n");
        assert!(
            !allowed(&robots, "a", "/x") && !allowed(&robots, "b", "/x"),
            "{between}"
        );
    }
    let robots =
        "User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /y\nSitemap: u\nDisallow: /z";
    assert!(
        !allowed(robots, "a", "/x")
            && allowed(robots, "a", "/y")
            && allowed(robots, "b", "/x")
            && !allowed(robots, "b", "/z")
            && allowed(robots, "a", "/z")
    );
    // An empty rule is one too.
    assert!(allowed(
        "User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /",
        "a",
        "/x"
    ));
}

#[test]
fn the_longest_pattern_wins_and_allow_wins_ties() {
    for (rules, url, expected) in [
        ("Disallow: /a\nAllow: /a", "/a", true),
        ("Allow: /a\nDisallow: /a", "/a", true),
        ("Allow: /a\nDisallow: /a*", "/ab", false),
        ("Allow: /a$\nDisallow: /a", "/a", true),
        ("Allow: /a$\nDisallow: /a", "/ab", false),
        ("Allow: /p\nDisallow: /", "/page", true),
        ("Allow: /page\nDisallow: /*.htm", "/page.htm", false),
        ("Allow: /page\nDisallow: /*.ph", "/page.php5", true),
        ("Allow: /$\nDisallow: /", "/", true),
        ("Allow: /$\nDisallow: /", "/page.htm", false),
        ("Allow: /%41\nDisallow: /A", "/A", true),
        ("Disallow: /é\nAllow: /%c3%a9", "/%C3%A9", true),
        ("Disallow:", "/", true),
        ("Allow:\nDisallow: /", "/", false),
        ("Disallow: a", "/a", true),
        ("Disallow: *", "/a", false),
    ] {
        assert_eq!(
            allowed(&format!("User-agent: *\n{rules}\n"), "foo", url),
            expected,
            "{rules} {url}"
        );
    }
}

/// The table of RFC 9309 section 2.2.2 and the examples of 2.2.3.
#[test]
fn percent_encoding_is_normalised() {
    for (pattern, url, matches) in [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz", true),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84", true),
        ("/foo/bar/%E3%83%84", "/foo/bar/ツ", true),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", true),
        (
            "/foo/bar?baz=https%3A%2F%2Ffoo.bar",
            "/foo/bar?baz=https%3a%2f%2Ffoo.bar",
            true,
        ),
        (
            "/foo/bar?baz=https%3A%2F%2Ffoo.bar",
            "/foo/bar?baz=https://foo.bar",
            false,
        ),
        ("/a%2Fb", "/a/b", false),
        (
            "/path/file-with-a-%2A.html",
            "/path/file-with-a-*.html",
            true,
        ),
        ("/path/foo-%24", "/path/foo-$", true),
        ("/path/foo-%24", "/path/foo-", false),
    ] {
        assert_eq!(
            !allowed(
                &format!("User-agent: *\nDisallow: {pattern}"),
                "foo",
                &format!("https://a.test{url}")
            ),
            matches,
            "{pattern} {url}"
        );
    }
    // In whichever encoding the document is: Latin-1 here.
    assert!(!RobotsTxt::parse(b"User-agent: *\nDisallow: /caf\xe9").allowed("foo", "/caf%E9"));
}

#[test]
fn the_robots_txt_itself_is_always_allowed() {
    let robots = RobotsTxt::DISALLOW_ALL;
    assert!(
        robots.allowed("foo", "/robots.txt")
            && robots.allowed("foo", "https://a.test/robots.txt#x")
    );
    assert_eq!(
        robots.decide("foo", "/robots.txt").reason,
        Reason::RobotsFile
    );
    assert!(
        !robots.allowed("foo", "/robots.txt?x")
            && !robots.allowed("foo", "/a/robots.txt")
            && !robots.allowed("foo", "/")
    );
    assert!(RobotsTxt::ALLOW_ALL.allowed("foo", "/"));
}

#[test]
fn an_index_page_stands_for_its_directory() {
    for (path, expected) in [
        ("/a/", true),
        ("/a/index.html", true),
        ("/a/index.htm", false),
        ("/a/b", false),
        ("/", false),
    ] {
        assert_eq!(
            allowed(
                "User-agent: *\nAllow: /a/index.html\nDisallow: /",
                "foo",
                path
            ),
            expected,
            "{path}"
        );
    }
    assert!(allowed(
        "User-agent: *\nAllow: /index.htm\nDisallow: /",
        "foo",
        "https://a.test"
    ));
    assert!(
        allowed("User-agent: *\nDisallow: /a/index.html", "foo", "/a/"),
        "only Allow is read so"
    );
    let robots = RobotsTxt::parse(b"User-agent: *\nAllow: /index.html\nDisallow: /\n");
    assert_eq!(
        robots.decide("foo", "/").rule.map(|rule| rule.line),
        Some(2)
    );
}

#[test]
fn lines_as_they_are_found() {
    for robots in [
        "user-agent:foo\ndisallow:/x",
        "USER-AGENT: FOO\r\nDISALLOW: /x\r\n",
        "User-agent: foo\rDisallow: /x\r",
        "\u{feff}User-agent: foo\nDisallow: /x",
        "  User-agent : foo # c\n\tDisallow\t:\t/x\t#c",
        "User-agent foo\nDisallow /x",
        "user agent: foo\nDissallow: /x",
        "useragent: foo\ndisalow: /x",
        "User-agents: foo\ndiasllow: /x",
        "User-agent: foo\ndisallaw: /x",
        "User-agent: foo\ndissalow: /x",
        "User-agent: foo\n\n\n# a\nDisallow: /x",
        "Disallow: /\nUser-agent: foo\nDisallow: /x",
        "User-agent: foo\n<html>\nDisallow: /x",
        "User-agent: foo\u{b}\nDisallow: /x\u{c}",
    ] {
        assert!(
            !allowed(robots, "foo", "/x") && allowed(robots, "foo", "/y"),
            "{robots:?}"
        );
    }
    for robots in [
        "",
        "\u{feff}",
        "Disallow: /",
        "User-agent: foo",
        "User-agent: foo\n#Disallow: /",
        "User-agent: foo\nDisallow",
        "User-agent: foo\nDisallow / x",
        "User-agent: foo\nDis allow: /",
        ": /",
    ] {
        assert!(allowed(robots, "foo", "/x"), "{robots:?}");
    }
}

#[test]
fn a_verdict_says_why() {
    let text = "# c\r\nUser-agent: a\r\nUser-agent: b\r\nCrawl-delay: 2\r\nDisallow: /x # no\r\nAllow: /x/y\r\n";
    let robots = RobotsTxt::parse(text.as_bytes());
    let verdict = robots.decide("B", "https://a.test/x/y?z#f");
    let rule = verdict.rule.unwrap();
    assert!(verdict.allowed && rule.allow);
    assert_eq!(
        (
            verdict.reason,
            verdict.binding,
            rule.pattern.raw(),
            rule.line
        ),
        (Reason::Rule, Binding::Named, &b"/x/y"[..], 6)
    );
    assert_eq!(rule.span.slice(text.as_bytes()), b"/x/y");
    assert_eq!(rule.group.line(), 2);
    let agents: Vec<_> = rule
        .group
        .agents()
        .map(|agent| (agent.name.to_string(), agent.line, agent.token()))
        .collect();
    assert_eq!(
        agents,
        [
            ("a".to_string(), 2, &b"a"[..]),
            ("b".to_string(), 3, &b"b"[..])
        ]
    );
    assert_eq!(
        rule.group
            .rules()
            .map(|rule| (rule.allow, rule.line))
            .collect::<Vec<_>>(),
        [(false, 5), (true, 6)]
    );
    assert_eq!(rule.group.crawl_delay().unwrap().milliseconds(), Some(2000));
    assert_eq!(robots.decide("c", "/x").reason, Reason::NoGroup);
    assert_eq!(
        (Reason::Rule.as_str(), Reason::NoGroup.as_str()),
        ("rule", "no-group")
    );
}

#[test]
fn sitemaps_belong_to_no_group() {
    let text =
        b"Sitemap: https://a.test/1\nUser-agent: *\nSITEMAP:https://a.test/2#x\nDisallow: /\nsite-map : https://a.test/3\nsitemap:\n";
    let found: Vec<_> = RobotsTxt::parse(text)
        .sitemaps()
        .map(|sitemap| (sitemap.url.to_string(), sitemap.line))
        .collect();
    let expected = [
        ("https://a.test/1", 1),
        ("https://a.test/2", 3),
        ("https://a.test/3", 5),
        ("", 6),
    ];
    assert_eq!(found, expected.map(|(url, line)| (url.to_string(), line)));
}

#[test]
fn crawl_delays() {
    let delay = |robots: &str, agent: &str| {
        RobotsTxt::parse(robots.as_bytes())
            .crawl_delay(agent)
            .map(|delay| delay.milliseconds())
    };
    let robots = "Crawl-delay: 9\nUser-agent: a\nCrawl-delay: 10\nUser-agent: b\nCrawl-delay: 20\nDisallow: /x\n\nUser-agent: *\nDisallow: /\ncrawl-delay: 0.25\n";
    assert_eq!(delay(robots, "a"), Some(Some(10_000)));
    assert_eq!(delay(robots, "b"), Some(Some(20_000)));
    assert_eq!(delay(robots, "c"), Some(Some(250)));
    assert_eq!(
        delay(
            "User-agent: a\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 1",
            "a"
        ),
        None
    );
    for (value, expected) in [
        ("1", Some(1000)),
        ("1.", Some(1000)),
        (".5", Some(500)),
        ("1.2345", Some(1234)),
        ("0", Some(0)),
        ("18446744073709551615", None),
        ("18446744073709551", Some(18_446_744_073_709_551_000)),
        ("", None),
        (".", None),
        ("-1", None),
        ("1s", None),
        ("1e3", None),
        ("1.2.3", None),
        ("1 2", None),
    ] {
        assert_eq!(
            delay(&format!("User-agent: *\nCrawl-delay: {value}"), "x"),
            Some(expected),
            "{value}"
        );
    }
}

#[test]
fn long_documents_are_cut_before_the_line_that_does_not_fit() {
    let limits = |robots| Limits {
        robots,
        ..Limits::DEFAULT
    };
    let text = b"User-agent: *\nDisallow: /foo\n";
    for limit in 0..=text.len() {
        let robots = RobotsTxt::parse_with(text, &limits(limit));
        assert_eq!(robots.is_cut(), limit < text.len());
        // Half a rule never counts.
        assert!(robots.allowed("a", "/f"));
        assert_eq!(
            robots.allowed("a", "/foo"),
            limit < text.len() - 1,
            "{limit}"
        );
        assert_eq!(robots.bytes(), text);
    }
    assert!(!RobotsTxt::parse_with(text, &limits(text.len())).is_cut());
    let mut long = b"User-agent: *\n".to_vec();
    while long.len() < Limits::DEFAULT.robots {
        long.extend_from_slice(b"Disallow: /aaaaaaa\n");
    }
    long.extend_from_slice(b"Disallow: /late\n");
    let robots = RobotsTxt::parse(&long);
    assert!(robots.is_cut() && robots.allowed("a", "/late") && !robots.allowed("a", "/aaaaaaa"));
    assert_eq!(findings(&long), ["document-cut"]);
    // One endless line leaves nothing.
    assert!(
        RobotsTxt::parse_with(text, &limits(5))
            .groups()
            .next()
            .is_none()
    );
}

#[test]
fn long_lines_are_skipped() {
    let limits = Limits {
        line: 20,
        ..Limits::DEFAULT
    };
    let text = b"User-agent: *\nDisallow: /aaaaaaaaaaa\nDisallow: /b#ccccccccc\nDisallow: /d\n";
    let robots = RobotsTxt::parse_with(text, &limits);
    assert!(
        robots.allowed("x", "/aaaaaaaaaaa")
            && robots.allowed("x", "/b")
            && !robots.allowed("x", "/d")
    );
    let mut spans = Vec::new();
    robots.findings(|finding| spans.push((finding.code.as_str(), finding.span)));
    assert_eq!(
        spans,
        [
            ("long-line", Span::new(14, 36)),
            ("long-line", Span::new(37, 59))
        ]
    );
}

fn findings(text: &[u8]) -> Vec<&'static str> {
    let mut found = Vec::new();
    RobotsTxt::parse(text).findings(|finding| found.push(finding.code.as_str()));
    found
}

#[test]
fn what_is_found() {
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
fn findings_point_at_what_they_speak_of() {
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

const SAMPLES: [&[u8]; 4] = [
    b"\xEF\xBB\xBFUser-Agent: *\r\nDisallow: *.gif$\r\nAllow: /index.html#c\r\n\r\nUser-agent foo\rCrawl-delay: 1.5\rSitemap: https://a.test/s",
    b"User-agent: a\n\nuser agent: b/2\nDissallow: /%E3%83%84*%2a$\nAllow: /\xe3\x83\x84\nHost: x\n\n# end\n",
    b"Disallow: /\n\nUser-agent: *\nDisallow:\nDisallow / x\n::\n\0\nAllow:/a*b*c*$\n",
    b"<!DOCTYPE html>\n<html><head><title>Not found: 404</title></head>\n",
];

#[test]
fn truncation_anywhere_is_fine() {
    for sample in SAMPLES {
        for end in 0..=sample.len() {
            walk(&sample[..end]);
            walk(&sample[end..]);
        }
    }
}

/// Real files, where the environment names a folder of them.
#[test]
fn real_files_are_read() {
    let Some(folder) = std::env::var_os("AGENTSDISC_CORPUS") else {
        return;
    };
    let entries = std::fs::read_dir(std::path::Path::new(&folder).join("robots"))
        .expect("a folder named robots");
    let mut files = 0;
    for entry in entries {
        let text = std::fs::read(entry.expect("an entry").path()).expect("a file");
        // Each query walks over the whole document.
        walk(&text[..text.len().min(20_000)]);
        files += 1;
    }
    assert!(files > 0);
}

#[test]
fn hostile_documents_take_linear_time() {
    let measure = |robots: &str, url: &str| {
        let start = time::processor_time();
        std::hint::black_box(RobotsTxt::parse(robots.as_bytes()).decide("foo", url));
        RobotsTxt::parse(robots.as_bytes()).findings(|_| {});
        time::processor_time() - start
    };
    let stars = "*".repeat(10_000);
    // Far above what linear time takes on a busy machine, far below quadratic time.
    let limit = std::time::Duration::from_secs(10);
    let long_url = format!("/{}", "a".repeat(50_000));
    for robots in [
        format!("User-agent: *\nDisallow: /{stars}x\n"),
        format!("User-agent: *\nDisallow: /{}x\n", "*a".repeat(10_000)),
        format!("User-agent: *\nDisallow: /{}x\n", "*%61".repeat(10_000)),
        format!("User-agent: *\nDisallow: /*{}b$\n", "a".repeat(30_000)),
        "\n".repeat(100_000),
        "\r".repeat(100_000),
        "#".repeat(100_000),
        ":\n".repeat(50_000),
        "a b\n".repeat(25_000),
        "User-agent: foo\n".repeat(6000),
        "User-agent: *\nDisallow: /b\n".repeat(4000),
    ] {
        let taken = measure(&robots, &long_url);
        assert!(taken < limit, "{} {taken:?}", &robots[..30]);
    }
}

/// A document without what the peers are known to read in another way, which is said at each of them.
fn document(pattern: &'static str, other: &'static str) -> impl Strategy<Value = String> {
    let agent = "[Uu]ser-[Aa]gent: ?(a|b|ab|AB|\\*)( |#x)?";
    let line = prop_oneof![
        3 => proptest::string::string_regex(agent).expect("a regular expression"),
        5 => proptest::string::string_regex(&format!("([Dd]isallow|[Aa]llow): ?({pattern}) ?(#.)?")).expect("a regular expression"),
        1 => proptest::string::string_regex(other).expect("a regular expression"),
    ];
    proptest::collection::vec(line, 0..14)
        .prop_map(|lines| format!("User-agent: b\n{}\n", lines.join("\n")))
}

proptest! {
    #![proptest_config(crate::common::cases(2000))]

    #[test]
    fn one_walk_decides_as_the_groups_do(
        text in document("(/|\\*)?[/ab*é]{0,4}(%61|%2F)?\\$?", "(Sitemap: x|Crawl-delay: 1|#|x|)"),
        agent in "(a|b|ab|c|A)", path in "/[/abé]{0,5}(%61|%2f)?",
    ) {
        let robots = RobotsTxt::parse(text.as_bytes());
        let verdict = robots.decide(&agent, format!("https://a.test{path}"));
        prop_assert_eq!((verdict.allowed, verdict.rule.map(|rule| rule.line)), naive(robots, &agent, &path), "{}", text);
    }

    /// Differences of `robotstxt` 0.3, a port of the widely used open parser:
    /// - Fields that are neither agent nor rule end the list of agents there (its model stopped doing that): none here.
    /// - Its matcher loses positions after a `*` (it inserts where it should overwrite), and so matches too little: no
    ///   stars here but at the end.
    /// - It encodes patterns but not paths, and decodes nothing: no percent signs and only ASCII here.
    /// - `/robots.txt` is not exempt there: not asked for here.
    #[test]
    fn decides_as_robotstxt_does(
        text in document("/?[/ab$]{0,3}(/index\\.html?)?[/a]?\\*?\\$?", "(#|x||Disallow /ab|dissallow: /b|useragent: ab|disallowed:/)"),
        agent in "(a|b|ab|c|A)", url in "(https://h|h)?(/[/ab?;]{0,4}|/index.html|\\?a|;b)(#a)?",
    ) {
        let expected = robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(&text, &agent, &url);
        prop_assert_eq!(RobotsTxt::parse(text.as_bytes()).allowed(&agent, &url), expected, "{}", text);
    }

    /// Differences of `texting_robots` 0.2:
    /// - An index page does not stand for its directory there: none here.
    /// - An empty `Disallow` reads as `Allow: /` there: none here.
    /// - `$` counts as the end also in the middle there: only at the end here.
    /// - Its path is what `url` makes of it, dot segments removed: none here.
    #[test]
    fn decides_as_texting_robots_does(
        text in document("/[/ab*]{0,4}\\$?", "(#|Sitemap: https://a.test/)"),
        agent in "(a|b|ab|c|A)", path in "/[/ab?]{0,6}",
    ) {
        let url = format!("https://a.test{path}");
        let expected = texting_robots::Robot::new(&agent, text.as_bytes()).expect("a document").allowed(&url);
        prop_assert_eq!(RobotsTxt::parse(text.as_bytes()).allowed(&agent, &url), expected, "{}", text);
    }

    #[test]
    fn nothing_panics(text in proptest::collection::vec(any::<u8>(), 0..200), agent in ".{0,8}", url in ".{0,20}") {
        walk(&text);
        RobotsTxt::parse(&text).decide(&agent, &url);
    }

    #[test]
    fn nothing_panics_on_likely_text(text in "((?i)user-agent|allow|disallow|sitemap|crawl-delay|[ :#*/$%\n\r\tab2éA-]){0,60}") {
        walk(text.as_bytes());
    }
}
