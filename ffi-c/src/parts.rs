//! The parts of a request in the caller's buffer, each NUL-terminated.
//!
//! The core writes method, URL, header lines and body without gaps. C needs NULs between them, so
//! the parts are moved apart, the last one first; the separators after header names and values
//! become NULs in place.

use core::ffi::c_char;
use core::ptr;

use agentsdisc_core::format::adp::Request;

use crate::adp_request::{HeaderLines, NO_HEADERS, agd_headers};
use crate::boundary::hold;

/// The number of parts, which is also the number of NULs after them.
pub(crate) const NULS: usize = 4;

/// Moves texts apart, so that a NUL follows each. Returns where each begins, and the size of all.
///
/// # Safety
/// The texts are adjacent from `start` on, and one writable byte for each follows them.
pub(crate) unsafe fn spread(
    start: *mut c_char,
    lengths: [usize; NULS],
) -> ([*mut c_char; NULS], usize) {
    let mut from: usize = lengths.iter().sum();
    let size = from + NULS;
    let (mut to, mut places) = (size, [start; NULS]);
    for (place, length) in places.iter_mut().rev().zip(lengths.into_iter().rev()) {
        (from, to) = (from - length, to - length - 1);
        // SAFETY: every offset is below the size; a move never overwrites a text that is moved
        // later, because the last one is moved first.
        unsafe {
            *place = start.add(to);
            ptr::copy(start.add(from), *place, length);
            place.add(length).write(0);
        }
    }
    (places, size)
}

/// An HTTP request in the caller's buffer.
pub(crate) struct Sent {
    pub(crate) method: *const c_char,
    pub(crate) url: *const c_char,
    /// NULL if there is none.
    pub(crate) body: *const c_char,
    pub(crate) body_length: usize,
    pub(crate) headers: agd_headers,
}

impl Sent {
    /// Moves the parts of a request apart. Returns the request and its size in bytes.
    ///
    /// # Safety
    /// The core wrote the request at `start`, and `NULS` writable bytes follow it.
    pub(crate) unsafe fn apart(request: &Request<'_>, start: *mut c_char) -> (Self, usize) {
        let (mut lines, mut count) = (0_usize, 0_usize);
        for header in request.headers {
            // A colon follows the name, a line end the value.
            lines += header.name.len() + header.value.len() + 2;
            count += 1;
        }
        let (has_body, body_length) = (request.body.is_some(), request.body.map_or(0, str::len));
        let lengths = [request.method.len(), request.url.len(), lines, body_length];
        // SAFETY: the contract is the same; the header lines are between URL and body.
        let ([method, url, headers, body], size) = unsafe {
            let spread = spread(start, lengths);
            let [_, _, headers, _] = spread.0;
            separate(headers, lines);
            spread
        };
        let sent = Self {
            method,
            url,
            body: if has_body { body } else { ptr::null() },
            body_length,
            headers: hold(NO_HEADERS, HeaderLines { next: headers, count }),
        };
        (sent, size)
    }
}

/// Replaces the separators of header lines by NULs.
///
/// # Safety
/// `length` bytes of header lines are writable at `lines`.
unsafe fn separate(lines: *mut c_char, length: usize) {
    let mut in_name = true;
    for place in 0..length {
        // SAFETY: the place is below the length.
        unsafe {
            let byte = lines.add(place);
            match (byte.read() as u8, in_name) {
                (b':', true) | (b'\n', false) => {
                    byte.write(0);
                    in_name = !in_name;
                }
                _ => {}
            }
        }
    }
}

/// Moves the only text to the start of the buffer, and terminates it.
///
/// # Safety
/// The text is in the buffer that begins at `start`, and a writable byte follows it.
pub(crate) unsafe fn alone(text: &str, start: *mut c_char) -> *const c_char {
    let (from, length) = (text.as_ptr(), text.len());
    // SAFETY: the contract is the same.
    unsafe {
        ptr::copy(from.cast(), start, length);
        start.add(length).write(0);
    }
    start
}
