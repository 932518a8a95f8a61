//! A document: detection, and parsing into one of the formats.

mod outline;

pub use outline::Outline;
