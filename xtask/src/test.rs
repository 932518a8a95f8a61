//! `cargo xtask test`: every check of the repository, as named steps. It goes on after a failure, so that one run shows
//! everything; output is shown for what failed; the last line is for machines.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::shell::{Outcome, Shell, Stop};
use crate::tools::{self, exists};
use crate::{
    abi, c, c_install, docs, embedded, features, fuzz, header, layers, nopanic, python, rust,
};

struct Step {
    name: &'static str,
    about: &'static str,
    /// What must be in the repository for the step to make sense.
    needs: &'static str,
    run: fn(&mut Shell) -> Outcome,
}

const fn step(
    name: &'static str,
    needs: &'static str,
    about: &'static str,
    run: fn(&mut Shell) -> Outcome,
) -> Step {
    Step {
        name,
        about,
        needs,
        run,
    }
}

/// In this order: what is quick and fails often comes first.
const STEPS: &[Step] = &[
    step("fmt", "core", "the Rust code is formatted", rust::fmt),
    step(
        "layers",
        "core",
        "the modules of the core import only what lies below them",
        layers::run,
    ),
    step(
        "rust-clippy",
        "core",
        "clippy has nothing to say",
        rust::clippy,
    ),
    step(
        "rust-tests",
        "core",
        "tests of the whole workspace, conformance vectors and the counting allocator among them",
        rust::tests,
    ),
    step(
        "features",
        "core",
        "formats and parts can be left out, and what is left out is named",
        features::run,
    ),
    step(
        "rust-features",
        "core",
        "every vector with the features that cost dependencies, and what these add",
        rust::features,
    ),
    step(
        "rust-docs",
        "core",
        "examples in the documentation run, and it builds without a warning",
        rust::docs,
    ),
    step(
        "no-std",
        "core",
        "the core builds without std, for bare metal too where that target is installed",
        rust::no_std,
    ),
    step(
        "nopanic",
        "xtask/nopanic",
        "the linker's proof that no panic is reachable",
        nopanic::run,
    ),
    step(
        "docs",
        "xtask/docs",
        "docs/diagnostics.md is up to date",
        |shell| docs::run(shell, true),
    ),
    step(
        "header",
        "ffi-c/Cargo.toml",
        "include/agentsdisc.h is up to date",
        |shell| header::run(shell, true),
    ),
    step(
        "c-abi",
        "ffi-c/abi",
        "ffi-c/abi is what programs are compiled against",
        |shell| abi::run(shell, abi::Mode::Check),
    ),
    step(
        "c-gcc",
        "ffi-c/tests",
        "the C and C++ programs, built by gcc against both libraries",
        c::gcc,
    ),
    step("c-clang", "ffi-c/tests", "the same by clang", c::clang),
    step(
        "c-sanitizers",
        "ffi-c/tests",
        "the same with the address and undefined behaviour sanitizers",
        c::sanitizers,
    ),
    step(
        "c-valgrind",
        "ffi-c/tests",
        "the same under valgrind",
        c::valgrind,
    ),
    step(
        "c-install",
        "ffi-c/tests/install",
        "the installed library serves clients through pkg-config and CMake",
        c_install::run,
    ),
    step(
        "embedded",
        "embedded",
        "the firmware for a Cortex-M3 prints in QEMU what the host prints; no heap, no panic, no recursion in it",
        embedded::run,
    ),
    step(
        "python-lint",
        "python/pyproject.toml",
        "ruff has nothing to say",
        python::lint,
    ),
    step(
        "python-tests",
        "python/tests",
        "the wheel is built and installed, and its tests run",
        python::tests,
    ),
    step(
        "python-engines",
        "python/requirements-engines.txt",
        "Spark, Ray, polars and DuckDB get what parse_batch gives",
        python::engines,
    ),
    step(
        "python-types",
        "python/pyproject.toml",
        "mypy --strict on the package; its stubs agree with the module",
        python::types,
    ),
    step(
        "fuzz",
        "fuzz/fuzz_targets",
        "each fuzz target for a few seconds",
        |shell| fuzz::run(shell, 5, None),
    ),
];

enum Ended {
    Passed(String),
    Failed(String),
    Skipped(String),
}

#[derive(Default)]
struct Options {
    list: bool,
    verbose: bool,
    only: Vec<String>,
    skip: Vec<String>,
}

pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let options = match parse(arguments) {
        Ok(options) => options,
        Err(stop) => return stop.report(),
    };
    let steps: Vec<&Step> = STEPS
        .iter()
        .filter(|step| exists(step.needs) && options.wants(step.name))
        .collect();
    if options.list {
        steps
            .iter()
            .for_each(|step| println!("{:<14} {}", step.name, step.about));
        return ExitCode::SUCCESS;
    }
    let mut results = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let started = Instant::now();
        let head = format!("[{:>2}/{}] {:<14}", index + 1, steps.len(), step.name);
        let ended = run(step, &head, options.verbose);
        results.push((step.name, ended, started.elapsed()));
    }
    report(&results)
}

fn run(step: &Step, head: &str, verbose: bool) -> Ended {
    let started = Instant::now();
    let mut shell = if verbose {
        eprintln!("{head} {}", step.about);
        Shell::loud()
    } else {
        match Shell::logged(step.name, head.to_owned()) {
            Ok(shell) => shell,
            Err(stop) => return settle(Err(stop)),
        }
    };
    let ended = settle((step.run)(&mut shell));
    shell.clear_progress();
    let (word, note) = ended.words();
    eprintln!(
        "{head} {word:<8}{:>6.1} s  {}",
        started.elapsed().as_secs_f64(),
        note.lines().next().unwrap_or_default()
    );
    if let Ended::Failed(why) = &ended {
        let output = shell.logged_text();
        eprintln!(
            "\n──── {}: {}\n{output}\n{why}\n────\n",
            step.name, step.about
        );
    }
    ended
}

fn settle(outcome: Outcome) -> Ended {
    match outcome {
        Ok(note) => Ended::Passed(note),
        Err(Stop::Failed(why) | Stop::Usage(why)) => Ended::Failed(why),
        Err(Stop::NotHere(why)) => Ended::Skipped(why),
        Err(Stop::Missing { what, install }) => {
            let why = format!("{what} is missing; to install it: {install}");
            if tools::is_ci() {
                Ended::Failed(why)
            } else {
                Ended::Skipped(why)
            }
        }
    }
}

impl Ended {
    fn words(&self) -> (&'static str, &str) {
        match self {
            Self::Passed(note) => ("passed", note),
            Self::Failed(why) => ("FAILED", why),
            Self::Skipped(why) => ("skipped", why),
        }
    }
}

fn report(results: &[(&str, Ended, Duration)]) -> ExitCode {
    println!("\n{:<14} {:<8} {:>7}  note", "step", "result", "seconds");
    for (name, ended, time) in results {
        let (word, note) = ended.words();
        println!(
            "{name:<14} {word:<8} {:>7.1}  {}",
            time.as_secs_f64(),
            note.lines().next().unwrap_or_default()
        );
    }
    let failed: Vec<&str> = results
        .iter()
        .filter(|(_, ended, _)| matches!(ended, Ended::Failed(_)))
        .map(|(name, ..)| *name)
        .collect();
    let skipped = results
        .iter()
        .filter(|(_, ended, _)| matches!(ended, Ended::Skipped(_)))
        .count();
    let passed = results.len() - failed.len() - skipped;
    println!();
    match (failed.as_slice(), passed, skipped) {
        ([], 0, _) => println!("Nothing ran: no step was chosen, or none could run here."),
        ([], _, 0) => println!("Everything passed."),
        ([], ..) => println!(
            "Everything that could run here passed; the table says what the skipped steps need."
        ),
        (names, ..) => println!(
            "Failed: {}. To see one again: cargo xtask test --verbose --only {}",
            names.join(", "),
            names.join(",")
        ),
    }
    println!(
        "{passed} passed, {} failed, {skipped} skipped",
        failed.len()
    );
    if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn parse(arguments: &[String]) -> Result<Options, Stop> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let (flag, attached) = argument
            .split_once('=')
            .map_or((argument.as_str(), None), |(flag, value)| {
                (flag, Some(value.to_owned()))
            });
        match flag {
            "--list" => options.list = true,
            "--verbose" | "-v" => options.verbose = true,
            "--only" | "--skip" => {
                let value = attached.or_else(|| rest.next().cloned());
                let value = value.ok_or_else(|| {
                    Stop::Usage(format!(
                        "{flag} needs names of steps, such as {flag} fmt,rust-tests"
                    ))
                })?;
                let names = if flag == "--only" {
                    &mut options.only
                } else {
                    &mut options.skip
                };
                names.extend(
                    value
                        .split(',')
                        .map(str::trim)
                        .filter(|name| !name.is_empty())
                        .map(str::to_owned),
                );
            }
            _ => return Err(Stop::Usage(format!("`test` has no option `{argument}`"))),
        }
    }
    if let Some(unknown) = options
        .only
        .iter()
        .chain(&options.skip)
        .find(|name| !STEPS.iter().any(|step| selects(name, step.name)))
    {
        let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        return Err(Stop::Usage(format!(
            "there is no step `{unknown}`; there are {}",
            names.join(", ")
        )));
    }
    Ok(options)
}

impl Options {
    fn wants(&self, step: &str) -> bool {
        let skipped = self.skip.iter().any(|name| selects(name, step));
        !skipped && (self.only.is_empty() || self.only.iter().any(|name| selects(name, step)))
    }
}

/// A step is chosen by its name or by the first word of it.
fn selects(name: &str, step: &str) -> bool {
    step.strip_prefix(name)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}
