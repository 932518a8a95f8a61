//! Cargo for another target, with a standard library from wherever there is one: rustup's target where that is installed, otherwise built from
//! its source, which rustup has as a component and Debian as a package, together with a compiler that fits it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Shell, Stop};
use crate::tools;

/// Debian's compiler and cargo, beside which rustup's may come first in the search path.
const SYSTEM: [&str; 2] = ["/usr/bin/rustc", "/usr/bin/cargo"];

/// Where the source of the standard library lies in the folder of a compiler.
const SOURCE: &str = "src/rust/library/Cargo.lock";

/// `cargo ARGUMENTS --target TARGET`. `crates` are those of the standard library that are needed; where they are built, that is done in a folder
/// of the target folder's that is named after `purpose`, for what another compiler has built is of no use to this one.
pub(crate) fn cargo(shell: &mut Shell, arguments: &[&str], target: &str, crates: &str, purpose: &str) -> Result<Command, Stop> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let libraries = sysroot(shell, &rustc)?.join("lib/rustlib");
    let mut command = if libraries.join(target).is_dir() {
        tools::cargo(arguments)
    } else if libraries.join(SOURCE).is_file() {
        building(tools::cargo(arguments), crates)
    } else {
        let [rustc, cargo] = SYSTEM;
        let there = SYSTEM.iter().all(|program| Path::new(program).is_file());
        if !there || !sysroot(shell, rustc)?.join("lib/rustlib").join(SOURCE).is_file() {
            return Err(Stop::Missing {
                what: format!("Rust's standard library for {target}"),
                install: format!("rustup target add {target}\nor, on Debian:\n    sudo apt-get install rustc-web cargo-web rust-web-src"),
            });
        }
        let mut command = Command::new(cargo);
        // What a toolchain of rustup sets for the programs it runs must not decide for this one.
        for name in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTDOC", "LD_LIBRARY_PATH"] {
            command.env_remove(name);
        }
        command.args(arguments).env("RUSTC", rustc);
        building(command, crates)
    };
    command.args(["--target", target, "--target-dir"]).arg(tools::target().join(purpose));
    Ok(command)
}

/// A stable compiler builds the standard library that it came with, once it is told that this is meant.
fn building(mut command: Command, crates: &str) -> Command {
    command.arg(format!("-Zbuild-std={crates}")).env("RUSTC_BOOTSTRAP", "1");
    command
}

/// The folder of a compiler.
fn sysroot(shell: &mut Shell, rustc: &str) -> Result<PathBuf, Stop> {
    let path = shell.output(Command::new(rustc).args(["--print", "sysroot"]))?;
    Ok(PathBuf::from(path.trim()))
}
