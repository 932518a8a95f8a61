//! What other modules ask about this format.

use super::{AiCatalog, Top, check, signs};
use crate::diagnostic::Spec;
use crate::format::about::{About, Authenticates, Opening, Points, Says, Shown};
use crate::format::facts::{Published, Serving};
use crate::rules::link_kind::LinkKind;
use crate::syntax::json::lookup::Lookup;

impl AiCatalog<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        check: |bytes, outline, origin, scratch, report| {
            check::check(&AiCatalog::attach(bytes, outline), bytes, origin, scratch, report);
        },
        says: Says::Nothing,
        locations: &["/.well-known/ard.json", "/.well-known/ai-catalog.json"],
        accept: "application/ai-catalog+json, application/json;q=0.9, */*;q=0.1",
        relations: &["ard", "ai-catalog"],
        media_types: &["application/ai-catalog+json"],
        endings: &["/ard.json", "/ai-catalog.json"],
        points: Points::Entries,
        shown: &[Shown {
            kind: LinkKind::AiCatalog,
            files: &["ard.json", "ai-catalog.json"],
            well_known_files: &[],
            words: &["ai catalog", "agentmap"],
        }],
        openings: &[Opening::sure(b"host"), Opening::sure(b"entries")],
        signs: signs::SIGNS,
        marks: signs::MARKS,
        schemas: &[(b"ai-catalog", 0), (b"agenticresource", 0)],
        counted: signs::ENTRIES,
        rules: signs::RULES,
        placed: signs::PLACED,
        is_possible: signs::is_possible,
        authenticates: Authenticates::Capabilities,
        published: Published {
            document: "ard.json, ai-catalog.json",
            specification: "Agentic Resource Discovery 0.91 and 0.9",
            spec: Spec::Ard,
            serving: Some(Serving {
                types: &["application/ai-catalog+json", "application/json"],
                ..Serving::JSON
            }),
            registry: Some(10),
            ..Published::NOTHING
        },
        ..About::NOTHING
    };
}
