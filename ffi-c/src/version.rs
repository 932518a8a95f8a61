//! The version of the library, at compile time and at run time.

use core::ffi::c_char;

use crate::boundary::c_text;

/// Major version of this header.
pub const AGD_VERSION_MAJOR: u32 = 0;
/// Minor version of this header.
pub const AGD_VERSION_MINOR: u32 = 1;
/// Patch version of this header.
pub const AGD_VERSION_PATCH: u32 = 0;

/// Returns the version of the library at run time, such as `0.1.0`, NUL-terminated. AGD_VERSION is
/// the version of the header.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_version() -> *const c_char {
    c_text!(env!("CARGO_PKG_VERSION"))
}

/// Returns the version of the library at run time as a number: major * 1000000 + minor * 1000 +
/// patch. AGD_VERSION_NUMBER is the version of the header.
///
/// Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_version_number() -> u32 {
    AGD_VERSION_MAJOR * 1_000_000 + AGD_VERSION_MINOR * 1_000 + AGD_VERSION_PATCH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_are_the_version_of_the_crate() {
        assert_eq!(
            format!("{AGD_VERSION_MAJOR}.{AGD_VERSION_MINOR}.{AGD_VERSION_PATCH}"),
            env!("CARGO_PKG_VERSION")
        );
    }
}
