//! The statuses that functions return, and the errors of parsing.

use core::ffi::c_char;

use agentsdisc_core::error::{Capacity, JsonError};
use agentsdisc_core::format::adp::RequestError;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::syntax::type_expr::TypeError;
use agentsdisc_core::{Error, ErrorKind, Format};

use crate::boundary::c_text;
use crate::format::{not_built_in, not_read};

/// The return value of functions: zero or more for success, negative for an error. One of the
/// constants below.
pub type agd_status = i32;

/// Success.
pub const AGD_OK: agd_status = 0;
/// Absent, or the end of a list. The output is unchanged.
pub const AGD_NONE: agd_status = 0;
/// Present; the output was filled.
pub const AGD_SOME: agd_status = 1;

/// The document is not UTF-8.
pub const AGD_ERROR_INVALID_UTF8: agd_status = -1;
/// The document is not JSON where JSON is required.
pub const AGD_ERROR_INVALID_JSON: agd_status = -2;
/// The document is larger than the limit.
pub const AGD_ERROR_TOO_LARGE: agd_status = -3;
/// The nesting of the document is deeper than the limit.
pub const AGD_ERROR_TOO_DEEP: agd_status = -4;
/// A line is longer than the limit.
pub const AGD_ERROR_LINE_TOO_LONG: agd_status = -5;
/// The document is of a known kind that the library does not read, such as an HTML page.
pub const AGD_ERROR_NOT_A_DISCOVERY_DOCUMENT: agd_status = -6;
/// The format cannot be detected.
pub const AGD_ERROR_UNKNOWN_FORMAT: agd_status = -7;
/// The document does not have the forced format.
pub const AGD_ERROR_WRONG_FORMAT: agd_status = -8;
/// A bounded buffer was too small.
pub const AGD_ERROR_CAPACITY_EXCEEDED: agd_status = -9;
/// The document has a format that this build of the library leaves out.
pub const AGD_ERROR_NOT_BUILT_IN: agd_status = -10;
/// The document could not be read for a reason that is newer than this list.
pub const AGD_ERROR_OTHER: agd_status = -31;
/// Misuse: a pointer that must not be NULL is NULL.
pub const AGD_ERROR_NULL: agd_status = -32;
/// Misuse: an argument is invalid, such as a number that is not a named constant, or a misaligned
/// pointer.
pub const AGD_ERROR_ARGUMENT: agd_status = -33;
/// Misuse: a document that was not parsed, or a list that was not obtained from the library.
pub const AGD_ERROR_UNINITIALISED: agd_status = -34;
/// Misuse: the member `size` of a struct was not set, see AGD_INIT.
pub const AGD_ERROR_STRUCT_SIZE: agd_status = -35;
/// The buffer is too small; the required length was returned.
pub const AGD_ERROR_BUFFER_TOO_SMALL: agd_status = -36;
/// The actions require each other, so there is no order in which they can run.
pub const AGD_ERROR_CYCLE: agd_status = -37;
/// The base URL is missing or not an http(s) URL.
pub const AGD_ERROR_BASE_URL: agd_status = -38;
/// The URL has a placeholder in braces without a value.
pub const AGD_ERROR_PLACEHOLDER: agd_status = -39;
/// The URL or path is invalid or ambiguous.
pub const AGD_ERROR_REFERENCE: agd_status = -40;
/// The header that carries the token is not a valid header of a request.
pub const AGD_ERROR_HEADER: agd_status = -41;
/// The token is empty, or has a character that is not allowed in a header.
pub const AGD_ERROR_TOKEN: agd_status = -42;
/// Credentials must not be sent with this request, or the request is not allowed.
pub const AGD_ERROR_WITHHELD: agd_status = -43;
/// The format does not define which header carries the token.
pub const AGD_ERROR_UNSPECIFIED: agd_status = -44;

/// This document cannot be converted to that format, or this format cannot be fixed.
pub const AGD_ERROR_UNSUPPORTED: agd_status = -50;
/// The target cannot express a restriction of the document, and would allow agents more; nothing
/// was written.
pub const AGD_ERROR_REFUSED: agd_status = -51;
/// The call is not planned; the refusal has the reason.
pub const AGD_ERROR_CALL_REFUSED: agd_status = -52;
/// The text is not a valid site. Use an http(s) URL without user information, or a host, in ASCII.
pub const AGD_ERROR_SITE: agd_status = -45;

/// The method is not a valid HTTP method.
pub const AGD_ERROR_METHOD: agd_status = -61;
/// The document lacks a required member.
pub const AGD_ERROR_MISSING_MEMBER: agd_status = -62;
/// A required argument is missing.
pub const AGD_ERROR_MISSING_ARGUMENT: agd_status = -63;
/// There is no parameter with the name of an argument.
pub const AGD_ERROR_UNKNOWN_ARGUMENT: agd_status = -64;
/// An argument is given twice.
pub const AGD_ERROR_REPEATED_ARGUMENT: agd_status = -65;
/// An argument cannot be sent: the request has no place for its parameter.
pub const AGD_ERROR_UNPLACED_ARGUMENT: agd_status = -66;
/// An argument has a value that is invalid for its location.
pub const AGD_ERROR_INVALID_ARGUMENT: agd_status = -67;
/// The text is not a type expression.
pub const AGD_ERROR_TYPE: agd_status = -68;
/// The dependencies of the actions cannot be read.
pub const AGD_ERROR_UNREADABLE: agd_status = -69;

/// Why a document could not be read, and where. Filled by the library; it needs no initialisation.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct agd_error {
    /// The error: AGD_ERROR_*; AGD_OK if there is none.
    pub kind: agd_status,
    /// For AGD_ERROR_NOT_A_DISCOVERY_DOCUMENT and AGD_ERROR_NOT_BUILT_IN, the format of the
    /// document (AGD_FORMAT_*); otherwise AGD_FORMAT_UNKNOWN, also for JSON if no JSON format is
    /// built in.
    pub format: i32,
    /// Byte offset of the error, from 0; the limit for AGD_ERROR_TOO_LARGE.
    pub offset: usize,
    /// Line, from 1; 0 if the error does not concern the document. LF, CRLF and a lone CR each end
    /// a line.
    pub line: u32,
    /// Column in bytes, from 1; 0 if the error does not concern the document.
    pub column: u32,
    /// What is wrong and what to do: an English sentence, NUL-terminated, static, never NULL.
    pub message: *const c_char,
    /// Reserved; zero.
    pub reserved: [usize; 4],
}

impl agd_error {
    /// No error.
    pub(crate) fn none() -> Self {
        Self::misuse(AGD_OK)
    }

    /// An error that does not concern the document.
    pub(crate) fn misuse(kind: agd_status) -> Self {
        Self {
            kind,
            format: 0,
            offset: 0,
            line: 0,
            column: 0,
            message: agd_status_message(kind),
            reserved: [0; 4],
        }
    }

    /// Converts an error of the core.
    pub(crate) fn of(error: Error, document: &[u8]) -> Self {
        let position = error.position(document);
        Self {
            kind: status_of(error.kind),
            format: i32::from(error.kind.format() as u8),
            offset: error.offset,
            line: position.line,
            column: position.column,
            message: message_of(error.kind),
            reserved: [0; 4],
        }
    }
}

/// The status of a kind of error.
pub(crate) const fn status_of(kind: ErrorKind) -> agd_status {
    match kind {
        ErrorKind::InvalidUtf8 => AGD_ERROR_INVALID_UTF8,
        ErrorKind::InvalidJson(_) => AGD_ERROR_INVALID_JSON,
        ErrorKind::TooLarge => AGD_ERROR_TOO_LARGE,
        ErrorKind::TooDeep => AGD_ERROR_TOO_DEEP,
        ErrorKind::LineTooLong => AGD_ERROR_LINE_TOO_LONG,
        ErrorKind::NotADiscoveryDocument(_) => AGD_ERROR_NOT_A_DISCOVERY_DOCUMENT,
        ErrorKind::NotBuiltIn(_) => AGD_ERROR_NOT_BUILT_IN,
        ErrorKind::UnknownFormat => AGD_ERROR_UNKNOWN_FORMAT,
        ErrorKind::WrongFormat => AGD_ERROR_WRONG_FORMAT,
        ErrorKind::CapacityExceeded(_) => AGD_ERROR_CAPACITY_EXCEEDED,
        _ => AGD_ERROR_OTHER,
    }
}

/// Defines the messages of errors: those of the core, NUL-terminated.
macro_rules! messages {
    ($($kind:ident $(($detail:path))?,)*) => {
        fn message_of(kind: ErrorKind) -> *const c_char {
            match kind {
                $(ErrorKind::$kind $(($detail))? => c_text!(ErrorKind::$kind $(($detail))?.message()),)*
                ErrorKind::NotADiscoveryDocument(format) => not_read(format),
                ErrorKind::NotBuiltIn(format) => not_built_in(format),
                _ => agd_status_message(status_of(kind)),
            }
        }
    };
}

messages! {
    InvalidUtf8,
    InvalidJson(JsonError::UnexpectedEnd),
    InvalidJson(JsonError::ExpectedValue),
    InvalidJson(JsonError::ExpectedName),
    InvalidJson(JsonError::ExpectedColon),
    InvalidJson(JsonError::ExpectedCommaOrEnd),
    InvalidJson(JsonError::TrailingText),
    InvalidJson(JsonError::ControlCharacter),
    InvalidJson(JsonError::BadEscape),
    InvalidJson(JsonError::BadNumber),
    InvalidJson(JsonError::BadLiteral),
    TooLarge,
    TooDeep,
    LineTooLong,
    UnknownFormat,
    WrongFormat,
    CapacityExceeded(Capacity::Buffer),
    CapacityExceeded(Capacity::Actions),
    CapacityExceeded(Capacity::Documents),
}

/// Returns what a status means, in English: a sentence without a capital and a full stop,
/// NUL-terminated.
///
/// Never NULL, also for a number that is not a status. Static: do not free it. Thread-safe;
/// constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_status_message(status: agd_status) -> *const c_char {
    match status {
        AGD_OK => c"success; there is no further item".as_ptr(),
        AGD_SOME => c"success; the item was written".as_ptr(),
        AGD_ERROR_INVALID_UTF8 => c_text!(ErrorKind::InvalidUtf8.message()),
        AGD_ERROR_INVALID_JSON => c"the document is not valid JSON".as_ptr(),
        AGD_ERROR_TOO_LARGE => c_text!(ErrorKind::TooLarge.message()),
        AGD_ERROR_TOO_DEEP => c_text!(ErrorKind::TooDeep.message()),
        AGD_ERROR_LINE_TOO_LONG => c_text!(ErrorKind::LineTooLong.message()),
        AGD_ERROR_NOT_A_DISCOVERY_DOCUMENT => c"the document is recognized, but its format is not read".as_ptr(),
        AGD_ERROR_UNKNOWN_FORMAT => c_text!(ErrorKind::UnknownFormat.message()),
        AGD_ERROR_WRONG_FORMAT => c_text!(ErrorKind::WrongFormat.message()),
        AGD_ERROR_CAPACITY_EXCEEDED => c"a bounded buffer is too small".as_ptr(),
        AGD_ERROR_NOT_BUILT_IN => c"this build of the library does not read the format of the document".as_ptr(),
        AGD_ERROR_OTHER => c"the document could not be read".as_ptr(),
        AGD_ERROR_NULL => c"a pointer that must not be NULL is NULL".as_ptr(),
        AGD_ERROR_ARGUMENT => {
            c"an argument is invalid: a number that is not a named constant, text that is not UTF-8, or a misaligned pointer"
                .as_ptr()
        }
        AGD_ERROR_UNINITIALISED => c"the document was not parsed, or the list was not obtained from the library".as_ptr(),
        AGD_ERROR_STRUCT_SIZE => c"the member `size` of the struct is not set; initialise it with AGD_INIT".as_ptr(),
        AGD_ERROR_BUFFER_TOO_SMALL => c_text!(ErrorKind::CapacityExceeded(Capacity::Buffer).message()),
        AGD_ERROR_CYCLE => c"the actions require each other, so there is no order in which they can run".as_ptr(),
        AGD_ERROR_BASE_URL => c"the base URL is missing or not an http(s) URL".as_ptr(),
        AGD_ERROR_PLACEHOLDER => c_text!(RequestError::Placeholder(Text::EMPTY).message()),
        AGD_ERROR_REFERENCE => c_text!(RequestError::InvalidReference.message()),
        AGD_ERROR_HEADER => c_text!(RequestError::InvalidAuthHeader.message()),
        AGD_ERROR_TOKEN => c_text!(RequestError::InvalidToken.message()),
        AGD_ERROR_WITHHELD => c"credentials must not be sent with this request, or the request is not allowed".as_ptr(),
        AGD_ERROR_UNSPECIFIED => c"the format does not say which header carries the token".as_ptr(),
        AGD_ERROR_UNSUPPORTED => c"this conversion or fix is not supported for the format of the document".as_ptr(),
        AGD_ERROR_REFUSED => {
            c"the target format cannot express a restriction of the document, and would allow agents more".as_ptr()
        }
        AGD_ERROR_CALL_REFUSED => c"the call is not planned; the refusal says why".as_ptr(),
        AGD_ERROR_SITE => c"this is not a site; use a URL such as https://example.com, or a host name".as_ptr(),
        AGD_ERROR_METHOD => c_text!(RequestError::InvalidMethod.message()),
        AGD_ERROR_MISSING_MEMBER => c_text!(RequestError::MissingMember("").message()),
        AGD_ERROR_MISSING_ARGUMENT => c_text!(RequestError::MissingArgument(Text::EMPTY).message()),
        AGD_ERROR_UNKNOWN_ARGUMENT => c_text!(RequestError::UnknownArgument(0).message()),
        AGD_ERROR_REPEATED_ARGUMENT => c_text!(RequestError::RepeatedArgument(0).message()),
        AGD_ERROR_UNPLACED_ARGUMENT => c_text!(RequestError::UnplacedArgument(0).message()),
        AGD_ERROR_INVALID_ARGUMENT => c_text!(RequestError::InvalidArgument(0).message()),
        AGD_ERROR_TYPE => c_text!(TypeError::Malformed.message()),
        AGD_ERROR_UNREADABLE => c"some dependencies cannot be read, so more actions may have to run before".as_ptr(),
        _ => c"this number is not a status of this library".as_ptr(),
    }
}

/// Returns the stable kebab-case name of a status, such as `invalid-json`, NUL-terminated;
/// `unknown` for a number that is not a status.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_status_name(status: agd_status) -> *const c_char {
    match status {
        AGD_OK => c"ok".as_ptr(),
        AGD_SOME => c"some".as_ptr(),
        AGD_ERROR_INVALID_UTF8 => c_text!(ErrorKind::InvalidUtf8.as_str()),
        AGD_ERROR_INVALID_JSON => {
            c_text!(ErrorKind::InvalidJson(JsonError::UnexpectedEnd).as_str())
        }
        AGD_ERROR_TOO_LARGE => c_text!(ErrorKind::TooLarge.as_str()),
        AGD_ERROR_TOO_DEEP => c_text!(ErrorKind::TooDeep.as_str()),
        AGD_ERROR_LINE_TOO_LONG => c_text!(ErrorKind::LineTooLong.as_str()),
        AGD_ERROR_NOT_A_DISCOVERY_DOCUMENT => {
            c_text!(ErrorKind::NotADiscoveryDocument(Format::Unknown).as_str())
        }
        AGD_ERROR_UNKNOWN_FORMAT => c_text!(ErrorKind::UnknownFormat.as_str()),
        AGD_ERROR_WRONG_FORMAT => c_text!(ErrorKind::WrongFormat.as_str()),
        AGD_ERROR_CAPACITY_EXCEEDED => {
            c_text!(ErrorKind::CapacityExceeded(Capacity::Buffer).as_str())
        }
        AGD_ERROR_NOT_BUILT_IN => c_text!(ErrorKind::NotBuiltIn(Format::Unknown).as_str()),
        AGD_ERROR_OTHER => c"other".as_ptr(),
        AGD_ERROR_NULL => c"null".as_ptr(),
        AGD_ERROR_ARGUMENT => c"argument".as_ptr(),
        AGD_ERROR_UNINITIALISED => c"uninitialised".as_ptr(),
        AGD_ERROR_STRUCT_SIZE => c"struct-size".as_ptr(),
        AGD_ERROR_BUFFER_TOO_SMALL => c"buffer-too-small".as_ptr(),
        AGD_ERROR_CYCLE => c"cycle".as_ptr(),
        AGD_ERROR_BASE_URL => c_text!(RequestError::InvalidBaseUrl.as_str()),
        AGD_ERROR_PLACEHOLDER => c_text!(RequestError::Placeholder(Text::EMPTY).as_str()),
        AGD_ERROR_REFERENCE => c_text!(RequestError::InvalidReference.as_str()),
        AGD_ERROR_HEADER => c_text!(RequestError::InvalidAuthHeader.as_str()),
        AGD_ERROR_TOKEN => c_text!(RequestError::InvalidToken.as_str()),
        AGD_ERROR_WITHHELD => c"withheld".as_ptr(),
        AGD_ERROR_UNSPECIFIED => c"unspecified".as_ptr(),
        AGD_ERROR_UNSUPPORTED => c"unsupported".as_ptr(),
        AGD_ERROR_REFUSED => c"refused".as_ptr(),
        AGD_ERROR_CALL_REFUSED => c"call-refused".as_ptr(),
        AGD_ERROR_SITE => c"site".as_ptr(),
        AGD_ERROR_METHOD => c_text!(RequestError::InvalidMethod.as_str()),
        AGD_ERROR_MISSING_MEMBER => c_text!(RequestError::MissingMember("").as_str()),
        AGD_ERROR_MISSING_ARGUMENT => c_text!(RequestError::MissingArgument(Text::EMPTY).as_str()),
        AGD_ERROR_UNKNOWN_ARGUMENT => c_text!(RequestError::UnknownArgument(0).as_str()),
        AGD_ERROR_REPEATED_ARGUMENT => c_text!(RequestError::RepeatedArgument(0).as_str()),
        AGD_ERROR_UNPLACED_ARGUMENT => c_text!(RequestError::UnplacedArgument(0).as_str()),
        AGD_ERROR_INVALID_ARGUMENT => c_text!(RequestError::InvalidArgument(0).as_str()),
        AGD_ERROR_TYPE => c"type".as_ptr(),
        AGD_ERROR_UNREADABLE => c"unreadable".as_ptr(),
        _ => c"unknown".as_ptr(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ffi::CStr;

    #[test]
    fn every_format_has_the_messages_of_the_core() {
        for format in Format::ALL {
            for kind in [ErrorKind::NotADiscoveryDocument(*format), ErrorKind::NotBuiltIn(*format)]
            {
                // SAFETY: the function returns static NUL-terminated text.
                let message = unsafe { CStr::from_ptr(message_of(kind)) };
                assert_eq!(message.to_str().unwrap(), kind.message(), "{kind:?}");
            }
        }
    }
}
