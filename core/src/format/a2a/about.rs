//! What other modules ask about this format.

use super::{A2aAgentCard, Top, check, signs};
use crate::format::about::{About, Shown};
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
        ..About::NOTHING
    };
}
