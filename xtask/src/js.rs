//! The npm package: builds it, and runs its tests in the runtimes and bundlers that npm installs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, Shell, Stop, read, write};
use crate::{kit, python, tools};

const TARGET: &str = "wasm32-unknown-unknown";
/// The tests that always run.
const QUICK: [&str; 8] = [
    "authorization",
    "calls",
    "conformance",
    "discover",
    "hostile",
    "identity",
    "readiness",
    "serve",
];

pub(crate) fn tests(shell: &mut Shell) -> Outcome {
    if tools::is_long() {
        package(shell)?;
        // The step `rust-clippy` looks at all of them at once.
        for features in ["full", "robots", "identity", "readiness"] {
            let mut clippy = tools::cargo(&["clippy", "-p", "agentsdisc-wasm"]);
            clippy.args(["--profile", "wasm", "--target", TARGET]);
            clippy.args(["--no-default-features", "--features", features, "--", "-D", "warnings"]);
            shell.run(clippy.env("CARGO_TARGET_DIR", folder_of_module()))?;
        }
    } else {
        // What is shipped takes four times as long, and is tested with --long.
        build(shell, &["--quick"])?;
    }
    // The answers are compared with those of the wheel.
    let python = python::for_tests(shell)?;
    shell.run(Command::new(&python).args(["js/cli.py", "--check"]))?;
    // The runtimes, the bundlers, the command and the playground take minutes.
    let mut test = if tools::is_long() {
        let mut npm = Command::new("npm");
        npm.args(["--prefix", "js", "test", "--silent"]);
        npm
    } else {
        let mut node = Command::new("node");
        node.arg("--test").args(QUICK.map(|name| format!("js/test/{name}.test.mjs")));
        node
    };
    test.env("AGENTSDISC_LONG", if tools::is_long() { "1" } else { "" });
    shell.run(test.env("AGENTSDISC_PYTHON", python))?;
    kit::hold(shell, &["node conformance/adapters/agentsdisc_javascript.mjs"])?;
    Ok(String::new())
}

/// Builds the package as it is shipped. Returns its folder.
pub(crate) fn package(shell: &mut Shell) -> Result<PathBuf, Stop> {
    build(shell, &[])
}

/// Builds the package, and with it the playground. Returns the folder of the page.
pub(crate) fn playground(shell: &mut Shell) -> Result<PathBuf, Stop> {
    let folder = package(shell)?;
    let vite = folder.join("node_modules/.bin/vite");
    shell.run(Command::new(vite).args(["build", "js/playground", "--logLevel", "error"]))?;
    Ok(folder.join("dist-playground"))
}

/// Builds the package with what it needs. Returns its folder.
fn build(shell: &mut Shell, arguments: &[&str]) -> Result<PathBuf, Stop> {
    let folder = shell.root.join("js");
    tools::need("node")?;
    target(shell)?;
    install(shell, &folder)?;
    let mut build = Command::new("node");
    build.arg("js/build.mjs").args(arguments);
    shell.run(build.env("CARGO_TARGET_DIR", folder_of_module()))?;
    Ok(folder)
}

/// The module has a folder of its own, so that no other step waits for it.
fn folder_of_module() -> PathBuf {
    tools::target().join("js")
}

/// Whether the compiler has the target.
fn target(shell: &mut Shell) -> Result<(), Stop> {
    let mut rustc = Command::new("rustc");
    let folder = shell.output(rustc.args(["--print", "target-libdir", "--target", TARGET]))?;
    if Path::new(folder.trim()).exists() {
        return Ok(());
    }
    Err(Stop::Missing {
        what: format!("the target {TARGET}"),
        install: format!("rustup target add {TARGET}"),
    })
}

/// Installs exactly what the lock file names.
fn install(shell: &mut Shell, folder: &Path) -> Result<(), Stop> {
    let wanted = read(&folder.join("package-lock.json"))?;
    let stamp = folder.join("node_modules/.agentsdisc");
    if fs::read_to_string(&stamp).is_ok_and(|done| done == wanted) {
        return Ok(());
    }
    let arguments = ["--prefix", "js", "ci", "--no-audit", "--no-fund"];
    shell.run(Command::new("npm").args(arguments))?;
    write(&stamp, &wanted)
}
