//! Further parts of the unified model: flows, dependencies, entities, errors, status, prices,
//! sessions, audit.

use crate::boundary::{agd_list_state, ended, held, show};
use crate::document::{agd_document, document_of};
use crate::enumerations::number;
use crate::list::next;
use crate::model::{
    agd_audit, agd_dependency, agd_entity, agd_flow, agd_plan, agd_pricing, agd_recovery,
    agd_service_status, agd_session,
};
use crate::status::agd_status;
use crate::text::agd_texts;
use crate::value::agd_members;

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

/// Returns the next way to recover of a list.
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

/// Returns the platforms that an agent operates on.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_operates_on(document: *const agd_document) -> agd_texts {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_texts::UNINITIALISED, |manifest| {
        manifest.operates_on().into()
    })
}

/// Returns the suggested sequences of capabilities.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_flows(document: *const agd_document) -> agd_flows {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_flows::UNINITIALISED, |manifest| manifest.flows().into())
}

/// Returns the dependencies between capabilities.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_dependencies(
    document: *const agd_document,
) -> agd_dependencies {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_dependencies::UNINITIALISED, |manifest| {
        manifest.dependencies().into()
    })
}

/// Returns the named types.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_entities(document: *const agd_document) -> agd_entities {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_entities::UNINITIALISED, |manifest| {
        manifest.entities().into()
    })
}

/// Returns the ways to recover from errors.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_errors(document: *const agd_document) -> agd_recoveries {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_recoveries::UNINITIALISED, |manifest| {
        manifest.errors().into()
    })
}

/// Returns the hints for planning.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_hints(document: *const agd_document) -> agd_members {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_members::UNINITIALISED, |manifest| {
        manifest.hints().into()
    })
}

/// Returns the feature flags.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_features(document: *const agd_document) -> agd_members {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_members::UNINITIALISED, |manifest| {
        manifest.features().into()
    })
}

/// Returns the remaining members of the top level.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_metadata(document: *const agd_document) -> agd_members {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_members::UNINITIALISED, |manifest| {
        manifest.metadata().into()
    })
}

/// Returns the status of the service.
///
/// Neither pointer may be NULL; `status` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`status` is unchanged); or
/// a negative status for misuse. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_status(
    document: *const agd_document,
    status: *mut agd_service_status,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(status, || manifest.status())) })
}

/// Returns the pricing of the service.
///
/// Neither pointer may be NULL; `pricing` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`pricing` is unchanged); or
/// a negative status for misuse. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_pricing(
    document: *const agd_document,
    pricing: *mut agd_pricing,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(pricing, || manifest.pricing())) })
}

/// Returns how sessions work.
///
/// Neither pointer may be NULL; `session` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`session` is unchanged); or
/// a negative status for misuse. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_session(
    document: *const agd_document,
    session: *mut agd_session,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(session, || manifest.session())) })
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

/// Returns whether the actions of agents are recorded.
///
/// Neither pointer may be NULL; `audit` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`audit` is unchanged); or a
/// negative status for misuse. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_audit(
    document: *const agd_document,
    audit: *mut agd_audit,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(audit, || manifest.audit())) })
}
