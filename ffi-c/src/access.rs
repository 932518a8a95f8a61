//! Which paths agents may reach, and permissions in words.

use agentsdisc_core::manifest as model;

use crate::boundary::{ended, filled, growing, held, show};
use crate::document::agd_document;
use crate::status::agd_status;
use crate::text::agd_texts;
use crate::value::agd_members;

growing! { agd_access, agd_permissions, }

/// Which paths agents may reach. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_access {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Patterns of paths that are allowed.
    pub allow: agd_texts,
    /// Patterns of paths that are not.
    pub disallow: agd_texts,
    /// Unknown members, and known ones that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_access from access: model::Access<'static> {
        allow: access.allow,
        disallow: access.disallow,
        metadata: access.metadata,
    }
}

/// What agents.md says in words. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_permissions {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// What agents can do.
    pub can: agd_texts,
    /// What they cannot.
    pub cannot: agd_texts,
    /// How they should behave.
    pub behavior: agd_texts,
}

filled! {
    agd_permissions from permissions: model::Permissions<'static> {
        can: permissions.can,
        cannot: permissions.cannot,
        behavior: permissions.behavior,
    }
}

/// Which paths agents may reach. Always there; its lists may be empty.
///
/// Neither pointer may be NULL; `access` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, or a negative
/// status for misuse. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_access(
    document: *const agd_document,
    access: *mut agd_access,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(access, || Some(manifest.access()))) })
}

/// Permissions in words. Always there; its lists may be empty.
///
/// Neither pointer may be NULL; `permissions` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, or a
/// negative status for misuse. Thread-safe; at worst linear in the document.
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
