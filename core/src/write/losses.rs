//! Reports the parts of a document that the target cannot express.

use super::adapt::{Source, of_endpoint};
use super::loss::{Part, Reason};
use super::out::Out;
use super::place::{self, AUDIT, SESSION};
use super::robots;
use crate::diagnostic::Severity::{Error, Info, Warning};
use crate::format::Format;
use crate::model::{Access, Capability, List, Member, Object, Protocol, each_member};
use crate::span::Span;
use crate::syntax::json::{Kind, next_element};
use crate::syntax::pieces::Pieces;
use crate::syntax::text::Text;

/// Reports the members of a document that the draft cannot express.
pub(super) fn document<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    auth(out, source);
    references(out, source);
    without_auth(out, source);
}

/// Reports how callers of the service authenticate.
pub(super) fn auth<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    service_auth(out, source);
    each(out, "security_schemes", source.reading.security_schemes(), |one| one.name);
}

/// Reports the references.
pub(super) fn references<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    each(out, "references", source.reading.references(), |one| one.url);
}

/// Reports the same without authentication and references.
pub(super) fn without_auth<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let reading = source.reading;
    let bytes = out.bytes;
    let at =
        |is_there: bool, names: &[&str]| is_there.then(|| place::of(bytes, source.format, names));
    out.no_place_at(
        "provenance",
        at(
            reading.provenance().is_some(),
            &["source", "generated_by", "confidence", "last_verified"],
        ),
    );
    each(out, "flows", reading.flows(), |flow| flow.name);
    each(out, "dependencies", reading.dependencies(), |dependency| Some(dependency.capability));
    each(out, "entities", reading.entities(), |entity| Some(entity.name));
    each(out, "errors", reading.errors(), |error| Some(error.code));
    each(out, "hints", reading.hints().0, |hint| Some(hint.name));
    out.no_place_at("status", at(reading.status().is_some(), &["agent_status"]));
    out.lose_metadata("features", reading.features());
    each(out, "input_modes", reading.input_modes(), |text| Some(*text));
    each(out, "output_modes", reading.output_modes(), |text| Some(*text));
    each(out, "extensions", reading.extensions(), |one| one.uri);
    each(out, "signatures", reading.signatures(), |one| one.protected_header);
    each(out, "keys", reading.keys(), |key| key.id);
    out.no_place_at("registration", at(reading.registration().is_some(), &["agent_auth"]));
    out.no_place_at("pricing", at(reading.pricing().is_some(), &["pricing"]));
    out.no_place_at("session", at(reading.session().is_some(), SESSION));
    out.no_place_at("audit", at(reading.audit().is_some(), AUDIT));
    out.no_place("cache_seconds", reading.cache_seconds().is_some());
    robots::groups(out, source);
    out.within(Part::object("robots"), out.place, |out| {
        let robots = reading.robots_txt().unwrap_or_default();
        each(out, "sitemaps", robots.sitemaps, |text| Some(*text));
        each(out, "preferences", robots.preferences, |preference| preference.purpose.text);
        each(out, "agentmaps", robots.agentmaps, |text| Some(*text));
        each(out, "licenses", robots.licenses, |text| Some(*text));
        each(out, "fields", robots.fields, |field| Some(field.name));
    });
    out.lose_raw("request_example", reading.request_example());
    out.lose_raw("response_example", reading.response_example());
}

/// Reports the members of an object without a place in the target: all but those in `placed`, which
/// are written, or reported by themselves.
pub(super) fn others<'a>(out: &mut Out<'_, 'a>, object: &impl Object<'a>, placed: &str) {
    let _ = each_member(object, |member, bytes| {
        if !Pieces::of(placed.as_bytes(), b' ').any(|one| one == member.as_bytes()) {
            let span = bytes.map_or(out.place, |bytes| out.span_of(bytes));
            out.lose(Part::object(member), Reason::NoPlace, Warning, span);
        }
        Ok(())
    });
}

/// Reports the members of a capability that neither the draft nor agent.json has.
pub(super) fn capability<'a>(out: &mut Out<'_, 'a>, capability: &Capability<'a>) {
    const PLACED: &str = "id description endpoint method protocol via openapi auth auth_required \
        rate_limits parameters metadata";
    others(out, capability, PLACED);
}

/// Reports the permissions in prose.
pub(super) fn permissions<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let permissions = source.reading.permissions();
    let forbidden = source.severity();
    for (member, texts, severity) in [
        ("can", permissions.can, Warning),
        ("cannot", permissions.cannot, forbidden),
        ("cannot_prose", permissions.cannot_prose, forbidden),
        ("behavior", permissions.behavior, Warning),
    ] {
        out.within(Part::object("permissions"), out.place, |out| {
            for (text, index) in texts.zip(0..) {
                out.lose(Part::item(member, index), Reason::NoPlace, severity, out.span(text));
            }
        });
    }
}

/// Reports the endpoints of other protocols. They become capabilities if the document declares no
/// capabilities.
pub(super) fn endpoints<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    for (endpoint, index) in source.reading.endpoints().zip(0..) {
        let span = endpoint.url.or(endpoint.protocol.text).map_or(out.place, |text| out.span(text));
        let made =
            !source.has_capabilities && source.is_used(index) && of_endpoint(&endpoint).is_some();
        let (reason, severity) = match made {
            true if source.is_foreign(endpoint.url) || (source.is_down && !source.loosen) => {
                (Reason::Guarded, Warning)
            }
            true => (Reason::Changed, Info),
            false => (Reason::NoPlace, Warning),
        };
        out.lose(Part::item("endpoints", index), reason, severity, span);
    }
}

/// Reports the protocol of a capability to a target whose capabilities are called by HTTP.
pub(super) fn protocol<'a>(out: &mut Out<'_, 'a>, capability: &Capability<'a>) {
    if let Some(protocol) = capability.protocol {
        let is_http = protocol.value == Protocol::Rest;
        let (reason, severity) =
            if is_http { (Reason::Changed, Info) } else { (Reason::NoPlace, Warning) };
        out.lose(Part::object("protocol"), reason, severity, out.place);
    }
}

/// Reports that the items of a list cannot be expressed.
pub(super) fn each<'a, T>(
    out: &mut Out<'_, 'a>,
    member: &'static str,
    list: List<'a, T>,
    place: fn(&T) -> Option<Text<'a>>,
) {
    for (item, index) in list.zip(0..) {
        let span = place(&item).map_or(out.place, |text| out.span(text));
        out.lose(Part::item(member, index), Reason::NoPlace, Warning, span);
    }
}

/// Reports the changes to authentication for the whole service.
fn service_auth<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let Some(auth) = source.auth else { return };
    let carried = source.has_capabilities;
    let (reason, severity) =
        if carried { (Reason::Changed, Info) } else { (Reason::NoPlace, Warning) };
    let place = place::of(out.bytes, source.format, &["auth"]);
    out.within(Part::object("auth"), place, |out| {
        let span = auth.kind.text.map_or(out.place, |text| out.span(text));
        out.lose(Part::object("type"), reason, severity, span);
        for (member, text) in [("token_url", auth.token_url), ("setup_url", auth.setup_url)] {
            out.lose_text(member, text, reason, severity);
        }
        if !auth.scopes.is_empty() {
            out.lose(Part::object("scopes"), reason, severity, out.place);
        }
        for (member, text) in [
            ("header", auth.header),
            ("prefix", auth.prefix),
            ("authorization_url", auth.authorization_url),
            ("refresh_url", auth.refresh_url),
            ("token_expiry", auth.token_expiry),
        ] {
            out.lose_text(member, text, Reason::NoPlace, Warning);
        }
        if !auth.required_for.is_empty() {
            out.lose(Part::object("required_for"), reason, severity, out.place);
        }
        // The target requires authentication for these actions, although it is optional in the
        // source.
        out.no_place("optional_for", !auth.optional_for.is_empty());
        out.lose_metadata("metadata", auth.metadata);
    });
}

/// Reports unreadable restrictions, which cannot be written.
pub(super) fn unreadable<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>, access: &Access<'a>) {
    if source.format != Format::AgentsJson {
        return;
    }
    for one in source.reading.metadata() {
        if source.is_unreadable(&one, out.bytes) {
            out.lose_member("metadata", &one, Reason::Unreadable, Error);
        }
    }
    out.within(Part::object("access"), out.place, |out| {
        for one in access.metadata {
            if is_pattern_list(&one) {
                out.lose_member("metadata", &one, Reason::Unreadable, Error);
            }
        }
        for (member, list) in [("allow", access.allow), ("disallow", access.disallow)] {
            other(out, member, list.bytes(), Kind::String);
        }
    });
    let agents = source.reading.agents().bytes();
    let start = Span::of(agents, out.bytes).start as usize;
    if start.checked_sub(1).and_then(|before| out.bytes.get(before)) == Some(&b'[') {
        other(out, "agents", agents, Kind::Object);
    }
}

/// Reports the first element of an array that is neither of this kind nor `null`.
fn other<'a>(out: &mut Out<'_, 'a>, member: &'static str, inside: &'a [u8], kind: Kind) {
    let mut position = 0;
    while let Some(value) = next_element(inside, &mut position) {
        if value.kind() != kind && !value.is_null() {
            return out.lose(
                Part::object(member),
                Reason::Unreadable,
                Error,
                out.span_of(value.raw()),
            );
        }
    }
}

/// Whether a member in the metadata of the access rules is an unreadable list of patterns.
pub(super) fn is_pattern_list(one: &Member<'_>) -> bool {
    one.name == "allow" || one.name == "disallow"
}
