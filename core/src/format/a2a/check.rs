//! The check of an A2A agent card.
//!
//! A card with `supportedInterfaces` is checked by the rules of 1.0. A card without it, but with
//! `url` or another member that 1.0 has dropped, is checked by the rules of 0.3. The section
//! numbers are those of the 1.0 specification.

mod security;
mod signatures;

use super::{
    A2aAgentCard, ExtensionObject, FeaturesObject, InterfaceObject, ProviderObject, SkillObject,
    Top,
};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::model::{Enumeration, Protocol, Transport};
use crate::rules::json::reading::Objects;
use crate::rules::json::{Check, Noted, members, span_of, strings, strings_in};
use crate::rules::media::is_media_type;
use crate::rules::report::Report;
use crate::rules::urls::{Secure, has_scheme, is_ambiguous, is_url};
use crate::syntax::json::view::{Object, View};
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;

const SUPPORTED_INTERFACES: u32 = Top::supported_interfaces;
const PROTOCOL_VERSION: u32 = Top::protocol_version;
/// The members of the top level that only 0.2 and 0.3 have.
const OLD_INTERFACES: [u32; 4] =
    [Top::url, Top::preferred_transport, Top::additional_interfaces, PROTOCOL_VERSION];

/// The members of the top level that 1.0 has replaced, and what replaces them.
const REPLACED: [(&str, &str); 7] = [
    ("url", "supportedInterfaces"),
    ("preferredTransport", "supportedInterfaces"),
    ("additionalInterfaces", "supportedInterfaces"),
    ("protocolVersion", "protocolVersion` of each interface"),
    ("security", "securityRequirements"),
    ("supportsAuthenticatedExtendedCard", "extendedAgentCard` in `capabilities"),
    ("supportsExtendedAgentCard", "extendedAgentCard` in `capabilities"),
];

/// Checks a document. `scratch` needs two numbers for each skill, for each extension and for each
/// security scheme.
pub(crate) fn check<'a>(
    document: &A2aAgentCard<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let top = &document.top;
    let object = top.object;
    let mut check = Check::new(bytes, Spec::A2a, report);
    let check = &mut check;
    strings(check, span_of(object, bytes).start as usize);
    let card = members::<Top<'_>>(object, check, "4.4.1");
    let is_old = !top.seen.has(SUPPORTED_INTERFACES)
        && OLD_INTERFACES.iter().any(|field| top.seen.has(*field));
    for (name, text) in
        [("name", top.name), ("description", top.description), ("version", top.version)]
    {
        check.need_text::<Top<'_>>(object, &top.seen, name, text, "4.4.1");
    }
    let lists = ["defaultInputModes", "defaultOutputModes", "skills"];
    for name in ["capabilities"].into_iter().chain(lists) {
        check.need::<Top<'_>>(object, &top.seen, name, "4.4.1");
    }
    for name in lists.into_iter().chain(["supportedInterfaces"]) {
        not_empty(&card, name, is_old, check, "4.4.1");
    }
    if is_old {
        old_interfaces(top, check);
    } else {
        check.need::<Top<'_>>(object, &top.seen, "supportedInterfaces", "4.4.1");
        replaced(object, &REPLACED, check);
    }
    replaced(object, &[("authentication", "securitySchemes")], check);
    interfaces(top, check);
    if let Some(Object(provider)) = top.provider {
        let provider = members::<ProviderObject<'_>>(provider, check, "4.4.2").view();
        let (object, seen) = (provider.object, &provider.seen);
        let organization = provider.organization;
        check.need_text::<ProviderObject<'_>>(object, seen, "organization", organization, "4.4.2");
        check.need_text::<ProviderObject<'_>>(object, seen, "url", provider.url, "4.4.2");
        check.url(provider.url, Secure::Web, "4.4.2");
    }
    check.url(top.documentation_url, Secure::Web, "4.4.1");
    check.url(top.icon_url, Secure::Web, "4.4.1");
    modes(&card, ["defaultInputModes", "defaultOutputModes"], check, "4.4.1");
    if let Some(Object(features)) = top.capabilities {
        self::features(features, is_old, check, scratch);
    }
    skills(top, is_old, check, scratch);
    security::check(top, is_old, check, scratch);
    signatures::check(top.signatures, check);
}

/// Reports members that 1.0 has replaced.
fn replaced<'a>(object: Value<'a>, names: &[(&str, &'static str)], check: &mut Check<'_, '_, 'a>) {
    for member in object.members().filter(|member| !member.value.is_null()) {
        if let Some((_, new)) = names.iter().find(|(old, _)| member.name == **old) {
            let message =
                "{} is of an older version, and is read; write `{}` for callers of A2A 1.0";
            let span = crate::rules::json::quoted(member.name, check.bytes);
            let found = Diagnostic::new(Code::DeprecatedField, span, check.spec, "4.4.1", message);
            check.report.add(found.about(member.name).meaning(new));
        }
    }
}

/// Reports an empty list that must have an element: an error in 1.0, a warning in older versions.
fn not_empty<'a, V: View<'a>>(
    object: &Noted<'a, V>,
    name: &'static str,
    is_old: bool,
    check: &mut Check<'_, '_, 'a>,
    section: &'static str,
) {
    let severity = if is_old { Severity::Warning } else { Severity::Error };
    if let Some(list) = object.value_of_kind(name, Kind::Array) {
        let message = "the list is empty; add at least one item";
        check.some(list, severity, section, message);
    }
}

/// Checks the members of 0.2 and 0.3 that name the interfaces and the version.
fn old_interfaces<'a>(top: &Top<'a>, check: &mut Check<'_, '_, 'a>) {
    check.need_text::<Top<'_>>(top.object, &top.seen, "url", top.url, "4.4.1");
    if !top.seen.has(PROTOCOL_VERSION) {
        check.lacks(
            Code::MissingRecommendedField,
            Severity::Warning,
            "protocolVersion",
            top.object,
            "3.6",
            "{} is missing, so callers assume an old version of A2A; add it, for example `0.3.0`",
        );
    }
    let is_known = |version: Text<'_>| {
        let mut parts = [b'x'; 4];
        { version.chars() }.zip(&mut parts).for_each(|(c, part)| {
            *part = u8::try_from(c).unwrap_or(b'x');
        });
        matches!(&parts, b"0.1." | b"0.2." | b"0.3." | b"1.0." | b"0.2x" | b"0.3x" | b"1.0x")
    };
    if let Some(version) = top.protocol_version.filter(|version| !version.is_blank())
        && !is_known(version)
    {
        let message = "{} is not a version of A2A that is known here; write one such as `0.3.0`";
        check.graded(Code::UnsupportedVersion, Severity::Warning, version, "3.6", message);
    }
}

/// Checks the interfaces of all versions.
fn interfaces<'a>(top: &Top<'a>, check: &mut Check<'_, '_, 'a>) {
    url(top.url, top.preferred_transport, check);
    binding(top.preferred_transport, check);
    for (list, is_old) in [(top.supported_interfaces, false), (top.additional_interfaces, true)] {
        let Some(Objects(list)) = list else { continue };
        check.objects(list, "4.4.6", |object, check| {
            interface(object, is_old, check);
        });
    }
}

fn interface<'a>(object: Value<'a>, is_old: bool, check: &mut Check<'_, '_, 'a>) {
    let interface = members::<InterfaceObject<'_>>(object, check, "4.4.6").view();
    let seen = &interface.seen;
    check.need_text::<InterfaceObject<'_>>(object, seen, "url", interface.url, "4.4.6");
    let required = if is_old { "transport" } else { "protocolBinding" };
    check.need::<InterfaceObject<'_>>(object, seen, required, "4.4.6");
    let stated = interface.protocol_binding.or(interface.transport);
    binding(stated, check);
    url(interface.url, stated, check);
    if is_old {
        return;
    }
    let version = interface.protocol_version;
    let version =
        check.need_text::<InterfaceObject<'_>>(object, seen, "protocolVersion", version, "4.4.6");
    let Some(version) = version else { return };
    let mut parts = 1;
    let is_number = version.chars().all(|c| {
        parts += u32::from(c == '.');
        c.is_ascii_digit() || c == '.'
    });
    if !is_number || parts != 2 {
        let message = "{} is not a version of two numbers; write one such as `1.0`";
        check.graded(Code::InvalidValue, Severity::Warning, version, "3.6", message);
    }
}

/// Checks the name of a protocol binding.
fn binding<'a>(binding: Option<Text<'a>>, check: &mut Check<'_, '_, 'a>) {
    let Some(binding) = binding.filter(|binding| !binding.is_blank()) else {
        return;
    };
    let name = match Transport::of(binding) {
        Transport::JsonRpc => "JSONRPC",
        Transport::Grpc => "GRPC",
        Transport::HttpJson => "HTTP+JSON",
        _ => {
            if !is_uri(binding) {
                let message = "{} is not a known protocol binding; write `JSONRPC`, `GRPC`, `HTTP+JSON` or the URI of another one";
                check.graded(Code::InvalidValue, Severity::Warning, binding, "5.8", message);
            }
            return;
        }
    };
    if binding != *name {
        let span = crate::rules::json::quoted(binding, check.bytes);
        let message = "{} is read as `{}`; write it in upper case";
        let found = Diagnostic::new(Code::NonstandardShape, span, check.spec, "4.4.6", message);
        check.report.add(found.about(binding).meaning(name));
    }
}

/// Checks the URL of an interface. A gRPC interface may have a host and a port instead.
fn url<'a>(url: Option<Text<'a>>, binding: Option<Text<'a>>, check: &mut Check<'_, '_, 'a>) {
    let secure = match binding.map_or(Transport::JsonRpc, Transport::of) {
        Transport::Grpc if url.is_some_and(is_host_and_port) => return,
        Transport::Unknown => Secure::Endpoint(Protocol::Unknown),
        _ => Secure::Http,
    };
    check.url(url, secure, "4.4.6");
}

/// Whether a text is `host:port`.
fn is_host_and_port(text: Text<'_>) -> bool {
    let (mut has_host, mut has_colon, mut digits) = (false, false, 0);
    let is_plain = text.chars().all(|c| {
        if has_colon {
            digits += 1;
            return c.is_ascii_digit() && digits <= 5;
        }
        has_colon = c == ':';
        has_host |= !has_colon;
        has_colon || c.is_alphanumeric() || matches!(c, '.' | '-' | '_')
    });
    is_plain && has_host && digits > 0
}

/// Whether a text has the form of a URI.
fn is_uri(text: Text<'_>) -> bool {
    has_scheme(text) && !is_ambiguous(text)
}

/// Checks lists of media types.
fn modes<'a, V: View<'a>>(
    object: &Noted<'a, V>,
    names: [&str; 2],
    check: &mut Check<'_, '_, 'a>,
    section: &'static str,
) {
    strings_in(object, &names, check, section);
    let lists = names.into_iter().filter_map(|name| object.value_of_kind(name, Kind::Array));
    for mode in lists.flat_map(Value::elements).filter_map(Value::as_text) {
        if !mode.is_blank() && !is_media_type(mode) {
            let message = "{} is not a media type; write one such as `text/plain`";
            check.graded(Code::InvalidValue, Severity::Warning, mode, section, message);
        }
    }
}

/// Checks the optional parts of the protocol.
fn features<'a>(
    object: Value<'a>,
    is_old: bool,
    check: &mut Check<'_, '_, 'a>,
    scratch: &mut [u32],
) {
    let features = members::<FeaturesObject<'_>>(object, check, "4.4.3").view();
    if !is_old && features.state_transition_history.is_some() {
        replaced(object, &[("stateTransitionHistory", "extensions")], check);
    }
    let Some(Objects(list)) = features.extensions else {
        return;
    };
    check.objects(list, "4.4.4", |object, check| {
        let extension = members::<ExtensionObject<'_>>(object, check, "4.4.4").view();
        let (seen, uri) = (&extension.seen, extension.uri);
        let uri = check.need_text::<ExtensionObject<'_>>(object, seen, "uri", uri, "4.4.4");
        let Some(uri) = uri else { return };
        if !is_uri(uri) {
            let message =
                "{} is not a URI; write one such as `https://example.com/extensions/name/v1`";
            check.about(Code::InvalidValue, uri, "4.4.4", message);
        } else if !uri.chars().any(|c| c.is_ascii_digit()) {
            let message = "{} has no version; add one to the URI, such as `/v1`, so that callers notice changes";
            check.graded(Code::InvalidValue, Severity::Info, uri, "4.6.3", message);
        }
        if extension.required == Some(true) {
            let message = "callers that do not support the extension {} are refused; require it only if the agent cannot work without it";
            check.about(Code::RequiredExtension, uri, "4.6.3", message);
        }
    });
    let uris = list.elements().filter_map(|object| ExtensionObject::read(object).uri);
    let message = "the extension {} is declared twice; remove one";
    check.unique(uris, Severity::Error, "4.4.5", message, scratch);
}

fn skills<'a>(top: &Top<'a>, is_old: bool, check: &mut Check<'_, '_, 'a>, scratch: &mut [u32]) {
    let Some(Objects(list)) = top.skills else {
        return;
    };
    check.objects(list, "4.4.5", |object, check| {
        let noted = members::<SkillObject<'_>>(object, check, "4.4.5");
        let skill = noted.view();
        for (name, text) in
            [("id", skill.id), ("name", skill.name), ("description", skill.description)]
        {
            check.need_text::<SkillObject<'_>>(object, &skill.seen, name, text, "4.4.5");
        }
        check.need::<SkillObject<'_>>(object, &skill.seen, "tags", "4.4.5");
        not_empty(&noted, "tags", is_old, check, "4.4.5");
        strings_in(&noted, &["tags", "examples"], check, "4.4.5");
        modes(&noted, ["inputModes", "outputModes"], check, "4.4.5");
        if !is_old {
            replaced(object, &[("security", "securityRequirements")], check);
        }
    });
    let ids = list.elements().filter_map(|object| SkillObject::read(object).id);
    let message = "an earlier skill already has the id {}; give each skill a unique id";
    check.unique(ids, Severity::Error, "4.4.5", message, scratch);
}

/// Reports a URL that must be absolute and https.
fn secure<'a>(text: Option<Text<'a>>, check: &mut Check<'_, '_, 'a>) {
    check.url(text, Secure::Http, "4.5");
}

/// Whether a text is an https URL.
fn is_https(text: Text<'_>) -> bool {
    is_url(text) && text.starts_with_ignore_case("https:")
}
