//! The check of an API catalog (RFC 9727).

use super::ApiCatalog;
use crate::format::report::Report;

/// Checks a document.
pub(crate) fn check<'a>(
    _document: &ApiCatalog<'a>,
    _bytes: &'a [u8],
    _scratch: &mut [u32],
    _report: &mut Report<'_, 'a>,
) {
}
