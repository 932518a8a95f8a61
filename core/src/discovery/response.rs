//! What comes back from the network, as the caller hands it over.

use super::freshness::Freshness;
use super::rejection::Rejection;
use crate::syntax::line::trim;

/// A header line of a request or a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header<'a> {
    /// The name, in any letter case.
    pub name: &'a [u8],
    /// The value, octets as they came.
    pub value: &'a [u8],
}

impl<'a> Header<'a> {
    /// A header of text.
    pub const fn new(name: &'a str, value: &'a str) -> Self {
        Self {
            name: name.as_bytes(),
            value: value.as_bytes(),
        }
    }
}

/// An answer of a server. What comes of it borrows the body and the values of headers (`'r`), not the lists in which they are given (`'l`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Response<'l, 'r> {
    /// The status code.
    pub status: u16,
    /// The headers in their order; several lines of one name may stand in it.
    pub headers: &'l [Header<'r>],
    /// The body without its content codings: at most [`Request::limit`](super::Request::limit) octets.
    pub body: &'r [u8],
    /// Where the answer came from, where the client followed redirects by itself. Such a chain is judged by where it ends; better not to
    /// follow, for a client that follows has already been where it was led to.
    pub final_url: Option<&'l str>,
    /// What was stored for this attempt: needed after 304.
    pub stored: Option<&'l Stored<'r>>,
    /// When the answer came, in seconds since 1970.
    pub now: u64,
}

/// What came of an earlier attempt, as the caller stored it. The key is [`Request::key`](super::Request::key).
#[derive(Clone, Copy, Debug)]
pub struct Stored<'s> {
    /// Where the answer came from in the end.
    pub url: &'s str,
    /// Why nothing usable came; absent where a document came.
    pub rejection: Option<Rejection>,
    /// The document; absent where none came, or where it could not be stored.
    pub body: Option<&'s [u8]>,
    /// How long it keeps.
    pub freshness: Freshness,
    /// The value of `ETag`, empty if there was none. It is sent back only if it is an entity tag.
    pub etag: &'s [u8],
    /// The value of `Last-Modified`, empty where there was none.
    pub last_modified: &'s [u8],
}

/// Why no answer came.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Failure {
    /// It took too long.
    Timeout = 0,
    /// The body is larger than [`Request::limit`](super::Request::limit).
    TooLarge = 1,
    /// The content coding is one that the client cannot decode, or broken.
    Encoding = 2,
    /// The caller does not connect there, as to a private address.
    Refused = 3,
    /// A connection that breaks, a certificate that does not hold, an answer that is no HTTP; also where it is not known what went wrong.
    Unreachable = 4,
    /// No connection came about: there is no network, no such host, or nobody listens. So nobody was asked, and it may be tried again soon.
    NotConnected = 5,
}

impl Failure {
    /// Every kind.
    pub const ALL: &'static [Failure] = &[
        Self::Timeout,
        Self::TooLarge,
        Self::Encoding,
        Self::Refused,
        Self::Unreachable,
        Self::NotConnected,
    ];
}

/// The first header of a name.
pub(super) fn find<'r>(headers: &[Header<'r>], name: &'static str) -> Option<&'r [u8]> {
    lines(headers, name).next()
}

/// All header lines of a name, given in lower case.
pub(super) fn lines<'h, 'r>(
    headers: &'h [Header<'r>],
    name: &'static str,
) -> impl Iterator<Item = &'r [u8]> + use<'h, 'r> {
    headers
        .iter()
        .filter(move |header| header.name.eq_ignore_ascii_case(name.as_bytes()))
        .map(|header| trim(header.value))
}

impl Stored<'_> {
    /// Whether a request for `url` is conditional: it carries a validator, and the body that a 304 would confirm is available.
    pub(super) fn makes_conditional(&self, url: &str) -> bool {
        self.body.is_some()
            && self.url == url
            && !(entity_tag(self.etag).is_empty() && sendable(self.last_modified).is_empty())
    }
}

/// The entity tag in an `ETag` header, to be sent back as it is. Empty if the value is not one entity tag (RFC 9110 section 8.8.3):
/// `*`, a list or a bare word would mean something else in `If-None-Match`.
pub(super) fn entity_tag(value: &[u8]) -> &[u8] {
    let value = sendable(value);
    match value.strip_prefix(b"W/").unwrap_or(value) {
        [b'"', opaque @ .., b'"'] if !opaque.contains(&b'"') => value,
        _ => &[],
    }
}

/// Whether `Vary` says that no stored answer fits any other request (RFC 9111 section 4.1).
pub(super) fn varies_always(headers: &[Header<'_>]) -> bool {
    lines(headers, "vary").any(|line| {
        line.split(|byte| *byte == b',')
            .any(|name| trim(name) == b"*")
    })
}

/// Returns a header value that can be sent back as it is: visible ASCII and blanks, at most `LONGEST` bytes. Empty otherwise.
pub(super) fn sendable(value: &[u8]) -> &[u8] {
    /// Longer validators are not kept: every one that servers make is far shorter.
    const LONGEST: usize = 512;
    let is_sendable =
        value.len() <= LONGEST && value.iter().all(|byte| matches!(byte, b' '..=b'~'));
    if is_sendable { value } else { &[] }
}
