//! What other modules ask about this format.

use super::{ApiCatalog, Top, check};
use crate::diagnostic::Spec;
use crate::format::about::{About, Authenticates, Points, Says};
use crate::format::facts::{Published, Serving};
use crate::rules::signs::{LINKSET, Mark, Rule, is_list, sign_if};
use crate::syntax::json::lookup::Lookup;

impl ApiCatalog<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        check: |bytes, outline, _, scratch, report| {
            check::check(&ApiCatalog::attach(bytes, outline), bytes, scratch, report);
        },
        says: Says::Nothing,
        locations: &["/.well-known/api-catalog"],
        accept: "application/linkset+json, application/json;q=0.9, */*;q=0.1",
        relations: &["api-catalog"],
        media_types: &["application/linkset+json"],
        endings: &["/.well-known/api-catalog"],
        points: Points::Entries,
        marks: &[Mark::shape(b"linkset", |value| sign_if(is_list(value), LINKSET))],
        counted: LINKSET,
        rules: &[Rule::new(LINKSET, 0, (0, 0))],
        // No other vocabulary has link sets.
        is_possible: |_| true,
        authenticates: Authenticates::Capabilities,
        published: Published {
            document: "API catalog",
            specification: "RFC 9727, RFC 9264",
            spec: Spec::Rfc9727,
            serving: Some(Serving {
                types: &["application/linkset+json"],
                is_type_required: true,
                sections: ["2", "4.2", "", ""],
                ..Serving::JSON
            }),
            registry: Some(11),
            ..Published::NOTHING
        },
        is_asked_for: false,
        ..About::NOTHING
    };
}
