//! Discovery without I/O: determines which URL of a site to request next, what the answer means,
//! and how long it is fresh.
//!
//! The caller provides the network, the clock and the store; [`Discovery`] provides the rules
//! (`docs/formats/locations.md`). It hands out [requests](Request), accepts [answers](Response)
//! in any order, allows several requests in flight, and keeps the result of each attempt.
//!
//! ```
//! use agentsdisc_core::discovery::{Discovery, Header, Options, Rejection, Response, USER_AGENT};
//! # fn get(url: &str) -> (u16, &'static str) {
//! #     match url {
//! #         "https://mugs.example/agents.txt" => (200, "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n"),
//! #         _ => (404, "")
//! #     }
//! # }
//! let mut discovery = Discovery::new("mugs.example", &Options::default())?;
//! while let Some(id) = discovery.next_request() {
//!     let request = discovery.request(id).unwrap();
//!     let headers = request.headers(USER_AGENT, None); // to send with it
//!     # assert_eq!(headers.count(), 2);
//!     let (status, body) = get(request.url);
//!     let headers = [Header::new("Cache-Control", "max-age=600")];
//!     let answer = discovery.respond(id, &Response { status, headers: &headers, body: body.as_bytes(), now: 1_790_000_000, ..Response::default() })?;
//!     if let Some(document) = answer.document {
//!         assert_eq!(document.manifest().service().unwrap().name.unwrap(), "Mugs");
//!     }
//! }
//! assert!(discovery.is_done());
//! let found = discovery.documents().next().unwrap();
//! assert_eq!((found.url(), found.freshness().fresh_until), ("https://mugs.example/agents.txt", 1_790_000_600));
//! let first = discovery.attempts().next().unwrap();
//! assert_eq!((first.key(), first.rejection()), ("https://mugs.example/.well-known/agents.json", Some(Rejection::NotFound)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rulings
//!
//! - **Locations.** The first well-known location of every kind is requested
//!   ([`Resource::locations`]). The next location of a kind is requested only if the one before has
//!   no usable document ([`Rejection::asks_fallback`]); a document of a kind that does not belong
//!   there is not usable. The companion that an agents.txt names is requested if its URL was not
//!   requested yet; so is the default companion of agents.txt 0.1.0, if it is on the same origin.
//!   Documents that others point to are requested as [`Options::follow`] states. Nothing else is
//!   requested automatically.
//! - **Redirects** (301, 302, 303, 307, 308) are followed here, at most five, and only within the
//!   site: the registrable domain of the origin with the feature `psl`, otherwise the host, its
//!   subdomains, and `www.` in front of it. A redirect is not followed from https to http, with
//!   user information or non-ASCII characters, to port 0, or, for IP addresses and localhost, to
//!   another port. [`Attempt::moved`] reports how far the redirects led. robots.txt may be on any
//!   site (RFC 9309 section 2.3.1.2).
//! - **Freshness.** The lifetime comes from `Cache-Control` (`max-age` takes precedence over
//!   `s-maxage`; the reverse for a [shared](Options::shared) store), otherwise from `Expires`,
//!   otherwise it is the default of the kind. `Age` is subtracted. An invalid value counts as zero.
//!   The lifetime is at least the minimum of the kind, and at most its maximum: 30 days, or 24
//!   hours for robots.txt. A missing document is cached for 300 seconds by default. After a
//!   failure, the next request is allowed after 60 seconds, or later with `Retry-After`. A stale
//!   document is not used, even if a new request fails.
//! - **Store.** A document with `no-store` must not be written to a file. The caller keeps it in
//!   memory until [`Freshness::fresh_until`]. An agents.md must not be requested twice within an
//!   hour, so a second discovery within the hour gets it from memory, or [`Rejection::TooEarly`].
//!   An answer with `Vary: *` is neither stored nor reused. An `ETag` that is not exactly one
//!   entity tag (`*`, a list, a bare word) is never sent back. A 304 to a request without a
//!   validator, or with another strong `ETag`, is an error ([`Rejection::NotModifiedUnasked`]).
//! - **robots.txt.** The body of any 2xx answer is read. A 4xx status allows everything. Everything
//!   else, including failures and endless redirects, disallows everything ([`RobotsRules`]).

mod ask;
mod attempt;
mod companion;
mod declaration;
mod failure;
mod freshness;
mod lifetime;
pub(crate) mod link_header;
mod origin;
mod outcome;
pub(crate) mod page;
mod pointer;
mod provenance;
mod reading;
mod rejection;
mod request;
mod resource;
mod response;
mod trail;

use crate::document::Document;
use crate::document::with_reading;
use crate::format::Format;
use crate::limits::Limits;
use crate::model::Source as Provenance;
use crate::syntax::url::Url;

pub use ask::{AskError, MAX_ASKED};
pub use attempt::{Attempt, MAX_REDIRECTS, Source, State, URL_CAPACITY};
pub use declaration::Declared;
pub use failure::Failure;
pub use lifetime::{Freshness, Keeping};
pub use origin::{Moved, ORIGIN_CAPACITY, Origin, OriginError};
pub use outcome::RobotsRules;
pub use page::licenses;
pub use pointer::{Follow, Pointing};
pub use provenance::Pointer;
#[cfg(feature = "readiness")]
pub(crate) use reading::read;
pub use rejection::Rejection;
pub use request::{Request, RequestId, USER_AGENT};
pub use resource::{Resource, Resources};
pub use response::{Header, Response, Stored};
#[cfg(feature = "readiness")]
pub(crate) use trail::leads_to_document;
pub use trail::{MAX_DEPTH, MAX_LINKED};

use freshness::Ended;
use response::{entity_tag, find, lines, sendable};

/// The capacity for attempts of one discovery: at the well-known locations, at a companion, at the
/// documents to which others point, and those that the caller starts.
const ATTEMPTS: usize = resource::PLACES + 1 + trail::PLACES + MAX_ASKED;

/// What to request, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The kinds of documents to request.
    pub resources: Resources,
    /// Limits for documents.
    pub limits: Limits,
    /// Whether several users share the store, so that `s-maxage` takes precedence over `max-age`.
    pub shared: bool,
    /// Whether to request the documents to which the site points.
    pub follow: Follow,
}

impl Options {
    /// The options of an idle discovery.
    const NONE: Self = Self {
        resources: Resources::NONE,
        limits: Limits { document: 0, depth: 0, line: 0, robots: 0 },
        shared: false,
        follow: Follow::SameSite,
    };
}

/// The state of a discovery, without a heap. About 40 KB, or 11 KB without llms.txt and the formats
/// after it in [`Format`]. [`idle`](Self::idle) and [`begin`](Self::begin) initialise it in place.
#[derive(Clone, Debug)]
pub struct Discovery {
    origin: Origin,
    options: Options,
    /// The slots for attempts; started attempts come first.
    places: [Attempt; ATTEMPTS],
    begun: usize,
    last_id: u16,
    /// The number of pointers in the current document that were examined.
    pointers: u16,
    /// Whether a pointer was not followed because a limit was reached.
    is_cut: bool,
}

/// The result of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'r> {
    /// The kind of document.
    pub resource: Resource,
    /// The state of the attempt: [`State::Waiting`] after a redirect that is followed.
    pub state: State,
    /// The document, if there is one. It borrows from the body. A home page is not a document.
    pub document: Option<Document<'r>>,
    /// How long the result is fresh. All zero after a redirect that is followed, and for
    /// [`TooEarly`](Rejection::TooEarly).
    pub freshness: Freshness,
    /// The validators to store, `ETag` and `Last-Modified`; empty if they cannot be sent back.
    pub etag: &'r [u8],
    /// See [`etag`](Self::etag).
    pub last_modified: &'r [u8],
}

/// A document or a page that was found.
struct Found<'l, 'r> {
    document: Option<&'l Document<'r>>,
    body: &'r [u8],
    /// The headers of the answer; only `Link` is used.
    links: &'l [Header<'r>],
    source: Source,
    freshness: Freshness,
    /// `ETag` and `Last-Modified`.
    validators: (&'r [u8], &'r [u8]),
}

/// The error for a request that was not handed out, or is already answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct NotOpen;

impl core::fmt::Display for NotOpen {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("no request with this id is in flight")
    }
}

impl core::error::Error for NotOpen {}

impl Discovery {
    /// Starts the discovery of a site, in the form that [`Origin::parse`] accepts.
    ///
    /// # Errors
    /// [`OriginError`].
    pub fn new(site: &str, options: &Options) -> Result<Self, OriginError> {
        let mut discovery = Self::idle();
        discovery.begin(site, options)?;
        Ok(discovery)
    }

    /// A discovery that requests nothing until [`begin`](Self::begin). `const`, so it can be a
    /// static.
    pub const fn idle() -> Self {
        Self {
            origin: Origin::NONE,
            options: Options::NONE,
            places: [const { Attempt::BLANK }; ATTEMPTS],
            begun: 0,
            last_id: 0,
            pointers: 0,
            is_cut: false,
        }
    }

    /// Starts the discovery of a site as [`new`](Self::new) does, in place and with a small stack.
    /// Discards the previous state and its requests.
    ///
    /// # Errors
    /// [`OriginError`]; then nothing is requested.
    pub fn begin(&mut self, site: &str, options: &Options) -> Result<(), OriginError> {
        (self.begun, self.options, self.is_cut) = (0, *options, false);
        self.origin.read(site)?;
        for &resource in Resource::ALL
            .iter()
            .filter(|resource| options.resources.contains(**resource) && resource.is_built_in())
            .filter(|resource| **resource != Resource::Home || options.follow != Follow::Nothing)
        {
            self.try_location(resource, 0);
        }
        Ok(())
    }

    /// Whether some pointers were not followed because of a limit: there are more than
    /// [`MAX_LINKED`] linked documents, or one document has more pointers than are examined.
    pub const fn is_trail_cut(&self) -> bool {
        self.is_cut
    }

    /// The site.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Hands out the next request. `None` if there is no request at present; answers to requests in
    /// flight may create more.
    ///
    /// Requests to which [robots.txt applies](Request::heeds_robots) wait for the answer to the
    /// request for robots.txt. They are rejected if robots.txt cannot be fetched because of a
    /// server or network error.
    pub fn next_request(&mut self) -> Option<RequestId> {
        let rules = self.robots();
        let is_robots = |attempt: &Attempt| attempt.resource == Resource::RobotsTxt;
        let waits = self.begun().iter().any(|attempt| is_robots(attempt) && attempt.is_open());
        let id = self.last_id.wrapping_add(1).max(1);
        for index in 0..self.begun {
            let is_disallowed = rules == RobotsRules::DisallowAll
                && self.begun().get(index).is_some_and(|attempt| self.heeds(attempt));
            let attempt = place(&mut self.places, index);
            if attempt.state != State::Waiting || (waits && attempt.resource.heeds_robots()) {
                continue;
            }
            if is_disallowed {
                attempt.state = State::Rejected(Rejection::RobotsDisallowed);
                continue;
            }
            attempt.open(id);
            self.last_id = id;
            return Some(RequestId(id));
        }
        None
    }

    /// A request in flight.
    pub fn request(&self, id: RequestId) -> Option<Request<'_>> {
        let attempt = self
            .begun()
            .iter()
            .find(|attempt| attempt.state == State::Open && attempt.id == id.0)?;
        let heeds_robots = self.robots() == RobotsRules::Document && self.heeds(attempt);
        Some(Request::of(attempt, &self.options.limits, heeds_robots))
    }

    /// Whether the rules in the robots.txt of the site apply to the current URL of an attempt. They
    /// do not apply to other origins.
    fn heeds(&self, attempt: &Attempt) -> bool {
        let url = Url::parse(attempt.url().as_bytes());
        attempt.resource.heeds_robots()
            && self.origin.url().zip(url).is_some_and(|(own, url)| own.is_same_origin(&url))
    }

    /// Whether every attempt is finished.
    pub fn is_done(&self) -> bool {
        !self.begun().iter().any(Attempt::is_open)
    }

    /// Answers a request from the store of the caller, if the stored answer is fresh or must not be
    /// requested again yet. `None` if the request has to be sent; send it with the stored
    /// validators.
    ///
    /// # Errors
    /// If the request is not in flight.
    pub fn recall<'s>(
        &mut self,
        id: RequestId,
        stored: &Stored<'s>,
        now: u64,
    ) -> Result<Option<Answer<'s>>, NotOpen> {
        let index = self.index(id)?;
        let attempt = place(&mut self.places, index);
        let Ok(moved) = attempt.admit(&self.origin, stored.url) else {
            return Ok(None);
        };
        if !attempt.fits(stored.url) {
            return Ok(None);
        }
        let may_ask = stored.freshness.may_ask(now);
        let rejection = match (stored.rejection, stored.body) {
            (Some(rejection), _) if !may_ask => rejection,
            (None, Some(body)) if stored.freshness.is_fresh(now) => {
                // A stored body that cannot be read is requested again.
                let Ok(document) = reading::read(
                    attempt.resource,
                    self.options.resources,
                    trail::places(attempt),
                    None,
                    body,
                    &self.options.limits,
                ) else {
                    return Ok(None);
                };
                if attempt.url() != stored.url {
                    attempt.moved = moved;
                    attempt.go_to(stored.url);
                }
                let found = Found {
                    document: document.as_ref(),
                    body,
                    links: &[stored.links()],
                    source: Source::Store,
                    freshness: stored.freshness,
                    validators: (stored.etag, stored.last_modified),
                };
                return Ok(Some(self.found(index, &found)));
            }
            // For agents.md the minimum interval is a requirement (section 1); for other kinds it
            // is only a recommendation.
            (None, _) if !may_ask && attempt.resource == Resource::AgentsMd => Rejection::TooEarly,
            _ => return Ok(None),
        };
        attempt.source = Source::Store;
        Ok(Some(self.reject(index, rejection, stored.freshness)))
    }

    /// Accepts an answer.
    ///
    /// # Errors
    /// If the request is not in flight.
    pub fn respond<'r>(
        &mut self,
        id: RequestId,
        response: &Response<'_, 'r>,
    ) -> Result<Answer<'r>, NotOpen> {
        let index = self.index(id)?;
        Ok(self.take(index, response))
    }

    fn take<'r>(&mut self, index: usize, response: &Response<'_, 'r>) -> Answer<'r> {
        let attempt = place(&mut self.places, index);
        attempt.status = response.status;
        // The client has followed redirects. Accept the answer only if this attempt would have
        // followed them.
        if let Some(url) = response.final_url.filter(|url| *url != attempt.url()) {
            let followed = attempt.follow(&self.origin, Some(url.as_bytes()));
            if let Err(rejection) = followed {
                return self.reject_answer(index, rejection, response);
            }
        }
        let is_robots = attempt.resource == Resource::RobotsTxt;
        match response.status {
            301 | 302 | 303 | 307 | 308 => {
                match attempt.follow(&self.origin, find(response.headers, "location")) {
                    Ok(()) => self.answer(index, None, (&[], &[])),
                    Err(rejection) => self.reject_answer(index, rejection, response),
                }
            }
            304 => self.not_modified(index, response),
            200 | 203 => self.read(index, response),
            201..=299 if is_robots => self.read(index, response),
            status => self.reject_answer(index, Rejection::of_status(status), response),
        }
    }

    /// Accepts the failure of a request.
    ///
    /// # Errors
    /// If the request is not in flight.
    pub fn fail(
        &mut self,
        id: RequestId,
        failure: Failure,
        now: u64,
    ) -> Result<Answer<'static>, NotOpen> {
        let index = self.index(id)?;
        let attempt = place(&mut self.places, index);
        // The server was not reached, so the minimum interval does not apply.
        let freshness = match failure {
            Failure::Refused | Failure::Disallowed if attempt.redirects() == 0 => {
                freshness::unasked(now)
            }
            Failure::NotConnected if attempt.redirects() == 0 => freshness::paused(now),
            _ => freshness::of_failure(attempt.resource, now),
        };
        Ok(self.reject(index, Rejection::of_failure(failure), freshness))
    }

    fn begun(&self) -> &[Attempt] {
        self.places.get(..self.begun).unwrap_or_default()
    }

    fn begun_mut(&mut self) -> &mut [Attempt] {
        self.places.get_mut(..self.begun).unwrap_or_default()
    }

    /// A free slot for a further attempt.
    fn next_place(&mut self) -> Option<&mut Attempt> {
        let place = self.places.get_mut(self.begun)?;
        self.begun = self.begun.saturating_add(1);
        Some(place)
    }

    fn index(&self, id: RequestId) -> Result<usize, NotOpen> {
        self.begun()
            .iter()
            .position(|attempt| attempt.state == State::Open && attempt.id == id.0)
            .ok_or(NotOpen)
    }

    /// Adds an attempt at a well-known location, if the kind has that location and its URL is not
    /// requested yet.
    fn try_location(&mut self, resource: Resource, location: u8) {
        let Some(path) = resource.locations().get(usize::from(location)) else {
            return;
        };
        if location > 0 && self.known(self.origin.as_str(), path).is_some() {
            return;
        }
        // There is room for every location.
        let Some(attempt) = self.places.get_mut(self.begun) else {
            return;
        };
        attempt.begin(resource, &[self.origin.as_str(), path]);
        attempt.location = Some(location);
        self.begun = self.begun.saturating_add(1);
    }

    fn read<'r>(&mut self, index: usize, response: &Response<'_, 'r>) -> Answer<'r> {
        let content_type =
            find(response.headers, "content-type").and_then(|value| crate::scan::text(value));
        let attempt = place(&mut self.places, index);
        // By reference, because a document is large.
        match &reading::read(
            attempt.resource,
            self.options.resources,
            trail::places(attempt),
            content_type,
            response.body,
            &self.options.limits,
        ) {
            Ok(document) => {
                let freshness = freshness::of(
                    response,
                    None,
                    Ended::Document,
                    attempt.resource,
                    self.options.shared,
                );
                let found = Found {
                    document: document.as_ref(),
                    body: response.body,
                    links: response.headers,
                    source: Source::Network,
                    freshness,
                    validators: validators(response),
                };
                self.found(index, &found)
            }
            Err(refused) => {
                (attempt.format, attempt.fault) = (refused.format, refused.error.into());
                self.reject_answer(index, refused.rejection, response)
            }
        }
    }

    fn not_modified<'r>(&mut self, index: usize, response: &Response<'_, 'r>) -> Answer<'r> {
        let known = response.stored.and_then(|stored| Some((stored, stored.body?)));
        let attempt = place(&mut self.places, index);
        // A 304 to a request without validators confirms nothing. Neither does a 304 that names
        // another representation (RFC 9111 section 4.3.4).
        let (etag, last_modified) = validators(response);
        let is_of_other = |stored: &Stored<'_>| {
            let is_strong = |etag: &[u8]| etag.starts_with(b"\"");
            is_strong(etag) && is_strong(stored.etag) && etag != stored.etag
        };
        let known = known
            .filter(|(stored, _)| stored.makes_conditional(attempt.url()) && !is_of_other(stored));
        let read = known.and_then(|(stored, body)| {
            let document = reading::read(
                attempt.resource,
                self.options.resources,
                trail::places(attempt),
                None,
                body,
                &self.options.limits,
            )
            .ok()?;
            Some((stored, body, document))
        });
        let Some((stored, body, document)) = read else {
            return self.reject_answer(index, Rejection::NotModifiedUnasked, response);
        };
        let freshness = freshness::of(
            response,
            Some(&stored.freshness),
            Ended::Document,
            attempt.resource,
            self.options.shared,
        );
        let either = |new: &'r [u8], old: &'r [u8]| if new.is_empty() { old } else { new };
        let kept = [stored.links()];
        let found = Found {
            document: document.as_ref(),
            body,
            links: match find(response.headers, "link") {
                Some(_) => response.headers,
                None => &kept,
            },
            source: Source::Revalidated,
            freshness,
            validators: (either(etag, stored.etag), either(last_modified, stored.last_modified)),
        };
        self.found(index, &found)
    }

    fn found<'r>(&mut self, index: usize, found: &Found<'_, 'r>) -> Answer<'r> {
        let attempt = place(&mut self.places, index);
        attempt.state = State::Found;
        attempt.source = found.source;
        attempt.freshness = found.freshness;
        let Some(document) = found.document else {
            attempt.format = Format::Html;
            self.follow_page(index, found.body, found.links);
            return self.answer(index, None, found.validators);
        };
        attempt.format = document.format();
        let kind = attempt.resource.of(attempt.format, self.options.resources);
        attempt.resource = kind.unwrap_or(attempt.resource);
        let provenance = with_reading(document, |reading| reading.provenance());
        attempt.synthetic = provenance.is_some_and(|from| from.source.value != Provenance::Native);
        self.try_companion(index, document);
        self.follow_document(index, document);
        self.answer(index, Some(document), found.validators)
    }

    fn reject_answer<'r>(
        &mut self,
        index: usize,
        rejection: Rejection,
        response: &Response<'_, 'r>,
    ) -> Answer<'r> {
        let ended = if rejection.is_certain() { Ended::Nothing } else { Ended::Failure };
        let freshness = freshness::of(
            response,
            None,
            ended,
            place(&mut self.places, index).resource,
            self.options.shared,
        );
        self.reject(index, rejection, freshness)
    }

    /// Rejects an attempt, and continues with the next location if there is no usable document
    /// here.
    fn reject<'r>(
        &mut self,
        index: usize,
        rejection: Rejection,
        freshness: Freshness,
    ) -> Answer<'r> {
        let attempt = place(&mut self.places, index);
        attempt.state = State::Rejected(rejection);
        attempt.freshness = freshness;
        let (resource, location) = (attempt.resource, attempt.location);
        if let Some(location) = location.filter(|_| rejection.asks_fallback()) {
            self.try_location(resource, location.saturating_add(1));
        }
        self.answer(index, None, (&[], &[]))
    }

    fn answer<'r>(
        &mut self,
        index: usize,
        document: Option<&Document<'r>>,
        (etag, last_modified): (&'r [u8], &'r [u8]),
    ) -> Answer<'r> {
        let attempt = place(&mut self.places, index);
        Answer {
            resource: attempt.resource,
            state: attempt.state,
            document: document.copied(),
            freshness: attempt.freshness,
            etag,
            last_modified,
        }
    }
}

/// The slot at an index. Returns the first slot for an index out of range, so that this function
/// cannot fail.
fn place(places: &mut [Attempt; ATTEMPTS], index: usize) -> &mut Attempt {
    let [first, others @ ..] = places;
    match index.checked_sub(1).and_then(|index| others.get_mut(index)) {
        Some(attempt) => attempt,
        None => first,
    }
}

fn validators<'r>(response: &Response<'_, 'r>) -> (&'r [u8], &'r [u8]) {
    // With two entity tags, it is unknown which one is valid.
    let mut etags = lines(response.headers, "etag");
    let etag = match (etags.next(), etags.next()) {
        (Some(etag), None) => entity_tag(etag),
        _ => &[],
    };
    let last_modified = find(response.headers, "last-modified");
    (etag, last_modified.map(sendable).unwrap_or_default())
}
