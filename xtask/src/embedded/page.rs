//! The tables of docs/embedded.md: the measurements, between the two markers.

use std::fmt::Write as _;
use std::process::Command;

use super::sizes::{Peer, Sizes};
use crate::shell::{Outcome, Shell, failed, read, write as write_file};

const PAGE: &str = "docs/embedded.md";
const BEGIN: &str = "<!-- begin: cargo xtask embedded --write -->\n";
const END: &str = "<!-- end -->";

/// The goals: a selection, the maximum flash, and the maximum stack below a call, in bytes.
const GOALS: [(&str, u32, u32); 2] = [
    ("agents.txt of the draft, known format, policy", 32 * 1024, 1024),
    ("six families, policy, discovery", 136 * 1024, 4 * 1024),
];

/// Whether a selection has a goal.
pub(super) fn has_goal(selection: &str) -> bool {
    GOALS.iter().any(|(name, ..)| *name == selection)
}

pub(super) fn write(shell: &mut Shell, rows: &[(&str, Sizes)], peers: &[Peer]) -> Outcome {
    let path = shell.root.join(PAGE);
    let page = read(&path)?;
    let Some((before, rest)) = page.split_once(BEGIN) else {
        return failed(format!("{PAGE} lacks the line `{}`", BEGIN.trim()));
    };
    let Some((_, after)) = rest.split_once(END) else {
        return failed(format!("{PAGE} lacks the line `{END}`"));
    };
    let compiler = shell.output(Command::new("rustc").arg("--version"))?;
    let measured = format!("\nMeasured with {}.\n{}", compiler.trim(), tables(rows, peers));
    write_file(&path, &format!("{before}{BEGIN}{measured}{END}{after}"))?;
    Ok(format!("{PAGE} is written"))
}

fn tables(rows: &[(&str, Sizes)], peers: &[Peer]) -> String {
    let mut text = String::from(
        "\n| features | code | constants | flash | parse | read | decide | call | discover | check | convert | json | painted |\n",
    );
    text += "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n";
    for (name, sizes) in rows {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "| {name} | {} | {} | {} |",
            sizes.code,
            sizes.constants,
            sizes.code + sizes.constants
        );
        for part in ["parse", "read", "decide", "call", "discover", "check", "convert", "json"] {
            let _ = match sizes.stack.get(part) {
                Some(depth) => write!(text, " {depth} |"),
                None => write!(text, " |"),
            };
        }
        let _ = writeln!(text, " {} |", sizes.seen);
    }
    text += "\n| goal | flash | without frame pointers | of | stack | of |\n| --- | --: | --: | --: | --: | --: |\n";
    for (name, flash, stack) in GOALS {
        if let Some((_, sizes)) = rows.iter().find(|(row, _)| *row == name) {
            let deepest = sizes.stack.values().max().copied().unwrap_or(0);
            let lean = sizes.lean.map_or_else(String::new, |bytes| bytes.to_string());
            let _ = writeln!(
                text,
                "| {name} | {} | {lean} | {flash} | {deepest} | {stack} |",
                sizes.code + sizes.constants
            );
        }
    }
    text += "\n| the caller keeps | bytes |\n| --- | --: |\n";
    for (name, bytes) in rows.last().into_iter().flat_map(|(_, sizes)| &sizes.structs) {
        let _ = writeln!(text, "| `{name}` | {bytes} |");
    }
    text += "\n| another library | flash | stack | for |\n| --- | --: | --: | --- |\n";
    for Peer { name, flash, stack, about } in peers {
        let _ = writeln!(text, "| {name} | {flash} | {stack} | {about} |");
    }
    text + "\n"
}
