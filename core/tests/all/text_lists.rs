//! Compares the lists of the line-based formats, which only walk the lines that the outline
//! recorded, with walks over all lines.

use agentsdisc_core::manifest::{List, Raw};
use agentsdisc_core::syntax::line::{Content, Lines};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Format, Limits, ParseOptions};
use proptest::prelude::*;

fn parse(text: &str, format: Format, limits: Limits) -> Document<'_> {
    Document::parse_with(
        text.as_bytes(),
        &ParseOptions { format: Some(format), limits, ..ParseOptions::default() },
    )
    .unwrap()
}

fn texts(list: List<'_, Text<'_>>) -> Vec<String> {
    list.map(|text| text.to_string()).collect()
}

/// Lines of a few kinds, with all kinds of line ends.
fn document(lines: &'static [&'static str]) -> impl Strategy<Value = String> {
    let end = prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "\r", " \n", "\n\n"]);
    let line =
        (prop::sample::select(vec!["", "", "", " ", "  ", "\t"]), prop::sample::select(lines), end);
    prop::collection::vec(
        line.prop_map(|(indent, line, end)| format!("{indent}{line}{end}")),
        0..24,
    )
    .prop_map(|lines| lines.concat())
}

const ROBOTS: &[&str] = &[
    "User-agent: *",
    "User-agent: a",
    "useragent b",
    "USER-AGENT : c # d",
    "Disallow: /x",
    "disallow:/y#z",
    "Disallow:",
    "Disallow /w",
    "dissallow: /v",
    "Allow: /u",
    "Allow:",
    "allow : /t",
    "Crawl-delay: 1",
    "crawl-delay: 2",
    "Sitemap: https://s.test/a",
    "sitemap:/b # c",
    "Site-map /c",
    "Sitemaps: d",
    "#Sitemap: e",
    "#",
    "",
    "noindex: /s",
    "Disallow: /a line that is longer than the limit",
    "Sitemap: /a line that is longer than the limit",
    "Allow: /short # but with a comment it is not",
];

/// Name, description and steps.
type Flow = (String, Option<String>, Vec<String>);

/// Returns capabilities, flows with their descriptions and steps, and metadata of an agents.txt
/// 0.1.0, from one walk over all lines.
fn flat(text: &str) -> (Vec<String>, Vec<Flow>, Vec<String>) {
    let string = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let items = |list: &str| {
        list.split(',')
            .map(|item| item.trim().to_owned())
            .filter(|item| !item.is_empty())
            .collect::<Vec<_>>()
    };
    let fields: Vec<_> = Lines::new(text.as_bytes())
        .filter_map(|line| match line.content {
            Content::Field { key, value } => Some((string(key), string(value))),
            Content::Malformed(line) => Some((string(line), String::new())),
            Content::Blank | Content::Comment(_) => None,
        })
        .collect();
    let (mut names, mut flows) = (Vec::new(), Vec::<Flow>::new());
    // Of a field with a single value, all lines are kept if the last one cannot be read.
    let readable = |key: &str, value: &str| match key {
        "audit" => value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false"),
        _ => value.strip_suffix('s').unwrap_or(value).trim().parse::<u32>().is_ok(),
    };
    let stays = |key: &str| {
        fields
            .iter()
            .rfind(|(other, _)| other.to_ascii_lowercase() == key)
            .is_some_and(|(_, value)| !readable(key, value))
    };
    let mut metadata = Vec::new();
    for (key, value) in &fields {
        let kept = match key.to_ascii_lowercase().as_str() {
            "site" | "url" => false,
            "allow" => {
                names.extend(Some(value.clone()).filter(|name| !name.is_empty()));
                false
            }
            "capabilities" => {
                names.extend(items(value));
                false
            }
            "flow" => {
                let (name, steps) = value
                    .split_once('→')
                    .map_or((value.as_str(), ""), |(name, steps)| (name, steps));
                flows.push((name.trim().to_owned(), None, items(steps)));
                false
            }
            "flow-description" => {
                let flow = flows.last_mut();
                let is_alone = flow.is_none();
                // The last description counts.
                flow.into_iter().for_each(|flow| flow.1 = Some(value.clone()));
                is_alone
            }
            key @ ("audit" | "session-ttl") => stays(key) && !readable(key, value),
            _ => true,
        };
        if kept {
            metadata.push(format!("{key}: {value}"));
        }
    }
    (names, flows, metadata)
}

const FLAT: &[&str] = &[
    "Site: a",
    "URL: https://a.test",
    "Allow: search",
    "ALLOW :b # c",
    "Allow:",
    "Capabilities: d, e,,f",
    "Capabilities:",
    "Flow: g → search, b",
    "flow: h",
    "Flow-Description: i",
    "Flow-Description:",
    "Odd: j",
    "Allowed: k",
    "Audit: true",
    "Audit: maybe",
    "Session-TTL: 60s",
    "Session-TTL: long",
    "# Allow: no",
    "no field",
    "",
];

proptest! {
    #![proptest_config(crate::common::cases(2000))]

    #[test]
    fn robots_groups_equal_the_typed_view(text in document(ROBOTS)) {
        let document = parse(&text, Format::RobotsTxt, Limits { line: 40, ..Limits::DEFAULT });
        let (typed, model) = (document.robots_txt().unwrap(), document.manifest());
        prop_assert_eq!(texts(model.sitemaps()), typed.sitemaps().map(|sitemap| sitemap.url.to_string()).collect::<Vec<_>>());
        let groups: Vec<_> = model.robots().collect();
        prop_assert_eq!(groups.len(), typed.groups().count());
        for (group, plain) in groups.into_iter().zip(typed.groups()) {
            prop_assert_eq!(texts(group.agents), plain.agents().map(|agent| agent.name.to_string()).collect::<Vec<_>>());
            let rules: Vec<_> = group.rules.map(|rule| (rule.allow, rule.pattern.to_string())).collect();
            prop_assert_eq!(rules, plain.rules().map(|rule| (rule.allow, rule.pattern.to_string())).collect::<Vec<_>>());
            prop_assert_eq!(group.crawl_delay.map(|text| text.to_string()), plain.crawl_delay().map(|delay| delay.text.to_string()));
        }
    }

    #[test]
    fn lists_of_agents_txt_0_1_equal_a_walk_over_all_lines(text in document(FLAT)) {
        let document = parse(&text, Format::AgentsTxt01, Limits::DEFAULT);
        let model = document.manifest();
        let (names, flows, metadata) = flat(&text);
        prop_assert_eq!(model.capabilities().map(|capability| capability.id.unwrap().to_string()).collect::<Vec<_>>(), names.clone());
        prop_assert_eq!(texts(document.agents_txt_01().unwrap().allow()), names);
        let found: Vec<_> = model
            .flows()
            .map(|flow| (flow.name.unwrap().to_string(), flow.description.map(|text| text.to_string()), texts(flow.steps)))
            .collect();
        prop_assert_eq!(found, flows);
        let found: Vec<_> = model
            .metadata()
            .map(|member| match member.value {
                Raw::Text(text) => format!("{}: {text}", member.name),
                Raw::Json(_) => unreachable!("a text has no JSON"),
            })
            .collect();
        prop_assert_eq!(found, metadata);
    }
}
