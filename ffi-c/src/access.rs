//! Path access rules, and permissions in prose.

use crate::boundary::{ended, held, show};
use crate::document::agd_document;
use crate::model::{agd_access, agd_permissions};
use crate::status::agd_status;

/// Returns the path access rules of a document. Always present; the lists may be empty.
///
/// Neither pointer may be NULL; `access` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, or a negative status for misuse. Thread-safe; at worst linear in the
/// document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_access(
    document: *const agd_document,
    access: *mut agd_access,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(access, || Some(manifest.access()))) })
}

/// Returns the permissions in prose (agents.md). Always present; the lists may be empty.
///
/// Neither pointer may be NULL; `permissions` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, or a negative status for misuse. Thread-safe; at worst
/// linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_permissions(
    document: *const agd_document,
    permissions: *mut agd_permissions,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe {
        held(document).and_then(|manifest| show(permissions, || Some(manifest.permissions())))
    })
}
