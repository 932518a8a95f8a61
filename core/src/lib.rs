#![no_std]
#![forbid(unsafe_op_in_unsafe_fn)]
//! Reads the documents with which web sites tell AI agents what they may do.

pub mod diagnostic;
pub mod document;
pub mod error;
pub mod format;
pub mod limits;
pub mod manifest;
#[doc(hidden)]
pub mod scan;
#[cfg(feature = "serde")]
pub mod serde_support;
pub mod span;
pub mod syntax;
pub mod write;

pub use diagnostic::{Code, Diagnostic, Severity};
pub use document::{Detection, Document, Evidence, Hints, Outline, ParseOptions, detect};
pub use error::{Error, ErrorKind};
pub use format::{Format, check::CheckOptions};
pub use limits::Limits;
pub use manifest::Manifest;
pub use span::{Position, Span};
