//! The finding of a document or a robots.txt, and which one counts.

use super::{Decision, Reason, Rule, Source};
use crate::document::Document;
use crate::syntax::text::Text;

/// The finding of a document or a robots.txt, with the rule that decides.
#[derive(Clone, Copy)]
pub(super) struct Finding<'a> {
    pub(super) reason: Reason,
    pub(super) rule: Option<Rule<'a>>,
}

impl<'a> Finding<'a> {
    pub(super) const fn of(reason: Reason) -> Self {
        Self { reason, rule: None }
    }

    pub(super) const fn is_explicit_denial(&self) -> bool {
        is_explicit_denial(self.reason)
    }
}

/// Whether a document or the robots.txt denies the request explicitly, instead of only not listing
/// it.
pub(super) const fn is_explicit_denial(reason: Reason) -> bool {
    use Reason::{MethodNotDeclared, NoAccessRules, NotListed};
    !reason.is_allowed() && !matches!(reason, NotListed | NoAccessRules | MethodNotDeclared)
}

impl<'a> Decision<'a> {
    /// Replaces the finding so far.
    pub(super) fn conclude(&mut self, finding: Finding<'a>) {
        (self.reason, self.rule) = (finding.reason, finding.rule);
        self.survey.answered_by = None;
    }

    /// The same with the text of a document that decides.
    pub(super) fn conclude_at(
        &mut self,
        reason: Reason,
        (index, document): At<'a>,
        text: Text<'a>,
    ) {
        (self.reason, self.rule) = (
            reason,
            Some(Rule {
                text,
                span: document.span_of(text.raw()),
                source: Source::Document(index),
            }),
        );
        self.survey.answered_by = Some(index);
    }

    /// Records that there is a finding, and returns whether it counts: the first explicit denial
    /// counts, otherwise the first finding.
    pub(super) fn note_answer(&mut self, reason: Reason) -> bool {
        let counts = !self.survey.is_answered
            || (is_explicit_denial(reason) && !is_explicit_denial(self.reason));
        self.survey.is_answered = true;
        counts
    }
}

/// A document with its index.
pub(super) type At<'a> = (usize, &'a Document<'a>);

/// A reason, with the deciding text if there is one.
pub(super) type Said<'a> = (Reason, Option<Text<'a>>);
