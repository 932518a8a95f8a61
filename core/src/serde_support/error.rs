//! Errors of deserialization.

use core::fmt;

use serde::de::{Expected, Unexpected};

/// Why a value could not be read into a type of the caller.
///
/// Small and `Copy`. It does not contain messages of the type, because they would need a heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum DeserializeError {
    /// A string is escaped, and the scratch buffer is too small to decode it. `deserialize` has no
    /// scratch buffer.
    ScratchTooSmall {
        /// A sufficient size, in bytes.
        needed: usize,
    },
    /// The value has another type than the requested one.
    Type,
    /// A number does not fit the requested type: it is out of range, or an integer is requested and
    /// the number has a fraction or an exponent.
    Number,
    /// An array has more elements than the requested tuple or array.
    TooLong,
    /// The type rejects the value: for example, a member is absent or repeated, a variant or member
    /// is unknown, or an array is too short.
    Refused,
    /// The value is nested deeper than the maximum of a parsed document: its bytes were never
    /// parsed.
    TooDeep,
}

impl fmt::Display for DeserializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ScratchTooSmall { needed } => {
                return write!(f, "a string is escaped, and the scratch buffer is too small to decode it; pass {needed} bytes");
            }
            Self::Type => "the value has another type than requested",
            Self::Number => "the number does not fit the requested type",
            Self::TooLong => "the array has more elements than requested",
            Self::Refused => "the type rejects this value",
            Self::TooDeep => "the value is nested deeper than the maximum of a document",
        })
    }
}

impl core::error::Error for DeserializeError {}

impl serde::de::Error for DeserializeError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Refused
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self::Type
    }

    fn invalid_value(unexpected: Unexpected<'_>, _: &dyn Expected) -> Self {
        match unexpected {
            Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => Self::Number,
            _ => Self::Refused,
        }
    }
}
