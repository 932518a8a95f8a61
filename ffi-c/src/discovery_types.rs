//! What goes into a discovery and comes out of it.

use core::mem::{MaybeUninit, size_of};

use agentsdisc_core::discovery::{
    Answer, Attempt, Freshness, Header, Moved, Rejection, Request, Source, State, Stored,
};

use crate::boundary::{bytes, fixed, growing, hold};
use crate::discovery_names::{
    AGD_ATTEMPT_FOUND, AGD_ATTEMPT_OPEN, AGD_ATTEMPT_REJECTED, AGD_ATTEMPT_WAITING,
    AGD_REJECTION_NONE, rejection_of,
};
use crate::document::agd_document;
use crate::enumerations::{AGD_FALSE, AGD_TRUE};
use crate::format::{AGD_FORMAT_UNKNOWN, number_of};
use crate::status::{AGD_ERROR_ARGUMENT, AGD_ERROR_NULL, AGD_OK, agd_status, status_of};
use crate::text::agd_text;

/// Words of the state of a discovery.
pub const AGD_DISCOVERY_WORDS: usize = 2560;
/// Headers that agd_discovery_headers writes at most.
pub const AGD_DISCOVERY_HEADERS: usize = 4;

/// What is asked of a site, and what came of it: about 20 KB. You allocate it (AGD_DISCOVERY_INIT); there is nothing to free. It borrows nothing, and
/// can be copied and moved as plain memory; texts that were read from it point into it.
///
/// One thread at a time may use it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_discovery {
    /// The library's.
    pub state: [MaybeUninit<u64>; AGD_DISCOVERY_WORDS],
}

/// What is looked for, and how. Initialise it with AGD_INIT: everything left at zero has its default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_discovery_options {
    /// Size of this struct as you know it: set by AGD_INIT.
    pub size: usize,
    /// What is looked for: the sum of `1 << AGD_RESOURCE_*`. 0: the default, everything but details and declarations.
    pub resources: u32,
    /// Whether what you store is shared by several users, so that `s-maxage` goes before `max-age`: AGD_TRUE or AGD_FALSE.
    pub shared: i32,
    /// Nesting that is read, see agd_options.
    pub max_depth: u32,
    /// For later; zero.
    pub reserved: u32,
    /// Bytes of a document that is read, see agd_options.
    pub max_document: usize,
    /// Bytes of a line in the text formats, see agd_options.
    pub max_line: usize,
    /// Bytes of a robots.txt that are read, see agd_options.
    pub max_robots: usize,
}

/// A header of a request or a response. It borrows name and value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_http_header {
    /// The name, in any letter case.
    pub name: agd_text,
    /// The value, octets as they came.
    pub value: agd_text,
}

/// A GET request that is to be sent now. Do not follow redirects, and send no cookies and no credentials. It points into the discovery.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_discovery_request {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Its number, for the answer.
    pub id: i32,
    /// What is looked for: AGD_RESOURCE_*.
    pub resource: i32,
    /// Where: an absolute URL of ASCII characters, without user information and fragment. It has no NUL at its end.
    pub url: agd_text,
    /// The URL under which what comes of the attempt is stored: where it began, before any redirect.
    pub key: agd_text,
    /// How many bytes of the decoded body are read at most.
    pub limit: usize,
    /// Whether a body over the limit is cut there (robots.txt): AGD_TRUE or AGD_FALSE. Otherwise it is AGD_FAILURE_TOO_LARGE.
    pub cuts: i32,
    /// For later; zero.
    pub reserved: i32,
}

/// How long an answer counts. All times are seconds since 1970, by your clock. Store it beside the body, and give it back as it is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_freshness {
    /// When the answer came. 0 where there was none.
    pub received_at: u64,
    /// Until when it is used without asking.
    pub fresh_until: u64,
    /// Until when it must not be requested again, whatever the result.
    pub ask_again_at: u64,
    /// For how many seconds the answer was good when it came.
    pub lifetime: u32,
    /// Whether the body may be stored at all: AGD_TRUE or AGD_FALSE.
    pub may_store: i32,
}

/// What came of an earlier attempt, as you stored it under the key of its request.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_stored {
    /// Size of this struct as you know it: set by AGD_INIT.
    pub size: usize,
    /// Where the answer came from in the end.
    pub url: agd_text,
    /// Why nothing usable came: AGD_REJECTION_*; AGD_REJECTION_NONE where a document came.
    pub rejection: i32,
    /// For later; zero.
    pub reserved: i32,
    /// The document; absent where none came, or where it could not be stored.
    pub body: agd_text,
    /// How long it counts.
    pub freshness: agd_freshness,
    /// The value of `ETag`, absent where there was none.
    pub etag: agd_text,
    /// The value of `Last-Modified`, absent where there was none.
    pub last_modified: agd_text,
}

/// An answer of a server.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_discovery_response {
    /// Size of this struct as you know it: set by AGD_INIT.
    pub size: usize,
    /// The status code.
    pub status: i32,
    /// For later; zero.
    pub reserved: i32,
    /// The headers in their order; NULL where there are none.
    pub headers: *const agd_http_header,
    /// How many there are.
    pub header_count: usize,
    /// The body without its content codings; absent or empty where there is none.
    pub body: agd_text,
    /// Where the answer came from, where your client has followed redirects by itself all the same; absent otherwise.
    pub final_url: agd_text,
    /// What you have stored under the key of the request: needed after 304. NULL where there is nothing.
    pub stored: *const agd_stored,
    /// When the answer came, in seconds since 1970.
    pub now: u64,
}

/// What came of an answer. It borrows the body, and the validators the headers (after 304, the stored ones).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_discovery_answer {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Where the attempt stands now: AGD_ATTEMPT_*; AGD_ATTEMPT_WAITING after a redirect that is followed.
    pub state: i32,
    /// Why it gave nothing: AGD_REJECTION_*.
    pub rejection: i32,
    /// What is looked for: AGD_RESOURCE_*.
    pub resource: i32,
    /// The format of the document: AGD_FORMAT_*; AGD_FORMAT_UNKNOWN where there is none.
    pub format: i32,
    /// The document; uninitialised where there is none.
    pub document: agd_document,
    /// How long this counts. All zero after a redirect that is followed.
    pub freshness: agd_freshness,
    /// What to store as the value of `ETag`; empty where there is none that could be sent back.
    pub etag: agd_text,
    /// What to store as the value of `Last-Modified`; empty where there is none that could be sent back.
    pub last_modified: agd_text,
}

/// An attempt to get one document from one location, with all its redirects. It points into the discovery.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_attempt {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// What is looked for: AGD_RESOURCE_*.
    pub resource: i32,
    /// Where it stands: AGD_ATTEMPT_*.
    pub state: i32,
    /// Why it gave nothing: AGD_REJECTION_*.
    pub rejection: i32,
    /// The status of the last answer; 0 where there was none.
    pub status: i32,
    /// How many redirects were followed.
    pub redirects: i32,
    /// How far they led: AGD_MOVED_*.
    pub moved: i32,
    /// Where the answer came from: AGD_ANSWER_FROM_*.
    pub source: i32,
    /// The format of what came: AGD_FORMAT_*.
    pub format: i32,
    /// Whether the document says that the site itself did not make it: AGD_TRUE or AGD_FALSE.
    pub synthetic: i32,
    /// Why the document could not be read: AGD_ERROR_*; AGD_OK where nothing is wrong.
    pub error_kind: agd_status,
    /// Offset in bytes, from 0, of the place that shows it.
    pub error_offset: usize,
    /// The first URL of the request.
    pub key: agd_text,
    /// The last URL, after redirects.
    pub url: agd_text,
    /// How long this counts. All zero before there is an answer.
    pub freshness: agd_freshness,
}

growing! { agd_discovery_options, agd_discovery_request, agd_stored, agd_discovery_response, agd_discovery_answer, agd_attempt, }
fixed! { agd_http_header, agd_freshness, }

impl From<Freshness> for agd_freshness {
    fn from(freshness: Freshness) -> Self {
        let Freshness {
            received_at,
            lifetime,
            fresh_until,
            ask_again_at,
            may_store,
        } = freshness;
        Self {
            received_at,
            fresh_until,
            ask_again_at,
            lifetime,
            may_store: i32::from(may_store),
        }
    }
}

impl From<agd_freshness> for Freshness {
    fn from(freshness: agd_freshness) -> Self {
        let agd_freshness {
            received_at,
            fresh_until,
            ask_again_at,
            lifetime,
            may_store,
        } = freshness;
        Self {
            received_at,
            lifetime,
            fresh_until,
            ask_again_at,
            may_store: may_store == AGD_TRUE,
        }
    }
}

impl From<Header<'static>> for agd_http_header {
    fn from(header: Header<'static>) -> Self {
        Self {
            name: header.name.into(),
            value: header.value.into(),
        }
    }
}

/// The bytes of an argument, in any encoding; empty where it is absent.
///
/// # Safety
/// The text is readable.
pub(crate) unsafe fn octets(text: agd_text) -> Result<&'static [u8], agd_status> {
    if text.ptr.is_null() && text.len != 0 {
        return Err(AGD_ERROR_NULL);
    }
    // SAFETY: the contract is the same.
    unsafe { bytes(text.ptr.cast(), text.len) }
}

impl agd_http_header {
    /// The header of the core.
    ///
    /// # Safety
    /// The texts are readable.
    pub(crate) unsafe fn get(&self) -> Result<Header<'static>, agd_status> {
        // SAFETY: the contract is the same.
        Ok(unsafe {
            Header {
                name: octets(self.name)?,
                value: octets(self.value)?,
            }
        })
    }
}

impl agd_stored {
    /// What the core takes.
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
                body: if self.body.ptr.is_null() {
                    None
                } else {
                    Some(octets(self.body)?)
                },
                freshness: self.freshness.into(),
                etag: octets(self.etag)?,
                last_modified: octets(self.last_modified)?,
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
            reserved: 0,
        }
    }
}

/// The numbers of a state: AGD_ATTEMPT_* and AGD_REJECTION_*.
const fn numbers(state: State) -> (i32, i32) {
    match state {
        State::Waiting => (AGD_ATTEMPT_WAITING, AGD_REJECTION_NONE),
        State::Open => (AGD_ATTEMPT_OPEN, AGD_REJECTION_NONE),
        State::Found => (AGD_ATTEMPT_FOUND, AGD_REJECTION_NONE),
        State::Rejected(rejection) => (AGD_ATTEMPT_REJECTED, number_of_rejection(rejection)),
    }
}

const fn number_of_rejection(rejection: Rejection) -> i32 {
    rejection as i32
}

impl From<Answer<'static>> for agd_discovery_answer {
    fn from(answer: Answer<'static>) -> Self {
        let (state, rejection) = numbers(answer.state);
        Self {
            size: size_of::<Self>(),
            state,
            rejection,
            resource: answer.resource as i32,
            format: answer
                .document
                .map_or(AGD_FORMAT_UNKNOWN, |document| number_of(document.format())),
            document: answer
                .document
                .map_or(agd_document::UNINITIALISED, |document| {
                    hold(agd_document::UNINITIALISED, document.manifest())
                }),
            freshness: answer.freshness.into(),
            etag: answer.etag.into(),
            last_modified: answer.last_modified.into(),
        }
    }
}

impl From<&'static Attempt> for agd_attempt {
    fn from(attempt: &'static Attempt) -> Self {
        let (state, rejection) = numbers(attempt.state());
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
            synthetic: if attempt.is_synthetic() {
                AGD_TRUE
            } else {
                AGD_FALSE
            },
            error_kind: attempt
                .error()
                .map_or(AGD_OK, |error| status_of(error.kind)),
            error_offset: attempt.error().map_or(0, |error| error.offset),
            key: attempt.key().as_bytes().into(),
            url: attempt.url().as_bytes().into(),
            freshness: (*attempt.freshness()).into(),
        }
    }
}
