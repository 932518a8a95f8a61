//! What other rooms ask about this format.

use super::{AgentsJson, check};
use crate::format::about::{About, MONTH, Takes};

impl AgentsJson<'_> {
    /// What other rooms ask about the format.
    pub(crate) const FORMAT: About = About {
        check: |bytes, outline, origin, scratch, report| {
            check::check(&AgentsJson::attach(bytes, outline), bytes, origin, scratch, report);
        },
        rank: 0,
        takes: Takes::Rules,
        locations: &["/.well-known/agents.json"],
        heeds_robots: false,
        keeping: (300, 60, MONTH),
        ..About::NOTHING
    };
}
