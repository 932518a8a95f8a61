//! The service that a document describes: its identity, authentication and endpoints.

use crate::boundary::{agd_list_state, ended, held, show};
use crate::document::agd_document;
use crate::list::next;
use crate::model::{agd_endpoint, agd_provenance, agd_service, agd_service_auth};
use crate::status::agd_status;

/// A list of endpoints. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_endpoints {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next endpoint of a list.
///
/// Neither pointer may be NULL; `endpoint` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`endpoint` is unchanged), or a negative
/// status for misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_endpoints_next(
    list: *mut agd_endpoints,
    endpoint: *mut agd_endpoint,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, endpoint) }
}

/// Returns the service that the document describes.
///
/// Neither pointer may be NULL; `service` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`service` is unchanged); or
/// a negative status for misuse. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_service(
    document: *const agd_document,
    service: *mut agd_service,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(service, || manifest.service())) })
}

/// Returns the provenance of the document.
///
/// Neither pointer may be NULL; `provenance` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`provenance` is
/// unchanged); or a negative status for misuse. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_provenance(
    document: *const agd_document,
    provenance: *mut agd_provenance,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(provenance, || manifest.provenance())) })
}

/// Returns the authentication for the whole service.
///
/// Neither pointer may be NULL; `auth` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`auth` is unchanged); or a
/// negative status for misuse. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_auth(
    document: *const agd_document,
    auth: *mut agd_service_auth,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(auth, || manifest.auth())) })
}

/// Returns the endpoints of other protocols.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_endpoints(document: *const agd_document) -> agd_endpoints {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_endpoints::UNINITIALISED, |manifest| {
        manifest.endpoints().into()
    })
}
