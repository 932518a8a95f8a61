//! Diagnostics one after the other, in the order of the document, however many there are and however little memory is lent.
//!
//! To whom changes this: the window is filled with the first diagnostics in order; when they are given, the document is checked again, and the
//! window filled with the first of those behind the last one. The check is the same each time, so the order of equal ones is, too.

use core::mem::{MaybeUninit, size_of};
use core::ptr;

use agentsdisc_core::span::Position;

use crate::boundary::{checked, ended, held, held_mut, hold_in, options, room};
use crate::diagnostics::{agd_check_options, agd_diagnostic, check, check_defaults, item};
use crate::document::{agd_document, document_of};
use crate::shelf::{Key, Shelf};
use crate::status::{AGD_ERROR_ARGUMENT, AGD_NONE, AGD_OK, AGD_SOME, agd_status};

/// Words of the state of a list of diagnostics.
pub const AGD_DIAGNOSTICS_WORDS: usize = 128;

/// A list of diagnostics. It borrows the document's bytes, and the window and what the options name. Only one copy may walk, as they share the
/// window.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_diagnostics {
    /// The library's.
    pub state: [MaybeUninit<u64>; AGD_DIAGNOSTICS_WORDS],
}

/// The state of a list.
pub(crate) struct Listing {
    document: agd_document,
    options: agd_check_options,
    shelf: Shelf,
    /// The element of the window that is next.
    next: usize,
    /// What the last diagnostic in the window is compared by, where there are more behind it.
    last: Option<Key>,
}

impl Listing {
    /// Fills the window with what comes behind `after`.
    fn fill(&mut self, after: Option<Key>) -> Result<(), agd_status> {
        self.shelf.clear(after);
        let shelf = &mut self.shelf;
        // SAFETY: both are ours, and what they name stays by the contract of `agd_diagnostics_begin`.
        unsafe {
            check(
                &raw const self.document,
                &raw const self.options,
                |_, diagnostic| {
                    shelf.offer(item(diagnostic, Position { line: 0, column: 0 }));
                },
            )?;
            self.last = self
                .shelf
                .finish(document_of(&raw const self.document)?.bytes());
        }
        self.next = 0;
        Ok(())
    }
}

/// Checks a document and makes a list of what is found, in the order of the document (by offset, then by code).
///
/// `window` is memory of yours for `capacity` diagnostics, at least one, which need no initialisation; `item_size` is `sizeof *window`. The list
/// gives any number of diagnostics, but each time that the window is used up, the document is checked again: with a window for all of them, once.
/// `document` must not be NULL; `options` may be, for the defaults. `list` must not be NULL, and needs no initialisation. The document's bytes, the
/// window, and the origin and scratch memory of the options must stay, and nobody else may use window and scratch memory, until the walk ends.
///
/// Returns AGD_OK; or a negative status for misuse, and then the list answers AGD_ERROR_UNINITIALISED, unless it is NULL. Thread-safe, where the
/// memory is; n log n in the document; about 20 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_diagnostics_begin(
    list: *mut agd_diagnostics,
    document: *const agd_document,
    options: *const agd_check_options,
    window: *mut agd_diagnostic,
    item_size: usize,
    capacity: usize,
) -> agd_status {
    // SAFETY: the caller promises a writable list, readable document and options, and a window in sole use.
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
    unsafe {
        list.write(agd_diagnostics {
            state: [MaybeUninit::new(0); AGD_DIAGNOSTICS_WORDS],
        })
    };
    if capacity == 0 {
        return Err(AGD_ERROR_ARGUMENT);
    }
    // SAFETY: the contract is the same; the document was checked before it is copied.
    let mut listing = unsafe {
        held(document)?;
        Listing {
            document: document.read(),
            options: options(given, check_defaults())?,
            shelf: Shelf::new(window, item_size, capacity)?,
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

/// The next diagnostic of a list.
///
/// Neither pointer may be NULL; `diagnostic` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the end
/// AGD_NONE (and `diagnostic` stays as it is), or a negative status for misuse. Not thread-safe on one list; constant time, but n log n in the
/// document, and about 19 KB of stack, where the window is used up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_diagnostics_next(
    list: *mut agd_diagnostics,
    diagnostic: *mut agd_diagnostic,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output, which is asked before the list moves.
    ended(unsafe {
        held_mut(list).and_then(|list| {
            let room = room(diagnostic)?;
            if list.next >= list.shelf.filled() {
                let Some(last) = list.last else {
                    return Ok(AGD_NONE);
                };
                list.fill(Some(last))?;
            }
            if list.next >= list.shelf.filled() {
                return Ok(AGD_NONE);
            }
            let (found, length) = list.shelf.item(list.next);
            ptr::copy(
                found.cast::<MaybeUninit<u8>>(),
                diagnostic.cast(),
                length.min(room),
            );
            diagnostic.cast::<usize>().write(room);
            list.next += 1;
            Ok(AGD_SOME)
        })
    })
}
