//! Views back to text.

mod json;
mod sink;

pub(crate) use json::manifest;
pub use sink::{Sink, SliceSink};
