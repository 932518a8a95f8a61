//! Groups of robots.txt, and results of a registry search: lists of lists.

use agentsdisc_core::manifest as model;

use crate::boundary::{agd_list_state, filled, growing, held};
use crate::capability::agd_capabilities;
use crate::document::agd_document;
use crate::list::next;
use crate::status::agd_status;
use crate::text::{agd_text, agd_texts};
use crate::value::agd_members;

growing! { agd_robots_group, agd_robots_rule, agd_search_result, }

/// A group of robots.txt rules. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_group {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Product tokens it holds for.
    pub agents: agd_texts,
    /// Its rules, in order.
    pub rules: agd_robots_rules,
    /// Seconds between requests, as written.
    pub crawl_delay: agd_text,
}

filled! {
    agd_robots_group from group: model::RobotsGroup<'static> {
        agents: group.agents,
        rules: group.rules,
        crawl_delay: group.crawl_delay,
    }
}

/// A rule of robots.txt. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_rule {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Whether it allows: AGD_TRUE or AGD_FALSE.
    pub allow: i32,
    /// The pattern of paths.
    pub pattern: agd_text,
}

filled! {
    agd_robots_rule from rule: model::RobotsRule<'static> {
        allow: i32::from(rule.allow),
        pattern: rule.pattern,
    }
}

/// One result of a registry search. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_search_result {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Name for people.
    pub service_name: agd_text,
    /// Canonical URL.
    pub service_url: agd_text,
    /// Domain, where that is what a format names it by.
    pub service_domain: agd_text,
    /// What it does.
    pub service_description: agd_text,
    /// Email addresses, URLs or other ways to reach the operator.
    pub service_contact: agd_texts,
    /// URL of the privacy policy.
    pub service_privacy_policy: agd_text,
    /// URL of the documentation.
    pub service_docs: agd_text,
    /// Unknown members, and known ones that could not be read.
    pub service_metadata: agd_members,
    /// The bytes it is read from: a JSON object; empty in the text formats.
    pub service_source: agd_text,
    /// Those of its capabilities that match.
    pub capabilities: agd_capabilities,
}

filled! {
    agd_search_result from result: model::SearchResult<'static> {
        service_name: result.service.name,
        service_url: result.service.url,
        service_domain: result.service.domain,
        service_description: result.service.description,
        service_contact: result.service.contact,
        service_privacy_policy: result.service.privacy_policy,
        service_docs: result.service.docs,
        service_metadata: result.service.metadata,
        service_source: result.service.source,
        capabilities: result.capabilities,
    }
}

/// A list of groups. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_groups {
    /// The library's.
    pub state: agd_list_state,
}

/// The next group of a list.
///
/// Neither pointer may be NULL; `group` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `group` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_groups_next(
    list: *mut agd_robots_groups,
    group: *mut agd_robots_group,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, group) }
}

/// A list of rules. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_rules {
    /// The library's.
    pub state: agd_list_state,
}

/// The next rule of a list.
///
/// Neither pointer may be NULL; `rule` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the end
/// AGD_NONE (and `rule` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_robots_rules_next(
    list: *mut agd_robots_rules,
    rule: *mut agd_robots_rule,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, rule) }
}

/// A list of results of a search. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread
/// at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_search_results {
    /// The library's.
    pub state: agd_list_state,
}

/// The next result of a list.
///
/// Neither pointer may be NULL; `result` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `result` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_search_results_next(
    list: *mut agd_search_results,
    result: *mut agd_search_result,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, result) }
}

/// Groups of a robots.txt.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_robots_groups(
    document: *const agd_document,
) -> agd_robots_groups {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_robots_groups::UNINITIALISED, |manifest| {
        manifest.robots().into()
    })
}

/// Sitemaps of a robots.txt.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_sitemaps(document: *const agd_document) -> agd_texts {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_texts::UNINITIALISED, |manifest| {
        manifest.sitemaps().into()
    })
}

/// What a registry search found.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_search_results(
    document: *const agd_document,
) -> agd_search_results {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_search_results::UNINITIALISED, |manifest| {
        manifest.search_results().into()
    })
}
