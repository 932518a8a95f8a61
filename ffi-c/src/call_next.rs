//! Reads the answer to a call, and returns what to do next.

use core::ffi::c_char;
use core::mem::{MaybeUninit, size_of};
use core::ptr;

use agentsdisc_core::call::{Answer, Call, Failure, Header, Next, Outcome, Recovery, Refusal};
use agentsdisc_core::policy::{Decision, Workspace};
use agentsdisc_core::syntax::text::Text;

use crate::boundary::{c_text, checked, ended, growing, held_mut, hold, options, put, room};
use crate::call::agd_call;
use crate::decision::{agd_decision, state};
use crate::enumerations::AGD_UNSAID;
use crate::http_header::agd_http_header;
use crate::output_buffer::OutputBuffer;
use crate::parts::{NULS, alone};
use crate::refusal::{self, agd_refusal, refusable};
use crate::status::{AGD_NONE, AGD_SOME, agd_status};
use crate::text::agd_text;
use crate::value::{AGD_VALUE_ABSENT, agd_value};
use crate::workspace::{agd_workspace, workspace_of};

/// There is no result, because the URL is refused or the buffer is too small.
pub const AGD_NEXT_NONE: i32 = 0;
/// The call has succeeded: `outputs`.
pub const AGD_NEXT_DONE: i32 = 1;
/// Wait `seconds`, then send the same request again, with the same idempotency key.
pub const AGD_NEXT_RETRY: i32 = 2;
/// Wait `seconds`, then GET `url` (if NULL, the same URL as before), with the same credential if
/// `credential` is AGD_TRUE.
pub const AGD_NEXT_POLL: i32 = 3;
/// Refresh the token at `url`, then send the last request again. The last request may be a poll.
pub const AGD_NEXT_REFRESH: i32 = 4;
/// Obtain a new credential, then send the last request again. The last request may be a poll.
pub const AGD_NEXT_TOKEN: i32 = 5;
/// Open a new session: plan again with `has_session` unset.
pub const AGD_NEXT_SESSION: i32 = 6;
/// Do what the document says about this error: `code`, `text`, and what the text names.
pub const AGD_NEXT_RECOVER: i32 = 7;
/// The call has failed: `failure`.
pub const AGD_NEXT_FAILED: i32 = 8;

/// The call has not failed, or has failed for a reason that is newer than this list.
pub const AGD_CALL_FAILURE_UNKNOWN: i32 = 0;
/// The status is an error, and the document says nothing about it.
pub const AGD_CALL_FAILURE_STATUS: i32 = 1;
/// The answer is a redirect, which is not followed.
pub const AGD_CALL_FAILURE_REDIRECT: i32 = 2;
/// The asynchronous job has failed.
pub const AGD_CALL_FAILURE_JOB: i32 = 3;
/// The request was sent too often.
pub const AGD_CALL_FAILURE_TOO_MANY_RETRIES: i32 = 4;
/// There was no result after 100 polls.
pub const AGD_CALL_FAILURE_TOO_MANY_POLLS: i32 = 5;
/// The error remained after four recoveries.
pub const AGD_CALL_FAILURE_TOO_MANY_RECOVERIES: i32 = 6;

/// Size of agd_outcomes in 64-bit words.
pub const AGD_OUTCOMES_WORDS: usize = 32;

/// An answer of a server. Initialise it with AGD_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_call_answer {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The status code.
    pub status: i32,
    /// Reserved; zero.
    pub reserved: i32,
    /// The headers in their order; NULL if there are none. Only the first 256 are used.
    pub headers: *const agd_http_header,
    /// Number of elements.
    pub header_count: usize,
    /// The body without its content codings; absent or empty if there is none.
    pub body: agd_text,
    /// When the answer was received, in seconds since 1970.
    pub now: u64,
}

/// The declared outputs of a capability with their values in an answer, at most 64. It borrows the
/// body of the answer and what the decision borrows. A copy iterates independently.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_outcomes {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_OUTCOMES_WORDS],
}

/// An output in an answer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_outcome {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Its name.
    pub name: agd_text,
    /// Its declared type, as written; absent if the document does not state it as text.
    pub r#type: agd_text,
    /// Its value in the answer; absent if it is missing or `null`.
    pub value: agd_value,
    /// Whether the value has the declared type: AGD_TRUE or AGD_FALSE.
    pub typed: i32,
    /// Reserved; zero.
    pub reserved: i32,
}

/// What to do after an answer. Initialise it with AGD_INIT. It borrows your buffer, the body of the
/// answer, and what the decision borrows. `next` determines which members are present; the others
/// are absent.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_call_result {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// AGD_NEXT_*.
    pub next: i32,
    /// AGD_CALL_FAILURE_*.
    pub failure: i32,
    /// How long to wait, in seconds; AGD_UNSAID if it is absent.
    pub seconds: i64,
    /// The absolute URL, NUL-terminated; NULL if it is absent. For AGD_NEXT_RECOVER it is the URL
    /// of `endpoint`; absent if that has placeholders or the site denies it.
    pub url: *const c_char,
    /// The declared outputs.
    pub outputs: agd_outcomes,
    /// The code of the error.
    pub code: agd_text,
    /// What the document says about the error: prose.
    pub text: agd_text,
    /// The endpoint that the text names, as written, possibly with placeholders in braces.
    pub endpoint: agd_text,
    /// The id of the action that the text names.
    pub action: agd_text,
    /// Whether to send the last request again afterwards: AGD_TRUE or AGD_FALSE.
    pub retries: i32,
    /// Whether the credential of the step may be sent to the URL to poll: AGD_TRUE or AGD_FALSE.
    pub credential: i32,
}

growing! { agd_call_answer, agd_outcome, agd_call_result, }

const NO_OUTCOMES: agd_outcomes = agd_outcomes { state: [MaybeUninit::new(0); AGD_OUTCOMES_WORDS] };

/// No answer.
const SILENCE: agd_call_answer = agd_call_answer {
    size: size_of::<agd_call_answer>(),
    status: 0,
    reserved: 0,
    headers: ptr::null(),
    header_count: 0,
    body: agd_text::ABSENT,
    now: 0,
};

/// No result.
const NOTHING: agd_call_result = agd_call_result {
    size: size_of::<agd_call_result>(),
    next: AGD_NEXT_NONE,
    failure: AGD_CALL_FAILURE_UNKNOWN,
    seconds: AGD_UNSAID as i64,
    url: ptr::null(),
    outputs: NO_OUTCOMES,
    code: agd_text::ABSENT,
    text: agd_text::ABSENT,
    endpoint: agd_text::ABSENT,
    action: agd_text::ABSENT,
    retries: 0,
    credential: 0,
};

/// Defines number and name of each failure.
macro_rules! failures {
    ($($constant:ident = $failure:ident,)*) => {
        const fn number_of(failure: Failure) -> i32 {
            match failure {
                $(Failure::$failure => $constant,)*
                _ => AGD_CALL_FAILURE_UNKNOWN,
            }
        }

        fn name_of(number: i32) -> *const c_char {
            match number {
                $($constant => c_text!(Failure::$failure.as_str()),)*
                _ => c"unknown".as_ptr(),
            }
        }
    };
}

failures! {
    AGD_CALL_FAILURE_STATUS = Status,
    AGD_CALL_FAILURE_REDIRECT = Redirect,
    AGD_CALL_FAILURE_JOB = Job,
    AGD_CALL_FAILURE_TOO_MANY_RETRIES = TooManyRetries,
    AGD_CALL_FAILURE_TOO_MANY_POLLS = TooManyPolls,
    AGD_CALL_FAILURE_TOO_MANY_RECOVERIES = TooManyRecoveries,
}

/// Returns the name of a failure (AGD_CALL_FAILURE_*), NUL-terminated, such as `too-many-polls`;
/// `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_call_failure_name(failure: i32) -> *const c_char {
    name_of(failure)
}

/// Reads the answer to a planned HTTP request, and returns what to do next. Pass the answers to
/// repeated requests and to polls as well.
///
/// `call`, `decision`, `answer` and `result` must not be NULL; `refusal` may be. The structs must be
/// initialised (AGD_INIT). `buffer` has room for `capacity` bytes and receives the URL; it may be NULL
/// if `capacity` is 0, to query the size. `needed`, if not NULL, receives the number of bytes that the
/// buffer must have. The result borrows the buffer, the body of the answer, and what the decision
/// borrows; headers are only read during the call.
///
/// Returns AGD_OK; AGD_ERROR_CALL_REFUSED if the URL to poll is not allowed or has a placeholder
/// without a value, and `refusal` receives the reason; AGD_ERROR_BUFFER_TOO_SMALL, which does not
/// change the call; or another negative status for misuse. Not thread-safe on one call; linear in
/// answer and document; about 36 KB of stack, 10 KB of which agd_call_next_with moves to a
/// workspace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_call_next(
    call: *mut agd_call,
    decision: *const agd_decision,
    answer: *const agd_call_answer,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    result: *mut agd_call_result,
    refusal: *mut agd_refusal,
) -> agd_status {
    // SAFETY: the caller promises a call in sole use, a readable decision and answer, a buffer in
    // sole use, and writable outputs.
    ended(unsafe {
        Asked::read(call, decision, answer, (buffer, capacity), result, refusal)
            .and_then(|asked| asked.next(None, needed))
    })
}

/// Does the same as agd_call_next with a workspace from the caller, for systems with a small stack.
///
/// `workspace` must not be NULL, needs no initialisation, and is used only during this function.
/// Otherwise, including what the result borrows, as agd_call_next. Not thread-safe on one call or
/// workspace; linear in answer and document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_call_next_with(
    call: *mut agd_call,
    decision: *const agd_decision,
    answer: *const agd_call_answer,
    workspace: *mut agd_workspace,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    result: *mut agd_call_result,
    refusal: *mut agd_refusal,
) -> agd_status {
    // SAFETY: the caller promises the same, and a workspace in sole use.
    ended(unsafe {
        Asked::read(call, decision, answer, (buffer, capacity), result, refusal)
            .and_then(|asked| asked.next(Some(workspace_of(workspace)?), needed))
    })
}

/// Maximum number of headers of an answer that are read.
const MOST_HEADERS: usize = 256;

/// The checked arguments of `agd_call_next`.
struct Asked {
    call: &'static mut Call,
    decision: &'static Decision<'static>,
    answer: agd_call_answer,
    start: *mut c_char,
    buffer: &'static mut [u8],
    result: (*mut agd_call_result, usize),
    refusal: *mut agd_refusal,
}

impl Asked {
    /// # Safety
    /// That of `agd_call_next`.
    unsafe fn read(
        call: *mut agd_call,
        decision: *const agd_decision,
        answer: *const agd_call_answer,
        (start, capacity): (*mut c_char, usize),
        result: *mut agd_call_result,
        refusal: *mut agd_refusal,
    ) -> Result<Self, agd_status> {
        // SAFETY: the contract is the same.
        unsafe {
            refusable(refusal)?;
            Ok(Self {
                call: held_mut(call)?,
                decision: state(decision)?,
                answer: options(checked(answer)?, SILENCE)?,
                start,
                buffer: OutputBuffer::new(start, capacity)?.less(NULS).bytes(),
                result: (result, room(result)?),
                refusal,
            })
        }
    }

    /// # Safety
    /// That of `agd_call_next`.
    unsafe fn next(
        self,
        workspace: Option<&mut Workspace>,
        needed: *mut usize,
    ) -> Result<agd_status, agd_status> {
        let mut headers = [Header { name: "", value: "" }; MOST_HEADERS];
        // SAFETY: the contract is the same.
        let (count, body) = unsafe {
            let count = read_headers(&self.answer, &mut headers)?;
            (count, self.answer.body.raw()?)
        };
        let answer = Answer {
            // Statuses outside HTTP's range are errors.
            status: u16::try_from(self.answer.status).unwrap_or(0),
            headers: headers.get(..count).unwrap_or_default(),
            body,
            now: self.answer.now,
        };
        let (call, decision, buffer) = (self.call, self.decision, self.buffer);
        let read = match workspace {
            Some(workspace) => call.next_with(decision, &answer, workspace, buffer),
            None => on_the_stack(call, decision, &answer, buffer),
        };
        // SAFETY: the contract is the same; the core wrote the URL into the buffer, which also has
        // room for the NUL.
        unsafe {
            let read = read.map(|next| result_of(&next, self.start));
            refusal::answer(read, NOTHING, self.result, decision, self.refusal, needed)
        }
    }
}

/// Reads the headers of an answer that are text, and returns their number.
///
/// # Safety
/// The headers of the answer are readable.
unsafe fn read_headers(
    answer: &agd_call_answer,
    headers: &mut [Header<'static>; MOST_HEADERS],
) -> Result<usize, agd_status> {
    if answer.header_count == 0 {
        return Ok(0);
    }
    checked(answer.headers)?;
    let mut places = headers.iter_mut();
    let mut count = 0;
    for index in 0..answer.header_count.min(MOST_HEADERS) {
        // SAFETY: the index is below the count of an array that is readable by the contract.
        let (name, value) = unsafe {
            let given = answer.headers.add(index).read();
            (given.name.raw()?, given.value.raw()?)
        };
        if let (Some(name), Some(value)) = (Text::plain(name).as_str(), Text::plain(value).as_str())
            && let Some(place) = places.next()
        {
            *place = Header { name, value };
            count += 1;
        }
    }
    Ok(count)
}

/// A separate function, so that the workspace is on the stack only if it is needed.
#[inline(never)]
fn on_the_stack(
    call: &mut Call,
    decision: &Decision<'static>,
    answer: &Answer<'_, 'static>,
    buffer: &'static mut [u8],
) -> Result<Next<'static, 'static, 'static>, Refusal<'static>> {
    call.next(decision, answer, buffer)
}

/// The C form of what to do next, and the number of bytes that it takes in the buffer.
///
/// # Safety
/// The core wrote the URL into the buffer at `start`, and a writable byte follows it.
unsafe fn result_of(
    next: &Next<'static, 'static, '_>,
    start: *mut c_char,
) -> (agd_call_result, usize) {
    let mut result = NOTHING;
    let mut found = None;
    result.next = match next {
        Next::Done(outputs) => {
            result.outputs = hold(NO_OUTCOMES, *outputs);
            AGD_NEXT_DONE
        }
        Next::Retry { seconds } => {
            result.seconds = i64::from(*seconds);
            AGD_NEXT_RETRY
        }
        Next::Poll { url, seconds, credential } => {
            found = *url;
            result.seconds = i64::from(*seconds);
            result.credential = i32::from(*credential);
            AGD_NEXT_POLL
        }
        Next::Refresh { url } => {
            found = Some(*url);
            AGD_NEXT_REFRESH
        }
        Next::Token => AGD_NEXT_TOKEN,
        Next::Session => AGD_NEXT_SESSION,
        Next::Recover(recovery) => {
            found = recovery.url;
            add_recovery(&mut result, recovery);
            AGD_NEXT_RECOVER
        }
        Next::Failed(failure) => {
            result.failure = number_of(*failure);
            AGD_NEXT_FAILED
        }
        _ => AGD_NEXT_NONE,
    };
    let mut size = 0;
    if let Some(url) = found {
        size = url.len() + 1;
        // SAFETY: the contract is the same.
        result.url = unsafe { alone(url, start) };
    }
    (result, size)
}

/// Adds what the document says about an error.
fn add_recovery(result: &mut agd_call_result, recovery: &Recovery<'static, '_>) {
    result.code = recovery.code.into();
    result.text = recovery.text.into();
    result.endpoint = recovery.endpoint.into();
    result.action = recovery.action.into();
    result.seconds = recovery.seconds.map_or(AGD_UNSAID.into(), i64::from);
    result.retries = i32::from(recovery.retries);
}

impl From<Outcome<'static, 'static>> for agd_outcome {
    fn from(outcome: Outcome<'static, 'static>) -> Self {
        Self {
            size: size_of::<Self>(),
            name: outcome.name.into(),
            r#type: outcome.kind.into(),
            value: outcome.value.map_or(
                agd_value { kind: AGD_VALUE_ABSENT, text: agd_text::ABSENT },
                agd_value::from,
            ),
            typed: i32::from(outcome.is_typed),
            reserved: 0,
        }
    }
}

/// Returns the next output of a list.
///
/// Neither pointer may be NULL; `outcome` must be initialised (AGD_INIT) and borrows the body of the
/// answer and what the decision borrows. Returns AGD_SOME, AGD_NONE at the end (`outcome` is
/// unchanged), or a negative status for misuse; AGD_ERROR_UNINITIALISED unless the result is
/// AGD_NEXT_DONE. Not thread-safe on one list; linear in the answer and in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_outcomes_next(
    list: *mut agd_outcomes,
    outcome: *mut agd_outcome,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output, which is checked before
    // the list advances.
    ended(unsafe {
        held_mut(list).and_then(|list| {
            let room = room(outcome)?;
            let Some(next) = list.next() else {
                return Ok(AGD_NONE);
            };
            put(outcome, room, next.into());
            Ok(AGD_SOME)
        })
    })
}
