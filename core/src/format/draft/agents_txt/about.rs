//! What other rooms ask about this format.

use super::{AgentsTxt, check};
use crate::format::about::{About, Takes};

impl AgentsTxt<'_> {
    /// What other rooms ask about the format.
    pub(crate) const FORMAT: About = About {
        check: |bytes, outline, origin, scratch, report| {
            check::check(&AgentsTxt::attach(bytes, outline), origin, scratch, report);
        },
        rank: 2,
        takes: Takes::Rules,
        ..About::NOTHING
    };
}
