//! Parsing, and how the members of a document are read (members.rs).

use core::ffi::c_char;
use core::mem::{MaybeUninit, size_of};

use agentsdisc_core::manifest::Manifest;
use agentsdisc_core::span::Position;
use agentsdisc_core::{Document, Hints, Limits, ParseOptions};

use crate::boundary::{
    Filled, bytes, checked, ended, growing, held, hold_in, options, show, write_out,
};
use crate::enumerations::AGD_UNSAID;
use crate::format::{AGD_FORMAT_UNKNOWN, format_of, number_of};
use crate::list::Items;
use crate::status::{AGD_ERROR_ARGUMENT, AGD_OK, agd_error, agd_status};
use crate::text::agd_text;

/// Size of agd_document in 64-bit words.
pub const AGD_DOCUMENT_WORDS: usize = 128;

/// A parsed document: offsets, and a pointer to the caller's bytes. You allocate it
/// (AGD_DOCUMENT_INIT), on the stack or anywhere; there is nothing to free, and it can be copied
/// and moved as plain memory.
///
/// Several threads may read one document at the same time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_document {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_DOCUMENT_WORDS],
}

impl agd_document {
    /// A document that was not parsed.
    pub(crate) const UNINITIALISED: Self =
        Self { state: [MaybeUninit::new(0); AGD_DOCUMENT_WORDS] };
}

/// Returns the document in a C struct. The struct holds the model: recreating it for each call
/// would cost more than most calls.
///
/// # Safety
/// `document` is NULL or readable.
pub(crate) unsafe fn document_of<'a>(
    document: *const agd_document,
) -> Result<&'a Document<'static>, agd_status> {
    // SAFETY: the contract is the same.
    unsafe { held(document) }.map(Manifest::document)
}

/// Returns a list of a document. If the document was not parsed, the list reports misuse.
///
/// # Safety
/// `document` is NULL or readable.
pub(crate) unsafe fn list_of<L: Items>(
    document: *const agd_document,
    list: impl FnOnce(&Manifest<'static>) -> L::State,
) -> L {
    // SAFETY: the contract is the same.
    unsafe { held(document) }.map_or(L::UNINITIALISED, |manifest| list(manifest).into())
}

/// Fills a struct with an object of a document.
///
/// # Safety
/// `document` is NULL or readable; `out` is NULL or points to a writable `C` of the size that it
/// states.
pub(crate) unsafe fn part_of<C: Filled<Item>, Item>(
    document: *const agd_document,
    out: *mut C,
    part: impl FnOnce(&Manifest<'static>) -> Option<Item>,
) -> agd_status {
    // SAFETY: the contract is the same.
    ended(unsafe { held(document).and_then(|manifest| show(out, || part(manifest))) })
}

/// Options of parsing and detection. Initialise it with AGD_INIT: members left at zero have their
/// defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_options {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The format (AGD_FORMAT_*), if it is known; parsing then never fails because of missing
    /// fields. AGD_FORMAT_UNKNOWN, or a format that is recognized but not read
    /// (agd_format_is_read): detect the format.
    pub format: i32,
    /// Maximum nesting of JSON, YAML and Markdown. 0: the default, 64. Values above 256 are treated
    /// as 256.
    pub max_depth: u32,
    /// Maximum size of a document in bytes. 0: the default, 1 MiB. Values above 4 GiB - 1 are
    /// treated as 4 GiB - 1.
    pub max_document: usize,
    /// Maximum length of a line in the text formats, in bytes without the line end. 0: the default,
    /// 64 KiB.
    pub max_line: usize,
    /// Number of bytes read of a robots.txt; the rest is ignored, as RFC 9309 specifies. 0: the
    /// default, 500 KiB.
    pub max_robots: usize,
    /// The URL that the document was fetched from, or only its path; absent if unknown. UTF-8, not
    /// escaped.
    pub url: agd_text,
    /// The Content-Type of the response; absent if unknown. UTF-8, not escaped.
    pub content_type: agd_text,
}

growing! { agd_options, }

/// The default options.
pub(crate) const DEFAULTS: agd_options = agd_options {
    size: size_of::<agd_options>(),
    format: AGD_FORMAT_UNKNOWN,
    max_depth: 0,
    max_document: 0,
    max_line: 0,
    max_robots: 0,
    url: agd_text::ABSENT,
    content_type: agd_text::ABSENT,
};

/// Converts to the core's limits; 0 means the default.
pub(crate) fn limits(document: usize, depth: u32, line: usize, robots: usize) -> Limits {
    let or = |value: usize, default: usize| if value == 0 { default } else { value };
    Limits {
        document: or(document, Limits::DEFAULT.document),
        depth: or(depth as usize, Limits::DEFAULT.depth),
        line: or(line, Limits::DEFAULT.line),
        robots: or(robots, Limits::DEFAULT.robots),
    }
}

impl agd_options {
    /// Converts to the core's hints.
    ///
    /// # Safety
    /// The texts are readable.
    pub(crate) unsafe fn hints(&self) -> Result<Hints<'static>, agd_status> {
        // SAFETY: the contract is the same.
        unsafe { Ok(Hints { url: self.url.string()?, content_type: self.content_type.string()? }) }
    }

    /// Converts to the core's options.
    ///
    /// # Safety
    /// The texts are readable.
    pub(crate) unsafe fn read(&self) -> Result<ParseOptions<'static>, agd_status> {
        let limits = limits(self.max_document, self.max_depth, self.max_line, self.max_robots);
        let format = match self.format {
            AGD_FORMAT_UNKNOWN => None,
            number => Some(format_of(number).ok_or(AGD_ERROR_ARGUMENT)?),
        };
        // SAFETY: the contract is the same.
        let hints = unsafe { self.hints()? };
        Ok(ParseOptions { format, hints, limits })
    }
}

/// Parses a document: determines its format, validates it, and records where its parts are. Reading
/// from the document then cannot fail.
///
/// `data` may be NULL if `length` is 0. The bytes are not copied: they must stay unchanged and in
/// place while the document, or anything read from it, is used. `options` may be NULL for the
/// defaults. `document` must not be NULL; if parsing fails it is uninitialised, and functions
/// return AGD_ERROR_UNINITIALISED for it. `error` may be NULL and needs no initialisation.
///
/// Returns AGD_OK, or the error, which is also the kind in `error`. Thread-safe; linear in the
/// document; no heap, bounded stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_parse(
    data: *const c_char,
    length: usize,
    options: *const agd_options,
    document: *mut agd_document,
    error: *mut agd_error,
) -> agd_status {
    // SAFETY: the caller promises readable bytes that stay, readable options, and writable outputs.
    unsafe { settle(parse(data, length, options, document), document, error) }
}

/// Writes what was parsed, or why it was not.
///
/// # Safety
/// The outputs are NULL or writable.
unsafe fn settle(
    parsed: Result<Document<'static>, agd_error>,
    document: *mut agd_document,
    error: *mut agd_error,
) -> agd_status {
    // SAFETY: the contract is the same.
    unsafe {
        let written =
            write_out(error, parsed.as_ref().err().copied().unwrap_or_else(agd_error::none));
        if checked(document).is_ok() {
            match &parsed {
                Ok(parsed) if written.is_ok() => hold_in(document, parsed.manifest()),
                _ => document.write(agd_document::UNINITIALISED),
            }
        }
        ended(written.map(|()| parsed.map_or_else(|what| what.kind, |_| AGD_OK)))
    }
}

/// Parses a document whose format is known, without detection: the code for that is not linked into
/// a static program that calls no other function which detects. With a library that has one format,
/// the program has the code of that format only.
///
/// `format` is AGD_FORMAT_*. `options` may be NULL for the defaults; its format must be
/// AGD_FORMAT_UNKNOWN or `format`. Otherwise as agd_parse: a document of another format gives
/// AGD_ERROR_WRONG_FORMAT or what is wrong with it. Thread-safe; linear in the document; no heap,
/// bounded stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_parse_as(
    data: *const c_char,
    length: usize,
    format: i32,
    options: *const agd_options,
    document: *mut agd_document,
    error: *mut agd_error,
) -> agd_status {
    // SAFETY: the caller promises readable bytes that stay, readable options, and writable outputs.
    unsafe { settle(parse_as(data, length, format, options, document), document, error) }
}

/// # Safety
/// That of `agd_parse_as`.
unsafe fn parse_as(
    data: *const c_char,
    length: usize,
    format: i32,
    given: *const agd_options,
    document: *mut agd_document,
) -> Result<Document<'static>, agd_error> {
    // SAFETY: the contract is the same.
    let (bytes, options) = unsafe { input(data, length, given, document) }?;
    let format = format_of(format).filter(|format| options.format.is_none_or(|it| it == *format));
    let format = format.ok_or_else(|| agd_error::misuse(AGD_ERROR_ARGUMENT))?;
    Document::parse_as(bytes, format, &options.limits).map_err(|error| agd_error::of(error, bytes))
}

/// Makes an unread document for agd_decide, from bytes that agd_parse refuses because their format
/// is unknown or not read. Such a document allows nothing. It only denies requests that match lines
/// which a reader of robots.txt takes for restrictions (AGD_REASON_UNREAD_RESTRICTION). Its format
/// is AGD_FORMAT_UNKNOWN, its lists are empty and its parts absent.
///
/// `data` may be NULL if `length` is 0; it is borrowed as by agd_parse. `document` must not be NULL.
/// Returns AGD_OK, or a negative status for misuse. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_unread(
    data: *const c_char,
    length: usize,
    document: *mut agd_document,
) -> agd_status {
    // SAFETY: the caller promises readable bytes that stay, and a writable output, which is checked
    // before it is written.
    ended(unsafe {
        checked(document).and_then(|_| {
            let bytes = bytes(data.cast(), length)?;
            hold_in(document, Document::unread(bytes).manifest());
            Ok(AGD_OK)
        })
    })
}

/// # Safety
/// That of `agd_parse`.
unsafe fn parse(
    data: *const c_char,
    length: usize,
    given: *const agd_options,
    document: *mut agd_document,
) -> Result<Document<'static>, agd_error> {
    // SAFETY: the contract is the same.
    let (bytes, options) = unsafe { input(data, length, given, document) }?;
    Document::parse_with(bytes, &options).map_err(|error| agd_error::of(error, bytes))
}

/// Reads the arguments of a function that parses.
///
/// # Safety
/// That of `agd_parse`.
unsafe fn input(
    data: *const c_char,
    length: usize,
    given: *const agd_options,
    document: *mut agd_document,
) -> Result<(&'static [u8], ParseOptions<'static>), agd_error> {
    // SAFETY: the contract is the same.
    let read = unsafe {
        checked(document).and_then(|_| {
            let bytes = bytes(data.cast(), length)?;
            Ok((bytes, options(given, DEFAULTS)?.read()?))
        })
    };
    read.map_err(agd_error::misuse)
}

/// Returns the format of a document: AGD_FORMAT_*; AGD_FORMAT_UNKNOWN if it is NULL or was not
/// parsed.
///
/// Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_format(document: *const agd_document) -> i32 {
    // SAFETY: the caller promises that it is NULL or readable.
    unsafe { held(document) }.map_or(AGD_FORMAT_UNKNOWN, |manifest| number_of(manifest.format()))
}

/// Returns where a text is in its document: the byte offsets of its start and after its end, from
/// 0.
///
/// `document` must not be NULL; `start` and `end` may be. Returns AGD_OK, or AGD_ERROR_ARGUMENT if
/// the text is not part of the document. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_span(
    document: *const agd_document,
    part: agd_text,
    start: *mut usize,
    end: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable document and text, and outputs that are NULL or
    // writable.
    ended(unsafe {
        document_of(document).and_then(|document| write_span(document.bytes(), part, start, end))
    })
}

/// Writes the byte offsets of a part of `bytes`.
///
/// # Safety
/// The part is readable; `start` and `end` are NULL or writable.
pub(crate) unsafe fn write_span(
    bytes: &[u8],
    part: agd_text,
    start: *mut usize,
    end: *mut usize,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    let part = unsafe { part.get()? }.ok_or(AGD_ERROR_ARGUMENT)?.raw();
    let from = (part.as_ptr() as usize).wrapping_sub(bytes.as_ptr() as usize);
    if from > bytes.len() || part.len() > bytes.len() - from {
        return Err(AGD_ERROR_ARGUMENT);
    }
    // SAFETY: the contract is the same.
    unsafe {
        write_out(start, from)?;
        write_out(end, from + part.len())?;
    }
    Ok(AGD_OK)
}

/// Returns line and column of a byte offset in a document, both from 1; the column counts bytes.
/// LF, CRLF and a lone CR each end a line. An offset after the end is treated as the end.
///
/// `document` must not be NULL; `line` and `column` may be. Returns AGD_OK, or a negative status
/// for misuse. Thread-safe; linear in the offset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_position(
    document: *const agd_document,
    offset: usize,
    line: *mut u32,
    column: *mut u32,
) -> agd_status {
    // SAFETY: the caller promises a readable document, and outputs that are NULL or writable.
    ended(unsafe {
        document_of(document)
            .and_then(|document| write_position(document.position(offset), line, column))
    })
}

/// Writes line and column.
///
/// # Safety
/// `line` and `column` are NULL or writable.
pub(crate) unsafe fn write_position(
    position: Position,
    line: *mut u32,
    column: *mut u32,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    unsafe {
        write_out(line, position.line)?;
        write_out(column, position.column)?;
    }
    Ok(AGD_OK)
}

// One number stands for an absent value of every type.
const _: () = assert!(AGD_UNSAID == -1);
