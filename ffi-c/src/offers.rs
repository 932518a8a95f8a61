//! What an agent can call on a site: all capabilities with the decision about each.

#[cfg(all(feature = "call", feature = "json"))]
use core::ffi::c_char;
use core::mem::MaybeUninit;

use agentsdisc_core::policy::Offers;

#[cfg(all(feature = "call", feature = "json"))]
use crate::boundary::{Buffer, held};
use crate::boundary::{checked, clear, cleared, ended, fill, held_mut, hold_in, room, write_out};
use crate::decision::{agd_decision, make};
use crate::document::agd_document;
use crate::model::agd_capability;
use crate::policy::{agd_request, asked_for_all, documents as array_of};
use crate::status::{AGD_NONE, AGD_OK, AGD_SOME, agd_status};
use crate::workspace::{agd_workspace, workspace_of};

/// The length of `scratch` of agd_offers_start for each capability, in numbers.
pub const AGD_OFFERS_SCRATCH: usize = 10;

const _: () = assert!(Offers::SCRATCH == AGD_OFFERS_SCRATCH);

/// Size of agd_offers in 64-bit words.
pub const AGD_OFFERS_WORDS: usize = 256;

/// The capabilities of a site, and the decision about each. It borrows what a decision borrows, and
/// the scratch memory. One thread at a time may use it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_offers {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_OFFERS_WORDS],
}

/// Starts a walk over everything that an agent can call by the documents of one site. Capabilities
/// with the same id are one, with the strictest terms of all documents.
///
/// `documents`, `count` and `request` are as for agd_decide, but `url`, `capability` and `method` of
/// the request do not matter. `scratch` has `scratch_length` numbers and needs AGD_OFFERS_SCRATCH for
/// each capability of each document; it may be NULL if that is 0. If it is shorter, the walk takes
/// quadratic time. It must stay in place, and must not be changed, while the walk is used.
///
/// Returns AGD_OK, or a negative status for misuse; the walk then cannot be used. Thread-safe;
/// linear in the documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_offers_start(
    documents: *const agd_document,
    count: usize,
    request: *const agd_request,
    scratch: *mut u32,
    scratch_length: usize,
    offers: *mut agd_offers,
) -> agd_status {
    // SAFETY: the caller promises a readable array and request, which stay valid, scratch memory in
    // sole use, and a writable output.
    ended(unsafe {
        clear(offers).and_then(|()| {
            checked(request)?;
            let documents = array_of(documents, count, &mut 0)?;
            let (request, robots) = asked_for_all(request)?;
            let memory = cleared(scratch, scratch_length)?;
            hold_in(offers, Offers::new(documents, robots, &request, memory));
            Ok(AGD_OK)
        })
    })
}

/// Returns the next capability, and the decision about it.
///
/// No pointer may be NULL, except `document`, which receives the index of the first document in the
/// order of precedence that declares the capability. `capability` and `decision` must be initialised
/// (AGD_INIT). `workspace` needs no initialisation, and is used only during the call. Returns
/// AGD_SOME, AGD_NONE at the end or after 16,384 capabilities (the outputs are unchanged), or a
/// negative status for misuse. Not thread-safe on one walk; linear in the documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_offers_next(
    offers: *mut agd_offers,
    workspace: *mut agd_workspace,
    capability: *mut agd_capability,
    decision: *mut agd_decision,
    document: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a walk and a workspace in sole use, and writable outputs, which are
    // checked before the walk advances.
    ended(unsafe {
        held_mut(offers).and_then(|offers| {
            let workspace = workspace_of(workspace)?;
            room(capability)?;
            room(decision)?;
            if !document.is_null() {
                checked(document)?;
            }
            let Some(offer) = offers.next_with(workspace) else {
                return Ok(AGD_NONE);
            };
            fill(capability, &offer.capability);
            make(decision, |made| *made = *offers.decision())?;
            write_out(document, offer.document)?;
            Ok(AGD_SOME)
        })
    })
}

/// Writes the JSON Schema (2020-12) of the arguments of the capability that was returned last, on one
/// line, NUL-terminated; the empty string before the first one.
///
/// `offers` must not be NULL. `buffer` may be NULL if `capacity` is 0, to query the length. `length`,
/// if not NULL, receives the length without the NUL, even if the buffer is too small.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL if text and NUL do not fit: the buffer then holds the
/// empty string; or a negative status for misuse. Thread-safe; linear in the capability.
#[cfg(all(feature = "call", feature = "json"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_offers_schema(
    offers: *const agd_offers,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable walk, a writable buffer in sole use, and a length that is
    // NULL or writable.
    ended(unsafe {
        held(offers).and_then(|offers| {
            let mut buffer = Buffer::new(buffer, capacity)?;
            offers.put_schema(&mut buffer);
            buffer.finish(length)
        })
    })
}
