//! What a document says of the capability or URL that is asked for.
//!
//! To whom changes this: a document may hold as many capabilities, and each list in it as many names, as its size allows, and a hostile one
//! makes every capability apply. So nothing here may walk one list for every item of another without paying for it ([`Budget`]); where the
//! budget is used up, the narrow reading counts.

use core::ops::ControlFlow;

use super::auth::Service;
use super::judge::Inquiry;
use super::place::{Place, Site, is_web};
use super::workspace::{Scratch, Tools};
use super::{Case, Confirmation, Decision, Human, Target};
use crate::document::Document;
use crate::format::Format;
use crate::format::adp::append;
use crate::format::agents_json::Unreadable;
use crate::format::awp;
#[cfg(feature = "awp")]
use crate::format::json_common::has_kept;
use crate::format::robots_txt::Binding;
use crate::manifest::{AuthType, Capability, Choice, Endpoint, List, Metadata, Protocol, RateLimit, Sensitivity, with_reading};
use crate::syntax::json::view::Table;
use crate::syntax::text::Text;
use crate::syntax::url::{Url, resolve_str};

/// What one document says.
#[derive(Clone, Copy, Default)]
pub(super) struct Found<'a> {
    /// A capability that the agent may use: what names it in the document, and whether it was asked for by its id.
    pub(super) granted: Option<(Text<'a>, bool)>,
    /// One that it may not use.
    pub(super) refused: bool,
    /// One that has another method.
    pub(super) other_method: Option<Text<'a>>,
    /// The endpoint of another protocol.
    pub(super) protocol: Option<Text<'a>>,
    /// The service does not work.
    pub(super) is_down: bool,
}

/// What matters of the policy that holds for the agent in a document.
#[derive(Clone, Copy)]
pub(super) struct Policy<'a> {
    pub(super) binding: Binding,
    pub(super) name: Option<Text<'a>>,
    /// Which capabilities it grants; absent for all of them.
    pub(super) capabilities: Option<List<'a, Text<'a>>>,
    pub(super) rate_limits: List<'a, RateLimit<'a>>,
    /// There are policies that cannot be read, and one of them might be this agent's.
    pub(super) is_unreadable: bool,
}

impl<'a> Policy<'a> {
    /// The last policy that names the agent, else the last one for every agent (Internet-Draft section 2.7). Linear.
    #[inline(never)] // What is looked through is large, and needed here alone.
    pub(super) fn of(document: &Document<'a>, token: &str) -> Self {
        let mut found = Self { binding: Binding::None, name: None, capabilities: None, rate_limits: List::empty(), is_unreadable: false };
        with_reading(document, |reading| reading.agents()).show(|policy| {
            let binding = match policy.name {
                Some(name) if name == "*" && found.binding != Binding::Named => Binding::Any,
                Some(name) if !token.is_empty() && name.eq_ignore_case(token) && name != "*" => Binding::Named,
                _ => return ControlFlow::<()>::Continue(()),
            };
            (found.binding, found.name) = (binding, policy.name);
            (found.capabilities, found.rate_limits) = (policy.capabilities, policy.rate_limits);
            ControlFlow::Continue(())
        });
        found.is_unreadable = found.binding != Binding::Named && unreadable(document).agents;
        found
    }

    /// Whether it grants a capability.
    fn grants(&self, id: Option<Text<'_>>, budget: &mut Budget) -> bool {
        let listed = match (self.capabilities, id) {
            (None, _) => true,
            (Some(list), Some(id)) => budget.contains(list, id).unwrap_or(false),
            (Some(_), None) => false,
        };
        listed && !self.is_unreadable
    }

    /// Whether it grants the capability that is asked for by its id.
    pub(super) fn grants_id(&self, id: &str) -> bool {
        self.grants(Some(Text::plain(id.as_bytes())), &mut Budget(usize::MAX))
    }
}

/// What there is in an agents.json of the Internet-Draft that cannot be read.
#[inline(never)] // The views of documents are large, and needed here alone.
pub(super) fn unreadable(document: &Document<'_>) -> Unreadable {
    document.agents_json().map_or(Unreadable::default(), |document| document.unreadable())
}

/// How many bytes of lists may be walked over for a document.
pub(super) struct Budget(usize);

impl Budget {
    fn of(document: &Document<'_>) -> Self {
        Self(document.bytes().len().saturating_mul(32))
    }

    /// Whether a list has a text; `None` where the budget is used up.
    pub(super) fn contains<'a>(&mut self, mut list: List<'a, Text<'a>>, text: Text<'_>) -> Option<bool> {
        self.0 = self.0.checked_sub(list.bytes().len())?;
        Some(list.any(|item| item == text))
    }
}

/// What references in a document are resolved against.
#[derive(Clone, Copy)]
pub(super) struct Base<'u> {
    url: Option<Url<'u>>,
    /// Whether a path is appended to it, as the Agent Discovery Protocol does.
    appends: bool,
}

impl<'u> Base<'u> {
    pub(super) fn of<'a: 'u>(case: &Case<'a>, document: &Document<'a>, site: &Site<'u>, buffer: &'u mut [u8]) -> Self {
        match base_url(case, document) {
            Some(written) => Self { url: written.and_then(|text| Url::of(text, buffer)).filter(is_web), appends: true },
            None => Self { url: Url::parse(site.origin.as_bytes()), appends: false },
        }
    }

    /// The URL of an endpoint. `None` for what is none, or has user information, or is not for the web.
    pub(super) fn resolve<'b>(&self, text: Text<'b>, scratch: &'b mut Scratch) -> Option<Url<'b>> {
        let is_safe = |url: &Url<'_>| url.userinfo().is_none() && is_web(url);
        if !text.is_escaped()
            && let Some(url) = Url::parse(text.raw())
        {
            return Some(url).filter(is_safe);
        }
        let base = self.url.as_ref()?;
        if text.is_empty() {
            return None;
        }
        let reference = match text.as_str() {
            Some(text) => text,
            None => text.decode(&mut scratch.text).ok()?,
        };
        let resolved = match self.appends {
            true => append(base, reference, &mut scratch.url).ok()?,
            false => resolve_str(base, reference, &mut scratch.url).ok()?,
        };
        Url::parse(resolved.as_bytes()).filter(is_safe)
    }

    /// Whether a place is the endpoint that stands in a text.
    fn is_at(&self, place: &Place<'_>, text: Text<'_>, scratch: &mut Scratch) -> bool {
        self.resolve(text, scratch).is_some_and(|url| place.is_at(&url))
    }

    /// Whether a place is on the origin of this base.
    fn is_origin_of(&self, place: &Place<'_>) -> bool {
        self.url.is_some_and(|url| url.server().is_same_as(&place.server))
    }
}

/// What a manifest of the Agent Discovery Protocol says that its endpoints are appended to, and those of its details; absent for other documents.
#[inline(never)] // The views of documents are large, and needed here alone.
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
        Self { name: endpoint.protocol.text, url: endpoint.url, auth: endpoint.auth }
    }
}

/// The endpoint of another protocol that a place is. Of a name that is declared twice, the last one counts. Linear.
#[inline(never)] // What is looked through is large, and needed here alone.
pub(super) fn protocol_at<'a>(document: &Document<'a>, base: &Base<'_>, place: &Place<'_>, scratch: &mut Scratch) -> Option<Gateway<'a>> {
    let mut found: Option<Gateway<'a>> = None;
    with_reading(document, |reading| reading.endpoints()).show(|endpoint| {
        let is_at = endpoint.url.is_some_and(|text| base.is_at(place, text, scratch));
        let is_again = found.is_some_and(|found| found.name.is_some() && found.name == endpoint.protocol.text);
        if is_at && (found.is_none() || is_again) {
            found = Some(Gateway::of(endpoint));
        } else if is_again {
            found = None;
        }
        ControlFlow::<()>::Continue(())
    });
    found
}

/// The last entry of `protocols` with this name.
#[inline(never)] // As above.
pub(super) fn protocol_of<'a>(document: &Document<'a>, name: Text<'_>) -> Option<Gateway<'a>> {
    let mut found = None;
    with_reading(document, |reading| reading.endpoints()).show(|endpoint| {
        if endpoint.protocol.text == Some(name) {
            found = Some(Gateway::of(endpoint));
        }
        ControlFlow::<()>::Continue(())
    });
    found
}

/// Whether a place is where a capability is called. `via` is the protocol whose endpoint the place is.
pub(super) fn is_called_at(
    capability: &Capability<'_>,
    base: &Base<'_>,
    place: &Place<'_>,
    via: Option<Text<'_>>,
    scratch: &mut Scratch,
) -> bool {
    match capability.via {
        Some(name) => via.is_some_and(|via| via == name),
        None => capability.endpoint.is_some_and(|text| base.is_at(place, text, scratch)),
    }
}

/// Whether a capability is called with a method; `None` is any.
pub(super) fn accepts(capability: &Capability<'_>, method: Option<Text<'_>>) -> bool {
    let Some(method) = method else { return true };
    let is_get = |text: Text<'_>| text.eq_ignore_case("GET");
    match capability.method {
        Some(own) => own.eq_text_ignore_case(method) || (is_get(own) && method.eq_ignore_case("HEAD")),
        None => takes_any_method(capability) || is_get(method) || method.eq_ignore_case("HEAD"),
    }
}

/// Whether it is for the protocol to say with which method a capability is called.
pub(super) fn takes_any_method(capability: &Capability<'_>) -> bool {
    let protocol = capability.protocol.map_or(Protocol::Unknown, |protocol| protocol.value);
    capability.method.is_none() && (capability.via.is_some() || !matches!(protocol, Protocol::Rest | Protocol::Unknown))
}

/// The capabilities of a document.
#[inline(never)] // The views of documents are large, and needed here alone.
pub(super) fn capabilities<'a>(document: &Document<'a>) -> List<'a, Capability<'a>> {
    with_reading(document, |reading| reading.capabilities())
}

/// Looks through the capabilities of a document, and notes what it says besides.
#[inline(never)] // What is looked through is large, and needed here alone.
pub(super) fn look<'a>(
    inquiry: &Inquiry<'_, 'a, '_>,
    place: Option<&Place<'_>>,
    at: (usize, &Document<'a>),
    policy: &Policy<'a>,
    tools: &mut Tools,
    mut decision: Option<&mut Decision<'a>>,
) -> Found<'a> {
    let (index, document) = at;
    let Tools { base, scratch } = tools;
    let base = Base::of(inquiry.case, document, &inquiry.site, base);
    let gateway = place.and_then(|place| protocol_at(document, &base, place, scratch));
    let via = gateway.and_then(|gateway| gateway.name);
    let (degraded, is_down) = status_of(document);
    let service = Service::of(document, index);
    let mut look = Look {
        inquiry,
        at,
        policy,
        service: &service,
        degraded,
        budget: Budget::of(document),
        found: Found::default(),
        decision: decision.as_deref_mut(),
    };
    capabilities(document).show(|capability| {
        let is_named = inquiry.case.is_named(capability);
        if is_named || place.is_some_and(|place| is_called_at(capability, &base, place, via, scratch)) {
            look.consider(capability, is_named);
        }
        ControlFlow::<()>::Continue(())
    });
    let mut found = look.found;
    found.is_down = found.granted.is_some() && is_down;
    if let Some(gateway) = gateway {
        found.protocol = gateway.url;
        if let Some(decision) = &mut decision {
            decision.auth.note_gateway(at, &gateway);
        }
    }
    let is_url = matches!(inquiry.case.request.target, Target::Url(_));
    if is_url
        && document.format() == Format::Adp
        && place.is_some_and(|place| base.is_origin_of(place))
        && let Some(decision) = &mut decision
    {
        service.tighten(&mut decision.auth);
    }
    found
}

/// A look through the capabilities of a document, and what it found.
struct Look<'l, 'c, 'a, 'u> {
    inquiry: &'l Inquiry<'c, 'a, 'u>,
    at: (usize, &'l Document<'a>),
    policy: &'l Policy<'a>,
    service: &'l Service<'a>,
    /// The actions that are impaired.
    degraded: List<'a, Text<'a>>,
    budget: Budget,
    found: Found<'a>,
    /// Where to note what is found; absent in the second reading of a place.
    decision: Option<&'l mut Decision<'a>>,
}

impl<'a> Look<'_, '_, 'a, '_> {
    /// Takes a capability into account that is asked for by its id, or called at the place.
    #[inline(never)] // What it needs is needed for few of those that are looked through.
    fn consider(&mut self, capability: &Capability<'a>, is_named: bool) {
        let case = self.inquiry.case;
        let text = if is_named { capability.id } else { capability.endpoint.or(capability.via) }.unwrap_or_default();
        let wanted = if is_named && case.request.method.is_none() { None } else { self.inquiry.method };
        if !accepts(capability, wanted) {
            self.found.other_method = self.found.other_method.or(Some(text));
            return;
        }
        if !self.policy.grants(capability.id, &mut self.budget) {
            self.found.refused = true;
            return;
        }
        if is_named || self.found.granted.is_none() {
            self.found.granted = Some((text, is_named));
        }
        if is_named || matches!(case.request.target, Target::Url(_)) {
            let id = capability.id.unwrap_or_default();
            let degraded = self.budget.contains(self.degraded, id).unwrap_or(true);
            let listed = self.service.listed(id, &mut self.budget);
            if let Some(decision) = &mut self.decision {
                decision.degraded |= degraded;
                decision.note(self.at, capability);
                decision.auth.note(self.at, capability, self.service, listed);
            }
        }
    }
}

impl<'a> Case<'a> {
    /// Whether a capability is asked for by its id.
    pub(super) fn is_named(&self, capability: &Capability<'_>) -> bool {
        match self.request.target {
            Target::Capability(id) => capability.id.is_some_and(|own| own == *id),
            Target::Url(_) => false,
        }
    }
}

/// Which actions are impaired, and whether the service is down, as an Agent Web Protocol document says; what is there but cannot be read means
/// that it is.
#[inline(never)] // As above.
fn status_of<'a>(document: &Document<'a>) -> (List<'a, Text<'a>>, bool) {
    let Some(status) = with_reading(document, |reading| reading.status()) else { return (List::empty(), false) };
    let is_down = match status.operational {
        Some(operational) => !operational,
        None => is_unreadable::<awp::StatusObject<'_>>(&status.metadata, "operational"),
    };
    (status.degraded, is_down)
}

/// Whether a member of an object of the Agent Web Protocol is there but cannot be read; only then is it among the metadata.
#[cfg(feature = "awp")]
fn is_unreadable<V: Table>(metadata: &Metadata<'_>, name: &str) -> bool {
    has_kept::<V>(metadata, Some(name))
}

/// No such document can be read.
#[cfg(not(feature = "awp"))]
fn is_unreadable<V: Table>(_: &Metadata<'_>, _: &str) -> bool {
    false
}

impl<'a> Decision<'a> {
    /// Takes over what a capability says.
    fn note(&mut self, (index, document): (usize, &Document<'a>), capability: &Capability<'a>) {
        if self.capability.is_none() {
            self.capability = capability.id;
            self.method = capability.method;
        }
        if document.format() == Format::Awp && self.awp.is_none() {
            self.awp = Some(index);
        }
        self.session_required |= capability.requires_session == Some(true);
        self.human.note(document, capability);
    }
}

impl<'a> Human<'a> {
    fn note(&mut self, document: &Document<'a>, capability: &Capability<'a>) {
        // A word that is there but cannot be read is taken for the gravest.
        let unreadable = document.format() == Format::Awp && is_unreadable::<awp::Action<'_>>(&capability.metadata, "sensitivity");
        let sensitivity = capability.sensitivity.or(unreadable.then_some(Choice::unreadable()));
        if let Some(choice) = sensitivity
            && self.sensitivity.is_none_or(|known| gravity(choice.value) > gravity(known.value))
        {
            self.sensitivity = Some(choice);
        }
        if self.reversible != Some(false) {
            self.reversible = capability.reversible.or(self.reversible);
        }
        // The built-in checkout of agents.txt 0.1.0 ends with a person.
        let is_checkout = document.format() == Format::AgentsTxt01 && capability.id.is_some_and(|id| id == "checkout");
        self.handoff |= capability.human_handoff == Some(true) || is_checkout;
        let asked = match gravity(sensitivity.map_or(Sensitivity::Standard, |choice| choice.value)) {
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
