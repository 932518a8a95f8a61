//! Writes agents.txt 0.1.0 and its companion agents.json 0.1 from the unified model. Each converts
//! to the other and to itself.
//!
//! The formats have different defaults. Where a decision depends on a default of the source, the
//! target states it explicitly: the lifetime of sessions, and what the name of a capability in the
//! text implies.

use super::adapt::strictest;
use super::carry;
use super::loss::{Part, Reason};
use super::out::{Name, Notation, Out, name};
use super::place;
use crate::diagnostic::Severity::{Error, Info, Warning};
use crate::format::Format;
use crate::format::agents_json_01::{
    AuditObject, CapabilityObject, FlowObject, ParamObject, RateLimitObject, SessionObject, Site,
};
use crate::format::agents_txt::keys;
use crate::format::agents_txt_01::{Field, is_handed_off, needs_session};
use crate::format::robots_txt::unread::{Kind, restrictions};
use crate::model::{Capability, Flow, List, Parameter, Reading, Window};
use crate::syntax::json::view::Table;
use crate::syntax::text::Text;
use crate::syntax::url::{self, Relation, Url, relation};

const SPEC_VERSION: Name = name("spec_version", "", "schema_version");
const SITE: Name = name("name", "Site", "name");
const URL: Name = name("url", "URL", "url");
const DESCRIPTION: Name = name("description", "Description", "description");
const CONTACT: Name = name("contact", "Contact", "contact");
const COMPANION: Name = name("companion", "Agents-JSON", "");
const DOCS: Name = name("docs", "", "docs_url");
const ALLOW: Name = name("id", "Allow", "name");
const ENDPOINT: Name = name("endpoint", "", "endpoint");
const METHOD: Name = name("method", "", "method");
const REQUIRES_SESSION: Name = name("requires_session", "", "requires_session");
const HUMAN_HANDOFF: Name = name("human_handoff", "", "human_handoff");
const TYPE: Name = name("type", "", "type");
const REQUIRED: Name = name("required", "", "required");
const DEFAULT: Name = name("default", "", "default");
const ITEMS: Name = name("items", "", "items");
const FLOW: Name = name("name", "Flow", "name");
const FLOW_DESCRIPTION: Name = name("description", "Flow-Description", "description");
const STEPS: Name = name("steps", "", "steps");
const RATE_LIMIT: Name = name("requests", "Rate-Limit", "requests_per_minute");
const TTL: Name = name("ttl_seconds", "Session-TTL", "ttl_seconds");
const CREATE: Name = name("create", "", "create");
const DELETE: Name = name("delete", "", "delete");
const AUDIT: Name = name("enabled", "Audit", "enabled");
const AUDIT_ENDPOINT: Name = name("endpoint", "Audit-Endpoint", "endpoint");

/// Whether a key has a meaning in any of the text formats.
fn is_known(key: &[u8]) -> bool {
    Field::of(key).is_some() || keys::find(key).is_some() || key.eq_ignore_ascii_case(b"User-agent")
}

/// Writes a whole document.
pub(super) fn write<'a>(
    out: &mut Out<'_, 'a>,
    reading: &dyn Reading<'a>,
    format: Format,
    loosen: bool,
) {
    out.begin();
    let head = reading.head();
    if out.is_json() {
        // An agents.txt 0.1.0 does not state its version.
        if !out.text(&SPEC_VERSION, head.spec_version, Warning) && format == Format::AgentsTxt01 {
            out.put(&SPEC_VERSION, Text::plain(b"0.1.0"));
        }
        out.lose_text("companion", head.companion, Reason::NoPlace, Info);
        if format == Format::AgentsTxt01 {
            // Decisions respect these lines in text, but JSON cannot hold them.
            for text in restrictions(out.bytes, Kind::Other) {
                let part = Part::object("metadata");
                out.lose(part, Reason::Unreadable, Error, out.span(text));
            }
        }
    } else {
        out.lose_text("spec_version", head.spec_version, Reason::NoPlace, Info);
    }
    service(out, reading);
    if !out.is_json() {
        out.text(&COMPANION, head.companion, Warning);
        out.group();
        out.metadata("metadata", reading.metadata(), &[], 0, is_known);
        out.group();
    }
    capabilities(out, reading, loosen);
    flows(out, reading.flows());
    out.group();
    rate_limits(out, reading, format);
    session(out, reading, format);
    audit(out, reading, format);
    if out.is_json() && !reading.metadata().is_empty() {
        if let Notation::Json(layout) = &mut out.notation {
            layout.open_member("metadata", b"{");
        }
        out.metadata("metadata", reading.metadata(), &[], 0, is_known);
        if let Notation::Json(layout) = &mut out.notation {
            layout.close(b"}");
        }
    }
    out.finish();
}

fn service<'a>(out: &mut Out<'_, 'a>, reading: &dyn Reading<'a>) {
    let Some(service) = reading.service() else {
        return;
    };
    let place = out.span_of(service.source);
    out.object(Part::object("service"), "site", place, |out| {
        out.text(&SITE, service.name, Warning);
        out.text(&URL, service.url, Warning);
        out.prose(&DESCRIPTION, service.description, Warning);
        // Both formats have one contact at most.
        if let Some(contact) = { service.contact }.next() {
            match out.problem(contact) {
                None => out.put(&CONTACT, contact),
                Some(reason) => {
                    out.lose(Part::item("contact", 0), reason, Warning, out.span(contact))
                }
            }
        }
        if out.is_json() {
            out.metadata("metadata", service.metadata, Site::FIELDS, 0, is_known);
        } else {
            out.lose_text("docs", service.docs, Reason::NoPlace, Warning);
            out.lose_metadata("metadata", service.metadata);
        }
    });
    if out.is_json() {
        out.within(Part::object("service"), place, |out| {
            out.text(&DOCS, service.docs, Warning);
        });
    }
}

fn capabilities<'a>(out: &mut Out<'_, 'a>, reading: &dyn Reading<'a>, loosen: bool) {
    let list = reading.capabilities();
    if list.is_empty() {
        return;
    }
    let site = reading.service().and_then(|service| service.url);
    out.array("capabilities", |out| {
        for (one, index) in list.zip(0..) {
            let model = Part::item("capabilities", index);
            let place = out.span_of(one.source);
            if out.is_json() {
                out.element(model, place, |out| in_json(out, &one));
            } else {
                out.within(model, place, |out| in_text(out, &one, site, loosen));
            }
        }
    });
}

fn in_json<'a>(out: &mut Out<'_, 'a>, one: &Capability<'a>) {
    out.text(&ALLOW, one.id, Error);
    out.text(&DESCRIPTION, one.description, Warning);
    out.text(&ENDPOINT, one.endpoint, Error);
    out.text(&METHOD, one.method, Error);
    if !one.parameters.is_empty() {
        if let Notation::Json(layout) = &mut out.notation {
            layout.open_member("params", b"{");
        }
        for (parameter, index) in one.parameters.zip(0..) {
            let place = out.span_of(parameter.source);
            let name = parameter.name.unwrap_or_default();
            out.entry(name, Part::item("parameters", index), place, |out| {
                self::parameter(out, &parameter)
            });
        }
        if let Notation::Json(layout) = &mut out.notation {
            layout.close(b"}");
        }
    }
    if let Some(value) = one.requires_session {
        out.truth(&REQUIRES_SESSION, value);
    }
    if let Some(value) = one.human_handoff {
        out.truth(&HUMAN_HANDOFF, value);
    }
    out.metadata("metadata", one.metadata, CapabilityObject::FIELDS, 0, is_known);
}

fn parameter<'a>(out: &mut Out<'_, 'a>, parameter: &Parameter<'a>) {
    out.text(&TYPE, parameter.kind, Warning);
    out.text(&DESCRIPTION, parameter.description, Warning);
    if let Some(required) = parameter.required {
        out.truth(&REQUIRED, required);
    }
    out.raw(&DEFAULT, parameter.default);
    out.raw(&ITEMS, parameter.items);
    if !parameter.options.is_empty() {
        out.array("enum", |out| {
            for (option, index) in parameter.options.zip(0..) {
                out.raw_element(Part::item("options", index), option);
            }
        });
    }
    out.metadata("metadata", parameter.metadata, ParamObject::FIELDS, 0, is_known);
}

/// Whether agents refuse an endpoint: it is unusable, or on a domain other than the site's.
fn is_refused(endpoint: Text<'_>, site: Option<Text<'_>>) -> bool {
    let (mut decoded, mut site_decoded) = ([0; url::BUFFER], [0; url::BUFFER]);
    let mut chars = endpoint.chars();
    if chars.next() == Some('/') {
        return chars.next() == Some('/');
    }
    let Some(endpoint) = Url::of(endpoint, &mut decoded).filter(|url| !url.has_userinfo()) else {
        return true;
    };
    let site = site.and_then(|site| Url::of(site, &mut site_decoded));
    site.is_some_and(|site| relation(site.host(), endpoint.host()).relation == Relation::Other)
}

/// Writes a capability as text, which holds nothing but its name. The name implies whether a
/// session and a person are needed. A capability is left out if it needs either without a name that
/// implies it, or if agents refuse its endpoint.
fn in_text<'a>(out: &mut Out<'_, 'a>, one: &Capability<'a>, site: Option<Text<'a>>, loosen: bool) {
    let Some(id) = one.id else {
        return out.lose_path(out.path, Reason::Unnamed, Warning, out.place);
    };
    if id.is_empty() {
        return out.lose_path(out.path, Reason::Empty, Warning, out.span(id));
    }
    let is_guarded = one.requires_session == Some(true) && !needs_session(id)
        || one.human_handoff == Some(true) && !is_handed_off(id)
        || one.endpoint.is_some_and(|endpoint| is_refused(endpoint, site));
    if is_guarded && !loosen {
        return out.lose_path(out.path, Reason::Guarded, Warning, out.place);
    }
    if !out.text(&ALLOW, Some(id), Warning) {
        return;
    }
    out.lose_text("description", one.description, Reason::NoPlace, Warning);
    out.lose_text("endpoint", one.endpoint, Reason::NoPlace, Warning);
    out.lose_text("method", one.method, Reason::NoPlace, Warning);
    let implied = |follows: bool| follows.then_some(true);
    out.no_place("requires_session", one.requires_session != implied(needs_session(id)));
    out.no_place("human_handoff", one.human_handoff != implied(is_handed_off(id)));
    out.no_place("parameters", !one.parameters.is_empty());
    out.lose_metadata("metadata", one.metadata);
}

fn flows<'a>(out: &mut Out<'_, 'a>, flows: List<'a, Flow<'a>>) {
    if flows.is_empty() {
        return;
    }
    out.group();
    out.array("flows", |out| {
        for (flow, index) in flows.zip(0..) {
            let model = Part::item("flows", index);
            let place = flow.name.map_or(out.place, |name| out.span(name));
            if out.is_json() {
                out.element(model, place, |out| {
                    out.text(&FLOW, flow.name, Warning);
                    out.prose(&FLOW_DESCRIPTION, flow.description, Warning);
                    out.items(&STEPS, flow.steps, false);
                    out.metadata("metadata", flow.metadata, FlowObject::FIELDS, 0, is_known);
                });
            } else {
                out.within(model, place, |out| flow_line(out, &flow));
            }
        }
    });
}

/// Writes `Flow: name → step, step`, and the description of the flow.
fn flow_line<'a>(out: &mut Out<'_, 'a>, flow: &Flow<'a>) {
    let name = flow.name.unwrap_or_default();
    let problem =
        carry::value(name).or_else(|| name.chars().any(|c| c == '→').then_some(Reason::Separator));
    if let Some(reason) = problem {
        return out.lose_path(out.path, reason, Warning, out.span(name));
    }
    if flow.name.is_none() {
        return out.lose_path(out.path, Reason::Unnamed, Warning, out.place);
    }
    out.items_behind(&FLOW, &STEPS, &[name, Text::plain(" →".as_bytes())], flow.steps, true);
    // The description is written even if the flow has no steps.
    out.prose(&FLOW_DESCRIPTION, flow.description, Warning);
    out.lose_metadata("metadata", flow.metadata);
}

fn rate_limits<'a>(out: &mut Out<'_, 'a>, reading: &dyn Reading<'a>, format: Format) {
    let Some((index, limit)) = strictest(reading.rate_limits()) else {
        return;
    };
    let place = place::of(out.bytes, format, place::RATE_LIMIT);
    let model = Part::item("rate_limits", index);
    if out.is_json() && limit.window.value != Window::Minute {
        return out.lose(model, Reason::NoPlace, Error, place);
    }
    let window = match limit.window.text.filter(|text| out.problem(*text).is_none()) {
        Some(text) => text,
        None => Text::plain(limit.window.as_str().as_bytes()),
    };
    if out.is_json() && limit.window.differing_text().is_some() {
        out.lose(model, Reason::Changed, Info, place);
    }
    out.object(model, "rate_limit", place, |out| {
        out.number(&RATE_LIMIT, limit.requests, &[Text::plain(b"/"), window]);
        if out.is_json() {
            out.metadata("metadata", limit.metadata, RateLimitObject::FIELDS, 0, is_known);
        } else {
            out.lose_metadata("metadata", limit.metadata);
        }
    });
}

fn session<'a>(out: &mut Out<'_, 'a>, reading: &dyn Reading<'a>, format: Format) {
    let is_converted = out.is_json() != format.is_json();
    let usual = reading.usual_session().filter(|_| {
        is_converted && { reading.capabilities() }.any(|one| one.requires_session == Some(true))
    });
    let written = reading.session();
    if written.is_none() && usual.is_none() {
        return;
    }
    let session = written.unwrap_or_default();
    let place = place::of(out.bytes, format, place::SESSION);
    out.object(Part::object("session"), "session", place, |out| {
        if let Some(seconds) = session.ttl_seconds.or(usual) {
            out.number(&TTL, seconds, &[Text::plain(b"s")]);
        }
        if out.is_json() {
            out.text(&CREATE, session.create, Warning);
            out.text(&DELETE, session.delete, Warning);
            out.metadata("metadata", session.metadata, SessionObject::FIELDS, 0, is_known);
        } else {
            out.lose_text("create", session.create, Reason::NoPlace, Warning);
            out.lose_text("delete", session.delete, Reason::NoPlace, Warning);
            out.lose_metadata("metadata", session.metadata);
        }
    });
}

fn audit<'a>(out: &mut Out<'_, 'a>, reading: &dyn Reading<'a>, format: Format) {
    let Some(audit) = reading.audit() else { return };
    let place = place::of(out.bytes, format, place::AUDIT);
    out.object(Part::object("audit"), "audit", place, |out| {
        if let Some(enabled) = audit.enabled {
            out.truth(&AUDIT, enabled);
        }
        out.text(&AUDIT_ENDPOINT, audit.endpoint, Warning);
        if out.is_json() {
            // The model keeps the description of the audit as metadata, so it is written under its
            // own name.
            let known = AuditObject::FIELDS.get(..2).unwrap_or_default();
            out.metadata("metadata", audit.metadata, known, 0, is_known);
        } else {
            out.lose_metadata("metadata", audit.metadata);
        }
    });
}
