//! Tests that select the SIMD back end. The selection applies to the whole process, so these tests have their own program;
//! it would change the times of the other tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may panic.

mod backends;
#[path = "../common/collect.rs"]
mod collect;
mod fused;
#[path = "../common/received.rs"]
mod received;
#[path = "../common/tokens.rs"]
mod tokens;
#[path = "../common/vectors.rs"]
mod vectors;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until no other test runs. The forced back end applies to the whole process; if it changed
/// in the middle of a document, the masks would be inconsistent.
fn one_at_a_time() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}
