//! What other modules ask about this format.

use super::{Top, X402, check};
use crate::diagnostic::Spec;
use crate::format::about::{About, Authenticates, Points, Says};
use crate::format::facts::{Published, Serving};
use crate::rules::signs::{self, Mark, RESOURCE, Rule, VERSION};
use crate::syntax::json::lookup::Lookup;

/// A list whose version is not that of x402.
const LIST: Rule = Rule::new(VERSION | RESOURCE, 0, (0, 0));

impl X402<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        top: || Some(Lookup::of::<Top<'_>>()),
        check: |bytes, outline, _, scratch, report| {
            check::check(&X402::attach(bytes, outline), bytes, scratch, report);
        },
        // Prices state no rights.
        is_of_site: false,
        states_site: false,
        says: Says::Nothing,
        points: Points::Nowhere,
        locations: &["/.well-known/x402", "/.well-known/x402.json"],
        marks: &[Mark::sign(b"x402Version", signs::X402)],
        rules: &[Rule::new(signs::X402, 0, (0, RESOURCE))],
        placed: &[("/.well-known/x402", LIST), ("/.well-known/x402.json", LIST)],
        is_possible: |_| true,
        authenticates: Authenticates::Unread,
        published: Published {
            document: "x402 answer, list of x402 resources",
            specification: "x402 versions 1 and 2",
            spec: Spec::X402,
            has_rival_locations: true,
            serving: Some(Serving::JSON),
            ..Published::NOTHING
        },
        is_asked_for: false,
        ..About::NOTHING
    };
}
