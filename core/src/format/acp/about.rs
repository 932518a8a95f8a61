//! What other modules ask about this format.

use super::{Acp, Top, check};
use crate::diagnostic::{Severity, Spec};
use crate::format::about::{About, Authenticates, Says};
use crate::format::facts::{Published, Serving};
use crate::rules::signs::{Mark, Rule, has_text, signs};
use crate::syntax::json::lookup::Lookup;

signs! {
    SIGNS:
    ACP = 80 "the protocol acp",
    API_BASE = 81 "member api_base_url",
}

impl Acp<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        check: |bytes, outline, _, scratch, report| {
            check::check(&Acp::attach(bytes, outline), bytes, scratch, report);
        },
        has_protocols: true,
        says: Says::Nothing,
        locations: &["/.well-known/acp.json"],
        endings: &["/.well-known/acp.json"],
        signs: SIGNS,
        // Other protocols have these initials, so the name alone shows no other vocabulary.
        marks: &[
            Mark::shape(b"protocol", |value| {
                let is_acp = |name| has_text(name, |name| name == "acp");
                value.get("name").is_some_and(is_acp).then_some(ACP)
            }),
            Mark::sign(b"api_base_url", API_BASE),
        ],
        counted: ACP | API_BASE,
        rules: &[Rule::new(ACP | API_BASE, 0, (0, 0))],
        placed: &[("/acp.json", Rule::new(ACP, 0, (0, 0)))],
        // Every call needs a bearer token of the seller, which the document does not mention.
        authenticates: Authenticates::Unread,
        published: Published {
            document: "`acp.json`",
            specification: "Agentic Commerce Protocol, discovery (proposal)",
            spec: Spec::Acp,
            serving: Some(Serving {
                cache: Some(Severity::Warning),
                sections: ["4.1", "4.1", "4.1", ""],
                ..Serving::JSON
            }),
            registry: Some(17),
            ..Published::NOTHING
        },
        is_asked_for: false,
        ..About::NOTHING
    };
}
