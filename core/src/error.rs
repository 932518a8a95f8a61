//! Why a document could not be read.

use core::fmt;

use crate::format::Format;
use crate::span::{Position, PositionCursor};

/// What is wrong with JSON text (RFC 8259).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum JsonError {
    /// The text ends inside a value.
    UnexpectedEnd,
    /// A value was expected.
    ExpectedValue,
    /// A member name in quotes, or `}` where the object is empty, was expected.
    ExpectedName,
    /// `:` was expected after a member name.
    ExpectedColon,
    /// `,` or the closing bracket was expected.
    ExpectedCommaOrEnd,
    /// Something follows the value.
    TrailingText,
    /// A control character stands in a string.
    ControlCharacter,
    /// A backslash is not followed by an escape of RFC 8259.
    BadEscape,
    /// A number is not written as RFC 8259 writes numbers.
    BadNumber,
    /// A word is not `true`, `false` or `null`.
    BadLiteral,
}

impl JsonError {
    const fn message(self) -> &'static str {
        match self {
            Self::UnexpectedEnd => "the JSON text ends too early",
            Self::ExpectedValue => {
                "a JSON value was expected; JSON has no comments, and no comma before a closing bracket"
            }
            Self::ExpectedName => {
                "a member name in double quotes was expected; JSON has no comments, and no comma before a closing bracket"
            }
            Self::ExpectedColon => "`:` was expected after the member name",
            Self::ExpectedCommaOrEnd => "`,` or the closing bracket was expected",
            Self::TrailingText => "the JSON text goes on after its end",
            Self::ControlCharacter => "a control character in a string must be escaped",
            Self::BadEscape => {
                "this is no escape of JSON: one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX was expected"
            }
            Self::BadNumber => "this is no JSON number",
            Self::BadLiteral => "only the words true, false and null may stand outside quotes",
        }
    }
}

/// A bounded storage that was too small.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Capacity {
    /// The buffer for decoded or written text.
    Buffer,
    /// The actions that a prerequisite search can hold.
    Actions,
    /// The documents of one site that are decided over together.
    Documents,
}

/// The kind of an [`Error`]. Few and stable: the C status codes and the `kind` strings of Python are made from this list.
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
    /// The document is of a known kind that is no discovery document this library reads, such as an HTML page.
    NotADiscoveryDocument(Format),
    /// The document is of a format that the library reads, but that this build leaves out; [`Format::feature`] names the Cargo feature. It is
    /// [`Format::Unknown`] for a JSON document where no JSON format is built in.
    NotBuiltIn(Format),
    /// Nothing says what the document is.
    UnknownFormat,
    /// The document cannot be of the format that was forced: its top level is not an object.
    WrongFormat,
    /// A bounded storage was too small.
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

    /// What is wrong and what to do, in a sentence without a capital and a full stop.
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
            Self::NotADiscoveryDocument(_) => {
                "this is a document of another kind, which is recognised but not read"
            }
            Self::NotBuiltIn(format) => crate::format::not_built_in(format),
            Self::UnknownFormat => {
                "nothing says what this document is; name its format to read it all the same"
            }
            Self::WrongFormat => {
                "the document cannot be of this format: its top level is not an object"
            }
            Self::CapacityExceeded(Capacity::Buffer) => "the buffer is too small",
            Self::CapacityExceeded(Capacity::Actions) => {
                "there are more actions than the storage lent can hold"
            }
            Self::CapacityExceeded(Capacity::Documents) => {
                "there are more documents than can be decided over together"
            }
        }
    }
}

/// Why a document could not be read, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Offset in bytes, from 0, of the place that shows it; for [`ErrorKind::TooLarge`] the limit.
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
