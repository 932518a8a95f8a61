//! The formats: how each describes a site and its operations.

mod cards;
mod catalogs;
mod draft;
mod flat;
mod protocols;
mod text;

use crate::json::{Json, Layout};
use crate::rng::Rng;
use crate::site::{Operation, Site};

/// A format of document.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// agents.txt of the Internet-Draft.
    AgentsTxt,
    /// agents.json of the Internet-Draft.
    AgentsJson,
    /// agents.txt 0.1.0.
    AgentsTxt01,
    /// agents.json 0.1.
    AgentsJson01,
    /// agents.md.
    AgentsMd,
    /// agent.json of the Agent Web Protocol.
    Awp,
    /// Manifest of the Agent Discovery Protocol.
    Adp,
    /// A2A agent card.
    A2aAgentCard,
    /// MCP server card.
    McpServerCard,
    /// robots.txt.
    RobotsTxt,
    /// llms.txt.
    LlmsTxt,
    /// AI Catalog.
    AiCatalog,
    /// Index of agent skills.
    AgentSkills,
    /// API catalog.
    ApiCatalog,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::AgentsTxt,
        Self::AgentsJson,
        Self::AgentsTxt01,
        Self::AgentsJson01,
        Self::AgentsMd,
        Self::Awp,
        Self::Adp,
        Self::A2aAgentCard,
        Self::McpServerCard,
        Self::RobotsTxt,
        Self::LlmsTxt,
        Self::AiCatalog,
        Self::AgentSkills,
        Self::ApiCatalog,
    ];

    /// Returns the library's id of the format.
    pub const fn id(self) -> &'static str {
        match self {
            Self::AgentsTxt => "agents-txt",
            Self::AgentsJson => "agents-json",
            Self::AgentsTxt01 => "agents-txt-0.1",
            Self::AgentsJson01 => "agents-json-0.1",
            Self::AgentsMd => "agents-md",
            Self::Awp => "awp",
            Self::Adp => "adp",
            Self::A2aAgentCard => "a2a-agent-card",
            Self::McpServerCard => "mcp-server-card",
            Self::RobotsTxt => "robots-txt",
            Self::LlmsTxt => "llms-txt",
            Self::AiCatalog => "ai-catalog",
            Self::AgentSkills => "agent-skills",
            Self::ApiCatalog => "api-catalog",
        }
    }

    /// Returns the kind with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }

    /// Whether the format is JSON.
    pub const fn is_json(self) -> bool {
        matches!(
            self,
            Self::AgentsJson
                | Self::AgentsJson01
                | Self::Awp
                | Self::Adp
                | Self::A2aAgentCard
                | Self::McpServerCard
                | Self::AiCatalog
                | Self::AgentSkills
                | Self::ApiCatalog
        )
    }

    /// Returns the path at which a site publishes it.
    pub const fn path(self) -> &'static str {
        match self {
            Self::AgentsTxt | Self::AgentsTxt01 => "/.well-known/agents.txt",
            Self::AgentsJson | Self::AgentsJson01 => "/.well-known/agents.json",
            Self::AgentsMd => "/.well-known/agents.md",
            Self::Awp => "/agent.json",
            Self::Adp => "/.well-known/agent",
            Self::A2aAgentCard => "/.well-known/agent-card.json",
            Self::McpServerCard => "/.well-known/mcp/server-card.json",
            Self::RobotsTxt => "/robots.txt",
            Self::LlmsTxt => "/llms.txt",
            Self::AiCatalog => "/.well-known/ai-catalog.json",
            Self::AgentSkills => "/.well-known/agent-skills/index.json",
            Self::ApiCatalog => "/.well-known/api-catalog",
        }
    }
}

/// The random numbers, the requested size, and the layout of JSON.
pub(crate) struct Making<'r> {
    pub(crate) rng: &'r mut Rng,
    pub(crate) size: usize,
    pub(crate) layout: Layout,
}

impl Making<'_> {
    fn site(&mut self, wordy: bool) -> Site {
        let lean = self.size < 1500;
        Site::new(self.rng, lean, wordy)
    }

    /// Generates items until the document reaches the requested size; `base` is its size without
    /// them. Returns at least one item. The last item is the one of several candidates that comes
    /// closest to the requested size.
    fn fill<T>(
        &mut self,
        base: usize,
        mut item: impl FnMut(&mut Rng) -> T,
        length: impl Fn(&T) -> usize,
    ) -> Vec<T> {
        let mut items = Vec::new();
        let mut so_far = base;
        loop {
            let first = item(self.rng);
            let left = self.size.saturating_sub(so_far);
            let size = length(&first);
            if size + 40 < left {
                so_far += size;
                items.push(first);
                continue;
            }
            let mut best = first;
            for _ in 0..24 {
                let other = item(self.rng);
                if length(&other).abs_diff(left) < length(&best).abs_diff(left) {
                    best = other;
                }
            }
            if items.is_empty() || length(&best).abs_diff(left) < left {
                items.push(best);
            }
            return items;
        }
    }

    fn operations(
        &mut self,
        site: &mut Site,
        base: usize,
        length: impl Fn(&Operation) -> usize,
    ) -> Vec<Operation> {
        self.fill(base, |rng| site.operation(rng), length)
    }
}

/// A JSON document as a tree.
pub(crate) fn json(kind: Kind, making: &mut Making<'_>) -> Json {
    match kind {
        Kind::AgentsJson01 => flat::agents_json_01(making),
        Kind::Awp => protocols::awp(making),
        Kind::Adp => protocols::adp(making),
        Kind::A2aAgentCard => cards::a2a_agent_card(making),
        Kind::McpServerCard => cards::mcp_server_card(making),
        Kind::AiCatalog => catalogs::ai_catalog(making),
        Kind::AgentSkills => catalogs::agent_skills(making),
        Kind::ApiCatalog => catalogs::api_catalog(making),
        _ => draft::agents_json(making),
    }
}

/// A text document.
pub(crate) fn text(kind: Kind, making: &mut Making<'_>) -> String {
    match kind {
        Kind::AgentsTxt01 => flat::agents_txt_01(making),
        Kind::AgentsMd => text::agents_md(making),
        Kind::RobotsTxt => text::robots_txt(making),
        Kind::LlmsTxt => text::llms_txt(making),
        _ => draft::agents_txt(making),
    }
}

const AGENTS: &[&str] = &[
    "shopper-bot",
    "ledgerbot",
    "quillagent",
    "northstar-agent",
    "papercrane",
    "heron",
    "tinker-agent",
    "wayfarer",
];

/// Returns the names of a few operations, for policies, flows and the like.
fn some(rng: &mut Rng, names: &[String], most: usize) -> Vec<String> {
    let count = rng.between(1, most.min(names.len()).max(1));
    let start = rng.below(names.len());
    names.iter().cycle().skip(start).take(count.min(names.len())).cloned().collect()
}

/// Returns a default value as JSON.
fn literal(text: &'static str) -> Json {
    match text {
        "true" | "false" => Json::Bool(text == "true"),
        _ if text.starts_with('"') => text.trim_matches('"').into(),
        _ => Json::Number(text.to_owned()),
    }
}
