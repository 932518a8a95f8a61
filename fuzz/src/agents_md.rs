//! agents.md: reads, checks and writes any bytes.

use agentsdisc_core::format::agents_md::{AgentsMd, AgentsMdOutline, Section, SectionKind};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Format, Limits, ParseOptions};

use crate::common;

/// The typed view: texts are slices of the document, and items of a kind are those of its sections.
fn view(document: &AgentsMd<'_>) {
    let range = document.bytes().as_ptr_range();
    let inside = |text: Text<'_>| {
        let raw = text.raw();
        assert!(
            raw.is_empty() || range.start <= raw.as_ptr() && raw.as_ptr_range().end <= range.end,
            "a view outside of the document"
        );
        assert_eq!(text.decoded_len(), text.to_string().len());
    };
    let mcp = document.mcp();
    [document.version(), document.title(), document.description()]
        .into_iter()
        .flatten()
        .for_each(inside);
    mcp.iter()
        .flat_map(|mcp| [mcp.endpoint, mcp.transport_text, mcp.auth_text])
        .flatten()
        .for_each(inside);
    document.metadata().chain(document.mcp_metadata()).for_each(|(key, _)| inside(key.text));
    for section in document.sections() {
        inside(section.name);
        section.paragraphs().for_each(inside);
        section.items().for_each(|item| [item.text, item.marker].into_iter().for_each(inside));
        let rules = |same: Section<'_>| {
            let paragraphs = same
                .paragraphs()
                .filter(|text| same.kind == SectionKind::Behavior && !text.raw().is_empty());
            same.items().count() + paragraphs.count()
        };
        let items: usize =
            document.sections().filter(|other| other.kind == section.kind).map(rules).sum();
        assert_eq!(document.items(section.kind).count(), items);
    }
    document.contacts().for_each(|contact| inside(contact.text));
    let _ = (
        document.walk().count(),
        document.rates().count(),
        document.cache_seconds(),
        document.has_known_section(),
    );
}

/// Reads one input.
pub fn run(bytes: &[u8]) {
    let options = ParseOptions { format: Some(Format::AgentsMd), ..ParseOptions::default() };
    common::exercise(bytes, &options);
    let limits = Limits { document: 200, depth: 3, line: 40, ..Limits::DEFAULT };
    common::exercise(bytes, &ParseOptions { limits, ..options });
    if let Ok(outline) = AgentsMdOutline::read(bytes, &Limits::DEFAULT) {
        view(&outline.attach(bytes));
        view(&outline.attach(&bytes[..bytes.len() / 2]));
    }
}
