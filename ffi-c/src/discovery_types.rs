//! The types of discovery: options, requests, responses, answers, attempts.

use core::mem::{MaybeUninit, size_of};

use agentsdisc_core::discovery::{
    Answer, Attempt, Discovery, Freshness, Header, Moved, Pointing, Rejection, Request, RequestId,
    Resource, Source, State, Stored,
};

use crate::boundary::{fixed, growing, hold};
use crate::discovery_names::{
    AGD_ATTEMPT_FOUND, AGD_ATTEMPT_OPEN, AGD_ATTEMPT_PAGE, AGD_ATTEMPT_REJECTED,
    AGD_ATTEMPT_WAITING, AGD_REJECTION_NONE, rejection_of,
};
use crate::document::agd_document;
use crate::enumerations::{AGD_FALSE, AGD_TRUE};
use crate::format::{AGD_FORMAT_UNKNOWN, number_of};
use crate::http_header::agd_http_header;
use crate::status::{AGD_ERROR_ARGUMENT, AGD_OK, agd_status, status_of};
use crate::text::agd_text;

/// Size of agd_discovery in 64-bit words.
pub const AGD_DISCOVERY_WORDS: usize = 5120;
/// Maximum number of headers that agd_discovery_headers writes.
pub const AGD_DISCOVERY_HEADERS: usize = 4;

/// The state of a discovery: the requests to a site and their results, about 40 KB. You allocate it
/// (AGD_DISCOVERY_INIT); there is nothing to free. It borrows nothing, and can be copied and moved
/// as plain memory; texts read from it point into it.
///
/// One thread at a time may use it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_discovery {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_DISCOVERY_WORDS],
}

/// Options of agd_discovery_begin. Initialise it with AGD_INIT: members left at zero have their
/// defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_discovery_options {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Resources to request: the sum of `1 << AGD_RESOURCE_*`. 0: the default, which is the
    /// companion and every kind with a well-known location, except MCP server cards, indexes of
    /// skills and API catalogs. The excepted kinds are requested only if another document points to
    /// them.
    pub resources: u32,
    /// Whether the caller's store is shared by several users, so that `s-maxage` takes precedence
    /// over `max-age`: AGD_TRUE or AGD_FALSE.
    pub shared: i32,
    /// Maximum nesting, see agd_options.
    pub max_depth: u32,
    /// Whether to request the documents to which the site points: AGD_FOLLOW_*.
    pub follow: i32,
    /// Maximum size of a document in bytes, see agd_options.
    pub max_document: usize,
    /// Maximum length of a line in bytes, see agd_options.
    pub max_line: usize,
    /// Number of bytes read of a robots.txt, see agd_options.
    pub max_robots: usize,
}

/// A GET request to send now. Do not follow redirects, and send no cookies and no credentials. It
/// points into the discovery.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_discovery_request {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Its id; pass it with the response.
    pub id: i32,
    /// The resource: AGD_RESOURCE_*.
    pub resource: i32,
    /// The absolute URL, in ASCII, without user information and fragment. Not NUL-terminated.
    pub url: agd_text,
    /// The URL to use as the key of the store: the first URL of the attempt, before any redirect.
    pub key: agd_text,
    /// Maximum size of the decoded body in bytes.
    pub limit: usize,
    /// Whether to truncate a body over the limit (robots.txt, the home page): AGD_TRUE or AGD_FALSE.
    /// Otherwise report AGD_FAILURE_TOO_LARGE.
    pub cuts: i32,
    /// Whether the rules of the robots.txt that was found apply to this URL: AGD_TRUE or AGD_FALSE.
    /// If they disallow it, do not send the request, and report AGD_FAILURE_DISALLOWED.
    pub heeds_robots: i32,
}

/// Freshness of an answer. All times are seconds since 1970, by the caller's clock. Store it with
/// the body, and pass it back unchanged.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_freshness {
    /// When the answer was received; 0 if there was none.
    pub received_at: u64,
    /// The time until which the answer may be used without a request.
    pub fresh_until: u64,
    /// The time before which the document must not be requested again, also after a rejection.
    pub ask_again_at: u64,
    /// Freshness lifetime of the answer in seconds, from `received_at`.
    pub lifetime: u32,
    /// Whether the body may be stored: AGD_TRUE or AGD_FALSE. If not, keep it in memory until
    /// `fresh_until`, because an agents.md must not be requested again before that time.
    pub may_store: i32,
}

/// The stored result of an earlier attempt, under the key of its request.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_stored {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The last URL, after redirects.
    pub url: agd_text,
    /// The rejection: AGD_REJECTION_*; AGD_REJECTION_NONE if a document was found.
    pub rejection: i32,
    /// Reserved; zero.
    pub reserved: i32,
    /// The document; absent if there was none, or if it was not kept.
    pub body: agd_text,
    /// Its freshness.
    pub freshness: agd_freshness,
    /// The value of `ETag`; absent if there was none.
    pub etag: agd_text,
    /// The value of `Last-Modified`; absent if there was none.
    pub last_modified: agd_text,
    /// The values of the `Link` headers of the home page (AGD_RESOURCE_HOME), joined by commas;
    /// absent for everything else.
    pub link: agd_text,
}

/// A response of a server.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_discovery_response {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The status code.
    pub status: i32,
    /// Reserved; zero.
    pub reserved: i32,
    /// The headers in their order; NULL if there are none.
    pub headers: *const agd_http_header,
    /// Number of elements.
    pub header_count: usize,
    /// The body without its content codings; absent or empty if there is none.
    pub body: agd_text,
    /// The final URL, if the client has followed redirects; otherwise absent. Clients should not
    /// follow redirects.
    pub final_url: agd_text,
    /// The result stored under the key of the request, needed after 304; NULL if there is none.
    pub stored: *const agd_stored,
    /// When the response was received, in seconds since 1970.
    pub now: u64,
}

/// The result of a response. It borrows the body; the validators borrow the headers (after 304, the
/// stored ones).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_discovery_answer {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The state of the attempt: AGD_ATTEMPT_*; AGD_ATTEMPT_WAITING after a redirect that is
    /// followed.
    pub state: i32,
    /// Why no document was found: AGD_REJECTION_*.
    pub rejection: i32,
    /// The resource: AGD_RESOURCE_*.
    pub resource: i32,
    /// The format of the document: AGD_FORMAT_*; AGD_FORMAT_UNKNOWN if there is none.
    pub format: i32,
    /// The document if `state` is AGD_ATTEMPT_FOUND, otherwise uninitialised.
    pub document: agd_document,
    /// Its freshness; all zero after a redirect that is followed.
    pub freshness: agd_freshness,
    /// The value of `ETag` to store; empty if there is none that can be sent back.
    pub etag: agd_text,
    /// The value of `Last-Modified` to store; empty if there is none that can be sent back.
    pub last_modified: agd_text,
    /// The index of the attempt, for agd_discovery_attempt.
    pub attempt: usize,
    /// Whether it is a document of the site, for agd_decide: AGD_TRUE or AGD_FALSE, as in
    /// agd_attempt. AGD_FALSE if there is no document.
    pub own: i32,
    /// Reserved; zero.
    pub reserved: i32,
}

/// An attempt to get one document from one location, with all its redirects. It points into the
/// discovery.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_attempt {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The resource: AGD_RESOURCE_*.
    pub resource: i32,
    /// The state: AGD_ATTEMPT_*.
    pub state: i32,
    /// Why no document was found: AGD_REJECTION_*.
    pub rejection: i32,
    /// The HTTP status of the last response; 0 if there was none.
    pub status: i32,
    /// Number of redirects followed.
    pub redirects: i32,
    /// How far the redirects led: AGD_MOVED_*.
    pub moved: i32,
    /// The source of the answer: AGD_ANSWER_FROM_*.
    pub source: i32,
    /// The format of the response body: AGD_FORMAT_*.
    pub format: i32,
    /// Whether the document states that somebody other than the site made it: AGD_TRUE or
    /// AGD_FALSE.
    pub synthetic: i32,
    /// Why the document could not be read: AGD_ERROR_*; AGD_OK if it could.
    pub error_kind: agd_status,
    /// Byte offset of that error, from 0.
    pub error_offset: usize,
    /// The first URL of the request.
    pub key: agd_text,
    /// The last URL, after redirects.
    pub url: agd_text,
    /// Its freshness; all zero before there is an answer.
    pub freshness: agd_freshness,
    /// How another document or page points to it: AGD_POINTING_*.
    pub pointing: i32,
    /// Whether it is a document of the site: AGD_TRUE or AGD_FALSE. AGD_FALSE if it, or a document
    /// on the way to it, is on another site; agd_discovery_document does not return such a
    /// document.
    pub own: i32,
    /// The URL of the document or page that points to it; absent if none does.
    pub source_url: agd_text,
    /// The relation or the media type as written, or the name of the field; absent if nothing points
    /// to it.
    pub relation: agd_text,
    /// Byte offset of its URL in the body of that document; 0 for headers and defaults.
    pub pointer_start: usize,
    /// Byte offset of the end of its URL; 0 as above.
    pub pointer_end: usize,
}

growing! { agd_discovery_options, agd_discovery_request, agd_stored, agd_discovery_response, agd_discovery_answer, agd_attempt, }
fixed! { agd_freshness, }

impl From<Freshness> for agd_freshness {
    fn from(freshness: Freshness) -> Self {
        let Freshness { received_at, lifetime, fresh_until, ask_again_at, may_store } = freshness;
        Self { received_at, fresh_until, ask_again_at, lifetime, may_store: i32::from(may_store) }
    }
}

impl From<agd_freshness> for Freshness {
    fn from(freshness: agd_freshness) -> Self {
        let agd_freshness { received_at, fresh_until, ask_again_at, lifetime, may_store } =
            freshness;
        Self { received_at, lifetime, fresh_until, ask_again_at, may_store: may_store == AGD_TRUE }
    }
}

impl From<Header<'static>> for agd_http_header {
    fn from(header: Header<'static>) -> Self {
        Self { name: header.name.into(), value: header.value.into() }
    }
}

impl agd_http_header {
    /// Converts to the core's header.
    ///
    /// # Safety
    /// The texts are readable.
    pub(crate) unsafe fn get(&self) -> Result<Header<'static>, agd_status> {
        // SAFETY: the contract is the same.
        Ok(unsafe { Header { name: self.name.raw()?, value: self.value.raw()? } })
    }
}

impl agd_stored {
    /// Converts to the core's type.
    ///
    /// # Safety
    /// The texts are readable.
    pub(crate) unsafe fn get(&self) -> Result<Stored<'static>, agd_status> {
        let rejection = match self.rejection {
            AGD_REJECTION_NONE => None,
            number => Some(rejection_of(number).ok_or(AGD_ERROR_ARGUMENT)?),
        };
        // SAFETY: the contract is the same.
        unsafe {
            Ok(Stored {
                url: self.url.string()?.unwrap_or_default(),
                rejection,
                body: if self.body.ptr.is_null() { None } else { Some(self.body.raw()?) },
                freshness: self.freshness.into(),
                etag: self.etag.raw()?,
                last_modified: self.last_modified.raw()?,
                link: self.link.raw()?,
            })
        }
    }
}

impl From<Request<'static>> for agd_discovery_request {
    fn from(request: Request<'static>) -> Self {
        Self {
            size: size_of::<Self>(),
            id: i32::from(request.id.0),
            resource: request.resource as i32,
            url: request.url.as_bytes().into(),
            key: request.key.as_bytes().into(),
            limit: request.limit,
            cuts: i32::from(request.cuts),
            heeds_robots: i32::from(request.heeds_robots),
        }
    }
}

/// The C numbers of a state: AGD_ATTEMPT_* and AGD_REJECTION_*.
const fn numbers(state: State, resource: Resource) -> (i32, i32) {
    match state {
        State::Found if matches!(resource, Resource::Home) => {
            (AGD_ATTEMPT_PAGE, AGD_REJECTION_NONE)
        }
        State::Waiting => (AGD_ATTEMPT_WAITING, AGD_REJECTION_NONE),
        State::Open => (AGD_ATTEMPT_OPEN, AGD_REJECTION_NONE),
        State::Found => (AGD_ATTEMPT_FOUND, AGD_REJECTION_NONE),
        State::Rejected(rejection) => (AGD_ATTEMPT_REJECTED, number_of_rejection(rejection)),
    }
}

const fn number_of_rejection(rejection: Rejection) -> i32 {
    rejection as i32
}

impl agd_discovery_answer {
    /// Converts an answer about the attempt at an index.
    pub(crate) fn of(core: &Discovery, index: usize, answer: Answer<'static>) -> Self {
        let (state, rejection) = numbers(answer.state, answer.resource);
        let own = core.attempts().nth(index).is_some_and(|attempt| core.is_own(attempt));
        Self {
            size: size_of::<Self>(),
            state,
            rejection,
            resource: answer.resource as i32,
            format: answer
                .document
                .map_or(AGD_FORMAT_UNKNOWN, |document| number_of(document.format())),
            document: answer.document.map_or(agd_document::UNINITIALISED, |document| {
                hold(agd_document::UNINITIALISED, document.manifest())
            }),
            freshness: answer.freshness.into(),
            etag: answer.etag.into(),
            last_modified: answer.last_modified.into(),
            attempt: index,
            own: i32::from(own && state == AGD_ATTEMPT_FOUND),
            reserved: 0,
        }
    }
}

/// The index of the attempt whose request is in flight.
pub(crate) fn index_of(core: &Discovery, id: RequestId) -> usize {
    let attempt = core.attempt(id).map(core::ptr::from_ref);
    core.attempts().position(|other| attempt == Some(other)).unwrap_or_default()
}

impl agd_attempt {
    /// Converts an attempt of a discovery.
    pub(crate) fn of(core: &'static Discovery, attempt: &'static Attempt) -> Self {
        let pointer = core.pointer(attempt);
        let span = pointer.and_then(|pointer| pointer.span).unwrap_or_default();
        let (state, rejection) = numbers(attempt.state(), attempt.resource());
        let (moved, source): (Moved, Source) = (attempt.moved(), attempt.source());
        Self {
            size: size_of::<Self>(),
            resource: attempt.resource() as i32,
            state,
            rejection,
            status: i32::from(attempt.status()),
            redirects: i32::try_from(attempt.redirects()).unwrap_or(i32::MAX),
            moved: moved as i32,
            source: source as i32,
            format: number_of(attempt.format()),
            synthetic: if attempt.is_synthetic() { AGD_TRUE } else { AGD_FALSE },
            error_kind: attempt.error().map_or(AGD_OK, |error| status_of(error.kind)),
            error_offset: attempt.error().map_or(0, |error| error.offset),
            key: attempt.key().as_bytes().into(),
            url: attempt.url().as_bytes().into(),
            freshness: (*attempt.freshness()).into(),
            pointing: pointer.map_or(Pointing::None, |pointer| pointer.pointing) as i32,
            own: i32::from(core.is_own(attempt)),
            source_url: pointer
                .map_or(agd_text::ABSENT, |pointer| pointer.source.url().as_bytes().into()),
            relation: pointer
                .map_or(agd_text::ABSENT, |pointer| pointer.relation.as_bytes().into()),
            pointer_start: span.start as usize,
            pointer_end: span.end as usize,
        }
    }
}
