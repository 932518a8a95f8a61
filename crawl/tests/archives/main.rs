//! Tests of the archive reader.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod arc;
mod damage;
mod made;
mod ranges;
mod records;
