//! What other rooms ask about this format.

use super::{AgentsJson01, check};
use crate::format::about::{About, Takes};

impl AgentsJson01<'_> {
    /// What other rooms ask about the format.
    pub(crate) const FORMAT: About = About {
        check: |bytes, outline, _, scratch, report| {
            check::check(&AgentsJson01::attach(bytes, outline), bytes, scratch, report);
        },
        rank: 1,
        takes: Takes::Version01,
        ..About::NOTHING
    };
}
