//! Decides whether an agent may make a request, from the documents of a site and its robots.txt.
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
//! `docs/policy.md` describes each step and lists the reasons. In short: every document gives its
//! own answer. An explicit denial in any document or in the robots.txt wins; otherwise the first
//! answer in the order of precedence. Unreadable values get the restrictive reading.
//!
//! # Rulings
//!
//! - **Order of precedence**: agents.json, agents.txt, agents.md, agent.json of the Agent Web
//!   Protocol, the details and the manifest of the Agent Discovery Protocol, MCP server cards and
//!   the index of skills, A2A agent cards. A synthetic agent.json comes last. Documents of one kind
//!   keep the given order.
//! - **Details** of the Agent Discovery Protocol: the detail of a capability states its endpoint
//!   and its method. The endpoint is resolved with the base URL of the manifest, and the
//!   authentication of the manifest applies.
//! - **Origin.** Access rules apply to the origin that the documents were fetched from
//!   ([`Request::origin`]); without it, to the origin that the first document states. A URL on
//!   another origin is allowed only if a document declares it as an endpoint, on the same registrable
//!   domain or approved by the caller.
//! - **Methods.** Access rules match paths, for every method. A declared endpoint is permitted
//!   for its declared method; HEAD is equivalent to GET. Without a declared method, GET is permitted,
//!   or any method for protocols other than REST.
//! - **Prose.** The text under Can and Cannot of an agents.md is never matched against URLs:
//!   [`Decision::cannot`] returns it.
//! - **A limit of zero** allows no request.

mod agents;
mod auth;
#[cfg(feature = "call")]
mod basis;
mod budget;
mod capabilities;
mod case;
mod documents;
mod draft;
mod endpoint;
mod finding;
mod index;
#[cfg(feature = "json")]
mod json;
mod judge;
mod limits;
mod offers;
mod place;
mod reason;
mod request;
mod robots;
mod service;
mod session;
mod survey;
mod unread;
mod unread_json;
mod words;
mod workspace;

pub use agents::agent_name;
pub use auth::{Auth, AuthNeed, Credentials, HeaderError};
#[cfg(feature = "call")]
pub(crate) use basis::Chosen;
pub use documents::Documents;
#[cfg(all(feature = "call", feature = "json"))]
pub(crate) use json::{Positions, put_auth, put_human};
pub use limits::{AppliedLimit, RateLimits, Scope};
pub use offers::{Offer, Offers};
pub use reason::Reason;
pub use request::{Approved, Request, Robots, Target};
pub use session::SessionNeed;
pub use words::Words;
pub use workspace::Workspace;

use crate::document::Document;
use crate::document::with_reading;
use crate::format::awp::{Actions, PrerequisiteError};
use crate::format::robots_txt::Binding;
use crate::model::{Choice, List, Mark, Permissions, Sensitivity, Stance};
use crate::rules::user_agent::UserAgent;
use crate::sink::{Sink, SliceSink};
use crate::span::{Position, PositionCursor, Span};
use crate::syntax::json::Value;
use crate::syntax::text::Text;
use crate::syntax::url::HostRelation;
use case::Case;
use survey::Survey;

/// The source of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Source {
    /// The document with this index.
    Document(usize),
    /// The robots.txt passed as [`Robots`].
    Robots,
}

/// The deciding text: a pattern, the name of an agent's policy, the id or the endpoint of a
/// capability.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rule<'a> {
    /// Its text as written.
    pub text: Text<'a>,
    /// The position of the text.
    pub span: Span,
    /// The document it is from.
    pub source: Source,
}

/// Whether the content may be used for the purpose of the request (AI preferences).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct UsePreference<'a> {
    /// The purpose of the request.
    pub purpose: &'a str,
    /// What the site prefers.
    pub stance: Stance,
    /// The statement that decides: a part of a line in a robots.txt. Absent if nothing is stated,
    /// or if the header decides. With [`Stance::NotStated`], the `Content-Signal` of a group for `*`
    /// that does not reach the agent, because another group names it.
    pub statement: Option<Rule<'a>>,
    /// Whether the `Content-Usage` header decides.
    pub by_header: bool,
}

/// Whether a person must confirm, and how severe the consequences of the action may be.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Human<'a> {
    /// Whether a person must confirm before the request.
    pub confirmation: Confirmation,
    /// How severe the consequences may be: the most severe value in any document. An unknown value
    /// counts as the most severe one.
    pub sensitivity: Option<Choice<'a, Sensitivity>>,
    /// Whether the action can be undone; absent if no document says so.
    pub reversible: Option<bool>,
    /// Whether a person completes the action, as in a checkout.
    pub handoff: bool,
}

/// Whether a person must confirm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub enum Confirmation {
    /// No document mentions it.
    #[default]
    NotStated,
    /// Ask a person (AWP section 9: confirmation required, destructive actions).
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

/// Whether a request is allowed, and what the agent must know before it sends it.
///
/// Borrows from the documents and the request. Its lists read from the documents; each walk is
/// linear in them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Decision<'a> {
    /// Whether the request is allowed.
    pub allowed: bool,
    /// The reason.
    pub reason: Reason,
    /// The deciding text. Absent if no text decides, for example because no rule covers the
    /// request, or the request itself is invalid.
    pub rule: Option<Rule<'a>>,
    /// Which agent policy of an Internet-Draft document applies: a policy that names the agent, a
    /// policy for every agent, or none.
    pub agent: Binding,
    /// The id of the capability; absent for a URL that is not an endpoint of one.
    pub capability: Option<Text<'a>>,
    /// The endpoint of the capability as written, possibly a path of the site. Absent for a URL,
    /// and if none is declared.
    pub endpoint: Option<Text<'a>>,
    /// The declared method of the capability as written; absent if none is declared.
    pub method: Option<Text<'a>>,
    /// Whether the endpoint is unknown because it is in the detail of the capability (ADP §4.3),
    /// which is not among the documents. Then no rule was applied to the endpoint.
    pub detail_unknown: bool,
    /// How the host of the request relates to the host of the documents; absent if either is
    /// unknown.
    pub relation: Option<HostRelation>,
    /// Whether credentials may be sent with the request.
    pub credentials: Credentials,
    /// Whether a session must be open; see [`session`](Self::session).
    pub session_required: bool,
    /// Whether a person must confirm.
    pub human: Human<'a>,
    /// Whether the document states that the action is degraded.
    pub degraded: bool,
    /// Whether a third party wrote the document that answers (AWP section 14).
    pub synthetic: bool,
    /// The confidence of that third party, a number from 0 to 1 as written; absent if it states
    /// none, and in native documents.
    pub confidence: Option<Value<'a>>,
    /// Whether the content may be used for the purpose of the request; absent if the request has no
    /// purpose, and in builds without robots.txt.
    pub preference: Option<UsePreference<'a>>,
    auth: Auth<'a>,
    /// The index of the Agent Web Protocol document that declares the capability.
    awp: Option<usize>,
    /// The index of the document that declares the chosen capability, and the position of the
    /// capability.
    chosen: Option<(usize, Mark)>,
    case: Case<'a>,
    survey: Survey<'a>,
}

/// Decides whether a request is allowed, from the documents of one site and its robots.txt.
///
/// The documents may include a robots.txt. Documents that an agent's operator publishes about the
/// agent (`Declaration-Type: agent`) do not cover the site and are ignored. If no document covers
/// the request, it is allowed with [`Reason::NotStated`]. Linear in the documents. Uses about 12 KB
/// of stack in a release build; [`decide_with`] takes most of that from the caller.
pub fn decide<'a>(
    documents: impl Into<Documents<'a>>,
    robots: Robots<'a>,
    request: &Request<'a>,
) -> Decision<'a> {
    decide_with(documents, robots, request, &mut Workspace::new())
}

/// The same with a workspace of the caller, for small stacks.
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
    /// An empty decision: nothing is allowed ([`Reason::InvalidUrl`]). [`settle`](Self::settle)
    /// fills it in place.
    pub fn open() -> Self {
        let documents: &[Document<'_>] = &[];
        let case = Case {
            documents: documents.into(),
            robots: Robots::NotAsked,
            request: Request::url("", ""),
            agent: UserAgent::default(),
            declared: None,
            manifest: None,
            index: index::Index::NONE,
            known: case::Known::default(),
        };
        Self {
            allowed: false,
            reason: Reason::InvalidUrl,
            rule: None,
            agent: Binding::None,
            capability: None,
            endpoint: None,
            method: None,
            detail_unknown: false,
            relation: None,
            credentials: Credentials::UnknownHost,
            session_required: false,
            human: Human::default(),
            degraded: false,
            synthetic: false,
            confidence: None,
            preference: None,
            auth: Auth::default(),
            awp: None,
            chosen: None,
            case,
            survey: Survey::new(),
        }
    }

    /// Decides as [`decide_with`] does, in place, and overwrites the previous decision. This avoids
    /// a second copy of a large value on a small stack.
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

    /// Resets the decision in place.
    fn reset(&mut self) {
        let Self {
            allowed,
            reason,
            rule,
            agent,
            capability,
            endpoint,
            method,
            detail_unknown,
            relation,
            credentials,
            ..
        } = self;
        (*allowed, *reason, *rule, *agent) = (false, Reason::InvalidUrl, None, Binding::None);
        (*capability, *endpoint, *method, *detail_unknown) = (None, None, None, false);
        (*relation, *credentials) = (None, Credentials::UnknownHost);
        let Self {
            session_required,
            human,
            degraded,
            synthetic,
            confidence,
            preference,
            auth,
            awp,
            chosen,
            case: _,
            survey,
            ..
        } = self;
        (*session_required, *human, *degraded) = (false, Human::default(), false);
        (*synthetic, *confidence) = (false, None);
        *preference = None;
        (*auth, *awp, *chosen) = (Auth::default(), None, None);
        survey.reset();
    }

    /// Line and column of the rule. Linear in the document before it.
    pub fn rule_position(&self) -> Option<Position> {
        self.position_of(&self.rule?)
    }

    /// Line and column of a rule of this decision. Linear in the document before it.
    pub fn position_of(&self, rule: &Rule<'_>) -> Option<Position> {
        Some(PositionCursor::new(self.bytes_of(rule.source)?).at(rule.span.start as usize))
    }

    fn bytes_of(&self, source: Source) -> Option<&'a [u8]> {
        match (source, self.case.robots) {
            (Source::Document(index), _) => Some(self.case.documents.get(index)?.bytes()),
            (Source::Robots, Robots::Found(robots)) => Some(robots.bytes()),
            (Source::Robots, _) => None,
        }
    }

    /// All rate limits that apply, of every document and the robots.txt, with their scope. A client
    /// must respect all of them.
    pub fn rate_limits(&self) -> RateLimits<'a> {
        RateLimits::new(self.case)
    }

    /// The strictest limit. A client that respects it usually respects the others too, but not
    /// always: windows of different lengths can overlap. Linear.
    pub fn advisory_limit(&self) -> Option<AppliedLimit<'a>> {
        self.rate_limits().reduce(stricter)
    }

    /// The same with a workspace of the caller.
    pub fn advisory_limit_with(&self, workspace: &mut Workspace) -> Option<AppliedLimit<'a>> {
        let mut limits = self.rate_limits();
        core::iter::from_fn(|| limits.next_with(workspace)).reduce(stricter)
    }

    /// How to authenticate: the strictest requirement in any document.
    pub const fn auth(&self) -> &Auth<'a> {
        &self.auth
    }

    /// Writes the header that carries `token` into `buffer`: `Name: value` without a line end.
    ///
    /// Fails if credentials may not be sent, or if no document names the header.
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

    /// The same into a sink. On error, nothing is written.
    ///
    /// # Errors
    /// [`HeaderError`], except `BufferTooSmall`.
    pub fn put_auth_header(&self, token: &str, sink: &mut impl Sink) -> Result<(), HeaderError> {
        if self.allowed && self.auth.need <= AuthNeed::None {
            return Err(HeaderError::NotNeeded);
        }
        if !self.allowed || self.credentials != Credentials::Allowed {
            return Err(HeaderError::Withheld(self.credentials));
        }
        self.auth.put_header(token, sink)
    }

    /// The actions that must run first, in order (Agent Web Protocol section 11); absent if no
    /// document of that protocol declares the action. `scratch` needs four numbers for each name in
    /// `dependencies`. O(n log n).
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

    /// Whether the `dependencies` in the document that declares the action cannot be read, so that
    /// [`prerequisites`](Self::prerequisites) returns an error. Linear, without scratch memory.
    pub fn prerequisites_unknown(&self) -> bool {
        let document = self.awp.and_then(|index| self.case.documents.get(index));
        document.and_then(Document::awp).is_some_and(|awp| awp.has_unreadable_dependencies())
    }

    /// The restrictions in prose of the agents.md documents: the items of Cannot, then its
    /// paragraphs. No decision uses them: an agent must read and respect them.
    pub fn cannot(&self) -> Words<'a> {
        Words::new(self.case.documents, |document| {
            let prose = prose(document);
            [prose.cannot, prose.cannot_prose]
        })
    }

    /// The behavior that the agents.md documents ask for.
    pub fn behavior(&self) -> Words<'a> {
        Words::new(self.case.documents, |document| [prose(document).behavior, List::empty()])
    }

    /// The permissions in prose of the agents.md documents.
    pub fn can(&self) -> Words<'a> {
        Words::new(self.case.documents, |document| [prose(document).can, List::empty()])
    }

    /// Restrictions that a format does not read ([`Document::unread`]). First the values of
    /// `Disallow` lines: in unrecognized documents, in documents whose format has no such lines,
    /// and in documents of the Internet-Draft if they are not patterns. A decision denies requests
    /// that match them ([`Reason::UnreadRestriction`]); an agent must read the values that match
    /// nothing. Then the lines of an agents.md that look like the heading of a section Cannot but
    /// are not one, and the values of `disallow` in JSON that cannot be parsed. In UTF-16 and UTF-32
    /// these are the lines with a `Disallow`, as written.
    pub fn unread(&self) -> Words<'a> {
        Words::new(self.case.documents, |document| {
            [unread::restrictions(document), unread::others(document)]
        })
    }
}

fn stricter<'a>(strictest: AppliedLimit<'a>, limit: AppliedLimit<'a>) -> AppliedLimit<'a> {
    if limit.is_stricter_than(&strictest) { limit } else { strictest }
}

/// The prose of an agents.md.
fn prose<'a>(document: &Document<'a>) -> Permissions<'a> {
    with_reading(document, |reading| reading.permissions())
}
