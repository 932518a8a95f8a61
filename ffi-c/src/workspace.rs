//! Caller memory for making a decision, for systems with a small stack.

use core::mem::{MaybeUninit, align_of, size_of};

use agentsdisc_core::policy::Workspace;

use crate::boundary::checked;
use crate::status::agd_status;

/// Size of agd_workspace in 64-bit words.
pub const AGD_WORKSPACE_WORDS: usize = 1280;

/// Memory for making a decision, 10 KB that is otherwise taken from the stack. You allocate it, for
/// example in static memory; it needs no initialisation. It is used only during a call, so one
/// workspace is enough for any number of successive decisions.
///
/// One thread at a time may use it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_workspace {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_WORKSPACE_WORDS],
}

const _: () = assert!(
    size_of::<Workspace>() <= size_of::<agd_workspace>()
        && align_of::<Workspace>() <= align_of::<agd_workspace>()
);

/// All zero, so that it takes no flash.
const EMPTY: Workspace = Workspace::new();

/// Converts the caller's memory to a workspace.
///
/// # Safety
/// `workspace` is NULL or writable, and nothing else uses it while the result is used.
pub(crate) unsafe fn workspace_of<'a>(
    workspace: *mut agd_workspace,
) -> Result<&'a mut Workspace, agd_status> {
    checked(workspace)?;
    let place = workspace.cast::<Workspace>();
    // SAFETY: it is not NULL, and aligned; it has room, as is asserted above; and the contract
    // grants sole use. It is initialised before use.
    unsafe {
        place.write(EMPTY);
        Ok(&mut *place)
    }
}
