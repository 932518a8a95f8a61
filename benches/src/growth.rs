//! The cost per byte for growing documents: from 1 KB to 100 MB.

use std::fmt::Write;

use agentsdisc_core::{Hints, Limits, ParseOptions};
use agentsdisc_generator::{Kind, Layout, Request, document};

use crate::harness::{Effort, speeds};
use crate::inputs::Input;
use crate::{Task, Toucher, json, walk};

const SIZES: [(usize, &str); 6] = [
    (1_000, "1 KB"),
    (10_000, "10 KB"),
    (100_000, "100 KB"),
    (1_000_000, "1 MB"),
    (10_000_000, "10 MB"),
    (100_000_000, "100 MB"),
];

type Row = (Kind, &'static str, fn() -> Task);

const ROWS: [Row; 5] = [
    (Kind::AgentsJson, "JSON walk, agents.json", json::ours_task),
    (Kind::AgentsJson, "agents.json, unified", unified),
    (Kind::Adp, "ADP manifest, unified", unified),
    (Kind::AgentsTxt, "agents.txt, unified", unified),
    (Kind::AgentsMd, "agents.md, unified", unified),
];

const OPTIONS: ParseOptions<'_> = ParseOptions {
    format: None,
    hints: Hints { url: None, content_type: None },
    limits: Limits { document: 1 << 30, ..Limits::DEFAULT },
};

/// Returns a Markdown table: MB/s for one document of each size, and the ratio of the fastest to
/// the slowest.
pub fn table(effort: Effort) -> String {
    let mut text = String::from("### Documents of growing size\n\n| |");
    SIZES.iter().for_each(|(_, name)| {
        let _ = write!(text, " {name} |");
    });
    text.push_str(" fastest / slowest |\n| --- |");
    text.push_str(&" ---: |".repeat(SIZES.len() + 1));
    for (kind, name, task) in ROWS {
        let _ = write!(text, "\n| {name} |");
        let (mut least, mut most) = (f64::INFINITY, 0_f64);
        for (size, label) in SIZES {
            let mut task = task();
            let bytes = document(&Request { kind, size, layout: Layout::Pretty, seed: 1 });
            let input = Input { name: label.into(), documents: vec![bytes] };
            let rounds = if size > 1_000_000 { 5 } else { effort.rounds };
            match speeds(&input, std::slice::from_mut(&mut task), Effort { rounds, ..effort })
                .first()
                .copied()
                .flatten()
            {
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

/// Reads everything in one pass, with limits that permit these sizes.
fn unified() -> Task {
    Task::new("read", |bytes| {
        let mut toucher = Toucher::default();
        walk::read(bytes, &OPTIONS, &mut toucher).ok()?;
        Some(toucher.0)
    })
}
