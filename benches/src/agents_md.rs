//! agents.md: from bytes to every value.

use agentsdisc_core::Document;
use agentsdisc_core::format::agents_md::{Entry, SectionKind};
use agentsdisc_core::syntax::text::Text;

use crate::{Task, read_unified, touch};

/// Ours, and what a reader of Markdown does alone.
pub fn tasks() -> Vec<Task> {
    vec![
        // Detection, front matter, blocks of Markdown; then every value from the typed view. No heap.
        Task::new("agentsdisc read", typed),
        // The same; then every accessor of the unified model, each of which walks its part again.
        Task::new("agentsdisc read, unified", read_unified),
        // All of CommonMark, inline markup too, as events that nobody looks at closely. Front matter reads as Markdown.
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
        }),
    ]
}

fn typed(bytes: &[u8]) -> Option<u64> {
    let document = Document::parse(bytes).ok()?;
    let view = document.agents_md()?;
    let text = |text: Option<Text<'_>>| text.map_or(0, |text| touch(text.raw()));
    let mut sum = text(view.version()) + text(view.title()) + text(view.description());
    if let Some(mcp) = view.mcp() {
        sum += text(mcp.endpoint) + text(mcp.transport_text) + text(mcp.auth_text);
    }
    // The whole body in one walk; sentences of Behavior are looked at for rates and times of caching.
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
            Entry::Code(code) => touch(code),
        };
    }
    Some(sum)
}
