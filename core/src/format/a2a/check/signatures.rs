//! The check of signatures: their form and their protected headers. It does not verify them.

use super::is_https;
use crate::diagnostic::{Code, Severity};
use crate::format::a2a::SignatureObject;
use crate::rules::json::reading::Objects;
use crate::rules::json::{Check, members, quoted};
use crate::syntax::base64;
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;

const SECTION: &str = "8.4.2";

/// The maximum length of a protected header that is checked, in bytes.
const HEADER: usize = 1024;

/// The algorithms with a public key (RFC 7518, 8037 and 8812, and the names without a curve of
/// RFC 9864).
const PUBLIC: [&str; 13] = [
    "ES256", "ES384", "ES512", "ES256K", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512",
    "EdDSA", "Ed25519", "Ed448",
];
/// The algorithms with a shared key.
const SHARED: [&str; 3] = ["HS256", "HS384", "HS512"];

pub(super) fn check<'a>(signatures: Option<Objects<'a>>, check: &mut Check<'_, '_, 'a>) {
    let Some(Objects(list)) = signatures else {
        return;
    };
    check.objects(list, SECTION, |object, check| {
        let signature = members::<SignatureObject<'_>>(object, check, SECTION).view();
        let seen = &signature.seen;
        let (name, text) = ("signature", signature.signature);
        let text = check.need_text::<SignatureObject<'_>>(object, seen, name, text, SECTION);
        if let Some(text) = text
            && base64::decode(text.chars(), base64::URL, &mut []).is_none()
        {
            not_base64url(text, check);
        }
        let (name, text) = ("protected", signature.protected);
        let text = check.need_text::<SignatureObject<'_>>(object, seen, name, text, SECTION);
        if let Some(text) = text {
            protected(text, check);
        }
    });
}

fn not_base64url<'a>(text: Text<'a>, check: &mut Check<'_, '_, 'a>) {
    let message = "{} is not base64url; encode it with `-` and `_`, and without `=`";
    check.about(Code::InvalidValue, text, SECTION, message);
}

/// Checks a protected header.
fn protected<'a>(text: Text<'a>, check: &mut Check<'_, '_, 'a>) {
    let mut buffer = [0; HEADER];
    let Some(length) = base64::decode(text.chars(), base64::URL, &mut buffer) else {
        return not_base64url(text, check);
    };
    let span = quoted(text, check.bytes);
    let Some(bytes) = buffer.get(..length) else {
        let message = "the protected header is longer than 1 KiB, so it was not checked";
        return check.add(Code::NotChecked, span, SECTION, message);
    };
    let header = Value::parse(bytes).ok();
    let Some(header) = header.filter(|header| header.kind() == Kind::Object) else {
        let message = "the protected header is not a JSON object in base64url; encode one";
        return check.about(Code::InvalidValue, text, SECTION, message);
    };
    let member = |name| header.get(name).and_then(Value::as_text);
    let is_one_of = |names: &[&str], text: Text<'_>| names.iter().any(|name| text == **name);
    let (code, severity, message) = match member("alg") {
        None => (
            Code::MissingRequiredField,
            Severity::Error,
            "the protected header has no `alg`; name the algorithm, for example `ES256`",
        ),
        Some(alg) if alg.eq_ignore_case("none") => (
            Code::InvalidValue,
            Severity::Error,
            "the protected header has the algorithm `none`, so the signature proves nothing; sign the card, for example by `ES256`",
        ),
        Some(alg) if is_one_of(&SHARED, alg) => (
            Code::InvalidValue,
            Severity::Warning,
            "the protected header has an algorithm with a shared key, so everybody who can verify can also sign; use one with a public key, for example `ES256`",
        ),
        Some(alg) if !is_one_of(&PUBLIC, alg) => (
            Code::InvalidValue,
            Severity::Warning,
            "the protected header has an algorithm that is not registered; use one such as `ES256`",
        ),
        Some(_) => return others(member, text, check),
    };
    check.graded(code, severity, text, SECTION, message);
    others(member, text, check);
}

/// Checks the members of a protected header other than `alg`.
fn others<'h, 'a>(
    member: impl Fn(&'static str) -> Option<Text<'h>>,
    text: Text<'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    if member("kid").is_none_or(Text::is_blank) {
        let message = "the protected header has no `kid`; name the key, so that callers find it";
        check.about(Code::MissingRequiredField, text, SECTION, message);
    }
    if member("typ").is_none_or(|typ| typ != *"JOSE") {
        let message = "the `typ` of the protected header should be `JOSE`; write it";
        let (code, severity) = (Code::MissingRecommendedField, Severity::Info);
        check.graded(code, severity, text, SECTION, message);
    }
    if member("jku").is_some_and(|url| !is_https(url)) {
        let message = "the `jku` of the protected header is not an https URL, so nobody can trust the key; write one";
        check.about(Code::InvalidUrl, text, SECTION, message);
    }
}
