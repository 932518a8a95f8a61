//! What a document states about the requested capability or URL.

use super::agents::Policy;
use super::budget::Budget;
use super::capabilities::{
    Capabilities, HAS_WHOLE, accepts, is_get, names, sensitivity_of, via_of,
};
use super::endpoint::{Base, HAS_PROTOCOLS, Spot, has_protocols, protocol_at};
use super::finding::At;
use super::index::Index;
use super::judge::Inquiry;
use super::service::{Listed, Service};
use super::workspace::Tools;
use super::{Confirmation, Decision, Human, Target};
use crate::document::Document;
use crate::format::Format;
use crate::model::{Capability, List, RateLimit, Sensitivity};
use crate::rules::doubled;
use crate::syntax::text::Text;

/// The state for the current document and the documents before it. It is stored in the decision,
/// because it is large for a small stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Survey<'a> {
    /// The policy for the agent in this document.
    pub(super) policy: Policy<'a>,
    /// The findings of this document.
    pub(super) found: Found<'a>,
    /// The remaining budget for the lists of this document.
    budget: Budget,
    /// The index of the document whose answer counts.
    pub(super) answered_by: Option<usize>,
    /// True once any document has given an answer.
    pub(super) is_answered: bool,
    /// Whether any document declares the place as an endpoint, or the requested id.
    pub(super) is_declared: bool,
    /// Whether a limit that applies allows no request.
    pub(super) is_exhausted: bool,
    /// Whether this is the second reading of the place; only its explicit denials count.
    pub(super) is_second: bool,
    /// Whether a query at the place could change which rules match.
    pub(super) asks_query: bool,
    /// A restriction of a capability that is used, stated twice, with the index of its document.
    pub(super) doubled: Option<(usize, Text<'a>)>,
}

impl<'a> Survey<'a> {
    /// Starts with a document, and returns its capabilities.
    pub(super) fn open(&mut self, index: Index<'a>, at: At<'a>) -> Capabilities<'a> {
        self.found = Found::default();
        self.budget = Budget::of(at.1);
        let mut capabilities = Capabilities::none();
        capabilities.open(index, at);
        capabilities
    }

    /// Resets the state for a new decision.
    pub(super) fn reset(&mut self) {
        // `open` resets the state of each document.
        (self.answered_by, self.doubled) = (None, None);
        (self.is_answered, self.is_declared, self.is_exhausted, self.is_second, self.asks_query) =
            (false, false, false, false, false);
    }

    pub(super) fn new() -> Self {
        Self {
            policy: Policy::none(),
            found: Found::default(),
            budget: Budget(0),
            answered_by: None,
            is_answered: false,
            is_declared: false,
            is_exhausted: false,
            is_second: false,
            asks_query: false,
            doubled: None,
        }
    }
}

/// The findings of one document.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found<'a> {
    /// A capability that the agent may use: its name in the document, and whether it was requested
    /// by id.
    pub(super) granted: Option<(Text<'a>, bool)>,
    /// Whether there is a capability that the agent may not use.
    pub(super) refused: bool,
    /// A capability that is declared for another method.
    pub(super) other_method: Option<Text<'a>>,
    /// The endpoint of another protocol.
    protocol: Option<Text<'a>>,
    /// An endpoint of the whole service, and whether it accepts the method.
    service: Option<(Text<'a>, bool)>,
    /// Whether the service is down.
    is_down: bool,
}

impl<'a> Found<'a> {
    /// The endpoint of another protocol.
    pub(super) const fn protocol(&self) -> Option<Text<'a>> {
        if HAS_PROTOCOLS { self.protocol } else { None }
    }

    /// An endpoint of the whole service, and whether it accepts the method; only one format
    /// declares them.
    pub(super) const fn service(&self) -> Option<(Text<'a>, bool)> {
        if Format::Awp.is_built_in() { self.service } else { None }
    }

    /// Whether the document declares the place as an endpoint, or the requested id.
    pub(super) const fn is_declared(&self) -> bool {
        self.granted.is_some()
            || self.refused
            || self.other_method.is_some()
            || self.protocol().is_some()
            || self.service().is_some()
    }

    /// Whether the service is down; only one format can state that.
    pub(super) const fn is_down(&self) -> bool {
        Format::Awp.is_built_in() && self.is_down
    }
}

/// Goes through the capabilities of a document, and records its findings.
#[inline(never)] // Keeps its buffers off the stack of its callers.
pub(super) fn look<'a>(
    inquiry: &Inquiry<'_, 'a>,
    at: At<'a>,
    tools: &mut Tools,
    decision: &mut Decision<'a>,
) {
    let (index, document) = at;
    let Tools { base, scratch } = tools;
    let base = Base::of(&decision.case, document, inquiry.site, base);
    let gateway = inquiry
        .place
        .filter(|_| has_protocols(document))
        .and_then(|place| protocol_at(document, &base, place, scratch));
    let via = gateway.and_then(|gateway| gateway.name);
    let service = Service::of(&decision.case, (index, document));
    let mut spot = inquiry.place.map(|place| Spot { place, base: &base, via, scratch });
    let mut capabilities = decision.survey.open(decision.case.index, at);
    decision.survey.found.protocol = gateway.and_then(|gateway| gateway.url);
    decision.consider_all(at, inquiry.method, &service, (&mut capabilities, &mut spot));
    if let Some(gateway) = gateway
        && !decision.survey.is_second
    {
        // An agent card states the details of the authentication of its interfaces; the entry of an
        // MCP server states its own.
        if !document.is(Format::McpServerCard) {
            service.tighten(&mut decision.auth);
        }
        decision.auth.note_gateway(at, &gateway);
        service.tighten(&mut decision.auth);
    }
    if let Some(spot) = &mut spot
        && matches!(decision.case.request.target, Target::Url(_))
    {
        decision.consider_service(at, inquiry.method, &service, spot);
    }
    let found = &mut decision.survey.found;
    found.is_down = found.is_declared() && service.is_down();
    #[cfg(feature = "adp")]
    if !decision.survey.is_second
        && document.is(Format::Adp)
        && matches!(decision.case.request.target, Target::Url(_))
        && inquiry.place.is_some_and(|place| base.is_origin_of(place))
    {
        service.tighten(&mut decision.auth);
    }
}

impl<'a> Decision<'a> {
    /// Evaluates the capabilities of a document that the request uses.
    #[inline(never)] // Keeps the capability off the stack of its callers.
    fn consider_all(
        &mut self,
        at: At<'a>,
        method: Option<Text<'_>>,
        service: &Service<'a>,
        (capabilities, spot): (&mut Capabilities<'a>, &mut Option<Spot<'_, 'a>>),
    ) {
        loop {
            // What only shares the endpoint of a requested capability adds nothing to one that is
            // granted.
            let asked = self.case.request.target;
            let is_granted = asked.id().is_some() && self.survey.found.granted.is_some();
            let spot = spot.as_mut().filter(|_| !is_granted);
            // It is large, so it is not moved.
            let found = capabilities.next_used(&asked, spot);
            let Some(capability) = &found else { break };
            let polled = (capabilities.is_polled, capabilities.is_only_polled);
            self.consider(at, method, service, (capability, polled));
        }
    }

    /// Evaluates a capability with the requested id or at the place. `polled` says whether its URL to
    /// poll is at the place, and whether only that URL is.
    #[inline(never)] // Keeps its buffers off the stack of its callers.
    fn consider(
        &mut self,
        at: (usize, &Document<'a>),
        method: Option<Text<'_>>,
        service: &Service<'a>,
        (capability, polled): (&Capability<'a>, (bool, bool)),
    ) {
        let Self { case, survey, .. } = self;
        let Survey { policy, found, budget, .. } = survey;
        let format = at.1.format();
        let is_named = names(&case.request.target, &capability.id);
        // A capability that only shares the endpoint of the requested one is not used.
        let is_used = is_named || matches!(case.request.target, Target::Url(_));
        if is_used && format.is_json() && survey.doubled.is_none() {
            let found = doubled::in_capability(capability.source);
            survey.doubled = found.map(|name| (at.0, name));
        }
        survey.is_exhausted |= is_used && !survey.is_second && has_zero(&capability.rate_limits);
        // A result is polled by GET, independent of the method of the action.
        let (is_polled, is_only_polled) = polled;
        let polled = capability
            .poll_url
            .filter(|_| is_polled && (is_only_polled || method.is_some_and(is_get)));
        let text = match polled {
            _ if is_named => capability.id,
            Some(url) => Some(url),
            None if format == Format::A2aAgentCard => found.protocol,
            None => capability.endpoint.or(via_of(format, capability)),
        }
        .unwrap_or_default();
        let wanted = if is_named && case.request.method.is_none() { None } else { method };
        let accepts = match polled {
            Some(_) if !is_named => method.is_none_or(is_get),
            _ => accepts(format, capability, wanted),
        };
        if !accepts {
            found.other_method = found.other_method.or(Some(text));
            return;
        }
        if !policy.grants(capability.id, budget) {
            found.refused = true;
            return;
        }
        if is_named || found.granted.is_none() {
            found.granted = Some((text, is_named));
        }
        if is_used && !survey.is_second {
            let id = capability.id.unwrap_or_default();
            self.degraded |= service.is_degraded(id, budget);
            let listed = service.listed(id, budget);
            self.auth.note(at, capability, service, listed);
            self.note(at, capability);
        }
    }

    /// Evaluates the endpoints of the whole service: the URL that refreshes a token accepts any
    /// method, and the URL of the status accepts GET.
    fn consider_service(
        &mut self,
        at: (usize, &Document<'a>),
        method: Option<Text<'_>>,
        service: &Service<'a>,
        spot: &mut Spot<'_, 'a>,
    ) {
        let (refresh_url, status_url) = service.urls();
        let refreshes = spot.is_at(&refresh_url);
        let Some(url) =
            refresh_url.filter(|_| refreshes).or(status_url.filter(|_| spot.is_at(&status_url)))
        else {
            return;
        };
        let is_accepted = refreshes || method.is_none_or(is_get);
        self.survey.found.service = Some((url, is_accepted));
        if is_accepted && !self.survey.is_second {
            // A request for a new token carries the old one.
            let listed = if refreshes { Listed::Required } else { Listed::No };
            self.auth.note_listed(at.0, None, service, listed);
        }
    }

    /// Merges the statements of a capability.
    fn note(&mut self, (index, document): (usize, &Document<'a>), capability: &Capability<'a>) {
        if self.capability.is_none() {
            self.capability = capability.id;
            self.method = capability.method;
        }
        if document.is(Format::Awp) && self.awp.is_none() {
            self.awp = Some(index);
        }
        self.session_required |= capability.requires_session == Some(true);
        self.human.note(document.format(), capability);
    }
}

/// Whether a limit allows no request.
pub(super) fn has_zero<'a>(limits: &List<'a, RateLimit<'a>>) -> bool {
    let mut limits = *limits;
    limits.any(|limit| limit.requests == 0)
}

impl<'a> Human<'a> {
    fn note(&mut self, format: Format, capability: &Capability<'a>) {
        self.handoff |= capability.human_handoff == Some(true);
        // The text formats state only the handoff.
        if !HAS_WHOLE {
            return;
        }
        let sensitivity = sensitivity_of(format, capability);
        if let Some(choice) = sensitivity
            && self.sensitivity.is_none_or(|known| gravity(choice.value) > gravity(known.value))
        {
            self.sensitivity = Some(choice);
        }
        if self.reversible != Some(false) {
            self.reversible = capability.reversible.or(self.reversible);
        }
        let asked = match gravity(sensitivity.map_or(Sensitivity::Standard, |choice| choice.value))
        {
            0 if capability.reversible == Some(false) => Confirmation::Must,
            0 if capability.requires_confirmation == Some(true) => Confirmation::Should,
            0 => Confirmation::NotStated,
            1 if capability.reversible != Some(false) => Confirmation::Should,
            _ => Confirmation::Must,
        };
        self.confirmation = self.confirmation.max(asked);
    }
}

const fn gravity(sensitivity: Sensitivity) -> u8 {
    match sensitivity {
        Sensitivity::Standard => 0,
        Sensitivity::Destructive => 1,
        Sensitivity::Irreversible => 2,
        Sensitivity::Unknown => 3,
    }
}
