//! Requests that the caller starts: for details and declarations that documents name.

use super::attempt::{self, Attempt, URL_CAPACITY};
use super::{Discovery, Rejection, Resource};
use crate::format::adp::Adp;
use crate::syntax::text::Text;
use crate::syntax::url::{BUFFER, Url};

/// The largest number of kept attempts that the caller has started (details and declarations).
/// Further attempts replace finished ones.
pub const MAX_ASKED: usize = 4;

/// Why a URL in a document is not requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AskError {
    /// The URL must not be requested, for this reason.
    Rejected(Rejection),
    /// There are [`MAX_ASKED`] unfinished attempts already.
    Busy,
}

impl core::fmt::Display for AskError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Rejected(rejection) => rejection.fmt(f),
            Self::Busy => f.write_str("too many requests are in flight"),
        }
    }
}

impl core::error::Error for AskError {}

impl Discovery {
    /// Requests the detail of a capability: `detail_url` as written in the manifest, resolved as
    /// [`resolve_detail_url`](Adp::resolve_detail_url) does. It must be on the site, unless the
    /// caller approves the URL. [`next_request`](Self::next_request) then hands out the request.
    ///
    /// # Errors
    /// [`AskError`].
    pub fn ask_detail(
        &mut self,
        manifest: &Adp<'_>,
        detail_url: Text<'_>,
        approved: bool,
    ) -> Result<(), AskError> {
        let mut buffer = [0; BUFFER];
        let url = manifest
            .resolve_detail_url(detail_url, &mut buffer)
            .map_err(|_| AskError::Rejected(Rejection::InvalidUrl))?;
        self.ask(Resource::Detail, url, approved)
    }

    /// Requests the declaration of an agent's operator, an absolute URL from `Agent-Declaration`.
    /// It is on the operator's site, so it is never requested automatically: this call approves it.
    /// Compare the result with [`Declared::of`](super::Declared::of).
    ///
    /// # Errors
    /// [`AskError`].
    pub fn ask_declaration(&mut self, url: Text<'_>) -> Result<(), AskError> {
        let mut buffer = [0; BUFFER];
        let url = url.decode(&mut buffer).map_err(|_| AskError::Rejected(Rejection::UrlTooLong))?;
        self.ask(Resource::Declaration, url, true)
    }

    fn ask(&mut self, resource: Resource, url: &str, approved: bool) -> Result<(), AskError> {
        let rejected = AskError::Rejected;
        let mut buffer = [0; URL_CAPACITY];
        let target = Url::parse(url.as_bytes()).ok_or(rejected(Rejection::InvalidUrl))?;
        let origin = self.origin.url().ok_or(rejected(Rejection::InvalidUrl))?;
        let site = if approved { target } else { origin };
        attempt::admit(&site, &origin, &target, resource).map_err(rejected)?;
        let first = attempt::resolved(&origin, Text::plain(url.as_bytes()), &mut buffer)
            .map_err(rejected)?;
        let asked = |attempt: &&Attempt| {
            matches!(attempt.resource, Resource::Detail | Resource::Declaration)
        };
        let attempt = if self.begun().iter().filter(asked).count() < MAX_ASKED {
            self.next_place().ok_or(AskError::Busy)?
        } else {
            self.begun_mut().iter_mut().find(|attempt| attempt.is_spent()).ok_or(AskError::Busy)?
        };
        attempt.begin(resource, &[first]);
        attempt.approved = approved;
        Ok(())
    }
}
