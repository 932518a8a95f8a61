//! The fields of a capability that a decision reads.

use super::choice::{AuthType, Choice, Protocol, Sensitivity};
use super::list::List;
use super::objects::{Capability, RateLimit};
use crate::syntax::text::Text;

/// The fields of a [`Capability`] that a decision reads, under the same names. A whole capability
/// is large for a small stack, and reading its other fields takes most of the time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Offer<'a> {
    pub(crate) id: Option<Text<'a>>,
    pub(crate) endpoint: Option<Text<'a>>,
    pub(crate) method: Option<Text<'a>>,
    pub(crate) protocol: Option<Protocol>,
    pub(crate) via: Option<Text<'a>>,
    /// The URL to poll. `is_only_polled` is true if the requested URL is this URL, and not the
    /// endpoint.
    pub(crate) poll_url: Option<Text<'a>>,
    pub(crate) is_only_polled: bool,
    /// The authentication type; absent if the capability does not mention authentication.
    pub(crate) auth_kind: Option<Choice<'a, AuthType>>,
    pub(crate) token_url: Option<Text<'a>>,
    pub(crate) docs_url: Option<Text<'a>>,
    pub(crate) scopes: List<'a, Text<'a>>,
    pub(crate) auth_required: Option<bool>,
    pub(crate) requires_session: Option<bool>,
    pub(crate) human_handoff: Option<bool>,
    pub(crate) rate_limits: List<'a, RateLimit<'a>>,
    pub(crate) sensitivity: Option<Choice<'a, Sensitivity>>,
    pub(crate) requires_confirmation: Option<bool>,
    pub(crate) reversible: Option<bool>,
    /// The capability as written; empty if the format has only such fields that occur once.
    pub(crate) source: &'a [u8],
}

impl<'a> Offer<'a> {
    /// Copies the fields of a capability.
    pub(crate) fn take(&mut self, capability: &Capability<'a>) {
        self.id = capability.id;
        self.endpoint = capability.endpoint;
        self.method = capability.method;
        self.protocol = capability.protocol.map(|protocol| protocol.value);
        self.via = capability.via;
        self.poll_url = capability.poll_url;
        self.auth_kind = None;
        if let Some(auth) = &capability.auth {
            self.auth_kind = Some(auth.kind);
            (self.token_url, self.docs_url, self.scopes) =
                (auth.token_url, auth.docs_url, auth.scopes);
        }
        self.auth_required = capability.auth_required;
        self.requires_session = capability.requires_session;
        self.human_handoff = capability.human_handoff;
        self.rate_limits = capability.rate_limits;
        self.sensitivity = capability.sensitivity;
        self.requires_confirmation = capability.requires_confirmation;
        self.reversible = capability.reversible;
        self.source = capability.source;
    }
}
