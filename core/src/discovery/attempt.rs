//! One attempt at one location: what is asked, where it led to, what came of it.

use heapless::{String, Vec};

use super::freshness::Freshness;
use super::origin::{Moved, Origin, Scheme, moved, web_scheme};
use super::rejection::Rejection;
use super::resource::Resource;
use crate::error::Error;
use crate::format::Format;
use crate::scan;
use crate::syntax::text::Text;
use crate::syntax::url::{ResolveError, Url, resolve_str};

/// Octets of the longest URL that is asked. A redirect to a longer one ends its attempt.
pub const URL_CAPACITY: usize = 512;

/// Redirects that one attempt follows.
pub const MAX_REDIRECTS: u8 = 5;

/// Where the answer of an attempt came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[repr(u8)]
pub enum Source {
    /// From the network.
    #[default]
    Network = 0,
    /// From what the caller had stored, without asking.
    Store = 1,
    /// From what the caller had stored, and the server said that it counts still.
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

/// Where an attempt stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)] // So that waiting is zero, see `Attempt::BLANK`.
pub enum State {
    /// Its next request was not handed out yet.
    Waiting,
    /// Its request was handed out, and not answered yet.
    Open,
    /// It gave a document.
    Found,
    /// It gave nothing.
    Rejected(Rejection),
}

/// Why a document could not be read, where it could not.
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

/// An attempt to get one document from one location, with all its redirects.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub(super) resource: Resource,
    /// Which of the resource's locations this is; absent where a document or the caller said where.
    pub(super) location: Option<u8>,
    pub(super) first: String<URL_CAPACITY>,
    pub(super) url: String<URL_CAPACITY>,
    pub(super) state: State,
    /// The request that is open; of the last one, otherwise.
    pub(super) id: u16,
    pub(super) status: u16,
    /// Every URL that was asked, as a hash. A stranger who finds a second URL of one hash ends his own attempt.
    pub(super) visited: Vec<u64, { MAX_REDIRECTS as usize + 1 }>,
    pub(super) moved: Moved,
    pub(super) source: Source,
    pub(super) format: Format,
    pub(super) synthetic: bool,
    pub(super) fault: Fault,
    pub(super) freshness: Freshness,
    /// The caller has allowed the site of the first URL, whichever it is.
    pub(super) approved: bool,
}

impl Attempt {
    /// A place for an attempt. All of it is zero, so that a discovery in static memory takes nothing from flash.
    pub(super) const BLANK: Self = Self {
        resource: Resource::AgentsJson,
        location: None,
        url: String::new(),
        first: String::new(),
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
    };

    /// Begins anew, at the URL whose pieces these are; it is one that may be asked, and fits. Built in place: an attempt is large.
    pub(super) fn begin(&mut self, resource: Resource, pieces: &[&str]) {
        // Of what is not set here, nothing must be left of another attempt.
        (self.resource, self.location, self.approved) = (resource, None, false);
        (self.state, self.id, self.status) = (State::Waiting, 0, 0);
        (self.moved, self.source, self.format, self.synthetic) =
            (Moved::No, Source::Network, Format::Unknown, false);
        (self.fault, self.freshness) = (Fault::None, Freshness::default());
        self.visited.clear();
        for url in [&mut self.first, &mut self.url] {
            url.clear();
            // A piece that does not fit is not pushed, and there is room for all of them.
            let _ = pieces.iter().try_for_each(|piece| url.push_str(piece));
        }
    }

    /// What is looked for.
    pub const fn resource(&self) -> Resource {
        self.resource
    }

    /// The URL that was asked for first; what comes of the attempt is stored under it.
    pub fn key(&self) -> &str {
        self.first.as_str()
    }

    /// The URL that was asked for last: where the document was found.
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// Where the attempt stands.
    pub const fn state(&self) -> State {
        self.state
    }

    /// Why it gave nothing; absent where it gave a document, or is not at its end.
    pub const fn rejection(&self) -> Option<Rejection> {
        match self.state {
            State::Rejected(rejection) => Some(rejection),
            _ => None,
        }
    }

    /// The status of the last answer; 0 where there was none.
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// How many redirects were followed.
    pub fn redirects(&self) -> usize {
        self.visited.len().saturating_sub(1)
    }

    /// How far from the first URL the redirects led.
    pub const fn moved(&self) -> Moved {
        self.moved
    }

    /// Where the answer came from.
    pub const fn source(&self) -> Source {
        self.source
    }

    /// The format of what came, also where it does not belong there ([`Rejection::OtherFormat`]).
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Whether the document says that it was not made by the site itself (Agent Web Protocol section 14).
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

    /// How long the answer keeps, a rejection too. All zero before there is one.
    pub const fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    pub(super) const fn is_open(&self) -> bool {
        matches!(self.state, State::Waiting | State::Open)
    }

    /// Whether it is at its end and was asked for by the caller, so that its place may be taken.
    pub(super) const fn is_spent(&self) -> bool {
        !self.is_open() && matches!(self.resource, Resource::Detail | Resource::Declaration)
    }

    /// Whether the document stands below `/.well-known/` of the origin.
    pub(super) fn is_well_known(&self) -> bool {
        Url::parse(self.first.as_bytes()).is_some_and(|url| url.path().starts_with("/.well-known/"))
    }

    /// Goes where a redirect leads.
    pub(super) fn follow(
        &mut self,
        origin: &Origin,
        location: Option<&[u8]>,
    ) -> Result<(), Rejection> {
        let location = location
            .filter(|location| !location.is_empty())
            .ok_or(Rejection::InvalidUrl)?;
        let base = Url::parse(self.url.as_bytes()).ok_or(Rejection::InvalidUrl)?;
        let mut buffer = [0; URL_CAPACITY];
        let target = resolved(&base, Text::plain(location), &mut buffer)?;
        let moved = self.admit(origin, target)?;
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

    /// Notes where the document is now looked for.
    pub(super) fn go_to(&mut self, url: &str) {
        self.url.clear();
        // A resolved URL, and one that was stored and admitted, is no longer than there is room for.
        let _ = self.url.push_str(url);
    }

    /// Whether this attempt may go to `target`, and how far that is from where it began.
    ///
    /// It must stay on the site: the origin's, or the one that the caller approved. robots.txt may go to any (RFC 9309 section 2.3.1.2).
    pub(super) fn admit(&self, origin: &Origin, target: &str) -> Result<Moved, Rejection> {
        let site = if self.approved {
            Url::parse(self.first.as_bytes())
        } else {
            origin.url()
        };
        let (site, from) = (
            site.ok_or(Rejection::InvalidUrl)?,
            Url::parse(self.url.as_bytes()).ok_or(Rejection::InvalidUrl)?,
        );
        let target = Url::parse(target.as_bytes()).ok_or(Rejection::InvalidUrl)?;
        admit(&site, &from, &target, self.resource)
    }

    /// Notes that the request of this attempt is handed out.
    pub(super) fn open(&mut self, id: u16) {
        self.id = id;
        self.state = State::Open;
        // As many are followed as there is room for.
        let _ = self.visited.push(hash(&self.url));
    }
}

/// Whether `target` may be asked for on behalf of `site`, coming from `from`.
pub(super) fn admit(
    site: &Url<'_>,
    from: &Url<'_>,
    target: &Url<'_>,
    resource: Resource,
) -> Result<Moved, Rejection> {
    let scheme = web_scheme(target).ok_or(Rejection::InvalidUrl)?;
    // What clients would have to rewrite, they might rewrite into something else.
    // And nothing listens on port 0.
    if target.userinfo().is_some() || !target.as_str().is_ascii() || target.port() == Some(0) {
        return Err(Rejection::InvalidUrl);
    }
    let is_robots = matches!(resource, Resource::RobotsTxt);
    if !is_robots && scheme == Scheme::Http && web_scheme(from) == Some(Scheme::Https) {
        return Err(Rejection::Downgrade);
    }
    let moved = moved(site, target);
    if !is_robots && moved == Moved::OtherSite {
        Err(Rejection::OffSite)
    } else {
        Ok(moved)
    }
}

/// An absolute URL without its fragment. The reference is plain text, as headers and agents.txt have it.
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
