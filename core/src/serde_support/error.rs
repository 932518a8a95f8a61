//! Why a value could not be read into a type.

use core::fmt;

use serde_json_core::de::Error as Json;

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
    /// short, a string cannot be borrowed because it is escaped, or whatever else the type says.
    Refused,
    /// The type wants to be told what there is (untagged enums, `flatten`, values of any type) or wants bytes. It must ask for what it wants.
    Unsupported,
    /// The value is no JSON. It was made of bytes that were never parsed.
    InvalidJson,
}

impl DeserializeError {
    /// What is wrong, in a sentence without a capital and a full stop.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::ScratchTooSmall { .. } => "a string is escaped, and there is too little scratch space to decode it",
            Self::Type => "the value is of another type",
            Self::Number => "the number does not fit the type",
            Self::TooLong => "the array has more elements than the type",
            Self::Refused => "the type does not take this value",
            Self::Unsupported => "the type must say what it expects: it cannot be told what there is",
            Self::InvalidJson => "the value is no JSON",
        }
    }

    /// What an error of serde-json-core means where the text is known to be JSON.
    pub(super) fn of(error: Json) -> Self {
        match error {
            // The second is a character written as two escapes, of which none is left in scratch space.
            Json::EscapedStringIsTooLong | Json::InvalidEscapeSequence => Self::ScratchTooSmall { needed: 0 },
            Json::CustomError => Self::Refused,
            Json::AnyIsUnsupported | Json::BytesIsUnsupported => Self::Unsupported,
            // A whole number ends where its digits do; the rest is then in the way of the comma.
            Json::InvalidNumber | Json::ExpectedListCommaOrEnd | Json::ExpectedObjectCommaOrEnd => Self::Number,
            Json::TrailingCharacters | Json::TrailingComma => Self::TooLong,
            Json::InvalidUnicodeCodePoint => Self::InvalidJson,
            _ => Self::Type,
        }
    }
}

impl fmt::Display for DeserializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())?;
        match self {
            Self::ScratchTooSmall { needed } => write!(f, ": {needed} bytes are enough"),
            _ => Ok(()),
        }
    }
}

impl core::error::Error for DeserializeError {}

impl serde::de::Error for DeserializeError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Refused
    }

    fn invalid_type(_: serde::de::Unexpected<'_>, _: &dyn serde::de::Expected) -> Self {
        Self::Type
    }
}
