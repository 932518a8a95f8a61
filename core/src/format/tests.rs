//! Every member with several names, in a document: the order of two names changes neither a decision
//! nor a finding, and of two values the stricter one counts where a member restricts.

extern crate std;

use std::fmt::Debug;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::{Format, a2a, agents_json, agents_json_01, ai_catalog, mcp_card, ucp, x402};
use crate::diagnostic::{Code, Severity};
use crate::document::Document;
use crate::policy::{AuthNeed, Decision, Request, Robots, decide};
use crate::syntax::json::Value;
use crate::syntax::json::names::Names;
use crate::syntax::json::view::Table;
use crate::{CheckOptions, ParseOptions};

const SERVER: &str = r#"{"$schema":"https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json","name":"com.example/s","version":"1.0.0","description":"D","remotes":[{"type":"sse","url":"https://e.example/m"}],"tools":[{"name":"a","description":"D"}],@}"#;

/// Each table with aliases, and a document with an object of this table, in which `@` stands for two
/// members.
const TABLES: &[(&Names, Format, &str)] = &[
    (
        <agents_json::CapabilityObject<'_> as Table>::NAMES,
        Format::AgentsJson,
        r#"{"specVersion":"1.0","site":{"name":"S","url":"https://e.example"},"capabilities":[{"id":"a","endpoint":"https://e.example/a","protocol":"REST",@}]}"#,
    ),
    (
        <agents_json::AuthObject<'_> as Table>::NAMES,
        Format::AgentsJson,
        r#"{"specVersion":"1.0","site":{"name":"S","url":"https://e.example"},"capabilities":[{"id":"a","endpoint":"https://e.example/a","protocol":"REST","auth":{@}}]}"#,
    ),
    (<mcp_card::Top<'_> as Table>::NAMES, Format::McpServerCard, SERVER),
    (
        <mcp_card::ServerInfo<'_> as Table>::NAMES,
        Format::McpServerCard,
        r#"{"serverInfo":{"name":"s",@},"transport":{"type":"sse","endpoint":"/m"},"tools":[{"name":"a"}]}"#,
    ),
    (
        <mcp_card::tools::ToolObject<'_> as Table>::NAMES,
        Format::McpServerCard,
        r#"{"name":"com.example/s","description":"D","version":"1.0.0","remotes":[{"type":"sse","url":"https://e.example/m"}],"tools":[{"name":"a",@}]}"#,
    ),
    (
        <mcp_card::tools::PropertyObject<'_> as Table>::NAMES,
        Format::McpServerCard,
        r#"{"name":"com.example/s","description":"D","version":"1.0.0","remotes":[{"type":"sse","url":"https://e.example/m"}],"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"p":{@}}}}]}"#,
    ),
    (
        <mcp_card::servers::ServerObject<'_> as Table>::NAMES,
        Format::McpServerCard,
        r#"{"name":"com.example/s","description":"D","version":"1.0.0","remotes":[{@}],"tools":[{"name":"a"}]}"#,
    ),
    (
        <mcp_card::servers::TransportObject<'_> as Table>::NAMES,
        Format::McpServerCard,
        r#"{"serverInfo":{"name":"s"},"transport":{"type":"sse",@},"tools":[{"name":"a"}]}"#,
    ),
    (
        <mcp_card::servers::PackageObject<'_> as Table>::NAMES,
        Format::McpServerCard,
        r#"{"name":"com.example/s","description":"D","version":"1.0.0","packages":[{"transport":{"type":"sse","url":"https://e.example/m"},@}],"tools":[{"name":"a"}]}"#,
    ),
    (
        <mcp_card::servers::InputObject<'_> as Table>::NAMES,
        Format::McpServerCard,
        r#"{"name":"com.example/s","description":"D","version":"1.0.0","remotes":[{"type":"sse","url":"https://e.example/m","headers":[{"name":"X-Key",@}]}],"tools":[{"name":"a"}]}"#,
    ),
    (
        <mcp_card::auth::AuthObject<'_> as Table>::NAMES,
        Format::McpServerCard,
        r#"{"serverInfo":{"name":"s"},"transport":{"type":"sse","endpoint":"/m"},"tools":[{"name":"a"},{"name":"b"}],"authentication":{@}}"#,
    ),
    (
        <mcp_card::auth::SchemeObject<'_> as Table>::NAMES,
        Format::McpServerCard,
        r#"{"serverInfo":{"name":"s"},"transport":{"type":"sse","endpoint":"/m"},"tools":[{"name":"a"}],"authentication":{"schemes":[{@}]}}"#,
    ),
    (
        <a2a::Top<'_> as Table>::NAMES,
        Format::A2aAgentCard,
        r#"{"name":"S","description":"D","version":"1","url":"https://e.example/a","capabilities":{},"skills":[{"id":"a","name":"A","description":"D","tags":["t"]}],@}"#,
    ),
    (
        <a2a::ProviderObject<'_> as Table>::NAMES,
        Format::A2aAgentCard,
        r#"{"name":"S","description":"D","version":"1","protocolVersion":"0.3.0","url":"https://e.example/a","provider":{"url":"https://e.example",@},"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"a","name":"A","description":"D","tags":["t"]}]}"#,
    ),
    (
        <a2a::InterfaceObject<'_> as Table>::NAMES,
        Format::A2aAgentCard,
        r#"{"name":"S","description":"D","version":"1","supportedInterfaces":[{"url":"https://e.example/a","tenant":"t",@}],"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"a","name":"A","description":"D","tags":["t"]}]}"#,
    ),
    (
        <a2a::FeaturesObject<'_> as Table>::NAMES,
        Format::A2aAgentCard,
        r#"{"name":"S","description":"D","version":"1","supportedInterfaces":[{"url":"https://e.example/a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{@},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"a","name":"A","description":"D","tags":["t"]}]}"#,
    ),
    (
        <a2a::SkillObject<'_> as Table>::NAMES,
        Format::A2aAgentCard,
        r#"{"name":"S","description":"D","version":"1","supportedInterfaces":[{"url":"https://e.example/a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"a","name":"A","description":"D","tags":["t"],@}]}"#,
    ),
    (
        <a2a::security::SchemeObject<'_> as Table>::NAMES,
        Format::A2aAgentCard,
        r#"{"name":"S","description":"D","version":"1","supportedInterfaces":[{"url":"https://e.example/a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"a","name":"A","description":"D","tags":["t"]}],"securitySchemes":{"k":{@}},"securityRequirements":[{"schemes":{"k":{}}}]}"#,
    ),
    (
        <a2a::security::FlowsObject<'_> as Table>::NAMES,
        Format::A2aAgentCard,
        r#"{"name":"S","description":"D","version":"1","supportedInterfaces":[{"url":"https://e.example/a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"a","name":"A","description":"D","tags":["t"]}],"securitySchemes":{"k":{"oauth2SecurityScheme":{"flows":{@}}}},"securityRequirements":[{"schemes":{"k":{}}}]}"#,
    ),
    (
        <a2a::security::FlowObject<'_> as Table>::NAMES,
        Format::A2aAgentCard,
        r#"{"name":"S","description":"D","version":"1","supportedInterfaces":[{"url":"https://e.example/a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"a","name":"A","description":"D","tags":["t"]}],"securitySchemes":{"k":{"oauth2SecurityScheme":{"flows":{"clientCredentials":{@}}}}},"securityRequirements":[{"schemes":{"k":{}}}]}"#,
    ),
    (
        <ai_catalog::Entry<'_> as Table>::NAMES,
        Format::AiCatalog,
        r#"{"specVersion":"1.0","host":{"displayName":"H"},"entries":[{"identifier":"urn:air:e.example:a","displayName":"A","url":"https://e.example/a",@}]}"#,
    ),
    (
        <agents_json_01::Top<'_> as Table>::NAMES,
        Format::AgentsJson01,
        r#"{"site":{"name":"S","url":"https://e.example"},"capabilities":[{"name":"a","endpoint":"/a","method":"GET"}],@}"#,
    ),
    (
        <agents_json_01::SessionObject<'_> as Table>::NAMES,
        Format::AgentsJson01,
        r#"{"schema_version":"0.1.0","site":{"name":"S","url":"https://e.example"},"capabilities":[{"name":"a","endpoint":"/a","method":"GET"}],"session":{@}}"#,
    ),
    (
        <agents_json_01::RateLimitObject<'_> as Table>::NAMES,
        Format::AgentsJson01,
        r#"{"schema_version":"0.1.0","site":{"name":"S","url":"https://e.example"},"capabilities":[{"name":"a","endpoint":"/a","method":"GET"}],"rate_limit":{@}}"#,
    ),
    (<ucp::Top<'_> as Table>::NAMES, Format::UcpProfile, r#"{"ucp":{"version":"2026-04-08"},@}"#),
    (<x402::Top<'_> as Table>::NAMES, Format::X402, r#"{"x402Version":2,@}"#),
    (
        <x402::Requirement<'_> as Table>::NAMES,
        Format::X402,
        r#"{"x402Version":2,"accepts":[{"scheme":"exact","network":"base","asset":"a","payTo":"p",@}]}"#,
    ),
    (
        <x402::Item<'_> as Table>::NAMES,
        Format::X402,
        r#"{"x402Version":2,"items":[{"accepts":[],@}]}"#,
    ),
];

const VALUES: &[&str] = &[
    "5",
    "5000",
    "true",
    "false",
    r#""none""#,
    r#""bearer""#,
    r#"{"type":"none"}"#,
    r#"{"type":"bearer"}"#,
    "[]",
    r#"["a"]"#,
    r#"["b","c"]"#,
    "null",
];

/// What a decision states, apart from positions.
#[derive(PartialEq, Debug)]
struct Stated {
    allowed: bool,
    reason: &'static str,
    need: AuthNeed,
    kind: String,
    limit: Option<u32>,
    confirmation: String,
    /// The model, without metadata.
    model: String,
    /// Codes and severities of the findings, without positions and messages.
    findings: Vec<(Code, Severity)>,
}

impl Stated {
    fn of(text: &str, format: Format) -> Option<Self> {
        let options = ParseOptions { format: Some(format), ..ParseOptions::default() };
        let document = Document::parse_with(text.as_bytes(), &options).ok()?;
        let documents = [document];
        let mut request = Request::capability("Bot", "a");
        request.origin = Some("https://e.example");
        let decision: Decision<'_> = decide(&documents, Robots::NotAsked, &request);
        let mut findings = Vec::new();
        document.check(&CheckOptions::default(), |found| {
            findings.push((found.code, found.severity));
        });
        findings.sort();
        let auth = decision.auth();
        let shown = |value: &dyn Debug| format!("{value:?}");
        let limit = decision.advisory_limit().map(|limit| limit.requests);
        let service = document.manifest().auth();
        let lists =
            service.map(|auth| auth.required_for.map(|it| it.to_string()).collect::<Vec<_>>());
        Some(Self {
            allowed: decision.allowed,
            reason: decision.reason.as_str(),
            need: auth.need,
            kind: shown(&auth.kind.value),
            limit,
            confirmation: shown(&decision.human),
            model: shown(&lists.map(|mut lists| {
                lists.sort();
                lists
            })),
            findings,
        })
    }

    fn contradictions(&self) -> usize {
        self.findings.iter().filter(|(code, _)| *code == Code::Contradiction).count()
    }

    /// Whether this permits nothing that the other one forbids.
    fn is_as_strict_as(&self, other: &Self) -> bool {
        let is_less = |own: Option<u32>, limit: Option<u32>| match (own, limit) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(limit)) => own <= limit,
        };
        self.allowed <= other.allowed
            && self.need.max(AuthNeed::None) >= other.need.max(AuthNeed::None)
            && is_less(self.limit, other.limit)
    }
}

/// Values under several names are weighed. Objects inside each other must not multiply that work.
#[test]
fn objects_inside_themselves_are_read_in_bounded_time() {
    for (names, format, template) in TABLES {
        for alias in names.names.iter().filter(|name| name.rank > 0) {
            let name = std::str::from_utf8(alias.name).unwrap();
            for (open, close) in [("{", "}"), ("[{", "}]")] {
                let mut members = format!("\"{name}\":1");
                for _ in 0..24 {
                    members = format!("\"{name}\":{open}{members}{close}");
                }
                let started = std::time::Instant::now();
                Stated::of(&template.replace('@', &members), *format);
                assert!(started.elapsed().as_secs() < 10, "{format} {name}");
            }
        }
    }
}

#[test]
fn the_order_of_two_names_changes_nothing_and_the_stricter_value_counts() {
    let mut failures = Vec::new();
    for (names, format, template) in TABLES {
        let with = |members: &str| {
            let text = match members {
                "" => template.replace(",@", "").replace('@', ""),
                _ => template.replace('@', members),
            };
            (Stated::of(&text, *format), text)
        };
        for alias in names.names.iter().filter(|name| name.rank > 0) {
            let own = names.names.iter().find(|own| own.field == alias.field && own.rank == 0);
            let [own_name, alias_name] =
                [own.unwrap().name, alias.name].map(|name| std::str::from_utf8(name).unwrap());
            let weigh = names.weights[alias.field as usize];
            let restricts = VALUES.iter().any(|value| weigh(Value::trusted(value.as_bytes())) > 0);
            let alone = |name: &str| -> Vec<_> {
                VALUES.iter().map(|value| with(&format!("\"{name}\":{value}")).0).collect()
            };
            let (own_alone, alias_alone) = (alone(own_name), alone(alias_name));
            let pairs = VALUES
                .iter()
                .zip(&own_alone)
                .flat_map(|one| VALUES.iter().zip(&alias_alone).map(move |two| (one, two)));
            for ((one, own_alone), (two, alias_alone)) in pairs {
                let (a, b) = (format!("\"{own_name}\":{one}"), format!("\"{alias_name}\":{two}"));
                let (first, text) = with(&format!("{a},{b}"));
                let (second, _) = with(&format!("{b},{a}"));
                let (Some(first), Some(second)) = (first, second) else { continue };
                if first != second {
                    failures.push(format!("order: {text}\n {first:?}\n {second:?}"));
                    continue;
                }
                let is_stated_once = one == two || *one == "null" || *two == "null";
                let other = alias_alone.as_ref().unwrap();
                let alone = if *one == "null" { other } else { own_alone.as_ref().unwrap() };
                let expected = if is_stated_once { 0 } else { 2 };
                let added = first.contradictions().saturating_sub(alone.contradictions());
                // A JSON Schema may have members of any name.
                let is_checked = !template.contains("inputSchema");
                if is_checked && added != expected {
                    failures.push(format!("{added} contradictions: {text}"));
                }
                if !first.is_as_strict_as(alone)
                    || restricts && *two != "null" && !first.is_as_strict_as(other)
                {
                    failures.push(format!("lax: {text}\n {first:?}\n {alone:?}\n {other:?}"));
                }
            }
        }
    }
    let count = failures.len();
    failures.truncate(20);
    assert!(failures.is_empty(), "{count} failures:\n{}", failures.join("\n"));
}

/// Each key of a text format that has an alias, the alias, and a document in which `@` stands for
/// two lines.
const TEXTS: &[(&str, &str, Format, &str)] = &[
    ("Site-Contact", "Contact", Format::AgentsTxt, DRAFT),
    ("Site-Privacy-Policy", "Privacy-Policy", Format::AgentsTxt, DRAFT),
    ("Site", "Name", Format::AgentsTxt01, "@URL: https://e.example\nAllow: a\n"),
    (
        "Agents-JSON",
        "Capabilities-URL",
        Format::AgentsTxt01,
        "Site: S\nURL: https://e.example\n@Allow: a\n",
    ),
];

const DRAFT: &str = "Spec-Version: 1.0\nSite-Name: S\nSite-URL: https://e.example\n@Allow: /\nCapability: a\n  Endpoint: https://e.example/a\n  Protocol: REST\n";

const LINES: &[&str] =
    &["https://e.example/a", "https://e.example/b", "/a", "a@e.example", "b", "none", ""];

#[test]
fn the_order_of_two_keys_changes_nothing_and_the_specified_one_counts() {
    // What the model says of the site.
    let site = |text: &str, format: Format| {
        let options = ParseOptions { format: Some(format), ..ParseOptions::default() };
        let document = Document::parse_with(text.as_bytes(), &options).unwrap();
        format!("{:?}", document.manifest().service())
    };
    for (own, alias, format, template) in TEXTS {
        for (one, two) in LINES.iter().flat_map(|one| LINES.iter().map(move |two| (one, two))) {
            let (a, b) = (format!("{own}: {one}\n"), format!("{alias}: {two}\n"));
            let texts = [&a, &format!("{a}{b}"), &format!("{b}{a}")]
                .map(|lines| template.replace('@', lines));
            let [alone, first, second] =
                [0, 1, 2].map(|at: usize| Stated::of(&texts[at], *format).unwrap());
            assert_eq!(first, second, "order: {}", texts[1]);
            assert!(first.is_as_strict_as(&alone), "lax: {}", texts[1]);
            if !one.is_empty() {
                // An empty value is reported as such, whether or not it is also a contradiction.
                let expected = if one == two { 0 } else { 2 };
                let is_clear = two.is_empty() || first.contradictions() == expected;
                assert!(is_clear, "{} contradictions: {}", first.contradictions(), texts[1]);
                let sites = [0, 1, 2].map(|at: usize| site(&texts[at], *format));
                assert!(sites.iter().all(|site| *site == sites[0]), "{}: {sites:?}", texts[1]);
            }
        }
    }
}

#[test]
fn every_key_with_an_alias_is_listed() {
    let (draft, older) =
        (include_str!("draft/vocabulary.rs"), include_str!("agents_01/agents_txt/mod.rs"));
    let rows = |text: &str, mark: &str| text.lines().filter(|line| line.contains(mark)).count();
    // `Capabilities` is no alias of a field with one value: the names of both lines are read.
    let written = rows(draft, " | \"") + rows(older, ", true)),") - 1;
    assert_eq!(TEXTS.len(), written, "add the keys to TEXTS");
}

#[test]
fn every_table_with_aliases_is_listed() {
    let listed: usize = TABLES
        .iter()
        .map(|(names, ..)| names.names.iter().filter(|name| name.rank > 0).count())
        .sum();
    let mut written = 0;
    let mut folders =
        std::vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/format"))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.ends_with("tests.rs") {
                continue;
            }
            if entry.is_dir() {
                folders.push(entry);
                continue;
            }
            let text = std::fs::read_to_string(&entry).unwrap();
            let rows = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .filter(|line| line.contains("= b\"") || line.trim_start().starts_with("| b\""));
            written += rows.map(|line| line.matches("| b\"").count()).sum::<usize>();
        }
    }
    assert_eq!(listed, written, "add the table to TABLES");
}
