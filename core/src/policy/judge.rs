//! Makes the decision: collects the finding of each document, and combines the findings.
//!
//! First the site and the place of the request are determined; the place of a capability is its
//! endpoint. Then the robots.txt and every document return a [`Finding`] or none. The first
//! explicit denial wins; otherwise the first finding. Obstacles that prevent an allowed request
//! (credentials that must not be sent, a limit of zero) are checked last.

use super::agents::is_draft;
use super::capabilities::{HAS_VIA, accepts, is_get, takes_any_method, via_of};
use super::case::{Case, Order};
use super::draft::of_draft;
use super::endpoint::{Base, has_protocols, protocol_of};
use super::finding::{At, Finding, Said, is_explicit_denial};
use super::place::{Place, Refused, Site};
use super::robots::{ask_robots, note_preference, note_robots};
use super::survey::{Found, Survey, has_zero, look};
use super::unread;
use super::workspace::{BaseText, Tools, Workspace};
use super::{AuthNeed, Credentials, Decision, Reason, Target, UsePreference};
use crate::document::Document;
use crate::document::with_reading;
use crate::format::robots_txt::stance_of_header;
use crate::format::{Format, READS_JSON, fact};
use crate::model::Source::Synthetic;
use crate::model::{Capability, Kind, List, RateLimit, Stance};
use crate::rules::doubled;
use crate::rules::method::is_token;
use crate::rules::urls::is_rooted;
use crate::syntax::text::Text;
use crate::syntax::url::Relation;

/// Decides in place, because decisions are large.
pub(super) fn decide(decision: &mut Decision<'_>, workspace: &mut Workspace) {
    decide_at(decision, None, workspace);
}

/// A URL and a method that replace those of the request.
#[derive(Clone, Copy)]
pub(super) struct Other<'u, 'a> {
    pub(super) url: &'u str,
    pub(super) method: Text<'a>,
    /// Whether documents of an unknown site apply to the URL, as they apply to a requested URL.
    pub(super) is_own: bool,
}

/// The same; `other` replaces the URL and the method of the request.
pub(super) fn decide_at<'a>(
    decision: &mut Decision<'a>,
    other: Option<Other<'_, 'a>>,
    workspace: &mut Workspace,
) {
    note_header(decision);
    find(decision, other, workspace);
    decision.auth.drop_other_header();
    // Only an agent.json of the Agent Web Protocol and an agent card state a refresh URL, and only
    // the former states who wrote it.
    if HAS_VIA {
        relate_refresh_url(decision, workspace);
    }
    if Format::Awp.is_built_in() {
        note_provenance(decision);
    }
    if decision.reason.is_allowed()
        && let Some(reason) = obstacle(decision)
    {
        decision.conclude(Finding::of(reason));
    }
    if decision.reason.is_allowed()
        && let Some(preference) = decision.preference
        && preference.stance == Stance::Disallow
    {
        (decision.reason, decision.rule) = (Reason::PreferenceDisallowed, preference.statement);
    }
    decision.allowed = decision.reason.is_allowed();
}

/// Records what the `Content-Usage` header says about the purpose of the request.
fn note_header(decision: &mut Decision<'_>) {
    let request = &decision.case.request;
    let purpose = request.purpose.filter(|_| Format::RobotsTxt.is_built_in());
    decision.preference = purpose.map(|purpose| {
        let header = request.content_usage.unwrap_or_default();
        let stance = stance_of_header(header.as_bytes(), purpose.as_bytes());
        UsePreference { purpose, stance, statement: None, by_header: stance != Stance::NotStated }
    });
}

/// What prevents a request that would be allowed otherwise.
const fn obstacle(decision: &Decision<'_>) -> Option<Reason> {
    let is_needed = matches!(decision.auth.need, AuthNeed::Required);
    match decision.credentials {
        _ if decision.survey.is_exhausted => Some(Reason::NoRequests),
        Credentials::Insecure if is_needed => Some(Reason::InsecureEndpoint),
        Credentials::NonAsciiHost if is_needed => Some(Reason::UnverifiedHost),
        _ => None,
    }
}

fn find<'a>(decision: &mut Decision<'a>, other: Option<Other<'_, 'a>>, workspace: &mut Workspace) {
    if !decision.case.agent.is_valid() {
        return decision.conclude(Finding::of(Reason::InvalidAgent));
    }
    let given = match other {
        Some(other) => Some(other.method),
        None => decision.case.request.method.map(|method| Text::plain(method.as_bytes())),
    };
    if given.is_some_and(|method| method.is_empty() || !is_token(method.chars())) {
        return decision.conclude(Finding::of(Reason::InvalidMethod));
    }
    let Workspace { site, place, tools } = workspace;
    // A new decision has the reason `InvalidUrl`.
    if settle(&decision.case, site, &tools.base).is_err() {
        return;
    }
    if let Some(other) = other.filter(|other| other.is_own && !site.is_known)
        && site.take(other.url.as_bytes(), false).is_err()
    {
        return;
    }
    let mut method = Some(given.unwrap_or(GET));
    let mut has_place = true;
    match decision.case.request.target {
        Target::Url(text) => {
            let text = other.map_or(text, |other| other.url);
            if place.read(text, site).is_err() {
                return;
            }
        }
        Target::Capability(_) | Target::Id(_) => {
            method = given;
            let Some((at, is_via)) = choose(decision, &mut method) else {
                return;
            };
            has_place = match decision.endpoint {
                None => false,
                Some(endpoint) => {
                    let written = (endpoint, is_via);
                    match find_place(&decision.case, at.1, site, written, (place, tools)) {
                        Some(()) => true,
                        None => return decision.conclude_at(Reason::InvalidEndpoint, at, endpoint),
                    }
                }
            };
        }
    }
    ask(&Inquiry { site, place: has_place.then_some(&*place), method }, tools, decision);
    if !has_place {
        return;
    }
    let approved = relate(site, place, decision);
    if !place.is_on_site {
        if !decision.survey.is_declared {
            return decision.conclude(Finding::of(Reason::OtherOrigin));
        }
        if decision.relation.is_some_and(|relation| relation.relation == Relation::Other) {
            if !approved {
                decision.reason = Reason::CrossOriginEndpoint;
                return;
            }
            if decision.reason.is_allowed() {
                decision.reason = Reason::ApprovedEndpoint;
                return;
            }
        }
    }
    // Explicit denials of the second reading count as well.
    if !is_explicit_denial(decision.reason) && place.turn_to_second_reading() {
        (decision.survey.is_second, decision.survey.is_answered) = (true, true);
        ask(&Inquiry { site, place: Some(place), method }, tools, decision);
    }
}

/// Records the relation of the URL that refreshes tokens to the site.
fn relate_refresh_url(decision: &mut Decision<'_>, workspace: &mut Workspace) {
    let Workspace { site, tools, .. } = workspace;
    if let Some(text) = decision.auth.refresh_url
        && site.is_known
        && let Some(document) = decision.auth.document
        && let Some(document) = decision.case.documents.get(document)
    {
        let Tools { base, scratch } = tools;
        let base = Base::of(&decision.case, document, site, base);
        decision.auth.refresh_relation =
            base.resolve(text, scratch).map(|url| site.relation(&url.server()));
    }
}

/// Records whether a third party wrote the document that answered.
fn note_provenance(decision: &mut Decision<'_>) {
    if let Some(index) = decision.survey.answered_by
        && let Some(document) = decision.case.documents.get(index)
        && let Some(provenance) = with_reading(document, |reading| reading.provenance())
        && provenance.source.value == Synthetic
    {
        (decision.synthetic, decision.confidence) = (true, provenance.confidence);
    }
}

/// The method of a request without a method.
const GET: Text<'static> = Text::plain(b"GET");

/// Records the relation of the place to the site, and returns whether the user has approved it.
fn relate(site: &Site, place: &Place, decision: &mut Decision<'_>) -> bool {
    let approved = decision.case.request.approved.any(|approved| place.is_at_url(approved, site));
    let server = place.server(site);
    let relation = site.relation(&server);
    if site.is_known {
        decision.relation = Some(relation);
    }
    let is_related = relation.relation != Relation::Other && !site.is_other_port(&server);
    decision.credentials = Credentials::to(&server, site.is_known, is_related, approved);
    approved
}

/// Stands for an unknown site.
const NO_SITE: &[u8] = b"https://site.invalid";
#[cfg(feature = "call")]
pub(super) const NO_HOST: &str = "site.invalid";

/// Determines the site: the origin from the caller, otherwise the filled base URL of a manifest,
/// otherwise the site that the first document states, otherwise the origin of the requested URL.
/// For a capability of an unknown site, [`find_place`] then takes the origin of its endpoint.
///
/// # Errors
/// If the caller's origin is invalid.
pub(super) fn settle(case: &Case<'_>, site: &mut Site, base: &BaseText) -> Result<(), Refused> {
    if let Some(origin) = case.request.origin {
        return site.take(origin.as_bytes(), true);
    }
    if let Some(filled) = base.filled() {
        return site.take(filled, base.keeps_domain);
    }
    if let Some((text, is_domain)) = case.declared
        && site.read(text, is_domain).is_ok()
    {
        return Ok(());
    }
    match case.request.target {
        Target::Url(text) if site.take(text.as_bytes(), false).is_ok() => Ok(()),
        _ => site.take(NO_SITE, false),
    }
}

/// Sets the place from the endpoint that a document states.
fn find_place<'a>(
    case: &Case<'a>,
    document: &Document<'a>,
    site: &mut Site,
    (endpoint, is_via): (Text<'_>, bool),
    (place, tools): (&mut Place, &mut Tools),
) -> Option<()> {
    let Tools { base, scratch } = tools;
    let is_settled = site.is_known || base.filled().is_some();
    let base = Base::of(case, document, site, base);
    let url = match is_via {
        true => base.resolve(endpoint, scratch),
        false => base.resolve_own(endpoint, scratch),
    }?;
    if !is_settled {
        site.take(url.as_str().as_bytes(), false).ok()?;
    }
    place.take(&url, site).ok()
}

/// Whether a document covers the site.
pub(super) fn is_of_site(document: &Document<'_>) -> bool {
    fact!(document.format() => is_of_site) && kind_of(document) != Kind::Agent
}

/// The subject of a document.
pub(super) fn kind_of(document: &Document<'_>) -> Kind {
    with_reading(document, |reading| reading.head()).kind.value
}

/// Finds the capability with the requested id, in the first document that has one. If several have
/// this id, takes the first one that accepts the method. Sets the endpoint and the method. Returns
/// the document, and whether the endpoint is that of a protocol; `None` if this concludes the
/// decision.
#[inline(never)] // Keeps its buffers off the stack of its callers.
fn choose<'a>(
    decision: &mut Decision<'a>,
    method: &mut Option<Text<'a>>,
) -> Option<(At<'a>, bool)> {
    let Decision { case, survey, .. } = decision;
    let mut order = Order::default();
    while let Some(at) = case.next_of_site(&mut order) {
        let mut capabilities = survey.open(case.index, at);
        let mut first = None;
        while let Some(capability) = capabilities.next_used(&case.request.target, None) {
            if accepts(at.1.format(), &capability, *method) {
                decision.chosen = Some((at.0, capabilities.at));
                return take(decision, at, &capability, method);
            }
            first = first.or(capability.id);
        }
        if let Some(id) = first {
            decision.conclude_at(Reason::MethodNotDeclared, at, id);
            return None;
        }
    }
    decision.conclude(Finding::of(Reason::UnknownCapability));
    None
}

/// Chooses a capability.
fn take<'a>(
    decision: &mut Decision<'a>,
    at: At<'a>,
    chosen: &Capability<'a>,
    method: &mut Option<Text<'a>>,
) -> Option<(At<'a>, bool)> {
    let via = via_of(at.1.format(), chosen);
    decision.capability = chosen.id;
    decision.method = chosen.method;
    decision.endpoint = match via {
        None => chosen.endpoint,
        Some(via) => match Some(at.1)
            .filter(|document| has_protocols(document))
            .and_then(|document| protocol_of(document, via))
        {
            Some(protocol) => match protocol.url {
                Some(url) if is_rooted(url) && at.1.is(Format::Awp) => {
                    decision.conclude_at(Reason::InvalidEndpoint, at, url);
                    return None;
                }
                url => url,
            },
            None => {
                decision.conclude_at(Reason::UnknownProtocol, at, via);
                return None;
            }
        },
    };
    decision.detail_unknown = at.1.is(Format::Adp) && decision.endpoint.is_none();
    let usual = if takes_any_method(at.1.format(), chosen) { None } else { Some(GET) };
    *method = method.or(chosen.method).or(usual);
    Some((at, via.is_some()))
}

/// A request with a known site and method.
pub(super) struct Inquiry<'w, 'a> {
    pub(super) site: &'w Site,
    /// The place; `None` if the endpoint of a capability is unknown.
    pub(super) place: Option<&'w Place>,
    /// The requested method; `None` accepts any.
    pub(super) method: Option<Text<'a>>,
}

impl Inquiry<'_, '_> {
    /// The place, if it is on the site.
    pub(super) fn on_site(&self) -> Option<&Place> {
        self.place.filter(|place| place.is_on_site)
    }
}

/// Asks the robots.txt and every document, and concludes. For the second reading, concludes only if
/// something denies.
fn ask<'a>(inquiry: &Inquiry<'_, 'a>, tools: &mut Tools, decision: &mut Decision<'a>) {
    note_robots(inquiry, decision);
    note_preference(inquiry, decision);
    let mut order = Order::default();
    while let Some(at) = decision.case.next_of_site(&mut order) {
        ask_document(inquiry, at, tools, decision);
    }
    if !(decision.survey.is_answered && is_explicit_denial(decision.reason))
        && unread::is_there(&mut decision.case)
        && let Some((index, document, text)) = unread::deciding(
            &decision.case,
            inquiry.on_site(),
            &mut decision.survey.asks_query,
            &mut tools.scratch,
        )
    {
        decision.survey.is_answered = true;
        decision.conclude_at(Reason::UnreadRestriction, (index, document), text);
    }
    ask_doubled(inquiry, decision);
    if !decision.survey.is_second {
        conclude_open(inquiry, decision);
    }
}

/// Denies if a document states a restriction twice, with different values.
fn ask_doubled<'a>(inquiry: &Inquiry<'_, 'a>, decision: &mut Decision<'a>) {
    let is_robots = |place: &Place| place.path() == b"/robots.txt";
    let is_open = READS_JSON && !inquiry.place.is_some_and(is_robots);
    if !is_open || decision.survey.is_answered && is_explicit_denial(decision.reason) {
        return;
    }
    let Case { documents, known, .. } = &mut decision.case;
    let documents = documents.indexed();
    let in_whole = || {
        let mut of_site = documents.filter(|(_, document)| is_of_site(document));
        of_site.find_map(|(index, document)| {
            let format = document.format();
            let is_whole = !fact!(format => is_of_capability);
            Some((index, doubled::in_document(document.text(), format, is_whole)?))
        })
    };
    let found = decision.survey.doubled.or_else(|| *known.doubled.get_or_insert_with(in_whole));
    if let Some((index, name)) = found
        && let Some(document) = decision.case.documents.get(index)
    {
        decision.survey.is_answered = true;
        decision.conclude_at(Reason::UnreadRestriction, (index, document), name);
    }
}

/// Concludes if no document covers the place.
fn conclude_open<'a>(inquiry: &Inquiry<'_, 'a>, decision: &mut Decision<'a>) {
    let on_site = inquiry.on_site();
    let is_answered = decision.survey.is_answered;
    if is_answered && !matches!(decision.reason, Reason::NotListed | Reason::NoAccessRules) {
        return;
    }
    if on_site.is_some_and(|place| is_discovery(place.path())) && inquiry.method.is_some_and(is_get)
    {
        decision.conclude(Finding::of(Reason::DiscoveryDocument));
    } else if !is_answered {
        let words = || {
            Format::AgentsMd.is_built_in()
                && decision.case.documents.iter().any(has_restrictions_in_words)
        };
        let said = on_site.and_then(|place| ask_robots(&decision.case, place));
        decision.conclude(said.unwrap_or_else(|| {
            Finding::of(if words() { Reason::ProseOnly } else { Reason::NotStated })
        }));
    }
}

/// Asks one document for each name of the agent.
fn ask_document<'a>(
    inquiry: &Inquiry<'_, 'a>,
    at: At<'a>,
    tools: &mut Tools,
    decision: &mut Decision<'a>,
) {
    let is_first_answer = !decision.survey.is_answered;
    for (name, index) in decision.case.agent.names().zip(0..) {
        let Survey { policy, doubled, .. } = &mut decision.survey;
        policy.read(at.1, name);
        *doubled = doubled.or_else(|| Some((at.0, policy.contradicted()?)));
        if index > 0 && !decision.survey.policy.is_named() {
            continue;
        }
        look(inquiry, at, tools, decision);
        weigh(inquiry, at, is_first_answer && index > 0, tools, decision);
    }
}

/// Records the finding of the document that was just read. If `restricts`, any denial counts.
#[inline(never)] // Keeps its buffers off the stack of its callers.
fn weigh<'a>(
    inquiry: &Inquiry<'_, 'a>,
    at: At<'a>,
    restricts: bool,
    tools: &mut Tools,
    decision: &mut Decision<'a>,
) {
    let Decision { case, survey, .. } = decision;
    let Survey { policy, found, .. } = survey;
    let document = at.1;
    let said = match is_draft(document) {
        true => of_draft(
            case,
            document,
            inquiry.on_site(),
            (policy, found),
            &mut survey.asks_query,
            &mut tools.scratch,
        ),
        false => of_other(found),
    };
    survey.is_declared |= found.is_declared();
    if !survey.is_second {
        decision.agent = decision.agent.max(policy.binding);
        survey.is_exhausted |= has_zero(&policy.rate_limits) || has_zero(&limits_of(document));
    }
    let is_denied = |reason: Reason| !reason.is_allowed() && decision.reason.is_allowed();
    if let Some((reason, text)) = said
        && (restricts && is_denied(reason) || decision.note_answer(reason))
    {
        match text {
            Some(text) => decision.conclude_at(reason, at, text),
            None => {
                decision.conclude(Finding::of(reason));
                decision.survey.answered_by = Some(at.0);
            }
        }
    }
}

/// The limits of a whole service.
fn limits_of<'a>(document: &Document<'a>) -> List<'a, RateLimit<'a>> {
    if is_draft(document) {
        List::empty()
    } else {
        with_reading(document, |reading| reading.rate_limits())
    }
}

fn has_restrictions_in_words(document: &Document<'_>) -> bool {
    if !document.is(Format::AgentsMd) {
        return false;
    }
    let permissions = with_reading(document, |reading| reading.permissions());
    !permissions.cannot.is_empty()
        || !permissions.cannot_prose.is_empty()
        || unread::prohibitions(document).next().is_some()
}

/// The finding of a document without access rules and agent policies.
fn of_other<'a>(found: &Found<'a>) -> Option<Said<'a>> {
    if found.is_down() {
        return Some((Reason::NotOperational, None));
    }
    Some(match (found.granted, found.protocol(), found.service()) {
        (Some((id, true)), ..) => (Reason::CapabilityDeclared, Some(id)),
        (Some((endpoint, false)), ..) => (Reason::CapabilityEndpoint, Some(endpoint)),
        (None, Some(url), _) => (Reason::ProtocolEndpoint, Some(url)),
        (None, None, Some((url, true))) => (Reason::ServiceEndpoint, Some(url)),
        (None, None, Some((url, false))) => (Reason::MethodNotDeclared, Some(url)),
        (None, None, None) => (Reason::MethodNotDeclared, Some(found.other_method?)),
    })
}

/// Whether a path is the location of a discovery document.
fn is_discovery(path: &[u8]) -> bool {
    Format::ALL.iter().any(|format| {
        let mut places = fact!(*format => locations).iter();
        places.any(|place| place.as_bytes() == path)
    })
}
