//! Prints Markdown tables of MB/s for this library and all peers, measured in one run; or writes
//! `docs/performance.md`.
//!
//! `cargo run --release -p agentsdisc-benches --bin table [-- --quick | --thorough] [--write FILE] [WORK…]`; WORK is `json`, `agents_json`, `a2a`, `adp`,
//! `awp`, `agents_txt`, `agents_md`, `robots_txt`, `model` or `growth`. `cargo xtask performance` writes the page.

use std::time::Duration;

use agentsdisc_benches::harness::{Effort, Measured, measure};
use agentsdisc_benches::inputs::{self, Input};
use agentsdisc_benches::{
    Task, a2a, adp, agents_json, agents_md, agents_txt, awp, growth, json, model, report,
    robots_txt,
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
            let mut inputs: Vec<Input> = kinds
                .iter()
                .flat_map(|kind| inputs::generated(*kind))
                .collect();
            inputs.extend(real);
            found.push(measure(title, &inputs, tasks(), effort));
        }
    };
    let corpus = inputs::corpus();
    run(
        "json",
        "JSON, from beginning to end",
        &[Kind::AgentsJson],
        corpus.json,
        json::tasks,
    );
    run(
        "agents_json",
        "agents.json, from bytes to all values",
        &[Kind::AgentsJson],
        corpus.agents_json,
        agents_json::tasks,
    );
    run(
        "adp",
        "ADP manifests, from bytes to all values",
        &[Kind::Adp],
        corpus.adp,
        adp::tasks,
    );
    run(
        "a2a",
        "A2A agent cards, from bytes to all values",
        &[Kind::A2aAgentCard],
        Vec::new(),
        a2a::tasks,
    );
    run(
        "awp",
        "agent.json of AWP, from bytes to all values",
        &[Kind::Awp],
        Vec::new(),
        awp::tasks,
    );
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
    found
        .iter()
        .map(Measured::table)
        .chain(grown)
        .for_each(|table| println!("{table}"));
}
