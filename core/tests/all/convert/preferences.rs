//! A robots.txt whose preferences are written in both fields: `Content-Signal` and `Content-Usage`.

use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::{ConvertError, Document, Format, Limits};
use proptest::prelude::*;

use super::{DRAFT, FLAT, UNRULED, convert, parse};

/// Converts a robots.txt; returns the result, and the lost preferences with their reasons.
fn both(source: &[u8]) -> (Vec<u8>, Vec<(String, &'static str)>) {
    let document = Document::parse_as(source, Format::RobotsTxt, &Limits::DEFAULT).unwrap();
    let converted = convert(&document, Format::RobotsTxt);
    let losses = converted.losses.iter();
    let losses = losses.map(|(path, (reason, _))| (path.clone(), *reason));
    (converted.result.clone().unwrap(), losses.collect())
}

fn becomes(source: &str, expected: &str, lost: &[usize]) {
    let (result, losses) = both(source.as_bytes());
    assert_eq!(String::from_utf8_lossy(&result), expected, "\n{source}\n{losses:?}");
    let path = |index| format!("robots.preferences[{index}]");
    let mut named: Vec<_> = lost.iter().map(|at| (path(*at), "one-field")).collect();
    if source != expected {
        named.insert(0, ("robots.preferences".to_owned(), "changed"));
    }
    assert_eq!(losses, named, "{source}");
    let (again, _) = both(&result);
    assert_eq!(again, result, "a second conversion changes nothing");
}

#[test]
fn a_missing_field_is_added_behind_the_last_line_of_its_group() {
    becomes(
        "# policy\nUser-agent: *\nContent-Signal: search=yes, ai-train=no # here\nAllow: /\n\n# next\nUser-agent: a\nContent-Usage: train-ai=y\nDisallow: /x\nSitemap: https://a.example/s.xml\n",
        "# policy\nUser-agent: *\nContent-Signal: search=yes, ai-train=no # here\nAllow: /\nContent-Usage: train-ai=n, search=y\n\n# next\nUser-agent: a\nContent-Usage: train-ai=y\nDisallow: /x\nContent-Signal: ai-train=yes\nSitemap: https://a.example/s.xml\n",
        &[],
    );
    // Only the purposes that the other field lacks; the stricter value of several lines.
    becomes(
        "User-agent: *\nContent-Signal: search=yes, ai-input=yes\nContent-Signal: ai-input=no\nContent-Usage: search=y, train-ai=n\n",
        "User-agent: *\nContent-Signal: search=yes, ai-input=yes\nContent-Signal: ai-input=no\nContent-Usage: search=y, train-ai=n\nContent-Signal: ai-train=no\nContent-Usage: ai-input=n\n",
        &[],
    );
    for source in ["", "# a\n", "User-agent: *\nDisallow: /\n"] {
        becomes(source, source, &[]);
    }
}

#[test]
fn an_added_line_does_not_end_a_list_of_agents() {
    becomes(
        "User-agent: a\nContent-Signal: search=no\nUser-agent: b\nDisallow: /x\nUser-agent: c\nContent-Signal: search=yes",
        "User-agent: a\nContent-Signal: search=no\nUser-agent: b\nDisallow: /x\nContent-Usage: search=n\nUser-agent: c\nContent-Signal: search=yes\nContent-Usage: search=y\n",
        &[],
    );
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    becomes(
        "\u{feff}User-agent: a\r\nContent-Signal: search=no\r\nDisallow: /x\r\n\r\nUser-agent: b\r\nContent-Usage: search=n",
        "\u{feff}User-agent: a\r\nContent-Signal: search=no\r\nDisallow: /x\r\nContent-Usage: search=n\r\n\r\nUser-agent: b\r\nContent-Usage: search=n\r\nContent-Signal: search=no\r\n",
        &[],
    );
}

#[test]
fn signals_before_the_first_group_hold_for_every_group() {
    becomes(
        "Content-Signal: search=no\nUser-agent: a\nDisallow: /x\n\nUser-agent: b\nContent-Signal: search=yes\nAllow: /\n",
        "Content-Signal: search=no\nUser-agent: a\nDisallow: /x\nContent-Usage: search=n\n\nUser-agent: b\nContent-Signal: search=yes\nAllow: /\nContent-Usage: search=n\n\nUser-agent: *\nContent-Usage: search=n\n",
        &[],
    );
    becomes(
        "Content-Signal: search=no\nUser-agent: *\nContent-Usage: search=y",
        "Content-Signal: search=no\nUser-agent: *\nContent-Usage: search=y",
        &[1],
    );
    becomes(
        "Content-Signal: search=no",
        "Content-Signal: search=no\nUser-agent: *\nContent-Usage: search=n\n",
        &[],
    );
    becomes(
        "Content-Signal: search=no\nUser-agent: *\nContent-Usage: search=n\n",
        "Content-Signal: search=no\nUser-agent: *\nContent-Usage: search=n\n",
        &[],
    );
}

#[test]
fn what_one_field_cannot_say_is_reported() {
    // Paths, labels without a meaning here, values that state nothing, contradictions.
    for (source, lost) in [
        ("Content-Usage: /a train-ai=n\n", &[0_usize][..]),
        ("Content-Usage: train-ai=n\nContent-Usage: /a train-ai=y\n", &[0, 1]),
        ("Content-Usage: /a\nContent-Usage: search=n\n", &[0]),
        ("Content-Usage: robots=n, search=?1\n", &[0, 1]),
        ("Content-Signal: use=reference, search=maybe\n", &[0, 1]),
        ("Content-Signal: search=yes\nContent-Usage: search=n\n", &[0, 1]),
        ("Content-Signal: /a search=yes\nContent-Signal: search=no\n", &[0, 1]),
    ] {
        let source = format!("User-agent: *\n{source}");
        becomes(&source, &source, lost);
    }
}

#[test]
fn a_path_concerns_the_groups_of_the_same_agents() {
    let paths = "User-agent: Foo/1.0\nContent-Usage: /a train-ai=y\n\nUser-agent: Bar\nContent-Usage: train-ai=n\n";
    becomes(
        &format!("{paths}\nUser-agent: FOO\nContent-Usage: train-ai=n\n"),
        &format!(
            "{paths}Content-Signal: ai-train=no\n\nUser-agent: FOO\nContent-Usage: train-ai=n\n"
        ),
        &[0, 2],
    );
}

#[test]
fn a_robots_txt_near_the_size_limit_stays() {
    // What is behind the limit is not read, so an added line would hide the last rules.
    let mut source = "User-agent: *\nContent-Signal: search=no\n".to_owned();
    for limit in [511_990, 512_100] {
        source += &"#\n".repeat((limit - source.len()) / 2);
        becomes(&source, &source, &[0]);
    }
}

#[test]
fn other_formats_report_each_preference() {
    let source = "Content-Signal: search=no\nUser-agent: *\nContent-Usage: /a train-ai=n, b=y\nContent-Signal: ai-input=yes\nDisallow: /x\n";
    let document = parse(source.as_bytes(), Format::RobotsTxt);
    for target in Format::ALL.iter().copied() {
        let converted = convert(&document, target);
        match target {
            Format::RobotsTxt => {}
            target if DRAFT.contains(&target) => {
                for index in 0..4 {
                    let path = format!("robots.preferences[{index}]");
                    assert_eq!(converted.reason(&path), "no-place", "{target}");
                }
            }
            target => assert_eq!(converted.result, Err(ConvertError::Unsupported), "{target}"),
        }
    }
    for source in Format::ALL {
        assert!(!Format::RobotsTxt.is_made_of(*source) || *source == Format::RobotsTxt);
    }
    assert!(FLAT.iter().chain(&UNRULED).all(|target| !target.is_made_of(Format::RobotsTxt)));
}

const AGENTS: [&str; 5] = ["*", "Foo", "foo/2", "Bar", ""];
const PATHS: [&str; 6] = ["/", "/a", "/a/b", "/a*", "/b$", ""];
const URLS: [&str; 5] = ["/", "/a", "/a/b/c", "/b", "https://e.example/a?b"];
const PURPOSES: [&str; 5] = ["train-ai", "ai-train", "search", "ai-input", "other"];

fn line() -> impl Strategy<Value = String> {
    let label = || prop::sample::select(&PURPOSES[..]);
    let path = || prop::sample::select(&PATHS[..]);
    let value = prop::sample::select(vec!["y", "n", "yes", "no", "?1", "N"]);
    let part = (label(), value).prop_map(|(label, value)| format!("{label}={value}"));
    let parts = prop::collection::vec(part, 1..4);
    let field = prop::sample::select(vec![
        "Content-Usage",
        "content-usage",
        "Content-Signal",
        "Content-Signal",
    ]);
    let before = prop_oneof![6 => Just(""), 1 => path()];
    let separator = prop::sample::select(vec![", ", ",", ";"]);
    prop_oneof![
        4 => (prop::sample::select(vec!["User-agent", "user agent"]), prop::sample::select(&AGENTS[..]))
            .prop_map(|(key, agent)| format!("{key}: {agent}")),
        2 => (prop::sample::select(vec!["Allow", "Disallow", "disalow"]), path())
            .prop_map(|(key, path)| format!("{key}: {path} # x")),
        5 => (field, before, parts, separator)
            .prop_map(|(field, path, parts, separator)| format!("{field}: {path} {}", parts.join(separator))),
        2 => prop::sample::select(vec!["", "# c", "Crawl-delay: 2", "Sitemap: /s", "Host: x", "Disallow", "User-agent: * x"])
            .prop_map(str::to_owned),
    ]
}

fn document() -> impl Strategy<Value = String> {
    let ends = prop::sample::select(vec!["\n", "\n", "\r\n", "\r"]);
    let lines = prop::collection::vec(line(), 0..16);
    (ends, lines, any::<bool>()).prop_map(|(end, lines, is_open)| {
        let text = lines.join(end);
        text + if is_open { "" } else { end }
    })
}

proptest! {
    #![proptest_config(crate::common::cases(4000))]

    #[test]
    fn every_answer_stays(text in document()) {
        let (result, losses) = both(text.as_bytes());
        let (before, after) = (RobotsTxt::parse(text.as_bytes()), RobotsTxt::parse(&result));
        let shown = String::from_utf8_lossy(&result);
        for agent in AGENTS.into_iter().chain(["Other"]) {
            for url in URLS {
                prop_assert_eq!(before.allowed(agent, url), after.allowed(agent, url), "{} {}\n{}\n\n{}", agent, url, text, shown);
                for purpose in PURPOSES {
                    let (was, is) = (before.preference(agent, url, purpose), after.preference(agent, url, purpose));
                    prop_assert_eq!(was.stance, is.stance, "{} {} {}\n{}\n\n{}", agent, url, purpose, text, shown);
                }
            }
            let delay = |robots: RobotsTxt<'_>| robots.crawl_delay(agent).map(|delay| delay.milliseconds());
            prop_assert_eq!(delay(before), delay(after));
        }
        // The bytes stay, in their order.
        let mut rest = result.iter();
        prop_assert!(text.bytes().all(|byte| rest.any(|other| *other == byte)));
        let (again, more) = both(&result);
        prop_assert_eq!(&again, &result, "a second conversion changes nothing\n{}", text);
        prop_assert!(more.iter().all(|(path, _)| path != "robots.preferences"));
        // Where nothing is lost, a reader of one field reads what a reader of both does.
        if losses.iter().all(|(_, reason)| *reason == "changed") {
            let usage = only(&shown, "content-signal");
            let signals = only(&shown, "content-usage");
            for agent in AGENTS.into_iter().chain(["Other"]) {
                for purpose in PURPOSES {
                    let whole = after.preference(agent, "/a", purpose).stance;
                    for one in [&usage, &signals] {
                        let read = RobotsTxt::parse(one.as_bytes()).preference(agent, "/a", purpose).stance;
                        prop_assert_eq!(read, whole, "{} {}\n{}\n\n{}", agent, purpose, text, one);
                    }
                }
            }
        }
    }
}

/// The document as a reader sees it that does not know a field. Removed lines stay as empty lines;
/// a removed `Content-Usage` becomes an `Allow` without a path, because it ends the list of agents
/// like a rule.
fn only(text: &str, removed: &str) -> String {
    let lines = text.split_inclusive(['\n', '\r']);
    let kept = lines.map(|line| match line.to_ascii_lowercase().starts_with(removed) {
        true if removed == "content-usage" => "Allow:\n".to_owned(),
        true => "\n".to_owned(),
        false => line.to_owned(),
    });
    kept.collect()
}
