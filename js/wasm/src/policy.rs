//! Decisions.

use alloc::vec;
use alloc::vec::Vec;

use agentsdisc_core::Document;
use agentsdisc_core::policy::{Approved, Decision, Request, Robots, decide};

use crate::input::Input;
use crate::json::Json;
use crate::robots;

/// A request. Its numbers and texts stand in this order in the arguments.
pub(crate) struct Asked<'a> {
    /// 0: robots.txt was not requested; 1: it is the last document; 2: there is none; 3: it cannot be
    /// fetched.
    robots: u32,
    agent: &'a str,
    url: Option<&'a str>,
    capability: Option<&'a str>,
    method: Option<&'a str>,
    origin: Option<&'a str>,
    purpose: Option<&'a str>,
    content_usage: Option<&'a str>,
    approved: Vec<&'a str>,
}

impl<'a> Asked<'a> {
    pub(crate) fn read(input: &mut Input<'a>) -> Self {
        Self {
            robots: input.number(),
            agent: input.text().unwrap_or_default(),
            url: input.text(),
            capability: input.text(),
            method: input.text(),
            origin: input.text(),
            purpose: input.text(),
            content_usage: input.text(),
            approved: (0..input.number()).map_while(|_| input.text()).collect(),
        }
    }

    /// Decides by the documents, and calls a function with the decision.
    pub(crate) fn answer<T>(
        &self,
        documents: &[Document<'_>],
        look: impl FnOnce(&Decision<'_>) -> T,
    ) -> T {
        let (documents, state) = match (self.robots, documents.split_last()) {
            (1, Some((last, others))) => (others, Robots::Found(robots::of(last))),
            (2, _) => (documents, Robots::Absent),
            (3, _) => (documents, Robots::Unreachable),
            _ => (documents, Robots::NotAsked),
        };
        let mut request = match self.capability {
            Some(id) => Request::capability(self.agent, id),
            None => Request::url(self.agent, self.url.unwrap_or_default()),
        };
        request.method = self.method;
        request.origin = self.origin;
        request.purpose = self.purpose;
        request.content_usage = self.content_usage;
        request.approved = Approved::List(&self.approved);
        look(&decide(documents, state, &request))
    }
}

/// Decides whether a request is allowed.
pub(crate) fn decided(documents: &[Document<'_>], mut input: Input<'_>, json: &mut Json) {
    Asked::read(&mut input).answer(documents, |decision| {
        // Four numbers suffice for each name in `dependencies`, which has at least three bytes.
        let awp = documents.iter().filter(|document| document.awp().is_some());
        let mut scratch =
            vec![0; awp.map(|document| document.bytes().len() * 2).max().unwrap_or(0)];
        decision.put_json(&mut scratch, &mut |piece: &[u8]| json.bytes.extend_from_slice(piece));
    });
}
