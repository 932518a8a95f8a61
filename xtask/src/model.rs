//! `cargo xtask model`: what is made from the core's table of the model (core/src/manifest/table.rs) in other languages.

use crate::header::settle_file;
use crate::shell::{Outcome, Shell, failed, read};
use crate::tools::cargo;

/// The argument of `xtask-docs`, the file, and the lines between which the text stands; without them it is the whole file.
const PARTS: [(&str, &str, Option<[&str; 2]>); 5] = [
    ("c-structs", "ffi-c/src/model.rs", None),
    ("c-walker", "ffi-c/tests/c/members.h", None),
    (
        "python-stubs",
        "python/python/agentsdisc/_agentsdisc.pyi",
        Some([
            "# The classes of the model: written by `cargo xtask model`.\n",
            "# The end of the classes of the model.\n",
        ]),
    ),
    (
        "arrow-columns",
        "docs/arrow.md",
        Some(["companion: string\n", "request_example: string (JSON)\n"]),
    ),
    (
        "model-page",
        "docs/model.md",
        Some([
            "<!-- Written by `cargo xtask model` from core/src/manifest/table.rs; change it there. -->\n",
            "<!-- The end of what is written. -->\n",
        ]),
    ),
];

pub(crate) fn run(shell: &mut Shell, check: bool) -> Outcome {
    for (part, path, markers) in PARTS {
        let text = shell.output(&mut cargo(&["run", "-q", "-p", "xtask-docs", "--", part]))?;
        let text = match markers {
            None => text,
            Some([start, end]) => {
                let file = read(&shell.root.join(path))?.replace("\r\n", "\n");
                let Some((before, rest)) = file.split_once(start) else {
                    return failed(format!("{path} has no line {start}"));
                };
                let Some((_, after)) = rest.split_once(end) else {
                    return failed(format!("{path} has no line {end}"));
                };
                format!("{before}{start}{text}{end}{after}")
            }
        };
        let note = settle_file(shell, path, &text, check, "cargo xtask model")?;
        shell.say(&note);
    }
    Ok("what is made from the table of the model is up to date".to_owned())
}
