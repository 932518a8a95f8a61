//! Compares two documents of one site.

use core::ffi::c_void;
use core::mem::size_of;

use agentsdisc_core::document::Difference;
use agentsdisc_core::span::Span;

use crate::boundary::{ended, growing, write_out};
use crate::document::{agd_document, document_of};
use crate::status::{AGD_OK, agd_status};
use crate::text::agd_text;

/// A difference between two documents of a site. Passed to the callback, which may copy it (`size`
/// bytes). It borrows the bytes of both documents.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_difference {
    /// Size of the struct in bytes, set by the library.
    pub size: usize,
    /// The member of the unified model, such as `capabilities.endpoint`. Static text, not
    /// NUL-terminated.
    pub field: agd_text,
    /// The id of the capability or the name of the agent that the member belongs to; empty for
    /// other members.
    pub subject: agd_text,
    /// The item of a list or the name of the parameter; empty for other members.
    pub item: agd_text,
    /// AGD_TRUE if the first document states the member; otherwise AGD_FALSE, and `first_start` and
    /// `first_end` are 0.
    pub in_first: i32,
    /// The same for the second document.
    pub in_second: i32,
    /// Byte offset of its start in the first document, from 0; agd_document_position returns the
    /// line.
    pub first_start: usize,
    /// Byte offset after its end in that document.
    pub first_end: usize,
    /// Byte offset of its start in the second document, from 0.
    pub second_start: usize,
    /// Byte offset after its end in that document.
    pub second_end: usize,
}

growing! { agd_difference, }

/// Receives each difference; `user` is what agd_differences was given. Returns true to continue,
/// false to stop.
///
/// `difference` is valid only during the call. The callback must return: no exception and no
/// longjmp through the library.
pub type agd_difference_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, difference: *const agd_difference) -> bool>;

impl From<Difference<'static>> for agd_difference {
    fn from(difference: Difference<'static>) -> Self {
        let place = |span: Option<Span>| {
            span.map_or((0, 0), |span| (span.start as usize, span.end as usize))
        };
        let ((first_start, first_end), (second_start, second_end)) =
            (place(difference.first), place(difference.second));
        Self {
            size: size_of::<Self>(),
            field: difference.field.as_bytes().into(),
            subject: difference.subject.into(),
            item: difference.item.into(),
            in_first: i32::from(difference.first.is_some()),
            in_second: i32::from(difference.second.is_some()),
            first_start,
            first_end,
            second_start,
            second_end,
        }
    }
}

/// Compares two documents of one site member by member, such as an agents.txt with its companion
/// agents.json, and calls `callback` for each difference. Also compares agents.txt 0.1.0, which has
/// fewer fields in common with its companion. Absent fields have their defaults. The order of
/// lists, insignificant letter case and the dates of the documents are ignored.
///
/// Neither document may be NULL; `callback` may be NULL, and is then not called. `user` is passed
/// to the callback. `complete`, if not NULL, receives AGD_TRUE if everything was compared, and
/// AGD_FALSE if a part was left out because the documents are too large and their order differs too
/// much.
///
/// Returns AGD_OK, or a negative status for misuse. Thread-safe if the callback is; linear in the
/// documents; about 24 KB of stack. In each list, all items that have the same order in both
/// documents are compared, and some hundred other items.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_differences(
    first: *const agd_document,
    second: *const agd_document,
    complete: *mut i32,
    callback: agd_difference_callback,
    user: *mut c_void,
) -> agd_status {
    // SAFETY: the caller promises readable documents, a number that is NULL or writable, and a
    // callback that returns.
    ended(unsafe { differences(first, second, complete, callback, user) })
}

/// # Safety
/// That of `agd_differences`.
unsafe fn differences(
    first: *const agd_document,
    second: *const agd_document,
    complete: *mut i32,
    callback: agd_difference_callback,
    user: *mut c_void,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    let (first, second) = unsafe { (document_of(first)?, document_of(second)?) };
    let mut wanted = callback;
    let is_complete = first.differences(second, |difference| {
        let Some(callback) = wanted else { return };
        let item = agd_difference::from(difference);
        // SAFETY: the caller promises a callback of this type, which returns.
        if !unsafe { callback(user, &raw const item) } {
            wanted = None;
        }
    });
    // SAFETY: the contract is the same.
    unsafe { write_out(complete, i32::from(is_complete))? };
    Ok(AGD_OK)
}
