//! What other rooms ask about this format.

use super::{LlmsTxt, check};
use crate::format::about::About;

impl LlmsTxt<'_> {
    /// What other rooms ask about the format.
    pub(crate) const FORMAT: About = About {
        check: |bytes, outline, _, _, report| {
            check::check(&LlmsTxt::attach(bytes, outline), report);
        },
        ..About::NOTHING
    };
}
