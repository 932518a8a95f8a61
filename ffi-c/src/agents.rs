//! What holds for single agents.

use agentsdisc_core::manifest as model;

use crate::boundary::{agd_list_state, filled, growing, held};
use crate::capability::agd_rate_limits;
use crate::document::agd_document;
use crate::list::next;
use crate::status::agd_status;
use crate::text::{agd_text, agd_texts};
use crate::value::agd_members;

growing! { agd_agent, }

/// Of an agent: only the capabilities that are listed may be used; with an empty list, none.
pub const AGD_CAPABILITIES_LISTED: i32 = 0;
/// Of an agent: all capabilities may be used.
pub const AGD_CAPABILITIES_ALL: i32 = 1;

/// What holds for one agent. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_agent {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Its product token, or * for every agent without a policy of its own.
    pub name: agd_text,
    /// AGD_CAPABILITIES_ALL or AGD_CAPABILITIES_LISTED. Look here first: an empty list means all in the one case and none in the other. A
    /// list that could not be read is an empty one that counts.
    pub grant: i32,
    /// Capabilities it may use, where `grant` is AGD_CAPABILITIES_LISTED; else empty.
    pub capabilities: agd_texts,
    /// Rate limits.
    pub rate_limits: agd_rate_limits,
    /// URL of the operator's own declaration.
    pub declaration: agd_text,
    /// Unknown members, and known ones that could not be read.
    pub metadata: agd_members,
    /// The bytes it is read from: a JSON value, or a block with its first line.
    pub source: agd_text,
}

filled! {
    agd_agent from agent: model::AgentPolicy<'static> {
        name: agent.name,
        grant: if agent.capabilities.is_some() { AGD_CAPABILITIES_LISTED } else { AGD_CAPABILITIES_ALL },
        capabilities: agent.capabilities.unwrap_or_default(),
        rate_limits: agent.rate_limits,
        declaration: agent.declaration,
        metadata: agent.metadata,
        source: agent.source,
    }
}

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
