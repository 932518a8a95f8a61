//! Capabilities, their rate limits and their results.

use crate::boundary::agd_list_state;
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
