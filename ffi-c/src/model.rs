//! The structs of the unified model. Written by `cargo xtask model` from core/src/manifest/table.rs; change it there.

use agentsdisc_core::manifest as model;
use agentsdisc_core::syntax::text::Text;

use crate::agents::{AGD_CAPABILITIES_ALL, AGD_CAPABILITIES_LISTED};
use crate::boundary::{filled, growing};
use crate::capability::{agd_capabilities, agd_outputs, agd_rate_limits};
use crate::enumerations::{agd_choice, number, truth};
use crate::manifest::agd_plans;
use crate::parameter::agd_parameters;
use crate::robots::agd_robots_rules;
use crate::text::{agd_text, agd_texts};
use crate::value::{agd_members, agd_value, agd_values};

growing! {
    agd_service,
    agd_provenance,
    agd_service_auth,
    agd_endpoint,
    agd_rate_limit,
    agd_parameter,
    agd_output,
    agd_capability,
    agd_access,
    agd_agent,
    agd_permissions,
    agd_flow,
    agd_dependency,
    agd_entity,
    agd_recovery,
    agd_service_status,
    agd_plan,
    agd_pricing,
    agd_session,
    agd_audit,
    agd_robots_rule,
    agd_robots_group,
    agd_search_result,
}

/// The service or site that a document describes. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_service {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Name for people.
    pub name: agd_text,
    /// Canonical URL.
    pub url: agd_text,
    /// Domain, in formats that name the service by its domain.
    pub domain: agd_text,
    /// What the service does.
    pub description: agd_text,
    /// Email addresses, URLs or other ways to reach the operator.
    pub contact: agd_texts,
    /// URL of the privacy policy.
    pub privacy_policy: agd_text,
    /// URL of the documentation.
    pub docs: agd_text,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
    /// The bytes it is read from: a JSON object; empty in the text formats.
    pub source: agd_text,
}

filled! {
    agd_service from it: model::Service<'static> {
        name: it.name,
        url: it.url,
        domain: it.domain,
        description: it.description,
        contact: it.contact,
        privacy_policy: it.privacy_policy,
        docs: it.docs,
        metadata: it.metadata,
        source: it.source,
    }
}

/// Where a document comes from (Agent Web Protocol section 14). It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_provenance {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Who published the document: `native` (the site itself), `synthetic` or `unknown` (AGD_SOURCE_*).
    pub source: agd_choice,
    /// The tool that made a synthetic document.
    pub generated_by: agd_text,
    /// Confidence from 0 to 1, as written.
    pub confidence: agd_value,
    /// When the document was last compared with the site.
    pub last_verified: agd_text,
}

filled! {
    agd_provenance from it: model::Provenance<'static> {
        source: it.source,
        generated_by: it.generated_by,
        confidence: it.confidence,
        last_verified: it.last_verified,
    }
}

/// Authentication for the whole service. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_service_auth {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (some authentication, never none) (AGD_AUTH_*).
    pub r#type: agd_choice,
    /// Request header that carries the key.
    pub header: agd_text,
    /// Text before the key in the header.
    pub prefix: agd_text,
    /// URL where people get a key.
    pub setup_url: agd_text,
    /// OAuth 2 authorization endpoint.
    pub authorization_url: agd_text,
    /// OAuth 2 token endpoint.
    pub token_url: agd_text,
    /// URL that refreshes an expired token.
    pub refresh_url: agd_text,
    /// Lifetime of a token, as written, for example `24h`.
    pub token_expiry: agd_text,
    /// Lifetime of a token in seconds; absent where `token_expiry` is not a duration (AGD_UNSAID if absent).
    pub token_expiry_seconds: i64,
    /// OAuth 2 scopes.
    pub scopes: agd_texts,
    /// Actions that need authentication.
    pub required_for: agd_texts,
    /// Actions for which authentication is optional.
    pub optional_for: agd_texts,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_service_auth from it: model::ServiceAuth<'static> {
        r#type: it.kind,
        header: it.header,
        prefix: it.prefix,
        setup_url: it.setup_url,
        authorization_url: it.authorization_url,
        token_url: it.token_url,
        refresh_url: it.refresh_url,
        token_expiry: it.token_expiry,
        token_expiry_seconds: number(it.token_expiry_seconds),
        scopes: it.scopes,
        required_for: it.required_for,
        optional_for: it.optional_for,
        metadata: it.metadata,
    }
}

/// An endpoint of another protocol that the site supports. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_endpoint {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The protocol: `mcp`, `a2a`, `x402`, … or `unknown` (AGD_PROTOCOL_*).
    pub protocol: agd_choice,
    /// URL of the endpoint.
    pub url: agd_text,
    /// Version of the protocol.
    pub version: agd_text,
    /// The transport: `streamable-http`, `sse`, `http`, `stdio` or `unknown` (AGD_TRANSPORT_*, or AGD_UNSAID).
    pub transport: agd_choice,
    /// How a caller authenticates: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (AGD_AUTH_*, or AGD_UNSAID).
    pub auth: agd_choice,
    /// Members that only this protocol has.
    pub extra: agd_members,
}

filled! {
    agd_endpoint from it: model::Endpoint<'static> {
        protocol: it.protocol,
        url: it.url,
        version: it.version,
        transport: it.transport,
        auth: it.auth,
        extra: it.extra,
    }
}

/// A number of requests in a time window. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_rate_limit {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The number of requests. Zero is kept as zero.
    pub requests: u32,
    /// Length of the time window in seconds; 0 if it is unknown.
    pub window_seconds: u32,
    /// The time window: `second`, `minute`, `hour`, `day` or `unknown` (AGD_WINDOW_*).
    pub window: agd_choice,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_rate_limit from it: model::RateLimit<'static> {
        requests: it.requests,
        window_seconds: it.window.value.seconds().unwrap_or(0),
        window: it.window,
        metadata: it.metadata,
    }
}

/// A parameter of a capability. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_parameter {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Its name.
    pub name: agd_text,
    /// Where it is sent: `query`, `path`, `header`, `body` or `unknown` (AGD_LOCATION_*, or AGD_UNSAID).
    pub location: agd_choice,
    /// Its type, as written.
    pub r#type: agd_text,
    /// Whether it is required; where absent, it is not (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    pub required: i32,
    /// What it means.
    pub description: agd_text,
    /// The value that it has by default.
    pub default_value: agd_value,
    /// An example value.
    pub example: agd_value,
    /// The least value.
    pub min: agd_value,
    /// The greatest value.
    pub max: agd_value,
    /// The type of the items of an array.
    pub items: agd_value,
    /// The values that it may have.
    pub options: agd_values,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
    /// The bytes it is read from: a JSON object, or the value of a Param line.
    pub source: agd_text,
}

filled! {
    agd_parameter from it: model::Parameter<'static> {
        name: it.name,
        location: it.location,
        r#type: it.kind,
        required: truth(it.required),
        description: it.description,
        default_value: it.default,
        example: it.example,
        min: it.min,
        max: it.max,
        items: it.items,
        options: it.options,
        metadata: it.metadata,
        source: it.source,
    }
}

/// A named result of a capability, or a field of an entity. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_output {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Its name.
    pub name: agd_text,
    /// Its type as written: a type expression, or an object.
    pub r#type: agd_value,
}

filled! {
    agd_output from it: model::Output<'static> {
        name: it.name,
        r#type: it.kind,
    }
}

/// Something an agent can do. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_capability {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Its id or name.
    pub id: agd_text,
    /// What it does.
    pub description: agd_text,
    /// URL or path to call.
    pub endpoint: agd_text,
    /// HTTP method as written. Absent means GET in the Internet-Draft's formats.
    pub method: agd_text,
    /// The protocol of the endpoint: `rest`, `mcp`, `a2a`, `graphql`, `websocket`, … or `unknown` (AGD_PROTOCOL_*, or AGD_UNSAID).
    pub protocol: agd_choice,
    /// The entry of the document's endpoints through which it is called.
    pub via: agd_text,
    /// Its name at that endpoint.
    pub operation: agd_text,
    /// URL of its details.
    pub detail_url: agd_text,
    /// URL of an OpenAPI description.
    pub openapi: agd_text,
    /// Authentication; absent where the document does not mention it, which means none. The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (some authentication, never none) (AGD_AUTH_*).
    pub auth_type: agd_choice,
    /// URL that issues a token.
    pub auth_token_url: agd_text,
    /// URL of the description of how to authenticate.
    pub auth_docs_url: agd_text,
    /// OAuth 2 scopes.
    pub auth_scopes: agd_texts,
    /// Unknown members, and members that could not be read.
    pub auth_metadata: agd_members,
    /// The bytes that the auth is read from: a JSON value; empty in the text formats.
    pub auth_source: agd_text,
    /// Whether authentication is required, where the document says so separately (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    pub auth_required: i32,
    /// Whether a session must be opened first (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    pub requires_session: i32,
    /// Whether a person takes over at the end (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    pub human_handoff: i32,
    /// Rate limits.
    pub rate_limits: agd_rate_limits,
    /// Parameters.
    pub parameters: agd_parameters,
    /// Results.
    pub outputs: agd_outputs,
    /// How dangerous it is: `standard`, `destructive`, `irreversible` or `unknown` (AGD_SENSITIVITY_*, or AGD_UNSAID).
    pub sensitivity: agd_choice,
    /// Whether a person should confirm the call (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    pub requires_confirmation: i32,
    /// Whether it can be undone (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    pub reversible: i32,
    /// How the result is returned: `sync` (in the response), `async` (later) or `unknown` (AGD_EXECUTION_*, or AGD_UNSAID).
    pub execution: agd_choice,
    /// URL to poll for an asynchronous result.
    pub poll_url: agd_text,
    /// Whether there is idempotency: AGD_TRUE or AGD_FALSE.
    pub has_idempotency: i32,
    /// How repeated calls are recognised. Whether keys are supported (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    pub idempotency_supported: i32,
    /// The field that carries the key.
    pub idempotency_key_field: agd_text,
    /// How long a key is remembered, as written, for example `24h`.
    pub idempotency_window: agd_text,
    /// Unknown members, and members that could not be read.
    pub idempotency_metadata: agd_members,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
    /// The bytes it is read from: a JSON object, or a block with its first line.
    pub source: agd_text,
}

filled! {
    agd_capability from it: model::Capability<'static> {
        (part in it.auth) {
            auth_type: Some(part.kind),
            auth_token_url: part.token_url,
            auth_docs_url: part.docs_url,
            auth_scopes: part.scopes,
            auth_metadata: part.metadata,
            auth_source: Some(Text::plain(part.source)),
        }
        (part in it.idempotency) {
            idempotency_supported: part.supported,
            idempotency_key_field: part.key_field,
            idempotency_window: part.window,
            idempotency_metadata: part.metadata,
        }
        id: it.id,
        description: it.description,
        endpoint: it.endpoint,
        method: it.method,
        protocol: it.protocol,
        via: it.via,
        operation: it.operation,
        detail_url: it.detail_url,
        openapi: it.openapi,
        auth_required: truth(it.auth_required),
        requires_session: truth(it.requires_session),
        human_handoff: truth(it.human_handoff),
        rate_limits: it.rate_limits,
        parameters: it.parameters,
        outputs: it.outputs,
        sensitivity: it.sensitivity,
        requires_confirmation: truth(it.requires_confirmation),
        reversible: truth(it.reversible),
        execution: it.execution,
        poll_url: it.poll_url,
        has_idempotency: i32::from(it.idempotency.is_some()),
        metadata: it.metadata,
        source: it.source,
    }
}

/// Which paths agents may access. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_access {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Patterns of allowed paths.
    pub allow: agd_texts,
    /// Patterns of disallowed paths.
    pub disallow: agd_texts,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_access from it: model::Access<'static> {
        allow: it.allow,
        disallow: it.disallow,
        metadata: it.metadata,
    }
}

/// The policy for one agent. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_agent {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Product token of the agent, or `*` for every agent without a policy of its own.
    pub name: agd_text,
    /// Rate limits.
    pub rate_limits: agd_rate_limits,
    /// AGD_CAPABILITIES_ALL or AGD_CAPABILITIES_LISTED: whether an empty list of capabilities means all or none.
    pub grant: i32,
    /// Capabilities that the agent may use. Absent: all. An empty list: none, also where the list could not be read.
    pub capabilities: agd_texts,
    /// URL of the operator's own declaration.
    pub declaration: agd_text,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
    /// The bytes it is read from: a JSON value, or a block with its first line.
    pub source: agd_text,
}

filled! {
    agd_agent from it: model::AgentPolicy<'static> {
        name: it.name,
        rate_limits: it.rate_limits,
        grant: if it.capabilities.is_some() { AGD_CAPABILITIES_LISTED } else { AGD_CAPABILITIES_ALL },
        capabilities: it.capabilities.unwrap_or_default(),
        declaration: it.declaration,
        metadata: it.metadata,
        source: it.source,
    }
}

/// Permissions in words (agents.md). It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_permissions {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// What agents can do.
    pub can: agd_texts,
    /// What agents cannot do.
    pub cannot: agd_texts,
    /// How agents should behave.
    pub behavior: agd_texts,
}

filled! {
    agd_permissions from it: model::Permissions<'static> {
        can: it.can,
        cannot: it.cannot,
        behavior: it.behavior,
    }
}

/// A suggested sequence of capabilities. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_flow {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Its name.
    pub name: agd_text,
    /// What it is for.
    pub description: agd_text,
    /// Capabilities in order.
    pub steps: agd_texts,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_flow from it: model::Flow<'static> {
        name: it.name,
        description: it.description,
        steps: it.steps,
        metadata: it.metadata,
    }
}

/// What a capability requires. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_dependency {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The dependent capability.
    pub capability: agd_text,
    /// The capabilities that must come first.
    pub required: agd_texts,
}

filled! {
    agd_dependency from it: model::Dependency<'static> {
        capability: it.capability,
        required: it.requires,
    }
}

/// A named type. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_entity {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Its name.
    pub name: agd_text,
    /// Its fields.
    pub fields: agd_outputs,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_entity from it: model::Entity<'static> {
        name: it.name,
        fields: it.fields,
        metadata: it.metadata,
    }
}

/// How to recover from an error. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_recovery {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Code of the error.
    pub code: agd_text,
    /// What to do.
    pub recovery: agd_text,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_recovery from it: model::Recovery<'static> {
        code: it.code,
        recovery: it.recovery,
        metadata: it.metadata,
    }
}

/// Whether the service works now. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_service_status {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Whether it is operational (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    pub operational: i32,
    /// Capabilities that are impaired.
    pub degraded: agd_texts,
    /// URL of the current status.
    pub url: agd_text,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_service_status from it: model::Status<'static> {
        operational: truth(it.operational),
        degraded: it.degraded,
        url: it.url,
        metadata: it.metadata,
    }
}

/// A plan of a service. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_plan {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Its name.
    pub name: agd_text,
    /// Its price, as written.
    pub price: agd_text,
    /// What it includes, as written.
    pub limits: agd_text,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_plan from it: model::Plan<'static> {
        name: it.name,
        price: it.price,
        limits: it.limits,
        metadata: it.metadata,
    }
}

/// What the service costs. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_pricing {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The pricing model: `free`, `freemium`, `paid` or `unknown` (AGD_PRICING_*, or AGD_UNSAID).
    pub r#type: agd_choice,
    /// The plans.
    pub plans: agd_plans,
    /// URL of the prices.
    pub plans_url: agd_text,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_pricing from it: model::Pricing<'static> {
        r#type: it.kind,
        plans: it.plans,
        plans_url: it.plans_url,
        metadata: it.metadata,
    }
}

/// How sessions work. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_session {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Lifetime of a session in seconds, where it is written (AGD_UNSAID if absent).
    pub ttl_seconds: i64,
    /// URL that opens a session.
    pub create: agd_text,
    /// URL that closes a session.
    pub close: agd_text,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_session from it: model::Session<'static> {
        ttl_seconds: number(it.ttl_seconds),
        create: it.create,
        close: it.delete,
        metadata: it.metadata,
    }
}

/// Whether the actions of agents are recorded. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_audit {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Whether they are recorded (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    pub enabled: i32,
    /// URL of the record.
    pub endpoint: agd_text,
    /// Unknown members, and members that could not be read.
    pub metadata: agd_members,
}

filled! {
    agd_audit from it: model::Audit<'static> {
        enabled: truth(it.enabled),
        endpoint: it.endpoint,
        metadata: it.metadata,
    }
}

/// A rule of robots.txt. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_rule {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Whether it allows (AGD_TRUE or AGD_FALSE).
    pub allow: i32,
    /// The pattern of paths.
    pub pattern: agd_text,
}

filled! {
    agd_robots_rule from it: model::RobotsRule<'static> {
        allow: i32::from(it.allow),
        pattern: it.pattern,
    }
}

/// A group of robots.txt rules. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_robots_group {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Product tokens that the group applies to.
    pub agents: agd_texts,
    /// Its rules, in order.
    pub rules: agd_robots_rules,
    /// Seconds between requests, as written.
    pub crawl_delay: agd_text,
}

filled! {
    agd_robots_group from it: model::RobotsGroup<'static> {
        agents: it.agents,
        rules: it.rules,
        crawl_delay: it.crawl_delay,
    }
}

/// One result of a registry search. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_search_result {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// Name for people.
    pub service_name: agd_text,
    /// Canonical URL.
    pub service_url: agd_text,
    /// Domain, in formats that name the service by its domain.
    pub service_domain: agd_text,
    /// What the service does.
    pub service_description: agd_text,
    /// Email addresses, URLs or other ways to reach the operator.
    pub service_contact: agd_texts,
    /// URL of the privacy policy.
    pub service_privacy_policy: agd_text,
    /// URL of the documentation.
    pub service_docs: agd_text,
    /// Unknown members, and members that could not be read.
    pub service_metadata: agd_members,
    /// The bytes that the service is read from: a JSON object; empty in the text formats.
    pub service_source: agd_text,
    /// Those of its capabilities that match.
    pub capabilities: agd_capabilities,
}

filled! {
    agd_search_result from it: model::SearchResult<'static> {
        service_name: it.service.name,
        service_url: it.service.url,
        service_domain: it.service.domain,
        service_description: it.service.description,
        service_contact: it.service.contact,
        service_privacy_policy: it.service.privacy_policy,
        service_docs: it.service.docs,
        service_metadata: it.service.metadata,
        service_source: it.service.source,
        capabilities: it.capabilities,
    }
}
