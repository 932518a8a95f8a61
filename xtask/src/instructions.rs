//! `cargo xtask instructions`: counts the instructions for one small document of each format, by callgrind, and compares them with
//! `ffi-c/overhead/instructions.txt`. Most documents on the web are below 2 KB, and what they cost in full is easily lost: times of small
//! documents are noise, and the figures for large ones do not show fixed costs.
//!
//! Without `--check`, the counts are recorded. They depend on the compiler, so counts of another version are not compared.

use std::path::Path;
use std::process::Command;

use crate::c_overhead::{counted, documents, programs};
use crate::shell::{Outcome, Shell, Stop, failed, read, write};
use crate::tools;

const FILE: &str = "ffi-c/overhead/instructions.txt";

/// The size of the documents, in bytes.
const SIZE: u32 = 1024;

/// How many more times the longer run does what is counted. The difference of both runs leaves out their start.
const TIMES: u32 = 10;

/// The growth that is still accepted, as a share.
const MOST: f64 = 0.03;

/// What is counted: `Document::parse`, `Document::read`, a walk over the model; parsing and a walk in C.
const TASKS: [&str; 5] = ["parse", "read", "walk", "c-parse", "c-walk"];

type Counts = [u64; TASKS.len()];

pub(crate) fn run(shell: &mut Shell, is_check: bool) -> Outcome {
    let compiler = shell.output(Command::new("rustc").arg("--version"))?;
    let compiler = compiler.trim();
    let path = shell.root.join(FILE);
    let recorded = if is_check { read(&path)? } else { String::new() };
    if is_check && recorded.lines().next() != Some(compiler) {
        return Ok(format!("not compared: {FILE} is of another compiler"));
    }
    let folder = tools::scratch()?.join("instructions");
    let programs = programs(shell, &folder)?;
    let [rust, c, ..] = programs.as_slice() else {
        return failed("there is a program in Rust and one in C");
    };
    let mut lines = vec![compiler.to_owned(), format!("document {}", TASKS.join(" "))];
    let mut documents = documents(shell, &folder, SIZE)?;
    documents.sort();
    for (kind, document) in documents {
        let counts = counts(shell, rust, c, &document)?;
        lines.push(format!("{kind} {}", counts.map(|count| count.to_string()).join(" ")));
    }
    if !is_check {
        write(&path, &(lines.join("\n") + "\n"))?;
        return Ok(String::new());
    }
    compare(&recorded, &lines)
}

fn counts(shell: &mut Shell, rust: &Path, c: &Path, document: &Path) -> Result<Counts, Stop> {
    let mut once = |program, more: [u32; 2]| counted(shell, program, more, document);
    let (first, c_first) = (once(rust, [1, 1])?, once(c, [1, 1])?);
    let parse = once(rust, [1 + TIMES, 1])?;
    let walk = once(rust, [1, 1 + TIMES])?;
    let (c_parse, c_walk) = (once(c, [1 + TIMES, 1])?, once(c, [1, 1 + TIMES])?);
    let mut reads =
        |times: u32| counted(shell, rust, ["read".to_owned(), times.to_string()], document);
    let (read_first, read) = (reads(1)?, reads(1 + TIMES)?);
    let each = |more: u64, first: u64| more.saturating_sub(first) / u64::from(TIMES);
    Ok([
        each(parse, first),
        each(read, read_first),
        each(walk, first),
        each(c_parse, c_first),
        each(c_walk, c_first),
    ])
}

/// Compares the lines that were recorded with those that were counted now.
fn compare(recorded: &str, lines: &[String]) -> Outcome {
    let again = "to record the counts: cargo xtask instructions";
    let mut recorded: Vec<&str> = recorded.lines().collect();
    // By name, as the documents are now.
    recorded.get_mut(2..).unwrap_or_default().sort_unstable();
    let name = |line: &str| line.split(' ').next().map(str::to_owned);
    if recorded.len() != lines.len()
        || !recorded.iter().zip(lines).all(|(before, now)| name(before) == name(now))
    {
        return failed(format!("{FILE} has other documents; {again}"));
    }
    let mut grown = Vec::new();
    let mut are_smaller = false;
    for (old, new) in recorded.iter().zip(lines).skip(2) {
        let document = name(new).unwrap_or_default();
        for (task, (old, new)) in TASKS.iter().zip(old.split(' ').zip(new.split(' ')).skip(1)) {
            let [before, now] =
                [old, new].map(|count| count.parse::<f64>().unwrap_or(f64::INFINITY));
            let growth = now / before - 1.0;
            if growth < -MOST {
                are_smaller = true;
            } else if growth.is_nan() || growth > MOST {
                grown.push(format!(
                    "{document} {task}: {before} -> {now} ({:+.1} %)",
                    growth * 100.0
                ));
            }
        }
    }
    if grown.is_empty() {
        return Ok(if are_smaller {
            format!("some counts are smaller by over 3 %; {again}")
        } else {
            String::new()
        });
    }
    failed(format!(
        "over 3 % more instructions than {FILE} records:\n{}\nif that is meant, {again}",
        grown.join("\n")
    ))
}
