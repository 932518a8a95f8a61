//! The document formats: their names, and one module for each format that the library reads.

pub mod a2a;
pub mod adp;
pub(crate) mod agent_names;
pub mod agent_skills;
pub mod agents_json;
pub mod agents_json_01;
pub mod agents_md;
pub mod agents_txt;
pub mod agents_txt_01;
pub mod ai_catalog;
pub mod api_catalog;
pub mod awp;
pub(crate) mod check;
pub mod credentials;
pub(crate) mod doubled;
pub(crate) mod draft;
pub(crate) mod json_check;
pub(crate) mod json_common;
pub mod llms_txt;
pub mod mcp_card;
pub(crate) mod report;
pub mod robots_txt;
pub(crate) mod user_agent;
pub(crate) mod values;

pub use crate::kind::Format;
pub(crate) use crate::kind::{READS_JSON, assert_all_read, built_in};
