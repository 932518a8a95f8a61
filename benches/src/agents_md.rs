//! agents.md: from bytes to every value.

use agentsdisc_core::ParseOptions;

use crate::{Task, Toucher, touch, walk};

/// Ours, and what a reader of Markdown does alone.
pub fn tasks() -> Vec<Task> {
    vec![
        // Detection, front matter, blocks of Markdown; then every accessor of the unified model. No heap.
        Task::new("agentsdisc read", |bytes| {
            let mut toucher = Toucher::default();
            walk::read(bytes, &ParseOptions::default(), &mut toucher).ok().map(|()| toucher.0)
        }),
        // All of CommonMark, inline markup too, as events that nobody looks at closely. Front matter reads as Markdown.
        Task::new("pulldown-cmark events", |bytes| {
            let text = std::str::from_utf8(bytes).ok()?;
            Some(
                pulldown_cmark::Parser::new(text)
                    .map(|event| match event {
                        pulldown_cmark::Event::Text(text) | pulldown_cmark::Event::Code(text) => touch(text.as_bytes()),
                        _ => 1,
                    })
                    .sum(),
            )
        }),
    ]
}
