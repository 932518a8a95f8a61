//! The check of a directory of keys: what the rules in the tables of the format refer to. The
//! specification has no numbered sections.

use super::{KeyObject, SignatureDirectory, Top};
use crate::diagnostic::Spec;
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::report::Report;
pub(super) use crate::rules::values::is_base64url;
use crate::syntax::base64;
use crate::syntax::json::view::Also;
use crate::syntax::json::{Member, Number, Value};
use crate::syntax::text::Text;

says! {
    EMPTY: EmptyValue Warning, "the directory has no keys, so no signature can be verified with it; publish a key, or remove the directory";
    ID_TWICE: DuplicateId, "an earlier key already has the id {}; publish each key once";
    NO_KIND: InvalidValue Warning, "{} is not a family of keys for signatures of requests; publish a key of the type OKP, EC or RSA";
    NO_BASE64: InvalidValue, "{} is not base64url; encode it with `-` and `_`, and without `=`";
    NO_LENGTH: InvalidLength, "{} is not an Ed25519 key; write its 32 bytes as 43 characters of base64url";
    NO_ALGORITHM: InvalidValue Warning, "{} is not an algorithm in the registry of HTTP message signatures; write one such as ed25519, or leave it out";
    SHARED: InvalidValue "Shared Secrets Considered Harmful", "{} needs a secret that both sides share; use a pair of keys, such as those of ed25519";
    OTHER_USE: InvalidValue Warning, "{} is not the use of a key for signatures; write sig";
    SECRET: CredentialInDocument, "the member {} belongs to a private or shared key, which everybody can now use; remove the key from the directory and make a new one";
    NO_TIME: InvalidTimestamp Warning, "{} is not a time in seconds since 1970; write a number such as 1790000000";
    IN_MILLISECONDS: InvalidTimestamp Warning, "{} is in milliseconds; write the time in seconds since 1970";
    NEVER_VALID: Contradiction, "the key expires at {}, before its validity begins, so no verifier accepts it; correct `nbf` or `exp`";
    OTHER_ID: InvalidValue Warning "Key Distribution and Discovery", "{} is not the thumbprint of the key (RFC 7638), so verifiers do not find it; write the thumbprint, or leave `kid` out";
    TEST_KEY: Placeholder Warning "Test and Demonstration Keys", "{} is a key from the examples of RFC 9421, whose private part is published; make a key of your own";
}

/// The asymmetric algorithms in the registry of RFC 9421, and names that JWK gives to some of them.
const ALGORITHMS: &[&str] = &[
    "ed25519",
    "ecdsa-p256-sha256",
    "ecdsa-p384-sha384",
    "rsa-pss-sha512",
    "rsa-v1_5-sha256",
    "EdDSA",
    "Ed25519",
    "ES256",
    "ES384",
    "PS512",
    "RS256",
];

/// The Ed25519 key of RFC 9421 appendix B.1.4.
const EXAMPLE: &str = "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs";

/// Checks a document. `scratch` needs two numbers for each key.
pub(crate) fn check<'a>(
    document: &SignatureDirectory<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::WebBotAuth, report).with(scratch);
    check.document(document.top.object, Top::RULES);
}

pub(super) fn key<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let key: KeyObject<'a> = row.view();
    if let (Some(from), Some(until)) = (seconds(key.not_before), seconds(key.expires))
        && let (true, Some(expires)) = (until <= from, key.expires)
    {
        check.say(NEVER_VALID, Text::plain(expires.raw()), row);
    }
    let Some(x) = key.x.or(key.n.map(|Also(n)| n)).filter(|x| is_base64url(*x)) else {
        return;
    };
    if x == *EXAMPLE {
        return check.say(TEST_KEY, x, row);
    }
    if key.curve.is_some_and(|curve| curve == *"Ed25519")
        && base64::decode(x.chars(), base64::URL, &mut []) != Some(32)
    {
        return check.say(NO_LENGTH, x, row);
    }
    let mut id = [0; 32];
    if let (Some(written), Some(digest)) = (key.id.filter(|id| !id.is_blank()), key.thumbprint())
        && (base64::decode(written.chars(), base64::URL, &mut id) != Some(id.len()) || id != digest)
    {
        check.say(OTHER_ID, written, row);
    }
}

/// Checks a time. A member of the wrong type is reported by its row.
pub(super) fn time<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let Some(number) = value.as_number() else {
        return;
    };
    let say = match seconds(Some(number)) {
        None if number.raw().starts_with(b"-") => NO_TIME,
        // The year 5138; in milliseconds, it was 1973.
        Some(100_000_000_000..) => IN_MILLISECONDS,
        _ => return,
    };
    check.say(say, Text::plain(number.raw()), row);
}

/// The seconds, unless they have a fraction.
fn seconds(number: Option<Number<'_>>) -> Option<u64> {
    number.and_then(Number::as_u64)
}

pub(super) fn secret<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let name = Text::plain(row.name().as_bytes());
    check.say_member(SECRET, Member { name, value }, row.section);
}

pub(super) fn algorithm<'a>(name: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if name.starts_with_ignore_case("hmac") || name.starts_with_ignore_case("HS") {
        check.say(SHARED, name, row);
    } else if !ALGORITHMS.iter().any(|known| name == **known) {
        check.say(NO_ALGORITHM, name, row);
    }
}

fn is_kind(row: &Row<'_, '_>, kinds: &[&str]) -> bool {
    let kind = row.view::<KeyObject<'_>>().kind;
    kind.is_some_and(|kind| kinds.iter().any(|known| kind == **known))
}

pub(super) fn is_on_curve(row: &Row<'_, '_>) -> bool {
    is_kind(row, &["OKP", "EC"])
}

pub(super) fn is_elliptic(row: &Row<'_, '_>) -> bool {
    is_kind(row, &["EC"])
}

pub(super) fn is_rsa(row: &Row<'_, '_>) -> bool {
    is_kind(row, &["RSA"])
}
