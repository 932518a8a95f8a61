//! Buffers of the caller that the core writes into at places of its own choice.

use core::ffi::c_char;
use core::{ptr, slice};

use crate::boundary::tell;
use crate::status::{
    AGD_ERROR_ARGUMENT, AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_NULL, AGD_OK, agd_status,
};

/// Why nothing was written.
pub(crate) enum Miss {
    /// So many bytes would have been enough.
    Room(usize),
    /// For a reason that room does not change.
    Status(agd_status),
}

/// A buffer of the caller for what the core writes.
pub(crate) struct Space {
    start: *mut u8,
    capacity: usize,
}

impl Space {
    /// The buffer that C names by pointer and capacity; NULL has none.
    ///
    /// # Safety
    /// `capacity` bytes are writable at `start`, and nothing else uses them while this value, or anything made from it, is used.
    pub(crate) unsafe fn new(start: *mut c_char, capacity: usize) -> Result<Self, agd_status> {
        if capacity > isize::MAX as usize {
            return Err(AGD_ERROR_ARGUMENT);
        }
        if capacity != 0 && start.is_null() {
            return Err(AGD_ERROR_NULL);
        }
        Ok(Self {
            start: start.cast(),
            capacity,
        })
    }

    /// The same without its last bytes.
    pub(crate) const fn less(self, bytes: usize) -> Self {
        Self {
            start: self.start,
            capacity: self.capacity.saturating_sub(bytes),
        }
    }

    /// All of it, cleared, because C may not have.
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

    /// Has a text written into it, with a NUL at its end, or the empty string where there is no room for both.
    ///
    /// # Safety
    /// `length` is NULL or writable.
    pub(crate) unsafe fn fill(
        self,
        length: *mut usize,
        write: impl FnOnce(&'static mut [u8]) -> Result<&'static str, Miss>,
    ) -> Result<agd_status, agd_status> {
        let (start, capacity) = (self.start, self.capacity);
        let space = self.less(1).bytes();
        let made = write(space).map(|text| (text.as_ptr(), text.len()));
        let end = match made {
            // SAFETY: what was made is in the buffer, and shorter than it by the NUL.
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
        let told = match made {
            Ok((_, made)) => made,
            Err(Miss::Room(needed)) => needed,
            Err(Miss::Status(status)) => return Err(status),
        };
        // SAFETY: the contract is the same.
        unsafe { tell(length, told)? };
        if made.is_ok() && told < capacity {
            Ok(AGD_OK)
        } else {
            Err(AGD_ERROR_BUFFER_TOO_SMALL)
        }
    }
}
