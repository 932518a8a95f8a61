//! One attempt at one location: its request, its redirects and its result.

use heapless::{String, Vec};

use super::lifetime::Freshness;
use super::origin::{Moved, Origin, Scheme, moved, web_scheme};
use super::pointer::{Kept, Pointing};
use super::rejection::Rejection;
use super::resource::Resource;
use crate::error::Error;
use crate::format::Format;
use crate::scan;
use crate::span::Span;
use crate::syntax::text::Text;
use crate::syntax::url::{ResolveError, Url, resolve_str};

/// Maximum length of a requested URL in bytes. A redirect to a longer one ends the attempt.
pub const URL_CAPACITY: usize = 512;

/// Capacity for the first and the last URL of an attempt together, in bytes. A redirect that does
/// not fit ends the attempt.
const ROOM: usize = 576;

/// Maximum number of redirects in an attempt.
pub const MAX_REDIRECTS: u8 = 5;

/// The source of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[repr(u8)]
pub enum Source {
    /// From the network.
    #[default]
    Network = 0,
    /// The caller's store, without a request.
    Store = 1,
    /// The caller's store, confirmed by the server.
    Revalidated = 2,
}

impl Source {
    /// `network`, `store` or `revalidated`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Store => "store",
            Self::Revalidated => "revalidated",
        }
    }
}

/// The state of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)] // So that waiting is zero, see `Attempt::BLANK`.
pub enum State {
    /// The next request was not handed out yet.
    Waiting,
    /// The request is in flight.
    Open,
    /// The attempt found a document.
    Found,
    /// The attempt found nothing usable.
    Rejected(Rejection),
}

/// Why a document could not be read, if it could not.
#[derive(Clone, Copy, Debug)]
#[repr(u8)] // As above.
pub(super) enum Fault {
    None,
    Some(Error),
}

impl From<Option<Error>> for Fault {
    fn from(error: Option<Error>) -> Self {
        error.map_or(Self::None, Self::Some)
    }
}

/// An attempt to fetch one document from one location, with all its redirects.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub(super) resource: Resource,
    /// The index of the resource's well-known location; absent if a document or the caller gave the
    /// URL.
    pub(super) location: Option<u8>,
    /// The first URL, followed by the last URL if that is a different one.
    urls: String<ROOM>,
    /// The length of the first URL.
    first: u16,
    pub(super) state: State,
    /// The request in flight, otherwise the last one.
    pub(super) id: u16,
    pub(super) status: u16,
    /// A hash of every requested URL. A site that constructs a collision only ends the attempt at
    /// its own document.
    pub(super) visited: Vec<u64, { MAX_REDIRECTS as usize + 1 }>,
    pub(super) moved: Moved,
    pub(super) source: Source,
    pub(super) format: Format,
    pub(super) synthetic: bool,
    pub(super) fault: Fault,
    pub(super) freshness: Freshness,
    /// Whether the caller has approved the site of the first URL.
    pub(super) approved: bool,
    pub(super) pointer: Kept,
}

impl Attempt {
    /// An empty slot. It is all zero, so that a discovery in static memory uses no flash.
    pub(super) const BLANK: Self = Self {
        resource: Resource::AgentsJson,
        location: None,
        urls: String::new(),
        first: 0,
        state: State::Waiting,
        id: 0,
        status: 0,
        visited: Vec::new(),
        moved: Moved::No,
        source: Source::Network,
        format: Format::Unknown,
        synthetic: false,
        fault: Fault::None,
        freshness: Freshness {
            received_at: 0,
            lifetime: 0,
            fresh_until: 0,
            ask_again_at: 0,
            may_store: false,
        },
        approved: false,
        pointer: Kept::NONE,
    };

    /// Starts an attempt in place, because attempts are large. The pieces together are its URL,
    /// which must be valid and fit.
    pub(super) fn begin(&mut self, resource: Resource, pieces: &[&str]) {
        // Every member that is not set here must be reset.
        (self.resource, self.location, self.approved) = (resource, None, false);
        (self.state, self.id, self.status) = (State::Waiting, 0, 0);
        (self.moved, self.source, self.format, self.synthetic) =
            (Moved::No, Source::Network, Format::Unknown, false);
        (self.fault, self.freshness) = (Fault::None, Freshness::default());
        self.visited.clear();
        self.pointer.set(Pointing::None, 0, b"", Span::default());
        self.urls.clear();
        // A piece that does not fit is dropped, but there is room for all of them.
        let _ = pieces.iter().try_for_each(|piece| self.urls.push_str(piece));
        self.first = u16::try_from(self.urls.len()).unwrap_or(0);
    }

    /// The kind of document.
    pub const fn resource(&self) -> Resource {
        self.resource
    }

    /// The first URL: the key under which to store the result.
    pub fn key(&self) -> &str {
        self.urls.get(..usize::from(self.first)).unwrap_or_default()
    }

    /// The last requested URL. If a document was found, it was found there.
    pub fn url(&self) -> &str {
        match self.urls.get(usize::from(self.first)..) {
            Some(last) if !last.is_empty() => last,
            _ => self.key(),
        }
    }

    /// The state.
    pub const fn state(&self) -> State {
        self.state
    }

    /// Why there is no document; absent if there is one, or if the attempt is not finished.
    pub const fn rejection(&self) -> Option<Rejection> {
        match self.state {
            State::Rejected(rejection) => Some(rejection),
            _ => None,
        }
    }

    /// The status of the last answer; 0 without an answer.
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// The number of redirects followed.
    pub fn redirects(&self) -> usize {
        self.visited.len().saturating_sub(1)
    }

    /// How far from the first URL the redirects led.
    pub const fn moved(&self) -> Moved {
        self.moved
    }

    /// The source of the answer.
    pub const fn source(&self) -> Source {
        self.source
    }

    /// The detected format, even if such a document does not belong here
    /// ([`Rejection::OtherFormat`]).
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Whether the document states that the site did not write it (Agent Web Protocol section 14).
    pub const fn is_synthetic(&self) -> bool {
        self.synthetic
    }

    /// Why the document could not be read ([`Rejection::Unreadable`]).
    pub const fn error(&self) -> Option<Error> {
        match self.fault {
            Fault::None => None,
            Fault::Some(error) => Some(error),
        }
    }

    /// How long the answer is fresh, also for a rejection. All zero before the first answer.
    pub const fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    pub(super) const fn is_open(&self) -> bool {
        matches!(self.state, State::Waiting | State::Open)
    }

    /// Whether the caller has started the attempt and it is finished, so that its slot can be
    /// reused.
    pub(super) const fn is_spent(&self) -> bool {
        !self.is_open() && matches!(self.resource, Resource::Detail | Resource::Declaration)
    }

    /// Whether the URL was found in a document and rejected without a request.
    pub(super) fn is_unasked(&self) -> bool {
        self.resource == Resource::Linked && self.id == 0 && !self.is_open()
    }

    /// Whether the document is below `/.well-known/` of the origin.
    pub(super) fn is_well_known(&self) -> bool {
        Url::parse(self.key().as_bytes()).is_some_and(|url| url.path().starts_with("/.well-known/"))
    }

    /// Follows a redirect.
    pub(super) fn follow(
        &mut self,
        origin: &Origin,
        location: Option<&[u8]>,
    ) -> Result<(), Rejection> {
        let location =
            location.filter(|location| !location.is_empty()).ok_or(Rejection::InvalidUrl)?;
        let base = Url::parse(self.url().as_bytes()).ok_or(Rejection::InvalidUrl)?;
        let mut buffer = [0; URL_CAPACITY];
        let target = resolved(&base, Text::plain(location), &mut buffer)?;
        let moved = self.admit(origin, target)?;
        if !self.fits(target) {
            return Err(Rejection::UrlTooLong);
        }
        if self.visited.contains(&hash(target)) {
            return Err(Rejection::RedirectLoop);
        }
        if self.visited.is_full() {
            return Err(Rejection::TooManyRedirects);
        }
        self.moved = self.moved.max(moved);
        self.go_to(target);
        self.state = State::Waiting;
        Ok(())
    }

    /// Records the current URL, which [fits](Self::fits).
    pub(super) fn go_to(&mut self, url: &str) {
        // Not `truncate`, which can panic.
        while self.urls.len() > usize::from(self.first) && self.urls.pop().is_some() {}
        if self.key() != url {
            let _ = self.urls.push_str(url);
        }
    }

    /// Whether there is room for this URL beside the first one.
    pub(super) fn fits(&self, url: &str) -> bool {
        let both = url.len().saturating_add(usize::from(self.first));
        url.len() <= URL_CAPACITY && (both <= ROOM || url == self.key())
    }

    /// Whether this attempt may request `target`; returns how far that is from the first URL.
    ///
    /// It must stay on the site of the origin, or on the site that the caller has approved.
    /// robots.txt may be on any site (RFC 9309 section 2.3.1.2).
    pub(super) fn admit(&self, origin: &Origin, target: &str) -> Result<Moved, Rejection> {
        let site = if self.approved { Url::parse(self.key().as_bytes()) } else { origin.url() };
        let (site, from) = (
            site.ok_or(Rejection::InvalidUrl)?,
            Url::parse(self.url().as_bytes()).ok_or(Rejection::InvalidUrl)?,
        );
        let target = Url::parse(target.as_bytes()).ok_or(Rejection::InvalidUrl)?;
        admit(&site, &from, &target, self.resource)
    }

    /// Records that the request of this attempt is handed out.
    pub(super) fn open(&mut self, id: u16) {
        self.id = id;
        self.state = State::Open;
        // The limit of redirects equals the capacity.
        let _ = self.visited.push(hash(self.url()));
    }
}

/// Whether `target` may be requested for `site` after a redirect or a link from `from`. Returns how
/// far it is from `site`.
pub(super) fn admit(
    site: &Url<'_>,
    from: &Url<'_>,
    target: &Url<'_>,
    resource: Resource,
) -> Result<Moved, Rejection> {
    let scheme = web_scheme(target).ok_or(Rejection::InvalidUrl)?;
    // Clients may rewrite such characters in different ways. Nothing listens on port 0.
    if target.userinfo().is_some() || !target.as_str().is_ascii() || target.port() == Some(0) {
        return Err(Rejection::InvalidUrl);
    }
    let is_robots = matches!(resource, Resource::RobotsTxt);
    if !is_robots && scheme == Scheme::Http && web_scheme(from) == Some(Scheme::Https) {
        return Err(Rejection::Downgrade);
    }
    let moved = moved(site, target);
    if !is_robots && moved == Moved::OtherSite { Err(Rejection::OffSite) } else { Ok(moved) }
}

/// An absolute URL without its fragment. The reference has no escapes, as in headers and
/// agents.txt.
pub(super) fn resolved<'b>(
    base: &Url<'_>,
    reference: Text<'_>,
    buffer: &'b mut [u8; URL_CAPACITY],
) -> Result<&'b str, Rejection> {
    let reference = reference.as_str().ok_or(Rejection::InvalidUrl)?;
    let target = resolve_str(base, reference, buffer).map_err(|error| match error {
        ResolveError::Invalid => Rejection::InvalidUrl,
        ResolveError::BufferTooSmall { .. } => Rejection::UrlTooLong,
    })?;
    let end = scan::memchr(b'#', target.as_bytes()).unwrap_or(target.len());
    target.get(..end).ok_or(Rejection::InvalidUrl)
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
