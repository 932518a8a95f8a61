//! Requests for the caller to send.

use super::attempt::Attempt;
use super::page;
use super::resource::Resource;
use super::response::{Header, Stored, entity_tag, sendable};
use crate::limits::Limits;

/// Identifies a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct RequestId(pub u16);

/// A GET request to send now. The client must not follow redirects, and must not send cookies or
/// credentials.
#[derive(Clone, Copy, Debug)]
pub struct Request<'d> {
    /// The id of the request; pass it with the answer.
    pub id: RequestId,
    /// The kind of document.
    pub resource: Resource,
    /// An absolute URL of ASCII characters, without user information and fragment.
    pub url: &'d str,
    /// The URL under which to store the result: the first URL of the attempt, before any redirect.
    /// A store that several user agents share needs the User-Agent in its key as well. All other
    /// headers of a request depend only on the URL, so such a key is sufficient for every `Vary`.
    pub key: &'d str,
    /// The largest number of bytes to read of the decoded body.
    pub limit: usize,
    /// Whether to cut a body at the limit (for robots.txt, RFC 9309 section 2.5, and for the home
    /// page). Otherwise, report a larger body as [`Failure::TooLarge`](super::Failure::TooLarge).
    pub cuts: bool,
    /// Whether a robots.txt was received and its rules apply to this URL. If they disallow it, do
    /// not send the request; report [`Failure::Disallowed`](super::Failure::Disallowed).
    pub heeds_robots: bool,
}

/// The default User-Agent.
pub const USER_AGENT: &str = concat!(
    "agentsdisc/",
    env!("CARGO_PKG_VERSION"),
    " (+https://github.com/agentsdisc/agentsdisc)"
);

impl<'d> Request<'d> {
    pub(super) fn of(attempt: &'d Attempt, limits: &Limits, heeds_robots: bool) -> Self {
        let (limit, cuts) = match attempt.resource {
            // One byte more, to detect that the body is longer.
            Resource::RobotsTxt => (limits.robots.saturating_add(1), true),
            Resource::Home => (limits.document_limit().min(page::LIMIT), true),
            _ => (limits.document_limit(), false),
        };
        Self {
            id: RequestId(attempt.id),
            resource: attempt.resource,
            url: attempt.url(),
            key: attempt.key(),
            limit,
            cuts,
            heeds_robots,
        }
    }

    /// The headers to send: `User-Agent`, `Accept`, and `If-None-Match` and `If-Modified-Since` for
    /// a stored answer.
    ///
    /// An invalid `user_agent` (empty, or with control or non-ASCII characters) is replaced by
    /// [`USER_AGENT`]. Validators are sent only to the URL that the stored document came from, and
    /// only if its body is available.
    pub fn headers<'h>(
        &self,
        user_agent: &'h str,
        stored: Option<&Stored<'h>>,
    ) -> impl Iterator<Item = Header<'h>> + use<'h> {
        let name = Some(sendable(user_agent.as_bytes()))
            .filter(|name| !name.is_empty())
            .unwrap_or(USER_AGENT.as_bytes());
        let validators = stored.filter(|stored| stored.makes_conditional(self.url));
        let validator = |value: Option<&'h [u8]>, name: &'static str| {
            value
                .filter(|value| !value.is_empty())
                .map(|value| Header { name: name.as_bytes(), value })
        };
        [
            Some(Header { name: b"User-Agent", value: name }),
            Some(Header::new("Accept", self.resource.accept())),
            validator(validators.map(|stored| entity_tag(stored.etag)), "If-None-Match"),
            validator(validators.map(|stored| sendable(stored.last_modified)), "If-Modified-Since"),
        ]
        .into_iter()
        .flatten()
    }
}
