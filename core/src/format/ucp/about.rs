//! What other modules ask about this format.

use super::{Top, UcpProfile, check};
use crate::diagnostic::{Severity, Spec};
use crate::format::about::{About, Authenticates, Says};
use crate::format::facts::{Published, Serving};
use crate::rules::signs::{KEYS, Mark, Rule, UCP, is_object, sign_if};
use crate::syntax::json::lookup::Lookup;

impl UcpProfile<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        check: |bytes, outline, _, scratch, report| {
            check::check(&UcpProfile::attach(bytes, outline), bytes, scratch, report);
        },
        has_protocols: true,
        says: Says::Nothing,
        locations: &["/.well-known/ucp"],
        endings: &["/.well-known/ucp"],
        marks: &[Mark::shape(b"ucp", |value| sign_if(is_object(value), UCP))],
        rules: &[Rule::new(UCP, 0, (0, KEYS))],
        // The member is reserved by the protocol in every object.
        is_possible: |_| true,
        // A profile does not say how its endpoints authenticate callers.
        authenticates: Authenticates::Unread,
        published: Published {
            document: "UCP profile",
            specification: "Universal Commerce Protocol 2026-04-08 and earlier",
            spec: Spec::Ucp,
            serving: Some(Serving {
                cache: Some(Severity::Error),
                sections: ["Profile Structure", "", "Hosting", ""],
                ..Serving::JSON
            }),
            registry: Some(16),
            ..Published::NOTHING
        },
        is_asked_for: false,
        ..About::NOTHING
    };
}
