//! What other modules ask about this format.

use super::{LlmsTxt, check, parse};
use crate::diagnostic::Spec;
use crate::format::about::{About, Authenticates, MARKDOWN, Shown, Takes};
use crate::format::facts::{Published, Serving};
use crate::format::robots_txt::unread::Kind;
use crate::rules::link_kind::LinkKind;

impl LlmsTxt<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        parse,
        check: |bytes, outline, _, _, report| {
            check::check(&LlmsTxt::attach(bytes, outline), report);
        },
        locations: &["/llms.txt"],
        accept: MARKDOWN,
        relations: &["llms", "llms-txt"],
        endings: &["/llms.txt"],
        shown: &[Shown {
            kind: LinkKind::LlmsTxt,
            files: &["llms.txt", "llms-full.txt"],
            well_known_files: &[],
            words: &["llms txt", "llms full", "llms"],
        }],
        authenticates: Authenticates::Capabilities,
        published: Published {
            document: "llms.txt",
            specification: "llmstxt.org",
            spec: Spec::LlmsTxt,
            also_at: &["llms.txt", "llms-full.txt"],
            serving: Some(Serving::MARKDOWN),
            registry: Some(12),
            ..Published::NOTHING
        },
        takes: Takes::Services,
        lines: Kind::Markdown,
        ..About::NOTHING
    };
}
