//! `cargo xtask check` and `cargo xtask test`: the checks of the repository, as named steps. A run goes on after a failure, so that
//! it shows everything; the output of failed steps is printed; the last line is for machines.
//!
//! Steps of different lanes run at the same time: a lane is a target folder or an environment that only one step can use.

use std::process::ExitCode;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::shell::{Outcome, Shell, Stop};
use crate::tools::{self, exists};
use crate::{
    abi, c, c_install, docs, embedded, features, fuzz, header, layers, model, nopanic, python, rust,
};

#[derive(Clone, Copy, PartialEq)]
enum Lane {
    /// `target/debug`.
    Workspace,
    /// The release build of the C library.
    Library,
    /// `.venv`, and the wheel.
    Python,
    Nopanic,
    Embedded,
    Fuzz,
    /// Nothing: the step only reads sources.
    Sources,
}

struct Step {
    name: &'static str,
    about: &'static str,
    lane: Lane,
    /// Whether `cargo xtask check` runs it.
    is_quick: bool,
    /// The file or folder without which the step is left out.
    needs: &'static str,
    run: fn(&mut Shell) -> Outcome,
}

const fn step(
    name: &'static str,
    lane: Lane,
    needs: &'static str,
    about: &'static str,
    run: fn(&mut Shell) -> Outcome,
) -> Step {
    Step {
        name,
        about,
        lane,
        is_quick: false,
        needs,
        run,
    }
}

/// A step of `cargo xtask check`, too.
const fn quick(step: Step) -> Step {
    Step {
        is_quick: true,
        ..step
    }
}

/// Quick steps that fail often come first, then the longest of each lane.
const STEPS: &[Step] = &[
    quick(step(
        "fmt",
        Lane::Sources,
        "core",
        "the Rust code is formatted",
        rust::fmt,
    )),
    quick(step(
        "layers",
        Lane::Sources,
        "core",
        "the modules of the core import only what lies below them",
        layers::run,
    )),
    quick(step(
        "python-lint",
        Lane::Python,
        "python/pyproject.toml",
        "ruff has no complaints",
        python::lint,
    )),
    quick(step(
        "rust-clippy",
        Lane::Workspace,
        "core",
        "clippy has no complaints",
        rust::clippy,
    )),
    quick(step(
        "core",
        Lane::Workspace,
        "core",
        "the tests of the core: conformance vectors, properties, the counting allocator",
        rust::core,
    )),
    quick(step(
        "c-gcc",
        Lane::Workspace,
        "ffi-c/tests",
        "the C and C++ programs, compiled by gcc, with a library that checks for overflow",
        c::gcc,
    )),
    quick(step(
        "python-tests",
        Lane::Python,
        "python/tests",
        "the wheel is built and installed, and its tests run; those of engines are a step of their own",
        python::tests,
    )),
    step(
        "rust-tests",
        Lane::Workspace,
        "core",
        "the tests of the other crates, and of the core's feature serde",
        rust::tests,
    ),
    step(
        "nopanic",
        Lane::Nopanic,
        "xtask/nopanic",
        "the linker proves that no panic is reachable",
        nopanic::run,
    ),
    step(
        "embedded",
        Lane::Embedded,
        "embedded",
        "firmware for a Cortex-M3 prints in QEMU what the host prints; no heap, no panic, no recursion",
        embedded::run,
    ),
    step(
        "features",
        Lane::Workspace,
        "core",
        "formats and parts can be left out, and parsing names what is left out",
        features::run,
    ),
    step(
        "rust-docs",
        Lane::Workspace,
        "core",
        "examples in the documentation run, and it builds without a warning",
        rust::docs,
    ),
    step(
        "no-std",
        Lane::Workspace,
        "core",
        "the core compiles for bare metal, if that target is installed",
        rust::no_std,
    ),
    step(
        "docs",
        Lane::Workspace,
        "xtask/docs",
        "docs/diagnostics.md is up to date",
        |shell| docs::run(shell, true),
    ),
    step(
        "model",
        Lane::Workspace,
        "xtask/docs",
        "what is written from the table of the model is up to date",
        |shell| model::run(shell, true),
    ),
    step(
        "header",
        Lane::Library,
        "ffi-c/Cargo.toml",
        "include/agentsdisc.h is up to date",
        |shell| header::run(shell, true),
    ),
    step(
        "c-abi",
        Lane::Library,
        "ffi-c/abi",
        "ffi-c/abi records what programs are compiled against",
        |shell| abi::run(shell, abi::Mode::Check),
    ),
    step(
        "c-clang",
        Lane::Library,
        "ffi-c/tests",
        "the C and C++ programs, compiled by clang, with both libraries as they are installed",
        c::clang,
    ),
    step(
        "c-install",
        Lane::Library,
        "ffi-c/tests/install",
        "clients use the installed library through pkg-config and CMake; its size and symbols",
        c_install::run,
    ),
    step(
        "c-sanitizers",
        Lane::Workspace,
        "ffi-c/tests",
        "the C and C++ programs with the address and undefined behaviour sanitizers",
        c::sanitizers,
    ),
    step(
        "c-valgrind",
        Lane::Workspace,
        "ffi-c/tests",
        "the C programs under valgrind",
        c::valgrind,
    ),
    step(
        "python-types",
        Lane::Python,
        "python/pyproject.toml",
        "mypy --strict on the package; its stubs agree with the module",
        python::types,
    ),
    step(
        "python-engines",
        Lane::Python,
        "python/requirements-engines.txt",
        "Spark, Ray, polars and DuckDB get what parse_batch gives",
        python::engines,
    ),
    step(
        "fuzz",
        Lane::Fuzz,
        "fuzz/fuzz_targets",
        "each fuzz target for two seconds",
        |shell| fuzz::run(shell, 2, None),
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
    long: bool,
    only: Vec<String>,
    skip: Vec<String>,
}

/// Which steps a command runs.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Suite {
    Check,
    Test,
}

pub(crate) fn main(suite: Suite, arguments: &[String]) -> ExitCode {
    let options = match parse(arguments) {
        Ok(options) => options,
        Err(stop) => return stop.report(),
    };
    if options.long {
        tools::run_long();
    }
    let steps: Vec<&Step> = STEPS
        .iter()
        .filter(|step| suite == Suite::Test || step.is_quick)
        .filter(|step| exists(step.needs) && options.wants(step.name))
        .collect();
    if options.list {
        steps
            .iter()
            .for_each(|step| println!("{:<14} {}", step.name, step.about));
        return ExitCode::SUCCESS;
    }
    // The output of steps that run at the same time would mix on a terminal.
    let workers = if options.verbose {
        1
    } else {
        std::thread::available_parallelism().map_or(1, |count| count.get().min(3))
    };
    let results = run_all(&steps, workers, options.verbose);
    report(suite, &results)
}

/// What the workers share.
struct Progress {
    /// Indices of the steps that have not begun, in order.
    waiting: Vec<usize>,
    busy: Vec<Lane>,
    results: Vec<(usize, Ended, Duration)>,
}

/// Runs the steps, several at a time; the results are in the order of the steps.
fn run_all(steps: &[&Step], workers: usize, verbose: bool) -> Vec<(&'static str, Ended, Duration)> {
    let progress = Mutex::new(Progress {
        waiting: (0..steps.len()).collect(),
        busy: Vec::new(),
        results: Vec::new(),
    });
    let freed = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((index, step)) = next(steps, &progress, &freed) {
                    let started = Instant::now();
                    let head = format!("[{:>2}/{}] {:<14}", index + 1, steps.len(), step.name);
                    let ended = run(step, &head, workers, verbose);
                    let mut progress = lock(&progress);
                    progress.results.push((index, ended, started.elapsed()));
                    progress.busy.retain(|lane| *lane != step.lane);
                    freed.notify_all();
                }
            });
        }
    });
    let mut results = progress
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .results;
    results.sort_by_key(|(index, ..)| *index);
    results
        .into_iter()
        .filter_map(|(index, ended, time)| Some((steps.get(index)?.name, ended, time)))
        .collect()
}

fn lock(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the first waiting step whose lane is free, and waits for one if there is none; `None` if no step is left.
fn next<'a>(
    steps: &[&'a Step],
    progress: &Mutex<Progress>,
    freed: &Condvar,
) -> Option<(usize, &'a Step)> {
    let mut progress = lock(progress);
    loop {
        if progress.waiting.is_empty() {
            return None;
        }
        let is_free = |index: &usize| {
            steps
                .get(*index)
                .is_some_and(|step| !progress.busy.contains(&step.lane))
        };
        if let Some(position) = progress.waiting.iter().position(is_free) {
            let index = progress.waiting.remove(position);
            let step = *steps.get(index)?;
            progress.busy.push(step.lane);
            return Some((index, step));
        }
        progress = freed.wait(progress).unwrap_or_else(PoisonError::into_inner);
    }
}

fn run(step: &Step, head: &str, workers: usize, verbose: bool) -> Ended {
    let started = Instant::now();
    let mut shell = if verbose {
        eprintln!("{head} {}", step.about);
        Shell::loud()
    } else {
        // One line that is written again and again is for one step at a time.
        let line = if workers == 1 { head } else { "" };
        match Shell::logged(step.name, line.to_owned()) {
            Ok(shell) => shell,
            Err(stop) => return settle(Err(stop)),
        }
    };
    let ended = settle((step.run)(&mut shell));
    shell.clear_progress();
    let (word, note) = ended.words();
    let mut text = format!(
        "{head} {word:<8}{:>6.1} s  {}",
        started.elapsed().as_secs_f64(),
        note.lines().next().unwrap_or_default()
    );
    if let Ended::Failed(why) = &ended {
        text += &format!(
            "\n\n──── {}: {}\n{}\n{why}\n────\n",
            step.name,
            step.about,
            shell.logged_text()
        );
    }
    // In one call, so that the text of two steps does not mix.
    eprintln!("{text}");
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

fn report(suite: Suite, results: &[(&str, Ended, Duration)]) -> ExitCode {
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
        ([], 0, _) => println!("Nothing ran: no step is selected, or none can run here."),
        ([], _, 0) => println!("Everything passed."),
        ([], ..) => println!(
            "Every step that could run here passed; the table says what the skipped steps need."
        ),
        (names, ..) => println!(
            "Failed: {}. To run them again: cargo xtask {} --verbose --only {}",
            names.join(", "),
            if suite == Suite::Check {
                "check"
            } else {
                "test"
            },
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
            "--long" => options.long = true,
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
            _ => return Err(Stop::Usage(format!("there is no option `{argument}`"))),
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

/// A name selects the step of that name, and the steps whose names begin with it and a hyphen.
fn selects(name: &str, step: &str) -> bool {
    step.strip_prefix(name)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}
