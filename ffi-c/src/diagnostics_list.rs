//! Iterates over any number of diagnostics in document order, with a window of any size.
//!
//! Implementation note: the window holds the first diagnostics in order. After the last diagnostic
//! of the window, the document is checked again, and the window then holds the diagnostics that
//! follow it. The check is deterministic, so the order of equal diagnostics is stable.

use core::mem::{MaybeUninit, size_of};
use core::ptr;

use agentsdisc_core::span::Position;

use crate::boundary::{checked, ended, held, held_mut, hold_in, options, room};
use crate::diagnostics::{agd_check_options, agd_diagnostic, check, check_defaults, item};
use crate::document::{agd_document, document_of};
use crate::sorted::{Key, Sorted};
use crate::status::{AGD_ERROR_ARGUMENT, AGD_NONE, AGD_OK, AGD_SOME, agd_status};

/// Size of agd_diagnostics in 64-bit words.
pub const AGD_DIAGNOSTICS_WORDS: usize = 160;

/// A list of diagnostics. It borrows the document's bytes, the window, and the memory that the
/// options point to. Iterate only one copy: copies share the window.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_diagnostics {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_DIAGNOSTICS_WORDS],
}

/// The state of a list.
pub(crate) struct Listing {
    document: agd_document,
    options: agd_check_options,
    sorted: Sorted,
    /// Index of the next element in the window.
    next: usize,
    /// Sort key of the last diagnostic in the window, if more follow it.
    last: Option<Key>,
}

impl Listing {
    /// Fills the window with the diagnostics after `after`.
    fn fill(&mut self, after: Option<Key>) -> Result<(), agd_status> {
        self.sorted.clear(after);
        let sorted = &mut self.sorted;
        // SAFETY: both are fields of this struct, and the memory they point to stays valid by the
        // contract of `agd_diagnostics_begin`.
        unsafe {
            check(&raw const self.document, &raw const self.options, |_, diagnostic| {
                sorted.offer(item(diagnostic, Position { line: 0, column: 0 }));
            })?;
            self.last = self.sorted.finish(document_of(&raw const self.document)?.bytes());
        }
        self.next = 0;
        Ok(())
    }
}

/// Checks a document and starts a list of the diagnostics, sorted by offset, then by code.
///
/// `window` is your memory for `capacity` diagnostics, at least one, which need no initialisation;
/// `item_size` is `sizeof *window`. The list returns any number of diagnostics; each time the
/// window is used up, the document is checked again. `document` must not be NULL; `options` may be
/// NULL for the defaults. `list` must not be NULL, and needs no initialisation. The document's
/// bytes, the window, and the origin and scratch memory of the options must stay valid, and nothing
/// else may use window and scratch memory, until the iteration ends.
///
/// Returns AGD_OK, or a negative status for misuse: iterating the list then returns
/// AGD_ERROR_UNINITIALISED. Thread-safe if the memory is not shared; n log n in the document; about
/// 20 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_diagnostics_begin(
    list: *mut agd_diagnostics,
    document: *const agd_document,
    options: *const agd_check_options,
    window: *mut agd_diagnostic,
    item_size: usize,
    capacity: usize,
) -> agd_status {
    // SAFETY: the caller promises a writable list, readable document and options, and a window in
    // sole use.
    ended(unsafe { begin(list, document, options, (window, item_size, capacity)) })
}

/// # Safety
/// That of `agd_diagnostics_begin`.
unsafe fn begin(
    list: *mut agd_diagnostics,
    document: *const agd_document,
    given: *const agd_check_options,
    (window, item_size, capacity): (*mut agd_diagnostic, usize, usize),
) -> Result<agd_status, agd_status> {
    checked(list)?;
    // SAFETY: it is not NULL, aligned, and writable by the contract.
    unsafe { list.write(agd_diagnostics { state: [MaybeUninit::new(0); AGD_DIAGNOSTICS_WORDS] }) };
    if capacity == 0 {
        return Err(AGD_ERROR_ARGUMENT);
    }
    // SAFETY: the contract is the same; the document was checked before it is copied.
    let mut listing = unsafe {
        held(document)?;
        Listing {
            document: document.read(),
            options: options(given, check_defaults())?,
            sorted: Sorted::new(window, item_size, capacity)?,
            next: 0,
            last: None,
        }
    };
    listing.options.size = size_of::<agd_check_options>();
    listing.fill(None)?;
    // SAFETY: it is not NULL, aligned, and writable by the contract.
    unsafe { hold_in(list, listing) };
    Ok(AGD_OK)
}

/// Returns the next diagnostic of a list.
///
/// Neither pointer may be NULL; `diagnostic` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`diagnostic` is unchanged), or a
/// negative status for misuse. Not thread-safe on one list; constant time; if the window is used
/// up, n log n in the document and about 19 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_diagnostics_next(
    list: *mut agd_diagnostics,
    diagnostic: *mut agd_diagnostic,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output, which is checked before
    // the list advances.
    ended(unsafe {
        held_mut(list).and_then(|list| {
            let room = room(diagnostic)?;
            if list.next >= list.sorted.filled() {
                let Some(last) = list.last else {
                    return Ok(AGD_NONE);
                };
                list.fill(Some(last))?;
            }
            if list.next >= list.sorted.filled() {
                return Ok(AGD_NONE);
            }
            let (found, length) = list.sorted.item(list.next);
            ptr::copy(found.cast::<MaybeUninit<u8>>(), diagnostic.cast(), length.min(room));
            diagnostic.cast::<usize>().write(room);
            list.next += 1;
            Ok(AGD_SOME)
        })
    })
}
