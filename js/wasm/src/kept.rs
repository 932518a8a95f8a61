//! What lasts from one question to the next: a discovery, or a call.
//!
//! The package keeps its state as bytes, passes them to every question, and receives them back behind
//! the answer. So nothing needs memory here while it waits for the network.

use alloc::boxed::Box;
use core::mem::{MaybeUninit, size_of};

use crate::documents::joined;
use crate::input::Input;
use crate::json::Json;

/// A state that owns no memory, and refers to nothing but constants of the module.
///
/// # Safety
/// This must be true for the type.
pub(crate) unsafe trait State {}

// SAFETY: texts of a discovery stand in it; names of headers and codes are constants.
unsafe impl State for agentsdisc_core::discovery::Discovery {}

// SAFETY: a call consists of numbers.
unsafe impl State for agentsdisc_core::call::Call {}

/// Reads the state that [`put`] has written; nothing for bytes of another length.
pub(crate) fn read<T: State>(input: &mut Input<'_>) -> Option<Box<T>> {
    let bytes = input.bytes()?;
    if bytes.len() != size_of::<T>() {
        return None;
    }
    let mut place = Box::new(MaybeUninit::<T>::uninit());
    // SAFETY: both have this length, and do not overlap. The bytes are those of a value: the package
    // keeps what it received, where nothing else can reach it, for the same module.
    unsafe {
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), place.as_mut_ptr().cast(), bytes.len());
        Some(place.assume_init())
    }
}

/// Writes the state behind the answer.
pub(crate) fn put<T: State>(state: &T, json: &mut Json) {
    // SAFETY: a value can be read as so many bytes; those between its members have any value, as memory
    // of the module always has one.
    let bytes = unsafe {
        core::slice::from_raw_parts(core::ptr::from_ref(state).cast::<u8>(), size_of::<T>())
    };
    joined(json, bytes);
}
