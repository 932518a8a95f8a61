//! What other modules ask about this format.

use super::{ApiCatalog, Top, check};
use crate::format::about::{About, Points, Says};
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
        ..About::NOTHING
    };
}
