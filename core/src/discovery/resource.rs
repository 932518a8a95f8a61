//! The kinds of documents, their locations and lifetimes: the table of section 13 of
//! `docs/formats.md`.

use super::freshness::Keeping;
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
    /// The agents.json that an agents.txt names (`Agents-JSON`), or that agents.txt 0.1.0 has by
    /// default below its `URL`, if it is not the well-known one.
    Companion = 6,
    /// A capability detail of the Agent Discovery Protocol, requested by the caller.
    Detail = 7,
    /// The declaration of an agent's operator (`Agent-Declaration`), requested by the caller.
    Declaration = 8,
}

/// The well-known locations of every kind, in order.
const LOCATIONS: [(Resource, &[&str]); 6] = [
    (Resource::AgentsJson, &["/.well-known/agents.json"]),
    (
        Resource::AgentsTxt,
        &["/.well-known/agents.txt", "/agents.txt"],
    ),
    (
        Resource::AgentsMd,
        &["/.well-known/agents.md", "/agents.md"],
    ),
    (Resource::Awp, &["/agent.json", "/.well-known/agent.json"]),
    (Resource::Adp, &["/.well-known/agent"]),
    (Resource::RobotsTxt, &["/robots.txt"]),
];

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
        }
    }

    /// The kind with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|resource| resource.as_str() == id)
    }

    /// Its well-known paths, in order; none if documents give the URL.
    pub fn locations(self) -> &'static [&'static str] {
        LOCATIONS
            .iter()
            .find(|(resource, _)| *resource == self)
            .map_or(&[], |(_, paths)| *paths)
    }

    /// Its lifetimes.
    pub const fn keeping(self) -> Keeping {
        let (default, minimum, maximum) = match self {
            Self::AgentsJson | Self::AgentsTxt | Self::Companion | Self::Declaration => {
                (300, 60, MONTH)
            }
            Self::AgentsMd => (DAY, HOUR, MONTH),
            Self::Awp | Self::Adp | Self::Detail => (HOUR, 0, MONTH),
            Self::RobotsTxt => (DAY, 0, DAY),
        };
        Keeping {
            default,
            minimum,
            maximum,
        }
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
        }
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
    bits: u16,
}

impl Resources {
    /// Everything that is requested by default: the well-known locations, and the companion.
    pub const ALL: Self = Self { bits: 0b0111_1111 };
    /// The empty set.
    pub const NONE: Self = Self { bits: 0 };

    /// Adds a kind.
    #[must_use]
    pub const fn with(self, resource: Resource) -> Self {
        Self {
            bits: self.bits | Self::bit(resource),
        }
    }

    /// Removes a kind.
    #[must_use]
    pub const fn without(self, resource: Resource) -> Self {
        Self {
            bits: self.bits & !Self::bit(resource),
        }
    }

    /// Whether it contains a kind.
    pub const fn contains(self, resource: Resource) -> bool {
        self.bits & Self::bit(resource) != 0
    }

    const fn bit(resource: Resource) -> u16 {
        1_u16.wrapping_shl(resource as u32)
    }
}

impl Default for Resources {
    fn default() -> Self {
        Self::ALL
    }
}
