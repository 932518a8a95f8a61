//! Compiled rules decide like the scan over the lines, verdict by verdict.
use agentsdisc_core::Limits;
use agentsdisc_core::format::robots_txt::{CompiledRule, CrawlDelay, RobotsTxt, Verdict};
use proptest::prelude::*;

use crate::common::vectors;

/// What a verdict says, and from where.
fn facts(verdict: &Verdict<'_>) -> impl PartialEq + std::fmt::Debug + use<> {
    let rule = verdict.rule.map(|rule| {
        let group = rule.group;
        let group = (group.line(), group.agents().count(), group.rules().count());
        (rule.allow, rule.pattern.raw().to_vec(), rule.span, rule.line, group)
    });
    (verdict.allowed, verdict.reason, verdict.binding, rule)
}

fn delay(delay: Option<CrawlDelay<'_>>) -> impl PartialEq + std::fmt::Debug + use<> {
    delay.map(|delay| (delay.text.raw().to_vec(), delay.span, delay.line))
}

/// Compares both for an agent and some URLs, with a buffer that is exactly long enough.
fn same(robots: RobotsTxt<'_>, agent: &[u8], urls: impl IntoIterator<Item = impl AsRef<[u8]>>) {
    let needed = match robots.compile(agent, &mut []) {
        Ok(compiled) => compiled.rules().len(),
        Err(needed) => needed.get(),
    };
    let mut buffer = vec![CompiledRule::default(); needed];
    if let Some(shorter) = needed.checked_sub(1) {
        let shorter = &mut buffer[..shorter];
        assert_eq!(robots.compile(agent, shorter).unwrap_err().get(), needed);
    }
    let compiled = robots.compile(agent, &mut buffer).unwrap();
    if needed > 0 {
        assert_eq!(delay(compiled.crawl_delay()), delay(robots.crawl_delay(agent)));
    }
    for url in urls {
        let url = url.as_ref();
        assert_eq!(
            facts(&compiled.decide(url)),
            facts(&robots.decide(agent, url)),
            "{} for {} in\n{}",
            url.escape_ascii(),
            agent.escape_ascii(),
            robots.bytes().escape_ascii()
        );
    }
}

const AGENTS: [&[u8]; 8] = [
    b"Bot",
    b"foobot/2.1",
    b"a",
    b"*",
    b"",
    b"a b\n",
    b"Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example) Chrome/1 barbot/2",
    b"Googlebot-Image/1.0",
];

#[test]
fn every_vector_is_decided_as_by_the_scan() {
    let inputs = vectors::files(&vectors::root().join("robots-txt"), "in");
    for path in &inputs {
        every_rule_as_a_url(&std::fs::read(path).unwrap());
    }
    assert!(inputs.len() > 100, "{}", inputs.len());
}

/// Asks for each agent of a robots.txt, and some others, for URLs made from each pattern.
fn every_rule_as_a_url(text: &[u8]) {
    let robots = RobotsTxt::parse(text);
    let groups = || robots.groups().take(100);
    let mut urls: Vec<Vec<u8>> = [
        "",
        "/",
        "/robots.txt",
        "/?",
        "?a",
        ";a",
        "/a/../b",
        "/%2e%2e/x",
        "/index.html",
        "/%41%c3%a9",
    ]
    .map(|url| url.as_bytes().to_vec())
    .to_vec();
    for rule in groups().flat_map(|group| group.rules()).take(100) {
        let pattern = rule.pattern.raw();
        let end = pattern.iter().rposition(|&octet| octet == b'/').map_or(0, |at| at + 1);
        urls.push(pattern.to_vec());
        urls.push(pattern[..end].to_vec());
        urls.push([pattern, b"x"].concat());
        urls.push(pattern.iter().copied().filter(|octet| !b"*$".contains(octet)).collect());
        urls.push(pattern.iter().flat_map(|octet| format!("%{octet:02x}").into_bytes()).collect());
    }
    let named = groups().flat_map(|group| group.agents()).map(|agent| agent.token()).take(20);
    for agent in AGENTS.into_iter().chain(named) {
        same(robots, agent, &urls);
    }
}

proptest! {
    #![proptest_config(crate::common::cases(2000))]

    /// Ten URLs for each of 2,000 documents.
    #[test]
    fn compiled_rules_decide_like_the_scan(
        lines in proptest::collection::vec(prop_oneof![
            3 => "[Uu]ser-[Aa]gent: ?(a|b|ab|AB|\\*|Mozilla/5.0 \\(compatible; a\\))( |#x)?",
            8 => "([Dd]isallow|[Aa]llow): ?(/|\\*)?[/ab*é\0.]{0,4}(%61|%2F|%2f|%2A|%24|%c3%a9|%2|%)?[ab/*]{0,3}(/index\\.html?l?)?\\$?\\$? ?(#.)?",
            2 => "(Crawl-delay: 1|Content-Usage: search=n|Content-Signal: /a search=no|Sitemap: x|#|x|)",
        ], 0..14),
        end in "(\n|\r|\r\n)",
        agent in "(a|b|ab|c|A|b/1.0|Mozilla/5.0 \\(compatible; b/1; a\\)|a b/2|)",
        urls in proptest::collection::vec(
            "(https://h|h|//h)?(\\?|;|/)?[/ab*$?é\0.]{0,5}(%61|%2f|%2F|%2A|%24|%C3%A9|%2|%)?[/ab]{0,9}(index.html?|/)?(#a)?", 10),
    ) {
        let text = lines.join(&end);
        same(RobotsTxt::parse(text.as_bytes()), agent.as_bytes(), &urls);
    }
}

#[test]
fn compiled_rules_respect_the_limits() {
    let text =
        format!("User-agent: *\nDisallow: /{}\nDisallow: /b\nDisallow: /c\n", "a".repeat(90));
    for robots in 0..text.len() {
        let limits = Limits { robots, line: 80, ..Limits::DEFAULT };
        same(RobotsTxt::parse_with(text.as_bytes(), &limits), b"Bot", ["/a", "/b", "/c", "/"]);
    }
}

#[test]
fn text_in_wide_encodings_is_not_allowed_by_compiled_rules_either() {
    let wide: Vec<u8> =
        "\u{FEFF}User-agent: *\nDisallow: /a\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    same(RobotsTxt::parse(&wide), b"Bot", ["/a", "/b", "/robots.txt"]);
}

/// Rules of another document, and what was never compiled, give an answer, and not nothing of a buffer
/// no permission.
#[test]
fn foreign_rules_are_harmless() {
    let text = b"User-agent: *\nDisallow: /a/index.html\nAllow: /b/index.html\n\nUser-agent: a\nCrawl-delay: 2\n";
    let mut buffer = [CompiledRule::default(); 16];
    let rules = RobotsTxt::parse(text).compile("b", &mut buffer).unwrap().rules();
    for end in 0..text.len() {
        let other = RobotsTxt::parse(&text[..end]);
        let verdict = other.with_compiled(rules).decide("/a/index.html");
        let _ = facts(&verdict);
        assert!(!other.with_compiled(&[]).allowed("/b"));
        assert!(other.with_compiled(&rules[..0]).crawl_delay().is_none());
        for cut in 1..rules.len() {
            let _ = facts(&other.with_compiled(&rules[cut..]).decide("/b/"));
            assert!(!other.with_compiled(&rules[..cut]).allowed("/b/"));
        }
    }
}
