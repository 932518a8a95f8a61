//! What other modules ask about this format.

use super::{AuthMd, check, parse};
use crate::diagnostic::Spec;
use crate::format::about::{About, MARKDOWN, Points, Says};
use crate::format::facts::{Published, Serving};
use crate::format::robots_txt::unread::Kind;

impl AuthMd<'_> {
    /// What other modules ask about the format.
    pub(crate) const FORMAT: About = About {
        parse,
        check: |bytes, outline, _, scratch, report| {
            check::check(&AuthMd::attach(bytes, outline), bytes, scratch, report);
        },
        // It says how to authenticate, and nothing that permits or denies.
        says: Says::Nothing,
        is_of_site: false,
        states_site: false,
        is_asked_for: false,
        points: Points::Nowhere,
        locations: &["/auth.md"],
        accept: MARKDOWN,
        relations: &["auth-md"],
        endings: &["/auth.md"],
        published: Published {
            document: "auth.md",
            specification: "auth.md of May 2026",
            spec: Spec::AuthMd,
            serving: Some(Serving::MARKDOWN),
            ..Published::NOTHING
        },
        lines: Kind::Markdown,
        ..About::NOTHING
    };
}
