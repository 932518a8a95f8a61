//! `cargo xtask test --only features`: any choice of formats and parts can be built, and reads what it says.
//!
//! Not every choice is tried: no family, each family and each single format alone, each part with one family. What is built in is tested with no family,
//! with all, with either half of them, and with one format of each family that has two.

use crate::rust::CORE;
use crate::shell::{Outcome, Shell, failed, read};
use crate::tools::{cargo, exists, section};

const C: &str = "agentsdisc-c";

/// The families of formats.
const FAMILIES: [&str; 6] = [
    "agents-txt",
    "agents-json",
    "agents-md",
    "awp",
    "adp",
    "robots-txt",
];
/// One format of a family that has two.
const SINGLE: [&str; 4] = [
    "agents-txt-draft",
    "agents-txt-01",
    "agents-json-draft",
    "agents-json-01",
];
/// What is done with them besides reading.
const PARTS: [&str; 5] = ["policy", "discovery", "check", "write", "json"];

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    for manifest in ["core/Cargo.toml", "ffi-c/Cargo.toml"]
        .into_iter()
        .filter(|manifest| exists(manifest))
    {
        complete(shell, manifest)?;
    }
    // What is read and what is not: without any family, with all, and each of them once among those that are built in and once among the others.
    let [one, two, three, other, others @ ..] = FAMILIES;
    let halves = [
        [one, two, three].join(","),
        [&[other], &others[..]].concat().join(","),
    ];
    for set in [String::new(), "discovery,policy".into(), "full".into()]
        .iter()
        .chain(&halves)
    {
        test(shell, set)?;
    }
    test(
        shell,
        &format!("policy,{}", [SINGLE[0], SINGLE[3]].join(",")),
    )?;
    // Whether all can be built, without a warning: each family and each single format alone, each part with one family; in the C library as well, which has the same.
    for formats in FAMILIES.iter().chain(&SINGLE) {
        lint(shell, formats)?;
    }
    for part in PARTS {
        lint(shell, &format!("agents-txt,{part}"))?;
    }
    Ok(format!("{}; {}", FAMILIES.join(", "), PARTS.join(", ")))
}

/// Every feature of a crate that `full` stands for is one that is tried here, and the other way round.
fn complete(shell: &mut Shell, manifest: &str) -> Outcome {
    let text = read(&shell.root.join(manifest))?;
    let full = section(&text, "features")
        .find_map(|line| line.strip_prefix("full = "))
        .unwrap_or_default();
    let known = |name: &str| FAMILIES.contains(&name) || PARTS.contains(&name);
    let names: Vec<&str> = full.split('"').skip(1).step_by(2).collect();
    let missing = FAMILIES
        .iter()
        .chain(&PARTS)
        .find(|name| !names.contains(name));
    match (names.iter().find(|name| !known(name)), missing) {
        (Some(name), _) => failed(format!(
            "{manifest} has the feature `{name}`, which xtask/src/features.rs does not try"
        )),
        (_, Some(name)) => failed(format!("{manifest} does not have `{name}` in `full`")),
        (None, None) => Ok(String::new()),
    }
}

fn test(shell: &mut Shell, features: &str) -> Outcome {
    // Unoptimised: it is compiled for every set, and runs for an instant.
    let arguments = [
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
    shell.run(cargo(&arguments).env("CARGO_PROFILE_TEST_OPT_LEVEL", "0"))?;
    Ok(String::new())
}

fn lint(shell: &mut Shell, features: &str) -> Outcome {
    let mut command = cargo(&["clippy", "-q", "--lib", "--no-default-features", "-p", CORE]);
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
    shell.run(command.args(["--", "-D", "warnings"]))?;
    Ok(String::new())
}
