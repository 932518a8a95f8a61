//! `cargo xtask docs`: generates docs/diagnostics.md from the core's list of codes.

use std::process::Command;

use crate::header::settle_file;
use crate::rust::docs_program;
use crate::shell::{Outcome, Shell};

pub(crate) fn run(shell: &mut Shell, check: bool) -> Outcome {
    // A separate program: xtask has no dependencies, and must run even if the core does not
    // compile.
    let program = docs_program(shell, check)?;
    let text = shell.output(&mut Command::new(program))?;
    settle_file(shell, "docs/diagnostics.md", &text, check, "cargo xtask docs")
}
