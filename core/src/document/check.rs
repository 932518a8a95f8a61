//! The check of a document, by the rules of its format.

use super::Document;
use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::format::{built_in, fact};
use crate::rules::CheckOptions;
use crate::rules::report::Report;
use crate::span::Span;
use crate::syntax::url::Url;

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
    let here = on_loopback(options);
    let origin = options.origin.filter(|origin| here != Some(*origin));
    let mut report = Report::new(sink, options.max).about(bytes).from(here, bytes);
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
    built_in!(document.format() => check(bytes, &outline, origin, scratch, &mut report));
}

/// The origin of the server that sent a document, if it is on a loopback address.
fn on_loopback<'o>(options: &CheckOptions<'o>) -> Option<&'o str> {
    let is_loopback =
        |origin: &&str| Url::parse(origin.as_bytes()).is_some_and(|url| url.is_loopback());
    options.received_from.or(options.origin).filter(is_loopback)
}

#[cfg(all(test, feature = "agents-txt"))]
mod tests {
    use super::*;

    /// The codes of what is reported about a document that names a server on this machine.
    fn reports(origin: Option<&str>, received_from: Option<&str>) -> [bool; 3] {
        let text = b"Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n\
            Capability: x\n  Endpoint: http://localhost:8000/x\n  Protocol: REST\n";
        let Ok(document) = Document::parse(text) else { return [true; 3] };
        let mut found = [false; 3];
        let options = CheckOptions { origin, received_from, ..CheckOptions::default() };
        document.check(&options, |diagnostic| {
            let codes = [Code::InsecureUrl, Code::PrivateAddress, Code::OriginMismatch];
            for (found, code) in found.iter_mut().zip(codes) {
                *found |= diagnostic.code == code;
            }
        });
        found
    }

    #[test]
    fn a_server_on_this_machine_may_name_itself() {
        let (own, other) = (Some("http://localhost:8000"), Some("http://localhost:80"));
        let [insecure, private, _] = reports(None, None);
        assert!(insecure || private);
        assert_eq!(reports(own, None), [false; 3]);
        assert_eq!(reports(Some("https://a.example"), own), [false; 3]);
        assert_eq!(reports(Some("https://b.example"), own), [false, false, true]);
        assert_eq!(reports(None, other), [insecure, private, false]);
        assert_eq!(reports(Some("https://b.example"), None), [insecure, private, true]);
    }
}
