//! What other modules ask about this format.

use super::{Awp, LISTS, Top, check, signs};
use crate::diagnostic::Spec;
use crate::format::about::{About, Authenticates, Opening, Takes};
use crate::format::facts::{Published, Serving};
use crate::syntax::json::lookup::Lookup;

impl Awp<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        lists: Some(LISTS),
        check: |bytes, outline, origin, scratch, report| {
            check::check(&Awp::attach(bytes, outline), bytes, origin, scratch, report);
        },
        rank: 5,
        calls_by_http: true,
        has_protocols: true,
        takes: Takes::Services,
        locations: &["/agent.json", "/.well-known/agent.json"],
        heeds_robots: false,
        openings: &[Opening::sure(b"awp_version")],
        signs: signs::SIGNS,
        marks: signs::MARKS,
        schemas: &[(b"agentwebprotocol", 0), (b"agent-json.org", 0)],
        counted: signs::ALL,
        rules: signs::RULES,
        placed: signs::PLACED,
        authenticates: Authenticates::Actions,
        published: Published {
            document: "agent.json",
            specification: "Agent Web Protocol 0.2",
            spec: Spec::Awp,
            serving: Some(Serving {
                is_type_required: true,
                sections: ["3", "3", "", ""],
                ..Serving::JSON
            }),
            registry: Some(3),
            ..Published::NOTHING
        },
        ..About::NOTHING
    };
}
