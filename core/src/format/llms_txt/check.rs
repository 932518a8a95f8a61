//! The check of a llms.txt.

use super::LlmsTxt;
use crate::format::report::Report;

/// Checks a document.
pub(crate) fn check<'a>(
    _document: &LlmsTxt<'a>,
    _scratch: &mut [u32],
    _report: &mut Report<'_, 'a>,
) {
}
