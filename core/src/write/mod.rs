//! Views back to text.

mod json;
mod sink;

#[cfg(feature = "serde")]
pub(crate) use json::characters;
pub(crate) use json::{manifest, string as json_string};
pub use sink::{Sink, SliceSink};
