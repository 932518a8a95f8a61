//! Decides whether an agent may make a request.

use core::mem::{MaybeUninit, size_of};
use core::slice;

use agentsdisc_core::Document;
use agentsdisc_core::policy::{Approved, Decision, Documents, Request, Robots, Workspace};

use crate::boundary::{checked, ended, growing, held, options, room};
use crate::decision::{agd_decision, make};
use crate::document::{AGD_DOCUMENT_WORDS, agd_document, document_of};
use crate::enumerations::AGD_UNSAID;
use crate::robots_txt::agd_robots;
use crate::status::{AGD_ERROR_ARGUMENT, AGD_ERROR_NULL, AGD_SOME, agd_status};
use crate::text::agd_text;
use crate::workspace::{agd_workspace, workspace_of};

/// The robots.txt was not requested: it is ignored.
pub const AGD_ROBOTS_NOT_ASKED: i32 = 0;
/// The robots.txt is in `robots`.
pub const AGD_ROBOTS_FOUND: i32 = 1;
/// There is no robots.txt (a 4xx status): everything is allowed.
pub const AGD_ROBOTS_ABSENT: i32 = 2;
/// The robots.txt is unreachable (a 5xx status, no connection): nothing is allowed.
pub const AGD_ROBOTS_UNREACHABLE: i32 = 3;

/// The request to decide. Initialise it with AGD_INIT. Its texts are plain UTF-8; the decision
/// borrows them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_request {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The agent: its name, or its User-Agent. If absent or invalid, the request is denied
    /// (AGD_REASON_INVALID_AGENT).
    pub agent: agd_text,
    /// The requested URL, or a path of the site that begins with one slash. Set either this or
    /// `capability`.
    pub url: agd_text,
    /// The id of the requested capability.
    pub capability: agd_text,
    /// The HTTP method. Absent: GET for a URL, the declared method for a capability.
    pub method: agd_text,
    /// The origin of the documents, or the URL of one of them. Absent: the origin that the
    /// documents state.
    pub origin: agd_text,
    /// Endpoints on other domains that the user has approved: absolute URLs with blanks or line
    /// ends between them.
    pub approved: agd_text,
    /// The robots.txt if `robots_state` is AGD_ROBOTS_FOUND, otherwise NULL.
    pub robots: *const agd_robots,
    /// The state of the robots.txt: AGD_ROBOTS_NOT_ASKED, _FOUND, _ABSENT or _UNREACHABLE. Zero
    /// means AGD_ROBOTS_FOUND if `robots` is not NULL.
    pub robots_state: i32,
    /// Reserved; zero.
    pub reserved: i32,
    /// What the agent uses the content for: the name of a purpose (AGD_PURPOSE_*), such as
    /// `train-ai`, or another label. If present, the request is denied if the site prefers that its
    /// content is not used for this purpose.
    pub purpose: agd_text,
    /// The value of the `Content-Usage` header of the answer, if there is an answer already. The
    /// stricter one of the header and the robots.txt decides.
    pub content_usage: agd_text,
}

growing! { agd_request, }

/// The empty request.
const EMPTY: agd_request = agd_request {
    size: size_of::<agd_request>(),
    agent: agd_text::ABSENT,
    url: agd_text::ABSENT,
    capability: agd_text::ABSENT,
    method: agd_text::ABSENT,
    origin: agd_text::ABSENT,
    approved: agd_text::ABSENT,
    robots: core::ptr::null(),
    robots_state: AGD_ROBOTS_NOT_ASKED,
    reserved: 0,
    purpose: agd_text::ABSENT,
    content_usage: agd_text::ABSENT,
};

impl agd_request {
    /// Converts to the core's request and robots.txt.
    ///
    /// # Safety
    /// Texts and robots.txt are readable.
    unsafe fn read(&self) -> Result<(Request<'static>, Robots<'static>), agd_status> {
        // SAFETY: the contract is the same.
        let (agent, url, capability, method, origin, approved) = unsafe {
            let agent = self.agent.string()?.unwrap_or_default();
            let approved = self.approved.string()?.unwrap_or_default();
            (
                agent,
                self.url.string()?,
                self.capability.string()?,
                self.method.string()?,
                self.origin.string()?,
                approved,
            )
        };
        let mut request = match (url, capability) {
            (Some(url), None) => Request::url(agent, url),
            (None, Some(id)) => Request::capability(agent, id),
            (None, None) => return Err(AGD_ERROR_NULL),
            (Some(_), Some(_)) => return Err(AGD_ERROR_ARGUMENT),
        };
        (request.method, request.origin, request.approved) =
            (method, origin, Approved::Text(approved));
        // SAFETY: the contract is the same.
        (request.purpose, request.content_usage) =
            unsafe { (self.purpose.string()?, self.content_usage.string()?) };
        let robots = match self.robots_state {
            AGD_ROBOTS_NOT_ASKED if self.robots.is_null() => Robots::NotAsked,
            AGD_ROBOTS_NOT_ASKED | AGD_ROBOTS_FOUND => {
                // SAFETY: the contract is the same.
                Robots::Found(*unsafe { held(self.robots)? })
            }
            AGD_ROBOTS_ABSENT => Robots::Absent,
            AGD_ROBOTS_UNREACHABLE => Robots::Unreachable,
            _ => return Err(AGD_ERROR_ARGUMENT),
        };
        Ok((request, robots))
    }
}

/// Converts a request about all capabilities of a site to the core's request and robots.txt.
///
/// # Safety
/// `request` is not NULL, and is readable as for `agd_decide`.
pub(crate) unsafe fn asked_for_all(
    request: *const agd_request,
) -> Result<(Request<'static>, Robots<'static>), agd_status> {
    // SAFETY: the contract is the same.
    unsafe {
        let (capability, method) = (agd_text::ABSENT, agd_text::ABSENT);
        let url = agd_text::from(&b""[..]);
        agd_request { url, capability, method, ..options(request, EMPTY)? }.read()
    }
}

/// Returns the document at an index of a C array.
fn document_at(
    memory: &'static [MaybeUninit<u64>],
    index: usize,
) -> Option<&'static Document<'static>> {
    let start = index.checked_mul(AGD_DOCUMENT_WORDS)?;
    let words = memory.get(start..start.checked_add(AGD_DOCUMENT_WORDS)?)?;
    // SAFETY: these are the words of one element; `documents` checked it.
    unsafe { document_of(words.as_ptr().cast::<agd_document>()) }.ok()
}

/// Converts a C array to the core's documents. All of them must have been parsed.
///
/// Writes the index of the first one that was not into `unparsed`.
///
/// # Safety
/// `first` is NULL or `count` documents are readable there and do not change while the result is
/// used.
pub(crate) unsafe fn documents(
    first: *const agd_document,
    count: usize,
    unparsed: &mut i64,
) -> Result<Documents<'static>, agd_status> {
    if count == 0 {
        return Ok(Documents::stored(&[], 0, document_at));
    }
    checked(first)?;
    if count > isize::MAX as usize / size_of::<agd_document>() {
        return Err(AGD_ERROR_ARGUMENT);
    }
    // SAFETY: not NULL, aligned, not too long; any bits are valid words; the contract grants the
    // rest.
    let memory = unsafe {
        slice::from_raw_parts(first.cast::<MaybeUninit<u64>>(), count * AGD_DOCUMENT_WORDS)
    };
    for index in 0..count {
        // SAFETY: the contract is the same.
        unsafe { held(first.add(index)) }.inspect_err(|_| *unparsed = index as i64)?;
    }
    Ok(Documents::stored(memory, count, document_at))
}

/// Decides whether a request is allowed, from the documents of one site and its robots.txt
/// (docs/policy.md). Also returns the reason, the line that decides, and the conditions of the
/// request.
///
/// `documents` is an array of `count` documents; it may be NULL if `count` is 0. The array, the
/// request's texts, the robots.txt and all bytes must stay unchanged and in place while the
/// decision, or anything read from it, is used. The struct `request` itself is only read during the
/// call. Neither `request` nor `decision` may be NULL, and `decision` must be initialised
/// (AGD_INIT).
///
/// Returns AGD_SOME, or a negative status for misuse: AGD_ERROR_NULL if neither URL nor capability
/// is given, AGD_ERROR_ARGUMENT if both are, AGD_ERROR_UNINITIALISED if a document was not parsed,
/// whose index `decision->unparsed` then has. `decision` is otherwise unchanged; after AGD_INIT it
/// allows nothing. AGD_IS_OK tells whether there is a decision, `decision->allowed` what it is.
/// Thread-safe; linear in the documents; about 21 KB of stack, most of which agd_decide_with moves
/// to a workspace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decide(
    documents: *const agd_document,
    count: usize,
    request: *const agd_request,
    decision: *mut agd_decision,
) -> agd_status {
    // SAFETY: the caller promises a readable array and request, which stay valid, and a writable
    // output.
    ended(unsafe { decided(documents, count, request, None, decision) })
}

/// Does the same as agd_decide with a workspace from the caller, for systems with a small stack.
///
/// `workspace` must not be NULL, needs no initialisation, and is used only during the call.
/// Otherwise, including what the decision borrows, as agd_decide. Thread-safe if the workspace is
/// not shared; linear in the documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decide_with(
    documents: *const agd_document,
    count: usize,
    request: *const agd_request,
    workspace: *mut agd_workspace,
    decision: *mut agd_decision,
) -> agd_status {
    // SAFETY: the caller promises the same, and a workspace in sole use.
    ended(unsafe { decided(documents, count, request, Some(workspace), decision) })
}

/// # Safety
/// That of `agd_decide_with`.
unsafe fn decided(
    first: *const agd_document,
    count: usize,
    request: *const agd_request,
    workspace: Option<*mut agd_workspace>,
    decision: *mut agd_decision,
) -> Result<agd_status, agd_status> {
    checked(request)?;
    // SAFETY: the contract is the same. A shorter decision is an error.
    unsafe {
        room(decision)?;
        let mut unparsed = i64::from(AGD_UNSAID);
        let documents = documents(first, count, &mut unparsed);
        (*decision).unparsed = unparsed;
        let (documents, (request, robots)) = (documents?, options(request, EMPTY)?.read()?);
        match workspace {
            Some(place) => {
                let workspace = workspace_of(place)?;
                make(decision, |made| made.settle(documents, robots, &request, workspace))?;
            }
            None => make(decision, |made| on_the_stack(made, documents, robots, &request))?,
        }
    }
    Ok(AGD_SOME)
}

/// A separate function, so that the workspace is on the stack only if it is needed.
#[inline(never)]
fn on_the_stack(
    made: &mut Decision<'static>,
    documents: Documents<'static>,
    robots: Robots<'static>,
    request: &Request<'static>,
) {
    made.settle(documents, robots, request, &mut Workspace::new());
}
