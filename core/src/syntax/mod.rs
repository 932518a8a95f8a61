//! Tokenizers and borrowed views of syntax, from which the formats are built.

pub(crate) mod bare_url;
pub(crate) mod base64;
#[cfg(any(feature = "discovery", feature = "identity"))]
pub(crate) mod cache_control;
pub(crate) mod fold;
pub(crate) mod grammar;
#[cfg(any(feature = "discovery", feature = "identity"))]
pub(crate) mod header;
pub(crate) mod html;
pub(crate) mod http_date;
pub(crate) mod input;
pub mod json;
pub mod line;
pub mod markdown;
pub(crate) mod outline;
pub mod pattern;
pub(crate) mod perfect;
pub(crate) mod pieces;
// Preferences only need the grammar.
#[cfg_attr(not(feature = "identity"), allow(dead_code))]
pub(crate) mod structured_field;
pub(crate) mod template;
pub mod text;
pub mod type_expr;
pub mod url;
pub mod yaml;
