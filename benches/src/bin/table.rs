//! Prints Markdown tables of MB/s for this library and all peers, measured in one run; or writes
//! `docs/performance.md`.
//!
//! ```text
//! cargo run --release -p agentsdisc-benches --bin table [-- --quick | --thorough] [--write FILE] [WORK…]
//! ```
//!
//! WORK is the name of a work in `works.rs`, such as `agents_json`, or `growth`.
//! `cargo xtask performance` writes the page.

use std::time::Duration;

use agentsdisc_benches::harness::{Effort, Measured, measure};
use agentsdisc_benches::inputs::{self, Input};
use agentsdisc_benches::{WORKS, growth, report};

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
    let corpus = inputs::corpus();
    for work in WORKS.iter().filter(|work| all || has(work.name)) {
        let mut inputs: Vec<Input> =
            work.kinds.iter().flat_map(|kind| inputs::generated(*kind)).collect();
        inputs.extend((work.more)(&corpus));
        found.push(measure(work.title, &inputs, (work.tasks)(), effort));
    }
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
