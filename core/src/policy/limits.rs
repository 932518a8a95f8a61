//! The rate limits that apply to a request.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use super::place::{Place, Site};
use super::survey::{Base, Policy, is_called_at, protocol_at};
use super::workspace::{Lend, Scratch, Stack, Tools, Workspace};
use super::{Case, Robots, Source, Target, judge};
use crate::document::Document;
use crate::format::Format;
use crate::manifest::{Capability, Kind, List, RateLimit, Window};
use crate::syntax::text::Text;

/// What a rate limit is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Scope {
    /// Everything that the agent does there.
    Agent,
    /// The one capability.
    Capability,
    /// Everybody, on the whole service.
    Service,
    /// The agent's fetching, as the robots.txt wishes it (`Crawl-delay`).
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
    /// What it is for.
    pub scope: Scope,
    /// Where it stands.
    pub source: Source,
    /// How many requests. Zero allows none.
    pub requests: u32,
    /// In how many milliseconds; absent where the window cannot be read.
    pub milliseconds: Option<u64>,
    /// The window, where it is one of those with a name.
    pub window: Option<Window>,
    /// The id of the capability; absent for other scopes.
    pub capability: Option<Text<'a>>,
}

impl AppliedLimit<'_> {
    /// Whether fewer requests in a time are allowed by this one. What cannot be compared is not stricter.
    pub fn is_stricter_than(&self, other: &Self) -> bool {
        match (self.requests, other.requests) {
            (0, _) => other.requests > 0,
            (_, 0) => false,
            _ => self.compare(other) == Some(Ordering::Less),
        }
    }

    fn compare(&self, other: &Self) -> Option<Ordering> {
        let (Some(own), Some(others)) = (self.milliseconds, other.milliseconds) else {
            // One that can be compared is a better answer than one that cannot.
            return self.milliseconds.map(|_| Ordering::Less);
        };
        Some((u128::from(self.requests) * u128::from(others)).cmp(&(u128::from(other.requests) * u128::from(own))))
    }
}

/// The rate limits that apply: document by document the service's, the agent's, the capability's; then what the robots.txt wishes.
#[derive(Clone, Copy, Debug)]
pub struct RateLimits<'a> {
    case: Case<'a>,
    /// The document, and what of it comes next.
    index: usize,
    stage: Stage,
    scope: Scope,
    limits: List<'a, RateLimit<'a>>,
    capability: Option<Text<'a>>,
    capabilities: List<'a, Capability<'a>>,
    /// The protocol whose endpoint the URL is, in the document.
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
            scope: Scope::Service,
            limits: List::empty(),
            capability: None,
            capabilities: List::empty(),
            via: None,
        }
    }

    /// The next capability that is used. What is asked for is read anew for each that is found, not for each that is passed.
    fn next_capability(&mut self, document: &Document<'a>, lender: &mut impl Lend) -> Option<Limited<'a>> {
        let (case, via) = (self.case, self.via);
        if let Target::Capability(_) = case.request.target {
            return limited(&mut self.capabilities, |capability| case.is_named(capability));
        }
        let capabilities = &mut self.capabilities;
        with_place(&case, document, lender, |base, place, scratch| {
            limited(capabilities, |capability| is_called_at(capability, base, place, via, scratch))
        })
        .flatten()
    }

    fn robots_limit(&self) -> Option<AppliedLimit<'a>> {
        let Robots::Found(robots) = self.case.robots else { return None };
        if !Format::RobotsTxt.is_built_in() {
            return None;
        }
        crawl_delay(robots.crawl_delay(self.case.request.agent.trim_ascii_start())?.milliseconds()?, Source::Robots)
    }
}

/// The id of a capability, and its limits.
type Limited<'a> = (Option<Text<'a>>, List<'a, RateLimit<'a>>);

fn limited<'a>(capabilities: &mut List<'a, Capability<'a>>, mut is_used: impl FnMut(&Capability<'a>) -> bool) -> Option<Limited<'a>> {
    capabilities.show(|capability| match is_used(capability) {
        true => ControlFlow::Break((capability.id, capability.rate_limits)),
        false => ControlFlow::Continue(()),
    })
}

fn crawl_delay<'a>(milliseconds: u64, source: Source) -> Option<AppliedLimit<'a>> {
    let limit =
        AppliedLimit { scope: Scope::Robots, source, requests: 1, milliseconds: Some(milliseconds), window: None, capability: None };
    (milliseconds > 0).then_some(limit)
}

/// Brings the URL that is asked for into form again.
fn with_place<'a, T>(
    case: &Case<'a>,
    document: &Document<'a>,
    lender: &mut impl Lend,
    ask: impl FnOnce(&Base<'_>, &Place<'_>, &mut Scratch) -> T,
) -> Option<T> {
    let Target::Url(text) = case.request.target else { return None };
    lender.lend(|workspace| {
        let Workspace { site, place, tools: Tools { base, scratch }, .. } = workspace;
        let site: Site<'_> = judge::site_of(case, site)?;
        let base = Base::of(case, document, &site, base);
        let place = Place::of(text, &site, place).ok()?;
        Some(ask(&base, &place, scratch))
    })
}

impl<'a> Iterator for RateLimits<'a> {
    type Item = AppliedLimit<'a>;

    /// Takes a [`Workspace`] from the stack where a URL is asked about; [`next_with`](Self::next_with) does not.
    fn next(&mut self) -> Option<AppliedLimit<'a>> {
        self.advance(Stack)
    }
}

impl<'a> RateLimits<'a> {
    /// The next limit, found in memory of the caller.
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
            let Some(document) = self.case.documents.get(self.index) else {
                self.stage = Stage::Robots;
                continue;
            };
            let manifest = document.manifest();
            match self.stage {
                Stage::Service => {
                    if manifest.head().kind.value == Kind::Agent {
                        self.index = self.index.saturating_add(1);
                        continue;
                    }
                    self.stage = Stage::Agent;
                    (self.scope, self.capability) = (Scope::Service, None);
                    self.limits = manifest.rate_limits();
                }
                Stage::Agent => {
                    self.stage = Stage::Capabilities;
                    self.scope = Scope::Agent;
                    self.limits = Policy::of(document, self.case.token()).policy.rate_limits;
                    self.capabilities = manifest.capabilities();
                    let via =
                        with_place(&self.case, document, &mut lender, |base, place, scratch| protocol_at(document, base, place, scratch))
                            .flatten();
                    self.via = via.and_then(|gateway| gateway.name);
                    if let Some(robots) = document.robots_txt()
                        && let Some(delay) = robots.crawl_delay(self.case.request.agent.trim_ascii_start())
                        && let Some(limit) = delay.milliseconds().and_then(|time| crawl_delay(time, Source::Document(self.index)))
                    {
                        return Some(limit);
                    }
                }
                Stage::Capabilities | Stage::Robots | Stage::End => match self.next_capability(document, &mut lender) {
                    Some((id, limits)) => {
                        self.scope = Scope::Capability;
                        self.capability = id;
                        self.limits = limits;
                    }
                    None => {
                        self.stage = Stage::Service;
                        self.index = self.index.saturating_add(1);
                    }
                },
            }
        }
    }
}
