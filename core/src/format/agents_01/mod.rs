//! agents.txt 0.1.0, and its companion agents.json 0.1.

pub mod agents_json;
pub mod agents_txt;
