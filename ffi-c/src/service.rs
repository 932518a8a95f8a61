//! The service that a document speaks for: who it is, how a caller proves who it is, where else it can be reached.

use agentsdisc_core::manifest as model;

use crate::boundary::{agd_list_state, ended, filled, growing, held, show};
use crate::document::agd_document;
use crate::enumerations::{agd_choice, number};
use crate::list::next;
use crate::status::agd_status;
use crate::text::{agd_text, agd_texts};
use crate::value::{agd_members, agd_value};

growing! { agd_service, agd_provenance, agd_service_auth, agd_endpoint, }

/// The service or site that a document speaks for. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_service {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Name for people.
    pub name: agd_text,
    /// Canonical URL.
    pub url: agd_text,
    /// Domain, where that is what a format names it by.
    pub domain: agd_text,
    /// What it does.
    pub description: agd_text,
    /// Email addresses, URLs or other ways to reach the operator.
    pub contact: agd_texts,
    /// URL of the privacy policy.
    pub privacy_policy: agd_text,
    /// URL of the documentation.
    pub docs: agd_text,
    /// Unknown members, and known ones that could not be read.
    pub metadata: agd_members,
    /// The bytes it is read from: a JSON object; empty in the text formats.
    pub source: agd_text,
}

filled! {
    agd_service from service: model::Service<'static> {
        name: service.name,
        url: service.url,
        domain: service.domain,
        description: service.description,
        contact: service.contact,
        privacy_policy: service.privacy_policy,
        docs: service.docs,
        metadata: service.metadata,
        source: service.source,
    }
}

/// Where a document comes from. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_provenance {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Whether the site itself published it: AGD_SOURCE_*.
    pub source: agd_choice,
    /// The tool that made a synthetic document.
    pub generated_by: agd_text,
    /// From 0 to 1, as written.
    pub confidence: agd_value,
    /// When it was last compared with the site.
    pub last_verified: agd_text,
}

filled! {
    agd_provenance from provenance: model::Provenance<'static> {
        source: provenance.source,
        generated_by: provenance.generated_by,
        confidence: provenance.confidence,
        last_verified: provenance.last_verified,
    }
}

/// Authentication for the whole service. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_service_auth {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// The kind: AGD_AUTH_*.
    pub r#type: agd_choice,
    /// Request header that carries the key.
    pub header: agd_text,
    /// What stands before the key in the header.
    pub prefix: agd_text,
    /// Where people get a key.
    pub setup_url: agd_text,
    /// OAuth 2 authorization endpoint.
    pub authorization_url: agd_text,
    /// OAuth 2 token endpoint.
    pub token_url: agd_text,
    /// Where an expired token is refreshed.
    pub refresh_url: agd_text,
    /// Life of a token, as written (24h).
    pub token_expiry: agd_text,
    /// The same in seconds; AGD_UNSAID where that cannot be told.
    pub token_expiry_seconds: i64,
    /// OAuth 2 scopes.
    pub scopes: agd_texts,
    /// Actions that need authentication.
    pub required_for: agd_texts,
    /// Actions for which it is optional.
    pub optional_for: agd_texts,
    /// Unknown members, and known ones that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_service_auth from auth: model::ServiceAuth<'static> {
        r#type: auth.kind,
        header: auth.header,
        prefix: auth.prefix,
        setup_url: auth.setup_url,
        authorization_url: auth.authorization_url,
        token_url: auth.token_url,
        refresh_url: auth.refresh_url,
        token_expiry: auth.token_expiry,
        token_expiry_seconds: number(auth.token_expiry_seconds()),
        scopes: auth.scopes,
        required_for: auth.required_for,
        optional_for: auth.optional_for,
        metadata: auth.metadata,
    }
}

/// An endpoint of another protocol that the site speaks. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_endpoint {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// Which protocol: AGD_PROTOCOL_*.
    pub protocol: agd_choice,
    /// Where.
    pub url: agd_text,
    /// Version of the protocol.
    pub version: agd_text,
    /// How it is connected to: AGD_TRANSPORT_*.
    pub transport: agd_choice,
    /// How a caller proves who it is: AGD_AUTH_*.
    pub auth: agd_choice,
    /// Members that only this protocol has.
    pub extra: agd_members,
}

filled! {
    agd_endpoint from endpoint: model::Endpoint<'static> {
        protocol: endpoint.protocol,
        url: endpoint.url,
        version: endpoint.version,
        transport: endpoint.transport,
        auth: endpoint.auth,
        extra: endpoint.extra,
    }
}

/// A list of endpoints. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_endpoints {
    /// The library's.
    pub state: agd_list_state,
}

/// The next endpoint of a list.
///
/// Neither pointer may be NULL; `endpoint` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `endpoint` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_endpoints_next(
    list: *mut agd_endpoints,
    endpoint: *mut agd_endpoint,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output.
    unsafe { next(list, endpoint) }
}

/// The service it speaks for.
///
/// Neither pointer may be NULL; `service` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME;
/// AGD_NONE where the document says nothing about it (and `service` stays as it is); or a negative status for misuse. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_service(
    document: *const agd_document,
    service: *mut agd_service,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(service, || manifest.service())) })
}

/// Where the document comes from.
///
/// Neither pointer may be NULL; `provenance` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME;
/// AGD_NONE where the document says nothing about it (and `provenance` stays as it is); or a negative status for misuse. Thread-safe; at
/// worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_provenance(
    document: *const agd_document,
    provenance: *mut agd_provenance,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(provenance, || manifest.provenance())) })
}

/// Authentication for the whole service.
///
/// Neither pointer may be NULL; `auth` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME; AGD_NONE
/// where the document says nothing about it (and `auth` stays as it is); or a negative status for misuse. Thread-safe; at worst linear in
/// the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_auth(
    document: *const agd_document,
    auth: *mut agd_service_auth,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe { held(document).and_then(|manifest| show(auth, || manifest.auth())) })
}

/// Endpoints of other protocols.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_endpoints(document: *const agd_document) -> agd_endpoints {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(agd_endpoints::UNINITIALISED, |manifest| {
        manifest.endpoints().into()
    })
}
