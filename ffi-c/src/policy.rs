//! Asking: may this agent do that.

use core::mem::{MaybeUninit, size_of};
use core::slice;

use agentsdisc_core::Document;
use agentsdisc_core::policy::{Approved, Decision, Documents, Request, Robots, Workspace};

use crate::boundary::{checked, ended, growing, held, options, room};
use crate::decision::{agd_decision, make};
use crate::document::{AGD_DOCUMENT_WORDS, agd_document, document_of};
use crate::robots_txt::agd_robots;
use crate::status::{AGD_ERROR_ARGUMENT, AGD_ERROR_NULL, AGD_SOME, agd_status};
use crate::text::agd_text;
use crate::workspace::{agd_workspace, workspace_of};

/// The robots.txt was not requested: it is ignored.
pub const AGD_ROBOTS_NOT_ASKED: i32 = 0;
/// The robots.txt is the one that is given.
pub const AGD_ROBOTS_FOUND: i32 = 1;
/// There is no robots.txt (a 4xx status): everything is allowed.
pub const AGD_ROBOTS_ABSENT: i32 = 2;
/// The robots.txt could not be had (a 5xx status, no connection): nothing is allowed.
pub const AGD_ROBOTS_UNREACHABLE: i32 = 3;

/// Who asks, and for what. Initialise it with AGD_INIT. Its texts are plain UTF-8; the decision borrows them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_request {
    /// Size of this struct as you know it: set by AGD_INIT.
    pub size: usize,
    /// The agent: its product token, or a User-Agent whose first token that is. Absent: an agent that no rule names.
    pub agent: agd_text,
    /// The requested URL, or a path of the site that begins with one slash. Either this or `capability` must be there.
    pub url: agd_text,
    /// The id of the requested capability.
    pub capability: agd_text,
    /// The HTTP method; absent: GET for a URL, and its own for a capability.
    pub method: agd_text,
    /// The origin of the documents, or the URL of one of them; absent: what they say of themselves.
    pub origin: agd_text,
    /// Endpoints on other domains that the user has approved: absolute URLs with blanks or line ends between them.
    pub approved: agd_text,
    /// The robots.txt where `robots_state` is AGD_ROBOTS_FOUND, else NULL.
    pub robots: *const agd_robots,
    /// What is known of the robots.txt: AGD_ROBOTS_NOT_ASKED and so on. Zero counts as AGD_ROBOTS_FOUND where `robots` is not NULL.
    pub robots_state: i32,
    /// For later; zero.
    pub reserved: i32,
}

growing! { agd_request, }

/// A request that asks for nothing yet.
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
};

impl agd_request {
    /// The request of the core, and its robots.txt.
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

/// The document at an index of an array of C.
fn document_at(
    memory: &'static [MaybeUninit<u64>],
    index: usize,
) -> Option<&'static Document<'static>> {
    let start = index.checked_mul(AGD_DOCUMENT_WORDS)?;
    let words = memory.get(start..start.checked_add(AGD_DOCUMENT_WORDS)?)?;
    // SAFETY: these are the words of one element, as `documents` saw to it.
    unsafe { document_of(words.as_ptr().cast::<agd_document>()) }.ok()
}

/// An array of C as the documents of the core. Every one must have been parsed.
///
/// # Safety
/// `first` is NULL or `count` documents are readable there, and stay as they are while anything made from them is used.
unsafe fn documents(
    first: *const agd_document,
    count: usize,
) -> Result<Documents<'static>, agd_status> {
    if count == 0 {
        return Ok(Documents::stored(&[], 0, document_at));
    }
    checked(first)?;
    if count > isize::MAX as usize / size_of::<agd_document>() {
        return Err(AGD_ERROR_ARGUMENT);
    }
    // SAFETY: not NULL, aligned, not too long, and the rest is the contract; any bits are such words.
    let memory = unsafe {
        slice::from_raw_parts(first.cast::<MaybeUninit<u64>>(), count * AGD_DOCUMENT_WORDS)
    };
    for index in 0..count {
        // SAFETY: the contract is the same.
        unsafe { held(first.add(index))? };
    }
    Ok(Documents::stored(memory, count, document_at))
}

/// Decides a request over the documents of one site and its robots.txt (docs/policy.md): whether it is allowed, why, which line says so, and
/// what else is to be known before it is made.
///
/// `documents` is an array of `count` documents; it may be NULL where `count` is 0. Array, request's texts, robots.txt and all bytes must stay
/// where and as they are while the decision, or anything made from it, is used; the struct of the request itself need not. Neither `request`
/// nor `decision` may be NULL, and `decision` must be initialised (AGD_INIT).
///
/// Returns AGD_SOME; or a negative status for misuse: AGD_ERROR_NULL where neither URL nor capability is asked for, AGD_ERROR_ARGUMENT where both
/// are, AGD_ERROR_UNINITIALISED where a document was not parsed. Then `decision` stays as it is, and with AGD_INIT it allows nothing.
/// Thread-safe; linear in the documents; about 21 KB of stack, most of which agd_decide_with takes from you.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decide(
    documents: *const agd_document,
    count: usize,
    request: *const agd_request,
    decision: *mut agd_decision,
) -> agd_status {
    // SAFETY: the caller promises a readable array and request, all of which stays, and a writable output.
    ended(unsafe { decided(documents, count, request, None, decision) })
}

/// The same as agd_decide in memory of yours, for systems whose stack is small.
///
/// `workspace` must not be NULL, needs no initialisation, and is not needed afterwards. Everything else, ownership among it, is as agd_decide says.
/// Thread-safe, where the workspace is; linear in the documents.
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
    // SAFETY: the contract is the same. A decision that is shorter than ours has no room.
    unsafe {
        let (documents, (request, robots)) =
            (documents(first, count)?, options(request, EMPTY)?.read()?);
        room(decision)?;
        match workspace {
            Some(place) => {
                let workspace = workspace_of(place)?;
                make(decision, |made| {
                    made.settle(documents, robots, &request, workspace)
                })?;
            }
            None => make(decision, |made| {
                on_the_stack(made, documents, robots, &request)
            })?,
        }
    }
    Ok(AGD_SOME)
}

/// Apart, so that the workspace is on the stack only where it is needed.
#[inline(never)]
fn on_the_stack(
    made: &mut Decision<'static>,
    documents: Documents<'static>,
    robots: Robots<'static>,
    request: &Request<'static>,
) {
    made.settle(documents, robots, request, &mut Workspace::new());
}
