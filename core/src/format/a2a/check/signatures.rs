//! The check of signatures: their form and their protected headers. It does not verify them.

use super::*;
use crate::rules::urls::is_url;
pub(crate) use crate::rules::values::is_base64url;
use crate::syntax::base64;

says! {
    NO_BASE64: InvalidValue, "{} is not base64url; encode it with `-` and `_`, and without `=`";
    LONG_HEADER: NotChecked, "the protected header is longer than 1 KiB, so it was not checked";
    NO_HEADER: InvalidValue, "the protected header is not a JSON object in base64url; encode one";
    NO_ALGORITHM: MissingRequiredField, "the protected header has no `alg`; name the algorithm, for example `ES256`";
    UNSIGNED: InvalidValue, "the protected header has the algorithm `none`, so the signature proves nothing; sign the card, for example by `ES256`";
    SHARED_KEY: InvalidValue Warning, "the protected header has an algorithm with a shared key, so everybody who can verify can also sign; use one with a public key, for example `ES256`";
    UNKNOWN_ALGORITHM: InvalidValue Warning, "the protected header has an algorithm that is not registered; use one such as `ES256`";
    NO_KEY: MissingRequiredField, "the protected header has no `kid`; name the key, so that callers find it";
    NO_JOSE: MissingRecommendedField Info, "the `typ` of the protected header should be `JOSE`; write it";
    NO_KEY_URL: InvalidUrl, "the `jku` of the protected header is not an https URL, so nobody can trust the key; write one";
}

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

/// Checks a protected header.
pub(crate) fn protected<'a>(text: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let mut buffer = [0; HEADER];
    let Some(length) = base64::decode(text.chars(), base64::URL, &mut buffer) else {
        return check.say(NO_BASE64, text, row);
    };
    let Some(bytes) = buffer.get(..length) else {
        return check.say(LONG_HEADER, text, row);
    };
    let header = Value::parse(bytes).ok();
    let Some(header) = header.filter(|header| header.kind() == Kind::Object) else {
        return check.say(NO_HEADER, text, row);
    };
    let member = |name| header.get(name).and_then(Value::as_text);
    let is_one_of = |names: &[&str], text: Text<'_>| names.iter().any(|name| text == **name);
    let algorithm = match member("alg") {
        None => Some(NO_ALGORITHM),
        Some(alg) if alg.eq_ignore_case("none") => Some(UNSIGNED),
        Some(alg) if is_one_of(&SHARED, alg) => Some(SHARED_KEY),
        Some(alg) => (!is_one_of(&PUBLIC, alg)).then_some(UNKNOWN_ALGORITHM),
    };
    let is_https = |url| is_url(url) && url.starts_with_ignore_case("https:");
    let others = [
        (member("kid").is_none_or(Text::is_blank), NO_KEY),
        (member("typ").is_none_or(|typ| typ != *"JOSE"), NO_JOSE),
        (member("jku").is_some_and(|url: Text<'_>| !is_https(url)), NO_KEY_URL),
    ];
    let others = others.into_iter().filter_map(|(is_wrong, say)| is_wrong.then_some(say));
    algorithm.into_iter().chain(others).for_each(|say| check.say(say, text, row));
}
