//! What holds for single agents.

use crate::boundary::{agd_list_state, held};
use crate::document::agd_document;
use crate::list::next;
use crate::model::agd_agent;
use crate::status::agd_status;

/// Of an agent: only the capabilities that are listed may be used; with an empty list, none.
pub const AGD_CAPABILITIES_LISTED: i32 = 0;
/// Of an agent: all capabilities may be used.
pub const AGD_CAPABILITIES_ALL: i32 = 1;

/// A list of policies for agents. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread
/// at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_agents {
    /// The library's.
    pub state: agd_list_state,
}

/// The next policy of a list.
///
/// Neither pointer may be NULL; `agent` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `agent` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_agents_next(
    list: *mut agd_agents,
    agent: *mut agd_agent,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, agent) }
}

/// What holds for single agents.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_agents(document: *const agd_document) -> agd_agents {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_agents::UNINITIALISED, |manifest| {
        manifest.agents().into()
    })
}
