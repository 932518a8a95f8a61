//! Views back to text.

mod json;
mod sink;

pub(crate) use json::{manifest, string as json_string};
pub use sink::{Sink, SliceSink};
