//! The HTTP request that calls a capability of the Agent Discovery Protocol.
//!
//! To whom changes this: the core writes method, URL, lines of headers and body behind one another into the caller's buffer. C wants NULs
//! between them, so the parts are moved apart, the last one first; the ends of names and values become NULs where they are.

use core::ffi::{CStr, c_char, c_void};
use core::mem::{MaybeUninit, size_of};
use core::ptr;

use agentsdisc_core::format::adp::{
    Argument, ArgumentValue, Request, RequestError, RequestOptions,
};
use agentsdisc_core::syntax::json::Value;

use crate::adp::{adp, agd_header, status_of};
use crate::boundary::{checked, ended, growing, held_mut, hold, options, put, room, tell};
use crate::document::{agd_document, document_of};
use crate::space::Space;
use crate::status::{
    AGD_ERROR_ARGUMENT, AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_CAPACITY_EXCEEDED, AGD_ERROR_NULL,
    AGD_ERROR_OTHER, AGD_ERROR_WRONG_FORMAT, AGD_NONE, AGD_OK, AGD_SOME, agd_status,
};
use crate::text::agd_text;
use crate::value::{AGD_VALUE_STRING, AGD_VALUE_TEXT, agd_value};

/// How many arguments a call may have.
pub const AGD_ARGUMENTS_MAX: usize = 64;

/// NULs between the parts.
const NULS: usize = 3;

/// An argument of a call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_argument {
    /// The name of its parameter: plain UTF-8.
    pub name: agd_text,
    /// Its value: AGD_VALUE_TEXT or AGD_VALUE_STRING with plain UTF-8, which in a JSON body is a string; or another JSON value, which in a body
    /// stands as it is, and elsewhere as its JSON text.
    pub value: agd_value,
}

/// What a call is made with. Initialise it with AGD_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_adp_options {
    /// Size of this struct as you know it: set by AGD_INIT.
    pub size: usize,
    /// The key or token, plain UTF-8; absent: no header is made for it.
    pub token: agd_text,
    /// `argument_count` arguments, at most AGD_ARGUMENTS_MAX; may be NULL where there are none.
    pub arguments: *const agd_argument,
    /// How many there are.
    pub argument_count: usize,
    /// AGD_TRUE where the token may go to the endpoint on whatever host it is. Otherwise it goes to the host of `base_url` and to what belongs to
    /// it.
    pub trust_endpoint: i32,
    /// For later; zero.
    pub reserved: i32,
}

/// The headers of a call. It borrows the buffer that the call is in. A copy walks on its own.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_headers {
    /// The library's.
    pub state: [MaybeUninit<*const c_void>; 4],
}

/// The state of a list of headers: names and values in turn, each with a NUL behind it.
#[derive(Clone, Copy)]
pub(crate) struct HeaderLines {
    next: *const c_char,
    count: usize,
}

/// A request that calls a capability, in a buffer of yours. Initialise it with AGD_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_adp_call {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// The method, in capitals, with a NUL at its end. NULL where no request was made, like `url` and `body`.
    pub method: *const c_char,
    /// The absolute URL, percent-encoded, without fragment, with a NUL at its end.
    pub url: *const c_char,
    /// The body, a JSON object, with a NUL at its end; NULL where there is none.
    pub body: *const c_char,
    /// Length of the body, without the NUL.
    pub body_length: usize,
    /// The headers: authentication, which is a secret, the type of the body, and those that are parameters.
    pub headers: agd_headers,
    /// With AGD_ERROR_MISSING_MEMBER and AGD_ERROR_MISSING_ARGUMENT the name of what is missing; else absent.
    pub missing: agd_text,
    /// With the other errors about arguments the index of the argument; else SIZE_MAX.
    pub argument: usize,
}

growing! { agd_adp_options, agd_adp_call, }

const NO_HEADERS: agd_headers = agd_headers {
    state: [MaybeUninit::new(ptr::null()); 4],
};

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
};

const NO_ARGUMENT: Argument<'static> = Argument {
    name: "",
    value: ArgumentValue::Text(""),
};

impl agd_argument {
    /// The argument of the core.
    ///
    /// # Safety
    /// The texts are readable.
    unsafe fn get(&self) -> Result<Argument<'static>, agd_status> {
        // SAFETY: the contract is the same.
        let (name, text) = unsafe { (self.name.string()?, self.value.text.string()?) };
        let (name, text) = (name.ok_or(AGD_ERROR_NULL)?, text.ok_or(AGD_ERROR_NULL)?);
        let value = match self.value.kind {
            AGD_VALUE_TEXT | AGD_VALUE_STRING => ArgumentValue::Text(text),
            // Read again, because anybody may have put it there.
            _ => {
                ArgumentValue::Json(Value::parse(text.as_bytes()).map_err(|_| AGD_ERROR_ARGUMENT)?)
            }
        };
        Ok(Argument { name, value })
    }
}

/// The request that calls a capability: method, URL, headers and body. Nothing is sent.
///
/// The endpoint is resolved as by agd_adp_detail_url, and the arguments of the path stand in it for their names in braces. An argument goes where
/// its parameter's `in` says; without that into the path where it has a place there, with GET, HEAD and DELETE into the query, else into a JSON
/// object as the body.
///
/// `manifest` and `detail` are documents of AGD_FORMAT_ADP and AGD_FORMAT_ADP_CAPABILITY; they and `call` must not be NULL, and `call` must be
/// initialised (AGD_INIT). `options` may be NULL: no token, no arguments. `buffer` is memory of yours for `capacity` bytes, in which everything of
/// the call is put, each part with a NUL behind it; it may be NULL where `capacity` is 0, to ask for the size. `needed`, where it is not NULL, gets
/// the number of bytes that the buffer must have. The buffer then holds the token: it is yours to wipe.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL, AGD_ERROR_PLACEHOLDER, AGD_ERROR_REFERENCE, AGD_ERROR_METHOD,
/// AGD_ERROR_MISSING_MEMBER, AGD_ERROR_HEADER and AGD_ERROR_TOKEN where the documents or the token make no request; AGD_ERROR_MISSING_ARGUMENT,
/// AGD_ERROR_UNKNOWN_ARGUMENT, AGD_ERROR_REPEATED_ARGUMENT, AGD_ERROR_UNPLACED_ARGUMENT, AGD_ERROR_INVALID_ARGUMENT, which `call` describes;
/// AGD_ERROR_CAPACITY_EXCEEDED for too many arguments; AGD_ERROR_WITHHELD where the endpoint must not get the token, being on another host or not
/// https; AGD_ERROR_WRONG_FORMAT where a document is of another format; or another negative status for misuse. Thread-safe, where the buffer is;
/// linear in the detail for each argument; about 12 KB of stack.
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
    // SAFETY: the caller promises readable documents and options, a buffer in sole use, and writable outputs.
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
    // SAFETY: the contract is the same.
    let (manifest, detail, given, room, space) = unsafe {
        (
            document_of(manifest)?,
            document_of(detail)?,
            options(given, DEFAULTS)?,
            room(call)?,
            Space::new(start, capacity)?,
        )
    };
    let (manifest, detail) = (
        adp(manifest)?,
        detail.adp_capability().ok_or(AGD_ERROR_WRONG_FORMAT)?,
    );
    // SAFETY: the contract is the same.
    let token = unsafe { given.token.string()? };
    let mut arguments = [NO_ARGUMENT; AGD_ARGUMENTS_MAX];
    if given.argument_count != 0 {
        checked(given.arguments)?;
    }
    let arguments = arguments
        .get_mut(..given.argument_count)
        .ok_or(AGD_ERROR_CAPACITY_EXCEEDED)?;
    for (index, argument) in arguments.iter_mut().enumerate() {
        // SAFETY: the index is below the count of an array that is readable by the contract.
        *argument = unsafe { (*given.arguments.add(index)).get()? };
    }
    let mut how = RequestOptions::default();
    (how.token, how.trust_endpoint) = (token, given.trust_endpoint == 1);
    let made = manifest.request(&detail, arguments, &how, space.less(NULS).bytes());
    let (told, size, status) = match made {
        Ok(made) => {
            // SAFETY: the core wrote the request from the start of the buffer on, which has room for the NULs besides.
            let (told, size) = unsafe { apart(Parts::of(&made), start) };
            (told, size, AGD_OK)
        }
        Err(RequestError::BufferTooSmall { needed }) => (
            NOTHING,
            needed.saturating_add(NULS),
            AGD_ERROR_BUFFER_TOO_SMALL,
        ),
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
        tell(needed, size)?;
        put(call, room, told);
    }
    Ok(status)
}

/// What there is to say about an error.
fn fault(error: &RequestError<'static>) -> agd_adp_call {
    let mut call = NOTHING;
    match *error {
        RequestError::MissingMember(name) => call.missing = name.as_bytes().into(),
        RequestError::MissingArgument(name) => call.missing = name.into(),
        RequestError::UnknownArgument(index)
        | RequestError::RepeatedArgument(index)
        | RequestError::UnplacedArgument(index)
        | RequestError::InvalidArgument(index) => call.argument = index,
        _ => {}
    }
    call
}

/// The lengths of the parts, which stand behind one another.
struct Parts {
    method: usize,
    url: usize,
    headers: usize,
    header_count: usize,
    body: Option<usize>,
}

impl Parts {
    fn of(request: &Request<'_>) -> Self {
        let (mut headers, mut header_count) = (0_usize, 0_usize);
        for header in request.headers {
            // A colon behind the name, a line end behind the value.
            headers = headers
                .saturating_add(header.name.len())
                .saturating_add(header.value.len())
                .saturating_add(2);
            header_count = header_count.saturating_add(1);
        }
        Self {
            method: request.method.len(),
            url: request.url.len(),
            headers,
            header_count,
            body: request.body.map(str::len),
        }
    }
}

/// Moves the parts apart and puts NULs behind them. Returns the call, and how many bytes it takes.
///
/// # Safety
/// The parts stand behind one another from `start` on, in memory that goes on for `NULS` bytes behind them.
unsafe fn apart(parts: Parts, start: *mut c_char) -> (agd_adp_call, usize) {
    let url = parts.method + 1;
    let headers = url + parts.url + 1;
    let body = headers + parts.headers;
    let size = body + parts.body.unwrap_or(0) + 1;
    // SAFETY: every place is below the size, which is at most NULS more than the parts have; what is moved does not reach what is moved later,
    // because the last part is moved first.
    unsafe {
        ptr::copy(
            start.add(body - 2),
            start.add(body),
            parts.body.unwrap_or(0),
        );
        start.add(size - 1).write(0);
        ptr::copy(start.add(headers - 2), start.add(headers), parts.headers);
        ptr::copy(start.add(url - 1), start.add(url), parts.url);
        start.add(headers - 1).write(0);
        start.add(url - 1).write(0);
        let mut in_name = true;
        for place in headers..body {
            let byte = start.add(place);
            match (byte.read() as u8, in_name) {
                (b':', true) | (b'\n', false) => {
                    byte.write(0);
                    in_name = !in_name;
                }
                _ => {}
            }
        }
        let lines = HeaderLines {
            next: start.add(headers),
            count: parts.header_count,
        };
        let call = agd_adp_call {
            method: start,
            url: start.add(url),
            body: if parts.body.is_some() {
                start.add(body)
            } else {
                ptr::null()
            },
            body_length: parts.body.unwrap_or(0),
            headers: hold(NO_HEADERS, lines),
            ..NOTHING
        };
        (call, size)
    }
}

/// The next header of a call.
///
/// Neither pointer may be NULL; `header` borrows the buffer of the call. Returns AGD_SOME, at the end AGD_NONE (and `header` stays as it is), or a
/// negative status for misuse. Not thread-safe on one list; linear in the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_headers_next(
    list: *mut agd_headers,
    header: *mut agd_header,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use, whose buffer is as it was, and a writable output, which is checked.
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
