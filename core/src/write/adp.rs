//! Writes the two documents of the Agent Discovery Protocol from the unified model: the manifest of
//! a service, and the detail of one capability.
//!
//! A manifest leaves what a call needs to the details, and a detail leaves the service to the
//! manifest; [`Reason::Elsewhere`] says so. Neither has access rules (`undeclared.rs`).
//!
//! | source | target |
//! | --- | --- |
//! | the URL of the site, of its domain, or of the first server | `base_url`, without a path, so that all paths have one reading |
//! | an id | `name` in snake_case |
//! | a capability | `detail_url`: `/capabilities/NAME.json` |
//! | authentication of the capabilities | `auth` of the service, the strictest that they need; of an unknown type if they differ, or if ADP cannot say where a key is sent |
//! | a bearer token | `api_key` with the header `Authorization` and the prefix `Bearer` |
//! | rate limits other than one for a minute and one for a day | the capability is left out |
//! | another protocol than HTTP | the capability is left out |
//!
//! Members that the protocol requires but the source lacks are left out; the check of the result
//! reports them.

use super::adapt::{Source, joined};
use super::adp_auth::Way;
use super::examples;
use super::loss::{Part, Reason};
use super::out::{Name, Notation, Out, name};
use super::{adp_auth, draft, losses, undeclared};
use crate::diagnostic::Severity::{Error, Info, Warning};
use crate::format::Format;
use crate::format::adp::encode::put_encoded;
use crate::format::adp::{Entry, ParameterObject};
use crate::format::openapi::OpenApi;
use crate::model::{AuthType, Capability, List, Parameter, Protocol, RateLimit, Service, Window};
use crate::rules::urls::is_rooted;
use crate::sink::{Sink, SliceSink};
use crate::syntax::json::view::Table;
use crate::syntax::text::Text;
use crate::syntax::url::{self, Url};

const VERSION: Name = name("spec_version", "", "spec_version");
const NAME: Name = name("name", "", "name");
const BASE_URL: Name = name("url", "", "base_url");
const DESCRIPTION: Name = name("description", "", "description");
const DETAIL_URL: Name = name("detail_url", "", "detail_url");
const TYPE: Name = name("type", "", "type");
const ENDPOINT: Name = name("endpoint", "", "endpoint");
const METHOD: Name = name("method", "", "method");
const AUTH_SCOPES: Name = name("scopes", "", "auth_scopes");
const PER_MINUTE: Name = name("requests", "", "requests_per_minute");
const DAILY: Name = name("requests", "", "daily_limit");
const LOCATION: Name = name("location", "", "in");
const REQUIRED: Name = name("required", "", "required");
const EXAMPLE: Name = name("example", "", "example");
const DEFAULT: Name = name("default", "", "default");

/// Writes the manifest.
pub(super) fn manifest<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    out.begin();
    out.lose_text("spec_version", source.reading.head().spec_version, Reason::Changed, Info);
    out.put(&VERSION, Text::plain(b"1.0"));
    service(out, source);
    let way = Way::of(source);
    adp_auth::of_service(out, source, way.as_ref());
    if let Notation::Json(layout) = &mut out.notation {
        layout.name("capabilities");
        layout.open(b"[");
    }
    for (capability, index) in source.reading.capabilities().zip(0..) {
        entry(out, source, Part::item("capabilities", index), &capability, way.as_ref());
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.close(b"]");
    }
    draft::metadata(out, source);
    beyond(out, source);
    out.finish();
}

/// Writes the detail of the capability with this index.
pub(super) fn detail<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    index: u32,
    description: Option<OpenApi<'a>>,
) {
    out.begin();
    beyond(out, source);
    if let Some(capability) = source.reading.capabilities().nth(index as usize) {
        let (model, place) = (Part::item("capabilities", index), out.span_of(capability.source));
        match source.omission(&capability) {
            Some(reason) => out.lose(model, reason, Error, place),
            None => out.within(model, place, |out| members(out, source, &capability, description)),
        }
    }
    out.finish();
}

/// Reports what neither document can express.
fn beyond<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    undeclared::document(out, source);
    undeclared::limits(out, source);
    losses::references(out, source);
    losses::without_auth(out, source);
    losses::permissions(out, source);
    losses::each(out, "endpoints", source.reading.endpoints(), |one| one.url);
}

fn service<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let service = source.reading.service().unwrap_or_default();
    let place = out.span_of(service.source);
    out.within(Part::object("service"), place, |out| {
        out.text(&NAME, service.name, Warning);
        out.text(&DESCRIPTION, service.description, Warning);
        base_url(out, source, &service);
        losses::each(out, "contact", service.contact, |text| Some(*text));
        undeclared::service(out, &service);
    });
}

/// Writes the origin of the site. That of a server is the last resort, because the documents of a
/// site are not at the server of its API.
#[inline(never)] // Its buffers are gone before the next ones are needed.
fn base_url<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, service: &Service<'a>) {
    let (mut decoded, mut server) = ([0; url::BUFFER], [0; 512]);
    let site = Url::parse(source.site_url().as_bytes());
    let is_described = source.format == Format::OpenApi;
    let own = if is_described {
        source.reading.base(&mut server).and_then(|server| Url::parse(server.as_bytes()))
    } else {
        service.url.and_then(|written| Url::of(written, &mut decoded))
    };
    let own = own.filter(|own| own.is_http() && !own.has_userinfo());
    let base = if is_described { site.or(own) } else { own.or(site) };
    let (reason, severity) = match base {
        Some(base) => {
            out.put(&BASE_URL, Text::plain(base.origin().as_bytes()));
            (Reason::Changed, Info)
        }
        None => (Reason::NoPlace, Warning),
    };
    let is_kept = |url: &Text<'_>| base.is_some_and(|base| *url == *base.origin());
    out.lose_text("url", service.url.filter(|url| !is_kept(url)), reason, severity);
    out.lose_text("domain", service.domain, reason, Info);
}

/// Writes the entry of a capability in the manifest.
fn entry<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    model: Part,
    capability: &Capability<'a>,
    way: Option<&Way<'a>>,
) {
    let place = out.span_of(capability.source);
    if let Some(reason) = source.omission(capability) {
        return out.lose(model, reason, Warning, place);
    }
    out.element(model, place, |out| {
        let id = capability.id.unwrap_or_default();
        let made = joined(id, '_');
        out.id(&NAME, id, made.as_deref());
        let written = made.as_deref().map_or(id, |made| Text::plain(made.as_bytes()));
        out.text(&DESCRIPTION, capability.description, Warning);
        detail_url(out, written);
        out.lose_text("endpoint", capability.endpoint, Reason::Elsewhere, Info);
        out.lose_text("method", capability.method, Reason::Elsewhere, Info);
        out.lose_text("via", capability.via, Reason::Changed, Info);
        for (_, index) in capability.parameters.zip(0..) {
            out.lose(Part::item("parameters", index), Reason::Elsewhere, Info, place);
        }
        for (_, index) in capability.rate_limits.zip(0..) {
            out.lose(Part::item("rate_limits", index), Reason::Elsewhere, Info, place);
        }
        if let Some(required) = capability.auth_required {
            let is_needed = way.is_none_or(|way| way.kind != AuthType::None);
            let (reason, severity) = if required == is_needed {
                (Reason::Changed, Info)
            } else {
                (Reason::NoPlace, Warning)
            };
            out.lose(Part::object("auth_required"), reason, severity, place);
        }
        adp_auth::of_entry(out, capability, way);
        common(out, capability);
        out.metadata("metadata", capability.metadata, Entry::FIELDS, 0, |_| false);
    });
}

/// Writes where the detail of a capability is. An empty name, or one that is too long, has none.
#[inline(never)] // Its buffer is gone before the next one is needed.
fn detail_url(out: &mut Out<'_, '_>, name: Text<'_>) {
    let mut buffer = [0; 512];
    let mut sink = SliceSink::new(&mut buffer);
    sink.put(b"/capabilities/");
    name.chars().for_each(|c| put_encoded(c, &mut sink));
    sink.put(b".json");
    let (length, is_whole) = (sink.length(), sink.is_whole());
    if is_whole && !name.is_empty() {
        out.put(&DETAIL_URL, Text::plain(buffer.get(..length).unwrap_or_default()));
    }
}

/// Reports what neither document says of a capability.
fn common<'a>(out: &mut Out<'_, 'a>, capability: &Capability<'a>) {
    losses::protocol(out, capability);
    out.lose_text("openapi", capability.openapi, Reason::NoPlace, Warning);
    losses::capability(out, capability);
}

/// Writes the members of a detail.
fn members<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    capability: &Capability<'a>,
    description: Option<OpenApi<'a>>,
) {
    let adapted = source.adapt(out, capability);
    let one = &adapted.capability;
    let id = one.id.unwrap_or_default();
    out.id(&NAME, id, joined(id, '_').as_deref());
    out.text(&DESCRIPTION, one.description, Warning);
    adapted.put_endpoint(out, &ENDPOINT);
    // Absent means GET in the Internet-Draft's formats.
    let usual = source.is_draft.then_some(Text::plain(b"GET"));
    out.text(&METHOD, one.method.or(usual), Error);
    parameters(out, source, capability);
    if let Some(description) = description {
        examples::write(out, source, &adapted, &description);
    }
    if let Some(auth) = one.auth.filter(|auth| auth.kind.value == AuthType::OAuth2) {
        out.within(Part::object("auth"), out.place, |out| {
            out.items(&AUTH_SCOPES, auth.scopes, false);
        });
    }
    rate_limits(out, one.rate_limits);
    if let Some(auth) = capability.auth {
        let place = out.span_of(auth.source);
        out.within(Part::object("auth"), place, |out| {
            out.lose(Part::object("type"), Reason::Elsewhere, Info, place);
            out.lose_text("token_url", auth.token_url, Reason::Elsewhere, Info);
            out.lose_text("docs_url", auth.docs_url, Reason::NoPlace, Warning);
            let is_written = auth.kind.value == AuthType::OAuth2;
            out.no_place("scopes", !is_written && !auth.scopes.is_empty());
            out.lose_metadata("metadata", auth.metadata);
        });
    }
    out.lose_text("detail_url", one.detail_url, Reason::Elsewhere, Info);
    common(out, capability);
    // What a detail has besides would be metadata of the document.
    for member in capability.metadata {
        out.lose_member("metadata", &member, Reason::Elsewhere, Info);
    }
}

fn parameters<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, capability: &Capability<'a>) {
    // An operation of OpenAPI without parameters has none.
    let is_described = source.format == Format::OpenApi;
    if let Notation::Json(layout) = &mut out.notation {
        if is_described {
            layout.name("parameters");
            layout.open(b"[");
        } else {
            layout.open_member("parameters", b"[");
        }
    }
    for (parameter, index) in capability.parameters.zip(0..) {
        let model = Part::item("parameters", index);
        let place = out.span_of(parameter.source);
        if !source.fits(capability, &parameter, Format::Adp) {
            out.lose(model, Reason::NoPlace, Warning, place);
        } else if parameter.name.is_none() {
            out.lose(model, Reason::Unnamed, Warning, place);
        } else {
            out.element(model, place, |out| self::parameter(out, &parameter));
        }
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.close(b"]");
    }
}

fn parameter<'a>(out: &mut Out<'_, 'a>, parameter: &Parameter<'a>) {
    out.text(&NAME, parameter.name, Warning);
    if let Some(location) = parameter.location {
        out.choice(&LOCATION, location, false, location.as_str());
    }
    out.text(&TYPE, parameter.kind, Warning);
    if let Some(required) = parameter.required {
        out.truth(&REQUIRED, required);
    }
    out.text(&DESCRIPTION, parameter.description, Warning);
    out.raw(&EXAMPLE, parameter.example);
    out.raw(&DEFAULT, parameter.default);
    let placed = "name location type required description example default metadata";
    losses::others(out, parameter, placed);
    out.metadata("metadata", parameter.metadata, ParameterObject::FIELDS, 0, |_| false);
}

/// The member for the limit of a time window, if there is one.
const fn limit_of(window: Window) -> Option<&'static Name> {
    match window {
        Window::Minute => Some(&PER_MINUTE),
        Window::Day => Some(&DAILY),
        _ => None,
    }
}

/// The index of the strictest limit of a time window.
fn strictest_of(limits: List<'_, RateLimit<'_>>, window: Window) -> Option<u32> {
    let own = limits.zip(0..).filter(|(limit, _)| limit.window.value == window);
    own.min_by_key(|(limit, _)| limit.requests).map(|(_, index)| index)
}

/// Writes the strictest limit for a minute and for a day. Only a conversion with `loosen` can have
/// others.
fn rate_limits<'a>(out: &mut Out<'_, 'a>, limits: List<'a, RateLimit<'a>>) {
    if let Notation::Json(layout) = &mut out.notation {
        layout.open_member("rate_limits", b"{");
    }
    let written = [Window::Minute, Window::Day].map(|window| strictest_of(limits, window));
    let place = out.place;
    for (limit, index) in limits.zip(0..) {
        out.within(Part::item("rate_limits", index), place, |out| {
            let Some(name) = limit_of(limit.window.value) else {
                return out.lose_path(out.path, Reason::NoPlace, Warning, place);
            };
            if !written.contains(&Some(index)) {
                return out.lose_path(out.path, Reason::OnlyOne, Warning, place);
            }
            out.number(name, limit.requests, &[]);
            if limit.window.differing_text().is_some() {
                out.lose(Part::object("window"), Reason::Changed, Info, place);
            }
            out.lose_metadata("metadata", limit.metadata);
        });
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.close(b"}");
    }
}

impl<'a> Source<'a, '_> {
    /// Whether an endpoint is neither a URL nor a path with a slash at its start. Only this protocol
    /// resolves others.
    #[inline(never)] // Its buffer is gone before the next one is needed.
    fn is_loose(&self, endpoint: Option<Text<'a>>) -> bool {
        let mut decoded = [0; url::BUFFER];
        self.format != Format::Adp
            && endpoint.is_some_and(|own| !is_rooted(own) && Url::of(own, &mut decoded).is_none())
    }

    /// Why a capability is left out.
    pub(super) fn omission(&self, capability: &Capability<'a>) -> Option<Reason> {
        let is_http =
            matches!(self.protocol_of(capability), None | Some(Protocol::Rest | Protocol::Unknown));
        let count = |window| {
            let limits = capability.rate_limits.filter(|limit| limit.window.value == window);
            limits.take(2).count()
        };
        let known = [Window::Minute, Window::Day].map(count);
        let others = [Window::Second, Window::Hour].map(count);
        let fits = known.iter().all(|count| *count < 2) && others == [0; 2];
        let is_bound = count(Window::Unknown) > 0
            || !self.loosen
                && (self.is_restricted(capability) || !fits || self.is_loose(capability.endpoint));
        if capability.id.is_none() {
            Some(Reason::Unnamed)
        } else if !is_http {
            Some(Reason::NoPlace)
        } else if is_bound || !self.can_call(capability, Format::Adp) {
            Some(Reason::Guarded)
        } else {
            None
        }
    }
}
