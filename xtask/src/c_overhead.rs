//! `cargo xtask c-overhead`: what a full walk of documents costs through C and through C++, beside Rust.
//!
//! Three programs (`ffi-c/overhead`) read every value of the same documents, one of each format, and add it up. Instructions are counted by
//! callgrind, which counts the same each time; seconds are the least of some runs. What starting costs is taken out, and for the walk alone also what
//! parsing costs: each program runs with and without.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::c::WARNINGS;
use crate::install::SYSTEM;
use crate::shell::{Outcome, Shell, Stop, failed, make_folder, write};
use crate::tools::{self, cargo};

/// How often documents are walked under callgrind.
const COUNTED: u32 = 10;
/// The same for the clock.
const TIMED: u32 = 2000;
const RUNS: u32 = 5;

/// What one program took.
struct Row {
    name: &'static str,
    walk: u64,
    parse_and_walk: u64,
    time: Duration,
}

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
    let documents = documents(shell, &folder)?;
    let (mut rows, mut said) = (Vec::new(), Vec::new());
    for (name, program) in programs {
        said.push(shell.output(Command::new(&program).arg("3").args(&documents))?);
        let (nothing, parsed) = (counted(shell, &program, 0, &[])?, counted(shell, &program, 0, &documents)?);
        let walked = counted(shell, &program, COUNTED, &documents)?.saturating_sub(parsed) / u64::from(COUNTED);
        let time = timed(shell, &program, TIMED, &documents)?.saturating_sub(timed(shell, &program, 0, &documents)?) / TIMED;
        rows.push(Row { name, walk: walked, parse_and_walk: parsed.saturating_sub(nothing) + walked, time });
    }
    let [first, others @ ..] = said.as_slice() else { return failed("nothing was measured") };
    if others.iter().any(|other| other != first) {
        return failed(format!("the programs read different things: {said:?}"));
    }
    println!("{}", table(&rows));
    Ok(String::new())
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| through | instructions of a walk | | of parsing and a walk | | microseconds of a walk | |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let Some(base) = rows.first() else { return text };
    let beside = |this: f64, base: f64| format!("{:+.1} %", (this / base - 1.0) * 100.0);
    for row in rows {
        text += &format!(
            "| {} | {} | {} | {} | {} | {:.0} | {} |\n",
            row.name,
            row.walk,
            beside(row.walk as f64, base.walk as f64),
            row.parse_and_walk,
            beside(row.parse_and_walk as f64, base.parse_and_walk as f64),
            row.time.as_secs_f64() * 1e6,
            beside(row.time.as_secs_f64(), base.time.as_secs_f64())
        );
    }
    text
}

/// Formats, as the generator calls them.
const KINDS: [&str; 8] = ["agents-txt", "agents-json", "agents-txt-0.1", "agents-json-0.1", "agents-md", "awp", "adp", "robots-txt"];

/// One document of 16 KB of each format.
fn documents(shell: &mut Shell, folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let mut found = Vec::new();
    for kind in KINDS {
        let mut command = cargo(&["run", "-q", "--release", "-p", "agentsdisc-generator", "--", "document", kind, "--size", "16384"]);
        let text = shell.output(&mut command)?;
        let file = folder.join(kind);
        write(&file, &text)?;
        found.push(file);
    }
    Ok(found)
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
