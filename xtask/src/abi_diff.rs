//! Compares the ABI record with the header by abidiff (libabigail), if it is installed.
//!
//! The record contains all that a C compiler needs to declare the old types, so no other file is
//! kept. Both sides become a small shared library of empty functions with debugging information,
//! and abidiff compares the two.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Shell, Stop, failed, make_folder, write};
use crate::tools;

/// The bits of abidiff's exit status.
const FAILED: i32 = 1 | 2;
const INCOMPATIBLE: i32 = 8;

/// Compares both sides if abidiff is installed. Returns a note.
pub(crate) fn run(
    shell: &mut Shell,
    record: &str,
    functions: &[(String, String)],
) -> Result<&'static str, Stop> {
    if cfg!(not(target_os = "linux")) || !tools::has("abidiff") || !tools::has("gcc") {
        return Ok("abidiff is not installed");
    }
    if !record.lines().any(|line| line.starts_with("type ")) {
        return Ok("the record is too old for abidiff");
    }
    let folder = tools::scratch()?.join("abi-diff");
    make_folder(&folder)?;
    let old = stub(shell, &folder, "old", &recorded(record))?;
    let new = stub(shell, &folder, "new", &declared(functions))?;
    let status = shell.status(Command::new("abidiff").arg("--no-show-locs").arg(&old).arg(&new))?;
    let code = status.code().unwrap_or(FAILED);
    if code & FAILED != 0 {
        return failed("abidiff could not compare the record with the header");
    }
    if code & INCOMPATIBLE != 0 {
        return failed(
            "abidiff reports that the header breaks programs that were compiled against the record",
        );
    }
    Ok(if code == 0 {
        "abidiff finds no difference"
    } else {
        "abidiff finds only compatible changes"
    })
}

/// Builds a shared library from C code.
fn stub(shell: &mut Shell, folder: &Path, name: &str, text: &str) -> Result<PathBuf, Stop> {
    let (source, library) =
        (folder.join(format!("{name}.c")), folder.join(name).join("libagentsdisc.so"));
    make_folder(&folder.join(name))?;
    write(&source, text)?;
    let mut command = Command::new("gcc");
    command.args([
        "-std=c11",
        "-g",
        "-O0",
        "-shared",
        "-fPIC",
        "-Wl,-soname,libagentsdisc.so",
        "-Iinclude",
    ]);
    shell.run(command.arg(&source).arg("-o").arg(&library))?;
    Ok(library)
}

/// Returns empty bodies for the functions.
fn bodies<'a>(declarations: impl Iterator<Item = &'a str>) -> String {
    declarations
        .map(|declaration| {
            format!("{} {{ __builtin_trap(); }}\n", declaration.trim_end_matches(';'))
        })
        .collect()
}

/// C code from the header.
fn declared(functions: &[(String, String)]) -> String {
    format!(
        "#include <agentsdisc.h>\n{}",
        bodies(functions.iter().map(|(_, declaration)| declaration.as_str()))
    )
}

/// C code from the record.
fn recorded(record: &str) -> String {
    let mut text = String::from("#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n");
    let lines = |kind: &'static str| record.lines().filter_map(move |line| line.strip_prefix(kind));
    for (name, value) in lines("constant ").filter_map(|line| line.split_once(": ")) {
        text += &format!("#define {name} {value}\n");
    }
    let structs: Vec<&str> =
        lines("struct ").filter_map(|line| line.split_once(':')).map(|(name, _)| name).collect();
    structs.iter().for_each(|name| text += &format!("typedef struct {name} {name};\n"));
    lines("type ")
        .filter_map(|line| line.split_once(": "))
        .for_each(|(_, declaration)| text += &format!("{declaration}\n"));
    // A struct that contains others by value must follow them.
    let members = |name: &str| {
        let start = format!("{name}.");
        lines("member ")
            .filter_map(move |line| line.strip_prefix(&start))
            .filter_map(member)
            .collect::<Vec<_>>()
    };
    let mut left: Vec<(&str, Vec<(String, String)>)> =
        structs.iter().map(|name| (*name, members(name))).collect();
    while !left.is_empty() {
        let names: Vec<&str> = left.iter().map(|(name, _)| *name).collect();
        let needs = |kind: &str| {
            names.iter().any(|name| {
                kind == format!("struct {name}") || kind.starts_with(&format!("struct {name}["))
            })
        };
        let (ready, waiting): (Vec<_>, Vec<_>) = left
            .iter()
            .cloned()
            .partition(|(_, members)| !members.iter().any(|(_, kind)| needs(kind)));
        if ready.is_empty() {
            break;
        }
        for (name, members) in ready {
            let members: String =
                members.iter().map(|(member, kind)| declare(member, kind)).collect();
            text += &format!("struct {name} {{ {members}}};\n");
        }
        left = waiting;
    }
    let functions = lines("function ")
        .filter_map(|line| line.split_once(": "))
        .map(|(_, declaration)| declaration);
    text + &bodies(functions)
}

/// Returns name and type of a member in the record: `NAME: at OFFSET, TYPE`.
fn member(line: &str) -> Option<(String, String)> {
    let (name, rest) = line.split_once(": at ")?;
    let (_, kind) = rest.split_once(", ")?;
    Some((name.to_owned(), kind.to_owned()))
}

fn declare(name: &str, kind: &str) -> String {
    match kind.split_once('[') {
        Some((kind, size)) => format!("{kind} {name}[{size}; "),
        None => format!("{kind} {name}; "),
    }
}
