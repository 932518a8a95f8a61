//! Decisions: whether a request is allowed, and its limits, authentication and other conditions.

use core::ffi::c_char;
use core::mem::MaybeUninit;

use agentsdisc_core::format::robots_txt::Binding;
use agentsdisc_core::policy::{AuthNeed, Confirmation, Credentials, Decision, HeaderError, Source};

use crate::awp::give_actions;
use crate::boundary::{Buffer, checked, cleared, ended, growing, held, held_mut, hold_in};
use crate::enumerations::{AGD_FALSE, AGD_TRUE, AGD_UNSAID, Numbered, agd_choice, truth};
use crate::reason::reason_number;
use crate::robots_txt::{
    AGD_ROBOTS_BINDING_ANY, AGD_ROBOTS_BINDING_NAMED, AGD_ROBOTS_BINDING_NONE,
};
use crate::status::{
    AGD_ERROR_HEADER, AGD_ERROR_NULL, AGD_ERROR_OTHER, AGD_ERROR_TOKEN, AGD_ERROR_UNSPECIFIED,
    AGD_ERROR_WITHHELD, AGD_NONE, AGD_SOME, agd_status,
};
use crate::text::{agd_text, agd_texts};
use crate::url::relation_number;
use crate::value::agd_value;

/// Used instead of a document index: the rule or limit is in the robots.txt of the request.
pub const AGD_FROM_ROBOTS: i64 = -2;

/// No document mentions authentication.
pub const AGD_NEED_NOT_STATED: i32 = 0;
/// No authentication is needed.
pub const AGD_NEED_NONE: i32 = 1;
/// Authentication is optional.
pub const AGD_NEED_OPTIONAL: i32 = 2;
/// Authentication is required.
pub const AGD_NEED_REQUIRED: i32 = 3;

/// Credentials may be sent.
pub const AGD_CREDENTIALS_ALLOWED: i32 = 1;
/// Do not send credentials: the connection is not encrypted.
pub const AGD_CREDENTIALS_INSECURE: i32 = 2;
/// Do not send credentials: the host has non-ASCII letters.
pub const AGD_CREDENTIALS_NON_ASCII_HOST: i32 = 3;
/// Do not send credentials: the host belongs to another registrable domain.
pub const AGD_CREDENTIALS_OTHER_DOMAIN: i32 = 4;
/// Do not send credentials: the host of the request, or the site of the documents, is unknown.
pub const AGD_CREDENTIALS_UNKNOWN_HOST: i32 = 5;

/// No document requires a confirmation by a person.
pub const AGD_CONFIRMATION_NOT_STATED: i32 = 0;
/// A person should confirm.
pub const AGD_CONFIRMATION_SHOULD: i32 = 1;
/// A person must confirm.
pub const AGD_CONFIRMATION_MUST: i32 = 2;

/// Size of agd_decision_state in 64-bit words.
pub const AGD_DECISION_WORDS: usize = 200;

/// Internal state of a decision.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_decision_state {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_DECISION_WORDS],
}

/// Whether a request is allowed, and its limits, authentication and other conditions. Initialise it
/// with AGD_INIT. It borrows the request's texts, the array of documents, and all their bytes; it
/// can be copied as plain memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_decision {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Internal state.
    pub state: agd_decision_state,
    /// Whether the request is allowed: AGD_TRUE or AGD_FALSE.
    pub allowed: i32,
    /// The reason: AGD_REASON_*.
    pub reason: i32,
    /// The deciding text as written: a pattern, the name of an agent's policy, the id or endpoint
    /// of a capability. Absent if no text decides.
    pub rule: agd_text,
    /// The index of the document that contains the rule; AGD_FROM_ROBOTS for the robots.txt;
    /// AGD_UNSAID if there is no rule.
    pub rule_document: i64,
    /// Byte offset of the rule, from 0; 0 if there is none.
    pub rule_start: usize,
    /// Byte offset after the rule.
    pub rule_end: usize,
    /// Line of the rule, from 1; 0 if there is none.
    pub rule_line: u32,
    /// Column of the rule in bytes, from 1; 0 if there is none.
    pub rule_column: u32,
    /// The kind of policy that applies to the agent: AGD_ROBOTS_BINDING_*.
    pub agent: i32,
    /// Relation of the host of the request to that of the documents: AGD_RELATION_*; AGD_UNSAID if
    /// either is unknown.
    pub relation: i32,
    /// Whether `relation` is certain: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub relation_verified: i32,
    /// Whether credentials may be sent: AGD_CREDENTIALS_*.
    pub credentials: i32,
    /// The id of the capability; absent for a URL that is not the endpoint of a capability.
    pub capability: agd_text,
    /// The endpoint of the capability as written; absent for a URL, and if none is declared.
    pub endpoint: agd_text,
    /// The declared method of the capability, as written.
    pub method: agd_text,
    /// Whether authentication is required: AGD_NEED_*.
    pub auth_need: i32,
    /// Reserved; zero.
    pub reserved: i32,
    /// The kind of authentication: AGD_AUTH_*; AGD_UNSAID if none is needed.
    pub auth_type: agd_choice,
    /// The index of the document that states the authentication; AGD_UNSAID if none does.
    pub auth_document: i64,
    /// URL that issues a token.
    pub token_url: agd_text,
    /// OAuth 2 authorization endpoint.
    pub authorization_url: agd_text,
    /// URL that refreshes an expired token.
    pub refresh_url: agd_text,
    /// URL where people get a key.
    pub setup_url: agd_text,
    /// URL that describes how to authenticate.
    pub docs_url: agd_text,
    /// OAuth 2 scopes.
    pub scopes: agd_texts,
    /// The header that carries the token; absent if the format does not define it.
    pub header: agd_text,
    /// The text before the token in the header; empty for the token alone; absent if `header` is
    /// absent.
    pub prefix: agd_text,
    /// Whether a session must be open: AGD_TRUE or AGD_FALSE.
    pub session_required: i32,
    /// Whether the document reports the action as degraded: AGD_TRUE or AGD_FALSE.
    pub degraded: i32,
    /// Lifetime of a session in seconds, with the default of the format; AGD_UNSAID if no session
    /// is required.
    pub session_seconds: i64,
    /// URL that opens the session, with the default of the format.
    pub session_create: agd_text,
    /// URL that closes the session.
    pub session_delete: agd_text,
    /// Whether a person must confirm: AGD_CONFIRMATION_*.
    pub confirmation: i32,
    /// Whether a person completes the action: AGD_TRUE or AGD_FALSE.
    pub handoff: i32,
    /// Whether the action can be undone: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub reversible: i32,
    /// Reserved; zero.
    pub reserved2: i32,
    /// The sensitivity of the action: AGD_SENSITIVITY_*; AGD_UNSAID if it is not stated.
    pub sensitivity: agd_choice,
    /// Relation of the host of `refresh_url` to that of the documents: AGD_RELATION_*; AGD_UNSAID if
    /// either is unknown.
    pub refresh_relation: i32,
    /// Whether `refresh_relation` is certain: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub refresh_relation_verified: i32,
    /// Whether a third party wrote the document that answers: AGD_TRUE or AGD_FALSE.
    pub synthetic: i32,
    /// Whether the endpoint is unknown because it is in a detail (ADP §4.3) that is not among the
    /// documents, so that no rule was applied to it: AGD_TRUE or AGD_FALSE.
    pub detail_unknown: i32,
    /// The confidence that the third party states, a number from 0 to 1 as written; absent if it
    /// states none.
    pub confidence: agd_value,
    /// Whether the site prefers that its content is used for the purpose of the request:
    /// AGD_STANCE_*; AGD_UNSAID if the request has no purpose.
    pub preference: i32,
    /// Whether the `Content-Usage` header determines `preference`: AGD_TRUE or AGD_FALSE.
    pub preference_by_header: i32,
    /// The index of the document with the statement that determines `preference`; AGD_FROM_ROBOTS
    /// for the robots.txt; AGD_UNSAID if there is none.
    pub preference_document: i64,
    /// That statement, as written; absent if there is none.
    pub preference_text: agd_text,
    /// Line of the statement, from 1; 0 if there is none.
    pub preference_line: u32,
    /// Column of the statement in bytes, from 1; 0 if there is none.
    pub preference_column: u32,
    /// Reserved; zero.
    pub reserved4: u32,
    /// After AGD_ERROR_UNINITIALISED, the index of the document that was not parsed; AGD_UNSAID if it
    /// is the robots.txt. AGD_UNSAID without an error.
    pub unparsed: i64,
}

growing! { agd_decision, }

/// Makes a decision in the caller's struct, in place, because it is too large for a small stack,
/// and fills the struct's members.
///
/// # Safety
/// `out` points to a writable `agd_decision`, aligned, of at least this size.
pub(crate) unsafe fn make(
    out: *mut agd_decision,
    settle: impl FnOnce(&mut Decision<'static>),
) -> Result<(), agd_status> {
    // SAFETY: the contract is the same; `held` reads the state that was just written.
    unsafe {
        let place = &raw mut (*out).state;
        open(place);
        let decision = held_mut(place)?;
        settle(decision);
        fill(out, decision);
    }
    Ok(())
}

/// Writes the state of a decision that is not made yet.
///
/// # Safety
/// `place` points to a writable `agd_decision_state`, aligned.
#[inline(never)] // So that it is on the stack only now, and not while it is made.
unsafe fn open(place: *mut agd_decision_state) {
    // SAFETY: the contract is the same.
    unsafe { hold_in(place, Decision::open()) };
}

/// Fills the members of the struct from the decision.
///
/// # Safety
/// `out` points to a writable `agd_decision`, aligned, of at least this size; `decision` may be
/// what it holds.
#[inline(never)] // As above.
unsafe fn fill(out: *mut agd_decision, decision: &Decision<'static>) {
    let (auth, human, session) = (decision.auth(), &decision.human, decision.session());
    let position = decision.rule_position();
    let rule = decision.rule;
    // SAFETY: the struct is writable by the contract, and no member that is written overlaps the
    // decision's state.
    unsafe {
        (*out).allowed = if decision.allowed { AGD_TRUE } else { AGD_FALSE };
        (*out).reason = reason_number(decision.reason);
        (*out).rule = rule.map(|rule| rule.text).into();
        (*out).rule_document = rule.map_or(i64::from(AGD_UNSAID), |rule| place(rule.source));
        (*out).rule_start = rule.map_or(0, |rule| rule.span.start as usize);
        (*out).rule_end = rule.map_or(0, |rule| rule.span.end as usize);
        (*out).rule_line = position.map_or(0, |position| position.line);
        (*out).rule_column = position.map_or(0, |position| position.column);
        (*out).agent = match decision.agent {
            Binding::None => AGD_ROBOTS_BINDING_NONE,
            Binding::Any => AGD_ROBOTS_BINDING_ANY,
            Binding::Named => AGD_ROBOTS_BINDING_NAMED,
        };
        (*out).relation =
            decision.relation.map_or(AGD_UNSAID, |relation| relation_number(relation.relation));
        (*out).relation_verified = truth(decision.relation.map(|relation| relation.verified));
        (*out).credentials = credentials_number(decision.credentials);
        (*out).capability = decision.capability.into();
        (*out).endpoint = decision.endpoint.into();
        (*out).method = decision.method.into();
        (*out).auth_need = need_number(auth.need);
        (*out).reserved = 0;
        (*out).auth_type = Some(auth.kind).filter(|_| auth.need > AuthNeed::None).into();
        (*out).auth_document = auth.document.map_or(i64::from(AGD_UNSAID), |index| index as i64);
        (*out).token_url = auth.token_url.into();
        (*out).authorization_url = auth.authorization_url.into();
        (*out).refresh_url = auth.refresh_url.into();
        (*out).refresh_relation =
            auth.refresh_relation.map_or(AGD_UNSAID, |relation| relation_number(relation.relation));
        (*out).refresh_relation_verified =
            truth(auth.refresh_relation.map(|relation| relation.verified));
        (*out).setup_url = auth.setup_url.into();
        (*out).docs_url = auth.docs_url.into();
        (*out).scopes = auth.scopes.into();
        (*out).header = auth.header.into();
        (*out).prefix = auth.header.map(|_| auth.prefix).into();
        (*out).session_required = i32::from(decision.session_required);
        (*out).degraded = i32::from(decision.degraded);
        (*out).session_seconds =
            session.map_or(i64::from(AGD_UNSAID), |session| i64::from(session.ttl_seconds));
        (*out).session_create = session.map(|session| session.create).into();
        (*out).session_delete = session.and_then(|session| session.delete).into();
        (*out).confirmation = confirmation_number(human.confirmation);
        (*out).handoff = i32::from(human.handoff);
        (*out).reversible = truth(human.reversible);
        (*out).reserved2 = 0;
        (*out).synthetic = i32::from(decision.synthetic);
        (*out).detail_unknown = i32::from(decision.detail_unknown);
        (*out).confidence = decision.confidence.into();
        (*out).sensitivity = human.sensitivity.into();
        let statement = decision.preference.and_then(|preference| preference.statement);
        let position = statement.and_then(|rule| decision.position_of(&rule));
        (*out).preference =
            decision.preference.map_or(AGD_UNSAID, |preference| preference.stance.number());
        (*out).preference_by_header = i32::from(decision.preference.is_some_and(|it| it.by_header));
        (*out).preference_text = statement.map(|rule| rule.text).into();
        (*out).preference_document =
            statement.map_or(i64::from(AGD_UNSAID), |rule| place(rule.source));
        (*out).preference_line = position.map_or(0, |position| position.line);
        (*out).preference_column = position.map_or(0, |position| position.column);
        (*out).reserved4 = 0;
        (*out).unparsed = i64::from(AGD_UNSAID);
    }
}

/// The C number of whether credentials may be sent: AGD_CREDENTIALS_*.
pub(crate) const fn credentials_number(credentials: Credentials) -> i32 {
    match credentials {
        Credentials::Allowed => AGD_CREDENTIALS_ALLOWED,
        Credentials::Insecure => AGD_CREDENTIALS_INSECURE,
        Credentials::NonAsciiHost => AGD_CREDENTIALS_NON_ASCII_HOST,
        Credentials::OtherDomain => AGD_CREDENTIALS_OTHER_DOMAIN,
        Credentials::UnknownHost => AGD_CREDENTIALS_UNKNOWN_HOST,
    }
}

/// The C number of a need: AGD_NEED_*.
pub(crate) const fn need_number(need: AuthNeed) -> i32 {
    match need {
        AuthNeed::NotStated => AGD_NEED_NOT_STATED,
        AuthNeed::None => AGD_NEED_NONE,
        AuthNeed::Optional => AGD_NEED_OPTIONAL,
        AuthNeed::Required => AGD_NEED_REQUIRED,
    }
}

/// The C number of a confirmation: AGD_CONFIRMATION_*.
pub(crate) const fn confirmation_number(confirmation: Confirmation) -> i32 {
    match confirmation {
        Confirmation::NotStated => AGD_CONFIRMATION_NOT_STATED,
        Confirmation::Should => AGD_CONFIRMATION_SHOULD,
        Confirmation::Must => AGD_CONFIRMATION_MUST,
    }
}

/// The C number of the source of a rule: a document index or AGD_FROM_ROBOTS.
pub(crate) fn place(source: Source) -> i64 {
    match source {
        Source::Document(index) => index as i64,
        Source::Robots => AGD_FROM_ROBOTS,
    }
}

/// Returns the decision in a C struct.
///
/// # Safety
/// `decision` is NULL or readable.
pub(crate) unsafe fn state<'a>(
    decision: *const agd_decision,
) -> Result<&'a Decision<'static>, agd_status> {
    checked(decision)?;
    // SAFETY: it is not NULL, aligned, and readable by the contract.
    unsafe { held(&raw const (*decision).state) }
}

/// Builds the header that carries a token, ready to send: `Name: value` without a line end,
/// NUL-terminated.
///
/// Succeeds only if the request is allowed, credentials may be sent, and the format defines the
/// header. `decision` must not be NULL. `token` is plain UTF-8. Buffer and `length` work as in
/// agd_text_decode. The buffer is yours and then holds a secret: wipe it after use.
///
/// Returns AGD_SOME; AGD_NONE if no authentication is needed; AGD_ERROR_WITHHELD if credentials
/// must not be sent; AGD_ERROR_UNSPECIFIED if the format does not define the header;
/// AGD_ERROR_HEADER or AGD_ERROR_TOKEN if header or token is not valid in a request;
/// AGD_ERROR_BUFFER_TOO_SMALL; or another negative status for misuse. Thread-safe if the buffer is
/// not shared; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_auth_header(
    decision: *const agd_decision,
    token: agd_text,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable decision and text, a buffer in sole use, and a length
    // that is NULL or writable.
    ended(unsafe { auth_header(decision, token, (buffer, capacity), length) })
}

/// # Safety
/// That of `agd_decision_auth_header`.
unsafe fn auth_header(
    decision: *const agd_decision,
    token: agd_text,
    buffer: (*mut c_char, usize),
    length: *mut usize,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    let (decision, token, mut buffer) = unsafe {
        (state(decision)?, token.string()?.ok_or(AGD_ERROR_NULL)?, Buffer::new(buffer.0, buffer.1)?)
    };
    let made = decision.put_auth_header(token, &mut buffer);
    // SAFETY: the contract is the same.
    let finished = unsafe { buffer.finish(length) };
    match made {
        Ok(()) => finished.map(|_| AGD_SOME),
        Err(HeaderError::NotNeeded) => Ok(AGD_NONE),
        Err(HeaderError::Withheld(_)) => Err(AGD_ERROR_WITHHELD),
        Err(HeaderError::Unspecified) => Err(AGD_ERROR_UNSPECIFIED),
        Err(HeaderError::InvalidHeader) => Err(AGD_ERROR_HEADER),
        Err(HeaderError::InvalidToken) => Err(AGD_ERROR_TOKEN),
        Err(_) => Err(AGD_ERROR_OTHER),
    }
}

/// Returns the actions that must run before the AWP action of a decision, in order, like
/// agd_awp_prerequisites with the same memory.
///
/// `decision` must not be NULL; the texts borrow the document's bytes. Returns AGD_NONE with
/// `found` 0 if nothing is required or no AWP document declares the action; otherwise as
/// agd_awp_prerequisites. Thread-safe if the memory is not shared; n log n in `dependencies`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_prerequisites(
    decision: *const agd_decision,
    scratch: *mut u32,
    scratch_length: usize,
    items: *mut agd_text,
    capacity: usize,
    found: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable decision, memory in sole use, and a number that is
    // NULL or writable.
    ended(unsafe {
        state(decision).and_then(|decision| {
            let scratch = cleared(scratch, scratch_length)?;
            give_actions((items, capacity), found, || Ok(decision.prerequisites(scratch)))
        })
    })
}

/// Whether the AWP document that declares the action has `dependencies` that cannot be read, so
/// that agd_decision_prerequisites returns AGD_ERROR_UNREADABLE: AGD_TRUE or AGD_FALSE; AGD_UNSAID if
/// `decision` is NULL or was not made.
///
/// Thread-safe; linear in `dependencies`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_prerequisites_unknown(decision: *const agd_decision) -> i32 {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { state(decision) }
        .map_or(AGD_UNSAID, |decision| i32::from(decision.prerequisites_unknown()))
}

/// Writes a decision as JSON (docs/policy.md), on one line, NUL-terminated.
///
/// `decision` must not be NULL. `scratch` is your memory for `scratch_length` numbers (NULL if that
/// is 0): four for each name in the `dependencies` of an AWP document. With fewer, `prerequisites`
/// is left out, and the JSON contains `prerequisites_unknown`. Buffer and `length` work as in
/// agd_write_json.
///
/// Returns AGD_OK, or AGD_ERROR_BUFFER_TOO_SMALL, or another negative status for misuse.
/// Thread-safe if the memory is not shared; linear in the documents; about 22 KB of stack.
#[cfg(feature = "json")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_decision_json(
    decision: *const agd_decision,
    scratch: *mut u32,
    scratch_length: usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable decision, memory and a buffer in sole use, and a
    // length that is NULL or writable.
    ended(unsafe {
        state(decision).and_then(|decision| {
            let (scratch, mut buffer) =
                (cleared(scratch, scratch_length)?, Buffer::new(buffer, capacity)?);
            decision.put_json(scratch, &mut buffer);
            buffer.finish(length)
        })
    })
}
