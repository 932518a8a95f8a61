//! The results of a discovery.

use super::attempt::{Attempt, State};
use super::rejection::Rejection;
use super::resource::Resource;
use super::{Discovery, RequestId};
use crate::format::Format;

/// Which robots.txt rules apply (RFC 9309 section 2.3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum RobotsRules {
    /// Not requested, or no answer yet.
    Unknown = 0,
    /// The rules of the document.
    Document = 1,
    /// No rules: the server answers that there is no robots.txt, or denies access (4xx).
    AllowAll = 2,
    /// Everything is disallowed: the server failed, cannot be reached, or redirects without end.
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

/// The rank of a document by precedence, lowest first: native before synthetic, the formats with
/// rules before the others, JSON before text, well-known before root, then the order of
/// [`Resource`].
fn rank(index: u32, attempt: &Attempt) -> Option<u32> {
    if attempt.state != State::Found
        || matches!(
            attempt.resource,
            Resource::RobotsTxt | Resource::Detail | Resource::Declaration | Resource::Home
        )
    {
        return None;
    }
    let bits = u32::from(attempt.synthetic) << 3
        | u32::from(attempt.format > Format::RobotsTxt) << 2
        | u32::from(!attempt.format.is_json()) << 1
        | u32::from(!attempt.is_well_known());
    Some(bits << 16 | (attempt.resource as u32) << 8 | index)
}

impl Discovery {
    /// All attempts in order of creation, including unfinished ones.
    pub fn attempts(&self) -> impl Iterator<Item = &Attempt> {
        self.begun().iter()
    }

    /// The attempts that found a document of the site, by precedence: native before synthetic, the
    /// formats with rules before the others (from llms.txt on), JSON before text, well-known before
    /// root, then the order of [`Resource`]. Excludes robots.txt, details, declarations, and the
    /// documents of other sites ([`is_own`](Self::is_own)).
    pub fn documents(&self) -> impl Iterator<Item = &Attempt> {
        // The lowest rank that was not returned yet.
        let mut next = 0;
        core::iter::from_fn(move || {
            let mut best = None;
            let mut least = u32::MAX;
            for (index, attempt) in (0..).zip(self.begun()) {
                if let Some(rank) = rank(index, attempt)
                    && (next..least).contains(&rank)
                    && self.is_own(attempt)
                {
                    (best, least) = (Some(attempt), rank);
                }
            }
            next = least.saturating_add(1);
            best
        })
    }

    /// The attempt of a request, in flight or finished.
    pub fn attempt(&self, id: RequestId) -> Option<&Attempt> {
        self.begun().iter().find(|attempt| attempt.id == id.0 && attempt.state != State::Waiting)
    }

    /// Which robots.txt rules apply.
    pub fn robots(&self) -> RobotsRules {
        let attempt = self.begun().iter().find(|attempt| attempt.resource == Resource::RobotsTxt);
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

    /// The earliest time at which anything of this site may be requested again, in seconds since
    /// 1970. Absent before the first answer.
    pub fn ask_again_at(&self) -> Option<u64> {
        let ended = self.begun().iter().filter(|attempt| !attempt.is_open());
        ended.map(|attempt| attempt.freshness.ask_again_at).filter(|at| *at > 0).min()
    }
}
