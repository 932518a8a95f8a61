//! Why a call is not planned.

use core::ffi::c_char;
use core::mem::size_of;

use agentsdisc_core::call::{Problem, Refusal};
use agentsdisc_core::policy::{Credentials, Decision, Reason};

use crate::boundary::{Out, c_text, growing, put, room, write_out};
use crate::decision::{credentials_number, place};
use crate::enumerations::AGD_UNSAID;
use crate::parts::NULS;
use crate::reason::{agd_reason_message, reason_number};
use crate::status::{AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_CALL_REFUSED, AGD_OK, agd_status};
use crate::text::agd_text;

/// A problem that is newer than this list.
pub const AGD_PROBLEM_UNKNOWN: i32 = 0;
/// The decision denies the capability, or the URL with its arguments; `reason` is the reason.
pub const AGD_PROBLEM_DENIED: i32 = 1;
/// The decision is neither for a capability nor for the gateway of a protocol.
pub const AGD_PROBLEM_NO_CAPABILITY: i32 = 2;
/// The document names no endpoint.
pub const AGD_PROBLEM_NO_ENDPOINT: i32 = 3;
/// The endpoint is not a URL that agents can call.
pub const AGD_PROBLEM_INVALID_ENDPOINT: i32 = 4;
/// The method is not an HTTP method.
pub const AGD_PROBLEM_INVALID_METHOD: i32 = 5;
/// The arguments are not a JSON object.
pub const AGD_PROBLEM_INVALID_ARGUMENTS: i32 = 6;
/// There are more than AGD_ARGUMENTS_MAX arguments.
pub const AGD_PROBLEM_TOO_MANY_ARGUMENTS: i32 = 7;
/// A required argument is missing.
pub const AGD_PROBLEM_MISSING_ARGUMENT: i32 = 8;
/// The capability declares no parameter with the name of the argument.
pub const AGD_PROBLEM_UNKNOWN_ARGUMENT: i32 = 9;
/// Two arguments have the same name.
pub const AGD_PROBLEM_REPEATED_ARGUMENT: i32 = 10;
/// The document does not state how to send the argument.
pub const AGD_PROBLEM_UNPLACED_ARGUMENT: i32 = 11;
/// The argument does not have the declared type of its parameter.
pub const AGD_PROBLEM_WRONG_TYPE: i32 = 12;
/// The argument is not one of the options of its parameter.
pub const AGD_PROBLEM_NOT_AN_OPTION: i32 = 13;
/// The value of the argument is not valid in the path, the header or the host where it is sent.
pub const AGD_PROBLEM_INVALID_VALUE: i32 = 14;
/// A placeholder of the URL has no value.
pub const AGD_PROBLEM_PLACEHOLDER: i32 = 15;
/// The call needs a credential that must not be sent to the endpoint; `credentials` is the reason.
pub const AGD_PROBLEM_UNSAFE_CREDENTIAL: i32 = 16;
/// Actions require each other.
pub const AGD_PROBLEM_PREREQUISITE_CYCLE: i32 = 17;
/// The actions that have to run first cannot be read.
pub const AGD_PROBLEM_UNREADABLE_PREREQUISITES: i32 = 18;
/// The document has too many dependencies to find the actions that have to run first.
pub const AGD_PROBLEM_TOO_MANY_PREREQUISITES: i32 = 19;
/// The call needs more steps than allowed.
pub const AGD_PROBLEM_TOO_MANY_STEPS: i32 = 20;
/// The argument is below the minimum or above the maximum of its parameter.
pub const AGD_PROBLEM_OUT_OF_RANGE: i32 = 21;
/// Several capabilities of the document have the id and accept the method, but are called in
/// different ways.
pub const AGD_PROBLEM_AMBIGUOUS_ID: i32 = 22;

/// Why a call is not planned. Initialise it with AGD_INIT. It borrows what the decision borrows, the
/// arguments and the texts of the options.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_refusal {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The problem: AGD_PROBLEM_*.
    pub problem: i32,
    /// For AGD_PROBLEM_DENIED, the reason: AGD_REASON_*; otherwise AGD_UNSAID.
    pub reason: i32,
    /// For AGD_PROBLEM_UNSAFE_CREDENTIAL, the reason: AGD_CREDENTIALS_*; otherwise AGD_UNSAID.
    pub credentials: i32,
    /// Reserved; zero.
    pub reserved: i32,
    /// What is wrong and what to do, in English, NUL-terminated. Static.
    pub message: *const c_char,
    /// The name of the argument, placeholder or action that the problem is about; absent if there
    /// is none.
    pub argument: agd_text,
    /// The declared type of the argument, as written.
    pub expected: agd_text,
    /// The text of a document that the refusal is based on: the rule that denies, the name of the
    /// parameter, or the endpoint. Absent if there is none.
    pub rule: agd_text,
    /// The index of the document that contains it; AGD_FROM_ROBOTS for the robots.txt; AGD_UNSAID if
    /// there is none.
    pub rule_document: i64,
    /// Byte offset of that text, from 0; 0 if there is none.
    pub rule_start: usize,
    /// Byte offset after that text.
    pub rule_end: usize,
    /// Line of that text, from 1; 0 if there is none.
    pub rule_line: u32,
    /// Column of that text in bytes, from 1; 0 if there is none.
    pub rule_column: u32,
}

growing! { agd_refusal, }

/// Defines number, name and message of each problem.
macro_rules! problems {
    ($($constant:ident = $pattern:pat, $example:expr;)*) => {
        const fn number_of(problem: &Problem) -> i32 {
            match problem {
                $($pattern => $constant,)*
                _ => AGD_PROBLEM_UNKNOWN,
            }
        }

        fn name_of(number: i32) -> *const c_char {
            match number {
                $($constant => c_text!($example.as_str()),)*
                _ => c"unknown".as_ptr(),
            }
        }

        fn message_of(number: i32) -> *const c_char {
            match number {
                $($constant => c_text!($example.message()),)*
                _ => c"the problem is not known to this version".as_ptr(),
            }
        }
    };
}

problems! {
    AGD_PROBLEM_DENIED = Problem::Denied(_), Problem::Denied(Reason::NotListed);
    AGD_PROBLEM_NO_CAPABILITY = Problem::NoCapability, Problem::NoCapability;
    AGD_PROBLEM_NO_ENDPOINT = Problem::NoEndpoint, Problem::NoEndpoint;
    AGD_PROBLEM_INVALID_ENDPOINT = Problem::InvalidEndpoint, Problem::InvalidEndpoint;
    AGD_PROBLEM_INVALID_METHOD = Problem::InvalidMethod, Problem::InvalidMethod;
    AGD_PROBLEM_INVALID_ARGUMENTS = Problem::InvalidArguments, Problem::InvalidArguments;
    AGD_PROBLEM_TOO_MANY_ARGUMENTS = Problem::TooManyArguments, Problem::TooManyArguments;
    AGD_PROBLEM_MISSING_ARGUMENT = Problem::MissingArgument, Problem::MissingArgument;
    AGD_PROBLEM_UNKNOWN_ARGUMENT = Problem::UnknownArgument, Problem::UnknownArgument;
    AGD_PROBLEM_REPEATED_ARGUMENT = Problem::RepeatedArgument, Problem::RepeatedArgument;
    AGD_PROBLEM_UNPLACED_ARGUMENT = Problem::UnplacedArgument, Problem::UnplacedArgument;
    AGD_PROBLEM_WRONG_TYPE = Problem::WrongType, Problem::WrongType;
    AGD_PROBLEM_NOT_AN_OPTION = Problem::NotAnOption, Problem::NotAnOption;
    AGD_PROBLEM_INVALID_VALUE = Problem::InvalidValue, Problem::InvalidValue;
    AGD_PROBLEM_PLACEHOLDER = Problem::Placeholder, Problem::Placeholder;
    AGD_PROBLEM_UNSAFE_CREDENTIAL = Problem::UnsafeCredential(_), Problem::UnsafeCredential(Credentials::Insecure);
    AGD_PROBLEM_PREREQUISITE_CYCLE = Problem::PrerequisiteCycle, Problem::PrerequisiteCycle;
    AGD_PROBLEM_UNREADABLE_PREREQUISITES = Problem::UnreadablePrerequisites, Problem::UnreadablePrerequisites;
    AGD_PROBLEM_TOO_MANY_PREREQUISITES = Problem::TooManyPrerequisites, Problem::TooManyPrerequisites;
    AGD_PROBLEM_TOO_MANY_STEPS = Problem::TooManySteps, Problem::TooManySteps;
    AGD_PROBLEM_OUT_OF_RANGE = Problem::OutOfRange, Problem::OutOfRange;
    AGD_PROBLEM_AMBIGUOUS_ID = Problem::AmbiguousId, Problem::AmbiguousId;
}

/// Checks the pointer to a refusal, which may be NULL.
///
/// # Safety
/// `refusal` is NULL or writable.
pub(crate) unsafe fn refusable(refusal: *mut agd_refusal) -> Result<(), agd_status> {
    if !refusal.is_null() {
        // SAFETY: the contract is the same.
        unsafe { room(refusal)? };
    }
    Ok(())
}

/// Writes the refusal and the required buffer size.
///
/// # Safety
/// `refusable` accepted `refusal`, and `needed` is NULL or writable.
unsafe fn refuse(
    why: &Refusal<'_>,
    decision: &Decision<'static>,
    refusal: *mut agd_refusal,
    needed: *mut usize,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    unsafe {
        if let Problem::BufferTooSmall { needed: size } = why.problem {
            write_out(needed, size.saturating_add(NULS))?;
            return Err(AGD_ERROR_BUFFER_TOO_SMALL);
        }
        if !refusal.is_null() {
            put(refusal, room(refusal)?, filled(why, decision));
        }
    }
    Err(AGD_ERROR_CALL_REFUSED)
}

/// Writes an answer of the core, and the bytes that its texts take in the buffer; or `nothing` and the
/// refusal.
///
/// # Safety
/// The pointers are null or writable; `out` is writable for its size.
pub(crate) unsafe fn answer<T: Out>(
    made: Result<(T, usize), Refusal<'_>>,
    nothing: T,
    (out, size): (*mut T, usize),
    decision: &Decision<'static>,
    refusal: *mut agd_refusal,
    needed: *mut usize,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    unsafe {
        match made {
            Ok((filled, bytes)) => {
                write_out(needed, bytes)?;
                put(out, size, filled);
                Ok(AGD_OK)
            }
            Err(refused) => {
                put(out, size, nothing);
                refuse(&refused, decision, refusal, needed)
            }
        }
    }
}

/// The C form of a refusal.
fn filled(why: &Refusal<'_>, decision: &Decision<'static>) -> agd_refusal {
    let problem = number_of(&why.problem);
    let (mut reason, mut credentials) = (AGD_UNSAID, AGD_UNSAID);
    let mut message = message_of(problem);
    match why.problem {
        Problem::Denied(why) => {
            reason = reason_number(why);
            message = agd_reason_message(reason);
        }
        Problem::UnsafeCredential(why) => credentials = credentials_number(why),
        _ => {}
    }
    let text = |text: Option<_>| text.map_or(agd_text::ABSENT, agd_text::of);
    let rule = why.rule;
    let position = rule.and_then(|rule| decision.position_of(&rule));
    agd_refusal {
        size: size_of::<agd_refusal>(),
        problem,
        reason,
        credentials,
        reserved: 0,
        message,
        argument: text(why.argument),
        expected: text(why.expected),
        rule: text(rule.map(|rule| rule.text)),
        rule_document: rule.map_or(AGD_UNSAID.into(), |rule| place(rule.source)),
        rule_start: rule.map_or(0, |rule| rule.span.start as usize),
        rule_end: rule.map_or(0, |rule| rule.span.end as usize),
        rule_line: position.map_or(0, |position| position.line),
        rule_column: position.map_or(0, |position| position.column),
    }
}

/// Returns the name of a problem (AGD_PROBLEM_*), NUL-terminated, such as `missing-argument`;
/// `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_problem_name(problem: i32) -> *const c_char {
    name_of(problem)
}
