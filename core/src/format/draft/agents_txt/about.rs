//! What other modules ask about this format.

use super::{AgentsTxt, check, reading};
use crate::diagnostic::{Severity, Spec};
use crate::format::about::{About, Authenticates, MONTH, TEXT, Takes};
use crate::format::facts::{Published, Serving};
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
        authenticates: Authenticates::Capabilities,
        published: Published {
            document: "agents.txt",
            specification: "Internet-Draft draft-car-agents-txt-wellknown-00",
            spec: Spec::InternetDraft,
            serving: Some(Serving {
                types: &["text/plain"],
                is_type_required: true,
                needs_charset: true,
                cache: Some(Severity::Warning),
                cors: Some(Severity::Warning),
                methods: &["GET", "OPTIONS"],
                sections: ["2.1", "2.1", "5", "5"],
            }),
            registry: Some(1),
            ..Published::NOTHING
        },
        lines: Kind::Draft,
        ..About::NOTHING
    };
}
