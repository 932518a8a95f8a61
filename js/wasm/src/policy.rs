//! Decisions, and what an agent can call.

use alloc::vec;
use alloc::vec::Vec;

use agentsdisc_core::Document;
use agentsdisc_core::policy::{Approved, Decision, Request, Robots, decide};
#[cfg(feature = "full")]
use agentsdisc_core::policy::{Offers, Workspace};

use crate::input::Input;
use crate::json::Json;
use crate::robots;

/// A request and the documents of its site.
pub(crate) struct Asked<'a> {
    pub(crate) documents: &'a [Document<'a>],
    pub(crate) robots: Robots<'a>,
    pub(crate) request: Request<'a>,
}

impl<'a> Asked<'a> {
    /// Reads a request: the state of robots.txt (0: not requested; 1: the last document; 2: there is
    /// none; 3: it cannot be fetched), and its texts in this order.
    pub(crate) fn read(all: &'a [Document<'a>], input: &mut Input<'a>) -> Self {
        let (documents, robots) = match (input.number(), all.split_last()) {
            (1, Some((last, others))) => (others, Robots::Found(robots::of(last))),
            (2, _) => (all, Robots::Absent),
            (3, _) => (all, Robots::Unreachable),
            _ => (all, Robots::NotAsked),
        };
        let agent = input.text().unwrap_or_default();
        let (url, capability) = (input.text(), input.text());
        let mut request = match capability {
            Some(id) => Request::capability(agent, id),
            None => Request::url(agent, url.unwrap_or_default()),
        };
        request.method = input.text();
        request.origin = input.text();
        request.purpose = input.text();
        request.content_usage = input.text();
        let approved: Vec<_> = (0..input.number()).map_while(|_| input.text()).collect();
        // The arena frees it with the arguments.
        request.approved = Approved::List(approved.leak());
        Self { documents, robots, request }
    }

    /// Decides whether the request is allowed.
    pub(crate) fn decide(&self) -> Decision<'a> {
        decide(self.documents, self.robots, &self.request)
    }

    /// Memory for the prerequisites of any action.
    fn scratch(&self) -> Vec<u32> {
        // Four numbers suffice for each name in `dependencies`, which has at least three bytes.
        let awp = self.documents.iter().filter(|document| document.awp().is_some());
        vec![0; awp.map(|document| document.bytes().len() * 2).max().unwrap_or(0)]
    }
}

/// Decides whether a request is allowed.
pub(crate) fn decided(asked: &Asked<'_>, json: &mut Json) {
    asked.decide().put_json(&mut asked.scratch(), json);
}

/// All capabilities of the documents, with the decision about each. The URL of the request does not
/// matter.
#[cfg(feature = "full")]
pub(crate) fn offers(asked: &Asked<'_>, json: &mut Json) {
    let Asked { documents, robots, request } = asked;
    let count = documents.iter().map(|document| document.manifest().capabilities().count());
    let mut memory = vec![0; count.sum::<usize>() * Offers::SCRATCH];
    let mut offers = Offers::new(*documents, *robots, request, &mut memory);
    offers.put_json(&mut Workspace::new(), &mut asked.scratch(), json);
}
