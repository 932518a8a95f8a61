//! agents.md in the unified model: compares the lists, which resume from a few words of state, with
//! the walks, which keep their state.

// Clippy allows indexing in tests, but not in their helpers.
use agentsdisc_core::format::agents_md::{AgentsMd, Entry, SectionKind};
use agentsdisc_core::manifest::{List, Raw};
use agentsdisc_core::syntax::markdown::{Blocks, Kind};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::syntax::yaml::Value;
use agentsdisc_core::{Document, Error, ErrorKind, Format, Limits, ParseOptions};
use proptest::prelude::*;

use crate::common::time;

fn parse(text: &[u8], limits: Limits) -> Result<Document<'_>, Error> {
    Document::parse_with(
        text,
        &ParseOptions { format: Some(Format::AgentsMd), limits, ..ParseOptions::default() },
    )
}

fn texts<'a>(list: impl Iterator<Item = Text<'a>>) -> Vec<String> {
    list.map(|text| text.to_string()).collect()
}

/// Compares the model with the typed view of a document, with the outline of the document and with
/// a separate one.
fn compare(text: &[u8]) {
    let Ok(document) = parse(text, Limits::DEFAULT) else {
        return;
    };
    let (site, model) = (document.agents_md().unwrap(), document.manifest());
    assert_eq!(site.outline(), AgentsMd::parse(text, &Limits::DEFAULT).unwrap().outline());
    let permissions = model.permissions();
    assert_eq!(texts(permissions.can), texts(site.can().map(|item| item.text)));
    assert_eq!(texts(permissions.cannot), texts(site.cannot().map(|item| item.text)));
    let (mut walk, mut prose) = (site.walk(), Vec::new());
    while let Some(entry) = walk.next() {
        if let Entry::Paragraph(text) = entry
            && walk.section() == Some(SectionKind::Cannot)
            && !text.raw().is_empty()
        {
            prose.push(text);
        }
    }
    assert_eq!(texts(permissions.cannot_prose), texts(prose.into_iter()));
    let items = site.walk().filter_map(|entry| match entry {
        Entry::Item(item) if !item.text.raw().is_empty() => Some(item.text),
        _ => None,
    });
    // In and around quotes, texts have a rule of their own.
    if !text.contains(&b'>') {
        assert_eq!(texts(items), item_texts(site.body()));
    }
    assert_eq!(texts(permissions.behavior), texts(site.behavior().map(|item| item.text)));
    assert!(
        model.rate_limits().map(|rate| rate.requests).eq(site.rates().map(|rate| rate.requests))
    );
    assert_eq!(model.cache_seconds(), site.cache_seconds());
    let contact = model.service().map_or_else(List::empty, |service| service.contact);
    assert_eq!(texts(contact), texts(site.contacts().map(|contact| contact.text)));
    // Members that were read as fields are not in the metadata, so it contains at most what the
    // view returns.
    let keys: Vec<_> = texts(model.metadata().map(|member| member.name));
    let unknown = texts(site.metadata().map(|(key, _)| key.text));
    assert_eq!(
        keys.iter()
            .filter(|key| !key.eq_ignore_ascii_case("mcp") && !key.eq_ignore_ascii_case("version"))
            .count(),
        unknown.len()
    );
    let mut others = site.metadata();
    for member in model.metadata() {
        if member.name.eq_ignore_case("mcp") || member.name.eq_ignore_case("version") {
            continue;
        }
        let (key, value) = others.next().unwrap();
        assert_eq!(key.text, member.name);
        if let (Value::Scalar(scalar), Raw::Text(text)) = (value, member.value) {
            assert_eq!(scalar.text, text);
        }
    }
    let gateway = model.endpoints().next();
    assert_eq!(gateway.is_some(), site.mcp().is_some());
    if let (Some(endpoint), Some(mcp)) = (gateway, site.mcp()) {
        assert_eq!(endpoint.url, mcp.endpoint);
        assert_eq!(endpoint.transport.and_then(|transport| transport.text), mcp.transport_text);
        assert_eq!(endpoint.auth.and_then(|auth| auth.text), mcp.auth_text);
        assert!(endpoint.extra.count() <= text.len());
    }
    let mut json = vec![0; document.json_len()];
    document.write_json(&mut json).unwrap();
    serde_json::from_slice::<serde_json::Value>(&json).unwrap();
}

/// The texts of all items of a document without quotes: the paragraphs and headings of each.
fn item_texts(body: &[u8]) -> Vec<String> {
    let (mut open, mut found) = (Vec::new(), Vec::<Vec<String>>::new());
    for block in Blocks::new(body, Limits::MAX_DEPTH) {
        let depth = usize::from(block.depth);
        open.truncate(depth - usize::from(block.kind == Kind::Item));
        match block.kind {
            Kind::Item => {
                open.push(found.len());
                found.push(Vec::new());
            }
            // The heading opens a section.
            Kind::Heading(_) if is_cannot(&block.text.to_string()) => open.fill(usize::MAX),
            Kind::Paragraph | Kind::Heading(_) if depth > 0 && !block.text.raw().is_empty() => {
                if let Some(texts) = found.get_mut(open[depth - 1]) {
                    texts.push(block.text.to_string());
                }
            }
            _ => {}
        }
    }
    found.retain(|texts| !texts.is_empty());
    found.iter().map(|texts| texts.join("\n\n")).collect()
}

/// Whether a heading is the name Cannot, also behind more number signs.
fn is_cannot(heading: &str) -> bool {
    heading.trim_start_matches(['#', ' ']) == "Cannot"
}

/// Common and unusual lines.
fn line() -> impl Strategy<Value = String> {
    let indent = prop::sample::select(vec![
        "", "", "", " ", "  ", "   ", "    ", "\t", "      ", "> ", ">", "> > ", ">  ",
    ]);
    let marker = prop::sample::select(vec![
        "", "", "", "- ", "- ", "* ", "+\t", "1. ", "10) ", "-    ", "- - ", "-", "> - ", "# ",
        "## ",
    ]);
    let text = prop::sample::select(vec![
        "",
        "a",
        "b c",
        "a@b.test",
        "1 request/second",
        "Cache it 1 hour",
        "Cache it 2 days",
        "endpoint: https://a.test",
        "auth: none",
        "auth:",
        "extra: [a, {b: c}]",
        "x: y",
        "k:",
        "## Can",
        "## Cannot",
        "## Behavior",
        "## Contact",
        "## MCP",
        "## Other",
        "Can",
        "Cannot",
        "**Never**",
        "Do not:",
        "Not b",
        "### Not c",
        "Never 1 request/second.",
        "---",
        "===",
        "```",
        "~~~",
        "<!-- x",
        "-->",
        "<b>",
        "***",
        "#",
        "> quoted",
        "'q: r",
        "version: 1",
        "mcp: x",
        "mcp:",
    ]);
    (
        indent,
        marker,
        text,
        prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "\r", "  \n", "\n\n"]),
    )
        .prop_map(|(indent, marker, text, end)| format!("{indent}{marker}{text}{end}"))
}

proptest! {
    #![proptest_config(crate::common::cases(3000))]

    #[test]
    fn lists_equal_the_walks(start in prop::sample::select(vec!["", "---\n", "## Can\n", "## Contact\n", "## MCP\n", "\u{feff}---\n"]), lines in prop::collection::vec(line(), 0..24)) {
        compare((start.to_string() + &lines.concat()).as_bytes());
    }

    #[test]
    fn any_front_matter_is_read_alike(flow in any::<bool>(), lines in prop::collection::vec(prop::sample::select(vec![
        "a: b", "  c: d", "mcp:", "  endpoint: x", "  - y", "- z", "k: {l: m, n: [o]}", "q: 'r", "  s'", "t: |", "u: >-", "  text", "\tv: w", "# c", "",
        "x: &y z", "version: [1]", "version: 1.0", "mcp: {auth: none, x: y}", "--- e", "... f", "{g: h, i: j}", "'k': l", "? m", "   n: o"]), 0..16)) {
        let body = if flow { format!("{{{}}}", lines.join(", ")) } else { lines.join("\n") };
        compare(format!("---\n{body}\n---\n# T\n").as_bytes());
    }
}

#[test]
fn every_truncation_is_read_alike() {
    let text = "\u{feff}---\na: \"x\\u00e9\n  y\"\nb: |2-\n   c\nd: [e, {f: 'g'}]\nmcp:\n  endpoint: https://a.test\n  z: 1\n...\nT\n=\n> q\n> - 1) x\n>\n>   y\n\n~~~\n## Can\n~~~\n\
                <pre>\n</pre>\n## Can\n- a\n  - b\n\n    c\n- # d\n- e\n  ===\n## Contact\n- <a@b>\n> x\n> y\n\nz\nw\n\n- # h\n- i\n  ---\n## MCP\n```\nendpoint: x\nq: r\n```\ns: t\n";
    for end in 0..=text.len() {
        compare(&text.as_bytes()[..end]);
    }
    // The heading of the item is both lines.
    compare(b" - a\nCannot\n   ----\n");
}

#[test]
fn every_change_of_a_common_document_is_read_alike() {
    let usual = "---\nversion: 1.0\nmcp:\n  endpoint: https://a.example/mcp\n  auth: none\nother: x\n---\n\n# A\n\nWhat it is.\n\n## Can\n\n- a\n- b\n\n\
        ## Behavior\n\n- 1 request/second\n- Cache 2 hours\n\n## Contact\n\n- a@a.example\n\nhttps://a.example/help\n";
    for at in 0..usual.len() {
        for byte in *b"\n\r\t -#:ax1" {
            let mut changed = usual.as_bytes().to_vec();
            changed[at] = byte;
            compare(&changed);
        }
    }
}

#[test]
fn a_list_has_a_bounded_size() {
    assert!(size_of::<List<'_, Text<'_>>>() <= 48);
}

#[test]
fn containers_are_read_up_to_64_levels() {
    let can = |text: &str| {
        parse(text.as_bytes(), Limits::DEFAULT)
            .map(|document| texts(document.manifest().permissions().can))
    };
    assert_eq!(
        can(&format!("## Can\n{}a\n- b\n", "- ".repeat(64))),
        Ok(vec!["a".into(), "b".into()])
    );
    assert_eq!(can(&format!("## Can\n{} - a\n", ">".repeat(63))), Ok(vec!["a".into()]));
    for deep in [
        format!("{}a\n", "- ".repeat(65)),
        format!("{}a\n", ">".repeat(65)),
        format!("{}a\n", "1234567. ".repeat(20)),
    ] {
        let text = format!("## Can\n{deep}");
        assert_eq!(
            parse(text.as_bytes(), Limits::DEFAULT).map(|_| ()).map_err(|error| error.kind),
            Err(ErrorKind::TooDeep),
            "{deep}"
        );
    }
    // A higher nesting limit does not help beyond 128 columns.
    let limits = Limits { depth: 256, ..Limits::DEFAULT };
    let kind =
        |text: String| parse(text.as_bytes(), limits).map(|_| ()).map_err(|error| error.kind);
    assert_eq!(kind(format!("## Can\n{}a\n", ">".repeat(128))), Ok(()));
    assert_eq!(kind(format!("## Can\n{}a\n", ">".repeat(129))), Err(ErrorKind::TooDeep));
}

/// Each of these lists is long in one way. If one were not linear, the test would take minutes.
#[test]
fn walks_over_lists_are_linear() {
    let samples: [fn(usize) -> String; 11] = [
        |n| "## Can\n".to_string() + &"- a\n".repeat(n),
        |n| {
            "## Can\n".to_string()
                + &"- ".repeat(60)
                + "a\n"
                + &format!("{}- b\n", "  ".repeat(59)).repeat(n / 8)
        },
        |n| "## Can\n- a\n".to_string() + &"\n  b\n".repeat(n),
        |n| "## Cannot\n".to_string() + &"- a\n\n  ```\n  ```\n  b\n  - c\n\n  d\n".repeat(n / 8),
        |n| {
            "## Cannot\n".to_string()
                + &"- ".repeat(60)
                + "a\n"
                + &(0..n / 32)
                    .map(|i| format!("\n{}b\n", "  ".repeat(60 - i * 60 / (n / 32))))
                    .collect::<String>()
        },
        |n| "## Can\n- a\n\n".to_string() + &"b\n".repeat(n),
        |n| "## Contact\n".to_string() + &"a@b\n".repeat(n),
        |n| "## Contact\n".to_string() + &"> a@b\n".repeat(n),
        |n| "## MCP\n```\n".to_string() + &"a: b\n".repeat(n) + "```\n",
        |n| "## MCP\n".to_string() + &"a: b\n\n".repeat(n),
        |n| "---\na: {".to_string() + &"b: c, ".repeat(n) + "}\n" + &"d: e\n".repeat(n) + "---\n",
    ];
    let limits = Limits { document: 1 << 24, line: 1 << 24, ..Limits::DEFAULT };
    let start = time::processor_time();
    for sample in samples {
        assert!(parse(sample(40_000).as_bytes(), limits).unwrap().json_len() > 0);
    }
    assert!((time::processor_time() - start).as_secs() < 60);
}
