//! The keys of an agent, and the algorithms that are accepted.

use super::reason::Reason;
use crate::format::signature_directory::{KeyObject, SignatureDirectory};
use crate::syntax::base64;
use crate::syntax::json::Number;
use crate::syntax::json::view::Also;
use crate::syntax::text::Text;

/// How many keys of a directory are looked at.
const KEYS: usize = 100;

macro_rules! algorithms {
    ($($name:ident = $id:literal, $jose:literal, $doc:literal;)*) => {
        /// An algorithm of the registry of HTTP message signatures. Those with a shared secret are not
        /// accepted.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum Algorithm {
            $(#[doc = $doc] $name,)*
        }

        impl Algorithm {
            /// The name in the registry of RFC 9421.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }

            /// The algorithm with this name in the registry of RFC 9421.
            pub fn named(name: &[u8]) -> Option<Self> {
                match name {
                    $(name if name == $id.as_bytes() => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// The algorithm of a key, whose name may be that of JWK.
            fn of_key(name: Text<'_>) -> Option<Self> {
                $(if name == *$id || name == *$jose {
                    return Some(Self::$name);
                })*
                (name == *"Ed25519").then_some(Self::Ed25519)
            }
        }
    };
}

algorithms! {
    Ed25519 = "ed25519", "EdDSA", "Ed25519.";
    EcdsaP256 = "ecdsa-p256-sha256", "ES256", "ECDSA on the curve P-256 with SHA-256.";
    EcdsaP384 = "ecdsa-p384-sha384", "ES384", "ECDSA on the curve P-384 with SHA-384.";
    RsaPss = "rsa-pss-sha512", "PS512", "RSASSA-PSS with SHA-512.";
    RsaV15 = "rsa-v1_5-sha256", "RS256", "RSASSA-PKCS1-v1_5 with SHA-256.";
}

/// The thumbprints of the keys in RFC 9421 appendix B.1 that Web Bot Auth uses in its examples.
const EXAMPLES: [&[u8]; 2] = [
    b"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",
    b"oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA",
];

/// A key with which a signature can be verified.
#[derive(Clone, Copy, Debug)]
pub struct PublicKey<'a> {
    key: KeyObject<'a>,
    /// The algorithm of the signature.
    pub algorithm: Algorithm,
    /// Whether the private part of the key is published in a specification.
    pub is_example: bool,
}

impl<'a> PublicKey<'a> {
    /// The members of the key by their names in JSON Web Key; absent ones are `None`.
    pub fn members(&self) -> [(&'static str, Option<Text<'a>>); 6] {
        let KeyObject { kind, curve, x, .. } = self.key;
        let (y, n, e) = (self.key.y, self.key.n, self.key.e);
        let (y, n, e) = (y.map(|Also(y)| y), n.map(|Also(n)| n), e.map(|Also(e)| e));
        [("kty", kind), ("crv", curve), ("x", x), ("y", y), ("n", n), ("e", e)]
    }

    /// Decodes a member of base64url into a buffer. Returns its length, which may exceed that of the
    /// buffer; `None` if the member is no base64url.
    pub fn octets(member: Text<'_>, buffer: &mut [u8]) -> Option<usize> {
        base64::decode(member.chars(), base64::URL, buffer)
    }

    /// The key as in the directory: a JSON object.
    pub fn jwk(&self) -> &'a [u8] {
        self.key.object.raw()
    }
}

/// Finds the key with a thumbprint. `kid` is not asked: it is only what a directory says. `algorithm` is
/// that of the signature, if it names one.
pub fn find_key<'a>(
    directory: &SignatureDirectory<'a>,
    thumbprint: &[u8],
    algorithm: Option<Algorithm>,
    now: u64,
) -> Result<PublicKey<'a>, Reason> {
    let mut wanted = [0; 32];
    let id = thumbprint.iter().map(|octet| char::from(*octet));
    if base64::decode(id, base64::URL, &mut wanted) != Some(wanted.len()) {
        return Err(Reason::UnknownKey);
    }
    if directory.top.keys.is_none() {
        return Err(Reason::DirectoryInvalid);
    }
    let mut found = None;
    for (index, key) in directory.keys().enumerate() {
        if index >= KEYS {
            return Err(Reason::TooManyKeys);
        }
        if found.is_none() && key.thumbprint() == Some(wanted) {
            found = Some(key);
        }
    }
    let key = found.ok_or(Reason::UnknownKey)?;
    let is_private =
        key.d.or(key.p).or(key.q).or(key.dp).or(key.dq).or(key.qi).or(key.oth).or(key.k);
    if is_private.is_some() {
        return Err(Reason::KeyPrivate);
    }
    if !has_types(&key) {
        return Err(Reason::KeyUnusable);
    }
    if time(key.not_before)?.is_some_and(|from| now < from) {
        return Err(Reason::KeyNotYetValid);
    }
    if time(key.expires)?.is_some_and(|until| now >= until) {
        return Err(Reason::KeyExpired);
    }
    if key.usage.is_some_and(|usage| usage != *"sig") {
        return Err(Reason::KeyUnusable);
    }
    let algorithm = agreed(&key, algorithm)?;
    Ok(PublicKey { key, algorithm, is_example: EXAMPLES.contains(&thumbprint) })
}

fn time(value: Option<Number<'_>>) -> Result<Option<u64>, Reason> {
    value.map(|number| number.as_u64().ok_or(Reason::KeyUnusable)).transpose()
}

/// Whether the members that limit the use of a key have their types and occur once: a view leaves out
/// the others, and the key would have no limit.
fn has_types(key: &KeyObject<'_>) -> bool {
    let read = [
        ("nbf", key.not_before.is_some()),
        ("exp", key.expires.is_some()),
        ("use", key.usage.is_some()),
        ("alg", key.algorithm.is_some()),
    ];
    read.iter().all(|(name, is_read)| {
        let members = key.object.members().filter(|member| member.name == **name);
        members.count() == usize::from(*is_read)
    })
}

/// The algorithm on which the signature, the key and its type agree.
fn agreed(key: &KeyObject<'_>, signed: Option<Algorithm>) -> Result<Algorithm, Reason> {
    let stated = match key.algorithm {
        Some(name) => Some(Algorithm::of_key(name).ok_or(Reason::UnknownAlgorithm)?),
        None => None,
    };
    if let (Some(stated), Some(signed)) = (stated, signed)
        && stated != signed
    {
        return Err(Reason::AlgorithmMismatch);
    }
    let is = |text: Option<Text<'_>>, name: &str| text.is_some_and(|text| text == *name);
    let of_type = match key.kind {
        kind if is(kind, "OKP") && is(key.curve, "Ed25519") => Some(Algorithm::Ed25519),
        kind if is(kind, "EC") && is(key.curve, "P-256") => Some(Algorithm::EcdsaP256),
        kind if is(kind, "EC") && is(key.curve, "P-384") => Some(Algorithm::EcdsaP384),
        kind if is(kind, "RSA") => None,
        _ => return Err(Reason::KeyUnusable),
    };
    let algorithm = signed.or(stated).or(of_type).ok_or(Reason::UnknownAlgorithm)?;
    let is_rsa = matches!(algorithm, Algorithm::RsaPss | Algorithm::RsaV15);
    if of_type.map_or(is_rsa, |of_type| of_type == algorithm) {
        Ok(algorithm)
    } else {
        Err(Reason::AlgorithmMismatch)
    }
}
