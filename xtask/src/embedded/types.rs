//! Determines the targets of calls through pointers, from the types in the debug information.
//!
//! A list of the model contains a function that reads its next item (`core/src/model/list.rs`).
//! A call inside `List<T>::next` reaches only functions that return `Option<T>`. A table of JSON
//! members contains a function that states whether a value can be read; [`READS`] calls only
//! functions that return `bool`, and [`WEIGHS`], which compares the values of a field, only those that
//! return `u32`. A row may also contain a function for a rule, which returns nothing; only the
//! interpreter ([`RULES`]) calls it. The C interface calls only pointers from C, which are not in Rust.
//! Any other call through a pointer may reach every other function whose address is passed on.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::machine::Machine;
use crate::shell::{Shell, Stop, failed};

const READELF: &str = "arm-none-eabi-readelf";
const ADDR2LINE: &str = "arm-none-eabi-addr2line";

/// The targets of a call through a pointer, by the calling function.
#[derive(PartialEq)]
enum Reach {
    /// Functions that read the next item of a list of this type.
    Items(String),
    /// Functions that state whether a value can be read into a field of a table.
    Reads,
    /// Functions that say how strict the value of a field is.
    Weighs,
    /// Anything but functions for the rules of formats.
    NoRule,
    /// Functions from C.
    Callbacks,
    Anything,
}

/// The marker before a list's type in the name of its methods.
const LIST: &str = "agentsdisc_core::model::list::List<";

/// The function that asks a table whether a value can be read.
const READS: &str = "<agentsdisc_core::syntax::json::lookup::Lookup>::stays";

/// The function that decides which of several values of a field counts.
const WEIGHS: &str = "<agentsdisc_core::syntax::json::record::Record>::contest";

/// The type with the interpreter of the rules of formats, which alone calls functions for rules.
const RULES: &str = "<agentsdisc_core::rules::json::Check>::";

/// The modules of formats in mangled names. A plain function there that returns nothing, and whose
/// address is passed on, is one for rules.
const FORMATS: &str = "15agentsdisc_core6format";

/// Adds the possible targets of calls through pointers to the calls of each function.
pub(crate) fn resolve(
    shell: &mut Shell,
    firmware: &Path,
    machine: &mut Machine,
) -> Result<(), Stop> {
    let returned = returned(shell, firmware)?;
    let reached = reached(shell, firmware, machine)?;
    let of_item = |item: &str| -> Vec<u32> {
        let is_one = |address: &&u32| {
            returned
                .get(address)
                .is_some_and(|name| name.strip_prefix("Option<") == Some(&format!("{item}>")))
        };
        machine.pointed_to.iter().filter(is_one).copied().collect()
    };
    let mut steps: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for reach in reached.values() {
        if let Reach::Items(item) = reach {
            steps.entry(item).or_insert_with(|| of_item(item));
        }
    }
    // A list of items that no selected format has exists only by name.
    if !steps.is_empty() && steps.values().all(Vec::is_empty) {
        return failed(
            "no function gives the items of any list: the debug information is not understood",
        );
    }
    let is_step = |address: &&u32| steps.values().any(|functions| functions.contains(address));
    let others: Vec<u32> =
        machine.pointed_to.iter().filter(|address| !is_step(address)).copied().collect();
    let is_read = |address: &&u32| returned.get(address).is_some_and(|name| name == "bool");
    let reads: Vec<u32> = others.iter().filter(is_read).copied().collect();
    if reads.is_empty() && reached.values().any(|reach| *reach == Reach::Reads) {
        return failed(
            "a call through a pointer reaches nothing: the symbols or the debug information are not understood",
        );
    }
    let is_weigh = |address: &&u32| returned.get(address).is_some_and(|name| name == "u32");
    let weighs: Vec<u32> = others.iter().filter(is_weigh).copied().collect();
    let is_c = |address: &&u32| {
        machine.functions.get(address).is_some_and(|function| !function.symbol.starts_with("_R"))
    };
    let callbacks: Vec<u32> = others.iter().filter(is_c).copied().collect();
    let is_rule = |address: &u32| {
        machine.functions.get(address).is_some_and(|function| {
            function.symbol.starts_with("_RNv") && function.symbol.contains(FORMATS)
        }) && !returned.contains_key(address)
    };
    let no_rules: Vec<u32> = others.iter().copied().filter(|at| !is_rule(at)).collect();
    for function in machine.functions.values_mut() {
        for at in &function.through_pointers {
            let targets = match reached.get(at) {
                Some(Reach::Items(item)) => steps.get(item.as_str()),
                Some(Reach::Reads) => Some(&reads),
                Some(Reach::Weighs) => Some(&weighs),
                Some(Reach::NoRule) => Some(&no_rules),
                Some(Reach::Callbacks) => Some(&callbacks),
                Some(Reach::Anything) | None => Some(&others),
            };
            function.calls.extend(targets.into_iter().flatten());
        }
    }
    Ok(())
}

/// Returns the targets of each call through a pointer.
fn reached(
    shell: &mut Shell,
    firmware: &Path,
    machine: &Machine,
) -> Result<BTreeMap<u32, Reach>, Stop> {
    let calls: Vec<u32> = machine
        .functions
        .values()
        .flat_map(|function| &function.through_pointers)
        .copied()
        .collect();
    if calls.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut command = Command::new(ADDR2LINE);
    command
        .args(["-a", "-i", "-f", "-C", "-e"])
        .arg(firmware)
        .args(calls.iter().map(|call| format!("{call:#x}")));
    let text = shell.output(&mut command)?;
    // For each address: the address, then the name and location of each function inlined there,
    // innermost first. Only the innermost makes the call.
    let mut lines = text.lines();
    let mut reached = BTreeMap::new();
    while let Some(line) = lines.next() {
        let Some(address) =
            line.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok())
        else {
            continue;
        };
        reached.insert(address, reach_of(&without_hashes(lines.next().unwrap_or_default())));
    }
    Ok(reached)
}

/// Returns the targets of the calls through pointers in the function of this name.
fn reach_of(name: &str) -> Reach {
    match item_of(name) {
        Some(item) => Reach::Items(item),
        None if name == READS => Reach::Reads,
        None if name == WEIGHS => Reach::Weighs,
        None if name.trim_start_matches('<').starts_with("agentsdisc::") => Reach::Callbacks,
        None if name.contains(RULES) => Reach::Anything,
        None => Reach::NoRule,
    }
}

/// Returns the `T` of `<…List<T> as core::iter…>::next` or `<…List<T>>::is_empty`.
fn item_of(name: &str) -> Option<String> {
    let (_, rest) = name.split_once(LIST)?;
    let mut depth = 1;
    let end = rest.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '<') - i32::from(*c == '>');
        depth == 0
    });
    end.and_then(|(end, _)| rest.get(..end)).map(str::to_owned)
}

/// Returns a demangled name without the hashes of crates: `core::option` for
/// `core[1234abcd]::option`.
pub(crate) fn without_hashes(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('[') {
        plain += before;
        let hash = after.split_once("]").filter(|(inside, _)| {
            inside.len() > 8 && inside.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        match hash {
            Some((_, behind)) => rest = behind,
            None => {
                plain.push('[');
                rest = after;
            }
        }
    }
    plain + rest
}

/// Returns the name of the return type of each function.
fn returned(shell: &mut Shell, firmware: &Path) -> Result<BTreeMap<u32, String>, Stop> {
    let text =
        shell.output(Command::new(READELF).args(["--debug-dump=info", "--wide"]).arg(firmware))?;
    let mut entries: BTreeMap<u32, Entry> = BTreeMap::new();
    let mut entry: Option<(u32, Entry)> = None;
    for line in text.lines() {
        if let Some((_, tag)) = line.split_once("Abbrev Number: ") {
            let offset = line
                .trim_start()
                .split(['<', '>'])
                .nth(3)
                .and_then(|digits| u32::from_str_radix(digits, 16).ok());
            entries.extend(entry.take().filter(|(_, entry)| entry.is_of_use()));
            let is_of_use = tag.contains("subprogram") || tag.contains("_type)");
            entry = offset.filter(|_| is_of_use).map(|offset| (offset, Entry::default()));
        } else if let Some((_, entry)) = &mut entry {
            entry.attribute(line);
        }
    }
    entries.extend(entry);
    let result_of = |entry: &Entry| {
        let origin = entry.origin.and_then(|origin| entries.get(&origin));
        let origin = origin.and_then(|origin| {
            if origin.result.is_some() { Some(origin) } else { entries.get(&origin.origin?) }
        });
        entries.get(&entry.result.or_else(|| origin?.result)?)?.name.clone()
    };
    Ok(entries.values().filter_map(|entry| Some((entry.start?, result_of(entry)?))).collect())
}

/// The relevant parts of an entry of the debug information.
#[derive(Default)]
struct Entry {
    name: Option<String>,
    start: Option<u32>,
    result: Option<u32>,
    origin: Option<u32>,
}

impl Entry {
    fn attribute(&mut self, line: &str) {
        let Some((key, value)) = line.split_once(": ") else {
            return;
        };
        // `<0x1234>`, `(ref4) <0x1234>, Name`, `0x1234`
        let hex = |value: &str| {
            let (_, digits) = value.split_once("0x")?;
            u32::from_str_radix(digits.split(|c: char| !c.is_ascii_hexdigit()).next()?, 16).ok()
        };
        if key.contains("DW_AT_name") {
            // `(indirect string, offset: 0x1234): name`, `(strp) (offset: 0x1234): name`
            self.name =
                Some(value.split_once("): ").map_or(value, |(_, name)| name).trim().to_owned());
        } else if key.contains("DW_AT_low_pc") {
            self.start = hex(value);
        } else if key.contains("DW_AT_type") {
            self.result = hex(value);
        } else if key.contains("DW_AT_abstract_origin") || key.contains("DW_AT_specification") {
            self.origin = hex(value);
        }
    }

    fn is_of_use(&self) -> bool {
        self.name.is_some() || self.start.is_some() || self.result.is_some()
    }
}
