//! `cargo xtask docs`: docs/diagnostics.md from the core's own list, so that the table cannot say anything else.

use crate::header::settle_file;
use crate::shell::{Outcome, Shell};
use crate::tools::cargo;

pub(crate) fn run(shell: &mut Shell, check: bool) -> Outcome {
    // A program of its own: this one has no dependencies, and must run where the core does not compile.
    let text = shell.output(&mut cargo(&["run", "-q", "-p", "xtask-docs"]))?;
    settle_file(
        shell,
        "docs/diagnostics.md",
        &text,
        check,
        "cargo xtask docs",
    )
}
