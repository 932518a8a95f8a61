//! `cargo xtask fuzz`: every target of cargo-fuzz for some seconds, from its seeds and with its dictionary.

use crate::shell::{Outcome, Shell, Stop, failed, make_folder, read};
use crate::tools::nightly_cargo;

pub(crate) fn main(arguments: &[String]) -> Outcome {
    let (seconds, target) = match arguments {
        [] => (60, None),
        [seconds] => (number(seconds)?, None),
        [seconds, target] => (number(seconds)?, Some(target.as_str())),
        [_, _, extra, ..] => {
            return Err(Stop::Usage(format!(
                "`fuzz` takes seconds and a target, and nothing like `{extra}`"
            )));
        }
    };
    let mut shell = Shell::loud();
    run(&mut shell, seconds, target).map_err(|stop| match stop {
        // Fine for the tests; whoever asks for fuzzing by hand wants to know what to install.
        Stop::NotHere(why) => Stop::Failed(why),
        other => other,
    })
}

fn number(text: &str) -> Result<u32, Stop> {
    text.parse()
        .map_err(|_| Stop::Usage(format!("`{text}` is no number of seconds")))
}

pub(crate) fn run(shell: &mut Shell, seconds: u32, only: Option<&str>) -> Outcome {
    let folder = shell.root.join("fuzz");
    let all = targets(&read(&folder.join("Cargo.toml"))?);
    let targets: Vec<&String> = all
        .iter()
        .filter(|name| only.is_none_or(|only| only == **name))
        .collect();
    if targets.is_empty() {
        return failed(match only {
            Some(only) if !all.is_empty() => format!(
                "there is no fuzz target `{only}`; there are {}",
                all.join(", ")
            ),
            _ => "fuzz/Cargo.toml names no targets".into(),
        });
    }
    for target in &targets {
        // What libFuzzer finds goes to the first folder; the seeds, which are checked in, stay as they are.
        let corpus = folder.join("corpus").join(target);
        make_folder(&corpus)?;
        let mut command = nightly_cargo(&["fuzz", "run", target])?;
        command.arg(&corpus);
        let seeds = std::iter::once(target.as_str()).chain(shared_seeds(target).iter().copied());
        command.args(
            seeds
                .map(|name| folder.join("seeds").join(name))
                .filter(|seeds| seeds.is_dir()),
        );
        command.args([
            "--",
            &format!("-max_total_time={seconds}"),
            // Wall time, which a busy machine takes of: no input is so large that anything but a loop without an end comes near.
            "-timeout=60",
            "-rss_limit_mb=2048",
            "-verbosity=0",
            "-print_final_stats=1",
        ]);
        let dictionary = folder.join("dictionaries").join(format!("{target}.dict"));
        if dictionary.is_file() {
            command.arg(format!("-dict={}", dictionary.display()));
        }
        // The toolchain that runs this program must not decide for the nightly one.
        command
            .env_remove("RUSTUP_TOOLCHAIN")
            .env_remove("CARGO")
            .env_remove("RUSTC");
        shell.run(&mut command)?;
    }
    Ok(format!("{} targets, {seconds} s each", targets.len()))
}

/// The seeds of several targets that this one starts from too: the table in `fuzz/README.md`.
fn shared_seeds(target: &str) -> &'static [&'static str] {
    match target {
        "agents_json" => &["json"],
        "line" | "agents_txt" | "agents_md" | "markdown" | "robots_txt" => &["text"],
        "document" | "backends" | "c_api" => &["json", "text"],
        _ => &[],
    }
}

/// The names of the programs in a manifest.
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
