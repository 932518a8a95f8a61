//! Lists of further parts of the unified model: endpoints, flows, dependencies, entities, errors,
//! plans; and the lifetime of sessions.

use crate::boundary::agd_list_state;
use crate::document::{agd_document, document_of};
use crate::enumerations::number;
use crate::list::next;
use crate::model::{agd_dependency, agd_endpoint, agd_entity, agd_flow, agd_plan, agd_recovery};
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

/// A list of flows. It borrows the document's bytes. A copy iterates independently. Use a list from
/// one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_flows {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next flow of a list.
///
/// Neither pointer may be NULL; `flow` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`flow` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_flows_next(list: *mut agd_flows, flow: *mut agd_flow) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, flow) }
}

/// A list of dependencies. It borrows the document's bytes. A copy iterates independently. Use a
/// list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_dependencies {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next dependency of a list.
///
/// Neither pointer may be NULL; `dependency` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`dependency` is unchanged), or a
/// negative status for misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_dependencies_next(
    list: *mut agd_dependencies,
    dependency: *mut agd_dependency,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, dependency) }
}

/// A list of entities. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_entities {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next entity of a list.
///
/// Neither pointer may be NULL; `entity` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`entity` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_entities_next(
    list: *mut agd_entities,
    entity: *mut agd_entity,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, entity) }
}

/// A list of ways to recover from errors. It borrows the document's bytes. A copy iterates
/// independently. Use a list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_recoveries {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next recovery of a list.
///
/// Neither pointer may be NULL; `recovery` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`recovery` is unchanged), or a negative
/// status for misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_recoveries_next(
    list: *mut agd_recoveries,
    recovery: *mut agd_recovery,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, recovery) }
}

/// A list of plans. It borrows the document's bytes. A copy iterates independently. Use a list from
/// one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_plans {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next plan of a list.
///
/// Neither pointer may be NULL; `plan` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`plan` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_plans_next(list: *mut agd_plans, plan: *mut agd_plan) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, plan) }
}

/// Returns the lifetime of a session in seconds, with the default of the format if the document
/// gives none: 1800 in agents.txt 0.1.0, 3600 in agents.json 0.1. AGD_UNSAID if document or format
/// has no sessions, or if the document is NULL or was not parsed.
///
/// agd_document_session returns the value as written. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_session_seconds(document: *const agd_document) -> i64 {
    // SAFETY: the caller promises that it is NULL or readable.
    let document = unsafe { document_of(document) }.ok();
    number(document.and_then(|document| document.session_seconds()))
}
