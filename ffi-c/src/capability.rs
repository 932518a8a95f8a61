//! Capabilities, their rate limits and their results.

use crate::boundary::{agd_list_state, held};
use crate::document::agd_document;
use crate::list::next;
use crate::model::{agd_capability, agd_output, agd_rate_limit};
use crate::status::agd_status;

/// A list of capabilities. It borrows the document's bytes. A copy iterates independently. Use a
/// list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_capabilities {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next capability of a list.
///
/// Neither pointer may be NULL; `capability` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`capability` is unchanged), or a
/// negative status for misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_capabilities_next(
    list: *mut agd_capabilities,
    capability: *mut agd_capability,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, capability) }
}

/// A list of rate limits. It borrows the document's bytes. A copy iterates independently. Use a
/// list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_rate_limits {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next rate limit of a list.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`limit` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_rate_limits_next(
    list: *mut agd_rate_limits,
    limit: *mut agd_rate_limit,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, limit) }
}

/// A list of results, or of fields. It borrows the document's bytes. A copy iterates independently.
/// Use a list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_outputs {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next result of a list.
///
/// Neither pointer may be NULL; `output` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`output` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_outputs_next(
    list: *mut agd_outputs,
    output: *mut agd_output,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, output) }
}

/// Returns the capabilities of a document.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_capabilities(
    document: *const agd_document,
) -> agd_capabilities {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_capabilities::UNINITIALISED, |manifest| {
        manifest.capabilities().into()
    })
}

/// Returns the rate limits of the whole document.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_rate_limits(
    document: *const agd_document,
) -> agd_rate_limits {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_rate_limits::UNINITIALISED, |manifest| {
        manifest.rate_limits().into()
    })
}
