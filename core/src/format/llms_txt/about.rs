//! What other modules ask about this format.

use super::{LlmsTxt, check, parse};
use crate::diagnostic::Spec;
use crate::format::about::{About, MARKDOWN};
use crate::format::facts::{Published, Serving};

impl LlmsTxt<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        parse,
        check: |bytes, outline, _, _, report| {
            check::check(&LlmsTxt::attach(bytes, outline), report);
        },
        locations: &["/llms.txt"],
        accept: MARKDOWN,
        published: Published {
            document: "llms.txt",
            specification: "llmstxt.org",
            spec: Spec::LlmsTxt,
            also_at: &["llms.txt", "llms-full.txt"],
            serving: Some(Serving::MARKDOWN),
            registry: Some(12),
            ..Published::NOTHING
        },
        ..About::NOTHING
    };
}
