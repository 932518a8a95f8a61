//! Receives the diagnostics of the checks.

use core::ops::Range;

use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::rules::credentials;
use crate::scan;

/// Passes diagnostics to a callback, up to a maximum number. Does not sort them; the callback does.
pub(crate) struct Report<'s, 'a> {
    sink: &'s mut dyn FnMut(Diagnostic<'a>),
    /// The number of diagnostics that may still follow; `None` after `too-many-diagnostics` was
    /// reported.
    left: Option<usize>,
    /// The byte range from the first to the last word of private keys in the document.
    keys: Range<usize>,
    /// The origin on a loopback address that sent the document, and the document.
    here: Option<(&'s [u8], &'s [u8])>,
}

impl<'s, 'a> Report<'s, 'a> {
    /// Passes at most `max` diagnostics to `sink`, then one `too-many-diagnostics` if there are
    /// more.
    pub(crate) fn new(sink: &'s mut dyn FnMut(Diagnostic<'a>), max: usize) -> Self {
        Self { sink, left: Some(max), keys: 0..0, here: None }
    }

    /// Also withholds the words of private keys that extend over several texts of the document.
    pub(crate) fn about(mut self, document: &[u8]) -> Self {
        credentials::key_words(document, |word| {
            if self.keys.is_empty() {
                self.keys.start = word.start;
            }
            self.keys.end = word.end;
        });
        self
    }

    /// Leaves out that a URL of the server that sent the document is on a loopback address.
    pub(crate) fn from(mut self, here: Option<&'s str>, document: &'s [u8]) -> Self {
        self.here = here.map(|origin| (origin.as_bytes(), document));
        self
    }

    /// Whether a diagnostic only says that the server has a loopback address.
    fn is_about_here(&self, diagnostic: &Diagnostic<'_>) -> bool {
        let Some((origin, document)) = self.here else { return false };
        let place = diagnostic.span.slice(document);
        let behind = |at: usize| place.get(at.saturating_add(origin.len()));
        matches!(diagnostic.code, Code::InsecureUrl | Code::PrivateAddress)
            && scan::find(place, origin)
                .is_some_and(|at| !behind(at).is_some_and(u8::is_ascii_digit))
    }

    /// Passes a diagnostic to the callback. Withholds its texts if one of them looks like a
    /// credential.
    pub(crate) fn add(&mut self, mut diagnostic: Diagnostic<'a>) {
        let Some(left) = self.left.filter(|_| !self.is_about_here(&diagnostic)) else { return };
        self.left = left.checked_sub(1);
        if self.left.is_none() {
            let template =
                "there are more diagnostics than the limit; fix the reported ones and check again";
            (self.sink)(Diagnostic::new(
                Code::TooManyDiagnostics,
                diagnostic.span,
                Spec::Ruling,
                "",
                template,
            ));
            return;
        }
        let in_key = self.keys.contains(&(diagnostic.span.start as usize));
        let is_secret = |text| {
            credentials::holds_credential(text)
                || credentials::is_key_material(text.raw())
                || in_key && credentials::is_key_word(text.raw())
        };
        if diagnostic.texts().any(is_secret) {
            diagnostic.withhold();
        }
        (self.sink)(diagnostic);
    }

    /// Whether the limit is reached, so further checks have no effect.
    pub(crate) fn is_full(&self) -> bool {
        self.left.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn the_limit_is_followed_by_one_more_diagnostic() {
        let mut codes = heapless::Vec::<Code, 8>::new();
        let mut sink = |diagnostic: Diagnostic<'_>| codes.push(diagnostic.code).unwrap();
        let mut report = Report::new(&mut sink, 2);
        for _ in 0..5 {
            report.add(Diagnostic::new(Code::UnknownField, Span::default(), Spec::Ruling, "", ""));
        }
        assert!(report.is_full());
        assert_eq!(codes, [Code::UnknownField, Code::UnknownField, Code::TooManyDiagnostics]);
    }
}
