//! `cargo xtask abi`: the record of the C ABI that programs are compiled against. Constants and
//! functions come from the header; sizes and offsets are computed by a C compiler, for 64-bit and
//! for 32-bit systems. The 32-bit record has only the values that depend on the pointer size.
//!
//! A record only grows: a removed or changed line breaks programs. The only exception is the size
//! of a struct that begins with its size.

use std::collections::BTreeSet;
use std::process::Command;

use crate::abi_diff;
use crate::header::settle_file;
use crate::shell::{Outcome, Shell, Stop, failed, read, write};
use crate::tools::{self, exists};

/// 64-bit systems with the data model of Unix.
pub(crate) const RECORD: &str = "ffi-c/abi/lp64.txt";
/// 32-bit systems that align 64-bit numbers to 8 bytes, such as ARM and RISC-V.
const RECORD_32: &str = "ffi-c/abi/ilp32.txt";

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Mode {
    Check,
    /// Write the record, unless it breaks programs.
    Write,
    /// Write the record.
    Break,
}

pub(crate) fn main(arguments: &[String]) -> Outcome {
    let mode = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Mode::Write,
        ["--check"] => Mode::Check,
        ["--break"] => Mode::Break,
        _ => return Err(Stop::Usage("`abi` accepts only --check or --break".into())),
    };
    run(&mut Shell::loud(), mode)
}

pub(crate) fn run(shell: &mut Shell, mode: Mode) -> Outcome {
    if cfg!(windows) || !cfg!(target_pointer_width = "64") {
        return Err(Stop::NotHere(
            "the ABI record is for 64-bit Linux and macOS only".into(),
        ));
    }
    let declared = declared(&read(&shell.root.join("include/agentsdisc.h"))?)?;
    let fresh = record(shell, &declared)?;
    let mut notes = vec![];
    if mode != Mode::Break && exists(RECORD) {
        let old = read(&shell.root.join(RECORD))?;
        keeps(shell, RECORD, &old, &fresh)?;
        notes.push(abi_diff::run(shell, &old, &declared.functions)?.to_owned());
    }
    notes.insert(
        0,
        settle_file(
            shell,
            RECORD,
            &fresh,
            mode == Mode::Check,
            "cargo xtask abi",
        )?,
    );
    match record_32(shell, &declared)? {
        Some(fresh) => {
            if mode != Mode::Break && exists(RECORD_32) {
                let old = read(&shell.root.join(RECORD_32))?;
                keeps(shell, RECORD_32, &old, &fresh)?;
            }
            notes.push(settle_file(
                shell,
                RECORD_32,
                &fresh,
                mode == Mode::Check,
                "cargo xtask abi",
            )?);
        }
        None => notes.push(format!(
            "{RECORD_32} is not checked: gcc cannot compile for 32 bits (install gcc-multilib)"
        )),
    }
    Ok(notes.join("; "))
}

/// Fails if the fresh record removes or changes something that programs are compiled against.
fn keeps(shell: &mut Shell, file: &str, old: &str, fresh: &str) -> Result<(), Stop> {
    let broken = broken(old, fresh);
    if broken.is_empty() {
        return Ok(());
    }
    broken
        .iter()
        .for_each(|line| shell.say(&format!("    {line}")));
    failed(format!(
        "{} lines of {file} are removed or changed, which breaks programs; undo that, or raise the version and run `cargo xtask abi --break`",
        broken.len()
    ))
}

/// Returns the functions of the record.
pub(crate) fn functions(shell: &Shell) -> Result<BTreeSet<String>, Stop> {
    let record = read(&shell.root.join(RECORD))?;
    let names = record
        .lines()
        .filter_map(|line| line.strip_prefix("function ")?.split_once(':'))
        .map(|(name, _)| name.to_owned());
    Ok(names.collect())
}

/// Returns the lines of the old record that the fresh one removes or changes.
fn broken<'a>(old: &'a str, fresh: &str) -> Vec<&'a str> {
    let kept: BTreeSet<&str> = fresh.lines().collect();
    let grown = |line: &str| {
        let (name, size) = line.strip_prefix("struct ")?.split_once(": size ")?;
        let now = fresh.lines().find_map(|line| {
            line.strip_prefix("struct ")?
                .strip_prefix(name)?
                .strip_prefix(": size ")
        })?;
        let grows = fresh
            .lines()
            .any(|line| line == format!("member {name}.size: at 0, size_t"));
        (grows && now.parse::<u64>().ok()? > size.parse::<u64>().ok()?).then_some(())
    };
    old.lines()
        .filter(|line| !line.starts_with('#') && !kept.contains(line) && grown(line).is_none())
        .collect()
}

/// A struct of the header: its name, and the declared types and names of its members.
struct Struct {
    name: String,
    members: Vec<(String, String)>,
}

/// The declarations of the header.
#[derive(Default)]
struct Declared {
    constants: Vec<String>,
    structs: Vec<Struct>,
    /// Name and whole declaration.
    types: Vec<(String, String)>,
    /// Name and whole declaration.
    functions: Vec<(String, String)>,
}

fn record(shell: &mut Shell, declared: &Declared) -> Result<String, Stop> {
    let folder = tools::scratch()?.join("abi");
    let source = folder.join("abi.c");
    write(&source, &program(declared))?;
    let compiler = if tools::has("gcc") { "gcc" } else { "clang" };
    tools::need(compiler)?;
    let program = folder.join("abi");
    shell.run(
        Command::new(compiler)
            .args(["-std=c11", "-Iinclude"])
            .arg(&source)
            .arg("-o")
            .arg(&program),
    )?;
    let mut text = String::from(
        "# What programs are compiled against, on 64-bit systems: made by `cargo xtask abi`.\n\
         # Lines are added; a line that goes or changes breaks programs.\n",
    );
    text += &shell.output(&mut Command::new(&program))?;
    for (name, declaration) in &declared.types {
        text += &format!("type {name}: {declaration};\n");
    }
    for (name, declaration) in &declared.functions {
        text += &format!("function {name}: {declaration}\n");
    }
    Ok(text)
}

/// Like the 64-bit record, for a 32-bit system; `None` if the compiler does not support it. Runs
/// nothing: the numbers are read from the object file.
fn record_32(shell: &mut Shell, declared: &Declared) -> Result<Option<String>, Stop> {
    if !cfg!(target_arch = "x86_64") || !tools::has("gcc") {
        return Ok(None);
    }
    let folder = tools::scratch()?.join("abi");
    let (source, program) = (folder.join("abi32.c"), folder.join("abi32"));
    write(&source, &program_of(declared, &[]))?;
    // i386 aligns 64-bit numbers in structs to 4 bytes; the option selects the alignment of other
    // 32-bit systems.
    let mut command = Command::new("gcc");
    command
        .args(["-m32", "-malign-double", "-std=c11", "-Iinclude"])
        .arg(&source)
        .arg("-o")
        .arg(&program);
    if !tools::succeeds(command.current_dir(&shell.root)) {
        return Ok(None);
    }
    let text = "# As lp64.txt, on 32-bit systems that align 64-bit numbers to 8 bytes (ARM, RISC-V): sizes and offsets. What else is recorded is the same there.\n";
    Ok(Some(
        text.to_owned() + &shell.output(&mut Command::new(&program))?,
    ))
}

/// Reads a header of cbindgen: declarations in order, each member of a struct on its own line.
fn declared(header: &str) -> Result<Declared, Stop> {
    let mut found = Declared::default();
    let mut open: Option<Struct> = None;
    let mut pending = String::new();
    for line in without_comments(header).lines() {
        let line = line.trim();
        if let Some(constant) = line.strip_prefix("#define AGD_") {
            if let Some((name, value)) = constant.split_once(' ')
                && !name.contains('(')
                && !name.starts_with("VERSION")
                && (value.contains("sizeof")
                    || value
                        .trim_matches(['(', ')', '-'])
                        .chars()
                        .all(|c| c.is_ascii_digit()))
            {
                found.constants.push(format!("AGD_{name}"));
            }
        } else if line.is_empty() || line.starts_with('#') || line.starts_with("extern") {
            pending.clear();
        } else if let Some(name) = line
            .strip_prefix("typedef struct ")
            .and_then(|rest| rest.strip_suffix(" {"))
        {
            open = Some(Struct {
                name: name.to_owned(),
                members: Vec::new(),
            });
        } else if line.starts_with('}') {
            found.structs.extend(open.take());
        } else {
            pending += if pending.is_empty() { "" } else { " " };
            pending += line;
            let Some(declaration) = pending.strip_suffix(';').map(str::to_owned) else {
                continue;
            };
            pending.clear();
            match &mut open {
                Some(open) => {
                    let (declarator, array) = declaration
                        .split_once('[')
                        .map_or((declaration.as_str(), ""), |(d, array)| (d, array));
                    let at = declarator.rfind([' ', '*']).map_or(0, |at| at + 1);
                    let (kind, name) = declarator.split_at(at);
                    let kind = if array.is_empty() {
                        kind.trim().to_owned()
                    } else {
                        format!("{}[{array}", kind.trim())
                    };
                    open.members.push((kind, name.to_owned()));
                }
                None if declaration.starts_with("typedef") && !declaration.contains('{') => {
                    let words = declaration.split_whitespace().collect::<Vec<_>>().join(" ");
                    let name = match words.split_once("(*") {
                        Some((_, rest)) => rest.split(')').next().map(str::to_owned),
                        None => words
                            .split('[')
                            .next()
                            .and_then(|head| head.rsplit([' ', '*']).next())
                            .map(str::to_owned),
                    };
                    found.types.extend(name.map(|name| (name, words)));
                }
                None => {
                    if let Some(name) = declaration
                        .split('(')
                        .next()
                        .and_then(|head| head.rsplit([' ', '*']).next())
                        && name.starts_with("agd_")
                        && !declaration.starts_with("typedef")
                        && !declaration.contains('{')
                    {
                        found.functions.push((
                            name.to_owned(),
                            declaration.split_whitespace().collect::<Vec<_>>().join(" "),
                        ));
                    }
                }
            }
        }
    }
    if found.constants.len() < 50 || found.structs.len() < 30 || found.functions.len() < 50 {
        return failed("the header has an unexpected form; update the reader in xtask/src/abi.rs");
    }
    found.functions.sort();
    Ok(found)
}

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, comment)) = rest.split_once("/*") {
        kept += before;
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    kept += rest;
    kept.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns a C program that prints the values of the constants and the offsets of the members.
fn program(declared: &Declared) -> String {
    program_of(declared, &declared.constants)
}

fn program_of(declared: &Declared, constants: &[String]) -> String {
    let mut text = String::from("#include <stdio.h>\n#include <agentsdisc.h>\nint main(void) {\n");
    for name in constants {
        text += &format!("    printf(\"constant {name}: %lld\\n\", (long long){name});\n");
    }
    for Struct { name, members } in &declared.structs {
        text += &format!("    printf(\"struct {name}: size %zu\\n\", sizeof({name}));\n");
        for (kind, member) in members {
            text += &format!(
                "    printf(\"member {name}.{member}: at %zu, {kind}\\n\", offsetof({name}, {member}));\n"
            );
        }
    }
    text + "    return 0;\n}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_additions_and_growth_keep_programs_working() {
        let old = "constant A: 1\nstruct s: size 8\nmember s.size: at 0, size_t\nstruct t: size 8\nmember t.x: at 0, size_t\nfunction f: int f(void)\n";
        assert!(
            broken(
                old,
                &old.replace("s: size 8", "s: size 16\nmember s.more: at 8, size_t")
            )
            .is_empty()
        );
        assert_eq!(
            broken(old, &old.replace("t: size 8", "t: size 16")),
            ["struct t: size 8"]
        );
        assert_eq!(
            broken(old, &old.replace("s: size 8", "s: size 4")),
            ["struct s: size 8"]
        );
        assert_eq!(broken(old, &old.replace("A: 1", "A: 2")), ["constant A: 1"]);
        assert_eq!(
            broken(old, &old.replace("int f(void)", "int f(int)")),
            ["function f: int f(void)"]
        );
    }

    #[test]
    fn comments_are_no_declarations() {
        assert_eq!(
            without_comments("a /* b\n */ c\n/// d\ne // f"),
            "a  c\n\ne "
        );
    }
}
