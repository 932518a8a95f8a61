//! Bytes to positions: where a string ends, a container closes, blanks stop.
//!
//! Everything above this layer asks these functions and nothing else about runs of bytes. Each has a plain
//! implementation of a few lines in `tests` beside it, which the property tests compare it with.

mod scalar;

pub(crate) use scalar::{blanks_end, container_end, string_end, string_stop};
