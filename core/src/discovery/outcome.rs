//! What a discovery has come to.

use super::attempt::{Attempt, State};
use super::rejection::Rejection;
use super::resource::Resource;
use super::{Discovery, RequestId};

/// Which rules of robots.txt bind (RFC 9309 section 2.3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum RobotsRules {
    /// Nobody has asked, or no answer came yet.
    Unknown = 0,
    /// Those of the document that was found.
    Document = 1,
    /// None: the server says that there is no robots.txt, or that it is not for us (4xx).
    AllowAll = 2,
    /// Everything is forbidden: the server failed, cannot be reached, or never comes to an end.
    DisallowAll = 3,
}

impl RobotsRules {
    /// `unknown`, `document`, `allow-all` or `disallow-all`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Document => "document",
            Self::AllowAll => "allow-all",
            Self::DisallowAll => "disallow-all",
        }
    }
}

/// Where a document ranks, the first one least: native before synthetic, JSON before text, well-known before root, then the order of the table.
fn rank(index: u32, attempt: &Attempt) -> Option<u32> {
    if attempt.state != State::Found
        || matches!(
            attempt.resource,
            Resource::RobotsTxt | Resource::Detail | Resource::Declaration
        )
    {
        return None;
    }
    let bits = u32::from(attempt.synthetic) << 2
        | u32::from(!attempt.format.is_json()) << 1
        | u32::from(!attempt.is_well_known());
    Some(bits << 16 | (attempt.resource as u32) << 8 | index)
}

impl Discovery {
    /// All attempts in the order in which they came up, also those that are not at their end.
    pub fn attempts(&self) -> impl Iterator<Item = &Attempt> {
        self.begun().iter()
    }

    /// The attempts that gave a document about the site, the one that goes first before the others: native before synthetic, JSON before text,
    /// well-known before root, then the order of [`Resource`]. robots.txt, details and declarations are not among them.
    pub fn documents(&self) -> impl Iterator<Item = &Attempt> {
        // The least rank that was not given yet.
        let mut next = 0;
        core::iter::from_fn(move || {
            let mut best = None;
            let mut least = u32::MAX;
            for (index, attempt) in (0..).zip(self.begun()) {
                if let Some(rank) = rank(index, attempt)
                    && (next..least).contains(&rank)
                {
                    (best, least) = (Some(attempt), rank);
                }
            }
            next = least.saturating_add(1);
            best
        })
    }

    /// The attempt whose request this is, or was last.
    pub fn attempt(&self, id: RequestId) -> Option<&Attempt> {
        self.begun()
            .iter()
            .find(|attempt| attempt.id == id.0 && attempt.state != State::Waiting)
    }

    /// Which rules of robots.txt bind.
    pub fn robots(&self) -> RobotsRules {
        let attempt = self
            .begun()
            .iter()
            .find(|attempt| attempt.resource == Resource::RobotsTxt);
        match attempt.map(Attempt::state) {
            None | Some(State::Waiting | State::Open) => RobotsRules::Unknown,
            Some(State::Found) => RobotsRules::Document,
            Some(State::Rejected(
                Rejection::NotFound
                | Rejection::Gone
                | Rejection::AccessDenied
                | Rejection::RateLimited
                | Rejection::ClientError,
            )) => RobotsRules::AllowAll,
            Some(State::Rejected(_)) => RobotsRules::DisallowAll,
        }
    }

    /// When something of this site may be asked again at the earliest: seconds since 1970. Absent before the first answer.
    pub fn ask_again_at(&self) -> Option<u64> {
        let ended = self.begun().iter().filter(|attempt| !attempt.is_open());
        ended
            .map(|attempt| attempt.freshness.ask_again_at)
            .filter(|at| *at > 0)
            .min()
    }
}
