//! `cargo xtask neon`: the back end for aarch64 on another CPU: compiled for it, and its tests run by QEMU.
//!
//! The standard library comes from rustup's target where that is installed, and is otherwise built from its source, which Debian packages
//! together with a compiler that fits it. That takes minutes, so this is no step of `cargo xtask test`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, Shell, Stop};
use crate::tools;

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATORS: [&str; 2] = ["qemu-aarch64", "qemu-aarch64-static"];

/// Where distributions put the C library of the target; the emulator looks for the loader there.
const LIBRARIES: [&str; 2] = ["/usr/aarch64-linux-gnu", "/usr/aarch64-linux-gnu/sys-root"];

/// Debian's compiler and cargo, beside which rustup's may come first in the search path.
const SYSTEM: [&str; 2] = ["/usr/bin/rustc", "/usr/bin/cargo"];

/// The tests that go through the back end: each of its masks, then all that is built on them.
const TESTS: [&str; 4] = ["backends", "json", "fused", "conformance"];

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    if cfg!(target_arch = "aarch64") {
        return Err(Stop::NotHere("this CPU has NEON itself, so `cargo xtask test` tests it".into()));
    }
    if !cfg!(target_os = "linux") {
        return Err(Stop::NotHere("QEMU runs programs of another CPU on Linux only".into()));
    }
    let emulator = EMULATORS.into_iter().find(|program| tools::has(program)).ok_or_else(|| missing("`qemu-aarch64`", "qemu-user"))?;
    if !tools::has(LINKER) {
        return Err(missing(&format!("`{LINKER}`"), "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"));
    }
    let has_loader = |folder: &&str| Path::new(folder).join("lib/ld-linux-aarch64.so.1").exists();
    let libraries = LIBRARIES.into_iter().find(has_loader).ok_or_else(|| missing("the C library of aarch64", "libc6-arm64-cross"))?;

    let mut command = compiler(shell)?;
    command.args(["--lib"]).args(TESTS.iter().flat_map(|test| ["--test", test]));
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", format!("{emulator} -L {libraries}"));
    shell.run(&mut command)?;
    Ok(format!("the core's own tests, {} passed on {TARGET}, run by {emulator}", TESTS.join(", ")))
}

/// `cargo test` of the core for the target, with a standard library from wherever there is one.
fn compiler(shell: &mut Shell) -> Result<Command, Stop> {
    let test = ["test", "-p", "agentsdisc-core", "--target", TARGET];
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let libraries = sysroot(shell, &rustc)?.join("lib/rustlib");
    if libraries.join(TARGET).is_dir() {
        return Ok(tools::cargo(&test));
    }
    let source = "src/rust/library/Cargo.lock";
    let mut command = if libraries.join(source).is_file() {
        tools::cargo(&test)
    } else {
        let [rustc, cargo] = SYSTEM;
        let there = SYSTEM.iter().all(|program| Path::new(program).is_file());
        if !there || !sysroot(shell, rustc)?.join("lib/rustlib").join(source).is_file() {
            return Err(Stop::Missing {
                what: format!("Rust's standard library for {TARGET}"),
                install: format!("rustup target add {TARGET}\nor, on Debian:\n    sudo apt-get install rustc-web cargo-web rust-web-src"),
            });
        }
        let mut command = Command::new(cargo);
        // What a toolchain of rustup sets for the programs it runs must not decide for this one.
        for name in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTDOC", "LD_LIBRARY_PATH"] {
            command.env_remove(name);
        }
        command.args(test).env("RUSTC", rustc);
        command
    };
    // A stable compiler builds the standard library that it came with, once it is told that this is meant. Its own folder, for what
    // another compiler has built is of no use to this one.
    command.args(["-Zbuild-std=std,test", "--target-dir"]).arg(tools::target().join("neon")).env("RUSTC_BOOTSTRAP", "1");
    Ok(command)
}

/// The folder of a compiler.
fn sysroot(shell: &mut Shell, rustc: &str) -> Result<PathBuf, Stop> {
    let path = shell.output(Command::new(rustc).args(["--print", "sysroot"]))?;
    Ok(PathBuf::from(path.trim()))
}

fn missing(what: &str, packages: &str) -> Stop {
    Stop::Missing { what: what.into(), install: format!("sudo apt-get install {packages} (as Debian calls it)") }
}
