//! From a decision to a call: the request that calls a capability, and what its answer means.
//! Nothing here uses the network; the caller sends the request.
//!
//! ```
//! use agentsdisc_core::Document;
//! use agentsdisc_core::call::{Call, Options, Step};
//! use agentsdisc_core::policy::{Request, Robots, decide};
//! let text = b"Spec-Version: 1.0
//! Site-Name: Mug Shop
//! Site-URL: https://mugs.example
//! Capability: search
//!   Endpoint: https://mugs.example/api/search
//!   Protocol: REST
//!   Param: q (query, string, required)
//!   Param: limit (query, integer)
//! ";
//! let documents = [Document::parse(text)?];
//! let decision = decide(&documents, Robots::Absent, &Request::capability("ExampleBot/1.0", "search"));
//!
//! let mut buffer = [0; 256];
//! let arguments = br#"{"q": "mug & bowl", "limit": 10}"#;
//! let plan = Call::new().plan(&decision, arguments, &Options::default(), &mut buffer).unwrap();
//! let Step::Http(request) = plan.step else { panic!() };
//! assert_eq!((request.method, request.url), ("GET", "https://mugs.example/api/search?q=mug%20%26%20bowl&limit=10"));
//! # Ok::<(), agentsdisc_core::Error>(())
//! ```
//!
//! `docs/calls.md` has the rulings. In short: a call is refused if the decision denies the
//! capability, or the URL with its arguments. Arguments are checked against the declared
//! parameters. Whatever must happen before the call is a step of its own ([`First`]).

mod arguments;
mod before;
#[cfg(feature = "json")]
mod given;
#[cfg(feature = "json")]
mod json;
mod next;
mod plan;
mod refusal;
#[cfg(feature = "json")]
mod schema;
mod types;

pub use crate::format::adp::{Header, Headers, Request};
pub use next::{Answer, Failure, Next, Outcome, Outputs, Recovery};
pub use refusal::{Problem, Refusal};
#[cfg(feature = "json")]
pub use schema::put_schema;

use crate::model::{AuthType, Choice, Protocol, Transport};
use crate::policy::{Auth, AuthNeed, Confirmation, Decision, Human, Workspace};
use crate::syntax::text::Text;

/// The largest number of plans of one call, including the plans of the actions that it requires.
const STEPS: u16 = 64;

/// The progress of a call. Contains only counters and flags; the documents are in the decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Call {
    /// The number of plans, retries, polls and recoveries.
    steps: u16,
    retries: u8,
    polls: u8,
    recoveries: u8,
    /// Whether the last planned request may be sent again.
    is_repeatable: bool,
    /// Whether the credential was renewed after the last success.
    is_renewed: bool,
    /// Whether the credential may be sent to the URL to poll.
    polls_with_credential: bool,
}

/// How to plan a call.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options<'o> {
    /// Whether the caller has a credential for the service. Without one, [`First::Token`] comes
    /// before a call that requires authentication.
    pub has_credential: bool,
    /// Whether the caller has an open session. Without one, [`First::Session`] comes before a call
    /// that requires it.
    pub has_session: bool,
    /// What a person has confirmed. `Must` is enough for every call, `Should` for calls that a
    /// person should confirm. Without it, [`First::Confirmation`] comes before a call that needs
    /// one.
    pub confirmed: Confirmation,
    /// The answers of the actions that this call requires.
    pub done: &'o [Done<'o>],
    /// A key by which the service recognizes a repeated call. It is sent if the document names the
    /// field for it.
    pub idempotency_key: Option<&'o str>,
    /// The name of the operation at an endpoint of another protocol, such as an MCP tool. It is
    /// used if the document does not name the operation.
    pub operation: Option<&'o str>,
    /// Whether arguments may be sent to a capability that declares no parameters at all. They are
    /// sent in the query for GET and HEAD, otherwise in the body.
    pub undeclared: bool,
    /// Whether strings are converted to the declared type, for example `limit=10` from a command
    /// line.
    pub from_text: bool,
    /// Whether to send the headers that the example of an Agent Discovery Protocol detail gives with
    /// a constant value.
    pub constant_headers: bool,
}

/// The answer of an action that another one requires.
#[derive(Clone, Copy, Debug)]
pub struct Done<'o> {
    /// The id of the action.
    pub action: &'o str,
    /// The body of its answer.
    pub body: &'o [u8],
}

/// What to do next to call a capability.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Plan<'a, 'b> {
    /// The next step.
    pub step: Step<'a, 'b>,
    /// What a person must confirm. The step is [`First::Confirmation`] until [`Options::confirmed`]
    /// is high enough.
    pub human: Human<'a>,
    /// Which credential to send, and in which header; absent if there is none or none may be sent.
    /// The request does not contain the credential.
    pub credential: Option<Credential<'a>>,
    /// How the service recognizes a repeated call; absent if the document does not state it.
    pub idempotency: Option<Key<'a>>,
    /// Whether the same request may be sent again: its method is idempotent (RFC 9110 section
    /// 9.2.2), or it carries an idempotency key.
    pub is_repeatable: bool,
    /// Whether the result comes later: [`Next::Poll`] follows.
    pub is_async: bool,
    /// The index of the document that declares the capability.
    pub document: usize,
}

/// A step of a call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Step<'a, 'b> {
    /// Send this request.
    Http(Request<'b>),
    /// Call this operation with a client of its protocol.
    Client(Client<'a, 'b>),
    /// Do this first, then plan again.
    First(First<'a, 'b>),
}

/// An operation for a client of another protocol.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Client<'a, 'b> {
    /// The protocol: `mcp`, `a2a`, `graphql`, `websocket`, `openapi`, … or `unknown`.
    pub protocol: Choice<'a, Protocol>,
    /// The absolute URL of its endpoint.
    pub url: &'b str,
    /// The transport, if the document states it.
    pub transport: Option<Choice<'a, Transport>>,
    /// The version of the protocol, if the document states it.
    pub version: Option<Text<'a>>,
    /// The name of the operation, such as the name of an MCP tool; absent if neither the document
    /// nor [`Options::operation`] names it.
    pub operation: Option<&'b str>,
    /// The tenant that every request of an A2A agent names (A2A 1.0 §8.3.2), if the card states one.
    pub tenant: Option<Text<'a>>,
    /// The URL of the OpenAPI description, as written.
    pub openapi: Option<Text<'a>>,
    /// The method of an operation that an OpenAPI description describes.
    pub method: Option<&'b str>,
    /// The arguments: a JSON object.
    pub arguments: &'b str,
}

/// What has to happen before a call.
// One variant is larger than the others, and without a heap it cannot be boxed.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum First<'a, 'b> {
    /// Fetch the document that describes the rest of the capability, and decide again with it. This
    /// is the detail of an Agent Discovery Protocol capability, or the agents.json beside an
    /// agents.txt 0.1.0.
    Document {
        /// Its absolute URL.
        url: &'b str,
    },
    /// Call this action, and pass its answer in [`Options::done`] (Agent Web Protocol section 11).
    /// The action needs a decision and a plan of its own.
    Action {
        /// Its id.
        action: Text<'a>,
    },
    /// Obtain a credential as the decision describes, then set [`Options::has_credential`].
    Token(Auth<'a>),
    /// Open a session, then set [`Options::has_session`].
    Session(Open<'b>),
    /// Ask a person, then set [`Options::confirmed`]. [`Plan::human`] has the reason.
    Confirmation,
}

/// The request that opens a session.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Open<'b> {
    /// The method: `POST`.
    pub method: &'static str,
    /// The absolute URL.
    pub url: &'b str,
    /// How long the session lasts, in seconds.
    pub ttl_seconds: u32,
}

/// Which credential to send, and in which header.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Credential<'a> {
    /// Whether this is the token of a session instead of a credential for the service.
    pub is_session: bool,
    /// Whether the credential is required or optional.
    pub need: AuthNeed,
    /// Its type.
    pub kind: Choice<'a, AuthType>,
    /// The header that carries it; absent if the format does not name one.
    pub header: Option<Text<'a>>,
    /// The prefix in the header, followed by one space; empty for the bare token.
    pub prefix: Text<'a>,
}

/// How a service recognizes a repeated call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Key<'a> {
    /// The field that carries the key.
    pub field: Text<'a>,
    /// How long a key is remembered, in seconds, if the document states it.
    pub window_seconds: Option<u32>,
    /// Whether the request carries a key.
    pub is_sent: bool,
}

impl Call {
    /// A call that has not begun.
    pub const fn new() -> Self {
        Self {
            steps: 0,
            retries: 0,
            polls: 0,
            recoveries: 0,
            is_repeatable: false,
            is_renewed: false,
            polls_with_credential: false,
        }
    }

    /// Plans the next step of a call. `decision` is the decision for a capability, or for the URL
    /// of a gateway of another protocol. `arguments` is a JSON object; a member that is `null`
    /// counts as absent. Linear in the document and in the arguments. Uses about 30 KB of stack in
    /// a release build.
    ///
    /// # Errors [`Refusal`]. [`Problem::BufferTooSmall`] states a sufficient size, and does not
    /// change the call.
    pub fn plan<'v, 'a: 'v, 'b>(
        &mut self,
        decision: &Decision<'a>,
        arguments: &'v [u8],
        options: &Options<'v>,
        buffer: &'b mut [u8],
    ) -> Result<Plan<'a, 'b>, Refusal<'v>> {
        self.plan_with(decision, arguments, options, &mut Workspace::new(), buffer)
    }

    /// The same with a workspace of the caller.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn plan_with<'v, 'a: 'v, 'b>(
        &mut self,
        decision: &Decision<'a>,
        arguments: &'v [u8],
        options: &Options<'v>,
        workspace: &mut Workspace,
        buffer: &'b mut [u8],
    ) -> Result<Plan<'a, 'b>, Refusal<'v>> {
        if self.steps >= STEPS {
            return Err(Refusal::of(Problem::TooManySteps));
        }
        workspace.unfill();
        let plan = plan::plan(decision, arguments, options, workspace, buffer);
        workspace.unfill();
        if !is_too_small(&plan) {
            self.steps = self.steps.saturating_add(1);
        }
        let plan = plan?;
        (self.is_repeatable, self.polls) = (plan.is_repeatable, 0);
        Ok(plan)
    }

    /// Reads the answer to a planned HTTP request, and returns what to do next. Pass the answers to
    /// repeated requests and to polls as well. Linear in the answer and in the document.
    ///
    /// # Errors [`Refusal`], if the URL to poll is not allowed or has a placeholder without a
    /// value, or if the buffer is too small. A buffer that is too small does not change the call.
    pub fn next<'a, 'r, 'b>(
        &mut self,
        decision: &Decision<'a>,
        answer: &Answer<'_, 'r>,
        buffer: &'b mut [u8],
    ) -> Result<Next<'a, 'r, 'b>, Refusal<'a>> {
        self.next_with(decision, answer, &mut Workspace::new(), buffer)
    }

    /// The same with a workspace of the caller.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn next_with<'a, 'r, 'b>(
        &mut self,
        decision: &Decision<'a>,
        answer: &Answer<'_, 'r>,
        workspace: &mut Workspace,
        buffer: &'b mut [u8],
    ) -> Result<Next<'a, 'r, 'b>, Refusal<'a>> {
        let before = *self;
        let next = next::next(self, decision, answer, workspace, buffer);
        if is_too_small(&next) {
            *self = before;
        }
        next
    }
}

/// Whether the problem is a buffer that is too small.
fn is_too_small<T>(result: &Result<T, Refusal<'_>>) -> bool {
    let problem = result.as_ref().err().map(|refusal| refusal.problem);
    matches!(problem, Some(Problem::BufferTooSmall { .. }))
}
