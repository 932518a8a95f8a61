//! Reading what a document passes on into the caller's own types: the functions, and the scratch space.

use core::mem;

use serde::de::Deserialize;
use serde::de::value::MapAccessDeserializer;

use super::DeserializeError;
use super::source::{Entries, Source};
use crate::limits::Limits;
use crate::manifest::{List, Member, Raw};
use crate::scan;
use crate::syntax::json::Value;
use crate::syntax::text::Text;

impl<'a> Value<'a> {
    /// Reads the value into a type of the caller's (feature `serde`), without a heap.
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
    /// Members that the type does not name are passed over. An absent member needs `Option` or `#[serde(default)]`; `null` is `None`. A
    /// whole number is one that is written as one: neither `1.0` nor `1e3` is read as an integer.
    ///
    /// # Errors
    /// [`DeserializeError`]; [`ScratchTooSmall`](DeserializeError::ScratchTooSmall) where a string that the type asks for is escaped: then take
    /// [`deserialize_with`](Self::deserialize_with).
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, DeserializeError> {
        Raw::Json(self).deserialize()
    }

    /// The same where strings may be escaped, with scratch space to decode them.
    ///
    /// What is read may borrow from the scratch space, so `&str` works for escaped strings too. As many bytes as the value is long are
    /// always enough, and none are used for strings without a backslash.
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
    /// Reads the value into a type of the caller's (feature `serde`): a JSON value as [`Value::deserialize`] does, a text as a string, or
    /// as a number, truth value or unit variant where one is asked for.
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

    /// The same where texts may be escaped, with scratch space to decode them; see [`Value::deserialize_with`].
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
        let source = Source {
            raw: self,
            scratch: &mut scratch,
            depth: Limits::MAX_DEPTH,
        };
        T::deserialize(source).map_err(|error| told(error, || needed(self)))
    }
}

/// Metadata, such as the extras of a protocol.
impl<'a> List<'a, Member<'a>> {
    /// Reads the members into a type of the caller's (feature `serde`), as those of one object.
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
    /// [`DeserializeError`]; a name that occurs twice is refused by most types that name it.
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, DeserializeError> {
        self.deserialize_with(&mut [])
    }

    /// The same where names and texts may be escaped, with scratch space to decode them; see [`Value::deserialize_with`].
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
            told(error, || {
                self.map(|member| needed(Raw::Text(member.name)) + needed(member.value))
                    .sum()
            })
        })
    }
}

/// Space for decoded text, taken from the front.
pub(super) struct Scratch<'s>(&'s mut [u8]);

impl<'s> Scratch<'s> {
    /// The characters of a text: as they stand in the document where that is possible, else decoded.
    pub(super) fn decode(&mut self, text: Text<'s>) -> Result<&'s str, DeserializeError> {
        const TOO_SMALL: DeserializeError = DeserializeError::ScratchTooSmall { needed: 0 };
        if let Some(text) = text.as_str() {
            return Ok(text);
        }
        let (place, rest) = mem::take(&mut self.0)
            .split_at_mut_checked(text.decoded_len())
            .ok_or(TOO_SMALL)?;
        self.0 = rest;
        text.decode(place).map_err(|_| TOO_SMALL)
    }
}

/// The error, with the space that would have been enough.
fn told(error: DeserializeError, needed: impl FnOnce() -> usize) -> DeserializeError {
    match error {
        DeserializeError::ScratchTooSmall { .. } => {
            DeserializeError::ScratchTooSmall { needed: needed() }
        }
        other => other,
    }
}

/// How much scratch space is enough: room for every text that needs any.
fn needed(raw: Raw<'_>) -> usize {
    let room = |text: Text<'_>| {
        if text.as_str().is_some() {
            0
        } else {
            text.decoded_len()
        }
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
        sum += room(if escaped {
            Text::json(inside)
        } else {
            Text::plain(inside)
        });
        at = close + 1;
    }
    sum
}
