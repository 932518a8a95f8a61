//! Why a value could not be read into a type.

use core::fmt;

use serde::de::{Expected, Unexpected};

/// Why a value could not be read into a type of the caller's.
///
/// It is small and `Copy`, and holds no message made by the type: there is no heap to put one in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum DeserializeError {
    /// A string is escaped, and the scratch space is too small to decode it; `deserialize` has none.
    ScratchTooSmall {
        /// Bytes that are enough.
        needed: usize,
    },
    /// The value is of another type than the one asked for.
    Type,
    /// A number does not fit the type asked for: it is out of its range, or has a fraction or an exponent where a whole number is asked for.
    Number,
    /// An array has more elements than the tuple or array asked for.
    TooLong,
    /// The type does not take what it was given: a member is missing or there twice, a variant or member is unknown, an array is too
    /// short, or whatever else the type says.
    Refused,
    /// The value nests deeper than any document that is read: it was made of bytes that were never parsed.
    TooDeep,
}

impl fmt::Display for DeserializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ScratchTooSmall { needed } => {
                return write!(f, "a string is escaped, and there is too little scratch space to decode it: {needed} bytes are enough");
            }
            Self::Type => "the value is of another type",
            Self::Number => "the number does not fit the type",
            Self::TooLong => "the array has more elements than the type",
            Self::Refused => "the type does not take this value",
            Self::TooDeep => "the value nests deeper than any document that is read",
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
