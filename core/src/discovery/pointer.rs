//! Pointers: which document or page pointed to another document, and how.

use heapless::String;

use super::Discovery;
use super::attempt::Attempt;
use super::origin::{Moved, moved};
use crate::format::Format;
use crate::span::Span;
use crate::syntax::url::Url;

/// Maximum length of a relation in bytes; the rest is dropped.
const RELATION_CAPACITY: usize = 40;

/// Which documents are requested because others point to them
/// ([`Resource::Linked`](super::Resource::Linked)).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[repr(u8)]
pub enum Follow {
    /// Documents on the same site: on its registrable domain; without the feature `psl`, on its
    /// host and subdomains.
    #[default]
    SameSite = 0,
    /// No documents. The home page is not requested either.
    Nothing = 1,
    /// Documents on other sites as well. They do not count as documents of this site
    /// ([`Discovery::is_own`]).
    Any = 2,
}

impl Follow {
    /// Every choice.
    pub const ALL: &'static [Self] = &[Self::SameSite, Self::Nothing, Self::Any];

    /// `same-site`, `nothing` or `any`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SameSite => "same-site",
            Self::Nothing => "nothing",
            Self::Any => "any",
        }
    }
}

/// How a document or a page points to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Pointing {
    /// Not at all: the location is well-known, or the caller gave the URL.
    None = 0,
    /// By a `Link` header of the home page.
    LinkHeader = 1,
    /// By a `<link>` element of the home page.
    LinkElement = 2,
    /// By a line of robots.txt (`Agentmap`).
    RobotsField = 3,
    /// By an entry of a catalog.
    Entry = 4,
    /// By an MCP endpoint; the server card is below its URL.
    Endpoint = 5,
    /// By an agents.txt, as its companion (`Agents-JSON`).
    Companion = 6,
}

impl Pointing {
    /// `none`, `link-header`, `link-element`, `robots-field`, `entry`, `endpoint` or `companion`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::LinkHeader => "link-header",
            Self::LinkElement => "link-element",
            Self::RobotsField => "robots-field",
            Self::Entry => "entry",
            Self::Endpoint => "endpoint",
            Self::Companion => "companion",
        }
    }
}

/// The data that an attempt keeps about the pointer to it. All zero without a pointer.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) pointing: Pointing,
    /// The index of the attempt whose document points here.
    pub(super) source: u8,
    /// The number of catalogs on the way to the document.
    pub(super) depth: u8,
    pub(super) relation: String<RELATION_CAPACITY>,
    pub(super) span: Span,
}

impl Kept {
    pub(super) const NONE: Self = Self {
        pointing: Pointing::None,
        source: 0,
        depth: 0,
        relation: String::new(),
        span: Span::new(0, 0),
    };

    /// Sets all members in place, as `Attempt::begin` does.
    pub(super) fn set(&mut self, pointing: Pointing, source: usize, relation: &[u8], span: Span) {
        (self.pointing, self.span, self.depth) = (pointing, span, 0);
        self.source = u8::try_from(source).unwrap_or(u8::MAX);
        self.relation.clear();
        let plain = relation.iter().filter(|byte| matches!(byte, b' '..=b'~'));
        for byte in plain.take(RELATION_CAPACITY) {
            // This cannot fail, because there is room for so many bytes.
            let _ = self.relation.push(char::from(*byte));
        }
    }
}

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
            if moved(&own, &url) as u8 > farthest as u8 {
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
