//! agents.md 1.0.0-draft: Markdown sections, and YAML front matter before them.
//!
//! [`AgentsMdOutline`] is the result of parsing: byte offsets without a lifetime, which can be
//! stored beside the bytes. [`AgentsMdOutline::attach`] returns the view, [`AgentsMd`].
//!
//! ```
//! use agentsdisc_core::Limits;
//! use agentsdisc_core::format::agents_md::{AgentsMd, McpAuth};
//! let text = b"---\nmcp:\n  endpoint: https://example.com/.well-known/mcp\n---\n# Books\n\n## Can\n- Search catalog\n";
//! let site = AgentsMd::parse(text, &Limits::DEFAULT).unwrap();
//! assert_eq!(site.title().unwrap(), "Books");
//! assert_eq!(site.mcp().unwrap().auth, McpAuth::None); // the default
//! assert!(site.can().map(|item| item.text.to_string()).eq(["Search catalog"]));
//! ```
//!
//! Decisions beyond the specification:
//! - Front matter starts if the first line is `---`, with optional blanks after it. The next such
//!   line, or `...`, closes it. Without a closing line, the whole file is Markdown.
//! - Headings are CommonMark headings outside of lists and block quotes. A section ends at the next
//!   H2 or H1.
//! - Items in block quotes count as items. The text of an item consists of its joined paragraphs
//!   and headings, including those after a list, a quote or code inside the item. Paragraphs under
//!   Cannot are restrictions, too.
//! - `mcp` in the front matter hides the MCP section. In the section, each paragraph, item and code
//!   block is parsed as separate YAML, so prose between them has no effect. Keys are compared
//!   without letter case.
//! - An empty `auth:` or `transport:`, a value of another type and an unsupported value mean
//!   "unknown", not the default. `null` and `~` mean "absent".
//!
//! Numbers in parentheses, such as (3) or (agents.md 3), are section numbers of the
//! specification.

mod about;
mod behavior;
mod check;
mod gateway;
mod outline;
mod piece;
mod read;
pub(crate) mod reading;
mod section;
mod walk;
mod words;

use crate::error::Error;
use crate::limits::Limits;
use crate::model::List;
use crate::span::Span;
use crate::syntax::text::{Escape, Text};
use crate::syntax::yaml::{self, Scalar, Value};

pub use behavior::{RateGuidance, RateWindow};
use gateway::Gateway;
pub use section::{Section, SectionEntries, SectionKind};
pub use walk::{Contact, ContactKind, Contacts, Entry, Item, Items, Walk};

/// The recommended path of the MCP endpoint (agents.md 4).
pub const RECOMMENDED_ENDPOINT: &str = "/.well-known/mcp";

/// The state of the front matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FrontMatter {
    /// The first line is not `---`.
    Absent,
    /// The first line is `---`, and a line closes the front matter.
    Closed,
    /// The first line is `---`, but no line closes the front matter: the whole document is
    /// Markdown.
    Unclosed,
}

/// The source of the MCP gateway.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum McpSource {
    /// In the front matter.
    FrontMatter,
    /// In an MCP section.
    Section,
}

/// The transport of the MCP gateway (agents.md 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum McpTransport {
    /// `streamable-http`, the default.
    StreamableHttp,
    /// `sse`.
    Sse,
    /// Another value, or a value that YAML parsing does not support.
    Unknown,
}

/// The authentication of the MCP gateway (agents.md 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum McpAuth {
    /// `none`, the default.
    None,
    /// `api_key`.
    ApiKey,
    /// `oauth2`.
    OAuth2,
    /// Another value, or a value that YAML parsing does not support: requires some authentication.
    Unknown,
}

/// The MCP gateway (agents.md 3, 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mcp<'a> {
    /// Its source.
    pub source: McpSource,
    /// Its endpoint. Absent if the document has none or if it is not a string.
    pub endpoint: Option<Text<'a>>,
    /// Its transport, from [`transport_text`](Self::transport_text). Default: `streamable-http`.
    pub transport: McpTransport,
    /// The transport as written.
    pub transport_text: Option<Text<'a>>,
    /// Its authentication, from [`auth_text`](Self::auth_text). Default: `none`.
    pub auth: McpAuth,
    /// The authentication as written.
    pub auth_text: Option<Text<'a>>,
}

/// An optional value, as byte offsets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot {
    span: Span,
    /// 0 if the value is absent, 15 if it is [`UNREADABLE`](Self::UNREADABLE), otherwise the index
    /// of the text's escape in [`Escape::ALL`] plus 1. Four bits.
    bits: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SlotState {
    Absent,
    Text,
    /// A value is written, but it is invalid for the field.
    Unreadable,
}

// Checks that the index of an escape in `ALL` follows from its number, and that it fits into four
// bits.
const _: () = {
    let (mut rest, mut place) = (Escape::ALL.as_slice(), 0);
    while let [escape, others @ ..] = rest {
        assert!(escape.number().div_ceil(2) == place && place < 14);
        (rest, place) = (others, place + 1);
    }
};

impl Slot {
    const ABSENT: Self = Self { span: Span::new(0, 0), bits: 0 };
    const UNREADABLE: Self = Self { span: Span::new(0, 0), bits: 15 };

    fn of(text: Text<'_>, document: &[u8]) -> Self {
        // All numbers of escapes except 0 are odd.
        Self { span: Span::of(text.raw(), document), bits: 1 + text.escape().number().div_ceil(2) }
    }

    const fn state(&self) -> SlotState {
        match self.bits {
            0 => SlotState::Absent,
            15 => SlotState::Unreadable,
            _ => SlotState::Text,
        }
    }

    fn text<'a>(&self, document: &'a [u8]) -> Option<Text<'a>> {
        let escape = *Escape::ALL.get((self.bits as usize).wrapping_sub(1))?;
        Some(Text::escaped(self.span.slice(document), escape))
    }
}

/// The result of parsing an agents.md: byte offsets into it. Plain data without a lifetime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentsMdOutline {
    front_matter: FrontMatter,
    /// The YAML between the `---` lines.
    yaml: Span,
    /// The mapping of `mcp` in the YAML.
    mcp_yaml: Span,
    body: u32,
    depth: u16,
    title: Slot,
    description: Slot,
    version: Slot,
    mcp: Option<McpSource>,
    gateway: Gateway,
    /// For each known kind of section, the byte offset of the line with its first heading.
    first: [Option<u32>; 5],
    /// One bit for each kind that has more than one section.
    repeated: u8,
    /// Which parts of the front matter have entries that are kept as metadata: the bits below.
    kept: u8,
}

impl AgentsMdOutline {
    /// The top level of the front matter.
    const KEPT_AT_TOP: u8 = 1;
    /// The gateway in the front matter. (The bit is also set for an MCP section, where it is not
    /// used.)
    const KEPT_OF_MCP: u8 = 1 << 1;

    /// Parses a document. Takes linear time.
    ///
    /// # Errors
    /// [`TooLarge`](crate::ErrorKind::TooLarge), [`InvalidUtf8`](crate::ErrorKind::InvalidUtf8),
    /// [`LineTooLong`](crate::ErrorKind::LineTooLong), [`TooDeep`](crate::ErrorKind::TooDeep).
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Self, Error> {
        read::outline(bytes, limits)
    }

    /// Returns the view over the bytes that were parsed. With other bytes, its texts are wrong, or
    /// empty where the offsets are out of range.
    pub const fn attach(self, bytes: &[u8]) -> AgentsMd<'_> {
        AgentsMd { outline: self, bytes }
    }
}

/// An agents.md document.
#[derive(Clone, Copy, Debug)]
pub struct AgentsMd<'a> {
    outline: AgentsMdOutline,
    bytes: &'a [u8],
}

impl<'a> AgentsMd<'a> {
    /// Parses a document: [`AgentsMdOutline::read`] and [`attach`](AgentsMdOutline::attach).
    ///
    /// # Errors
    /// Those of [`AgentsMdOutline::read`].
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self, Error> {
        Ok(AgentsMdOutline::read(bytes, limits)?.attach(bytes))
    }

    /// The outline.
    pub const fn outline(&self) -> AgentsMdOutline {
        self.outline
    }

    /// The bytes of the document.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The state of the front matter (agents.md 2, format B).
    pub const fn front_matter(&self) -> FrontMatter {
        self.outline.front_matter
    }

    /// The YAML of the front matter; empty if there is none.
    pub fn yaml(&self) -> &'a [u8] {
        self.outline.yaml.slice(self.bytes)
    }

    /// The Markdown: the text after the front matter, or the whole document.
    pub fn body(&self) -> &'a [u8] {
        self.bytes.get(self.outline.body as usize..).unwrap_or_default()
    }

    /// `version` of the front matter (8). A number is returned as its text. Absent if it is not a
    /// scalar.
    pub fn version(&self) -> Option<Text<'a>> {
        self.outline.version.text(self.bytes)
    }

    /// The name of the site: the first H1 (3, Identity). Empty if the heading is empty.
    pub fn title(&self) -> Option<Text<'a>> {
        self.outline.title.text(self.bytes)
    }

    /// The first paragraphs below the title, up to the next heading or the first list, code or HTML
    /// after these paragraphs (3, Identity). A line break is decoded as a space, a gap between
    /// paragraphs as two line feeds.
    pub fn description(&self) -> Option<Text<'a>> {
        self.outline.description.text(self.bytes)
    }

    /// The MCP gateway, from the front matter, otherwise from the MCP section. Absent if the
    /// document has neither. It has no endpoint if its description is invalid.
    pub fn mcp(&self) -> Option<Mcp<'a>> {
        let outline = &self.outline;
        let transport_text = outline.gateway.transport.text(self.bytes);
        let auth_text = outline.gateway.auth.text(self.bytes);
        Some(Mcp {
            source: outline.mcp?,
            endpoint: outline.gateway.endpoint.text(self.bytes),
            transport: match (outline.gateway.transport.state(), transport_text) {
                (SlotState::Absent, _) => McpTransport::StreamableHttp,
                (_, Some(text)) => McpTransport::from_text(text),
                (_, None) => McpTransport::Unknown,
            },
            transport_text,
            auth: match (outline.gateway.auth.state(), auth_text) {
                (SlotState::Absent, _) => McpAuth::None,
                (_, Some(text)) => McpAuth::from_text(text),
                (_, None) => McpAuth::Unknown,
            },
            auth_text,
        })
    }

    /// The entries of the front matter except `version` and `mcp`. Linear in the front matter.
    pub fn metadata(&self) -> impl Iterator<Item = (Scalar<'a>, Value<'a>)> + use<'a> {
        yaml::whole_entries(self.yaml(), usize::from(self.outline.depth))
            .filter(|(key, _)| place_of(key.text, &TOP_FIELDS).is_none())
    }

    /// The entries of `mcp` in the front matter except `endpoint`, `transport` and `auth`. Linear
    /// in `mcp`.
    pub fn mcp_metadata(&self) -> impl Iterator<Item = (Scalar<'a>, Value<'a>)> + use<'a> {
        let text = self.outline.mcp_yaml.slice(self.bytes);
        yaml::entries(text, usize::from(self.outline.depth))
            .filter(|(key, _)| mcp_field(key.text).is_none())
    }

    /// All entries of the body, in order, in one pass.
    pub fn walk(&self) -> Walk<'a> {
        Walk::new(self.body(), self.outline.depth, None)
    }

    /// The sections (2, Parsing Rules). Reads the body once; the content of a section is read again
    /// on request.
    pub fn sections(&self) -> impl Iterator<Item = Section<'a>> + use<'a> {
        self.walk().filter_map(|entry| match entry {
            Entry::Section(section) => Some(section),
            _ => None,
        })
    }

    /// The items of all sections of a kind, including nested items, without empty items. For
    /// Behavior, also its paragraphs, with a depth of 0. For a known kind, linear in the body from
    /// the first such section to the end, or in that section alone if it is the only one.
    pub fn items(&self, kind: SectionKind) -> Items<'a> {
        let (walk, last) = self.walk_to(kind);
        Items { walk, kind, last, all: false }
    }

    /// The permissions of agents: the items of Can (3).
    pub fn can(&self) -> Items<'a> {
        self.items(SectionKind::Can)
    }

    /// The prohibitions for agents: the items of Cannot (3).
    pub fn cannot(&self) -> Items<'a> {
        self.items(SectionKind::Cannot)
    }

    /// The rules of conduct: the items of Behavior (3), and its paragraphs, with a depth of 0.
    pub fn behavior(&self) -> Items<'a> {
        self.items(SectionKind::Behavior)
    }

    /// The lines of Contact (3).
    pub fn contacts(&self) -> Contacts<'a> {
        let (walk, last) = self.walk_to(SectionKind::Contact);
        Contacts::new(walk, last)
    }

    /// The rates in the items of Behavior ([`Item::rate`]), including items that forbid something.
    pub fn rates(&self) -> impl Iterator<Item = RateGuidance> + use<'a> {
        let rules = Items { all: true, ..self.behavior() };
        rules.filter_map(|item| item.rate())
    }

    /// The cache time in seconds from the items of Behavior ([`Item::cache_seconds`]). Absent if no
    /// item has one, or if two items differ. Linear in the section.
    pub fn cache_seconds(&self) -> Option<u32> {
        one_time(self.behavior().filter_map(|item| item.cache_seconds()))
    }

    /// True if a section has a known kind.
    pub fn has_known_section(&self) -> bool {
        self.outline.first.iter().any(Option::is_some)
    }

    /// Returns a walk that starts at the first section of a kind, and whether it is the only one.
    fn walk_to(&self, kind: SectionKind) -> (Walk<'a>, bool) {
        let bit = kind as u8;
        let start = match self.outline.first.get(usize::from(bit)) {
            Some(Some(start)) => *start as usize,
            Some(None) => self.bytes.len(),
            // The offsets of sections of other kinds are not recorded.
            None => return (self.walk(), false),
        };
        let rest = self.bytes.get(start..).unwrap_or_default();
        (Walk::new(rest, self.outline.depth, None), self.outline.repeated & (1 << bit) == 0)
    }
}

impl McpTransport {
    fn from_text(text: Text<'_>) -> Self {
        if text.eq_ignore_case("streamable-http") {
            Self::StreamableHttp
        } else if text.eq_ignore_case("sse") {
            Self::Sse
        } else {
            Self::Unknown
        }
    }
}

impl McpAuth {
    fn from_text(text: Text<'_>) -> Self {
        if text.eq_ignore_case("none") {
            Self::None
        } else if text.eq_ignore_case("api_key") {
            Self::ApiKey
        } else if text.eq_ignore_case("oauth2") {
            Self::OAuth2
        } else {
            Self::Unknown
        }
    }
}

/// Returns the state of the front matter in a document without byte order mark, the range of its
/// YAML, and the offset of the Markdown.
pub(crate) fn front_matter(body: &[u8]) -> (FrontMatter, Span, usize) {
    read::front_matter_from(body, 0)
}

/// The lines of a document without byte order mark that look like a heading of Cannot but open no
/// such section.
pub(crate) fn unread_prohibitions(bytes: &[u8]) -> List<'_, Text<'_>> {
    let (_, _, body) = front_matter(bytes);
    reading::unread_prohibitions(bytes.get(body..).unwrap_or_default())
}

/// The kind of a section with this name.
pub(crate) fn section_kind(name: Text<'_>) -> SectionKind {
    section::section_kind(name).0
}

/// A field of `mcp`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum McpField {
    Endpoint,
    Transport,
    Auth,
}

const MCP_FIELDS: [&str; 3] = ["endpoint", "transport", "auth"];

fn mcp_field(key: Text<'_>) -> Option<(&'static str, McpField)> {
    let place = place_of(key, &MCP_FIELDS)?;
    let field = match place {
        0 => McpField::Endpoint,
        1 => McpField::Transport,
        _ => McpField::Auth,
    };
    Some((MCP_FIELDS.get(place)?, field))
}

/// The fields of the front matter.
const TOP_FIELDS: [&str; 2] = ["version", "mcp"];

/// The index of a text among some names, ignoring letter case.
#[inline]
fn place_of(text: Text<'_>, names: &[&str]) -> Option<usize> {
    names.iter().position(|name| text.eq_ignore_case(name))
}

/// Returns the common value of all times. `None` if there are no times, or if two differ.
fn one_time(mut times: impl Iterator<Item = u32>) -> Option<u32> {
    let first = times.next()?;
    times.all(|time| time == first).then_some(first)
}
