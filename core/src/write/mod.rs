//! Views back to text: the unified model as JSON, and documents of other formats.

mod adapt;
mod carry;
mod convert;
mod draft;
mod fix;
mod flat;
mod json;
mod layout;
mod lines;
mod loss;
mod out;
mod sink;
mod writer;

pub use convert::{ConvertError, ConvertOptions};
pub use fix::{Change, Fix, FixError};
pub(crate) use json::manifest;
pub use loss::{Loss, Part, Path, Reason};
pub(crate) use sink::put_number;
pub use sink::{Sink, SliceSink};
pub(crate) use writer::{Writer, key, string as json_string};
