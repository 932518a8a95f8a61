//! The thumbprint of a key: the SHA-256 digest of the members that make it (RFC 7638; RFC 8037
//! appendix A.3).

#[cfg(feature = "signature-directory")]
use sha2::{Digest, Sha256};

use crate::syntax::text::Text;

/// Returns the digest of the required members of a key, in alphabetical order. `None` if a member is
/// absent or has a character that JSON would escape, and in builds without keys.
#[cfg(feature = "signature-directory")]
pub(crate) fn thumbprint(members: &[(&str, Option<Text<'_>>)]) -> Option<[u8; 32]> {
    let mut digest = Sha256::new();
    let mut before = "{\"";
    for (name, value) in members {
        digest.update(before);
        digest.update(name);
        digest.update("\":\"");
        for c in (*value)?.chars() {
            let is_plain = c.is_ascii_graphic() && !matches!(c, '"' | '\\');
            digest.update([u8::try_from(c).ok().filter(|_| is_plain)?]);
        }
        before = "\",\"";
    }
    digest.update("\"}");
    Some(digest.finalize().into())
}

#[cfg(not(feature = "signature-directory"))]
pub(crate) const fn thumbprint(_: &[(&str, Option<Text<'_>>)]) -> Option<[u8; 32]> {
    None
}

#[cfg(all(test, feature = "signature-directory"))]
mod tests {
    use super::*;
    use crate::syntax::base64;

    #[test]
    fn keys_have_the_thumbprints_of_the_specifications() {
        let n = "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn6\
            4tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbI\
            SD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw";
        let rsa = [("e", "AQAB"), ("kty", "RSA"), ("n", n)];
        let edwards = [
            ("crv", "Ed25519"),
            ("kty", "OKP"),
            ("x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
        ];
        for (members, expected) in [
            (rsa, "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"),
            (edwards, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"),
        ] {
            let members = members.map(|(name, value)| (name, Some(Text::plain(value.as_bytes()))));
            let mut bytes = [0; 32];
            assert_eq!(base64::decode(expected.chars(), base64::URL, &mut bytes), Some(32));
            assert_eq!(thumbprint(&members), Some(bytes));
        }
    }
}
