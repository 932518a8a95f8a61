//! The check of an AWP document: what the rules in the tables of the format refer to.
//!
//! `check/actions.rs` has the functions for actions; `check/references.rs` and `check/types.rs` check
//! what needs sorted names. The document is walked once for each set of names (ids of actions, names
//! in `required_for`, names in `optional_for`, protocols, entities), because the scratch buffer
//! holds one sorted set at a time. Each walk is linear, and each lookup a binary search.

mod actions;
mod references;
mod types;

use super::{Awp, EntityObject, Layer, Top, graph};
use crate::diagnostic::{Severity, Spec};
use crate::model::Enumeration;
pub(super) use crate::model::Protocol;
use crate::rules::is_joined;
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::report::Report;
pub(super) use crate::rules::timestamp::is_iso_8601;
use crate::rules::values::duration_seconds;
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;
use crate::syntax::url::{Relation, Url, relation};
pub(super) use actions::*;
pub(super) use references::dependencies;

says! {
    NO_VERSION: InvalidValue "4", "{} is not a valid version; write MAJOR.MINOR, such as 0.2";
    OTHER_MAJOR: UnsupportedVersion Warning "4", "major version {} is not supported; the document is read as version 0.2";
    NO_DOMAIN: InvalidValue, "{} is not a valid domain; write only the host, without scheme, port and path";
    OTHER_ORIGIN: OriginMismatch, "the document is for {}, but was fetched from another origin; write the host that serves it";
    NO_PROTOCOL_ID: InvalidValue "5.5", "{} is not a valid protocol id; use lower-case letters and digits, with hyphens between words";
    OTHER_PROTOCOL: UnknownProtocol "5.5", "{} is not a registered protocol; agents that do not know it ignore it";
    NO_PROTOCOL_VERSION: MissingRequiredField, "the protocol has no {}; write the version that the service uses";
    NO_PAGINATION: InvalidValue, "{} is not a valid pagination; write cursor, offset, page or none";
    NO_AUTH_TYPE: InvalidValue, "{} is not a valid authentication type; write oauth2, api_key, bearer or none";
    NO_DURATION: InvalidValue Warning, "{} is not a duration as in the examples of the specification; write a number and s, m, h or d, such as 24h";
    NO_FIELDS: MissingRecommendedField, "the entity has no {}, so agents do not know what it contains; add them";
    RECOVERY_ALONE: NonstandardShape, "{} is a string, which is read as the recovery; write an object with `recovery`";
    NO_SOURCE: MissingRecommendedField Warning "14", "the document states who generated it, but {} is missing, so agents take it for the site's own; write `synthetic`, or remove these members";
    UNKNOWN_SOURCE: InvalidValue "14", "{} is not a valid source; write synthetic, or leave it out";
    NO_FRACTION: InvalidValue "14", "{} is not a valid confidence; write a number from 0 to 1";
    NO_TIME: InvalidTimestamp "14", "{} is not a valid timestamp; use ISO 8601, for example 2026-02-01T00:00:00Z";
    NO_ERRORS: MissingRecommendedField Info "15", "{} is missing or empty, so agents cannot recover from errors; add a recovery for each expected error";
}

pub(super) const NO_PAYMENT_VERSION: &Say = &NO_PROTOCOL_VERSION.as_severe(Severity::Warning);
pub(super) const PATH_OR_URL: Rule = Endpoint(
    Secure::Http,
    "{} is neither an https URL nor a path that begins with `/`; write one of them",
);
/// What a document of a third party must have.
pub(super) const OF_SYNTHETIC: Rule = If(is_synthetic, &At("14", &Need));

/// Checks a document. See `Document::check_with` for the scratch buffer.
pub(crate) fn check<'a>(
    document: &Awp<'a>,
    bytes: &'a [u8],
    origin: Option<&str>,
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::Awp, report).with(scratch);
    // A DNS name has at most 253 characters.
    let mut buffer = [0; 256];
    check.host = document.top.domain.and_then(|domain| host(domain, &mut buffer));
    check.origin = origin;
    check.document(document.top.object, Top::RULES);
}

/// Checks what the members of a document need from each other.
pub(super) fn document<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    want_some(NO_ERRORS, Top::errors, row, check);
    let document = Awp { top: row.view() };
    references::check(&document, row, check);
    types::check(&document, check);
    graph::check_cycles(document.top.dependencies, check);
}

pub(super) fn entity<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    want_some(NO_FIELDS, EntityObject::fields, row, check);
}

/// Reports a map that is absent or empty.
fn want_some<'a>(say: &Say, map: u32, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let is_empty = |map: Value<'_>| map.kind() == Kind::Object && map.members().next().is_none();
    if row.value_of(map).is_none_or(is_empty) {
        check.without(say, row.name_of(map), row);
    }
}

pub(super) fn is_version(version: Text<'_>) -> bool {
    major(version).is_some()
}

/// Whether the major version is 0. True for a text that is no version.
pub(super) fn is_known_version(version: Text<'_>) -> bool {
    major(version) != Some(false)
}

/// Whether the major version of `MAJOR.MINOR` is 0. `None` if the text does not have this form.
fn major(version: Text<'_>) -> Option<bool> {
    let (mut dots, mut digits, mut zero) = (0, 0, true);
    for c in version.chars() {
        match c {
            '0'..='9' => {
                digits += 1;
                zero &= dots > 0 || c == '0';
            }
            '.' if dots == 0 && digits > 0 => (dots, digits) = (1, 0),
            _ => return None,
        }
    }
    (dots == 1 && digits > 0).then_some(zero)
}

/// Returns the domain as a host name, or `None` if it is invalid. (`relation` says that two hosts
/// are the same only if they are valid.)
fn host<'b>(domain: Text<'_>, buffer: &'b mut [u8]) -> Option<&'b str> {
    let host: &str = domain.decode(buffer).ok()?;
    Some(host).filter(|host| relation(host, host).relation == Relation::SameHost)
}

pub(super) fn domain<'a>(domain: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let Some(host) = check.host else { return check.say(NO_DOMAIN, domain, row) };
    let origin = check.origin.and_then(|origin| Url::parse(origin.as_bytes()));
    if origin.is_some_and(|origin| relation(host, origin.host()).relation != Relation::SameHost) {
        check.say(OTHER_ORIGIN, domain, row);
    }
}

/// Whether a text is a duration. The specification does not define durations; it has only examples.
pub(super) fn is_duration(text: Text<'_>) -> bool {
    duration_seconds(text).is_some()
}

pub(super) fn is_synthetic(row: &Row<'_, '_>) -> bool {
    let document = Awp { top: row.view() };
    document.is_synthetic()
}

/// Whether a document has one of the members that only documents of third parties have.
pub(super) fn describes_origin(row: &Row<'_, '_>) -> bool {
    let top: Top<'_> = row.view();
    top.generated_by.is_some() || top.confidence.is_some() || top.last_verified.is_some()
}

pub(super) fn confidence<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if value.as_number().is_some_and(|number| !is_fraction(number.raw())) {
        check.say_value(NO_FRACTION, value, row.section);
    }
}

/// Whether a JSON number is from 0 to 1. Compares the positions of its nonzero digits, without
/// floating-point arithmetic.
fn is_fraction(number: &[u8]) -> bool {
    let (negative, rest) = match number {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mantissa = rest.split(|byte| matches!(byte, b'e' | b'E')).next().unwrap_or_default();
    let exponent = match rest.get(mantissa.len().saturating_add(1)..).unwrap_or_default() {
        [b'-', digits @ ..] => exponent(digits).saturating_neg(),
        [b'+', digits @ ..] => exponent(digits),
        digits => exponent(digits),
    };
    let whole = mantissa.iter().position(|&byte| byte == b'.').unwrap_or(mantissa.len());
    let mut place = exponent.saturating_add(i64::try_from(whole).unwrap_or(i64::MAX));
    let mut one = false;
    for digit in mantissa.iter().filter(|&&byte| byte != b'.') {
        place = place.saturating_sub(1);
        match digit {
            b'0' => {}
            _ if negative || one || place > 0 => return false,
            b'1' if place == 0 => one = true,
            _ if place == 0 => return false,
            _ => return true,
        }
    }
    true
}

fn exponent(digits: &[u8]) -> i64 {
    digits.iter().fold(0_i64, |value, digit| {
        value.saturating_mul(10).saturating_add(i64::from(digit.wrapping_sub(b'0')))
    })
}

/// Checks the names of protocols.
pub(super) fn protocol_ids<'a>(map: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    for member in map.members().filter(|member| !member.value.is_null()) {
        if check.report.is_full() {
            return;
        }
        if !is_joined(member.name, '-') {
            check.say(NO_PROTOCOL_ID, member.name, row);
        }
        if Layer::of(Protocol::of(member.name)).is_none() {
            check.say(OTHER_PROTOCOL, member.name, row);
        }
    }
}

/// Returns the purpose of a protocol, if the protocol is registered.
fn layer(row: &Row<'_, '_>) -> Option<Layer> {
    match row.from {
        From::Name(name) => Layer::of(Protocol::of(name)),
        _ => None,
    }
}

pub(super) fn is_payment(row: &Row<'_, '_>) -> bool {
    layer(row) == Some(Layer::Payment)
}

pub(super) fn is_no_payment(row: &Row<'_, '_>) -> bool {
    !is_payment(row)
}

/// Whether agents call the endpoint of a protocol.
pub(super) fn is_called(row: &Row<'_, '_>) -> bool {
    matches!(layer(row), Some(Layer::Messaging | Layer::Tools | Layer::Description))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_from_zero_to_one() {
        for number in [
            "0",
            "1",
            "0.87",
            "1.0",
            "1e0",
            "10e-1",
            "0.1e1",
            "-0",
            "-0.0e5",
            "0e99",
            "1e-400",
            "0.0001e4",
            "100000e-5",
            "0.99999",
        ] {
            assert!(is_fraction(number.as_bytes()), "{number}");
        }
        for number in [
            "1.0000001",
            "2",
            "-0.1",
            "1e1",
            "10",
            "0.1e2",
            "1.5e-0",
            "1e99999999999999999999",
            "100001e-5",
        ] {
            assert!(!is_fraction(number.as_bytes()), "{number}");
        }
    }

    #[test]
    fn versions_have_two_numbers() {
        let major = |text: &'static str| super::major(Text::plain(text.as_bytes()));
        assert_eq!(
            [major("0.2"), major("0.17"), major("1.0"), major("10.2")],
            [Some(true), Some(true), Some(false), Some(false)]
        );
        for text in ["", "0", "0.", ".2", "0.2.1", "v0.2", "0,2", " 0.2"] {
            assert_eq!(major(text), None, "{text}");
        }
    }
}
