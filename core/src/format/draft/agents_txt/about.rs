//! What other modules ask about this format.

use super::{AgentsTxt, check, reading};
use crate::format::about::{About, MONTH, TEXT, Takes};
use crate::format::robots_txt::unread::Kind;

impl AgentsTxt<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        parse: reading::parse,
        check: |bytes, outline, origin, scratch, report| {
            check::check(&AgentsTxt::attach(bytes, outline), origin, scratch, report);
        },
        rank: 2,
        takes: Takes::Rules,
        locations: &["/.well-known/agents.txt", "/agents.txt"],
        accept: TEXT,
        heeds_robots: false,
        keeping: (300, 60, MONTH),
        relations: &["agents-txt"],
        endings: &["/agents.txt"],
        lines: Kind::Draft,
        ..About::NOTHING
    };
}
