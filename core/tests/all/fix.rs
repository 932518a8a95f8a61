//! Automatic fixes of agents.txt: what they change, what they keep, and that a second run changes
//! nothing.
use crate::common::vectors;

use std::fs;

use agentsdisc_core::policy::{self, Reason, Robots, decide};
use agentsdisc_core::write::{Fix, FixError};
use agentsdisc_core::{CheckOptions, Document, Format, ParseOptions};
use agentsdisc_generator::{Kind, Layout, Request};
use proptest::prelude::*;

fn parse(bytes: &[u8], format: Format) -> Document<'_> {
    Document::parse_with(bytes, &ParseOptions { format: Some(format), ..ParseOptions::default() })
        .unwrap()
}

fn fixed(document: &Document<'_>) -> (Vec<u8>, Vec<Fix>) {
    let (mut bytes, mut fixes) = (Vec::new(), Vec::new());
    let length = document.fix(&mut |piece: &[u8]| bytes.extend_from_slice(piece), |change| {
        assert!(change.span.end as usize <= document.bytes().len());
        fixes.push(change.fix);
    });
    assert_eq!(length, Ok(bytes.len()));
    assert_eq!(document.write_fixed(&mut vec![0; bytes.len()], |_| {}), Ok(bytes.len()));
    if !bytes.is_empty() {
        let short = document.write_fixed(&mut vec![0; bytes.len() - 1], |_| {});
        assert_eq!(short, Err(FixError::BufferTooSmall { needed: bytes.len() }));
    }
    (bytes, fixes)
}

fn model(document: &Document<'_>) -> String {
    let mut text = vec![0; document.json_len()];
    document.write_json(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Returns the decisions about some requests of two agents, and the authentication they need.
fn decisions(document: &Document<'_>) -> Vec<(Reason, policy::AuthNeed)> {
    let mut reasons = Vec::new();
    for agent in ["x", "Foo"] {
        for path in ["/a", "/x", "/"] {
            let url = format!("https://e.test{path}");
            let request = policy::Request::url(agent, &url).with_origin("https://e.test");
            let decision = decide(core::slice::from_ref(document), Robots::NotAsked, &request);
            reasons.push((decision.reason, decision.auth().need));
        }
        let request = policy::Request::capability(agent, "a").with_origin("https://e.test");
        let decision = decide(core::slice::from_ref(document), Robots::NotAsked, &request);
        reasons.push((decision.reason, decision.auth().need));
    }
    reasons
}

fn comments(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text).into_owned();
    text.split(['\r', '\n'])
        .map(|line| line.trim_matches([' ', '\t']))
        .filter(|line| line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// Checks all guarantees for one document.
fn holds(document: &Document<'_>, about: &str) {
    let (bytes, fixes) = fixed(document);
    let again = parse(&bytes, document.format());
    assert_eq!(model(document), model(&again), "{about}\n{}", String::from_utf8_lossy(&bytes));
    assert_eq!(
        decisions(document),
        decisions(&again),
        "{about}\n{}",
        String::from_utf8_lossy(&bytes)
    );
    assert_eq!(
        fixes.is_empty(),
        bytes == document.bytes(),
        "{about}\n{}\n{fixes:?}",
        String::from_utf8_lossy(&bytes)
    );
    assert_eq!(fixed(&again), (bytes.clone(), Vec::new()), "{about}");
    let taken = fixes.iter().filter(|fix| **fix == Fix::FieldName).count();
    let kept = comments(&bytes);
    assert!(comments(document.bytes()).len() <= kept.len() + taken, "{about}");
    // No new diagnostics appear.
    let count = |document: &Document<'_>| {
        let mut found = std::collections::BTreeMap::<_, u32>::new();
        document.check(&CheckOptions::default(), |diagnostic| {
            *found.entry(diagnostic.code).or_default() += 1
        });
        found
    };
    let before = count(document);
    for (code, number) in count(&again) {
        assert!(
            before.get(&code).is_some_and(|before| number <= *before),
            "{about}: {code}\n{}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

#[test]
fn every_fixed_vector_keeps_its_meaning() {
    let paths = vectors::inputs();
    let mut done = 0;
    for path in paths {
        let input = fs::read(&path).unwrap();
        let Ok(document) = vectors::parse(&input, &vectors::expected(&path)) else {
            continue;
        };
        if document.format().is_fixed() {
            holds(&document, &path.display().to_string());
            done += 1;
        } else {
            assert_eq!(
                document.fix(&mut |_: &[u8]| panic!("nothing is put"), |_| {}),
                Err(FixError::Unsupported)
            );
        }
    }
    assert!(done > 300, "{done}");
}

#[test]
fn fixed_generated_documents_keep_their_meaning() {
    for kind in [Kind::AgentsTxt, Kind::AgentsTxt01] {
        for seed in 0..40 {
            let bytes = agentsdisc_generator::document(&Request {
                kind,
                size: 3000,
                layout: Layout::Pretty,
                seed,
            });
            holds(&Document::parse(&bytes).unwrap(), &format!("{kind:?} {seed}"));
        }
    }
}

#[test]
fn mechanical_errors_are_fixed() {
    let text = "\u{feff}# Spec-Version: 1.0\r\nDESCRIPTION: Mugs # and more\n site-name:Mug Shop  \n\n  Site-URL : https://mugs.example\n# a note  \n\
        Capability: search\nendpoint: https://mugs.example/s\n\t Scopes: a,,b ,\n    X-note:  kept\nRate-limit: often\nAllow: /*\rno field";
    let (bytes, fixes) = fixed(&parse(text.as_bytes(), Format::AgentsTxt));
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        "Spec-Version: 1.0\r\nSite-Description: Mugs # and more\nSite-Name: Mug Shop\n\nSite-URL: https://mugs.example\n# a note\n\
         Capability: search\n  Endpoint: https://mugs.example/s\n  Scopes: a, b\n    X-note:  kept\n  Rate-limit: often\nAllow: /*\nno field\n"
    );
    for fix in [
        Fix::ByteOrderMark,
        Fix::FieldName,
        Fix::Indentation,
        Fix::LetterCase,
        Fix::LineEnd,
        Fix::Spacing,
    ] {
        assert!(fixes.contains(&fix), "{fix} of {fixes:?}");
    }
}

#[test]
fn spellings_of_0_1_are_fixed() {
    let text = "name: Mug Shop\n  url: https://mugs.example\nCapabilities: search, , cart.add,\nCapabilities-URL: https://mugs.example/a.json\n\
        Flow: buy -> search,cart.add\nFlow: none\nRate-Limit: 60\nSession-TTL: 1800\naudit: perhaps\nCapabilities: ,\n";
    let (bytes, fixes) = fixed(&parse(text.as_bytes(), Format::AgentsTxt01));
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        "Site: Mug Shop\nURL: https://mugs.example\nAllow: search\nAllow: cart.add\nAgents-JSON: https://mugs.example/a.json\n\
         Flow: buy → search, cart.add\nFlow: none\nRate-Limit: 60/minute\nSession-TTL: 1800s\naudit: perhaps\nCapabilities: ,\n"
    );
    for fix in [Fix::Arrow, Fix::FieldName, Fix::Indentation, Fix::LetterCase, Fix::Unit] {
        assert!(fixes.contains(&fix), "{fix} of {fixes:?}");
    }
}

#[test]
fn a_field_in_a_comment_does_not_end_a_list_below_a_disallow() {
    let text = "Disallow:\n# Spec-Version: 1.0\n  /a\nSite-Name: A\n";
    let document = parse(text.as_bytes(), Format::AgentsTxt);
    let (bytes, fixes) = fixed(&document);
    assert_eq!((bytes.as_slice(), fixes.len()), (text.as_bytes(), 0));
    assert!(decisions(&document).iter().any(|(reason, _)| *reason == Reason::UnreadRestriction));
    let text = text.replace("  /a\n", "");
    let (bytes, _) = fixed(&parse(text.replace("Disallow:\n", "").as_bytes(), Format::AgentsTxt));
    assert!(bytes.starts_with(b"Spec-Version: 1.0\n"));
}

#[test]
fn comments_behind_values_move_before_the_line() {
    let text = "# Spec-Version: 1.0\r\nDisallow: /admin # private # really\r\nallow:/\t# all\r\nAllow: # none\r\nAllow: /x # Generated: 2026-02-01\r\n\
        Agent:scout #1 of 2\r\n\tCapabilities: a ,b # not c\r\n\tallow :/y # ours\r\nCapability: a # kept\r\n";
    let (bytes, fixes) = fixed(&parse(text.as_bytes(), Format::AgentsTxt));
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        "Spec-Version: 1.0\r\n# private # really\r\nDisallow: /admin\r\n# all\r\nAllow: /\r\n# none\r\nAllow:\r\nAllow: /x # Generated: 2026-02-01\r\n\
         #1 of 2\r\nAgent: scout\r\n  # not c\r\n  Capabilities: a, b\r\n  # ours\r\n  allow: /y\r\nCapability: a # kept\r\n"
    );
    assert_eq!(fixes.iter().filter(|fix| **fix == Fix::Comment).count(), 6, "{fixes:?}");
}

#[test]
fn an_item_that_begins_like_a_comment_stays_an_item() {
    for (list, written) in
        [("a,#b ,c", "a,#b ,c"), (",#b", ",#b"), ("a ,#b # c", "a ,#b"), ("a ,b#", "a, b#")]
    {
        let text = format!("Spec-Version: 1.0\nAgent: x\n  Capabilities:{list}\n");
        let document = parse(text.as_bytes(), Format::AgentsTxt);
        holds(&document, list);
        let (bytes, _) = fixed(&document);
        assert!(String::from_utf8(bytes).unwrap().ends_with(&format!(": {written}\n")), "{list}");
    }
}

#[test]
fn lines_with_an_unknown_field_stay_to_the_byte() {
    let text = "Spec-Version: 1.0\nhttps://example.com/docs\n   Site-URL=https://example.com \t\n\tx-note :  1 \n no colon  \n: nothing before \n\
        Capability: a\n      https://example.com/docs \nEndpoint=https://example.com\n    second paragraph, \n";
    let (bytes, fixes) = fixed(&parse(text.as_bytes(), Format::AgentsTxt));
    assert_eq!(String::from_utf8(bytes).unwrap(), text);
    assert_eq!(fixes, []);
    let text = "Site: Mugs\nhttps://example.com/docs\n  URL=https://example.com \n\tx-note :  1 \nno colon  \nRate-limit :  often\nAllow: search\n";
    let (bytes, fixes) = fixed(&parse(text.as_bytes(), Format::AgentsTxt01));
    assert_eq!(String::from_utf8(bytes).unwrap(), text);
    assert_eq!(fixes, []);
}

#[test]
fn line_ends_keep_their_kind() {
    for end in ["\n", "\r\n"] {
        let text = format!(
            "Site: Mugs{end}URL: https://mugs.example\rCapabilities: search, browse{end}Allow: detail"
        );
        let (bytes, fixes) = fixed(&parse(text.as_bytes(), Format::AgentsTxt01));
        let lines = [
            "Site: Mugs",
            "URL: https://mugs.example",
            "Allow: search",
            "Allow: browse",
            "Allow: detail",
            "",
        ];
        assert_eq!(String::from_utf8(bytes).unwrap(), lines.join(end));
        assert!(fixes.contains(&Fix::LineEnd));
    }
}

#[test]
fn two_byte_order_marks_are_kept() {
    for text in ["\u{feff}\u{feff}Spec-Version: 1.0\nallow: /\n", "\u{feff}\u{feff}", "\u{feff}"] {
        holds(&parse(text.as_bytes(), Format::AgentsTxt), text);
    }
}

#[test]
fn a_fix_never_makes_a_line_too_long() {
    let items = "a,".repeat(30_000);
    let text = format!("Spec-Version: 1.0\nAgent: x\nCapabilities: {items}\n");
    let document = parse(text.as_bytes(), Format::AgentsTxt);
    holds(&document, "a long list");
}

proptest! {
    #![proptest_config(crate::common::cases(2000))]

    #[test]
    fn any_fixed_lines_keep_their_meaning(
        lines in prop::collection::vec(
            (
                prop::sample::select(vec!["", "", " ", "  ", "\t", "   ", "# ", "#", "  # ", "\u{a0}\u{a0}", "\u{feff}", "- "]),
                prop::sample::select(vec![
                    "Spec-Version", "spec-version", "Generated", "Generated-At", "Description", "contact", "Privacy-Policy", "Site-Description", "Site-Name",
                    "Allow", "disallow", "Capability", "agent", "Endpoint", "Rate-Limit", "rate-limit", "param", "Scopes", "capabilities", "X-Note",
                    "https://e.test/docs", "Site-URL=https", "Agnet", "[Agent", "- Capabilities", "Access", "Agent", "Allow", "Allow",
                    "Name", "Capabilities-URL", "Flow", "flow-description", "Session-TTL", "Audit", "audit", "URL", "", "no colon", "Disallow", "Disallow\u{a0}", "Auth", "Authentication", "Capabilites",
                ]),
                prop::sample::select(vec![":", ": ", " :", ":\t ", "", " ", "\t", ": ", ": "]),
                prop::sample::select(vec![
                    "", "x", "a,,b", ",", " a , b ", "60", "60/minute", "60 / Hour", "x -> a,b", "x → a -> b", "->", "→", "true", "q (query, string) - x",
                    "(x)", "# x", "a,#b,c", ",,#a", "a,#b # c", "/a # b", "/a", "/x", "/a#b", "/", "x#a", "/a, /x", "a, b # Generated: x", "60s", "\0", "é", "https://e.test/a", "/a\u{a0}", "\u{200b}a", "/x ;", "/a\u{a0}, \u{a0}x", "oauth2", "none",
                ]),
                prop::sample::select(vec!["\n", "\n", "\r\n", "\r", " \n", "\n\n", "\t\n"]),
            ),
            0..14,
        ),
        whole in any::<bool>(),
    ) {
        let mut text: String = lines.iter().map(|(a, b, c, d, e)| [*a, b, c, d, e].concat()).collect();
        if !whole {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        for format in [Format::AgentsTxt, Format::AgentsTxt01] {
            holds(&parse(text.as_bytes(), format), &format!("{format} {text:?}"));
        }
    }
}
