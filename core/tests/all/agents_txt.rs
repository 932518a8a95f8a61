//! agents.txt: cases that vectors cannot express, and properties for any input.

use agentsdisc_core::format::agents_txt::AgentsTxt;
use agentsdisc_core::manifest::{AuthType, Raw};
use agentsdisc_core::syntax::line::{Content, Indent, Lines};
use agentsdisc_core::{CheckOptions, Document, ErrorKind, Format, Limits, ParseOptions};
use proptest::prelude::*;

use crate::common::time;

fn read(text: &str) -> AgentsTxt<'_> {
    AgentsTxt::parse(text.as_bytes(), &Limits::DEFAULT).unwrap()
}

const RICH: &str = "\u{feff}# agents.txt
Spec-Version: 1.0
Generated-At: 2026-02-01T00:00:00Z
Site-Name: Outdoor Supply Co.
Site-URL: https://outdoorsupply.example
site-description : Gear — for outdoor adventures
Contact: agents@outdoorsupply.example
X-Top: one

Capability: product-search\r
  Endpoint: https://outdoorsupply.example/api/search\r
  Method: GET
\tProtocol: REST
Auth: none
  Rate-Limit: 60 / minute
  Description: Search the product catalog # not a comment
  Param: q (query, string, required) - Search query
  # in between
  Param: limit(query, integer) — Max results
  X-Inner: two
  Param: (query, string)
X-Outer: three
  Rate-Limit: many

  Capability: store-assistant\r  Endpoint: https://outdoorsupply.example/mcp
  Auth-Endpoint: https://outdoorsupply.example/auth/token
  Scopes: read,, write ,
Allow: /api/*
  Disallow: /admin/*
no colon here
: no key
Allow: /mcp
Agent: *

Agent: claude
  Rate-Limit: 200/minute
  Capabilities: product-search, store-assistant
  Endpoint: https://elsewhere.example
Endpoint: https://nowhere.example
Description: of an agent
Capability: last
  Protocol: MCP";

#[test]
fn every_field_is_read_into_its_member() {
    let doc = read(RICH);
    assert_eq!(doc.spec_version().unwrap(), "1.0");
    assert_eq!(doc.site_description().unwrap(), "Gear — for outdoor adventures");
    assert_eq!(doc.site_contact().unwrap(), "agents@outdoorsupply.example");
    let capabilities: Vec<_> = doc.capabilities().collect();
    let ids: Vec<String> = capabilities.iter().map(|c| c.id.unwrap().to_string()).collect();
    assert_eq!(ids, ["product-search", "store-assistant", "last"]);

    let search = capabilities[0];
    assert_eq!(search.auth.unwrap().kind.value, AuthType::None);
    assert_eq!(search.description.unwrap(), "Search the product catalog # not a comment");
    assert_eq!(search.rate_limits.count(), 0);
    let names: Vec<String> = search.parameters.map(|p| p.name.unwrap().to_string()).collect();
    assert_eq!(names, ["q", "limit"]);
    assert_eq!(
        members(search.metadata),
        ["X-Inner=two", "Param=(query, string)", "Rate-Limit=many"]
    );
    assert!(search.source.starts_with(b"Capability: product-search\r\n"));

    let assistant = capabilities[1];
    let auth = assistant.auth.unwrap();
    assert_eq!((auth.kind.value, auth.kind.text), (AuthType::BearerToken, None));
    assert_eq!(auth.scopes.map(|s| s.to_string()).collect::<Vec<_>>(), ["read", "write"]);
    assert_eq!(assistant.endpoint.unwrap(), "https://outdoorsupply.example/mcp");

    assert_eq!(doc.allow().map(|p| p.to_string()).collect::<Vec<_>>(), ["/api/*", "/mcp"]);
    assert_eq!(doc.disallow().map(|p| p.to_string()).collect::<Vec<_>>(), ["/admin/*"]);
    let agents: Vec<_> = doc.agents().collect();
    assert_eq!(agents.len(), 2);
    assert!(agents[0].capabilities.is_none());
    assert_eq!(agents[1].capabilities.unwrap().count(), 2);
    assert_eq!(
        members(agents[1].metadata),
        ["Endpoint=https://elsewhere.example", "Description=of an agent"]
    );
    assert_eq!(
        members(doc.metadata()),
        [
            "X-Top=one",
            "X-Outer=three",
            "no colon here=",
            ": no key=",
            "Endpoint=https://nowhere.example"
        ]
    );
}

fn members<'a>(list: impl Iterator<Item = agentsdisc_core::manifest::Member<'a>>) -> Vec<String> {
    list.map(|member| match member.value {
        Raw::Text(text) => format!("{}={text}", member.name),
        Raw::Json(_) => unreachable!(),
    })
    .collect()
}

/// Calls all accessors.
fn walk(doc: &AgentsTxt<'_>) -> usize {
    let mut sum = doc.operates_on().count()
        + doc.allow().count()
        + doc.disallow().count()
        + doc.metadata().count();
    for capability in doc.capabilities() {
        sum += 1 + capability.source.len() + capability.metadata.count();
        sum += capability.parameters.map(|p| p.source.len()).sum::<usize>();
        sum += capability.rate_limits.map(|r| r.requests as usize).sum::<usize>();
        sum += capability.auth.map_or(0, |auth| auth.scopes.count());
    }
    for agent in doc.agents() {
        sum += 1 + agent.source.len() + agent.metadata.count() + agent.rate_limits.count();
        sum += agent.capabilities.map_or(0, Iterator::count);
    }
    sum
}

#[test]
fn every_truncation_is_read() {
    for end in 0..=RICH.len() {
        match AgentsTxt::parse(&RICH.as_bytes()[..end], &Limits::DEFAULT) {
            Ok(doc) => {
                walk(&doc);
            }
            Err(error) => assert_eq!(error.kind, ErrorKind::InvalidUtf8),
        }
    }
}

#[test]
fn a_field_takes_precedence_over_its_aliases() {
    let doc = read(
        "Description: a\nSite-Description: b\nDescription: c\n# Spec-Version: 2.0\nSpec-Version: 1.0\n# generated: today\n",
    );
    assert_eq!(doc.site_description().unwrap(), "b");
    assert_eq!(members(doc.metadata()), ["Description=a", "Description=c"]);
    assert_eq!(doc.spec_version().unwrap(), "1.0");
    assert_eq!(doc.generated_at().unwrap(), "today");
}

#[test]
fn a_line_over_the_limit_is_an_error_at_its_start() {
    let limits = Limits { line: 10, ..Limits::DEFAULT };
    assert!(
        AgentsTxt::parse(b"Site-Name: \nAgent:   *\r\nAllow: /abc", &limits)
            .is_err_and(|e| e.offset == 0)
    );
    assert!(AgentsTxt::parse(b"Agent:   *\r\nAllow: /ab\r", &limits).is_ok());
    let error = AgentsTxt::parse(b"Agent:   *\r\n\nAllow: /abc", &limits).unwrap_err();
    assert_eq!((error.kind, error.offset), (ErrorKind::LineTooLong, 13));
    assert_eq!(Lines::new(b"Agent:   *\r\n\nAllow: /abc").validate(10), Err(error));
    assert_eq!(Lines::new(b"Agent:   *\r\n\nAllow: /ab").validate(10), Ok(()));
}

/// The oracle: splits lines by hand and parses them with the standard library.
fn oracle(text: &[u8]) -> Vec<(usize, usize, Indent, String)> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end =
            (start..text.len()).find(|&i| matches!(text[i], b'\n' | b'\r')).unwrap_or(text.len());
        let line = &text[start..end];
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let trim = |bytes: &[u8]| -> String {
            let from = bytes.iter().position(|b| !blank(b)).unwrap_or(bytes.len());
            let to = bytes.iter().rposition(|b| !blank(b)).map_or(from, |i| i + 1);
            String::from_utf8_lossy(&bytes[from..to]).into_owned()
        };
        let blanks: Vec<u8> = line.iter().copied().take_while(|b| blank(b)).collect();
        let indent = match blanks.as_slice() {
            [] => Indent::None,
            [b' '] => Indent::OneSpace,
            _ => Indent::Indented,
        };
        let rest = &line[blanks.len()..];
        let content = match rest.iter().position(|&b| b == b':') {
            _ if rest.is_empty() => "blank".to_string(),
            _ if rest[0] == b'#' => format!("comment {}", trim(&rest[1..])),
            Some(colon) if colon > 0 => {
                format!("field {} {}", trim(&rest[..colon]), trim(&rest[colon + 1..]))
            }
            _ => format!("malformed {}", trim(rest)),
        };
        lines.push((start, end, indent, content));
        start = end + if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
    }
    lines
}

fn shown(text: &[u8]) -> Vec<(usize, usize, Indent, String)> {
    let lossy = |bytes| String::from_utf8_lossy(bytes).into_owned();
    Lines::new(text)
        .map(|line| {
            let content = match line.content {
                Content::Blank => "blank".to_string(),
                Content::Comment(text) => format!("comment {}", lossy(text)),
                Content::Field { key, value } => format!("field {} {}", lossy(key), lossy(value)),
                Content::Malformed(text) => format!("malformed {}", lossy(text)),
            };
            (line.start, line.end, line.indent, content)
        })
        .collect()
}

proptest! {
    #[test]
    fn lines_equal_those_of_the_oracle(text in "([ \\t]{0,3}[a-c#: \\t]{0,12}[\\n\\r]{0,3}){0,12}") {
        prop_assert_eq!(shown(text.as_bytes()), oracle(text.as_bytes()));
    }

    #[test]
    fn marks_are_blanks_around_keys_and_values(marks in prop::array::uniform4("[ \\t\u{b}\u{c}\u{85}\u{a0}\u{ad}\u{1680}\u{180e}\u{2000}-\u{200f}\u{2028}-\u{202f}\u{205f}-\u{2064}\u{2800}\u{3000}\u{3164}\u{feff}]{0,4}"), value in "(/[a-zé☕]{1,3})?") {
        let [a, b, c, d] = marks;
        let lines = shown(format!("{a}Disallow{b}:{c}{value}{d}\n").as_bytes());
        prop_assert_eq!(&lines[0].3, &format!("field Disallow {value}"));
    }

    #[test]
    fn any_bytes_split_like_the_oracle(mut bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        // The oracle knows no marks, which begin with these bytes.
        for byte in &mut bytes {
            if matches!(byte, 0xB | 0xC | 0xC2 | 0xD8 | 0xE1..=0xE3 | 0xEF) {
                *byte = b'x';
            }
        }
        prop_assert_eq!(shown(&bytes), oracle(&bytes));
    }

    #[test]
    fn any_text_is_read(text in "((  )?(Capability|Agent|Endpoint|Param|Scopes|Capabilities|Rate-Limit|Allow|Contact|X)?:?[ a-z(),/-]{0,20}\\n){0,20}") {
        let doc = AgentsTxt::parse(text.as_bytes(), &Limits::DEFAULT).unwrap();
        walk(&doc);
    }
}

#[test]
fn hostile_documents_take_linear_time() {
    // Without optimisation a tenth of the size is slow enough.
    const N: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
    let limits = Limits { document: usize::MAX, line: usize::MAX, ..Limits::DEFAULT };
    let options =
        ParseOptions { format: Some(Format::AgentsTxt), limits, ..ParseOptions::default() };
    let documents = [
        "Capability:\n".repeat(N),
        "Capability: a\nAgent: b\n".repeat(N),
        format!("Capability: a\n  Scopes: {}", ",".repeat(10 * N)),
        format!("Capability: a\n  Param: a ({}", ",".repeat(10 * N)),
        format!("Capability: a\n  Param: a {}", "#-".repeat(5 * N)),
        format!("Site-Name:{}\nX:{}x", " ".repeat(10 * N), "\t".repeat(10 * N)),
        "Allow: /\nX: y\nDisallow: /\nCapability: c\n".repeat(N),
        "Capability: a\n".to_string() + &"  Param: (\n  Rate-Limit: x\n  X: y\n".repeat(N),
        "Site-URL: https://a.b\n".to_string()
            + &"Disallow: /*/*/x\nCapability: c\nEndpoint: https://a.b/aaaaaaaaaaaa\n"
                .repeat(N / 5),
        "Site-URL: https://a.b\nDisallow: /x\n".to_string()
            + &"Capability: c\nEndpoint: https://a.b/aaaaaaaaaaaa\n".repeat(N / 5)
            + "Disallow: /y\n",
        format!("Site-Name: {}", "Bearer eyJ.eyJ.".repeat(N)),
    ];
    for document in &documents {
        let started = time::processor_time();
        let parsed = Document::parse_with(document.as_bytes(), &options).unwrap();
        walk(&parsed.agents_txt().unwrap());
        let mut found = 0_u32;
        parsed.check(&CheckOptions { max: usize::MAX, ..CheckOptions::default() }, |_| found += 1);
        let taken = time::processor_time() - started;
        // An unoptimised build stays below this limit; a quadratic pass exceeds it.
        assert!(taken.as_secs() < 60, "{document:.40} took {taken:?}");
        if std::env::var_os("TIMES").is_some() {
            eprintln!("{document:.40}: {found} found, {taken:?}");
        }
    }
}

#[test]
fn the_limit_is_followed_by_one_more_diagnostic() {
    let document = "no field\n".repeat(5000);
    let options = ParseOptions { format: Some(Format::AgentsTxt), ..ParseOptions::default() };
    let parsed = Document::parse_with(document.as_bytes(), &options).unwrap();
    let mut codes = Vec::new();
    parsed.check(&CheckOptions::default(), |diagnostic| codes.push(diagnostic.code.as_str()));
    assert_eq!(codes.len(), 1001);
    assert_eq!(codes.last(), Some(&"too-many-diagnostics"));
}

#[test]
fn no_message_repeats_a_credential() {
    let key = "ghp_q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA";
    let document = RICH
        .replace("GET", key)
        .replace("none", key)
        .replace("(query, string", &format!("({key}, {key}"))
        .replace("1.0", key)
        + &format!(
            "\n  {key}: x\n{key}\n  Rate-Limit: {key} #\nAgents-JSON: {key}\nAgent: {key}\nAgent: {key}\n  Capabilities: {key}\n"
        );
    let options = ParseOptions { format: Some(Format::AgentsTxt), ..ParseOptions::default() };
    let parsed = Document::parse_with(document.as_bytes(), &options).unwrap();
    let mut found = 0;
    parsed.check(&CheckOptions::default(), |diagnostic| {
        found += 1;
        assert!(!diagnostic.to_string().contains("q7Zt4WxN2LpD"), "{diagnostic}");
    });
    assert!(found > 20);
}
