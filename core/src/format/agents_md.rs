//! agents.md 1.0.0-draft: Markdown sections, and YAML front matter before them.
//!
//! [`AgentsMdOutline`] is the result of reading: offsets without a lifetime, so that it can be kept beside its bytes.
//! [`AgentsMdOutline::attach`] makes the view of it, [`AgentsMd`].
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
//! Rulings, beyond the specification:
//! - The first line opens front matter where it is `---`, blanks behind it left out; the next such line, or `...`, closes it. Not closed, the
//!   whole file is Markdown.
//! - Headings count as CommonMark sees them and outside lists and block quotes. A section ends at the next H2 or H1.
//! - Items in block quotes are items. An item's text are its paragraphs, joined, up to the first other thing in it.
//! - `mcp` in the front matter hides the MCP section. In the section each paragraph, item and code block is read as YAML
//!   of its own, so that prose around it does no harm. Keys compare without letter case.
//! - `auth:` or `transport:` with nothing behind it, with a value of another type, or one that is not read, is unknown, not the default; `null` and
//!   `~` are absent.

mod behavior;
mod check;
mod gateway;
mod outline;
mod read;
pub(crate) mod reading;
mod section;
mod walk;

use crate::error::Error;
use crate::limits::Limits;
use crate::span::Span;
use crate::syntax::text::{Escape, Text};
use crate::syntax::yaml::{self, Entries, Scalar, Value};

pub use behavior::{RateGuidance, RateWindow};
use gateway::Gateway;
pub use section::{Section, SectionEntries, SectionKind};
pub use walk::{Contact, ContactKind, Contacts, Entry, Item, Items, Walk};

/// Where the recommended MCP endpoint is (agents.md 4).
pub const RECOMMENDED_ENDPOINT: &str = "/.well-known/mcp";

/// Whether there is front matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FrontMatter {
    /// The first line is not `---`.
    Absent,
    /// It is, and a line closes it.
    Closed,
    /// No line closes it: the document is read as Markdown from its first line on.
    Unclosed,
}

/// Where the MCP gateway is described.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum McpSource {
    /// In the front matter.
    FrontMatter,
    /// In an MCP section.
    Section,
}

/// How the MCP gateway is spoken to (agents.md 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum McpTransport {
    /// `streamable-http`, the default.
    StreamableHttp,
    /// `sse`.
    Sse,
    /// Another value, or one that cannot be read.
    Unknown,
}

/// How agents authenticate to the MCP gateway (agents.md 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum McpAuth {
    /// `none`, the default.
    None,
    /// `api_key`.
    ApiKey,
    /// `oauth2`.
    OAuth2,
    /// Another value, or one that cannot be read: some authentication.
    Unknown,
}

/// The MCP gateway (agents.md 3, 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mcp<'a> {
    /// Where it is described.
    pub source: McpSource,
    /// Its endpoint. Absent where none is written or it is no string.
    pub endpoint: Option<Text<'a>>,
    /// Its transport, by default or by [`transport_text`](Self::transport_text).
    pub transport: McpTransport,
    /// The transport as written.
    pub transport_text: Option<Text<'a>>,
    /// Its authentication, by default or by [`auth_text`](Self::auth_text).
    pub auth: McpAuth,
    /// The authentication as written.
    pub auth_text: Option<Text<'a>>,
}

/// A value that may have been found, by offsets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot {
    span: Span,
    /// 0 where it is absent, [`UNREADABLE`](Self::UNREADABLE), or for a text the place of its escape in [`Escape::ALL`] and 1. Four bits hold it.
    bits: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SlotState {
    Absent,
    Text,
    /// Something is written that is no value of this field.
    Unreadable,
}

// The place of an escape in `ALL` is told by its number, and four bits hold it.
const _: () = {
    let (mut rest, mut place) = (Escape::ALL.as_slice(), 0);
    while let [escape, others @ ..] = rest {
        assert!((*escape as u32).div_ceil(2) == place && place < 14);
        (rest, place) = (others, place + 1);
    }
};

impl Slot {
    const ABSENT: Self = Self {
        span: Span::new(0, 0),
        bits: 0,
    };
    const UNREADABLE: Self = Self {
        span: Span::new(0, 0),
        bits: 15,
    };

    fn of(text: Text<'_>, document: &[u8]) -> Self {
        // Of the numbers of escapes all but 0 are odd.
        Self {
            span: Span::of(text.raw(), document),
            bits: 1 + (text.escape() as u32).div_ceil(2),
        }
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

/// What reading an agents.md found: offsets into its bytes, plain data without a lifetime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentsMdOutline {
    front_matter: FrontMatter,
    /// The YAML between the `---` lines.
    yaml: Span,
    /// The mapping of `mcp` in it.
    mcp_yaml: Span,
    body: u32,
    depth: u16,
    title: Slot,
    description: Slot,
    version: Slot,
    mcp: Option<McpSource>,
    gateway: Gateway,
    /// For each known kind the offset of the line of its first heading.
    first: [Option<u32>; 5],
    /// Bits of the kinds that have more than one section.
    repeated: u8,
    /// Where the front matter has entries that stay as metadata: the bits below.
    kept: u8,
}

impl AgentsMdOutline {
    /// At the top of the front matter.
    const KEPT_AT_TOP: u8 = 1;
    /// In its description of the gateway. (It is set for sections too, where nobody asks.)
    const KEPT_OF_MCP: u8 = 1 << 1;

    /// Reads a document.
    ///
    /// # Errors
    /// [`TooLarge`](crate::ErrorKind::TooLarge), [`InvalidUtf8`](crate::ErrorKind::InvalidUtf8), [`LineTooLong`](crate::ErrorKind::LineTooLong),
    /// [`TooDeep`](crate::ErrorKind::TooDeep). Nothing else keeps a document from being read. Linear.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Self, Error> {
        read::outline(bytes, limits)
    }

    /// The view of this outline over the bytes it was read from. Over other bytes its texts are wrong, or empty where they would
    /// reach outside.
    pub const fn attach(self, bytes: &[u8]) -> AgentsMd<'_> {
        AgentsMd {
            outline: self,
            bytes,
        }
    }
}

/// An agents.md document.
#[derive(Clone, Copy, Debug)]
pub struct AgentsMd<'a> {
    outline: AgentsMdOutline,
    bytes: &'a [u8],
}

impl<'a> AgentsMd<'a> {
    /// Reads a document: [`AgentsMdOutline::read`] and [`attach`](AgentsMdOutline::attach).
    ///
    /// # Errors
    /// Those of [`AgentsMdOutline::read`].
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self, Error> {
        Ok(AgentsMdOutline::read(bytes, limits)?.attach(bytes))
    }

    /// The offsets of it.
    pub const fn outline(&self) -> AgentsMdOutline {
        self.outline
    }

    /// The document.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether there is front matter (agents.md 2, format B).
    pub const fn front_matter(&self) -> FrontMatter {
        self.outline.front_matter
    }

    /// The YAML of the front matter; empty where there is none.
    pub fn yaml(&self) -> &'a [u8] {
        self.outline.yaml.slice(self.bytes)
    }

    /// The Markdown: what follows the front matter, or everything.
    pub fn body(&self) -> &'a [u8] {
        self.bytes
            .get(self.outline.body as usize..)
            .unwrap_or_default()
    }

    /// `version` of the front matter (8). A number reads as its text. Absent where it is no scalar.
    pub fn version(&self) -> Option<Text<'a>> {
        self.outline.version.text(self.bytes)
    }

    /// The site's name: the first H1 (3, Identity). Empty where the heading is.
    pub fn title(&self) -> Option<Text<'a>> {
        self.outline.title.text(self.bytes)
    }

    /// The first paragraphs below the title, up to the next heading or the first list, code or HTML after them (3, Identity). Line breaks
    /// read as spaces, gaps between paragraphs as two line feeds.
    pub fn description(&self) -> Option<Text<'a>> {
        self.outline.description.text(self.bytes)
    }

    /// The MCP gateway, from the front matter or else from the MCP section. Absent where neither is there; without an endpoint where it is
    /// written but cannot be read.
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

    /// The entries of the front matter other than `version` and `mcp`. Linear in it.
    pub fn metadata(&self) -> impl Iterator<Item = (Scalar<'a>, Value<'a>)> + use<'a> {
        self.yaml_entries(self.yaml())
            .filter(|(key, _)| place_of(key.text, &TOP_FIELDS).is_none())
    }

    /// The entries of `mcp` in the front matter other than `endpoint`, `transport` and `auth`. Linear in it.
    pub fn mcp_metadata(&self) -> impl Iterator<Item = (Scalar<'a>, Value<'a>)> + use<'a> {
        self.yaml_entries(self.outline.mcp_yaml.slice(self.bytes))
            .filter(|(key, _)| mcp_field(key.text).is_none())
    }

    fn yaml_entries(&self, text: &'a [u8]) -> Entries<'a> {
        yaml::entries(text, usize::from(self.outline.depth))
    }

    /// Everything in the body, in order, in one pass: the way to read it all.
    pub fn walk(&self) -> Walk<'a> {
        Walk::new(self.body(), self.outline.depth, None)
    }

    /// The sections (2, Parsing Rules). Walks the body once; a section's content is walked again when it is asked for.
    pub fn sections(&self) -> impl Iterator<Item = Section<'a>> + use<'a> {
        self.walk().filter_map(|entry| match entry {
            Entry::Section(section) => Some(section),
            _ => None,
        })
    }

    /// The items of all sections of a kind, nested ones included, empty ones left out. For a known kind, linear in the body from
    /// its first section on, and no more than that section where there is no other.
    pub fn items(&self, kind: SectionKind) -> Items<'a> {
        let (walk, last) = self.walk_to(kind);
        Items { walk, kind, last }
    }

    /// What agents may do: the items of Can (3).
    pub fn can(&self) -> Items<'a> {
        self.items(SectionKind::Can)
    }

    /// What agents must not do: the items of Cannot (3).
    pub fn cannot(&self) -> Items<'a> {
        self.items(SectionKind::Cannot)
    }

    /// The rules of conduct: the items of Behavior (3).
    pub fn behavior(&self) -> Items<'a> {
        self.items(SectionKind::Behavior)
    }

    /// The lines of Contact (3).
    pub fn contacts(&self) -> Contacts<'a> {
        let (walk, last) = self.walk_to(SectionKind::Contact);
        Contacts {
            walk,
            last,
            lines: Text::EMPTY,
        }
    }

    /// The rates that items of Behavior give: [`Item::rate`].
    pub fn rates(&self) -> impl Iterator<Item = RateGuidance> + use<'a> {
        self.behavior().filter_map(|item| item.rate())
    }

    /// How many seconds items of Behavior let their data be cached: [`Item::cache_seconds`]. Absent where no item does, or two differ. Linear
    /// in the section.
    pub fn cache_seconds(&self) -> Option<u32> {
        one_time(self.behavior().filter_map(|item| item.cache_seconds()))
    }

    /// Whether some section is of a known kind.
    pub fn has_known_section(&self) -> bool {
        self.outline.first.iter().any(Option::is_some)
    }

    /// A walk that starts at the first section of a kind, and whether there is no other.
    fn walk_to(&self, kind: SectionKind) -> (Walk<'a>, bool) {
        let bit = kind as u8;
        let start = match self.outline.first.get(usize::from(bit)) {
            Some(Some(start)) => *start as usize,
            Some(None) => self.bytes.len(),
            // Other sections are not noted.
            None => return (self.walk(), false),
        };
        let rest = self.bytes.get(start..).unwrap_or_default();
        (
            Walk::new(rest, self.outline.depth, None),
            self.outline.repeated & (1 << bit) == 0,
        )
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

/// Whether there is front matter in a document without byte order mark, where its YAML is, and where the Markdown starts.
pub(crate) fn front_matter(body: &[u8]) -> (FrontMatter, Span, usize) {
    read::front_matter_from(body, 0)
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

/// Fields of the front matter.
const TOP_FIELDS: [&str; 2] = ["version", "mcp"];

/// Which of some names a text is, letter case ignored.
#[inline]
fn place_of(text: Text<'_>, names: &[&str]) -> Option<usize> {
    names.iter().position(|name| text.eq_ignore_case(name))
}

/// The one time that all of these are; absent where there is none, or two differ.
fn one_time(mut times: impl Iterator<Item = u32>) -> Option<u32> {
    let first = times.next()?;
    times.all(|time| time == first).then_some(first)
}

/// Whether `line` starts with `prefix`, which is in lower case, the letter case ignored.
fn starts_line(line: &[u8], prefix: &[u8]) -> bool {
    line.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}
