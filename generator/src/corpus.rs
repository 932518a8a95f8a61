//! Corpora of a crawler as WARC: HTTP responses of many sites, valid and invalid, in given
//! proportions.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::broken::{Defect, broken};
use crate::formats::Kind;
use crate::json::Layout;
use crate::rng::Rng;
use crate::{Request, document};

/// The composition of a corpus. Numbers are relative shares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mix {
    /// Formats of the requested documents.
    pub kinds: Vec<(usize, Kind)>,
    /// Responses with a valid document.
    pub whole: usize,
    /// Error pages, half with the status 404, half with 200.
    pub pages: usize,
    /// Documents with a defect: truncated, wrong types, not UTF-8, empty, binary.
    pub broken: usize,
    /// Hostile documents.
    pub hostile: usize,
    /// HTML pages at other URLs.
    pub other: usize,
}

impl Default for Mix {
    /// Per 1,000 responses: 700 valid documents, 150 error pages, 50 with defects, 10 hostile, 90
    /// pages at other URLs. A third of the documents are robots.txt.
    fn default() -> Self {
        let kinds = Kind::ALL.map(|kind| (kind.share(), kind)).to_vec();
        Self { kinds, whole: 700, pages: 150, broken: 50, hostile: 10, other: 90 }
    }
}

/// A response of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The requested URL.
    pub url: String,
    /// The HTTP status.
    pub status: u16,
    /// The Content-Type header.
    pub content_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
    /// Its share in the [`Mix`].
    pub share: &'static str,
}

/// Returns endless responses. The same mix and seed give the same responses.
pub fn corpus(mix: &Mix, seed: u64) -> impl Iterator<Item = Answer> {
    let mix = mix.clone();
    let mut rng = Rng::new(seed ^ 0xC0);
    (0_u64..).map(move |number| {
        let shares =
            [(mix.whole, 0), (mix.pages, 1), (mix.broken, 2), (mix.hostile, 3), (mix.other, 4)];
        let share = rng.weighted(&shares);
        let kind = rng.weighted(&mix.kinds);
        let size =
            rng.weighted(&[(3, 400), (5, 1000), (3, 1800), (3, 4000), (2, 9000), (1, 18_000)])
                * rng.between(75, 130)
                / 100;
        let layout = if rng.chance(80) { Layout::Pretty } else { Layout::Minified };
        let request = Request { kind, size, layout, seed: seed ^ number.wrapping_mul(0x9E37_79B9) };
        let site = format!("https://site{number}.example");
        let (body, status, share) = match share {
            0 => {
                let body = with_checkouts(document(&request));
                let body = match kind {
                    Kind::RobotsTxt => with_statements(&body, &site, request.seed),
                    _ => body,
                };
                (body, 200, "whole")
            }
            1 => {
                (broken(&request, Defect::HtmlPage), if rng.chance(50) { 404 } else { 200 }, "page")
            }
            2 => {
                let defects = [
                    Defect::Truncated,
                    Defect::WrongTypes,
                    Defect::InvalidUtf8,
                    Defect::Empty,
                    Defect::Binary,
                ];
                (broken(&request, *rng.pick(&defects)), 200, "broken")
            }
            3 => (hostile(rng.below(5), &request), 200, "hostile"),
            _ => (broken(&request, Defect::HtmlPage), 200, "other"),
        };
        let page = matches!(share, "page" | "other");
        let path = if share == "other" { "/about.html" } else { kind.path() };
        let content_type = if page { "text/html; charset=utf-8" } else { kind.media_type() };
        Answer { url: format!("{site}{path}"), status, content_type, body, share }
    })
}

/// Renames the operations that create or confirm orders and payments to `checkout`.
fn with_checkouts(document: Vec<u8>) -> Vec<u8> {
    let Ok(mut text) = String::from_utf8(document) else {
        return Vec::new();
    };
    for verb in ["create", "confirm"] {
        for thing in ["order", "payment"] {
            for joint in ["-", "_"] {
                text = text.replace(&format!("{verb}{joint}{thing}"), "checkout");
            }
        }
    }
    text.into_bytes()
}

/// The first line of the rules of a robots.txt, with AI preferences in a third of the files.
const FIRST_LINES: [(usize, &str); 6] = [
    (67, "User-agent: *\n"),
    (13, "User-agent: *\nContent-Signal: search=yes, ai-train=no\n"),
    (5, "User-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=yes\n"),
    (5, "Content-Signal: search=yes, ai-input=no, ai-train=no\n\nUser-agent: *\n"),
    (6, "User-agent: *\nContent-Usage: train-ai=n\n"),
    (4, "User-agent: *\nContent-Usage: train-ai=n, search=y\nContent-Usage: /feed/ train-ai=y\n"),
];

/// Adds AI preferences to a third of the robots.txt files, and an `Agentmap` to a tenth. What
/// [`document`] returns has neither, so that measurements of robots.txt remain comparable.
fn with_statements(document: &[u8], site: &str, seed: u64) -> Vec<u8> {
    // Random numbers of its own: the rest of the corpus does not depend on these lines.
    let mut rng = Rng::new(seed ^ 0xA1);
    let text = String::from_utf8_lossy(document);
    let mut text = text.replacen(FIRST_LINES[0].1, rng.weighted(&FIRST_LINES), 1);
    if rng.chance(10) {
        text += &format!("Agentmap: {site}{}\n", Kind::AiCatalog.path());
    }
    text.into_bytes()
}

/// Returns a document that breaks careless readers: deep nesting, an endless line, thousands of
/// equal member names, escapes, nested quotes.
fn hostile(which: usize, request: &Request) -> Vec<u8> {
    let size = request.size * 8;
    match which {
        0 => broken(&Request { size, ..*request }, Defect::DeepNesting),
        1 => format!("Spec-Version: 1.0\nSite-Name: {}\n", "a".repeat(size.max(100_000)))
            .into_bytes(),
        2 => {
            let members = vec![r#"{"id":"same","endpoint":"/same"}"#; size / 32];
            format!(
                r#"{{"specVersion":"1.0","site":{{"name":"same"}},"capabilities":[{}]}}"#,
                members.join(",")
            )
            .into_bytes()
        }
        3 => {
            format!(r#"{{"specVersion":"1.0","site":{{"name":"{}"}}}}"#, r"\ud800".repeat(size / 6))
                .into_bytes()
        }
        _ => format!("# Agents\n\n{} quoted\n", ">".repeat(size)).into_bytes(),
    }
}

/// Writes responses as WARC 1.1: a `warcinfo`, then a `request` and a `response` for each. If
/// compressed, each record is a gzip member.
///
/// # Errors
/// Errors of the output.
pub fn write_warc(
    answers: impl Iterator<Item = Answer>,
    compressed: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let about = b"software: agentsdisc-generator\r\nformat: WARC File Format 1.1\r\n";
    record(0, "warcinfo", None, "application/warc-fields", about, compressed, out)?;
    for (number, answer) in answers.enumerate() {
        let id = number as u64 * 2 + 1;
        let rest = answer.url.strip_prefix("https://").unwrap_or(&answer.url);
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let asked = format!(
            "GET /{path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: agentsdisc-generator\r\n\r\n"
        );
        record(
            id,
            "request",
            Some(&answer.url),
            "application/http; msgtype=request",
            asked.as_bytes(),
            compressed,
            out,
        )?;
        let reason = if answer.status == 200 { "OK" } else { "Not Found" };
        let head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n",
            answer.status,
            answer.content_type,
            answer.body.len()
        );
        let block = [head.as_bytes(), &answer.body].concat();
        record(
            id + 1,
            "response",
            Some(&answer.url),
            "application/http; msgtype=response",
            &block,
            compressed,
            out,
        )?;
    }
    Ok(())
}

fn record(
    number: u64,
    kind: &str,
    url: Option<&str>,
    content_type: &str,
    block: &[u8],
    compressed: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let target = url.map(|url| format!("WARC-Target-URI: {url}\r\n")).unwrap_or_default();
    let head = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012x}>\r\nWARC-Date: 2026-11-01T00:00:00Z\r\n{target}Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    let parts = [head.as_bytes(), block, b"\r\n\r\n"];
    if !compressed {
        return parts.iter().try_for_each(|part| out.write_all(part));
    }
    let mut member = GzEncoder::new(out, Compression::default());
    parts.iter().try_for_each(|part| member.write_all(part))?;
    member.finish().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corpus_has_its_shares() {
        let mut counts = std::collections::BTreeMap::new();
        for answer in corpus(&Mix::default(), 5).take(5000) {
            *counts.entry(answer.share).or_insert(0_usize) += 1;
        }
        for (share, per_thousand) in
            [("whole", 700_usize), ("page", 150), ("broken", 50), ("hostile", 10), ("other", 90)]
        {
            let found = counts.get(share).copied().unwrap_or_default();
            assert!(found.abs_diff(per_thousand * 5) < 30 + per_thousand / 2, "{share}: {found}");
        }
    }

    #[test]
    fn some_robots_files_have_preferences_and_agentmaps() {
        let mix = Mix { kinds: vec![(1, Kind::RobotsTxt)], ..Mix::default() };
        let texts: Vec<String> = corpus(&mix, 5)
            .filter(|answer| answer.share == "whole")
            .take(1000)
            .map(|answer| String::from_utf8_lossy(&answer.body).into_owned())
            .collect();
        let count = |line: &str| texts.iter().filter(|text| text.contains(line)).count();
        let preferences = count("Content-Signal: ") + count("Content-Usage: train-ai=n");
        assert!((280..380).contains(&preferences), "{preferences}");
        assert!(count("\nUser-agent: *\nContent-Usage: ") > 60);
        assert!(count("no\n\nUser-agent: *\n") > 20);
        let agentmaps = count("\nAgentmap: https://site");
        assert!((60..140).contains(&agentmaps), "{agentmaps}");
    }

    #[test]
    fn the_same_seed_gives_the_same_file() {
        let made = |seed| {
            let mut out = Vec::new();
            write_warc(corpus(&Mix::default(), seed).take(20), true, &mut out).map(|()| out).ok()
        };
        assert!(made(1).is_some());
        assert_eq!(made(1), made(1));
        assert_ne!(made(1), made(2));
    }
}
