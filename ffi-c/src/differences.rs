//! Whether two documents of one site say the same.

use core::ffi::c_void;
use core::mem::size_of;

use agentsdisc_core::document::Difference;
use agentsdisc_core::span::Span;

use crate::boundary::{ended, growing, tell};
use crate::document::{agd_document, document_of};
use crate::status::{AGD_OK, agd_status};
use crate::text::agd_text;

/// One thing that two documents of a site do not say alike. The callback gets it; it may be copied (`size` bytes of it), and borrows the bytes of both
/// documents.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_difference {
    /// Size of this struct as the library knows it.
    pub size: usize,
    /// Which member of the unified model, such as `capabilities.endpoint`. Static text, without a NUL behind it.
    pub field: agd_text,
    /// The id of the capability, or the name of the agent, that it belongs to; empty for the others.
    pub subject: agd_text,
    /// The item of a list, or the name of the parameter; empty for the others.
    pub item: agd_text,
    /// AGD_TRUE where the first document says it somewhere, AGD_FALSE where it does not: then `first_start` and `first_end` are 0.
    pub in_first: i32,
    /// The same of the second document.
    pub in_second: i32,
    /// Offset in bytes, from 0, of the first byte of it in the first document; agd_document_position returns the line.
    pub first_start: usize,
    /// Offset behind its last byte there.
    pub first_end: usize,
    /// Offset in bytes, from 0, of the first byte of it in the second document.
    pub second_start: usize,
    /// Offset behind its last byte there.
    pub second_end: usize,
}

growing! { agd_difference, }

/// Receives each difference; `user` is what agd_differences was given. Returns true to continue, false to stop.
///
/// `difference` lives during the call only. The callback must return: no exception and no longjmp through the library.
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

/// Compares two documents of one site, field by field: an agents.txt with the agents.json beside it (also of agents.txt 0.1.0, where less is compared,
/// since the two say less in common), and tells `callback` what they do not say alike. Defaults count as said; neither the order of lists matters, nor
/// letter case where it means nothing, nor when the documents were made.
///
/// Neither document may be NULL; `callback` may be, and is then not called. `user` is passed on. `complete`, where it is not NULL, gets AGD_TRUE where
/// everything was compared, and AGD_FALSE where the documents are so large, and in so different an order, that the rest was left out.
///
/// Returns AGD_OK, or a negative status for misuse. Thread-safe as far as the callback is; linear in the documents; about 24 KB of
/// stack. Of each list, everything that stands in the same order in both documents is compared, and some hundred items that do not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_differences(
    first: *const agd_document,
    second: *const agd_document,
    complete: *mut i32,
    callback: agd_difference_callback,
    user: *mut c_void,
) -> agd_status {
    // SAFETY: the caller promises readable documents, a number that is NULL or writable, and a callback that returns.
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
    unsafe { tell(complete, i32::from(is_complete))? };
    Ok(AGD_OK)
}
