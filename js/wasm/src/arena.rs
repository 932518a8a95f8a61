//! The allocator: a pointer that moves up the linear memory, and back at the beginning of a call.

use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32;
use core::cell::Cell;

/// The bytes of a page of linear memory.
const PAGE: usize = 1 << 16;

/// Linear memory above the data of the module.
///
/// INVARIANT: everything from `top` on is free.
pub(crate) struct Arena {
    top: Cell<usize>,
}

// SAFETY: the module has one thread: it is built without atomics, and no memory is shared.
unsafe impl Sync for Arena {}

#[global_allocator]
pub(crate) static ARENA: Arena = Arena { top: Cell::new(0) };

impl Arena {
    /// Where free memory begins.
    pub(crate) fn top(&self) -> usize {
        self.top.get().max(first())
    }

    /// Frees everything from an address on.
    ///
    /// # Safety
    /// Nothing there may be used afterwards.
    pub(crate) unsafe fn free_from(&self, address: usize) {
        self.top.set(address);
    }

    /// Takes memory up to an address. False if there is not so much.
    fn take(&self, end: usize) -> bool {
        let size = wasm32::memory_size(0).saturating_mul(PAGE);
        let missing = end.saturating_sub(size).div_ceil(PAGE);
        if missing > 0 && wasm32::memory_grow(0, missing) == usize::MAX {
            return false;
        }
        self.top.set(end);
        true
    }
}

/// The first address above the data and the stack.
fn first() -> usize {
    unsafe extern "C" {
        static __heap_base: u8;
    }
    &raw const __heap_base as usize
}

// SAFETY: blocks do not overlap, as `top` only moves up between two calls; `take` makes sure that they
// are in memory; and their addresses are aligned as `layout` asks.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = self.top().checked_next_multiple_of(layout.align());
        let end = start.and_then(|start| start.checked_add(layout.size()));
        match (start, end) {
            (Some(start), Some(end)) if self.take(end) => start as *mut u8,
            _ => core::ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if pointer as usize + layout.size() == self.top() {
            self.top.set(pointer as usize);
        }
    }

    /// The last block grows where it is.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let start = pointer as usize;
        if start + layout.size() == self.top() {
            return match start.checked_add(size) {
                Some(end) if self.take(end) => pointer,
                _ => core::ptr::null_mut(),
            };
        }
        if size <= layout.size() {
            return pointer;
        }
        // SAFETY: the alignment is valid, as it is that of a layout, and the caller makes sure that the
        // size does not overflow.
        let moved = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !moved.is_null() {
            // SAFETY: both blocks have at least the bytes of the old one, and do not overlap.
            unsafe { core::ptr::copy_nonoverlapping(pointer, moved, layout.size()) };
        }
        moved
    }
}

/// Nothing here panics but for memory that is used up. The package makes a new instance.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    wasm32::unreachable()
}
