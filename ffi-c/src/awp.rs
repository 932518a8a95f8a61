//! Parts of agent.json of the Agent Web Protocol that the unified model does not cover.

use core::mem::size_of;

use agentsdisc_core::Document;
use agentsdisc_core::format::awp::{Actions, Awp, PrerequisiteError};

use crate::boundary::{checked, cleared, ended, give, growing, write_out};
use crate::document::{agd_document, document_of};
use crate::enumerations::truth;
use crate::status::{
    AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_CAPACITY_EXCEEDED, AGD_ERROR_CYCLE, AGD_ERROR_NULL,
    AGD_ERROR_UNREADABLE, AGD_ERROR_WRONG_FORMAT, AGD_NONE, AGD_OK, agd_status,
};
use crate::text::agd_text;

/// Feature flags of an AWP document (section 6). An absent flag means that the feature is not
/// offered; AGD_UNSAID distinguishes it from false.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_awp_features {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// `streaming`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub streaming: i32,
    /// `batch_actions`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub batch_actions: i32,
    /// `webhooks`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub webhooks: i32,
    /// `idempotency`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub idempotency: i32,
    /// `pagination` as written: `cursor`, `offset`, `page` or `none`; absent if the document does
    /// not give it.
    pub pagination: agd_text,
}

growing! { agd_awp_features, }

/// The typed view of an agent.json; AGD_ERROR_WRONG_FORMAT for other documents.
fn awp(document: &Document<'static>) -> Result<Awp<'static>, agd_status> {
    document.awp().ok_or(AGD_ERROR_WRONG_FORMAT)
}

/// Returns the feature flags of an AWP document. agd_document_features returns all flags as
/// written, including unknown ones.
///
/// Neither pointer may be NULL; `features` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME; AGD_NONE if the document has none; AGD_ERROR_WRONG_FORMAT if
/// it is not an agent.json; or a negative status for misuse. Thread-safe; linear in the flags.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_awp_feature_flags(
    document: *const agd_document,
    features: *mut agd_awp_features,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output.
    ended(unsafe {
        document_of(document).and_then(|document| {
            let flags = awp(document)?.feature_flags();
            give(
                features,
                flags.map(|flags| agd_awp_features {
                    size: size_of::<agd_awp_features>(),
                    streaming: truth(flags.streaming),
                    batch_actions: truth(flags.batch_actions),
                    webhooks: truth(flags.webhooks),
                    idempotency: truth(flags.idempotency),
                    pagination: flags.pagination.into(),
                }),
            )
        })
    })
}

/// Returns the actions that must run before an action of an AWP document (section 11), in an order
/// in which they can run: each action occurs once, after all actions that it requires. The list is
/// empty if nothing is required. agd_check reports names that are not actions; this function does
/// not.
///
/// `document` must not be NULL; `action` is plain UTF-8. `scratch` is your memory for
/// `scratch_length` numbers (NULL if that is 0), not necessarily initialised: four for each name in
/// `dependencies`, keys and values alike. `items` has room for `capacity` texts, which borrow the
/// document's bytes; it may be NULL if `capacity` is 0. Nothing else may use `scratch` and `items`
/// during the call. `found`, if not NULL, receives the number of actions.
///
/// Returns AGD_OK; AGD_ERROR_CYCLE if there is no such order: the items are then the actions of the
/// cycle, each of which requires the next one, and the last one requires the first;
/// AGD_ERROR_UNREADABLE if a part of `dependencies` cannot be read, so that other actions may be
/// required as well: the items are then the actions that can be read; AGD_ERROR_BUFFER_TOO_SMALL if
/// there are more actions than items, which then hold the first ones; AGD_ERROR_CAPACITY_EXCEEDED
/// if the scratch memory is too small: `found` then receives the required number of numbers;
/// AGD_ERROR_WRONG_FORMAT if the document is not an agent.json; or another negative status for
/// misuse. Thread-safe if the memory is not shared; n log n in `dependencies`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_awp_prerequisites(
    document: *const agd_document,
    action: agd_text,
    scratch: *mut u32,
    scratch_length: usize,
    items: *mut agd_text,
    capacity: usize,
    found: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable document and text, memory in sole use, and a number
    // that is NULL or writable.
    ended(unsafe {
        prerequisites(document, action, (scratch, scratch_length), (items, capacity), found)
    })
}

/// # Safety
/// That of `agd_awp_prerequisites`.
unsafe fn prerequisites(
    document: *const agd_document,
    action: agd_text,
    scratch: (*mut u32, usize),
    items: (*mut agd_text, usize),
    found: *mut usize,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    let (document, action, scratch) = unsafe {
        (
            document_of(document)?,
            action.string()?.ok_or(AGD_ERROR_NULL)?,
            cleared(scratch.0, scratch.1)?,
        )
    };
    // SAFETY: the contract is the same.
    unsafe {
        give_actions(items, found, || Ok(Some(awp(document)?.prerequisites(action, scratch))))
    }
}

/// Writes the actions that `made` returns, or the cycle, to the caller's array. Returns AGD_NONE if
/// `made` returns none.
///
/// # Safety
/// `items` is an array in sole use, and `found` NULL or writable.
pub(crate) unsafe fn give_actions<'s>(
    items: (*mut agd_text, usize),
    found: *mut usize,
    made: impl FnOnce() -> Result<
        Option<Result<Actions<'static, 's>, PrerequisiteError<'static, 's>>>,
        agd_status,
    >,
) -> Result<agd_status, agd_status> {
    if items.1 != 0 {
        checked(items.0)?;
    }
    let (actions, status) = match made()? {
        None => {
            // SAFETY: the contract is the same.
            unsafe { write_out(found, 0)? };
            return Ok(AGD_NONE);
        }
        Some(Ok(actions)) => (actions, AGD_OK),
        Some(Err(PrerequisiteError::Cycle(actions))) => (actions, AGD_ERROR_CYCLE),
        Some(Err(PrerequisiteError::Unreadable(actions))) => (actions, AGD_ERROR_UNREADABLE),
        Some(Err(PrerequisiteError::CapacityExceeded { needed })) => {
            // SAFETY: the contract is the same.
            unsafe { write_out(found, needed)? };
            return Err(AGD_ERROR_CAPACITY_EXCEEDED);
        }
    };
    let mut count = 0;
    for action in actions {
        if count < items.1 {
            // SAFETY: the element is in the caller's array, which was checked.
            unsafe { items.0.add(count).write(action.into()) };
        }
        count += 1;
    }
    // SAFETY: the contract is the same.
    unsafe { write_out(found, count)? };
    if count > items.1 { Err(AGD_ERROR_BUFFER_TOO_SMALL) } else { Ok(status) }
}
