//! Authentication: whether it is needed, how it is done, and whether credentials may go there.

use core::fmt;

#[cfg(feature = "awp")]
use super::survey::is_unreadable;
use super::survey::{Budget, Gateway, is_draft};
use crate::document::Document;
use crate::format::Format;
#[cfg(feature = "awp")]
use crate::format::awp::{self, AuthObject, StatusObject};
use crate::format::check::method::{is_token, is_visible};
#[cfg(feature = "awp")]
use crate::format::json_common::has_kept;
use crate::manifest::{AuthType, Choice, List, Offer};
#[cfg(any(feature = "awp", feature = "adp"))]
use crate::manifest::{ServiceAuth, with_reading};
use crate::syntax::text::Text;
use crate::syntax::url::Server;
use crate::write::Sink;

/// How much authentication is needed, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub enum AuthNeed {
    /// No document says anything about it.
    #[default]
    NotStated,
    /// None is needed.
    None,
    /// It may be done.
    Optional,
    /// It is needed.
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
    /// Whether it is needed.
    pub need: AuthNeed,
    /// The kind. `Unknown` is some authentication that cannot be told.
    pub kind: Choice<'a, AuthType>,
    /// The document that says so; absent where none does.
    pub document: Option<usize>,
    /// Where a token is obtained.
    pub token_url: Option<Text<'a>>,
    /// OAuth 2 authorization endpoint.
    pub authorization_url: Option<Text<'a>>,
    /// Where an expired token is refreshed.
    pub refresh_url: Option<Text<'a>>,
    /// Where people get a key.
    pub setup_url: Option<Text<'a>>,
    /// Where the way to authenticate is described.
    pub docs_url: Option<Text<'a>>,
    /// OAuth 2 scopes.
    pub scopes: List<'a, Text<'a>>,
    /// The header that carries the token; absent where the format does not say, or none is needed.
    pub header: Option<Text<'a>>,
    /// What stands before the token in it, with one space behind; empty for the token alone.
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
            setup_url: None,
            docs_url: None,
            scopes: List::empty(),
            header: None,
            prefix: Text::EMPTY,
        }
    }
}

/// Whether credentials may be sent to where a request goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Credentials {
    /// They may.
    Allowed,
    /// The connection is not encrypted, and the host is not this very machine.
    Insecure,
    /// The host has non-ASCII letters, so that it cannot be told whose it is.
    NonAsciiHost,
    /// The host belongs to another registrable domain than the documents, or to an unknown one, and was not approved. Another port of a
    /// loopback host counts as another host, because another program listens there.
    OtherDomain,
    /// It is not known where the request goes, or whose the documents are.
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

    /// What holds for a server that relates so to the site, where that is known.
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
        } else if !is_known {
            Self::UnknownHost
        } else if !is_related && !approved {
            Self::OtherDomain
        } else {
            Self::Allowed
        }
    }
}

/// Why there is no header for a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HeaderError {
    /// Credentials must not be sent there, or the request is not allowed.
    Withheld(Credentials),
    /// No authentication is needed.
    NotNeeded,
    /// The format does not say which header carries it.
    Unspecified,
    /// The name of the header or its prefix cannot stand in a request.
    InvalidHeader,
    /// The token is empty, or has a character that cannot stand in a header, such as a line end.
    InvalidToken,
    /// The buffer is too small.
    BufferTooSmall {
        /// Bytes that are enough.
        needed: usize,
    },
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Withheld(Credentials::Allowed) => f.write_str("the request is not allowed"),
            Self::Withheld(credentials) => write!(
                f,
                "credentials must not be sent there ({})",
                credentials.as_str()
            ),
            Self::NotNeeded => f.write_str("no authentication is needed"),
            Self::Unspecified => {
                f.write_str("the format does not say which header carries the token")
            }
            Self::InvalidHeader => f.write_str(
                "the document's header or prefix for the token cannot stand in a request",
            ),
            Self::InvalidToken => {
                f.write_str("the token is empty or has a character that cannot stand in a header")
            }
            Self::BufferTooSmall { needed } => {
                write!(f, "the buffer is too small ({needed} bytes are needed)")
            }
        }
    }
}

impl core::error::Error for HeaderError {}

impl<'a> Auth<'a> {
    /// Takes over what is stricter, or the first that says anything; scopes are taken from wherever they are written.
    pub(super) fn tighten(&mut self, other: &Self) {
        let mut scopes = other.scopes;
        if other.need > self.need {
            scopes = self.scopes;
            *self = *other;
        }
        // Whether there is an item would be looked for again and again.
        if self.need == AuthNeed::Required && self.scopes.bytes().is_empty() {
            self.scopes = scopes;
        }
    }

    /// Takes over what a kind alone says.
    fn take_kind(&mut self, kind: Choice<'a, AuthType>, document: usize) {
        self.need = if kind.value == AuthType::None {
            AuthNeed::None
        } else {
            AuthNeed::Required
        };
        (self.kind, self.document) = (kind, Some(document));
        if matches!(kind.value, AuthType::BearerToken | AuthType::OAuth2) {
            self.header = Some(Text::plain(b"Authorization"));
            self.prefix = Text::plain(b"Bearer");
        }
    }

    /// Takes over what a document says of a capability of its own.
    #[inline(never)] // What is said is large, and needed here alone.
    pub(super) fn note(
        &mut self,
        (index, document): (usize, &Document<'a>),
        capability: &Offer<'a>,
        service: &Service<'a>,
        listed: Listed,
    ) {
        let mut said = Self::default();
        let is_draft = is_draft(document);
        match capability.auth_kind {
            Some(kind) if is_draft || document.is(Format::AdpCapability) => {
                said.take_kind(kind, index);
                said.scopes = capability.scopes;
                // Authentication stands in the manifest; a detail only knows its scopes.
                if is_draft {
                    (said.token_url, said.docs_url) = (capability.token_url, capability.docs_url);
                }
            }
            None if is_draft => said.take_kind(Choice::implied(AuthType::None), index),
            None if document.is(Format::AdpCapability) => return,
            _ => match service {
                #[cfg(feature = "awp")]
                Service::Actions(actions) => said.take_action(index, capability, actions, listed),
                _ => return service.tighten(self),
            },
        }
        let _ = listed;
        self.tighten(&said);
    }

    /// Takes over what a document says of the endpoint of another protocol. An agents.md without a word means none.
    #[inline(never)] // As above.
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
        self.tighten(&said);
    }

    /// A manifest of the Agent Discovery Protocol speaks for the whole service.
    #[cfg(feature = "adp")]
    #[inline(never)] // The views of documents are large, and needed here alone.
    fn of_service(document: &Document<'a>, index: usize) -> Self {
        let mut found = Self::default();
        if let Some((header, prefix)) = header_and_prefix(document) {
            match &auth_of(document) {
                // The specification has no default; whether a token is asked for cannot be told.
                None => {
                    (found.need, found.kind, found.document) =
                        (AuthNeed::Optional, Choice::unreadable(), Some(index))
                }
                Some(auth) => {
                    found.take_kind(auth.kind, index);
                    found.take_places(&Places::of(auth));
                }
            }
            if found.need != AuthNeed::None {
                (found.header, found.prefix) = (Some(header), prefix.trim());
            }
        }
        found
    }

    /// An action of the Agent Web Protocol, whose document says something of it or nothing: where `auth_required` and the lists disagree, the stricter counts.
    #[cfg(feature = "awp")]
    fn take_action(
        &mut self,
        index: usize,
        capability: &Offer<'a>,
        actions: &Actions<'a>,
        listed: Listed,
    ) {
        let kind = actions.kind;
        let need = match (capability.auth_required, listed) {
            (Some(true), _) | (_, Listed::Required) => AuthNeed::Required,
            (_, Listed::Optional) => AuthNeed::Optional,
            (Some(false), Listed::No) => AuthNeed::None,
            // Neither says anything; a kind that is written then is meant for every action, unless a list says for which.
            (None, Listed::No) if !actions.is_stated => AuthNeed::NotStated,
            (None, Listed::No) if kind.value != AuthType::None && !actions.lists_actions => {
                AuthNeed::Required
            }
            (None, Listed::No) => AuthNeed::None,
        };
        if need > AuthNeed::None {
            // Something is needed, though the kind says nothing.
            self.take_kind(
                if kind.value == AuthType::None {
                    Choice::unreadable()
                } else {
                    kind
                },
                index,
            );
            self.take_places(&actions.places);
        }
        (self.need, self.document) = (need, Some(index));
    }

    /// Takes over where tokens are obtained.
    #[cfg(any(feature = "awp", feature = "adp"))]
    fn take_places(&mut self, places: &Places<'a>) {
        self.token_url = places.token_url;
        self.authorization_url = places.authorization_url;
        self.refresh_url = places.refresh_url;
        self.setup_url = places.setup_url;
        self.scopes = places.scopes;
    }

    /// Puts the header that carries a token into a sink.
    pub(super) fn put_header(&self, token: &str, sink: &mut impl Sink) -> Result<(), HeaderError> {
        if self.need <= AuthNeed::None {
            return Err(HeaderError::NotNeeded);
        }
        let header = self.header.ok_or(HeaderError::Unspecified)?;
        if header.is_empty() || !is_token(header.chars()) || !is_visible(self.prefix) {
            return Err(HeaderError::InvalidHeader);
        }
        let text = Text::plain(token.as_bytes());
        if text.is_empty() || !is_visible(text) {
            return Err(HeaderError::InvalidToken);
        }
        let mut put = |text: Text<'_>| {
            text.chars()
                .for_each(|c| sink.put(c.encode_utf8(&mut [0; 4]).as_bytes()))
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

/// Where the authentication for a whole service is done.
#[cfg(any(feature = "awp", feature = "adp"))]
#[derive(Clone, Copy, Default)]
struct Places<'a> {
    token_url: Option<Text<'a>>,
    authorization_url: Option<Text<'a>>,
    refresh_url: Option<Text<'a>>,
    setup_url: Option<Text<'a>>,
    scopes: List<'a, Text<'a>>,
}

#[cfg(any(feature = "awp", feature = "adp"))]
impl<'a> Places<'a> {
    const fn of(auth: &ServiceAuth<'a>) -> Self {
        Self {
            token_url: auth.token_url,
            authorization_url: auth.authorization_url,
            refresh_url: auth.refresh_url,
            setup_url: auth.setup_url,
            scopes: auth.scopes,
        }
    }
}

/// What a document says of authentication for all of the service, read once. Formats that are left out take no room.
// One is larger than the others, and there is no heap to put it on.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy)]
pub(super) enum Service<'a> {
    /// It is for each capability to say, or nothing is said.
    Nothing(core::marker::PhantomData<&'a [u8]>),
    /// What a manifest of the Agent Discovery Protocol asks for everywhere.
    #[cfg(feature = "adp")]
    Whole(Auth<'a>),
    /// How an action of the Agent Web Protocol is authenticated that needs it.
    #[cfg(feature = "awp")]
    Actions(Actions<'a>),
}

/// What an Agent Web Protocol document says of authentication.
#[cfg(feature = "awp")]
#[derive(Clone, Copy)]
pub(super) struct Actions<'a> {
    kind: Choice<'a, AuthType>,
    places: Places<'a>,
    /// Whether it says anything.
    is_stated: bool,
    /// Which actions need it, and for which it may be done.
    required_for: List<'a, Text<'a>>,
    optional_for: List<'a, Text<'a>>,
    /// Whether the first of these lists has any.
    lists_actions: bool,
    /// It cannot be read.
    is_unreadable: bool,
    /// The actions that are impaired, and whether the service is down.
    status: (List<'a, Text<'a>>, bool),
}

impl<'a> Service<'a> {
    pub(super) fn of(document: &Document<'a>, index: usize) -> Self {
        let _ = index;
        match document.format() {
            #[cfg(feature = "adp")]
            Format::Adp => Self::Whole(Auth::of_service(document, index)),
            #[cfg(feature = "awp")]
            Format::Awp => Self::Actions(Actions::of(document)),
            _ => Self::Nothing(core::marker::PhantomData),
        }
    }

    /// What is asked for everywhere is asked for here.
    pub(super) fn tighten(&self, auth: &mut Auth<'a>) {
        match self {
            #[cfg(feature = "adp")]
            Self::Whole(whole) => auth.tighten(whole),
            _ => _ = auth,
        }
    }

    /// Whether the service does not work.
    pub(super) const fn is_down(&self) -> bool {
        match self {
            #[cfg(feature = "awp")]
            Self::Actions(actions) => actions.status.1,
            _ => false,
        }
    }

    /// Whether an action is impaired.
    pub(super) fn is_degraded(&self, id: Text<'_>, budget: &mut Budget) -> bool {
        match self {
            #[cfg(feature = "awp")]
            Self::Actions(actions) => budget.contains(&actions.status.0, id).unwrap_or(true),
            _ => {
                let _ = (id, budget);
                false
            }
        }
    }

    /// Whether authentication is listed for an action.
    pub(super) fn listed(&self, id: Text<'_>, budget: &mut Budget) -> Listed {
        match self {
            #[cfg(feature = "awp")]
            Self::Actions(actions) => actions.listed(id, budget),
            _ => {
                let _ = (id, budget);
                Listed::No
            }
        }
    }
}

#[cfg(feature = "awp")]
impl<'a> Actions<'a> {
    #[inline(never)] // What is read is large, and needed here alone.
    fn of(document: &Document<'a>) -> Self {
        let mut actions = Self {
            kind: Choice::unreadable(),
            places: Places::default(),
            is_stated: false,
            required_for: List::empty(),
            optional_for: List::empty(),
            lists_actions: false,
            is_unreadable: false,
            status: status_of(document),
        };
        let Some(auth) = &auth_of(document) else {
            return actions;
        };
        (actions.kind, actions.places, actions.is_stated) = (auth.kind, Places::of(auth), true);
        (actions.required_for, actions.optional_for) = (auth.required_for, auth.optional_for);
        actions.lists_actions = !auth.required_for.is_empty();
        let nothing_read =
            auth.kind.text.is_none() && auth.kind.value != AuthType::None && !actions.lists_actions;
        actions.is_unreadable = (nothing_read && !has_kept::<AuthObject<'_>>(&auth.metadata, None))
            || has_kept::<AuthObject<'_>>(&auth.metadata, Some("required_for"));
        actions
    }

    /// Whether authentication is listed for an action.
    fn listed(&self, id: Text<'_>, budget: &mut Budget) -> Listed {
        if !self.is_stated {
            return Listed::No;
        }
        if self.is_unreadable {
            return Listed::Required;
        }
        match (
            budget.contains(&self.required_for, id),
            budget.contains(&self.optional_for, id),
        ) {
            (Some(true) | None, _) => Listed::Required,
            (_, Some(true)) => Listed::Optional,
            _ => Listed::No,
        }
    }
}

// The views of documents are large, and needed in these alone.

/// Which actions are impaired, and whether the service is down, as an Agent Web Protocol document says; what is there but cannot be read means
/// that it is.
#[cfg(feature = "awp")]
#[inline(never)]
fn status_of<'a>(document: &Document<'a>) -> (List<'a, Text<'a>>, bool) {
    let Some(status) = with_reading(document, |reading| reading.status()) else {
        let metadata = with_reading(document, |reading| reading.metadata());
        return (
            List::empty(),
            is_unreadable::<awp::Top<'_>>(&metadata, "agent_status"),
        );
    };
    let is_down = match status.operational {
        Some(operational) => !operational,
        None => is_unreadable::<StatusObject<'_>>(&status.metadata, "operational"),
    };
    (status.degraded, is_down)
}

#[cfg(feature = "adp")]
#[inline(never)]
fn header_and_prefix<'a>(document: &Document<'a>) -> Option<(Text<'a>, Text<'a>)> {
    document.adp().map(|adp| adp.header_and_prefix())
}

#[cfg(any(feature = "awp", feature = "adp"))]
#[inline(never)]
fn auth_of<'a>(document: &Document<'a>) -> Option<ServiceAuth<'a>> {
    with_reading(document, |reading| reading.auth())
}

/// Whether the lists of an Agent Web Protocol document name an action.
#[cfg_attr(not(feature = "awp"), allow(dead_code))]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Listed {
    /// Neither does.
    No,
    /// `optional_for` does.
    Optional,
    /// `required_for` does, or it cannot be read.
    Required,
}
