//! `cargo xtask nopanic`: builds `xtask/nopanic` and checks that the library does not need the
//! symbol that only panics call.
//!
//! It checks that a deliberate panic is found (so the check can fail), that the entry points are in
//! the library and call every public function of the core (so the check is complete), and that no
//! panic is reachable. It also checks that the SIMD back ends are inlined. The optimiser removes
//! different code at different levels, so there are two builds: one like the shipped libraries, with
//! the Public Suffix List, and one like firmware. `--long` adds the combinations of [`MORE`].
//!
//! The C library is built as it is installed, with a panic handler that calls the same symbol. There,
//! a build without optimisation, in which panics are certain, shows that the check can fail.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::install;
use crate::shell::{Outcome, Shell, Stop, cannot, failed, read};
use crate::symbols::{self, Kind};
use crate::tools::{self, cargo};

/// A build of the library.
#[derive(Clone, Copy)]
struct Build {
    level: &'static str,
    /// Whether the SIMD back ends are disabled.
    scalar: bool,
    /// Whether the Public Suffix List is built in.
    psl: bool,
}

/// Firmware is built at level `z` without SIMD back ends. With them, that level does not even
/// inline a copy of known length.
const BUILDS: [Build; 2] = [
    Build { level: "3", scalar: false, psl: true },
    Build { level: "z", scalar: true, psl: false },
];

/// For `--long`: other levels that users may choose.
const MORE: [Build; 2] =
    [Build { level: "s", scalar: false, psl: true }, Build { level: "3", scalar: true, psl: true }];

/// Returns the builds of this run.
fn builds() -> Vec<Build> {
    let more = if tools::is_long() { &MORE[..] } else { &[] };
    [&BUILDS[..], more].concat()
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "opt-level {}{}{}",
            self.level,
            if self.scalar { ", scalar" } else { "" },
            if self.psl { ", psl" } else { "" }
        )
    }
}

const SCALAR: &str = "--cfg agentsdisc_scalar";
const SYMBOL: &str = "agentsdisc_panic_is_reachable";
const CRATE: &str = "xtask/nopanic";

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    if !cfg!(target_os = "linux") {
        return Err(Stop::NotHere("this check reads ELF libraries and runs on Linux only".into()));
    }
    tools::need("nm")?;
    // Uses the locked versions; cargo takes the ones it needs from the copy and drops the rest.
    let (from, to) = (shell.root.join("Cargo.lock"), shell.root.join(CRATE).join("Cargo.lock"));
    fs::copy(&from, &to).map_err(|e| cannot("copy Cargo.lock to", &to, &e))?;

    let sources = sources(&shell.root.join(CRATE).join("src"))?;
    let mut problems = uncalled(&shell.root, &sources)?;
    let beside = std::thread::spawn(build_others);
    for (number, how) in builds().into_iter().enumerate() {
        // One build is enough to prove that a panic is found.
        if number == 0 {
            let broken = build(shell, how, true)?;
            if !needs_symbol(shell, &broken)? {
                return failed(format!(
                    "the deliberate panic was not found ({how}), so this check proves nothing"
                ));
            }
        }
        let library = build(shell, how, false)?;
        let defined = symbols::list(shell, &library, Kind::Defined)?;
        if let Some(lost) = entry_points(&sources).find(|name| !defined.contains(*name)) {
            return failed(format!(
                "the entry point {lost} is not in the library; declare it as #[unsafe(no_mangle)] pub extern \"C\""
            ));
        }
        // If the loop of a back end is compiled without the CPU's features, each instruction is a
        // function call.
        if let Some(instruction) = defined.iter().find(|name| is_instruction(name)) {
            problems.push(format!(
                "an instruction of a back end is called instead of inlined ({how}): {instruction}"
            ));
        }
        if needs_symbol(shell, &library)? {
            problems.push(format!("a panic is reachable ({how}):"));
            let found = symbols::who_reaches(shell, &library, SYMBOL);
            problems.extend(if found.is_empty() {
                vec!["    (through a pointer; see the disassembly)".into()]
            } else {
                found
            });
        }
    }
    drop(beside.join());
    let plain = c_library(shell, false)?;
    if !needs_symbol(shell, &plain)? {
        return failed(
            "no panic was found in the C library without optimisation, so its check proves nothing",
        );
    }
    let installed = c_library(shell, true)?;
    if needs_symbol(shell, &installed)? {
        problems.push("a panic is reachable in the installed C library:".into());
        problems.extend(symbols::who_reaches(shell, &installed, SYMBOL));
    }
    if problems.is_empty() {
        Ok(format!(
            "no panic is reachable in {} builds of the core and in the C library",
            builds().len()
        ))
    } else {
        failed(problems.join("\n    "))
    }
}

/// Builds all but the first in the background, without output, because each build uses one core.
/// `run` starts each build again, which then only waits or prints errors.
fn build_others() {
    for how in builds().into_iter().skip(1) {
        if let Ok((mut command, _)) = command(how, false) {
            drop(
                command
                    .current_dir(tools::root())
                    .stdin(Stdio::null())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .status(),
            );
        }
    }
}

fn build(shell: &mut Shell, how: Build, deliberate: bool) -> Result<PathBuf, Stop> {
    let (mut command, library) = command(how, deliberate)?;
    shell.run(&mut command)?;
    Ok(library)
}

fn command(how: Build, deliberate: bool) -> Result<(Command, PathBuf), Stop> {
    let Build { level, scalar, psl } = how;
    let target =
        tools::scratch()?.join(format!("nopanic-{level}{}", if scalar { "-scalar" } else { "" }));
    let mut command =
        cargo(&["build", "--release", "--manifest-path", &format!("{CRATE}/Cargo.toml")]);
    if deliberate {
        command.args(["--features", "deliberate-panic"]);
    }
    if psl {
        command.args(["--features", "psl"]);
    }
    if scalar {
        let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
        command.env("RUSTFLAGS", format!("{flags} {SCALAR}"));
    }
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level).env("CARGO_TARGET_DIR", &target);
    Ok((command, target.join("release/libnopanic.so")))
}

/// Builds the shared C library as it is installed, or without optimisation, with a panic handler
/// that calls [`SYMBOL`].
fn c_library(shell: &mut Shell, optimised: bool) -> Result<PathBuf, Stop> {
    let folder = if optimised { "nopanic-c" } else { "nopanic-c-0" };
    let target = tools::scratch()?.join(folder);
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    let mut command = cargo(&[
        "rustc",
        "--profile",
        install::PROFILE,
        "-p",
        "agentsdisc-c",
        "--lib",
        "--crate-type",
        "cdylib",
        "--no-default-features",
        "--features",
        install::FEATURES,
    ]);
    command
        .env("RUSTFLAGS", format!("{flags} --cfg agentsdisc_nopanic"))
        .env("CARGO_TARGET_DIR", &target);
    if !optimised {
        command.env("CARGO_PROFILE_C_OPT_LEVEL", "0").env("CARGO_PROFILE_C_LTO", "off");
    }
    shell.run(&mut command)?;
    Ok(target.join(install::PROFILE).join("libagentsdisc.so"))
}

fn needs_symbol(shell: &mut Shell, library: &Path) -> Result<bool, Stop> {
    Ok(symbols::list(shell, library, Kind::Undefined)?.contains(SYMBOL))
}

/// Whether a symbol is a vector instruction in `core::core_arch::x86`. (`xsave` detects the CPU's
/// features.)
fn is_instruction(symbol: &str) -> bool {
    let path = symbol
        .strip_prefix("_RNvNtNtNtCs")
        .and_then(|rest| rest.split_once('_'))
        .map(|(_, path)| path);
    let path = path.or_else(|| symbol.strip_prefix("_ZN")).unwrap_or_default();
    path.starts_with("4core9core_arch3x86") && !path.contains("5xsave")
}

/// Returns all Rust files under a folder: path and text.
fn sources(folder: &Path) -> Result<Vec<(PathBuf, String)>, Stop> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| cannot("read", &folder, &e))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = read(&path)?;
                found.push((path, text));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn entry_points(sources: &[(PathBuf, String)]) -> impl Iterator<Item = &str> {
    let functions = sources
        .iter()
        .flat_map(|(_, text)| text.lines())
        .filter_map(|line| line.split_once("extern \"C\" fn "));
    functions.map(|(_, rest)| identifier(rest)).filter(|name| *name != "nopanic_deliberate")
}

/// Returns the public functions of the core that no entry point mentions. Compares names only: it
/// finds forgotten functions, but not a method of the same name on another type.
fn uncalled(root: &Path, entries: &[(PathBuf, String)]) -> Result<Vec<String>, Stop> {
    let excused = entries
        .iter()
        .flat_map(|(_, text)| text.lines())
        .filter_map(|line| line.split_once("// not called: "))
        .map(|(_, rest)| identifier(rest));
    let mut known: BTreeSet<&str> = excused.collect();
    for (_, text) in entries {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        known.extend(code.flat_map(|line| line.split(|c: char| !is_word(c))));
    }
    let mut missing = Vec::new();
    for (path, text) in sources(&root.join("core/src"))? {
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for line in code.lines().map(str::trim_start).filter(|line| line.starts_with("pub ")) {
            let Some((words, rest)) = line.split_once("fn ") else {
                continue;
            };
            let name = identifier(rest);
            if words.split_whitespace().all(|word| matches!(word, "pub" | "const" | "unsafe"))
                && !known.contains(name)
            {
                let path = path.strip_prefix(root).unwrap_or(&path);
                missing.push(format!("{name} of {} is not called in {CRATE}/src", path.display()));
            }
        }
    }
    Ok(missing)
}

fn identifier(text: &str) -> &str {
    text.split(|c: char| !is_word(c)).next().unwrap_or_default()
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
