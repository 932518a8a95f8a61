//! Parameters of capabilities.

use crate::boundary::agd_list_state;
use crate::list::next;
use crate::model::agd_parameter;
use crate::status::agd_status;

/// A list of parameters. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_parameters {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next parameter of a list.
///
/// Neither pointer may be NULL; `parameter` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`parameter` is unchanged), or a
/// negative status for misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_parameters_next(
    list: *mut agd_parameters,
    parameter: *mut agd_parameter,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, parameter) }
}
