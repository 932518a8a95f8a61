//! Checks a document against its specification.

use core::ffi::{c_char, c_void};
use core::fmt::Write;
use core::mem::{MaybeUninit, offset_of, size_of};
use core::ptr;

use agentsdisc_core::span::{Position, PositionCursor};
use agentsdisc_core::{CheckOptions, Diagnostic, Severity};

use crate::boundary::{
    Buffer, Out, checked, cleared, ended, growing, held, hold, options, write_out,
};
use crate::document::{agd_document, document_of};
use crate::severity::severity;
use crate::sorted::Sorted;
use crate::status::{AGD_ERROR_BUFFER_TOO_SMALL, AGD_OK, agd_status};
use crate::text::agd_text;

/// Size of agd_diagnostic_state in 64-bit words.
pub const AGD_DIAGNOSTIC_WORDS: usize = 20;

/// The state from which the message of a diagnostic is written.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_diagnostic_state {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_DIAGNOSTIC_WORDS],
}

/// A diagnostic of the check. Passed to the callback, which may copy it (`size` bytes). It borrows
/// the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_diagnostic {
    /// Size of the struct in bytes, set by the library.
    pub size: usize,
    /// The code: a stable kebab-case name such as `duplicate-id`. Static text, not NUL-terminated.
    pub code: agd_text,
    /// The severity: AGD_SEVERITY_*. A greater number is more severe.
    pub severity: i32,
    /// Reserved; zero.
    pub reserved: u32,
    /// Byte offset of the start of the text concerned, from 0.
    pub start: usize,
    /// Byte offset after the end of the text concerned.
    pub end: usize,
    /// Line of `start`, from 1.
    pub line: u32,
    /// Column of `start` in bytes, from 1.
    pub column: u32,
    /// Short name of the specification. Static text.
    pub spec: agd_text,
    /// Section of the specification, such as `2.5`; empty if none applies. Static text.
    pub section: agd_text,
    /// Read it with agd_diagnostic_message.
    pub message: agd_diagnostic_state,
}

/// Options of a check. Initialise it with AGD_INIT: members left at zero have their defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_check_options {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The origin that the document was fetched from, such as `https://example.com`; absent if
    /// unknown. UTF-8, not escaped.
    pub origin: agd_text,
    /// Maximum number of diagnostics, followed by one `too-many-diagnostics`. 0: the default, 1000.
    pub max: usize,
    /// Scratch memory for comparing names: `scratch_length` numbers, not necessarily initialised,
    /// that nothing else uses during the check. NULL: 256 numbers on the stack. The check needs two
    /// numbers for each name in the largest set of names that must be unique or are referred to
    /// (four for each id in the dependencies of an AWP document). With less, it skips that part and
    /// reports one `not-checked`. One number per byte of the document is always enough.
    pub scratch: *mut u32,
    /// Number of elements at `scratch`.
    pub scratch_length: usize,
}

/// Number of diagnostics by severity.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct agd_counts {
    /// Diagnostics with AGD_SEVERITY_ERROR.
    pub errors: usize,
    /// Diagnostics with AGD_SEVERITY_WARNING.
    pub warnings: usize,
    /// Diagnostics with AGD_SEVERITY_INFO.
    pub infos: usize,
}

/// Receives each diagnostic; `user` is what agd_check was given. Returns true to continue, false to
/// stop.
///
/// `diagnostic` is valid only during the call. The callback must return: no exception and no
/// longjmp through the library.
pub type agd_diagnostic_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, diagnostic: *const agd_diagnostic) -> bool>;

growing! { agd_diagnostic, }

const _: () = assert!(offset_of!(agd_check_options, size) == 0);
// SAFETY: the first field is the size, as the assertion shows.
unsafe impl Out for agd_check_options {
    const GROWS: bool = true;
    // The scratch memory was added after the first version.
    const LEAST: usize = offset_of!(agd_check_options, scratch);
}

/// The default options.
pub(crate) const fn check_defaults() -> agd_check_options {
    let size = size_of::<agd_check_options>();
    agd_check_options {
        size,
        origin: agd_text::ABSENT,
        max: 0,
        scratch: ptr::null_mut(),
        scratch_length: 0,
    }
}

/// Checks with options from C.
///
/// # Safety
/// Document and options are NULL or readable, and so are the texts in them; the scratch memory is
/// writable and in sole use.
pub(crate) unsafe fn check(
    document: *const agd_document,
    given: *const agd_check_options,
    mut sink: impl FnMut(&'static [u8], Diagnostic<'static>),
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    let (document, given, origin) = unsafe {
        let given = options(given, check_defaults())?;
        (document_of(document)?, given, given.origin.string()?)
    };
    let mut options = CheckOptions { origin, ..CheckOptions::default() };
    if given.max != 0 {
        options.max = given.max;
    }
    let bytes = document.bytes();
    let sink = |diagnostic| sink(bytes, diagnostic);
    if given.scratch.is_null() && given.scratch_length == 0 {
        document.check(&options, sink);
        return Ok(AGD_OK);
    }
    // One number per byte of the document is always enough; clear no more.
    let length = if given.scratch_length > isize::MAX as usize {
        given.scratch_length
    } else {
        given.scratch_length.min(bytes.len())
    };
    // SAFETY: the contract is the same, for at most as much memory.
    let scratch = unsafe { cleared(given.scratch, length)? };
    document.check_with(&options, scratch, sink);
    Ok(AGD_OK)
}

/// Converts a diagnostic to its C struct.
pub(crate) fn item(diagnostic: Diagnostic<'static>, position: Position) -> agd_diagnostic {
    let state = agd_diagnostic_state { state: [MaybeUninit::new(0); AGD_DIAGNOSTIC_WORDS] };
    agd_diagnostic {
        size: size_of::<agd_diagnostic>(),
        code: diagnostic.code.as_str().as_bytes().into(),
        severity: severity(diagnostic.severity),
        reserved: 0,
        start: diagnostic.span.start as usize,
        end: diagnostic.span.end as usize,
        line: position.line,
        column: position.column,
        spec: diagnostic.spec.as_str().as_bytes().into(),
        section: diagnostic.section.as_bytes().into(),
        message: hold(state, diagnostic),
    }
}

/// Checks a document against its specification and calls `callback` for each diagnostic, in no
/// particular order; agd_check_sorted puts it in order.
///
/// `document` must not be NULL; `options` may be NULL for the defaults; `callback` may be NULL, and
/// is then not called. `user` is passed to the callback. Returns AGD_OK whether or not there are
/// diagnostics, or a negative status for misuse. Thread-safe if the callback is; n log n in the
/// document, plus recounting lines for diagnostics that come out of order; about 18 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_check(
    document: *const agd_document,
    options: *const agd_check_options,
    callback: agd_diagnostic_callback,
    user: *mut c_void,
) -> agd_status {
    let mut active = callback;
    let mut cursor = None;
    let sink = |bytes: &'static [u8], diagnostic: Diagnostic<'static>| {
        let Some(callback) = active else { return };
        let position = cursor
            .get_or_insert_with(|| PositionCursor::new(bytes))
            .at(diagnostic.span.start as usize);
        let item = item(diagnostic, position);
        // SAFETY: the caller promises a callback of this type, which returns.
        if !unsafe { callback(user, &raw const item) } {
            active = None;
        }
    };
    // SAFETY: the caller promises that both are NULL or readable.
    ended(unsafe { check(document, options, sink) })
}

/// Checks a document and fills an array with the diagnostics, sorted by offset, then by code.
///
/// `document` must not be NULL; `options` may be NULL for the defaults. `items` has room for
/// `capacity` diagnostics, which need no initialisation; it may be NULL if `capacity` is 0, to
/// query the number. `item_size` is `sizeof *items`. The diagnostics borrow the document's bytes.
/// `found`, if not NULL, receives the number of all diagnostics, even if the array is too small; on
/// misuse it is unchanged. With the default options, 1001 elements are always enough.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL if there are more diagnostics than elements: the
/// array then holds the first ones in order; or another negative status for misuse, which writes
/// nothing. Thread-safe if array and scratch memory are not shared; n log n in the document and in
/// the diagnostics; about 18 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_check_sorted(
    document: *const agd_document,
    options: *const agd_check_options,
    items: *mut agd_diagnostic,
    item_size: usize,
    capacity: usize,
    found: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises readable document and options, an array in sole use, and a number
    // that is NULL or writable.
    ended(unsafe { check_sorted(document, options, items, item_size, capacity, found) })
}

/// # Safety
/// That of `agd_check_sorted`.
unsafe fn check_sorted(
    document: *const agd_document,
    options: *const agd_check_options,
    items: *mut agd_diagnostic,
    item_size: usize,
    capacity: usize,
    found: *mut usize,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    unsafe {
        let mut sorted = Sorted::new(items, item_size, capacity)?;
        check(document, options, |_, diagnostic| {
            sorted.offer(item(diagnostic, Position { line: 0, column: 0 }))
        })?;
        sorted.finish(document_of(document)?.bytes());
        write_out(found, sorted.found())?;
        if sorted.found() > capacity { Err(AGD_ERROR_BUFFER_TOO_SMALL) } else { Ok(AGD_OK) }
    }
}

/// Checks a document and counts the diagnostics.
///
/// Neither `document` nor `counts` may be NULL; `options` may be. Returns AGD_OK whether or not
/// there are diagnostics, or a negative status for misuse. Thread-safe; n log n in the document;
/// about 18 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_check_count(
    document: *const agd_document,
    options: *const agd_check_options,
    counts: *mut agd_counts,
) -> agd_status {
    let mut found = agd_counts::default();
    let sink = |_: &'static [u8], diagnostic: Diagnostic<'static>| match diagnostic.severity {
        Severity::Error => found.errors = found.errors.saturating_add(1),
        Severity::Warning => found.warnings = found.warnings.saturating_add(1),
        Severity::Info => found.infos = found.infos.saturating_add(1),
    };
    // SAFETY: the caller promises that document and options are NULL or readable, and `counts` NULL
    // or writable.
    ended(unsafe {
        checked(counts).and_then(|_| check(document, options, sink)).and_then(|status| {
            write_out(counts, found)?;
            Ok(status)
        })
    })
}

/// Writes the message of a diagnostic into `buffer`, as NUL-terminated UTF-8. It never repeats
/// credentials, and escapes control characters.
///
/// `diagnostic` must not be NULL and must come from agd_check, agd_check_sorted or a list; the
/// document's bytes must stay unchanged. `buffer` may be NULL if `capacity` is 0, to query the
/// length. `length`, if not NULL, receives the length without the NUL, even if the buffer is too
/// small.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL if message and NUL do not fit: the buffer then holds
/// the empty string. 512 bytes are enough for most. Thread-safe; linear in the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_diagnostic_message(
    diagnostic: *const agd_diagnostic,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable diagnostic, a writable buffer in sole use, and a
    // length that is NULL or writable; `checked` validates the pointer before a member is accessed.
    ended(unsafe {
        checked(diagnostic).and_then(|diagnostic| {
            let diagnostic = held(&raw const (*diagnostic).message)?;
            let mut buffer = Buffer::new(buffer, capacity)?;
            // The buffer counts the length and never fails.
            let _ = write!(buffer, "{diagnostic}");
            buffer.finish(length)
        })
    })
}
