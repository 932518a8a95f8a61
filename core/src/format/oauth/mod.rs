//! The metadata with which OAuth finds its servers: that of a protected resource (RFC 9728), and that
//! of an authorization server (RFC 8414) or OpenID provider. The tables below define the formats.
//!
//! A client must not use a document whose `resource` or `issuer` is another one than that from which
//! it made the URL of the document. The unified model shows both as the URL of the service.

mod about;
pub(crate) mod check;
pub(crate) mod signs;

use crate::model::{
    AuthType, Choice, List, Metadata, Reading, Registration, SecurityScheme, Service,
};
use crate::rules::json::reading::{OneText, Texts, kept, or_absent, texts};
use crate::syntax::json::Value;
use crate::syntax::json::view::{Also, Object, Read, Shape, view};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The metadata of a protected resource, RFC 9728 section 2.
    pub struct Resource at "2" welcomes Others then resource {
        /// `resource`, required: the identifier of the resource.
        resource: Text<'a> = b"resource" [Need, Url(Secure::Http), Then(identifier)],
        /// `authorization_servers`: the issuers of the tokens that the resource accepts.
        authorization_servers: Texts<'a> = b"authorization_servers" [Want(NO_SERVERS), Filled(NO_VALUES), Texts, EachText(&Url(Secure::Http)), EachText(&Then(identifier))],
        /// `jwks_uri`: the keys of the resource.
        jwks_uri: Also<Text<'a>> = b"jwks_uri" [Url(Secure::Http)],
        /// `scopes_supported`, recommended.
        scopes_supported: Texts<'a> = b"scopes_supported" [Want(NO_SCOPES), Filled(NO_VALUES), Texts, EachText(&Fits(is_scope, NO_SCOPE))],
        /// `bearer_methods_supported`: how a token is sent. An empty list means that no method works.
        bearer_methods_supported: Methods<'a> = b"bearer_methods_supported" [Texts, EachText(&OneOf(&["header", "body", "query"], Case::Exact, NO_METHOD))],
        /// `resource_signing_alg_values_supported`.
        signing_algorithms: Also<Texts<'a>> = b"resource_signing_alg_values_supported" [Filled(NO_VALUES), Texts, EachText(&Fits(is_signed, UNSIGNED))],
        /// `resource_name`, recommended: the name for people.
        name: Text<'a> = b"resource_name",
        /// `resource_documentation`: a page for developers.
        documentation: Text<'a> = b"resource_documentation" [Url(Secure::Web)],
        /// `resource_policy_uri`: a page about the use of data.
        policy: Text<'a> = b"resource_policy_uri" [Url(Secure::Web)],
        /// `resource_tos_uri`: the terms of service.
        terms: Also<Text<'a>> = b"resource_tos_uri" [Url(Secure::Web)],
        /// `tls_client_certificate_bound_access_tokens`.
        binds_certificates: Also<bool> = b"tls_client_certificate_bound_access_tokens",
        /// `authorization_details_types_supported`.
        details: Also<Texts<'a>> = b"authorization_details_types_supported" [Filled(NO_VALUES), Texts],
        /// `dpop_signing_alg_values_supported`.
        dpop_algorithms: Also<Texts<'a>> = b"dpop_signing_alg_values_supported" [Filled(NO_VALUES), Texts],
        /// `dpop_bound_access_tokens_required`.
        needs_dpop: Also<bool> = b"dpop_bound_access_tokens_required",
        /// `signed_metadata`: the same members as a JSON Web Token.
        signed: Also<Text<'a>> = b"signed_metadata",
        /// `agent_auth` of auth.md, if the same document is that of the server.
        agent_auth: Object<'a> = b"agent_auth" [Inside(AgentAuth::RULES)],
    }

    /// The metadata of an authorization server, RFC 8414 section 2.
    pub struct Server at "2" welcomes Others then server {
        /// `issuer`, required: the identifier of the server.
        issuer: OneText<'a> = b"issuer" [Need, Url(Secure::Http), Then(issuer)],
        /// `authorization_endpoint`, required unless no grant uses it.
        authorization_endpoint: Text<'a> = b"authorization_endpoint" [If(uses_authorization, &Need), Url(Secure::Http)],
        /// `token_endpoint`, required unless only the implicit grant is supported.
        token_endpoint: Text<'a> = b"token_endpoint" [If(uses_token, &Need), Url(Secure::Http)],
        /// `registration_endpoint`: where clients register (RFC 7591).
        registration_endpoint: Text<'a> = b"registration_endpoint" [Url(Secure::Http)],
        /// `jwks_uri`: the keys of the server.
        jwks_uri: Also<Text<'a>> = b"jwks_uri" [Url(Secure::Http)],
        /// `scopes_supported`, recommended.
        scopes_supported: Texts<'a> = b"scopes_supported" [Texts, EachText(&Fits(is_scope, NO_SCOPE))],
        /// `response_types_supported`, required.
        response_types: Also<Texts<'a>> = b"response_types_supported" [Need, Texts],
        /// `grant_types_supported`. Default: `authorization_code` and `implicit`.
        grant_types: Also<Texts<'a>> = b"grant_types_supported" [Texts],
        /// `token_endpoint_auth_methods_supported`.
        auth_methods: Also<Texts<'a>> = b"token_endpoint_auth_methods_supported" [Texts],
        /// `code_challenge_methods_supported`: the methods of PKCE (RFC 7636).
        challenge_methods: Texts<'a> = b"code_challenge_methods_supported" [If(uses_authorization, &Want(NO_PKCE)), Texts],
        /// `service_documentation`: a page for developers.
        documentation: Text<'a> = b"service_documentation" [Url(Secure::Web)],
        /// `op_policy_uri`: a page about the use of data.
        policy: Text<'a> = b"op_policy_uri" [Url(Secure::Web)],
        /// `op_tos_uri`: the terms of service.
        terms: Also<Text<'a>> = b"op_tos_uri" [Url(Secure::Web)],
        /// `revocation_endpoint`.
        revocation_endpoint: Also<Text<'a>> = b"revocation_endpoint" [Url(Secure::Http)],
        /// `introspection_endpoint`.
        introspection_endpoint: Also<Text<'a>> = b"introspection_endpoint" [Url(Secure::Http)],
        /// `userinfo_endpoint` of an OpenID provider.
        userinfo_endpoint: Also<Text<'a>> = b"userinfo_endpoint" [Url(Secure::Http)],
        /// `client_id_metadata_document_supported`: whether the URL of a document can be the id of a
        /// client.
        takes_client_documents: Also<bool> = b"client_id_metadata_document_supported",
        /// `signed_metadata`: the same members as a JSON Web Token.
        signed: Also<Text<'a>> = b"signed_metadata",
        /// `agent_auth` of auth.md: how an agent registers itself.
        agent_auth: Object<'a> = b"agent_auth" [Inside(AgentAuth::RULES)],
    }

    /// How an agent registers itself, auth.md step 1b.
    pub struct AgentAuth at "" welcomes Others {
        /// `register_uri`, required: where an agent registers.
        register: Text<'a> = b"register_uri" [If(has_no_identity_endpoint, &Need), Url(Secure::Http)],
        /// `identity_endpoint`, the name of a later text for `register_uri`.
        identity_endpoint: Text<'a> = b"identity_endpoint" [Url(Secure::Http)],
        /// `claim_uri`: where a person takes over what an agent registered.
        claim: Text<'a> = b"claim_uri" [Url(Secure::Http)],
        /// `claim_endpoint`, the name of a later text for `claim_uri`.
        claim_endpoint: Text<'a> = b"claim_endpoint" [Url(Secure::Http)],
        /// `revocation_uri`: where the provider of an identity revokes it.
        revocation: Text<'a> = b"revocation_uri" [Url(Secure::Http)],
        /// `skill`: the instructions for agents.
        skill: Text<'a> = b"skill" [Want(NO_GUIDE), Url(Secure::Web)],
        /// `identity_types_supported`, required.
        identities: Texts<'a> = b"identity_types_supported" [Need, Filled(NO_IDENTITIES), Texts],
        /// `anonymous`: what an anonymous agent gets.
        anonymous: Object<'a> = b"anonymous" [Inside(Credentials::RULES)],
        /// `identity_assertion`: what proves an identity, and what an agent with one gets.
        asserted: Object<'a> = b"identity_assertion" [Inside(Credentials::RULES)],
        /// `events_supported`.
        events: Also<Texts<'a>> = b"events_supported" [Texts],
    }

    /// What one kind of identity needs and gets.
    pub struct Credentials at "" welcomes Others {
        /// `assertion_types_supported`.
        assertions: Texts<'a> = b"assertion_types_supported" [Texts],
        /// `credential_types_supported`.
        credentials: Texts<'a> = b"credential_types_supported" [Texts],
    }
}

/// The ways to send a token. An empty list, which the model cannot tell from none, stays as metadata.
#[derive(Clone, Copy, Debug)]
pub struct Methods<'a>(pub List<'a, Text<'a>>);

impl<'a> Read<'a> for Methods<'a> {
    const SHAPE: Shape = Shape::Array;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        Texts::read(value).map(|Texts(list)| Self(list))
    }

    fn keeps(value: Value<'a>) -> bool {
        Texts::keeps(value) || value.elements().next().is_none()
    }
}

/// The parsed metadata of a protected resource.
#[derive(Clone, Copy, Debug)]
pub struct OauthProtectedResource<'a> {
    /// The top-level members.
    pub top: Resource<'a>,
}

/// The parsed metadata of an authorization server.
#[derive(Clone, Copy, Debug)]
pub struct OauthAuthorizationServer<'a> {
    /// The top-level members.
    pub top: Server<'a>,
}

impl<'a> OauthProtectedResource<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Resource::attach(bytes, outline) }
    }
}

impl<'a> OauthAuthorizationServer<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Server::attach(bytes, outline) }
    }
}

impl<'a> Reading<'a> for OauthProtectedResource<'a> {
    fn service(&self) -> Option<Service<'a>> {
        let top = &self.top;
        Some(Service {
            name: top.name,
            url: top.resource,
            docs: top.documentation,
            privacy_policy: top.policy,
            ..Service::default()
        })
    }

    fn security_schemes(&self) -> List<'a, SecurityScheme<'a>> {
        List::new(self.top.object.raw(), 0, |cursor| {
            cursor.next_view().map(|top: Resource<'a>| SecurityScheme {
                issuers: texts(top.authorization_servers),
                scopes: texts(top.scopes_supported),
                bearer_methods: top.bearer_methods_supported.map_or_else(List::empty, |it| it.0),
                ..oauth()
            })
        })
    }

    fn registration(&self) -> Option<Registration<'a>> {
        self.top.agent_auth.map(registration)
    }

    fn metadata(&self) -> Metadata<'a> {
        kept::<Resource<'_>>(&self.top.object, &self.top.seen)
    }
}

impl<'a> Reading<'a> for OauthAuthorizationServer<'a> {
    fn service(&self) -> Option<Service<'a>> {
        let top = &self.top;
        Some(Service {
            url: top.issuer.and_then(|OneText(mut issuer)| issuer.next()),
            docs: top.documentation,
            privacy_policy: top.policy,
            ..Service::default()
        })
    }

    fn security_schemes(&self) -> List<'a, SecurityScheme<'a>> {
        List::new(self.top.object.raw(), 0, |cursor| {
            cursor.next_view().map(|top: Server<'a>| SecurityScheme {
                issuers: top.issuer.map_or_else(List::empty, |OneText(issuer)| issuer),
                authorization_url: top.authorization_endpoint,
                token_url: top.token_endpoint,
                registration_url: top.registration_endpoint,
                challenge_methods: texts(top.challenge_methods),
                scopes: texts(top.scopes_supported),
                ..oauth()
            })
        })
    }

    fn registration(&self) -> Option<Registration<'a>> {
        self.top.agent_auth.map(registration)
    }

    fn metadata(&self) -> Metadata<'a> {
        kept::<Server<'_>>(&self.top.object, &self.top.seen)
    }
}

/// The one way to authenticate that a document describes.
fn oauth<'a>() -> SecurityScheme<'a> {
    SecurityScheme { kind: Some(Choice::implied(AuthType::OAuth2)), ..SecurityScheme::default() }
}

/// Returns the registration that an object `agent_auth` describes.
pub(crate) fn registration(Object(value): Object<'_>) -> Registration<'_> {
    let auth = AgentAuth::read(value);
    let anonymous = Credentials::read(or_absent(&auth.anonymous));
    let asserted = Credentials::read(or_absent(&auth.asserted));
    Registration {
        url: auth.register.or(auth.identity_endpoint),
        claim_url: auth.claim.or(auth.claim_endpoint),
        revocation_url: auth.revocation,
        guide_url: auth.skill,
        identities: texts(auth.identities),
        assertions: texts(asserted.assertions),
        anonymous_credentials: texts(anonymous.credentials),
        credentials: texts(asserted.credentials),
        metadata: kept::<AgentAuth<'_>>(&auth.object, &auth.seen),
    }
}
