//! What is measured: each work, with its inputs and its tasks.

use agentsdisc_generator::Kind;

use crate::inputs::{self, Corpus, Input};
use crate::task::Task;
use crate::{
    a2a, acp, adp, agent_skills, agents_json, agents_md, agents_txt, ai_catalog, api_catalog,
    auth_md, awp, json, links, llms_txt, mcp_card, model, oauth, openapi, robots_txt,
    signature_directory, ucp, x402,
};

/// One kind of work, done by this library and by others.
pub struct Work {
    /// The name by which the programs select it. Works of one name are measured together.
    pub name: &'static str,
    /// The title of its table.
    pub title: &'static str,
    /// The formats of its generated documents.
    pub kinds: &'static [Kind],
    /// Its other inputs.
    pub more: fn(&Corpus) -> Vec<Input>,
    /// The tasks, this library's first.
    pub tasks: fn() -> Vec<Task>,
}

/// A work on the documents of one format.
const fn work(
    name: &'static str,
    title: &'static str,
    kinds: &'static [Kind],
    tasks: fn() -> Vec<Task>,
) -> Work {
    Work { name, title, kinds, more: |_| Vec::new(), tasks }
}

/// Reading all values of a format, by the tasks of a module.
macro_rules! reading {
    ($module:ident, $documents:literal, $kind:ident $(, $more:ident)?) => {
        Work {
            $(more: |corpus| corpus.$more.clone(),)?
            ..work(
                stringify!($module),
                concat!($documents, ", from bytes to all values"),
                &[Kind::$kind],
                $module::tasks,
            )
        }
    };
}

/// All works, in the order of the tables.
#[rustfmt::skip]
pub const WORKS: &[Work] = &[
    Work {
        more: |corpus| corpus.json.clone(),
        ..work("json", "JSON, from beginning to end", &[Kind::AgentsJson], json::tasks)
    },
    reading!(agents_json, "agents.json", AgentsJson, agents_json),
    reading!(adp, "ADP manifests", Adp, adp),
    reading!(a2a, "A2A agent cards", A2aAgentCard),
    reading!(mcp_card, "MCP server cards", McpServerCard),
    reading!(ai_catalog, "AI Catalogs", AiCatalog),
    reading!(agent_skills, "Indexes of agent skills", AgentSkills),
    reading!(api_catalog, "API catalogs", ApiCatalog),
    reading!(ucp, "UCP profiles", UcpProfile),
    reading!(acp, "ACP discovery documents", Acp),
    reading!(x402, "Lists of x402 resources", X402),
    reading!(openapi, "OpenAPI descriptions", OpenApi),
    reading!(oauth, "OAuth metadata of resources", OauthProtectedResource),
    reading!(oauth, "OAuth metadata of authorization servers", OauthAuthorizationServer),
    reading!(signature_directory, "Directories of keys", SignatureDirectory),
    reading!(awp, "agent.json of AWP", Awp),
    reading!(agents_txt, "agents.txt", AgentsTxt, agents_txt),
    reading!(agents_md, "agents.md", AgentsMd),
    reading!(auth_md, "auth.md", AuthMd),
    reading!(llms_txt, "llms.txt", LlmsTxt),
    Work {
        more: |corpus| corpus.robots.clone(),
        ..work("robots_txt", "robots.txt, from bytes to one decision", &[Kind::RobotsTxt], robots_txt::tasks)
    },
    Work {
        more: |corpus| corpus.robots.clone(),
        ..work("robots_txt", "robots.txt, lines alone", &[Kind::RobotsTxt], agents_txt::line_tasks)
    },
    Work {
        more: |_| [Kind::AgentsMd, Kind::AgentsTxt].into_iter().flat_map(inputs::without_urls).collect(),
        ..work("links", "URLs in any text", &[Kind::LlmsTxt], links::tasks)
    },
    work("model", "The unified model as JSON", &[Kind::AgentsJson, Kind::AgentsTxt], model::tasks),
];
