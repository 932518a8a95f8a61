//! `cargo xtask fuzz`: every target of cargo-fuzz for some seconds, from the seeds in `fuzz/seeds/TARGET`.

use crate::shell::{Outcome, Shell, Stop, failed, make_folder, read};
use crate::tools::nightly_cargo;

pub(crate) fn main(arguments: &[String]) -> Outcome {
    let (seconds, target) = match arguments {
        [] => (60, None),
        [seconds] => (number(seconds)?, None),
        [seconds, target] => (number(seconds)?, Some(target.as_str())),
        [_, _, extra, ..] => return Err(Stop::Usage(format!("`fuzz` takes seconds and a target, and nothing like `{extra}`"))),
    };
    let mut shell = Shell::loud();
    run(&mut shell, seconds, target).map_err(|stop| match stop {
        // Fine for the tests; whoever asks for fuzzing by hand wants to know what to install.
        Stop::NotHere(why) => Stop::Failed(why),
        other => other,
    })
}

fn number(text: &str) -> Result<u32, Stop> {
    text.parse().map_err(|_| Stop::Usage(format!("`{text}` is no number of seconds")))
}

pub(crate) fn run(shell: &mut Shell, seconds: u32, only: Option<&str>) -> Outcome {
    let folder = shell.root.join("fuzz");
    let all = targets(&read(&folder.join("Cargo.toml"))?);
    let targets: Vec<&String> = all.iter().filter(|name| only.is_none_or(|only| only == **name)).collect();
    if targets.is_empty() {
        return failed(match only {
            Some(only) if !all.is_empty() => format!("there is no fuzz target `{only}`; there are {}", all.join(", ")),
            _ => "fuzz/Cargo.toml names no targets".into(),
        });
    }
    for target in &targets {
        // What libFuzzer finds goes to the first folder; the seeds, which are checked in, stay as they are.
        let (corpus, seeds) = (folder.join("corpus").join(target), folder.join("seeds").join(target));
        make_folder(&corpus)?;
        let mut command = nightly_cargo(&["fuzz", "run", target])?;
        command.arg(&corpus);
        if seeds.is_dir() {
            command.arg(&seeds);
        }
        command.args([
            "--",
            &format!("-max_total_time={seconds}"),
            "-timeout=10",
            "-rss_limit_mb=2048",
            "-verbosity=0",
            "-print_final_stats=1",
        ]);
        // The toolchain that runs this program must not decide for the nightly one.
        command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
        shell.run(&mut command)?;
    }
    Ok(format!("{} targets, {seconds} s each", targets.len()))
}

/// The names of the programs in a manifest.
fn targets(manifest: &str) -> Vec<String> {
    let mut programs = manifest.split("[[bin]]");
    programs.next();
    let name = |program: &str| {
        program.lines().find_map(|line| {
            line.split_once('=').filter(|(key, _)| key.trim() == "name").map(|(_, name)| name.trim().trim_matches('"').to_owned())
        })
    };
    programs.filter_map(name).collect()
}
