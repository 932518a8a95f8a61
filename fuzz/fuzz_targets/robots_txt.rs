//! robots.txt: decisions are those of its groups, step by step, and those of two other parsers where these read what RFC 9309 says.
#![no_main]

use std::panic;

use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::syntax::pattern::Pattern;
use libfuzzer_sys::fuzz_target;

#[path = "../../core/tests/common/robots_oracle.rs"]
mod robots_oracle;

/// Queries that are about the document: of its agents and patterns the first ones, and one of each that is not there.
fn queries(robots: RobotsTxt<'_>) -> (Vec<String>, Vec<String>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let agents = robots
        .groups()
        .flat_map(|group| group.agents())
        .filter(|agent| !agent.token().is_empty());
    let rules = robots.groups().flat_map(|group| group.rules());
    let agents = agents
        .take(4)
        .map(|agent| text(agent.token()))
        .chain(["x".into()]);
    let paths = rules
        .take(6)
        .map(|rule| text(rule.pattern.raw()).replace('*', "a/"))
        .flat_map(|path| {
            let path = path.trim_start_matches('/');
            [
                format!("/{path}"),
                format!("/{}", path.trim_end_matches('$')),
            ]
        });
    (
        agents.collect(),
        paths.chain(["/".into(), "/x".into()]).collect(),
    )
}

/// What is known of a line that both other parsers read: a key of ours, and a value.
fn field(line: &str) -> Option<(&str, &str)> {
    const KEYS: [&str; 10] = [
        "user-agent",
        "user agent",
        "useragent",
        "allow",
        "disallow",
        "dissallow",
        "dissalow",
        "disalow",
        "diasllow",
        "disallaw",
    ];
    let (key, value) = line.split_once(':')?;
    let key = KEYS
        .into_iter()
        .find(|known| key.trim().eq_ignore_ascii_case(known))?;
    Some((key, value.split('#').next()?.trim()))
}

/// The text without what a peer reads in another way than RFC 9309: `agent` and `pattern` say what is left of values.
fn tame(text: &str, agent: fn(&str) -> String, pattern: fn(&str) -> String) -> String {
    let line_end = if text.len() % 2 == 0 { "\n" } else { "\r\n" };
    let mut tame = format!("User-agent: b{line_end}");
    for line in text.split(['\n', '\r']) {
        match field(line) {
            Some((key, value)) if key.starts_with("user") => {
                tame += &format!("{key}: {}", agent(value))
            }
            Some((key, value)) => tame += &format!("{key}: {}", pattern(value)),
            // A comment, of which nothing is left.
            None => tame.push('#'),
        }
        tame += line_end;
    }
    tame
}

/// `robotstxt` 0.3, a port of the widely used open parser, differs in this:
/// - Fields that are neither agent nor rule end the list of agents there (its model stopped doing that).
/// - Its matcher loses positions after a `*`, so that it matches too little: stars only at the end here.
/// - It encodes patterns but not paths, and decodes nothing: no percent signs and only ASCII here.
/// - `/robots.txt` is not exempt there.
fn for_robotstxt(text: &str) -> String {
    let agent = |value: &str| {
        value
            .chars()
            .filter(|char| matches!(char, ' '..='~'))
            .collect()
    };
    let pattern = |value: &str| {
        let plain: String = value
            .chars()
            .filter(|char| matches!(char, '!'..='~') && !matches!(char, '*' | '%'))
            .collect();
        match value {
            _ if value.ends_with("*$") => format!("{}*$", plain.trim_end_matches('$')),
            _ if value.ends_with('*') => plain + "*",
            _ => plain,
        }
    };
    tame(text, agent, pattern)
}

/// `texting_robots` 0.2 differs in this:
/// - An agent is what a line says as a whole, not its product token.
/// - An index page does not stand for its directory there, and dot segments are removed from paths: no dots here.
/// - An empty `Disallow` reads as `Allow: /` there, and counts.
/// - `$` counts as the end also in the middle there: only at the end here.
/// - Paths are what `url` makes of them: only what it leaves alone here.
fn for_texting_robots(text: &str) -> String {
    let agent = |value: &str| match value {
        _ if value.starts_with('*') => "*".into(),
        _ => value
            .chars()
            .filter(|char| char.is_ascii_alphabetic() || matches!(char, '-' | '_'))
            .collect(),
    };
    let pattern = |value: &str| {
        let plain: String = value
            .chars()
            .filter(|char| {
                char.is_ascii_alphanumeric() || matches!(char, '/' | '*' | '?' | '=' | '-')
            })
            .collect();
        format!(
            "/{}{}",
            plain.trim_start_matches('/'),
            if value.ends_with('$') { "$" } else { "" }
        )
    };
    tame(text, agent, pattern)
}

/// What a peer says; nothing where it panics, which is no concern of ours.
fn peer(decide: impl FnOnce() -> Option<bool> + panic::UnwindSafe) -> Option<bool> {
    // The hook of the fuzzer ends the process.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let decision = panic::catch_unwind(decide);
    panic::set_hook(hook);
    decision.ok().flatten()
}

fn compare(text: &str, decide: fn(&str, &str, &str) -> Option<bool>) {
    let robots = RobotsTxt::parse(text.as_bytes());
    let (agents, paths) = queries(robots);
    for agent in &agents {
        for path in paths.iter().filter(|path| *path != "/robots.txt") {
            let url = format!("https://a.test{path}");
            if let Some(expected) = peer(|| decide(text, agent, &url)) {
                assert_eq!(
                    robots.allowed(agent, &url),
                    expected,
                    "{agent} {url} {text:?}"
                );
            }
        }
    }
}

/// Decisions over any bytes are those of the groups.
fn groups(bytes: &[u8]) {
    let robots = RobotsTxt::parse(bytes);
    let (agents, paths) = queries(robots);
    for path in &paths {
        // An index page also stands for its directory, and the file itself is exempt: neither is a matter of groups.
        let path = path.split('#').next().unwrap_or_default();
        let index = robots.groups().flat_map(|group| group.rules()).any(|rule| {
            let pattern = rule.pattern.raw();
            rule.allow
                && pattern.windows(9).any(|part| part == b"index.htm")
                && !Pattern::new(pattern).matches(path.as_bytes())
        });
        for agent in agents.iter().filter(|_| !index && path != "/robots.txt") {
            let verdict = robots.decide(agent, format!("https://a.test{path}"));
            let line = verdict.rule.map(|rule| rule.line);
            assert_eq!(
                (verdict.allowed, line),
                robots_oracle::naive(robots, agent, path),
                "{agent} {path}"
            );
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    robots_oracle::walk(bytes);
    groups(bytes);
    let text = String::from_utf8_lossy(bytes);
    compare(&for_robotstxt(&text), |text, agent, url| {
        Some(robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(text, agent, url))
    });
    compare(&for_texting_robots(&text), |text, agent, url| {
        Some(
            texting_robots::Robot::new(agent, text.as_bytes())
                .ok()?
                .allowed(url),
        )
    });
});
