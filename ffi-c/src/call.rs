//! Plans calls: the request that calls a capability, and the steps that have to happen before it.

use core::ffi::c_char;
use core::mem::{MaybeUninit, size_of};
use core::ptr;

use agentsdisc_core::call::{Call, Client, Done, First, Options, Plan, Refusal, Step};
use agentsdisc_core::policy::{Auth, Confirmation, Decision, Workspace};

use crate::adp_request::{NO_HEADERS, agd_headers};
use crate::boundary::{checked, ended, fixed, growing, held_mut, hold, options, room};
use crate::decision::{
    AGD_CONFIRMATION_MUST, AGD_CONFIRMATION_NOT_STATED, AGD_CONFIRMATION_SHOULD,
    AGD_NEED_NOT_STATED, agd_decision, confirmation_number, need_number, state,
};
use crate::enumerations::{AGD_UNSAID, agd_choice, is_true, truth};
use crate::list::Items;
use crate::output_buffer::OutputBuffer;
use crate::parts::{NULS, Sent, alone, spread};
use crate::refusal::{agd_refusal, answer, refusable};
use crate::status::{AGD_ERROR_ARGUMENT, AGD_ERROR_CAPACITY_EXCEEDED, AGD_ERROR_NULL, agd_status};
use crate::text::{agd_text, agd_texts};
use crate::workspace::{agd_workspace, workspace_of};

/// There is no step, because the call is refused or the buffer is too small.
pub const AGD_STEP_NONE: i32 = 0;
/// Send the request: `method`, `url`, `headers`, `body`.
pub const AGD_STEP_HTTP: i32 = 1;
/// Call an operation with a client of its protocol: `protocol`, `url`, `operation`, `arguments`.
pub const AGD_STEP_CLIENT: i32 = 2;
/// First fetch the document at `url`, and decide again with it: the detail of an Agent Discovery
/// Protocol capability, or the agents.json beside an agents.txt 0.1.0.
pub const AGD_STEP_DOCUMENT: i32 = 3;
/// First call `action` of the same document. The action needs a decision and a plan of its own.
/// Then pass its answer in `done` of the options.
pub const AGD_STEP_ACTION: i32 = 4;
/// First obtain a credential; the members from `credential_need` to `scopes` describe it. Then set
/// `has_credential` of the options.
pub const AGD_STEP_TOKEN: i32 = 5;
/// First open a session by `method` and `url`. Then set `has_session` of the options.
pub const AGD_STEP_SESSION: i32 = 6;
/// First ask a person; the decision has the reason. Then set `confirmed` of the options.
pub const AGD_STEP_CONFIRMATION: i32 = 7;

/// The request carries no credential.
pub const AGD_CARRIES_NOTHING: i32 = 0;
/// The request carries the credential for the service.
pub const AGD_CARRIES_CREDENTIAL: i32 = 1;
/// The request carries the token of the session.
pub const AGD_CARRIES_SESSION: i32 = 2;

/// The maximum number of answers in `done` of the options.
pub const AGD_DONE_MAX: usize = 64;
/// Size of agd_call in 64-bit words.
pub const AGD_CALL_WORDS: usize = 4;

/// The progress of a call of a capability. It borrows nothing, and can be copied as plain memory.
///
/// One thread at a time may use it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_call {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_CALL_WORDS],
}

/// The answer of an action that another one requires. It borrows both texts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_done {
    /// The id of the action, plain UTF-8.
    pub action: agd_text,
    /// The body of its answer.
    pub body: agd_text,
}

/// Options of agd_call_plan. Initialise it with AGD_INIT: members left at zero have their defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_call_options {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Whether you have a credential for the service: AGD_TRUE or AGD_FALSE.
    pub has_credential: i32,
    /// Whether you have an open session: AGD_TRUE or AGD_FALSE.
    pub has_session: i32,
    /// What a person has confirmed: AGD_CONFIRMATION_MUST is enough for every call,
    /// AGD_CONFIRMATION_SHOULD for calls that a person should confirm.
    pub confirmed: i32,
    /// AGD_TRUE if arguments may be sent to a capability that declares no parameters at all.
    pub undeclared: i32,
    /// AGD_TRUE if strings are converted to the declared type, such as `"10"` to an integer.
    pub from_text: i32,
    /// AGD_TRUE to send the headers that the example of an Agent Discovery Protocol detail gives with
    /// a constant value.
    pub constant_headers: i32,
    /// `done_count` answers of actions that the call requires, at most AGD_DONE_MAX; may be NULL if
    /// there are none.
    pub done: *const agd_done,
    /// Number of elements.
    pub done_count: usize,
    /// A key by which the service recognizes a repeated call, plain UTF-8. It is sent if the document
    /// names the field for it.
    pub idempotency_key: agd_text,
    /// The name of the operation at an endpoint of another protocol, such as an MCP tool. It is
    /// used if the document does not name the operation. Plain UTF-8.
    pub operation: agd_text,
}

/// What to do next to call a capability. Initialise it with AGD_INIT. It borrows your buffer and
/// what the decision borrows. `step` determines which members are present; the others are absent.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_call_step {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// AGD_STEP_*.
    pub step: i32,
    /// Whether the result comes later (AGD_NEXT_POLL follows): AGD_TRUE or AGD_FALSE.
    pub asynchronous: i32,
    /// Whether the same request may be sent again: AGD_TRUE or AGD_FALSE.
    pub repeatable: i32,
    /// Reserved; zero.
    pub reserved: i32,
    /// The index of the document that declares the capability; AGD_UNSAID if there is no step.
    pub document: i64,
    /// The method, NUL-terminated; NULL if it is absent.
    pub method: *const c_char,
    /// The absolute URL, NUL-terminated; NULL if it is absent.
    pub url: *const c_char,
    /// The body, NUL-terminated; NULL if it is absent. Its type is in the headers. A body that is
    /// not JSON may itself contain NULs.
    pub body: *const c_char,
    /// Length of the body in bytes, without the NUL.
    pub body_length: usize,
    /// The headers, without `User-Agent` and the credential.
    pub headers: agd_headers,
    /// The protocol of the client: AGD_PROTOCOL_*.
    pub protocol: agd_choice,
    /// The transport: AGD_TRANSPORT_*.
    pub transport: agd_choice,
    /// The version of the protocol.
    pub version: agd_text,
    /// The operation, such as the name of an MCP tool; plain, followed by a NUL. Absent if neither
    /// document nor options name it.
    pub operation: agd_text,
    /// The URL of the OpenAPI description, as written. `method` is the method of the operation.
    pub openapi: agd_text,
    /// The arguments for the client: a JSON object, followed by a NUL.
    pub arguments: agd_text,
    /// The id of the action to call first.
    pub action: agd_text,
    /// How long the session lasts, in seconds; AGD_UNSAID if the step opens no session.
    pub session_seconds: i64,
    /// Which credential the request carries: AGD_CARRIES_*.
    pub carries: i32,
    /// Whether that credential is required or optional: AGD_NEED_*.
    pub credential_need: i32,
    /// Its type: AGD_AUTH_*.
    pub credential_type: agd_choice,
    /// The header that carries it; absent if the format does not name one.
    pub credential_header: agd_text,
    /// The prefix in the header, followed by one space; empty for the bare token.
    pub credential_prefix: agd_text,
    /// The URL that issues a token. This member and those up to `scopes` are present only for
    /// AGD_STEP_TOKEN.
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
    /// Whether a person must confirm the call: AGD_CONFIRMATION_*.
    pub confirmation: i32,
    /// Whether a person completes the action: AGD_TRUE or AGD_FALSE.
    pub handoff: i32,
    /// Whether the action can be undone: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub reversible: i32,
    /// Whether the request carries an idempotency key: AGD_TRUE or AGD_FALSE.
    pub key_sent: i32,
    /// The sensitivity of the action: AGD_SENSITIVITY_*; AGD_UNSAID if it is not stated.
    pub sensitivity: agd_choice,
    /// The field by which the service recognizes a repeated call; absent if the document names none.
    pub key_field: agd_text,
    /// How long a key is remembered, in seconds; AGD_UNSAID if the document does not state it.
    pub key_seconds: i64,
    /// The tenant that every request of an A2A agent names, if the card states one.
    pub tenant: agd_text,
}

growing! { agd_call_options, agd_call_step, }
fixed! { agd_done, }

/// A call that was not begun.
const IDLE: agd_call = agd_call { state: [MaybeUninit::new(0); AGD_CALL_WORDS] };

/// The default options.
const DEFAULTS: agd_call_options = agd_call_options {
    size: size_of::<agd_call_options>(),
    has_credential: 0,
    has_session: 0,
    confirmed: AGD_CONFIRMATION_NOT_STATED,
    undeclared: 0,
    from_text: 0,
    constant_headers: 0,
    done: ptr::null(),
    done_count: 0,
    idempotency_key: agd_text::ABSENT,
    operation: agd_text::ABSENT,
};

/// An absent enumeration.
const ABSENT: agd_choice = agd_choice { value: AGD_UNSAID, text: agd_text::ABSENT };

/// No step.
const NOTHING: agd_call_step = agd_call_step {
    size: size_of::<agd_call_step>(),
    step: AGD_STEP_NONE,
    asynchronous: 0,
    repeatable: 0,
    reserved: 0,
    document: AGD_UNSAID as i64,
    method: ptr::null(),
    url: ptr::null(),
    body: ptr::null(),
    body_length: 0,
    headers: NO_HEADERS,
    protocol: ABSENT,
    transport: ABSENT,
    version: agd_text::ABSENT,
    operation: agd_text::ABSENT,
    openapi: agd_text::ABSENT,
    arguments: agd_text::ABSENT,
    action: agd_text::ABSENT,
    session_seconds: AGD_UNSAID as i64,
    carries: AGD_CARRIES_NOTHING,
    credential_need: AGD_NEED_NOT_STATED,
    credential_type: ABSENT,
    credential_header: agd_text::ABSENT,
    credential_prefix: agd_text::ABSENT,
    token_url: agd_text::ABSENT,
    authorization_url: agd_text::ABSENT,
    refresh_url: agd_text::ABSENT,
    setup_url: agd_text::ABSENT,
    docs_url: agd_text::ABSENT,
    scopes: agd_texts::UNINITIALISED,
    confirmation: AGD_CONFIRMATION_NOT_STATED,
    handoff: 0,
    reversible: AGD_UNSAID,
    key_sent: 0,
    sensitivity: ABSENT,
    key_field: agd_text::ABSENT,
    key_seconds: AGD_UNSAID as i64,
    tenant: agd_text::ABSENT,
};

/// Begins a call.
///
/// Never fails. The result borrows nothing. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_call_begin() -> agd_call {
    hold(IDLE, Call::new())
}

/// Plans the next step of a call: the request to send, or what has to happen first (docs/calls.md).
/// Sends nothing. `decision` is the decision for the capability, or for the URL of a gateway that a
/// document declares. `arguments` is a JSON object; absent for no arguments.
///
/// `call`, `decision` and `step` must not be NULL; `options` may be NULL for the defaults, and
/// `refusal` may be NULL; all structs must be initialised (AGD_INIT). `buffer` has room for
/// `capacity` bytes and receives the texts of the step, each NUL-terminated; it may be NULL if
/// `capacity` is 0, to query the size. `needed`, if not NULL, receives the number of bytes that the
/// buffer must have. The step borrows the buffer and what the decision borrows. A refusal borrows
/// what the decision borrows, the arguments and the texts of the options.
///
/// Returns AGD_OK; AGD_ERROR_CALL_REFUSED, and `refusal` receives the reason;
/// AGD_ERROR_BUFFER_TOO_SMALL, which does not count as a step of the call;
/// AGD_ERROR_CAPACITY_EXCEEDED for more than AGD_DONE_MAX answers; or another negative status for
/// misuse. Not thread-safe on one call; linear in document and arguments; about 33 KB of stack, 10
/// KB of which agd_call_plan_with moves to a workspace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_call_plan(
    call: *mut agd_call,
    decision: *const agd_decision,
    arguments: agd_text,
    options: *const agd_call_options,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    step: *mut agd_call_step,
    refusal: *mut agd_refusal,
) -> agd_status {
    // SAFETY: the caller promises a call in sole use, readable arguments, a buffer in sole use, and
    // writable outputs.
    ended(unsafe {
        Asked::read(call, decision, arguments, (buffer, capacity), step, refusal)
            .and_then(|asked| asked.plan(options, None, needed))
    })
}

/// Does the same as agd_call_plan with a workspace from the caller, for systems with a small stack.
///
/// `workspace` must not be NULL, needs no initialisation, and is used only during this function.
/// Otherwise, including what the step borrows, as agd_call_plan. Not thread-safe on one call or
/// workspace; linear in document and arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_call_plan_with(
    call: *mut agd_call,
    decision: *const agd_decision,
    arguments: agd_text,
    options: *const agd_call_options,
    workspace: *mut agd_workspace,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    step: *mut agd_call_step,
    refusal: *mut agd_refusal,
) -> agd_status {
    // SAFETY: the caller promises the same, and a workspace in sole use.
    ended(unsafe {
        Asked::read(call, decision, arguments, (buffer, capacity), step, refusal)
            .and_then(|asked| asked.plan(options, Some(workspace_of(workspace)?), needed))
    })
}

/// The checked arguments of `agd_call_plan`.
struct Asked {
    call: &'static mut Call,
    decision: &'static Decision<'static>,
    arguments: &'static [u8],
    start: *mut c_char,
    buffer: &'static mut [u8],
    step: (*mut agd_call_step, usize),
    refusal: *mut agd_refusal,
}

impl Asked {
    /// # Safety
    /// That of `agd_call_plan`.
    unsafe fn read(
        call: *mut agd_call,
        decision: *const agd_decision,
        arguments: agd_text,
        (start, capacity): (*mut c_char, usize),
        step: *mut agd_call_step,
        refusal: *mut agd_refusal,
    ) -> Result<Self, agd_status> {
        // SAFETY: the contract is the same.
        unsafe {
            refusable(refusal)?;
            Ok(Self {
                call: held_mut(call)?,
                decision: state(decision)?,
                arguments: if arguments.ptr.is_null() && arguments.len == 0 {
                    b"{}"
                } else {
                    arguments.raw()?
                },
                start,
                buffer: OutputBuffer::new(start, capacity)?.less(NULS).bytes(),
                step: (step, room(step)?),
                refusal,
            })
        }
    }

    /// # Safety
    /// That of `agd_call_plan`.
    unsafe fn plan(
        self,
        given: *const agd_call_options,
        workspace: Option<&mut Workspace>,
        needed: *mut usize,
    ) -> Result<agd_status, agd_status> {
        let mut done = [NOT_DONE; AGD_DONE_MAX];
        // SAFETY: the contract is the same.
        let how = unsafe { read_options(given, &mut done)? };
        let (call, decision, arguments, buffer) =
            (self.call, self.decision, self.arguments, self.buffer);
        let made = match workspace {
            Some(workspace) => call.plan_with(decision, arguments, &how, workspace, buffer),
            None => on_the_stack(call, decision, arguments, &how, buffer),
        };
        // SAFETY: the contract is the same; the core wrote the texts of the plan into the buffer,
        // which also has room for the NULs.
        unsafe {
            let made = made.map(|plan| step_of(&plan, self.start));
            answer(made, NOTHING, self.step, decision, self.refusal, needed)
        }
    }
}

/// A separate function, so that the workspace is on the stack only if it is needed.
#[inline(never)]
fn on_the_stack<'v>(
    call: &mut Call,
    decision: &Decision<'static>,
    arguments: &'v [u8],
    how: &Options<'v>,
    buffer: &'static mut [u8],
) -> Result<Plan<'static, 'static>, Refusal<'v>> {
    call.plan(decision, arguments, how, buffer)
}

const NOT_DONE: Done<'static> = Done { action: "", body: b"" };

/// Reads the options of the caller. Writes the answers of other actions into `done`.
///
/// # Safety
/// The options are NULL or readable, with the answers that they count and all texts.
unsafe fn read_options<'o>(
    given: *const agd_call_options,
    done: &'o mut [Done<'static>; AGD_DONE_MAX],
) -> Result<Options<'o>, agd_status> {
    // SAFETY: the contract is the same.
    let given = unsafe { options(given, DEFAULTS)? };
    if given.done_count != 0 {
        checked(given.done)?;
    }
    let done = done.get_mut(..given.done_count).ok_or(AGD_ERROR_CAPACITY_EXCEEDED)?;
    for (index, done) in done.iter_mut().enumerate() {
        // SAFETY: the index is below the count of an array that is readable by the contract.
        unsafe {
            let given = given.done.add(index).read();
            done.action = given.action.string()?.ok_or(AGD_ERROR_NULL)?;
            done.body = given.body.raw()?;
        }
    }
    let mut how = Options::default();
    how.has_credential = is_true(given.has_credential)?;
    how.has_session = is_true(given.has_session)?;
    how.undeclared = is_true(given.undeclared)?;
    how.from_text = is_true(given.from_text)?;
    how.constant_headers = is_true(given.constant_headers)?;
    how.confirmed = match given.confirmed {
        AGD_CONFIRMATION_NOT_STATED => Confirmation::NotStated,
        AGD_CONFIRMATION_SHOULD => Confirmation::Should,
        AGD_CONFIRMATION_MUST => Confirmation::Must,
        _ => return Err(AGD_ERROR_ARGUMENT),
    };
    how.done = done;
    // SAFETY: the contract is the same.
    unsafe {
        how.idempotency_key = given.idempotency_key.string()?;
        how.operation = given.operation.string()?;
    }
    Ok(how)
}

/// The C form of a plan, and the number of bytes that it takes in the buffer.
///
/// # Safety
/// The core wrote the texts of the plan at `start`, and `NULS` writable bytes follow them.
unsafe fn step_of(plan: &Plan<'static, '_>, start: *mut c_char) -> (agd_call_step, usize) {
    let mut step = NOTHING;
    let human = &plan.human;
    step.document = plan.document as i64;
    step.asynchronous = i32::from(plan.is_async);
    step.repeatable = i32::from(plan.is_repeatable);
    step.confirmation = confirmation_number(human.confirmation);
    step.handoff = i32::from(human.handoff);
    step.reversible = truth(human.reversible);
    step.sensitivity = human.sensitivity.into();
    step.scopes = agentsdisc_core::manifest::List::empty().into();
    if let Some(key) = &plan.idempotency {
        step.key_field = key.field.into();
        step.key_seconds = key.window_seconds.map_or(AGD_UNSAID.into(), i64::from);
        step.key_sent = i32::from(key.is_sent);
    }
    if let Some(credential) = &plan.credential {
        step.carries =
            if credential.is_session { AGD_CARRIES_SESSION } else { AGD_CARRIES_CREDENTIAL };
        step.credential_need = need_number(credential.need);
        step.credential_type = credential.kind.into();
        step.credential_header = credential.header.into();
        step.credential_prefix = credential.header.map(|_| credential.prefix).into();
    }
    // SAFETY: the contract is the same.
    let size = unsafe {
        match &plan.step {
            Step::Http(request) => {
                let (sent, size) = Sent::apart(request, start);
                step.step = AGD_STEP_HTTP;
                (step.method, step.url, step.headers) = (sent.method, sent.url, sent.headers);
                (step.body, step.body_length) = (sent.body, sent.body_length);
                size
            }
            Step::Client(client) => add_client(&mut step, client, start),
            Step::First(first) => add_first(&mut step, first, start),
            _ => 0,
        }
    };
    (step, size)
}

/// Adds an operation for a client, and returns the number of bytes that it takes in the buffer.
///
/// # Safety
/// That of `step_of`.
unsafe fn add_client(
    step: &mut agd_call_step,
    client: &Client<'static, '_>,
    start: *mut c_char,
) -> usize {
    let (operation, method) = (client.operation.map(str::len), client.method.map(str::len));
    let lengths =
        [client.url.len(), operation.unwrap_or(0), method.unwrap_or(0), client.arguments.len()];
    step.step = AGD_STEP_CLIENT;
    step.protocol = client.protocol.into();
    step.transport = client.transport.into();
    step.version = client.version.into();
    step.tenant = client.tenant.into();
    step.openapi = client.openapi.into();
    // SAFETY: the contract is the same.
    let ([url, name, verb, arguments], size) = unsafe { spread(start, lengths) };
    step.url = url;
    if let Some(len) = operation {
        step.operation = plain(name, len);
    }
    if method.is_some() {
        step.method = verb;
    }
    step.arguments = plain(arguments, client.arguments.len());
    size
}

/// A text in the caller's buffer.
const fn plain(ptr: *const c_char, len: usize) -> agd_text {
    agd_text { ptr, len, flags: 0 }
}

/// Adds what has to happen first, and returns the number of bytes that it takes in the buffer.
///
/// # Safety
/// That of `step_of`.
unsafe fn add_first(
    step: &mut agd_call_step,
    first: &First<'static, '_>,
    start: *mut c_char,
) -> usize {
    let url = match first {
        First::Document { url } => {
            step.step = AGD_STEP_DOCUMENT;
            *url
        }
        First::Session(open) => {
            step.step = AGD_STEP_SESSION;
            // A session is always opened with POST.
            step.method = c"POST".as_ptr();
            step.session_seconds = i64::from(open.ttl_seconds);
            open.url
        }
        First::Action { action } => {
            step.step = AGD_STEP_ACTION;
            step.action = (*action).into();
            return 0;
        }
        First::Token(auth) => {
            step.step = AGD_STEP_TOKEN;
            add_auth(step, auth);
            return 0;
        }
        _ => {
            step.step = AGD_STEP_CONFIRMATION;
            return 0;
        }
    };
    // SAFETY: the contract is the same.
    step.url = unsafe { alone(url, start) };
    url.len() + 1
}

/// Adds the credential that has to be obtained.
fn add_auth(step: &mut agd_call_step, auth: &Auth<'static>) {
    step.credential_need = need_number(auth.need);
    step.credential_type = auth.kind.into();
    step.credential_header = auth.header.into();
    step.credential_prefix = auth.header.map(|_| auth.prefix).into();
    step.token_url = auth.token_url.into();
    step.authorization_url = auth.authorization_url.into();
    step.refresh_url = auth.refresh_url.into();
    step.setup_url = auth.setup_url.into();
    step.docs_url = auth.docs_url.into();
    step.scopes = auth.scopes.into();
}
