//! Capabilities, their rate limits and their results.

use agentsdisc_core::manifest as model;
use agentsdisc_core::syntax::text::Text;

use crate::boundary::{agd_list_state, filled, growing, held};
use crate::document::agd_document;
use crate::enumerations::{agd_choice, truth};
use crate::list::next;
use crate::parameter::agd_parameters;
use crate::status::agd_status;
use crate::text::{agd_text, agd_texts};
use crate::value::{agd_members, agd_value};

growing! { agd_capability, agd_rate_limit, agd_output, }

/// Something an agent can do. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_capability {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Its id or name.
    pub id: agd_text,
    /// What it does.
    pub description: agd_text,
    /// URL or path to call.
    pub endpoint: agd_text,
    /// HTTP method as written. Absent means GET in the Internet-Draft's formats.
    pub method: agd_text,
    /// The protocol spoken there: AGD_PROTOCOL_*.
    pub protocol: agd_choice,
    /// The entry of the document's endpoints it is called through.
    pub via: agd_text,
    /// The name it has there.
    pub operation: agd_text,
    /// Where its details are.
    pub detail_url: agd_text,
    /// URL of an OpenAPI description.
    pub openapi: agd_text,
    /// The bytes it is read from: a JSON object, or a block with its first line.
    pub source: agd_text,
    /// Authentication: AGD_AUTH_*. AGD_UNSAID where the document says nothing about it, which means none; AGD_AUTH_UNKNOWN is some
    /// authentication that cannot be told, never none.
    pub auth_type: agd_choice,
    /// Where a token is obtained.
    pub auth_token_url: agd_text,
    /// Where the way to authenticate is described.
    pub auth_docs_url: agd_text,
    /// The bytes the authentication is read from: a JSON value; empty in the text formats; absent where there is none.
    pub auth_source: agd_text,
    /// What it may break: AGD_SENSITIVITY_*.
    pub sensitivity: agd_choice,
    /// Whether the answer is the result: AGD_EXECUTION_*.
    pub execution: agd_choice,
    /// Where an asynchronous result is asked for.
    pub poll_url: agd_text,
    /// The field that carries the key.
    pub idempotency_key_field: agd_text,
    /// How long a key counts, as written (24h).
    pub idempotency_window: agd_text,
    /// Whether authentication is required, where that is said apart: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub auth_required: i32,
    /// Whether a session must be opened first: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub requires_session: i32,
    /// Whether it ends with a person taking over: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub human_handoff: i32,
    /// Whether a person should be asked first: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub requires_confirmation: i32,
    /// Whether it can be undone: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub reversible: i32,
    /// Whether the document says anything about repeated calls: AGD_TRUE or AGD_FALSE.
    pub has_idempotency: i32,
    /// Whether keys that protect a repeated call are supported: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub idempotency_supported: i32,
    /// OAuth 2 scopes.
    pub auth_scopes: agd_texts,
    /// Of the authentication: unknown members, and known ones that could not be read.
    pub auth_metadata: agd_members,
    /// Rate limits.
    pub rate_limits: agd_rate_limits,
    /// Parameters.
    pub parameters: agd_parameters,
    /// Results.
    pub outputs: agd_outputs,
    /// Of the idempotency: unknown members, and known ones that could not be read.
    pub idempotency_metadata: agd_members,
    /// Unknown members, and known ones that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_capability from capability: model::Capability<'static> {
        [via to openapi] {
            via: capability.via,
            operation: capability.operation,
            detail_url: capability.detail_url,
            openapi: capability.openapi,
        }
        [sensitivity to poll_url] {
            sensitivity: capability.sensitivity,
            execution: capability.execution,
            poll_url: capability.poll_url,
        }
        (auth in capability.auth) {
            auth_type: Some(auth.kind),
            auth_token_url: auth.token_url,
            auth_docs_url: auth.docs_url,
            auth_source: Some(Text::plain(auth.source)),
            auth_scopes: auth.scopes,
            auth_metadata: auth.metadata,
        }
        (keys in capability.idempotency) {
            idempotency_supported: keys.supported,
            idempotency_key_field: keys.key_field,
            idempotency_window: keys.window,
            idempotency_metadata: keys.metadata,
        }
        id: capability.id,
        description: capability.description,
        endpoint: capability.endpoint,
        method: capability.method,
        protocol: capability.protocol,
        source: capability.source,
        auth_required: truth(capability.auth_required),
        requires_session: truth(capability.requires_session),
        human_handoff: truth(capability.human_handoff),
        requires_confirmation: truth(capability.requires_confirmation),
        reversible: truth(capability.reversible),
        has_idempotency: i32::from(capability.idempotency.is_some()),
        rate_limits: capability.rate_limits,
        parameters: capability.parameters,
        outputs: capability.outputs,
        metadata: capability.metadata,
    }
}

/// A number of requests in a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_rate_limit {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// How many. Zero is kept as zero.
    pub requests: u32,
    /// Length of the time in seconds; 0 where it is unknown.
    pub window_seconds: u32,
    /// In which time: AGD_WINDOW_*.
    pub window: agd_choice,
    /// Unknown members, and known ones that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_rate_limit from limit: model::RateLimit<'static> {
        requests: limit.requests,
        window_seconds: limit.window.value.seconds().unwrap_or(0),
        window: limit.window,
        metadata: limit.metadata,
    }
}

/// A named result of a capability, or a field of an entity.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_output {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Its name.
    pub name: agd_text,
    /// Its type as written: a type expression, or an object.
    pub r#type: agd_value,
}

filled! {
    agd_output from output: model::Output<'static> {
        name: output.name,
        r#type: output.kind,
    }
}

/// A list of capabilities. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a
/// time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_capabilities {
    /// The library's.
    pub state: agd_list_state,
}

/// The next capability of a list.
///
/// Neither pointer may be NULL; `capability` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at
/// the end AGD_NONE (and `capability` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is
/// passed over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_capabilities_next(
    list: *mut agd_capabilities,
    capability: *mut agd_capability,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, capability) }
}

/// A list of rate limits. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a
/// time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_rate_limits {
    /// The library's.
    pub state: agd_list_state,
}

/// The next rate limit of a list.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `limit` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_rate_limits_next(
    list: *mut agd_rate_limits,
    limit: *mut agd_rate_limit,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, limit) }
}

/// A list of results, or of fields. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread
/// at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_outputs {
    /// The library's.
    pub state: agd_list_state,
}

/// The next result of a list.
///
/// Neither pointer may be NULL; `output` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `output` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_outputs_next(
    list: *mut agd_outputs,
    output: *mut agd_output,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, output) }
}

/// What agents can do.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_capabilities(
    document: *const agd_document,
) -> agd_capabilities {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_capabilities::UNINITIALISED, |manifest| {
        manifest.capabilities().into()
    })
}

/// Rate limits of the whole document.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_rate_limits(
    document: *const agd_document,
) -> agd_rate_limits {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_rate_limits::UNINITIALISED, |manifest| {
        manifest.rate_limits().into()
    })
}
