//! The flash and stack of the library, by selected features.

use std::collections::BTreeMap;

use super::constants;
use super::firmware::{self, Firmware, Printed, Symbol};
use super::page;
use crate::shell::{Outcome, Shell, Stop, failed};
use crate::tools;

/// The sizes of the library in one firmware.
pub(super) struct Sizes {
    /// Bytes of code.
    pub(super) code: u32,
    /// Bytes of constants.
    pub(super) constants: u32,
    /// Code and constants for a target without frame pointers, if built for one.
    pub(super) lean: Option<u32>,
    /// The maximum stack below a call into the library, by part.
    pub(super) stack: BTreeMap<&'static str, u32>,
    /// The maximum measured stack, of library and program.
    pub(super) seen: u32,
    pub(super) structs: BTreeMap<String, u32>,
}

/// The parts of the library, and the functions of `embedded/rust/src/calls.rs` that call them.
const PARTS: [(&str, &[&str]); 7] = [
    ("parse", &["parse"]),
    ("decide", &["policy"]),
    ("call", &["call"]),
    ("discover", &["discovery"]),
    ("check", &["check"]),
    ("convert", &["convert"]),
    ("json", &["write_json"]),
];

const CALLS: &str = "agentsdisc_embedded::calls::";

/// The measured selections: their names in the table, and their features.
const SELECTIONS: [(&str, &str); 22] = [
    ("agents.txt of the draft, known format, policy", "agents-txt-draft,known-format,policy"),
    ("agents.txt of the draft, policy, call", "agents-txt-draft,policy,call"),
    ("agents.txt", "agents-txt"),
    ("agents.txt, policy", "agents-txt,policy"),
    ("agents.json", "agents-json"),
    ("agents.json, policy", "agents-json,policy"),
    ("agents.md, policy", "agents-md,policy"),
    ("agent.json of AWP, policy", "awp,policy"),
    ("ADP, policy", "adp,policy"),
    ("A2A agent cards, policy", "a2a,policy"),
    ("MCP server cards, policy", "mcp-card,policy"),
    ("llms.txt, policy", "llms-txt,policy"),
    ("catalogs, policy", "catalogs,policy"),
    ("robots.txt, policy", "robots-txt,policy"),
    ("signed requests", "identity"),
    ("six families", "six-families"),
    ("six families, policy, discovery", "six-families,policy,discovery"),
    ("… and ids", "six-families,policy,discovery,ids"),
    ("… and check", "six-families,policy,discovery,check"),
    ("… and write", "six-families,policy,discovery,write"),
    ("… and json", "six-families,policy,discovery,json"),
    ("six families, all parts", super::EVERYTHING),
];

/// Whether a function copies or compares memory: every firmware has them. If the platform's C
/// library provides them, it replaces those of the compiler.
fn is_memory(name: &str) -> bool {
    let name = name.rsplit("::").next().unwrap_or_default();
    name.starts_with("__aeabi_mem")
        || ["memcpy", "memmove", "memset", "memcmp", "bcmp"].contains(&name)
}

/// Symbols of the program, its startup code and its platform, not of the library.
fn is_program(name: &str) -> bool {
    let own = ["agentsdisc_embedded", "cortex_m", "core::hint::black_box"]
        .iter()
        .any(|part| name.contains(part))
        && !name.starts_with(CALLS);
    own || is_memory(name)
        || [
            "main",
            "Reset",
            "DefaultHandler_",
            "DefaultPreInit",
            "HardFault_",
            "HardFaultTrampoline",
            "__pre_init",
        ]
        .contains(&name)
}

/// Returns the part of the library that a function enters.
fn part_of(name: &str) -> Option<&'static str> {
    let call = name.strip_prefix(CALLS)?.split("::").next()?;
    Some(PARTS.iter().find(|(_, calls)| calls.contains(&call)).map_or("read", |(part, _)| part))
}

/// Measures the stack of `firmware`, with its `symbols`, and the flash of `shipped`.
fn measure(
    shell: &mut Shell,
    (firmware, shipped): (&Firmware, &Firmware),
    symbols: &[Symbol],
    printed: &Printed,
) -> Result<Sizes, Stop> {
    let (code, constants) = flash(shell, shipped, is_program)?;
    Ok(Sizes {
        code,
        constants,
        lean: None,
        stack: deepest(shell, firmware, symbols)?,
        seen: printed.stack.values().max().copied().unwrap_or(0),
        structs: printed.structs.clone(),
    })
}

/// Returns the maximum stack below a call into the library, by part.
fn deepest(
    shell: &mut Shell,
    firmware: &Firmware,
    symbols: &[Symbol],
) -> Result<BTreeMap<&'static str, u32>, Stop> {
    let (_, depths) = firmware::bound(shell, firmware)?;
    let mut stack = BTreeMap::new();
    for symbol in symbols {
        if let Some((part, depth)) = part_of(&symbol.name).zip(depths.below.get(&symbol.address)) {
            let deepest: &mut u32 = stack.entry(part).or_default();
            *deepest = (*deepest).max(*depth);
        }
    }
    Ok(stack)
}

/// Returns the bytes of code and of constants that do not belong to the program.
fn flash(
    shell: &mut Shell,
    firmware: &Firmware,
    is_program: impl Fn(&str) -> bool,
) -> Result<(u32, u32), Stop> {
    let symbols = firmware::symbols(shell, &firmware.elf)?;
    let code =
        symbols.iter().filter(|symbol| !is_program(&symbol.name)).map(|symbol| symbol.size).sum();
    Ok((code, constants::of_library(shell, firmware, &symbols, is_program)?))
}

/// The limits of a selection of features, in bytes. If the goal in docs/embedded.md is not met, or
/// there is no goal, the limit is a tenth above the measurement, because compilers differ.
struct Ceiling {
    features: &'static str,
    /// Flash, of the shipped firmware. It needs another build, so selections without a goal omit
    /// it; `--write` shows it.
    flash: Option<u32>,
    /// Stack below a call that a small firmware makes, and below any call. Measured in a firmware
    /// with attributable calls.
    stack: Option<[u32; 2]>,
}

const CEILINGS: [Ceiling; 3] = [
    Ceiling {
        features: "agents-txt-draft,known-format,policy",
        flash: Some(48 * 1024),
        stack: Some([3536, 3536]),
    },
    Ceiling { features: "six-families,policy,discovery", flash: Some(304 * 1024), stack: None },
    Ceiling { features: super::EVERYTHING, flash: None, stack: Some([13 * 1024, 32 * 1024]) },
];

/// The calls that need the stack of a host.
const LARGE: [&str; 4] = ["call", "check", "convert", "json"];

/// Fails if the library exceeds a limit. Selections that need builds of their own are built with
/// `--long`.
pub(super) fn check(shell: &mut Shell) -> Result<(), Stop> {
    for Ceiling { features, flash: most_flash, stack: most_stack } in CEILINGS {
        if features != super::EVERYTHING && !tools::is_long() {
            continue;
        }
        if let Some(most) = most_flash {
            let shipped = firmware::shipped(shell, features)?;
            let (code, constants) = flash(shell, &shipped, is_program)?;
            within(features, "of flash", code + constants, most)?;
        }
        if let Some([most_small, most]) = most_stack {
            let firmware = firmware::rust(shell, features)?;
            let symbols = firmware::symbols(shell, &firmware.elf)?;
            let stack = deepest(shell, &firmware, &symbols)?;
            let below = |counts: fn(&str) -> bool| {
                let depths = stack.iter().filter(|(call, _)| counts(call));
                depths.map(|(_, depth)| *depth).max().unwrap_or(0)
            };
            let small = below(|call| !LARGE.contains(&call));
            within(
                features,
                "of stack for parsing, reading, deciding and discovery",
                small,
                most_small,
            )?;
            within(features, "of stack for a call", below(|_| true), most)?;
        }
    }
    Ok(())
}

fn within(features: &str, what: &str, taken: u32, most: u32) -> Result<(), Stop> {
    if taken <= most {
        return Ok(());
    }
    failed(format!(
        "with {features}, the library uses {taken} bytes {what}; the limit is {most}. `cargo xtask embedded {features}` lists the largest functions"
    ))
}

/// Builds one selection, and prints its largest parts.
pub(super) fn show(shell: &mut Shell, features: &str) -> Outcome {
    firmware::need_tools()?;
    let (firmware, shipped) =
        (firmware::rust(shell, features)?, firmware::shipped(shell, features)?);
    let mut symbols = firmware::symbols(shell, &firmware.elf)?;
    let printed = firmware::run(shell, &firmware.elf)?;
    let sizes = measure(shell, (&firmware, &shipped), &symbols, &printed)?;
    let (machine, depths) = firmware::bound(shell, &firmware)?;
    println!("largest functions:");
    let mut linked = firmware::symbols(shell, &shipped.elf)?;
    linked.sort_by_key(|symbol| std::cmp::Reverse(symbol.size));
    linked
        .iter()
        .filter(|symbol| !is_program(&symbol.name))
        .take(40)
        .for_each(|symbol| println!("{:8} {}", symbol.size, symbol.name));
    println!("largest frames:");
    let frame = |symbol: &Symbol| {
        machine.functions.get(&symbol.address).map_or(0, |function| function.frame)
    };
    symbols.sort_by_key(|symbol| std::cmp::Reverse(frame(symbol)));
    let below = |symbol: &Symbol| depths.below.get(&symbol.address).copied().unwrap_or(0);
    for symbol in symbols.iter().filter(|symbol| !is_program(&symbol.name)).take(30) {
        println!("{:8} {}", frame(symbol), symbol.name);
    }
    println!("deepest functions, including their calls:");
    symbols.sort_by_key(|symbol| std::cmp::Reverse(below(symbol)));
    for symbol in symbols.iter().filter(|symbol| !is_program(&symbol.name)).take(60) {
        println!("{:8} {:8} {}", below(symbol), frame(symbol), symbol.name);
    }
    for (part, deepest) in &sizes.stack {
        println!("deepest in {part}: {deepest} bytes");
        let Some(entrance) = symbols.iter().find(|symbol| {
            part_of(&symbol.name) == Some(part)
                && depths.below.get(&symbol.address) == Some(deepest)
        }) else {
            continue;
        };
        for at in depths.way(&machine, entrance.address) {
            if let Some(symbol) = symbols.iter().find(|symbol| symbol.address == at) {
                println!("{:8} {}", frame(symbol), symbol.name);
            }
        }
    }
    println!("painted: {:?}", printed.stack);
    Ok(format!(
        "code {} bytes, constants {} bytes, stack {:?}",
        sizes.code, sizes.constants, sizes.stack
    ))
}

/// Measures all selections, serde-json-core and jsmn, and writes the tables into the page.
pub(super) fn write(shell: &mut Shell) -> Outcome {
    firmware::need_tools()?;
    let mut rows = Vec::new();
    for (name, features) in SELECTIONS {
        let (firmware, shipped) =
            (firmware::rust(shell, features)?, firmware::shipped(shell, features)?);
        let symbols = firmware::symbols(shell, &firmware.elf)?;
        let printed = firmware::run(shell, &firmware.elf)?;
        let mut sizes = measure(shell, (&firmware, &shipped), &symbols, &printed)?;
        if page::has_goal(name) {
            let lean = firmware::lean(shell, features)?;
            let (code, constants) = flash(shell, &lean, is_program)?;
            sizes.lean = Some(code + constants);
        }
        rows.push((name, sizes));
    }
    let peers = peers(shell)?;
    page::write(shell, &rows, &peers)
}

/// The sizes of another library.
pub(super) struct Peer {
    pub(super) name: &'static str,
    pub(super) flash: u32,
    /// The maximum stack of the call that reads, without its result; or why it is unknown.
    pub(super) stack: String,
    pub(super) about: &'static str,
}

fn peers(shell: &mut Shell) -> Result<Vec<Peer>, Stop> {
    let (firmware, shipped) = (firmware::peer(shell)?, firmware::shipped_peer(shell)?);
    let symbols = firmware::symbols(shell, &firmware.elf)?;
    let is_reader = |name: &str| {
        name == "agentsdisc_embedded_peer::read"
            || !is_program(name)
            || name.contains("serde")
            || name.contains("_::")
    };
    let (code, constants) = flash(shell, &shipped, |name| !is_reader(name))?;
    let read = symbols.iter().find(|symbol| symbol.name == "agentsdisc_embedded_peer::read");
    let seen = firmware::run(shell, &firmware.elf)?.stack.get("read").copied().unwrap_or(0);
    let stack = match firmware::bound(shell, &firmware) {
        Ok((_, depths)) => read
            .and_then(|read| depths.below.get(&read.address))
            .map_or_else(|| "not found".into(), u32::to_string),
        // The firmware contains code that panics, and that code is recursive.
        Err(Stop::Failed(_)) => format!("{seen} painted, without a bound"),
        Err(stop) => return Err(stop),
    };
    let serde = Peer {
        name: "serde-json-core",
        flash: code + constants,
        stack,
        about: "agents.json into heapless structs, five members of it",
    };
    let mut peers = vec![serde];
    peers.extend(firmware::jsmn(shell)?.map(|flash| Peer {
        name: "jsmn",
        flash,
        stack: "not measured".into(),
        about: "JSON into tokens, nothing more",
    }));
    Ok(peers)
}
