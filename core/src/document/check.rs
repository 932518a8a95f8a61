//! The check of a document, by the rules of its format.

use super::Document;
use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::format::{built_in, fact};
use crate::rules::CheckOptions;
use crate::rules::report::Report;
use crate::span::Span;

impl<'a> Document<'a> {
    /// Checks the document against its specification and calls `sink` with each diagnostic, in no
    /// particular order.
    ///
    /// Duplicates, references and cycles are found with a scratch buffer of 256 numbers on the
    /// stack, enough for 128 names. If there are more names, that part of the check is skipped and
    /// reported as `not-checked`; [`check_with`](Self::check_with) accepts a larger buffer. O(n log
    /// n).
    pub fn check(&self, options: &CheckOptions<'_>, sink: impl FnMut(Diagnostic<'a>)) {
        self.check_with(options, &mut [0; 256], sink);
    }

    /// Like [`check`](Self::check), with a scratch buffer from the caller. Its initial content does
    /// not matter.
    ///
    /// The buffer needs two numbers for each name in the largest set of names that are compared:
    /// the capabilities or actions, the agents, the entities, the flows, the members of one map,
    /// the parameters of one capability. The prerequisites of an AWP document need four numbers for
    /// each id in `dependencies`, keys and values alike. One number for each byte of the document
    /// is always enough.
    pub fn check_with(
        &self,
        options: &CheckOptions<'_>,
        scratch: &mut [u32],
        mut sink: impl FnMut(Diagnostic<'a>),
    ) {
        check(self, options, scratch, &mut sink);
    }
}

/// Checks a document. `scratch` is the buffer in which names are sorted; see
/// [`Document::check_with`].
fn check<'a>(
    document: &Document<'a>,
    options: &CheckOptions<'_>,
    scratch: &mut [u32],
    sink: &mut dyn FnMut(Diagnostic<'a>),
) {
    let bytes = document.bytes();
    let mut report = Report::new(sink, options.max).about(bytes);
    let start = crate::syntax::text::byte_order_mark(bytes);
    if start > 0 && !fact!(document.format() => reports_mark) {
        let message = "the document starts with a byte order mark; save it as UTF-8 without one";
        report.add(Diagnostic::new(
            Code::ByteOrderMark,
            Span::new(0, start as u32),
            Spec::Ruling,
            "",
            message,
        ));
    }
    let outline = document.outline();
    built_in!(document.format() => check(bytes, &outline, options.origin, scratch, &mut report));
}
