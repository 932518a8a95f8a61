//! Writes agents.txt and agents.json of the Internet-Draft from the unified model.
//!
//! Both notations have the same content, so one walk with a table of names writes either. Members
//! that the draft lacks, and text that a line cannot hold, are reported as losses. `adapt.rs`
//! translates other formats first.
//!
//! If a restriction cannot be written, its loss is an `Error` and nothing is written. This concerns
//! access patterns, names of agents, and the ids of capabilities. Unreadable authentication becomes
//! authentication of an unknown type.

use super::adapt::{self, Source};
use super::carry;
use super::loss::{Part, Reason};
use super::losses;
use super::out::{Name, Notation, Out};
use super::{place, robots};
use crate::diagnostic::Severity::{Error, Info, Warning};
use crate::format::Format;
use crate::format::agents_json::{
    AccessObject, AgentObject, AuthObject, CapabilityObject, ParameterObject, RateLimitObject,
    Site, Top,
};
use crate::format::agents_txt::keys;
use crate::format::agents_txt_01;
use crate::model::{
    Access, AgentPolicy, AuthType, Capability, CapabilityAuth, Choice, Enumeration, Kind, List,
    Location, Member, Parameter, Protocol, RateLimit, Raw, Service, Window,
};
use crate::rules::values::patterns_of;
use crate::span::Span;
use crate::syntax::json;
use crate::syntax::json::view::Table;
use crate::syntax::text::Text;

/// Whether a key has a meaning in any of the text formats. A field with such a key would be read,
/// or the document detected as another format.
fn is_known(key: &[u8]) -> bool {
    keys::find(key).is_some()
        || agents_txt_01::Field::of(key).is_some()
        || key.eq_ignore_ascii_case(b"User-agent")
}

/// Writes a whole document.
pub(super) fn write<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let reading = source.reading;
    out.begin();
    head(out, source);
    service(out, source);
    if !out.is_json() {
        metadata(out, source);
    }
    losses::document(out, source);
    losses::permissions(out, source);
    losses::endpoints(out, source);
    let mut capabilities = source.capabilities();
    if capabilities.next().is_some() {
        out.array(Top::MEMBERS.capabilities.json, |out| {
            for (model, one) in source.capabilities() {
                capability(out, source, model, &one);
            }
        });
    }
    access(out, source, &reading.access());
    agents(out, source);
    if out.is_json() {
        metadata(out, source);
    }
    out.finish();
}

fn head<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let head = source.reading.head();
    if source.is_draft {
        out.text(&Top::MEMBERS.spec_version, head.spec_version, Warning);
    } else {
        out.lose_text("spec_version", head.spec_version, Reason::Changed, Info);
        out.put(&Top::MEMBERS.spec_version, Text::plain(b"1.0"));
    }
    out.text(&Top::MEMBERS.generated_at, head.generated_at, Warning);
    if head.kind.text.is_some() || head.kind.value != Kind::Platform {
        out.choice(&Top::MEMBERS.declaration_type, head.kind, source.is_draft, head.kind.as_str());
    }
    out.texts(&Top::MEMBERS.operates_on, source.reading.operates_on(), Some(Warning));
    out.text(&Top::MEMBERS.agents_json, head.companion, Warning);
}

fn service<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let service = source.reading.service();
    let url = source.site_url();
    if service.is_none() && url.is_empty() {
        return;
    }
    let service = service.unwrap_or_default();
    let place = out.span_of(service.source);
    out.group();
    out.object(Part::object("service"), Top::MEMBERS.site.json, place, |out| {
        out.text(&Site::MEMBERS.name, service.name, Warning);
        if source.format == Format::OpenApi && !url.is_empty() {
            // The service has the URL of its server.
            out.put(&Site::MEMBERS.url, Text::plain(url.as_bytes()));
            out.lose_text("url", service.url, Reason::Changed, Info);
        } else if service.url.is_some() {
            out.text(&Site::MEMBERS.url, service.url, Warning);
        } else if !url.is_empty() {
            out.put(&Site::MEMBERS.url, Text::plain(url.as_bytes()));
        }
        if !source.is_draft {
            let reason = if service.url.is_none() && !url.is_empty() {
                Reason::Changed
            } else {
                Reason::NoPlace
            };
            out.lose_text("domain", service.domain, reason, Info);
        }
        out.prose(&Site::MEMBERS.description, service.description, Warning);
        contact(out, &service);
        out.text(&Site::MEMBERS.privacy_policy, service.privacy_policy, Warning);
        let placed = "name url domain description contact privacy_policy metadata";
        losses::others(out, &service, placed);
        if out.is_json() {
            out.metadata("metadata", service.metadata, Site::FIELDS, 0, is_known);
        } else {
            out.lose_metadata("metadata", service.metadata);
        }
    });
}

/// Writes the first contact that can be written, and reports the others.
fn contact<'a>(out: &mut Out<'_, 'a>, service: &Service<'a>) {
    let mut written = false;
    for (contact, index) in service.contact.zip(0..) {
        let problem = if written { Some(Reason::OnlyOne) } else { out.problem(contact) };
        match problem {
            Some(reason) => {
                out.lose(Part::item("contact", index), reason, Warning, out.span(contact))
            }
            None => {
                out.put(&Site::MEMBERS.contact, contact);
                written = true;
            }
        }
    }
}

/// Writes the metadata of the document. In JSON it is a separate object, where names cannot
/// conflict.
pub(super) fn metadata<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let metadata = source.reading.metadata();
    if metadata.is_empty() {
        return;
    }
    out.group();
    if let Notation::Json(layout) = &mut out.notation {
        layout.open_member(Top::MEMBERS.metadata.json, b"{");
    }
    // Unreadable restrictions are already reported.
    let bytes = out.bytes;
    let others = metadata.filter(|one| !source.is_unreadable(one, bytes));
    out.metadata("metadata", others, &[], 0, is_known);
    if let Notation::Json(layout) = &mut out.notation {
        layout.close(b"}");
    }
}

fn capability<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    model: Part,
    capability: &Capability<'a>,
) {
    let place = out.span_of(capability.source);
    if source.is_foreign(capability.endpoint) {
        return;
    }
    let is_guarded = !source.loosen && source.is_guarded(capability);
    if is_guarded || !source.can_call(capability, Format::AgentsJson) {
        return out.lose(model, Reason::Guarded, Warning, place);
    }
    out.group();
    out.element(model, place, |out| {
        let adapted = source.adapt(out, capability);
        let one = &adapted.capability;
        if source.format == Format::OpenApi {
            id(out, one.id);
        } else if !out.text(&CapabilityObject::MEMBERS.id, one.id, Error) && !out.is_json() {
            out.put(&CapabilityObject::MEMBERS.id, Text::EMPTY);
        }
        out.indent();
        out.prose(&CapabilityObject::MEMBERS.description, one.description, Warning);
        adapted.put_endpoint(out, &CapabilityObject::MEMBERS.endpoint);
        out.text(&CapabilityObject::MEMBERS.method, one.method, Error);
        if let Some(protocol) = one.protocol {
            out.choice(
                &CapabilityObject::MEMBERS.protocol,
                protocol,
                source.is_draft,
                draft_name(protocol.value),
            );
        }
        auth(out, source, one.auth);
        rate_limit(out, source, one.rate_limits);
        out.text(&CapabilityObject::MEMBERS.openapi, one.openapi, Warning);
        parameters(out, source, one);
        losses::capability(out, capability);
        out.metadata("metadata", one.metadata, CapabilityObject::FIELDS, 0, is_known);
    });
}

/// Writes the id of an operation in the form of the draft.
fn id<'a>(out: &mut Out<'_, 'a>, id: Option<Text<'a>>) {
    if let Some(id) = id {
        out.id(&CapabilityObject::MEMBERS.id, id, adapt::joined(id, '-').as_deref());
    }
}

/// The draft's name for a protocol.
const fn draft_name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Rest => "REST",
        Protocol::Mcp => "MCP",
        Protocol::A2a => "A2A",
        Protocol::GraphQl => "GraphQL",
        Protocol::WebSocket => "WebSocket",
        Protocol::Acp => "acp",
        Protocol::Ap2 => "ap2",
        Protocol::X402 => "x402",
        Protocol::Skyfire => "skyfire",
        Protocol::OpenApi => "openapi",
        Protocol::Payment => "payment",
        Protocol::Unknown => "unknown",
    }
}

fn auth<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, auth: Option<CapabilityAuth<'a>>) {
    let Some(auth) = auth else { return };
    // In text, an implied type is not written. In JSON, an object without a type is unreadable.
    let unsaid = auth.kind == Choice::implied(AuthType::None)
        && auth.token_url.is_none()
        && auth.scopes.is_empty();
    let place = out.span_of(auth.source);
    out.object(Part::object("auth"), CapabilityObject::MEMBERS.auth.json, place, |out| {
        if !unsaid || out.is_json() {
            out.choice(&AuthObject::MEMBERS.kind, auth.kind, source.is_draft, auth.kind.as_str());
        }
        out.text(&AuthObject::MEMBERS.token_endpoint, auth.token_url, Warning);
        out.text(&AuthObject::MEMBERS.docs_url, auth.docs_url, Warning);
        out.items(&AuthObject::MEMBERS.scopes, auth.scopes, false);
        if out.is_json() {
            out.metadata("metadata", auth.metadata, AuthObject::FIELDS, 0, is_known);
        } else {
            out.lose_metadata("metadata", auth.metadata);
        }
    });
}

/// Writes the strictest rate limit. Only a conversion with `loosen` can have several.
fn rate_limit<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, limits: List<'a, RateLimit<'a>>) {
    let Some((strictest, limit)) = adapt::strictest(limits) else {
        return;
    };
    for (_, index) in limits.zip(0..).filter(|(_, index)| *index != strictest) {
        out.lose(Part::item("rate_limits", index), Reason::OnlyOne, Warning, out.place);
    }
    let window = match limit.window.text.filter(|text| {
        source.is_draft && limit.window.value != Window::Unknown && out.problem(*text).is_none()
    }) {
        Some(text) => text,
        None => Text::plain(limit.window.as_str().as_bytes()),
    };
    let place = out.place;
    out.object(
        Part::item("rate_limits", strictest),
        CapabilityObject::MEMBERS.rate_limit.json,
        place,
        |out| {
            out.number(
                &RateLimitObject::MEMBERS.requests,
                limit.requests,
                &[Text::plain(b"/"), window],
            );
            if out.is_json() {
                out.put(&RateLimitObject::MEMBERS.window, window);
                out.metadata("metadata", limit.metadata, RateLimitObject::FIELDS, 0, is_known);
            } else {
                out.lose_metadata("metadata", limit.metadata);
            }
        },
    );
}

fn parameters<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, capability: &Capability<'a>) {
    if capability.parameters.is_empty() {
        return;
    }
    out.array(CapabilityObject::MEMBERS.parameters.json, |out| {
        for (mut parameter, index) in capability.parameters.zip(0..) {
            if !source.is_draft && parameter.location.is_none() {
                parameter.location =
                    adapt::implied_location(capability, &parameter).map(Choice::implied);
            }
            let model = Part::item("parameters", index);
            let place = out.span_of(parameter.source);
            if !source.fits(capability, &parameter, Format::AgentsJson) {
                out.lose(model, Reason::NoPlace, Warning, place);
            } else if out.is_json() {
                out.element(model, place, |out| parameter_in_json(out, source, &parameter));
            } else {
                out.within(model, place, |out| param(out, source, &parameter));
            }
        }
    });
}

fn parameter_in_json<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    parameter: &Parameter<'a>,
) {
    out.text(&ParameterObject::MEMBERS.name, parameter.name, Warning);
    if let Some(location) = parameter.location {
        out.choice(
            &ParameterObject::MEMBERS.location,
            location,
            source.is_draft,
            location.as_str(),
        );
    }
    out.text(&ParameterObject::MEMBERS.kind, parameter.kind, Warning);
    if let Some(required) = parameter.required {
        out.truth(&ParameterObject::MEMBERS.required, required);
    }
    out.text(&ParameterObject::MEMBERS.description, parameter.description, Warning);
    let members = &ParameterObject::MEMBERS;
    for (name, value) in [
        (&members.default, parameter.default),
        (&members.min, parameter.min),
        (&members.max, parameter.max),
    ] {
        out.raw(name, value);
    }
    beyond(out, parameter);
    out.metadata("metadata", parameter.metadata, ParameterObject::FIELDS, 0, is_known);
}

/// Reports the members of a parameter that neither notation has.
fn beyond<'a>(out: &mut Out<'_, 'a>, parameter: &Parameter<'a>) {
    let placed = "name location type required description default min max metadata";
    losses::others(out, parameter, placed);
}

/// Writes a `Param` line, `name (location, type[, required]) [- description]`.
fn param<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, parameter: &Parameter<'a>) {
    let Some(name) = parameter.name else {
        return out.lose_path(out.path, Reason::Unnamed, Warning, out.place);
    };
    if let Some(reason) = carry::part(name, &[' ', '\t', ',', '(', ')']) {
        return out.lose_path(out.path, reason, Warning, out.span(name));
    }
    let mut used = name.decoded_len();
    let location = parameter.location.map(|location| located(out, source, location));
    let kind = piece(out, &ParameterObject::MEMBERS.kind, parameter.kind, &[',', ')'], &mut used);
    let description =
        piece(out, &ParameterObject::MEMBERS.description, parameter.description, &[], &mut used);
    out.lose_raw("default", parameter.default);
    out.lose_raw("min", parameter.min);
    out.lose_raw("max", parameter.max);
    beyond(out, parameter);
    out.lose_metadata("metadata", parameter.metadata);

    let required = parameter.required == Some(true);
    let nothing = Text::EMPTY;
    let prose = description.unwrap_or(nothing);
    let folds = out.folds(prose);
    let plain = |text: &'static str| Text::plain(text.as_bytes());
    let bracketed = location.is_some() || kind.is_some() || required;
    let pieces = [
        name,
        if bracketed { plain(" (") } else { nothing },
        location.unwrap_or(nothing),
        if kind.is_some() || required { plain(", ") } else { nothing },
        kind.unwrap_or(nothing),
        if required { plain(", required") } else { nothing },
        if bracketed { plain(")") } else { nothing },
        if description.is_some() { plain(" - ") } else { nothing },
        if folds { nothing } else { prose },
    ];
    let folded = if folds { prose } else { nothing };
    out.folded(plain(CapabilityObject::MEMBERS.parameters.text), &pieces, folded);
}

/// The text of a location. A location that cannot be written becomes `unknown`.
fn located<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    location: Choice<'a, Location>,
) -> Text<'a> {
    let canonical = Text::plain(location.as_str().as_bytes());
    let Some(text) = location.text else {
        return canonical;
    };
    if !source.is_draft && location.value != Location::UNKNOWN {
        if location.differing_text().is_some() {
            out.lose_text(
                ParameterObject::MEMBERS.location.model,
                Some(text),
                Reason::Changed,
                Info,
            );
        }
        return canonical;
    }
    match carry::part(text, &[',', ')'])
        .or_else(|| (text.decoded_len() > 256).then_some(Reason::TooLong))
    {
        None => text,
        Some(reason) => {
            out.lose_text(ParameterObject::MEMBERS.location.model, Some(text), reason, Warning);
            canonical
        }
    }
}

/// A part of a `Param` line, if it can be written.
fn piece<'a>(
    out: &mut Out<'_, 'a>,
    name: &Name,
    text: Option<Text<'a>>,
    ends: &[char],
    used: &mut usize,
) -> Option<Text<'a>> {
    let text = text?;
    let length = used.saturating_add(text.decoded_len()).saturating_add(512);
    let too_long = length > crate::limits::Limits::DEFAULT.line;
    // Only the description has no end character and is prose.
    let folds = ends.is_empty() && out.folds(text);
    if folds && !too_long {
        out.lose_text(name.model, Some(text), Reason::Changed, Info);
    }
    let problem = carry::part(text, ends).filter(|_| !folds);
    match problem.or_else(|| too_long.then_some(Reason::TooLong)) {
        None => {
            *used = length.saturating_sub(512);
            Some(text)
        }
        Some(reason) => {
            out.lose_text(name.model, Some(text), reason, Warning);
            None
        }
    }
}

fn access<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, access: &Access<'a>) {
    losses::unreadable(out, source, access);
    let nothing =
        access.allow.is_empty() && access.disallow.is_empty() && access.metadata.is_empty();
    if nothing && !source.has_robots_rules() {
        return;
    }
    out.group();
    let place = out.place;
    out.object(Part::object("access"), Top::MEMBERS.access.json, place, |out| {
        if source.is_robots() {
            return robots::rules(
                out,
                source,
                &AccessObject::MEMBERS.allow,
                &AccessObject::MEMBERS.disallow,
            );
        }
        out.texts(&AccessObject::MEMBERS.allow, access.allow, Some(Error));
        out.texts(&AccessObject::MEMBERS.disallow, access.disallow, Some(Error));
        let others = access.metadata.filter(|one| !losses::is_pattern_list(one));
        if out.is_json() {
            out.metadata("metadata", others, AccessObject::FIELDS, 0, is_known);
        } else {
            out.lose_metadata("metadata", others);
        }
    });
}

fn agents<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let agents = source.reading.agents();
    let for_all = source.reading.rate_limits();
    let by_robots = robots::rate(source);
    if agents.is_empty() && for_all.is_empty() && by_robots.is_none() {
        return;
    }
    let place = out.place;
    if let Notation::Json(layout) = &mut out.notation {
        layout.open_member(Top::MEMBERS.agents.json, b"{");
    }
    for (policy, index) in agents.zip(0..) {
        agent(out, source, &policy, index);
    }
    if let Some((requests, window)) = by_robots {
        everyone(out, place, |out| number(out, requests, Text::plain(window.as_str().as_bytes())));
    } else if agents.is_empty() {
        let place = place::of(out.bytes, source.format, place::RATE_LIMIT);
        everyone(out, place, |out| limits_of_all(out, source, for_all));
    } else if !for_all.is_empty() {
        out.lose(Part::object("rate_limits"), Reason::NoPlace, source.severity(), place);
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.close(b"}");
    }
}

/// Writes a policy for every agent. Like no policy at all, it grants all capabilities.
fn everyone<'a>(out: &mut Out<'_, 'a>, place: Span, members: impl FnOnce(&mut Out<'_, 'a>)) {
    out.group();
    let star = Text::plain(b"*");
    if !out.is_json() {
        out.put(&AgentObject::MEMBERS.name, star);
        out.indent();
    }
    out.entry(star, Part::default(), place, members);
}

/// Writes the rate limits of the whole document.
fn limits_of_all<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    limits: List<'a, RateLimit<'a>>,
) {
    let place = out.place;
    let mut rest = limits;
    if rest.nth(1).is_some() && !source.loosen {
        out.lose(Part::object("rate_limits"), Reason::OnlyOne, Error, place);
    }
    rate_limit(out, source, limits);
    for (_, index) in limits.zip(0..) {
        out.lose(Part::item("rate_limits", index), Reason::Changed, Info, place);
    }
}

/// Writes a rate limit that does not come from a policy of the source.
fn number<'a>(out: &mut Out<'_, 'a>, requests: u32, window: Text<'_>) {
    out.object(Part::default(), CapabilityObject::MEMBERS.rate_limit.json, out.place, |out| {
        out.number(&RateLimitObject::MEMBERS.requests, requests, &[Text::plain(b"/"), window]);
        if out.is_json() {
            out.put(&RateLimitObject::MEMBERS.window, window);
        }
    });
}

fn agent<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, policy: &AgentPolicy<'a>, index: u32) {
    let model = Part::item("agents", index);
    let place = out.span_of(policy.source);
    let Some(name) = policy.name else {
        // The policy may be for any agent.
        return out.lose(model, Reason::Unnamed, Error, place);
    };
    if let Some(reason) = out.problem_in(&AgentObject::MEMBERS.name, name) {
        return out.lose(model, reason, Error, out.span(name));
    }
    out.group();
    if !out.is_json() {
        out.put(&AgentObject::MEMBERS.name, name);
        out.indent();
    }
    out.entry(name, model, place, |out| {
        rate_limit(out, source, policy.rate_limits);
        if let Some(ids) = policy.capabilities {
            out.items(&AgentObject::MEMBERS.capabilities, ids, true);
        }
        out.text(&AgentObject::MEMBERS.agent_declaration, policy.declaration, Warning);
        for name in [&AccessObject::MEMBERS.allow, &AccessObject::MEMBERS.disallow] {
            let rules = || policy.metadata.filter(|one| is_rule(one, name));
            if !rules().all(|one| out.is_as_written(&one, name)) {
                rules().for_each(|one| out.lose_member("metadata", &one, Reason::Changed, Info));
            }
            out.texts(name, patterns_of(policy.metadata, name.model), Some(Error));
        }
        let others = policy.metadata.filter(|one| {
            !is_rule(one, &AccessObject::MEMBERS.allow)
                && !is_rule(one, &AccessObject::MEMBERS.disallow)
        });
        // In an object keyed by name, a member called `name` has no meaning.
        out.metadata("metadata", others, AgentObject::FIELDS, 1, is_known);
    });
}

/// Whether a member of a policy's metadata holds access rules of this name.
fn is_rule(one: &Member<'_>, name: &Name) -> bool {
    one.name.eq_ignore_case(name.model)
        && match one.value {
            Raw::Text(_) => true,
            Raw::Json(value) => matches!(value.kind(), json::Kind::Array | json::Kind::String),
        }
}
