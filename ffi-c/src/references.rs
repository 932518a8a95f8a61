//! Lists of references, ways to authenticate, protocol extensions, signatures and keys.

use crate::boundary::agd_list_state;
use crate::list::next;
use crate::model::{agd_extension, agd_key, agd_reference, agd_security_scheme, agd_signature};
use crate::status::agd_status;

/// A list of named ways to authenticate. It borrows the document's bytes. A copy iterates
/// independently. Use a list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_security_schemes {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next way to authenticate of a list.
///
/// Neither pointer may be NULL; `scheme` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`scheme` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_security_schemes_next(
    list: *mut agd_security_schemes,
    scheme: *mut agd_security_scheme,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, scheme) }
}

/// A list of references to other documents. It borrows the document's bytes. A copy iterates
/// independently. Use a list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_references {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next reference of a list.
///
/// Neither pointer may be NULL; `reference` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`reference` is unchanged), or a
/// negative status for misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_references_next(
    list: *mut agd_references,
    reference: *mut agd_reference,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, reference) }
}

/// A list of protocol extensions. It borrows the document's bytes. A copy iterates independently.
/// Use a list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_extensions {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next extension of a list.
///
/// Neither pointer may be NULL; `extension` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`extension` is unchanged), or a
/// negative status for misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_extensions_next(
    list: *mut agd_extensions,
    extension: *mut agd_extension,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, extension) }
}

/// A list of signatures. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_signatures {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next signature of a list.
///
/// Neither pointer may be NULL; `signature` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`signature` is unchanged), or a
/// negative status for misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_signatures_next(
    list: *mut agd_signatures,
    signature: *mut agd_signature,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, signature) }
}

/// A list of public keys. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_keys {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next key of a list.
///
/// Neither pointer may be NULL; `key` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`key` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_keys_next(list: *mut agd_keys, key: *mut agd_key) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, key) }
}
