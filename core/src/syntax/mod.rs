//! Tokenizers and borrowed views of syntax, from which the formats are built.

pub(crate) mod fold;
pub mod markdown;
pub mod text;
pub mod yaml;
