//! What a document is, judged by its bytes and by hints.

use core::ffi::c_char;
use core::mem::{MaybeUninit, size_of};

use crate::boundary::{bytes, checked, ended, give, growing, held, hold, options};
use crate::document::{DEFAULTS, agd_options};
use crate::format::number_of;
use crate::status::{AGD_NONE, AGD_SOME, agd_status};
use crate::text::agd_text;

/// Words of the state of a detection.
pub const AGD_DETECTION_WORDS: usize = 8;

/// The evidence of a detection.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_detection_state {
    /// The library's.
    pub state: [MaybeUninit<u64>; AGD_DETECTION_WORDS],
}

/// A detected format and why. It borrows nothing, and can be copied.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_detection {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// What it is: AGD_FORMAT_*. AGD_FORMAT_UNKNOWN is a good answer.
    pub format: i32,
    /// Whether a hint was needed: AGD_TRUE or AGD_FALSE.
    pub by_hint: i32,
    /// Field lines that only agents.txt of the Internet-Draft has.
    pub agents_txt_votes: u32,
    /// Field lines that only agents.txt 0.1.0 has.
    pub agents_txt_01_votes: u32,
    /// Field lines of robots.txt.
    pub robots_txt_votes: u32,
    /// For later; zero.
    pub reserved: u32,
    /// The signs that were found, for agd_detection_sign.
    pub evidence: agd_detection_state,
}

growing! { agd_detection, }

/// Tells what a document is, without parsing it.
///
/// `data` may be NULL where `length` is 0; the bytes are only read during the call. Of `options`, which may be NULL, the hints (`url`,
/// `content_type`) count, a forced format does not. `detection` must not be NULL and must be initialised (AGD_INIT).
///
/// Returns AGD_SOME; AGD_FORMAT_UNKNOWN is not an error. A negative status is misuse. Thread-safe; linear in a JSON document, and constant in any
/// other, of which only the beginning is read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_detect(
    data: *const c_char,
    length: usize,
    options: *const agd_options,
    detection: *mut agd_detection,
) -> agd_status {
    // SAFETY: the caller promises readable bytes and options, and a writable output.
    ended(unsafe { detect(data, length, options, detection) })
}

/// # Safety
/// That of `agd_detect`.
unsafe fn detect(
    data: *const c_char,
    length: usize,
    given: *const agd_options,
    detection: *mut agd_detection,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    unsafe {
        let bytes = bytes(data.cast(), length)?;
        let hints = options(given, DEFAULTS)?.hints()?;
        let found = agentsdisc_core::detect(bytes, hints);
        let evidence = agd_detection_state {
            state: [MaybeUninit::new(0); AGD_DETECTION_WORDS],
        };
        give(
            detection,
            Some(agd_detection {
                size: size_of::<agd_detection>(),
                format: number_of(found.format),
                by_hint: i32::from(found.by_hint),
                agents_txt_votes: found.evidence.agents_txt,
                agents_txt_01_votes: found.evidence.agents_txt_01,
                robots_txt_votes: found.evidence.robots_txt,
                reserved: 0,
                evidence: hold(evidence, found),
            }),
        )
    }
}

/// One of the signs by which a document was told, in English words.
///
/// Ask with `index` 0, 1, 2, … until AGD_NONE. Neither pointer may be NULL; `sign` is static text. Returns AGD_SOME, AGD_NONE, or a negative
/// status for misuse. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_detection_sign(
    detection: *const agd_detection,
    index: usize,
    sign: *mut agd_text,
) -> agd_status {
    // SAFETY: the caller promises a readable detection and a writable output; `checked` looks at the pointer before a member is named.
    ended(unsafe {
        checked(detection).and_then(|detection| {
            let found = held(&raw const (*detection).evidence)?;
            checked(sign)?;
            let Some(text) = found.evidence.signs().nth(index) else {
                return Ok(AGD_NONE);
            };
            sign.write(text.as_bytes().into());
            Ok(AGD_SOME)
        })
    })
}
