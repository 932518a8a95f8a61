//! Decisions compared with a simple evaluation and with other parsers.
use crate::common::robots_oracle::{naive, walk};

use agentsdisc_core::format::robots_txt::RobotsTxt;
use proptest::prelude::*;

/// A document without the constructs that the peers read differently; each test lists them.
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
    fn one_walk_decides_like_the_groups(
        text in document("(/|\\*)?[/ab*é]{0,4}(%61|%2F)?\\$?", "(Sitemap: x|Crawl-delay: 1|#|x|)"),
        agent in "(a|b|ab|c|A)", path in "/[/abé]{0,5}(%61|%2f)?",
    ) {
        let robots = RobotsTxt::parse(text.as_bytes());
        let verdict = robots.decide(&agent, format!("https://a.test{path}"));
        prop_assert_eq!((verdict.allowed, verdict.rule.map(|rule| rule.line)), naive(robots, &agent, &path), "{}", text);
    }

    /// Differences of `robotstxt` 0.3, a port of the widely used open parser:
    /// - Fields other than agents and rules end the list of agents (its model no longer does that);
    ///   not generated.
    /// - Its matcher loses positions after a `*` (it inserts where it should overwrite), and so
    ///   matches too little; `*` is only generated at the end.
    /// - It encodes patterns but not paths, and decodes nothing; no percent signs and only ASCII
    ///   are generated.
    /// - `/robots.txt` is not exempt; not requested.
    #[test]
    fn decides_like_robotstxt(
        text in document("/?[/ab$]{0,3}(/index\\.html?)?[/a]?\\*?\\$?", "(#|x||Disallow /ab|dissallow: /b|useragent: ab|disallowed:/)"),
        agent in "(a|b|ab|c|A)", url in "(https://h|h)?(/[/ab?;]{0,4}|/index.html|\\?a|;b)(#a)?",
    ) {
        let expected = robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(&text, &agent, &url);
        prop_assert_eq!(RobotsTxt::parse(text.as_bytes()).allowed(&agent, &url), expected, "{}", text);
    }

    /// Differences of `texting_robots` 0.2:
    /// - An index page does not also allow its directory; not generated.
    /// - An empty `Disallow` counts as `Allow: /`; not generated.
    /// - `$` is also the end in the middle of a pattern; only generated at the end.
    /// - Its path is the result of `url`, without dot segments; not generated.
    #[test]
    fn decides_like_texting_robots(
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
