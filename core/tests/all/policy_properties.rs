//! Properties of decisions for any documents and requests.
use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::policy::{Decision, Reason, Request, Robots, decide};
use agentsdisc_core::{Document, Format, ParseOptions};
use proptest::prelude::*;

fn parse(format: Format, text: &str) -> Document<'_> {
    Document::parse_with(
        text.as_bytes(),
        &ParseOptions { format: Some(format), ..ParseOptions::default() },
    )
    .unwrap()
}

fn all_of(decision: &Decision<'_>) -> String {
    let mut buffer = vec![0; 1 << 16];
    let length = decision.write_json(&mut [0; 64], &mut buffer).unwrap();
    String::from_utf8(buffer[..length].to_vec()).unwrap()
}

/// A path with the characters of patterns and URLs.
fn path() -> impl Strategy<Value = String> {
    "(/(a|b|ab|é|%61|%2f|%c3%a9|x\\.y)){1,4}/?(\\?[ab&=]{0,4})?"
}

fn pattern() -> impl Strategy<Value = String> {
    "(/|\\*|/[ab]|/ab|/%61|/é|/%C3%A9|\\*b){1,4}\\$?"
}

fn rules() -> impl Strategy<Value = Vec<(bool, String)>> {
    prop::collection::vec((any::<bool>(), pattern()), 1..6)
}

/// An agents.txt with rules, a capability with an endpoint, and a policy.
fn agents_txt(rules: &[(bool, String)], endpoint: &str, policy: &str) -> String {
    let mut text = format!(
        "Spec-Version: 1.0\nSite-Name: x\nSite-URL: https://e.test\nCapability: c\n  Endpoint: https://e.test{endpoint}\n  Protocol: REST\n"
    );
    for (allow, pattern) in rules {
        text += &format!("{}: {pattern}\n", if *allow { "Allow" } else { "Disallow" });
    }
    text + policy
}

/// The same rules as an agents.json, with some characters escaped.
fn agents_json(rules: &[(bool, String)], endpoint: &str, escaped: bool) -> String {
    let string = |text: &str| {
        let escape = |c: char| {
            if escaped && c.is_ascii() { format!("\\u{:04x}", c as u32) } else { c.to_string() }
        };
        format!("\"{}\"", text.chars().map(escape).collect::<String>())
    };
    let list = |wanted: bool| {
        rules
            .iter()
            .filter(|(allow, _)| *allow == wanted)
            .map(|(_, pattern)| string(pattern))
            .collect::<Vec<_>>()
            .join(",")
    };
    format!(
        "{{\"specVersion\":\"1.0\",\"site\":{{\"name\":\"x\",\"url\":{}}},\"capabilities\":[{{\"id\":{},\"endpoint\":{},\"protocol\":\"REST\"}}],\"access\":{{\"allow\":[{}],\"disallow\":[{}]}}}}",
        string("https://e.test"),
        string("c"),
        string(&format!("https://e.test{endpoint}")),
        list(true),
        list(false)
    )
}

/// Percent-encodes the bytes that `which` selects, if that does not change the meaning.
fn encoded(text: &str, which: u64) -> String {
    let (mut out, mut rest, mut at) = (String::new(), text, 0);
    while let Some(c) = rest.chars().next() {
        let length = if c == '%' { 3 } else { c.len_utf8() };
        let (piece, tail) = rest.split_at(length);
        if (c.is_ascii_alphanumeric() || !c.is_ascii()) && which >> (at % 64) & 1 == 1 {
            out.extend(piece.bytes().map(|octet| format!("%{octet:02X}")));
        } else {
            out += piece;
        }
        (rest, at) = (tail, at + 1);
    }
    out
}

proptest! {
    #![proptest_config(crate::common::cases(400))]

    /// (In a document without rules, a `Disallow` permits what it does not match; the draft's
    /// author confirms this.)
    #[test]
    fn an_additional_denial_never_allows(rules in rules(), more in pattern(), endpoint in path(), path in path(), at in 0usize..6) {
        let url = format!("https://e.test{path}");
        let mut stricter = rules.clone();
        prop_assume!(rules.iter().any(|(_, pattern)| pattern.starts_with(['/', '*']) && !pattern.starts_with("//")));
        stricter.insert(at.min(rules.len()), (false, more.clone()));
        let (before, after) = (agents_txt(&rules, &endpoint, ""), agents_txt(&stricter, &endpoint, ""));
        let denied = agents_txt(&rules, &endpoint, "Agent: bot\n  Capabilities:\n");
        let (before, after, denied) = ([parse(Format::AgentsTxt, &before)], [parse(Format::AgentsTxt, &after)], [parse(Format::AgentsTxt, &denied)]);
        let robots_text = format!("User-agent: *\nDisallow: {more}\n");
        let robots = Robots::Found(RobotsTxt::parse(robots_text.as_bytes()));
        for request in [Request::url("bot", &url), Request::url("bot", &url).with_method("POST"), Request::capability("bot", "c")] {
            if !decide(&before, Robots::NotAsked, &request).allowed {
                prop_assert!(!decide(&after, Robots::NotAsked, &request).allowed);
                prop_assert!(!decide(&before, robots, &request).allowed);
                prop_assert!(!decide(&denied, Robots::NotAsked, &request).allowed);
                prop_assert!(!decide(&before, Robots::Unreachable, &request).allowed);
            }
        }
    }

    #[test]
    fn a_denial_in_any_document_wins(first in rules(), second in rules(), endpoint in path(), path in path()) {
        let url = format!("https://e.test{path}");
        let (text, json) = (agents_txt(&first, &endpoint, ""), agents_json(&second, &endpoint, false));
        let both = [parse(Format::AgentsTxt, &text), parse(Format::AgentsJson, &json)];
        let turned = [both[1], both[0]];
        let request = Request::url("bot", &url);
        let (one, other) = (decide(&both[..1], Robots::NotAsked, &request), decide(&both[1..], Robots::NotAsked, &request));
        let together = decide(&both, Robots::NotAsked, &request);
        prop_assert_eq!((together.allowed, together.reason), { let turned = decide(&turned, Robots::NotAsked, &request); (turned.allowed, turned.reason) });
        if one.reason == Reason::Disallowed || other.reason == Reason::Disallowed {
            prop_assert_eq!(together.reason, Reason::Disallowed);
        } else {
            prop_assert_eq!((together.allowed, together.reason), (other.allowed, other.reason));
        }
    }

    #[test]
    fn a_rule_has_one_meaning_in_every_spelling(rules in rules(), endpoint in path(), path in path(), which in any::<u64>()) {
        let url = format!("https://e.test{path}");
        let other_url = format!("https://E.test:443/x/..{}", encoded(&path, which));
        let other_rules: Vec<_> = rules.iter().map(|(allow, pattern)| (*allow, encoded(pattern, which))).collect();
        let texts = [
            (Format::AgentsTxt, agents_txt(&rules, &endpoint, "")),
            (Format::AgentsTxt, agents_txt(&other_rules, &encoded(&endpoint, which), "")),
            (Format::AgentsJson, agents_json(&rules, &endpoint, false)),
            (Format::AgentsJson, agents_json(&other_rules, &endpoint, true)),
        ];
        let mut found = Vec::new();
        for (format, text) in &texts {
            let documents = [parse(*format, text)];
            for url in [&url, &other_url] {
                let decision = decide(&documents, Robots::NotAsked, &Request::url("bot", url));
                found.push((decision.allowed, decision.reason));
            }
        }
        prop_assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
    }

    #[test]
    fn every_request_has_one_repeatable_answer(agent in ".{0,8}", target in "[a-z/:.@\\\\#?%0-9 é\\[\\]{};=&]{0,24}", method in ".{0,4}", origin in "[a-z/:.@]{0,12}") {
        let text = agents_txt(&[(true, "/*".into())], "/a", "Agent: *\n  Rate-Limit: 1/second\n");
        let documents = [parse(Format::AgentsTxt, &text)];
        let whole = format!("https://e.test/{target}");
        for request in [
            Request::url(&agent, &target),
            Request::url(&agent, &whole).with_method(&method),
            Request::url(&agent, &whole).with_origin(&origin),
            Request::capability(&agent, &target).with_approved(&[&target, &whole]),
        ] {
            let decision = decide(&documents, Robots::Absent, &request);
            prop_assert_eq!(all_of(&decision), all_of(&decide(&documents, Robots::Absent, &request)));
            if let Some(rule) = decision.rule {
                prop_assert_eq!(rule.span.slice(documents[0].bytes()), rule.text.raw());
            }
        }
        // Rules allow only URLs on the document's own origin, in any spelling.
        if let Some(url) = agentsdisc_core::syntax::url::Url::parse(target.as_bytes())
            && !url.host().trim_end_matches('.').eq_ignore_ascii_case("e.test")
        {
            prop_assert!(!decide(&documents, Robots::Absent, &Request::url(&agent, &target)).allowed);
        }
    }

    #[test]
    fn every_document_gives_a_decision(text in "(Capability: [ac]\n|  Endpoint: [a-z/:.{}@]{0,12}\n|Allow: [/*$a]{0,4}\n|Agent: [*b]\n|  Capabilities: [ac, ]{0,4}\n|  Rate-Limit: [0-9]/(minute|x)\n|Site-URL: [a-z:/.]{0,12}\n){0,8}") {
        let documents = [parse(Format::AgentsTxt, &text)];
        for request in [Request::url("b", "https://e.test/a"), Request::capability("b", "a"), Request::url("b", "/a")] {
            all_of(&decide(&documents, Robots::Unreachable, &request));
            all_of(&decide(&documents, Robots::NotAsked, &request));
        }
    }
}
