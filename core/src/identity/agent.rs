//! Where the keys of an agent are: the field Signature-Agent.

use super::component::{Component, put_authority};
use super::message::{Lines, is_plain};
use super::reason::Reason;
use crate::sink::Sink;
use crate::syntax::structured_field::{Member, pairs, plain_string};
use crate::syntax::url::Url;

/// The place of a directory at an origin.
const WELL_KNOWN: &str = "/.well-known/http-message-signatures-directory";

/// How a URL leads to keys (Key Distribution and Discovery).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AgentKind {
    /// `directory`: the URL is an origin, which has the keys at a well-known place.
    Directory,
    /// `jwks_uri`: the URL has the keys.
    JwksUri,
    /// `cimd`: the URL has a card, a Client ID Metadata Document, which has the keys or their URL
    /// ([`card_keys`](super::card_keys)).
    Cimd,
    /// A type that is not supported.
    Other,
}

impl AgentKind {
    /// The name of the type; `other` if it is not supported.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Directory => "directory",
            Self::JwksUri => "jwks_uri",
            Self::Cimd => "cimd",
            Self::Other => "other",
        }
    }

    /// The type that an agent states for its URL: an origin has a directory.
    pub(super) fn of(url: &str) -> Self {
        let is_origin = Url::parse(url.as_bytes()).is_some_and(|url| is_origin(&url));
        if is_origin { Self::Directory } else { Self::JwksUri }
    }
}

/// Who signed a request: the URL at which the agent publishes its keys.
#[derive(Clone, Copy, Debug)]
pub struct Agent<'a> {
    url: Url<'a>,
    /// How the URL leads to keys.
    pub kind: AgentKind,
}

impl<'a> Agent<'a> {
    /// The agent that a signature with this label covers; `None` if the request names none.
    pub(super) fn of(
        lines: &Lines<'a>,
        label: &[u8],
        covered: impl Iterator<Item = Component<'a>> + Clone,
    ) -> Result<Option<Self>, Reason> {
        let Some(first) = lines.values().next() else {
            return Ok(None);
        };
        let covered = covered.filter(|component| component.name == b"signature-agent");
        if covered.clone().next().is_none() {
            return Err(Reason::AgentNotCovered);
        }
        let is_whole = covered.clone().any(|component| component.key.is_none());
        // A single string, as in earlier drafts.
        if first.starts_with(b"\"") {
            return match plain_string(first).filter(|_| lines.values().count() == 1) {
                Some(text) if is_whole && is_plain(text) => Self::new(text, b"").map(Some),
                Some(text) if is_plain(text) => Err(Reason::AgentNotCovered),
                _ => Err(Reason::MalformedAgent),
            };
        }
        let is_covered = |key: &[u8]| is_whole || covered.clone().any(|own| own.key == Some(key));
        let (mut own, mut others, mut only) = (None, 0_u32, None);
        let is_dictionary = lines.members(|member: Member<'a>| {
            if !is_covered(member.key) {
                return;
            }
            if member.key == label {
                own = Some(member);
            } else {
                others = others.saturating_add(1);
                only = Some(member);
            }
        });
        if !is_dictionary {
            return Err(Reason::MalformedAgent);
        }
        // An intermediary may give a signature another label, but not the member.
        let member = match (own, others) {
            (Some(own), _) => lines.member(own.key, Reason::MalformedAgent)?,
            (None, 1) => only,
            (None, 0) => return Err(Reason::AgentNotCovered),
            (None, _) => return Err(Reason::AgentAmbiguous),
        };
        let member = member.ok_or(Reason::AgentNotCovered)?;
        let text = plain_string(member.value).ok_or(Reason::MalformedAgent)?;
        Self::new(text, member.parameters).map(Some)
    }

    fn new(text: &'a [u8], parameters: &'a [u8]) -> Result<Self, Reason> {
        let mut types = pairs(parameters).filter(|(name, _)| *name == b"type");
        let kind = match types.next().map(|(_, value)| value) {
            None | Some(b"directory") => AgentKind::Directory,
            Some(b"jwks_uri") => AgentKind::JwksUri,
            Some(b"cimd") => AgentKind::Cimd,
            Some(_) => AgentKind::Other,
        };
        if types.next().is_some() {
            return Err(Reason::RepeatedParameter);
        }
        let url = Url::parse(text).ok_or(Reason::MalformedAgent)?;
        if !url.scheme().eq_ignore_ascii_case("https") {
            return Err(Reason::AgentNotHttps);
        }
        match kind {
            // A trailing dot would be a second spelling of the same host.
            _ if url.has_userinfo() || url.host().ends_with('.') => Err(Reason::MalformedAgent),
            AgentKind::Directory if !is_origin(&url) => Err(Reason::AgentNotOrigin),
            AgentKind::JwksUri | AgentKind::Cimd if !is_normal(url.path()) => {
                Err(Reason::MalformedAgent)
            }
            _ => Ok(Self { url, kind }),
        }
    }

    /// An agent whose keys are at a URL.
    pub(super) fn of_keys(url: &'a [u8]) -> Result<Self, Reason> {
        Self::new(url, b";type=jwks_uri")
    }

    /// The URL that Signature-Agent has, as written.
    pub const fn as_str(&self) -> &'a str {
        self.url.as_str()
    }

    /// Writes the URL that has the keys; for [`AgentKind::Cimd`], that of the card.
    pub fn put_url(&self, sink: &mut (impl Sink + ?Sized)) {
        self.put_identifier(sink);
        let is_whole = matches!(self.kind, AgentKind::JwksUri | AgentKind::Cimd);
        if let Some(query) = self.url.query().filter(|_| is_whole) {
            sink.put(b"?");
            sink.put(query.as_bytes());
        }
    }

    /// Writes what identifies the agent once its keys were fetched: their URL without a query, in the
    /// one form that all spellings have.
    pub fn put_identifier(&self, sink: &mut (impl Sink + ?Sized)) {
        sink.put(b"https://");
        put_authority(&self.url, sink);
        match (self.kind, self.url.path()) {
            (AgentKind::Directory, _) => sink.put(WELL_KNOWN.as_bytes()),
            (_, "") => sink.put(b"/"),
            (_, path) => sink.put(path.as_bytes()),
        }
    }
}

/// Whether a URL has nothing but scheme, host and port.
fn is_origin(url: &Url<'_>) -> bool {
    matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none()
}

/// Whether a path has one spelling only: no dot segments and nothing percent-encoded.
fn is_normal(path: &str) -> bool {
    !path.contains('%') && !path.split('/').any(|segment| matches!(segment, "." | ".."))
}
