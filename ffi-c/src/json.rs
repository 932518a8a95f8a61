//! Writes documents as JSON.

use core::ffi::c_char;

use crate::boundary::{Buffer, ended};
use crate::document::{agd_document, document_of};
use crate::status::agd_status;

/// Writes a document in the unified model as JSON, on one line, NUL-terminated.
///
/// `document` must not be NULL. `buffer` may be NULL if `capacity` is 0, to query the length.
/// `length`, if not NULL, receives the length without the NUL, even if the buffer is too small; a
/// capacity of length + 1 is enough.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL if text and NUL do not fit: the buffer then holds the
/// empty string, never a part of the text. Thread-safe; linear in the document.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_write_json(
    document: *const agd_document,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable document, a writable buffer in sole use, and a length
    // that is NULL or writable.
    ended(unsafe {
        document_of(document).and_then(|document| {
            let mut buffer = Buffer::new(buffer, capacity)?;
            document.put_json(&mut buffer);
            buffer.finish(length)
        })
    })
}
