//! Prints Markdown tables of MB/s for this library and all peers, measured in one run; or writes
//! `docs/performance.md`.
//!
//! ```text
//! cargo run --release -p agentsdisc-benches --bin table [-- --quick | --thorough] [--write FILE] [WORK…]
//! ```
//!
//! WORK is `json`, `agents_json`, `adp`, `a2a`, `mcp_card`, `ai_catalog`, `agent_skills`,
//! `api_catalog`, `awp`, `agents_txt`, `agents_md`, `llms_txt`, `robots_txt`, `links`, `model` or
//! `growth`. `cargo xtask performance` writes the page.

use std::time::Duration;

use agentsdisc_benches::harness::{Effort, Measured, measure};
use agentsdisc_benches::inputs::{self, Input};
use agentsdisc_benches::{
    Task, a2a, adp, agent_skills, agents_json, agents_md, agents_txt, ai_catalog, api_catalog, awp,
    growth, json, links, llms_txt, mcp_card, model, report, robots_txt,
};
use agentsdisc_generator::Kind;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut file = None;
    if let Some(at) = arguments.iter().position(|argument| argument == "--write") {
        let mut option = arguments.drain(at..(at + 2).min(arguments.len()));
        file = option.nth(1);
    }
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let turn = Duration::from_millis(1);
    let effort = Effort {
        rounds: if has("--quick") {
            15
        } else if has("--thorough") {
            401
        } else {
            101
        },
        turn,
    };
    let all = arguments.iter().all(|argument| argument.starts_with("--"));
    let mut found = Vec::new();
    let mut run = |work: &str,
                   title: &'static str,
                   kinds: &[Kind],
                   real: Vec<Input>,
                   tasks: fn() -> Vec<Task>| {
        if all || has(work) {
            let mut inputs: Vec<Input> =
                kinds.iter().flat_map(|kind| inputs::generated(*kind)).collect();
            inputs.extend(real);
            found.push(measure(title, &inputs, tasks(), effort));
        }
    };
    let corpus = inputs::corpus();
    run("json", "JSON, from beginning to end", &[Kind::AgentsJson], corpus.json, json::tasks);
    run(
        "agents_json",
        "agents.json, from bytes to all values",
        &[Kind::AgentsJson],
        corpus.agents_json,
        agents_json::tasks,
    );
    run("adp", "ADP manifests, from bytes to all values", &[Kind::Adp], corpus.adp, adp::tasks);
    run(
        "a2a",
        "A2A agent cards, from bytes to all values",
        &[Kind::A2aAgentCard],
        Vec::new(),
        a2a::tasks,
    );
    run(
        "mcp_card",
        "MCP server cards, from bytes to all values",
        &[Kind::McpServerCard],
        Vec::new(),
        mcp_card::tasks,
    );
    run(
        "ai_catalog",
        "AI Catalogs, from bytes to all values",
        &[Kind::AiCatalog],
        Vec::new(),
        ai_catalog::tasks,
    );
    run(
        "agent_skills",
        "Indexes of agent skills, from bytes to all values",
        &[Kind::AgentSkills],
        Vec::new(),
        agent_skills::tasks,
    );
    run(
        "api_catalog",
        "API catalogs, from bytes to all values",
        &[Kind::ApiCatalog],
        Vec::new(),
        api_catalog::tasks,
    );
    run("awp", "agent.json of AWP, from bytes to all values", &[Kind::Awp], Vec::new(), awp::tasks);
    run(
        "agents_txt",
        "agents.txt, from bytes to all values",
        &[Kind::AgentsTxt],
        corpus.agents_txt,
        agents_txt::tasks,
    );
    run(
        "agents_md",
        "agents.md, from bytes to all values",
        &[Kind::AgentsMd],
        Vec::new(),
        agents_md::tasks,
    );
    run(
        "llms_txt",
        "llms.txt, from bytes to all values",
        &[Kind::LlmsTxt],
        Vec::new(),
        llms_txt::tasks,
    );
    run(
        "robots_txt",
        "robots.txt, from bytes to one decision",
        &[Kind::RobotsTxt],
        corpus.robots.clone(),
        robots_txt::tasks,
    );
    run(
        "robots_txt",
        "robots.txt, lines alone",
        &[Kind::RobotsTxt],
        corpus.robots,
        agents_txt::line_tasks,
    );
    run(
        "links",
        "URLs in any text",
        &[Kind::LlmsTxt],
        [Kind::AgentsMd, Kind::AgentsTxt].into_iter().flat_map(inputs::without_urls).collect(),
        links::tasks,
    );
    run(
        "model",
        "The unified model as JSON",
        &[Kind::AgentsJson, Kind::AgentsTxt],
        Vec::new(),
        model::tasks,
    );
    let grown = (all || has("growth")).then(|| growth::table(effort));
    if let Some(file) = file {
        if let Err(error) = std::fs::write(&file, report::page(&found, grown.as_deref(), effort)) {
            eprintln!("{file}: {error}");
            std::process::exit(1);
        }
        return;
    }
    println!("{}\n", report::method(effort));
    found.iter().map(Measured::table).chain(grown).for_each(|table| println!("{table}"));
}
