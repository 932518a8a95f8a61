//! Detects the format of a document from its bytes and hints.

use core::ffi::c_char;
use core::mem::{MaybeUninit, size_of};

use agentsdisc_core::Format;

use crate::boundary::{bytes, checked, ended, give, growing, held, hold, options};
use crate::document::{DEFAULTS, agd_options};
use crate::format::number_of;
use crate::status::{AGD_NONE, AGD_SOME, agd_status};
use crate::text::agd_text;

/// Size of agd_detection_state in 64-bit words.
pub const AGD_DETECTION_WORDS: usize = 8;

/// The evidence of a detection.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_detection_state {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_DETECTION_WORDS],
}

/// A detected format and its evidence. It borrows nothing and can be copied.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_detection {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The format: AGD_FORMAT_*. AGD_FORMAT_UNKNOWN is a normal result.
    pub format: i32,
    /// Whether a hint decided: AGD_TRUE or AGD_FALSE.
    pub by_hint: i32,
    /// Number of different fields found that only agents.txt of the Internet-Draft has.
    pub agents_txt_votes: u32,
    /// Number of different fields found that only agents.txt 0.1.0 has.
    pub agents_txt_01_votes: u32,
    /// Number of different fields of robots.txt found.
    pub robots_txt_votes: u32,
    /// Reserved; zero.
    pub reserved: u32,
    /// The signs found; read them with agd_detection_sign.
    pub evidence: agd_detection_state,
}

growing! { agd_detection, }

/// Detects the format of a document without parsing it.
///
/// `data` may be NULL if `length` is 0; the bytes are only read during the call. `options` may be
/// NULL; only its hints (`url`, `content_type`) are used, a forced format is ignored. `detection`
/// must not be NULL and must be initialised (AGD_INIT).
///
/// Returns AGD_SOME, also for AGD_FORMAT_UNKNOWN, or a negative status for misuse. Thread-safe;
/// linear in a JSON document; constant for other documents, of which only the beginning is read.
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
        let evidence = agd_detection_state { state: [MaybeUninit::new(0); AGD_DETECTION_WORDS] };
        give(
            detection,
            Some(agd_detection {
                size: size_of::<agd_detection>(),
                format: number_of(found.format),
                by_hint: i32::from(found.by_hint),
                agents_txt_votes: found.evidence.count_of(Format::AgentsTxt),
                agents_txt_01_votes: found.evidence.count_of(Format::AgentsTxt01),
                robots_txt_votes: found.evidence.count_of(Format::RobotsTxt),
                reserved: 0,
                evidence: hold(evidence, found),
            }),
        )
    }
}

/// Returns one of the signs by which the format was detected, in English.
///
/// Call with `index` 0, 1, 2, … until AGD_NONE. Neither pointer may be NULL; `sign` is static text.
/// Returns AGD_SOME, AGD_NONE, or a negative status for misuse. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_detection_sign(
    detection: *const agd_detection,
    index: usize,
    sign: *mut agd_text,
) -> agd_status {
    // SAFETY: the caller promises a readable detection and a writable output; `checked` validates
    // the pointer before a member is accessed.
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
