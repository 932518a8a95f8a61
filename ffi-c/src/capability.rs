//! Capabilities, their rate limits and their results.

use crate::boundary::{agd_list_state, held};
use crate::document::agd_document;
use crate::list::next;
use crate::model::{agd_capability, agd_output, agd_rate_limit};
use crate::status::agd_status;

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
