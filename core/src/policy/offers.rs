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
//! let (mut workspace, mut scratch) = (Workspace::new(), [0; 64]);
//! let request = Request::url("ExampleBot/1.0", "");
//! let mut offers = Offers::new(&documents, Robots::Absent, &request, &mut scratch);
//! let search = offers.next_with(&mut workspace).unwrap();
//! assert!(search.id == "search" && offers.decision().allowed);
//! let purge = offers.next_with(&mut workspace).unwrap();
//! assert!(purge.id == "purge" && !offers.decision().allowed);
//! assert!(offers.next_with(&mut workspace).is_none());
//! # Ok::<(), agentsdisc_core::Error>(())
//! ```

use super::case::Order;
use super::finding::At;
use super::index::{self, Index};
use super::{Decision, Documents, Request, Robots, Target, Workspace, judge};
use crate::document::{Document, with_reading};
use crate::model::{Capability, List, Mark};
use crate::span::{Position, PositionCursor, Span};
use crate::syntax::text::Text;

/// The largest number of capabilities that are looked at. The hashes of all capabilities are compared
/// for each of them.
const MOST: usize = 1 << 14;

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
/// called, and is skipped. The walk ends after 16,384 capabilities ([`is_cut`](Self::is_cut)).
#[derive(Clone, Copy, Debug)]
pub struct Offers<'a> {
    decision: Decision<'a>,
    order: Order,
    /// The document whose capabilities come next.
    at: Option<At<'a>>,
    list: List<'a, Capability<'a>>,
    /// The position of the capability that was returned last.
    mark: Option<Mark>,
    /// The number of capabilities that were looked at.
    count: usize,
}

impl<'a> Offers<'a> {
    /// The size of `scratch` for each capability, in numbers.
    pub const SCRATCH: usize = index::WORDS;

    /// Starts with the first capability. The target and the method of `request` do not matter.
    ///
    /// `scratch` needs [`SCRATCH`](Self::SCRATCH) numbers for each capability of each document; its
    /// content does not matter. Then only hashes are compared for every pair of capabilities. If it
    /// is smaller, all capabilities of all documents are read for each of them.
    pub fn new(
        documents: impl Into<Documents<'a>>,
        robots: Robots<'a>,
        request: &Request<'a>,
        scratch: &'a mut [u32],
    ) -> Self {
        let mut decision = Decision::open();
        decision.case.set(documents.into(), robots, &Request { method: None, ..*request });
        decision.case.index = Index::of(decision.case.documents, scratch);
        Self {
            decision,
            order: Order::default(),
            at: None,
            list: List::empty(),
            mark: None,
            count: 0,
        }
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
            if self.count >= MOST {
                return None;
            }
            self.count = self.count.saturating_add(1);
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

    /// Whether the walk has ended before the last capability, because there are too many.
    pub const fn is_cut(&self) -> bool {
        self.count >= MOST
    }

    /// The decision about the capability that was returned last; nothing is allowed before.
    pub const fn decision(&self) -> &Decision<'a> {
        &self.decision
    }

    /// The document that declares the capability that was returned last.
    pub(crate) fn document(&self) -> Option<&'a Document<'a>> {
        self.at.map(|(_, document)| document)
    }

    /// The capability that was returned last, and the document that declares it.
    pub(crate) fn last(&self) -> Option<(&'a Document<'a>, Capability<'a>)> {
        let (document, mark) = (self.document()?, self.mark?);
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
            let mut capabilities = survey.open(case.index, at);
            if capabilities.next_used(&case.request.target, None).is_some() {
                return (at.0, capabilities.at) == own;
            }
        }
        false
    }
}
