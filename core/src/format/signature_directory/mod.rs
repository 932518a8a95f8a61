//! The directory of keys for HTTP message signatures (Web Bot Auth), a JSON Web Key Set (RFC 7517).
//! The tables below define the format.

mod about;
pub(crate) mod check;
pub(crate) mod signs;

use crate::model::{Key, List, Metadata, Reading};
use crate::rules::json::reading::{Objects, kept};
use crate::syntax::json::view::{Also, view};
use crate::syntax::json::{Number, Value};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document.
    pub struct Top at "Directory Format" welcomes Others {
        /// `keys`, required.
        keys: Objects<'a> = b"keys" [Need, Filled(EMPTY), Each(KeyObject::RULES)],
    }

    /// A key, RFC 7517 section 4. The members of a private key are read so that the model does not
    /// show them.
    pub struct KeyObject at "Directory Format" welcomes Others then key {
        /// `kid`: the RFC 7638 thumbprint of the key.
        id: Text<'a> = b"kid" [Unique(ID_TWICE)],
        /// `kty`, required: the family of its algorithm.
        kind: Text<'a> = b"kty" [Need, OneOf(&["OKP", "EC", "RSA"], Case::Exact, NO_KIND)],
        /// `crv`: the curve.
        curve: Text<'a> = b"crv" [If(is_on_curve, &Need)],
        /// `x`: the public key, or its first coordinate, in base64url.
        x: Text<'a> = b"x" [If(is_on_curve, &Need), Fits(is_base64url, NO_BASE64)],
        /// `y`: the second coordinate in base64url.
        y: Also<Text<'a>> = b"y" [If(is_elliptic, &Need), Fits(is_base64url, NO_BASE64)],
        /// `n`: the modulus of an RSA key in base64url.
        n: Also<Text<'a>> = b"n" [If(is_rsa, &Need), Fits(is_base64url, NO_BASE64)],
        /// `e`: the exponent of an RSA key in base64url.
        e: Also<Text<'a>> = b"e" [If(is_rsa, &Need), Fits(is_base64url, NO_BASE64)],
        /// `alg`: the algorithm for which the key is meant.
        algorithm: Text<'a> = b"alg" [Then(algorithm)],
        /// `use`: `sig`.
        usage: Text<'a> = b"use" [OneOf(&["sig"], Case::Exact, OTHER_USE)],
        /// `nbf`: when its validity begins, in seconds since 1970.
        not_before: Number<'a> = b"nbf" [ThenValue(time)],
        /// `exp`: when its validity ends, in seconds since 1970.
        expires: Number<'a> = b"exp" [ThenValue(time)],
        /// `d`, of a private key.
        d: Value<'a> = b"d" [ThenValue(secret)],
        /// `p`, of a private key.
        p: Value<'a> = b"p" [ThenValue(secret)],
        /// `q`, of a private key.
        q: Value<'a> = b"q" [ThenValue(secret)],
        /// `dp`, of a private key.
        dp: Value<'a> = b"dp" [ThenValue(secret)],
        /// `dq`, of a private key.
        dq: Value<'a> = b"dq" [ThenValue(secret)],
        /// `qi`, of a private key.
        qi: Value<'a> = b"qi" [ThenValue(secret)],
        /// `oth`, of a private key.
        oth: Value<'a> = b"oth" [ThenValue(secret)],
        /// `k`, a secret that both sides share.
        k: Value<'a> = b"k" [ThenValue(secret)],
    }
}

/// A parsed directory of keys.
#[derive(Clone, Copy, Debug)]
pub struct SignatureDirectory<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> SignatureDirectory<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }
}

impl<'a> Reading<'a> for SignatureDirectory<'a> {
    fn keys(&self) -> List<'a, Key<'a>> {
        Objects::list(self.top.keys, |cursor| cursor.next_view().map(|key| key_of(&key)))
    }

    fn metadata(&self) -> Metadata<'a> {
        kept::<Top<'_>>(&self.top.object, &self.top.seen)
    }
}

/// Returns a key in the unified model, without its private members.
pub(crate) fn key_of<'a>(key: &KeyObject<'a>) -> Key<'a> {
    let time = |number: Option<Number<'a>>| number.map(|number| Value::trusted(number.raw()));
    Key {
        id: key.id,
        kind: key.kind,
        curve: key.curve,
        public_key: key.x,
        algorithm: key.algorithm,
        usage: key.usage,
        not_before: time(key.not_before),
        expires: time(key.expires),
        metadata: kept::<KeyObject<'_>>(&key.object, &key.seen),
        source: key.object.raw(),
    }
}
