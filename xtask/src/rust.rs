//! The checks that cargo itself does.

use crate::shell::{Outcome, Shell, failed};
use crate::tools::{self, cargo, exists, has, package};

pub(crate) const CORE: &str = "agentsdisc-core";

/// Not linked outside the wheel: an extension module leaves the symbols of Python to the interpreter that loads it.
const PYTHON: &str = "agentsdisc-python";

/// Python's crate needs an interpreter to link; the benchmarks have no tests, but many peers to compile. Clippy looks at both.
fn without_others() -> Vec<&'static str> {
    let left_out = [
        ("python/Cargo.toml", PYTHON),
        ("benches/Cargo.toml", "agentsdisc-benches"),
    ];
    left_out
        .iter()
        .filter(|(manifest, _)| exists(manifest))
        .flat_map(|(_, package)| ["--exclude", package])
        .collect()
}

pub(crate) fn fmt(shell: &mut Shell) -> Outcome {
    tools::need("rustfmt")?;
    shell.run(&mut cargo(&["fmt", "--all", "--check"]))?;
    for folder in [
        "embedded/peer",
        "embedded/rust",
        "fuzz",
        "xtask/header",
        "xtask/nopanic",
    ]
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
    // PyO3 asks an interpreter what it is built for, even where nothing is linked.
    if exists("python/Cargo.toml")
        && !tools::has("python3")
        && !tools::has("python")
        && std::env::var_os("PYO3_PYTHON").is_none()
    {
        command.args(without_others());
        note = "without the Python crate, as there is no Python".into();
    }
    shell.run(command.args(["--", "-D", "warnings"]))?;
    Ok(note)
}

pub(crate) fn tests(shell: &mut Shell) -> Outcome {
    // Examples of the documentation have a step of their own; benchmarks are not tests.
    shell.run(
        cargo(&[
            "test",
            "--workspace",
            "--lib",
            "--bins",
            "--tests",
            "--examples",
        ])
        .args(without_others()),
    )?;
    Ok(String::new())
}

/// What costs dependencies: every vector with each, and what it adds. The whole suite runs in `rust-tests`.
pub(crate) fn features(shell: &mut Shell) -> Outcome {
    for set in ["serde", "psl", "serde,psl"] {
        let mut arguments = vec!["test", "-p", CORE, "--features", set, "--test", "all"];
        if set.contains("serde") {
            arguments.extend(["--test", "serde"]);
        }
        shell.run(&mut cargo(&arguments))?;
    }
    Ok("serde, psl, both".into())
}

pub(crate) fn docs(shell: &mut Shell) -> Outcome {
    shell.run(cargo(&["test", "--workspace", "--doc"]).args(without_others()))?;
    shell.run(&mut cargo(&[
        "test",
        "-p",
        "agentsdisc-core",
        "--doc",
        "--all-features",
    ]))?;
    let mut command = cargo(&["doc", "--workspace", "--no-deps", "--all-features"]);
    shell.run(
        command
            .args(without_others())
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    Ok(String::new())
}

pub(crate) fn no_std(shell: &mut Shell) -> Outcome {
    const BARE_METAL: &str = "thumbv7m-none-eabi";
    // Alone: within a workspace build another member's features would count as well.
    shell.run(&mut cargo(&[
        "build",
        "-p",
        "agentsdisc-core",
        "--no-default-features",
    ]))?;
    shell.run(&mut cargo(&[
        "build",
        "-p",
        "agentsdisc-core",
        "--all-features",
    ]))?;
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let sysroot = shell.output(std::process::Command::new(rustc).args(["--print", "sysroot"]))?;
    if !std::path::Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(BARE_METAL)
        .is_dir()
    {
        return Ok(format!(
            "host only; with `rustup target add {BARE_METAL}` bare metal is built too"
        ));
    }
    for features in ["--no-default-features", "--all-features"] {
        shell.run(&mut cargo(&[
            "build",
            "-p",
            "agentsdisc-core",
            features,
            "--target",
            BARE_METAL,
        ]))?;
    }
    Ok(format!("host and {BARE_METAL}"))
}

/// Measures ours beside all peers in one run, and writes the page that says what came of it.
pub(crate) fn performance(shell: &mut Shell, arguments: &[String]) -> Outcome {
    const PAGE: &str = "docs/performance.md";
    let mut command = cargo(&[
        "run",
        "--release",
        "-p",
        "agentsdisc-benches",
        "--bin",
        "table",
        "--",
    ]);
    // simdjson's On-Demand is twice as fast by clang as by some gcc: it gets what is best for it.
    if std::env::var_os("CXX").is_none() && has("clang++") {
        command.env("CXX", "clang++");
    }
    shell.run(command.args(["--write", PAGE]).args(arguments))?;
    Ok(format!("{PAGE} is written"))
}

pub(crate) fn bench(shell: &mut Shell, arguments: &[String]) -> Outcome {
    if package("benches").is_none() {
        return failed("there is no package in benches/");
    }
    let mut command = cargo(&["bench", "--manifest-path", "benches/Cargo.toml"]);
    if !arguments.is_empty() {
        // Cargo takes what is before a `--` of the caller, criterion what is after it or what is no option.
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
