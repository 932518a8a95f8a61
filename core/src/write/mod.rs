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

pub use convert::{ConvertError, ConvertOptions};
pub use fix::{Change, Fix, FixError};
pub(crate) use json::{manifest, string as json_string};
pub use loss::{Loss, Part, Path, Reason};
pub use sink::{Sink, SliceSink};
