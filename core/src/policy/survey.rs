//! What a document states about the requested capability or URL.
//!
//! Advice before you change this: a document may hold as many capabilities, and each of its lists
//! as many names, as its size allows, and a hostile one makes every capability apply. So no code
//! here may walk one list for every item of another without charging the [`Budget`]; once the
//! budget is exhausted, the restrictive reading applies.

use super::auth::{Listed, Service};
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
use crate::format::check::urls::is_rooted;
#[cfg(feature = "awp")]
use crate::format::json_common::has_kept;
use crate::format::robots_txt::Binding;
use crate::format::values::patterns_of;
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
    /// The document whose answer counts.
    pub(super) answered_by: Option<usize>,
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
        self.answered_by = None;
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
            answered_by: None,
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
    /// An endpoint of the whole service, and whether it accepts the method.
    service: Option<(Text<'a>, bool)>,
    /// The service is down.
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
        if Format::Awp.is_built_in() {
            self.service
        } else {
            None
        }
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

/// The policy for the agent in a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy<'a> {
    pub(super) binding: Binding,
    pub(super) name: Option<Text<'a>>,
    /// The capabilities it grants; absent for all of them.
    pub(super) capabilities: Option<List<'a, Text<'a>>>,
    pub(super) rate_limits: List<'a, RateLimit<'a>>,
    /// Its index in the document.
    index: u32,
    /// Whether any policy of the document, for this agent or another one, allows paths.
    pub(super) allows_any: bool,
    /// There are unreadable policies, and one may be for this agent.
    is_unreadable: bool,
}

/// The names by which a policy can name an agent.
#[derive(Clone, Copy)]
pub(super) struct AgentName<'a> {
    /// Its product token: `Claude` in `Claude/1.0 (+https://…)`.
    pub(super) product: Text<'a>,
    /// The first word of its User-Agent: `Claude/1.0`.
    pub(super) word: Text<'a>,
}

impl AgentName<'_> {
    /// How well a policy's name matches; 0 if it does not. A version is ignored, unless another
    /// policy has the agent's own.
    fn rank(self, name: Text<'_>) -> u8 {
        let lower = |c: char| c.to_ascii_lowercase();
        if name == "*" {
            1
        } else if !self.word.is_empty() && name.eq_text_ignore_case(self.word) {
            4
        } else if self.product.is_empty() {
            0
        } else if name.eq_text_ignore_case(self.product) {
            3
        } else if product_of(name)
            .map(lower)
            .eq(self.product.chars().map(lower))
        {
            2
        } else {
            0
        }
    }
}

/// The characters before the version in a policy's name.
fn product_of(name: Text<'_>) -> impl Iterator<Item = char> {
    name.chars().take_while(|c| *c != '/')
}

/// The patterns that any policy of a document disallows. In lines they are rules of the document
/// itself.
pub(super) fn disallowed_by_policies<'a>(
    document: &Document<'a>,
) -> impl Iterator<Item = Text<'a>> {
    let policies = match document.is(Format::AgentsJson) {
        true => with_reading(document, |reading| reading.agents()),
        false => List::empty(),
    };
    policies.flat_map(|policy| patterns_of(policy.metadata, "disallow"))
}

impl<'a> Policy<'a> {
    /// Whether there are unreadable policies.
    pub(super) const fn is_unreadable(&self) -> bool {
        self.is_unreadable
    }

    /// No policy.
    pub(super) fn none() -> Self {
        Self {
            binding: Binding::None,
            name: None,
            capabilities: None,
            rate_limits: List::empty(),
            index: 0,
            allows_any: false,
            is_unreadable: false,
        }
    }

    /// Finds the last policy that names the agent best, otherwise the last one for every agent
    /// (Internet-Draft section 2.7). A policy without a name may be for any agent, also for one
    /// that another policy names. Linear.
    pub(super) fn read(&mut self, document: &Document<'a>, agent: AgentName<'_>) {
        *self = Self::none();
        if !is_draft(document) {
            return;
        }
        let mut best = 1;
        for (policy, index) in with_reading(document, |reading| reading.agents()).zip(0..) {
            self.allows_any |= patterns_of(policy.metadata, "allow").next().is_some();
            let name = policy.name.unwrap_or_default();
            self.is_unreadable |= product_of(name).all(char::is_whitespace);
            let rank = agent.rank(name);
            if rank < best {
                continue;
            }
            best = rank;
            self.binding = if rank == 1 {
                Binding::Any
            } else {
                Binding::Named
            };
            self.name = policy.name;
            (self.capabilities, self.rate_limits) = (policy.capabilities, policy.rate_limits);
            self.index = index;
        }
        self.is_unreadable |= self.binding != Binding::Named && unreadable(document).agents;
    }

    /// The patterns that it allows its agent, unless it may not be the one that counts.
    pub(super) fn allow(&self, document: &Document<'a>) -> impl Iterator<Item = Text<'a>> {
        let counts = self.allows_any && self.binding != Binding::None && !self.is_unreadable();
        let policy = Some(with_reading(document, |reading| reading.agents()))
            .filter(|_| counts)
            .and_then(|mut policies| policies.nth(self.index as usize));
        patterns_of(
            policy.map_or_else(List::empty, |policy| policy.metadata),
            "allow",
        )
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

    /// Whether references are appended to a base URL.
    const fn appends(&self) -> bool {
        #[cfg(feature = "adp")]
        return self.appends_to.is_some();
        #[cfg(not(feature = "adp"))]
        return false;
    }

    /// The URL of an endpoint: a URL, or a path from the root of the site. `None` if it is neither.
    pub(super) fn resolve<'b>(&self, text: Text<'b>, scratch: &'b mut Scratch) -> Option<Url<'b>> {
        // Text without escapes is a part of the document, which is UTF-8.
        let reference = if text.is_escaped() {
            text.decode(&mut scratch.text).ok()?.as_bytes()
        } else {
            text.raw()
        };
        if let Some(url) = Url::parse(reference) {
            return Some(url);
        }
        let is_rooted = reference.starts_with(b"/") && !reference.starts_with(b"//");
        if reference.is_empty() || !(self.appends() || is_rooted) {
            return None;
        }
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

/// The protocol whose endpoint (in an agent.json, an absolute URL) a place is. Of duplicate names, the last one
/// counts. Linear.
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
            .filter(|text| !(document.is(Format::Awp) && is_rooted(*text)))
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
            None => self.is_at(endpoint),
        }
    }

    fn is_at(&mut self, endpoint: &Option<Text<'_>>) -> bool {
        endpoint.is_some_and(|text| self.base.is_at(self.place, text, self.scratch))
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
    /// one. Its `poll_url` is absent unless it is at the spot.
    pub(super) fn next_used(
        &mut self,
        asked: &Target<'_>,
        mut spot: Option<&mut Spot<'_, 'a>>,
        offer: &mut Offer<'a>,
    ) -> bool {
        let format = self.format;
        if HAS_WHOLE && !matches!(format, Format::AgentsTxt | Format::AgentsTxt01) {
            let (mut is_polled, mut is_used) = (false, false);
            let found = self.capabilities.find(|capability| {
                is_used = self::is_used(
                    asked,
                    &mut spot,
                    &capability.id,
                    (&capability.endpoint, &capability.via),
                );
                is_polled = spot
                    .as_mut()
                    .is_some_and(|spot| spot.is_at(&capability.poll_url));
                is_used || is_polled
            });
            if let Some(capability) = &found {
                take_whole(offer, capability, format);
                offer.poll_url = offer.poll_url.filter(|_| is_polled);
                offer.is_only_polled = !is_used;
            }
            return found.is_some();
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
    match capability.method {
        Some(own) => {
            own.eq_text_ignore_case(method)
                || (own.eq_ignore_case("GET") && method.eq_ignore_case("HEAD"))
        }
        None => takes_any_method(capability) || is_get(method),
    }
}

/// Whether a method is GET, or HEAD, which is equivalent.
pub(super) fn is_get(method: Text<'_>) -> bool {
    method.eq_ignore_case("GET") || method.eq_ignore_case("HEAD")
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
    if let Some(gateway) = gateway {
        survey.found.protocol = gateway.url;
        if !survey.is_second {
            decision.auth.note_gateway(at, &gateway);
        }
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
        // A result is polled by GET, whatever the method of the action is.
        let polled = capability
            .poll_url
            .filter(|_| capability.is_only_polled || method.is_some_and(is_get));
        let text = match polled {
            _ if is_named => capability.id,
            Some(url) => Some(url),
            None => capability.endpoint.or(via_of(capability)),
        }
        .unwrap_or_default();
        let wanted = if is_named && case.request.method.is_none() {
            None
        } else {
            method
        };
        let accepts = match polled {
            Some(_) if !is_named => method.is_none_or(is_get),
            _ => accepts(capability, wanted),
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
            self.note(at);
        }
    }
}

impl<'a> Decision<'a> {
    /// Evaluates the endpoints of the whole service: a token is refreshed by any method, and the
    /// status is read by GET.
    fn consider_service(
        &mut self,
        at: (usize, &Document<'a>),
        method: Option<Text<'_>>,
        service: &Service<'a>,
        spot: &mut Spot<'_, 'a>,
    ) {
        let (refresh_url, status_url) = service.urls();
        let refreshes = spot.is_at(&refresh_url);
        let Some(url) = refresh_url
            .filter(|_| refreshes)
            .or(status_url.filter(|_| spot.is_at(&status_url)))
        else {
            return;
        };
        let is_accepted = refreshes || method.is_none_or(is_get);
        self.survey.found.service = Some((url, is_accepted));
        if is_accepted && !self.survey.is_second {
            // A request for a new token carries the old one.
            let listed = if refreshes {
                Listed::Required
            } else {
                Listed::No
            };
            self.auth.note(at, &Offer::default(), service, listed);
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
        self.human.note(capability);
    }
}

impl<'a> Human<'a> {
    fn note(&mut self, capability: &Offer<'a>) {
        self.handoff |= capability.human_handoff == Some(true);
        // The text formats state nothing else.
        if !HAS_WHOLE {
            return;
        }
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
