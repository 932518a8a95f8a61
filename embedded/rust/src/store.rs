//! Large values of the program. On the board they are in static memory, because they do not fit on a
//! small stack.

/// Size of the largest written document.
#[cfg(any(feature = "write", feature = "json"))]
const ROOM: usize = 6 * 1024;

pub(crate) struct Store {
    #[cfg(feature = "policy")]
    pub(crate) workspace: agentsdisc_core::policy::Workspace,
    #[cfg(feature = "call")]
    pub(crate) request: [u8; crate::call::ROOM],
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
            #[cfg(feature = "call")]
            request: [0; crate::call::ROOM],
            #[cfg(feature = "discovery")]
            discovery: agentsdisc_core::discovery::Discovery::idle(),
            #[cfg(any(feature = "write", feature = "json"))]
            buffer: [0; ROOM],
        }
    }
}
