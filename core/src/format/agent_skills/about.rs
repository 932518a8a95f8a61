//! What other modules ask about this format.

use super::{AgentSkills, LISTS, Top, check, signs};
use crate::diagnostic::{Severity, Spec};
use crate::format::about::{About, Authenticates, Opening, Says};
use crate::format::facts::{Published, Serving};
use crate::rules::signs::SKILL_FILES;
use crate::syntax::json::lookup::Lookup;

impl AgentSkills<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        lists: Some(LISTS),
        check: |bytes, outline, _, scratch, report| {
            check::check(&AgentSkills::attach(bytes, outline), bytes, scratch, report);
        },
        says: Says::Nothing,
        locations: &["/.well-known/agent-skills/index.json", "/.well-known/skills/index.json"],
        relations: &["agent-skills"],
        endings: &["/agent-skills/index.json", "/.well-known/skills/index.json"],
        openings: &[Opening::sure(b"skills")],
        schemas: &[(b"agentskills", SKILL_FILES), (b"agent-skills", SKILL_FILES)],
        counted: SKILL_FILES,
        rules: signs::RULES,
        placed: signs::PLACED,
        authenticates: Authenticates::Capabilities,
        published: Published {
            document: "index of agent skills",
            specification: "Agent Skills Discovery 0.2 and 0.1",
            spec: Spec::AgentSkills,
            has_rival_locations: true,
            serving: Some(Serving {
                cache: Some(Severity::Info),
                cors: Some(Severity::Info),
                ..Serving::JSON
            }),
            registry: Some(9),
            ..Published::NOTHING
        },
        is_asked_for: false,
        ..About::NOTHING
    };
}
