//! Discovery without I/O: returns which URL to request next and interprets the responses. The
//! caller sends the requests, for example with libcurl.

use core::mem::size_of;

use agentsdisc_core::discovery::{
    AskError, Declared, Discovery, Header, Options, RequestId, Resource, Resources, Response,
};

use crate::boundary::{
    Holder, Tagged, checked, clear, ended, give, held, held_mut, options, put, room, write_out,
};
use crate::discovery_names::{
    AGD_FOLLOW_SAME_SITE, AGD_REJECTION_NONE, AGD_ROBOTS_RULES_UNKNOWN, failure_of, follow_of,
};
use crate::discovery_types::{
    AGD_DISCOVERY_HEADERS, agd_attempt, agd_discovery, agd_discovery_answer, agd_discovery_options,
    agd_discovery_request, agd_discovery_response, agd_stored, index_of,
};
use crate::document::{agd_document, document_of, limits};
use crate::enumerations::{AGD_FALSE, is_true};
use crate::http_header::agd_http_header;
use crate::status::{
    AGD_ERROR_ARGUMENT, AGD_ERROR_NULL, AGD_ERROR_SITE, AGD_ERROR_WRONG_FORMAT, AGD_NONE, AGD_OK,
    AGD_SOME, agd_status,
};
use crate::text::agd_text;

/// The default options.
const DEFAULTS: agd_discovery_options = agd_discovery_options {
    size: size_of::<agd_discovery_options>(),
    resources: 0,
    shared: AGD_FALSE,
    max_depth: 0,
    follow: AGD_FOLLOW_SAME_SITE,
    max_document: 0,
    max_line: 0,
    max_robots: 0,
};

/// A discovery that has not begun.
const IDLE: Discovery = Discovery::idle();

impl agd_discovery_options {
    /// Converts to the core's options.
    fn get(&self) -> Result<Options, agd_status> {
        let limits = limits(self.max_document, self.max_depth, self.max_line, self.max_robots);
        if self.resources >> Resource::ALL.len() != 0 {
            return Err(AGD_ERROR_ARGUMENT);
        }
        let wanted =
            Resource::ALL.iter().filter(|resource| self.resources >> (**resource as u32) & 1 != 0);
        let resources = if self.resources == 0 {
            Resources::DEFAULT
        } else {
            wanted.fold(Resources::NONE, |set, resource| set.with(*resource))
        };
        Ok(Options {
            resources,
            limits,
            shared: is_true(self.shared)?,
            follow: follow_of(self.follow).ok_or(AGD_ERROR_ARGUMENT)?,
        })
    }
}

/// Converts the id of a request.
fn id_of(number: i32) -> Result<RequestId, agd_status> {
    u16::try_from(number).map(RequestId).map_err(|_| AGD_ERROR_ARGUMENT)
}

/// Starts the discovery of a site. `site` is a URL, whose path is ignored, or a host, whose scheme
/// becomes https.
///
/// `discovery` must not be NULL; on failure it is uninitialised. `site` is borrowed during the
/// call, and must not point into the discovery, as the result of agd_discovery_origin does.
/// `options` may be NULL for the defaults. Returns AGD_OK; AGD_ERROR_SITE if `site` is invalid
/// (user information, non-ASCII letters, another scheme than http and https); or another negative
/// status for misuse. Not thread-safe on one discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_begin(
    discovery: *mut agd_discovery,
    site: agd_text,
    options: *const agd_discovery_options,
) -> agd_status {
    // SAFETY: the caller promises a writable output, a readable text and readable options.
    ended(unsafe { begin(discovery, site, options) })
}

/// # Safety
/// That of `agd_discovery_begin`.
unsafe fn begin(
    discovery: *mut agd_discovery,
    site: agd_text,
    given: *const agd_discovery_options,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    let (site, given) = unsafe {
        clear(discovery)?;
        (site.string()?.ok_or(AGD_ERROR_NULL)?, options(given, DEFAULTS)?)
    };
    let given = given.get()?;
    // A text inside the discovery would be overwritten before it is read.
    if site.as_ptr().addr().wrapping_sub(discovery.addr()) < size_of::<agd_discovery>() {
        return Err(AGD_ERROR_ARGUMENT);
    }
    let place = discovery.cast::<Tagged<Discovery>>();
    // SAFETY: `clear` checked the pointer; `Holder` promises room and alignment, and the contract
    // grants the rest. `hold_in` would need 40 KB of stack for its parameter; a constant is written
    // in place.
    unsafe {
        (&raw mut (*place).value).write(IDLE);
        (&raw mut (*place).tag).write(agd_discovery::TAG);
        if held_mut(discovery)?.begin(site, &given).is_err() {
            clear(discovery)?;
            return Err(AGD_ERROR_SITE);
        }
    }
    Ok(AGD_OK)
}

/// Returns the next request to send.
///
/// Requests to which robots.txt applies are returned after the answer for robots.txt.
///
/// Neither pointer may be NULL; `request` must be initialised (AGD_INIT), and its texts point into
/// the discovery: they are valid until the request is answered. Returns AGD_SOME; AGD_NONE if there
/// is no request at present (answers to requests in flight may create more); or a negative status
/// for misuse. Not thread-safe on one discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_next(
    discovery: *mut agd_discovery,
    request: *mut agd_discovery_request,
) -> agd_status {
    // SAFETY: the caller promises a discovery in sole use and a writable output. The output is
    // checked before the discovery advances.
    ended(unsafe {
        held_mut(discovery).and_then(|core: &'static mut Discovery| {
            let room = room(request)?;
            let Some(id) = core.next_request() else {
                return Ok(AGD_NONE);
            };
            let core: &'static Discovery = core;
            let Some(found) = core.request(id) else {
                return Ok(AGD_NONE);
            };
            put(request, room, found.into());
            Ok(AGD_SOME)
        })
    })
}

/// Writes the headers to send with a request in flight: `User-Agent`, `Accept`, and, if a body from
/// exactly this URL is stored, `If-None-Match` and `If-Modified-Since`.
///
/// `user_agent` is the User-Agent to send; if it is absent or not valid in a header, the library's
/// own name is sent. `stored` may be NULL. `headers` has room for AGD_DISCOVERY_HEADERS headers;
/// they borrow from `user_agent` and `stored`, or are static. `count` receives their number.
/// `discovery`, `headers` and `count` must not be NULL. Returns AGD_OK; AGD_ERROR_ARGUMENT if no
/// request with this id is in flight; or another negative status for misuse. Thread-safe while no
/// other thread changes the discovery; linear in the texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_headers(
    discovery: *const agd_discovery,
    id: i32,
    user_agent: agd_text,
    stored: *const agd_stored,
    headers: *mut agd_http_header,
    count: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises readable arguments and writable outputs with that much room.
    ended(unsafe {
        held(discovery).and_then(|core: &'static Discovery| {
            checked(headers)?;
            checked(count)?;
            let request = core.request(id_of(id)?).ok_or(AGD_ERROR_ARGUMENT)?;
            let stored = stored_of(stored)?;
            let list = request.headers(user_agent.string()?.unwrap_or_default(), stored.as_ref());
            let mut written = 0;
            for (place, header) in (0..AGD_DISCOVERY_HEADERS).zip(list) {
                headers.add(place).write(header.into());
                written = place + 1;
            }
            count.write(written);
            Ok(AGD_OK)
        })
    })
}

/// # Safety
/// `stored` is NULL or readable, and so are its texts.
unsafe fn stored_of(
    stored: *const agd_stored,
) -> Result<Option<agentsdisc_core::discovery::Stored<'static>>, agd_status> {
    if stored.is_null() {
        return Ok(None);
    }
    // SAFETY: the contract is the same. The default is never used, because the struct is not NULL.
    unsafe { options(stored, STORED)?.get().map(Some) }
}

/// An empty stored result.
const STORED: agd_stored = agd_stored {
    size: size_of::<agd_stored>(),
    url: agd_text::ABSENT,
    rejection: AGD_REJECTION_NONE,
    reserved: 0,
    body: agd_text::ABSENT,
    freshness: crate::discovery_types::agd_freshness {
        received_at: 0,
        fresh_until: 0,
        ask_again_at: 0,
        lifetime: 0,
        may_store: AGD_FALSE,
    },
    etag: agd_text::ABSENT,
    last_modified: agd_text::ABSENT,
    link: agd_text::ABSENT,
};

/// Answers a request in flight from the result that is stored under its key, if the document is
/// fresh, or must not be requested again yet. `now` is in seconds since 1970.
///
/// No pointer may be NULL; `answer` must be initialised (AGD_INIT), and borrows the texts of
/// `stored`, including the body. Returns AGD_SOME if the request is answered; AGD_NONE if it must
/// be sent (`answer` is unchanged); AGD_ERROR_ARGUMENT if no request with this id is in flight; or
/// another negative status for misuse. Not thread-safe on one discovery; linear in the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_recall(
    discovery: *mut agd_discovery,
    id: i32,
    stored: *const agd_stored,
    now: u64,
    answer: *mut agd_discovery_answer,
) -> agd_status {
    // SAFETY: the caller promises a discovery in sole use, readable arguments and a writable
    // output.
    ended(unsafe {
        held_mut(discovery).and_then(|core: &'static mut Discovery| {
            let room = room(answer)?;
            let stored = stored_of(stored)?.ok_or(AGD_ERROR_NULL)?;
            let id = id_of(id)?;
            let index = index_of(core, id);
            match core.recall(id, &stored, now).map_err(|_| AGD_ERROR_ARGUMENT)? {
                Some(given) => {
                    put(answer, room, agd_discovery_answer::of(core, index, given));
                    Ok(AGD_SOME)
                }
                None => Ok(AGD_NONE),
            }
        })
    })
}

/// Processes a response from the network.
///
/// `discovery` and `response` must not be NULL; `answer` may be NULL, otherwise it must be
/// initialised (AGD_INIT). It borrows the body, and its validators borrow the headers; after 304,
/// they borrow the stored result. Everything else is borrowed only during the call. Returns AGD_OK;
/// AGD_ERROR_ARGUMENT if no request with this id is in flight; or another negative status for
/// misuse. Only the first 256 headers are used. Not thread-safe on one discovery; linear in body
/// and headers; about 14 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_respond(
    discovery: *mut agd_discovery,
    id: i32,
    response: *const agd_discovery_response,
    answer: *mut agd_discovery_answer,
) -> agd_status {
    // SAFETY: the caller promises a discovery in sole use, readable arguments and a writable
    // output.
    ended(unsafe { respond(discovery, id, response, answer) })
}

/// Maximum number of response headers that are read. Further headers are ignored.
const MOST_HEADERS: usize = 256;

/// # Safety
/// That of `agd_discovery_respond`.
unsafe fn respond(
    discovery: *mut agd_discovery,
    id: i32,
    response: *const agd_discovery_response,
    answer: *mut agd_discovery_answer,
) -> Result<agd_status, agd_status> {
    let empty = agd_discovery_response {
        size: size_of::<agd_discovery_response>(),
        status: 0,
        reserved: 0,
        headers: core::ptr::null(),
        header_count: 0,
        body: agd_text::ABSENT,
        final_url: agd_text::ABSENT,
        stored: core::ptr::null(),
        now: 0,
    };
    let mut headers = [Header { name: b"", value: b"" }; MOST_HEADERS];
    // SAFETY: the contract is the same.
    unsafe {
        let core: &'static mut Discovery = held_mut(discovery)?;
        let out = if answer.is_null() { None } else { Some(room(answer)?) };
        let given = options(checked(response)?, empty)?;
        let stored = stored_of(given.stored)?;
        let mut count = 0;
        if given.header_count > 0 {
            checked(given.headers)?;
            for (place, index) in headers.iter_mut().zip(0..given.header_count) {
                *place = given.headers.add(index).read().get()?;
                count = index + 1;
            }
        }
        let response = Response {
            // Statuses outside HTTP's range are unexpected statuses.
            status: u16::try_from(given.status).unwrap_or(0),
            headers: headers.get(..count).unwrap_or_default(),
            body: given.body.raw()?,
            final_url: given.final_url.string()?,
            stored: stored.as_ref(),
            now: given.now,
        };
        // The answer borrows only memory of the caller (body, header values, stored result), never
        // the arrays of this function.
        let id = id_of(id)?;
        let index = index_of(core, id);
        let result: agentsdisc_core::discovery::Answer<'_> =
            core.respond(id, &response).map_err(|_| AGD_ERROR_ARGUMENT)?;
        if let Some(room) = out {
            put(answer, room, agd_discovery_answer::of(core, index, result));
        }
    }
    Ok(AGD_OK)
}

/// Reports that a request failed without a response: `failure` is AGD_FAILURE_*, `now` in seconds
/// since 1970.
///
/// `discovery` must not be NULL; `answer` may be, otherwise it must be initialised (AGD_INIT), and
/// borrows nothing. Returns AGD_OK; AGD_ERROR_ARGUMENT if no request with this id is in flight; or
/// another negative status for misuse. Not thread-safe on one discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_fail(
    discovery: *mut agd_discovery,
    id: i32,
    failure: i32,
    now: u64,
    answer: *mut agd_discovery_answer,
) -> agd_status {
    // SAFETY: the caller promises a discovery in sole use and a writable output.
    ended(unsafe {
        held_mut(discovery).and_then(|core: &'static mut Discovery| {
            let out = if answer.is_null() { None } else { Some(room(answer)?) };
            let failure = failure_of(failure).ok_or(AGD_ERROR_ARGUMENT)?;
            let id = id_of(id)?;
            let index = index_of(core, id);
            let given = core.fail(id, failure, now).map_err(|_| AGD_ERROR_ARGUMENT)?;
            if let Some(room) = out {
                put(answer, room, agd_discovery_answer::of(core, index, given));
            }
            Ok(AGD_OK)
        })
    })
}

/// Queues a request for a capability detail of an Agent Discovery Protocol manifest;
/// agd_discovery_next returns it next. `detail_url` is the URL as written in the manifest. It must
/// be on the site, unless `approved` is AGD_TRUE (otherwise AGD_FALSE).
///
/// `discovery` and `document` must not be NULL; `rejection` may be. Document and URL are borrowed
/// during the call. Returns AGD_SOME if the request is queued; AGD_NONE otherwise, and `rejection`
/// receives the reason (AGD_REJECTION_*, or AGD_REJECTION_NONE if four are already in flight);
/// AGD_ERROR_WRONG_FORMAT if the document is not a manifest; or another negative status for misuse.
/// Not thread-safe on one discovery; linear in the URL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_ask_detail(
    discovery: *mut agd_discovery,
    document: *const agd_document,
    detail_url: agd_text,
    approved: i32,
    rejection: *mut i32,
) -> agd_status {
    // SAFETY: the caller promises a discovery in sole use, readable arguments and a writable
    // output.
    ended(unsafe {
        held_mut(discovery).and_then(|core: &'static mut Discovery| {
            let manifest = document_of(document)?.adp().ok_or(AGD_ERROR_WRONG_FORMAT)?;
            let url = detail_url.get()?.ok_or(AGD_ERROR_NULL)?;
            asked(core.ask_detail(&manifest, url, is_true(approved)?), rejection)
        })
    })
}

/// Queues a request for the declaration of an agent's operator; agd_discovery_next returns it next.
/// `url` is the `Agent-Declaration` of a document. It is usually on another site; calling this
/// function approves the URL.
///
/// `discovery` must not be NULL; `rejection` may be. The URL is borrowed during the call. Returns
/// the same as agd_discovery_ask_detail. Not thread-safe on one discovery; linear in the URL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_ask_declaration(
    discovery: *mut agd_discovery,
    url: agd_text,
    rejection: *mut i32,
) -> agd_status {
    // SAFETY: the caller promises a discovery in sole use, a readable text and a writable output.
    ended(unsafe {
        held_mut(discovery).and_then(|core: &'static mut Discovery| {
            let url = url.get()?.ok_or(AGD_ERROR_NULL)?;
            asked(core.ask_declaration(url), rejection)
        })
    })
}

/// # Safety
/// `rejection` is NULL or writable.
unsafe fn asked(
    result: Result<(), AskError>,
    rejection: *mut i32,
) -> Result<agd_status, agd_status> {
    let (status, number) = match result {
        Ok(()) => (AGD_SOME, AGD_REJECTION_NONE),
        Err(AskError::Busy) => (AGD_NONE, AGD_REJECTION_NONE),
        Err(AskError::Rejected(why)) => (AGD_NONE, why as i32),
    };
    // SAFETY: the contract is the same.
    unsafe { write_out(rejection, number)? };
    Ok(status)
}

/// Whether the declaration of an operator names this site: AGD_DECLARED_*, or a negative status for
/// misuse.
///
/// Neither pointer may be NULL. Thread-safe while no other thread changes the discovery; linear in
/// the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_declared(
    discovery: *const agd_discovery,
    declaration: *const agd_document,
) -> i32 {
    // SAFETY: the caller promises that both are NULL or readable.
    ended(unsafe {
        held(discovery).and_then(|core: &'static Discovery| {
            let declaration = held(declaration)?;
            Ok(Declared::of(declaration, core.origin()) as i32)
        })
    })
}

/// Returns an attempt by index, in the order in which attempts were created, including unfinished
/// ones.
///
/// Neither pointer may be NULL; `attempt` must be initialised (AGD_INIT), and its texts point into
/// the discovery: they are valid until the discovery handles another request. Returns AGD_SOME;
/// AGD_NONE if there are fewer attempts (`attempt` is unchanged); or a negative status for misuse.
/// Thread-safe while no other thread changes the discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_attempt(
    discovery: *const agd_discovery,
    index: usize,
    attempt: *mut agd_attempt,
) -> agd_status {
    // SAFETY: the caller promises a readable discovery and a writable output.
    ended(unsafe {
        held(discovery).and_then(|core: &'static Discovery| {
            let found = core.attempts().nth(index);
            give(attempt, found.map(|found| agd_attempt::of(core, found)))
        })
    })
}

/// Returns an attempt that found a document of the site, by rank: native before synthetic, the
/// formats with rules before the others (from llms.txt on), JSON before text, well-known before root.
/// Does not include robots.txt, details, declarations, and documents of other sites.
///
/// Arguments and return values are those of agd_discovery_attempt: neither may be NULL, and the
/// texts point into the discovery. Thread-safe while no other thread changes the discovery;
/// constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_document(
    discovery: *const agd_discovery,
    rank: usize,
    attempt: *mut agd_attempt,
) -> agd_status {
    // SAFETY: the caller promises a readable discovery and a writable output.
    ended(unsafe {
        held(discovery).and_then(|core: &'static Discovery| {
            let found = core.documents().nth(rank);
            give(attempt, found.map(|found| agd_attempt::of(core, found)))
        })
    })
}

/// Whether all attempts are finished: AGD_TRUE or AGD_FALSE; AGD_FALSE also for misuse (NULL).
/// Thread-safe while no other thread changes the discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_is_done(discovery: *const agd_discovery) -> i32 {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(discovery) }.map_or(AGD_FALSE, |core: &Discovery| i32::from(core.is_done()))
}

/// Whether some pointers in documents were not followed because of a limit: AGD_TRUE or AGD_FALSE;
/// AGD_FALSE also for misuse (NULL). Thread-safe while no other thread changes the discovery;
/// constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_is_trail_cut(discovery: *const agd_discovery) -> i32 {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(discovery) }.map_or(AGD_FALSE, |core: &Discovery| i32::from(core.is_trail_cut()))
}

/// Which robots.txt rules apply: AGD_ROBOTS_RULES_*. For AGD_ROBOTS_RULES_DOCUMENT, use the
/// document of the answer; for the others, use agd_robots_allow_all and agd_robots_disallow_all.
/// AGD_ROBOTS_RULES_UNKNOWN also for misuse (NULL). Thread-safe while no other thread changes the
/// discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_robots(discovery: *const agd_discovery) -> i32 {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(discovery) }
        .map_or(AGD_ROBOTS_RULES_UNKNOWN, |core: &Discovery| core.robots() as i32)
}

/// The earliest time at which any document of the site may be requested again, in seconds since
/// 1970; 0 before the first answer and for misuse (NULL). Thread-safe while no other thread changes
/// the discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_ask_again_at(discovery: *const agd_discovery) -> u64 {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(discovery) }.map_or(0, |core: &Discovery| core.ask_again_at().unwrap_or(0))
}

/// Scheme, host and port of the site. The text points into the discovery; absent for misuse (NULL).
/// Thread-safe while no other thread changes the discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_origin(discovery: *const agd_discovery) -> agd_text {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(discovery) }.map_or(agd_text::ABSENT, |core: &'static Discovery| {
        core.origin().as_str().as_bytes().into()
    })
}
