//! The check of an index of agent skills.

use super::AgentSkills;
use crate::format::report::Report;

/// Checks a document.
pub(crate) fn check<'a>(
    _document: &AgentSkills<'a>,
    _bytes: &'a [u8],
    _scratch: &mut [u32],
    _report: &mut Report<'_, 'a>,
) {
}
