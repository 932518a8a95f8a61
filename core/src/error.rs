//! Why a document could not be read.

use core::fmt;

use crate::kind::{Format, not_built_in};
use crate::span::{Position, PositionCursor};

/// What is wrong with JSON text (RFC 8259).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum JsonError {
    /// The text ends inside a value.
    UnexpectedEnd,
    /// A value was expected.
    ExpectedValue,
    /// A member name in quotes, or `}` in an empty object, was expected.
    ExpectedName,
    /// `:` was expected after a member name.
    ExpectedColon,
    /// Expected `,` or the closing bracket.
    ExpectedCommaOrEnd,
    /// Text follows the top-level value.
    TrailingText,
    /// A string contains a control character.
    ControlCharacter,
    /// A backslash is not followed by an escape of RFC 8259.
    BadEscape,
    /// A number does not follow the grammar of RFC 8259.
    BadNumber,
    /// A word is not `true`, `false` or `null`.
    BadLiteral,
}

impl JsonError {
    const fn message(self) -> &'static str {
        match self {
            Self::UnexpectedEnd => "the JSON text ends inside a value",
            Self::ExpectedValue => {
                "expected a JSON value; JSON has no comments, and no comma before a closing bracket"
            }
            Self::ExpectedName => {
                "expected a member name in double quotes; JSON has no comments, and no comma before a closing bracket"
            }
            Self::ExpectedColon => "expected `:` after the member name",
            Self::ExpectedCommaOrEnd => "expected `,` or the closing bracket",
            Self::TrailingText => "unexpected text after the JSON value",
            Self::ControlCharacter => "control characters in a string must be escaped",
            Self::BadEscape => {
                "invalid escape; use one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"
            }
            Self::BadNumber => "invalid JSON number",
            Self::BadLiteral => {
                "invalid literal; outside quotes only true, false and null are valid"
            }
        }
    }
}

/// A bounded buffer that was too small.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Capacity {
    /// The buffer for decoded or written text.
    Buffer,
    /// The actions that a prerequisite search can hold.
    Actions,
    /// The documents of one site for a decision.
    Documents,
}

/// The kind of an [`Error`]. The kinds are few and stable: the C status codes and the `kind`
/// strings of Python correspond to this list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The document is not UTF-8.
    InvalidUtf8,
    /// The document is not JSON where JSON is required.
    InvalidJson(JsonError),
    /// The document is larger than [`Limits::document`](crate::Limits::document).
    TooLarge,
    /// The document nests deeper than [`Limits::depth`](crate::Limits::depth).
    TooDeep,
    /// A line is longer than [`Limits::line`](crate::Limits::line).
    LineTooLong,
    /// The library recognizes the format of the document but does not read it, for example an HTML
    /// page.
    NotADiscoveryDocument(Format),
    /// The library reads this format, but this build does not include it; [`Format::feature`] names
    /// the Cargo feature. The format is [`Format::Unknown`] for a JSON document if no JSON format
    /// is built in.
    NotBuiltIn(Format),
    /// The format cannot be detected.
    UnknownFormat,
    /// The document does not have the forced format: its top level is not an object.
    WrongFormat,
    /// A bounded buffer was too small.
    CapacityExceeded(Capacity),
}

impl ErrorKind {
    /// The stable kebab-case name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidUtf8 => "invalid-utf8",
            Self::InvalidJson(_) => "invalid-json",
            Self::TooLarge => "too-large",
            Self::TooDeep => "too-deep",
            Self::LineTooLong => "line-too-long",
            Self::NotADiscoveryDocument(_) => "not-a-discovery-document",
            Self::NotBuiltIn(_) => "not-built-in",
            Self::UnknownFormat => "unknown-format",
            Self::WrongFormat => "wrong-format",
            Self::CapacityExceeded(_) => "capacity-exceeded",
        }
    }

    /// The format of the document, if the error depends on it; otherwise [`Format::Unknown`].
    pub const fn format(self) -> Format {
        match self {
            Self::NotADiscoveryDocument(format) | Self::NotBuiltIn(format) => format,
            _ => Format::Unknown,
        }
    }

    /// What is wrong and what to do, as a sentence without a capital letter and a full stop.
    pub const fn message(self) -> &'static str {
        match self {
            Self::InvalidUtf8 => "the document is not UTF-8; save it as UTF-8",
            Self::InvalidJson(why) => why.message(),
            Self::TooLarge => {
                "the document is larger than the limit; raise it (`document`; in C `max_document`, on the command line --max-bytes) to read it"
            }
            Self::TooDeep => {
                "the document nests deeper than the limit; raise it (`depth`, in C `max_depth`; up to 256) to read it"
            }
            Self::LineTooLong => {
                "the line is longer than the limit; raise it (`line`, in C `max_line`) to read it"
            }
            Self::NotADiscoveryDocument(Format::Html) => {
                "this is an HTML page, not a discovery document"
            }
            Self::NotADiscoveryDocument(format) => format.not_read(),
            Self::NotBuiltIn(format) => not_built_in(format),
            Self::UnknownFormat => {
                "cannot detect the format of this document; specify it to read the document anyway"
            }
            Self::WrongFormat => {
                "the document does not have this format: its top level is not an object"
            }
            Self::CapacityExceeded(Capacity::Buffer) => "the buffer is too small",
            Self::CapacityExceeded(Capacity::Actions) => {
                "there are more actions than the caller's buffer can hold"
            }
            Self::CapacityExceeded(Capacity::Documents) => {
                "there are more documents than one decision can use"
            }
        }
    }
}

/// Why a document could not be read, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Byte offset of the error, from 0; for [`ErrorKind::TooLarge`], the limit.
    pub offset: usize,
}

impl Error {
    /// An error of `kind` at `offset`.
    pub const fn new(kind: ErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// Line and column of the error in the document it came from. Linear in the offset.
    pub fn position(&self, document: &[u8]) -> Position {
        PositionCursor::new(document).at(self.offset)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind.message(), self.offset)
    }
}

impl core::error::Error for Error {}
