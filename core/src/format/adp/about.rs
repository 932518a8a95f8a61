//! What other modules ask about these formats.

use super::{Adp, AdpCapability, AdpSearch, Detail, LISTS, SearchTop, Top, check, signs};
use crate::diagnostic::{Severity, Spec};
use crate::format::about::{About, Authenticates, Opening, Says, Takes};
use crate::format::facts::{Published, Serving};
use crate::rules::signs::MATCHING;
use crate::syntax::json::lookup::Lookup;

/// The specification of the three formats.
const SPECIFICATION: &str = "Agent Discovery Protocol 1.0";

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
        takes: Takes::Services,
        locations: &["/.well-known/agent"],
        heeds_robots: false,
        openings: &[Opening::sure(b"spec_version")],
        signs: signs::SIGNS,
        marks: signs::MARKS,
        schemas: &[(b"agent-discovery-protocol", 0)],
        counted: signs::MANIFEST,
        rules: signs::RULES,
        placed: signs::PLACED,
        is_possible: signs::is_manifest,
        authenticates: Authenticates::Service,
        published: Published {
            document: "manifest",
            specification: SPECIFICATION,
            spec: Spec::Adp,
            serving: Some(Serving {
                is_type_required: true,
                cache: Some(Severity::Info),
                cors: Some(Severity::Info),
                sections: ["1"; 4],
                ..Serving::JSON
            }),
            registry: Some(4),
            ..Published::NOTHING
        },
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
        takes: Takes::Services,
        heeds_robots: false,
        is_linked: false,
        marks: signs::DETAIL_MARKS,
        counted: signs::DETAIL | signs::EXAMPLES,
        rules: signs::DETAIL_RULES,
        authenticates: Authenticates::Manifest,
        published: Published {
            document: "capability detail",
            specification: SPECIFICATION,
            spec: Spec::Adp,
            registry: Some(13),
            is_supporting: true,
            ..Published::NOTHING
        },
        is_of_capability: true,
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
        marks: signs::SEARCH_MARKS,
        counted: signs::SEARCH | MATCHING,
        rules: signs::SEARCH_RULES,
        authenticates: Authenticates::Capabilities,
        published: Published {
            document: "registry search",
            specification: SPECIFICATION,
            spec: Spec::Adp,
            ..Published::NOTHING
        },
        ..About::NOTHING
    };
}
