//! What other modules ask about this format.

use super::{AiCatalog, Top, check};
use crate::diagnostic::Spec;
use crate::format::about::{About, Says};
use crate::format::facts::{Published, Serving};
use crate::syntax::json::lookup::Lookup;

impl AiCatalog<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        check: |bytes, outline, origin, scratch, report| {
            check::check(&AiCatalog::attach(bytes, outline), bytes, origin, scratch, report);
        },
        says: Says::Nothing,
        locations: &["/.well-known/ai-catalog.json"],
        accept: "application/ai-catalog+json, application/json;q=0.9, */*;q=0.1",
        published: Published {
            document: "ai-catalog.json",
            specification: "Agentic Resource Discovery 0.9",
            spec: Spec::Ard,
            media_types: &["application/ai-catalog+json"],
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
