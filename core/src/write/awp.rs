//! Writes agent.json of the Agent Web Protocol from the unified model.
//!
//! The protocol has no access rules and no policies for single agents; `undeclared.rs` reports
//! them. Members that the protocol requires but the source lacks are left out; the check of the
//! result reports them.

use super::adapt::{self, Source};
use super::draft;
use super::loss::{Part, Reason};
use super::losses;
use super::out::{Name, Notation, Out, name};
use super::undeclared;
use crate::diagnostic::Severity::{Error, Info, Warning};
use crate::format::Format;
use crate::format::awp::{Action, Input, METHODS, ProtocolObject};
use crate::model::{
    AuthType, Capability, CapabilityAuth, Enumeration, List, Location, Output, Parameter, Protocol,
    RateLimit, Raw, Window,
};
use crate::sink::{Sink, SliceSink, put_number};
use crate::syntax::json::Value;
use crate::syntax::json::view::Table;
use crate::syntax::text::Text;
use crate::syntax::url::{self, Url};

const VERSION: Name = name("spec_version", "", "awp_version");
const DOMAIN: Name = name("url", "", "domain");
const INTENT: Name = name("description", "", "intent");
const SOURCE: Name = name("source", "", "source");
const GENERATED_BY: Name = name("generated_by", "", "generated_by");
const LAST_VERIFIED: Name = name("last_verified", "", "last_verified");
const PROTOCOL_VERSION: Name = name("version", "", "version");
const PROTOCOL_ENDPOINT: Name = name("url", "", "endpoint");
const TRANSPORT: Name = name("transport", "", "transport");
const AUTH_TYPE: Name = name("type", "", "type");
const ID: Name = name("id", "", "id");
const DESCRIPTION: Name = name("description", "", "description");
const AUTH_REQUIRED: Name = name("auth_required", "", "auth_required");
const ENDPOINT: Name = name("endpoint", "", "endpoint");
const METHOD: Name = name("method", "", "method");
const VIA: Name = name("protocol", "", "via");
const RATE_LIMIT: Name = name("rate_limits", "", "rate_limit");
const TYPE: Name = name("type", "", "type");
const REQUIRED: Name = name("required", "", "required");
const DEFAULT: Name = name("default", "", "default");

/// The largest number of protocols with an endpoint.
const PROTOCOLS: usize = 12;

/// The protocols of capabilities, each with the endpoint of the first one.
type Gateways<'a> = heapless::Vec<(Protocol, Text<'a>), PROTOCOLS>;

/// Where an agent.json comes from that another party than the owner of the site publishes (Agent Web
/// Protocol section 14). Its `confidence` is the share of its actions whose endpoint, inputs and
/// outputs are all known, to two decimal places.
#[derive(Clone, Copy, Debug)]
pub struct Synthetic<'o> {
    /// The tool and its version: `generated_by`.
    pub generated_by: &'o str,
    /// When the source was fetched, as `last_verified`: a date and time in ISO 8601.
    pub last_verified: &'o str,
}

/// Writes a whole document.
pub(super) fn write<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    synthetic: Option<Synthetic<'_>>,
) {
    out.begin();
    out.lose_text("spec_version", source.reading.head().spec_version, Reason::Changed, Info);
    out.put(&VERSION, Text::plain(b"0.2"));
    service(out, source);
    if let Some(synthetic) = synthetic {
        provenance(out, source, synthetic);
    }
    undeclared::document(out, source);
    undeclared::limits(out, source);
    let gateways = gateways(source);
    protocols(out, source, &gateways);
    let kind = common_auth(source);
    if let Some(kind) = kind.and_then(awp_name) {
        let place = out.place;
        out.object(Part::default(), "auth", place, |out| {
            out.put(&AUTH_TYPE, Text::plain(kind.as_bytes()));
        });
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.name("actions");
        layout.open(b"[");
    }
    for (capability, index) in source.reading.capabilities().zip(0..) {
        let model = Part::item("capabilities", index);
        action(out, source, model, &capability, kind, &gateways);
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.close(b"]");
    }
    draft::metadata(out, source);
    losses::document(out, source);
    losses::permissions(out, source);
    out.finish();
}

fn service<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let service = source.reading.service().unwrap_or_default();
    let place = out.span_of(service.source);
    out.within(Part::object("service"), place, |out| {
        let mut decoded = [0; url::BUFFER];
        let written = service.url.and_then(|url| Url::of(url, &mut decoded));
        let site = written.or_else(|| Url::parse(source.site_url().as_bytes()));
        if let Some(site) = site.filter(Url::is_http) {
            out.put(&DOMAIN, Text::plain(site.host().as_bytes()));
            out.lose_text("url", service.url, Reason::Changed, Info);
        } else {
            out.lose_text("url", service.url, Reason::NoPlace, Warning);
        }
        let titled = source.format == Format::OpenApi && service.description.is_none();
        out.text(&INTENT, if titled { service.name } else { service.description }, Warning);
        undeclared::service(out, &service);
        let reason = if titled { Reason::Changed } else { Reason::NoPlace };
        out.lose_text("name", service.name, reason, if titled { Info } else { Warning });
        losses::each(out, "contact", service.contact, |text| Some(*text));
    });
}

/// Writes that another party than the owner of the site publishes the document.
fn provenance<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, synthetic: Synthetic<'_>) {
    out.put(&SOURCE, Text::plain(b"synthetic"));
    out.put(&GENERATED_BY, Text::plain(synthetic.generated_by.as_bytes()));
    let (mut known, mut all) = (0_u32, 0_u32);
    for capability in source.reading.capabilities().filter(|one| source.is_kept(one)) {
        let has_place = |one: Parameter<'_>| {
            let is_placed = one.location.is_none_or(|place| place.value != Location::Unknown);
            one.name.is_some() && one.kind.is_some() && is_placed
        };
        let is_called = capability.endpoint.is_some() || capability.via.is_some();
        let is_known =
            is_called && { capability.parameters }.all(has_place) && !capability.outputs.is_empty();
        known = known.saturating_add(u32::from(is_known));
        all = all.saturating_add(1);
    }
    let hundredths = known.saturating_mul(100).checked_div(all).unwrap_or(0);
    if let Notation::Json(layout) = &mut out.notation {
        // Rounded down.
        let (whole, rest) = if hundredths == 100 { (b'1', 0) } else { (b'0', hundredths) };
        let [tens, ones] = [rest / 10, rest % 10].map(|digit| b'0'.wrapping_add(digit as u8));
        layout.name("confidence");
        layout.raw(Raw::Json(Value::trusted(&[whole, b'.', tens, ones])));
    }
    out.put(&LAST_VERIFIED, Text::plain(synthetic.last_verified.as_bytes()));
}

/// The endpoint of each protocol: the endpoint of the first capability that uses the protocol.
fn gateways<'a>(source: &Source<'a, '_>) -> Gateways<'a> {
    let mut found = Gateways::new();
    for capability in source.reading.capabilities() {
        if let Some(protocol) = protocol_of(&capability)
            && let Some(endpoint) = capability.endpoint
            && source.is_kept(&capability)
            && !found.iter().any(|(known, _)| *known == protocol)
        {
            // The vector has room for every protocol.
            let _ = found.push((protocol, endpoint));
        }
    }
    found
}

/// The protocol through which a capability is called, if that is not plain HTTP.
fn protocol_of(capability: &Capability<'_>) -> Option<Protocol> {
    capability
        .protocol
        .map(|protocol| protocol.value)
        .filter(|protocol| !matches!(protocol, Protocol::Rest | Protocol::Unknown))
}

fn protocols<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, gateways: &Gateways<'a>) {
    if let Notation::Json(layout) = &mut out.notation {
        layout.open_member("protocols", b"{");
    }
    for (protocol, endpoint) in gateways {
        let place = out.place;
        let name = Text::plain(protocol.as_str().as_bytes());
        out.entry(name, Part::default(), place, |out| {
            out.put(&PROTOCOL_ENDPOINT, *endpoint);
        });
    }
    let is_called = { source.reading.capabilities() }.any(|one| through(source, &one).is_some());
    for (endpoint, index) in source.reading.endpoints().zip(0..) {
        let model = Part::item("endpoints", index);
        let place = endpoint.url.map_or(out.place, |url| out.span(url));
        if !source.is_used(index) {
            out.lose(model, Reason::OnlyOne, Warning, place);
            continue;
        }
        let is_open = endpoint.auth.is_none_or(|kind| kind.value == AuthType::None);
        if !is_open && !is_called {
            // Actions require authentication, but protocols do not.
            out.lose(model, Reason::Guarded, Warning, place);
            continue;
        }
        let name = Text::plain(endpoint.protocol.as_str().as_bytes());
        out.entry(endpoint.protocol.text.unwrap_or(name), model, place, |out| {
            out.text(&PROTOCOL_VERSION, endpoint.version, Warning);
            protocol_endpoint(out, source, endpoint.url);
            if let Some(transport) = endpoint.transport {
                out.choice(&TRANSPORT, transport, true, transport.as_str());
            }
            if endpoint.auth.is_some() {
                out.lose(Part::object("auth"), Reason::Changed, Info, place);
            }
            out.metadata("extra", endpoint.extra, ProtocolObject::FIELDS, 0, |_| false);
        });
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.close(b"}");
    }
}

/// Writes the endpoint of a protocol. A path is resolved to a URL of the site.
#[inline(never)] // Its buffer is gone before the next one is needed.
fn protocol_endpoint<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, url: Option<Text<'a>>) {
    let mut buffer = [0; url::BUFFER];
    let absolute = url.and_then(|url| source.absolute(url, &mut buffer));
    if let Some(absolute) = absolute.and_then(|length| buffer.get(..length)) {
        out.put(&PROTOCOL_ENDPOINT, Text::plain(absolute));
        out.lose_text("url", url, Reason::Changed, Info);
    } else {
        out.text(&PROTOCOL_ENDPOINT, url, Error);
    }
}

/// The entry of `protocols` through which a capability is called, such as a skill of an agent card.
fn through<'a>(source: &Source<'a, '_>, capability: &Capability<'a>) -> Option<Text<'a>> {
    { capability.via }.filter(|_| source.is_kept(capability) && !source.is_via_nothing(capability))
}

/// The authentication of all capabilities that need some; absent if they differ.
fn common_auth(source: &Source<'_, '_>) -> Option<AuthType> {
    let mut kinds = source
        .reading
        .capabilities()
        .filter_map(|capability| Some(source.auth_of(&capability)?.kind.value))
        .filter(|kind| *kind != AuthType::None);
    let first = kinds.next()?;
    kinds.all(|kind| kind == first).then_some(first)
}

/// The name of a kind of authentication, if the protocol has one.
const fn awp_name(kind: AuthType) -> Option<&'static str> {
    match kind {
        AuthType::OAuth2 => Some("oauth2"),
        AuthType::ApiKey => Some("api_key"),
        AuthType::BearerToken => Some("bearer"),
        _ => None,
    }
}

fn action<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    model: Part,
    capability: &Capability<'a>,
    kind: Option<AuthType>,
    gateways: &Gateways<'a>,
) {
    let place = out.span_of(capability.source);
    let via = protocol_of(capability);
    // The target has room for one endpoint of each protocol.
    let is_elsewhere = via.is_some_and(|via| {
        !gateways
            .iter()
            .any(|(protocol, url)| *protocol == via && Some(*url) == capability.endpoint)
    });
    let is_unknown = source.format == Format::OpenApi && { capability.method }
        .is_some_and(|own| !METHODS.iter().any(|known| own == **known));
    let is_callable = source.can_call(capability, Format::Awp);
    if !source.is_kept(capability) || is_elsewhere || is_unknown || !is_callable {
        return out.lose(model, Reason::Guarded, Warning, place);
    }
    out.element(model, place, |out| {
        let through = through(source, capability);
        let adapted = source.adapt(
            out,
            &Capability { via: capability.via.filter(|_| through.is_none()), ..*capability },
        );
        let one = &adapted.capability;
        out.text(&ID, one.id, Error);
        out.text(&DESCRIPTION, one.description, Warning);
        auth(out, source, capability.auth, one.auth, kind);
        parameters(out, source, capability);
        outputs(out, source, one.outputs);
        match via {
            _ if through.is_some() => {
                out.text(&VIA, through, Error);
            }
            Some(via) => {
                out.put(&VIA, Text::plain(via.as_str().as_bytes()));
                out.lose(Part::object("protocol"), Reason::Changed, Info, place);
                out.lose_text("endpoint", one.endpoint, Reason::Changed, Info);
            }
            None => {
                losses::protocol(out, capability);
                adapted.put_endpoint(out, &ENDPOINT);
            }
        }
        out.text(&METHOD, one.method, Error);
        rate_limit(out, one.rate_limits);
        out.lose_text("openapi", one.openapi, Reason::NoPlace, Warning);
        losses::capability(out, &Capability { outputs: List::empty(), ..*capability });
        out.metadata("metadata", one.metadata, Action::FIELDS, 0, |_| false);
    });
}

/// Writes whether an action requires authentication. Writes nothing if the source says nothing
/// about authentication, because then it is unknown.
fn auth<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    written: Option<CapabilityAuth<'a>>,
    auth: Option<CapabilityAuth<'a>>,
    kind: Option<AuthType>,
) {
    let is_required = auth.is_some_and(|auth| auth.kind.value != AuthType::None);
    let is_described = source.format == Format::OpenApi;
    if is_required || is_described || source.is_draft || source.reading.auth().is_some() {
        out.truth(&AUTH_REQUIRED, is_required);
    }
    let Some(written) = written else { return };
    let is_common = kind.and_then(awp_name).is_some() || !is_required;
    let place = out.span_of(written.source);
    out.within(Part::object("auth"), place, |out| {
        let (reason, severity) =
            if is_common { (Reason::Changed, Info) } else { (Reason::NoPlace, Warning) };
        out.lose(Part::object("type"), reason, severity, place);
        out.lose_text("token_url", written.token_url, Reason::NoPlace, Warning);
        out.lose_text("docs_url", written.docs_url, Reason::NoPlace, Warning);
        out.no_place("scopes", !written.scopes.is_empty());
        out.lose_metadata("metadata", written.metadata);
    });
}

/// Writes the outputs, of which each has a type.
fn outputs<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, outputs: List<'a, Output<'a>>) {
    if !{ outputs }.any(|output| matches!(output.kind, Raw::Text(_))) {
        empty(out, source, "outputs");
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.open_member("outputs", b"{");
    }
    for (output, index) in outputs.zip(0..) {
        match output.kind {
            Raw::Text(kind) => {
                if let Notation::Json(layout) = &mut out.notation {
                    layout.own_name(output.name);
                    layout.raw(Raw::Text(kind));
                }
            }
            Raw::Json(_) => {
                let span = out.span(output.name);
                out.lose(Part::item("outputs", index), Reason::NoPlace, Warning, span);
            }
        }
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.close(b"}");
    }
}

/// The rate limit, as text.
fn rate_limit<'a>(out: &mut Out<'_, 'a>, limits: List<'a, RateLimit<'a>>) {
    let Some((strictest, limit)) = adapt::strictest(limits) else {
        return;
    };
    for (other, index) in limits.zip(0..) {
        let place = out.place;
        out.within(Part::item(RATE_LIMIT.model, index), place, |out| {
            if index != strictest {
                return out.lose_path(out.path, Reason::OnlyOne, Warning, place);
            }
            if other.window.differing_text().is_some() {
                out.lose(Part::object("window"), Reason::Changed, Info, place);
            }
            out.lose_metadata("metadata", other.metadata);
        });
    }
    let mut buffer = [0; 32];
    let mut sink = SliceSink::new(&mut buffer);
    put_number(limit.requests.into(), &mut sink);
    sink.put(b"/");
    sink.put(limit.window.value.as_str().as_bytes());
    let length = sink.length();
    out.put(&RATE_LIMIT, Text::plain(buffer.get(..length).unwrap_or_default()));
}

/// Writes an object without members, which actions of OpenAPI need.
fn empty(out: &mut Out<'_, '_>, source: &Source<'_, '_>, name: &'static str) {
    if source.format == Format::OpenApi
        && let Notation::Json(layout) = &mut out.notation
    {
        layout.name(name);
        layout.raw(Raw::Json(Value::trusted(b"{}")));
    }
}

fn parameters<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, capability: &Capability<'a>) {
    let fits = |own: &Parameter<'a>| source.fits(capability, own, Format::Awp);
    if !{ capability.parameters }.any(|own| fits(&own)) {
        empty(out, source, "inputs");
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.open_member("inputs", b"{");
    }
    for (parameter, index) in capability.parameters.zip(0..) {
        let model = Part::item("parameters", index);
        let place = out.span_of(parameter.source);
        if !fits(&parameter) {
            out.lose(model, Reason::NoPlace, Warning, place);
            continue;
        }
        let Some(name) = parameter.name else {
            out.lose(model, Reason::Unnamed, Warning, place);
            continue;
        };
        if let Some(reason) = out.problem(name) {
            out.lose(model, reason, Warning, place);
            continue;
        }
        out.entry(name, model, place, |out| {
            out.text(&TYPE, parameter.kind, Warning);
            if let Some(required) = parameter.required {
                out.truth(&REQUIRED, required);
            }
            out.raw(&DEFAULT, parameter.default);
            if !parameter.options.is_empty() {
                out.array("options", |out| {
                    for (option, index) in parameter.options.zip(0..) {
                        out.raw_element(Part::item("options", index), option);
                    }
                });
            }
            out.text(&DESCRIPTION, parameter.description, Warning);
            let placed = "name type required default options description metadata";
            losses::others(out, &parameter, placed);
            out.metadata("metadata", parameter.metadata, Input::FIELDS, 0, |_| false);
        });
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.close(b"}");
    }
}

impl<'a> Source<'a, '_> {
    /// Whether a capability becomes an action: agents may call it, and its restrictions can be
    /// written.
    fn is_kept(&self, capability: &Capability<'a>) -> bool {
        let has_unknown_window =
            { capability.rate_limits }.any(|limit| limit.window.value == Window::Unknown);
        !has_unknown_window && (self.loosen || !self.is_guarded(capability))
    }
}
