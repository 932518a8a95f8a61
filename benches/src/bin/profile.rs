//! Runs one task many times over one input, for a profiler:
//! `valgrind --tool=callgrind target/release/profile agents_json "agentsdisc model" 5000 50`.
//!
//! Build it with `CARGO_PROFILE_RELEASE_DEBUG=1` for line numbers. Without a task it lists the
//! tasks.

use agentsdisc_benches::{
    a2a, adp, agent_skills, agents_json, agents_md, agents_txt, ai_catalog, api_catalog, awp, json,
    llms_txt, mcp_card, model,
};
use agentsdisc_generator::{Kind, Layout, Request, document};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |at: usize| arguments.get(at).map(String::as_str).unwrap_or_default();
    let (mut tasks, kind) = match argument(0) {
        "json" => (json::tasks(), Kind::AgentsJson),
        "agents_json" => (agents_json::tasks(), Kind::AgentsJson),
        "a2a" => (a2a::tasks(), Kind::A2aAgentCard),
        "mcp_card" => (mcp_card::tasks(), Kind::McpServerCard),
        "ai_catalog" => (ai_catalog::tasks(), Kind::AiCatalog),
        "agent_skills" => (agent_skills::tasks(), Kind::AgentSkills),
        "api_catalog" => (api_catalog::tasks(), Kind::ApiCatalog),
        "adp" => (adp::tasks(), Kind::Adp),
        "awp" => (awp::tasks(), Kind::Awp),
        "agents_txt" => (agents_txt::tasks(), Kind::AgentsTxt),
        "agents_md" => (agents_md::tasks(), Kind::AgentsMd),
        "llms_txt" => (llms_txt::tasks(), Kind::LlmsTxt),
        "model" => (model::tasks(), Kind::AgentsJson),
        _ => {
            eprintln!(
                "profile json|agents_json|a2a|mcp_card|ai_catalog|agent_skills|api_catalog|adp|awp|agents_txt|agents_md|llms_txt|model TASK [BYTES] [TIMES] [--minified]"
            );
            std::process::exit(2);
        }
    };
    let size = argument(2).parse().unwrap_or(5000);
    let times = argument(3).parse().unwrap_or(100_u32);
    let layout = if argument(4) == "--minified" { Layout::Minified } else { Layout::Pretty };
    let Some(task) = tasks.iter_mut().find(|task| task.name == argument(1)) else {
        tasks.iter().for_each(|task| println!("{}", task.name));
        return;
    };
    let bytes = document(&Request { kind, size, layout, seed: 1 });
    let mut sum = 0;
    for _ in 0..times {
        sum += (task.run)(std::hint::black_box(&bytes)).unwrap_or_default();
    }
    println!("{} bytes, {times} times: {sum}", bytes.len());
}
