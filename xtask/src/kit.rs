//! The conformance kit: our adapters in Rust, C and C++ must have no failure at any level. The tests of
//! the wheel and of the npm package run those in Python and JavaScript.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::c::{GCC, WARNINGS};
use crate::install::SYSTEM;
use crate::shell::{Outcome, Shell, Stop, failed, make_folder};
use crate::{python, rust, tools};

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    // Also builds the examples, of which the adapter in Rust is one.
    rust::debug_library(shell)?;
    let built = tools::target().join("debug");
    let name = format!("{}{}", rust::ADAPTER, std::env::consts::EXE_SUFFIX);
    let mut adapters = vec![built.join("examples").join(name)];
    if !cfg!(windows) {
        for (compiler, standard, source) in
            [(GCC.c, "-std=c11", "agentsdisc_c.c"), (GCC.cpp, "-std=c++17", "agentsdisc_cpp.cpp")]
        {
            adapters.push(compile(shell, &built, compiler, standard, source)?);
        }
    }
    let quoted: Vec<_> = adapters.iter().map(|path| format!("'{}'", path.display())).collect();
    let quoted: Vec<_> = quoted.iter().map(String::as_str).collect();
    hold(shell, &quoted)?;
    Ok(format!("{} adapters", adapters.len()))
}

/// Runs the kit against adapters of ours, at the same time. Rulings count, too.
pub(crate) fn hold(shell: &mut Shell, adapters: &[&str]) -> Result<(), Stop> {
    let python = python::interpreter()?;
    let mut kits = Vec::new();
    for adapter in adapters {
        let mut kit = Command::new(&python);
        kit.args(["conformance/kit", "--fail-on", "ruling", "--adapter", adapter]);
        kit.current_dir(&shell.root).stdin(Stdio::null());
        let started = kit.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        kits.push(started.map_err(|error| Stop::Failed(format!("{adapter}: {error}")))?);
    }
    let mut failures = Vec::new();
    for (kit, adapter) in kits.into_iter().zip(adapters) {
        let ended = kit.wait_with_output();
        let ended = ended.map_err(|error| Stop::Failed(format!("{adapter}: {error}")))?;
        shell.say(&String::from_utf8_lossy(&ended.stdout));
        shell.say(&String::from_utf8_lossy(&ended.stderr));
        if !ended.status.success() {
            failures.push(*adapter);
        }
    }
    if failures.is_empty() { Ok(()) } else { failed(format!("the kit: {}", failures.join(", "))) }
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
