//! Authentication: whether it is needed, how it works, and whether credentials may be sent.

use core::fmt;

use super::agents::is_draft;
use super::endpoint::Gateway;
#[cfg(feature = "awp")]
use super::service::Actions;
use super::service::{Listed, Service};
use crate::document::{Document, with_reading};
use crate::format::Format;
#[cfg(any(feature = "a2a", feature = "openapi"))]
use crate::format::a2a::security::Need;
#[cfg(feature = "a2a")]
use crate::format::a2a::security::Needs;
use crate::format::about::{Authenticates, fact};
use crate::model::{AuthType, Capability, CapabilityAuth, Choice, List, ServiceAuth};
use crate::rules::method::{can_carry_key, is_visible};
use crate::sink::Sink;
use crate::syntax::text::Text;
use crate::syntax::url::{HostRelation, Server};

/// How much authentication is needed, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub enum AuthNeed {
    /// No document mentions authentication.
    #[default]
    NotStated,
    /// Not needed.
    None,
    /// Optional.
    Optional,
    /// Required.
    Required,
}

impl AuthNeed {
    /// `not-stated`, `none`, `optional` or `required`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotStated => "not-stated",
            Self::None => "none",
            Self::Optional => "optional",
            Self::Required => "required",
        }
    }
}

/// How to authenticate.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Auth<'a> {
    /// Whether authentication is needed.
    pub need: AuthNeed,
    /// The type. `Unknown` means some authentication of an unknown type.
    pub kind: Choice<'a, AuthType>,
    /// The document that states it; absent if none does.
    pub document: Option<usize>,
    /// The URL where a token is obtained.
    pub token_url: Option<Text<'a>>,
    /// OAuth 2 authorization endpoint.
    pub authorization_url: Option<Text<'a>>,
    /// The URL where an expired token is refreshed.
    pub refresh_url: Option<Text<'a>>,
    /// How the host of `refresh_url` relates to the host of the documents; absent if either is
    /// unknown.
    pub refresh_relation: Option<HostRelation>,
    /// The URL where people get a key.
    pub setup_url: Option<Text<'a>>,
    /// The URL of the documentation.
    pub docs_url: Option<Text<'a>>,
    /// OAuth 2 scopes.
    pub scopes: List<'a, Text<'a>>,
    /// The header that carries the token. Absent if no authentication is needed, if the format
    /// names no header, or if the named header cannot carry a token.
    pub header: Option<Text<'a>>,
    /// Whether the format names a header that cannot carry a token.
    names_other_header: bool,
    /// The prefix of the token in the header, followed by one space; empty for the bare token.
    pub prefix: Text<'a>,
}

impl Default for Auth<'_> {
    fn default() -> Self {
        Self {
            need: AuthNeed::NotStated,
            kind: Choice::implied(AuthType::None),
            document: None,
            token_url: None,
            authorization_url: None,
            refresh_url: None,
            refresh_relation: None,
            setup_url: None,
            docs_url: None,
            scopes: List::empty(),
            header: None,
            names_other_header: false,
            prefix: Text::EMPTY,
        }
    }
}

/// Whether credentials may be sent with a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Credentials {
    /// They may be sent.
    Allowed,
    /// The connection is not encrypted, and the host is not the local machine.
    Insecure,
    /// The host has non-ASCII letters, so its owner cannot be verified.
    NonAsciiHost,
    /// The host is on another registrable domain than the documents, or its relation to them is
    /// unknown, and the endpoint was not approved. Another port of a loopback host counts as
    /// another host, because another program listens there.
    OtherDomain,
    /// The host of the request or of the documents is unknown, or an argument determines the
    /// registrable domain of both, and the endpoint was not approved.
    UnknownHost,
}

impl Credentials {
    /// `allowed`, `insecure`, `non-ascii-host`, `other-domain` or `unknown-host`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Insecure => "insecure",
            Self::NonAsciiHost => "non-ascii-host",
            Self::OtherDomain => "other-domain",
            Self::UnknownHost => "unknown-host",
        }
    }

    /// Whether credentials may be sent to a server with this relation to the site.
    pub(super) fn to(
        server: &Server<'_>,
        is_known: bool,
        is_related: bool,
        approved: bool,
    ) -> Self {
        if !server.is_secure() && !server.is_loopback() {
            Self::Insecure
        } else if !server.is_ascii() {
            Self::NonAsciiHost
        } else if approved {
            Self::Allowed
        } else if !is_known {
            Self::UnknownHost
        } else if !is_related {
            Self::OtherDomain
        } else {
            Self::Allowed
        }
    }
}

/// Why no header can be written for a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HeaderError {
    /// Credentials must not be sent, or the request is not allowed.
    Withheld(Credentials),
    /// No authentication is needed.
    NotNeeded,
    /// The format does not name the header.
    Unspecified,
    /// The name of the header or its prefix is not valid in a request.
    InvalidHeader,
    /// The token is empty, or contains a character that is not valid in a header, such as a line
    /// end.
    InvalidToken,
    /// The buffer is too small.
    BufferTooSmall {
        /// The required size in bytes.
        needed: usize,
    },
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Withheld(Credentials::Allowed) => f.write_str("the request is not allowed"),
            Self::Withheld(credentials) => {
                write!(f, "credentials must not be sent there ({})", credentials.as_str())
            }
            Self::NotNeeded => f.write_str("no authentication is needed"),
            Self::Unspecified => {
                f.write_str("the format does not say which header carries the token")
            }
            Self::InvalidHeader => f.write_str(
                "the document's header name or prefix for the token is not valid in a request",
            ),
            Self::InvalidToken => {
                f.write_str("the token is empty or has a character that is not valid in a header")
            }
            Self::BufferTooSmall { needed } => {
                write!(f, "the buffer is too small; it needs {needed} bytes")
            }
        }
    }
}

impl core::error::Error for HeaderError {}

impl<'a> Auth<'a> {
    /// Keeps the stricter of the two requirements, or `self` if they are equally strict. If
    /// authentication is required, both have the same type and the kept requirement has no scopes,
    /// takes the scopes of the other one.
    #[inline(never)] // Keeps its buffers off the stack of its callers.
    pub(super) fn tighten(&mut self, other: &Self) {
        let is_same_kind = self.kind.value == other.kind.value;
        let mut scopes = other.scopes;
        if other.need > self.need {
            scopes = self.scopes;
            *self = *other;
        }
        // Avoids searching for the first item repeatedly.
        if is_same_kind && self.need == AuthNeed::Required && self.scopes.bytes().is_empty() {
            self.scopes = scopes;
        }
    }

    /// Sets what the type alone implies: the need, and for bearer tokens and OAuth 2 the header.
    #[inline(never)] // Keeps its buffers off the stack of its callers.
    fn take_kind(&mut self, kind: Choice<'a, AuthType>, document: usize) {
        self.need = if kind.value == AuthType::None { AuthNeed::None } else { AuthNeed::Required };
        (self.kind, self.document) = (kind, Some(document));
        if matches!(kind.value, AuthType::BearerToken | AuthType::OAuth2) {
            self.header = Some(Text::plain(b"Authorization"));
            self.prefix = Text::plain(b"Bearer");
        }
    }

    /// Merges the authentication of a capability.
    #[inline(never)] // Keeps its buffers off the stack of its callers.
    pub(super) fn note(
        &mut self,
        (index, document): (usize, &Document<'a>),
        capability: &Capability<'a>,
        service: &Service<'a>,
        listed: Listed,
    ) {
        let mut said = Self::default();
        let is_draft = is_draft(document);
        // A skill without requirements of its own has those of the card.
        let is_of_card =
            |own: &CapabilityAuth<'_>| document.is(Format::A2aAgentCard) && own.source.is_empty();
        match capability.auth.as_ref().filter(|own| !is_of_card(own)) {
            Some(own) if is_draft => {
                said.take_kind(own.kind, index);
                said.scopes = own.scopes;
                (said.token_url, said.docs_url) = (own.token_url, own.docs_url);
            }
            None if is_draft => {
                let kind = match service {
                    Service::Unread => Choice::unreadable(),
                    _ => Choice::implied(AuthType::None),
                };
                said.take_kind(kind, index);
            }
            // It replaces what the description requires.
            #[cfg(feature = "openapi")]
            Some(own) if fact!(document.format() => authenticates) == Authenticates::Unless => {
                said.take_kind(own.kind, index);
                if capability.auth_required == Some(false) && said.need == AuthNeed::Required {
                    said.need = AuthNeed::Optional;
                }
                (said.scopes, said.token_url) = (own.scopes, own.token_url);
                if let Some((Some(header), prefix)) = document
                    .openapi()
                    .filter(|_| said.need > AuthNeed::None)
                    .map(|description| description.header_and_prefix(capability.source))
                {
                    (said.header, said.prefix) = (Some(header), prefix.unwrap_or_default());
                }
            }
            // The manifest or the card states the authentication. A detail only states scopes, and
            // a tool only additional requirements.
            Some(own)
                if document.is(Format::AdpCapability) || document.is(Format::McpServerCard) =>
            {
                service.tighten(&mut said);
                if said.need < AuthNeed::Required {
                    said.take_kind(own.kind, index);
                }
                said.scopes = own.scopes;
            }
            // A skill of an A2A card.
            Some(own) => {
                said.take_kind(own.kind, index);
                if capability.auth_required == Some(false) && said.need == AuthNeed::Required {
                    said.need = AuthNeed::Optional;
                }
                (said.scopes, said.token_url) = (own.scopes, own.token_url);
                // Every call passes through an interface of the card.
                service.tighten(&mut said);
            }
            None if document.is(Format::McpServerCard)
                && capability.auth_required == Some(true) =>
            {
                service.tighten(&mut said);
                if said.need < AuthNeed::Required {
                    said.need = AuthNeed::Required;
                    said.kind = match said.kind.value {
                        AuthType::None => Choice::unreadable(),
                        _ => said.kind,
                    };
                    said.document = Some(index);
                }
            }
            _ => return self.note_listed(index, capability.auth_required, service, listed),
        }
        self.tighten(&said);
    }

    /// Merges the authentication that a service states for an action.
    pub(super) fn note_listed(
        &mut self,
        index: usize,
        auth_required: Option<bool>,
        service: &Service<'a>,
        listed: Listed,
    ) {
        let _ = (index, auth_required, listed);
        match service {
            #[cfg(feature = "awp")]
            Service::Actions(actions) => {
                let mut said = Self::default();
                said.take_action(index, auth_required, actions, listed);
                self.tighten(&said);
            }
            _ => service.tighten(self),
        }
    }

    /// Merges the authentication of an endpoint of another protocol. In an agents.md, an endpoint
    /// without a statement needs none.
    pub(super) fn note_gateway(
        &mut self,
        (index, document): (usize, &Document<'a>),
        gateway: &Gateway<'a>,
    ) {
        let kind = match gateway.auth {
            Some(kind) => kind,
            None if document.is(Format::AgentsMd) => Choice::implied(AuthType::None),
            None => return,
        };
        let mut said = Self::default();
        said.take_kind(kind, index);
        if said.need == AuthNeed::Required
            && let Some((header, is_required)) = gateway.header
        {
            said.header = Some(header);
            if !is_required {
                said.need = AuthNeed::Optional;
            }
        }
        self.tighten(&said);
    }

    /// Merges some authentication, of an unknown type: what is known of a document whose statement is
    /// not read.
    #[inline(never)] // Keeps its buffers off the stack of its callers.
    pub(super) fn tighten_unread(&mut self, index: usize) {
        let mut said = Self::default();
        said.take_kind(Choice::unreadable(), index);
        self.tighten(&said);
    }

    /// The authentication that a document states for the whole service.
    #[cfg(any(feature = "adp", feature = "a2a", feature = "mcp-card", feature = "openapi"))]
    pub(super) fn of_service(document: &Document<'a>, index: usize) -> Self {
        let mut found = Self::default();
        let stated = auth_of(document);
        if let Some(auth) = &stated {
            found.take_kind(auth.kind, index);
            found.take_places(&Places::of(auth));
            if found.need != AuthNeed::None && auth.header.is_some() {
                (found.header, found.prefix) = (auth.header, auth.prefix.unwrap_or(found.prefix));
            }
        }
        found.take_particular(document, index, stated.is_some());
        found
    }

    /// Sets what is particular to a format.
    #[cfg(any(feature = "adp", feature = "a2a", feature = "mcp-card", feature = "openapi"))]
    #[inline(never)] // Keeps its buffers off the stack of its caller.
    fn take_particular(&mut self, document: &Document<'a>, index: usize, is_stated: bool) {
        let _ = (index, is_stated);
        match document.format() {
            #[cfg(feature = "mcp-card")]
            Format::McpServerCard => {
                let is_optional =
                    document.mcp_server_card().is_some_and(|card| card.is_auth_optional());
                if is_optional && self.need == AuthNeed::Required {
                    self.need = AuthNeed::Optional;
                }
            }
            #[cfg(feature = "a2a")]
            Format::A2aAgentCard => self.take_needs(document, index),
            #[cfg(feature = "openapi")]
            Format::OpenApi => {
                if let Some(description) = document.openapi() {
                    self.take_need(description.needs().need, description.has_schemes(), index);
                }
            }
            #[cfg(feature = "adp")]
            Format::Adp => {
                // The specification states no default, so it is unknown whether authentication is
                // needed.
                if !is_stated {
                    self.may_need(index);
                }
                if self.need != AuthNeed::None
                    && let Some((header, prefix)) = header_and_prefix(document)
                {
                    (self.header, self.prefix) = (Some(header), prefix.trim());
                }
            }
            _ => {}
        }
    }

    /// Sets that some authentication, of an unknown type, may be needed.
    #[cfg(any(feature = "adp", feature = "a2a", feature = "openapi"))]
    fn may_need(&mut self, index: usize) {
        (self.need, self.kind, self.document) =
            (AuthNeed::Optional, Choice::unreadable(), Some(index));
    }

    /// Sets whether the requirements of an agent card are optional.
    #[cfg(feature = "a2a")]
    fn take_needs(&mut self, document: &Document<'a>, index: usize) {
        let Some(card) = document.a2a_agent_card() else {
            return;
        };
        self.take_need(Needs::of_card(&card.top).need, card.has_schemes(), index);
    }

    /// Sets whether requirements are optional.
    #[cfg(any(feature = "a2a", feature = "openapi"))]
    fn take_need(&mut self, need: Need, has_schemes: bool, index: usize) {
        match need {
            Need::Optional => self.need = AuthNeed::Optional,
            // Schemes are declared, but none is required, so they may be needed somewhere.
            Need::NotStated if has_schemes => self.may_need(index),
            Need::NotStated | Need::None | Need::Required => {}
        }
    }

    /// Sets the authentication of an action of the Agent Web Protocol. If `auth_required` and the
    /// lists disagree, the stricter one counts.
    #[cfg(feature = "awp")]
    fn take_action(
        &mut self,
        index: usize,
        auth_required: Option<bool>,
        actions: &Actions<'a>,
        listed: Listed,
    ) {
        let kind = actions.kind;
        let need = match (auth_required, listed) {
            (Some(true), _) | (_, Listed::Required) => AuthNeed::Required,
            (_, Listed::Optional) => AuthNeed::Optional,
            (Some(false), Listed::No) => AuthNeed::None,
            // Neither `auth_required` nor a list mentions the action. Then the declared type covers
            // every action, unless `required_for` has items.
            (None, Listed::No) if !actions.is_stated => AuthNeed::NotStated,
            (None, Listed::No) if kind.value != AuthType::None && !actions.lists_actions => {
                AuthNeed::Required
            }
            (None, Listed::No) => AuthNeed::None,
        };
        if need > AuthNeed::None {
            // Authentication is needed, though its type is not stated.
            self.take_kind(
                if kind.value == AuthType::None { Choice::unreadable() } else { kind },
                index,
            );
            self.take_places(&actions.places);
        }
        (self.need, self.document) = (need, Some(index));
    }

    /// Sets the URLs and scopes for obtaining tokens.
    #[inline(never)] // Keeps its buffers off the stack of its callers.
    fn take_places(&mut self, places: &Places<'a>) {
        self.token_url = places.token_url;
        self.authorization_url = places.authorization_url;
        self.refresh_url = places.refresh_url;
        self.setup_url = places.setup_url;
        self.scopes = places.scopes;
    }

    /// Drops a header that has another meaning and so cannot carry a token.
    pub(super) fn drop_other_header(&mut self) {
        let usable = self.header.filter(|header| can_carry_key(*header));
        (self.names_other_header, self.header) = (usable != self.header, usable);
    }

    /// Writes the header that carries a token to a sink.
    pub(super) fn put_header(&self, token: &str, sink: &mut impl Sink) -> Result<(), HeaderError> {
        if self.need <= AuthNeed::None {
            return Err(HeaderError::NotNeeded);
        }
        let header = self.header.ok_or(if self.names_other_header {
            HeaderError::InvalidHeader
        } else {
            HeaderError::Unspecified
        })?;
        if !is_visible(self.prefix) {
            return Err(HeaderError::InvalidHeader);
        }
        let text = Text::plain(token.as_bytes());
        if text.is_empty() || !is_visible(text) {
            return Err(HeaderError::InvalidToken);
        }
        let mut put = |text: Text<'_>| {
            text.chars().for_each(|c| sink.put(c.encode_utf8(&mut [0; 4]).as_bytes()))
        };
        put(header);
        put(Text::plain(b": "));
        put(self.prefix);
        if !self.prefix.is_empty() {
            put(Text::plain(b" "));
        }
        put(text);
        Ok(())
    }
}

/// The URLs for the authentication of a whole service.
#[derive(Clone, Copy, Default)]
pub(super) struct Places<'a> {
    token_url: Option<Text<'a>>,
    authorization_url: Option<Text<'a>>,
    pub(super) refresh_url: Option<Text<'a>>,
    setup_url: Option<Text<'a>>,
    scopes: List<'a, Text<'a>>,
}

impl<'a> Places<'a> {
    pub(super) const fn of(auth: &ServiceAuth<'a>) -> Self {
        Self {
            token_url: auth.token_url,
            authorization_url: auth.authorization_url,
            refresh_url: auth.refresh_url,
            setup_url: auth.setup_url,
            scopes: auth.scopes,
        }
    }
}

#[cfg(feature = "adp")]
fn header_and_prefix<'a>(document: &Document<'a>) -> Option<(Text<'a>, Text<'a>)> {
    document.adp().map(|adp| adp.header_and_prefix())
}

pub(super) fn auth_of<'a>(document: &Document<'a>) -> Option<ServiceAuth<'a>> {
    with_reading(document, |reading| reading.auth())
}
