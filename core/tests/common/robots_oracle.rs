//! A simple evaluation of robots.txt, for the property tests and the fuzz target.
#![allow(unreachable_pub, dead_code)]

use agentsdisc_core::format::robots_txt::{CompiledRule, RobotsTxt};
use agentsdisc_core::span::PositionCursor;
use agentsdisc_core::syntax::pattern::Pattern;

/// Calls all accessors on one document.
pub fn walk(text: &[u8]) -> usize {
    let robots = RobotsTxt::parse(text);
    let mut count = 0;
    let mut positions = PositionCursor::new(text);
    for group in robots.groups() {
        for agent in group.agents() {
            assert_eq!(agent.span.slice(text), agent.name.raw());
            count += usize::from(robots.allowed(agent.token(), "https://a.test/x/y%C3%A9?z"));
        }
        for rule in group.rules() {
            assert_eq!(rule.span.slice(text), rule.pattern.raw());
            assert_eq!(positions.at(rule.span.start as usize).line, rule.line);
            count += usize::from(robots.allowed("foo", rule.pattern.raw()));
        }
        count += usize::from(group.crawl_delay().is_some());
    }
    let typed = robots.preferences().map(|preference| {
        assert_eq!(preference.span.slice(text), preference.text.raw());
        let start = preference.span.start as usize;
        assert_eq!(positions.at(start).line, preference.line);
        let path = (!preference.path.is_empty()).then_some(preference.path);
        (preference.purpose, preference.preference, path)
    });
    let listed = robots.preference_list().map(|item| (item.purpose, item.preference, item.path));
    assert!(typed.eq(listed), "{}", text.escape_ascii());
    for purpose in ["train-ai", "search", "use"] {
        count += usize::from(robots.preference("foo", "/x/y", purpose).crawlable);
    }
    count += robots.agentmaps().count() + robots.other_fields().count();
    let mut buffer = [CompiledRule::default(); 64];
    if let Ok(compiled) = robots.compile("foo", &mut buffer) {
        let rules = robots.groups().flat_map(|group| group.rules()).take(8);
        for url in rules.map(|rule| rule.pattern.raw()) {
            assert_eq!(
                compiled.allowed(url),
                robots.allowed("foo", url),
                "{}",
                text.escape_ascii()
            );
        }
    }
    count += usize::from(robots.crawl_delay("foo").is_some());
    robots.findings(|finding| {
        assert!(finding.span.end as usize <= text.len() && finding.span.start <= finding.span.end);
        count += finding.to_string().len();
    });
    count + robots.sitemaps().count()
}

/// Merges and matches the groups step by step. The text is not UTF-16 or UTF-32.
pub fn naive(robots: RobotsTxt<'_>, agent: &str, path: &str) -> (bool, Option<u32>) {
    let groups: Vec<_> = robots.groups().collect();
    let named: Vec<_> = groups
        .iter()
        .filter(|group| {
            group
                .agents()
                .any(|it| !it.is_any() && it.token().eq_ignore_ascii_case(agent.as_bytes()))
        })
        .collect();
    let chosen = if named.is_empty() {
        groups.iter().filter(|group| group.agents().any(|it| it.is_any())).collect()
    } else {
        named
    };
    let mut rules: Vec<_> = chosen
        .iter()
        .flat_map(|group| group.rules())
        .filter(|rule| Pattern::new(rule.pattern.raw()).matches(path.as_bytes()))
        .collect();
    // A stable sort: the first of equal rules stays first.
    rules.sort_by_key(|rule| {
        (std::cmp::Reverse(Pattern::new(rule.pattern.raw()).specificity()), !rule.allow)
    });
    rules.first().map_or((true, None), |rule| (rule.allow, Some(rule.line)))
}
