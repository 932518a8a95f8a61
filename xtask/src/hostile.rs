//! `cargo xtask hostile`: tests hostile inputs for minutes. First measures the lists of the core,
//! from 1 KB to 1 MB; then `python/hostile.py` mutates crawls and tables, kills runs, and measures
//! Python.

use std::process::Command;

use crate::c_install::fresh;
use crate::python;
use crate::rust;
use crate::shell::{Outcome, Shell, Stop};
use crate::tools::{self, cargo};

pub(crate) fn main(arguments: &[String]) -> Outcome {
    let seconds = match arguments {
        [] => "300",
        [seconds] if seconds.parse::<u32>().is_ok() => seconds.as_str(),
        [other, ..] => {
            return Err(Stop::Usage(format!(
                "`hostile` accepts only a whole number of seconds, not `{other}`"
            )));
        }
    };
    let mut shell = Shell::loud();
    // Removes the documents of an earlier run, so that the test fails if none are written.
    let lists = fresh(&tools::scratch()?.join("lists"))?;
    shell.run(
        cargo(&["test", "--release", "-p", rust::CORE])
            .args(["--test", "all", "linear_time::"])
            .env("AGENTSDISC_LISTS", &lists),
    )?;
    let python = python::for_tests(&mut shell)?;
    shell.run(
        Command::new(python)
            .args(["python/hostile.py", "--seconds", seconds, "--documents"])
            .arg(&lists),
    )?;
    Ok("no crash, no lost or doubled row, no time that grows faster than the size".into())
}
