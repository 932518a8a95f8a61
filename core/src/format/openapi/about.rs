//! What other modules ask about this format.

use super::{OpenApi, Top, check};
use crate::diagnostic::Spec;
use crate::format::about::{About, Authenticates, Says, Takes};
use crate::format::facts::{Published, Serving};
use crate::rules::signs::{Mark, OPENAPI, Rule, Signs, has_text, sign_if};
use crate::syntax::json::Value;
use crate::syntax::json::lookup::Lookup;

impl OpenApi<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        check: |bytes, outline, _, scratch, report| {
            check::check(&OpenApi::attach(bytes, outline), bytes, scratch, report);
        },
        marks: &[Mark::shape(b"openapi", version), Mark::shape(b"swagger", version)],
        counted: OPENAPI,
        rules: &[Rule::new(OPENAPI, 0, (0, 0))],
        // No other vocabulary has these members.
        is_possible: |_| true,
        rank: 10,
        authenticates: Authenticates::Unless,
        calls_by_http: true,
        says: Says::Services,
        takes: Takes::Nothing,
        locations: &["/openapi.json"],
        accept: "application/vnd.oai.openapi+json, application/json;q=0.9, */*;q=0.1",
        media_types: &["application/vnd.oai.openapi+json"],
        endings: &["/openapi.json"],
        is_asked_for: false,
        published: Published {
            document: "OpenAPI description",
            specification: "OpenAPI 3.0, 3.1 and 3.2 in JSON",
            spec: Spec::OpenApi,
            other_media_types: &["application/openapi+json"],
            serving: Some(Serving {
                types: &[
                    "application/json",
                    "application/vnd.oai.openapi+json",
                    "application/openapi+json",
                ],
                ..Serving::JSON
            }),
            registry: Some(15),
            ..Published::NOTHING
        },
        ..About::NOTHING
    };
}

/// The sign of `openapi` and `swagger`: present if the value is a version.
fn version(value: Value<'_>) -> Option<Signs> {
    let is_version = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    sign_if(has_text(value, is_version), OPENAPI)
}
