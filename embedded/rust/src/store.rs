//! What the program keeps that is large: on the board it is in static memory, where a small stack has no room for it.

/// Room for what is written of any of the documents.
#[cfg(any(feature = "write", feature = "json"))]
const ROOM: usize = 6 * 1024;

pub(crate) struct Store {
    #[cfg(feature = "policy")]
    pub(crate) workspace: agentsdisc_core::policy::Workspace,
    #[cfg(feature = "discovery")]
    pub(crate) discovery: agentsdisc_core::discovery::Discovery,
    #[cfg(any(feature = "write", feature = "json"))]
    pub(crate) buffer: [u8; ROOM],
}

impl Store {
    pub(crate) const fn new() -> Self {
        Self {
            #[cfg(feature = "policy")]
            workspace: agentsdisc_core::policy::Workspace::new(),
            #[cfg(feature = "discovery")]
            discovery: agentsdisc_core::discovery::Discovery::idle(),
            #[cfg(any(feature = "write", feature = "json"))]
            buffer: [0; ROOM],
        }
    }
}
