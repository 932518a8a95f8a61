//! A firmware: how it is built, how QEMU runs it, and what it must not contain.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::machine::{Machine, OBJDUMP};
use super::stack::{self, Depths};
use super::types;
use crate::c::WARNINGS;
use crate::cross;
use crate::install::SYSTEM;
use crate::rust;
use crate::shell::{Shell, Stop, failed, read, write};
use crate::tools::{self, cargo};

const TARGET: &str = "thumbv7m-none-eabi";
const EMULATOR: &str = "qemu-system-arm";
/// The board in QEMU: it has a Cortex-M3 and, unlike the lm3s6965evb, more than 256 KB of flash.
const BOARD: [&str; 4] = ["-cpu", "cortex-m3", "-machine", "mps2-an385"];
const CRATE: &str = "embedded/rust";

/// Fails if a required program is missing.
pub(super) fn need_tools() -> Result<(), Stop> {
    if !cfg!(target_os = "linux") {
        return Err(Stop::NotHere("the host build of the firmware links on Linux only".into()));
    }
    [EMULATOR, "arm-none-eabi-gcc", OBJDUMP].into_iter().try_for_each(tools::need)
}

/// A linked firmware.
pub(super) struct Firmware {
    pub(super) elf: PathBuf,
    pub(super) map: PathBuf,
}

/// Builds `embedded/rust` with some features, in the form in which calls can be attributed
/// ([`CODE`]).
pub(super) fn rust(shell: &mut Shell, features: &str) -> Result<Firmware, Stop> {
    link(shell, CRATE, features, "agentsdisc-embedded", ("embedded", CODE))
}

/// Builds `embedded/rust` as shipped, which is smaller. Flash sizes are measured in this build.
pub(super) fn shipped(shell: &mut Shell, features: &str) -> Result<Firmware, Stop> {
    link(shell, CRATE, features, "agentsdisc-embedded", ("embedded-shipped", PLAIN))
}

/// Like [`shipped`], for a target without frame pointers.
pub(super) fn lean(shell: &mut Shell, features: &str) -> Result<Firmware, Stop> {
    let folder = "embedded-lean";
    let change = (r#""frame-pointer": "always""#, r#""frame-pointer": "may-omit""#);
    let manifest = format!("{CRATE}/Cargo.toml");
    let command = cross::cargo_for(
        shell,
        &arguments(&manifest, features),
        (TARGET, change),
        "core",
        &format!("xtask/{folder}"),
    )?;
    run_linker(shell, command, "agentsdisc-embedded", features, (folder, PLAIN))
}

/// Builds `embedded/peer`.
pub(super) fn peer(shell: &mut Shell) -> Result<Firmware, Stop> {
    link(shell, "embedded/peer", "", "agentsdisc-embedded-peer", ("embedded", CODE))
}

/// Like [`peer`], as shipped.
pub(super) fn shipped_peer(shell: &mut Shell) -> Result<Firmware, Stop> {
    link(shell, "embedded/peer", "", "agentsdisc-embedded-peer", ("embedded-shipped", PLAIN))
}

/// Links a program in a separate folder, so that other flags do not rebuild the standard library.
fn link(
    shell: &mut Shell,
    package: &str,
    features: &str,
    program: &str,
    (folder, code): (&str, &str),
) -> Result<Firmware, Stop> {
    let manifest = format!("{package}/Cargo.toml");
    let command = cross::cargo(
        shell,
        &arguments(&manifest, features),
        TARGET,
        "core",
        &format!("xtask/{folder}"),
    )?;
    run_linker(shell, command, program, features, (folder, code))
}

fn arguments<'a>(manifest: &'a str, features: &'a str) -> [&'a str; 8] {
    [
        "rustc",
        "--release",
        "--locked",
        "--manifest-path",
        manifest,
        "--no-default-features",
        "--features",
        features,
    ]
}

/// Runs a build and links its program as firmware.
fn run_linker(
    shell: &mut Shell,
    mut command: Command,
    program: &str,
    features: &str,
    (folder, code): (&str, &str),
) -> Result<Firmware, Stop> {
    let folder = tools::scratch()?.join(folder).join(TARGET).join("release");
    // One folder for each selection, so that an existing build is not linked again.
    let map = folder.join(format!("{program}-{}.map", features.replace(',', "+")));
    let link = [
        format!("-L{}", shell.root.join(CRATE).display()),
        "-Tlink.x".into(),
        "--emit-relocs".into(),
    ];
    let mut flags = String::from(code);
    flags += " -C linker=arm-none-eabi-ld -C linker-flavor=ld";
    link.iter().for_each(|argument| flags += &format!(" -C link-arg={argument}"));
    command.env("RUSTFLAGS", flags).env("RUSTC_BOOTSTRAP", "1").args([
        "--",
        "-C",
        &format!("link-arg=-Map={}", map.display()),
    ]);
    shell.run(&mut command)?;
    Ok(Firmware { elf: folder.join(program), map })
}

/// Flags for code generation: symbols that name types.
const PLAIN: &str = "-C symbol-mangling-version=v0";

/// Flags that keep calls attributable: functions that only differ in their types are not merged,
/// and parts of functions are not split off.
const CODE: &str = "-C symbol-mangling-version=v0 -Z merge-functions=disabled -C llvm-args=-enable-machine-outliner=never";

/// The C program, and its platform-independent files.
const C: &str = "embedded/c";
const C_FILES: [&str; 4] = ["digest.c", "model.c", "program.c", "documents.c"];

/// The parts of the C library on bare metal.
const C_FEATURES: &str = "panic-handler,agents-txt,agents-json,agents-md,awp,adp,robots-txt,policy,call,discovery,check,write,json";

/// Builds `embedded/c` with a libagentsdisc.a that needs no operating system.
pub(super) fn c(shell: &mut Shell) -> Result<Firmware, Stop> {
    let arguments = [
        "rustc",
        "-p",
        "agentsdisc-c",
        "--release",
        "--crate-type",
        "staticlib",
        "--no-default-features",
        "--features",
        C_FEATURES,
    ];
    let mut command = cross::cargo(shell, &arguments, TARGET, "core", "xtask/embedded")?;
    for (name, value) in [("OPT_LEVEL", "z"), ("LTO", "fat"), ("PANIC", "abort"), ("DEBUG", "2")] {
        command.env(format!("CARGO_PROFILE_RELEASE_{name}"), value);
    }
    shell.run(command.env("RUSTFLAGS", CODE).env("RUSTC_BOOTSTRAP", "1"))?;
    let folder = tools::scratch()?.join("embedded");
    let library = folder.join(TARGET).join("release/libagentsdisc.a");
    let firmware = Firmware { elf: folder.join("c.elf"), map: folder.join("c.map") };
    let mut command = Command::new("arm-none-eabi-gcc");
    command.args([
        "-mcpu=cortex-m3",
        "-mthumb",
        "-Os",
        "-g",
        "-ffreestanding",
        "-ffunction-sections",
        "-fdata-sections",
        "-nostdlib",
    ]);
    command.args([
        &format!("-T{C}/board.ld"),
        "-Wl,--gc-sections,--emit-relocs,-z,noexecstack",
        &format!("-Wl,-Map={}", firmware.map.display()),
    ]);
    compile(shell, command, "board.c", &library, &["-lgcc"], &firmware.elf)?;
    Ok(firmware)
}

/// Builds jsmn, a small JSON tokenizer, if its header is installed.
pub(super) fn jsmn(shell: &mut Shell) -> Result<Option<u32>, Stop> {
    const HEADER: &str = "/usr/include/jsmn.h";
    if !Path::new(HEADER).is_file() {
        return Ok(None);
    }
    let folder = tools::scratch()?.join("embedded");
    let (source, object) = (folder.join("jsmn.c"), folder.join("jsmn.o"));
    write(&source, "#define JSMN_STRICT\n#include JSMN\n")?;
    let mut command = Command::new("arm-none-eabi-gcc");
    command.args([
        "-mcpu=cortex-m3",
        "-mthumb",
        "-Os",
        "-ffreestanding",
        "-c",
        &format!("-DJSMN=\"{HEADER}\""),
    ]);
    shell.run(command.arg(source).arg("-o").arg(&object))?;
    section(shell, &object, ".text").map(Some)
}

/// Returns the output of the C program on the host.
pub(super) fn c_on_the_host(shell: &mut Shell) -> Result<String, Stop> {
    rust::debug_library(shell)?;
    let program = tools::scratch()?.join("embedded-host").join("c");
    let command = Command::new("gcc");
    compile(
        shell,
        command,
        "host.c",
        &tools::target().join("debug/libagentsdisc.a"),
        SYSTEM,
        &program,
    )?;
    shell.output(&mut Command::new(program))
}

/// Compiles the C program in the root folder of the repository, from which it includes the
/// documents.
fn compile(
    shell: &mut Shell,
    mut command: Command,
    world: &str,
    library: &Path,
    system: &[&str],
    program: &Path,
) -> Result<(), Stop> {
    command.arg("-std=c11").args(WARNINGS).arg("-Iinclude");
    command
        .args(C_FILES.iter().chain([&world]).map(|file| format!("{C}/{file}")))
        .arg(library)
        .args(system);
    shell.run(command.arg("-o").arg(program))
}

/// Returns the output of `embedded/rust` on the host.
pub(super) fn on_the_host(shell: &mut Shell, features: &str) -> Result<String, Stop> {
    let manifest = format!("{CRATE}/Cargo.toml");
    let mut command = cargo(&[
        "run",
        "-q",
        "--locked",
        "--manifest-path",
        &manifest,
        "--no-default-features",
        "--features",
        features,
    ]);
    shell.output(command.env("CARGO_TARGET_DIR", tools::scratch()?.join("embedded-host")))
}

/// Returns the output of a firmware in QEMU. The limit is ten minutes, even on a busy machine,
/// because a fault would never end.
pub(super) fn run(shell: &mut Shell, firmware: &Path) -> Result<Printed, Stop> {
    let mut command = Command::new("timeout");
    command.args(["600", EMULATOR]).args(BOARD).args([
        "-nographic",
        "-semihosting-config",
        "enable=on,target=native",
        "-kernel",
    ]);
    let text = shell.output(command.arg(firmware))?;
    let mut printed = Printed::default();
    let number = |line: &str, what: &str| {
        let (of, hex) = line.strip_prefix(what)?.split_once(": ")?;
        Some((of.to_owned(), u32::from_str_radix(hex, 16).ok()?))
    };
    for line in text.lines() {
        if let Some((part, bytes)) = number(line, "stack of ") {
            printed.stack.insert(part, bytes);
        } else if let Some((name, bytes)) = number(line, "size of ") {
            printed.structs.insert(name, bytes);
        } else {
            printed.text += &format!("{line}\n");
        }
    }
    Ok(printed)
}

/// The output of a firmware.
#[derive(Default)]
pub(super) struct Printed {
    pub(super) text: String,
    /// The stack depth of each part of the program.
    pub(super) stack: BTreeMap<String, u32>,
    /// The sizes of the structs that a caller keeps.
    pub(super) structs: BTreeMap<String, u32>,
}

/// A symbol with code or data.
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) address: u32,
    pub(super) size: u32,
}

/// Returns all functions and constants, demangled.
pub(super) fn symbols(shell: &mut Shell, firmware: &Path) -> Result<Vec<Symbol>, Stop> {
    let text = shell.output(Command::new("arm-none-eabi-nm").args(["-S", "-C"]).arg(firmware))?;
    let hex = |digits: &str| u32::from_str_radix(digits, 16).ok();
    let symbol = |line: &str| {
        let mut parts = line.splitn(4, ' ');
        let (address, size) = (hex(parts.next()?)?, hex(parts.next()?)?);
        let kind = parts.next()?;
        kind.starts_with(['t', 'T', 'w', 'W']).then_some(())?;
        // The address of a Thumb function is odd.
        Some(Symbol { name: types::without_hashes(parts.next()?), address: address & !1, size })
    };
    Ok(text.lines().filter_map(symbol).collect())
}

/// Returns the bytes of a section.
pub(super) fn section(shell: &mut Shell, firmware: &Path, name: &str) -> Result<u32, Stop> {
    let text = shell.output(Command::new(OBJDUMP).arg("-h").arg(firmware))?;
    let mut lines = text.lines().map(|line| line.split_whitespace().skip(1));
    let size =
        lines.find_map(|mut words| if words.next() == Some(name) { words.next() } else { None });
    Ok(size.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0))
}

/// Functions of a heap, in C and in Rust.
const HEAP: [&str; 12] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "_malloc_r",
    "_free_r",
    "_sbrk",
    "_sbrk_r",
    "sbrk",
    "__rust_alloc",
    "__rust_dealloc",
    "__rust_realloc",
];

/// Symbols that are linked only if code can panic: messages and the handler.
const PANIC: [&str; 5] =
    ["core::panicking", "panic_fmt", "rust_begin_unwind", "panic_bounds_check", "panic_handler"];

/// Returns what a firmware must not contain, from its map and its symbols.
pub(super) fn forbidden(firmware: &Firmware, symbols: &[Symbol]) -> Result<Vec<String>, Stop> {
    let map = read(&firmware.map)?;
    // Skips the part before it: sections that the linker dropped.
    let linked =
        map.split_once("Linker script and memory map").map_or(map.as_str(), |(_, linked)| linked);
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_$".contains(c);
    let words: std::collections::BTreeSet<&str> = linked.split(|c| !is_word(c)).collect();
    let mut found: Vec<String> = HEAP
        .iter()
        .filter(|name| words.contains(*name))
        .map(|name| format!("a heap function is linked: {name}"))
        .collect();
    for symbol in symbols {
        if symbol.name.contains("alloc::alloc") || HEAP.contains(&symbol.name.as_str()) {
            found.push(format!("a heap function is linked: {}", symbol.name));
        } else if PANIC.iter().any(|part| symbol.name.contains(part)) {
            found.push(format!("code that panics is linked: {}", symbol.name));
        }
    }
    Ok(found)
}

/// Returns the stack depths of a firmware's functions, or why they have no bound.
pub(super) fn bound(shell: &mut Shell, firmware: &Firmware) -> Result<(Machine, Depths), Stop> {
    let mut machine = Machine::read(shell, &firmware.elf)?;
    types::resolve(shell, &firmware.elf, &mut machine)?;
    if let Some(function) =
        machine.functions.values().find(|function| !function.unbounded.is_empty())
    {
        return failed(format!(
            "the frame of {} depends on a value: {}",
            function.symbol,
            function.unbounded.join("; ")
        ));
    }
    let depths = stack::depths(&machine);
    if !depths.circle.is_empty() {
        let names: Vec<&str> = depths
            .circle
            .iter()
            .filter_map(|at| Some(machine.functions.get(at)?.symbol.as_str()))
            .collect();
        return failed(format!(
            "functions call each other recursively, so the stack has no bound:\n    {}",
            names.join("\n    ")
        ));
    }
    Ok((machine, depths))
}
