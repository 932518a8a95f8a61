//! `cargo xtask header`: generates include/agentsdisc.h from the C crate. cbindgen is a library in
//! a separate program (xtask/header), so it need not be installed and always has the same version.

use crate::c_docs;
use crate::header_sections;
use crate::shell::{Outcome, Shell, Stop, failed, read, write};
use crate::tools::{self, cargo, exists};

pub(crate) fn run(shell: &mut Shell, check: bool) -> Outcome {
    if !exists("ffi-c/Cargo.toml") {
        return failed("ffi-c/Cargo.toml is missing, so no header can be generated");
    }
    let target = tools::scratch()?.join("header");
    let text = shell.output(
        cargo(&["run", "-q", "--locked", "--manifest-path", "xtask/header/Cargo.toml"])
            .env("CARGO_TARGET_DIR", target),
    )?;
    let text = header_sections::arranged(&text)?;
    let lacking = c_docs::lacking(&text);
    if !lacking.is_empty() {
        lacking.iter().for_each(|line| shell.say(&format!("    {line}")));
        return failed(format!(
            "the comments of {} functions lack something that docs/c.md promises",
            lacking.len()
        ));
    }
    settle_file(shell, "include/agentsdisc.h", &text, check, "cargo xtask header")
}

/// Writes a generated file. With `check`, fails if the file differs from the output of `command`.
pub(crate) fn settle_file(
    shell: &mut Shell,
    path: &str,
    fresh: &str,
    check: bool,
    command: &str,
) -> Outcome {
    let file = shell.root.join(path);
    // Ignores CRLF line ends from a checkout.
    let there = if exists(path) { read(&file)?.replace("\r\n", "\n") } else { String::new() };
    if there == fresh {
        return Ok(format!("{path} is up to date"));
    }
    if !check {
        write(&file, fresh)?;
        return Ok(format!("{path} is written"));
    }
    let same = there.lines().zip(fresh.lines()).take_while(|(old, new)| old == new).count();
    shell.say(&format!("{path}, line {}:", same + 1));
    shell.say(&format!("    is:        {}", there.lines().nth(same).unwrap_or("(the end)")));
    shell.say(&format!("    should be: {}", fresh.lines().nth(same).unwrap_or("(the end)")));
    failed(format!("{path} is not up to date; run `{command}` and commit the result"))
}

/// Returns the text of a file with `fresh` between its two marker lines.
pub(crate) fn between(
    shell: &Shell,
    path: &str,
    [start, end]: [&str; 2],
    fresh: &str,
) -> Result<String, Stop> {
    let file = read(&shell.root.join(path))?.replace("\r\n", "\n");
    let lacks = |line: &str| Stop::Failed(format!("{path} lacks the line {line}"));
    let (before, rest) = file.split_once(start).ok_or_else(|| lacks(start))?;
    let (_, after) = rest.split_once(end).ok_or_else(|| lacks(end))?;
    Ok(format!("{before}{start}{fresh}{end}{after}"))
}
