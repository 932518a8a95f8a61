//! `cargo xtask test --only features`: all selections of formats and parts compile, and parsing
//! reports formats that are left out.
//!
//! Compiled without warnings: each part with one family, in the core and in the C library. Tested:
//! the empty selection, and one format of each family of two, with a part. `--long` also compiles
//! each family and each single format alone, and tests each family alone, two parts without a
//! format, and everything.

use crate::rust::CORE;
use crate::shell::{Outcome, Shell, Stop, failed, read};
use crate::tools::{self, cargo, exists, section};

const C: &str = "agentsdisc-c";

/// The features for more than reading.
const PARTS: [&str; 6] = ["policy", "call", "discovery", "check", "write", "json"];

/// The features of formats, as the manifest of the core lists them.
struct Formats {
    /// The families: what `full` has besides [`PARTS`].
    families: Vec<String>,
    /// The formats of families of two.
    single: Vec<String>,
}

impl Formats {
    fn read(shell: &Shell) -> Result<Self, Stop> {
        let mut families = full(shell, "core/Cargo.toml")?;
        families.retain(|name| !PARTS.contains(&name.as_str()));
        let text = read(&shell.root.join("core/Cargo.toml"))?;
        let single = section(&text, "features").filter_map(|line| line.split_once(" = "));
        let single = single.filter(|(name, _)| families.iter().any(|family| family == name));
        let single = single.flat_map(|(_, formats)| names(formats)).collect();
        Ok(Self { families, single })
    }
}

/// Returns the names in a list of a manifest, without those of optional dependencies.
pub(crate) fn names(list: &str) -> impl Iterator<Item = String> {
    let names = list.split('"').skip(1).step_by(2);
    names.filter(|name| !name.starts_with("dep:")).map(str::to_owned)
}

/// Returns the features that `full` of a crate enables.
fn full(shell: &Shell, manifest: &str) -> Result<Vec<String>, Stop> {
    let text = read(&shell.root.join(manifest))?;
    let list = section(&text, "features").find_map(|line| line.strip_prefix("full = "));
    Ok(names(list.unwrap_or_default()).collect())
}

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    let Formats { families, single } = Formats::read(shell)?;
    let ours = full(shell, "core/Cargo.toml")?;
    if let Some(part) = PARTS.iter().find(|part| !ours.iter().any(|name| name == *part)) {
        return failed(format!("core/Cargo.toml does not have `{part}` in `full`"));
    }
    if exists("ffi-c/Cargo.toml") && full(shell, "ffi-c/Cargo.toml")? != ours {
        return failed("`full` of ffi-c/Cargo.toml and core/Cargo.toml differ");
    }
    test(shell, "")?;
    if let [first, .., last] = single.as_slice() {
        test(shell, &format!("policy,{first},{last}"))?;
    }
    if tools::is_long() {
        for set in families.iter().map(String::as_str).chain(["discovery,policy", "full"]) {
            test(shell, set)?;
        }
    }
    for part in PARTS {
        compile(shell, &format!("agents-txt,{part}"))?;
    }
    if tools::is_long() {
        for format in families.iter().chain(&single) {
            compile(shell, format)?;
        }
        // Tests without serde, as in a fresh clone, and also without psl.
        for features in [&[][..], &["--no-default-features", "--features", "full"]] {
            let mut command = cargo(&["clippy", "-q", "-p", CORE, "--all-targets"]);
            shell.run(command.args(features).args(["--", "-D", "warnings"]))?;
        }
    }
    let note = format!("agents-txt with {}", PARTS.join(", "));
    Ok(if tools::is_long() { format!("{note}; {}", families.join(", ")) } else { note })
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
    shell.run(cargo(&arguments).env("AGENTSDISC_FEATURES", features))?;
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
