//! Memory of the caller's that a decision is made in, for systems whose stack is small.

use core::mem::{MaybeUninit, align_of, size_of};

use agentsdisc_core::policy::Workspace;

use crate::boundary::checked;
use crate::status::agd_status;

/// Words of a workspace.
pub const AGD_WORKSPACE_WORDS: usize = 1280;

/// Memory that a decision is made in, 10 KB: what is otherwise taken from the stack. You allocate it, in static memory for example, and need not
/// initialise it; nothing in it is used after the call, so one is enough for any number of decisions, one after the other.
///
/// One thread at a time may use it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_workspace {
    /// The library's.
    pub state: [MaybeUninit<u64>; AGD_WORKSPACE_WORDS],
}

const _: () = assert!(
    size_of::<Workspace>() <= size_of::<agd_workspace>()
        && align_of::<Workspace>() <= align_of::<agd_workspace>()
);

/// Nothing but zeroes, so that it is no constant in flash.
const EMPTY: Workspace = Workspace::new();

/// The workspace in memory that C lends.
///
/// # Safety
/// `workspace` is NULL or writable, and nobody else uses it while what is returned is used.
pub(crate) unsafe fn workspace_of<'a>(
    workspace: *mut agd_workspace,
) -> Result<&'a mut Workspace, agd_status> {
    checked(workspace)?;
    let place = workspace.cast::<Workspace>();
    // SAFETY: it is not NULL, and aligned; it has room, as is asserted above; and the contract grants sole use. What is written is then there.
    unsafe {
        place.write(EMPTY);
        Ok(&mut *place)
    }
}
