//! What other modules ask about this format.

use super::{A2aAgentCard, Top, check, signs};
use crate::diagnostic::{Severity, Spec};
use crate::format::about::{About, Authenticates, Shown};
use crate::format::facts::{Published, Serving};
use crate::rules::link_kind::LinkKind;
use crate::syntax::json::lookup::Lookup;

impl A2aAgentCard<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        check: |bytes, outline, _, scratch, report| {
            check::check(&A2aAgentCard::attach(bytes, outline), bytes, scratch, report);
        },
        rank: 9,
        has_protocols: true,
        locations: &["/.well-known/agent-card.json", "/.well-known/agent.json"],
        accept: "application/a2a-agent-card+json, application/json;q=0.9, */*;q=0.1",
        relations: &["agent-card", "a2a-agent-card"],
        media_types: &["application/a2a-agent-card+json"],
        endings: &["/agent-card.json"],
        shown: &[Shown {
            kind: LinkKind::AgentCard,
            files: &["agent-card.json"],
            well_known_files: &["agent.json"],
            words: &["agent card"],
        }],
        signs: signs::SIGNS,
        marks: signs::MARKS,
        schemas: &[(b"a2a", signs::SCHEMA)],
        counted: signs::COUNTED,
        rules: signs::RULES,
        placed: signs::PLACED,
        is_possible: signs::is_possible,
        authenticates: Authenticates::Service,
        published: Published {
            document: "agent card",
            specification: "A2A 0.2, 0.3 and 1.0",
            spec: Spec::A2a,
            other_media_types: &["application/agent-card+json"],
            serving: Some(Serving {
                types: &[
                    "application/json",
                    "application/a2a-agent-card+json",
                    "application/a2a+json",
                ],
                cache: Some(Severity::Warning),
                sections: ["8.2", "8.2", "8.6.1", ""],
                ..Serving::JSON
            }),
            registry: Some(7),
            ..Published::NOTHING
        },
        ..About::NOTHING
    };
}
