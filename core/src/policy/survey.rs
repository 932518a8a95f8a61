//! What a document says of the capability or URL that is asked for.
//!
//! To whom changes this: a document may hold as many capabilities, and each list in it as many names, as its size allows, and a hostile one
//! makes every capability apply. So nothing here may walk one list for every item of another without paying for it ([`Budget`]); where the
//! budget is used up, the narrow reading counts.

use super::auth::Service;
use super::judge::Inquiry;
#[cfg(feature = "adp")]
use super::place::is_web;
use super::place::{Place, Site};
use super::workspace::{Scratch, Tools};
use super::{Case, Confirmation, Decision, Human, Target};
use crate::document::Document;
#[cfg(feature = "adp")]
use crate::format::adp::append;
use crate::format::agents_json::Unreadable;
use crate::format::awp;
#[cfg(feature = "awp")]
use crate::format::json_common::has_kept;
use crate::format::robots_txt::Binding;
use crate::format::{Format, READS_JSON, agents_txt, agents_txt_01, built_in};
use crate::manifest::{
    AuthType, Capability, Choice, Endpoint, List, Metadata, Offer, Protocol, RateLimit,
    Sensitivity, with_reading,
};
use crate::syntax::json::view::Table;
use crate::syntax::text::Text;
use crate::syntax::url::Url;

/// What is known of the document that is asked while a decision is made, and of those before it. It is kept with the decision, as it would be much
/// for a small stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Survey<'a> {
    /// The policy for the agent in this document.
    pub(super) policy: Policy<'a>,
    /// What this document says.
    pub(super) found: Found<'a>,
    /// What is looked at of it.
    pub(super) offer: Offer<'a>,
    /// How much of this document's lists may still be walked over.
    budget: Budget,
    /// Whether anything that is asked has spoken.
    pub(super) is_answered: bool,
    /// Whether any document declares the place as an endpoint, or what is asked for by its id.
    pub(super) is_declared: bool,
    /// Whether a limit that applies allows no request.
    pub(super) is_exhausted: bool,
    /// Whether the place is asked about in its second reading, of which only denials count.
    pub(super) is_second: bool,
}

impl<'a> Survey<'a> {
    /// Begins with a document, and returns what it offers.
    pub(super) fn open(&mut self, document: &Document<'a>) -> Offers<'a> {
        self.found = Found::default();
        self.offer = Offer::default();
        self.budget = Budget::of(document);
        let mut offers = Offers::none();
        offers.open(document);
        offers
    }

    /// Begins anew.
    pub(super) fn reset(&mut self) {
        // What belongs to a document is set when it is asked.
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

/// What one document says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found<'a> {
    /// A capability that the agent may use: what names it in the document, and whether it was asked for by its id.
    pub(super) granted: Option<(Text<'a>, bool)>,
    /// One that it may not use.
    pub(super) refused: bool,
    /// One that has another method.
    pub(super) other_method: Option<Text<'a>>,
    /// The endpoint of another protocol.
    protocol: Option<Text<'a>>,
    /// The service does not work.
    is_down: bool,
}

impl<'a> Found<'a> {
    /// The endpoint of another protocol.
    pub(super) const fn protocol(&self) -> Option<Text<'a>> {
        if HAS_PROTOCOLS { self.protocol } else { None }
    }

    /// Whether the service does not work, as one format may say.
    pub(super) const fn is_down(&self) -> bool {
        Format::Awp.is_built_in() && self.is_down
    }
}

/// What matters of the policy that holds for the agent in a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy<'a> {
    pub(super) binding: Binding,
    pub(super) name: Option<Text<'a>>,
    /// Which capabilities it grants; absent for all of them.
    pub(super) capabilities: Option<List<'a, Text<'a>>>,
    pub(super) rate_limits: List<'a, RateLimit<'a>>,
    /// There are policies that cannot be read, and one of them might be this agent's.
    is_unreadable: bool,
}

impl<'a> Policy<'a> {
    /// Whether there are policies that cannot be read, which an agents.json alone may have.
    pub(super) const fn is_unreadable(&self) -> bool {
        Format::AgentsJson.is_built_in() && self.is_unreadable
    }

    /// Where there is none.
    pub(super) fn none() -> Self {
        Self {
            binding: Binding::None,
            name: None,
            capabilities: None,
            rate_limits: List::empty(),
            is_unreadable: false,
        }
    }

    /// Becomes that of a document: the last policy that names the agent, else the last one for every agent (Internet-Draft section 2.7). Linear.
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

    /// Whether it grants the capability that is asked for by its id.
    pub(super) fn grants_id(&self, id: &str) -> bool {
        self.grants(Some(Text::plain(id.as_bytes())), &mut Budget(usize::MAX))
    }
}

/// Whether a document is of the Internet-Draft: only those have access rules, and policies for single agents.
pub(super) const fn is_draft(document: &Document<'_>) -> bool {
    document.is(Format::AgentsTxt) || document.is(Format::AgentsJson)
}

/// What there is in an agents.json of the Internet-Draft that cannot be read.
pub(super) fn unreadable(document: &Document<'_>) -> Unreadable {
    document
        .agents_json()
        .map_or(Unreadable::default(), |document| document.unreadable())
}

/// How many bytes of lists may be walked over for a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget(usize);

impl Budget {
    fn of(document: &Document<'_>) -> Self {
        Self(document.bytes().len().saturating_mul(32))
    }

    /// Whether a list has a text; `None` where the budget is used up.
    pub(super) fn contains<'a>(
        &mut self,
        list: &List<'a, Text<'a>>,
        text: Text<'_>,
    ) -> Option<bool> {
        self.0 = self.0.checked_sub(list.bytes().len())?;
        Some(item_of(list, text).is_some())
    }
}

/// The first item of a list that is a text.
pub(super) fn item_of<'a>(list: &List<'a, Text<'a>>, text: Text<'_>) -> Option<Text<'a>> {
    let mut list = *list;
    list.find(|item| *item == text)
}

/// What references in a document are resolved against.
#[derive(Clone, Copy)]
pub(super) struct Base<'u> {
    site: &'u Site,
    /// What the Agent Discovery Protocol appends paths to, where that is a URL; absent for other documents.
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

    /// The URL of an endpoint. `None` for what is none.
    pub(super) fn resolve<'b>(&self, text: Text<'b>, scratch: &'b mut Scratch) -> Option<Url<'b>> {
        if !text.is_escaped()
            && let Some(url) = Url::parse(text.raw())
        {
            return Some(url);
        }
        if text.is_empty() {
            return None;
        }
        // Where nothing is escaped, the text is part of a document that is UTF-8.
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

    /// Whether a place is the endpoint that stands in a text.
    fn is_at(&self, place: &Place, text: Text<'_>, scratch: &mut Scratch) -> bool {
        self.resolve(text, scratch)
            .is_some_and(|url| place.is_at(&url, self.site))
    }

    /// Whether a place is on the origin that a manifest of the Agent Discovery Protocol appends paths to.
    #[cfg(feature = "adp")]
    fn is_origin_of(&self, place: &Place) -> bool {
        self.appends_to
            .flatten()
            .is_some_and(|url| url.server().is_same_as(&place.server(self.site)))
    }
}

/// What a manifest of the Agent Discovery Protocol says that its endpoints are appended to, and those of its details; absent for other documents.
#[cfg(feature = "adp")]
fn base_url<'a>(case: &Case<'a>, document: &Document<'a>) -> Option<Option<Text<'a>>> {
    let manifest = match document.format() {
        Format::Adp => document.adp(),
        Format::AdpCapability => case.documents.iter().find_map(|document| document.adp()),
        _ => None,
    };
    manifest.map(|adp| adp.top.base_url)
}

/// What matters of the endpoint of another protocol.
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

/// Whether a format is built in whose documents may name endpoints of other protocols.
const HAS_PROTOCOLS: bool = Format::AgentsMd.is_built_in() || Format::Awp.is_built_in();

/// The protocol over which a capability is called, which is said by one format alone.
pub(super) const fn via_of<'a>(capability: &Offer<'a>) -> Option<Text<'a>> {
    if Format::Awp.is_built_in() {
        capability.via
    } else {
        None
    }
}

/// Whether documents of its format may name endpoints of other protocols.
pub(super) const fn has_protocols(document: &Document<'_>) -> bool {
    document.is(Format::AgentsMd) || document.is(Format::Awp)
}

/// The endpoint of another protocol that a place is. Of a name that is declared twice, the last one counts. Linear.
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

/// A place, and what is needed to tell whether it is where a capability is called.
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

/// What a document offers: its capabilities. The text formats are asked for no more of them than is needed.
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

    /// Becomes that of a document.
    pub(super) fn open(&mut self, document: &Document<'a>) {
        self.format = document.format();
        self.capabilities = with_reading(document, |reading| reading.capabilities());
    }

    /// Fills in the next one that is asked for by its id, or that is called at the spot; whether there is one.
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

    /// Fills in the next one of a text format.
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

/// Whether what has this id is asked for by it, or what is called there is called at the spot.
fn is_used(
    asked: &Target<'_>,
    spot: &mut Option<&mut Spot<'_, '_>>,
    id: &Option<Text<'_>>,
    (endpoint, via): (&Option<Text<'_>>, &Option<Text<'_>>),
) -> bool {
    names(asked, id) || spot.as_mut().is_some_and(|spot| spot.is_of(endpoint, via))
}

/// Whether there are formats whose capabilities are read whole.
const HAS_WHOLE: bool = READS_JSON || Format::AgentsMd.is_built_in();

/// Fills in what a decision needs of a capability. A word for what it may break that is there but cannot be read is taken for the gravest.
fn take_whole<'a>(offer: &mut Offer<'a>, capability: &Capability<'a>, format: Format) {
    offer.take(capability);
    if format == Format::Awp
        && offer.sensitivity.is_none()
        && is_unreadable::<awp::Action<'_>>(&capability.metadata, "sensitivity")
    {
        offer.sensitivity = Some(Choice::unreadable());
    }
}

/// Whether a capability is called with a method; `None` is any.
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

/// Whether it is for the protocol to say with which method a capability is called.
pub(super) const fn takes_any_method(capability: &Offer<'_>) -> bool {
    capability.method.is_none()
        && (via_of(capability).is_some()
            || !matches!(
                capability.protocol,
                None | Some(Protocol::Rest | Protocol::Unknown)
            ))
}

/// Looks through the capabilities of a document, and notes what it says besides.
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
    let service = Service::of(document, index);
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
    /// Takes a capability into account that is asked for by its id, or called at the place.
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
        // What is only called where the one is that is asked for is not used.
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

/// Whether this is the id that is asked for.
fn names(asked: &Target<'_>, id: &Option<Text<'_>>) -> bool {
    match asked {
        Target::Capability(asked) => id.is_some_and(|id| id == **asked),
        Target::Url(_) => false,
    }
}

/// Whether a member of an object of the Agent Web Protocol is there but cannot be read; only then is it among the metadata.
#[cfg(feature = "awp")]
pub(super) fn is_unreadable<V: Table>(metadata: &Metadata<'_>, name: &str) -> bool {
    has_kept::<V>(metadata, Some(name))
}

/// No such document can be read.
#[cfg(not(feature = "awp"))]
fn is_unreadable<V: Table>(_: &Metadata<'_>, _: &str) -> bool {
    false
}

impl<'a> Decision<'a> {
    /// Takes over what the capability says that is looked at.
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
        // The built-in checkout of agents.txt 0.1.0 ends with a person.
        self.handoff |=
            document.is(Format::AgentsTxt01) && capability.id.is_some_and(|id| id == "checkout");
        // The text formats say nothing of the rest.
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
