//! The errors of requests.

use core::fmt;

use crate::diagnostic::write_quoted;
use crate::syntax::text::Text;

/// Why a URL, a header or a request cannot be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RequestError<'a> {
    /// The buffer is too small.
    BufferTooSmall {
        /// A sufficient size, in bytes.
        needed: usize,
    },
    /// The base URL is absent or not an http(s) URL. If a token is given, also: its host has
    /// non-ASCII characters, or it has user information.
    InvalidBaseUrl,
    /// A URL contains a placeholder in braces, with this name, that no argument replaces.
    Placeholder(Text<'a>),
    /// The reference is invalid or ambiguous, leads to a scheme other than http(s), has user
    /// information, or has escapes and is longer than [`BUFFER`](crate::syntax::url::BUFFER) when
    /// decoded.
    InvalidReference,
    /// The detail lacks this member.
    MissingMember(&'static str),
    /// The method is not a valid HTTP method.
    InvalidMethod,
    /// The name of the header that carries the token, or its prefix, is not valid in an HTTP
    /// request.
    InvalidAuthHeader,
    /// The token is empty, or contains a character that a header cannot contain, such as a line
    /// end.
    InvalidToken,
    /// A parameter that is required or in the path has no argument.
    MissingArgument(Text<'a>),
    /// The argument with this index has no parameter.
    UnknownArgument(usize),
    /// There are more than 64 arguments, the maximum of a request.
    TooManyArguments,
    /// The argument with this index has the same name as an earlier argument. Names of headers are
    /// compared without letter case.
    RepeatedArgument(usize),
    /// The argument with this index cannot be sent: its path parameter is not in the endpoint, the
    /// location of its parameter is unknown, or it is the second argument for a body that is a
    /// single value.
    UnplacedArgument(usize),
    /// A required parameter is in the path, but the endpoint does not contain its name, so neither
    /// a value nor its default can be sent.
    UnplacedParameter(Text<'a>),
    /// The argument with this index has a value that its location does not allow: an empty value or
    /// a dot segment in the path, a character that a host name cannot contain, or a line end in a
    /// header.
    InvalidArgument(usize),
    /// The endpoint is on a host that may not belong to the owner of the base URL, or an argument
    /// chooses that owner, so it must not receive the token.
    CrossOrigin,
    /// The endpoint does not use https, so it must not receive the token.
    Insecure,
}

impl RequestError<'_> {
    /// Returns the stable kebab-case name.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::BufferTooSmall { .. } => "buffer-too-small",
            Self::InvalidBaseUrl => "invalid-base-url",
            Self::Placeholder(_) => "placeholder",
            Self::InvalidReference => "invalid-reference",
            Self::MissingMember(_) => "missing-member",
            Self::InvalidMethod => "invalid-method",
            Self::InvalidAuthHeader => "invalid-auth-header",
            Self::InvalidToken => "invalid-token",
            Self::MissingArgument(_) => "missing-argument",
            Self::UnknownArgument(_) => "unknown-argument",
            Self::TooManyArguments => "too-many-arguments",
            Self::RepeatedArgument(_) => "repeated-argument",
            Self::UnplacedArgument(_) | Self::UnplacedParameter(_) => "unplaced-argument",
            Self::InvalidArgument(_) => "invalid-argument",
            Self::CrossOrigin => "cross-origin",
            Self::Insecure => "insecure",
        }
    }

    /// Returns a message with the problem, and its solution if there is one. It starts in lower
    /// case and has no full stop.
    pub const fn message(&self) -> &'static str {
        match self {
            Self::BufferTooSmall { .. } => "the buffer is too small",
            Self::InvalidBaseUrl => {
                "the manifest's base_url is not an http(s) URL with an ASCII host and without user information; use one such as https://example.com/api"
            }
            Self::Placeholder(_) => {
                "the URL contains a placeholder that no argument replaces; give an argument with its name"
            }
            Self::InvalidReference => "the URL or path is invalid or ambiguous",
            Self::MissingMember(_) => {
                "the detail of the capability lacks a member that the request needs"
            }
            Self::InvalidMethod => "the method of the capability is not a valid HTTP method",
            Self::InvalidAuthHeader => {
                "the manifest's header or prefix for the token is not valid in an HTTP request"
            }
            Self::InvalidToken => {
                "the token is empty or contains a character that an HTTP header cannot contain"
            }
            Self::MissingArgument(_) => "a required argument is missing",
            Self::UnknownArgument(_) => "no parameter has the name of this argument",
            Self::TooManyArguments => "there are more than 64 arguments; give fewer",
            Self::RepeatedArgument(_) => "two arguments have the same name",
            Self::UnplacedArgument(_) => {
                "an argument cannot be sent, because its path parameter is not in the endpoint, the location of its parameter is unknown, or the body is a single value and has one already"
            }
            Self::UnplacedParameter(_) => {
                "a required parameter is in the path, but the endpoint does not contain its name; correct the document"
            }
            Self::InvalidArgument(_) => "an argument has a value that its location does not allow",
            Self::CrossOrigin => {
                "the endpoint is on another host than the service, so it must not receive the token; allow other hosts if you trust it"
            }
            Self::Insecure => "the endpoint does not use https, so it must not receive the token",
        }
    }
}

impl fmt::Display for RequestError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())?;
        match self {
            Self::BufferTooSmall { needed } => write!(f, " ({needed} bytes are needed)"),
            Self::MissingMember(name) => write!(f, " ({name})"),
            Self::MissingArgument(name)
            | Self::UnplacedParameter(name)
            | Self::Placeholder(name) => {
                f.write_str(": ")?;
                write_quoted(f, *name)
            }
            Self::UnknownArgument(index)
            | Self::RepeatedArgument(index)
            | Self::UnplacedArgument(index)
            | Self::InvalidArgument(index) => {
                write!(f, " (argument {index}, counted from 0)")
            }
            _ => Ok(()),
        }
    }
}

impl core::error::Error for RequestError<'_> {}
