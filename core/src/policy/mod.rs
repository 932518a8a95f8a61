//! May this agent do that: what the documents of a site and its robots.txt say to a request.
//!
//! ```
//! use agentsdisc_core::Document;
//! use agentsdisc_core::policy::{Reason, Request, Robots, decide};
//! let text = b"Spec-Version: 1.0
//! Site-Name: Mug Shop
//! Site-URL: https://mugs.example
//! Capability: search
//!   Endpoint: https://mugs.example/api/search
//!   Protocol: REST
//!   Rate-Limit: 60/minute
//! Disallow: /admin/*
//! ";
//! let documents = [Document::parse(text)?];
//!
//! let request = Request::url("ExampleBot/1.0", "https://mugs.example/admin/users");
//! let decision = decide(&documents, Robots::NotAsked, &request);
//! assert_eq!((decision.allowed, decision.reason), (false, Reason::Disallowed));
//! assert_eq!(decision.rule_position().unwrap().line, 8);
//!
//! let decision = decide(&documents, Robots::Absent, &Request::capability("ExampleBot/1.0", "search"));
//! assert!(decision.allowed);
//! assert_eq!(decision.advisory_limit().unwrap().requests, 60);
//! # Ok::<(), agentsdisc_core::Error>(())
//! ```
//!
//! How a decision is made, step by step, stands in `docs/policy.md`, with the closed list of reasons. In short: every document answers for
//! itself; an explicit denial in any of them, or in the robots.txt, decides; otherwise the first answer in the order of precedence. Where
//! something cannot be read, the narrow reading counts.
//!
//! # Rulings
//!
//! - **Order of precedence**: agents.json before agents.txt, then agents.md, agent.json of the Agent Web Protocol, the manifest of the Agent
//!   Discovery Protocol and its details; native documents before synthetic ones; of one kind, in the order in which they are given.
//! - **Origin.** Access rules bind the origin that the documents were fetched from ([`Request::origin`]); where the caller does not say it, what
//!   the first document says of itself. A URL elsewhere is allowed only where a document declares it as an endpoint, on the same
//!   registrable domain or approved by the caller.
//! - **Methods.** Access rules speak of paths, whatever the method is. A declared endpoint is permitted for the method it is declared with; HEAD
//!   is as good as GET; where none is written, GET is meant, but any method for protocols other than REST.
//! - **Prose.** What an agents.md says under Can and Cannot is never matched against URLs: [`Decision::cannot`] hands it on.
//! - **Limits of zero** allow no request.

mod auth;
mod documents;
#[cfg(feature = "json")]
mod json;
mod judge;
mod limits;
mod place;
mod reason;
mod request;
mod survey;
mod workspace;

pub use auth::{Auth, AuthNeed, Credentials, HeaderError};
pub use documents::Documents;
pub use limits::{AppliedLimit, RateLimits, Scope};
pub use reason::Reason;
pub use request::{Approved, Request, Robots, Target};
pub use workspace::Workspace;

use crate::document::Document;
use crate::format::Format;
use crate::format::awp::{Actions, PrerequisiteError};
use crate::format::check::method::is_token_octet;
use crate::format::robots_txt::Binding;
use crate::manifest::{Choice, List, Permissions, Sensitivity, with_reading};
use crate::span::{Position, PositionCursor, Span};
use crate::syntax::text::Text;
use crate::syntax::url::HostRelation;
use crate::write::{Sink, SliceSink};
use survey::Survey;

/// Where a rule stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Source {
    /// In the document with this index.
    Document(usize),
    /// In the robots.txt that was given as such.
    Robots,
}

/// What decides: a pattern, the name of an agent's policy, the id or the endpoint of a capability.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rule<'a> {
    /// Its text as written.
    pub text: Text<'a>,
    /// Where the text stands.
    pub span: Span,
    /// In which document.
    pub source: Source,
}

/// Whether a person must be asked, and what may break.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Human<'a> {
    /// Whether a person is to be asked before.
    pub confirmation: Confirmation,
    /// What the action may break, the gravest of what the documents say. A text that is no known word asks for confirmation like the gravest.
    pub sensitivity: Option<Choice<'a, Sensitivity>>,
    /// Whether it can be undone, where that is said.
    pub reversible: Option<bool>,
    /// Whether it ends with a person taking over, as a checkout does.
    pub handoff: bool,
}

/// Whether a person is to be asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub enum Confirmation {
    /// No document says so.
    #[default]
    NotStated,
    /// A person should be asked (AWP section 9: confirmation required, destructive actions).
    Should,
    /// A person must be asked (AWP section 9: irreversible actions).
    Must,
}

impl Confirmation {
    /// `not-stated`, `should` or `must`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotStated => "not-stated",
            Self::Should => "should",
            Self::Must => "must",
        }
    }
}

/// The session that must be open.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SessionNeed<'a> {
    /// How long it lives, in seconds: as written, else the default of the format (1800 in agents.txt 0.1.0, 3600 in agents.json 0.1).
    pub ttl_seconds: u32,
    /// Where it is opened: as written, else the default of agents.json 0.1.
    pub create: Text<'a>,
    /// Where it is closed, where that is written.
    pub delete: Option<Text<'a>>,
}

/// Whether a request is allowed, and what else there is to know before it is made.
///
/// It borrows from the documents and the request. Its lists read from the documents when they are walked; each walk is linear in them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Decision<'a> {
    /// Whether it is.
    pub allowed: bool,
    /// Why.
    pub reason: Reason,
    /// What decides. Absent where nothing that is written does: what no rule speaks of, or what the request itself is refused for.
    pub rule: Option<Rule<'a>>,
    /// Which policy of the Internet-Draft's documents holds for the agent: one that names it, one for every agent, or none.
    pub agent: Binding,
    /// The id of the capability that is used; absent for a URL that is no endpoint of one.
    pub capability: Option<Text<'a>>,
    /// Where the capability is called, as written, which may be a path of the site. Absent for a URL, and where none is declared.
    pub endpoint: Option<Text<'a>>,
    /// The method the capability is declared with, as written; absent where none is.
    pub method: Option<Text<'a>>,
    /// How the host of the request relates to that of the documents; absent where either is not known.
    pub relation: Option<HostRelation>,
    /// Whether credentials may be sent to where the request goes.
    pub credentials: Credentials,
    /// Whether a session must be open: [`session`](Self::session) says how.
    pub session_required: bool,
    /// Whether a person must be asked.
    pub human: Human<'a>,
    /// Whether the document says that the action is impaired at present.
    pub degraded: bool,
    auth: Auth<'a>,
    /// The document of the Agent Web Protocol that declares the action.
    awp: Option<usize>,
    case: Case<'a>,
    survey: Survey<'a>,
}

/// What a decision is about.
#[derive(Clone, Copy, Debug)]
struct Case<'a> {
    documents: Documents<'a>,
    robots: Robots<'a>,
    request: Request<'a>,
    /// What the first document says of its site, and whether that is a domain and no URL.
    declared: Option<(Text<'a>, bool)>,
}

/// Decides a request over the documents of one site and its robots.txt.
///
/// A robots.txt may also stand among the documents. Documents that an agent's operator publishes about the agent (`Declaration-Type: agent`) say
/// nothing about the site, and are passed over. Without any document that speaks of the request it is allowed, for the web is open where
/// nothing is said; the reason then is [`Reason::NotStated`]. Linear in the documents. About 12 KB of stack in a release build;
/// [`decide_with`] takes most of that from the caller.
pub fn decide<'a>(
    documents: impl Into<Documents<'a>>,
    robots: Robots<'a>,
    request: &Request<'a>,
) -> Decision<'a> {
    decide_with(documents, robots, request, &mut Workspace::new())
}

/// The same in memory of the caller, for systems whose stack is small.
pub fn decide_with<'a>(
    documents: impl Into<Documents<'a>>,
    robots: Robots<'a>,
    request: &Request<'a>,
    workspace: &mut Workspace,
) -> Decision<'a> {
    let mut decision = Decision::open();
    decision.settle(documents, robots, request, workspace);
    decision
}

impl<'a> Decision<'a> {
    /// A decision that is not made: nothing is allowed, for [`Reason::InvalidUrl`]. [`settle`](Self::settle) makes it where it stays.
    pub fn open() -> Self {
        let documents: &[Document<'_>] = &[];
        let case = Case {
            documents: documents.into(),
            robots: Robots::NotAsked,
            request: Request::url("", ""),
            declared: None,
        };
        Self {
            allowed: false,
            reason: Reason::InvalidUrl,
            rule: None,
            agent: Binding::None,
            capability: None,
            endpoint: None,
            method: None,
            relation: None,
            credentials: Credentials::UnknownHost,
            session_required: false,
            human: Human::default(),
            degraded: false,
            auth: Auth::default(),
            awp: None,
            case,
            survey: Survey::new(),
        }
    }

    /// Decides as [`decide_with`] does, in place: what was decided before is forgotten. A decision is large for a small stack, and what a function
    /// returns is there twice.
    ///
    /// ```
    /// use agentsdisc_core::Document;
    /// use agentsdisc_core::policy::{Decision, Request, Robots, Workspace};
    /// let document = Document::parse(b"Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nDisallow: /admin/*\n")?;
    /// let (mut decision, mut workspace) = (Decision::open(), Workspace::new());
    /// decision.settle(&document, Robots::NotAsked, &Request::url("ExampleBot/1.0", "/admin/users"), &mut workspace);
    /// assert!(!decision.allowed);
    /// # Ok::<(), agentsdisc_core::Error>(())
    /// ```
    pub fn settle(
        &mut self,
        documents: impl Into<Documents<'a>>,
        robots: Robots<'a>,
        request: &Request<'a>,
        workspace: &mut Workspace,
    ) {
        self.reset();
        self.case.set(documents.into(), robots, request);
        judge::decide(self, workspace);
    }

    /// Forgets what was decided, where it stands.
    fn reset(&mut self) {
        let Self {
            allowed,
            reason,
            rule,
            agent,
            capability,
            endpoint,
            method,
            relation,
            credentials,
            ..
        } = self;
        (*allowed, *reason, *rule, *agent) = (false, Reason::InvalidUrl, None, Binding::None);
        (*capability, *endpoint, *method) = (None, None, None);
        (*relation, *credentials) = (None, Credentials::UnknownHost);
        let Self {
            session_required,
            human,
            degraded,
            auth,
            awp,
            case: _,
            survey,
            ..
        } = self;
        (*session_required, *human, *degraded) = (false, Human::default(), false);
        (*auth, *awp) = (Auth::default(), None);
        survey.reset();
    }

    /// Line and column of the rule. Linear in the document before it.
    pub fn rule_position(&self) -> Option<Position> {
        let rule = self.rule?;
        let bytes = match rule.source {
            Source::Document(index) => self.case.documents.get(index)?.bytes(),
            Source::Robots => match self.case.robots {
                Robots::Found(robots) => robots.bytes(),
                _ => return None,
            },
        };
        Some(PositionCursor::new(bytes).at(rule.span.start as usize))
    }

    /// All rate limits that apply, of every document and of the robots.txt, with their scope. All of them are to be kept.
    pub fn rate_limits(&self) -> RateLimits<'a> {
        RateLimits::new(self.case)
    }

    /// The strictest of them, as the advisory minimum: who keeps it is on the safe side where windows overlap. Linear.
    pub fn advisory_limit(&self) -> Option<AppliedLimit<'a>> {
        self.rate_limits().reduce(stricter)
    }

    /// The same in memory of the caller.
    pub fn advisory_limit_with(&self, workspace: &mut Workspace) -> Option<AppliedLimit<'a>> {
        let mut limits = self.rate_limits();
        core::iter::from_fn(|| limits.next_with(workspace)).reduce(stricter)
    }

    /// How to authenticate, the strictest of what the documents say.
    pub const fn auth(&self) -> &Auth<'a> {
        &self.auth
    }

    /// Puts the header that carries `token` into `buffer`: `Name: value` without a line end.
    ///
    /// It is made only where credentials may be sent there, and where the document's format says how: which header carries an API key is
    /// said by the Agent Discovery Protocol alone.
    ///
    /// # Errors
    /// [`HeaderError`].
    pub fn auth_header<'b>(
        &self,
        token: &str,
        buffer: &'b mut [u8],
    ) -> Result<&'b str, HeaderError> {
        let mut sink = SliceSink::new(buffer);
        self.put_auth_header(token, &mut sink)?;
        let needed = sink.length();
        buffer
            .get(..needed)
            .and_then(|bytes| crate::scan::text(bytes))
            .ok_or(HeaderError::BufferTooSmall { needed })
    }

    /// The same into a sink. Where it cannot be made, nothing is put.
    ///
    /// # Errors
    /// [`HeaderError`], but never for a buffer.
    pub fn put_auth_header(&self, token: &str, sink: &mut impl Sink) -> Result<(), HeaderError> {
        if self.allowed && self.auth.need <= AuthNeed::None {
            return Err(HeaderError::NotNeeded);
        }
        if !self.allowed || self.credentials != Credentials::Allowed {
            return Err(HeaderError::Withheld(self.credentials));
        }
        self.auth.put_header(token, sink)
    }

    /// The session that must be open, with the defaults of the formats; absent where none is needed.
    pub fn session(&self) -> Option<SessionNeed<'a>> {
        if !self.session_required {
            return None;
        }
        let mut need = SessionNeed {
            ttl_seconds: 0,
            create: Text::EMPTY,
            delete: None,
        };
        let (mut written, mut default) = (None, None);
        let mut order = Order::default();
        while let Some((_, document)) = self.case.next_in_order(&mut order) {
            let usual = match document.format() {
                Format::AgentsJson01 => 3600,
                Format::AgentsTxt01 => 1800,
                _ => continue,
            };
            let session = with_reading(document, |reading| reading.session()).unwrap_or_default();
            default = default.or(Some(usual));
            written = written.or(session.ttl_seconds);
            if need.create.is_empty() {
                need.create = session.create.unwrap_or_default();
            }
            need.delete = need.delete.or(session.delete);
        }
        need.ttl_seconds = written.or(default)?;
        if need.create.is_empty() {
            need.create = Text::plain(b"/.well-known/agents/api/session");
        }
        Some(need)
    }

    /// What must run before the action (Agent Web Protocol section 11), in order, or the cycle that forbids it; absent where no document of that
    /// protocol declares it. In `scratch`, four numbers are needed for each name in `dependencies`. O(n log n).
    ///
    /// # Errors
    /// [`PrerequisiteError`].
    pub fn prerequisites<'s>(
        &self,
        scratch: &'s mut [u32],
    ) -> Option<Result<Actions<'a, 's>, PrerequisiteError<'a, 's>>> {
        let awp = self.case.documents.get(self.awp?)?.awp()?;
        Some(awp.prerequisites_of(self.capability?, scratch))
    }

    /// Whether the document of the Agent Web Protocol that declares the action has dependencies that cannot be read, so that
    /// [`prerequisites`](Self::prerequisites) may be too few. Linear.
    pub fn prerequisites_unknown(&self) -> bool {
        let document = self.awp.and_then(|index| self.case.documents.get(index));
        document
            .and_then(Document::awp)
            .is_some_and(|awp| awp.has_unreadable_dependencies())
    }

    /// What the agents.md documents forbid in words. No decision is made of it: an agent must read it, and heed it.
    pub fn cannot(&self) -> Words<'a> {
        Words::new(self.case.documents, |permissions| permissions.cannot)
    }

    /// How they ask agents to behave.
    pub fn behavior(&self) -> Words<'a> {
        Words::new(self.case.documents, |permissions| permissions.behavior)
    }

    /// What they permit in words.
    pub fn can(&self) -> Words<'a> {
        Words::new(self.case.documents, |permissions| permissions.can)
    }
}

fn stricter<'a>(strictest: AppliedLimit<'a>, limit: AppliedLimit<'a>) -> AppliedLimit<'a> {
    if limit.is_stricter_than(&strictest) {
        limit
    } else {
        strictest
    }
}

/// Texts of documents, each with the index of its document.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    documents: Documents<'a>,
    next: usize,
    list: List<'a, Text<'a>>,
    of: fn(Permissions<'a>) -> List<'a, Text<'a>>,
}

impl<'a> Words<'a> {
    fn new(documents: Documents<'a>, of: fn(Permissions<'a>) -> List<'a, Text<'a>>) -> Self {
        Self {
            documents,
            next: 0,
            list: List::empty(),
            of,
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, Text<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(text) = self.list.next() {
                return Some((self.next.saturating_sub(1), text));
            }
            let document = self.documents.get(self.next)?;
            self.next = self.next.saturating_add(1);
            self.list = (self.of)(with_reading(document, |reading| reading.permissions()));
        }
    }
}

impl<'a> Case<'a> {
    fn set(&mut self, documents: Documents<'a>, robots: Robots<'a>, request: &Request<'a>) {
        // What cannot be read forbids.
        self.robots = if matches!(robots, Robots::Found(_)) && !Format::RobotsTxt.is_built_in() {
            Robots::Unreachable
        } else {
            robots
        };
        (self.documents, self.request, self.declared) = (documents, *request, None);
        let mut order = Order::default();
        while request.origin.is_none()
            && self.declared.is_none()
            && let Some((_, document)) = self.next_of_site(&mut order)
        {
            note_site(document, &mut self.declared);
        }
    }

    /// The product token of the agent: the first token of its name (RFC 9110 section 10.1.5).
    fn token(&self) -> Text<'a> {
        let name = self.request.agent.as_bytes().trim_ascii_start();
        let end = name
            .iter()
            .position(|&octet| octet.is_ascii() && !is_token_octet(octet))
            .unwrap_or(name.len());
        Text::plain(name.get(..end).unwrap_or_default())
    }

    /// The next document in the order of precedence, with its index.
    fn next_in_order(&self, order: &mut Order) -> Option<(usize, &'a Document<'a>)> {
        const RANKS: u8 = 10;
        while order.rank < RANKS {
            while order.index < self.documents.count() {
                let index = order.index;
                order.index = index.wrapping_add(1);
                if let Some(document) = self.documents.get(index)
                    && rank_of(document) == order.rank
                {
                    return Some((index, document));
                }
            }
            (order.rank, order.index) = (order.rank.wrapping_add(1), 0);
        }
        None
    }

    /// The next that speaks for the site.
    fn next_of_site(&self, order: &mut Order) -> Option<(usize, &'a Document<'a>)> {
        loop {
            let at = self.next_in_order(order)?;
            if judge::is_of_site(at.1) {
                return Some(at);
            }
        }
    }
}

/// Where a walk in the order of precedence stands. It goes over the documents once for each rank: there are few documents, and nothing to sort them in.
#[derive(Default)]
struct Order {
    rank: u8,
    index: usize,
}

/// Notes what a document says of its site, and whether that is a domain and no URL.
fn note_site<'a>(document: &Document<'a>, declared: &mut Option<(Text<'a>, bool)>) {
    if let Some(service) = with_reading(document, |reading| reading.service())
        && let Some(text) = service.url.or(service.domain)
    {
        *declared = Some((text, service.url.is_none()));
    }
}

/// Where a document stands in the order of precedence.
fn rank_of(document: &Document<'_>) -> u8 {
    match document.format() {
        Format::AgentsJson => 0,
        Format::AgentsJson01 => 1,
        Format::AgentsTxt => 2,
        Format::AgentsTxt01 => 3,
        Format::AgentsMd => 4,
        Format::Awp if document.awp().is_some_and(|awp| awp.is_synthetic()) => 9,
        Format::Awp => 5,
        Format::Adp => 6,
        Format::AdpCapability => 7,
        _ => 8,
    }
}
