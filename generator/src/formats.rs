//! The formats: how each describes a site and its operations.

mod access;
mod cards;
mod catalogs;
mod commerce;
mod draft;
mod flat;
mod protocols;
mod text;

use crate::json::{Json, Layout};
use crate::rng::Rng;
use crate::site::{Operation, Site};

/// Defines the formats: the id in the library, the path at which a site publishes the document, the
/// share of all documents in a crawl, and the function that makes it, by its media type.
macro_rules! kinds {
    ($(#[doc = $doc:literal] $name:ident $id:literal $path:literal $share:literal $maker:expr;)*) => {
        /// A format of document.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum Kind {
            $(#[doc = $doc] $name,)*
        }

        impl Kind {
            /// All kinds.
            pub const ALL: [Self; [$($id),*].len()] = [$(Self::$name),*];

            /// Returns the library's id of the format.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }

            /// Returns the path at which a site publishes it.
            pub const fn path(self) -> &'static str {
                match self {
                    $(Self::$name => $path,)*
                }
            }

            /// Returns its share in a crawl.
            pub(crate) const fn share(self) -> usize {
                match self {
                    $(Self::$name => $share,)*
                }
            }

            const fn maker(self) -> Maker {
                match self {
                    $(Self::$name => $maker,)*
                }
            }
        }
    };
}

// The order is part of what a seed means: append new formats.
kinds! {
    /// robots.txt.
    RobotsTxt "robots-txt" "/robots.txt" 32 Maker::Text(text::robots_txt);
    /// agents.json of the Internet-Draft.
    AgentsJson "agents-json" "/.well-known/agents.json" 15 Maker::Json(draft::agents_json);
    /// agents.txt of the Internet-Draft.
    AgentsTxt "agents-txt" "/.well-known/agents.txt" 13 Maker::Text(draft::agents_txt);
    /// agent.json of the Agent Web Protocol.
    Awp "awp" "/agent.json" 8 Maker::Json(protocols::awp);
    /// agents.md.
    AgentsMd "agents-md" "/.well-known/agents.md" 7 Maker::Markdown(text::agents_md);
    /// Manifest of the Agent Discovery Protocol.
    Adp "adp" "/.well-known/agent" 6 Maker::Json(protocols::adp);
    /// agents.json 0.1.
    AgentsJson01 "agents-json-0.1" "/.well-known/agents.json" 3 Maker::Json(flat::agents_json_01);
    /// agents.txt 0.1.0.
    AgentsTxt01 "agents-txt-0.1" "/.well-known/agents.txt" 3 Maker::Text(flat::agents_txt_01);
    /// A2A agent card.
    A2aAgentCard "a2a-agent-card" "/.well-known/agent-card.json" 3 Maker::Json(cards::a2a_agent_card);
    /// MCP server card.
    McpServerCard "mcp-server-card" "/.well-known/mcp/server-card.json" 3 Maker::Json(cards::mcp_server_card);
    /// AI Catalog.
    AiCatalog "ai-catalog" "/.well-known/ai-catalog.json" 2 Maker::Json(catalogs::ai_catalog);
    /// Index of agent skills.
    AgentSkills "agent-skills" "/.well-known/agent-skills/index.json" 2 Maker::Json(catalogs::agent_skills);
    /// API catalog.
    ApiCatalog "api-catalog" "/.well-known/api-catalog" 1 Maker::Json(catalogs::api_catalog);
    /// llms.txt.
    LlmsTxt "llms-txt" "/llms.txt" 2 Maker::Markdown(text::llms_txt);
    /// Profile of the Universal Commerce Protocol.
    UcpProfile "ucp-profile" "/.well-known/ucp" 0 Maker::Json(commerce::ucp_profile);
    /// Discovery document of the Agentic Commerce Protocol.
    Acp "acp" "/.well-known/acp.json" 0 Maker::Json(commerce::acp);
    /// List of x402 resources.
    X402 "x402" "/.well-known/x402" 0 Maker::Json(commerce::x402);
    /// OpenAPI description.
    OpenApi "openapi" "/openapi.json" 0 Maker::Json(access::openapi);
    /// Metadata of an OAuth protected resource.
    OauthProtectedResource "oauth-protected-resource" "/.well-known/oauth-protected-resource" 0 Maker::Json(access::oauth_protected_resource);
    /// Metadata of an OAuth authorization server.
    OauthAuthorizationServer "oauth-authorization-server" "/.well-known/oauth-authorization-server" 0 Maker::Json(access::oauth_authorization_server);
    /// Directory of keys for signatures.
    SignatureDirectory "signature-directory" "/.well-known/http-message-signatures-directory" 0 Maker::Json(access::signature_directory);
    /// auth.md.
    AuthMd "auth-md" "/auth.md" 0 Maker::Markdown(access::auth_md);
}

/// The function that makes a document.
pub(crate) enum Maker {
    Json(fn(&mut Making<'_>) -> Json),
    Text(fn(&mut Making<'_>) -> String),
    Markdown(fn(&mut Making<'_>) -> String),
}

impl Kind {
    /// Returns the kind with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }

    /// Whether the format is JSON.
    pub const fn is_json(self) -> bool {
        matches!(self.maker(), Maker::Json(_))
    }

    /// Returns the media type with which a site sends it.
    pub(crate) const fn media_type(self) -> &'static str {
        match self.maker() {
            Maker::Json(_) => "application/json",
            Maker::Text(_) => "text/plain; charset=utf-8",
            Maker::Markdown(_) => "text/markdown; charset=utf-8",
        }
    }

    /// Makes a JSON document as a tree; `None` if the format is not JSON.
    pub(crate) fn json(self, making: &mut Making<'_>) -> Option<Json> {
        match self.maker() {
            Maker::Json(make) => Some(make(making)),
            _ => None,
        }
    }

    /// Makes a document.
    pub(crate) fn text(self, making: &mut Making<'_>) -> String {
        match self.maker() {
            Maker::Json(make) => make(making).write(making.layout),
            Maker::Text(make) | Maker::Markdown(make) => make(making),
        }
    }
}

/// The random numbers, the requested size, the layout of JSON, and whether the document has none of the
/// mistakes that published documents have.
pub(crate) struct Making<'r> {
    pub(crate) rng: &'r mut Rng,
    pub(crate) size: usize,
    pub(crate) layout: Layout,
    pub(crate) is_strict: bool,
}

impl Making<'_> {
    fn site(&mut self, wordy: bool) -> Site {
        let lean = self.size < 1500;
        let mut site = Site::new(self.rng, lean, wordy);
        if self.is_strict {
            // Some formats limit the length.
            let end = site.description.find(". ").map_or(site.description.len(), |end| end + 1);
            site.description.truncate(end);
        }
        site
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
        let mut operations = self.fill(base, |rng| site.operation(rng), length);
        if self.is_strict {
            // The vocabulary is small, so names repeat.
            for number in 1..operations.len() {
                let (earlier, [this, ..]) = operations.split_at_mut(number) else { break };
                if earlier.iter().any(|one| one.words == this.words) {
                    this.words.push(format!("n{number}"));
                }
            }
        }
        operations
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
