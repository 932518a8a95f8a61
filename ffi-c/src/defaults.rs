//! The defaults of agents.txt 0.1.0 and agents.json 0.1.

use core::ffi::c_char;
use core::fmt::Write;

use crate::boundary::{Buffer, ended};
use crate::document::{agd_document, document_of};
use crate::enumerations::truth;
use crate::status::{AGD_NONE, AGD_SOME, agd_status};

/// Writes the URL of the companion document: as written, possibly relative, otherwise the default
/// of the format. Only agents.txt 0.1.0 has a default: `/.well-known/agents.json` below the URL of
/// the site.
///
/// `document` must not be NULL. Buffer and `length` work as in agd_text_decode; the URL borrows
/// nothing. agd_document_head returns the URL as written.
///
/// Returns AGD_SOME; AGD_NONE if the document has no companion (the buffer is unchanged);
/// AGD_ERROR_BUFFER_TOO_SMALL; or another negative status for misuse. Thread-safe if the buffer is
/// not shared; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_companion_url(
    document: *const agd_document,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable document, a buffer in sole use, and a length that is
    // NULL or writable.
    ended(unsafe {
        document_of(document).and_then(|document| {
            let mut buffer = Buffer::new(buffer, capacity)?;
            let Some(companion) = document.companion_url() else {
                return Ok(AGD_NONE);
            };
            // The buffer counts the length and never fails.
            let _ = write!(buffer, "{companion}");
            buffer.finish(length).map(|_| AGD_SOME)
        })
    })
}

/// Returns whether the site must serve an agents.json 0.1 beside this document: an agents.txt 0.1.0
/// with `cart.add`, `checkout` and the like, or with `Audit: true`. AGD_TRUE or AGD_FALSE, also for
/// other formats; AGD_UNSAID if the document is NULL or was not parsed. Thread-safe; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_needs_companion(document: *const agd_document) -> i32 {
    // SAFETY: the caller promises that it is NULL or readable.
    let document = unsafe { document_of(document) }.ok();
    truth(document.map(|document| document.needs_companion()))
}

/// Returns whether the actions of agents are recorded: AGD_TRUE or AGD_FALSE, with the default of
/// agents.txt 0.1.0 and agents.json 0.1, AGD_FALSE. AGD_UNSAID for other formats, if the value
/// cannot be read, or if the document is NULL or was not parsed.
///
/// agd_document_audit returns the value as written. Thread-safe; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_document_is_audited(document: *const agd_document) -> i32 {
    // SAFETY: the caller promises that it is NULL or readable.
    let document = unsafe { document_of(document) }.ok();
    truth(document.and_then(|document| document.is_audited()))
}
