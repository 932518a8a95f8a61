//! Groups of robots.txt, and results of a registry search: lists of lists.

use crate::boundary::{agd_list_state, held};
use crate::document::agd_document;
use crate::list::next;
use crate::model::{
    agd_robots_field, agd_robots_group, agd_robots_preference, agd_robots_rule, agd_search_result,
};
use crate::status::agd_status;
use crate::text::agd_texts;

/// A list of groups. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_groups {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next group of a list.
///
/// Neither pointer may be NULL; `group` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`group` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_groups_next(
    list: *mut agd_robots_groups,
    group: *mut agd_robots_group,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, group) }
}

/// A list of rules. It borrows the document's bytes. A copy iterates independently. Use a list from
/// one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_rules {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next rule of a list.
///
/// Neither pointer may be NULL; `rule` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`rule` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_rules_next(
    list: *mut agd_robots_rules,
    rule: *mut agd_robots_rule,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, rule) }
}

/// A list of AI preferences. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_preferences {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next preference of a list.
///
/// Neither pointer may be NULL; `preference` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`preference` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_preferences_next(
    list: *mut agd_robots_preferences,
    preference: *mut agd_robots_preference,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, preference) }
}

/// A list of other fields. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_fields {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next field of a list.
///
/// Neither pointer may be NULL; `field` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`field` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_fields_next(
    list: *mut agd_robots_fields,
    field: *mut agd_robots_field,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, field) }
}

/// A list of results of a search. It borrows the document's bytes. A copy iterates independently.
/// Use a list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_search_results {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next result of a list.
///
/// Neither pointer may be NULL; `result` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`result` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_search_results_next(
    list: *mut agd_search_results,
    result: *mut agd_search_result,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, result) }
}

/// Returns the groups of a robots.txt.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_robots_groups(
    document: *const agd_document,
) -> agd_robots_groups {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_robots_groups::UNINITIALISED, |manifest| {
        manifest.robots().into()
    })
}

/// Returns the sitemaps of a robots.txt.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_sitemaps(document: *const agd_document) -> agd_texts {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_texts::UNINITIALISED, |manifest| {
        manifest.sitemaps().into()
    })
}

/// Returns the AI preferences of a robots.txt.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_preferences(
    document: *const agd_document,
) -> agd_robots_preferences {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_robots_preferences::UNINITIALISED, |manifest| {
        manifest.preferences().into()
    })
}

/// Returns the AI catalogs (`Agentmap`) of a robots.txt.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_agentmaps(document: *const agd_document) -> agd_texts {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_texts::UNINITIALISED, |manifest| {
        manifest.agentmaps().into()
    })
}

/// Returns the fields without a meaning here of a robots.txt.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_robots_fields(
    document: *const agd_document,
) -> agd_robots_fields {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_robots_fields::UNINITIALISED, |manifest| {
        manifest.robots_fields().into()
    })
}

/// Returns the results of a registry search.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_search_results(
    document: *const agd_document,
) -> agd_search_results {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_search_results::UNINITIALISED, |manifest| {
        manifest.search_results().into()
    })
}
