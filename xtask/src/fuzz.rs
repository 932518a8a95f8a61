//! `cargo xtask fuzz`: runs each target of cargo-fuzz for some seconds, from its seeds and with its
//! dictionary. All targets are built by one command.

use std::process::Command;

use crate::shell::{Outcome, Shell, Stop, failed, make_folder, read};
use crate::tools::{self, fuzz_cargo};

pub(crate) fn main(arguments: &[String]) -> Outcome {
    let (seconds, chosen) = match arguments {
        [] => (60, vec![]),
        [seconds] => (number(seconds)?, vec![]),
        [seconds, target] => (number(seconds)?, vec![target.as_str()]),
        [_, _, extra, ..] => {
            return Err(Stop::Usage(format!(
                "`fuzz` accepts only seconds and a target, not `{extra}`"
            )));
        }
    };
    let mut shell = Shell::loud();
    run(&mut shell, seconds, &chosen, false)
}

/// Runs each target for five seconds, or for ten with `--long`. Most of this step is compiling, so
/// the programs are optimised less than those that run for minutes.
pub(crate) fn briefly(shell: &mut Shell) -> Outcome {
    run(shell, if tools::is_long() { 10 } else { 5 }, &[], true)
}

fn number(text: &str) -> Result<u32, Stop> {
    text.parse().map_err(|_| {
        Stop::Usage(format!("`{text}` is not a valid number of seconds; write a whole number"))
    })
}

/// Runs the chosen targets, or all if none is chosen.
fn run(shell: &mut Shell, seconds: u32, chosen: &[&str], is_brief: bool) -> Outcome {
    let folder = shell.root.join("fuzz");
    let all = targets(&read(&folder.join("Cargo.toml"))?);
    if all.is_empty() {
        return failed("fuzz/Cargo.toml names no targets");
    }
    if let Some(unknown) = chosen.iter().find(|name| all.iter().all(|one| one != *name)) {
        let all = all.join(", ");
        return failed(format!("unknown fuzz target `{unknown}`; the targets are {all}"));
    }
    let is_chosen = |name: &&String| chosen.is_empty() || chosen.contains(&name.as_str());
    let targets: Vec<&String> = all.iter().filter(is_chosen).collect();
    let cargo = |arguments: &[&str]| -> Result<Command, Stop> {
        let mut command = fuzz_cargo(arguments)?;
        command.args(["--codegen-units", "16"]);
        if is_brief {
            command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
            if !tools::is_long() {
                // With one, some targets take minutes for their seeds.
                command.args(["--sanitizer", "none"]);
            }
        }
        // The toolchain that runs xtask must not affect the one that fuzzes.
        command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
        Ok(command)
    };
    if chosen.is_empty() {
        // One command compiles all of them at once.
        shell.run(&mut cargo(&["fuzz", "build"])?)?;
    }
    for target in &targets {
        // libFuzzer writes new inputs to the first folder, so the checked-in seeds stay unchanged.
        let corpus = folder.join("corpus").join(target);
        make_folder(&corpus)?;
        let mut command = cargo(&["fuzz", "run", target])?;
        command.arg(&corpus);
        let seeds = std::iter::once(target.as_str()).chain(shared_seeds(target).iter().copied());
        command
            .args(seeds.map(|name| folder.join("seeds").join(name)).filter(|seeds| seeds.is_dir()));
        command.args([
            "--",
            &format!("-max_total_time={seconds}"),
            // Wall time, which also passes while other programs run. Inputs are so small that only
            // an endless loop reaches the limit.
            "-timeout=60",
            "-rss_limit_mb=2048",
            "-verbosity=0",
            "-print_final_stats=1",
        ]);
        let dictionary = folder.join("dictionaries").join(format!("{target}.dict"));
        if dictionary.is_file() {
            command.arg(format!("-dict={}", dictionary.display()));
        }
        shell.run(&mut command)?;
    }
    Ok(format!("{} targets, {seconds} s each", targets.len()))
}

/// Seeds of other targets that this one uses too: the table in `fuzz/README.md`.
fn shared_seeds(target: &str) -> &'static [&'static str] {
    match target {
        "agents_json" => &["json"],
        "line" | "agents_txt" | "agents_md" | "markdown" | "robots_txt" => &["text"],
        "document" | "backends" | "c_api" | "call" => &["json", "text"],
        "check" => &["discovery"],
        _ => &[],
    }
}

/// Returns the names of the programs in a manifest.
fn targets(manifest: &str) -> Vec<String> {
    let mut programs = manifest.split("[[bin]]");
    programs.next();
    let name = |program: &str| {
        program.lines().find_map(|line| {
            line.split_once('=')
                .filter(|(key, _)| key.trim() == "name")
                .map(|(_, name)| name.trim().trim_matches('"').to_owned())
        })
    };
    programs.filter_map(name).collect()
}
