//! The HTTP request that calls a capability of the Agent Discovery Protocol.

use core::ffi::{CStr, c_char, c_void};
use core::mem::{MaybeUninit, size_of};
use core::ptr;

use agentsdisc_core::format::adp::{
    Argument, ArgumentValue, Request, RequestError, RequestOptions,
};
use agentsdisc_core::syntax::json::Value;

use crate::adp::{adp, agd_header, status_of};
use crate::boundary::{checked, ended, growing, held_mut, options, put, room, write_out};
use crate::document::{agd_document, document_of};
use crate::output_buffer::OutputBuffer;
use crate::parts::{NULS, Sent};
use crate::status::{
    AGD_ERROR_ARGUMENT, AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_CAPACITY_EXCEEDED, AGD_ERROR_NULL,
    AGD_ERROR_OTHER, AGD_ERROR_WRONG_FORMAT, AGD_NONE, AGD_OK, AGD_SOME, agd_status,
};
use crate::text::agd_text;
use crate::value::{AGD_VALUE_STRING, AGD_VALUE_TEXT, agd_value};

/// The maximum number of arguments of a call.
pub const AGD_ARGUMENTS_MAX: usize = 64;

/// An argument of a call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_argument {
    /// The name of the parameter, plain UTF-8.
    pub name: agd_text,
    /// The value: AGD_VALUE_TEXT or AGD_VALUE_STRING with plain UTF-8, written as a string in a
    /// JSON body; or another JSON value, written unchanged in a body, and as its JSON text
    /// elsewhere.
    pub value: agd_value,
}

/// Options of agd_adp_request. Initialise it with AGD_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_adp_options {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The key or token, plain UTF-8. If absent, no authentication header is written.
    pub token: agd_text,
    /// `argument_count` arguments, at most AGD_ARGUMENTS_MAX; may be NULL if there are none.
    pub arguments: *const agd_argument,
    /// Number of elements.
    pub argument_count: usize,
    /// AGD_TRUE if the token may be sent to the endpoint on any host. Otherwise it is sent only to
    /// the host of `base_url` and to hosts of the same site. If an argument is a part of the host
    /// of `base_url`, `base_url` must contain the registrable domain after it.
    pub trust_endpoint: i32,
    /// Reserved; zero.
    pub reserved: i32,
    /// AGD_TRUE if an endpoint that begins with `/` replaces the path of `base_url`, as RFC 3986
    /// specifies. Otherwise the endpoint is appended to that path, unless it begins with it.
    pub rfc3986: i32,
    /// AGD_TRUE to send the headers that the example of the detail gives with a constant value, such
    /// as the version of an API.
    pub constant_headers: i32,
    /// The origin that the manifest was fetched from, such as `https://example.com`; absent if it is
    /// unknown. The token is then sent only to the host of the origin and to hosts of the same site,
    /// unless `trust_endpoint` permits more, as a decision with this origin says.
    pub origin: agd_text,
}

/// The headers of a call. It borrows the buffer of the call. A copy iterates independently.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_headers {
    /// Internal state.
    pub state: [MaybeUninit<*const c_void>; 4],
}

/// The state of a list of headers: alternating names and values, each NUL-terminated.
#[derive(Clone, Copy)]
pub(crate) struct HeaderLines {
    pub(crate) next: *const c_char,
    pub(crate) count: usize,
}

/// A request that calls a capability, in the caller's buffer. Initialise it with AGD_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_adp_call {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The method in capitals, NUL-terminated. NULL if no request was built, like `url` and `body`.
    pub method: *const c_char,
    /// The absolute URL, percent-encoded, without fragment, NUL-terminated.
    pub url: *const c_char,
    /// The body, NUL-terminated; NULL if there is none. Its type is in the headers. A body that is
    /// not JSON may itself contain NULs.
    pub body: *const c_char,
    /// Length of the body in bytes, without the NUL.
    pub body_length: usize,
    /// The headers: authentication (a secret), the type of the body, and parameters sent as
    /// headers.
    pub headers: agd_headers,
    /// The name of the missing member or argument for AGD_ERROR_MISSING_MEMBER,
    /// AGD_ERROR_MISSING_ARGUMENT and AGD_ERROR_PLACEHOLDER. The name of the parameter for
    /// AGD_ERROR_UNPLACED_ARGUMENT if the parameter has no argument. Otherwise absent.
    pub missing: agd_text,
    /// The index of the invalid argument for the other errors about arguments; otherwise SIZE_MAX.
    pub argument: usize,
}

growing! { agd_adp_options, agd_adp_call, }

pub(crate) const NO_HEADERS: agd_headers =
    agd_headers { state: [MaybeUninit::new(ptr::null()); 4] };

const NOTHING: agd_adp_call = agd_adp_call {
    size: size_of::<agd_adp_call>(),
    method: ptr::null(),
    url: ptr::null(),
    body: ptr::null(),
    body_length: 0,
    headers: NO_HEADERS,
    missing: agd_text::ABSENT,
    argument: usize::MAX,
};

const DEFAULTS: agd_adp_options = agd_adp_options {
    size: size_of::<agd_adp_options>(),
    token: agd_text::ABSENT,
    arguments: ptr::null(),
    argument_count: 0,
    trust_endpoint: 0,
    reserved: 0,
    rfc3986: 0,
    constant_headers: 0,
    origin: agd_text::ABSENT,
};

pub(crate) const NO_ARGUMENT: Argument<'static> =
    Argument { name: "", value: ArgumentValue::Text("") };

impl agd_argument {
    /// Converts to the core's argument.
    ///
    /// # Safety
    /// The texts are readable.
    unsafe fn get(&self) -> Result<Argument<'static>, agd_status> {
        // SAFETY: the contract is the same.
        let (name, text) = unsafe { (self.name.string()?, self.value.text.string()?) };
        let (name, text) = (name.ok_or(AGD_ERROR_NULL)?, text.ok_or(AGD_ERROR_NULL)?);
        let value = match self.value.kind {
            AGD_VALUE_TEXT | AGD_VALUE_STRING => ArgumentValue::Text(text),
            // Validate the text again: the caller may have written the struct.
            _ => {
                ArgumentValue::Json(Value::parse(text.as_bytes()).map_err(|_| AGD_ERROR_ARGUMENT)?)
            }
        };
        Ok(Argument { name, value })
    }
}

/// Builds the request that calls a capability: method, URL, headers and body. Sends nothing.
///
/// The endpoint is resolved as by agd_adp_detail_url, and arguments replace the names in braces in
/// `base_url` and endpoint. `in` of a parameter determines where its argument is sent. Without
/// `in`, an argument with a placeholder is sent in the path; other arguments are sent in the query
/// for GET, HEAD and DELETE, otherwise in the body. The content type in the example of the detail
/// determines the body: a JSON object, a form, a multipart form, or the value of one argument. The
/// default of a required parameter replaces a missing argument.
///
/// `manifest` and `detail` are documents of AGD_FORMAT_ADP and AGD_FORMAT_ADP_CAPABILITY; they and
/// `call` must not be NULL, and `call` must be initialised (AGD_INIT). `options` may be NULL for no
/// token and no arguments. `buffer` has room for `capacity` bytes and receives all parts of the
/// call, each NUL-terminated; it may be NULL if `capacity` is 0, to query the size. `needed`, if
/// not NULL, receives the number of bytes that the buffer must have. The buffer is yours and then
/// holds the token: wipe it after use.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL, AGD_ERROR_PLACEHOLDER,
/// AGD_ERROR_REFERENCE, AGD_ERROR_METHOD, AGD_ERROR_MISSING_MEMBER, AGD_ERROR_HEADER and
/// AGD_ERROR_TOKEN if documents or token do not make a valid request; AGD_ERROR_MISSING_ARGUMENT,
/// AGD_ERROR_UNKNOWN_ARGUMENT, AGD_ERROR_REPEATED_ARGUMENT, AGD_ERROR_UNPLACED_ARGUMENT or
/// AGD_ERROR_INVALID_ARGUMENT, with details in `call`; AGD_ERROR_CAPACITY_EXCEEDED for too many
/// arguments; AGD_ERROR_WITHHELD if the token must not be sent to the endpoint, because it is on
/// another host or not https; AGD_ERROR_WRONG_FORMAT if a document has another format; or another
/// negative status for misuse. Thread-safe if the buffer is not shared; linear in the detail for
/// each argument; about 14 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_adp_request(
    manifest: *const agd_document,
    detail: *const agd_document,
    options: *const agd_adp_options,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    call: *mut agd_adp_call,
) -> agd_status {
    // SAFETY: the caller promises readable documents and options, a buffer in sole use, and
    // writable outputs.
    ended(unsafe { request(manifest, detail, options, (buffer, capacity), needed, call) })
}

/// # Safety
/// That of `agd_adp_request`.
unsafe fn request(
    manifest: *const agd_document,
    detail: *const agd_document,
    given: *const agd_adp_options,
    (start, capacity): (*mut c_char, usize),
    needed: *mut usize,
    call: *mut agd_adp_call,
) -> Result<agd_status, agd_status> {
    let mut arguments = [NO_ARGUMENT; AGD_ARGUMENTS_MAX];
    // SAFETY: the contract is the same.
    let (manifest, detail, (how, arguments), room, space) = unsafe {
        (
            document_of(manifest)?,
            document_of(detail)?,
            read_options(given, &mut arguments)?,
            room(call)?,
            OutputBuffer::new(start, capacity)?,
        )
    };
    let (manifest, detail) =
        (adp(manifest)?, detail.adp_capability().ok_or(AGD_ERROR_WRONG_FORMAT)?);
    let made = manifest.request(&detail, arguments, &how, space.less(NULS).bytes());
    let (filled, size, status) = match made {
        Ok(made) => {
            // SAFETY: the core wrote the request at the start of the buffer, which also has room
            // for the NULs.
            let (filled, size) = unsafe { call_of(&made, start) };
            (filled, size, AGD_OK)
        }
        Err(RequestError::BufferTooSmall { needed }) => {
            (NOTHING, needed.saturating_add(NULS), AGD_ERROR_BUFFER_TOO_SMALL)
        }
        Err(error) => {
            // SAFETY: the contract is the same.
            unsafe { put(call, room, fault(&error)) };
            return Err(status_of(&error));
        }
    };
    if size > capacity && status == AGD_OK {
        return Err(AGD_ERROR_OTHER);
    }
    // SAFETY: the contract is the same.
    unsafe {
        write_out(needed, size)?;
        put(call, room, filled);
    }
    Ok(status)
}

/// Reads the options of the caller; the arguments into `arguments`.
///
/// # Safety
/// The options are NULL or readable, with the arguments that they count.
pub(crate) unsafe fn read_options<'r>(
    given: *const agd_adp_options,
    arguments: &'r mut [Argument<'static>; AGD_ARGUMENTS_MAX],
) -> Result<(RequestOptions<'static>, &'r [Argument<'static>]), agd_status> {
    // SAFETY: the contract is the same.
    let given = unsafe { options(given, DEFAULTS)? };
    if given.argument_count != 0 {
        checked(given.arguments)?;
    }
    let arguments = arguments.get_mut(..given.argument_count).ok_or(AGD_ERROR_CAPACITY_EXCEEDED)?;
    for (index, argument) in arguments.iter_mut().enumerate() {
        // SAFETY: the index is below the count of an array that is readable by the contract.
        *argument = unsafe { (*given.arguments.add(index)).get()? };
    }
    let mut how = RequestOptions::default();
    // SAFETY: the contract is the same.
    (how.token, how.origin) = unsafe { (given.token.string()?, given.origin.string()?) };
    how.trust_endpoint = given.trust_endpoint == 1;
    how.rfc3986 = given.rfc3986 == 1;
    how.constant_headers = given.constant_headers == 1;
    Ok((how, arguments))
}

/// The details of an error: the missing name, or the index of the argument.
fn fault(error: &RequestError<'static>) -> agd_adp_call {
    let mut call = NOTHING;
    match *error {
        RequestError::MissingMember(name) => call.missing = name.as_bytes().into(),
        RequestError::MissingArgument(name)
        | RequestError::UnplacedParameter(name)
        | RequestError::Placeholder(name) => {
            call.missing = name.into();
        }
        RequestError::UnknownArgument(index)
        | RequestError::RepeatedArgument(index)
        | RequestError::UnplacedArgument(index)
        | RequestError::InvalidArgument(index) => call.argument = index,
        _ => {}
    }
    call
}

/// The C form of a request in the caller's buffer, and its size in bytes.
///
/// # Safety
/// That of `Sent::apart`.
unsafe fn call_of(request: &Request<'_>, start: *mut c_char) -> (agd_adp_call, usize) {
    // SAFETY: the contract is the same.
    let (sent, size) = unsafe { Sent::apart(request, start) };
    let call = agd_adp_call {
        method: sent.method,
        url: sent.url,
        body: sent.body,
        body_length: sent.body_length,
        headers: sent.headers,
        ..NOTHING
    };
    (call, size)
}

/// Returns the next header of a call.
///
/// Neither pointer may be NULL; `header` borrows the buffer of the call. Returns AGD_SOME, AGD_NONE
/// at the end (`header` is unchanged), or a negative status for misuse. Not thread-safe on one
/// list; linear in the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_headers_next(
    list: *mut agd_headers,
    header: *mut agd_header,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use, whose buffer is unchanged, and a writable
    // output, which is checked.
    ended(unsafe {
        held_mut(list).and_then(|list| {
            checked(header)?;
            let Some(left) = list.count.checked_sub(1) else {
                return Ok(AGD_NONE);
            };
            let name = list.next;
            let value = name.add(CStr::from_ptr(name).to_bytes().len() + 1);
            list.next = value.add(CStr::from_ptr(value).to_bytes().len() + 1);
            list.count = left;
            header.write(agd_header { name, value });
            Ok(AGD_SOME)
        })
    })
}
