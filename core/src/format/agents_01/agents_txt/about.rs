//! What other modules ask about this format.

use super::{AgentsTxt01, check, parse};
use crate::format::about::{About, Takes};

impl AgentsTxt01<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        parse,
        check: |bytes, outline, _, scratch, report| {
            check::check(&AgentsTxt01::attach(bytes, outline), scratch, report);
        },
        rank: 3,
        takes: Takes::Version01,
        heeds_robots: false,
        ..About::NOTHING
    };
}
