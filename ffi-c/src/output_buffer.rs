//! Output buffers of the caller that the core writes at arbitrary offsets.

use core::ffi::c_char;
use core::{ptr, slice};

use crate::boundary::write_out;
use crate::status::{
    AGD_ERROR_ARGUMENT, AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_NULL, AGD_OK, agd_status,
};

/// Why nothing was written.
pub(crate) enum FillError {
    /// The buffer is too small; this many bytes are enough.
    TooSmall(usize),
    /// A larger buffer would not help.
    Status(agd_status),
}

/// An output buffer of the caller.
pub(crate) struct OutputBuffer {
    start: *mut u8,
    capacity: usize,
}

impl OutputBuffer {
    /// A buffer from pointer and capacity. NULL is valid only with capacity zero.
    ///
    /// # Safety
    /// `capacity` bytes are writable at `start`, and nothing else uses them while this value, or
    /// anything derived from it, is used.
    pub(crate) unsafe fn new(start: *mut c_char, capacity: usize) -> Result<Self, agd_status> {
        if capacity > isize::MAX as usize {
            return Err(AGD_ERROR_ARGUMENT);
        }
        if capacity != 0 && start.is_null() {
            return Err(AGD_ERROR_NULL);
        }
        Ok(Self { start: start.cast(), capacity })
    }

    /// The same buffer without its last bytes.
    pub(crate) const fn less(self, bytes: usize) -> Self {
        Self { start: self.start, capacity: self.capacity.saturating_sub(bytes) }
    }

    /// The whole buffer, cleared because it may be uninitialised.
    pub(crate) fn bytes(self) -> &'static mut [u8] {
        if self.capacity == 0 {
            return &mut [];
        }
        // SAFETY: `new` checked pointer and capacity, and its contract grants sole use.
        unsafe {
            self.start.write_bytes(0, self.capacity);
            slice::from_raw_parts_mut(self.start, self.capacity)
        }
    }

    /// Writes a text, NUL-terminated, or the empty string if there is no room for both.
    ///
    /// # Safety
    /// `length` is NULL or writable.
    pub(crate) unsafe fn fill(
        self,
        length: *mut usize,
        write: impl FnOnce(&'static mut [u8]) -> Result<&'static str, FillError>,
    ) -> Result<agd_status, agd_status> {
        let (start, capacity) = (self.start, self.capacity);
        let space = self.less(1).bytes();
        let made = write(space).map(|text| (text.as_ptr(), text.len()));
        let end = match made {
            // SAFETY: the result is in the buffer, and there is room for the NUL.
            Ok((text, made)) if made < capacity => unsafe {
                ptr::copy(text, start, made);
                made
            },
            _ => 0,
        };
        if capacity != 0 {
            // SAFETY: the end is in the buffer.
            unsafe { start.add(end).write(0) };
        }
        let size = match made {
            Ok((_, made)) => made,
            Err(FillError::TooSmall(needed)) => needed,
            Err(FillError::Status(status)) => return Err(status),
        };
        // SAFETY: the contract is the same.
        unsafe { write_out(length, size)? };
        if made.is_ok() && size < capacity { Ok(AGD_OK) } else { Err(AGD_ERROR_BUFFER_TOO_SMALL) }
    }
}
