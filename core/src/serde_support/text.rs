//! Reading a text of a text document into a type.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserializer, Visitor};
use serde_json_core::de::{Deserializer as Json, Error};

use super::DeserializeError;

/// A text, which is a string to whoever asks for a string, and a number or truth value to whoever asks for those.
pub(super) struct TextDeserializer<'de>(pub(super) &'de str);

/// Numbers and truth values are read as JSON writes them.
macro_rules! scalars {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
            let mut json = Json::new(self.0.as_bytes(), None);
            let value = (&mut json).$method(visitor).map_err(not_that)?;
            json.end().map_err(not_that)?;
            Ok(value)
        }
    )*};
}

/// What it means that a text cannot be read as a number or truth value.
fn not_that(error: Error) -> DeserializeError {
    match error {
        Error::CustomError => DeserializeError::Refused,
        Error::InvalidNumber | Error::TrailingCharacters => DeserializeError::Number,
        _ => DeserializeError::Type,
    }
}

impl<'de> Deserializer<'de> for TextDeserializer<'de> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        visitor.visit_borrowed_str(self.0)
    }

    scalars! {
        deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, DeserializeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.0))
    }

    serde::forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
