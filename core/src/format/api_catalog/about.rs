//! What other modules ask about this format.

use super::{ApiCatalog, Top, check};
use crate::diagnostic::Spec;
use crate::format::about::{About, Says};
use crate::format::facts::{Published, Serving};
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
        published: Published {
            document: "API catalog",
            specification: "RFC 9727, RFC 9264",
            spec: Spec::Rfc9727,
            media_types: &["application/linkset+json"],
            serving: Some(Serving {
                types: &["application/linkset+json"],
                is_type_required: true,
                sections: ["2", "4.2", "", ""],
                ..Serving::JSON
            }),
            registry: Some(11),
            ..Published::NOTHING
        },
        ..About::NOTHING
    };
}
