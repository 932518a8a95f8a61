//! The severity of what a check or a conversion reports.

use core::ffi::c_char;

use agentsdisc_core::Severity;

/// Information.
pub const AGD_SEVERITY_INFO: i32 = 1;
/// Violates a SHOULD, or is very likely a mistake.
pub const AGD_SEVERITY_WARNING: i32 = 2;
/// Violates a MUST, or a required field is missing.
pub const AGD_SEVERITY_ERROR: i32 = 3;

pub(crate) const fn severity(severity: Severity) -> i32 {
    match severity {
        Severity::Info => AGD_SEVERITY_INFO,
        Severity::Warning => AGD_SEVERITY_WARNING,
        Severity::Error => AGD_SEVERITY_ERROR,
    }
}

/// Returns the name of a severity (AGD_SEVERITY_*), NUL-terminated: `info`, `warning`, `error`;
/// `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_severity_name(severity: i32) -> *const c_char {
    match severity {
        AGD_SEVERITY_INFO => c"info",
        AGD_SEVERITY_WARNING => c"warning",
        AGD_SEVERITY_ERROR => c"error",
        _ => c"unknown",
    }
    .as_ptr()
}
