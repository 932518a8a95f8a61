//! Cargo for another target. Uses the standard library of rustup if that target is installed;
//! otherwise builds it from source, which is a component of rustup and, with its own compiler, a
//! package of Debian.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Shell, Stop, failed, read, write};
use crate::tools;

/// Debian's compiler and cargo, by path: those of rustup may come first in the search path.
const SYSTEM: [&str; 2] = ["/usr/bin/rustc", "/usr/bin/cargo"];

/// The minimum Rust version of the core (`rust-version`).
fn oldest(shell: &Shell) -> Result<[u32; 2], Stop> {
    let manifest = read(&shell.root.join("Cargo.toml"))?;
    let line = tools::section(&manifest, "workspace.package")
        .find_map(|line| line.strip_prefix("rust-version = "));
    line.and_then(tools::version_in)
        .ok_or_else(|| Stop::Failed("Cargo.toml has no rust-version".into()))
}

/// Fails if the system's compiler or cargo is older than the core needs, which would otherwise fail
/// inside a dependency.
fn need_new_enough(shell: &Shell) -> Result<(), Stop> {
    let oldest = oldest(shell)?;
    for program in SYSTEM {
        let found = tools::version_of(
            Command::new(program).arg("--version").env_remove("RUSTUP_TOOLCHAIN"),
        );
        if let Some(found) = found.filter(|found| *found < oldest) {
            let install = "rustup target add thumbv7m-none-eabi\nor, on Debian:\n    sudo apt-get update && sudo apt-get install rustc-web cargo-web rust-web-src (from the security updates)";
            return Err(tools::too_old(
                &format!("{program}, the system's Rust,"),
                found,
                oldest,
                install,
            ));
        }
    }
    Ok(())
}

/// The source of the standard library in the folder of a compiler.
const SOURCE: &str = "src/rust/library/Cargo.lock";

/// Returns `cargo ARGUMENTS --target TARGET`. `crates` are the crates of the standard library that
/// are needed. If they are built from source, a subfolder of the target folder is named after
/// `purpose`, because compilers cannot share results.
pub(crate) fn cargo(
    shell: &mut Shell,
    arguments: &[&str],
    target: &str,
    crates: &str,
    purpose: &str,
) -> Result<Command, Stop> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let mut command = if sysroot(shell, &rustc)?.join("lib/rustlib").join(target).is_dir() {
        tools::cargo(arguments)
    } else {
        from_source(shell, arguments, target, crates)?
    };
    command.args(["--target", target, "--target-dir"]).arg(tools::target().join(purpose));
    Ok(command)
}

/// Like [`cargo`], for a target in a file: the specification of a known target, with
/// replacements. Always builds the standard library.
pub(crate) fn cargo_for(
    shell: &mut Shell,
    arguments: &[&str],
    (target, change): (&str, (&str, &str)),
    crates: &str,
    purpose: &str,
) -> Result<Command, Stop> {
    let mut command = from_source(shell, arguments, target, crates)?;
    let rustc = command
        .get_envs()
        .find_map(|(name, value)| (name == "RUSTC").then_some(value?))
        .unwrap_or("rustc".as_ref())
        .to_owned();
    let print = ["-Zunstable-options", "--print", "target-spec-json", "--target", target];
    let specification = shell.output(
        Command::new(rustc).args(print).env("RUSTC_BOOTSTRAP", "1").env_remove("LD_LIBRARY_PATH"),
    )?;
    let (from, to) = change;
    if !specification.contains(from) {
        return failed(format!(
            "the specification of the target {target} does not contain `{from}`"
        ));
    }
    // The file has its own folder and the name of the target, which crates use to identify the
    // target.
    let folder = tools::target().join(purpose);
    let file = folder.join(format!("{target}.json"));
    write(&file, &specification.replace(from, to))?;
    command.arg("-Zjson-target-spec").arg("--target").arg(file).arg("--target-dir").arg(folder);
    Ok(command)
}

/// Returns a cargo that builds the standard library from its source.
fn from_source(
    shell: &mut Shell,
    arguments: &[&str],
    target: &str,
    crates: &str,
) -> Result<Command, Stop> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let libraries = sysroot(shell, &rustc)?.join("lib/rustlib");
    let command = if libraries.join(SOURCE).is_file() {
        building(tools::cargo(arguments), crates)
    } else {
        let [rustc, cargo] = SYSTEM;
        let there = SYSTEM.iter().all(|program| Path::new(program).is_file());
        if !there || !sysroot(shell, rustc)?.join("lib/rustlib").join(SOURCE).is_file() {
            return Err(Stop::Missing {
                what: format!("the source of Rust's standard library, which is built for {target},"),
                install: "rustup component add rust-src\nor, on Debian:\n    sudo apt-get install rustc-web cargo-web rust-web-src".into(),
            });
        }
        need_new_enough(shell)?;
        let mut command = Command::new(cargo);
        // Environment variables of a rustup toolchain must not affect this cargo.
        for name in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTDOC", "LD_LIBRARY_PATH"] {
            command.env_remove(name);
        }
        command.args(arguments).env("RUSTC", rustc);
        building(command, crates)
    };
    Ok(command)
}

/// Permits a stable compiler to build its own standard library.
fn building(mut command: Command, crates: &str) -> Command {
    command.arg(format!("-Zbuild-std={crates}")).env("RUSTC_BOOTSTRAP", "1");
    command
}

/// Returns the folder of a compiler.
fn sysroot(shell: &mut Shell, rustc: &str) -> Result<PathBuf, Stop> {
    let path = shell.output(Command::new(rustc).args(["--print", "sysroot"]))?;
    Ok(PathBuf::from(path.trim()))
}
