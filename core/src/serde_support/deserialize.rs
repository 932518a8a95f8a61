//! Reading values of a document into the caller's types.

use core::mem;

use serde::de::Deserialize;
use serde::de::value::MapAccessDeserializer;

use super::DeserializeError;
use super::source::{Entries, Source};
use crate::limits::Limits;
use crate::model::{List, Member, Raw};
use crate::scan;
use crate::syntax::json::Value;
use crate::syntax::text::Text;

impl<'a> Value<'a> {
    /// Reads the value into a type of the caller (feature `serde`), without a heap.
    ///
    /// ```
    /// use agentsdisc_core::syntax::json::Value;
    /// #[derive(serde::Deserialize)]
    /// struct Price<'a> {
    ///     amount: f64,
    ///     currency: &'a str,
    /// }
    /// let value = Value::parse(br#"{"amount": 0.01, "currency": "USDC", "network": "base"}"#).unwrap();
    /// let price: Price<'_> = value.deserialize()?;
    /// assert_eq!((price.amount, price.currency), (0.01, "USDC"));
    /// # Ok::<(), agentsdisc_core::serde_support::DeserializeError>(())
    /// ```
    ///
    /// Members that the type does not name are skipped. An optional member needs `Option` or
    /// `#[serde(default)]`; `null` is `None`. Only integers without a fraction and an exponent are
    /// read as integers: `1.0` and `1e3` are not.
    ///
    /// # Errors
    /// [`DeserializeError`]. If a requested string is escaped, it is
    /// [`ScratchTooSmall`](DeserializeError::ScratchTooSmall): use
    /// [`deserialize_with`](Self::deserialize_with).
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, DeserializeError> {
        Raw::Json(self).deserialize()
    }

    /// Like [`deserialize`](Self::deserialize), with a scratch buffer to decode escaped strings.
    ///
    /// The result may borrow from the scratch buffer, so `&str` works for escaped strings too. The
    /// length of the value in bytes is always enough. Strings without a backslash need no scratch.
    ///
    /// ```
    /// use agentsdisc_core::syntax::json::Value;
    /// let value = Value::parse(br#"["https:\/\/mugs.example", "\ud83d\ude00"]"#).unwrap();
    /// let mut scratch = [0; 64];
    /// let (url, face): (&str, char) = value.deserialize_with(&mut scratch)?;
    /// assert_eq!((url, face), ("https://mugs.example", '😀'));
    /// # Ok::<(), agentsdisc_core::serde_support::DeserializeError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeserializeError`].
    pub fn deserialize_with<'s, T: Deserialize<'s>>(
        self,
        scratch: &'s mut [u8],
    ) -> Result<T, DeserializeError>
    where
        'a: 's,
    {
        Raw::Json(self).deserialize_with(scratch)
    }
}

impl<'a> Raw<'a> {
    /// Reads the value into a type of the caller (feature `serde`): a JSON value like
    /// [`Value::deserialize`], a text as a string, or as a number, boolean or unit variant if the
    /// type requests one.
    ///
    /// ```
    /// use agentsdisc_core::Document;
    /// let text = b"Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nX-Priority: 7\n";
    /// let document = Document::parse(text).unwrap();
    /// let member = document.manifest().metadata().next().unwrap();
    /// assert_eq!(member.value.deserialize(), Ok(7));
    /// assert_eq!(member.value.deserialize(), Ok("7"));
    /// ```
    ///
    /// # Errors
    /// [`DeserializeError`].
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, DeserializeError> {
        self.deserialize_with(&mut [])
    }

    /// Like [`deserialize`](Self::deserialize), with a scratch buffer to decode escaped texts; see
    /// [`Value::deserialize_with`].
    ///
    /// # Errors
    /// [`DeserializeError`].
    pub fn deserialize_with<'s, T: Deserialize<'s>>(
        self,
        scratch: &'s mut [u8],
    ) -> Result<T, DeserializeError>
    where
        'a: 's,
    {
        let mut scratch = Scratch(scratch);
        let source = Source { raw: self, scratch: &mut scratch, depth: Limits::MAX_DEPTH };
        T::deserialize(source).map_err(|error| with_size(error, || needed(self)))
    }
}

/// Metadata, such as the extras of a protocol.
impl<'a> List<'a, Member<'a>> {
    /// Reads the members into a type of the caller (feature `serde`), like the members of one
    /// object.
    ///
    /// ```
    /// use agentsdisc_core::{Document, Format, ParseOptions};
    /// #[derive(serde::Deserialize)]
    /// struct Extra<'a> {
    ///     network: &'a str,
    ///     assets: [&'a str; 2],
    /// }
    /// let text = br#"{"awp_version": "0.2", "protocols": {"x402": {"network": "base", "assets": ["USDC", "EURC"], "since": 2025}}}"#;
    /// let options = ParseOptions { format: Some(Format::Awp), ..ParseOptions::default() };
    /// let document = Document::parse_with(text, &options).unwrap();
    /// let endpoint = document.manifest().endpoints().next().unwrap();
    /// let extra: Extra<'_> = endpoint.extra.deserialize()?;
    /// assert_eq!((extra.network, extra.assets), ("base", ["USDC", "EURC"]));
    /// # Ok::<(), agentsdisc_core::serde_support::DeserializeError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeserializeError`]; most types reject a repeated name.
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, DeserializeError> {
        self.deserialize_with(&mut [])
    }

    /// Like [`deserialize`](Self::deserialize), with a scratch buffer to decode escaped names and
    /// texts; see [`Value::deserialize_with`].
    ///
    /// # Errors
    /// [`DeserializeError`].
    pub fn deserialize_with<'s, T: Deserialize<'s>>(
        self,
        scratch: &'s mut [u8],
    ) -> Result<T, DeserializeError>
    where
        'a: 's,
    {
        let mut scratch = Scratch(scratch);
        T::deserialize(MapAccessDeserializer::new(Entries::new(
            self,
            &mut scratch,
            Limits::MAX_DEPTH,
        )))
        .map_err(|error| {
            with_size(error, || {
                self.map(|member| needed(Raw::Text(member.name)) + needed(member.value)).sum()
            })
        })
    }
}

/// The free part of the scratch buffer. Decoded texts are taken from its start.
pub(super) struct Scratch<'s>(&'s mut [u8]);

impl<'s> Scratch<'s> {
    /// Returns the characters of a text: a slice of the document if possible, otherwise decoded.
    pub(super) fn decode(&mut self, text: Text<'s>) -> Result<&'s str, DeserializeError> {
        const TOO_SMALL: DeserializeError = DeserializeError::ScratchTooSmall { needed: 0 };
        if let Some(text) = text.as_str() {
            return Ok(text);
        }
        let (place, rest) =
            mem::take(&mut self.0).split_at_mut_checked(text.decoded_len()).ok_or(TOO_SMALL)?;
        self.0 = rest;
        text.decode(place).map_err(|_| TOO_SMALL)
    }
}

/// Returns the error, with a sufficient size of the scratch buffer.
fn with_size(error: DeserializeError, needed: impl FnOnce() -> usize) -> DeserializeError {
    match error {
        DeserializeError::ScratchTooSmall { .. } => {
            DeserializeError::ScratchTooSmall { needed: needed() }
        }
        other => other,
    }
}

/// Returns a sufficient size of the scratch buffer: room for all escaped texts.
fn needed(raw: Raw<'_>) -> usize {
    let room = |text: Text<'_>| {
        if text.as_str().is_some() { 0 } else { text.decoded_len() }
    };
    let json = match raw {
        Raw::Text(text) => return room(text),
        Raw::Json(value) => value.raw(),
    };
    let (mut at, mut sum) = (0, 0);
    while let Some(found) = json.get(at..).and_then(|rest| memchr::memchr(b'"', rest)) {
        let open = at + found + 1;
        let (close, escaped) = scan::string_end(json, open);
        let inside = json.get(open..close).unwrap_or_default();
        sum += room(if escaped { Text::json(inside) } else { Text::plain(inside) });
        at = close + 1;
    }
    sum
}
