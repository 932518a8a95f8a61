//! agent.json of the Agent Web Protocol, where the unified model says less than the format.

use core::mem::size_of;

use agentsdisc_core::Document;
use agentsdisc_core::format::awp::{Actions, Awp, PrerequisiteError};

use crate::boundary::{checked, ended, give, growing, lent, tell};
use crate::document::{agd_document, document_of};
use crate::enumerations::truth;
use crate::status::{
    AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_CAPACITY_EXCEEDED, AGD_ERROR_CYCLE, AGD_ERROR_NULL,
    AGD_ERROR_WRONG_FORMAT, AGD_NONE, AGD_OK, agd_status,
};
use crate::text::agd_text;

/// Feature flags of an AWP document (section 6). A flag that is absent counts as not offered, and is distinct from false here.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_awp_features {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// `streaming`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub streaming: i32,
    /// `batch_actions`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub batch_actions: i32,
    /// `webhooks`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub webhooks: i32,
    /// `idempotency`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    pub idempotency: i32,
    /// `pagination` as written: `cursor`, `offset`, `page` or `none`; absent where it is not.
    pub pagination: agd_text,
}

growing! { agd_awp_features, }

/// The typed view of a document that must be an agent.json.
fn awp(document: &Document<'static>) -> Result<Awp<'static>, agd_status> {
    document.awp().ok_or(AGD_ERROR_WRONG_FORMAT)
}

/// The feature flags of an AWP document. agd_document_features has them as they are written, with those of no name.
///
/// Neither pointer may be NULL; `features` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME; AGD_NONE where
/// the document gives none; AGD_ERROR_WRONG_FORMAT if it is not an agent.json; or a negative status for misuse. Thread-safe; linear in the
/// flags.
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

/// The actions that must run before an action of an AWP document (section 11), in an order in which they can run: each once, behind everything
/// that it requires itself. None where nothing is required. That the names are those of actions is for the check to say.
///
/// `document` must not be NULL; `action` is plain UTF-8. `scratch` is memory of yours for `scratch_length` numbers (NULL where that is 0), whatever they are: four for
/// each name in `dependencies`, keys and values alike. `items` is memory for `capacity` texts, which borrow the document's bytes; it may be NULL
/// where `capacity` is 0. Nobody else uses either meanwhile. `found`, where it is not NULL, gets the number of actions.
///
/// Returns AGD_OK; AGD_ERROR_CYCLE where there is no such order, and then the actions are those that require one another, each the next one, and
/// the last one the first; AGD_ERROR_BUFFER_TOO_SMALL where there are more actions than there is room for, and then the first ones are given;
/// AGD_ERROR_CAPACITY_EXCEEDED where there is too little scratch memory, and then `found` gets how many numbers are needed;
/// AGD_ERROR_WRONG_FORMAT if the document is not an agent.json; or another negative status for misuse. Thread-safe, where the memory is;
/// n log n in `dependencies`.
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
    // SAFETY: the caller promises a readable document and text, memory in sole use, and a number that is NULL or writable.
    ended(unsafe {
        prerequisites(
            document,
            action,
            (scratch, scratch_length),
            (items, capacity),
            found,
        )
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
            lent(scratch.0, scratch.1)?,
        )
    };
    // SAFETY: the contract is the same.
    unsafe {
        give_actions(items, found, || {
            Ok(Some(awp(document)?.prerequisites(action, scratch)))
        })
    }
}

/// Gives the caller the actions that `made` makes, or the cycle; AGD_NONE where it has nothing to say.
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
            unsafe { tell(found, 0)? };
            return Ok(AGD_NONE);
        }
        Some(Ok(actions)) => (actions, AGD_OK),
        Some(Err(PrerequisiteError::Cycle(actions))) => (actions, AGD_ERROR_CYCLE),
        Some(Err(PrerequisiteError::CapacityExceeded { needed })) => {
            // SAFETY: the contract is the same.
            unsafe { tell(found, needed)? };
            return Err(AGD_ERROR_CAPACITY_EXCEEDED);
        }
    };
    let mut count = 0;
    for action in actions {
        if count < items.1 {
            // SAFETY: the element is one of the caller's array, which was checked.
            unsafe { items.0.add(count).write(action.into()) };
        }
        count += 1;
    }
    // SAFETY: the contract is the same.
    unsafe { tell(found, count)? };
    if count > items.1 {
        Err(AGD_ERROR_BUFFER_TOO_SMALL)
    } else {
        Ok(status)
    }
}
