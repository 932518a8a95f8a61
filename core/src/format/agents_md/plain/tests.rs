//! What is read without the machines, beside what they read.

extern crate std;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::super::AgentsMd;
use super::super::read::BOM;
use super::*;
use crate::document::Hints;
use crate::format::Format;
use crate::manifest::Reading;
use proptest::prelude::*;

fn said(document: &AgentsMd<'_>) -> String {
    let of = document as &dyn Reading<'_>;
    let (service, endpoints, rates) = (of.service(), of.endpoints(), of.rate_limits());
    format!(
        "{:?} {service:?} {endpoints:?} {:?} {rates:?} {:?} {:?}",
        of.head(),
        of.permissions(),
        of.cache_seconds(),
        of.metadata()
    )
}

/// Whether the document is plain, and whether it is taken for an agents.md without a look by detection.
fn compare(bytes: &[u8], limits: &Limits) -> (bool, bool) {
    assert!(reads(bytes, limits) || limits.depth < 2);
    let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let shown = String::from_utf8_lossy(bytes);
    let body = Span::new(start as u32, bytes.len() as u32);
    let mut machine = empty_outline(limits);
    let machine = machine
        .read_by_machine(bytes, start, limits)
        .map(|()| machine);
    let found = if reads(bytes, limits) {
        outline(bytes, start, limits)
    } else {
        machine
    };
    assert_eq!(
        found.map(|outline| AgentsMdOutline {
            plain: None,
            ..outline
        }),
        machine,
        "{shown}"
    );
    let guess = guessed(bytes, start, limits);
    if let Some(outline) = guess {
        assert_eq!(Ok(outline), found, "{shown}");
        for url in [
            None,
            Some("/agents.txt"),
            Some("/robots.txt"),
            Some("/llms.txt"),
        ] {
            let detection = detect::text_format(
                &bytes[start..],
                &Hints {
                    url,
                    content_type: None,
                },
                detect::FOR_PARSING,
            );
            assert_eq!(detection.format, Format::AgentsMd, "{shown}");
        }
    }
    let Ok(outline) = found else {
        return (false, guess.is_some());
    };
    assert_eq!(
        AgentsMdOutline::unpack(&outline.pack(body)),
        outline,
        "{shown}"
    );
    let by_machine = AgentsMdOutline {
        plain: None,
        ..outline
    }
    .attach(bytes);
    assert_eq!(said(&outline.attach(bytes)), said(&by_machine), "{shown}");
    (outline.plain.is_some(), guess.is_some())
}

const FRONT: &[&str] = &[
    "version: 1.0",
    "version: 'a'",
    "version: null",
    "mcp:",
    "MCP:",
    "mcp: x",
    "mcp: ~",
    "mcp: null",
    "  endpoint: https://a.example/mcp",
    "  endpoint: https://a.example/mcp # here",
    "  auth: none",
    "  Auth: true",
    "  auth: a: b",
    "  transport: sse  ",
    "   other: x",
    "\tauth: x",
    "  deep:",
    "    x: y",
    "url: https://a.example",
    "allow: b",
    "site: c",
    "spec_version: 1",
    "a-b: c",
    "# d",
    "",
    "e: f:",
    "g: h#i",
    "j: k #l",
    "  go on",
    "- m",
    "...",
    "---",
];

const BODY: &[&str] = &[
    "# A",
    "# B #",
    "## Can",
    "## can:",
    "## Cannot ##",
    "## Behavior",
    "## Contact",
    "## Other",
    "##",
    "### Can",
    "- a",
    "* b  ",
    "+ [c](d)",
    "- 1 request/second",
    "- at most 5 requests per minute",
    "- Cache answers for 30 minutes",
    "- Cache 2 hours",
    "prose",
    "More prose, of one line.\t",
    "URL: https://a.example",
    "Site: A",
    "Allow: b",
    "User-agent: *",
    "a@a.example \u{c}",
    "",
    "",
    "",
    "",
    "",
];

const ODD: &[&str] = &[
    "#C", "#", "## MCP", "- 1. e", "- - f", "-", "-  g", "  h", "1. i", "```", "> j", "===", "---",
    "<b>", " ", "\t- k", "- # l", "* * *",
];

fn lines(of: &'static [&'static str], count: usize) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(of), 0..count)
}

fn documents() -> impl Strategy<Value = String> {
    let front = prop_oneof![
        2 => Just(Vec::new()),
        2 => Just(Vec::from(["---", "version: 1.0", "mcp:", "  endpoint: https://a.example/mcp", "  auth: none", "---"])),
        3 => lines(FRONT, 6).prop_map(|lines| [&["---"], &lines[..], &["---"]].concat()),
    ];
    let body = prop_oneof![
        6 => lines(BODY, 10),
        1 => (lines(BODY, 6), lines(ODD, 2), lines(BODY, 6)).prop_map(|(before, odd, after)| [before, odd, after].concat()),
    ];
    (
        any::<bool>(),
        front,
        body,
        any::<bool>(),
        prop::sample::select(Vec::from(["\n", "\n", "\n", "\r\n", "\r"])),
        any::<bool>(),
    )
        .prop_map(|(mark, front, body, spaced, end, cut)| {
            let mut text = String::from(if mark { "\u{feff}" } else { "" });
            for line in front {
                text += line;
                text += end;
            }
            for line in body {
                text += line;
                text += end;
                // Where every line stands alone, more of it is plain.
                text += if spaced { end } else { "" };
            }
            if cut {
                text.truncate(text.trim_end_matches(['\n', '\r']).len());
            }
            text
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn what_is_plain_is_what_the_machines_make_of_it(text in documents(), depth in prop::sample::select(Vec::from([64, 64, 1, 2]))) {
        compare(text.as_bytes(), &Limits { depth, ..Limits::DEFAULT });
    }
}

const HEAD: &str = "---\nversion: 1.0\nmcp:\n  endpoint: https://a.example/.well-known/mcp\n  auth: none\nother: x\n---\n\n";
const TAIL: &str = "# A\n\nWhat it is.\n\nAnd more.\n\n## Can\n\n- a\n- b\n\n## Cannot\n* c\n\n## Behavior\n\n- 1 request/second\n- Cache 2 hours\n\n\
    ## Contact\n\n- a@a.example\n\nhttps://a.example/help\n";

#[test]
fn the_usual_document_is_plain() {
    let usual = format!("{HEAD}{TAIL}");
    for text in [
        TAIL,
        &usual,
        &usual.replace('\n', "\r\n"),
        &format!("\u{feff}{usual}"),
    ] {
        assert_eq!(
            compare(text.as_bytes(), &Limits::DEFAULT),
            (true, true),
            "{text}"
        );
    }
}

#[test]
fn a_section_that_detection_does_not_see_is_not_certain() {
    let text = format!(
        "Site: A\n\nURL: https://a.example\n\n{}\n## Can\n\n## Cannot\n",
        "- a: b\n".repeat(63)
    );
    assert_eq!(compare(text.as_bytes(), &Limits::DEFAULT), (true, false));
}

#[test]
fn every_cut_and_every_change_of_it_is_read_alike() {
    let usual = format!("{HEAD}{TAIL}");
    for end in 0..usual.len() {
        compare(&usual.as_bytes()[..end], &Limits::DEFAULT);
        for byte in *b"\n\r\t -#:ax1" {
            let mut changed = Vec::from(usual.as_bytes());
            changed[end] = byte;
            compare(&changed, &Limits::DEFAULT);
        }
    }
}
