//! Tests that choose the SIMD back end. The choice holds for the whole process, so these tests have a program of their own:
//! in the program of the other tests, it would change their times.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)] // A test may panic.

mod backends;
mod fused;
#[path = "../common/heard.rs"]
mod heard;
#[path = "../common/tokens.rs"]
mod tokens;
#[path = "../common/told.rs"]
mod told;
#[path = "../common/vectors.rs"]
mod vectors;
