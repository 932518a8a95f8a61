//! Discovery without I/O: which URL of a site to ask for next, and what to make of the answer. You do the asking, by libcurl for example.

use core::mem::size_of;

use agentsdisc_core::discovery::{
    AskError, Declared, Discovery, Header, Options, RequestId, Resource, Resources, Response,
};

use crate::boundary::{
    Holder, Tagged, checked, clear, ended, give, held, held_mut, options, put, room, tell,
};
use crate::discovery_names::{AGD_REJECTION_NONE, AGD_ROBOTS_RULES_UNKNOWN, failure_of};
use crate::discovery_types::{
    AGD_DISCOVERY_HEADERS, agd_attempt, agd_discovery, agd_discovery_answer, agd_discovery_options,
    agd_discovery_request, agd_discovery_response, agd_http_header, agd_stored, octets,
};
use crate::document::{agd_document, document_of, limits};
use crate::enumerations::{AGD_FALSE, AGD_TRUE};
use crate::status::{
    AGD_ERROR_ARGUMENT, AGD_ERROR_NULL, AGD_ERROR_SITE, AGD_ERROR_WRONG_FORMAT, AGD_NONE, AGD_OK,
    AGD_SOME, agd_status,
};
use crate::text::agd_text;

/// Options with every default.
const DEFAULTS: agd_discovery_options = agd_discovery_options {
    size: size_of::<agd_discovery_options>(),
    resources: 0,
    shared: AGD_FALSE,
    max_depth: 0,
    reserved: 0,
    max_document: 0,
    max_line: 0,
    max_robots: 0,
};

/// One that has not begun.
const IDLE: Discovery = Discovery::idle();

/// A truth value of the caller's.
fn is_true(value: i32) -> Result<bool, agd_status> {
    match value {
        AGD_FALSE => Ok(false),
        AGD_TRUE => Ok(true),
        _ => Err(AGD_ERROR_ARGUMENT),
    }
}

impl agd_discovery_options {
    /// The options of the core.
    fn get(&self) -> Result<Options, agd_status> {
        let limits = limits(
            self.max_document,
            self.max_depth,
            self.max_line,
            self.max_robots,
        );
        if self.resources >> Resource::ALL.len() != 0 {
            return Err(AGD_ERROR_ARGUMENT);
        }
        let wanted = Resource::ALL
            .iter()
            .filter(|resource| self.resources >> (**resource as u32) & 1 != 0);
        let resources = if self.resources == 0 {
            Resources::ALL
        } else {
            wanted.fold(Resources::NONE, |set, resource| set.with(*resource))
        };
        Ok(Options {
            resources,
            limits,
            shared: is_true(self.shared)?,
        })
    }
}

/// The number of a request.
fn id_of(number: i32) -> Result<RequestId, agd_status> {
    u16::try_from(number)
        .map(RequestId)
        .map_err(|_| AGD_ERROR_ARGUMENT)
}

/// Begins with a site: a URL, whose path does not matter, or a host, which means https.
///
/// `discovery` must not be NULL; it is left uninitialised where this fails. `site` is not needed afterwards, and must not point into the discovery,
/// as what agd_discovery_origin gives does. `options` may be NULL for the defaults. Returns AGD_OK; AGD_ERROR_SITE where `site` names none (user
/// information, non-ASCII letters, another scheme than http and https); or another negative status for misuse. Not thread-safe on one discovery; constant time.
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
        (
            site.string()?.ok_or(AGD_ERROR_NULL)?,
            options(given, DEFAULTS)?,
        )
    };
    let given = given.get()?;
    // What it points to would be gone before it is read.
    if site.as_ptr().addr().wrapping_sub(discovery.addr()) < size_of::<agd_discovery>() {
        return Err(AGD_ERROR_ARGUMENT);
    }
    let place = discovery.cast::<Tagged<Discovery>>();
    // SAFETY: `clear` checked the pointer; `Holder` promises room and alignment, and the contract the rest. Not by `hold_in`: what is constant
    // is written where it stays, while a parameter is 16 KB on the stack.
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

/// Hands out the next request.
///
/// Neither pointer may be NULL; `request` must be initialised (AGD_INIT), and its texts point into the discovery: they are good until the request is
/// answered. Returns AGD_SOME; AGD_NONE where there is none now (answers to open ones may lead to more); or a negative status for misuse.
/// Not thread-safe on one discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_next(
    discovery: *mut agd_discovery,
    request: *mut agd_discovery_request,
) -> agd_status {
    // SAFETY: the caller promises a discovery in sole use and a writable output. The room is asked for before the request is handed out.
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

/// The headers to send with an open request: `User-Agent`, `Accept`, and `If-None-Match` and `If-Modified-Since`
/// where you have stored a body that came from the very URL of the request.
///
/// `user_agent` is who is asking; absent, or where it cannot stand in a header, the library's own name. `stored` may be NULL. `headers` has room for
/// AGD_DISCOVERY_HEADERS of them; they borrow from `user_agent` and `stored`, or are static. `count` gets how many there are. `discovery`, `headers` and
/// `count` must not be NULL. Returns AGD_OK; AGD_ERROR_ARGUMENT where no such request is open; or another negative status for misuse. Thread-safe
/// while no other thread changes the discovery; linear in the texts that are given.
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
    // SAFETY: the contract is the same. The default is never used, for the struct is not NULL.
    unsafe { options(stored, STORED)?.get().map(Some) }
}

/// Nothing that is stored.
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
};

/// Answers an open request from what you have stored under its key, where that counts: a document that is fresh, and whatever must not be asked for
/// again yet. `now` is in seconds since 1970.
///
/// No pointer may be NULL; `answer` must be initialised (AGD_INIT), and then borrows the texts of `stored`, the body among them. Returns AGD_SOME where the request is answered; AGD_NONE where it is to be
/// sent (and `answer` stays as it is); AGD_ERROR_ARGUMENT where no such request is open; or another negative status for misuse. Not
/// thread-safe on one discovery; linear in the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_recall(
    discovery: *mut agd_discovery,
    id: i32,
    stored: *const agd_stored,
    now: u64,
    answer: *mut agd_discovery_answer,
) -> agd_status {
    // SAFETY: the caller promises a discovery in sole use, readable arguments and a writable output.
    ended(unsafe {
        held_mut(discovery).and_then(|core: &'static mut Discovery| {
            let room = room(answer)?;
            let stored = stored_of(stored)?.ok_or(AGD_ERROR_NULL)?;
            match core
                .recall(id_of(id)?, &stored, now)
                .map_err(|_| AGD_ERROR_ARGUMENT)?
            {
                Some(given) => {
                    put(answer, room, given.into());
                    Ok(AGD_SOME)
                }
                None => Ok(AGD_NONE),
            }
        })
    })
}

/// Takes an answer of the network.
///
/// `discovery` and `response` must not be NULL; `answer` may be, otherwise it must be initialised (AGD_INIT). It borrows the
/// body, and its validators the headers; after 304, all that of what was stored. Nothing else is needed afterwards. Returns AGD_OK;
/// AGD_ERROR_ARGUMENT where no such request is open; or another negative status for misuse. Of more than 256 headers, the first 256 count. Not
/// thread-safe on one discovery; linear in body and headers; about 14 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_respond(
    discovery: *mut agd_discovery,
    id: i32,
    response: *const agd_discovery_response,
    answer: *mut agd_discovery_answer,
) -> agd_status {
    // SAFETY: the caller promises a discovery in sole use, readable arguments and a writable output.
    ended(unsafe { respond(discovery, id, response, answer) })
}

/// Headers of a response that are looked at; none of those that count comes as late as this.
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
    let mut headers = [Header {
        name: b"",
        value: b"",
    }; MOST_HEADERS];
    // SAFETY: the contract is the same.
    unsafe {
        let core: &'static mut Discovery = held_mut(discovery)?;
        let out = if answer.is_null() {
            None
        } else {
            Some(room(answer)?)
        };
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
            // A status that is none of HTTP is unexpected, whichever it is.
            status: u16::try_from(given.status).unwrap_or(0),
            headers: headers.get(..count).unwrap_or_default(),
            body: octets(given.body)?,
            final_url: given.final_url.string()?,
            stored: stored.as_ref(),
            now: given.now,
        };
        // What the answer borrows is what C lent: body, header values, and what was stored; never the arrays of this function.
        let lent: agentsdisc_core::discovery::Answer<'_> = core
            .respond(id_of(id)?, &response)
            .map_err(|_| AGD_ERROR_ARGUMENT)?;
        if let Some(room) = out {
            put(answer, room, lent.into());
        }
    }
    Ok(AGD_OK)
}

/// Takes notice that no answer came: `failure` is AGD_FAILURE_*, `now` in seconds since 1970.
///
/// `discovery` must not be NULL; `answer` may be, otherwise it must be initialised (AGD_INIT), and borrows nothing. Returns AGD_OK; AGD_ERROR_ARGUMENT where no such request is open;
/// or another negative status for misuse. Not thread-safe on one discovery; constant time.
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
            let out = if answer.is_null() {
                None
            } else {
                Some(room(answer)?)
            };
            let failure = failure_of(failure).ok_or(AGD_ERROR_ARGUMENT)?;
            let given = core
                .fail(id_of(id)?, failure, now)
                .map_err(|_| AGD_ERROR_ARGUMENT)?;
            if let Some(room) = out {
                put(answer, room, given.into());
            }
            Ok(AGD_OK)
        })
    })
}

/// Asks for the detail of a capability that a manifest of the Agent Discovery Protocol names: its request comes next. `detail_url` is as the manifest has it. It must be
/// on the site, unless you approve of where it is (`approved` is AGD_TRUE, else AGD_FALSE).
///
/// `discovery` and `document` must not be NULL; `rejection` may be. Document and URL are not needed afterwards. Returns AGD_SOME where it is asked for; AGD_NONE where not, and `rejection` gets why (AGD_REJECTION_*, or
/// AGD_REJECTION_NONE where four are on their way already); AGD_ERROR_WRONG_FORMAT if the document is not a manifest; or another negative status for misuse.
/// Not thread-safe on one discovery; linear in the URL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_ask_detail(
    discovery: *mut agd_discovery,
    document: *const agd_document,
    detail_url: agd_text,
    approved: i32,
    rejection: *mut i32,
) -> agd_status {
    // SAFETY: the caller promises a discovery in sole use, readable arguments and a writable output.
    ended(unsafe {
        held_mut(discovery).and_then(|core: &'static mut Discovery| {
            let manifest = document_of(document)?.adp().ok_or(AGD_ERROR_WRONG_FORMAT)?;
            let url = detail_url.get()?.ok_or(AGD_ERROR_NULL)?;
            asked(
                core.ask_detail(&manifest, url, is_true(approved)?),
                rejection,
            )
        })
    })
}

/// Asks for the declaration of an agent's operator: its request comes next. `url` is what a document has as `Agent-Declaration`. It lies on another site; asking
/// approves of that.
///
/// `discovery` must not be NULL; `rejection` may be. The URL is not needed afterwards. Returns as agd_discovery_ask_detail does. Not thread-safe on one discovery; linear in the
/// URL.
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
    unsafe { tell(rejection, number)? };
    Ok(status)
}

/// Whether the declaration of an operator names this site: AGD_DECLARED_*, or a negative status for misuse.
///
/// Neither pointer may be NULL. Thread-safe while no other thread changes the discovery; linear in the document.
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

/// An attempt by its place, in the order in which they came up, also one that is not at its end.
///
/// Neither pointer may be NULL; `attempt` must be initialised (AGD_INIT), and its texts point into the discovery: they are good until that is
/// used for more requests. Returns AGD_SOME; AGD_NONE where there are not as many (and `attempt` stays as it is); or a negative status for misuse.
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
            give(attempt, core.attempts().nth(index).map(agd_attempt::from))
        })
    })
}

/// An attempt that gave a document about the site, by its rank: native before synthetic, JSON before text, well-known before root. robots.txt,
/// details and declarations are not among them.
///
/// Pointers, texts and answers are as with agd_discovery_attempt: neither may be NULL, and the texts point into the discovery. Thread-safe
/// while no other thread changes the discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_document(
    discovery: *const agd_discovery,
    rank: usize,
    attempt: *mut agd_attempt,
) -> agd_status {
    // SAFETY: the caller promises a readable discovery and a writable output.
    ended(unsafe {
        held(discovery).and_then(|core: &'static Discovery| {
            give(attempt, core.documents().nth(rank).map(agd_attempt::from))
        })
    })
}

/// Whether every attempt is at its end: AGD_TRUE or AGD_FALSE; AGD_FALSE for misuse (NULL), too. Thread-safe while no other thread
/// changes the discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_is_done(discovery: *const agd_discovery) -> i32 {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(discovery) }.map_or(AGD_FALSE, |core: &Discovery| i32::from(core.is_done()))
}

/// Which rules of robots.txt bind: AGD_ROBOTS_RULES_*. The document is that of the answer; the others are agd_robots_allow_all and
/// agd_robots_disallow_all. AGD_ROBOTS_RULES_UNKNOWN for misuse (NULL), too. Thread-safe while no other thread changes the discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_robots(discovery: *const agd_discovery) -> i32 {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(discovery) }.map_or(AGD_ROBOTS_RULES_UNKNOWN, |core: &Discovery| {
        core.robots() as i32
    })
}

/// When something of the site may be asked again at the earliest, in seconds since 1970; 0 before the first answer, and for misuse
/// (NULL). Thread-safe while no other thread changes the discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_ask_again_at(discovery: *const agd_discovery) -> u64 {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(discovery) }.map_or(0, |core: &Discovery| core.ask_again_at().unwrap_or(0))
}

/// Scheme, host and port of the site. The text points into the discovery; absent for misuse (NULL). Thread-safe while no other thread
/// changes the discovery; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_discovery_origin(discovery: *const agd_discovery) -> agd_text {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(discovery) }.map_or(agd_text::ABSENT, |core: &'static Discovery| {
        core.origin().as_str().as_bytes().into()
    })
}
