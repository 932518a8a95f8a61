//! What an agent can call on a site: every capability of its documents, with the decision about it.
//!
//! ```
//! use agentsdisc_core::Document;
//! use agentsdisc_core::policy::{Offers, Request, Robots, Workspace};
//! let text = b"Spec-Version: 1.0
//! Site-Name: Mug Shop
//! Site-URL: https://mugs.example
//! Capability: search
//!   Endpoint: https://mugs.example/api/search
//!   Protocol: REST
//! Capability: purge
//!   Endpoint: https://mugs.example/admin/purge
//!   Protocol: REST
//! Disallow: /admin/*
//! ";
//! let documents = [Document::parse(text)?];
//!
//! let mut workspace = Workspace::new();
//! let request = Request::url("ExampleBot/1.0", "");
//! let mut offers = Offers::new(&documents, Robots::Absent, &request);
//! let search = offers.next_with(&mut workspace).unwrap();
//! assert!(search.id == "search" && offers.decision().allowed);
//! let purge = offers.next_with(&mut workspace).unwrap();
//! assert!(purge.id == "purge" && !offers.decision().allowed);
//! assert!(offers.next_with(&mut workspace).is_none());
//! # Ok::<(), agentsdisc_core::Error>(())
//! ```

use super::case::Order;
use super::finding::At;
use super::{Decision, Documents, Request, Robots, Target, Workspace, judge};
use crate::document::{Document, with_reading};
use crate::model::{Capability, List, Mark};
use crate::span::{Position, PositionCursor, Span};
use crate::syntax::text::Text;

/// A capability that a site offers.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Offer<'a> {
    /// Its id; in formats without ids, its name.
    pub id: Text<'a>,
    /// The capability, as the first document in the order of precedence that has it describes it.
    pub capability: Capability<'a>,
    /// The index of that document.
    pub document: usize,
    /// The position of the id in that document.
    pub span: Span,
}

/// The capabilities of the documents of a site, in the order of precedence of the documents, and the
/// decision about each of them.
///
/// Capabilities with the same id are one: the decision combines the terms of all documents, as
/// [`decide`](super::decide) does, so the strictest ones count. A capability without an id cannot be
/// called, and is skipped.
#[derive(Clone, Copy, Debug)]
pub struct Offers<'a> {
    decision: Decision<'a>,
    order: Order,
    /// The document whose capabilities come next.
    at: Option<At<'a>>,
    list: List<'a, Capability<'a>>,
    /// The position of the capability that was returned last.
    mark: Option<Mark>,
}

impl<'a> Offers<'a> {
    /// Starts with the first capability. The target and the method of `request` do not matter.
    pub fn new(
        documents: impl Into<Documents<'a>>,
        robots: Robots<'a>,
        request: &Request<'a>,
    ) -> Self {
        let mut decision = Decision::open();
        decision.case.set(documents.into(), robots, &Request { method: None, ..*request });
        Self { decision, order: Order::default(), at: None, list: List::empty(), mark: None }
    }

    /// The next capability; the decision about it is [`decision`](Self::decision).
    pub fn next_with(&mut self, workspace: &mut Workspace) -> Option<Offer<'a>> {
        loop {
            let Some(at) = self.at else {
                let at = self.decision.case.next_of_site(&mut self.order)?;
                self.list = with_reading(at.1, |reading| reading.capabilities());
                self.at = Some(at);
                continue;
            };
            let mark = self.list.mark();
            let Some(capability) = self.list.next() else {
                self.at = None;
                continue;
            };
            let Some(id) = capability.id else {
                continue;
            };
            self.decision.reset();
            self.decision.case.request.target = Target::Id(id);
            if self.is_first((at.0, mark)) {
                self.mark = Some(mark);
                judge::decide(&mut self.decision, workspace);
                let span = at.1.span_of(id.raw());
                return Some(Offer { id, capability, document: at.0, span });
            }
        }
    }

    /// The decision about the capability that was returned last; nothing is allowed before.
    pub const fn decision(&self) -> &Decision<'a> {
        &self.decision
    }

    /// The capability that was returned last, and the document that declares it.
    pub(crate) fn last(&self) -> Option<(&'a Document<'a>, Capability<'a>)> {
        let ((_, document), mark) = (self.at?, self.mark?);
        let capabilities = with_reading(document, |reading| reading.capabilities());
        Some((document, capabilities.resume(mark).next()?))
    }

    /// Line and column of the capability that was returned last: of its id. Linear in the document
    /// before it.
    pub fn position(&self) -> Option<Position> {
        let (document, capability) = self.last()?;
        let span = document.span_of(capability.id?.raw());
        Some(PositionCursor::new(document.bytes()).at(span.start as usize))
    }

    /// Whether no other capability with the requested id comes before.
    fn is_first(&mut self, own: (usize, Mark)) -> bool {
        let Decision { case, survey, .. } = &mut self.decision;
        let mut order = Order::default();
        while let Some(at) = case.next_of_site(&mut order) {
            let mut capabilities = survey.open(at.1);
            if capabilities.next_used(&case.request.target, None).is_some() {
                return (at.0, capabilities.at) == own;
            }
        }
        false
    }
}
