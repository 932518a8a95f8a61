//! The deserializer: reads from a JSON value or a text.
//!
//! serde-json-core reads the numbers. This module walks the containers over the views of the
//! document, for four reasons: serde-json-core panics at the keys of a map whose key type is not
//! exactly `&str` (for example `HashMap<String, _>`); it does not support characters that are
//! written as two escapes (`\ud83d\ude00`); a type cannot borrow decoded text; and it does not
//! support types that inspect the value first (untagged enums, `flatten`).

use serde::de::value::{BorrowedStrDeserializer, MapAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json_core::de::{Deserializer as Json, Error};

use super::DeserializeError;
use super::deserialize::Scratch;
use crate::model::{Member, Raw};
use crate::syntax::json::{Elements, Kind, Number, Value};

/// A value to read, with a buffer to decode its texts, and the number of containers that may still
/// be entered.
pub(super) struct Source<'x, 's> {
    pub(super) raw: Raw<'s>,
    pub(super) scratch: &'x mut Scratch<'s>,
    pub(super) depth: usize,
}

/// Members to read, one after the other.
pub(super) struct Entries<'x, 's, I> {
    members: I,
    value: Option<Raw<'s>>,
    scratch: &'x mut Scratch<'s>,
    depth: usize,
}

struct Items<'x, 's> {
    elements: Elements<'s>,
    scratch: &'x mut Scratch<'s>,
    depth: usize,
}

impl<'x, 's> Source<'x, 's> {
    /// Returns the members of an object.
    fn entries(
        self,
        object: Value<'s>,
    ) -> Result<Entries<'x, 's, impl Iterator<Item = Member<'s>>>, DeserializeError> {
        let depth = self.depth.checked_sub(1).ok_or(DeserializeError::TooDeep)?;
        let members = object
            .members()
            .map(|member| Member { name: member.name, value: Raw::Json(member.value) });
        Ok(Entries::new(members, self.scratch, depth))
    }

    fn array<V: Visitor<'s>>(
        self,
        array: Value<'s>,
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        let depth = self.depth.checked_sub(1).ok_or(DeserializeError::TooDeep)?;
        let mut items = Items { elements: array.elements(), scratch: self.scratch, depth };
        let read = visitor.visit_seq(&mut items)?;
        if items.elements.next().is_none() { Ok(read) } else { Err(DeserializeError::TooLong) }
    }

    /// Returns the text of a number or boolean; `None` for a JSON value of another type.
    fn scalar(&mut self) -> Result<Option<&'s [u8]>, DeserializeError> {
        match self.raw {
            Raw::Json(value) => {
                Ok(matches!(value.kind(), Kind::Number | Kind::Bool).then_some(value.raw()))
            }
            Raw::Text(text) => match self.scratch.decode(text)?.as_bytes() {
                scalar @ [b'-' | b'0'..=b'9' | b't' | b'f', ..] => Ok(Some(scalar)),
                _ => Err(DeserializeError::Type),
            },
        }
    }
}

/// Converts an error of serde-json-core.
fn not_that(error: Error) -> DeserializeError {
    match error {
        Error::CustomError => DeserializeError::Refused,
        Error::InvalidNumber | Error::TrailingCharacters => DeserializeError::Number,
        _ => DeserializeError::Type,
    }
}

/// Reads a number for a type that accepts any number.
fn any_number<'s, V: Visitor<'s>>(
    number: Number<'s>,
    visitor: V,
) -> Result<V::Value, DeserializeError> {
    let text = number.as_str();
    if text != "-0" && !text.contains(['.', 'e', 'E']) {
        if let Some(whole) = number.as_u64() {
            return visitor.visit_u64(whole);
        }
        if let Some(whole) = number.as_i64() {
            return visitor.visit_i64(whole);
        }
    }
    visitor.visit_f64(text.parse().map_err(|_| DeserializeError::Number)?)
}

macro_rules! scalars {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'s>>(mut self, visitor: V) -> Result<V::Value, DeserializeError> {
            let Some(scalar) = self.scalar()? else { return self.deserialize_any(visitor) };
            let mut json = Json::new(scalar, None);
            let read = (&mut json).$method(visitor).map_err(not_that)?;
            json.end().map_err(not_that)?;
            Ok(read)
        }
    )*};
}

impl<'s> Deserializer<'s> for Source<'_, 's> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        let value = match self.raw {
            Raw::Text(text) => return visitor.visit_borrowed_str(self.scratch.decode(text)?),
            Raw::Json(value) => value,
        };
        match value.kind() {
            Kind::Object => visitor.visit_map(self.entries(value)?),
            Kind::Array => self.array(value, visitor),
            Kind::String => visitor
                .visit_borrowed_str(self.scratch.decode(value.as_text().unwrap_or_default())?),
            Kind::Number => any_number(Number::new(value.raw()), visitor),
            Kind::Bool => visitor.visit_bool(value.as_bool() == Some(true)),
            Kind::Null => visitor.visit_unit(),
        }
    }

    scalars! {
        deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64
    }

    fn deserialize_option<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self.raw {
            Raw::Json(value) if value.is_null() => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'s>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'s>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        let text = match self.raw {
            Raw::Text(text) => text,
            Raw::Json(value) => match (value.kind(), value.as_text()) {
                (Kind::Object, _) => {
                    let mut entries = self.entries(value)?;
                    let read = MapAccessDeserializer::new(&mut entries)
                        .deserialize_enum(name, variants, visitor)?;
                    // A variant is the only member of its object.
                    return if entries.members.next().is_none() {
                        Ok(read)
                    } else {
                        Err(DeserializeError::Refused)
                    };
                }
                (_, Some(text)) => text,
                _ => return Err(DeserializeError::Type),
            },
        };
        visitor.visit_enum(BorrowedStrDeserializer::new(self.scratch.decode(text)?))
    }

    /// Structs are read from objects only: an array would fill the fields by their order.
    fn deserialize_struct<V: Visitor<'s>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        match self.raw {
            Raw::Json(value) if value.kind() == Kind::Array => Err(DeserializeError::Type),
            _ => self.deserialize_any(visitor),
        }
    }

    /// Skips the value, so that nothing is decoded.
    fn deserialize_ignored_any<V: Visitor<'s>>(
        self,
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        <V: Visitor<'s>>
        i128 u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map identifier
    }
}

impl<'x, 's, I> Entries<'x, 's, I> {
    pub(super) fn new(members: I, scratch: &'x mut Scratch<'s>, depth: usize) -> Self {
        Self { members, value: None, scratch, depth }
    }
}

impl<'a: 's, 's, I: Iterator<Item = Member<'a>>> MapAccess<'s> for Entries<'_, 's, I> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'s>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DeserializeError> {
        let Some(member) = self.members.next() else {
            return Ok(None);
        };
        self.value = Some(member.value);
        let name =
            Source { raw: Raw::Text(member.name), scratch: &mut *self.scratch, depth: self.depth };
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'s>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, DeserializeError> {
        let raw = self.value.take().unwrap_or(Raw::Json(Value::NULL));
        seed.deserialize(Source { raw, scratch: &mut *self.scratch, depth: self.depth })
    }
}

impl<'s> SeqAccess<'s> for Items<'_, 's> {
    type Error = DeserializeError;

    fn next_element_seed<T: DeserializeSeed<'s>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DeserializeError> {
        let Some(value) = self.elements.next() else {
            return Ok(None);
        };
        seed.deserialize(Source {
            raw: Raw::Json(value),
            scratch: &mut *self.scratch,
            depth: self.depth,
        })
        .map(Some)
    }
}
