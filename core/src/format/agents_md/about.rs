//! What other modules ask about this format.

use super::{AgentsMd, reading};
use crate::diagnostic::{Severity, Spec};
use crate::format::about::{About, Authenticates, DAY, HOUR, MARKDOWN, MONTH, Takes};
use crate::format::facts::{Published, Serving};
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
        authenticates: Authenticates::Capabilities,
        published: Published {
            document: "agents.md",
            specification: "agents.md 1.0.0-draft",
            spec: Spec::AgentsMd,
            serving: Some(Serving {
                cache: Some(Severity::Warning),
                sections: ["1", "1", "1", ""],
                ..Serving::MARKDOWN
            }),
            registry: Some(2),
            ..Published::NOTHING
        },
        lines: Kind::Markdown,
        ..About::NOTHING
    };
}
