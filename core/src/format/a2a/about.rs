//! What other rooms ask about this format.

use super::{A2aAgentCard, check};
use crate::format::about::About;

impl A2aAgentCard<'_> {
    /// What other rooms ask about the format.
    pub(crate) const FORMAT: About = About {
        check: |bytes, outline, _, scratch, report| {
            check::check(&A2aAgentCard::attach(bytes, outline), bytes, scratch, report);
        },
        rank: 9,
        has_protocols: true,
        ..About::NOTHING
    };
}
