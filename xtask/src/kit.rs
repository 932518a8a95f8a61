//! The conformance kit: our adapters in Rust, C and C++ must have no failure at any level. The tests of
//! the wheel and of the npm package run those in Python and JavaScript.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::c::{GCC, WARNINGS};
use crate::install::SYSTEM;
use crate::shell::{Outcome, Shell, Stop, make_folder};
use crate::{python, rust, tools};

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    // Also builds the examples, of which the adapter in Rust is one.
    rust::debug_library(shell)?;
    let built = tools::target().join("debug");
    let name = format!("conformance-adapter{}", std::env::consts::EXE_SUFFIX);
    let mut adapters = vec![built.join("examples").join(name)];
    if !cfg!(windows) {
        for (compiler, standard, source) in
            [(GCC.c, "-std=c11", "agentsdisc_c.c"), (GCC.cpp, "-std=c++17", "agentsdisc_cpp.cpp")]
        {
            adapters.push(compile(shell, &built, compiler, standard, source)?);
        }
    }
    for adapter in &adapters {
        claims_hold(shell, &format!("'{}'", adapter.display()))?;
    }
    Ok(format!("{} adapters", adapters.len()))
}

/// Runs the kit against an adapter of ours, of which rulings hold, too.
pub(crate) fn claims_hold(shell: &mut Shell, adapter: &str) -> Result<(), Stop> {
    let mut kit = Command::new(python::interpreter()?);
    kit.args(["conformance/kit", "--fail-on", "ruling", "--adapter", adapter]);
    shell.run(&mut kit)
}

/// Compiles an adapter with the library that checks overflows.
fn compile(
    shell: &mut Shell,
    libraries: &Path,
    compiler: &str,
    standard: &str,
    source: &str,
) -> Result<PathBuf, Stop> {
    tools::need(compiler)?;
    let folder = tools::scratch()?.join("kit");
    make_folder(&folder)?;
    let program = folder.join(source).with_extension("adapter");
    let mut command = Command::new(compiler);
    command.args([standard, "-O1", "-Iinclude"]).args(WARNINGS);
    command.arg(Path::new("conformance/adapters").join(source));
    command.arg(libraries.join("libagentsdisc.a")).args(SYSTEM).arg("-o").arg(&program);
    shell.run(&mut command)?;
    Ok(program)
}
