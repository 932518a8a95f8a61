//! `cargo xtask test --only features`: all selections of formats and parts compile, and parsing
//! reports formats that are left out.
//!
//! Compiled without warnings: each family alone, and each part with one family, in the core and in
//! the C library. Tested: the empty selection, and one format of each family of two, with a part.
//! `--long` also compiles each single format alone, and tests each family alone, two parts without a
//! format, and everything.

use crate::rust::CORE;
use crate::shell::{Outcome, Shell, failed, read};
use crate::tools::{self, cargo, exists, section};

const C: &str = "agentsdisc-c";

/// The families of formats.
const FAMILIES: [&str; 10] = [
    "agents-txt",
    "agents-json",
    "agents-md",
    "awp",
    "adp",
    "robots-txt",
    "llms-txt",
    "a2a",
    "mcp-card",
    "catalogs",
];
/// One format of each family of two.
const SINGLE: [&str; 4] =
    ["agents-txt-draft", "agents-txt-01", "agents-json-draft", "agents-json-01"];
/// The features for more than reading.
const PARTS: [&str; 6] = ["policy", "call", "discovery", "check", "write", "json"];

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    for manifest in
        ["core/Cargo.toml", "ffi-c/Cargo.toml"].into_iter().filter(|manifest| exists(manifest))
    {
        complete(shell, manifest)?;
    }
    test(shell, "")?;
    let [draft, .., json_01] = SINGLE;
    test(shell, &format!("policy,{draft},{json_01}"))?;
    if tools::is_long() {
        for set in FAMILIES.into_iter().chain(["discovery,policy", "full"]) {
            test(shell, set)?;
        }
    }
    for formats in FAMILIES {
        compile(shell, formats)?;
    }
    for part in PARTS {
        compile(shell, &format!("agents-txt,{part}"))?;
    }
    if tools::is_long() {
        for format in SINGLE {
            compile(shell, format)?;
        }
        // As in a fresh clone: tests without serde and psl.
        let arguments = ["clippy", "-q", "-p", CORE, "--all-targets", "--", "-D", "warnings"];
        shell.run(&mut cargo(&arguments))?;
    }
    Ok(format!("{}; {}", FAMILIES.join(", "), PARTS.join(", ")))
}

/// Fails if `full` of a crate and the tables of this file name different features.
fn complete(shell: &mut Shell, manifest: &str) -> Outcome {
    let text = read(&shell.root.join(manifest))?;
    let full = section(&text, "features")
        .find_map(|line| line.strip_prefix("full = "))
        .unwrap_or_default();
    let known = |name: &str| FAMILIES.contains(&name) || PARTS.contains(&name);
    let names: Vec<&str> = full.split('"').skip(1).step_by(2).collect();
    let missing = FAMILIES.iter().chain(&PARTS).find(|name| !names.contains(name));
    match (names.iter().find(|name| !known(name)), missing) {
        (Some(name), _) => failed(format!(
            "{manifest} has the feature `{name}`, which xtask/src/features.rs does not list"
        )),
        (_, Some(name)) => failed(format!("{manifest} does not have `{name}` in `full`")),
        (None, None) => Ok(String::new()),
    }
}

fn test(shell: &mut Shell, features: &str) -> Outcome {
    // The core is not optimised, because it is compiled for each selection and runs quickly.
    let arguments = [
        "--config",
        &format!("profile.test.package.{CORE}.opt-level=0"),
        "test",
        "-q",
        "-p",
        CORE,
        "--test",
        "built_in",
        "--no-default-features",
        "--features",
        features,
    ];
    shell.run(&mut cargo(&arguments))?;
    Ok(String::new())
}

/// Compiles a selection. Clippy is slower, and has its own step, with all features.
fn compile(shell: &mut Shell, features: &str) -> Outcome {
    let mut command = cargo(&["check", "-q", "--lib", "--no-default-features", "-p", CORE]);
    if exists("ffi-c/Cargo.toml") {
        let features: Vec<String> = ["std"]
            .into_iter()
            .chain(features.split(','))
            .map(|name| format!("{C}/{name}"))
            .collect();
        command.args(["-p", C, "--features", &features.join(",")]);
    } else {
        command.args(["--features", features]);
    }
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    shell.run(command.env("RUSTFLAGS", format!("{flags} -D warnings")))?;
    Ok(String::new())
}
