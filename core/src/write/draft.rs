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
use super::out::{Name, Notation, Out, name};
use super::{place, robots};
use crate::diagnostic::Severity::{Error, Info, Warning};
use crate::format::agents_json::{
    AccessObject, AgentObject, AuthObject, CapabilityObject, ParameterObject, RateLimitObject, Site,
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

const SPEC_VERSION: Name = name("spec_version", "Spec-Version", "specVersion");
const GENERATED_AT: Name = name("generated_at", "Generated-At", "generatedAt");
const KIND: Name = name("kind", "Declaration-Type", "declarationType");
const OPERATES_ON: Name = name("operates_on", "Operates-On", "operatesOn");
const COMPANION: Name = name("companion", "Agents-JSON", "agentsJson");
const SITE_NAME: Name = name("name", "Site-Name", "name");
const SITE_URL: Name = name("url", "Site-URL", "url");
const SITE_DESCRIPTION: Name = name("description", "Site-Description", "description");
const SITE_CONTACT: Name = name("contact", "Site-Contact", "contact");
const SITE_PRIVACY_POLICY: Name = name("privacy_policy", "Site-Privacy-Policy", "privacyPolicy");
const ID: Name = name("id", "Capability", "id");
const DESCRIPTION: Name = name("description", "Description", "description");
const ENDPOINT: Name = name("endpoint", "Endpoint", "endpoint");
const METHOD: Name = name("method", "Method", "method");
const PROTOCOL: Name = name("protocol", "Protocol", "protocol");
const OPENAPI: Name = name("openapi", "OpenAPI", "openapi");
const AUTH: Name = name("type", "Auth", "type");
const AUTH_ENDPOINT: Name = name("token_url", "Auth-Endpoint", "tokenEndpoint");
const AUTH_DOCS: Name = name("docs_url", "Auth-Docs", "docsUrl");
const SCOPES: Name = name("scopes", "Scopes", "scopes");
const RATE_LIMIT: Name = name("requests", "Rate-Limit", "requests");
const WINDOW: Name = name("window", "", "window");
const PARAM: Name = name("parameters", "Param", "parameters");
const PARAM_NAME: Name = name("name", "", "name");
const PARAM_IN: Name = name("location", "", "in");
const PARAM_TYPE: Name = name("type", "", "type");
const PARAM_REQUIRED: Name = name("required", "", "required");
const PARAM_DESCRIPTION: Name = name("description", "", "description");
const PARAM_DEFAULT: Name = name("default", "", "default");
const PARAM_MIN: Name = name("min", "", "min");
const PARAM_MAX: Name = name("max", "", "max");
const ALLOW: Name = name("allow", "Allow", "allow").with_comment();
const DISALLOW: Name = name("disallow", "Disallow", "disallow").with_comment();
const AGENT: Name = name("name", "Agent", "name").with_comment();
const CAPABILITIES: Name = name("capabilities", "Capabilities", "capabilities").with_comment();
const DECLARATION: Name = name("declaration", "Agent-Declaration", "agentDeclaration");

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
    if let Notation::Json(layout) = &mut out.notation {
        layout.open(b"{");
    }
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
        out.array("capabilities", |out| {
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
    if let Notation::Json(layout) = &mut out.notation {
        layout.finish();
    }
}

fn head<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let head = source.reading.head();
    if source.is_draft {
        out.text(&SPEC_VERSION, head.spec_version, Warning);
    } else {
        out.lose_text("spec_version", head.spec_version, Reason::Changed, Info);
        out.put(&SPEC_VERSION, Text::plain(b"1.0"));
    }
    out.text(&GENERATED_AT, head.generated_at, Warning);
    if head.kind.text.is_some() || head.kind.value != Kind::Platform {
        out.choice(&KIND, head.kind, source.is_draft, head.kind.as_str());
    }
    out.texts(&OPERATES_ON, source.reading.operates_on(), Some(Warning));
    out.text(&COMPANION, head.companion, Warning);
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
    out.object(Part::object("service"), "site", place, |out| {
        out.text(&SITE_NAME, service.name, Warning);
        if service.url.is_some() {
            out.text(&SITE_URL, service.url, Warning);
        } else if !url.is_empty() {
            out.put(&SITE_URL, Text::plain(url.as_bytes()));
        }
        if !source.is_draft {
            let reason = if service.url.is_none() && !url.is_empty() {
                Reason::Changed
            } else {
                Reason::NoPlace
            };
            out.lose_text("domain", service.domain, reason, Info);
        }
        out.prose(&SITE_DESCRIPTION, service.description, Warning);
        contact(out, &service);
        out.text(&SITE_PRIVACY_POLICY, service.privacy_policy, Warning);
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
                out.put(&SITE_CONTACT, contact);
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
        layout.open_member("metadata", b"{");
    }
    // Unreadable restrictions are already reported.
    let bytes = out.bytes;
    let others = { metadata }.filter(|one| !source.is_unreadable(one, bytes));
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
    if !source.loosen && source.is_guarded(capability) {
        return out.lose(model, Reason::Guarded, Warning, place);
    }
    out.group();
    out.element(model, place, |out| {
        let adapted = source.adapt(out, capability);
        let one = &adapted.capability;
        if !out.text(&ID, one.id, Error) && !out.is_json() {
            out.put(&ID, Text::EMPTY);
        }
        out.indent();
        out.prose(&DESCRIPTION, one.description, Warning);
        match adapted.endpoint() {
            Some(endpoint) => out.put(&ENDPOINT, Text::plain(endpoint.as_bytes())),
            None => {
                out.text(&ENDPOINT, one.endpoint, Error);
            }
        }
        out.text(&METHOD, one.method, Error);
        if let Some(protocol) = one.protocol {
            out.choice(&PROTOCOL, protocol, source.is_draft, draft_name(protocol.value));
        }
        auth(out, source, one.auth);
        rate_limit(out, source, one.rate_limits);
        out.text(&OPENAPI, one.openapi, Warning);
        parameters(out, source, one);
        losses::capability(out, capability);
        out.metadata("metadata", one.metadata, CapabilityObject::FIELDS, 0, is_known);
    });
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
    out.object(Part::object("auth"), "auth", place, |out| {
        if !unsaid || out.is_json() {
            out.choice(&AUTH, auth.kind, source.is_draft, auth.kind.as_str());
        }
        out.text(&AUTH_ENDPOINT, auth.token_url, Warning);
        out.text(&AUTH_DOCS, auth.docs_url, Warning);
        out.items(&SCOPES, auth.scopes, false);
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
    out.object(Part::item("rate_limits", strictest), "rateLimit", place, |out| {
        out.number(&RATE_LIMIT, limit.requests, &[Text::plain(b"/"), window]);
        if out.is_json() {
            out.put(&WINDOW, window);
            out.metadata("metadata", limit.metadata, RateLimitObject::FIELDS, 0, is_known);
        } else {
            out.lose_metadata("metadata", limit.metadata);
        }
    });
}

fn parameters<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, capability: &Capability<'a>) {
    if capability.parameters.is_empty() {
        return;
    }
    out.array("parameters", |out| {
        for (mut parameter, index) in capability.parameters.zip(0..) {
            if !source.is_draft && parameter.location.is_none() {
                parameter.location =
                    adapt::implied_location(capability, &parameter).map(Choice::implied);
            }
            let model = Part::item("parameters", index);
            let place = out.span_of(parameter.source);
            if out.is_json() {
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
    out.text(&PARAM_NAME, parameter.name, Warning);
    if let Some(location) = parameter.location {
        out.choice(&PARAM_IN, location, source.is_draft, location.as_str());
    }
    out.text(&PARAM_TYPE, parameter.kind, Warning);
    if let Some(required) = parameter.required {
        out.truth(&PARAM_REQUIRED, required);
    }
    out.text(&PARAM_DESCRIPTION, parameter.description, Warning);
    out.raw(&PARAM_DEFAULT, parameter.default);
    out.raw(&PARAM_MIN, parameter.min);
    out.raw(&PARAM_MAX, parameter.max);
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
    let kind = piece(out, &PARAM_TYPE, parameter.kind, &[',', ')'], &mut used);
    let description = piece(out, &PARAM_DESCRIPTION, parameter.description, &[], &mut used);
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
    out.folded(plain(PARAM.text), &pieces, folded);
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
            out.lose_text(PARAM_IN.model, Some(text), Reason::Changed, Info);
        }
        return canonical;
    }
    match carry::part(text, &[',', ')'])
        .or_else(|| (text.decoded_len() > 256).then_some(Reason::TooLong))
    {
        None => text,
        Some(reason) => {
            out.lose_text(PARAM_IN.model, Some(text), reason, Warning);
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
    out.object(Part::object("access"), "access", place, |out| {
        if source.is_robots() {
            return robots::rules(out, source, &ALLOW, &DISALLOW);
        }
        out.texts(&ALLOW, access.allow, Some(Error));
        out.texts(&DISALLOW, access.disallow, Some(Error));
        let others = { access.metadata }.filter(|one| !losses::is_pattern_list(one));
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
        layout.open_member("agents", b"{");
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
        out.put(&AGENT, star);
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
    if { limits }.nth(1).is_some() && !source.loosen {
        out.lose(Part::object("rate_limits"), Reason::OnlyOne, Error, place);
    }
    rate_limit(out, source, limits);
    for (_, index) in limits.zip(0..) {
        out.lose(Part::item("rate_limits", index), Reason::Changed, Info, place);
    }
}

/// Writes a rate limit that does not come from a policy of the source.
fn number<'a>(out: &mut Out<'_, 'a>, requests: u32, window: Text<'_>) {
    out.object(Part::default(), "rateLimit", out.place, |out| {
        out.number(&RATE_LIMIT, requests, &[Text::plain(b"/"), window]);
        if out.is_json() {
            out.put(&WINDOW, window);
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
    if let Some(reason) = out.problem_in(&AGENT, name) {
        return out.lose(model, reason, Error, out.span(name));
    }
    out.group();
    if !out.is_json() {
        out.put(&AGENT, name);
        out.indent();
    }
    out.entry(name, model, place, |out| {
        rate_limit(out, source, policy.rate_limits);
        if let Some(ids) = policy.capabilities {
            out.items(&CAPABILITIES, ids, true);
        }
        out.text(&DECLARATION, policy.declaration, Warning);
        for name in [&ALLOW, &DISALLOW] {
            let rules = || { policy.metadata }.filter(|one| is_rule(one, name));
            if !rules().all(|one| out.is_as_written(&one, name)) {
                rules().for_each(|one| out.lose_member("metadata", &one, Reason::Changed, Info));
            }
            out.texts(name, patterns_of(policy.metadata, name.model), Some(Error));
        }
        let others =
            { policy.metadata }.filter(|one| !is_rule(one, &ALLOW) && !is_rule(one, &DISALLOW));
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
