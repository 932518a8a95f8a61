//! The expectations of another test suite, if the environment variable `AGENTSDISC_ROBOTS_SUITE`
//! names a folder with the textproto files of `google/robotstxt-spec-test`.
use std::fs;
use std::path::{Path, PathBuf};

use agentsdisc_core::format::robots_txt::RobotsTxt;

/// The expectations that this library does not share: the agent, the end of the URL, and the ruling of `docs/formats/robots-txt.md`.
const DEVIATIONS: [(&str, &str, &str); 10] = [
    ("FooBot", "/foo/bar/\\xe3\\x83\\x84", ENCODING),
    ("FooBot", "/foo/bar/baz", ENCODING),
    ("asdfbot", "/robots.txt", "the robots.txt is always allowed"),
    ("BarBot", "/robots.txt", "the robots.txt is always allowed"),
    ("AB", "/robots.txt", "the robots.txt is always allowed"),
    ("XYZ", "/robots.txt", "the robots.txt is always allowed"),
    ("Foo Bar", "/x/y", NAMES),
    ("AB42bot", "/foo/bar", NAMES),
    ("AB42bot", "http://example.com/", NAMES),
    ("AB", "http://example.com/", NAMES),
];
const ENCODING: &str = "percent-encoding is normalised in patterns and URLs";
const NAMES: &str = "whole names are compared, with their digits";

/// One expectation of a file.
#[derive(Clone, Default, Debug)]
struct Expectation {
    agent: Vec<u8>,
    url: Vec<u8>,
    allowed: Option<bool>,
}

/// Returns the documents of a file, each with its expectations.
fn documents(text: &[u8]) -> Vec<(Vec<u8>, Vec<Expectation>)> {
    let mut found: Vec<(Vec<u8>, Vec<Expectation>)> = Vec::new();
    let (mut field, mut current) = (String::new(), Expectation::default());
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        rest = tail;
        match first {
            b'#' => {
                let end = rest.iter().position(|byte| *byte == b'\n');
                rest = &rest[end.unwrap_or(rest.len())..];
            }
            b'"' => {
                let value = match field.as_str() {
                    "robotstxt" => &mut found.last_mut().unwrap().0,
                    "testurl" => &mut current.url,
                    "useragent" => &mut current.agent,
                    _ => &mut Vec::new(),
                };
                rest = string(rest, value);
            }
            b'}' => {
                if current.allowed.is_some() {
                    found.last_mut().unwrap().1.push(current);
                }
                current = Expectation::default();
            }
            byte if byte.is_ascii_alphabetic() => {
                let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                let end = rest.iter().position(|byte| !is_name(byte)).unwrap();
                let word = format!("{}{}", *byte as char, String::from_utf8_lossy(&rest[..end]));
                rest = &rest[end..];
                match word.as_str() {
                    "ALLOWED" => current.allowed = Some(true),
                    "DISALLOWED" => current.allowed = Some(false),
                    "robotstxt" => found.push(Default::default()),
                    _ => {}
                }
                field = word;
            }
            _ => {}
        }
    }
    found
}

/// Appends a string without its quotes to `value`, and returns the text after it.
fn string<'a>(mut rest: &'a [u8], value: &mut Vec<u8>) -> &'a [u8] {
    loop {
        rest = match rest {
            [b'"', tail @ ..] => return tail,
            [b'\\', b'x', high, low, tail @ ..] => {
                let digit = |byte: &u8| (*byte as char).to_digit(16).unwrap() as u8;
                value.push(digit(high) << 4 | digit(low));
                tail
            }
            [b'\\', escaped, tail @ ..] => {
                value.push(match escaped {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'"' | b'\\' | b'\'' => *escaped,
                    other => panic!("the escape {}", *other as char),
                });
                tail
            }
            [byte, tail @ ..] => {
                value.push(*byte);
                tail
            }
            [] => panic!("a string does not end"),
        };
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "textproto") {
            found.push(path);
        }
    }
}

#[test]
fn expectations_of_other_readers_hold() {
    let Some(folder) = std::env::var_os("AGENTSDISC_ROBOTS_SUITE") else {
        eprintln!("skipped: AGENTSDISC_ROBOTS_SUITE names no folder of expectations");
        return;
    };
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    paths.sort();
    let (mut count, mut different) = (0, Vec::new());
    for path in paths {
        for (document, expectations) in documents(&fs::read(&path).unwrap()) {
            let robots = RobotsTxt::parse(&document);
            for Expectation { agent, url, allowed } in expectations {
                count += 1;
                if Some(robots.allowed(&agent, &url)) != allowed {
                    let (agent, url) = (agent.escape_ascii(), url.escape_ascii());
                    different.push((
                        agent.to_string(),
                        url.to_string(),
                        document.escape_ascii().to_string(),
                    ));
                }
            }
        }
    }
    assert!(count > 0, "no expectations");
    println!("{count} expectations; {} differ", different.len());
    different.retain(|(agent, url, _)| {
        let known = DEVIATIONS.iter().find(|known| known.0 == agent && url.ends_with(known.1));
        if let Some((_, _, ruling)) = known {
            println!("{agent} {url}: {ruling}");
        }
        known.is_none()
    });
    assert!(different.is_empty(), "{different:#?}");
}
