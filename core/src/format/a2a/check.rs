//! The check of an A2A agent card: what the rules in the tables of the format refer to.
//!
//! A card with `supportedInterfaces` is checked by the rules of 1.0. A card without it, but with
//! `url` or another member that 1.0 has dropped, is checked by the rules of 0.3. The section
//! numbers are those of the 1.0 specification.

mod security;
mod signatures;

use super::{A2aAgentCard, ExtensionObject, FeaturesObject, InterfaceObject, SkillObject, Top};
use crate::diagnostic::{Severity, Spec};
use crate::model::{Enumeration, Protocol, Transport};
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::media::is_media_type;
use crate::rules::report::Report;
use crate::rules::urls::{has_scheme, is_ambiguous};
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;
pub(super) use security::*;
pub(super) use signatures::*;

says! {
    EMPTY: EmptyValue Error, "the list is empty; add at least one item";
    OLDER: DeprecatedField "4.4.1", "{} is of an older version, and is read; write `{}` for callers of A2A 1.0";
    NO_VERSION: MissingRecommendedField "3.6", "{} is missing, so callers assume an old version of A2A; add it, for example `0.3.0`";
    UNKNOWN_VERSION: UnsupportedVersion Warning "3.6", "{} is not a version of A2A that is known here; write one such as `0.3.0`";
    TWO_NUMBERS: InvalidValue Warning "3.6", "{} is not a version of two numbers; write one such as `1.0`";
    NO_BINDING: InvalidValue Warning "5.8", "{} is not a known protocol binding; write `JSONRPC`, `GRPC`, `HTTP+JSON` or the URI of another one";
    UPPER_CASE: NonstandardShape "4.4.6", "{} is read as `{}`; write it in upper case";
    NO_MEDIA_TYPE: InvalidValue Warning, "{} is not a media type; write one such as `text/plain`";
    NO_URI: InvalidValue, "{} is not a URI; write one such as `https://example.com/extensions/name/v1`";
    NO_URI_VERSION: InvalidValue Info "4.6.3", "{} has no version; add one to the URI, such as `/v1`, so that callers notice changes";
    REQUIRED: RequiredExtension "4.6.3", "callers that do not support the extension {} are refused; require it only if the agent cannot work without it";
    EXTENSION_TWICE: DuplicateId "4.4.5", "the extension {} is declared twice; remove one";
    SKILL_TWICE: DuplicateId, "an earlier skill already has the id {}; give each skill a unique id";
}

pub(super) const SOME: Rule = In(New, &Filled(EMPTY));
const OLD_EMPTY: &Say = &EMPTY.as_severe(Severity::Warning);
pub(super) const OLD_SOME: Rule = In(Old, &Filled(OLD_EMPTY));
pub(super) const MODE: Rule = Fits(is_media_type, NO_MEDIA_TYPE);
/// The lists of interfaces of each version.
pub(super) const IN_OLD: u32 = 1 << Top::additional_interfaces;
pub(super) const IN_NEW: u32 = 1 << Top::supported_interfaces;
/// The members of the top level that only 0.2 and 0.3 have.
const OLD: u32 =
    IN_OLD | 1 << Top::url | 1 << Top::preferred_transport | 1 << Top::protocol_version;

/// Checks a document. `scratch` needs two numbers for each skill, for each extension and for each
/// security scheme.
pub(crate) fn check<'a>(
    document: &A2aAgentCard<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let Top { object, seen, .. } = document.top;
    let mut check = Check::new(bytes, Spec::A2a, report).with(scratch);
    if seen.present & IN_NEW == 0 && seen.present & OLD != 0 {
        check.profile = Old;
    }
    check.document(object, Top::RULES);
}

/// Checks the preferred interface of 0.2 and 0.3, and what the members of a card need from each
/// other.
pub(super) fn card<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let top: Top<'a> = row.view();
    callable(top.url, top.preferred_transport, row, check);
    security(&top, row, check);
}

pub(super) fn interface<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let interface: InterfaceObject<'a> = row.view();
    callable(interface.url, interface.protocol_binding.or(interface.transport), row, check);
}

/// Checks the URL and the protocol binding of an interface. The URL of gRPC may be a host and a
/// port.
fn callable<'a>(
    url: Option<Text<'a>>,
    binding: Option<Text<'a>>,
    row: &Row<'_, 'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    let transport = binding.map_or(Transport::JsonRpc, Transport::of);
    let (secure, name) = match transport {
        Transport::JsonRpc => (Secure::Http, "JSONRPC"),
        Transport::Grpc => (Secure::Http, "GRPC"),
        Transport::HttpJson => (Secure::Http, "HTTP+JSON"),
        Transport::Unknown => (Secure::Endpoint(Protocol::Unknown), ""),
        _ => (Secure::Http, ""),
    };
    if transport != Transport::Grpc || !url.is_some_and(is_host_and_port) {
        check.url(url, secure, "4.4.6");
    }
    match binding.filter(|binding| !binding.is_blank() && *binding != *name) {
        Some(binding) if !name.is_empty() => check.say_meaning(UPPER_CASE, binding, name, row),
        Some(binding) if !is_uri(binding) => check.say(NO_BINDING, binding, row),
        _ => {}
    }
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

pub(super) fn is_known_version(version: Text<'_>) -> bool {
    let is_one = |known: &&str| version == **known;
    let begins = |known: &&str| version.starts_with_ignore_case(known);
    ["0.2", "0.3", "1.0"].iter().any(is_one) || ["0.1.", "0.2.", "0.3.", "1.0."].iter().any(begins)
}

pub(super) fn is_two_numbers(version: Text<'_>) -> bool {
    version.chars().all(|c| c.is_ascii_digit() || c == '.')
        && version.chars().filter(|c| *c == '.').count() == 1
}

/// Whether a text has the form of a URI.
pub(super) fn is_uri(text: Text<'_>) -> bool {
    has_scheme(text) && !is_ambiguous(text)
}

/// Whether a text has a digit. True for a text that is no URI.
pub(super) fn is_versioned(text: Text<'_>) -> bool {
    text.chars().any(|c| c.is_ascii_digit()) || !is_uri(text)
}

pub(super) fn is_required(row: &Row<'_, '_>) -> bool {
    row.view::<ExtensionObject<'_>>().required == Some(true)
}
