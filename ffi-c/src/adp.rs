//! Parts of the Agent Discovery Protocol that the unified model does not cover: authentication with
//! its defaults, and URLs.

use core::ffi::c_char;
use core::mem::size_of;

use agentsdisc_core::Document;
use agentsdisc_core::format::adp::{Adp, RequestError, search_url};
use agentsdisc_core::syntax::text::Text;

use crate::adp_request::{AGD_ARGUMENTS_MAX, NO_ARGUMENT, agd_adp_options, read_options};
use crate::boundary::{checked, ended, give, growing, write_out};
use crate::document::{agd_document, document_of};
use crate::enumerations::agd_choice;
use crate::output_buffer::{FillError, OutputBuffer};
use crate::status::{
    AGD_ERROR_BASE_URL, AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_HEADER, AGD_ERROR_INVALID_ARGUMENT,
    AGD_ERROR_METHOD, AGD_ERROR_MISSING_ARGUMENT, AGD_ERROR_MISSING_MEMBER, AGD_ERROR_NULL,
    AGD_ERROR_OTHER, AGD_ERROR_PLACEHOLDER, AGD_ERROR_REFERENCE, AGD_ERROR_REPEATED_ARGUMENT,
    AGD_ERROR_TOKEN, AGD_ERROR_UNKNOWN_ARGUMENT, AGD_ERROR_UNPLACED_ARGUMENT, AGD_ERROR_WITHHELD,
    AGD_ERROR_WRONG_FORMAT, AGD_NONE, AGD_SOME, agd_status,
};
use crate::text::agd_text;

/// How a token is sent to a service of the Agent Discovery Protocol, with the defaults of the
/// specification. It borrows the document's bytes; default values are static.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_adp_auth {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Authentication: AGD_AUTH_*. AGD_AUTH_UNKNOWN means authentication of an unknown kind, never
    /// none.
    pub r#type: agd_choice,
    /// The header that carries the token; `Authorization` if the document names none.
    pub header: agd_text,
    /// The text before the token, separated from it by a blank. If the document gives none:
    /// `Bearer` for `Authorization`, empty for any other header.
    pub prefix: agd_text,
    /// Whether the document names the header: AGD_TRUE or AGD_FALSE.
    pub is_header_written: i32,
    /// Whether the document gives the prefix: AGD_TRUE or AGD_FALSE.
    pub is_prefix_written: i32,
}

/// A request header in the caller's buffer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_header {
    /// The name, NUL-terminated.
    pub name: *const c_char,
    /// The value, NUL-terminated. It may be a secret.
    pub value: *const c_char,
}

growing! { agd_adp_auth, }

/// The typed view of an ADP manifest; AGD_ERROR_WRONG_FORMAT for other documents.
pub(crate) fn adp(document: &Document<'static>) -> Result<Adp<'static>, agd_status> {
    document.adp().ok_or(AGD_ERROR_WRONG_FORMAT)
}

/// The status for a request error of the core.
pub(crate) fn status_of(error: &RequestError<'_>) -> agd_status {
    match error {
        RequestError::BufferTooSmall { .. } => AGD_ERROR_BUFFER_TOO_SMALL,
        RequestError::InvalidBaseUrl => AGD_ERROR_BASE_URL,
        RequestError::Placeholder(_) => AGD_ERROR_PLACEHOLDER,
        RequestError::InvalidReference => AGD_ERROR_REFERENCE,
        RequestError::InvalidAuthHeader => AGD_ERROR_HEADER,
        RequestError::InvalidToken => AGD_ERROR_TOKEN,
        RequestError::InvalidMethod => AGD_ERROR_METHOD,
        RequestError::MissingMember(_) => AGD_ERROR_MISSING_MEMBER,
        RequestError::MissingArgument(_) => AGD_ERROR_MISSING_ARGUMENT,
        RequestError::UnknownArgument(_) => AGD_ERROR_UNKNOWN_ARGUMENT,
        RequestError::RepeatedArgument(_) => AGD_ERROR_REPEATED_ARGUMENT,
        RequestError::UnplacedArgument(_) | RequestError::UnplacedParameter(_) => {
            AGD_ERROR_UNPLACED_ARGUMENT
        }
        RequestError::InvalidArgument(_) => AGD_ERROR_INVALID_ARGUMENT,
        RequestError::CrossOrigin | RequestError::Insecure => AGD_ERROR_WITHHELD,
        _ => AGD_ERROR_OTHER,
    }
}

impl From<RequestError<'_>> for FillError {
    fn from(error: RequestError<'_>) -> Self {
        match error {
            RequestError::BufferTooSmall { needed } => Self::TooSmall(needed),
            error => Self::Status(status_of(&error)),
        }
    }
}

/// Returns how a token is sent to the service of an ADP manifest (section 3), with defaults
/// applied. agd_document_auth returns the same as written.
///
/// Neither pointer may be NULL; `auth` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the manifest does not mention authentication;
/// AGD_ERROR_WRONG_FORMAT if the document is not an ADP manifest; or a negative status for misuse.
/// Thread-safe; linear in `auth`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_adp_auth_of(
    document: *const agd_document,
    auth: *mut agd_adp_auth,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe {
        document_of(document).and_then(|document| {
            let header = adp(document)?.header_and_prefix();
            let written = document.manifest().auth();
            give(
                auth,
                written.map(|written| agd_adp_auth {
                    size: size_of::<agd_adp_auth>(),
                    r#type: written.kind.into(),
                    header: header.0.into(),
                    prefix: header.1.into(),
                    is_header_written: i32::from(
                        written.header.is_some_and(|written| written.raw() == header.0.raw()),
                    ),
                    is_prefix_written: i32::from(written.prefix.is_some()),
                }),
            )
        })
    })
}

/// Builds the header that carries a token to the service of an ADP manifest (section 3), ready to
/// send.
///
/// `document` and `header` must not be NULL; `token` is plain UTF-8. `buffer` has room for
/// `capacity` bytes and receives name and value, each NUL-terminated; it may be NULL if `capacity`
/// is 0, to query the size. `needed`, if not NULL, receives the number of bytes that the buffer
/// must have. The buffer is yours and then holds a secret: wipe it after use.
///
/// Returns AGD_SOME; AGD_NONE if the service needs no authentication; AGD_ERROR_BUFFER_TOO_SMALL;
/// AGD_ERROR_HEADER if the manifest's header is not valid in a request; AGD_ERROR_TOKEN if the
/// token is not valid in a header; AGD_ERROR_WRONG_FORMAT if the document is not an ADP manifest;
/// or another negative status for misuse. Thread-safe if the buffer is not shared; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_adp_auth_header(
    document: *const agd_document,
    token: agd_text,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    header: *mut agd_header,
) -> agd_status {
    // SAFETY: the caller promises a readable document and text, a buffer in sole use, and writable
    // outputs.
    ended(unsafe { auth_header(document, token, (buffer, capacity), needed, header) })
}

/// # Safety
/// That of `agd_adp_auth_header`.
unsafe fn auth_header(
    document: *const agd_document,
    token: agd_text,
    buffer: (*mut c_char, usize),
    needed: *mut usize,
    header: *mut agd_header,
) -> Result<agd_status, agd_status> {
    checked(header)?;
    // SAFETY: the contract is the same.
    let (document, token, space) = unsafe {
        (
            document_of(document)?,
            token.string()?.ok_or(AGD_ERROR_NULL)?,
            OutputBuffer::new(buffer.0, buffer.1)?.bytes(),
        )
    };
    let start = buffer.0;
    let within = |part: &str| {
        let at = (part.as_ptr() as usize).wrapping_sub(start as usize);
        (at, at.saturating_add(part.len()))
    };
    let (name, value) = match adp(document)?.auth_header(token, space) {
        Ok(None) => return Ok(AGD_NONE),
        Ok(Some(made)) => (within(made.name), within(made.value)),
        Err(error) => {
            if let RequestError::BufferTooSmall { needed: size } = error {
                // SAFETY: the contract is the same.
                unsafe { write_out(needed, size)? };
            }
            return Err(status_of(&error));
        }
    };
    // The core leaves a byte after the name and one after the value; they become NULs.
    if name.1 >= value.0 || value.1 >= buffer.1 {
        return Err(AGD_ERROR_OTHER);
    }
    // SAFETY: the comparison above shows that all offsets are in the buffer; outputs are writable
    // by the contract.
    unsafe {
        start.add(name.1).write(0);
        start.add(value.1).write(0);
        write_out(needed, value.1 + 1)?;
        header.write(agd_header { name: start.add(name.0), value: start.add(value.0) });
    }
    Ok(AGD_SOME)
}

/// Resolves a `detail_url` of an ADP manifest, or the endpoint of a capability, to an absolute URL.
/// An absolute URL is used as it is; a path is appended to `base_url`, as
/// consumers of published manifests do, unless it begins with the path of `base_url`; any other
/// reference is resolved by RFC 3986.
///
/// `document` must not be NULL; `reference` may be escaped, and must not be absent. Buffer and
/// `length` work as in agd_text_decode; if the buffer is too small, `length` receives a sufficient
/// length.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL if the manifest has no http(s)
/// base URL; AGD_ERROR_PLACEHOLDER if the reference has a placeholder in braces;
/// AGD_ERROR_REFERENCE if it is invalid or ambiguous; AGD_ERROR_WRONG_FORMAT if the document is not
/// an ADP manifest; or another negative status for misuse. Thread-safe if the buffer is not shared;
/// linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_adp_detail_url(
    document: *const agd_document,
    reference: agd_text,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable document and text, a buffer in sole use, and a length
    // that is NULL or writable.
    unsafe { detail_url(document, reference, buffer, capacity, length, Adp::resolve_detail_url) }
}

/// Resolves like agd_adp_detail_url, but by RFC 3986 alone: a path that begins with `/` replaces
/// the path of `base_url`. The results differ only if `base_url` has a path.
///
/// Arguments and return values are those of agd_adp_detail_url; `document` must not be NULL.
/// Thread-safe if the buffer is not shared; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_adp_detail_url_rfc3986(
    document: *const agd_document,
    reference: agd_text,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable document and text, a buffer in sole use, and a length
    // that is NULL or writable.
    unsafe {
        detail_url(document, reference, buffer, capacity, length, Adp::resolve_detail_url_rfc3986)
    }
}

/// Resolves like agd_adp_detail_url, with arguments for the placeholders in braces of `base_url`
/// and of the reference.
///
/// Only `arguments` and `rfc3986` of `options` are used; `options` may be NULL for no arguments.
/// Arguments without a placeholder are ignored. A value in the host may only contain letters,
/// digits, hyphens and dots; elsewhere it is percent-encoded. The other arguments and return values
/// are those of agd_adp_detail_url; also AGD_ERROR_INVALID_ARGUMENT for a value that is not valid
/// in its place, and AGD_ERROR_CAPACITY_EXCEEDED for too many arguments. `document` must not be
/// NULL. Thread-safe if the buffer is not shared; linear in the arguments for each placeholder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_adp_resolve(
    document: *const agd_document,
    reference: agd_text,
    options: *const agd_adp_options,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises readable documents, options and texts, a buffer in sole use, and a
    // length that is NULL or writable.
    unsafe {
        let mut room = [NO_ARGUMENT; AGD_ARGUMENTS_MAX];
        let (how, arguments) = match read_options(options, &mut room) {
            Ok(given) => given,
            Err(status) => return ended(Err(status)),
        };
        detail_url(document, reference, buffer, capacity, length, |manifest, reference, space| {
            manifest.resolve_filled(reference, arguments, how.rfc3986, space)
        })
    }
}

unsafe fn detail_url(
    document: *const agd_document,
    reference: agd_text,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    resolve: impl for<'b> Fn(
        &Adp<'static>,
        Text<'static>,
        &'b mut [u8],
    ) -> Result<&'b str, RequestError<'static>>,
) -> agd_status {
    // SAFETY: as the caller promises.
    ended(unsafe {
        document_of(document).and_then(|document| {
            let (manifest, reference) = (adp(document)?, reference.get()?.ok_or(AGD_ERROR_NULL)?);
            OutputBuffer::new(buffer, capacity)?
                .fill(length, |space| Ok(resolve(&manifest, reference, space)?))
        })
    })
}

/// Builds the URL that searches an ADP registry for services (section 6).
///
/// `registry` is the URL of the registry and `words` the search words, both plain UTF-8; neither
/// may be absent. Buffer and `length` work as in agd_text_decode; the URL borrows nothing.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL if the registry is not an http(s)
/// URL; or another negative status for misuse. Thread-safe if the buffer is not shared; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_adp_search_url(
    registry: agd_text,
    words: agd_text,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    let made = || {
        // SAFETY: the caller promises readable texts, a buffer in sole use, and a length that is
        // NULL or writable.
        unsafe {
            let (registry, words) =
                (registry.string()?.ok_or(AGD_ERROR_NULL)?, words.string()?.ok_or(AGD_ERROR_NULL)?);
            OutputBuffer::new(buffer, capacity)?
                .fill(length, |space| Ok(search_url(registry, words, space)?))
        }
    };
    ended(made())
}
