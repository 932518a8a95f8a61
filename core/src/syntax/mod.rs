//! Tokenizers and borrowed views of syntax, from which the formats are built.

pub mod pattern;
pub mod text;
pub mod url;
