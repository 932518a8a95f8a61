//! What other modules ask about these formats.

use super::{Adp, AdpCapability, AdpSearch, Detail, LISTS, SearchTop, Top, check};
use crate::format::about::{About, Opening, Says};
use crate::syntax::json::lookup::Lookup;

impl Adp<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        lists: Some(LISTS),
        check: |bytes, outline, _, scratch, report| {
            check::manifest(&Adp::attach(bytes, outline), bytes, scratch, report);
        },
        rank: 7,
        calls_by_http: true,
        locations: &["/.well-known/agent"],
        heeds_robots: false,
        openings: &[Opening::sure(b"spec_version")],
        ..About::NOTHING
    };
}

impl AdpCapability<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Detail<'_>>()),
        check: |bytes, outline, _, scratch, report| {
            check::detail(&AdpCapability::attach(bytes, outline), bytes, scratch, report);
        },
        rank: 6,
        calls_by_http: true,
        heeds_robots: false,
        is_linked: false,
        ..About::NOTHING
    };
}

impl AdpSearch<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<SearchTop<'_>>()),
        check: |bytes, outline, _, _, report| {
            check::search(&AdpSearch::attach(bytes, outline), bytes, report);
        },
        is_of_site: false,
        says: Says::Nothing,
        is_linked: false,
        ..About::NOTHING
    };
}
