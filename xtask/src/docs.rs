//! `cargo xtask docs`: generates docs/diagnostics.md from the core's list of codes.

use crate::header::settle_file;
use crate::shell::{Outcome, Shell};
use crate::tools::cargo;

pub(crate) fn run(shell: &mut Shell, check: bool) -> Outcome {
    // A separate program: xtask has no dependencies, and must run even if the core does not
    // compile.
    let text = shell.output(&mut cargo(&["run", "-q", "-p", "xtask-docs"]))?;
    settle_file(
        shell,
        "docs/diagnostics.md",
        &text,
        check,
        "cargo xtask docs",
    )
}
