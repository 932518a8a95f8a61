//! Tokenizers and borrowed views of syntax, from which the formats are built.

pub mod json;
pub mod text;
