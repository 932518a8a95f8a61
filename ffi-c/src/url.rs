//! URLs and hosts.

use core::ffi::c_char;
use core::mem::size_of;

use agentsdisc_core::syntax::url::{self, HostKind, Relation, ResolveError, Url};

use crate::boundary::{checked, ended, give, growing, write_out};
use crate::enumerations::AGD_UNSAID;
use crate::output_buffer::{FillError, OutputBuffer};
use crate::status::{AGD_ERROR_BASE_URL, AGD_ERROR_NULL, AGD_ERROR_REFERENCE, agd_status};
use crate::text::agd_text;

/// The request goes to the host of the documents.
pub const AGD_RELATION_SAME_HOST: i32 = 1;
/// The request goes to a subdomain of that host.
pub const AGD_RELATION_SUBDOMAIN: i32 = 2;
/// The request goes to another host of the same registrable domain.
pub const AGD_RELATION_SAME_REGISTRABLE_DOMAIN: i32 = 3;
/// The request goes to another site.
pub const AGD_RELATION_OTHER: i32 = 4;

/// The host is a name.
pub const AGD_HOST_NAME: i32 = 1;
/// The host is an IPv4 address, in any notation.
pub const AGD_HOST_IPV4: i32 = 2;
/// The host is an IPv6 address in brackets.
pub const AGD_HOST_IPV6: i32 = 3;

/// The parts of a URL, as written. It borrows the parsed text.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_url {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The scheme, without the colon.
    pub scheme: agd_text,
    /// The user information before the `@`; absent if there is none. It is not part of the host,
    /// and is often meant to deceive.
    pub userinfo: agd_text,
    /// The host that a client connects to.
    pub host: agd_text,
    /// The path, still percent-encoded; empty or beginning with `/`.
    pub path: agd_text,
    /// The query without the `?`; absent if there is none.
    pub query: agd_text,
    /// The fragment without the `#`; absent if there is none.
    pub fragment: agd_text,
    /// The kind of host: AGD_HOST_*.
    pub host_kind: i32,
    /// The port as written; AGD_UNSAID if there is none.
    pub port: i32,
    /// The port that a client connects to; AGD_UNSAID if none is written and the scheme is unknown.
    pub effective_port: i32,
    /// Whether the scheme is `https` or `wss`: AGD_TRUE or AGD_FALSE.
    pub is_secure: i32,
    /// Whether the host is the local machine (localhost, 127.0.0.0/8 in any spelling, `[::1]`):
    /// AGD_TRUE or AGD_FALSE.
    pub is_loopback: i32,
    /// Reserved; zero.
    pub reserved: i32,
}

growing! { agd_url, }

impl From<Url<'static>> for agd_url {
    fn from(url: Url<'static>) -> Self {
        let text = |part: &'static str| agd_text::from(part.as_bytes());
        let maybe = |part: Option<&'static str>| part.map_or(agd_text::ABSENT, text);
        Self {
            size: size_of::<Self>(),
            scheme: text(url.scheme()),
            userinfo: maybe(url.userinfo()),
            host: text(url.host()),
            path: text(url.path()),
            query: maybe(url.query()),
            fragment: maybe(url.fragment()),
            host_kind: match url.host_kind() {
                HostKind::Domain => AGD_HOST_NAME,
                HostKind::Ipv4(_) => AGD_HOST_IPV4,
                HostKind::Ipv6(_) => AGD_HOST_IPV6,
            },
            port: url.port().map_or(AGD_UNSAID, i32::from),
            effective_port: url.effective_port().map_or(AGD_UNSAID, i32::from),
            is_secure: i32::from(url.is_secure()),
            is_loopback: i32::from(url.is_loopback()),
            reserved: 0,
        }
    }
}

/// The C number of a relation.
pub(crate) const fn relation_number(relation: Relation) -> i32 {
    match relation {
        Relation::SameHost => AGD_RELATION_SAME_HOST,
        Relation::Subdomain => AGD_RELATION_SUBDOMAIN,
        Relation::SameRegistrableDomain => AGD_RELATION_SAME_REGISTRABLE_DOMAIN,
        Relation::Other => AGD_RELATION_OTHER,
    }
}

/// Reads an absolute URL with a host (RFC 3986 section 3). Ambiguous URLs are invalid: blanks,
/// control characters, backslashes, percent signs in the host.
///
/// `text` is plain UTF-8, which `url` then borrows; neither it nor `url` may be NULL, and `url`
/// must be initialised (AGD_INIT). Returns AGD_SOME; AGD_ERROR_REFERENCE if the text is not such a
/// URL (`url` is unchanged); or another negative status for misuse. Thread-safe; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_url_parse(text: agd_text, url: *mut agd_url) -> agd_status {
    // SAFETY: the caller promises a readable text and a writable output.
    ended(unsafe {
        text.string().and_then(|text| {
            checked(url)?;
            let parsed =
                Url::parse(text.ok_or(AGD_ERROR_NULL)?.as_bytes()).ok_or(AGD_ERROR_REFERENCE)?;
            give(url, Some(parsed.into()))
        })
    })
}

/// Returns the relation between the host of an endpoint and the host of the document that names it.
/// IP addresses, localhost and public suffixes match only themselves. Registrable domains need the
/// Public Suffix List (feature `psl`, on by default).
///
/// Both hosts are plain UTF-8, as in agd_url, and must not be absent. `verified`, if not NULL,
/// receives AGD_TRUE if the relation is certain, AGD_FALSE if a host has non-ASCII letters, or the
/// Public Suffix List is needed and not built in.
///
/// Returns AGD_RELATION_*: AGD_RELATION_OTHER if either is not a host; a negative status for
/// misuse. Thread-safe; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_host_relation(
    document_host: agd_text,
    endpoint_host: agd_text,
    verified: *mut i32,
) -> i32 {
    // SAFETY: the caller promises readable texts, and a number that is NULL or writable.
    ended(unsafe {
        document_host.string().and_then(|document| {
            let (document, endpoint) =
                (document.ok_or(AGD_ERROR_NULL)?, endpoint_host.string()?.ok_or(AGD_ERROR_NULL)?);
            let found = url::relation(document, endpoint);
            write_out(verified, i32::from(found.verified))?;
            Ok(relation_number(found.relation))
        })
    })
}

/// Resolves a reference against a base URL (RFC 3986 section 5.2). Only dot segments are
/// normalised.
///
/// `base` is plain UTF-8; `reference` may be escaped. Neither may be absent. Buffer and `length`
/// work as in agd_text_decode (also NULL); if the buffer is too small, `length` receives a
/// sufficient length.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL if the base is not a URL;
/// AGD_ERROR_REFERENCE if the reference is invalid or ambiguous; or another negative status for
/// misuse. Thread-safe if the buffer is not shared; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_url_resolve(
    base: agd_text,
    reference: agd_text,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises readable texts, a buffer in sole use, and a length that is NULL
    // or writable.
    ended(unsafe {
        base.string().and_then(|base| {
            let reference = reference.get()?.ok_or(AGD_ERROR_NULL)?;
            let base =
                Url::parse(base.ok_or(AGD_ERROR_NULL)?.as_bytes()).ok_or(AGD_ERROR_BASE_URL)?;
            OutputBuffer::new(buffer, capacity)?.fill(length, |space| {
                url::resolve(&base, reference, space).map_err(|error| match error {
                    ResolveError::BufferTooSmall { needed } => FillError::TooSmall(needed),
                    ResolveError::Invalid => FillError::Status(AGD_ERROR_REFERENCE),
                })
            })
        })
    })
}
