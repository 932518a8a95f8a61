//! The check of an MCP server card.

use super::McpServerCard;
use crate::format::report::Report;

/// Checks a document.
pub(crate) fn check<'a>(
    _document: &McpServerCard<'a>,
    _bytes: &'a [u8],
    _scratch: &mut [u32],
    _report: &mut Report<'_, 'a>,
) {
}
