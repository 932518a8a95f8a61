//! What the checks of all formats share.

use crate::diagnostic::Diagnostic;
use crate::document::Document;

/// What a document is checked against.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions<'o> {
    /// The origin it was fetched from, such as `https://example.com`, where that is known.
    pub origin: Option<&'o str>,
    /// How many diagnostics are reported at most; then one `too-many-diagnostics`. Default 1,000.
    pub max: usize,
}

impl Default for CheckOptions<'_> {
    fn default() -> Self {
        Self { origin: None, max: 1000 }
    }
}

/// Checks a document.
pub(crate) fn check<'a>(_document: &Document<'a>, _options: &CheckOptions<'_>, _sink: &mut dyn FnMut(Diagnostic<'a>)) {}
