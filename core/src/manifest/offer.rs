//! What a decision reads of a capability: half of it.

use super::choice::{AuthType, Choice, Protocol, Sensitivity};
use super::list::List;
use super::model::{Capability, CapabilityAuth, RateLimit};
use crate::syntax::text::Text;

/// The fields of a [`Capability`] that a decision asks for, under the same names. A whole one is large for a small stack, and most of the time that
/// it takes to read one is for what no decision is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offer<'a> {
    pub(crate) id: Option<Text<'a>>,
    pub(crate) endpoint: Option<Text<'a>>,
    pub(crate) method: Option<Text<'a>>,
    pub(crate) protocol: Protocol,
    pub(crate) via: Option<Text<'a>>,
    pub(crate) auth: Option<OfferAuth<'a>>,
    pub(crate) auth_required: Option<bool>,
    pub(crate) requires_session: Option<bool>,
    pub(crate) human_handoff: Option<bool>,
    pub(crate) rate_limits: List<'a, RateLimit<'a>>,
    pub(crate) sensitivity: Option<Choice<'a, Sensitivity>>,
    pub(crate) requires_confirmation: Option<bool>,
    pub(crate) reversible: Option<bool>,
}

/// The fields of a [`CapabilityAuth`] that a decision asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfferAuth<'a> {
    pub(crate) kind: Choice<'a, AuthType>,
    pub(crate) token_url: Option<Text<'a>>,
    pub(crate) docs_url: Option<Text<'a>>,
    pub(crate) scopes: List<'a, Text<'a>>,
}

impl<'a> Offer<'a> {
    /// That of a capability.
    pub(crate) fn of(capability: &Capability<'a>) -> Self {
        let Capability { id, endpoint, method, via, auth_required, requires_session, human_handoff, rate_limits, .. } = *capability;
        let Capability { sensitivity, requires_confirmation, reversible, .. } = *capability;
        let protocol = capability.protocol.map_or(Protocol::Unknown, |protocol| protocol.value);
        let auth = capability.auth.as_ref().map(OfferAuth::of);
        Self {
            id,
            endpoint,
            method,
            protocol,
            via,
            auth,
            auth_required,
            requires_session,
            human_handoff,
            rate_limits,
            sensitivity,
            requires_confirmation,
            reversible,
        }
    }
}

impl<'a> OfferAuth<'a> {
    fn of(auth: &CapabilityAuth<'a>) -> Self {
        let CapabilityAuth { kind, token_url, docs_url, scopes, .. } = *auth;
        Self { kind, token_url, docs_url, scopes }
    }
}
