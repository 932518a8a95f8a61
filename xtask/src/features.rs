//! `cargo xtask test --only features`: any choice of formats and parts can be built, and reads what it says.
//!
//! Not every choice is tried: each family of formats alone, each part with one family, and neither. What one leaves out, another may need by mistake
//! only in pairs of a part and a family that share code, and these share it all through the tables in `core/src/format/mod.rs`.

use crate::rust::CORE;
use crate::shell::{Outcome, Shell, failed, read};
use crate::tools::{cargo, exists, section};

/// The families of formats.
const FAMILIES: [&str; 6] = ["agents-txt", "agents-json", "agents-md", "awp", "adp", "robots-txt"];
/// What is done with them besides reading.
const PARTS: [&str; 5] = ["policy", "discovery", "check", "write", "json"];

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    for manifest in ["core/Cargo.toml", "ffi-c/Cargo.toml"].into_iter().filter(|manifest| exists(manifest)) {
        complete(shell, manifest)?;
    }
    // What is read and what is not: without any family, with each, and with all.
    for family in ["", "discovery,policy"].into_iter().chain(FAMILIES) {
        test(shell, &["--no-default-features", "--features", family])?;
    }
    test(shell, &[])?;
    // Whether the parts can be built, warnings and all. The C library has every part as well.
    for part in PARTS {
        check(shell, CORE, &format!("agents-txt,{part}"))?;
        if exists("ffi-c/Cargo.toml") {
            check(shell, "agentsdisc-c", &format!("std,agents-txt,{part}"))?;
        }
    }
    Ok(format!("none, {}, all; {}", FAMILIES.join(", "), PARTS.join(", ")))
}

/// Every feature of a crate that `full` stands for is one that is tried here, and the other way round.
fn complete(shell: &mut Shell, manifest: &str) -> Outcome {
    let text = read(&shell.root.join(manifest))?;
    let full = section(&text, "features").find_map(|line| line.strip_prefix("full = ")).unwrap_or_default();
    let known = |name: &str| FAMILIES.contains(&name) || PARTS.contains(&name);
    let names: Vec<&str> = full.split('"').skip(1).step_by(2).collect();
    let missing = FAMILIES.iter().chain(&PARTS).find(|name| !names.contains(name));
    match (names.iter().find(|name| !known(name)), missing) {
        (Some(name), _) => failed(format!("{manifest} has the feature `{name}`, which xtask/src/features.rs does not try")),
        (_, Some(name)) => failed(format!("{manifest} does not have `{name}` in `full`")),
        (None, None) => Ok(String::new()),
    }
}

fn test(shell: &mut Shell, features: &[&str]) -> Outcome {
    // Unoptimised: it is compiled for every set, and runs for an instant.
    shell.run(cargo(&["test", "-q", "-p", CORE, "--test", "built_in"]).args(features).env("CARGO_PROFILE_TEST_OPT_LEVEL", "0"))?;
    Ok(String::new())
}

fn check(shell: &mut Shell, package: &str, features: &str) -> Outcome {
    let arguments = ["clippy", "-q", "-p", package, "--lib", "--no-default-features", "--features", features, "--", "-D", "warnings"];
    shell.run(&mut cargo(&arguments))?;
    Ok(String::new())
}
