//! The definition of the unified model: the members of a whole document (`document!`), the objects
//! and their members (`model!`), and one sentence about each.
//!
//! All lists of members are generated from these tables: the structs of
//! [`manifest`](crate::manifest), the accessors of a document, the JSON writer and `Serialize`, the
//! attributes, dicts and Arrow columns of the Python package, and, by `cargo xtask model`, the
//! structs and accessors of the C and C++ interfaces, the Python stubs, the walker of the C tests
//! and the tables of `docs/model.md`.
//!
//! Syntax of an object:
//!
//! ```text
//! /// What it is.
//! Name: Default { members } from "where its bytes come from",
//! ```
//!
//! Write `: Default` if all members are optional, and `from` if the object keeps its bytes in the
//! field `source`. Syntax of a member:
//!
//! ```text
//! /// What it says.
//! field as "name" or name_text: Type = default,
//! ```
//!
//! - `as` is the name of the member outside Rust, if the name of the field differs (`type` is a
//!   keyword).
//! - `or` is the name of the member with the text as written, for an enumeration.
//! - `=` is a default value; JSON omits a member that has it.
//!
//! The order is the order in JSON. The type decides the rest: `Option<Text>`, `List<Text>`,
//! `Option<bool>`, `Option<u32>`, `Choice<E>`, `Raw`, `Metadata`, `Hints`, another object
//! (`model::Name`), a list of objects, and the other types for which [`MemberValue`] is implemented.
//! The sentences appear in Rust, C and Python, so write "absent", not `None`.
//!
//! [`MemberValue`]: crate::manifest::MemberValue

/// Calls the macro `$callback` with the members of a whole document. A row is like a member of an
/// object, and may also have:
///
/// - `unless is_empty`: JSON omits the object if it has no members, even if the document has it.
/// - `in head`: the member is a field of [`Head`](crate::manifest::Head), which a format reads at
///   once. All others are methods of [`Manifest`](crate::Manifest) and of the formats.
#[doc(hidden)]
#[macro_export]
macro_rules! document {
    ($callback:ident $a:lifetime) => {
        $callback! {
            /// Version of the specification that the document follows, as written.
            spec_version in head: Option<Text<$a>>,
            /// Whose declaration the document is: `platform` (the default), `agent` or `unknown`.
            kind or kind_text in head: Choice<$a, Kind>,
            /// Date and time of generation, as written.
            generated_at in head: Option<Text<$a>>,
            /// The platforms that an agent operates on.
            operates_on: List<$a, Text<$a>>,
            /// URL of the companion document in the other notation.
            companion in head: Option<Text<$a>>,
            /// Where the document comes from.
            provenance: Option<model::Provenance<$a>>,
            /// The service or site that the document describes.
            service unless is_empty: Option<model::Service<$a>>,
            /// Authentication for the whole service.
            auth: Option<model::ServiceAuth<$a>>,
            /// The named ways to authenticate.
            security_schemes: List<$a, model::SecurityScheme<$a>>,
            /// How an agent registers itself.
            registration: Option<model::Registration<$a>>,
            /// Endpoints of other protocols.
            endpoints: List<$a, model::Endpoint<$a>>,
            /// Documents and pages that the document refers to.
            references: List<$a, model::Reference<$a>>,
            /// Media types of the input that capabilities accept if they state none.
            input_modes: List<$a, Text<$a>>,
            /// Media types of the output that capabilities produce if they state none.
            output_modes: List<$a, Text<$a>>,
            /// The capabilities.
            capabilities: List<$a, model::Capability<$a>>,
            /// The paths that agents may access.
            access: model::Access<$a>,
            /// The policies for single agents.
            agents: List<$a, model::AgentPolicy<$a>>,
            /// The permissions in prose (agents.md).
            permissions: model::Permissions<$a>,
            /// The suggested sequences of capabilities.
            flows: List<$a, model::Flow<$a>>,
            /// The capabilities that others require first.
            dependencies: List<$a, model::Dependency<$a>>,
            /// The named types.
            entities: List<$a, model::Entity<$a>>,
            /// How to recover from errors.
            errors: List<$a, model::Recovery<$a>>,
            /// The hints for planning.
            hints: Hints<$a>,
            /// Whether the service works now.
            status: Option<model::Status<$a>>,
            /// The feature flags.
            features: Metadata<$a>,
            /// The protocol extensions that the service supports.
            extensions: List<$a, model::Extension<$a>>,
            /// The signatures over the document, not verified.
            signatures: List<$a, model::Signature<$a>>,
            /// The public keys with which signatures by the owner are verified.
            keys: List<$a, model::Key<$a>>,
            /// What the service costs.
            pricing: Option<model::Pricing<$a>>,
            /// How sessions work.
            session: Option<model::Session<$a>>,
            /// Whether the actions of agents are recorded.
            audit: Option<model::Audit<$a>>,
            /// The rate limits of the whole document.
            rate_limits: List<$a, model::RateLimit<$a>>,
            /// How long responses may be cached, in seconds.
            cache_seconds: Option<u32>,
            /// The rules of a robots.txt.
            robots_txt as "robots" unless is_empty: Option<model::Robots<$a>>,
            /// The response of a registry search.
            search unless is_empty: Option<model::Search<$a>>,
            /// An example request.
            request_example: Option<Raw<$a>>,
            /// An example response.
            response_example: Option<Raw<$a>>,
            /// Unknown members, and members that could not be read.
            metadata: Metadata<$a>,
        }
    };
}

/// Calls the macro `$callback` with the objects; `$a` is the lifetime of the document's bytes.
#[doc(hidden)]
#[macro_export]
macro_rules! model {
    ($callback:ident $a:lifetime) => {
        $callback! {
            /// The service or site that a document describes.
            Service: Default {
                /// Name for people.
                name: Option<Text<$a>>,
                /// Canonical URL.
                url: Option<Text<$a>>,
                /// Domain, in formats that name the service by its domain.
                domain: Option<Text<$a>>,
                /// What the service does.
                description: Option<Text<$a>>,
                /// Email addresses, URLs or other ways to reach the operator.
                contact: List<$a, Text<$a>>,
                /// URL of the privacy policy.
                privacy_policy: Option<Text<$a>>,
                /// URL of the documentation.
                docs: Option<Text<$a>>,
                /// Identifier of the service or its operator, for example a DID.
                identifier: Option<Text<$a>>,
                /// Version of the service.
                version: Option<Text<$a>>,
                /// URL of an icon or logo.
                icon: Option<Text<$a>>,
                /// The organization that operates the service.
                provider: Option<Text<$a>>,
                /// URL of that organization.
                provider_url: Option<Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            } from "a JSON object; empty in the text formats",

            /// Where a document comes from (Agent Web Protocol section 14).
            Provenance {
                /// Who published the document: `native` (the site itself), `synthetic` or `unknown`.
                source or source_text: Choice<$a, Source>,
                /// The tool that made a synthetic document.
                generated_by: Option<Text<$a>>,
                /// Confidence from 0 to 1, as written.
                confidence: Option<Value<$a>>,
                /// When the document was last compared with the site.
                last_verified: Option<Text<$a>>,
            },

            /// Authentication for the whole service.
            ServiceAuth {
                /// The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (some authentication, never none).
                kind as "type" or type_text: Choice<$a, AuthType>,
                /// Request header that carries the key.
                header: Option<Text<$a>>,
                /// Text before the key in the header.
                prefix: Option<Text<$a>>,
                /// URL where people get a key.
                setup_url: Option<Text<$a>>,
                /// OAuth 2 authorization endpoint.
                authorization_url: Option<Text<$a>>,
                /// OAuth 2 token endpoint.
                token_url: Option<Text<$a>>,
                /// URL that refreshes an expired token.
                refresh_url: Option<Text<$a>>,
                /// Lifetime of a token, as written, for example `24h`.
                token_expiry: Option<Text<$a>>,
                /// Lifetime of a token in seconds; absent if `token_expiry` is not a duration.
                token_expiry_seconds: Option<u32>,
                /// OAuth 2 scopes.
                scopes: List<$a, Text<$a>>,
                /// Actions that need authentication.
                required_for: List<$a, Text<$a>>,
                /// Actions for which authentication is optional.
                optional_for: List<$a, Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// How an agent registers itself (auth.md). No registration is sent without consent.
            Registration {
                /// URL where an agent registers.
                url: Option<Text<$a>>,
                /// URL where a person takes over what an agent registered.
                claim_url: Option<Text<$a>>,
                /// URL where the provider of an identity revokes it.
                revocation_url: Option<Text<$a>>,
                /// URL of the instructions for agents.
                guide_url: Option<Text<$a>>,
                /// The kinds of identity with which an agent can register, for example `anonymous`.
                identities: List<$a, Text<$a>>,
                /// The assertions that prove an identity, for example `verified_email`.
                assertions: List<$a, Text<$a>>,
                /// The credentials that an anonymous agent gets, for example `api_key`.
                anonymous_credentials: List<$a, Text<$a>>,
                /// The credentials that an agent with an identity gets.
                credentials: List<$a, Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// A named way to authenticate.
            SecurityScheme: Default {
                /// The name by which requirements refer to it.
                name: Option<Text<$a>>,
                /// The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (some authentication, never none).
                kind as "type" or type_text: Option<Choice<$a, AuthType>>,
                /// What it is for.
                description: Option<Text<$a>>,
                /// Where a key is sent: `query`, `header` or `unknown`, for example in a cookie.
                location or location_text: Option<Choice<$a, Location>>,
                /// The name of the header or query parameter that carries the key.
                parameter: Option<Text<$a>>,
                /// The HTTP authentication scheme, for example `Bearer`.
                http_scheme: Option<Text<$a>>,
                /// OAuth 2 authorization endpoint.
                authorization_url: Option<Text<$a>>,
                /// OAuth 2 token endpoint.
                token_url: Option<Text<$a>>,
                /// URL of the metadata of the authorization server or OpenID provider.
                metadata_url: Option<Text<$a>>,
                /// The OAuth 2 authorization servers that issue tokens, by their issuer identifiers.
                issuers: List<$a, Text<$a>>,
                /// The URL where clients register themselves.
                registration_url: Option<Text<$a>>,
                /// The methods of PKCE that the server supports, for example `S256`.
                challenge_methods: List<$a, Text<$a>>,
                /// How a bearer token may be sent: `header`, `body` or `query`.
                bearer_methods: List<$a, Text<$a>>,
                /// OAuth 2 scopes.
                scopes: List<$a, Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            } from "a JSON object",

            /// A document or page that another document refers to.
            Reference: Default {
                /// The relation, for example `service-desc`.
                relation: Option<Text<$a>>,
                /// Its identifier, for example a URN.
                identifier: Option<Text<$a>>,
                /// Its title.
                title: Option<Text<$a>>,
                /// Its URL, as written.
                url: Option<Text<$a>>,
                /// What it is.
                description: Option<Text<$a>>,
                /// The heading of the section that contains it.
                section: Option<Text<$a>>,
                /// Whether a reader with little space can leave it out. Absent: no.
                optional: Option<bool>,
                /// Its media type.
                media_type: Option<Text<$a>>,
                /// Its version.
                version: Option<Text<$a>>,
                /// When it was changed, as written.
                updated_at: Option<Text<$a>>,
                /// Keywords.
                tags: List<$a, Text<$a>>,
                /// URL of what the reference belongs to (`anchor` of a link set).
                anchor: Option<Text<$a>>,
                /// The document itself, if it is included.
                inline as "data": Option<Raw<$a>>,
                /// What is declared about its trustworthiness, not verified.
                trust: Option<Raw<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            } from "a JSON object, or a list item",

            /// An extension of a protocol.
            Extension: Default {
                /// Its identifier.
                uri: Option<Text<$a>>,
                /// How the service uses it.
                description: Option<Text<$a>>,
                /// Whether callers must support it. Absent: no.
                required: Option<bool>,
                /// Its settings.
                params: Option<Raw<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// A JSON Web Signature over a document (RFC 7515), not verified.
            Signature: Default {
                /// The protected header in base64url.
                protected_header: Option<Text<$a>>,
                /// The signature in base64url.
                signature: Option<Text<$a>>,
                /// The unprotected header.
                header: Option<Raw<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// A public key. What belongs to its private part is left out.
            Key: Default {
                /// Its identifier, for example its RFC 7638 thumbprint.
                id: Option<Text<$a>>,
                /// The family of its algorithm, for example `OKP`, `EC` or `RSA`.
                kind as "type": Option<Text<$a>>,
                /// The curve, for example `Ed25519`.
                curve: Option<Text<$a>>,
                /// The key in base64url; of a key of the type `EC`, its first coordinate.
                public_key: Option<Text<$a>>,
                /// The algorithm for which it is meant, for example `ed25519`.
                algorithm: Option<Text<$a>>,
                /// What it is for, for example `sig`.
                usage: Option<Text<$a>>,
                /// When its validity begins, in seconds since 1970, as written.
                not_before: Option<Value<$a>>,
                /// When its validity ends, in seconds since 1970, as written.
                expires: Option<Value<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            } from "a JSON object",

            /// Authentication for one capability.
            CapabilityAuth {
                /// The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (some authentication, never none).
                kind as "type" or type_text: Choice<$a, AuthType> = Choice::implied(AuthType::None),
                /// URL that issues a token.
                token_url: Option<Text<$a>>,
                /// URL of the description of how to authenticate.
                docs_url: Option<Text<$a>>,
                /// OAuth 2 scopes.
                scopes: List<$a, Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            } from "a JSON value; empty in the text formats",

            /// A number of requests in a time window.
            RateLimit {
                /// The number of requests. Zero is kept as zero.
                requests: u32,
                /// The time window: `second`, `minute`, `hour`, `day` or `unknown`.
                window or window_text: Choice<$a, Window>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// A parameter of a capability.
            Parameter: Default {
                /// Its name.
                name: Option<Text<$a>>,
                /// Where it is sent: `query`, `path` (or another part of a URL template), `header`, `body` or `unknown`.
                location or location_text: Option<Choice<$a, Location>>,
                /// Its type, as written.
                kind as "type": Option<Text<$a>>,
                /// Whether it is required. Absent: no.
                required: Option<bool>,
                /// Whether its value is secret. Absent: no.
                secret: Option<bool>,
                /// What it means.
                description: Option<Text<$a>>,
                /// The default value.
                default: Option<Raw<$a>>,
                /// An example value.
                example: Option<Raw<$a>>,
                /// The minimum value.
                min: Option<Raw<$a>>,
                /// The maximum value.
                max: Option<Raw<$a>>,
                /// The type of the items of an array.
                items: Option<Raw<$a>>,
                /// The allowed values.
                options: List<$a, Raw<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            } from "a JSON object, or the value of a Param line",

            /// An endpoint of another protocol that the site supports.
            Endpoint {
                /// Its name.
                name: Option<Text<$a>>,
                /// The protocol: `mcp`, `a2a`, `x402`, … or `unknown`.
                protocol or protocol_text: Choice<$a, Protocol>,
                /// URL of the endpoint.
                url: Option<Text<$a>>,
                /// Version of the protocol.
                version: Option<Text<$a>>,
                /// The transport: `streamable-http`, `sse`, `http`, `stdio`, `jsonrpc`, `grpc`, `http+json` or `unknown`.
                transport or transport_text: Option<Choice<$a, Transport>>,
                /// How a caller authenticates: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown`.
                auth or auth_text: Option<Choice<$a, AuthType>>,
                /// Headers that a caller sends, and variables of its URL.
                parameters: List<$a, model::Parameter<$a>>,
                /// Members that only this protocol has.
                extra: Metadata<$a>,
            },

            /// A named result of a capability, or a field of an entity.
            Output {
                /// Its name.
                name: Text<$a>,
                /// Its type as written: a type expression, or an object.
                kind as "type": Raw<$a>,
            },

            /// How repeated calls are recognized.
            Idempotency: Default {
                /// Whether keys are supported.
                supported: Option<bool>,
                /// The field that carries the key.
                key_field: Option<Text<$a>>,
                /// How long a key is remembered, as written, for example `24h`.
                window: Option<Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// What a skill has besides the members of a capability.
            Skill: Default {
                /// Name for people.
                title: Option<Text<$a>>,
                /// Keywords.
                tags: List<$a, Text<$a>>,
                /// Example requests in words.
                examples: List<$a, Text<$a>>,
                /// Media types of the input.
                input_modes: List<$a, Text<$a>>,
                /// Media types of the output.
                output_modes: List<$a, Text<$a>>,
                /// The kind of the document or archive with its instructions, for example `skill-md`.
                artifact: Option<Text<$a>>,
                /// The digest of that document or archive, as written, not verified.
                digest: Option<Text<$a>>,
                /// The files of the skill.
                files: List<$a, Text<$a>>,
            },

            /// Something an agent can do.
            Capability: Default {
                /// Its id or name.
                id: Option<Text<$a>>,
                /// What it does.
                description: Option<Text<$a>>,
                /// URL or path to call.
                endpoint: Option<Text<$a>>,
                /// HTTP method as written. Absent means GET in the Internet-Draft's formats.
                method: Option<Text<$a>>,
                /// The protocol of the endpoint: `rest`, `mcp`, `a2a`, `graphql`, `websocket`, … or `unknown`.
                protocol or protocol_text: Option<Choice<$a, Protocol>>,
                /// The protocol in the document's endpoints that is used to call it.
                via: Option<Text<$a>>,
                /// Its name at that endpoint.
                operation: Option<Text<$a>>,
                /// URL of its details.
                detail_url: Option<Text<$a>>,
                /// URL of an OpenAPI description.
                openapi: Option<Text<$a>>,
                /// Authentication; absent where the document does not mention it, which means none.
                auth: Option<model::CapabilityAuth<$a>>,
                /// Whether authentication is required, if the document states it separately.
                auth_required: Option<bool>,
                /// Whether a session must be opened first.
                requires_session: Option<bool>,
                /// Whether a person takes over at the end.
                human_handoff: Option<bool>,
                /// Rate limits.
                rate_limits: List<$a, model::RateLimit<$a>>,
                /// Parameters.
                parameters: List<$a, model::Parameter<$a>>,
                /// Results.
                outputs: List<$a, model::Output<$a>>,
                /// How dangerous it is: `standard`, `destructive`, `irreversible` or `unknown`.
                sensitivity or sensitivity_text: Option<Choice<$a, Sensitivity>>,
                /// Whether a person should confirm the call.
                requires_confirmation: Option<bool>,
                /// Whether it can be undone.
                reversible: Option<bool>,
                /// How the result is returned: `sync` (in the response), `async` (later) or `unknown`.
                execution or execution_text: Option<Choice<$a, Execution>>,
                /// URL to poll for an asynchronous result.
                poll_url: Option<Text<$a>>,
                /// How repeated calls are recognized.
                idempotency: Option<model::Idempotency<$a>>,
                /// What only skills and tools have.
                skill: Option<model::Skill<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            } from "a JSON object, or a block with its first line",

            /// Which paths agents may access.
            Access: Default {
                /// Patterns of allowed paths.
                allow: List<$a, Text<$a>>,
                /// Patterns of disallowed paths.
                disallow: List<$a, Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// The policy for one agent.
            AgentPolicy: Default {
                /// Product token of the agent, or `*` for every agent without a policy of its own.
                name: Option<Text<$a>>,
                /// Rate limits.
                rate_limits: List<$a, model::RateLimit<$a>>,
                /// Capabilities that the agent may use. Absent: all. An empty list: none, also where the list could not be read.
                capabilities: Option<List<$a, Text<$a>>>,
                /// URL of the operator's own declaration.
                declaration: Option<Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            } from "a JSON value, or a block with its first line",

            /// Permissions in words (agents.md).
            Permissions: Default {
                /// What agents can do.
                can: List<$a, Text<$a>>,
                /// What agents cannot do.
                cannot: List<$a, Text<$a>>,
                /// Further prohibitions: the paragraphs between the items of `cannot`.
                cannot_prose: List<$a, Text<$a>>,
                /// How agents should behave.
                behavior: List<$a, Text<$a>>,
            },

            /// A suggested sequence of capabilities.
            Flow: Default {
                /// Its name.
                name: Option<Text<$a>>,
                /// What it is for.
                description: Option<Text<$a>>,
                /// Capabilities in order.
                steps: List<$a, Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// What a capability requires.
            Dependency {
                /// The dependent capability.
                capability: Text<$a>,
                /// The capabilities that must come first.
                requires: List<$a, Text<$a>>,
            },

            /// A named type.
            Entity {
                /// Its name.
                name: Text<$a>,
                /// Its fields.
                fields: List<$a, model::Output<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// How to recover from an error.
            Recovery {
                /// Code of the error.
                code: Text<$a>,
                /// What to do.
                recovery: Option<Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// A hint for planning.
            Hint {
                /// The name of the hint.
                name: Text<$a>,
                /// The advice.
                value: Raw<$a>,
            },

            /// Whether the service works now.
            Status: Default {
                /// Whether it is operational.
                operational: Option<bool>,
                /// Capabilities that are impaired.
                degraded: List<$a, Text<$a>>,
                /// URL of the current status.
                url: Option<Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// A plan of a service.
            Plan: Default {
                /// Its name.
                name: Option<Text<$a>>,
                /// Its price, as written.
                price: Option<Text<$a>>,
                /// What it includes, as written.
                limits: Option<Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// What the service costs.
            Pricing: Default {
                /// The pricing model: `free`, `freemium`, `paid` or `unknown`.
                kind as "type" or type_text: Option<Choice<$a, PricingType>>,
                /// The plans.
                plans: List<$a, model::Plan<$a>>,
                /// URL of the prices.
                plans_url: Option<Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// How sessions work.
            Session: Default {
                /// Lifetime of a session in seconds, if the document states it.
                ttl_seconds: Option<u32>,
                /// URL that opens a session.
                create: Option<Text<$a>>,
                /// URL that closes a session.
                delete: Option<Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// Whether the actions of agents are recorded.
            Audit: Default {
                /// Whether they are recorded.
                enabled: Option<bool>,
                /// URL of the record.
                endpoint: Option<Text<$a>>,
                /// Unknown members, and members that could not be read.
                metadata: Metadata<$a>,
            },

            /// A rule of robots.txt.
            RobotsRule {
                /// Whether it is an allow rule.
                allow: bool,
                /// The pattern of paths.
                pattern: Text<$a>,
            },

            /// A group of robots.txt rules.
            RobotsGroup: Default {
                /// Product tokens that the group applies to.
                agents: List<$a, Text<$a>>,
                /// Its rules, in order.
                rules: List<$a, model::RobotsRule<$a>>,
                /// Seconds between requests, as written.
                crawl_delay: Option<Text<$a>>,
            },

            /// What a robots.txt says about one use of the content (AI preferences).
            RobotsPreference {
                /// The purpose: `train-ai`, `search`, `ai-input` or `unknown`.
                purpose or purpose_text: Choice<$a, Purpose>,
                /// Whether that use is allowed: `allow`, `disallow` or `not-stated`.
                preference or preference_text: Choice<$a, Stance>,
                /// The pattern of paths; absent for all paths.
                path: Option<Text<$a>>,
                /// The index of the group with the agents; absent before the first group, for every agent.
                group: Option<u32>,
                /// The field: `content-signal` or `content-usage`.
                source or source_text: Choice<$a, Vocabulary>,
            },

            /// A field of a robots.txt that has no meaning here.
            RobotsField {
                /// The name as written.
                name: Text<$a>,
                /// The value as written.
                value: Text<$a>,
            },

            /// The rules of a robots.txt.
            Robots: Default {
                /// Its groups, in order.
                groups: List<$a, model::RobotsGroup<$a>>,
                /// URLs of sitemaps.
                sitemaps: List<$a, Text<$a>>,
                /// What the content may be used for, in order.
                preferences: List<$a, model::RobotsPreference<$a>>,
                /// URLs of AI catalogs (`Agentmap`).
                agentmaps: List<$a, Text<$a>>,
                /// URLs of licences of Really Simple Licensing (`License`).
                licenses: List<$a, Text<$a>>,
                /// Other fields, in order.
                fields: List<$a, model::RobotsField<$a>>,
            },

            /// One result of a registry search.
            SearchResult: Default {
                /// The service.
                service: model::Service<$a>,
                /// The capabilities of the service that match.
                capabilities: List<$a, model::Capability<$a>>,
            },

            /// The response of a registry search.
            Search: Default {
                /// The search query.
                query: Option<Text<$a>>,
                /// The results, in order.
                results: List<$a, model::SearchResult<$a>>,
            },
        }
    };
}
