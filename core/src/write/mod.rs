//! Writes documents: the unified model as JSON, and other formats.

mod adapt;
mod adp;
mod adp_auth;
mod agents_md;
mod awp;
mod carry;
#[cfg(feature = "write")]
mod convert;
mod draft;
mod examples;
#[cfg(feature = "write")]
mod fix;
mod flat;
mod guard;
#[cfg(feature = "json")]
mod json;
mod layout;
mod lines;
mod llms_txt;
mod loss;
mod losses;
mod markdown;
mod out;
mod place;
mod preferences;
mod robots;
mod undeclared;
mod writer;

pub use crate::sink::{Sink, SliceSink};
pub use awp::Synthetic;
#[cfg(feature = "write")]
pub use convert::{ConvertError, ConvertOptions, NoTarget};
#[cfg(feature = "write")]
pub use fix::{Change, Fix, FixError};
pub use loss::{Loss, Part, Path, Reason};
pub(crate) use writer::{Writer, key};
