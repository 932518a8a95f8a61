//! What other modules ask about this format.

use super::{AgentsMd, reading};
use crate::format::about::{About, DAY, HOUR, MARKDOWN, MONTH, Takes};
use crate::format::robots_txt::unread::Kind;

impl AgentsMd<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        parse: reading::parse,
        check: |bytes, outline, origin, _, report| {
            AgentsMd::attach(bytes, outline).findings(origin, |finding| report.add(finding));
        },
        reports_mark: true,
        rank: 4,
        has_protocols: true,
        takes: Takes::Services,
        locations: &["/.well-known/agents.md", "/agents.md"],
        accept: MARKDOWN,
        heeds_robots: false,
        keeping: (DAY, HOUR, MONTH),
        relations: &["agents-md"],
        endings: &["/agents.md"],
        lines: Kind::Markdown,
        ..About::NOTHING
    };
}
