//! The header that carries a token.

use crate::format::adp::encode::{put_char, text};
use crate::format::adp::{Adp, Header, Headers, RequestError};
use crate::rules::method::{can_carry_key, is_visible};
use crate::sink::{Sink, SliceSink};
use crate::syntax::text::Text;
use crate::syntax::url::{self, Relation, Url, relation};

impl<'a> Adp<'a> {
    /// Builds the header that carries `token` (section 3). The manifest states the name of the
    /// header (default: `Authorization`) and the prefix (default: `Bearer` for `Authorization`,
    /// none for other headers). One space follows a prefix. `None` if the service requires no
    /// authentication.
    ///
    /// # Errors
    /// [`RequestError::InvalidAuthHeader`], [`RequestError::InvalidToken`],
    /// [`RequestError::InvalidBaseUrl`] if the host of base_url must not receive a token,
    /// [`RequestError::BufferTooSmall`] with the exact size.
    pub fn auth_header<'b>(
        &self,
        token: &str,
        buffer: &'b mut [u8],
    ) -> Result<Option<Header<'b>>, RequestError<'a>> {
        let mut sink = SliceSink::new(buffer);
        if !put_auth(self, token, &mut sink)? {
            return Ok(None);
        }
        let mut base_buffer = [0; url::BUFFER];
        if self.base(&[], &mut base_buffer).is_ok_and(|base| !may_hold_token(&base)) {
            return Err(RequestError::InvalidBaseUrl);
        }
        let (needed, is_whole) = (sink.length(), sink.is_whole());
        if !is_whole {
            return Err(RequestError::BufferTooSmall { needed });
        }
        Ok(Headers::of(text(buffer, 0, needed)).next())
    }
}

/// Whether all clients read the same host in a URL, so a token cannot reach another host.
pub(super) fn may_hold_token(url: &Url<'_>) -> bool {
    url.userinfo().is_none() && url.host().is_ascii()
}

/// Whether an endpoint belongs to the owner of the base URL. On a loopback host, another port is
/// another owner.
pub(super) fn is_related(base: &Url<'_>, target: &Url<'_>) -> bool {
    relation(base.host(), target.host()).relation != Relation::Other
        && (!target.is_loopback() || base.effective_port() == target.effective_port())
}

/// Whether an endpoint belongs to the owner of an origin. Nothing belongs to an invalid origin.
pub(super) fn is_of(origin: &str, target: &Url<'_>) -> bool {
    Url::parse(origin.as_bytes())
        .filter(|origin| origin.server().is_web() && may_hold_token(origin))
        .is_some_and(|origin| is_related(&origin, target))
}

/// Writes the header that carries a token. Returns false if the service requires no authentication.
pub(super) fn put_auth<'a>(
    manifest: &Adp<'a>,
    token: &str,
    sink: &mut impl Sink,
) -> Result<bool, RequestError<'a>> {
    let kind = manifest.auth_object().and_then(|auth| auth.kind);
    if kind.is_some_and(|kind| kind.eq_ignore_case("none")) {
        return Ok(false);
    }
    let (header, prefix) = manifest.header_and_prefix();
    if !can_carry_key(header) || !is_visible(prefix) {
        return Err(RequestError::InvalidAuthHeader);
    }
    let token = Text::plain(token.as_bytes());
    if token.is_empty() || !is_visible(token) {
        return Err(RequestError::InvalidToken);
    }
    header.chars().for_each(|c| put_char(c, sink));
    sink.put(b":");
    // If the prefix of the manifest ends with a blank, no second blank is added.
    prefix.trim().chars().for_each(|c| put_char(c, sink));
    if !prefix.trim().is_empty() {
        sink.put(b" ");
    }
    token.chars().for_each(|c| put_char(c, sink));
    sink.put(b"\n");
    Ok(true)
}
