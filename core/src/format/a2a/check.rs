//! The check of an A2A agent card.

use super::A2aAgentCard;
use crate::format::report::Report;

/// Checks a document.
pub(crate) fn check<'a>(
    _document: &A2aAgentCard<'a>,
    _bytes: &'a [u8],
    _scratch: &mut [u32],
    _report: &mut Report<'_, 'a>,
) {
}
