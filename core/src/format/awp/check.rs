//! The checks of AWP documents that go beyond the types and names of members.
//!
//! Implementation notes: the document is walked once for each set of names (ids of actions, names
//! in `required_for`, names in `optional_for`, protocols, entities), because the scratch buffer
//! holds one sorted set at a time. Each walk is linear, and each lookup a binary search.
//! `check/actions.rs` checks single actions, `check/references.rs` and `check/types.rs` the rules
//! that need sorted names.

mod actions;
mod references;
mod types;

use super::{AuthObject, Awp, ErrorObject, Features, ProtocolObject, StatusObject, Top};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::format::awp::layer::Layer;
use crate::model::{Enumeration, Protocol};
use crate::rules::json::{Case, Check, known, members, span_of, strings, strings_in, wrong_type};
use crate::rules::report::Report;
use crate::rules::urls::Secure;
use crate::rules::values::duration_seconds;
use crate::rules::{is_joined, timestamp};
use crate::syntax::json::view::{Object, Shape};
use crate::syntax::json::{Kind, Member, Value};
use crate::syntax::text::Text;
use crate::syntax::url::{Relation, Url, relation};

const NO_ERRORS: &str = "{} is missing or empty, so agents cannot recover from errors; add a recovery for each expected error";

/// Checks a document. See `Document::check_with` for the scratch buffer.
pub(crate) fn check<'a>(
    document: &Awp<'a>,
    bytes: &'a [u8],
    origin: Option<&str>,
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::Awp, report);
    let check = &mut check;
    strings(check, span_of(document.top.object, bytes).start as usize);
    // A DNS name has at most 253 characters.
    let mut buffer = [0; 256];
    let host = document.top.domain.and_then(|domain| host(domain, &mut buffer));
    top(&document.top, host, origin, check);
    synthetic(document, check);
    protocols(&document.top, host, check);
    auth(&document.top, host, check);
    errors(&document.top, check);
    let uses = actions::check(&document.top, host, check, scratch);
    references::check(document, uses, check, scratch);
    super::graph::check_cycles(document.top.dependencies, check, scratch);
}

fn top<'a>(top: &Top<'a>, host: Option<&str>, origin: Option<&str>, check: &mut Check<'_, '_, 'a>) {
    let (object, seen) = (top.object, &top.seen);
    members::<Top<'_>>(object, check, "5");
    if let Some(version) =
        check.need_text::<Top<'_>>(object, seen, "awp_version", top.awp_version, "5")
    {
        match major(version) {
            None => check.about(
                Code::InvalidValue,
                version,
                "4",
                "{} is not a valid version; write MAJOR.MINOR, such as 0.2",
            ),
            Some(true) => {}
            Some(false) => {
                let message =
                    "major version {} is not supported; the document is read as version 0.2";
                check.graded(Code::UnsupportedVersion, Severity::Warning, version, "4", message);
            }
        }
    }
    if let Some(domain) = check.need_text::<Top<'_>>(object, seen, "domain", top.domain, "5") {
        self::domain(domain, host, origin, check);
    }
    check.need_text::<Top<'_>>(object, seen, "intent", top.intent, "5");
    check.need::<Top<'_>>(object, seen, "actions", "5");
    if let Some(Object(object)) = top.capabilities {
        let features = members::<Features<'_>>(object, check, "6").view();
        check.one_of(
            features.pagination,
            &["cursor", "offset", "page", "none"],
            Case::Ignored,
            "6",
            "{} is not a valid pagination; write cursor, offset, page or none",
        );
    }
    if let Some(Object(object)) = top.agent_status {
        let status = members::<StatusObject<'_>>(object, check, "13");
        strings_in(&status, &["degraded_actions"], check, "13");
        let url = status.view().status_endpoint;
        endpoint(url, Secure::Http, "13", check);
        check.elsewhere(host, url);
    }
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

fn domain<'a>(
    domain: Text<'a>,
    host: Option<&str>,
    origin: Option<&str>,
    check: &mut Check<'_, '_, 'a>,
) {
    let Some(host) = host else {
        return check.about(
            Code::InvalidValue,
            domain,
            "5",
            "{} is not a valid domain; write only the host, without scheme, port and path",
        );
    };
    if let Some(origin) = origin.and_then(|origin| Url::parse(origin.as_bytes()))
        && relation(host, origin.host()).relation != Relation::SameHost
    {
        check.about(
            Code::OriginMismatch,
            domain,
            "5",
            "the document is for {}, but was fetched from another origin; write the host that serves it",
        );
    }
}

fn duration<'a>(text: Option<Text<'a>>, section: &'static str, check: &mut Check<'_, '_, 'a>) {
    if let Some(text) = text.filter(|text| !text.is_blank() && duration_seconds(*text).is_none()) {
        // The specification does not define durations; it has only examples.
        let message = "{} is not a duration as in the examples of the specification; write a number and s, m, h or d, such as 24h";
        check.graded(Code::InvalidValue, Severity::Warning, text, section, message);
    }
}

fn synthetic<'a>(document: &Awp<'a>, check: &mut Check<'_, '_, 'a>) {
    let top = &document.top;
    check.one_of(
        top.source,
        &["synthetic", "native"],
        Case::Ignored,
        "14",
        "{} is not a valid source; write synthetic, or leave it out",
    );
    if document.is_synthetic() {
        check.need_text::<Top<'_>>(top.object, &top.seen, "generated_by", top.generated_by, "14");
        check.need::<Top<'_>>(top.object, &top.seen, "confidence", "14");
        check.need_text::<Top<'_>>(top.object, &top.seen, "last_verified", top.last_verified, "14");
    }
    let describes_origin =
        top.generated_by.is_some() || top.confidence.is_some() || top.last_verified.is_some();
    if describes_origin && !top.seen.has(Top::source) {
        let message = "the document states who generated it, but {} is missing, so agents take it for the site's own; write `synthetic`, or remove these members";
        check.lacks(
            Code::MissingRecommendedField,
            Severity::Warning,
            "source",
            top.object,
            "14",
            message,
        );
    }
    if let Some(confidence) = top.confidence.filter(|confidence| !is_fraction(confidence.raw())) {
        let value = Value::trusted(confidence.raw());
        check.about_value(
            Code::InvalidValue,
            Severity::Error,
            value,
            "14",
            "{} is not a valid confidence; write a number from 0 to 1",
        );
    }
    if let Some(time) =
        top.last_verified.filter(|time| !time.is_blank() && !timestamp::is_iso_8601(*time))
    {
        check.about(
            Code::InvalidTimestamp,
            time,
            "14",
            "{} is not a valid timestamp; use ISO 8601, for example 2026-02-01T00:00:00Z",
        );
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

fn protocols<'a>(top: &Top<'a>, host: Option<&str>, check: &mut Check<'_, '_, 'a>) {
    const SECTION: &str = "5.5";
    let Some(Object(object)) = top.protocols else {
        return;
    };
    for Member { name, value } in object.members().filter(|member| !member.value.is_null()) {
        if check.report.is_full() {
            return;
        }
        let protocol = Protocol::of(name);
        let layer = Layer::of(protocol);
        if !is_joined(name, '-') {
            check.about(
                Code::InvalidValue,
                name,
                SECTION,
                "{} is not a valid protocol id; use lower-case letters and digits, with hyphens between words",
            );
        }
        if layer.is_none() {
            check.about(
                Code::UnknownProtocol,
                name,
                SECTION,
                "{} is not a registered protocol; agents that do not know it ignore it",
            );
        }
        if value.kind() != Kind::Object {
            not_an_object(name, value, None, SECTION, check);
            continue;
        }
        let entry = known::<ProtocolObject<'_>>(value, check, SECTION).view();
        if !entry.seen.has(ProtocolObject::version) {
            let severity =
                if layer == Some(Layer::Payment) { Severity::Warning } else { Severity::Error };
            let message = "the protocol has no {}; write the version that the service uses";
            check.lacks(Code::MissingRequiredField, severity, "version", value, SECTION, message);
        } else {
            check.need_text::<ProtocolObject<'_>>(
                value,
                &entry.seen,
                "version",
                entry.version,
                SECTION,
            );
        }
        if matches!(layer, Some(Layer::Messaging | Layer::Tools | Layer::Description)) {
            check.need_text::<ProtocolObject<'_>>(
                value,
                &entry.seen,
                "endpoint",
                entry.endpoint,
                SECTION,
            );
        }
        check.url(entry.endpoint, Secure::Endpoint(Protocol::Unknown), SECTION);
        check.elsewhere(host, entry.endpoint);
    }
}

/// Reports an endpoint that is neither a secure URL nor a path of the site.
fn endpoint<'a>(
    endpoint: Option<Text<'a>>,
    secure: Secure,
    section: &'static str,
    check: &mut Check<'_, '_, 'a>,
) {
    check.endpoint(
        endpoint,
        secure,
        section,
        "{} is neither an https URL nor a path that begins with `/`; write one of them",
    );
}

/// Reports a value in a map that is not an object. `as_text` is the message for a string, if
/// strings are read.
fn not_an_object<'a>(
    name: Text<'a>,
    value: Value<'a>,
    as_text: Option<&'static str>,
    section: &'static str,
    check: &mut Check<'_, '_, 'a>,
) {
    let (code, message) = match (value.kind(), as_text) {
        (Kind::Null, _) => return,
        (Kind::String, Some(message)) => (Code::NonstandardShape, message),
        _ => (Code::WrongType, wrong_type(Shape::Object)),
    };
    check.report.add(
        Diagnostic::new(code, span_of(value, check.bytes), check.spec, section, message)
            .about(name),
    );
}

fn auth<'a>(top: &Top<'a>, host: Option<&str>, check: &mut Check<'_, '_, 'a>) {
    let Some(Object(object)) = top.auth else {
        return;
    };
    let members_of_auth = members::<AuthObject<'_>>(object, check, "7");
    strings_in(&members_of_auth, &["required_for", "optional_for"], check, "7");
    let auth = members_of_auth.view();
    let message = "{} is not a valid authentication type; write oauth2, api_key, bearer or none";
    check.one_of(auth.kind, &["oauth2", "api_key", "bearer", "none"], Case::Ignored, "7", message);
    duration(auth.token_expiry, "7", check);
    endpoint(auth.refresh_endpoint, Secure::Http, "7", check);
    check.elsewhere(host, auth.refresh_endpoint);
}

fn errors<'a>(top: &Top<'a>, check: &mut Check<'_, '_, 'a>) {
    if !top.seen.has(Top::errors)
        || top.errors.is_some_and(|Object(errors)| errors.members().next().is_none())
    {
        check.lacks(
            Code::MissingRecommendedField,
            Severity::Info,
            "errors",
            top.object,
            "15",
            NO_ERRORS,
        );
    }
    let Some(Object(object)) = top.errors else {
        return;
    };
    for Member { name, value } in object.members() {
        if value.kind() != Kind::Object {
            not_an_object(
                name,
                value,
                Some(
                    "{} is a string, which is read as the recovery; write an object with `recovery`",
                ),
                "10",
                check,
            );
            continue;
        }
        let error = known::<ErrorObject<'_>>(value, check, "10").view();
        check.need_text::<ErrorObject<'_>>(value, &error.seen, "recovery", error.recovery, "10");
    }
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
