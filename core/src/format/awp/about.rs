//! What other rooms ask about this format.

use super::{Awp, check};
use crate::format::about::{About, Takes};

impl Awp<'_> {
    /// What other rooms ask about the format.
    pub(crate) const FORMAT: About = About {
        check: |bytes, outline, origin, scratch, report| {
            check::check(&Awp::attach(bytes, outline), bytes, origin, scratch, report);
        },
        rank: 5,
        calls_by_http: true,
        has_protocols: true,
        takes: Takes::Services,
        locations: &["/agent.json", "/.well-known/agent.json"],
        heeds_robots: false,
        ..About::NOTHING
    };
}
