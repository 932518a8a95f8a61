//! A document in lines whose format is guessed, and whose votes are counted while it is read, is read as one whose votes were counted before.
//!
//! With every format built in: without agents.md, parsing looks at less of the Markdown than detection does, with which it is compared.
#![cfg(feature = "full")]
use crate::common::heard;
use crate::common::vectors;

use std::fs;

use agentsdisc_core::{Document, Error, Format, Hints, Limits, Outline, ParseOptions, detect};
use heard::Heard;
use proptest::prelude::*;

fn heard(document: Document<'_>) -> (Outline, Heard) {
    let mut heard = Heard::default();
    document.manifest().visit(&mut heard);
    (*document.outline(), heard)
}

/// The plain way: the format first, and then a document of this format.
fn plainly<'a>(bytes: &'a [u8], options: &ParseOptions<'_>) -> Result<Document<'a>, Error> {
    let format = detect(bytes, options.hints).format;
    let document = Document::parse_with(
        bytes,
        &ParseOptions {
            format: Some(format),
            ..*options
        },
    );
    // One that is not read cannot be asked for: then it is detected after all, and no guess can say that it is read.
    assert!(
        format.is_read() || document.is_err(),
        "{format}: {}",
        String::from_utf8_lossy(bytes)
    );
    document
}

fn compare(bytes: &[u8], options: &ParseOptions<'_>) {
    let plain = plainly(bytes, options).map(heard);
    let parsed = Document::parse_with(bytes, options).map(heard);
    let mut told = Heard::default();
    let read =
        Document::read(bytes, options, &mut told).map(|document| (*document.outline(), told));
    assert_eq!(parsed, plain, "{}", String::from_utf8_lossy(bytes));
    assert_eq!(read, plain, "{}", String::from_utf8_lossy(bytes));
}

#[test]
fn every_vector_is_read_as_what_it_is_detected_as() {
    for path in vectors::inputs() {
        let bytes = fs::read(&path).unwrap();
        for url in [
            None,
            Some("/agents.txt"),
            Some("/agents.md"),
            Some("/llms.txt"),
        ] {
            // Of JSON that is broken, detection knows nothing that parsing says of it.
            if bytes.trim_ascii_start().first() != Some(&b'{') {
                compare(
                    &bytes,
                    &ParseOptions {
                        hints: Hints {
                            url,
                            content_type: None,
                        },
                        ..ParseOptions::default()
                    },
                );
            }
        }
    }
}

#[test]
fn what_only_looks_like_a_key_does_not_vote() {
    let format = |text: &str| detect(text.as_bytes(), Hints::default()).format;
    assert_eq!(format("user agent: *\nDisallow: /x\n"), Format::RobotsTxt);
    // The index of names takes NUL for a blank.
    assert_eq!(format("user\0agent: *\nDisallow: /x\n"), Format::Unknown);
}

/// Lines that vote, that speak against others, and that only look so.
const LINES: &[&str] = &[
    "Spec-Version: 1.0",
    "Site-Name: A",
    "SITE-URL : https://a.example",
    "Site-URL:",
    "Declaration-Type: agent",
    "Operates-On: https://b.example",
    "Capability: x",
    "  Endpoint: https://a.example/x",
    "  Param: q (query, string) - Words",
    "  Param",
    "\tParam: n (body, int)",
    "  Prose that begins with a letter",
    "    Prose further in",
    "  url: x",
    "  Method:",
    "  Odd: x",
    "Odd:",
    "Rate-Limit: 5/minute",
    "Agent: *",
    "  Capabilities: x, y",
    "Site: A",
    "Name: A",
    "URL: https://a.example",
    "Allow: search",
    "Allow: /x",
    "Allow:",
    "  Allow: buy",
    "Capabilities: a,, b",
    "Flow: a \u{2192} b, c",
    "Flow-Description: d",
    "Session-TTL: 60s",
    "Session-TTL: long",
    "Audit: true",
    "Contact:",
    "Contact: a@a.example",
    "Can:",
    "Can",
    "User-agent: *",
    "Disallow: /y",
    "disallow:",
    " Disallow: /z",
    "Crawl-delay: 1",
    "Sitemap: https://a.example/s.xml",
    "[Agent: *]",
    "[Agent]",
    "```",
    "``` yaml: x",
    "~~~",
    "# A",
    "# Spec-Version: 1.0",
    "## Can",
    "## Cannot",
    "## MCP",
    "## Can ##",
    "##Can",
    "- item",
    "- item: x",
    "- [link](x)",
    "- [link]: x",
    "---",
    "===",
    "",
    "   ",
    "prose",
    ": x",
];

fn options() -> impl Strategy<Value = (Option<&'static str>, usize)> {
    let urls = vec![
        None,
        None,
        None,
        Some("/agents.txt"),
        Some("https://a.example/robots.txt"),
        Some("/agents.md"),
        Some("/llms.txt"),
    ];
    (
        prop::sample::select(urls),
        prop::sample::select(vec![64 << 10, 64 << 10, 64 << 10, 20]),
    )
}

/// A document that begins as one of a guessed format does, and goes on in any way; some have so many lines that not all of them vote.
fn documents() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec![
        "Spec-Version: 1.0",
        "Site-Name: A",
        "Site-Name: A",
        "Site: A",
        "URL: https://a.example",
        "# A",
        "",
        "---",
    ]);
    let lines = |count| prop::collection::vec(prop::sample::select(LINES), 0..count);
    let many = prop_oneof![3 => Just(0..1_usize), 1 => Just(55..66), 1 => Just(500..515)]
        .prop_flat_map(|count| count);
    let end = prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "\r"]);
    (
        any::<bool>(),
        start,
        lines(8),
        prop::sample::select(LINES),
        many,
        lines(6),
        end,
    )
        .prop_map(|(mark, start, lines, line, count, last, end)| {
            let lines = std::iter::once(start)
                .chain(lines)
                .chain(std::iter::repeat_n(line, count))
                .chain(last);
            let text: String = lines.flat_map(|line| [line, end]).collect();
            if mark {
                format!("\u{feff}{text}")
            } else {
                text
            }
        })
}

proptest! {
    #![proptest_config(crate::common::cases(4000))]

    #[test]
    fn whatever_the_lines_are((url, line) in options(), text in documents()) {
        let limits = Limits { line, ..Limits::DEFAULT };
        compare(text.as_bytes(), &ParseOptions { hints: Hints { url, content_type: None }, limits, ..ParseOptions::default() });
    }
}

#[test]
fn a_wrong_guess_costs_no_more_than_time() {
    for text in [
        &b"Site-URL: https://a.example\nSite-Name: A\nCapability: x\nUser-agent: *\nDisallow: /\nDisallow: /a\nDisallow: /b\nDisallow: /c\n"[..],
        b"Site: A\nURL: https://a.example\n## Can\n- a\n## Cannot\n- b\n",
        b"Site: A\nURL: https://a.example\nAllow: x\nAllow: \xff\n",
    ] {
        compare(text, &ParseOptions::default());
    }
}

#[test]
fn the_last_line_that_votes_is_the_same() {
    for line in [
        "  Param: n (body, int)",
        "  Endpoint: x",
        "  Method: GET",
        "  prose",
        "prose",
        "Odd: x",
        "Allow: /",
        "",
        "# A",
        "- a: b",
    ] {
        for count in (55..70).chain(500..520) {
            let text = ["Site-Name: A", "Capability: x"]
                .into_iter()
                .chain(std::iter::repeat_n(line, count))
                .chain(["Site-URL: x"]);
            compare(
                text.collect::<Vec<_>>().join("\n").as_bytes(),
                &ParseOptions::default(),
            );
        }
    }
}
