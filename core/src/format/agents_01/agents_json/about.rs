//! What other modules ask about this format.

use super::{AgentsJson01, LISTS, Top, check, signs};
use crate::diagnostic::Spec;
use crate::format::about::{About, Authenticates, MONTH, Opening, Takes};
use crate::format::facts::{Published, Serving};
use crate::syntax::json::lookup::Lookup;

impl AgentsJson01<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        lists: Some(LISTS),
        check: |bytes, outline, _, scratch, report| {
            check::check(&AgentsJson01::attach(bytes, outline), bytes, scratch, report);
        },
        rank: 1,
        takes: Takes::Version01,
        openings: &[Opening::sure(b"schema_version"), Opening::sure(b"protocol_version")],
        signs: signs::SIGNS,
        marks: signs::MARKS,
        schemas: &[(b"kaylacar/agents-txt", 0)],
        counted: signs::ALL,
        rules: signs::RULES,
        placed: signs::PLACED,
        is_possible: signs::is_possible,
        keeping: (300, 60, MONTH),
        authenticates: Authenticates::Capabilities,
        published: Published {
            document: "agents.json",
            specification: "agents.txt 0.1.0",
            spec: Spec::AgentsTxt01,
            also_at: &["/agents.json"],
            serving: Some(Serving::JSON),
            registry: Some(5),
            ..Published::NOTHING
        },
        heeds_robots: false,
        ..About::NOTHING
    };
}
