//! The lists of a decision: the rate limits that apply, and the prose of agents.md.

use core::mem::{MaybeUninit, size_of};

use agentsdisc_core::policy::{AppliedLimit, RateLimits, Scope};

use crate::boundary::{checked, ended, give, growing, held_mut, hold, put, room, write_out};
use crate::decision::{agd_decision, place, state};
use crate::enumerations::{AGD_UNSAID, Numbered};
use crate::status::{AGD_NONE, AGD_SOME, agd_status};
use crate::text::agd_text;
use crate::workspace::{agd_workspace, workspace_of};

/// The rate limit applies to all requests of the agent to the site.
pub const AGD_SCOPE_AGENT: i32 = 1;
/// The rate limit applies to one capability.
pub const AGD_SCOPE_CAPABILITY: i32 = 2;
/// The rate limit applies to all agents, for the whole service.
pub const AGD_SCOPE_SERVICE: i32 = 3;
/// The rate limit is the `Crawl-delay` of the robots.txt.
pub const AGD_SCOPE_ROBOTS: i32 = 4;

/// Prose of agents.md: what agents can do.
pub const AGD_WORDS_CAN: i32 = 1;
/// Prose of agents.md: what agents cannot do.
pub const AGD_WORDS_CANNOT: i32 = 2;
/// Prose of agents.md: how agents should behave.
pub const AGD_WORDS_BEHAVIOR: i32 = 3;
/// Values of `Disallow` lines in documents that are not recognized, or whose format does not have
/// such lines. A value that matches a request denies it (AGD_REASON_UNREAD_RESTRICTION). Then the
/// lines of an agents.md that look like the heading of a section Cannot, but are not one.
pub const AGD_WORDS_UNREAD: i32 = 4;

/// Size of agd_applied_limits in 64-bit words.
pub const AGD_APPLIED_WORDS: usize = 96;
/// Size of agd_advice in 64-bit words.
pub const AGD_ADVICE_WORDS: usize = 32;

/// A rate limit that applies to a request.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_applied_limit {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// What it applies to: AGD_SCOPE_*.
    pub scope: i32,
    /// The time window: AGD_WINDOW_*; AGD_UNSAID if it has no name.
    pub window: i32,
    /// The index of the document; AGD_FROM_ROBOTS for the robots.txt.
    pub document: i64,
    /// The number of requests. Zero allows none.
    pub requests: i64,
    /// Length of the time window in milliseconds; AGD_UNSAID if it cannot be read.
    pub milliseconds: i64,
    /// The id of the capability; absent for other scopes.
    pub capability: agd_text,
}

growing! { agd_applied_limit, }

/// The rate limits that apply to a request. It borrows what the decision borrows. A copy iterates
/// independently.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_applied_limits {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_APPLIED_WORDS],
}

/// Prose of agents.md documents. It borrows what the decision borrows. A copy iterates
/// independently.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_words {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_ADVICE_WORDS],
}

impl From<AppliedLimit<'static>> for agd_applied_limit {
    fn from(limit: AppliedLimit<'static>) -> Self {
        Self {
            size: size_of::<Self>(),
            scope: match limit.scope {
                Scope::Agent => AGD_SCOPE_AGENT,
                Scope::Capability => AGD_SCOPE_CAPABILITY,
                Scope::Service => AGD_SCOPE_SERVICE,
                Scope::Robots => AGD_SCOPE_ROBOTS,
            },
            window: limit.window.map_or(AGD_UNSAID, Numbered::number),
            document: place(limit.source),
            requests: i64::from(limit.requests),
            milliseconds: limit
                .milliseconds
                .map_or(i64::from(AGD_UNSAID), |time| i64::try_from(time).unwrap_or(i64::MAX)),
            capability: limit.capability.into(),
        }
    }
}

/// Returns all rate limits that apply to a request, from every document and the robots.txt. A
/// client must respect all of them.
///
/// Never fails: if `decision` is NULL or was not made, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows what the decision borrows. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_limits(decision: *const agd_decision) -> agd_applied_limits {
    let empty = agd_applied_limits { state: [MaybeUninit::new(0); AGD_APPLIED_WORDS] };
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { state(decision) }.map_or(empty, |decision| hold(empty, decision.rate_limits()))
}

/// Returns the next limit of a list.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and borrows what the
/// decision borrows. Returns AGD_SOME, AGD_NONE at the end (`limit` is unchanged), or a negative
/// status for misuse. Not thread-safe on one list; linear in the bytes skipped; about 20 KB of
/// stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_applied_limits_next(
    list: *mut agd_applied_limits,
    limit: *mut agd_applied_limit,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    ended(unsafe { advance(list, limit, Iterator::next) })
}

/// Does the same as agd_applied_limits_next with a workspace from the caller, for systems with a
/// small stack.
///
/// No pointer may be NULL; `workspace` needs no initialisation, and is used only during the call.
/// Otherwise as agd_applied_limits_next. Not thread-safe on one list or workspace; linear in the
/// bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_applied_limits_next_with(
    list: *mut agd_applied_limits,
    workspace: *mut agd_workspace,
    limit: *mut agd_applied_limit,
) -> agd_status {
    // SAFETY: the caller promises a list and a workspace in sole use, and a writable output.
    ended(unsafe {
        workspace_of(workspace)
            .and_then(|workspace| advance(list, limit, |limits| limits.next_with(workspace)))
    })
}

/// Advances a list and writes the item.
///
/// # Safety
/// `list` is NULL or in sole use, and `limit` is NULL or writable. `limit` is checked before the
/// list advances.
unsafe fn advance(
    list: *mut agd_applied_limits,
    limit: *mut agd_applied_limit,
    step: impl FnOnce(&mut RateLimits<'static>) -> Option<AppliedLimit<'static>>,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    unsafe {
        let list = held_mut(list)?;
        let room = room(limit)?;
        let Some(next) = step(list) else {
            return Ok(AGD_NONE);
        };
        put(limit, room, next.into());
    }
    Ok(AGD_SOME)
}

/// Returns the strictest of the rate limits that apply, as the advisory minimum.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and borrows what the
/// decision borrows. Returns AGD_SOME; AGD_NONE if no limit applies (`limit` is unchanged); or a
/// negative status for misuse. Thread-safe; linear in the documents; about 21 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_advisory_limit(
    decision: *const agd_decision,
    limit: *mut agd_applied_limit,
) -> agd_status {
    // SAFETY: the caller promises a readable decision and a writable output.
    ended(unsafe {
        state(decision).and_then(|decision| {
            give(limit, decision.advisory_limit().map(agd_applied_limit::from))
        })
    })
}

/// Does the same as agd_decision_advisory_limit with a workspace from the caller, for systems with
/// a small stack.
///
/// No pointer may be NULL; `workspace` needs no initialisation, and is used only during the call.
/// Otherwise as agd_decision_advisory_limit. Thread-safe if the workspace is not shared; linear in
/// the documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_advisory_limit_with(
    decision: *const agd_decision,
    workspace: *mut agd_workspace,
    limit: *mut agd_applied_limit,
) -> agd_status {
    // SAFETY: the caller promises a readable decision, a workspace in sole use, and a writable
    // output.
    ended(unsafe {
        state(decision).and_then(|decision| {
            let workspace = workspace_of(workspace)?;
            give(limit, decision.advisory_limit_with(workspace).map(agd_applied_limit::from))
        })
    })
}

/// Returns the prose of the agents.md documents, which the decision does not interpret, or the
/// restrictions that a format does not read. The agent must read and respect both. `which` is
/// AGD_WORDS_CAN, AGD_WORDS_CANNOT, AGD_WORDS_BEHAVIOR or AGD_WORDS_UNREAD.
///
/// Never fails: if `decision` is NULL or was not made, or `which` is another number, iterating the
/// list returns AGD_ERROR_UNINITIALISED. It borrows what the decision borrows. Thread-safe;
/// constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_words(
    decision: *const agd_decision,
    which: i32,
) -> agd_words {
    let empty = agd_words { state: [MaybeUninit::new(0); AGD_ADVICE_WORDS] };
    // SAFETY: the caller promises that it is NULL or readable.
    let Ok(decision) = (unsafe { state(decision) }) else {
        return empty;
    };
    match which {
        AGD_WORDS_CAN => hold(empty, decision.can()),
        AGD_WORDS_CANNOT => hold(empty, decision.cannot()),
        AGD_WORDS_BEHAVIOR => hold(empty, decision.behavior()),
        AGD_WORDS_UNREAD => hold(empty, decision.unread()),
        _ => empty,
    }
}

/// Returns the next text of a list, and the index of its document.
///
/// `list` and `text` must not be NULL; `document` may be. `text` borrows the document's bytes.
/// Returns AGD_SOME, AGD_NONE at the end (`text` and `document` are unchanged), or a negative
/// status for misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_words_next(
    list: *mut agd_words,
    text: *mut agd_text,
    document: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and writable outputs, which are checked before
    // the list advances.
    ended(unsafe {
        held_mut(list).and_then(|list| {
            checked(text)?;
            if !document.is_null() {
                checked(document)?;
            }
            let Some((index, next)) = list.next() else {
                return Ok(AGD_NONE);
            };
            text.write(next.into());
            write_out(document, index)?;
            Ok(AGD_SOME)
        })
    })
}
