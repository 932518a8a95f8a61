//! The check of a capability: its protocol, method, authentication, parameters and rate limit.

use super::{Check, Notation, required};
use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::model::{AuthType, Capability, CapabilityAuth, Choice, Location, Parameter, Protocol};
use crate::rules::report::Report;
use crate::rules::urls::{Secure, elsewhere, is_elsewhere};
use crate::rules::{self, method};
use crate::span::Span;
use crate::syntax::text::Text;
use crate::syntax::url::Url;

/// The message for an unknown parameter location.
pub(crate) const LOCATION: &str =
    "{} is not a valid parameter location; use query, path, header or body";

/// The message for an unknown parameter type.
pub(crate) const PARAMETER_TYPE: &str =
    "{} is not a valid parameter type; use string, integer, number or boolean";

/// True if a text is a valid parameter type.
pub(crate) fn is_parameter_type(text: Text<'_>) -> bool {
    ["string", "integer", "number", "boolean"].iter().any(|name| text.eq_ignore_case(name))
}

/// Reports a rate limit that is invalid or zero. `requests` is the parsed number, `value` the value
/// as written.
pub(crate) fn rate_limit<'a>(
    report: &mut Report<'_, 'a>,
    notation: Notation,
    span: Span,
    value: Text<'a>,
    requests: Option<u32>,
    section: &'static str,
) {
    let message = match notation {
        Notation::Text => {
            "{} is not a valid rate limit; write a number and a window, for example 60/minute"
        }
        Notation::Json => {
            "{} is not a valid rate limit; write a number and a window, for example {\"requests\": 60, \"window\": \"minute\"}"
        }
    };
    if let Some(diagnostic) =
        rules::rate_limit(Spec::InternetDraft, section, span, requests, message)
    {
        report.add(diagnostic.about(value));
    }
}

/// The protocols that the draft defines.
const DRAFT_PROTOCOLS: [Protocol; 5] =
    [Protocol::Rest, Protocol::Mcp, Protocol::A2a, Protocol::GraphQl, Protocol::WebSocket];

impl<'a> Check<'_, '_, 'a, '_> {
    pub(super) fn capability(&mut self, capability: &Capability<'a>) {
        let owner = self.at_owner(capability.id, capability.source);
        if let Some(id) = self.required(capability.id, required::ID, owner, capability.metadata)
            && !id.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-'))
        {
            self.about(
                Code::InvalidValue,
                id,
                "2.5",
                "{} is not a valid capability id; use only lower-case letters, digits and hyphens",
            );
        }
        let protocol = capability.protocol.map_or(Protocol::Unknown, |protocol| protocol.value);
        if let Some(text) = self.required(
            capability.protocol.and_then(|protocol| protocol.text),
            required::PROTOCOL,
            owner,
            capability.metadata,
        ) && !DRAFT_PROTOCOLS.contains(&protocol)
        {
            self.about(
                Code::InvalidValue,
                text,
                "2.5",
                "the specification does not define the protocol {}; use REST, MCP, A2A, GraphQL or WebSocket",
            );
        }
        if let Some(endpoint) =
            self.required(capability.endpoint, required::ENDPOINT, owner, capability.metadata)
        {
            let mut buffer = None;
            let url = Url::lazily(endpoint, &mut buffer);
            self.judge(endpoint, url.as_ref(), "2.5", Secure::Endpoint(protocol));
            if let Some(url) = url {
                if self.site.is_some_and(|site| is_elsewhere(site.host(), url.host())) {
                    self.report.add(elsewhere(endpoint, self.at(endpoint)));
                }
                self.own_rules(endpoint, &url);
            }
        }
        self.for_rest_only(capability, protocol);
        if let Some(method) = self.filled(capability.method, "2.5") {
            self.method(method);
        }
        if let Some(auth) = &capability.auth {
            self.auth(auth, owner);
        }
        self.filled(capability.description, "2.5");
        if let Some(openapi) = self.filled(capability.openapi, "2.5") {
            self.url(openapi, "2.5", Secure::NotAsked);
        }
        if self.notation == Notation::Json {
            for parameter in capability.parameters {
                self.parameter(&parameter);
            }
        }
    }

    /// Reports `Method` and `Param` in a capability with another protocol than REST.
    fn for_rest_only(&mut self, capability: &Capability<'a>, protocol: Protocol) {
        if protocol == Protocol::Rest || !DRAFT_PROTOCOLS.contains(&protocol) {
            return;
        }
        let message = "this is only valid in a REST capability; remove it, or correct the protocol";
        if let Some(method) = capability.method {
            let key = self.key(self.at(method));
            self.add(Code::UnexpectedField, key, "2.5", message);
        }
        let lines = if self.notation == Notation::Text { usize::MAX } else { 1 };
        for parameter in capability.parameters.take(lines) {
            let key = self.key(Span::of(parameter.source, self.bytes));
            self.add(Code::UnexpectedField, key, "2.5", message);
        }
    }

    fn method(&mut self, text: Text<'a>) {
        if let Some((severity, message)) = method::judge(text) {
            let diagnostic = Diagnostic::new(
                Code::InvalidValue,
                self.at(text),
                Spec::InternetDraft,
                "2.5",
                message,
            );
            self.report.add(diagnostic.with_severity(severity).about(text));
        }
    }

    fn auth(&mut self, auth: &CapabilityAuth<'a>, owner: Span) {
        let kind = match auth.kind.text {
            Some(_) if auth.source.starts_with(b"{") => {
                self.required(auth.kind.text, required::AUTH_TYPE, owner, auth.metadata)
            }
            kind => self.filled(kind, "2.5"),
        };
        if let Some(kind) = kind
            && !auth.kind.as_str().chars().eq(kind.chars().map(|c| c.to_ascii_lowercase()))
        {
            let message = "{} is not a valid authentication type; use none, api-key, bearer-token, oauth2 or hmac";
            self.about(Code::InvalidValue, kind, "2.5", message);
        }
        let is_implied = auth.kind.text.is_none()
            && matches!(auth.kind.value, AuthType::BearerToken | AuthType::OAuth2);
        if is_implied {
            let span =
                auth.token_url.map_or_else(|| self.at_list(&auth.scopes), |url| self.at(url));
            let message = match auth.kind.value {
                AuthType::OAuth2 => {
                    "the authentication type is missing; oauth2 is assumed because of the scopes; add it"
                }
                _ => {
                    "the authentication type is missing; bearer-token is assumed because of the token endpoint; add it"
                }
            };
            self.add(Code::ImpliedAuth, span, "2.5", message);
        }
        let owner = if auth.source.is_empty() { owner } else { self.at_owner(None, auth.source) };
        if auth.kind == Choice::unreadable() && !auth.source.is_empty() {
            self.required(None, required::AUTH_TYPE, owner, auth.metadata);
        }
        if matches!(auth.kind.value, AuthType::BearerToken | AuthType::OAuth2) {
            self.required(auth.token_url, required::AUTH_ENDPOINT, owner, auth.metadata);
        } else if let Some(url) = auth.token_url {
            self.not_empty(url, "2.5");
        }
        if let Some(url) = auth.token_url.filter(|url| !url.is_blank()) {
            self.url(url, "2.5", Secure::Http);
        }
        if let Some(docs) = self.filled(auth.docs_url, "2.5") {
            self.url(docs, "2.5", Secure::NotAsked);
        }
        for scope in auth.scopes {
            self.item(scope, "2.5");
        }
        let secures = auth.token_url.is_some_and(|url| !url.is_blank()) || !auth.scopes.is_empty();
        if let Some(none) = auth.kind.text.filter(|_| auth.kind.value == AuthType::None)
            && secures
        {
            let message = "the authentication {} counts, although there is a token endpoint or a list of scopes; correct it, or remove them";
            self.about(Code::Contradiction, none, "2.5", message);
        }
    }

    /// Checks an item of a list: a scope, or the id of a capability.
    pub(super) fn item(&mut self, item: Text<'a>, section: &'static str) {
        if let Some(item) = self.filled(Some(item), section)
            && item.chars().any(|c| c.is_whitespace() || matches!(c, ',' | ';' | '|'))
        {
            let message = match self.notation {
                Notation::Text => "{} counts as one item; separate items by commas",
                Notation::Json => "{} counts as one item; write each as a string of its own",
            };
            self.about(Code::SeveralValues, item, section, message);
        }
    }

    /// Checks a parameter in JSON. (`Param` lines are checked by their grammar.)
    fn parameter(&mut self, parameter: &Parameter<'a>) {
        let owner = self.at_owner(None, parameter.source);
        self.required(parameter.name, required::PARAMETER_NAME, owner, parameter.metadata);
        if let Some(location) = self.required(
            parameter.location.and_then(|location| location.text),
            required::PARAMETER_IN,
            owner,
            parameter.metadata,
        ) && parameter.location.map(|location| location.value) == Some(Location::Unknown)
        {
            self.about(Code::InvalidValue, location, "2.5", LOCATION);
        }
        if let Some(kind) =
            self.required(parameter.kind, required::PARAMETER_KIND, owner, parameter.metadata)
            && !is_parameter_type(kind)
        {
            self.about(Code::InvalidValue, kind, "2.5", PARAMETER_TYPE);
        }
        self.filled(parameter.description, "2.5");
    }
}
