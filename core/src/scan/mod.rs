//! Searches in bytes, on which every tokenizer spends most of its time.
//!
//! The functions here define the searches; the back ends implement them, with equal results.
//! `block` has the algorithms over 64 bytes at a time, `x86_64` and `aarch64` are its back ends,
//! and `dispatch` selects one; `json` and `scalar` use 64-bit words on every CPU, and tests compare
//! the other back ends with them. A build with `--cfg agentsdisc_scalar` contains only `json` and
//! `scalar`.

// Targets without a floating-point unit have no NEON.
#[cfg(all(target_arch = "aarch64", target_feature = "neon", not(agentsdisc_scalar)))]
#[allow(unsafe_code, reason = "intrinsics of NEON")]
mod aarch64;
// Without a back end, only the types of the algorithms are used.
#[cfg_attr(
    any(
        agentsdisc_scalar,
        not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))
    ),
    allow(dead_code)
)]
#[allow(unsafe_code, reason = "the algorithms call the intrinsics of a back end")]
pub(crate) mod block;
#[allow(unsafe_code, reason = "calls the back end that the CPU has")]
mod dispatch;
mod json;
mod scalar;
#[allow(unsafe_code, reason = "firmware has a smaller validation of text")]
mod utf8;
#[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
#[allow(unsafe_code, reason = "intrinsics of SSE2, AVX2 and AVX-512")]
mod x86_64;

pub use dispatch::{Backend, backend, force};
pub(crate) use dispatch::{container_end, is_utf8, json_masks, line_masks};
pub(crate) use json::string_end;
#[cfg(not(all(target_arch = "x86_64", not(agentsdisc_scalar))))]
pub(crate) use json::{blanks_end, string_stop};
pub(crate) use utf8::{character, text, valid_up_to};
#[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
pub(crate) use x86_64::{blanks_end, string_stop};

#[cfg(not(all(target_arch = "x86_64", not(agentsdisc_scalar))))]
use scalar as lines;
#[cfg(all(target_arch = "x86_64", not(agentsdisc_scalar)))]
use x86_64 as lines;

/// Offset of the first LF or CR, or the length.
#[inline(always)]
pub(crate) fn line_end(bytes: &[u8]) -> usize {
    lines::line_end(bytes)
}

/// Offset of the first colon, LF or CR, or the length.
#[inline(always)]
pub(crate) fn key_end(bytes: &[u8]) -> usize {
    lines::key_end(bytes)
}

/// Offset of the first `#`, LF or CR, or the length.
#[inline(always)]
pub(crate) fn text_end(bytes: &[u8]) -> usize {
    lines::text_end(bytes)
}

/// Offset of the first `octet`. Firmware uses a loop over bytes, because small code matters more
/// there.
#[inline(always)]
pub(crate) fn memchr(octet: u8, bytes: &[u8]) -> Option<usize> {
    if cfg!(target_os = "none") {
        bytes.iter().position(|&byte| byte == octet)
    } else {
        memchr::memchr(octet, bytes)
    }
}

/// Offset of the first byte that equals either one.
#[inline(always)]
pub(crate) fn memchr2(first: u8, second: u8, bytes: &[u8]) -> Option<usize> {
    if cfg!(target_os = "none") {
        bytes.iter().position(|&byte| byte == first || byte == second)
    } else {
        memchr::memchr2(first, second, bytes)
    }
}

/// Offset of the last `octet`.
#[inline(always)]
pub(crate) fn memrchr(octet: u8, bytes: &[u8]) -> Option<usize> {
    if cfg!(target_os = "none") {
        bytes.iter().rposition(|&byte| byte == octet)
    } else {
        memchr::memrchr(octet, bytes)
    }
}

/// Offset of the last byte that equals either one.
#[inline(always)]
pub(crate) fn memrchr2(first: u8, second: u8, bytes: &[u8]) -> Option<usize> {
    if cfg!(target_os = "none") {
        bytes.iter().rposition(|&byte| byte == first || byte == second)
    } else {
        memchr::memrchr2(first, second, bytes)
    }
}

/// Offset of the first occurrence of `part`. Meant for short parts: each occurrence of the first
/// byte costs a comparison.
///
/// (The compiler can prove that this function does not panic. It cannot for `memchr::memmem` and
/// the searches of `str`.)
pub(crate) fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    let first = *part.first()?;
    if cfg!(target_os = "none") {
        return (0..bytes.len())
            .find(|at| bytes.get(*at..).is_some_and(|rest| rest.starts_with(part)));
    }
    memchr::memchr_iter(first, bytes)
        .find(|at| bytes.get(*at..).is_some_and(|rest| rest.starts_with(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn lines_end_where_words_find_it(text in "[a-c:#\n\r\t ]{0,60}") {
            proptest::prop_assert_eq!(text_end(text.as_bytes()), scalar::text_end(text.as_bytes()));
            proptest::prop_assert_eq!(line_end(text.as_bytes()), scalar::line_end(text.as_bytes()));
            proptest::prop_assert_eq!(key_end(text.as_bytes()), scalar::key_end(text.as_bytes()));
        }
    }

    #[test]
    fn parts_are_found_where_they_first_stand() {
        for (text, part, place) in [
            ("a->b->c", "->", Some(1)),
            ("---->", "-->", Some(2)),
            ("a-", "->", None),
            ("a←→", "→", Some(4)),
            ("", "x", None),
        ] {
            assert_eq!(find(text.as_bytes(), part.as_bytes()), place, "{text}");
        }
    }
}
