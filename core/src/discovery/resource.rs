//! The kinds of documents, their locations and lifetimes: the table of section 13 of
//! `docs/formats.md`.

use super::lifetime::Keeping;
use crate::format::Format;

/// A kind of document to request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Resource {
    /// agents.json of the Internet-Draft or of 0.1.
    AgentsJson = 0,
    /// agents.txt of the Internet-Draft or of 0.1.
    AgentsTxt = 1,
    /// agents.md.
    AgentsMd = 2,
    /// agent.json of the Agent Web Protocol.
    Awp = 3,
    /// Manifest of the Agent Discovery Protocol.
    Adp = 4,
    /// robots.txt.
    RobotsTxt = 5,
    /// The agents.json that an agents.txt names (`Agents-JSON`), or the default agents.json below
    /// the `URL` of an agents.txt 0.1.0, unless it is at the well-known location.
    Companion = 6,
    /// A capability detail of the Agent Discovery Protocol, requested by the caller.
    Detail = 7,
    /// The declaration of an agent's operator (`Agent-Declaration`), requested by the caller.
    Declaration = 8,
    /// An A2A agent card.
    AgentCard = 9,
    /// An MCP server card.
    McpServerCard = 10,
    /// An AI Catalog.
    AiCatalog = 11,
    /// An index of agent skills.
    AgentSkills = 12,
    /// An API catalog (RFC 9727).
    ApiCatalog = 13,
    /// llms.txt.
    LlmsTxt = 14,
    /// The home page, for its links.
    Home = 15,
    /// A document to which the site points, at any URL.
    Linked = 16,
}

/// The well-known locations of every kind, in order.
const LOCATIONS: [(Resource, &[&str]); 13] = [
    (Resource::AgentsJson, &["/.well-known/agents.json"]),
    (Resource::AgentsTxt, &["/.well-known/agents.txt", "/agents.txt"]),
    (Resource::AgentsMd, &["/.well-known/agents.md", "/agents.md"]),
    (Resource::Awp, &["/agent.json", "/.well-known/agent.json"]),
    (Resource::Adp, &["/.well-known/agent"]),
    (Resource::RobotsTxt, &["/robots.txt"]),
    (Resource::AgentCard, &["/.well-known/agent-card.json", "/.well-known/agent.json"]),
    (Resource::McpServerCard, &["/.well-known/mcp/server-card.json", "/.well-known/mcp.json"]),
    (Resource::AiCatalog, &["/.well-known/ai-catalog.json"]),
    (
        Resource::AgentSkills,
        &["/.well-known/agent-skills/index.json", "/.well-known/skills/index.json"],
    ),
    (Resource::ApiCatalog, &["/.well-known/api-catalog"]),
    (Resource::LlmsTxt, &["/llms.txt"]),
    (Resource::Home, &["/"]),
];

/// The number of well-known locations that this build can request.
pub(super) const PLACES: usize = {
    let (mut count, mut rest) = (0, LOCATIONS.as_slice());
    while let [(resource, paths), others @ ..] = rest {
        if resource.is_built_in() {
            count += paths.len();
        }
        rest = others;
    }
    count
};

const HOUR: u32 = 3600;
const DAY: u32 = 24 * HOUR;
/// Maximum lifetime, so that a mistake in a header does not last for years.
const MONTH: u32 = 30 * DAY;

impl Resource {
    /// Every kind.
    pub const ALL: &'static [Resource] = &[
        Self::AgentsJson,
        Self::AgentsTxt,
        Self::AgentsMd,
        Self::Awp,
        Self::Adp,
        Self::RobotsTxt,
        Self::Companion,
        Self::Detail,
        Self::Declaration,
        Self::AgentCard,
        Self::McpServerCard,
        Self::AiCatalog,
        Self::AgentSkills,
        Self::ApiCatalog,
        Self::LlmsTxt,
        Self::Home,
        Self::Linked,
    ];

    /// The stable id, such as `agents-json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AgentsJson => "agents-json",
            Self::AgentsTxt => "agents-txt",
            Self::AgentsMd => "agents-md",
            Self::Awp => "awp",
            Self::Adp => "adp",
            Self::RobotsTxt => "robots-txt",
            Self::Companion => "companion",
            Self::Detail => "detail",
            Self::Declaration => "declaration",
            Self::AgentCard => "agent-card",
            Self::McpServerCard => "mcp-server-card",
            Self::AiCatalog => "ai-catalog",
            Self::AgentSkills => "agent-skills",
            Self::ApiCatalog => "api-catalog",
            Self::LlmsTxt => "llms-txt",
            Self::Home => "home",
            Self::Linked => "linked",
        }
    }

    /// The kind with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|resource| resource.as_str() == id)
    }

    /// Its well-known paths, in order. Empty if the URL comes from a document or from the caller.
    pub fn locations(self) -> &'static [&'static str] {
        LOCATIONS.iter().find(|(resource, _)| *resource == self).map_or(&[], |(_, paths)| *paths)
    }

    /// Its lifetimes.
    pub const fn keeping(self) -> Keeping {
        let (default, minimum, maximum) = match self {
            Self::AgentsJson | Self::AgentsTxt | Self::Companion | Self::Declaration => {
                (300, 60, MONTH)
            }
            Self::AgentsMd => (DAY, HOUR, MONTH),
            Self::RobotsTxt => (DAY, 0, DAY),
            // An hour, unless the headers state a lifetime.
            _ => (HOUR, 0, MONTH),
        };
        Keeping { default, minimum, maximum }
    }

    /// Whether a document of this format belongs here.
    pub const fn accepts(self, format: Format) -> bool {
        match self {
            Self::AgentsJson | Self::Companion => {
                matches!(format, Format::AgentsJson | Format::AgentsJson01)
            }
            Self::AgentsTxt => matches!(format, Format::AgentsTxt | Format::AgentsTxt01),
            Self::AgentsMd => matches!(format, Format::AgentsMd),
            Self::Awp => matches!(format, Format::Awp),
            Self::Adp => matches!(format, Format::Adp),
            Self::RobotsTxt => matches!(format, Format::RobotsTxt),
            Self::Detail => matches!(format, Format::AdpCapability),
            Self::Declaration => matches!(format, Format::AgentsTxt | Format::AgentsJson),
            Self::AgentCard => matches!(format, Format::A2aAgentCard),
            Self::McpServerCard => matches!(format, Format::McpServerCard),
            Self::AiCatalog => matches!(format, Format::AiCatalog),
            Self::AgentSkills => matches!(format, Format::AgentSkills),
            Self::ApiCatalog => matches!(format, Format::ApiCatalog),
            Self::LlmsTxt => matches!(format, Format::LlmsTxt),
            Self::Home => false,
            Self::Linked => {
                format.is_read()
                    && !matches!(
                        format,
                        Format::RobotsTxt | Format::AdpCapability | Format::AdpSearch
                    )
            }
        }
    }

    /// The kind of a document of this format that was received for `self`: `self`, or the other
    /// kind that is also at `/.well-known/agent.json` if it is in `wanted`. `None` if the format
    /// belongs to neither.
    pub(super) fn of(self, format: Format, wanted: Resources) -> Option<Self> {
        let other = match self {
            Self::Awp => Self::AgentCard,
            Self::AgentCard => Self::Awp,
            own => own,
        };
        let mut kinds = [self, other].into_iter();
        kinds.find(|kind| (*kind == self || wanted.contains(*kind)) && kind.accepts(format))
    }

    /// Whether the rules of robots.txt apply to requests for this kind. Documents that state rules
    /// themselves are requested in any case.
    pub(super) const fn heeds_robots(self) -> bool {
        matches!(
            self,
            Self::AgentCard
                | Self::McpServerCard
                | Self::AiCatalog
                | Self::AgentSkills
                | Self::ApiCatalog
                | Self::LlmsTxt
                | Self::Home
                | Self::Linked
        )
    }

    /// Whether any format that belongs here is enabled. Other documents are not requested.
    pub const fn is_built_in(self) -> bool {
        match self {
            Self::AgentsJson | Self::Companion => {
                Format::AgentsJson.is_built_in() || Format::AgentsJson01.is_built_in()
            }
            Self::AgentsTxt => Format::AgentsTxt.is_built_in() || Format::AgentsTxt01.is_built_in(),
            Self::AgentsMd => Format::AgentsMd.is_built_in(),
            Self::Awp => Format::Awp.is_built_in(),
            Self::Adp | Self::Detail => Format::Adp.is_built_in(),
            Self::RobotsTxt => Format::RobotsTxt.is_built_in(),
            Self::Declaration => {
                Format::AgentsTxt.is_built_in() || Format::AgentsJson.is_built_in()
            }
            Self::AgentCard => Format::A2aAgentCard.is_built_in(),
            Self::McpServerCard => Format::McpServerCard.is_built_in(),
            Self::AiCatalog => Format::AiCatalog.is_built_in(),
            Self::AgentSkills => Format::AgentSkills.is_built_in(),
            Self::ApiCatalog => Format::ApiCatalog.is_built_in(),
            Self::LlmsTxt => Format::LlmsTxt.is_built_in(),
            // Links only lead to documents of these formats.
            Self::Home | Self::Linked => {
                Format::A2aAgentCard.is_built_in()
                    || Format::McpServerCard.is_built_in()
                    || Format::AiCatalog.is_built_in()
                    || Format::LlmsTxt.is_built_in()
            }
        }
    }

    /// The value of `Accept`.
    pub(super) const fn accept(self) -> &'static str {
        match self {
            Self::AgentsJson | Self::Companion | Self::Awp | Self::Adp | Self::Detail => {
                "application/json, */*;q=0.1"
            }
            Self::AgentsTxt | Self::RobotsTxt => "text/plain, */*;q=0.1",
            Self::AgentsMd => "text/markdown, text/plain;q=0.9, */*;q=0.1",
            Self::Declaration => "text/plain, application/json, */*;q=0.1",
            Self::AgentCard => "application/a2a-agent-card+json, application/json;q=0.9, */*;q=0.1",
            Self::McpServerCard => {
                "application/mcp-server-card+json, application/json;q=0.9, */*;q=0.1"
            }
            Self::AiCatalog => "application/ai-catalog+json, application/json;q=0.9, */*;q=0.1",
            Self::AgentSkills => "application/json, */*;q=0.1",
            Self::ApiCatalog => "application/linkset+json, application/json;q=0.9, */*;q=0.1",
            Self::LlmsTxt => "text/markdown, text/plain;q=0.9, */*;q=0.1",
            Self::Home => "text/html, */*;q=0.1",
            Self::Linked => {
                "application/mcp-server-card+json, application/a2a-agent-card+json, application/ai-catalog+json, application/linkset+json, application/json;q=0.9, text/markdown;q=0.8, text/plain;q=0.8, */*;q=0.1"
            }
        }
    }

    /// Whether it has well-known locations.
    pub fn is_well_known(self) -> bool {
        !self.locations().is_empty()
    }
}

/// A set of kinds of documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Resources {
    bits: u32,
}

impl Resources {
    /// Everything with a well-known location, and the companion.
    pub const ALL: Self = Self { bits: 0b1111_1110_0111_1111 };
    /// The kinds that are requested by default: [`ALL`](Self::ALL) without MCP server cards,
    /// indexes of skills and API catalogs. These are requested only if another document points to
    /// them.
    pub const DEFAULT: Self = Self::ALL
        .without(Resource::McpServerCard)
        .without(Resource::AgentSkills)
        .without(Resource::ApiCatalog);
    /// The empty set.
    pub const NONE: Self = Self { bits: 0 };

    /// Adds a kind.
    #[must_use]
    pub const fn with(self, resource: Resource) -> Self {
        Self { bits: self.bits | Self::bit(resource) }
    }

    /// Removes a kind.
    #[must_use]
    pub const fn without(self, resource: Resource) -> Self {
        Self { bits: self.bits & !Self::bit(resource) }
    }

    /// Whether it contains a kind.
    pub const fn contains(self, resource: Resource) -> bool {
        self.bits & Self::bit(resource) != 0
    }

    const fn bit(resource: Resource) -> u32 {
        1_u32.wrapping_shl(resource as u32)
    }
}

impl Default for Resources {
    fn default() -> Self {
        Self::DEFAULT
    }
}
