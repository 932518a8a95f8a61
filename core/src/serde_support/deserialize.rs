//! Reading what a document passes on into the caller's own types.
//!
//! JSON is read by serde-json-core. It decodes an escaped string into scratch space, one at a time, from which a type can copy but not
//! borrow, and it does not know that a character may be written as two escapes (`\ud83d\ude00`). So a value that holds a backslash is
//! first written once more into the scratch space, with every character as itself that may stand as itself ([`plainer`]).

use core::mem;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::DeserializeError;
use super::text::TextDeserializer;
use crate::limits::Limits;
use crate::manifest::{List, Member, Raw};
use crate::scan;
use crate::syntax::json::{self, Kind, Value};
use crate::syntax::text::Text;
use crate::write::{Sink, SliceSink, characters};

impl<'a> Value<'a> {
    /// Reads the value into a type of the caller's (feature `serde`), through serde-json-core and without a heap.
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
    /// # What a type can ask for
    ///
    /// Members that it does not name are passed over. Absent members need `Option` or `#[serde(default)]`. Of a whole number, `1.0` and
    /// `1e3` are not read as integers; `null` is `None`, and `NaN` to an `f64`. A type that wants to be told what there is, such as an untagged enum or
    /// one with `#[serde(flatten)]`, gets [`DeserializeError::Unsupported`]: look at [`kind`](Self::kind) first.
    ///
    /// # Errors
    /// [`DeserializeError`]; [`ScratchTooSmall`](DeserializeError::ScratchTooSmall) where a string is escaped, also one in a member that is passed
    /// over: then take [`deserialize_with`](Self::deserialize_with).
    ///
    /// # Panics
    /// Where the type has a map whose keys are no strings (integers, enumerations, newtypes), serde-json-core panics at the first key.
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, DeserializeError> {
        Raw::Json(self).deserialize()
    }

    /// The same where strings may be escaped, with scratch space to decode them.
    ///
    /// What is read may borrow from the scratch space, so that `&str` works for most escaped strings: only one that holds a quote, a backslash
    /// or a control character must be copied by its type ([`Refused`](DeserializeError::Refused) where it is not). As much as
    /// twice the length of the value is always enough, and nothing is needed where it holds no backslash.
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
    ///
    /// # Panics
    /// As for [`deserialize`](Self::deserialize).
    pub fn deserialize_with<'s, T: Deserialize<'s>>(self, scratch: &'s mut [u8]) -> Result<T, DeserializeError>
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
    /// let text = b"Site-Name: Mugs\nSite-URL: https://mugs.example\nX-Priority: 7\n";
    /// let document = Document::parse(text).unwrap();
    /// let member = document.manifest().metadata().next().unwrap();
    /// assert_eq!(member.value.deserialize(), Ok(7));
    /// assert_eq!(member.value.deserialize(), Ok("7"));
    /// ```
    ///
    /// # Errors
    /// [`DeserializeError`].
    ///
    /// # Panics
    /// As for [`Value::deserialize`].
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, DeserializeError> {
        self.deserialize_with(&mut [])
    }

    /// The same where texts may be escaped, with scratch space to decode them; see [`Value::deserialize_with`].
    ///
    /// # Errors
    /// [`DeserializeError`].
    ///
    /// # Panics
    /// As for [`Value::deserialize`].
    pub fn deserialize_with<'s, T: Deserialize<'s>>(self, mut scratch: &'s mut [u8]) -> Result<T, DeserializeError>
    where
        'a: 's,
    {
        let result = read(self, core::marker::PhantomData, &mut scratch);
        result.map_err(|error| told(error, || Need::default().and(self)))
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
    /// let document = Document::parse(text).unwrap();
    /// let endpoint = document.manifest().endpoints().next().unwrap();
    /// let extra: Extra<'_> = endpoint.extra.deserialize()?;
    /// assert_eq!((extra.network, extra.assets), ("base", ["USDC", "EURC"]));
    /// # Ok::<(), agentsdisc_core::serde_support::DeserializeError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeserializeError`]; a name that occurs twice is refused by most types that name it.
    ///
    /// # Panics
    /// As for [`Value::deserialize`], for maps inside the members.
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, DeserializeError> {
        self.deserialize_with(&mut [])
    }

    /// The same where names and texts may be escaped, with scratch space to decode them; see [`Value::deserialize_with`].
    ///
    /// # Errors
    /// [`DeserializeError`].
    ///
    /// # Panics
    /// As for [`Value::deserialize`], for maps inside the members.
    pub fn deserialize_with<'s, T: Deserialize<'s>>(mut self, scratch: &'s mut [u8]) -> Result<T, DeserializeError>
    where
        'a: 's,
    {
        let whole = self;
        let members = core::iter::from_fn(move || self.next());
        let result = T::deserialize(MapAccessDeserializer::new(Entries { members, value: None, scratch }));
        result
            .map_err(|error| told(error, || whole.fold(Need::default(), |need, member| need.and(Raw::Text(member.name)).and(member.value))))
    }
}

/// The members of metadata, one after the other.
struct Entries<'s, I> {
    members: I,
    value: Option<Raw<'s>>,
    scratch: &'s mut [u8],
}

impl<'a: 's, 's, I: Iterator<Item = Member<'a>>> MapAccess<'s> for Entries<'s, I> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'s>>(&mut self, seed: K) -> Result<Option<K::Value>, DeserializeError> {
        let Some(member) = self.members.next() else { return Ok(None) };
        self.value = Some(member.value);
        read(Raw::Text(member.name), seed, &mut self.scratch).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'s>>(&mut self, seed: V) -> Result<V::Value, DeserializeError> {
        let value = self.value.take().unwrap_or(Raw::Json(Value::NULL));
        read(value, seed, &mut self.scratch)
    }
}

/// How much scratch space is enough.
#[derive(Clone, Copy, Default)]
struct Need {
    /// What can be borrowed afterwards, and stays.
    kept: usize,
    /// What is used for one string after the other.
    transient: usize,
}

impl Need {
    fn and(self, raw: Raw<'_>) -> Self {
        match raw {
            Raw::Text(text) if text.as_str().is_some() => self,
            Raw::Text(text) => Self { kept: self.kept + text.decoded_len(), ..self },
            Raw::Json(value) if !is_escaped(value) => self,
            Raw::Json(value) => {
                let mut sink = SliceSink::new(&mut []);
                let transient = plainer(value.raw(), &mut sink);
                Self { kept: self.kept + sink.length(), transient: self.transient.max(transient) }
            }
        }
    }
}

/// The error, with the space that would have been enough.
fn told(error: DeserializeError, need: impl FnOnce() -> Need) -> DeserializeError {
    match error {
        DeserializeError::ScratchTooSmall { .. } => {
            let Need { kept, transient } = need();
            DeserializeError::ScratchTooSmall { needed: kept + transient }
        }
        other => other,
    }
}

const TOO_SMALL: DeserializeError = DeserializeError::ScratchTooSmall { needed: 0 };

/// Reads one value, and takes from the scratch space what the result may borrow.
fn read<'s, S: DeserializeSeed<'s>>(raw: Raw<'s>, seed: S, scratch: &mut &'s mut [u8]) -> Result<S::Value, DeserializeError> {
    match raw {
        Raw::Text(text) => seed.deserialize(TextDeserializer(decoded(text, scratch)?)),
        Raw::Json(value) => {
            // Nothing to be seen for a document that was parsed. Of anything else, serde-json-core would be as deep as it nests.
            json::validate(value.raw(), 0, Limits::MAX_DEPTH, |_, _| {}).map_err(|_| DeserializeError::InvalidJson)?;
            let text = match is_escaped(value) && !scratch.is_empty() {
                true => rewritten(value, scratch)?,
                false => value.raw(),
            };
            let mut json = Json(serde_json_core::de::Deserializer::new(text, Some(scratch)));
            let read = seed.deserialize(&mut json)?;
            match json.0.end() {
                Ok(_) => Ok(read),
                Err(_) if value.kind() == Kind::Number => Err(DeserializeError::Number),
                Err(error) => Err(DeserializeError::of(error)),
            }
        }
    }
}

fn is_escaped(value: Value<'_>) -> bool {
    memchr::memchr(b'\\', value.raw()).is_some()
}

/// Takes `length` bytes from the front of the scratch space.
fn take<'s>(scratch: &mut &'s mut [u8], length: usize) -> Option<&'s mut [u8]> {
    let (taken, rest) = mem::take(scratch).split_at_mut_checked(length)?;
    *scratch = rest;
    Some(taken)
}

fn decoded<'s>(text: Text<'s>, scratch: &mut &'s mut [u8]) -> Result<&'s str, DeserializeError> {
    match text.as_str() {
        Some(text) => Ok(text),
        None => text.decode(take(scratch, text.decoded_len()).ok_or(TOO_SMALL)?).map_err(|_| TOO_SMALL),
    }
}

fn rewritten<'s>(value: Value<'s>, scratch: &mut &'s mut [u8]) -> Result<&'s [u8], DeserializeError> {
    let mut sink = SliceSink::new(scratch);
    plainer(value.raw(), &mut sink);
    let length = sink.length();
    take(scratch, length).map(|taken| &*taken).ok_or(TOO_SMALL)
}

/// Writes JSON text with as few escapes as can be: of quotes, backslashes and control characters only. Returns the decoded length of the longest
/// string that still has one.
fn plainer(raw: &[u8], sink: &mut impl Sink) -> usize {
    let (mut at, mut longest) = (0, 0);
    while let Some(open) = raw.get(at..).and_then(|rest| memchr::memchr(b'"', rest)).map(|found| at + found) {
        let (close, escaped) = scan::string_end(raw, open + 1);
        let inside = raw.get(open + 1..close).unwrap_or_default();
        sink.put(raw.get(at..open).unwrap_or_default());
        sink.put(b"\"");
        if escaped {
            let text = Text::json(inside);
            characters(text, sink);
            if text.chars().any(|c| matches!(c, '"' | '\\' | '\0'..='\u{1f}')) {
                longest = longest.max(text.decoded_len());
            }
        } else {
            sink.put(inside);
        }
        sink.put(b"\"");
        at = close + 1;
    }
    sink.put(raw.get(at..).unwrap_or_default());
    longest
}

/// The deserializer of serde-json-core at the top of a value.
struct Json<'de, 's>(serde_json_core::de::Deserializer<'de, 's>);

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, DeserializeError> {
            (&mut self.0).$method($($argument,)* visitor).map_err(DeserializeError::of)
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Json<'de, '_> {
    type Error = DeserializeError;

    forward! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(length: usize);
        deserialize_tuple_struct(name: &'static str, length: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, members: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
    }

    /// Passes over the value at once, whatever it is. (serde-json-core looks for what follows it, and at the top nothing does.)
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        self.0 = serde_json_core::de::Deserializer::new(b"", None);
        visitor.visit_unit()
    }
}
