//! What the checks of all formats share.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::{Code, Spec};
use crate::document::Document;
use crate::format::{agents_json, agents_txt, report::Report};
use crate::span::Span;

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
pub(crate) fn check<'a>(document: &Document<'a>, options: &CheckOptions<'_>, sink: &mut dyn FnMut(Diagnostic<'a>)) {
    let mut report = Report::new(sink, options.max);
    let bytes = document.bytes();
    let mut scratch = [0; 256];
    if let Some(robots) = document.robots_txt() {
        robots.findings(|finding| report.add(finding));
        return;
    }
    if let Some(document) = document.agents_md() {
        document.findings(options.origin, &mut |finding| report.add(finding));
        return;
    }
    let body = document.outline().body;
    if body.start > 0 {
        let message = "the document starts with a byte order mark; save it without one";
        report.add(Diagnostic::new(Code::ByteOrderMark, Span::new(0, body.start), Spec::Ruling, "", message));
    }
    if let Some(document) = document.agents_json() {
        agents_json::check::check(&document, bytes, options.origin, &mut scratch, &mut report);
    }
    if let Some(document) = document.agents_txt() {
        agents_txt::check::check(&document, options.origin, &mut scratch, &mut report);
    }
}
