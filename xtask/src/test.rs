//! `cargo xtask check` and `cargo xtask test`: the checks of the repository, as named steps. A run
//! continues after a failure and prints the output of all failed steps. The last line is
//! machine-readable.
//!
//! Steps of different lanes run in parallel. A lane is a target folder or an environment that only
//! one step can use at a time.

use std::process::ExitCode;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::shell::{self, Outcome, Shell, Stop};
use crate::tools::{self, exists};
use crate::{
    abi, c, c_install, docs, embedded, features, fuzz, header, instructions, js, kit, layers,
    model, nopanic, notices, python, rust, site, suffixes,
};

#[derive(Clone, Copy, PartialEq)]
enum Lane {
    /// `target/debug`.
    Workspace,
    /// The C library as it is installed.
    Library,
    /// `.venv`, and the wheel.
    Python,
    JavaScript,
    Embedded,
    Fuzz,
    /// None: the step only reads sources.
    Sources,
}

struct Step {
    name: &'static str,
    about: &'static str,
    lane: Lane,
    /// Whether `cargo xtask check` includes the step.
    is_quick: bool,
    /// The file or folder without which the step is skipped.
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
    Step { name, about, lane, is_quick: false, needs, run }
}

/// Includes the step in `cargo xtask check`.
const fn quick(step: Step) -> Step {
    Step { is_quick: true, ..step }
}

/// Quick steps that often fail come first, then the longest ones.
const STEPS: &[Step] = &[
    quick(step("fmt", Lane::Sources, "core", "the Rust code is formatted", rust::fmt)),
    quick(step(
        "layers",
        Lane::Sources,
        "core",
        "the modules of the core import only lower layers",
        layers::run,
    )),
    quick(step(
        "python-lint",
        Lane::Python,
        "python/pyproject.toml",
        "ruff reports nothing",
        python::lint,
    )),
    quick(step("rust-clippy", Lane::Workspace, "core", "clippy reports nothing", rust::clippy)),
    quick(step(
        "core",
        Lane::Workspace,
        "core",
        "the tests of the core pass: conformance vectors, properties, no allocation",
        rust::core,
    )),
    quick(step(
        "c-gcc",
        Lane::Workspace,
        "ffi-c/tests",
        "the C and C++ programs pass, compiled by gcc, with overflow checks in the library",
        c::gcc,
    )),
    quick(step(
        "python-tests",
        Lane::Python,
        "python/tests",
        "the wheel is built and installed, and its tests pass; engines have their own step",
        python::tests,
    )),
    step(
        "js",
        Lane::JavaScript,
        "js/package.json",
        "the npm package gives the native answers; with --long in Bun, Deno, workerd, Chromium and bundlers, too",
        js::tests,
    ),
    step(
        "fuzz",
        Lane::Fuzz,
        "fuzz/fuzz_targets",
        "all fuzz targets run their seeds and new inputs without a failure",
        fuzz::briefly,
    ),
    step(
        "rust-tests",
        Lane::Workspace,
        "core",
        "the tests of the other crates and of the feature serde pass",
        rust::tests,
    ),
    step(
        "nopanic",
        Lane::Library,
        "xtask/nopanic",
        "the linker proves that no panic is reachable",
        nopanic::run,
    ),
    step(
        "embedded",
        Lane::Embedded,
        "embedded",
        "firmware for a Cortex-M3 in QEMU prints the same as the host; no heap, no panic, no recursion",
        embedded::run,
    ),
    step(
        "features",
        Lane::Workspace,
        "core",
        "all selections of formats and parts compile, and parsing reports disabled formats",
        features::run,
    ),
    step(
        "rust-docs",
        Lane::Workspace,
        "core",
        "the examples in the documentation run, and the documentation builds without warnings",
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
        "the pages and tables from the core's lists are up to date",
        |shell| docs::run(shell, true),
    ),
    step(
        "model",
        Lane::Workspace,
        "xtask/docs",
        "what is written from the table of the model is up to date",
        |shell| model::run(shell, true),
    ),
    step("notices", Lane::Sources, "THIRD-PARTY.md", "THIRD-PARTY.md is up to date", |shell| {
        notices::run(shell, true)
    }),
    step(
        "suffixes",
        Lane::Sources,
        "core/src/syntax/url",
        "the table of the Public Suffix List is up to date",
        |shell| suffixes::run(shell, true),
    ),
    step(
        "header",
        Lane::Library,
        "ffi-c/Cargo.toml",
        "include/agentsdisc.h is up to date",
        |shell| header::run(shell, true),
    ),
    step("c-abi", Lane::Library, "ffi-c/abi", "ffi-c/abi is up to date", |shell| {
        abi::run(shell, abi::Mode::Check)
    }),
    step(
        "kit",
        Lane::Workspace,
        "conformance/kit",
        "the conformance kit passes in Rust, C and C++; the tests of the packages run it in Python and JavaScript",
        kit::run,
    ),
    step(
        "c-clang",
        Lane::Library,
        "ffi-c/tests",
        "the C and C++ programs pass, compiled by clang, with both installed libraries",
        c::clang,
    ),
    step(
        "c-install",
        Lane::Library,
        "ffi-c/tests/install",
        "clients use the installed library through pkg-config and CMake; its size and symbols are right",
        c_install::run,
    ),
    step(
        "c-reference",
        Lane::Sources,
        "ffi-c/Doxyfile",
        "doxygen builds the reference of the headers, in which every function has its section",
        c::reference,
    ),
    step(
        "packages",
        Lane::Library,
        "core/README.md",
        "the package of the core is complete, and compiles as it would be published",
        rust::packages,
    ),
    step(
        "instructions",
        Lane::Library,
        "ffi-c/overhead/instructions.txt",
        "small documents take no more instructions than recorded, in Rust and C",
        |shell| instructions::run(shell, true),
    ),
    step(
        "c-sanitizers",
        Lane::Workspace,
        "ffi-c/tests",
        "the C and C++ programs pass with the address and undefined behaviour sanitizers",
        c::sanitizers,
    ),
    step(
        "c-valgrind",
        Lane::Workspace,
        "ffi-c/tests",
        "with --long, the C and C++ programs pass under valgrind",
        c::valgrind,
    ),
    step(
        "python-types",
        Lane::Python,
        "python/pyproject.toml",
        "mypy --strict passes on the package; its stubs agree with the module",
        python::types,
    ),
    step(
        "python-engines",
        Lane::Python,
        "python/requirements-engines.txt",
        "Spark, Ray, polars and DuckDB receive the results of parse_batch",
        python::engines,
    ),
    step(
        "python-frameworks",
        Lane::Python,
        "python/requirements-frameworks.txt",
        "with --long, the recipes for LangChain, OpenAI Agents, Pydantic AI, LlamaIndex and Scrapy run",
        python::frameworks,
    ),
    step(
        "site",
        Lane::Python,
        "xtask/site",
        "the documentation site is up to date, builds without a broken link, and passes our own check",
        site::check,
    ),
];

/// A step that ran.
struct Ran {
    name: &'static str,
    ended: Ended,
    time: Duration,
    /// The part of the time in which cargo compiled or waited for another build.
    building: Duration,
}

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

/// The command whose steps run.
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
        steps.iter().for_each(|step| println!("{:<14} {}", step.name, step.about));
        return ExitCode::SUCCESS;
    }
    // The output of parallel steps would mix on a terminal.
    let workers = if options.verbose {
        1
    } else {
        // Steps also wait, for servers and for compilers with one thread.
        std::thread::available_parallelism().map_or(1, |count| (count.get() + 1).min(4))
    };
    let started = Instant::now();
    let results = run_all(&steps, workers, options.verbose);
    report(suite, &results, started.elapsed())
}

/// The shared state of the workers.
struct Progress {
    /// Indexes of the steps that have not begun, in order.
    waiting: Vec<usize>,
    busy: Vec<Lane>,
    results: Vec<Ran>,
}

/// Runs the steps in parallel; the results are in the order in which the steps ended.
fn run_all(steps: &[&Step], workers: usize, verbose: bool) -> Vec<Ran> {
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
                    let head = format!("[{:>2}/{}] {:<14}", index + 1, steps.len(), step.name);
                    let ran = run(step, &head, workers, verbose);
                    let mut progress = lock(&progress);
                    progress.results.push(ran);
                    progress.busy.retain(|lane| *lane != step.lane);
                    freed.notify_all();
                }
            });
        }
    });
    progress.into_inner().unwrap_or_else(PoisonError::into_inner).results
}

fn lock(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the first waiting step with a free lane, and waits if there is none; `None` if no steps
/// are left.
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
            steps.get(*index).is_some_and(|step| !progress.busy.contains(&step.lane))
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

fn run(step: &Step, head: &str, workers: usize, verbose: bool) -> Ran {
    let started = Instant::now();
    if verbose {
        eprintln!("{head} {}", step.about);
    }
    // A progress line that is rewritten needs one step at a time.
    let line = if workers == 1 { head } else { "" };
    let opened =
        if verbose { Ok(Shell::loud()) } else { Shell::logged(step.name, line.to_owned()) };
    let (ended, log) = match opened {
        Ok(mut shell) => {
            let ended = settle((step.run)(&mut shell));
            shell.clear_progress();
            (ended, shell.log_text())
        }
        Err(stop) => (settle(Err(stop)), String::new()),
    };
    let time = started.elapsed();
    let (word, note) = ended.words();
    let first = note.lines().next().unwrap_or_default();
    let mut text = format!("{head} {word:<8}{:>6.1} s  {first}", time.as_secs_f64());
    if let Ended::Failed(why) = &ended {
        text += &format!(
            "\n\n──── {}: {}\n{}\n{why}\n────\n",
            step.name,
            step.about,
            shell::end_of(step.name, &log)
        );
    }
    // In one call, so that the text of two steps does not mix.
    eprintln!("{text}");
    Ran { name: step.name, ended, time, building: shell::building(&log) }
}

fn settle(outcome: Outcome) -> Ended {
    match outcome {
        Ok(note) => Ended::Passed(note),
        Err(Stop::Failed(why) | Stop::Usage(why)) => Ended::Failed(why),
        Err(Stop::NotHere(why)) => Ended::Skipped(why),
        Err(Stop::Missing { what, install }) => {
            let why = format!("{what} is missing; install it: {install}");
            if tools::is_ci() { Ended::Failed(why) } else { Ended::Skipped(why) }
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

/// Prints the steps, the longest first, and the totals.
fn report(suite: Suite, results: &[Ran], whole: Duration) -> ExitCode {
    let mut longest: Vec<&Ran> = results.iter().collect();
    longest.sort_by_key(|ran| std::cmp::Reverse(ran.time));
    println!("\n{:<14} {:<8} {:>7} {:>8}  note", "step", "result", "seconds", "building");
    for Ran { name, ended, time, building } in longest {
        let (word, note) = ended.words();
        let (time, building) = (time.as_secs_f64(), building.as_secs_f64());
        let first = note.lines().next().unwrap_or_default();
        println!("{name:<14} {word:<8} {time:>7.1} {building:>8.1}  {first}");
    }
    let sum = |of: fn(&Ran) -> Duration| results.iter().map(of).sum::<Duration>().as_secs_f64();
    println!(
        "{:<14} {:<8} {:>7.1} {:>8.1}  in {:.1} s, because steps run in parallel",
        "sum",
        "",
        sum(|ran| ran.time),
        sum(|ran| ran.building),
        whole.as_secs_f64()
    );
    let failed: Vec<&str> = results
        .iter()
        .filter(|ran| matches!(ran.ended, Ended::Failed(_)))
        .map(|ran| ran.name)
        .collect();
    let skipped = results.iter().filter(|ran| matches!(ran.ended, Ended::Skipped(_))).count();
    let passed = results.len() - failed.len() - skipped;
    println!();
    match (failed.as_slice(), passed, skipped) {
        ([], 0, _) => {
            println!("No step ran: none is selected, or none is supported on this system.")
        }
        ([], _, 0) => println!("Everything passed."),
        ([], ..) => {
            println!("All steps that ran passed; the table lists what the skipped steps need.")
        }
        (names, ..) => println!(
            "Failed: {}. Run them again: cargo xtask {} --verbose --only {}",
            names.join(", "),
            if suite == Suite::Check { "check" } else { "test" },
            names.join(",")
        ),
    }
    println!("{passed} passed, {} failed, {skipped} skipped", failed.len());
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parse(arguments: &[String]) -> Result<Options, Stop> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let (flag, attached) = argument
            .split_once('=')
            .map_or((argument.as_str(), None), |(flag, value)| (flag, Some(value.to_owned())));
        match flag {
            "--list" => options.list = true,
            "--verbose" | "-v" => options.verbose = true,
            "--long" => options.long = true,
            "--only" | "--skip" => {
                let value = attached.or_else(|| rest.next().cloned());
                let value = value.ok_or_else(|| {
                    Stop::Usage(format!(
                        "{flag} needs the names of steps, for example {flag} fmt,rust-tests"
                    ))
                })?;
                let names = if flag == "--only" { &mut options.only } else { &mut options.skip };
                names.extend(
                    value
                        .split(',')
                        .map(str::trim)
                        .filter(|name| !name.is_empty())
                        .map(str::to_owned),
                );
            }
            _ => return Err(Stop::Usage(format!("unknown option `{argument}`"))),
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
            "unknown step `{unknown}`; the steps are {}",
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

/// A name selects the step of that name, and all steps whose names begin with it and a hyphen.
fn selects(name: &str, step: &str) -> bool {
    step.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}
