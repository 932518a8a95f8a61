//! robots.txt as RFC 9309 describes it, and as the widely used open parser reads it.

mod compiled;
mod findings;
mod hostile;
mod peers;
mod suite;

use agentsdisc_core::format::robots_txt::{Binding, Reason, RobotsTxt, agent_name};
use agentsdisc_core::manifest::Stance;
use agentsdisc_core::{Limits, Span};
use findings::findings;

fn allowed(robots: &str, agent: &str, url: &str) -> bool {
    RobotsTxt::parse(robots.as_bytes()).allowed(agent, url)
}

/// RFC 9309 section 5.1.
#[test]
fn the_simple_example_of_the_rfc() {
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

#[test]
fn a_question_about_a_purpose_need_not_spell_it_exactly() {
    let robots = RobotsTxt::parse(b"User-agent: *\nContent-Usage: train-ai=n, x-own=n\n");
    let stance = |purpose: &str| robots.preference("Bot", "/", purpose).stance;
    for purpose in ["train-ai", "Train_AI", " train-ai\n", "ai-train", "AI training"] {
        assert_eq!(stance(purpose), Stance::Disallow, "{purpose:?}");
    }
    assert_eq!(stance("x-own"), Stance::Disallow);
    for purpose in ["X-Own", "train", "", "search"] {
        assert_eq!(stance(purpose), Stance::NotStated, "{purpose:?}");
    }
}

/// RFC 9309 section 5.2.
#[test]
fn the_longest_match_example_of_the_rfc() {
    let robots =
        "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
    assert!(!allowed(robots, "foobot", "https://www.example.com/example/page/disallowed.gif"));
    assert!(allowed(robots, "foobot", "https://www.example.com/example/page/other.gif"));
}

#[test]
fn groups_are_chosen_by_agent_name() {
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
        (" Foo-Bot", "/b", true),
        ("Mozilla/5.0 (compatible; Foo-Bot/2)", "/b", true),
        ("Mozilla/5.0 (X11) AppleWebKit/5 Chrome/1 Safari/5", "/b", false),
    ] {
        assert_eq!(allowed(robots, agent, url), expected, "{agent} {url}");
    }
    assert_eq!(agent_name(b"Mozilla/5.0"), b"Mozilla");
    assert_eq!(agent_name(b"(bot)"), b"");
    // A group without a name applies to no agent; an agent without a name obeys only the groups
    // for *.
    assert!(allowed("User-agent: (bot)\nDisallow: /\n", "bot", "/"));
    let verdict = RobotsTxt::ALLOW_ALL.decide("(bot)", "/");
    assert_eq!((verdict.allowed, verdict.reason.as_str()), (false, "invalid-agent"));
    // * may be followed by a blank and more text, but not by other characters.
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
    // A group for both the agent and * is the agent's own.
    let robots = "User-agent: *\nUser-agent: a\nDisallow: /x\n\nUser-agent: a\nDisallow: /y\n";
    for (agent, url, expected) in
        [("a", "/x", false), ("a", "/y", false), ("b", "/x", false), ("b", "/y", true)]
    {
        assert_eq!(allowed(robots, agent, url), expected, "{agent} {url}");
    }
}

#[test]
fn a_named_group_replaces_the_group_for_all() {
    assert!(allowed("User-agent: a\nDisallow:\n\nUser-agent: *\nDisallow: /\n", "a", "/x"));
    assert!(allowed("User-agent: *\nDisallow: /\n\nUser-agent: a\n", "a", "/x"));
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
        assert!(!allowed(&robots, "a", "/x") && !allowed(&robots, "b", "/x"), "{between}");
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
    // An empty rule is a rule too.
    assert!(allowed("User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /", "a", "/x"));
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
        ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https%3a%2f%2Ffoo.bar", true),
        ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", false),
        ("/a%2Fb", "/a/b", false),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", true),
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
    // In any encoding of the document; Latin-1 here.
    assert!(!RobotsTxt::parse(b"User-agent: *\nDisallow: /caf\xe9").allowed("foo", "/caf%E9"));
}

#[test]
fn the_robots_txt_itself_is_always_allowed() {
    let robots = RobotsTxt::DISALLOW_ALL;
    assert!(
        robots.allowed("foo", "/robots.txt")
            && robots.allowed("foo", "https://a.test/robots.txt#x")
    );
    assert_eq!(robots.decide("foo", "/robots.txt").reason, Reason::RobotsFile);
    assert!(
        !robots.allowed("foo", "/robots.txt?x")
            && !robots.allowed("foo", "/a/robots.txt")
            && !robots.allowed("foo", "/")
    );
    assert!(RobotsTxt::ALLOW_ALL.allowed("foo", "/"));
}

#[test]
fn allowing_an_index_page_allows_its_directory() {
    for (path, expected) in [
        ("/a/", true),
        ("/a/index.html", true),
        ("/a/index.htm", false),
        ("/a/b", false),
        ("/", false),
    ] {
        assert_eq!(
            allowed("User-agent: *\nAllow: /a/index.html\nDisallow: /", "foo", path),
            expected,
            "{path}"
        );
    }
    assert!(allowed("User-agent: *\nAllow: /index.htm\nDisallow: /", "foo", "https://a.test"));
    assert!(
        allowed("User-agent: *\nDisallow: /a/index.html", "foo", "/a/"),
        "only Allow is read so"
    );
    let robots = RobotsTxt::parse(b"User-agent: *\nAllow: /index.html\nDisallow: /\n");
    assert_eq!(robots.decide("foo", "/").rule.map(|rule| rule.line), Some(2));
}

#[test]
fn common_misspellings_are_read() {
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
        assert!(!allowed(robots, "foo", "/x") && allowed(robots, "foo", "/y"), "{robots:?}");
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
fn a_verdict_has_its_rule() {
    let text = "# c\r\nUser-agent: a\r\nUser-agent: b\r\nCrawl-delay: 2\r\nDisallow: /x # no\r\nAllow: /x/y\r\n";
    let robots = RobotsTxt::parse(text.as_bytes());
    let verdict = robots.decide("B", "https://a.test/x/y?z#f");
    let rule = verdict.rule.unwrap();
    assert!(verdict.allowed && rule.allow);
    assert_eq!(
        (verdict.reason, verdict.binding, rule.pattern.raw(), rule.line),
        (Reason::Rule, Binding::Named, &b"/x/y"[..], 6)
    );
    assert_eq!(rule.span.slice(text.as_bytes()), b"/x/y");
    assert_eq!(rule.group.line(), 2);
    let agents: Vec<_> = rule
        .group
        .agents()
        .map(|agent| (agent.name.to_string(), agent.line, agent.token()))
        .collect();
    assert_eq!(agents, [("a".to_string(), 2, &b"a"[..]), ("b".to_string(), 3, &b"b"[..])]);
    assert_eq!(
        rule.group.rules().map(|rule| (rule.allow, rule.line)).collect::<Vec<_>>(),
        [(false, 5), (true, 6)]
    );
    assert_eq!(rule.group.crawl_delay().unwrap().milliseconds(), Some(2000));
    assert_eq!(robots.decide("c", "/x").reason, Reason::NoGroup);
    assert_eq!((Reason::Rule.as_str(), Reason::NoGroup.as_str()), ("rule", "no-group"));
}

#[test]
fn sitemaps_belong_to_no_group() {
    let text =
        b"Sitemap: https://a.test/1\nUser-agent: *\nSITEMAP:https://a.test/2#x\nDisallow: /\nsite-map : https://a.test/3\nsitemap:\n";
    let found: Vec<_> = RobotsTxt::parse(text)
        .sitemaps()
        .map(|sitemap| (sitemap.url.to_string(), sitemap.line))
        .collect();
    let expected =
        [("https://a.test/1", 1), ("https://a.test/2", 3), ("https://a.test/3", 5), ("", 6)];
    assert_eq!(found, expected.map(|(url, line)| (url.to_string(), line)));
}

#[test]
fn crawl_delays_are_read() {
    let delay = |robots: &str, agent: &str| {
        RobotsTxt::parse(robots.as_bytes()).crawl_delay(agent).map(|delay| delay.milliseconds())
    };
    let robots = "Crawl-delay: 9\nUser-agent: a\nCrawl-delay: 10\nUser-agent: b\nCrawl-delay: 20\nDisallow: /x\n\nUser-agent: *\nDisallow: /\ncrawl-delay: 0.25\n";
    assert_eq!(delay(robots, "a"), Some(Some(10_000)));
    assert_eq!(delay(robots, "b"), Some(Some(20_000)));
    assert_eq!(delay(robots, "c"), Some(Some(250)));
    assert_eq!(delay("User-agent: a\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 1", "a"), None);
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
fn long_documents_are_cut_at_a_line() {
    let limits = |robots| Limits { robots, ..Limits::DEFAULT };
    let text = b"User-agent: *\nDisallow: /foo\n";
    for limit in 0..=text.len() {
        let robots = RobotsTxt::parse_with(text, &limits(limit));
        assert_eq!(robots.is_cut(), limit < text.len());
        // A part of a rule never counts.
        assert!(robots.allowed("a", "/f"));
        assert_eq!(robots.allowed("a", "/foo"), limit < text.len() - 1, "{limit}");
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
    // A single endless line leaves no rules.
    assert!(RobotsTxt::parse_with(text, &limits(5)).groups().next().is_none());
}

#[test]
fn long_lines_are_skipped() {
    let limits = Limits { line: 20, ..Limits::DEFAULT };
    let text = b"User-agent: *\nDisallow: /aaaaaaaaaaa\nDisallow: /b#ccccccccc\nDisallow: /d\n";
    let robots = RobotsTxt::parse_with(text, &limits);
    assert!(
        robots.allowed("x", "/aaaaaaaaaaa")
            && robots.allowed("x", "/b")
            && !robots.allowed("x", "/d")
    );
    let mut spans = Vec::new();
    robots.findings(|finding| spans.push((finding.code.as_str(), finding.span)));
    assert_eq!(spans, [("long-line", Span::new(14, 36)), ("long-line", Span::new(37, 59))]);
}
