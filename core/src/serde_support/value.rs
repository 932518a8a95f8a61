//! Serialization of texts, JSON values and lists.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::limits::Limits;
use crate::model::{List, Member, Raw};
use crate::syntax::json::{Kind, Number, Value};
use crate::syntax::text::Text;

/// Serializes the decoded characters as a string.
impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_str() {
            Some(text) => serializer.serialize_str(text),
            None => serializer.collect_str(self),
        }
    }
}

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Json(value) => value.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
        }
    }
}

/// Serializes the items as a sequence.
impl<T: Serialize + Copy> Serialize for List<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        for item in *self {
            sequence.serialize_element(&item)?;
        }
        sequence.end()
    }
}

/// Serializes metadata as a map of its members. ([`Member`] alone is not `Serialize`.)
impl Serialize for List<'_, Member<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for member in *self {
            map.serialize_entry(&member.name, &member.value)?;
        }
        map.end()
    }
}

/// Serializes the value itself, with any serializer; see [`serde_support`](crate::serde_support).
impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Nested { value: *self, depth: Limits::MAX_DEPTH }.serialize(serializer)
    }
}

/// Serializes an integer of up to 64 bits as an integer, other numbers as the nearest `f64`, and
/// numbers beyond `f64` as their text.
impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.as_str();
        // `-0` is zero with a sign, which only floating point can represent.
        if text != "-0" && !text.contains(['.', 'e', 'E']) {
            if let Some(whole) = self.as_u64() {
                return serializer.serialize_u64(whole);
            }
            if let Some(whole) = self.as_i64() {
                return serializer.serialize_i64(whole);
            }
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => serializer.serialize_f64(number),
            _ => serializer.serialize_str(text),
        }
    }
}

/// A value, and the number of levels that may still be entered.
///
/// The bytes are read again each time, because a serializer may request the value twice or not at
/// all.
struct Nested<'a> {
    value: Value<'a>,
    depth: usize,
}

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        let below = self.depth.checked_sub(1);
        match (value.kind(), below) {
            (Kind::Object, Some(depth)) => {
                let mut map = serializer.serialize_map(None)?;
                for member in value.members() {
                    map.serialize_entry(&member.name, &Nested { value: member.value, depth })?;
                }
                map.end()
            }
            (Kind::Array, Some(depth)) => {
                let mut sequence = serializer.serialize_seq(None)?;
                for value in value.elements() {
                    sequence.serialize_element(&Nested { value, depth })?;
                }
                sequence.end()
            }
            (Kind::String, _) => value.as_text().unwrap_or_default().serialize(serializer),
            (Kind::Number, _) => Number::new(value.raw()).serialize(serializer),
            (Kind::Bool, _) => serializer.serialize_bool(value.as_bool() == Some(true)),
            // Too deep. Only bytes that were never parsed can be.
            (Kind::Object | Kind::Array | Kind::Null, _) => serializer.serialize_unit(),
        }
    }
}
