//! What other modules ask about this format.

use super::{AgentsJson01, LISTS, Top, check, signs};
use crate::format::about::{About, Opening, Takes};
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
        heeds_robots: false,
        ..About::NOTHING
    };
}
