//! What a document states about the requested capability or URL.
//!
//! Advice before you change this: a document may hold as many capabilities, and each of its lists
//! as many names, as its size allows, and a hostile one makes every capability apply. So no code
//! here may walk one list for every item of another without charging the [`Budget`]; once the
//! budget is exhausted, the restrictive reading applies.

use super::auth::Service;
use super::judge::Inquiry;
#[cfg(feature = "adp")]
use super::place::is_web;
use super::place::{Place, Site};
use super::workspace::{Scratch, Tools};
use super::{Case, Confirmation, Decision, Human, Target};
use crate::document::Document;
use crate::document::with_reading;
#[cfg(feature = "adp")]
use crate::format::adp::append;
use crate::format::agents_json::Unreadable;
use crate::format::awp;
#[cfg(feature = "awp")]
use crate::format::json_common::has_kept;
use crate::format::robots_txt::Binding;
use crate::format::{Format, READS_JSON, agents_txt, agents_txt_01, built_in};
use crate::model::{
    AuthType, Capability, Choice, Endpoint, List, Metadata, Offer, Protocol, RateLimit, Sensitivity,
};
use crate::syntax::json::view::Table;
use crate::syntax::text::Text;
use crate::syntax::url::Url;

/// The state for the current document and the documents before it. It is stored in the decision,
/// because it is large for a small stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Survey<'a> {
    /// The policy for the agent in this document.
    pub(super) policy: Policy<'a>,
    /// The findings of this document.
    pub(super) found: Found<'a>,
    /// The current capability.
    pub(super) offer: Offer<'a>,
    /// The remaining budget for the lists of this document.
    budget: Budget,
    /// True once any document has given an answer.
    pub(super) is_answered: bool,
    /// Whether any document declares the place as an endpoint, or the requested id.
    pub(super) is_declared: bool,
    /// Whether a limit that applies allows no request.
    pub(super) is_exhausted: bool,
    /// Whether this is the second reading of the place, of which only denials count.
    pub(super) is_second: bool,
}

impl<'a> Survey<'a> {
    /// Starts a document, and returns its capabilities.
    pub(super) fn open(&mut self, document: &Document<'a>) -> Offers<'a> {
        self.found = Found::default();
        self.offer = Offer::default();
        self.budget = Budget::of(document);
        let mut offers = Offers::none();
        offers.open(document);
        offers
    }

    /// Starts again.
    pub(super) fn reset(&mut self) {
        // The state of a document is set when it starts.
        (
            self.is_answered,
            self.is_declared,
            self.is_exhausted,
            self.is_second,
        ) = (false, false, false, false);
    }

    pub(super) fn new() -> Self {
        Self {
            policy: Policy::none(),
            found: Found::default(),
            offer: Offer::default(),
            budget: Budget(0),
            is_answered: false,
            is_declared: false,
            is_exhausted: false,
            is_second: false,
        }
    }
}

/// The findings of one document.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found<'a> {
    /// A capability that the agent may use: its name in the document, and whether it was requested
    /// by id.
    pub(super) granted: Option<(Text<'a>, bool)>,
    /// A capability that the agent may not use.
    pub(super) refused: bool,
    /// A capability with another method.
    pub(super) other_method: Option<Text<'a>>,
    /// The endpoint of another protocol.
    protocol: Option<Text<'a>>,
    /// The service is down.
    is_down: bool,
}

impl<'a> Found<'a> {
    /// The endpoint of another protocol.
    pub(super) const fn protocol(&self) -> Option<Text<'a>> {
        if HAS_PROTOCOLS { self.protocol } else { None }
    }

    /// Whether the service is down; only one format can state that.
    pub(super) const fn is_down(&self) -> bool {
        Format::Awp.is_built_in() && self.is_down
    }
}

/// The policy for the agent in a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy<'a> {
    pub(super) binding: Binding,
    pub(super) name: Option<Text<'a>>,
    /// The capabilities it grants; absent for all of them.
    pub(super) capabilities: Option<List<'a, Text<'a>>>,
    pub(super) rate_limits: List<'a, RateLimit<'a>>,
    /// There are unreadable policies, and one may be for this agent.
    is_unreadable: bool,
}

impl<'a> Policy<'a> {
    /// Whether there are unreadable policies; only an agents.json can have them.
    pub(super) const fn is_unreadable(&self) -> bool {
        Format::AgentsJson.is_built_in() && self.is_unreadable
    }

    /// No policy.
    pub(super) fn none() -> Self {
        Self {
            binding: Binding::None,
            name: None,
            capabilities: None,
            rate_limits: List::empty(),
            is_unreadable: false,
        }
    }

    /// Finds the last policy that names the agent, otherwise the last one for every agent
    /// (Internet-Draft section 2.7). Linear.
    pub(super) fn read(&mut self, document: &Document<'a>, token: Text<'_>) {
        *self = Self::none();
        if !is_draft(document) {
            return;
        }
        for policy in with_reading(document, |reading| reading.agents()) {
            let binding = match policy.name {
                Some(name) if name == "*" && self.binding != Binding::Named => Binding::Any,
                Some(name)
                    if !token.is_empty() && name.eq_text_ignore_case(token) && name != "*" =>
                {
                    Binding::Named
                }
                _ => continue,
            };
            (self.binding, self.name) = (binding, policy.name);
            (self.capabilities, self.rate_limits) = (policy.capabilities, policy.rate_limits);
        }
        self.is_unreadable = self.binding != Binding::Named && unreadable(document).agents;
    }

    /// Whether it grants a capability.
    fn grants(&self, id: Option<Text<'_>>, budget: &mut Budget) -> bool {
        let listed = match (&self.capabilities, id) {
            (None, _) => true,
            (Some(list), Some(id)) => budget.contains(list, id).unwrap_or(false),
            (Some(_), None) => false,
        };
        listed && !self.is_unreadable()
    }

    /// Whether it grants the capability requested by id.
    pub(super) fn grants_id(&self, id: &str) -> bool {
        self.grants(Some(Text::plain(id.as_bytes())), &mut Budget(usize::MAX))
    }
}

/// Whether a document is of the Internet-Draft: only these have access rules and agent policies.
pub(super) const fn is_draft(document: &Document<'_>) -> bool {
    document.is(Format::AgentsTxt) || document.is(Format::AgentsJson)
}

/// The unreadable parts of an agents.json of the Internet-Draft.
pub(super) fn unreadable(document: &Document<'_>) -> Unreadable {
    document
        .agents_json()
        .map_or(Unreadable::default(), |document| document.unreadable())
}

/// The number of list bytes that may be walked for a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget(usize);

impl Budget {
    fn of(document: &Document<'_>) -> Self {
        Self(document.bytes().len().saturating_mul(32))
    }

    /// Whether a list contains a text; `None` if the budget is exhausted.
    pub(super) fn contains<'a>(
        &mut self,
        list: &List<'a, Text<'a>>,
        text: Text<'_>,
    ) -> Option<bool> {
        self.0 = self.0.checked_sub(list.bytes().len())?;
        Some(item_of(list, text).is_some())
    }
}

/// The first item of a list that equals a text.
#[inline(never)] // Keeps its buffers off the stack of its callers.
pub(super) fn item_of<'a>(list: &List<'a, Text<'a>>, text: Text<'_>) -> Option<Text<'a>> {
    let mut list = *list;
    list.find(|item| *item == text)
}

/// The base for references in a document.
#[derive(Clone, Copy)]
pub(super) struct Base<'u> {
    site: &'u Site,
    /// The URL to which the Agent Discovery Protocol appends paths; absent for other documents.
    #[cfg(feature = "adp")]
    appends_to: Option<Option<Url<'u>>>,
}

impl<'u> Base<'u> {
    #[cfg(feature = "adp")]
    pub(super) fn of<'a: 'u>(
        case: &Case<'a>,
        document: &Document<'a>,
        site: &'u Site,
        tools: &'u mut [u8],
    ) -> Self {
        let written = base_url(case, document);
        Self {
            site,
            appends_to: written
                .map(|written| written.and_then(|text| Url::of(text, tools)).filter(is_web)),
        }
    }

    #[cfg(not(feature = "adp"))]
    pub(super) const fn of<'a: 'u>(
        _: &Case<'a>,
        _: &Document<'a>,
        site: &'u Site,
        _: &'u mut [u8],
    ) -> Self {
        Self { site }
    }

    /// The URL of an endpoint; `None` if it is invalid.
    pub(super) fn resolve<'b>(&self, text: Text<'b>, scratch: &'b mut Scratch) -> Option<Url<'b>> {
        if !text.is_escaped()
            && let Some(url) = Url::parse(text.raw())
        {
            return Some(url);
        }
        if text.is_empty() {
            return None;
        }
        // Text without escapes is a part of the document, which is UTF-8.
        let reference = if text.is_escaped() {
            text.decode(&mut scratch.text).ok()?.as_bytes()
        } else {
            text.raw()
        };
        Url::parse(self.resolved(reference, &mut scratch.url)?)
    }

    fn resolved<'b>(&self, reference: &[u8], buffer: &'b mut [u8]) -> Option<&'b [u8]> {
        #[cfg(feature = "adp")]
        if let Some(base) = &self.appends_to {
            return append(base.as_ref()?, crate::scan::text(reference)?, buffer)
                .ok()
                .map(str::as_bytes);
        }
        self.site.resolve(reference, buffer)
    }

    /// Whether a place is the endpoint in a text.
    fn is_at(&self, place: &Place, text: Text<'_>, scratch: &mut Scratch) -> bool {
        self.resolve(text, scratch)
            .is_some_and(|url| place.is_at(&url, self.site))
    }

    /// Whether a place is on the origin of the base URL of an Agent Discovery Protocol manifest.
    #[cfg(feature = "adp")]
    fn is_origin_of(&self, place: &Place) -> bool {
        self.appends_to
            .flatten()
            .is_some_and(|url| url.server().is_same_as(&place.server(self.site)))
    }
}

/// The base URL of an Agent Discovery Protocol manifest, also for its details; absent for other
/// documents.
#[cfg(feature = "adp")]
fn base_url<'a>(case: &Case<'a>, document: &Document<'a>) -> Option<Option<Text<'a>>> {
    let manifest = match document.format() {
        Format::AdpCapability => case.documents.get(case.manifest?)?,
        _ => document,
    };
    manifest.adp().map(|adp| adp.top.base_url)
}

/// The endpoint of another protocol.
#[derive(Clone, Copy)]
pub(super) struct Gateway<'a> {
    /// The name of the protocol, as written.
    pub(super) name: Option<Text<'a>>,
    pub(super) url: Option<Text<'a>>,
    pub(super) auth: Option<Choice<'a, AuthType>>,
}

impl<'a> Gateway<'a> {
    const fn of(endpoint: &Endpoint<'a>) -> Self {
        Self {
            name: endpoint.protocol.text,
            url: endpoint.url,
            auth: endpoint.auth,
        }
    }
}

/// Whether any enabled format can declare endpoints of other protocols.
const HAS_PROTOCOLS: bool = Format::AgentsMd.is_built_in() || Format::Awp.is_built_in();

/// The protocol of a capability; only one format states it.
pub(super) const fn via_of<'a>(capability: &Offer<'a>) -> Option<Text<'a>> {
    if Format::Awp.is_built_in() {
        capability.via
    } else {
        None
    }
}

/// Whether the format of a document can declare endpoints of other protocols.
pub(super) const fn has_protocols(document: &Document<'_>) -> bool {
    document.is(Format::AgentsMd) || document.is(Format::Awp)
}

/// The protocol whose endpoint a place is. Of duplicate names, the last one counts. Linear.
pub(super) fn protocol_at<'a>(
    document: &Document<'a>,
    base: &Base<'_>,
    place: &Place,
    scratch: &mut Scratch,
) -> Option<Gateway<'a>> {
    let mut found: Option<Gateway<'a>> = None;
    for endpoint in with_reading(document, |reading| reading.endpoints()) {
        let is_at = endpoint
            .url
            .is_some_and(|text| base.is_at(place, text, scratch));
        let is_again =
            found.is_some_and(|found| found.name.is_some() && found.name == endpoint.protocol.text);
        if is_at && (found.is_none() || is_again) {
            found = Some(Gateway::of(&endpoint));
        } else if is_again {
            found = None;
        }
    }
    found
}

/// The last entry of `protocols` with this name.
pub(super) fn protocol_of<'a>(document: &Document<'a>, name: Text<'_>) -> Option<Gateway<'a>> {
    let mut found = None;
    for endpoint in with_reading(document, |reading| reading.endpoints()) {
        if endpoint.protocol.text == Some(name) {
            found = Some(Gateway::of(&endpoint));
        }
    }
    found
}

/// A place, with the data to match it with the endpoint of a capability.
pub(super) struct Spot<'s, 'a> {
    pub(super) place: &'s Place,
    pub(super) base: &'s Base<'s>,
    /// The protocol whose endpoint the place is.
    pub(super) via: Option<Text<'a>>,
    pub(super) scratch: &'s mut Scratch,
}

impl Spot<'_, '_> {
    fn is_of(&mut self, endpoint: &Option<Text<'_>>, via: &Option<Text<'_>>) -> bool {
        match via {
            Some(name) => self.via.is_some_and(|via| via == *name),
            None => endpoint.is_some_and(|text| self.base.is_at(self.place, text, self.scratch)),
        }
    }
}

/// The capabilities of a document. Text formats read only the fields that are needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offers<'a> {
    format: Format,
    capabilities: List<'a, Capability<'a>>,
}

impl<'a> Offers<'a> {
    pub(super) fn none() -> Self {
        Self {
            format: Format::Unknown,
            capabilities: List::empty(),
        }
    }

    /// Starts a document.
    pub(super) fn open(&mut self, document: &Document<'a>) {
        self.format = document.format();
        self.capabilities = with_reading(document, |reading| reading.capabilities());
    }

    /// Reads the next capability with the requested id or at the spot; returns whether there is
    /// one.
    pub(super) fn next_used(
        &mut self,
        asked: &Target<'_>,
        mut spot: Option<&mut Spot<'_, 'a>>,
        offer: &mut Offer<'a>,
    ) -> bool {
        let format = self.format;
        if HAS_WHOLE && !matches!(format, Format::AgentsTxt | Format::AgentsTxt01) {
            let used = self.capabilities.find(|capability| {
                is_used(
                    asked,
                    &mut spot,
                    &capability.id,
                    (&capability.endpoint, &capability.via),
                )
            });
            if let Some(capability) = &used {
                take_whole(offer, capability, format);
            }
            return used.is_some();
        }
        while self.next_narrow(offer) {
            if is_used(
                asked,
                &mut spot,
                &offer.id,
                (&offer.endpoint, &via_of(offer)),
            ) {
                return true;
            }
        }
        false
    }

    /// Reads the next capability of a text format.
    #[inline(never)] // Keeps its buffers off the stack of its callers.
    fn next_narrow(&mut self, offer: &mut Offer<'a>) -> bool {
        let Some(cursor) = self.capabilities.cursor_mut() else {
            return false;
        };
        built_in!(match self.format => {
            AgentsTxt => agents_txt::next_offer(cursor, offer),
            AgentsTxt01 => agents_txt_01::next_offer(cursor, offer),
            _ => false,
        })
    }
}

/// Whether a capability has the requested id, or its endpoint is the spot.
fn is_used(
    asked: &Target<'_>,
    spot: &mut Option<&mut Spot<'_, '_>>,
    id: &Option<Text<'_>>,
    (endpoint, via): (&Option<Text<'_>>, &Option<Text<'_>>),
) -> bool {
    names(asked, id) || spot.as_mut().is_some_and(|spot| spot.is_of(endpoint, via))
}

/// Whether any enabled format reads capabilities whole.
const HAS_WHOLE: bool = READS_JSON || Format::AgentsMd.is_built_in();

/// Copies the fields of a capability that a decision needs. An unreadable sensitivity counts as the
/// most severe.
fn take_whole<'a>(offer: &mut Offer<'a>, capability: &Capability<'a>, format: Format) {
    offer.take(capability);
    if format == Format::Awp
        && offer.sensitivity.is_none()
        && is_unreadable::<awp::Action<'_>>(&capability.metadata, "sensitivity")
    {
        offer.sensitivity = Some(Choice::unreadable());
    }
}

/// Whether a capability accepts a method; `None` is any.
pub(super) fn accepts(capability: &Offer<'_>, method: Option<Text<'_>>) -> bool {
    let Some(method) = method else { return true };
    let is_get = |text: Text<'_>| text.eq_ignore_case("GET");
    match capability.method {
        Some(own) => {
            own.eq_text_ignore_case(method) || (is_get(own) && method.eq_ignore_case("HEAD"))
        }
        None => takes_any_method(capability) || is_get(method) || method.eq_ignore_case("HEAD"),
    }
}

/// Whether the protocol, not the document, determines the method of a capability.
pub(super) const fn takes_any_method(capability: &Offer<'_>) -> bool {
    capability.method.is_none()
        && (via_of(capability).is_some()
            || !matches!(
                capability.protocol,
                None | Some(Protocol::Rest | Protocol::Unknown)
            ))
}

/// Goes through the capabilities of a document, and records its findings.
pub(super) fn look<'a>(
    inquiry: &Inquiry<'_, 'a>,
    at: (usize, &Document<'a>),
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
    let mut spot = inquiry.place.map(|place| Spot {
        place,
        base: &base,
        via,
        scratch,
    });
    let mut offers = decision.survey.open(document);
    while offers.next_used(
        &decision.case.request.target,
        spot.as_mut(),
        &mut decision.survey.offer,
    ) {
        decision.consider(at, inquiry.method, &service);
    }
    let survey = &mut decision.survey;
    survey.found.is_down = survey.found.granted.is_some() && service.is_down();
    if let Some(gateway) = gateway {
        survey.found.protocol = gateway.url;
        if !survey.is_second {
            decision.auth.note_gateway(at, &gateway);
        }
    }
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
    /// Evaluates a capability with the requested id or at the place.
    fn consider(
        &mut self,
        at: (usize, &Document<'a>),
        method: Option<Text<'_>>,
        service: &Service<'a>,
    ) {
        let Self { case, survey, .. } = self;
        let Survey {
            policy,
            found,
            budget,
            offer: capability,
            ..
        } = survey;
        let is_named = names(&case.request.target, &capability.id);
        // A capability that only shares the endpoint of the requested one is not used.
        let is_used = is_named || matches!(case.request.target, Target::Url(_));
        survey.is_exhausted |= is_used && !survey.is_second && has_zero(&capability.rate_limits);
        let text = if is_named {
            capability.id
        } else {
            capability.endpoint.or(via_of(capability))
        }
        .unwrap_or_default();
        let wanted = if is_named && case.request.method.is_none() {
            None
        } else {
            method
        };
        if !accepts(capability, wanted) {
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
            self.note(at);
        }
    }
}

/// Whether a limit allows no request.
pub(super) fn has_zero<'a>(limits: &List<'a, RateLimit<'a>>) -> bool {
    let mut limits = *limits;
    limits.any(|limit| limit.requests == 0)
}

/// Whether this is the requested id.
fn names(asked: &Target<'_>, id: &Option<Text<'_>>) -> bool {
    match asked {
        Target::Capability(asked) => id.is_some_and(|id| id == **asked),
        Target::Url(_) => false,
    }
}

/// Whether a member of an Agent Web Protocol object is present but unreadable; then it is in the
/// metadata.
#[cfg(feature = "awp")]
pub(super) fn is_unreadable<V: Table>(metadata: &Metadata<'_>, name: &str) -> bool {
    has_kept::<V>(metadata, Some(name))
}

/// The format is disabled.
#[cfg(not(feature = "awp"))]
fn is_unreadable<V: Table>(_: &Metadata<'_>, _: &str) -> bool {
    false
}

impl<'a> Decision<'a> {
    /// Merges the statements of the current capability.
    fn note(&mut self, (index, document): (usize, &Document<'a>)) {
        let capability = &self.survey.offer;
        if self.capability.is_none() {
            self.capability = capability.id;
            self.method = capability.method;
        }
        if document.is(Format::Awp) && self.awp.is_none() {
            self.awp = Some(index);
        }
        self.session_required |= capability.requires_session == Some(true);
        self.human.note(document, capability);
    }
}

impl<'a> Human<'a> {
    fn note(&mut self, document: &Document<'a>, capability: &Offer<'a>) {
        // The built-in checkout of agents.txt 0.1.0 is completed by a person.
        self.handoff |=
            document.is(Format::AgentsTxt01) && capability.id.is_some_and(|id| id == "checkout");
        // The text formats state nothing else.
        if !HAS_WHOLE {
            return;
        }
        self.handoff |= capability.human_handoff == Some(true);
        let sensitivity = capability.sensitivity;
        if let Some(choice) = sensitivity
            && self
                .sensitivity
                .is_none_or(|known| gravity(choice.value) > gravity(known.value))
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
