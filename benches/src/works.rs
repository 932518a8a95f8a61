//! What is measured: each work, with its inputs and its tasks.

use agentsdisc_generator::Kind;

use crate::inputs::{self, Corpus, Input};
use crate::task::Task;
use crate::{
    a2a, adp, agent_skills, agents_json, agents_md, agents_txt, ai_catalog, api_catalog, awp, json,
    links, llms_txt, mcp_card, model, robots_txt,
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

/// Reading documents of one format.
const fn of(
    name: &'static str,
    title: &'static str,
    kind: &'static [Kind],
    tasks: fn() -> Vec<Task>,
) -> Work {
    Work { name, title, kinds: kind, more: |_| Vec::new(), tasks }
}

/// All works, in the order of the tables.
pub const WORKS: &[Work] = &[
    Work {
        more: |corpus| corpus.json.clone(),
        ..of("json", "JSON, from beginning to end", &[Kind::AgentsJson], json::tasks)
    },
    Work {
        more: |corpus| corpus.agents_json.clone(),
        ..of(
            "agents_json",
            "agents.json, from bytes to all values",
            &[Kind::AgentsJson],
            agents_json::tasks,
        )
    },
    Work {
        more: |corpus| corpus.adp.clone(),
        ..of("adp", "ADP manifests, from bytes to all values", &[Kind::Adp], adp::tasks)
    },
    of("a2a", "A2A agent cards, from bytes to all values", &[Kind::A2aAgentCard], a2a::tasks),
    of(
        "mcp_card",
        "MCP server cards, from bytes to all values",
        &[Kind::McpServerCard],
        mcp_card::tasks,
    ),
    of(
        "ai_catalog",
        "AI Catalogs, from bytes to all values",
        &[Kind::AiCatalog],
        ai_catalog::tasks,
    ),
    of(
        "agent_skills",
        "Indexes of agent skills, from bytes to all values",
        &[Kind::AgentSkills],
        agent_skills::tasks,
    ),
    of(
        "api_catalog",
        "API catalogs, from bytes to all values",
        &[Kind::ApiCatalog],
        api_catalog::tasks,
    ),
    of("awp", "agent.json of AWP, from bytes to all values", &[Kind::Awp], awp::tasks),
    Work {
        more: |corpus| corpus.agents_txt.clone(),
        ..of(
            "agents_txt",
            "agents.txt, from bytes to all values",
            &[Kind::AgentsTxt],
            agents_txt::tasks,
        )
    },
    of("agents_md", "agents.md, from bytes to all values", &[Kind::AgentsMd], agents_md::tasks),
    of("llms_txt", "llms.txt, from bytes to all values", &[Kind::LlmsTxt], llms_txt::tasks),
    Work {
        more: |corpus| corpus.robots.clone(),
        ..of(
            "robots_txt",
            "robots.txt, from bytes to one decision",
            &[Kind::RobotsTxt],
            robots_txt::tasks,
        )
    },
    Work {
        more: |corpus| corpus.robots.clone(),
        ..of("robots_txt", "robots.txt, lines alone", &[Kind::RobotsTxt], agents_txt::line_tasks)
    },
    Work {
        more: |_| {
            [Kind::AgentsMd, Kind::AgentsTxt].into_iter().flat_map(inputs::without_urls).collect()
        },
        ..of("links", "URLs in any text", &[Kind::LlmsTxt], links::tasks)
    },
    of("model", "The unified model as JSON", &[Kind::AgentsJson, Kind::AgentsTxt], model::tasks),
];
