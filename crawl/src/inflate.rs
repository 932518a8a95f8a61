//! libdeflate: inflates whole gzip members, three times as fast as zlib.
#![allow(unsafe_code)]

use std::ptr::NonNull;

use libdeflate_sys as sys;

/// Inflates whole gzip members.
pub(crate) struct Inflater(NonNull<sys::libdeflate_decompressor>);

/// Why a member is not inflated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It is damaged, or does not end in the input.
    Bad,
    /// Its content is larger than the output.
    Large,
}

// SAFETY: a decompressor has no thread-local state, and all use needs `&mut`.
unsafe impl Send for Inflater {}

impl Inflater {
    /// `None` without memory.
    pub(crate) fn new() -> Option<Self> {
        // SAFETY: no argument; null is handled.
        NonNull::new(unsafe { sys::libdeflate_alloc_decompressor() }).map(Self)
    }

    /// Inflates the member at the start of `input`. Returns its size and the size of its content. Both checks of its end are made.
    pub(crate) fn member(
        &mut self,
        input: &[u8],
        out: &mut [u8],
    ) -> Result<(usize, usize), Failure> {
        // libdeflate ignores a checksum of the header, and zlib does not.
        if input.get(3).is_none_or(|flags| flags & 0b1110_0010 != 0) {
            return Err(Failure::Bad);
        }
        let (mut used, mut made) = (0, 0);
        // SAFETY: the decompressor is alive, both buffers are as long as stated, and the two results are written before the call returns.
        let result = unsafe {
            sys::libdeflate_gzip_decompress_ex(
                self.0.as_ptr(),
                input.as_ptr().cast(),
                input.len(),
                out.as_mut_ptr().cast(),
                out.len(),
                &mut used,
                &mut made,
            )
        };
        match result {
            sys::libdeflate_result_LIBDEFLATE_SUCCESS => Ok((used, made)),
            sys::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE => Err(Failure::Large),
            _ => Err(Failure::Bad),
        }
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: it was allocated by the library and is freed once.
        unsafe { sys::libdeflate_free_decompressor(self.0.as_ptr()) }
    }
}
