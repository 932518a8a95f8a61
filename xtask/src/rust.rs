//! The checks that cargo runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, Shell, Stop, failed, read};
use crate::tools::{self, cargo, exists, has, package};

pub(crate) const CORE: &str = "agentsdisc-core";

/// This crate is linked only for the wheel: the interpreter that loads an extension module provides
/// the symbols of Python.
const PYTHON: &str = "agentsdisc-python";

/// The Python crate needs an interpreter to link. The benchmarks have no tests, and many
/// dependencies. Clippy checks both.
fn without_others() -> Vec<&'static str> {
    let left_out = [("python/Cargo.toml", PYTHON), ("benches/Cargo.toml", "agentsdisc-benches")];
    left_out
        .iter()
        .filter(|(manifest, _)| exists(manifest))
        .flat_map(|(_, package)| ["--exclude", package])
        .collect()
}

pub(crate) fn fmt(shell: &mut Shell) -> Outcome {
    tools::need("rustfmt")?;
    shell.run(&mut cargo(&["fmt", "--all", "--check"]))?;
    for folder in ["embedded/peer", "embedded/rust", "fuzz", "xtask/header", "xtask/nopanic"]
        .iter()
        .filter(|folder| exists(folder))
    {
        shell.run(&mut cargo(&[
            "fmt",
            "--check",
            "--manifest-path",
            &format!("{folder}/Cargo.toml"),
        ]))?;
    }
    Ok(String::new())
}

pub(crate) fn clippy(shell: &mut Shell) -> Outcome {
    tools::need("cargo-clippy")?;
    let mut command = cargo(&["clippy", "--workspace", "--all-targets", "--all-features"]);
    let mut note = String::new();
    // PyO3 asks an interpreter for its configuration even if nothing is linked.
    if exists("python/Cargo.toml")
        && !tools::has("python3")
        && !tools::has("python")
        && std::env::var_os("PYO3_PYTHON").is_none()
    {
        command.args(without_others());
        note = "without the Python crate, because no Python was found".into();
    }
    shell.run(command.args(["--", "-D", "warnings"]))?;
    Ok(note)
}

/// The features of the core in all debug builds.
const SHARED: &str = "agentsdisc-core/serde,agentsdisc-core/identity,agentsdisc-core/readiness";

/// The program in Rust that the conformance kit runs, an example of the core.
pub(crate) const ADAPTER: &str = "conformance-adapter";

/// Returns a command for the workspace, with the arguments that all debug builds have in common.
/// Cargo derives the features of a dependency from the selected packages and their
/// dev-dependencies. A build with another selection would therefore compile the core again. With
/// `build`, `--example` includes the dev-dependencies.
fn shared(verb: &str) -> Command {
    let mut command = cargo(&[verb, "--workspace", "--features", SHARED]);
    command.args(without_others());
    command
}

/// The core's tests, except the examples of the documentation, which are a separate step. Only the
/// core has dev-dependencies with features, so a build of the core alone still shares the results
/// of [`shared`].
pub(crate) fn core(shell: &mut Shell) -> Outcome {
    every_module_is_listed(shell)?;
    let targets = ["--lib", "--tests"];
    shell.run(&mut long(cargo(&["test", "-p", CORE, "--features", SHARED]).args(targets)))?;
    if tools::is_long() {
        for features in [
            &["--features", "full,psl"][..],
            &["--features", "full,serde"],
            &["--features", "full"],
        ] {
            let arguments = ["test", "-p", CORE, "--no-default-features"];
            shell.run(cargo(&arguments).args(features).args(targets))?;
        }
        // Only an optimised program masks as fast as the limit asks for.
        let masking = ["--release", "--test", "all", "masking_a_large_text_is_fast"];
        shell.run(cargo(&["test", "-p", CORE, "--features", SHARED]).args(masking))?;
        return Ok("also without serde and psl, with each alone, and the speed of masking".into());
    }
    Ok(String::new())
}

/// Fails if a file of core/tests/all is not a module of main.rs, because its tests would not run.
fn every_module_is_listed(shell: &Shell) -> Result<(), Stop> {
    let folder = shell.root.join("core/tests/all");
    let main = read(&folder.join("main.rs"))?;
    for file in tools::files(&folder, "rs") {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        if name != "main" && !main.lines().any(|line| line == format!("mod {name};")) {
            return failed(format!("core/tests/all/main.rs lacks `mod {name};`"));
        }
    }
    Ok(())
}

/// With `--long`, runs more cases for each property.
fn long(command: &mut Command) -> Command {
    let mut again = Command::new(command.get_program());
    again.args(command.get_args());
    if tools::is_long() {
        again.env("AGENTSDISC_CASES", "20");
    }
    again
}

/// The tests of the other crates. The benchmarks have none, and Python tests the Python module.
pub(crate) fn tests(shell: &mut Shell) -> Outcome {
    let mut command = shared("test");
    command.args(["--lib", "--bins"]);
    for file in tools::files(&shell.root.join("ffi-c/tests"), "rs") {
        let name = file.file_stem().unwrap_or_default();
        command.arg("--test").arg(name);
    }
    shell.run(command.args(["--test", "archives"]))?;
    Ok(String::new())
}

/// Builds the C libraries with overflow checks and debug assertions in `target/debug`.
pub(crate) fn debug_library(shell: &mut Shell) -> Result<(), Stop> {
    shell.run(shared("build").args(["--lib", "--example", ADAPTER]))
}

/// Builds `xtask-docs`, and returns its path. Builds the same as the tests only with `check`: it
/// depends on the C library, which may not compile until its code is generated.
pub(crate) fn docs_program(shell: &mut Shell, check: bool) -> Result<PathBuf, Stop> {
    let mut command = shared("build");
    command.args(["--bin", "xtask-docs"]);
    if check {
        command.args(["--example", ADAPTER]);
    }
    shell.run(&mut command)?;
    let name = format!("xtask-docs{}", std::env::consts::EXE_SUFFIX);
    Ok(tools::target().join("debug").join(name))
}

pub(crate) fn docs(shell: &mut Shell) -> Outcome {
    shell.run(shared("test").arg("--doc"))?;
    let mut command = cargo(&["doc", "--workspace", "--no-deps", "--all-features"]);
    shell.run(command.args(without_others()).env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(String::new())
}

/// Makes the package of the core and compiles it, as `cargo publish` does, and looks for what it must
/// contain. Changes that are not committed are part of it.
pub(crate) fn packages(shell: &mut Shell) -> Outcome {
    let list = ["package", "-p", CORE, "--locked", "--allow-dirty", "--list"];
    let files = shell.output(&mut cargo(&list))?;
    for needed in ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "src/syntax/url/suffixes.bin"] {
        if !files.lines().any(|file| file == needed) {
            return failed(format!("the package of the core lacks {needed}"));
        }
    }
    let target = tools::scratch()?.join("packages");
    let make = ["package", "-p", CORE, "--locked", "--allow-dirty", "--target-dir"];
    shell.run(cargo(&make).arg(target))?;
    Ok(format!("{} files", files.lines().count()))
}

/// Compiles the core for bare metal without features and with all of them. `features` and
/// `embedded` compile selections.
pub(crate) fn no_std(shell: &mut Shell) -> Outcome {
    const BARE_METAL: &str = "thumbv7m-none-eabi";
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let sysroot = shell.output(Command::new(rustc).args(["--print", "sysroot"]))?;
    let libraries = Path::new(sysroot.trim()).join("lib/rustlib");
    let target =
        if libraries.join(BARE_METAL).is_dir() { &["--target", BARE_METAL][..] } else { &[] };
    for features in ["--no-default-features", "--all-features"] {
        // A separate build: in a build of the workspace, other members would add their features.
        shell.run(cargo(&["check", "-p", CORE, "--lib", features]).args(target))?;
    }
    Ok(if target.is_empty() {
        format!("only for the host; run `rustup target add {BARE_METAL}` to include bare metal")
    } else {
        BARE_METAL.into()
    })
}

/// Measures this library and its peers in one run, and writes the page with the results.
pub(crate) fn performance(shell: &mut Shell, arguments: &[String]) -> Outcome {
    const PAGE: &str = "docs/performance.md";
    let mut command =
        cargo(&["run", "--release", "-p", "agentsdisc-benches", "--bin", "table", "--"]);
    // simdjson's On-Demand is twice as fast with clang as with some versions of gcc; use the
    // fastest.
    if std::env::var_os("CXX").is_none() && has("clang++") {
        command.env("CXX", "clang++");
    }
    shell.run(command.args(["--write", PAGE]).args(arguments))?;
    Ok(format!("{PAGE} is written"))
}

pub(crate) fn bench(shell: &mut Shell, arguments: &[String]) -> Outcome {
    if package("benches").is_none() {
        return failed("benches/ contains no package");
    }
    let mut command = cargo(&["bench", "--manifest-path", "benches/Cargo.toml"]);
    if !arguments.is_empty() {
        // Arguments before `--` go to cargo; arguments after it, and those that are not options, go
        // to criterion.
        let (before, after) = match arguments.iter().position(|argument| argument == "--") {
            Some(at) => (
                arguments.get(..at).unwrap_or_default(),
                arguments.get(at + 1..).unwrap_or_default(),
            ),
            None => (&[] as &[String], arguments),
        };
        command.args(before).arg("--").args(after);
    }
    shell.run(&mut command)?;
    Ok(String::new())
}
