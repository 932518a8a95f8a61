//! Where checks put what they find.

use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::format::credentials;
use crate::syntax::text::Text;

/// Passes diagnostics on, up to a number of them. In whatever order they come: putting them in order is for the receiver.
pub(crate) struct Report<'s, 'a> {
    sink: &'s mut dyn FnMut(Diagnostic<'a>),
    /// How many may still come; `None` once it was said that there are more.
    left: Option<usize>,
}

impl<'s, 'a> Report<'s, 'a> {
    /// At most `max` diagnostics go to `sink`, and one more that says so where there were more.
    pub(crate) fn new(sink: &'s mut dyn FnMut(Diagnostic<'a>), max: usize) -> Self {
        Self {
            sink,
            left: Some(max),
        }
    }

    /// Passes one on. What looks like a credential is not repeated in its message, whatever it is about.
    pub(crate) fn add(&mut self, mut diagnostic: Diagnostic<'a>) {
        let Some(left) = self.left else { return };
        self.left = left.checked_sub(1);
        if self.left.is_none() {
            let template = "more was found than is reported; mend what is reported and check again";
            (self.sink)(Diagnostic::new(
                Code::TooManyDiagnostics,
                diagnostic.span,
                Spec::Ruling,
                "",
                template,
            ));
            return;
        }
        if credentials::holds_credential(diagnostic.subject)
            || credentials::is_key_material(diagnostic.subject.raw())
        {
            diagnostic.subject = Text::plain(b"(withheld)");
        }
        (self.sink)(diagnostic);
    }

    /// Whether nothing more is reported, so that looking further is of no use.
    pub(crate) fn is_full(&self) -> bool {
        self.left.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn past_the_maximum_one_more_says_so() {
        let mut codes = heapless::Vec::<Code, 8>::new();
        let mut sink = |diagnostic: Diagnostic<'_>| codes.push(diagnostic.code).unwrap();
        let mut report = Report::new(&mut sink, 2);
        for _ in 0..5 {
            report.add(Diagnostic::new(
                Code::UnknownField,
                Span::default(),
                Spec::Ruling,
                "",
                "",
            ));
        }
        assert!(report.is_full());
        assert_eq!(
            codes,
            [
                Code::UnknownField,
                Code::UnknownField,
                Code::TooManyDiagnostics
            ]
        );
    }
}
