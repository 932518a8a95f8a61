//! Checking a document against its specification.

use core::ffi::{c_char, c_void};
use core::fmt::Write;
use core::mem::{MaybeUninit, offset_of, size_of};
use core::ptr;

use agentsdisc_core::span::{Position, PositionCursor};
use agentsdisc_core::{CheckOptions, Diagnostic, Severity};

use crate::boundary::{Buffer, Out, checked, ended, growing, held, hold, lent, options, tell};
use crate::document::{agd_document, document_of};
use crate::severity::severity;
use crate::shelf::Shelf;
use crate::status::{AGD_ERROR_BUFFER_TOO_SMALL, AGD_OK, agd_status};
use crate::text::agd_text;

/// Words of the state of a diagnostic.
pub const AGD_DIAGNOSTIC_WORDS: usize = 20;

/// What the message of a diagnostic is made from.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_diagnostic_state {
    /// The library's.
    pub state: [MaybeUninit<u64>; AGD_DIAGNOSTIC_WORDS],
}

/// One thing that the check found. The callback gets it; it may be copied (`size` bytes of it), and borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_diagnostic {
    /// Size of this struct as the library knows it.
    pub size: usize,
    /// What it is about: a stable kebab-case name such as `duplicate-id`. Static text, without a NUL behind it.
    pub code: agd_text,
    /// How much it matters here: AGD_SEVERITY_*, which compare as numbers.
    pub severity: i32,
    /// For later; zero.
    pub reserved: u32,
    /// Offset in bytes, from 0, of the first byte that it concerns.
    pub start: usize,
    /// Offset after the last byte that it concerns.
    pub end: usize,
    /// Line of `start`, from 1.
    pub line: u32,
    /// Column of `start` in bytes, from 1.
    pub column: u32,
    /// A short name of the specification it comes from. Static text.
    pub spec: agd_text,
    /// The section of that specification, such as `2.5`; empty where there is none to name. Static text.
    pub section: agd_text,
    /// For agd_diagnostic_message.
    pub message: agd_diagnostic_state,
}

/// What a document is checked against. Initialise it with AGD_INIT: everything left at zero has its default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_check_options {
    /// Size of this struct as you know it: set by AGD_INIT.
    pub size: usize,
    /// The origin that the document was fetched from, such as `https://example.com`; absent where it is not known. UTF-8, not escaped.
    pub origin: agd_text,
    /// How many diagnostics are reported at most; then one `too-many-diagnostics`. 0: the default, 1000.
    pub max: usize,
    /// Memory of yours in which names are compared while the check runs: `scratch_length` numbers, whatever they are, used by nobody else
    /// meanwhile. NULL: 256 numbers on the stack. Needed are two for each name in the largest set of names that must differ or are referred to
    /// (four for each id in the dependencies of an AWP document); where there is less, that part of the check is left out, and one
    /// `not-checked` says so. As many numbers as the document has bytes are always enough.
    pub scratch: *mut u32,
    /// How many numbers there are at `scratch`.
    pub scratch_length: usize,
}

/// How many diagnostics a check found.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct agd_counts {
    /// Those of AGD_SEVERITY_ERROR.
    pub errors: usize,
    /// Those of AGD_SEVERITY_WARNING.
    pub warnings: usize,
    /// Those of AGD_SEVERITY_INFO.
    pub infos: usize,
}

/// Receives each diagnostic; `user` is what agd_check was given. Returns true to continue, false to stop.
///
/// `diagnostic` lives during the call only. The callback must return: no exception and no longjmp through the library.
pub type agd_diagnostic_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, diagnostic: *const agd_diagnostic) -> bool>;

growing! { agd_diagnostic, }

const _: () = assert!(offset_of!(agd_check_options, size) == 0);
// SAFETY: the first field is the size, as the assertion shows.
unsafe impl Out for agd_check_options {
    const GROWS: bool = true;
    // Without the scratch memory, which came later.
    const LEAST: usize = offset_of!(agd_check_options, scratch);
}

/// Options with every default.
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
/// Document and options are NULL or readable, and so are the texts in them; the scratch memory is writable, by nobody else.
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
    let mut options = CheckOptions {
        origin,
        ..CheckOptions::default()
    };
    if given.max != 0 {
        options.max = given.max;
    }
    let bytes = document.bytes();
    let sink = |diagnostic| sink(bytes, diagnostic);
    if given.scratch.is_null() && given.scratch_length == 0 {
        document.check(&options, sink);
        return Ok(AGD_OK);
    }
    // No more is ever needed than the document has bytes, so that not more is cleared.
    let length = if given.scratch_length > isize::MAX as usize {
        given.scratch_length
    } else {
        given.scratch_length.min(bytes.len())
    };
    // SAFETY: the contract is the same, and of less memory.
    let scratch = unsafe { lent(given.scratch, length)? };
    document.check_with(&options, scratch, sink);
    Ok(AGD_OK)
}

/// A diagnostic for C.
pub(crate) fn item(diagnostic: Diagnostic<'static>, position: Position) -> agd_diagnostic {
    let state = agd_diagnostic_state {
        state: [MaybeUninit::new(0); AGD_DIAGNOSTIC_WORDS],
    };
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

/// Checks a document against its specification and calls `callback` for each diagnostic, in no particular order;
/// agd_check_sorted puts it in order.
///
/// `document` must not be NULL; `options` may be, for the defaults; `callback` may be, and is then not called. `user` is passed on.
/// Returns AGD_OK, whatever was found; a negative status is misuse. Thread-safe as far as the callback is; n log n in the document, and the
/// lines of diagnostics that come out of order are counted anew; about 18 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_check(
    document: *const agd_document,
    options: *const agd_check_options,
    callback: agd_diagnostic_callback,
    user: *mut c_void,
) -> agd_status {
    let mut told = callback;
    let mut cursor = None;
    let sink = |bytes: &'static [u8], diagnostic: Diagnostic<'static>| {
        let Some(callback) = told else { return };
        let position = cursor
            .get_or_insert_with(|| PositionCursor::new(bytes))
            .at(diagnostic.span.start as usize);
        let item = item(diagnostic, position);
        // SAFETY: the caller promises a callback of this type, which returns.
        if !unsafe { callback(user, &raw const item) } {
            told = None;
        }
    };
    // SAFETY: the caller promises that both are NULL or readable.
    ended(unsafe { check(document, options, sink) })
}

/// Checks a document and fills an array of yours with what is found, in the order of the document (by offset, then by code).
///
/// `document` must not be NULL; `options` may be, for the defaults. `items` is memory for `capacity` diagnostics, which need no initialisation;
/// it may be NULL where `capacity` is 0, to ask how many there are. `item_size` is `sizeof *items`. The diagnostics borrow the document's bytes.
/// `found`, where it is not NULL, gets the number of all that was found, whether or not there was room; for misuse it stays as it is. With the
/// default options, 1001 have room for every document.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL where more was found than there is room for: then the array is filled with the first in order;
/// or another negative status for misuse, and then nothing is filled. Thread-safe, where array and scratch memory are; n log n in the document
/// and in what is found; about 18 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_check_sorted(
    document: *const agd_document,
    options: *const agd_check_options,
    items: *mut agd_diagnostic,
    item_size: usize,
    capacity: usize,
    found: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises readable document and options, an array in sole use, and a number that is NULL or writable.
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
        let mut shelf = Shelf::new(items, item_size, capacity)?;
        check(document, options, |_, diagnostic| {
            shelf.offer(item(diagnostic, Position { line: 0, column: 0 }))
        })?;
        shelf.finish(document_of(document)?.bytes());
        tell(found, shelf.found())?;
        if shelf.found() > capacity {
            Err(AGD_ERROR_BUFFER_TOO_SMALL)
        } else {
            Ok(AGD_OK)
        }
    }
}

/// Checks a document and counts what is found.
///
/// Neither `document` nor `counts` may be NULL; `options` may be. Returns AGD_OK, whatever was found; a negative status is misuse. Thread-safe;
/// n log n in the document; about 18 KB of stack.
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
    // SAFETY: the caller promises that document and options are NULL or readable, and `counts` NULL or writable.
    ended(unsafe {
        checked(counts)
            .and_then(|_| check(document, options, sink))
            .and_then(|status| {
                tell(counts, found)?;
                Ok(status)
            })
    })
}

/// Writes the message of a diagnostic into `buffer`, as UTF-8 with a NUL behind it. Credentials are never repeated in it, and control
/// characters are escaped.
///
/// `diagnostic` must not be NULL and must come from agd_check, agd_check_sorted or a list, while its document's bytes are as they were. `buffer` may be NULL where
/// `capacity` is 0, to ask for the length. `length`, where it is not NULL, gets the length without the NUL, whether or not there was room.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL where message and NUL have no room: then the buffer holds the empty string. 512 bytes are
/// enough for most. Thread-safe; linear in the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_diagnostic_message(
    diagnostic: *const agd_diagnostic,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable diagnostic, a writable buffer in sole use, and a length that is NULL or writable; `checked`
    // looks at the pointer before a member is named.
    ended(unsafe {
        checked(diagnostic).and_then(|diagnostic| {
            let diagnostic = held(&raw const (*diagnostic).message)?;
            let mut buffer = Buffer::new(buffer, capacity)?;
            // The buffer counts and never fails.
            let _ = write!(buffer, "{diagnostic}");
            buffer.finish(length)
        })
    })
}
