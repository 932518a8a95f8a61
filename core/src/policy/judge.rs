//! The decision: the finding of each document, and how the findings combine.
//!
//! First the site and the place of the request are determined; for a capability, that is its
//! endpoint. Then the robots.txt and every document return a [`Finding`] or none. The first
//! explicit denial wins; otherwise the first finding. Obstacles that prevent an allowed request
//! (credentials that must not be sent, a limit of zero) are checked last.

use super::agents::{Policy, disallowed_by_policies, is_draft, unreadable};
use super::budget::item_of;
use super::endpoint::{Base, has_protocols, protocol_of};
use super::offers::{accepts, is_get, takes_any_method, via_of};
use super::place::{Place, Refused, Site};
use super::survey::{Found, Survey, has_zero, look};
use super::unread;
use super::workspace::{Scratch, Tools, Workspace};
use super::{
    AuthNeed, Case, Credentials, Decision, Order, Reason, Robots, Rule, Source, Target,
    UsePreference,
};
use crate::document::Document;
use crate::document::with_reading;
use crate::format::Format;
use crate::format::check::method::is_token;
use crate::format::check::urls::is_rooted;
use crate::format::robots_txt::{Binding, RobotsTxt, stance_of_header};
use crate::model::Source::Synthetic;
use crate::model::{Access, Kind, List, RateLimit, Stance};
use crate::syntax::pattern::Pattern;
use crate::syntax::pieces::Pieces;
use crate::syntax::text::{HAS_ESCAPES, Text};
use crate::syntax::url::Relation;

/// A finding of a document, and its position.
#[derive(Clone, Copy)]
struct Finding<'a> {
    reason: Reason,
    rule: Option<Rule<'a>>,
}

impl<'a> Finding<'a> {
    const fn of(reason: Reason) -> Self {
        Self { reason, rule: None }
    }

    const fn is_explicit_denial(&self) -> bool {
        is_explicit_denial(self.reason)
    }
}

/// Whether a document or the robots.txt denies the request explicitly, instead of only not listing
/// it.
const fn is_explicit_denial(reason: Reason) -> bool {
    use Reason::{MethodNotDeclared, NoAccessRules, NotListed};
    !reason.is_allowed() && !matches!(reason, NotListed | NoAccessRules | MethodNotDeclared)
}

impl<'a> Decision<'a> {
    /// The finding so far.
    fn conclude(&mut self, finding: Finding<'a>) {
        (self.reason, self.rule) = (finding.reason, finding.rule);
        self.survey.answered_by = None;
    }

    /// The same with the deciding text.
    fn conclude_at(&mut self, reason: Reason, (index, document): At<'a>, text: Text<'a>) {
        (self.reason, self.rule) = (
            reason,
            Some(Rule {
                text,
                span: document.span_of(text.raw()),
                source: Source::Document(index),
            }),
        );
        self.survey.answered_by = Some(index);
    }

    /// Records a finding, and returns whether it counts: the first explicit denial does, otherwise
    /// the first finding.
    fn note_answer(&mut self, reason: Reason) -> bool {
        let counts = !self.survey.is_answered
            || (is_explicit_denial(reason) && !is_explicit_denial(self.reason));
        self.survey.is_answered = true;
        counts
    }
}

/// Decides in place, because decisions are large.
pub(super) fn decide(decision: &mut Decision<'_>, workspace: &mut Workspace) {
    note_header(decision);
    find(decision, workspace);
    relate_refresh_url(decision, workspace);
    note_provenance(decision);
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
    decision.preference = request.purpose.map(|purpose| {
        let header = request.content_usage.unwrap_or_default();
        let stance = stance_of_header(header.as_bytes(), purpose.as_bytes());
        UsePreference {
            purpose,
            stance,
            statement: None,
            by_header: stance != Stance::NotStated,
        }
    });
}

/// Records what the robots.txt says about the purpose of the request, if it is stricter than what is known.
fn note_preference<'a>(inquiry: &Inquiry<'_, 'a>, decision: &mut Decision<'a>) {
    let Decision {
        case, preference, ..
    } = decision;
    let (Some(preference), Some(place)) = (preference, inquiry.on_site()) else {
        return;
    };
    for (robots, source) in robots_of(case) {
        let agent = case.request.agent.trim_ascii_start();
        let stated = robots.preference(agent, place.for_robots(), preference.purpose);
        let is_equal = stated.stance == preference.stance && preference.statement.is_none();
        if stated.stance > preference.stance || is_equal {
            preference.stance = stated.stance;
            preference.by_header = false;
            preference.statement = stated.statement.map(|statement| Rule {
                text: statement.text,
                span: statement.span,
                source,
            });
        }
    }
}

/// Every robots.txt that was read: the one given as [`Robots`], and those among the documents.
fn robots_of<'a>(case: &Case<'a>) -> impl Iterator<Item = (RobotsTxt<'a>, Source)> {
    let given = match case.robots {
        Robots::Found(robots) if Format::RobotsTxt.is_built_in() => Some((robots, Source::Robots)),
        _ => None,
    };
    let among = case
        .documents
        .indexed()
        .filter(|_| Format::RobotsTxt.is_built_in())
        .filter_map(|(index, document)| Some((document.robots_txt()?, Source::Document(index))));
    given.into_iter().chain(among)
}

/// What prevents an allowed request.
const fn obstacle(decision: &Decision<'_>) -> Option<Reason> {
    let is_needed = matches!(decision.auth.need, AuthNeed::Required);
    match decision.credentials {
        _ if decision.survey.is_exhausted => Some(Reason::NoRequests),
        Credentials::Insecure if is_needed => Some(Reason::InsecureEndpoint),
        Credentials::NonAsciiHost if is_needed => Some(Reason::UnverifiedHost),
        _ => None,
    }
}

fn find<'a>(decision: &mut Decision<'a>, workspace: &mut Workspace) {
    let given = decision
        .case
        .request
        .method
        .map(|method| Text::plain(method.as_bytes()));
    if given.is_some_and(|method| method.is_empty() || !is_token(method.chars())) {
        return decision.conclude(Finding::of(Reason::InvalidMethod));
    }
    let Workspace { site, place, tools } = workspace;
    // A new decision has the reason `InvalidUrl`.
    if settle(&decision.case, site).is_err() {
        return;
    }
    let mut method = Some(given.unwrap_or(GET));
    let mut has_place = true;
    match decision.case.request.target {
        Target::Url(text) => {
            if place.read(text, site).is_err() {
                return;
            }
        }
        Target::Capability(_) => {
            method = given;
            let Some(at) = choose(decision, &mut method) else {
                return;
            };
            has_place = match decision.endpoint {
                None => false,
                Some(endpoint) => {
                    match find_place(&decision.case, at.1, site, endpoint, (place, tools)) {
                        Some(()) => true,
                        None => return decision.conclude_at(Reason::InvalidEndpoint, at, endpoint),
                    }
                }
            };
        }
    }
    ask(
        &Inquiry {
            site,
            place: has_place.then_some(&*place),
            method,
        },
        tools,
        decision,
    );
    if !has_place {
        return;
    }
    let approved = relate(site, place, decision);
    if !place.is_on_site {
        if !decision.survey.is_declared {
            return decision.conclude(Finding::of(Reason::OtherOrigin));
        }
        if decision
            .relation
            .is_some_and(|relation| relation.relation == Relation::Other)
        {
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
    // Denials of the second reading count as well.
    if !is_explicit_denial(decision.reason) && place.turn_to_second_reading() {
        (decision.survey.is_second, decision.survey.is_answered) = (true, true);
        ask(
            &Inquiry {
                site,
                place: Some(place),
                method,
            },
            tools,
            decision,
        );
    }
}

/// Records the relation of the URL that refreshes tokens to the site. Only an agent.json states
/// that URL.
fn relate_refresh_url(decision: &mut Decision<'_>, workspace: &mut Workspace) {
    let Workspace { site, tools, .. } = workspace;
    if let Some(text) = decision.auth.refresh_url
        && site.is_known
        && let Some(document) = decision.auth.document
        && let Some(document) = decision.case.documents.get(document)
    {
        let Tools { base, scratch } = tools;
        let base = Base::of(&decision.case, document, site, base);
        decision.auth.refresh_relation = base
            .resolve(text, scratch)
            .map(|url| site.relation(&url.server()));
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

/// The method if none is given.
const GET: Text<'static> = Text::plain(b"GET");

/// Records the relation of the place to the site, and returns whether the user has approved it.
fn relate(site: &Site, place: &Place, decision: &mut Decision<'_>) -> bool {
    let approved = decision
        .case
        .request
        .approved
        .any(|approved| place.is_at_url(approved, site));
    let server = place.server(site);
    let relation = site.relation(&server);
    if site.is_known {
        decision.relation = Some(relation);
    }
    let is_related = relation.relation != Relation::Other && !site.is_other_port(&server);
    decision.credentials = Credentials::to(&server, site.is_known, is_related, approved);
    approved
}

/// Determines the site: the caller's, otherwise the first document's, otherwise that of the
/// requested URL.
///
/// # Errors
/// If the caller's origin is invalid.
pub(super) fn settle(case: &Case<'_>, site: &mut Site) -> Result<(), Refused> {
    if let Some(origin) = case.request.origin {
        return site.take(origin.as_bytes(), true);
    }
    if let Some((text, is_domain)) = case.declared
        && site.read(text, is_domain).is_ok()
    {
        return Ok(());
    }
    match case.request.target {
        Target::Url(text) if site.take(text.as_bytes(), false).is_ok() => Ok(()),
        _ => site.take(b"https://site.invalid", false),
    }
}

/// Sets the place from the endpoint that a document states.
fn find_place<'a>(
    case: &Case<'a>,
    document: &Document<'a>,
    site: &Site,
    endpoint: Text<'_>,
    (place, tools): (&mut Place, &mut Tools),
) -> Option<()> {
    let Tools { base, scratch } = tools;
    let url = Base::of(case, document, site, base).resolve(endpoint, scratch)?;
    place.take(&url, site).ok()
}

/// Whether a document covers the site.
pub(super) fn is_of_site(document: &Document<'_>) -> bool {
    !matches!(document.format(), Format::AdpSearch | Format::RobotsTxt)
        && kind_of(document) != Kind::Agent
}

/// The subject of a document.
pub(super) fn kind_of(document: &Document<'_>) -> Kind {
    with_reading(document, |reading| reading.head()).kind.value
}

/// A document with its index.
type At<'a> = (usize, &'a Document<'a>);

/// Finds the capability with the requested id in the first document that has it: the first one that
/// accepts the method. Sets its endpoint and method. Returns `None` if this concludes the decision.
fn choose<'a>(decision: &mut Decision<'a>, method: &mut Option<Text<'a>>) -> Option<At<'a>> {
    let Decision { case, survey, .. } = decision;
    let mut order = Order::default();
    while let Some(at) = case.next_of_site(&mut order) {
        let mut offers = survey.open(at.1);
        let mut first = None;
        while offers.next_used(&case.request.target, None, &mut survey.offer) {
            if accepts(&survey.offer, *method) {
                return take(decision, at, method);
            }
            first = first.or(survey.offer.id);
        }
        if let Some(id) = first {
            decision.conclude_at(Reason::MethodNotDeclared, at, id);
            return None;
        }
    }
    decision.conclude(Finding::of(Reason::UnknownCapability));
    None
}

/// Uses the current capability.
fn take<'a>(
    decision: &mut Decision<'a>,
    at: At<'a>,
    method: &mut Option<Text<'a>>,
) -> Option<At<'a>> {
    let chosen = &decision.survey.offer;
    decision.capability = chosen.id;
    decision.method = chosen.method;
    decision.endpoint = match via_of(chosen) {
        None => chosen.endpoint,
        Some(via) => match Some(at.1)
            .filter(|document| has_protocols(document))
            .and_then(|document| protocol_of(document, via))
        {
            Some(protocol) => match protocol.url {
                Some(url) if is_rooted(url) => {
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
    let usual = if takes_any_method(chosen) {
        None
    } else {
        Some(GET)
    };
    *method = method.or(chosen.method).or(usual);
    Some(at)
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
    fn on_site(&self) -> Option<&Place> {
        self.place.filter(|place| place.is_on_site)
    }
}

/// Asks the robots.txt and every document, and concludes; for the second reading, only if something
/// denies.
fn ask<'a>(inquiry: &Inquiry<'_, 'a>, tools: &mut Tools, decision: &mut Decision<'a>) {
    note_robots(inquiry, decision);
    note_preference(inquiry, decision);
    let mut order = Order::default();
    while let Some(at) = decision.case.next_of_site(&mut order) {
        ask_document(inquiry, at, tools, decision);
    }
    if !(decision.survey.is_answered && is_explicit_denial(decision.reason))
        && let Some((index, document, text)) =
            unread::deciding(&decision.case, inquiry.on_site(), &mut tools.scratch)
    {
        decision.survey.is_answered = true;
        decision.conclude_at(Reason::UnreadRestriction, (index, document), text);
    }
    if !decision.survey.is_second {
        conclude_open(inquiry, decision);
    }
}

/// Records a denial of the robots.txt.
fn note_robots<'a>(inquiry: &Inquiry<'_, 'a>, decision: &mut Decision<'a>) {
    let denial = match inquiry.place {
        // Independent of the endpoint on the site.
        None => matches!(decision.case.robots, Robots::Unreachable)
            .then_some(Finding::of(Reason::RobotsUnreachable)),
        Some(_) => inquiry
            .on_site()
            .and_then(|place| ask_robots(&decision.case, place))
            .filter(Finding::is_explicit_denial),
    };
    if let Some(denial) = denial
        && decision.note_answer(denial.reason)
    {
        decision.conclude(denial);
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
                && decision
                    .case
                    .documents
                    .iter()
                    .any(has_restrictions_in_words)
        };
        let said = on_site.and_then(|place| ask_robots(&decision.case, place));
        decision.conclude(said.unwrap_or_else(|| {
            Finding::of(if words() {
                Reason::ProseOnly
            } else {
                Reason::NotStated
            })
        }));
    }
}

/// The finding of robots.txt: the one given as [`Robots`] and those among the documents. The first
/// denial, otherwise the first rule.
// Called twice, but cheap without a robots.txt.
fn ask_robots<'a>(case: &Case<'a>, place: &Place) -> Option<Finding<'a>> {
    let ask = |(robots, source): (RobotsTxt<'a>, Source)| {
        let verdict = robots.decide(case.request.agent.trim_ascii_start(), place.for_robots());
        let rule = verdict.rule?;
        let reason = if verdict.allowed {
            Reason::RobotsAllowed
        } else {
            Reason::RobotsDisallowed
        };
        Some(Finding {
            reason,
            rule: Some(Rule {
                text: rule.pattern,
                span: rule.span,
                source,
            }),
        })
    };
    let is_unreachable =
        matches!(case.robots, Robots::Unreachable) && place.path() != b"/robots.txt";
    let unreachable = is_unreachable.then_some(Finding::of(Reason::RobotsUnreachable));
    let found = robots_of(case).filter_map(ask);
    unreachable.into_iter().chain(found).reduce(|first, other| {
        if first.reason.is_allowed() && !other.reason.is_allowed() {
            other
        } else {
            first
        }
    })
}

/// Asks a document.
fn ask_document<'a>(
    inquiry: &Inquiry<'_, 'a>,
    at: At<'a>,
    tools: &mut Tools,
    decision: &mut Decision<'a>,
) {
    decision.survey.policy.read(at.1, decision.case.agent());
    look(inquiry, at, tools, decision);
    weigh(inquiry, at, tools, decision);
}

/// Records the finding of the document that was just read.
fn weigh<'a>(
    inquiry: &Inquiry<'_, 'a>,
    at: At<'a>,
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
            &mut tools.scratch,
        ),
        false => of_other(found),
    };
    survey.is_declared |= found.is_declared();
    if !survey.is_second {
        decision.agent = decision.agent.max(policy.binding);
        survey.is_exhausted |= has_zero(&policy.rate_limits) || has_zero(&limits_of(document));
    }
    if let Some((reason, text)) = said
        && decision.note_answer(reason)
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

/// The finding of an Internet-Draft document (sections 2.5 to 2.7), with the deciding text.
fn of_draft<'a>(
    case: &Case<'a>,
    document: &Document<'a>,
    on_site: Option<&Place>,
    (policy, found): (&Policy<'a>, &Found<'a>),
    scratch: &mut Scratch,
) -> Option<Said<'a>> {
    let refusal = match policy.name.filter(|_| !policy.is_unreadable()) {
        Some(name) => (Reason::CapabilityNotGranted, Some(name)),
        None => (Reason::Unreadable, None),
    };
    if let Target::Capability(id) = case.request.target
        && !policy.grants_id(id)
    {
        return Some(refusal);
    }
    let rules = on_site.map_or_else(Rules::default, |place| {
        Rules::of(document, policy, place, scratch)
    });
    if rules.unreadable {
        return Some((Reason::Unreadable, None));
    }
    if rules.disallowed.is_some() {
        return Some((Reason::Disallowed, rules.disallowed));
    }
    if found.refused && found.granted.is_none() {
        return Some(refusal);
    }
    if let Some((id, true)) = found.granted {
        return Some(match policy.binding {
            Binding::None => (Reason::NoAgentBlock, Some(id)),
            _ => (Reason::CapabilityGranted, Some(policy.naming(id))),
        });
    }
    if rules.allowed.is_some() {
        return Some((Reason::Allowed, rules.allowed));
    }
    if let Some((endpoint, _)) = found.granted {
        return Some((Reason::CapabilityEndpoint, Some(endpoint)));
    }
    // A rule that does not match says more than no rules at all; off the site, no rule counts.
    let is_open = on_site.is_none() || rules.has_allow || !rules.has_disallow;
    if is_open && found.other_method.is_some() {
        return Some((Reason::MethodNotDeclared, found.other_method));
    }
    on_site?;
    let reason = match rules {
        Rules {
            has_allow: true, ..
        } => Reason::NotListed,
        Rules {
            has_disallow: true, ..
        } => Reason::NotDisallowed,
        _ => Reason::NoAccessRules,
    };
    Some((reason, None))
}

/// A reason, with the deciding text if there is one.
type Said<'a> = (Reason, Option<Text<'a>>);

fn has_restrictions_in_words(document: &Document<'_>) -> bool {
    if !document.is(Format::AgentsMd) {
        return false;
    }
    let permissions = with_reading(document, |reading| reading.permissions());
    !permissions.cannot.is_empty() || !permissions.cannot_prose.is_empty()
}

impl<'a> Policy<'a> {
    /// The text of the policy that grants a capability: the item of its list, otherwise its name.
    fn naming(&self, id: Text<'a>) -> Text<'a> {
        let item = self
            .capabilities
            .as_ref()
            .and_then(|list| item_of(list, id));
        item.or(self.name).unwrap_or(id)
    }
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

/// The finding of the access rules: the longest match decides, and `Allow` wins a tie.
#[derive(Default)]
struct Rules<'a> {
    allowed: Option<Text<'a>>,
    disallowed: Option<Text<'a>>,
    has_allow: bool,
    has_disallow: bool,
    /// Some denying rules cannot be read.
    unreadable: bool,
}

impl<'a> Rules<'a> {
    fn of(
        document: &Document<'a>,
        policy: &Policy<'a>,
        place: &Place,
        scratch: &mut Scratch,
    ) -> Self {
        let (access, unreadable) = (access_of(document), unreadable(document));
        // What a policy allows, it allows its agent only; what it disallows, it disallows to all.
        let allow = access.allow.chain(policy.allow(document));
        let disallow = access.disallow.chain(disallowed_by_policies(document));
        let allow = longest(allow, place, false, scratch);
        let disallow = longest(disallow, place, true, scratch);
        let is_allowed = allow.specificity >= disallow.specificity;
        Self {
            allowed: if is_allowed { allow.text } else { None },
            disallowed: if is_allowed { None } else { disallow.text },
            has_allow: allow.any || unreadable.allow || policy.allows_any,
            has_disallow: disallow.any,
            unreadable: unreadable.disallow || (HAS_ESCAPES && disallow.too_long),
        }
    }
}

fn access_of<'a>(document: &Document<'a>) -> Access<'a> {
    with_reading(document, |reading| reading.access())
}

/// The matches of one kind of pattern.
#[derive(Default)]
struct Longest<'a> {
    /// The most specific match.
    text: Option<Text<'a>>,
    /// Its specificity; 0 without a match.
    specificity: usize,
    /// Whether there are any patterns.
    any: bool,
    /// Whether a pattern is too long to decode.
    too_long: bool,
}

/// Matches patterns. Empty ones are ignored, and a denying pattern that cannot match any path opens
/// nothing.
fn longest<'a>(
    patterns: impl Iterator<Item = Text<'a>>,
    place: &Place,
    forbids: bool,
    scratch: &mut Scratch,
) -> Longest<'a> {
    let mut found = Longest::default();
    for text in patterns {
        let raw = match text.is_escaped() {
            false => text.raw(),
            true => match text.decode(&mut scratch.text) {
                Ok(decoded) => decoded.as_bytes(),
                Err(_) => {
                    found.too_long = true;
                    continue;
                }
            },
        };
        let raw = crate::syntax::text::trim(raw);
        found.any |= if forbids {
            matches!(raw, [b'/' | b'*', ..])
        } else {
            !raw.is_empty()
        };
        let pattern = Pattern::new(raw);
        if place.is_matched_by(pattern) {
            // A matching pattern is not empty.
            let specificity = pattern.specificity();
            if specificity > found.specificity {
                (found.text, found.specificity) = (Some(text), specificity);
            }
        }
    }
    found
}

/// Whether a path is the location of a discovery document.
fn is_discovery(path: &[u8]) -> bool {
    const PLACES: &[u8] = b"/.well-known/agents.json /.well-known/agents.txt /agents.txt /.well-known/agents.md /agents.md /agent.json \
        /.well-known/agent.json /.well-known/agent /robots.txt";
    Pieces::of(PLACES, b' ').any(|place| place == path)
}
