//! Answers, as the caller passes them in.

use super::lifetime::Freshness;
use super::rejection::Rejection;
pub use crate::syntax::header::Header;
use crate::syntax::line::trim;

/// An answer of a server. Results borrow the body and the values of headers (`'r`), not the lists
/// that contain them (`'l`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Response<'l, 'r> {
    /// The status code.
    pub status: u16,
    /// The headers in order; a name may occur several times.
    pub headers: &'l [Header<'r>],
    /// The body without content codings: at most [`Request::limit`](super::Request::limit) bytes.
    pub body: &'r [u8],
    /// The final URL, if the client has followed redirects. It is checked like a redirect. Clients
    /// should not follow redirects, because they contact the other host before this check.
    pub final_url: Option<&'l str>,
    /// The stored answer for this attempt; required for status 304.
    pub stored: Option<&'l Stored<'r>>,
    /// When the answer was received, in seconds since 1970.
    pub now: u64,
}

/// The stored result of an earlier attempt. The key is [`Request::key`](super::Request::key).
#[derive(Clone, Copy, Debug)]
pub struct Stored<'s> {
    /// The final URL of the answer.
    pub url: &'s str,
    /// Why there was no usable document; absent if there was one.
    pub rejection: Option<Rejection>,
    /// The body of the document; absent if there was no document, or if it was not kept. A document
    /// that must not be stored ([`Freshness::may_store`]) may be kept in memory until
    /// [`Freshness::fresh_until`].
    pub body: Option<&'s [u8]>,
    /// How long the answer is fresh.
    pub freshness: Freshness,
    /// The value of `ETag`, empty if there was none. It is sent back only if it is an entity tag.
    pub etag: &'s [u8],
    /// The value of `Last-Modified`; empty without one.
    pub last_modified: &'s [u8],
    /// The values of the `Link` headers of a [home page](super::Resource::Home), joined by commas;
    /// empty for everything else.
    pub link: &'s [u8],
}

/// The first header with a name.
pub(super) fn find<'r>(headers: &[Header<'r>], name: &'static str) -> Option<&'r [u8]> {
    lines(headers, name).next()
}

/// All headers with a name, given in lower case.
pub(super) fn lines<'h, 'r>(
    headers: &'h [Header<'r>],
    name: &'static str,
) -> impl Iterator<Item = &'r [u8]> + use<'h, 'r> {
    headers
        .iter()
        .filter(move |header| header.name.eq_ignore_ascii_case(name.as_bytes()))
        .map(|header| trim(header.value))
}

impl<'s> Stored<'s> {
    /// The stored `Link` headers as one header.
    pub(super) const fn links(&self) -> Header<'s> {
        Header { name: b"link", value: self.link }
    }

    /// Whether a request for `url` with this stored answer is conditional: there is a validator to
    /// send, and the body that a 304 would confirm is available and may be stored.
    pub(super) fn makes_conditional(&self, url: &str) -> bool {
        self.body.is_some()
            && self.freshness.may_store
            && self.url == url
            && !(entity_tag(self.etag).is_empty() && sendable(self.last_modified).is_empty())
    }
}

/// The entity tag in an `ETag` header, which can be sent back unchanged. Empty if the value is not
/// exactly one entity tag (RFC 9110 section 8.8.3), because `*`, a list or a bare word would have
/// another meaning in `If-None-Match`.
pub(super) fn entity_tag(value: &[u8]) -> &[u8] {
    let value = sendable(value);
    match value.strip_prefix(b"W/").unwrap_or(value) {
        [b'"', opaque @ .., b'"'] if !opaque.contains(&b'"') => value,
        _ => &[],
    }
}

/// Whether `Vary` is `*`, so that the answer fits no other request (RFC 9111 section 4.1).
pub(super) fn varies_always(headers: &[Header<'_>]) -> bool {
    lines(headers, "vary")
        .any(|line| line.split(|byte| *byte == b',').any(|name| trim(name) == b"*"))
}

/// Returns a header value if it can be sent back unchanged: only visible ASCII and blanks, at most
/// `LONGEST` bytes. Otherwise returns an empty value.
pub(super) fn sendable(value: &[u8]) -> &[u8] {
    /// Longer validators are not stored; real ones are far shorter.
    const LONGEST: usize = 512;
    let is_sendable =
        value.len() <= LONGEST && value.iter().all(|byte| matches!(byte, b' '..=b'~'));
    if is_sendable { value } else { &[] }
}
