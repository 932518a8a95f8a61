//! Prints Markdown tables of MB/s, ours beside every peer, all measured in this run.
//!
//! `cargo run --release -p agentsdisc-benches --bin table [-- --quick | --thorough] [WORK…]`; WORK is `json`, `agents_json`, `agents_txt` or `model`.

use std::time::Duration;

use agentsdisc_benches::harness::{Effort, table};
use agentsdisc_benches::{agents_json, agents_txt, inputs, json, model};
use agentsdisc_generator::Kind;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let effort = if has("--quick") {
        Effort { rounds: 15, turn: Duration::from_millis(1) }
    } else if has("--thorough") {
        Effort { rounds: 401, turn: Duration::from_millis(1) }
    } else {
        Effort { rounds: 101, turn: Duration::from_millis(1) }
    };
    let all = arguments.iter().all(|argument| argument.starts_with("--"));
    let wanted = |work: &str| all || has(work);
    let corpus = inputs::corpus();
    println!(
        "MB/s (10^6 bytes each second), one core, the best of {} turns of {} ms; in brackets how many times as fast the first row is.\n",
        effort.rounds,
        effort.turn.as_millis()
    );
    if wanted("json") {
        let mut inputs = inputs::generated(Kind::AgentsJson);
        inputs.extend(corpus.json);
        println!("{}", table("JSON, one end to the other", &inputs, json::tasks(), effort));
    }
    if wanted("agents_json") {
        let mut inputs = inputs::generated(Kind::AgentsJson);
        inputs.extend(corpus.agents_json);
        println!("{}", table("agents.json, bytes to every value", &inputs, agents_json::tasks(), effort));
    }
    if wanted("agents_txt") {
        let mut inputs = inputs::generated(Kind::AgentsTxt);
        inputs.extend(corpus.agents_txt);
        println!("{}", table("agents.txt, bytes to every value", &inputs, agents_txt::tasks(), effort));
        let mut inputs = inputs::generated(Kind::RobotsTxt);
        inputs.extend(corpus.robots);
        println!("{}", table("robots.txt, lines alone", &inputs, agents_txt::line_tasks(), effort));
    }
    if wanted("model") {
        let mut inputs = inputs::generated(Kind::AgentsJson);
        inputs.extend(inputs::generated(Kind::AgentsTxt));
        println!("{}", table("The unified model as JSON", &inputs, model::tasks(), effort));
    }
}
