//! The MCP server card.

pub(crate) mod check;

use crate::model::Reading;
use crate::syntax::json::view::{Array, view};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document.
    pub struct Top {
        /// `name`.
        name: Text<'a> = b"name",
        /// `tools`.
        tools: Array<'a> = b"tools",
    }
}

/// A parsed MCP server card.
#[derive(Clone, Copy, Debug)]
pub struct McpServerCard<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> McpServerCard<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self {
            top: Top::attach(bytes, outline),
        }
    }
}

impl<'a> Reading<'a> for McpServerCard<'a> {}
