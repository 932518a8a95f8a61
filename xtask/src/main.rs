//! The maintenance commands of this repository. `cargo xtask help` lists them.
//!
//! One module for each command. A command is a function that takes a [`Shell`] and returns a note,
//! or a [`Stop`] that states what to do. `test.rs` runs the checking commands as named steps. No
//! command ends with a backtrace of this program.

mod abi;
mod abi_diff;
mod c;
mod c_docs;
mod c_install;
mod c_overhead;
mod cross;
mod demo;
mod docs;
mod embedded;
mod features;
mod fuzz;
mod header;
mod header_sections;
mod hostile;
mod install;
mod instructions;
mod js;
mod kit;
mod layers;
mod members;
mod model;
mod mutants;
mod neon;
mod nopanic;
mod notices;
mod python;
mod release;
mod rust;
mod shell;
mod site;
mod suffixes;
mod symbols;
mod test;
mod tools;

use std::process::ExitCode;

use shell::{Shell, Stop};

const HELP: &str = "\
cargo xtask COMMAND

  check                run the checks for a commit: formatting, clippy, the core's tests, the C programs with gcc, pytest without engines
  test                 run all checks of the repository
      --list           for both: list the steps
      --only A,B       run only these steps (a name or its first word: `c`, `python`)
      --skip A,B       skip these steps
      --verbose        show the output of all steps, and run them one after the other
      --long           also run slow checks that rarely fail: 20 times the cases of properties, more builds, compilers and selections
  demo                 create a virtual environment with the wheel, read the documents in samples/, then read a generated crawl
  header [--check]     write include/agentsdisc.h from the C crate; --check: fail if it is not up to date
  abi [--check]        record the C ABI in ffi-c/abi; --check: fail if the record is not up to date;
                       --break: also record breaking changes, which need a new minor version before 1.0
  install --prefix DIR build and install libagentsdisc: libraries, headers, pkg-config and CMake files
      --libdir NAME    the folder of the libraries in DIR (default: lib)
      --destdir DIR    for packagers: a folder that is prepended to all paths written to
  c-overhead           compare a full walk of documents in C and C++ with one in Rust; needs valgrind
  instructions         count the instructions for small documents, and record them; --check: compare them with what is recorded
  docs [--check]       write the pages that list diagnostics, checks, reasons and limits, and the tables of formats, from the core's
                       tables; --check: fail if one of them is not up to date
  site                 write docs/commands.md and the pictures, and build the documentation site with the references of every language and
                       the playground; needs doxygen and node
  model [--check]      write the C structs, the Python stubs, the walker of the C tests and the tables of docs/model.md from the core's
                       table of the model; --check: fail if one of them is not up to date
  suffixes [--check]   write the table of the Public Suffix List, core/src/syntax/url/suffixes.bin, from the list in the package psl
  notices [--check]    write THIRD-PARTY.md, the licences of everything that the C library, the wheel and the npm package contain
  requirements         write the versions and hashes of python/requirements-*.txt from the .in files beside them; needs uv
  nopanic              prove that no panic is reachable from the public functions of the core
  neon                 run the tests of the aarch64 back end in QEMU; the first run takes minutes
  embedded             run the firmware for a Cortex-M3 in QEMU; --write: measure its size and write it into docs/embedded.md;
                       FEATURES: build it with these features and list its largest functions
  fuzz [SECONDS] [T]   run all fuzz targets, or the target T, for SECONDS each (default: 60)
  hostile [SECONDS]    mutate crawls and tables for SECONDS (default: 300), kill and resume runs, and measure how time grows with size
  mutants [MODULE]     change the code of a module in 200 places, one at a time, and print how many changes no test notices;
                       a number after the module selects other places; needs cargo-mutants
  release --dry-run    check the packages for all registries, and build them: crate, ABI record, C library, npm package, bills of materials, wheels;
                       build twice and compare; --only A,B: only these parts. The workflow publishes
  bench [ARGS]         run the benchmarks; criterion receives ARGS
  performance [ARGS]   measure this library and its peers in one run, and write docs/performance.md; use an idle machine with simdjson
                       installed, and set AGENTSDISC_CORPUS to a folder of real documents; ARGS: --quick, --thorough
  help                 this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[] as &[String]),
    };
    match command {
        "check" => return test::main(test::Suite::Check, rest),
        "test" => return test::main(test::Suite::Test, rest),
        _ => {}
    }
    let done = match command {
        "demo" => no_arguments(rest).and_then(|()| demo::run(&mut Shell::loud())),
        "header" => check_flag(rest).and_then(|check| header::run(&mut Shell::loud(), check)),
        "abi" => abi::main(rest),
        "install" => install::main(rest),
        "c-overhead" => no_arguments(rest).and_then(|()| c_overhead::run(&mut Shell::loud())),
        "instructions" => {
            check_flag(rest).and_then(|check| instructions::run(&mut Shell::loud(), check))
        }
        "docs" => check_flag(rest).and_then(|check| docs::run(&mut Shell::loud(), check)),
        "site" => no_arguments(rest).and_then(|()| site::run(&mut Shell::loud())),
        "model" => check_flag(rest).and_then(|check| model::run(&mut Shell::loud(), check)),
        "notices" => check_flag(rest).and_then(|check| notices::run(&mut Shell::loud(), check)),
        "suffixes" => check_flag(rest).and_then(|check| suffixes::run(&mut Shell::loud(), check)),
        "requirements" => {
            no_arguments(rest).and_then(|()| python::requirements(&mut Shell::loud()))
        }
        "nopanic" => no_arguments(rest).and_then(|()| nopanic::run(&mut Shell::loud())),
        "neon" => no_arguments(rest).and_then(|()| neon::run(&mut Shell::loud())),
        "embedded" => embedded::main(rest),
        "fuzz" => fuzz::main(rest),
        "hostile" => hostile::main(rest),
        "mutants" => mutants::main(rest),
        "release" => release::main(rest),
        "bench" => rust::bench(&mut Shell::loud(), rest),
        "performance" => rust::performance(&mut Shell::loud(), rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        other => Err(Stop::Usage(format!("unknown command `{other}`"))),
    };
    match done {
        Ok(note) => {
            if !note.is_empty() {
                println!("{note}");
            }
            ExitCode::SUCCESS
        }
        Err(stop) => stop.report(),
    }
}

fn no_arguments(rest: &[String]) -> Result<(), Stop> {
    match rest.first() {
        None => Ok(()),
        Some(other) => {
            Err(Stop::Usage(format!("this command accepts no arguments; remove `{other}`")))
        }
    }
}

fn check_flag(rest: &[String]) -> Result<bool, Stop> {
    match rest {
        [] => Ok(false),
        [flag] if flag == "--check" => Ok(true),
        [other, ..] => {
            Err(Stop::Usage(format!("this command accepts only --check, not `{other}`")))
        }
    }
}
