//! `cargo xtask abi`: the record of the C ABI that programs are compiled against. Constants and
//! functions come from the header; sizes and offsets are computed by a C compiler, for 64-bit and
//! for 32-bit systems. The 32-bit record has only the values that depend on the pointer size. From
//! both records, this command writes ffi-c/src/layout.rs, which compares them with the Rust structs.
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
/// The comparison of the records with the Rust structs; its table is generated.
const LAYOUT: &str = "ffi-c/src/layout.rs";

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
        return Err(Stop::NotHere("the ABI record is for 64-bit Linux and macOS only".into()));
    }
    let declared = declared(&read(&shell.root.join("include/agentsdisc.h"))?)?;
    let fresh = record(shell, &declared)?;
    let mut notes = vec![];
    if mode != Mode::Break && exists(RECORD) {
        let old = read(&shell.root.join(RECORD))?;
        keeps(shell, RECORD, &old, &fresh)?;
        notes.push(abi_diff::run(shell, &old, &declared.functions)?.to_owned());
    }
    notes.insert(0, settle_file(shell, RECORD, &fresh, mode == Mode::Check, "cargo xtask abi")?);
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
        None => notes.push(format!("{RECORD_32} is not checked: that needs gcc on x86-64")),
    }
    let records = (fresh, read(&shell.root.join(RECORD_32))?);
    let layout = layout(&read(&shell.root.join(LAYOUT))?, &declared, &records)?;
    notes.push(settle_file(shell, LAYOUT, &layout, mode == Mode::Check, "cargo xtask abi")?);
    Ok(notes.join("; "))
}

/// Returns the text of layout.rs with a row for each struct of the header: its sizes, its last
/// member and the offsets of that, on 64 and on 32 bits.
fn layout(
    text: &str,
    declared: &Declared,
    (record, record_32): &(String, String),
) -> Result<String, Stop> {
    const START: &str = "\nlayout! {\n";
    let Some((before, _)) = text.split_once(START) else {
        return failed(format!("{LAYOUT} lacks the line layout! {{"));
    };
    let mut table = format!("{before}{START}");
    for Struct { name, members } in &declared.structs {
        let Some((_, last)) = members.last() else {
            continue;
        };
        let size = format!("struct {name}: size ");
        let offset = format!("member {name}.{last}: at ");
        let numbers = [
            number(record, &size),
            number(record_32, &size),
            number(record, &offset),
            number(record_32, &offset),
        ];
        let [Some(size), Some(size_32), Some(offset), Some(offset_32)] = numbers else {
            return failed(format!("{RECORD_32} lacks {name}.{last}"));
        };
        let last = if last == "type" { "r#type" } else { last };
        table += &format!("    {name} {size} {size_32} {last} {offset} {offset_32},\n");
    }
    Ok(table + "}\n")
}

/// Returns the number in the line of a record that begins with `start`.
fn number<'a>(record: &'a str, start: &str) -> Option<&'a str> {
    { record.lines() }.find_map(|line| line.strip_prefix(start))?.split(',').next()
}

/// Compares the records with those of a release whose programs have to run with this library.
pub(crate) fn since(shell: &mut Shell, tag: &str) -> Result<(), Stop> {
    for file in [RECORD, RECORD_32] {
        let old = shell.output(Command::new("git").args(["show", &format!("{tag}:{file}")]))?;
        keeps(shell, file, &old, &read(&shell.root.join(file))?)?;
    }
    Ok(())
}

/// Fails if the fresh record removes or changes something that programs are compiled against.
fn keeps(shell: &mut Shell, file: &str, old: &str, fresh: &str) -> Result<(), Stop> {
    let broken = broken(old, fresh);
    if broken.is_empty() {
        return Ok(());
    }
    broken.iter().for_each(|line| shell.say(&format!("    {line}")));
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
            line.strip_prefix("struct ")?.strip_prefix(name)?.strip_prefix(": size ")
        })?;
        let grows = fresh.lines().any(|line| line == format!("member {name}.size: at 0, size_t"));
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
    write(&source, &program_of(declared, &declared.constants, PRINTED))?;
    let compiler = if tools::has("gcc") { "gcc" } else { "clang" };
    tools::need(compiler)?;
    let program = folder.join("abi");
    shell.run(
        Command::new(compiler).args(["-std=c11", "-Iinclude"]).arg(&source).arg("-o").arg(&program),
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

/// Like the 64-bit record, for a 32-bit system; `None` if there is no compiler for it. Neither links
/// nor runs a program: the compiler writes the values as text into the assembly.
fn record_32(shell: &mut Shell, declared: &Declared) -> Result<Option<String>, Stop> {
    if !cfg!(target_arch = "x86_64") || !tools::has("gcc") {
        return Ok(None);
    }
    let source = tools::scratch()?.join("abi").join("abi32.c");
    write(&source, &program_of(declared, &[], IN_ASSEMBLY))?;
    // i386 aligns 64-bit numbers in structs to 4 bytes; the option selects the alignment of other
    // 32-bit systems. A freestanding program needs only the headers of the compiler.
    let assembly = shell.output(
        Command::new("gcc")
            .args(["-m32", "-malign-double", "-ffreestanding", "-std=gnu11"])
            .args(["-Iinclude", "-S", "-o", "-"])
            .arg(&source),
    )?;
    let mut text = String::from(
        "# As lp64.txt, on 32-bit systems that align 64-bit numbers to 8 bytes (ARM, RISC-V): sizes and offsets. What else is recorded is the same there.\n",
    );
    for line in { assembly.lines() }.filter_map(|line| line.trim().strip_prefix('@')) {
        text += &format!("{line}\n");
    }
    Ok(Some(text))
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
                    || value.trim_matches(['(', ')', '-']).chars().all(|c| c.is_ascii_digit()))
            {
                found.constants.push(format!("AGD_{name}"));
            }
        } else if line.is_empty() || line.starts_with('#') || line.starts_with("extern") {
            pending.clear();
        } else if let Some(name) =
            line.strip_prefix("typedef struct ").and_then(|rest| rest.strip_suffix(" {"))
        {
            open = Some(Struct { name: name.to_owned(), members: Vec::new() });
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
                            declaration
                                .split_whitespace()
                                .filter(|word| *word != "AGD_MUST_USE")
                                .collect::<Vec<_>>()
                                .join(" "),
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

/// The values are printed by the program.
const PRINTED: &str = r#"#include <stdio.h>
#define RECORD(before, value, after) printf(before "%lld" after "\n", (long long)(value))
"#;
/// The values are in the assembly of the program, in lines with `@`.
const IN_ASSEMBLY: &str = r#"#define RECORD(before, value, after) __asm__ volatile("@" before "%c0" after : : "i"(value))
"#;

/// Returns a C program with the values of constants and the offsets of the members.
fn program_of(declared: &Declared, constants: &[String], record: &str) -> String {
    let mut text = format!("{record}#include <agentsdisc.h>\nint main(void) {{\n");
    for name in constants {
        text += &format!("    RECORD(\"constant {name}: \", {name}, \"\");\n");
    }
    for Struct { name, members } in &declared.structs {
        text += &format!("    RECORD(\"struct {name}: size \", sizeof({name}), \"\");\n");
        for (kind, member) in members {
            text += &format!(
                "    RECORD(\"member {name}.{member}: at \", offsetof({name}, {member}), \", {kind}\");\n"
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
            broken(old, &old.replace("s: size 8", "s: size 16\nmember s.more: at 8, size_t"))
                .is_empty()
        );
        assert_eq!(broken(old, &old.replace("t: size 8", "t: size 16")), ["struct t: size 8"]);
        assert_eq!(broken(old, &old.replace("s: size 8", "s: size 4")), ["struct s: size 8"]);
        assert_eq!(broken(old, &old.replace("A: 1", "A: 2")), ["constant A: 1"]);
        assert_eq!(
            broken(old, &old.replace("int f(void)", "int f(int)")),
            ["function f: int f(void)"]
        );
    }

    #[test]
    fn comments_are_no_declarations() {
        assert_eq!(without_comments("a /* b\n */ c\n/// d\ne // f"), "a  c\n\ne ");
    }
}
