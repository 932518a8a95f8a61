//! `cargo xtask nopanic`: proves by the linker that no panic is reachable.
//!
//! The handler of panics calls a function that is not inlined. Fat link-time optimisation keeps that
//! function only if code that can panic remains in what the exported functions reach. So the proof
//! for the C library is that the symbol is missing in the static library that is installed, whose
//! exports are the entry points. The public functions of the core that the C library does not call
//! are called by `xtask/nopanic`, which is inspected in the same way.
//!
//! The optimiser removes different code at different levels, so `--long` adds the builds of [`MORE`].
//! The step `embedded` inspects a real firmware in each run. A build without optimisation, in
//! which panics are certain, shows that the check can fail, and which functions of the core the C
//! library calls. The check also finds SIMD back ends that are not inlined.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::abi;
use crate::install::{self, PROFILE};
use crate::shell::{Outcome, Shell, Stop, cannot, failed, read};
use crate::symbols::{self, SYMBOL};
use crate::tools::{self, cargo};

/// A build of the C library, other than the installed one, or of `xtask/nopanic`.
#[derive(Clone, Copy)]
struct Build {
    level: &'static str,
    /// Whether the SIMD back ends are disabled.
    scalar: bool,
    /// Whether the Public Suffix List is built in.
    psl: bool,
}

/// The level of the installed library, for `xtask/nopanic`.
const USUAL: Build = Build { level: "3", scalar: false, psl: true };

/// For `--long`: other levels that users may choose. Firmware is built at level `z` without SIMD
/// back ends: with them, that level does not even inline a copy of known length.
const MORE: [Build; 3] = [
    Build { level: "z", scalar: true, psl: false },
    Build { level: "s", scalar: false, psl: true },
    Build { level: "3", scalar: true, psl: true },
];

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

const CRATE: &str = "xtask/nopanic";

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    if !cfg!(target_os = "linux") {
        return Err(Stop::NotHere("this check reads ELF libraries and runs on Linux only".into()));
    }
    tools::need("nm")?;
    let plain = unoptimised(shell)?;
    if !symbols::names(shell, &plain)?.iter().any(|name| name.contains(SYMBOL)) {
        return failed(
            "no panic was found in the C library without optimisation, so the check proves nothing",
        );
    }
    let called = symbols::demangled(shell, &plain)?;
    let mut problems = uncalled(&shell.root, &called)?;

    let more = if tools::is_long() { &MORE[..] } else { &[] };
    let mut libraries = vec![
        ("the installed C library".to_owned(), install::libraries(shell)?.join(C_LIBRARY)),
        (format!("the entry points, {USUAL}"), entry_points(shell, USUAL)?),
    ];
    for how in more.iter().copied() {
        libraries.push((format!("the C library, {how}"), c_library(shell, how)?));
        libraries.push((format!("the entry points, {how}"), entry_points(shell, how)?));
    }
    for (what, library) in &libraries {
        problems.extend(problems_of(shell, what, library)?);
    }
    if problems.is_empty() {
        Ok(format!("no panic is reachable in {} libraries", libraries.len()))
    } else {
        failed(problems.join("\n    "))
    }
}

/// The file of a static C library.
const C_LIBRARY: &str = "libagentsdisc.a";

/// Returns what is wrong with a static library.
fn problems_of(shell: &mut Shell, what: &str, library: &Path) -> Result<Vec<String>, Stop> {
    let defined = symbols::names(shell, library)?;
    let mut problems = Vec::new();
    // A library without the symbols of its functions would prove nothing.
    if !defined.iter().any(|name| name.contains("agentsdisc_core")) {
        return failed(format!("{what} has no symbols of its functions"));
    }
    if library.ends_with(C_LIBRARY)
        && let Some(lost) = abi::functions(shell)?.iter().find(|name| !defined.contains(*name))
    {
        return failed(format!("{what} does not have the function {lost}"));
    }
    // If the loop of a back end is compiled without the CPU's features, each instruction is a
    // function call.
    if let Some(instruction) = defined.iter().find(|name| is_instruction(name)) {
        problems.push(format!(
            "an instruction of a back end is called instead of inlined ({what}): {instruction}"
        ));
    }
    if defined.iter().any(|name| name.contains(SYMBOL)) {
        problems.push(format!("a panic is reachable ({what}):"));
        let found = symbols::who_reaches_a_panic(shell, library);
        problems.extend(if found.is_empty() {
            vec!["    (through a pointer; see the disassembly)".into()]
        } else {
            found
        });
    }
    Ok(problems)
}

/// Builds `xtask/nopanic`.
fn entry_points(shell: &mut Shell, how: Build) -> Result<PathBuf, Stop> {
    // Uses the locked versions; cargo takes the ones it needs from the copy and drops the rest.
    let (from, to) = (shell.root.join("Cargo.lock"), shell.root.join(CRATE).join("Cargo.lock"));
    fs::copy(&from, &to).map_err(|e| cannot("copy Cargo.lock to", &to, &e))?;
    let manifest = format!("{CRATE}/Cargo.toml");
    let mut command = cargo(&["build", "--release", "--manifest-path", &manifest]);
    if how.psl {
        command.args(["--features", "psl"]);
    }
    let target = adapt(&mut command, how, "RELEASE", "nopanic")?;
    shell.run(&mut command)?;
    Ok(target.join("release/libnopanic.a"))
}

/// Builds the static C library.
fn c_library(shell: &mut Shell, how: Build) -> Result<PathBuf, Stop> {
    let features = if how.psl { install::FEATURES } else { "panic-handler,full" };
    let mut command = c("staticlib", features);
    let target = adapt(&mut command, how, "C", "nopanic-c")?;
    shell.run(&mut command)?;
    Ok(target.join(PROFILE).join(C_LIBRARY))
}

/// Builds the shared C library without optimisation, from which the linker drops unused functions,
/// and without inlining.
fn unoptimised(shell: &mut Shell) -> Result<PathBuf, Stop> {
    let mut command = c("cdylib", install::FEATURES);
    let how = Build { level: "0", scalar: false, psl: true };
    let target = adapt(&mut command, how, "C", "nopanic-c")?;
    command.env("CARGO_PROFILE_C_LTO", "off").env("CARGO_PROFILE_C_STRIP", "none");
    shell.run(&mut command)?;
    Ok(target.join(PROFILE).join("libagentsdisc.so"))
}

fn c(kind: &str, features: &str) -> Command {
    cargo(&[
        "rustc",
        "--profile",
        PROFILE,
        "-p",
        "agentsdisc-c",
        "--lib",
        "--crate-type",
        kind,
        "--no-default-features",
        "--features",
        features,
    ])
}

/// Sets the level, the back ends and the target folder of a build; returns that folder.
fn adapt(command: &mut Command, how: Build, profile: &str, name: &str) -> Result<PathBuf, Stop> {
    let Build { level, scalar, .. } = how;
    let target =
        tools::scratch()?.join(format!("{name}-{level}{}", if scalar { "-scalar" } else { "" }));
    if scalar {
        let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
        command.env("RUSTFLAGS", format!("{flags} --cfg agentsdisc_scalar"));
    }
    command
        .env(format!("CARGO_PROFILE_{profile}_OPT_LEVEL"), level)
        .env("CARGO_TARGET_DIR", &target);
    Ok(target)
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

/// Returns the public functions of the core that neither the C library nor `xtask/nopanic` calls.
/// Functions of the C library are compared with their module, without the type of a method; the
/// names in `xtask/nopanic` alone.
fn uncalled(root: &Path, called: &[String]) -> Result<Vec<String>, Stop> {
    let entries: Vec<String> =
        sources(&root.join(CRATE).join("src"))?.into_iter().map(|(_, text)| text).collect();
    let is_named = |name: &str| {
        let code = |line: &&str| {
            let start = line.trim_start();
            !start.starts_with("//") || start.starts_with("// not called: ")
        };
        let mut lines = entries.iter().flat_map(|text| text.lines()).filter(code);
        lines.any(|line| line.split(|c: char| !is_word(c)).any(|word| word == name))
    };
    let core = root.join("core/src");
    let mut missing = Vec::new();
    for (path, text) in sources(&core)? {
        let module = module(path.strip_prefix(&core).unwrap_or(&path));
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for line in code.lines().map(str::trim_start).filter(|line| line.starts_with("pub ")) {
            let Some((words, rest)) = line.split_once("fn ") else {
                continue;
            };
            let name = identifier(rest);
            let is_public =
                words.split_whitespace().all(|word| matches!(word, "pub" | "const" | "unsafe"));
            if is_public
                && !called.iter().any(|symbol| is_in(symbol, &module, name))
                && !is_named(name)
            {
                missing.push(format!(
                    "neither the C library nor {CRATE}/src calls {name} of {module}"
                ));
            }
        }
    }
    Ok(missing)
}

/// Returns the path of a module whose file has this path in `core/src`.
fn module(file: &Path) -> String {
    let file = file.with_extension("");
    let parts = file.iter().map(|part| part.to_string_lossy());
    parts.filter(|part| part != "mod" && part != "lib").fold(
        "agentsdisc_core".to_owned(),
        |mut path, part| {
            path += "::";
            path += &part;
            path
        },
    )
}

/// Whether a demangled symbol is a function, or a method of any type, of this module.
fn is_in(symbol: &str, module: &str, name: &str) -> bool {
    let function = symbol
        .strip_prefix(module)
        .and_then(|rest| rest.strip_prefix("::"))
        .and_then(|rest| rest.strip_suffix(name));
    // What is before the name: nothing, `Type::` or `<impl path::Type>::`, not another module.
    function.is_some_and(|of| {
        of.is_empty()
            || of.ends_with("::") && of.starts_with(|c: char| c == '<' || c.is_ascii_uppercase())
    })
}

fn identifier(text: &str) -> &str {
    text.split(|c: char| !is_word(c)).next().unwrap_or_default()
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
