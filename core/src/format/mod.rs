//! The document formats: their names, and one folder for each format that the library reads.

pub mod a2a;
pub(crate) mod about;
pub mod acp;
pub mod adp;
pub mod agent_skills;
pub(crate) mod agents_01;
pub mod agents_md;
pub mod ai_catalog;
pub mod api_catalog;
pub mod auth_md;
pub mod awp;
pub(crate) mod draft;
pub(crate) mod facts;
pub mod llms_txt;
pub mod mcp_card;
pub mod oauth;
pub mod openapi;
pub mod robots_txt;
pub mod signature_directory;
#[cfg(all(test, feature = "serde"))]
mod tests;
pub mod ucp;
pub mod x402;

pub use agents_01::{agents_json as agents_json_01, agents_txt as agents_txt_01};
pub use draft::{agents_json, agents_txt};
pub use facts::{Facts, Published, Serving};

pub use crate::kind::Format;
pub(crate) use crate::kind::READS_JSON;
pub use crate::rules::credentials;
pub(crate) use about::{built_in, fact, rows};
