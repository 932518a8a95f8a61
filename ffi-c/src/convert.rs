//! Converting documents, and putting agents.txt right.

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

/// Words of the state of a loss.
pub const AGD_LOSS_WORDS: usize = 24;

/// What path and message of a loss are made from.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_loss_state {
    /// The library's.
    pub state: [MaybeUninit<u64>; AGD_LOSS_WORDS],
}

/// How a document is converted. Initialise it with AGD_INIT: everything left at zero has its default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_convert_options {
    /// Size of this struct as you know it: set by AGD_INIT.
    pub size: usize,
    /// The origin of the document, such as `https://example.com`: the site's URL where the document gives none, and what paths are resolved
    /// against. Absent where it is not known. UTF-8, not escaped.
    pub origin: agd_text,
    /// Not zero: JSON is written on one line. Zero: in lines, by two spaces for each level.
    pub compact: i32,
    /// Not zero: what restricts the use of a capability may be left out where the target cannot say it (a person's confirmation, what it may
    /// break, all rate limits but the strictest). Zero: then the capability is left out.
    pub loosen: i32,
}

/// One thing that did not carry over as it is. The callback gets it; it may be copied (`size` bytes of it), and borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_loss {
    /// Size of this struct as the library knows it.
    pub size: usize,
    /// Why: a stable kebab-case name such as `no-place`. Static text, without a NUL behind it.
    pub reason: agd_text,
    /// How bad it is: AGD_SEVERITY_INFO, nothing that agents act on is lost; AGD_SEVERITY_WARNING, something is; AGD_SEVERITY_ERROR, without it
    /// agents would be allowed more, so nothing is written.
    pub severity: i32,
    /// For later; zero.
    pub reserved: u32,
    /// Offset in bytes, from 0, of the first byte of it in the document; 0 where it stands nowhere by itself.
    pub start: usize,
    /// Offset behind its last byte.
    pub end: usize,
    /// Line of `start`, from 1.
    pub line: u32,
    /// Column of `start` in bytes, from 1.
    pub column: u32,
    /// For agd_loss_path and agd_loss_message.
    pub path: agd_loss_state,
}

/// One thing that was put right. The callback gets it; it may be copied (`size` bytes of it), and borrows nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_change {
    /// Size of this struct as the library knows it.
    pub size: usize,
    /// What: a stable kebab-case name such as `indentation`. Static text, without a NUL behind it.
    pub fix: agd_text,
    /// What that is, as a sentence. Static text.
    pub about: agd_text,
    /// Offset in bytes, from 0, of the line as it was.
    pub start: usize,
    /// Offset behind it.
    pub end: usize,
    /// Its number, from 1.
    pub line: u32,
    /// For later; zero.
    pub reserved: u32,
}

growing! { agd_convert_options, agd_loss, agd_change, }

/// Receives each loss; `user` is what agd_convert was given. `loss` lives during the call only. The callback must return: no exception and no
/// longjmp through the library.
pub type agd_loss_callback = Option<unsafe extern "C" fn(user: *mut c_void, loss: *const agd_loss)>;

/// Receives each change; `user` is what agd_fix was given. `change` lives during the call only. The callback must return: no exception and no
/// longjmp through the library.
pub type agd_change_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, change: *const agd_change)>;

/// Converts a document into another format (or its own, laid out anew), with a NUL at its end, and calls `callback` for what does not carry over: every
/// member of the unified model reads back equal from what is written, or is told. What is written never allows agents more than the document.
///
/// `target` is AGD_FORMAT_AGENTS_TXT or AGD_FORMAT_AGENTS_JSON for every format that is read but AGD_FORMAT_ADP_SEARCH, AGD_FORMAT_AGENTS_TXT_01
/// or AGD_FORMAT_AGENTS_JSON_01 for those two. (agd_write_json writes the unified model, which loses nothing.)
///
/// `document` must not be NULL; `options` may be, for the defaults; `callback` may be, and is then not called. `user` is passed on. `buffer` may be
/// NULL where `capacity` is 0, to ask for the length: give no callback then, for every call tells. `length`, where it is not NULL, gets the length
/// without the NUL, whether or not there was room; 0 where nothing is written.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL where text and NUL have no room, and then the buffer holds the empty string;
/// AGD_ERROR_UNSUPPORTED where no such document is made of this one; AGD_ERROR_REFUSED where the target cannot say something without which
/// agents would be allowed more (the losses of AGD_SEVERITY_ERROR tell what); another negative status is misuse. Thread-safe as far as the callback is; linear
/// in the document, but for lines of losses that come out of order; about 23 KB of stack.
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
    // SAFETY: the caller promises readable document and options, a buffer in sole use, a length that is NULL or writable, and a callback
    // that returns.
    ended(unsafe {
        convert(
            document,
            target,
            options,
            Buffer::new(buffer, capacity),
            length,
            callback,
            user,
        )
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
    };
    // SAFETY: the contract is the same.
    let (document, given, origin) = unsafe {
        let given = options(given, defaults)?;
        (document_of(document)?, given, given.origin.string()?)
    };
    let mut buffer = buffer?;
    let target = format_of(target).ok_or(AGD_ERROR_ARGUMENT)?;
    let options = ConvertOptions {
        origin,
        pretty: given.compact == 0,
        loosen: given.loosen != 0,
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
            path: hold(
                agd_loss_state {
                    state: [MaybeUninit::new(0); AGD_LOSS_WORDS],
                },
                loss,
            ),
        };
        // SAFETY: the caller promises a callback of this type, which returns.
        unsafe { callback(user, &raw const item) }
    });
    // SAFETY: the contract is the same.
    let finished = unsafe { buffer.finish(length) };
    match converted {
        Ok(_) => finished,
        Err(ConvertError::Unsupported) => Err(AGD_ERROR_UNSUPPORTED),
        Err(_) => Err(AGD_ERROR_REFUSED),
    }
}

/// Writes the path of a loss in the unified model, such as `capabilities[0].parameters[1].default`, as UTF-8 with a NUL behind it. Control
/// characters in names of the document's own are escaped, and such names shortened to 80 characters.
///
/// `loss` must not be NULL and must come from agd_convert, while its document's bytes are as they were. Buffer and length are those of
/// agd_diagnostic_message, and so is what is returned. 1024 bytes are always enough. Thread-safe; linear in the path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_loss_path(
    loss: *const agd_loss,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the contract is the same.
    ended(unsafe {
        shown(loss, buffer, capacity, length, |buffer, loss| {
            write!(buffer, "{}", loss.path)
        })
    })
}

/// Writes a sentence about a loss for people, its path included. NULL, buffer and answers are as with agd_loss_path.
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
    ended(unsafe {
        shown(loss, buffer, capacity, length, |buffer, loss| {
            write!(buffer, "{loss}")
        })
    })
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
    // SAFETY: the contract is the same; `checked` looked at the pointer before a member is named.
    unsafe {
        let loss = held(&raw const (*loss).path)?;
        let mut buffer = Buffer::new(buffer, capacity)?;
        // The buffer counts and never fails.
        let _ = write(&mut buffer, loss);
        buffer.finish(length)
    }
}

/// Writes an agents.txt (of the Internet-Draft, or 0.1.0) with everything put right that is mechanical, with a NUL at its end, and tells `callback`
/// what: indentation, letter case and names of fields, arrows, units, blanks, line ends. What the document means stays the same; comments, empty
/// lines and unknown fields stay as they are.
///
/// `document` must not be NULL; `callback` may be, and is then not called. `user` is passed on. Buffer and length are those of agd_convert.
///
/// Returns AGD_OK, also where nothing changes; AGD_ERROR_BUFFER_TOO_SMALL where text and NUL have no room, and then the buffer holds the empty
/// string; AGD_ERROR_UNSUPPORTED if the document is not an agents.txt; another negative status is misuse. Thread-safe as far as the callback
/// is; linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_fix(
    document: *const agd_document,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    callback: agd_change_callback,
    user: *mut c_void,
) -> agd_status {
    // SAFETY: the caller promises a readable document, a buffer in sole use, a length that is NULL or writable, and a callback that returns.
    ended(unsafe {
        fix(
            document,
            Buffer::new(buffer, capacity),
            length,
            callback,
            user,
        )
    })
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
    if fixed.is_ok() {
        finished
    } else {
        Err(AGD_ERROR_UNSUPPORTED)
    }
}
