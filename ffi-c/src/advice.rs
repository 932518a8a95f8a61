//! What comes with a decision in lists: the rate limits that apply, and what agents.md says in words.

use core::mem::{MaybeUninit, size_of};

use agentsdisc_core::policy::{AppliedLimit, RateLimits, Scope};

use crate::boundary::{checked, ended, give, growing, held_mut, hold, put, room, tell};
use crate::decision::{agd_decision, place, state};
use crate::enumerations::{AGD_UNSAID, Numbered};
use crate::status::{AGD_NONE, AGD_SOME, agd_status};
use crate::text::agd_text;
use crate::workspace::{agd_workspace, workspace_of};

/// The rate limit is for everything that the agent does there.
pub const AGD_SCOPE_AGENT: i32 = 1;
/// The rate limit is for the one capability.
pub const AGD_SCOPE_CAPABILITY: i32 = 2;
/// The rate limit is for everybody, on the whole service.
pub const AGD_SCOPE_SERVICE: i32 = 3;
/// The rate limit is what the robots.txt wishes.
pub const AGD_SCOPE_ROBOTS: i32 = 4;

/// Words of agents.md: what agents can do.
pub const AGD_WORDS_CAN: i32 = 1;
/// Words of agents.md: what they cannot.
pub const AGD_WORDS_CANNOT: i32 = 2;
/// Words of agents.md: how they should behave.
pub const AGD_WORDS_BEHAVIOR: i32 = 3;

/// Words of the state of a list of limits that apply.
pub const AGD_APPLIED_WORDS: usize = 96;
/// Words of the state of a list of words.
pub const AGD_ADVICE_WORDS: usize = 32;

/// A rate limit that applies to a request.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_applied_limit {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// What it is for: AGD_SCOPE_*.
    pub scope: i32,
    /// The window, where it has a name: AGD_WINDOW_*; AGD_UNSAID where it has none.
    pub window: i32,
    /// The index of the document; AGD_FROM_ROBOTS for the robots.txt.
    pub document: i64,
    /// How many requests. Zero allows none.
    pub requests: i64,
    /// In how many milliseconds; AGD_UNSAID where the window cannot be read.
    pub milliseconds: i64,
    /// The id of the capability; absent for other scopes.
    pub capability: agd_text,
}

growing! { agd_applied_limit, }

/// The rate limits that apply to a request. It borrows what the decision borrows. A copy walks on its own.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_applied_limits {
    /// The library's.
    pub state: [MaybeUninit<u64>; AGD_APPLIED_WORDS],
}

/// What agents.md documents say in words. It borrows what the decision borrows. A copy walks on its own.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_words {
    /// The library's.
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
            milliseconds: limit.milliseconds.map_or(i64::from(AGD_UNSAID), |time| {
                i64::try_from(time).unwrap_or(i64::MAX)
            }),
            capability: limit.capability.into(),
        }
    }
}

/// All rate limits that apply to a request, of every document and of the robots.txt. All of them are to be kept.
///
/// Never fails: where `decision` is NULL or was not made, the list answers AGD_ERROR_UNINITIALISED. It borrows what the decision borrows.
/// Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_limits(decision: *const agd_decision) -> agd_applied_limits {
    let empty = agd_applied_limits {
        state: [MaybeUninit::new(0); AGD_APPLIED_WORDS],
    };
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { state(decision) }.map_or(empty, |decision| hold(empty, decision.rate_limits()))
}

/// The next limit of a list.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and then borrows what the decision borrows. Returns AGD_SOME, at the end
/// AGD_NONE (and `limit` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed over; about 20 KB of
/// stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_applied_limits_next(
    list: *mut agd_applied_limits,
    limit: *mut agd_applied_limit,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    ended(unsafe { advance(list, limit, Iterator::next) })
}

/// The same as agd_applied_limits_next in memory of yours, for systems whose stack is small.
///
/// No pointer may be NULL; `workspace` needs no initialisation, and is not needed afterwards. Everything else is as agd_applied_limits_next says. Not
/// thread-safe on one list or workspace; linear in what is passed over.
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

/// Takes a step in a list.
///
/// # Safety
/// `list` is NULL or in sole use, and `limit` is NULL or writable. It is asked before the list moves.
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

/// The strictest of the rate limits that apply, as the advisory minimum.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and then borrows what the decision borrows. Returns AGD_SOME; AGD_NONE where
/// no limit applies (and `limit` stays as it is); or a negative status for misuse. Thread-safe; linear in the documents; about 21 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_advisory_limit(
    decision: *const agd_decision,
    limit: *mut agd_applied_limit,
) -> agd_status {
    // SAFETY: the caller promises a readable decision and a writable output.
    ended(unsafe {
        state(decision).and_then(|decision| {
            give(
                limit,
                decision.advisory_limit().map(agd_applied_limit::from),
            )
        })
    })
}

/// The same as agd_decision_advisory_limit in memory of yours, for systems whose stack is small.
///
/// No pointer may be NULL; `workspace` needs no initialisation, and is not needed afterwards. Everything else is as agd_decision_advisory_limit says.
/// Thread-safe, where the workspace is; linear in the documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_advisory_limit_with(
    decision: *const agd_decision,
    workspace: *mut agd_workspace,
    limit: *mut agd_applied_limit,
) -> agd_status {
    // SAFETY: the caller promises a readable decision, a workspace in sole use, and a writable output.
    ended(unsafe {
        state(decision).and_then(|decision| {
            let workspace = workspace_of(workspace)?;
            give(
                limit,
                decision
                    .advisory_limit_with(workspace)
                    .map(agd_applied_limit::from),
            )
        })
    })
}

/// What the agents.md documents say in words, which no decision is made of: an agent must read and heed it. `which` is AGD_WORDS_CAN,
/// AGD_WORDS_CANNOT or AGD_WORDS_BEHAVIOR.
///
/// Never fails: where `decision` is NULL or was not made, or `which` is none of these, the list answers AGD_ERROR_UNINITIALISED. It borrows what
/// the decision borrows. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_words(
    decision: *const agd_decision,
    which: i32,
) -> agd_words {
    let empty = agd_words {
        state: [MaybeUninit::new(0); AGD_ADVICE_WORDS],
    };
    // SAFETY: the caller promises that it is NULL or readable.
    let Ok(decision) = (unsafe { state(decision) }) else {
        return empty;
    };
    match which {
        AGD_WORDS_CAN => hold(empty, decision.can()),
        AGD_WORDS_CANNOT => hold(empty, decision.cannot()),
        AGD_WORDS_BEHAVIOR => hold(empty, decision.behavior()),
        _ => empty,
    }
}

/// The next text of a list of words, and the index of its document.
///
/// `list` and `text` must not be NULL; `document` may be. `text` borrows the document's bytes. Returns AGD_SOME, at the end AGD_NONE (and both stay as they are), or a negative status
/// for misuse. Not thread-safe on one list; linear in what is passed over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_words_next(
    list: *mut agd_words,
    text: *mut agd_text,
    document: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and writable outputs, which are asked before the list moves.
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
            tell(document, index)?;
            Ok(AGD_SOME)
        })
    })
}
