//! The symbols of a built library, and which of its functions lead to a symbol: from the output of
//! `nm`, `objdump` and `addr2line`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::process::Command;

use crate::shell::{Shell, Stop};
use crate::tools;

/// Which symbols to list.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Undefined,
    Defined,
}

/// Returns the dynamic symbols of a shared library.
pub(crate) fn list(
    shell: &mut Shell,
    library: &Path,
    kind: Kind,
) -> Result<BTreeSet<String>, Stop> {
    tools::need("nm")?;
    let flag = match kind {
        Kind::Undefined => "--undefined-only",
        Kind::Defined => "--defined-only",
    };
    let text = shell.output(Command::new("nm").args(["-D", flag]).arg(library))?;
    Ok(text.lines().filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect())
}

/// The name of the function to which the panic handlers of the C library and of `xtask/nopanic` lead,
/// as part of its symbol.
pub(crate) const SYMBOL: &str = "panic_is_reachable";

/// Returns all symbols that a library defines.
pub(crate) fn names(shell: &mut Shell, library: &Path) -> Result<BTreeSet<String>, Stop> {
    let text =
        shell.output(Command::new("nm").args(["--quiet", "--defined-only", "-j"]).arg(library))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Returns all symbols that a library defines, as they are written in Rust.
pub(crate) fn demangled(shell: &mut Shell, library: &Path) -> Result<Vec<String>, Stop> {
    let text = shell
        .output(Command::new("nm").args(["--quiet", "--defined-only", "-C", "-j"]).arg(library))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Describes in a few lines which functions of a static library lead to a panic.
pub(crate) fn who_reaches_a_panic(shell: &mut Shell, library: &Path) -> Vec<String> {
    // Calls have targets in a linked library only.
    let linked = library.with_extension("linked.so");
    let mut command = Command::new("cc");
    command.args(["-shared", "-nostdlib", "-Wl,--whole-archive"]).arg(library);
    if shell.run(command.arg("-o").arg(&linked)).is_err() {
        return Vec::new();
    }
    let symbols = demangled(shell, &linked).unwrap_or_default();
    let handler = symbols.iter().find(|name| name.ends_with(SYMBOL));
    handler.map(|handler| who_reaches(shell, &linked, handler)).unwrap_or_default()
}

/// A call in the machine code: its address, the calling function, and the target.
struct Call {
    at: String,
    caller: String,
    callee: String,
}

/// Describes in a few lines which functions outside the standard library lead to `symbol`. Does not
/// see calls through pointers, so the result may be incomplete, but is never wrong. Empty if the
/// tools are missing.
fn who_reaches(shell: &mut Shell, library: &Path, symbol: &str) -> Vec<String> {
    let Ok(text) =
        shell.output(Command::new("objdump").args(["-d", "-C", "--no-show-raw-insn"]).arg(library))
    else {
        return Vec::new();
    };
    let calls = calls(&text);
    let mut callers: BTreeMap<&str, Vec<&Call>> = BTreeMap::new();
    for call in &calls {
        callers.entry(&call.callee).or_default().push(call);
    }
    // Search backwards from the symbol, through the standard library, to the first function outside
    // it.
    let mut lines = Vec::new();
    let mut shown = BTreeSet::new();
    let mut seen = BTreeSet::from([symbol]);
    let mut queue = VecDeque::from([symbol]);
    while let Some(callee) = queue.pop_front() {
        for call in callers.get(callee).into_iter().flatten() {
            if is_standard(&call.caller) {
                if seen.insert(&call.caller) {
                    queue.push_back(&call.caller);
                }
            } else {
                let found =
                    (format!("{} calls {callee}", call.caller), source(shell, library, &call.at));
                if shown.insert(found.clone()) {
                    lines.push(found.0);
                    lines.extend(found.1);
                }
            }
        }
    }
    lines
}

/// Whether a function belongs to the standard library or the panic code, so that its caller is
/// reported instead. Methods have the form `<Type as Trait>::name`; the type decides.
fn is_standard(function: &str) -> bool {
    let name = function.trim_start_matches(['<', '&', '[']);
    ["core::", "alloc::", "std::", "__rustc::", "u8", "str", "char", "T as core::"]
        .iter()
        .any(|start| name.starts_with(start))
}

fn calls(disassembly: &str) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut caller = String::new();
    for line in disassembly.lines() {
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
            caller = name.to_owned();
        } else if let Some((at, instruction)) = line.trim_start().split_once(":\t") {
            let jumps = ["call", "jmp", "j", "bl", "b"].iter().any(|op| {
                instruction.split_whitespace().next().is_some_and(|word| word.starts_with(op))
            });
            let target = instruction
                .strip_suffix('>')
                .and_then(|text| text.split_once(" <"))
                .map(|(_, name)| function(name));
            if let Some(callee) = target.filter(|callee| jumps && *callee != caller) {
                calls.push(Call {
                    at: at.to_owned(),
                    caller: caller.clone(),
                    callee: callee.to_owned(),
                });
            }
        }
    }
    calls
}

/// Returns a symbol without `+0x12`, `@plt` and `@Base`.
fn function(target: &str) -> &str {
    let name = target.rsplit_once("+0x").map_or(target, |(name, _)| name);
    name.strip_suffix("@plt").or_else(|| name.strip_suffix("@Base")).unwrap_or(name)
}

/// Returns the source lines of an instruction with the functions inlined there, indented, without
/// those of the standard library.
fn source(shell: &mut Shell, library: &Path, address: &str) -> Vec<String> {
    let root = format!("{}/", shell.root.display());
    let text = shell.output(
        Command::new("addr2line")
            .args(["-i", "-f", "-p", "-C", "-e"])
            .arg(library)
            .arg(format!("0x{address}")),
    );
    let lines = text.unwrap_or_default();
    let ours = lines
        .lines()
        .map(|line| line.trim().trim_start_matches("(inlined by) "))
        .filter(|line| !line.contains("/rustc/"));
    ours.map(|line| format!("        in {}", line.replace(&root, ""))).collect()
}
