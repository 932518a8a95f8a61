//! How a document or page points to another one, and which pointers are followed.

use heapless::String;

use crate::span::Span;

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
    /// ([`Discovery::is_own`](super::Discovery::is_own)).
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
