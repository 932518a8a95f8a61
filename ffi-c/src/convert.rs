//! Converts documents between formats, and applies automatic fixes to agents.txt.

use core::ffi::{c_char, c_void};
use core::fmt::Write;
use core::mem::{MaybeUninit, size_of};

use agentsdisc_core::span::PositionCursor;
use agentsdisc_core::write::{Change, Loss};
use agentsdisc_core::{ConvertError, ConvertOptions};

use crate::boundary::{Buffer, checked, ended, growing, held, hold, options};
use crate::document::{agd_document, document_of};
use crate::format::format_of;
use crate::severity::severity;
use crate::status::{AGD_ERROR_ARGUMENT, AGD_ERROR_REFUSED, AGD_ERROR_UNSUPPORTED, agd_status};
use crate::text::agd_text;

/// Size of agd_loss_state in 64-bit words.
pub const AGD_LOSS_WORDS: usize = 24;

/// The state from which path and message of a loss are written.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_loss_state {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_LOSS_WORDS],
}

/// Options of agd_convert. Initialise it with AGD_INIT: members left at zero have their defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_convert_options {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The origin of the document, such as `https://example.com`. It is the URL of the site if the
    /// document states none, and the base of paths. Absent if unknown. UTF-8, not escaped.
    pub origin: agd_text,
    /// Not zero: write JSON on one line. Zero: write lines, indented by two spaces per level.
    pub compact: i32,
    /// What to do with restrictions that the target cannot express: of a capability (confirmation
    /// by a person, sensitivity, all rate limits but the strictest), or of the site (prohibitions
    /// of an agents.md, rate limits, restrictions that the format of the document does not read).
    /// Not zero: drop the restrictions. Zero: drop the capability, or return AGD_ERROR_REFUSED.
    pub loosen: i32,
    /// The id of the capability whose detail AGD_FORMAT_ADP_CAPABILITY is: as in the document, or
    /// its name in the detail. Absent: the only capability. Other targets ignore it. UTF-8, not
    /// escaped.
    pub capability: agd_text,
}

/// A loss: something that a conversion did not keep unchanged. Passed to the callback, which may
/// copy it (`size` bytes). It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_loss {
    /// Size of the struct in bytes, set by the library.
    pub size: usize,
    /// The reason: a stable kebab-case name such as `no-place`. Static text, not NUL-terminated.
    pub reason: agd_text,
    /// The severity. AGD_SEVERITY_INFO: the lost member does not affect agents.
    /// AGD_SEVERITY_WARNING: the lost member affects agents. AGD_SEVERITY_ERROR: the result would
    /// allow agents more, so nothing is written.
    pub severity: i32,
    /// Reserved; zero.
    pub reserved: u32,
    /// Byte offset of its start in the document, from 0; 0 if it has no position.
    pub start: usize,
    /// Byte offset after its end.
    pub end: usize,
    /// Line of `start`, from 1.
    pub line: u32,
    /// Column of `start` in bytes, from 1.
    pub column: u32,
    /// Read it with agd_loss_path and agd_loss_message.
    pub path: agd_loss_state,
}

/// A fix that was applied. Passed to the callback, which may copy it (`size` bytes). It borrows
/// nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_change {
    /// Size of the struct in bytes, set by the library.
    pub size: usize,
    /// The fix: a stable kebab-case name such as `indentation`. Static text, not NUL-terminated.
    pub fix: agd_text,
    /// A sentence that describes the fix. Static text.
    pub about: agd_text,
    /// Byte offset of the original line, from 0.
    pub start: usize,
    /// Byte offset after the original line.
    pub end: usize,
    /// Line number, from 1.
    pub line: u32,
    /// Reserved; zero.
    pub reserved: u32,
}

growing! { agd_convert_options, agd_loss, agd_change, }

/// Receives each loss; `user` is what agd_convert was given. `loss` is valid only during the call.
/// The callback must return: no exception and no longjmp through the library.
pub type agd_loss_callback = Option<unsafe extern "C" fn(user: *mut c_void, loss: *const agd_loss)>;

/// Receives each change; `user` is what agd_fix was given. `change` is valid only during the call.
/// The callback must return: no exception and no longjmp through the library.
pub type agd_change_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, change: *const agd_change)>;

/// Writes a document in another format (or reformats it), NUL-terminated, and calls `callback` for
/// each loss: every member of the unified model either has the same value when the result is
/// parsed, or is reported. The result lifts no restriction that the document states.
///
/// `target` depends on the format of the document:
/// - AGD_FORMAT_AGENTS_TXT or AGD_FORMAT_AGENTS_JSON: every format that is read, except
///   AGD_FORMAT_ADP_SEARCH, AGD_FORMAT_MCP_SERVER_CARD, AGD_FORMAT_AI_CATALOG,
///   AGD_FORMAT_AGENT_SKILLS and AGD_FORMAT_API_CATALOG;
/// - AGD_FORMAT_AGENTS_MD, AGD_FORMAT_AWP, AGD_FORMAT_ADP or AGD_FORMAT_ADP_CAPABILITY: the same
///   formats, except AGD_FORMAT_ROBOTS_TXT. Publish the manifest only with all details;
/// - AGD_FORMAT_AGENTS_TXT_01 or AGD_FORMAT_AGENTS_JSON_01: these two formats;
/// - AGD_FORMAT_ROBOTS_TXT: only itself. The bytes stay unchanged; preferences that only one of
///   Content-Signal and Content-Usage states are added in the other field.
///
/// agd_write_json writes the unified model, which loses nothing.
///
/// `document` must not be NULL; `options` may be NULL for the defaults; `callback` may be NULL, and
/// is then not called. `user` is passed to the callback. `buffer` may be NULL if `capacity` is 0,
/// to query the length; pass no callback then, because every call reports the losses. `length`, if
/// not NULL, receives the length without the NUL, even if the buffer is too small; 0 if nothing is
/// written.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL if text and NUL do not fit: the buffer then holds the
/// empty string; AGD_ERROR_UNSUPPORTED if this conversion is not supported; AGD_ERROR_ARGUMENT if
/// the document does not have the capability of a detail; AGD_ERROR_REFUSED if the result would
/// allow agents more than the document, because the target cannot express a restriction (the losses
/// with AGD_SEVERITY_ERROR say which); another negative status for misuse. Thread-safe if the
/// callback is; linear in the document, except for line numbers of losses that come out of order;
/// about 23 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_convert(
    document: *const agd_document,
    target: i32,
    options: *const agd_convert_options,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    callback: agd_loss_callback,
    user: *mut c_void,
) -> agd_status {
    // SAFETY: the caller promises readable document and options, a buffer in sole use, a length
    // that is NULL or writable, and a callback that returns.
    ended(unsafe {
        convert(document, target, options, Buffer::new(buffer, capacity), length, callback, user)
    })
}

/// # Safety
/// That of `agd_convert`.
unsafe fn convert(
    document: *const agd_document,
    target: i32,
    given: *const agd_convert_options,
    buffer: Result<Buffer, agd_status>,
    length: *mut usize,
    callback: agd_loss_callback,
    user: *mut c_void,
) -> Result<agd_status, agd_status> {
    let defaults = agd_convert_options {
        size: size_of::<agd_convert_options>(),
        origin: agd_text::ABSENT,
        compact: 0,
        loosen: 0,
        capability: agd_text::ABSENT,
    };
    // SAFETY: the contract is the same.
    let (document, given, origin, capability) = unsafe {
        let given = options(given, defaults)?;
        (document_of(document)?, given, given.origin.string()?, given.capability.string()?)
    };
    let mut buffer = buffer?;
    let target = format_of(target).ok_or(AGD_ERROR_ARGUMENT)?;
    let options = ConvertOptions {
        origin,
        pretty: given.compact == 0,
        loosen: given.loosen != 0,
        capability,
        ..ConvertOptions::default()
    };
    let mut cursor = PositionCursor::new(document.bytes());
    let converted = document.convert(target, &options, &mut buffer, |loss: Loss<'static>| {
        let Some(callback) = callback else { return };
        let position = cursor.at(loss.span.start as usize);
        let item = agd_loss {
            size: size_of::<agd_loss>(),
            reason: loss.reason.as_str().as_bytes().into(),
            severity: severity(loss.severity),
            reserved: 0,
            start: loss.span.start as usize,
            end: loss.span.end as usize,
            line: position.line,
            column: position.column,
            path: hold(agd_loss_state { state: [MaybeUninit::new(0); AGD_LOSS_WORDS] }, loss),
        };
        // SAFETY: the caller promises a callback of this type, which returns.
        unsafe { callback(user, &raw const item) }
    });
    // SAFETY: the contract is the same.
    let finished = unsafe { buffer.finish(length) };
    match converted {
        Ok(_) => finished,
        Err(ConvertError::Unsupported) => Err(AGD_ERROR_UNSUPPORTED),
        Err(ConvertError::NoCapability) => Err(AGD_ERROR_ARGUMENT),
        Err(_) => Err(AGD_ERROR_REFUSED),
    }
}

/// Writes the path of a loss in the unified model, such as `capabilities[0].parameters[1].default`,
/// as NUL-terminated UTF-8. Names from the document are shortened to 80 characters, and control
/// characters in them are escaped.
///
/// `loss` must not be NULL and must come from agd_convert; the document's bytes must stay
/// unchanged. Buffer, length and return values are those of agd_diagnostic_message. 1024 bytes are
/// always enough. Thread-safe; linear in the path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_loss_path(
    loss: *const agd_loss,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the contract is the same.
    ended(unsafe {
        shown(loss, buffer, capacity, length, |buffer, loss| write!(buffer, "{}", loss.path))
    })
}

/// Writes a human-readable sentence about a loss, including its path. Arguments (also NULL) and
/// return values are those of agd_loss_path.
///
/// Thread-safe; linear in the sentence.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_loss_message(
    loss: *const agd_loss,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the contract is the same.
    ended(unsafe { shown(loss, buffer, capacity, length, |buffer, loss| write!(buffer, "{loss}")) })
}

/// # Safety
/// That of `agd_loss_path`.
unsafe fn shown(
    loss: *const agd_loss,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    write: impl FnOnce(&mut Buffer, &Loss<'static>) -> core::fmt::Result,
) -> Result<agd_status, agd_status> {
    let loss = checked(loss)?;
    // SAFETY: the contract is the same; `checked` validates the pointer before a member is
    // accessed.
    unsafe {
        let loss = held(&raw const (*loss).path)?;
        let mut buffer = Buffer::new(buffer, capacity)?;
        // The buffer counts the length and never fails.
        let _ = write(&mut buffer, loss);
        buffer.finish(length)
    }
}

/// Applies automatic fixes to an agents.txt (of the Internet-Draft, or 0.1.0), writes the result
/// NUL-terminated, and calls `callback` for each fix: indentation, letter case and names of fields,
/// arrows, units, blanks, line ends. The meaning of the document does not change; comments, empty
/// lines and unknown fields stay unchanged.
///
/// `document` must not be NULL; `callback` may be NULL, and is then not called. `user` is passed to
/// the callback. Buffer and length are those of agd_convert.
///
/// Returns AGD_OK, also if nothing changes; AGD_ERROR_BUFFER_TOO_SMALL if text and NUL do not fit:
/// the buffer then holds the empty string; AGD_ERROR_UNSUPPORTED if the document is not an
/// agents.txt; another negative status for misuse. Thread-safe if the callback is; linear in the
/// document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_fix(
    document: *const agd_document,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    callback: agd_change_callback,
    user: *mut c_void,
) -> agd_status {
    // SAFETY: the caller promises a readable document, a buffer in sole use, a length that is NULL
    // or writable, and a callback that returns.
    ended(unsafe { fix(document, Buffer::new(buffer, capacity), length, callback, user) })
}

/// # Safety
/// That of `agd_fix`.
unsafe fn fix(
    document: *const agd_document,
    buffer: Result<Buffer, agd_status>,
    length: *mut usize,
    callback: agd_change_callback,
    user: *mut c_void,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    let document = unsafe { document_of(document)? };
    let mut buffer = buffer?;
    let mut cursor = PositionCursor::new(document.bytes());
    let fixed = document.fix(&mut buffer, |change: Change| {
        let Some(callback) = callback else { return };
        let item = agd_change {
            size: size_of::<agd_change>(),
            fix: change.fix.as_str().as_bytes().into(),
            about: change.fix.about().as_bytes().into(),
            start: change.span.start as usize,
            end: change.span.end as usize,
            line: cursor.at(change.span.start as usize).line,
            reserved: 0,
        };
        // SAFETY: the caller promises a callback of this type, which returns.
        unsafe { callback(user, &raw const item) }
    });
    // SAFETY: the contract is the same.
    let finished = unsafe { buffer.finish(length) };
    if fixed.is_ok() { finished } else { Err(AGD_ERROR_UNSUPPORTED) }
}
