//! `cargo xtask demo`: from a fresh checkout to Parquet. Installs what it needs, reads the
//! documents under `samples/` with the command line of the wheel, and shows the result; then
//! generates a crawl of many sites, reads it, counts what it says about AI preferences, references
//! and links, makes a registry of it, and searches that.

use std::process::Command;
use std::time::Instant;

use crate::python;
use crate::shell::{Outcome, Shell, Stop, cannot, failed, make_folder};
use crate::tools::{self, exists};

const OUTPUT: &str = "demo-out/samples.parquet";
const CRAWL: &str = "demo-out/crawl.warc.gz";
const CRAWLED: &str = "demo-out/crawl.parquet";
const REGISTRY: &str = "demo-out/registry.db";
/// The number of sites in the crawl; its content depends only on the seed.
const SITES: &str = "20000";

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    if !exists("python/pyproject.toml") {
        return failed("python/pyproject.toml is missing, so no wheel can be built");
    }
    if !exists("samples") {
        return failed("samples/ contains no documents");
    }
    let started = Instant::now();
    eprintln!("Setting up .venv with the wheel (the first time this takes a minute or two) …");
    let mut quiet = Shell::logged("demo", "  working".into())?;
    let ready = python::for_users(&mut quiet);
    quiet.clear_progress();
    let python = match ready {
        Ok(python) => python,
        Err(Stop::Failed(why)) => return failed(format!("{why}\n{}", quiet.log_text())),
        Err(stop) => return Err(stop),
    };
    eprintln!("Ready after {:.1} s.\n", started.elapsed().as_secs_f64());

    make_folder(&shell.root.join("demo-out"))?;
    let size = ingest(shell, "samples", OUTPUT)?;
    eprintln!();
    shell.run(Command::new(&python).args(["xtask/src/demo.py", "samples"]))?;

    eprintln!("\nA crawl of {SITES} generated sites, with other pages as in real crawls:");
    let make = [
        "run",
        "--quiet",
        "--release",
        "--locked",
        "-p",
        "agentsdisc-generator",
        "--",
        "warc",
        CRAWL,
        "--count",
        SITES,
        "--seed",
        "1",
    ];
    shell.run(&mut tools::cargo(&make))?;
    let crawled = ingest(shell, CRAWL, CRAWLED)?;

    eprintln!("\nWhat these sites say about the use of their content, refer to and link to:");
    shell.run(Command::new(&python).args(["xtask/src/demo_crawl.py", CRAWL]))?;

    eprintln!("\nA registry of what was read, and a search over it:");
    let build = ["registry", "build", CRAWLED, "--store", REGISTRY];
    shell.run(Command::new(python::script(shell, "agentsdisc")).args(build))?;
    let search = ["xtask/src/demo_search.py", REGISTRY, "search products"];
    shell.run(Command::new(&python).args(search))?;

    let lint = python::script(shell, "agentsdisc");
    let lint = lint.strip_prefix(&shell.root).unwrap_or(&lint).display().to_string();
    let next =
        format!("Next, for instance: {lint} lint samples/shop.example/.well-known/agents.txt");
    Ok(format!(
        "\nWritten: {OUTPUT} ({size} bytes), {CRAWLED} ({crawled} bytes), {REGISTRY}. {next}"
    ))
}

/// Reads an input into a new file and prints its size.
fn ingest(shell: &mut Shell, input: &str, output: &str) -> Result<u64, Stop> {
    let file = shell.root.join(output);
    if file.exists() {
        std::fs::remove_file(&file).map_err(|e| cannot("remove", &file, &e))?;
    }
    shell.run(Command::new(python::script(shell, "agentsdisc")).args([
        "ingest",
        input,
        "-o",
        output,
        "--restart",
    ]))?;
    Ok(std::fs::metadata(&file).map_err(|e| cannot("find", &file, &e))?.len())
}
