//! What other modules ask about this format.

use super::{AgentsJson, LISTS, Top, check, signs};
use crate::diagnostic::{Severity, Spec};
use crate::format::about::{About, Authenticates, MONTH, Opening, Takes};
use crate::format::facts::{Published, Serving};
use crate::syntax::json::lookup::Lookup;

impl AgentsJson<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        lists: Some(LISTS),
        check: |bytes, outline, origin, scratch, report| {
            check::check(&AgentsJson::attach(bytes, outline), bytes, origin, scratch, report);
        },
        rank: 0,
        takes: Takes::Rules,
        locations: &["/.well-known/agents.json"],
        heeds_robots: false,
        keeping: (300, 60, MONTH),
        relations: &["agents-json"],
        endings: &["/agents.json"],
        openings: &[Opening::likely(b"specVersion")],
        signs: signs::SIGNS,
        marks: signs::MARKS,
        schemas: &[(b"agents-txt-wellknown", 0)],
        counted: signs::ALL,
        rules: signs::RULES,
        placed: signs::PLACED,
        is_possible: signs::is_possible,
        authenticates: Authenticates::Capabilities,
        published: Published {
            document: "agents.json",
            specification: "Internet-Draft draft-car-agents-txt-wellknown-00",
            spec: Spec::InternetDraft,
            serving: Some(Serving {
                is_type_required: true,
                needs_charset: true,
                cache: Some(Severity::Warning),
                cors: Some(Severity::Warning),
                methods: &["GET", "OPTIONS"],
                sections: ["3.1", "3.1", "5", "5"],
                ..Serving::JSON
            }),
            registry: Some(0),
            ..Published::NOTHING
        },
        ..About::NOTHING
    };
}
