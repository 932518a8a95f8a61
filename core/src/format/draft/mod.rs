//! The Internet-Draft, in its two notations: agents.txt and agents.json.

pub mod agents_json;
pub mod agents_txt;
pub(crate) mod check;
mod vocabulary;
