//! The rate limits that apply to a request.

use super::agents::Policy;
use super::capabilities::Capabilities;
use super::endpoint::{Base, Spot, has_protocols, protocol_at};
use super::workspace::{Lend, Stack, Tools, Workspace};
use super::{Case, Robots, Source, Target, judge};
use crate::document::Document;
use crate::document::with_reading;
use crate::format::Format;
use crate::format::robots_txt::Binding;
use crate::model::{Kind, List, RateLimit, Window};
use crate::rules::user_agent::UserAgent;
use crate::syntax::text::Text;

/// The scope of a rate limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Scope {
    /// All requests of the agent to the site.
    Agent,
    /// One capability.
    Capability,
    /// All agents, for the whole service.
    Service,
    /// Crawling, as robots.txt asks (`Crawl-delay`).
    Robots,
}

impl Scope {
    /// `agent`, `capability`, `service` or `robots`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Capability => "capability",
            Self::Service => "service",
            Self::Robots => "robots",
        }
    }
}

/// A rate limit that applies.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AppliedLimit<'a> {
    /// The scope.
    pub scope: Scope,
    /// The source.
    pub source: Source,
    /// The number of requests. Zero allows none.
    pub requests: u32,
    /// The window in milliseconds; absent if it cannot be read.
    pub milliseconds: Option<u64>,
    /// The window, if it is a named one.
    pub window: Option<Window>,
    /// The id of the capability; absent for other scopes.
    pub capability: Option<Text<'a>>,
}

impl AppliedLimit<'_> {
    /// Whether this limit allows fewer requests per time than `other`. A limit whose window cannot
    /// be read is never stricter, and every other limit is stricter than it.
    pub fn is_stricter_than(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (self.milliseconds, other.milliseconds) else {
            return self.milliseconds.is_some();
        };
        u128::from(self.requests) * u128::from(others)
            < u128::from(other.requests) * u128::from(own)
    }
}

/// The rate limits that apply: for each document those of the service, the agent and the
/// capability; then that of the robots.txt.
#[derive(Clone, Copy, Debug)]
pub struct RateLimits<'a> {
    case: Case<'a>,
    /// The index of the current document; `stage` is the next kind of limit in it.
    index: usize,
    stage: Stage,
    /// The index of the next name of the agent, whose policy in this document has limits.
    name: usize,
    scope: Scope,
    limits: List<'a, RateLimit<'a>>,
    capability: Option<Text<'a>>,
    capabilities: Capabilities<'a>,
    /// The protocol, declared in the document, whose endpoint is the requested URL.
    via: Option<Text<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Service,
    Agent,
    Capabilities,
    Robots,
    End,
}

impl<'a> RateLimits<'a> {
    pub(super) fn new(case: Case<'a>) -> Self {
        Self {
            case,
            index: 0,
            stage: Stage::Service,
            name: 0,
            scope: Scope::Service,
            limits: List::empty(),
            capability: None,
            capabilities: Capabilities::none(),
            via: None,
        }
    }

    /// Advances to the next requested capability, whose limits come next. The URL of the request is
    /// normalised once for each capability found, and not for each one skipped.
    fn next_capability(&mut self, document: &Document<'a>, lender: &mut impl Lend) -> bool {
        match self.case.request.target {
            Target::Url(text) => self.in_place(text, document, lender),
            Target::Capability(_) | Target::Id(_) => self.next_used(None),
        }
    }

    /// Advances to the next capability at the requested URL. At the start of a document, only determines
    /// the protocol that has this endpoint.
    fn in_place(&mut self, text: &'a str, document: &Document<'a>, lender: &mut impl Lend) -> bool {
        lender.lend(|workspace| {
            let Workspace { site, place, tools: Tools { base, scratch } } = workspace;
            if judge::settle(&self.case, site, base).is_err() || place.read(text, site).is_err() {
                return false;
            }
            let base = &Base::of(&self.case, document, site, base);
            if self.stage == Stage::Capabilities {
                return self.next_used(Some(&mut Spot { place, base, via: self.via, scratch }));
            }
            if has_protocols(document) {
                self.via =
                    protocol_at(document, base, place, scratch).and_then(|gateway| gateway.name);
            }
            false
        })
    }

    fn next_used(&mut self, spot: Option<&mut Spot<'_, 'a>>) -> bool {
        let found = self.capabilities.next_used(&self.case.request.target, spot);
        if let Some(capability) = &found {
            (self.scope, self.capability, self.limits) =
                (Scope::Capability, capability.id, capability.rate_limits);
        }
        found.is_some()
    }

    fn robots_limit(&self) -> Option<AppliedLimit<'a>> {
        let Robots::Found(robots) = self.case.robots else {
            return None;
        };
        if !Format::RobotsTxt.is_built_in() {
            return None;
        }
        crawl_delay(robots.delay_for(self.case.agent)?.milliseconds()?, Source::Robots)
    }
}

fn crawl_delay<'a>(milliseconds: u64, source: Source) -> Option<AppliedLimit<'a>> {
    let limit = AppliedLimit {
        scope: Scope::Robots,
        source,
        requests: 1,
        milliseconds: Some(milliseconds),
        window: None,
        capability: None,
    };
    (milliseconds > 0).then_some(limit)
}

/// The limits of a whole service.
fn take_service<'a>(document: &Document<'a>, limits: &mut List<'a, RateLimit<'a>>) {
    *limits = with_reading(document, |reading| reading.rate_limits());
}

/// The `Crawl-delay` for an agent in a robots.txt among the documents.
fn delay_of(document: &Document<'_>, agent: UserAgent<'_>) -> Option<u64> {
    document.robots_txt()?.delay_for(agent)?.milliseconds()
}

impl<'a> Iterator for RateLimits<'a> {
    type Item = AppliedLimit<'a>;

    /// The next limit. Puts a [`Workspace`] on the stack if the request is for a URL;
    /// [`next_with`](Self::next_with) does not.
    fn next(&mut self) -> Option<AppliedLimit<'a>> {
        self.advance(Stack)
    }
}

impl<'a> RateLimits<'a> {
    /// The next limit, with a workspace of the caller.
    pub fn next_with(&mut self, workspace: &mut Workspace) -> Option<AppliedLimit<'a>> {
        self.advance(workspace)
    }

    fn advance(&mut self, mut lender: impl Lend) -> Option<AppliedLimit<'a>> {
        loop {
            if let Some(limit) = self.limits.next() {
                let window = limit.window.value;
                return Some(AppliedLimit {
                    scope: self.scope,
                    source: Source::Document(self.index),
                    requests: limit.requests,
                    milliseconds: window.seconds().map(|seconds| u64::from(seconds) * 1000),
                    window: Some(window).filter(|window| *window != Window::Unknown),
                    capability: self.capability,
                });
            }
            if self.stage == Stage::Robots {
                self.stage = Stage::End;
                return self.robots_limit();
            }
            if self.stage == Stage::End {
                return None;
            }
            let Some((index, document)) = self.case.documents.next_from(self.index) else {
                self.stage = Stage::Robots;
                continue;
            };
            self.index = index;
            match self.stage {
                Stage::Service => {
                    // Limits in a document about an agent do not apply to the site.
                    if judge::kind_of(document) == Kind::Agent {
                        self.index = self.index.wrapping_add(1);
                        continue;
                    }
                    self.stage = Stage::Agent;
                    (self.scope, self.capability) = (Scope::Service, None);
                    take_service(document, &mut self.limits);
                }
                Stage::Agent => {
                    self.scope = Scope::Agent;
                    if let Some(name) = self.case.agent.names().nth(self.name) {
                        let mut policy = Policy::none();
                        policy.read(document, name);
                        if self.name == 0 || policy.binding == Binding::Named {
                            self.limits = policy.rate_limits;
                        }
                        self.name = self.name.wrapping_add(1);
                        continue;
                    }
                    self.name = 0;
                    self.capabilities.open(self.case.index, (index, document));
                    self.via = None;
                    if let Target::Url(text) = self.case.request.target {
                        self.in_place(text, document, &mut lender);
                    }
                    self.stage = Stage::Capabilities;
                    if Format::RobotsTxt.is_built_in()
                        && let Some(limit) = delay_of(document, self.case.agent)
                            .and_then(|time| crawl_delay(time, Source::Document(self.index)))
                    {
                        return Some(limit);
                    }
                }
                Stage::Capabilities | Stage::Robots | Stage::End => {
                    if !self.next_capability(document, &mut lender) {
                        self.stage = Stage::Service;
                        self.index = self.index.wrapping_add(1);
                    }
                }
            }
        }
    }
}
