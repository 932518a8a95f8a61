//! `cargo xtask c-overhead`: what a full walk of documents costs through C and through C++, beside Rust.
//!
//! Three programs (`ffi-c/overhead`) read every value of the same documents and add it up. Instructions are counted by callgrind, which counts the
//! same each time; seconds are the least of some runs. What starting and parsing cost is taken out: each program walks once, and once more often.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::c::WARNINGS;
use crate::install::SYSTEM;
use crate::shell::{Outcome, Shell, Stop, failed, make_folder};
use crate::tools::{self, cargo};

/// How often documents are walked under callgrind, besides once.
const COUNTED: u32 = 10;
/// The same for the clock.
const TIMED: u32 = 400;
const RUNS: u32 = 5;

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    for program in ["gcc", "g++", "valgrind"] {
        tools::need(program)?;
    }
    let folder = tools::scratch()?.join("c-overhead");
    make_folder(&folder)?;
    shell.run(cargo(&["build", "--release", "-p", "agentsdisc-c"]).args(["--lib", "--example", "walk"]))?;
    let release = tools::target().join("release");
    let mut programs = vec![("Rust", release.join("examples/walk"))];
    for (name, compiler, standard, extension) in [("C", "gcc", "-std=c11", "c"), ("C++", "g++", "-std=c++17", "cpp")] {
        let program = folder.join(format!("walk-{extension}"));
        let mut command = Command::new(compiler);
        command.args([standard, "-O2", "-Iinclude"]).args(WARNINGS).arg(format!("ffi-c/overhead/walk.{extension}")).arg("-o").arg(&program);
        shell.run(command.arg(release.join("libagentsdisc.a")).args(SYSTEM))?;
        programs.push((name, program));
    }
    let documents = documents(&shell.root.join("conformance"));
    let mut rows = Vec::new();
    let mut said = Vec::new();
    for (name, program) in &programs {
        said.push(shell.output(Command::new(program).arg("3").args(&documents))?);
        let instructions = counted(shell, program, 1 + COUNTED, &documents)?.saturating_sub(counted(shell, program, 1, &documents)?);
        let time = timed(shell, program, 1 + TIMED, &documents)?.saturating_sub(timed(shell, program, 1, &documents)?);
        rows.push((name, instructions / u64::from(COUNTED), time / TIMED));
    }
    if said.iter().any(|other| other != &said[0]) {
        return failed(format!("the programs read different things: {said:?}"));
    }
    let (_, base, base_time) = rows[0];
    println!("one walk of all of {}", said[0].trim());
    println!("| through | instructions | beside Rust | microseconds | beside Rust |\n| --- | ---: | ---: | ---: | ---: |");
    for (name, instructions, time) in &rows {
        let percent = |this: f64, base: f64| (this / base - 1.0) * 100.0;
        println!(
            "| {name} | {instructions} | {:+.1} % | {:.0} | {:+.1} % |",
            percent(*instructions as f64, base as f64),
            time.as_secs_f64() * 1e6,
            percent(time.as_secs_f64(), base_time.as_secs_f64())
        );
    }
    Ok(String::new())
}

/// The vectors: small documents of every format.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for path in std::fs::read_dir(next).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "in") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn counted(shell: &mut Shell, program: &Path, times: u32, documents: &[PathBuf]) -> Result<u64, Stop> {
    let file = tools::scratch()?.join("c-overhead/callgrind");
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", file.display())).arg(program);
    shell.output(command.arg(times.to_string()).args(documents))?;
    let text = crate::shell::read(&file)?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: ").or_else(|| line.strip_prefix("summary: ")));
    total.and_then(|total| total.trim().parse().ok()).ok_or_else(|| Stop::Failed("callgrind says no total".into()))
}

fn timed(shell: &mut Shell, program: &Path, times: u32, documents: &[PathBuf]) -> Result<Duration, Stop> {
    let mut least = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        shell.output(Command::new(program).arg(times.to_string()).args(documents))?;
        least = least.min(start.elapsed());
    }
    Ok(least)
}
