//! Writes agents.md from the unified model: front matter with the MCP gateway, and sections of prose.
//!
//! Capabilities become sentences under `Can`: their descriptions, without endpoints. A capability
//! that needs authentication, a person or a rate limit is left out, because software cannot enforce
//! a sentence. The format has no access rules (`undeclared.rs`).
//!
//! INVARIANT: every text that is written into Markdown passed [`problem`], so that it is read back as
//! one line of text; every text in the front matter is a JSON string, which YAML reads as well.

use super::adapt::{self, Source};
use super::loss::{Part, Reason};
use super::losses;
use super::markdown::{self, begin_item, line, member, put};
use super::out::{Notation, Out};
use super::undeclared;
use crate::diagnostic::Severity::{Info, Warning};
use crate::model::{AuthType, Capability, Enumeration, List, Protocol};
use crate::sink::put_number;
use crate::syntax::json::write_string;
use crate::syntax::text::Text;
use crate::syntax::url::{self, Relation, Url, relation};

/// Writes a whole document.
pub(super) fn write<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let reading = source.reading;
    let head = reading.head();
    out.lose_text("spec_version", head.spec_version, Reason::Changed, Info);
    put(out, b"---\nversion: \"1.0\"\n");
    let gateway = gateway(source);
    if let Some(gateway) = &gateway {
        put(out, b"mcp:\n  endpoint: ");
        put_json(out, gateway.url);
        put(out, b"\n  auth: ");
        put(out, gateway.auth.as_str().as_bytes());
        put(out, b"\n");
    }
    put(out, b"---\n");
    service(out, source);
    undeclared::document(out, source);
    can(out, source, gateway.as_ref());
    endpoints(out, source, gateway.as_ref());
    behavior(out, source);
    contact(out, source);
    undeclared::metadata(out, source);
    losses::document(out, source);
}

fn put_json(out: &mut Out<'_, '_>, text: Text<'_>) {
    if let Notation::Text(lines) = &mut out.notation {
        write_string(text, true, &mut |piece: &[u8]| lines.sink.put(piece));
    }
}

/// Why a text cannot be a line: it would begin a block, or contain code or HTML.
fn problem(text: Text<'_>) -> Option<Reason> {
    markdown::problem(text, &['<', '`', '\t'])
}

fn service<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let service = source.reading.service().unwrap_or_default();
    let place = out.span_of(service.source);
    out.within(Part::object("service"), place, |out| {
        if member(out, "name", b"\n# ", service.name, problem) {
            member(out, "description", b"\n", service.description, problem);
        } else {
            // Text that follows no title is not the description.
            out.lose_text("description", service.description, Reason::NoPlace, Warning);
        }
        out.lose_text("url", service.url, Reason::NoPlace, Info);
        out.lose_text("domain", service.domain, Reason::NoPlace, Info);
        undeclared::service(out, &service);
    });
}

/// The MCP gateway.
struct Gateway<'a> {
    url: Text<'a>,
    auth: AuthType,
    /// The index of the endpoint that it is made from; absent if it is made from a capability.
    endpoint: Option<u32>,
}

/// The MCP gateway that the source declares as an endpoint or as a capability. `None` if calls
/// through it have restrictions that agents.md cannot express.
fn gateway<'a>(source: &Source<'a, '_>) -> Option<Gateway<'a>> {
    let endpoint = source
        .reading
        .endpoints()
        .zip(0..)
        .filter(|(endpoint, _)| endpoint.protocol.value == Protocol::Mcp)
        .last();
    let through = |capability: &Capability<'a>| match capability.via {
        Some(via) => endpoint.is_some_and(|(mcp, _)| mcp.protocol.text == Some(via)),
        None => capability.protocol.is_some_and(|protocol| protocol.value == Protocol::Mcp),
    };
    let url = match endpoint {
        Some((endpoint, _)) => endpoint.url.filter(|url| !adapt::is_empty(url)),
        None => source.reading.capabilities().find(through)?.endpoint,
    }?;
    let mut auth = AuthType::None;
    for capability in source.reading.capabilities().filter(through) {
        let is_another = capability.via.is_none() && capability.endpoint != Some(url);
        if is_another || is_bound(source, &capability) {
            return None;
        }
        if let Some(own) = source.auth_of(&capability)
            && own.kind.value != AuthType::None
        {
            auth = match own.kind.value {
                kind @ (AuthType::ApiKey | AuthType::OAuth2)
                    if auth == AuthType::None || auth == kind =>
                {
                    kind
                }
                _ => AuthType::Unknown,
            };
        }
    }
    let is_open = source.loosen || !source.is_down;
    (is_open && !is_elsewhere(source, url)).then_some(Gateway {
        url,
        auth,
        endpoint: endpoint.map(|(_, index)| index),
    })
}

/// Whether an endpoint is on another site than the document. An agents.md may only declare
/// endpoints on its own site.
fn is_elsewhere(source: &Source<'_, '_>, endpoint: Text<'_>) -> bool {
    let (mut site, mut buffer) = ([0; url::BUFFER], [0; url::BUFFER]);
    let service = source.reading.service().and_then(|service| service.url);
    let site = service
        .and_then(|text| Url::of(text, &mut site))
        .or_else(|| Url::parse(source.site_url().as_bytes()));
    let endpoint = Url::of(endpoint, &mut buffer);
    site.zip(endpoint).is_some_and(|(site, endpoint)| {
        relation(site.host(), endpoint.host()).relation == Relation::Other
    })
}

/// Whether a capability has a restriction, besides authentication, that agents.md cannot express.
fn is_bound<'a>(source: &Source<'a, '_>, capability: &Capability<'a>) -> bool {
    !source.loosen && (source.is_guarded(capability) || !capability.rate_limits.is_empty())
}

/// Writes the capabilities as sentences.
fn can<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, gateway: Option<&Gateway<'a>>) {
    let mut open = false;
    for (capability, index) in source.reading.capabilities().zip(0..) {
        let model = Part::item("capabilities", index);
        let place = out.span_of(capability.source);
        let needs_auth =
            source.auth_of(&capability).is_some_and(|auth| auth.kind.value != AuthType::None);
        let is_gateway = gateway.is_some_and(|gateway| {
            gateway.endpoint.is_none() && capability.endpoint == Some(gateway.url)
        });
        if is_bound(source, &capability) || (needs_auth && !is_gateway) {
            out.lose(model, Reason::Guarded, Warning, place);
            continue;
        }
        let Some(text) = capability.description.or(capability.id) else {
            out.lose(model, Reason::Unnamed, Warning, place);
            continue;
        };
        if let Some(reason) = problem(text) {
            out.lose(model, reason, Warning, place);
            continue;
        }
        out.lose(model, Reason::Changed, Warning, place);
        item(out, b"\n## Can\n", text, &mut open);
    }
}

/// Writes an item of a list, after the heading of its section.
fn item(out: &mut Out<'_, '_>, heading: &[u8], text: Text<'_>, open: &mut bool) {
    begin_item(out, heading, open);
    line(out, b"", text);
}

fn endpoints<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, gateway: Option<&Gateway<'a>>) {
    for (endpoint, index) in source.reading.endpoints().zip(0..) {
        let place = endpoint.url.map_or(out.place, |url| out.span(url));
        let model = Part::item("endpoints", index);
        let (reason, severity) = match gateway {
            Some(gateway) if gateway.endpoint == Some(index) => (Reason::Changed, Info),
            None if endpoint.protocol.value == Protocol::Mcp => (Reason::Guarded, Warning),
            _ => (Reason::NoPlace, Warning),
        };
        out.lose(model, reason, severity, place);
    }
}

/// Writes the rate limit of the service.
fn behavior<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let limits: List<'a, _> = source.reading.rate_limits();
    let Some((_, limit)) = adapt::strictest(limits) else {
        return;
    };
    if { limits }.nth(1).is_some() || limit.window.value.seconds().is_none() || limit.requests == 0
    {
        return undeclared::limits(out, source);
    }
    let place = out.place;
    out.lose(Part::item("rate_limits", 0), Reason::Changed, Info, place);
    put(out, b"\n## Behavior\n- ");
    if let Notation::Text(lines) = &mut out.notation {
        put_number(limit.requests.into(), lines.sink);
    }
    put(out, b" requests/");
    put(out, limit.window.value.as_str().as_bytes());
    put(out, b"\n");
}

fn contact<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let mut open = false;
    let contacts = source.reading.service().unwrap_or_default().contact;
    for (text, index) in contacts.zip(0..) {
        match problem(text) {
            None => item(out, b"\n## Contact\n", text, &mut open),
            Some(reason) => out.within(Part::object("service"), out.place, |out| {
                let span = out.span(text);
                out.lose(Part::item("contact", index), reason, Warning, span);
            }),
        }
    }
}
