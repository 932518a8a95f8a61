//! The document formats: what they are called, and a module for each that is read.

pub mod adp;
pub mod agents_json;
pub mod agents_json_01;
pub mod agents_md;
pub mod agents_txt;
pub mod agents_txt_01;
pub mod awp;
pub(crate) mod check;
pub(crate) mod credentials;
pub(crate) mod draft;
pub(crate) mod json_check;
pub(crate) mod json_common;
pub(crate) mod report;
pub mod robots_txt;

/// A kind of document.
///
/// The first ones are read ([`is_read`](Self::is_read)); the relatives are recognised and named; [`Unknown`](Self::Unknown) is a good answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
#[non_exhaustive]
#[repr(u8)]
pub enum Format {
    /// Nothing says what it is.
    #[default]
    Unknown = 0,
    /// agents.txt of the Internet-Draft draft-car-agents-txt-wellknown.
    AgentsTxt = 1,
    /// agents.json of the same Internet-Draft.
    AgentsJson = 2,
    /// agents.txt 0.1.0.
    AgentsTxt01 = 3,
    /// agents.json 0.1, the companion of agents.txt 0.1.0.
    AgentsJson01 = 4,
    /// agents.md 1.0.0-draft.
    AgentsMd = 5,
    /// agent.json of the Agent Web Protocol 0.2.
    Awp = 6,
    /// Manifest of the Agent Discovery Protocol 1.0.
    Adp = 7,
    /// Capability detail of the Agent Discovery Protocol.
    AdpCapability = 8,
    /// Registry search response of the Agent Discovery Protocol.
    AdpSearch = 9,
    /// robots.txt, RFC 9309.
    RobotsTxt = 10,
    /// An A2A agent card.
    A2aAgentCard = 32,
    /// An MCP server card.
    McpServerCard = 33,
    /// An AID record.
    Aid = 34,
    /// A plugin manifest with `name_for_model`.
    AiPlugin = 35,
    /// The agents.json of another vocabulary, with `agentsJson`.
    WildcardAgentsJson = 36,
    /// llms.txt.
    LlmsTxt = 37,
    /// agent-permissions.json.
    AgentPermissions = 38,
    /// An OpenAPI or Swagger description.
    OpenApi = 39,
    /// An HTML page.
    Html = 40,
}

impl Format {
    /// Every format, the unknown one first.
    pub const ALL: &'static [Format] = &[
        Self::Unknown,
        Self::AgentsTxt,
        Self::AgentsJson,
        Self::AgentsTxt01,
        Self::AgentsJson01,
        Self::AgentsMd,
        Self::Awp,
        Self::Adp,
        Self::AdpCapability,
        Self::AdpSearch,
        Self::RobotsTxt,
        Self::A2aAgentCard,
        Self::McpServerCard,
        Self::Aid,
        Self::AiPlugin,
        Self::WildcardAgentsJson,
        Self::LlmsTxt,
        Self::AgentPermissions,
        Self::OpenApi,
        Self::Html,
    ];

    /// The stable id, such as `agents-txt`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::AgentsTxt => "agents-txt",
            Self::AgentsJson => "agents-json",
            Self::AgentsTxt01 => "agents-txt-0.1",
            Self::AgentsJson01 => "agents-json-0.1",
            Self::AgentsMd => "agents-md",
            Self::Awp => "awp",
            Self::Adp => "adp",
            Self::AdpCapability => "adp-capability",
            Self::AdpSearch => "adp-search",
            Self::RobotsTxt => "robots-txt",
            Self::A2aAgentCard => "a2a-agent-card",
            Self::McpServerCard => "mcp-server-card",
            Self::Aid => "aid",
            Self::AiPlugin => "ai-plugin",
            Self::WildcardAgentsJson => "wildcard-agents-json",
            Self::LlmsTxt => "llms-txt",
            Self::AgentPermissions => "agent-permissions",
            Self::OpenApi => "openapi",
            Self::Html => "html",
        }
    }

    /// The format with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.id() == id)
    }

    /// Whether documents of this format are read, not only recognised.
    pub const fn is_read(self) -> bool {
        matches!(self as u8, 1..=10)
    }

    /// Whether the format is JSON.
    pub const fn is_json(self) -> bool {
        matches!(self, Self::AgentsJson | Self::AgentsJson01 | Self::Awp | Self::Adp | Self::AdpCapability | Self::AdpSearch)
    }
}

impl core::fmt::Display for Format {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.id())
    }
}
