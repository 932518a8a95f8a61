//! What the fuzz targets do with an input, one module for each. They are a library because the programs in `fuzz_targets/` then share what
//! is compiled: each is only linked.

pub mod agents_json;
pub mod agents_md;
pub mod agents_txt;
pub mod archive;
pub mod backends;
pub mod c_api;
pub mod call;
pub mod check;
pub mod discovery;
pub mod document;
pub mod json;
pub mod line;
pub mod markdown;
pub mod robots_txt;
pub mod signature;
pub mod yaml;

mod common;
mod pieces;
mod replies;
