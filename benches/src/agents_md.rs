//! agents.md: from bytes to all values.

use agentsdisc_core::Document;
use agentsdisc_core::format::agents_md::{Entry, SectionKind};
use agentsdisc_core::syntax::text::Text;

use crate::{Task, read_unified, touch};

/// This library, and a Markdown parser alone.
pub fn tasks() -> Vec<Task> {
    vec![
        // Detection, front matter, Markdown blocks; then all values from the typed view. No heap.
        Task::new("agentsdisc read", typed),
        // Like the first task, but with all accessors of the unified model, each of which walks its
        // part of the document again.
        Task::new("agentsdisc read, unified", read_unified),
        pulldown_cmark(),
    ]
}

/// All of CommonMark, including inline markup, as events that are only counted. Front matter is
/// read as Markdown.
pub(crate) fn pulldown_cmark() -> Task {
    Task::new("pulldown-cmark events", |bytes| {
        let text = std::str::from_utf8(bytes).ok()?;
        Some(
            pulldown_cmark::Parser::new(text)
                .map(|event| match event {
                    pulldown_cmark::Event::Text(text) | pulldown_cmark::Event::Code(text) => {
                        touch(text.as_bytes())
                    }
                    _ => 1,
                })
                .sum(),
        )
    })
}

fn typed(bytes: &[u8]) -> Option<u64> {
    let document = Document::parse(bytes).ok()?;
    let view = document.agents_md()?;
    let text = |text: Option<Text<'_>>| text.map_or(0, |text| touch(text.raw()));
    let mut sum = text(view.version()) + text(view.title()) + text(view.description());
    if let Some(mcp) = view.mcp() {
        sum += text(mcp.endpoint) + text(mcp.transport_text) + text(mcp.auth_text);
    }
    // The whole body in one walk; the sentences of Behavior are searched for rates and caching
    // times.
    let mut walk = view.walk();
    while let Some(entry) = walk.next() {
        sum += match entry {
            Entry::Item(item) if walk.section() == Some(SectionKind::Behavior) => {
                let rate = item.rate().map_or(0, |rate| u64::from(rate.requests));
                touch(item.text.raw()) + rate + u64::from(item.cache_seconds().unwrap_or_default())
            }
            Entry::Item(item) => touch(item.text.raw()) + u64::from(item.depth),
            Entry::Section(section) => touch(section.name.raw()),
            Entry::Heading(_, text) | Entry::Paragraph(text) => touch(text.raw()),
            Entry::Code(lines) | Entry::Html(lines) => touch(lines),
        };
    }
    Some(sum)
}
