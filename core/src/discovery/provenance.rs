//! Which document or page pointed to another document, and whether that document belongs to the
//! site.

use super::Discovery;
use super::attempt::Attempt;
use super::origin::{Moved, moved};
use super::pointer::Pointing;
use crate::format::Format;
use crate::span::Span;
use crate::syntax::url::Url;

/// A pointer to a document.
#[derive(Clone, Copy, Debug)]
pub struct Pointer<'d> {
    /// The attempt whose document or page points to it.
    pub source: &'d Attempt,
    /// How it points to it.
    pub pointing: Pointing,
    /// The relation or the media type as written, or the name of the field; at most 40 bytes.
    pub relation: &'d str,
    /// The position of the URL in the body of the source. Absent for headers and defaults.
    pub span: Option<Span>,
}

impl Discovery {
    /// The first pointer to the document of an attempt of this discovery, but a pointer of the site
    /// replaces one of another site. Absent without a pointer, because the location is well-known
    /// or the caller gave the URL.
    pub fn pointer<'d>(&'d self, attempt: &'d Attempt) -> Option<Pointer<'d>> {
        let kept = &attempt.pointer;
        if kept.pointing == Pointing::None {
            return None;
        }
        Some(Pointer {
            source: self.begun().get(usize::from(kept.source))?,
            pointing: kept.pointing,
            relation: kept.relation.as_str(),
            span: Some(kept.span).filter(|span| !span.is_empty()),
        })
    }

    /// Whether the document of an attempt belongs to the site: it is on the site, and so is every
    /// document on the way to it. [`documents`](Self::documents) only returns such documents, so
    /// that another site can neither allow nor deny anything on this one.
    pub fn is_own(&self, attempt: &Attempt) -> bool {
        // An agents.md is only trusted from the site's origin (agents.md section 5).
        let mut farthest = match attempt.format {
            Format::AgentsMd => Moved::Canonical,
            _ => Moved::SameSite,
        };
        let mut attempt = attempt;
        // The way to a document has fewer steps than there are attempts.
        for _ in 0..self.begun().len() {
            if attempt.location.is_some() {
                return true;
            }
            let Some((own, url)) = self.origin.url().zip(Url::parse(attempt.url().as_bytes()))
            else {
                return false;
            };
            if moved(&own, &url) > farthest {
                return false;
            }
            farthest = Moved::SameSite;
            match self.pointer(attempt) {
                Some(pointer) => attempt = pointer.source,
                None => return true,
            }
        }
        false
    }
}
