//! Translates the statements of other formats into the terms of the Internet-Draft.
//!
//! | source | target |
//! | --- | --- |
//! | authentication for the whole service | authentication of each capability that it covers; of all capabilities if that is unknown |
//! | `via` an endpoint of another protocol | endpoint and protocol of that entry |
//! | an MCP, A2A, GraphQL or WebSocket endpoint, and no capabilities | a capability with the name of the protocol; left out if an agents.md declares the endpoint on another site than the origin |
//! | a path as endpoint | its URL on the site |
//! | a parameter without a location | the path if it contains the name in braces, the query for GET, HEAD and DELETE, otherwise the body |
//! | rate limits of the whole document | rate limits of `Agent: *` |
//! | the groups for `*` in a robots.txt | access rules, and the rate limit of `Agent: *` (`robots.rs`) |
//! | a capability that needs a person, may be destructive, or cannot be called | left out, because the draft cannot express this (`guard.rs`) |
//!
//! Data that every capability needs is collected once, so that the conversion is linear. At most
//! [`ENTRIES`] and [`NAMES`] items are collected; if there are more, the restrictive reading
//! applies.

use super::guard;
use super::loss::{Part, Reason};
use super::out::{Name, Out};
use crate::diagnostic::Severity::{self, Error, Info, Warning};
use crate::format::{Format, a2a};
use crate::model::{
    AuthType, Capability, CapabilityAuth, Choice, Endpoint, List, Location, Member, Parameter,
    Protocol, RateLimit, Raw, Reading, ServiceAuth,
};
use crate::rules::urls::is_rooted;
use crate::span::Span;
use crate::syntax::json;
use crate::syntax::text::Text;
use crate::syntax::url::{self, Relation, Url, relation};

/// The largest number of endpoints of other protocols that are collected.
const ENTRIES: usize = 16;

/// The largest number of capabilities with authentication that are collected.
const NAMES: usize = 64;

/// The source of a conversion.
pub(super) struct Source<'a, 'r> {
    pub(super) reading: &'r dyn Reading<'a>,
    pub(super) format: Format,
    /// Whether the source is of the Internet-Draft itself.
    pub(super) is_draft: bool,
    /// Whether restrictions that the target cannot express may be dropped.
    pub(super) loosen: bool,
    pub(super) auth: Option<ServiceAuth<'a>>,
    /// Whether a member outside of the capabilities seems to state the authentication of those that
    /// state none.
    pub(super) has_unread_auth: bool,
    /// Capabilities that need authentication according to the list of the service. `more_required`
    /// states whether there may be more, because the list is longer or cannot be read.
    required_for: heapless::Vec<Text<'a>, NAMES>,
    more_required: bool,
    /// The first endpoints of other protocols that have a name.
    entries: heapless::Vec<Entry<'a>, ENTRIES>,
    /// Whether the source has more endpoints than `entries`. Then the last endpoint with a name may
    /// be missing in `entries`, so no endpoint is found by its name.
    more_entries: bool,
    /// For an agent card, the index of the interface that callers use; the others are not
    /// converted. Out of range if there is none. `None` for other formats, whose endpoints are all
    /// used.
    only: Option<u32>,
    /// Whether the service is down, or its status cannot be read.
    pub(super) is_down: bool,
    /// The site's URL as written.
    url: Option<Text<'a>>,
    /// The host of the origin that the caller passed, if any.
    host: Option<&'r str>,
    pub(super) has_capabilities: bool,
    /// The position of the `metadata` object of an agents.json, whose names have no meaning.
    own_metadata: Span,
    /// The URL of the site, made from its domain or from the origin, if the document does not state
    /// a URL.
    site: heapless::String<300>,
}

/// An endpoint of another protocol.
struct Entry<'a> {
    name: Text<'a>,
    url: Option<Text<'a>>,
    protocol: Choice<'a, Protocol>,
}

/// A capability in the terms of the draft. The buffer holds its endpoint if that was resolved.
pub(super) struct Adapted<'a> {
    pub(super) capability: Capability<'a>,
    buffer: [u8; url::BUFFER],
    length: usize,
}

impl<'a> Adapted<'a> {
    /// The resolved endpoint; `None` if the endpoint stays as written.
    pub(super) fn endpoint(&self) -> Option<&str> {
        if self.length == 0 {
            None
        } else {
            core::str::from_utf8(self.buffer.get(..self.length)?).ok()
        }
    }

    /// Writes the endpoint: resolved, or as written.
    pub(super) fn put_endpoint(&self, out: &mut Out<'_, 'a>, name: &Name) {
        match self.endpoint() {
            Some(endpoint) => out.put(name, Text::plain(endpoint.as_bytes())),
            None => drop(out.text(name, self.capability.endpoint, Error)),
        }
    }
}

impl<'a, 'r> Source<'a, 'r> {
    pub(super) fn new(
        reading: &'r dyn Reading<'a>,
        format: Format,
        loosen: bool,
        origin: Option<&'r str>,
        own_metadata: Span,
    ) -> Self {
        let is_draft = matches!(format, Format::AgentsTxt | Format::AgentsJson);
        let mut site = heapless::String::new();
        if !is_draft {
            let domain = reading.service().and_then(|service| service.domain);
            let whole = match (domain.filter(|domain| is_host(*domain)), origin) {
                (Some(domain), _) => site
                    .push_str("https://")
                    .and_then(|()| domain.chars().try_for_each(|c| site.push(c))),
                // A path is not part of an origin, and a host with user information is rejected.
                (None, Some(origin)) => match Url::parse(origin.as_bytes())
                    .filter(|origin| origin.is_http() && !origin.has_userinfo())
                {
                    Some(origin) => site.push_str(origin.origin()),
                    None => Ok(()),
                },
                (None, None) => Ok(()),
            };
            if whole.is_err() || Url::parse(site.as_bytes()).is_none() {
                site.clear();
            }
        }
        let auth = reading.auth();
        let mut required_for = heapless::Vec::new();
        let mut more_required = format == Format::Awp && auth.as_ref().is_some_and(is_unreadable);
        for name in auth.iter().flat_map(|auth| auth.required_for) {
            more_required |= required_for.push(name).is_err();
        }
        let mut entries = heapless::Vec::new();
        let only = (format == Format::A2aAgentCard).then(|| {
            let used = reading.endpoints().position(|one| a2a::has_url(&one));
            used.map_or(u32::MAX, |index| index as u32)
        });
        let used = reading.endpoints().zip(0..);
        let used = used.filter(|(_, index)| only.is_none_or(|only| only == *index));
        let mut named = used.filter_map(|(one, _)| {
            Some(Entry { name: one.protocol.text?, url: one.url, protocol: one.protocol })
        });
        named.by_ref().take(ENTRIES).for_each(|entry| drop(entries.push(entry)));
        let more_entries = named.next().is_some();
        Self {
            reading,
            format,
            is_draft,
            loosen,
            auth,
            has_unread_auth: false,
            required_for,
            more_required,
            entries,
            more_entries,
            only,
            is_down: guard::is_down(reading, format),
            url: reading.service().and_then(|service| service.url),
            host: origin
                .and_then(|origin| Url::parse(origin.as_bytes()))
                .map(|origin| origin.host()),
            has_capabilities: !reading.capabilities().is_empty(),
            own_metadata,
            site,
        }
    }

    /// The URL of the site from its domain or the origin; empty if neither is known. For other
    /// documents than those of the Internet-Draft.
    pub(super) fn site_url(&self) -> &str {
        &self.site
    }

    pub(super) fn is_robots(&self) -> bool {
        self.format == Format::RobotsTxt
    }

    /// The capabilities with their path in the source. If there are none, the capabilities that are
    /// made from endpoints.
    pub(super) fn capabilities(&self) -> impl Iterator<Item = (Part, Capability<'a>)> {
        let endpoints = if self.is_draft || self.has_capabilities {
            List::empty()
        } else {
            self.reading.endpoints()
        };
        let endpoints = endpoints.zip(0..).filter(|(_, index)| self.is_used(*index));
        let made = endpoints.filter_map(|(endpoint, index)| {
            Some((Part::item("endpoints", index), of_endpoint(&endpoint)?))
        });
        self.reading
            .capabilities()
            .zip(0..)
            .map(|(one, index)| (Part::item("capabilities", index), one))
            .chain(made)
    }

    /// Whether the endpoint with this index is used.
    pub(super) fn is_used(&self, index: u32) -> bool {
        self.only.is_none_or(|only| only == index)
    }

    /// The severity of the loss of a restriction.
    pub(super) const fn severity(&self) -> Severity {
        if self.loosen { Warning } else { Error }
    }

    /// Translates a capability, and reports the changes.
    pub(super) fn adapt(&self, out: &mut Out<'_, 'a>, capability: &Capability<'a>) -> Adapted<'a> {
        let mut adapted = Adapted { capability: *capability, buffer: [0; url::BUFFER], length: 0 };
        let one = &mut adapted.capability;
        if self.is_draft {
            one.auth = one.auth.or(self.has_unread_auth.then(CapabilityAuth::unreadable));
            return adapted;
        }
        if let Some(via) = one.via {
            let found = self.entry(via);
            if let Some(entry) = found {
                // The endpoint of the protocol replaces the endpoint of the action.
                out.lose_text("endpoint", one.endpoint, Reason::OnlyOne, Warning);
                one.endpoint = entry.url;
            }
            let found = found.filter(|entry| entry.url.is_some());
            one.protocol = found.map(|entry| entry.protocol).or(one.protocol);
            let reason = if found.is_some() { Reason::Changed } else { Reason::NoPlace };
            let severity = if found.is_some() { Info } else { Warning };
            out.lose_text("via", Some(via), reason, severity);
        }
        if one.protocol.is_none() && one.endpoint.is_some() {
            one.protocol = Some(Choice::implied(Protocol::Rest));
        }
        one.auth = self.auth_of(one);
        if capability.auth_required.is_some() {
            out.lose(Part::object("auth_required"), Reason::Changed, Info, out.place);
        }
        if let Some(endpoint) = one.endpoint
            && let Some(length) = self.absolute(endpoint, &mut adapted.buffer)
        {
            adapted.length = length;
            out.lose_text(
                "endpoint",
                capability.endpoint.filter(|own| *own == endpoint),
                Reason::Changed,
                Info,
            );
        }
        adapted
    }

    /// The protocol by which a capability is called, if that is known.
    pub(super) fn protocol_of(&self, capability: &Capability<'a>) -> Option<Protocol> {
        let through = capability.via.and_then(|via| self.entry(via)).map(|entry| entry.protocol);
        through.or(capability.protocol).map(|protocol| protocol.value)
    }

    /// The last endpoint with this name. `None` if there are too many endpoints to know which one
    /// is the last.
    fn entry(&self, name: Text<'_>) -> Option<&Entry<'a>> {
        self.entries.iter().rev().find(|entry| entry.name == name).filter(|_| !self.more_entries)
    }

    /// Whether a capability is called via a protocol without a usable endpoint: the document does
    /// not declare the protocol, its endpoint is not a URL, or its last declaration is unknown.
    pub(super) fn is_via_nothing(&self, capability: &Capability<'a>) -> bool {
        capability.via.is_some_and(|via| {
            self.entry(via).is_none_or(|entry| {
                let is_no_url = |url| is_rooted(url) || is_empty(&url);
                self.format == Format::Awp && entry.url.is_some_and(is_no_url)
            })
        })
    }

    /// Whether an endpoint is a path in an Agent Discovery Protocol document without a valid
    /// `base_url`.
    #[inline(never)] // Its buffer is gone before the next one is needed.
    pub(super) fn is_nowhere(&self, endpoint: Option<Text<'_>>) -> bool {
        if self.format == Format::OpenApi {
            return endpoint
                .is_some_and(|own| self.at_server(own, &mut [0; url::BUFFER]).is_none());
        }
        let Some(endpoint) = endpoint.filter(|_| self.format == Format::Adp) else {
            return false;
        };
        let mut decoded = [0; url::BUFFER];
        self.api(endpoint, &mut decoded).is_none_or(|(api, reference)| {
            api.is_none() && Url::parse(reference.as_bytes()).is_none()
        })
    }

    /// The base URL of the API, if it is valid, and the endpoint of a capability, both decoded.
    /// `None` if the buffer is too small.
    fn api<'b>(
        &self,
        endpoint: Text<'b>,
        decoded: &'b mut [u8; url::BUFFER],
    ) -> Option<(Option<Url<'b>>, &'b str)>
    where
        'a: 'b,
    {
        let (front, back) = decoded.split_at_mut_checked(url::BUFFER / 2)?;
        let api = self.url.and_then(|written| Url::of(written, front)).filter(Url::is_http);
        let reference = match endpoint.as_str() {
            Some(text) => text,
            None => endpoint.decode(back).ok()?,
        };
        Some((api, reference))
    }

    /// Appends the path of an operation to the URL of the server. `None` if the server is not known.
    #[inline(never)] // Its buffers are gone before the next ones are needed.
    fn at_server(&self, path: Text<'_>, buffer: &mut [u8; url::BUFFER]) -> Option<usize> {
        let (mut written, mut resolved) = ([0; 512], [0; url::BUFFER]);
        let mut decoded = [0; url::BUFFER];
        let written = self.reading.base(&mut written)?;
        let base = match Url::parse(written.as_bytes()) {
            Some(base) => base,
            None => {
                let site = Url::parse(self.site.as_bytes())?;
                let written = Text::plain(written.as_bytes());
                Url::parse(url::resolve(&site, written, &mut resolved).ok()?.as_bytes())?
            }
        };
        let path = path.decode(&mut decoded).ok().filter(|path| path.starts_with('/'))?;
        let base = Some(base).filter(Url::is_http)?;
        crate::format::adp::append_to(&base, path, true, buffer).ok().map(str::len)
    }

    /// Resolves a path: writes its URL into `buffer`, and returns the length. `None` if the
    /// endpoint is not a path or cannot be resolved.
    pub(super) fn absolute(
        &self,
        endpoint: Text<'_>,
        buffer: &mut [u8; url::BUFFER],
    ) -> Option<usize> {
        if self.format == Format::OpenApi {
            return self.at_server(endpoint, buffer);
        }
        // A reference with its own authority or scheme stays unchanged; the check reports it.
        let mut start = endpoint.chars();
        let is_rooted = start.next() == Some('/');
        if is_rooted && matches!(start.next(), Some('/' | '\\')) {
            return None;
        }
        let mut decoded = [0; url::BUFFER];
        #[cfg(feature = "adp")]
        if self.format == Format::Adp {
            let (api, reference) = self.api(endpoint, &mut decoded)?;
            if reference.is_empty() || Url::parse(reference.as_bytes()).is_some() {
                return None;
            }
            // ADP appends paths, where RFC 3986 replaces them.
            return crate::format::adp::append(&api?, reference, buffer).ok().map(str::len);
        }
        if !is_rooted {
            return None;
        }
        let base = match self.url {
            Some(written) if written.raw().len() > url::BUFFER => return None,
            Some(written) => Url::of(written, &mut decoded)?,
            None => Url::parse(self.site.as_bytes())?,
        };
        url::resolve(&base, endpoint, buffer).ok().map(str::len)
    }

    /// The authentication of a capability. If two members disagree or one cannot be read, the
    /// stricter reading applies.
    pub(super) fn auth_of(&self, capability: &Capability<'a>) -> Option<CapabilityAuth<'a>> {
        let required = match (capability.auth_required, &self.auth) {
            (Some(false), _) => self.is_required(capability.id),
            (Some(true), _) => true,
            (None, Some(auth)) => {
                auth.kind.value != AuthType::None || self.is_required(capability.id)
            }
            (None, None) => self.has_unread_auth && capability.auth.is_none(),
        };
        let unknown = CapabilityAuth::unreadable();
        // A skill may inherit the authentication of its card; that of the service has more details.
        let is_of_card = self.format == Format::A2aAgentCard && required;
        let own = capability.auth.filter(|own| !(is_of_card && own.source.is_empty()));
        match (own, &self.auth) {
            (Some(own), Some(service)) => {
                Some(CapabilityAuth { token_url: own.token_url.or(service.token_url), ..own })
            }
            (Some(own), None) => Some(own),
            (None, Some(service)) if required && service.kind.value != AuthType::None => {
                Some(CapabilityAuth {
                    kind: service.kind,
                    token_url: service.token_url,
                    docs_url: service.setup_url,
                    scopes: service.scopes,
                    ..unknown
                })
            }
            (None, _) if required => Some(unknown),
            (None, _) => None,
        }
    }

    /// Whether the target can express a parameter of an operation of OpenAPI: where it is sent, and its
    /// type. True for other formats.
    pub(super) fn fits(
        &self,
        capability: &Capability<'a>,
        parameter: &Parameter<'a>,
        target: Format,
    ) -> bool {
        if self.format != Format::OpenApi {
            return true;
        }
        let (Some(_), Some(place), Some(kind)) =
            (parameter.name, parameter.location, parameter.kind)
        else {
            return false;
        };
        if target == Format::Awp {
            // It has no locations: what is not in the path is in the query of GET, or in the body.
            let is_get = { capability.method }.is_some_and(|own| own == "GET" || own == "HEAD");
            let usual = if is_get { Location::Query } else { Location::Body };
            return place.value == Location::Path || place.value == usual;
        }
        let kinds = ["string", "integer", "number", "boolean"];
        // A body of JSON has values of any type.
        let is_value = target == Format::Adp && place.value == Location::Body;
        place.value != Location::Unknown && (is_value || kinds.iter().any(|own| kind == **own))
    }

    /// Whether the target can express what a call of an operation needs.
    pub(super) fn can_call(&self, capability: &Capability<'a>, target: Format) -> bool {
        let is_needed = |own: &Parameter<'_>| own.required == Some(true) || own.name.is_none();
        self.format != Format::OpenApi || { capability.parameters }
            .all(|own| !is_needed(&own) || self.fits(capability, &own, target))
    }

    /// Whether a member in the metadata of an agents.json is an unreadable restriction. Members of
    /// its own `metadata` object are not, because their names have no meaning.
    pub(super) fn is_unreadable(&self, one: &Member<'_>, bytes: &[u8]) -> bool {
        let (at, own) = (Span::of(one.name.raw(), bytes).start, self.own_metadata);
        self.format == Format::AgentsJson
            && (at < own.start || at >= own.end)
            && match one.value {
                // An `agents` object is readable, even if one of its policies is not an object.
                Raw::Json(value) if one.name == *"agents" => value.kind() != json::Kind::Object,
                _ => ["access", "agents", "allow", "disallow"].iter().any(|name| one.name == *name),
            }
    }

    /// Whether the list of the service names a capability, or may name it.
    fn is_required(&self, id: Option<Text<'_>>) -> bool {
        self.more_required || self.required_for.iter().any(|name| id.is_none_or(|id| *name == id))
    }

    /// Whether agents refuse an endpoint because agents.md allows only endpoints on its own site.
    /// False if the origin is unknown.
    pub(super) fn is_foreign(&self, endpoint: Option<Text<'_>>) -> bool {
        let (Format::AgentsMd, Some(host), Some(endpoint)) = (self.format, self.host, endpoint)
        else {
            return false;
        };
        let mut decoded = [0; url::BUFFER];
        // A relative reference is on the site.
        Url::of(endpoint, &mut decoded)
            .is_some_and(|endpoint| relation(host, endpoint.host()).relation == Relation::Other)
    }
}

/// Whether an endpoint is blank. Unreadable endpoints are blank.
pub(super) fn is_empty(endpoint: &Text<'_>) -> bool {
    endpoint.is_blank()
}

/// The id of a capability in lower case, with a joint between its words: with `-`, `createUser`
/// becomes `create-user`, and `GET /users/{id}` becomes `get-users-id`. `None` if it has this form,
/// is longer than 128 bytes then, or has no such letters.
pub(super) fn joined(id: Text<'_>, joint: char) -> Option<heapless::String<128>> {
    let mut buffer = heapless::String::new();
    let (mut is_joint, mut was_lower, mut is_whole) = (false, false, true);
    for c in id.chars() {
        if !c.is_ascii_alphanumeric() {
            is_joint = !buffer.is_empty();
            continue;
        }
        if (is_joint || was_lower && c.is_ascii_uppercase()) && !buffer.is_empty() {
            is_whole &= buffer.push(joint).is_ok();
        }
        is_whole &= buffer.push(c.to_ascii_lowercase()).is_ok();
        (is_joint, was_lower) = (false, !c.is_ascii_uppercase());
    }
    (is_whole && !buffer.is_empty() && id != *buffer.as_str()).then_some(buffer)
}

/// Whether a text is a host, optionally with a port.
fn is_host(text: Text<'_>) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':'))
}

/// The capability for an endpoint of another protocol.
pub(super) fn of_endpoint<'a>(endpoint: &Endpoint<'a>) -> Option<Capability<'a>> {
    let id = match endpoint.protocol.value {
        Protocol::Mcp => "mcp",
        Protocol::A2a => "a2a",
        Protocol::GraphQl => "graphql",
        Protocol::WebSocket => "websocket",
        _ => return None,
    };
    let url = endpoint.url.filter(|url| !is_empty(url))?;
    let auth = endpoint.auth.map(|kind| CapabilityAuth {
        kind,
        token_url: None,
        docs_url: None,
        scopes: List::empty(),
        metadata: List::empty(),
        source: b"",
    });
    let protocol = Some(Choice::implied(endpoint.protocol.value));
    Some(Capability {
        id: Some(Text::plain(id.as_bytes())),
        endpoint: Some(url),
        protocol,
        auth,
        ..Capability::default()
    })
}

/// The location of a parameter that states none, as the Agent Discovery Protocol defines it.
/// Endpoints of more than 512 bytes are not searched, because this runs for every parameter.
pub(super) fn implied_location(
    capability: &Capability<'_>,
    parameter: &Parameter<'_>,
) -> Option<Location> {
    let endpoint = capability
        .endpoint
        .filter(|_| capability.protocol.is_some_and(|protocol| protocol.value == Protocol::Rest))?;
    let mut rest = endpoint.chars();
    while endpoint.raw().len() <= 512 && rest.any(|c| c == '{') {
        let (mut segment, mut name) = (rest, parameter.name?.chars());
        if name.all(|c| segment.next() == Some(c)) && segment.next() == Some('}') {
            return Some(Location::Path);
        }
    }
    let in_query =
        |method: Text<'_>| ["GET", "HEAD", "DELETE"].iter().any(|name| method.eq_ignore_case(name));
    Some(if capability.method.is_none_or(in_query) { Location::Query } else { Location::Body })
}

/// The limit that allows the fewest requests over time, with its index.
pub(super) fn strictest<'a>(limits: List<'a, RateLimit<'a>>) -> Option<(u32, RateLimit<'a>)> {
    let seconds = |limit: &RateLimit<'_>| u64::from(limit.window.value.seconds().unwrap_or(1));
    let mut best: Option<(u32, RateLimit<'a>)> = None;
    for (limit, index) in limits.zip(0..) {
        let fewer = |best: &RateLimit<'_>| {
            u64::from(limit.requests).saturating_mul(seconds(best))
                < u64::from(best.requests).saturating_mul(seconds(&limit))
        };
        if best.is_none_or(|(_, best)| fewer(&best)) {
            best = Some((index, limit));
        }
    }
    best
}

/// Whether it is unknown which actions need authentication: the list is unreadable, or the whole
/// `auth` member is. An `auth` object without readable members has metadata; one that is not an
/// object has none.
fn is_unreadable(auth: &ServiceAuth<'_>) -> bool {
    let nothing_read = auth.kind.text.is_none()
        && auth.kind.value != AuthType::None
        && auth.required_for.is_empty();
    (nothing_read && auth.metadata.is_empty())
        || auth.metadata.into_iter().any(|one| one.name == "required_for")
}
