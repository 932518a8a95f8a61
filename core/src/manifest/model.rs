//! What the unified model is made of: plain `Copy` structs of borrowed text and lists.
//!
//! A field is `None`, and a list empty, where the document says nothing (or nothing readable) about it. The JSON form of the
//! model, and the rules by which every format is read into it, stand in `docs/model.md`.

use super::choice::{
    AuthType, Choice, Execution, Kind, Location, PricingType, Protocol, Sensitivity, Source,
    Transport, Window,
};
use super::list::List;
use crate::syntax::json::Value;
use crate::syntax::text::Text;

/// A value that the model passes on as it was written.
#[derive(Clone, Copy, Debug)]
pub enum Raw<'a> {
    /// A JSON value of a JSON document.
    Json(Value<'a>),
    /// Text of a text document.
    Text(Text<'a>),
}

/// A named value that the model passes on as it was written.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// The name as written.
    pub name: Text<'a>,
    /// The value.
    pub value: Raw<'a>,
}

/// Unknown members of an object or block, and known ones that could not be read, in their order.
pub type Metadata<'a> = List<'a, Member<'a>>;

/// The service or site that a document speaks for.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Service<'a> {
    /// Name for people.
    pub name: Option<Text<'a>>,
    /// Canonical URL.
    pub url: Option<Text<'a>>,
    /// Domain, where that is what a format names it by.
    pub domain: Option<Text<'a>>,
    /// What it does.
    pub description: Option<Text<'a>>,
    /// Email addresses, URLs or other ways to reach the operator.
    pub contact: List<'a, Text<'a>>,
    /// URL of the privacy policy.
    pub privacy_policy: Option<Text<'a>>,
    /// URL of the documentation.
    pub docs: Option<Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
    /// The bytes it is read from: a JSON object; empty in the text formats.
    pub source: &'a [u8],
}

/// Where a document comes from (Agent Web Protocol section 14).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Provenance<'a> {
    /// Whether the site itself published it.
    pub source: Choice<'a, Source>,
    /// The tool that made a synthetic document.
    pub generated_by: Option<Text<'a>>,
    /// From 0 to 1, as written.
    pub confidence: Option<Value<'a>>,
    /// When it was last compared with the site.
    pub last_verified: Option<Text<'a>>,
}

/// Authentication for the whole service.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ServiceAuth<'a> {
    /// The kind.
    pub kind: Choice<'a, AuthType>,
    /// Request header that carries the key.
    pub header: Option<Text<'a>>,
    /// What stands before the key in the header.
    pub prefix: Option<Text<'a>>,
    /// Where people get a key.
    pub setup_url: Option<Text<'a>>,
    /// OAuth 2 authorization endpoint.
    pub authorization_url: Option<Text<'a>>,
    /// OAuth 2 token endpoint.
    pub token_url: Option<Text<'a>>,
    /// Where an expired token is refreshed.
    pub refresh_url: Option<Text<'a>>,
    /// Life of a token, as written (`24h`).
    pub token_expiry: Option<Text<'a>>,
    /// OAuth 2 scopes.
    pub scopes: List<'a, Text<'a>>,
    /// Actions that need authentication.
    pub required_for: List<'a, Text<'a>>,
    /// Actions for which it is optional.
    pub optional_for: List<'a, Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

impl ServiceAuth<'_> {
    /// [`token_expiry`](Self::token_expiry) in seconds, where it is a duration such as `24h`.
    pub fn token_expiry_seconds(&self) -> Option<u32> {
        self.token_expiry
            .and_then(crate::format::values::duration_seconds)
    }
}

/// An endpoint of another protocol that the site speaks.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Endpoint<'a> {
    /// Which protocol.
    pub protocol: Choice<'a, Protocol>,
    /// Where.
    pub url: Option<Text<'a>>,
    /// Version of the protocol.
    pub version: Option<Text<'a>>,
    /// How it is connected to.
    pub transport: Option<Choice<'a, Transport>>,
    /// How a caller proves who it is.
    pub auth: Option<Choice<'a, AuthType>>,
    /// Members that only this protocol has.
    pub extra: Metadata<'a>,
}

/// Authentication for one capability.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CapabilityAuth<'a> {
    /// The kind. `Unknown` is some authentication that cannot be told, never none.
    pub kind: Choice<'a, AuthType>,
    /// Where a token is obtained.
    pub token_url: Option<Text<'a>>,
    /// Where the way to authenticate is described.
    pub docs_url: Option<Text<'a>>,
    /// OAuth 2 scopes.
    pub scopes: List<'a, Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
    /// The bytes it is read from: a JSON value; empty in the text formats.
    pub source: &'a [u8],
}

/// A number of requests in a time.
#[derive(Clone, Copy, Debug)]
pub struct RateLimit<'a> {
    /// How many. Zero is kept as zero.
    pub requests: u32,
    /// In which time.
    pub window: Choice<'a, Window>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

/// A parameter of a capability.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Parameter<'a> {
    /// Its name.
    pub name: Option<Text<'a>>,
    /// Where it is sent.
    pub location: Option<Choice<'a, Location>>,
    /// Its type, as written.
    pub kind: Option<Text<'a>>,
    /// Whether it must be given; absent where that is not said (and then it need not).
    pub required: Option<bool>,
    /// What it means.
    pub description: Option<Text<'a>>,
    /// The value it has when it is not given.
    pub default: Option<Raw<'a>>,
    /// An example value.
    pub example: Option<Raw<'a>>,
    /// The least value.
    pub min: Option<Raw<'a>>,
    /// The greatest value.
    pub max: Option<Raw<'a>>,
    /// The type of the items of an array.
    pub items: Option<Raw<'a>>,
    /// The values it may have.
    pub options: List<'a, Raw<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
    /// The bytes it is read from: a JSON object, or the value of a `Param` line.
    pub source: &'a [u8],
}

/// A named result of a capability.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Output<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// Its type as written: a type expression, or an object.
    pub kind: Raw<'a>,
}

/// What protects a repeated call.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Idempotency<'a> {
    /// Whether keys are supported.
    pub supported: Option<bool>,
    /// The field that carries the key.
    pub key_field: Option<Text<'a>>,
    /// How long a key counts, as written (`24h`).
    pub window: Option<Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

/// Something an agent can do.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Capability<'a> {
    /// Its id or name.
    pub id: Option<Text<'a>>,
    /// What it does.
    pub description: Option<Text<'a>>,
    /// URL or path to call.
    pub endpoint: Option<Text<'a>>,
    /// HTTP method as written. Absent means GET in the Internet-Draft's formats.
    pub method: Option<Text<'a>>,
    /// The protocol spoken there.
    pub protocol: Option<Choice<'a, Protocol>>,
    /// The entry of `endpoints` it is called through.
    pub via: Option<Text<'a>>,
    /// The name it has there.
    pub operation: Option<Text<'a>>,
    /// Where its details are.
    pub detail_url: Option<Text<'a>>,
    /// URL of an OpenAPI description.
    pub openapi: Option<Text<'a>>,
    /// Authentication; absent where the document says nothing about it, which means none.
    pub auth: Option<CapabilityAuth<'a>>,
    /// Whether authentication is required, where that is said apart.
    pub auth_required: Option<bool>,
    /// Whether a session must be opened first.
    pub requires_session: Option<bool>,
    /// Whether it ends with a person taking over.
    pub human_handoff: Option<bool>,
    /// Rate limits.
    pub rate_limits: List<'a, RateLimit<'a>>,
    /// Parameters.
    pub parameters: List<'a, Parameter<'a>>,
    /// Results.
    pub outputs: List<'a, Output<'a>>,
    /// What it may break.
    pub sensitivity: Option<Choice<'a, Sensitivity>>,
    /// Whether a person should be asked first.
    pub requires_confirmation: Option<bool>,
    /// Whether it can be undone.
    pub reversible: Option<bool>,
    /// Whether the answer is the result.
    pub execution: Option<Choice<'a, Execution>>,
    /// Where an asynchronous result is asked for.
    pub poll_url: Option<Text<'a>>,
    /// What protects a repeated call.
    pub idempotency: Option<Idempotency<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
    /// The bytes it is read from: a JSON object, or a block with its first line.
    pub source: &'a [u8],
}

/// Which paths agents may reach.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Access<'a> {
    /// Patterns of paths that are allowed.
    pub allow: List<'a, Text<'a>>,
    /// Patterns of paths that are not.
    pub disallow: List<'a, Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

/// What holds for one agent.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct AgentPolicy<'a> {
    /// Its product token, or `*` for every agent without a policy of its own.
    pub name: Option<Text<'a>>,
    /// Rate limits.
    pub rate_limits: List<'a, RateLimit<'a>>,
    /// Capabilities it may use. `None`: all of them. An empty list: none (also where the list could not be read).
    pub capabilities: Option<List<'a, Text<'a>>>,
    /// URL of the operator's own declaration.
    pub declaration: Option<Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
    /// The bytes it is read from: a JSON value, or a block with its first line.
    pub source: &'a [u8],
}

/// What agents.md says in words.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Permissions<'a> {
    /// What agents can do.
    pub can: List<'a, Text<'a>>,
    /// What they cannot.
    pub cannot: List<'a, Text<'a>>,
    /// How they should behave.
    pub behavior: List<'a, Text<'a>>,
}

/// A suggested sequence of capabilities.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Flow<'a> {
    /// Its name.
    pub name: Option<Text<'a>>,
    /// What it is for.
    pub description: Option<Text<'a>>,
    /// Capabilities in order.
    pub steps: List<'a, Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

/// What must be done before something else.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Dependency<'a> {
    /// The dependent capability.
    pub capability: Text<'a>,
    /// What it requires.
    pub requires: List<'a, Text<'a>>,
}

/// A named type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entity<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// Its fields.
    pub fields: List<'a, Output<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

/// What to do about an error.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Recovery<'a> {
    /// The error's code.
    pub code: Text<'a>,
    /// What to do.
    pub recovery: Option<Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

/// Whether the service works now.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Status<'a> {
    /// Whether it does.
    pub operational: Option<bool>,
    /// Capabilities that are impaired.
    pub degraded: List<'a, Text<'a>>,
    /// Where to ask.
    pub url: Option<Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

/// What the service costs.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Pricing<'a> {
    /// The model.
    pub kind: Option<Choice<'a, PricingType>>,
    /// The plans.
    pub plans: List<'a, Plan<'a>>,
    /// Where the prices are.
    pub plans_url: Option<Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

/// A plan of a service.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Plan<'a> {
    /// Its name.
    pub name: Option<Text<'a>>,
    /// Its price, as written.
    pub price: Option<Text<'a>>,
    /// What it includes, as written.
    pub limits: Option<Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

/// How sessions work.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Session<'a> {
    /// Life of a session in seconds, where it is written.
    pub ttl_seconds: Option<u32>,
    /// Where a session is opened.
    pub create: Option<Text<'a>>,
    /// Where it is closed.
    pub delete: Option<Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

/// Whether what agents do is recorded.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Audit<'a> {
    /// Whether it is.
    pub enabled: Option<bool>,
    /// Where the record can be read.
    pub endpoint: Option<Text<'a>>,
    /// Everything else.
    pub metadata: Metadata<'a>,
}

/// A group of robots.txt rules.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct RobotsGroup<'a> {
    /// Product tokens it holds for.
    pub agents: List<'a, Text<'a>>,
    /// Its rules, in order.
    pub rules: List<'a, RobotsRule<'a>>,
    /// Seconds between requests, as written.
    pub crawl_delay: Option<Text<'a>>,
}

/// A rule of robots.txt.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RobotsRule<'a> {
    /// Whether it allows.
    pub allow: bool,
    /// The pattern of paths.
    pub pattern: Text<'a>,
}

/// One result of a registry search.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SearchResult<'a> {
    /// The service that was found.
    pub service: Service<'a>,
    /// Those of its capabilities that match.
    pub capabilities: List<'a, Capability<'a>>,
}

/// The head of a document: everything that is there once.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Head<'a> {
    /// Version of the specification that the document follows, as written.
    pub spec_version: Option<Text<'a>>,
    /// Whose declaration it is; a platform's where nothing else is said.
    pub kind: Choice<'a, Kind>,
    /// When it was made, as written.
    pub generated_at: Option<Text<'a>>,
    /// The companion document in the other notation.
    pub companion: Option<Text<'a>>,
}

impl Default for Head<'_> {
    fn default() -> Self {
        Self {
            spec_version: None,
            kind: Choice::implied(Kind::Platform),
            generated_at: None,
            companion: None,
        }
    }
}
