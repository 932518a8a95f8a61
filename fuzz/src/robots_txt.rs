//! Compares decisions of robots.txt with a simple evaluation of its groups, and with two other
//! parsers as far as these follow RFC 9309.

use std::panic;

use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::syntax::pattern::Pattern;

#[path = "../../core/tests/common/robots_oracle.rs"]
mod robots_oracle;

/// Returns agents and paths to query: first those that occur in the document, then one of each that
/// does not occur.
fn queries(robots: RobotsTxt<'_>) -> (Vec<String>, Vec<String>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let agents = robots
        .groups()
        .flat_map(|group| group.agents())
        // Anything else may be an invalid agent, which is denied everything, or name several.
        .filter(|agent| {
            let is_name = |octet: &u8| octet.is_ascii_alphanumeric() || b"-_".contains(octet);
            agent.token().iter().all(is_name) && agent.token().iter().any(u8::is_ascii_alphanumeric)
        });
    let rules = robots.groups().flat_map(|group| group.rules());
    let agents = agents.take(4).map(|agent| text(agent.token())).chain(["x".into()]);
    let paths = rules
        .take(6)
        // Dot segments are resolved before a decision, which the oracle does not do.
        .map(|rule| {
            let path = text(rule.pattern.raw()).replace('*', "a/");
            path.replace(['.', 'e', 'E'], "d")
        })
        .flat_map(|path| {
            let path = path.trim_start_matches('/');
            [format!("/{path}"), format!("/{}", path.trim_end_matches('$'))]
        });
    (agents.collect(), paths.chain(["/".into(), "/x".into()]).collect())
}

/// Returns key and value of a line that both other parsers read.
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
    let key = KEYS.into_iter().find(|known| key.trim().eq_ignore_ascii_case(known))?;
    Some((key, value.split('#').next()?.trim()))
}

/// Removes what a peer reads differently from RFC 9309; `agent` and `pattern` filter the values.
fn tame(text: &str, agent: fn(&str) -> String, pattern: fn(&str) -> String) -> String {
    let line_end = if text.len() % 2 == 0 { "\n" } else { "\r\n" };
    let mut tame = format!("User-agent: b{line_end}");
    for line in text.split(['\n', '\r']) {
        match field(line) {
            Some((key, value)) if key.starts_with("user") => {
                tame += &format!("{key}: {}", agent(value))
            }
            Some((key, value)) => tame += &format!("{key}: {}", pattern(value)),
            // A comment, which is removed.
            None => tame.push('#'),
        }
        tame += line_end;
    }
    tame
}

/// Differences of `robotstxt` 0.3, a port of the widely used open parser:
/// - Fields other than agents and rules end the list of agents (its model no longer does that).
/// - Its matcher loses positions after a `*` and matches too little; `*` is kept only at the end.
/// - It encodes patterns but not paths, and decodes nothing; percent signs and non-ASCII characters
/// are removed.
/// - `/robots.txt` is not exempt.
/// - A name has only letters, `-` and `_`.
fn for_robotstxt(text: &str) -> String {
    let agent = |value: &str| {
        value.chars().filter(|char| char.is_ascii_alphabetic() || "-_*/ ".contains(*char)).collect()
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

/// Differences of `texting_robots` 0.2:
/// - An agent is the whole value, not its name.
/// - An index page does not also allow its directory, and dot segments are removed from paths; dots
/// are removed.
/// - An empty `Disallow` counts as `Allow: /`.
/// - `$` is also the end in the middle of a pattern; it is kept only at the end.
/// - Paths are the result of `url`; only characters that it does not change are kept.
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
        format!("/{}{}", plain.trim_start_matches('/'), if value.ends_with('$') { "$" } else { "" })
    };
    tame(text, agent, pattern)
}

/// Returns the decision of a peer; `None` if it panics.
fn peer(decide: impl FnOnce() -> Option<bool> + panic::UnwindSafe) -> Option<bool> {
    // The fuzzer's hook would end the process.
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
                assert_eq!(robots.allowed(agent, &url), expected, "{agent} {url} {text:?}");
            }
        }
    }
}

/// Checks that decisions for any bytes equal those of the groups.
fn groups(bytes: &[u8]) {
    let robots = RobotsTxt::parse(bytes);
    let (agents, paths) = queries(robots);
    for path in &paths {
        // Index pages and the file itself are special cases outside the groups.
        let path = path.split('#').next().unwrap_or_default();
        let index = robots.groups().flat_map(|group| group.rules()).any(|rule| {
            let pattern = rule.pattern.raw();
            rule.allow
                && pattern.windows(9).any(|part| part == b"index.htm")
                && !Pattern::new(pattern).matches(path.as_bytes())
        });
        // UTF-16 and UTF-32 have no groups, but restrictions.
        let is_read = !bytes.contains(&0) && path != "/robots.txt";
        for agent in agents.iter().filter(|_| !index && is_read) {
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

/// Reads one input.
pub fn run(bytes: &[u8]) {
    robots_oracle::walk(bytes);
    groups(bytes);
    let text = String::from_utf8_lossy(bytes);
    compare(&for_robotstxt(&text), |text, agent, url| {
        Some(robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(text, agent, url))
    });
    compare(&for_texting_robots(&text), |text, agent, url| {
        Some(texting_robots::Robot::new(agent, text.as_bytes()).ok()?.allowed(url))
    });
}
