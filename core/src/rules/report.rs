//! Receives the diagnostics of the checks.

use core::ops::Range;

use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::rules::credentials;

/// Passes diagnostics to a callback, up to a maximum number. Does not sort them; the callback does.
pub(crate) struct Report<'s, 'a> {
    sink: &'s mut dyn FnMut(Diagnostic<'a>),
    /// The number of diagnostics that may still follow; `None` after `too-many-diagnostics` was
    /// reported.
    left: Option<usize>,
    /// The byte range from the first to the last word of private keys in the document.
    keys: Range<usize>,
}

impl<'s, 'a> Report<'s, 'a> {
    /// Passes at most `max` diagnostics to `sink`, then one `too-many-diagnostics` if there are
    /// more.
    pub(crate) fn new(sink: &'s mut dyn FnMut(Diagnostic<'a>), max: usize) -> Self {
        Self { sink, left: Some(max), keys: 0..0 }
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

    /// Passes a diagnostic to the callback. Withholds its texts if one of them looks like a
    /// credential.
    pub(crate) fn add(&mut self, mut diagnostic: Diagnostic<'a>) {
        let Some(left) = self.left else { return };
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
