//! The input of a decision: the documents in their order of precedence, the robots.txt and the
//! request.

use crate::document::{Document, with_reading};
use crate::format::{Format, fact};
use crate::rules::user_agent::UserAgent;
use crate::syntax::text::Text;

use super::index::Index;
use super::{Documents, Request, Robots, judge};

/// The input of a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'a> {
    pub(super) documents: Documents<'a>,
    pub(super) robots: Robots<'a>,
    pub(super) request: Request<'a>,
    /// The names of the agent.
    pub(super) agent: UserAgent<'a>,
    /// The site that the first document states, and whether it states a domain instead of a URL.
    pub(super) declared: Option<(Text<'a>, bool)>,
    /// The index of the first manifest of the Agent Discovery Protocol.
    pub(super) manifest: Option<usize>,
    /// The index of the capabilities, if there is one.
    pub(super) index: Index<'a>,
    pub(super) known: Known<'a>,
}

/// What is the same for every request about the documents; absent until it is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known<'a> {
    /// The member of a whole document that states a restriction twice, with the index of the
    /// document; the inner `None` if there is none.
    pub(super) doubled: Option<Option<(usize, Text<'a>)>>,
    /// Whether any document has restrictions that its format does not read.
    pub(super) has_unread: Option<bool>,
}

impl<'a> Case<'a> {
    pub(super) fn set(
        &mut self,
        documents: Documents<'a>,
        robots: Robots<'a>,
        request: &Request<'a>,
    ) {
        // A build without robots.txt cannot read it, so it denies everything.
        self.robots = if matches!(robots, Robots::Found(_)) && !Format::RobotsTxt.is_built_in() {
            Robots::Unreachable
        } else {
            robots
        };
        (self.documents, self.request, self.declared) = (documents, *request, None);
        (self.index, self.known) = (Index::NONE, Known::default());
        self.agent = UserAgent::of(request.agent.as_bytes());
        self.manifest = documents
            .indexed()
            .find(|(_, document)| document.is(Format::Adp))
            .map(|(index, _)| index);
        let mut order = Order::default();
        while request.origin.is_none()
            && self.declared.is_none()
            && let Some((_, document)) = self.next_of_site(&mut order)
        {
            note_site(document, &mut self.declared);
        }
    }

    /// The next document in the order of precedence, with its index.
    pub(super) fn next_in_order(&self, order: &mut Order) -> Option<(usize, &'a Document<'a>)> {
        const RANKS: u8 = 11;
        while order.rank < RANKS {
            while let Some((index, document)) = self.documents.next_from(order.index) {
                order.index = index.wrapping_add(1);
                if rank_of(document) == order.rank {
                    return Some((index, document));
                }
            }
            (order.rank, order.index) = (order.rank.wrapping_add(1), 0);
        }
        None
    }

    /// The next document that covers the site.
    #[inline(never)] // Keeps its buffers off the stack of its callers.
    pub(super) fn next_of_site(&self, order: &mut Order) -> Option<(usize, &'a Document<'a>)> {
        loop {
            let at = self.next_in_order(order)?;
            if judge::is_of_site(at.1) {
                return Some(at);
            }
        }
    }
}

/// The position of a walk in the order of precedence. The walk visits all documents once for each
/// rank: they are few, and there is no memory to sort them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Order {
    rank: u8,
    index: usize,
}

/// Records the site that a document states, and whether it states a domain instead of a URL.
fn note_site<'a>(document: &Document<'a>, declared: &mut Option<(Text<'a>, bool)>) {
    if !fact!(document.format() => states_site) {
        return;
    }
    if let Some(service) = with_reading(document, |reading| reading.service())
        && let Some(text) = service.url.or(service.domain)
    {
        *declared = Some((text, service.url.is_none()));
    }
}

/// The rank of a document in the order of precedence.
fn rank_of(document: &Document<'_>) -> u8 {
    match document.format() {
        Format::Awp if document.awp().is_some_and(|awp| awp.is_synthetic()) => 10,
        // A detail takes precedence over its entry in the manifest, unless it lacks the endpoint.
        Format::AdpCapability if !has_endpoint(document) => fact!(Format::Unknown => rank),
        format => fact!(format => rank),
    }
}

/// Whether a detail of the Agent Discovery Protocol states the endpoint of its capability.
fn has_endpoint(document: &Document<'_>) -> bool {
    let detail = document.adp_capability();
    detail.is_some_and(|capability| capability.has_endpoint())
}
