//! The check of an AI Catalog.

use super::AiCatalog;
use crate::format::report::Report;

/// Checks a document.
pub(crate) fn check<'a>(
    _document: &AiCatalog<'a>,
    _bytes: &'a [u8],
    _scratch: &mut [u32],
    _report: &mut Report<'_, 'a>,
) {
}
