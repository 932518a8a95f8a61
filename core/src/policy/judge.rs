//! The decision itself: what each document answers, and how the answers are put together.
//!
//! How it goes: the site and the place of the request are settled first, for a capability by choosing where it is called. Then the
//! robots.txt and every document give a [`Finding`] or are silent. The first explicit denial wins; without one, the first finding. What
//! would make the request impossible in spite of that (credentials that must not be sent, a limit of zero) comes last.

use core::ops::ControlFlow;

use super::place::{BUFFER, Place, Site};
use super::survey::{Base, Found, Policy, accepts, capabilities, look, protocol_of, takes_any_method, unreadable};
use super::workspace::{ORIGIN, Scratch, Tools, Workspace};
use super::{AuthNeed, Case, Credentials, Decision, Reason, Robots, Rule, Source, Target};
use crate::document::Document;
use crate::format::Format;
use crate::format::check::method::is_token;
use crate::format::robots_txt::{Binding, RobotsTxt, is_robots_file};
use crate::manifest::{Access, Capability, Kind, List, with_reading};
use crate::syntax::pattern::Pattern;
use crate::syntax::text::Text;
use crate::syntax::url::{Relation, Url};

/// What is found, and where it stands.
#[derive(Clone, Copy)]
struct Finding<'a> {
    reason: Reason,
    rule: Option<Rule<'a>>,
}

impl<'a> Finding<'a> {
    const fn of(reason: Reason) -> Self {
        Self { reason, rule: None }
    }

    /// With the text that decides.
    fn at(reason: Reason, (index, document): (usize, &Document<'a>), text: Text<'a>) -> Self {
        Self { reason, rule: Some(Rule { text, span: document.span_of(text.raw()), source: Source::Document(index) }) }
    }

    /// Whether a document or the robots.txt denies the request in so many words, rather than by not naming it.
    const fn is_explicit_denial(&self) -> bool {
        use Reason::{MethodNotDeclared, NoAccessRules, NotListed};
        !self.reason.is_allowed() && !matches!(self.reason, NotListed | NoAccessRules | MethodNotDeclared)
    }
}

/// Decides the case of a decision, in place: decisions are large.
pub(super) fn decide(decision: &mut Decision<'_>, workspace: &mut Workspace) {
    let case = decision.case;
    let finding = find(&case, workspace, decision);
    (decision.allowed, decision.reason, decision.rule) = (finding.reason.is_allowed(), finding.reason, finding.rule);
    if decision.allowed
        && let Some(reason) = obstacle(decision, workspace)
    {
        (decision.allowed, decision.reason, decision.rule) = (false, reason, None);
    }
}

/// What makes a request impossible that is allowed.
#[inline(never)] // So that the stack is not as deep as this and `find` together.
fn obstacle(decision: &Decision<'_>, workspace: &mut Workspace) -> Option<Reason> {
    if decision.advisory_limit_with(workspace).is_some_and(|limit| limit.requests == 0) {
        return Some(Reason::NoRequests);
    }
    match decision.credentials {
        Credentials::Insecure if decision.auth.need == AuthNeed::Required => Some(Reason::InsecureEndpoint),
        Credentials::NonAsciiHost if decision.auth.need == AuthNeed::Required => Some(Reason::UnverifiedHost),
        _ => None,
    }
}

#[inline(never)] // As above.
fn find<'a>(case: &Case<'a>, workspace: &mut Workspace, decision: &mut Decision<'a>) -> Finding<'a> {
    let given = case.request.method.map(|method| Text::plain(method.as_bytes()));
    if given.is_some_and(|method| method.is_empty() || !is_token(method.chars())) {
        return Finding::of(Reason::InvalidMethod);
    }
    let Workspace { site, place, origin, tools } = workspace;
    let Some(site) = site_of(case, site) else { return Finding::of(Reason::InvalidUrl) };
    let (mut inquiry, mut found) = (Inquiry { case, site, method: Some(given.unwrap_or(Text::plain(b"GET"))) }, None);
    match case.request.target {
        Target::Url(text) => match Place::of(text, &inquiry.site, place) {
            Ok(place) => found = Some(place),
            Err(_) => return Finding::of(Reason::InvalidUrl),
        },
        Target::Capability(_) => {
            let at = match choose(case, given, decision) {
                Ok((at, method)) => {
                    inquiry.method = method;
                    at
                }
                Err(finding) => return finding,
            };
            if let Some(endpoint) = decision.endpoint {
                found = place_of(case, at.1, &inquiry.site, endpoint, (place, origin, tools));
                if found.is_none() {
                    return Finding::at(Reason::InvalidEndpoint, at, endpoint);
                }
            }
        }
    }
    inquiry.of_place(found.as_mut(), tools, decision)
}

/// The site: as the caller says, else as the first document says of itself, else that of the URL that is asked for. `None` where what the
/// caller says is no origin.
#[inline(never)] // URLs are needed here that are not needed later.
pub(super) fn site_of<'u, 'a: 'u>(case: &Case<'a>, buffer: &'u mut [u8; ORIGIN]) -> Option<Site<'u>> {
    if let Some(origin) = case.request.origin {
        return Site::of(&Url::parse(origin.as_bytes())?, true);
    }
    if let Some((text, is_domain)) = case.declared {
        if !is_domain && !text.is_escaped() {
            if let Some(site) = Url::parse(text.raw()).and_then(|url| Site::of(&url, true)) {
                return Some(site);
            }
        } else if let Some(length) = put_origin(if is_domain { "https://" } else { "" }, text, buffer) {
            return Site::of(&Url::parse(buffer.get(..length)?)?, true);
        }
    }
    let asked = match case.request.target {
        Target::Url(text) => Url::parse(text.as_bytes()),
        Target::Capability(_) => None,
    };
    asked.and_then(|url| Site::of(&url, false)).or_else(|| Site::of(&Url::parse(b"https://site.invalid")?, false))
}

/// Puts the origin that a text names into a buffer, with something before it, and returns its length; `None` where it names none.
fn put_origin(front: &str, text: Text<'_>, buffer: &mut [u8; ORIGIN]) -> Option<usize> {
    let (mut length, mut slashes) = (0_usize, 0);
    for c in front.chars().chain(text.chars()) {
        slashes += u32::from(c == '/');
        // What follows the authority is no matter of the origin, but blanks are refused wherever they stand.
        if slashes == 3 || matches!(c, '?' | '#') {
            break;
        }
        let mut utf8 = [0; 4];
        for &octet in c.encode_utf8(&mut utf8).as_bytes() {
            *buffer.get_mut(length)? = octet;
            length = length.saturating_add(1);
        }
    }
    let is_url = !text.chars().any(|c| c.is_control() || c.is_whitespace());
    let site = Url::parse(buffer.get(..length)?).and_then(|url| Site::of(&url, true));
    site.filter(|_| is_url).map(|_| length)
}

/// Where an endpoint is that a document gives.
#[inline(never)] // URLs are needed here that are not needed later.
fn place_of<'a: 'p, 'p>(
    case: &Case<'a>,
    document: &Document<'a>,
    site: &Site<'p>,
    endpoint: Text<'_>,
    (buffer, origin, tools): (&'p mut [u8; BUFFER], &'p mut [u8; ORIGIN], &mut Tools),
) -> Option<Place<'p>> {
    let Tools { base, scratch } = tools;
    let url = Base::of(case, document, site, base).resolve(endpoint, scratch)?;
    // The origin is copied, so that the URL can be overwritten.
    let length = Site::of(&url, true)?.origin.len();
    let place = origin.get_mut(..length)?;
    place.iter_mut().zip(url.as_str().bytes()).for_each(|(place, octet)| *place = octet);
    Place::at(Url::parse(place)?.server(), url.as_str().as_bytes().get(length..)?, buffer).ok()
}

/// Whether a document speaks for the site.
pub(super) fn is_of_site(document: &Document<'_>) -> bool {
    !matches!(document.format(), Format::AdpSearch | Format::RobotsTxt) && kind_of(document) != Kind::Agent
}

/// Whom a document is about.
#[inline(never)] // The views of documents are large, and needed here alone.
pub(super) fn kind_of(document: &Document<'_>) -> Kind {
    with_reading(document, |reading| reading.head()).kind.value
}

/// What matters of the capability that is asked for by its id.
#[derive(Clone, Copy, Default)]
struct Chosen<'a> {
    id: Option<Text<'a>>,
    endpoint: Option<Text<'a>>,
    method: Option<Text<'a>>,
    via: Option<Text<'a>>,
    takes_any_method: bool,
    /// Whether it takes the method that is asked for.
    is_accepted: bool,
}

/// A document with its index.
type At<'a> = (usize, &'a Document<'a>);

/// Settles which capability is meant by its id, what it is called with, and where; and which document has it.
#[inline(never)] // Done before anything else is asked.
fn choose<'a>(case: &Case<'a>, given: Option<Text<'a>>, decision: &mut Decision<'a>) -> Result<(At<'a>, Option<Text<'a>>), Finding<'a>> {
    let mut chosen = Chosen::default();
    let mut documents = case.in_order().filter(|(_, document)| is_of_site(document));
    let Some(at) = documents.find(|(_, document)| chosen.look_in(case, document, given)) else {
        return Err(Finding::of(Reason::UnknownCapability));
    };
    if !chosen.is_accepted {
        return Err(Finding::at(Reason::MethodNotDeclared, at, chosen.id.unwrap_or_default()));
    }
    decision.capability = chosen.id;
    decision.method = chosen.method;
    decision.endpoint = match chosen.via {
        None => chosen.endpoint,
        Some(via) => match protocol_of(at.1, via) {
            Some(protocol) => protocol.url,
            None => return Err(Finding::at(Reason::UnknownProtocol, at, via)),
        },
    };
    let usual = if chosen.takes_any_method { None } else { Some(Text::plain(b"GET")) };
    Ok((at, given.or(chosen.method).or(usual)))
}

impl<'a> Chosen<'a> {
    /// Takes the first capability of a document that takes the method, else the first one; whether there is any.
    fn look_in(&mut self, case: &Case<'a>, document: &Document<'a>, method: Option<Text<'_>>) -> bool {
        capabilities(document).show(|capability| {
            if case.is_named(capability) {
                self.consider(capability, method);
            }
            if self.is_accepted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.id.is_some()
    }

    #[inline(never)] // What it needs is needed for few of those that are looked through.
    fn consider(&mut self, capability: &Capability<'a>, method: Option<Text<'_>>) {
        let is_accepted = accepts(capability, method);
        if self.id.is_none() || is_accepted {
            let Capability { id, endpoint, method, via, .. } = *capability;
            *self = Self { id, endpoint, method, via, takes_any_method: takes_any_method(capability), is_accepted };
        }
    }
}

/// A request whose site and method are known.
pub(super) struct Inquiry<'c, 'a, 'u> {
    pub(super) case: &'c Case<'a>,
    pub(super) site: Site<'u>,
    /// The method that is asked for; `None` where any will do.
    pub(super) method: Option<Text<'u>>,
}

impl<'a> Inquiry<'_, 'a, '_> {
    /// Asks about a place; about none where it is not known where a capability is called.
    fn of_place(&self, place: Option<&mut Place<'_>>, tools: &mut Tools, decision: &mut Decision<'a>) -> Finding<'a> {
        let (finding, is_declared) = self.ask(place.as_deref(), tools, Some(decision));
        let Some(place) = place else { return finding };
        let approved = self.relate(place, decision);
        if !self.is_on_site(place) {
            if !is_declared {
                return Finding::of(Reason::OtherOrigin);
            }
            if decision.relation.is_some_and(|relation| relation.relation == Relation::Other) {
                if !approved {
                    return Finding { reason: Reason::CrossOriginEndpoint, rule: finding.rule };
                }
                if finding.reason.is_allowed() {
                    return Finding { reason: Reason::ApprovedEndpoint, rule: finding.rule };
                }
            }
        }
        // What denies a place in its second reading, where it has one, counts as well.
        if !finding.is_explicit_denial() && place.turn_to_second_reading() {
            let (second, _) = self.ask(Some(place), tools, None);
            if second.is_explicit_denial() {
                return second;
            }
        }
        finding
    }

    /// Notes how the place relates to the site, and returns whether the user has approved it.
    #[inline(never)] // URLs are needed here that are not needed later.
    fn relate(&self, place: &Place<'_>, decision: &mut Decision<'a>) -> bool {
        let approved = self.case.request.approved.urls().any(|approved| Url::parse(approved).is_some_and(|url| place.is_at(&url)));
        if self.site.known {
            decision.relation = Some(self.site.relation(place));
        }
        decision.credentials = Credentials::to(&self.site, place, approved);
        approved
    }

    fn is_on_site(&self, place: &Place<'_>) -> bool {
        self.site.server.is_same_as(&place.server)
    }

    /// Asks the robots.txt and every document. Besides: whether any document declares the place as an endpoint, or what is asked for by its id.
    #[inline(never)] // Asked twice.
    fn ask(&self, place: Option<&Place<'_>>, tools: &mut Tools, mut decision: Option<&mut Decision<'a>>) -> (Finding<'a>, bool) {
        let on_site = place.filter(|place| self.is_on_site(place));
        let mut answer = on_site.and_then(|place| self.ask_robots(place)).filter(|finding| !finding.reason.is_allowed());
        if place.is_none() && matches!(self.case.robots, Robots::Unreachable) {
            // Wherever on the site it is called.
            answer = Some(Finding::of(Reason::RobotsUnreachable));
        }
        let mut is_declared = false;
        for (index, document) in self.case.in_order().filter(|(_, document)| is_of_site(document)) {
            let (finding, declares) = self.ask_document((index, document), place, tools, decision.as_deref_mut());
            is_declared |= declares;
            if let Some(finding) = finding
                && answer.is_none_or(|answer| finding.is_explicit_denial() && !answer.is_explicit_denial())
            {
                answer = Some(finding);
            }
        }
        let is_implicit = answer.is_none_or(|answer| matches!(answer.reason, Reason::NotListed | Reason::NoAccessRules));
        if is_implicit && on_site.is_some_and(|place| is_discovery(place.path())) && self.method.is_some_and(is_get) {
            return (Finding::of(Reason::DiscoveryDocument), is_declared);
        }
        let words = || self.case.documents.iter().any(has_restrictions_in_words);
        let answer = answer
            .or_else(|| on_site.and_then(|place| self.ask_robots(place)))
            .unwrap_or_else(|| Finding::of(if words() { Reason::ProseOnly } else { Reason::NotStated }));
        (answer, is_declared)
    }

    /// What the robots.txt says, the one that was given as such and those among the documents; the first denial, else the first rule.
    #[inline(never)] // Asked twice.
    fn ask_robots(&self, place: &Place<'_>) -> Option<Finding<'a>> {
        let ask = |robots: RobotsTxt<'a>, source: Source| {
            let verdict = robots.decide(self.case.request.agent.trim_ascii_start(), place.for_robots());
            let rule = verdict.rule?;
            let reason = if verdict.allowed { Reason::RobotsAllowed } else { Reason::RobotsDisallowed };
            Some(Finding { reason, rule: Some(Rule { text: rule.pattern, span: rule.span, source }) })
        };
        let given = match self.case.robots {
            Robots::Found(robots) if Format::RobotsTxt.is_built_in() => ask(robots, Source::Robots),
            Robots::Found(_) | Robots::NotAsked | Robots::Absent => None,
            Robots::Unreachable => (!is_robots_file(place.for_robots())).then_some(Finding::of(Reason::RobotsUnreachable)),
        };
        let among = self.case.documents.indexed().filter_map(|(index, document)| ask(document.robots_txt()?, Source::Document(index)));
        given
            .into_iter()
            .chain(among)
            .reduce(|first, other| if first.reason.is_allowed() && !other.reason.is_allowed() { other } else { first })
    }

    /// What a document says, and whether it declares the place or the capability.
    #[inline(never)] // So that the stack is not as deep as all that is asked together.
    fn ask_document(
        &self,
        (index, document): (usize, &Document<'a>),
        place: Option<&Place<'_>>,
        tools: &mut Tools,
        mut decision: Option<&mut Decision<'a>>,
    ) -> (Option<Finding<'a>>, bool) {
        let policy = Policy::of(document, self.case.token());
        if let Some(decision) = &mut decision {
            decision.agent = decision.agent.max(policy.binding);
        }
        let found = look(self, place, (index, document), &policy, tools, decision);
        let declares = found.granted.is_some() || found.refused || found.other_method.is_some() || found.protocol.is_some();
        let said = match document.format() {
            Format::AgentsTxt | Format::AgentsJson => self.of_draft(document, place, &policy, &found, &mut tools.scratch),
            _ => of_other(&found),
        };
        let finding = said.map(|(reason, text)| match text {
            Some(text) => Finding::at(reason, (index, document), text),
            None => Finding::of(reason),
        });
        (finding, declares)
    }

    /// What a document of the Internet-Draft says (sections 2.5 to 2.7), and the text that decides.
    #[inline(never)] // As above.
    fn of_draft(
        &self,
        document: &Document<'a>,
        place: Option<&Place<'_>>,
        policy: &Policy<'a>,
        found: &Found<'a>,
        scratch: &mut Scratch,
    ) -> Option<Said<'a>> {
        let refusal = match policy.name.filter(|_| !policy.is_unreadable) {
            Some(name) => (Reason::CapabilityNotGranted, Some(name)),
            None => (Reason::Unreadable, None),
        };
        if let Target::Capability(id) = self.case.request.target
            && !policy.grants_id(id)
        {
            return Some(refusal);
        }
        let on_site = place.filter(|place| self.is_on_site(place));
        let rules = on_site.map_or_else(Rules::default, |place| Rules::of(document, place, scratch));
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
        // Rules that are there but do not match say more than that there are none; off the site, there are none that count.
        let is_open = on_site.is_none() || rules.has_allow || !rules.has_disallow;
        if is_open && found.other_method.is_some() {
            return Some((Reason::MethodNotDeclared, found.other_method));
        }
        on_site?;
        let reason = match rules {
            Rules { has_allow: true, .. } => Reason::NotListed,
            Rules { has_disallow: true, .. } => Reason::NotDisallowed,
            _ => Reason::NoAccessRules,
        };
        Some((reason, None))
    }
}

/// A reason, and the text that decides, where one does.
type Said<'a> = (Reason, Option<Text<'a>>);

#[inline(never)] // The views of documents are large, and needed here alone.
fn has_restrictions_in_words(document: &Document<'_>) -> bool {
    !with_reading(document, |reading| reading.permissions()).cannot.is_empty()
}

impl<'a> Policy<'a> {
    /// What in the policy grants a capability: the item of its list, else its name.
    fn naming(&self, id: Text<'a>) -> Text<'a> {
        let item = self.capabilities.and_then(|mut list| list.find(|item| *item == id));
        item.or(self.name).unwrap_or(id)
    }
}

/// What a document says that has neither access rules nor policies for agents.
fn of_other<'a>(found: &Found<'a>) -> Option<Said<'a>> {
    if found.is_down {
        return Some((Reason::NotOperational, None));
    }
    match (found.granted, found.protocol) {
        (Some((id, true)), _) => Some((Reason::CapabilityDeclared, Some(id))),
        (Some((endpoint, false)), _) => Some((Reason::CapabilityEndpoint, Some(endpoint))),
        (None, Some(url)) => Some((Reason::ProtocolEndpoint, Some(url))),
        (None, None) => found.other_method.map(|text| (Reason::MethodNotDeclared, Some(text))),
    }
}

/// What the access rules of a document say of a place: the longest match decides, and `Allow` wins a tie.
#[derive(Default)]
struct Rules<'a> {
    allowed: Option<Text<'a>>,
    disallowed: Option<Text<'a>>,
    has_allow: bool,
    has_disallow: bool,
    /// Some of what forbids cannot be read.
    unreadable: bool,
}

impl<'a> Rules<'a> {
    fn of(document: &Document<'a>, place: &Place<'_>, scratch: &mut Scratch) -> Self {
        let (access, unreadable) = (access_of(document), unreadable(document));
        let (allow, has_allow, _) = longest(access.allow, place, false, scratch);
        let (disallow, has_disallow, too_long) = longest(access.disallow, place, true, scratch);
        let is_allowed = match (allow, disallow) {
            (Some((_, allow)), Some((_, disallow))) => allow >= disallow,
            (allow, _) => allow.is_some(),
        };
        Self {
            allowed: allow.map(|(text, _)| text).filter(|_| is_allowed),
            disallowed: disallow.map(|(text, _)| text).filter(|_| !is_allowed),
            has_allow: has_allow || unreadable.allow,
            has_disallow,
            unreadable: unreadable.disallow || too_long,
        }
    }
}

#[inline(never)] // The views of documents are large, and needed here alone.
fn access_of<'a>(document: &Document<'a>) -> Access<'a> {
    with_reading(document, |reading| reading.access())
}

/// The most specific pattern that matches; whether there are any; whether one is too long to be decoded. Empty patterns are none, and of
/// those that forbid, one that cannot match a path opens nothing.
#[inline(never)] // Asked twice.
fn longest<'a>(
    patterns: List<'a, Text<'a>>,
    place: &Place<'_>,
    forbids: bool,
    scratch: &mut Scratch,
) -> (Option<(Text<'a>, usize)>, bool, bool) {
    let (mut best, mut any, mut too_long): (Option<(Text<'a>, usize)>, _, _) = (None, false, false);
    for text in patterns {
        let raw = match text.is_escaped() {
            false => text.raw(),
            true => match text.decode(&mut scratch.text) {
                Ok(decoded) => decoded.as_bytes(),
                Err(_) => {
                    too_long = true;
                    continue;
                }
            },
        };
        let raw = crate::syntax::text::trim(raw);
        any |= if forbids { matches!(raw, [b'/' | b'*', ..]) } else { !raw.is_empty() };
        let pattern = Pattern::new(raw);
        if place.is_matched_by(pattern) {
            let specificity = pattern.specificity();
            if best.is_none_or(|(_, known)| specificity > known) {
                best = Some((text, specificity));
            }
        }
    }
    (best, any, too_long)
}

fn is_get(method: Text<'_>) -> bool {
    method.eq_ignore_case("GET") || method.eq_ignore_case("HEAD")
}

/// Whether a path is one of those where discovery looks.
fn is_discovery(path: &[u8]) -> bool {
    const PLACES: [&[u8]; 9] = [
        b"/.well-known/agents.json",
        b"/.well-known/agents.txt",
        b"/agents.txt",
        b"/.well-known/agents.md",
        b"/agents.md",
        b"/agent.json",
        b"/.well-known/agent.json",
        b"/.well-known/agent",
        b"/robots.txt",
    ];
    PLACES.contains(&path)
}
