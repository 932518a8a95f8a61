//! Policies for single agents.

use crate::boundary::agd_list_state;
use crate::list::next;
use crate::model::agd_agent;
use crate::status::agd_status;

/// The agent may use only the listed capabilities; none if the list is empty.
pub const AGD_CAPABILITIES_LISTED: i32 = 0;
/// The agent may use all capabilities.
pub const AGD_CAPABILITIES_ALL: i32 = 1;

/// A list of policies for agents. It borrows the document's bytes. A copy iterates independently.
/// Use a list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_agents {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next policy of a list.
///
/// Neither pointer may be NULL; `agent` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`agent` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_agents_next(
    list: *mut agd_agents,
    agent: *mut agd_agent,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, agent) }
}
