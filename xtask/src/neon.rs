//! `cargo xtask neon`: compiles the back end for aarch64 and runs its tests in QEMU, for machines
//! with another CPU.
//!
//! The standard library is that of rustup's target if it is installed; otherwise it is built from
//! source, which Debian packages together with a matching compiler. That takes minutes, so `cargo
//! xtask test` does not include it.

use std::path::Path;

use crate::cross;
use crate::shell::{Outcome, Shell, Stop};
use crate::tools;

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATORS: [&str; 2] = ["qemu-aarch64", "qemu-aarch64-static"];

/// The C library of the target in distributions; the emulator looks for the loader there.
const LIBRARIES: [&str; 2] = ["/usr/aarch64-linux-gnu", "/usr/aarch64-linux-gnu/sys-root"];

/// The tests that use the back end: each of its masks, then the code on top of them.
const TESTS: [&str; 4] = ["backends", "json", "fused", "conformance"];

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    if cfg!(target_arch = "aarch64") {
        return Err(Stop::NotHere(
            "this CPU has NEON, so `cargo xtask test` already tests it".into(),
        ));
    }
    if !cfg!(target_os = "linux") {
        return Err(Stop::NotHere("QEMU runs programs for another CPU on Linux only".into()));
    }
    let emulator = EMULATORS
        .into_iter()
        .find(|program| tools::has(program))
        .ok_or_else(|| missing("`qemu-aarch64`", "qemu-user"))?;
    if !tools::has(LINKER) {
        return Err(missing(&format!("`{LINKER}`"), "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"));
    }
    let has_loader = |folder: &&str| Path::new(folder).join("lib/ld-linux-aarch64.so.1").exists();
    let libraries = LIBRARIES
        .into_iter()
        .find(has_loader)
        .ok_or_else(|| missing("the C library of aarch64", "libc6-arm64-cross"))?;

    let mut command =
        cross::cargo(shell, &["test", "-p", "agentsdisc-core"], TARGET, "std,test", "neon")?;
    command
        .args(["--lib", "--test", "all", "--test", "backends", "--"])
        .args(TESTS.map(|test| format!("{test}::")));
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    command
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", format!("{emulator} -L {libraries}"));
    shell.run(&mut command)?;
    Ok(format!("{} tests of the core passed on {TARGET} in {emulator}", TESTS.join(", ")))
}

fn missing(what: &str, packages: &str) -> Stop {
    Stop::Missing {
        what: what.into(),
        install: format!("sudo apt-get install {packages} (as Debian calls it)"),
    }
}
