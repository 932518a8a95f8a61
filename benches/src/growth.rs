//! The cost of a byte as documents grow: from a KB to 100 MB.

use std::fmt::Write;

use agentsdisc_core::{Limits, ParseOptions};
use agentsdisc_generator::{Kind, Layout, Request, document};

use crate::harness::{Effort, speeds};
use crate::inputs::Input;
use crate::{Task, Toucher, json, walk};

const SIZES: [(usize, &str); 6] =
    [(1_000, "1 KB"), (10_000, "10 KB"), (100_000, "100 KB"), (1_000_000, "1 MB"), (10_000_000, "10 MB"), (100_000_000, "100 MB")];

/// A Markdown table: MB/s of one document of each size, and how many times as slow the slowest is as the fastest.
pub fn table(effort: Effort) -> String {
    let mut text = String::from("### One document, growing\n\n| |");
    SIZES.iter().for_each(|(_, name)| {
        let _ = write!(text, " {name} |");
    });
    text.push_str(" fastest / slowest |\n| --- |");
    text.push_str(&" ---: |".repeat(SIZES.len() + 1));
    for (kind, name) in [
        (Kind::AgentsJson, "JSON walk, agents.json"),
        (Kind::AgentsJson, "agents.json, every value"),
        (Kind::Adp, "ADP manifest, every value"),
        (Kind::AgentsTxt, "agents.txt, every value"),
        (Kind::AgentsMd, "agents.md, every value"),
    ] {
        let _ = write!(text, "\n| {name} |");
        let (mut least, mut most) = (f64::INFINITY, 0_f64);
        for (size, label) in SIZES {
            let mut task = if name.starts_with("JSON") { json::ours_task() } else { read() };
            let bytes = document(&Request { kind, size, layout: Layout::Pretty, seed: 1 });
            let input = Input { name: label.into(), documents: vec![bytes] };
            let rounds = if size > 1_000_000 { 5 } else { effort.rounds };
            match speeds(&input, std::slice::from_mut(&mut task), Effort { rounds, ..effort }).first().copied().flatten() {
                Some(speed) => {
                    (least, most) = (least.min(speed), most.max(speed));
                    let _ = write!(text, " {speed:.0} |");
                }
                None => text.push_str(" – |"),
            }
        }
        let _ = write!(text, " {:.2} |", most / least);
    }
    text.push('\n');
    text
}

/// Everything in one pass, with limits that let these sizes in.
fn read() -> Task {
    Task::new("read", |bytes| {
        let limits = Limits { document: 1 << 30, ..Limits::DEFAULT };
        let mut toucher = Toucher::default();
        walk::read(bytes, &ParseOptions { limits, ..ParseOptions::default() }, &mut toucher).ok()?;
        Some(toucher.0)
    })
}
