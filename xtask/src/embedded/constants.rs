//! Attributes the constants of a firmware: all belong to the library, except those that only the
//! program refers to.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use super::firmware::{Firmware, Symbol};
use super::machine::OBJDUMP;
use crate::shell::{Shell, Stop, failed, read};

/// The sections of constants.
const CONSTANTS: &str = ".rodata";

/// A section of an ELF file: its position in memory and in the file.
struct Section<'o> {
    name: &'o str,
    address: u32,
    bytes: &'o [u8],
}

impl Section<'_> {
    fn holds(&self, address: u32) -> bool {
        address.checked_sub(self.address).is_some_and(|offset| (offset as usize) < self.bytes.len())
    }

    /// Returns the address that the linker stored at an address.
    fn word(&self, address: u32) -> Option<u32> {
        let offset = address.checked_sub(self.address)? as usize;
        Some(u32::from_le_bytes(*self.bytes.get(offset..)?.first_chunk()?))
    }
}

/// A constant from the compiler.
#[derive(PartialEq, Debug)]
struct Constant {
    address: u32,
    size: u32,
}

/// Returns the number of bytes of all constants except those that belong to the program alone. The
/// firmware must be linked with `--emit-relocs` and a map.
pub(super) fn of_library(
    shell: &mut Shell,
    firmware: &Firmware,
    symbols: &[Symbol],
    is_program: impl Fn(&str) -> bool,
) -> Result<u32, Stop> {
    let file = fs::read(&firmware.elf)
        .map_err(|error| Stop::Failed(format!("{}: {error}", firmware.elf.display())))?;
    let headers = shell.output(Command::new(OBJDUMP).arg("-h").arg(&firmware.elf))?;
    let sections: Vec<Section<'_>> =
        headers.lines().filter_map(|line| section(line, &file)).collect();
    let Some(all) = sections.iter().find(|section| section.name == CONSTANTS) else {
        return Ok(0);
    };
    let map = read(&firmware.map)?;
    let constants: Vec<Constant> =
        constants(&map).into_iter().filter(|constant| all.holds(constant.address)).collect();
    let constant_at = |address: u32| {
        let number =
            constants.partition_point(|constant| constant.address <= address).checked_sub(1)?;
        constants
            .get(number)
            .filter(|constant| address - constant.address < constant.size)
            .map(|_| number)
    };

    let relocations = shell.output(Command::new(OBJDUMP).arg("-r").arg(&firmware.elf))?;
    let (mut of_library, mut of_program, mut between) =
        (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for (at, to) in references(&relocations, &sections)? {
        let Some(to) = constant_at(to) else { continue };
        if let Some(from) = constant_at(at) {
            between.push((from, to));
        } else if symbols
            .iter()
            .any(|symbol| at.wrapping_sub(symbol.address) < symbol.size && is_program(&symbol.name))
        {
            of_program.insert(to);
        } else {
            of_library.insert(to);
        }
    }
    let (of_program, of_library) = (reached(of_program, &between), reached(of_library, &between));
    let own = of_program.difference(&of_library).filter_map(|number| constants.get(*number));
    Ok(all.bytes.len() as u32 - own.map(|constant| constant.size).sum::<u32>())
}

/// Returns the references in code and constants: the address of each, and the address that it
/// refers to. A reference is a word, or two halves that two instructions put into one register.
fn references(relocations: &str, sections: &[Section<'_>]) -> Result<Vec<(u32, u32)>, Stop> {
    let (mut within, mut found) = (None, Vec::new());
    // The lower halves, by the register that holds them.
    let mut lower = BTreeMap::new();
    for line in relocations.lines() {
        if let Some(name) = line.strip_prefix("RELOCATION RECORDS FOR [") {
            within = sections.iter().find(|section| Some(section.name) == name.strip_suffix("]:"));
            continue;
        }
        let Some(section) = within.filter(|section| [".text", CONSTANTS].contains(&section.name))
        else {
            continue;
        };
        let mut words = line.split_whitespace();
        let Some((offset, kind)) =
            words.next().and_then(|offset| u32::from_str_radix(offset, 16).ok()).zip(words.next())
        else {
            continue;
        };
        let at = section.address + offset;
        let Some(word) = section.word(at) else {
            continue;
        };
        match kind {
            "R_ARM_ABS32" => found.push((at, word)),
            "R_ARM_THM_MOVW_ABS_NC" => {
                let (register, half) = moved(word);
                lower.insert(register, half);
            }
            "R_ARM_THM_MOVT_ABS" => {
                let (register, half) = moved(word);
                let Some(low) = lower.get(&register) else {
                    return failed(format!(
                        "at {at:#x}, half of an address is missing, so constants cannot be attributed"
                    ));
                };
                found.push((at, half << 16 | low));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Returns the register that a `movw` or `movt` writes, and the value.
const fn moved(instruction: u32) -> (u32, u32) {
    let (first, second) = (instruction & 0xffff, instruction >> 16);
    let half =
        (first & 0xf) << 12 | (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | second & 0xff;
    (second >> 8 & 0xf, half)
}

/// Returns everything that is referred to, directly or indirectly.
fn reached(mut from: BTreeSet<usize>, between: &[(usize, usize)]) -> BTreeSet<usize> {
    loop {
        let before = from.len();
        for (constant, other) in between {
            if from.contains(constant) {
                from.insert(*other);
            }
        }
        if from.len() == before {
            return from;
        }
    }
}

/// A section header: `  2 .rodata  00007854  0001c1c0  0001c1c0  0002c1c0  2**2`.
fn section<'o>(line: &'o str, file: &'o [u8]) -> Option<Section<'o>> {
    let mut words = line.split_whitespace();
    words.next()?.parse::<u32>().ok()?;
    let name = words.next()?;
    let mut number = || u32::from_str_radix(words.next()?, 16).ok();
    let (size, address, _, offset) = (number()?, number()?, number()?, number()? as usize);
    Some(Section { name, address, bytes: file.get(offset..offset + size as usize)? })
}

/// Returns the constants of a linker's map, by address. If the linker keeps one of several equal
/// constants of one size, each counts separately.
fn constants(map: &str) -> Vec<Constant> {
    // Skips the part before it: sections that the linker dropped.
    let linked = map.split_once("Linker script and memory map").map_or(map, |(_, linked)| linked);
    let hex = |word: &str| u32::from_str_radix(word.strip_prefix("0x")?, 16).ok();
    let mut constants = Vec::new();
    let mut lines = linked.lines();
    while let Some(line) = lines.next() {
        let Some(line) = line.strip_prefix(' ').filter(|line| line.starts_with(CONSTANTS)) else {
            continue;
        };
        // A long name has its own line.
        let (name, place) =
            line.split_once(' ').unwrap_or_else(|| (line, lines.next().unwrap_or_default()));
        let mut numbers = place.split_whitespace().map_while(hex);
        let Some((address, size)) = numbers.next().zip(numbers.next()) else {
            continue;
        };
        let each =
            name.rsplit_once(".cst").and_then(|(_, each)| each.parse().ok()).unwrap_or(size).max(1);
        constants.extend(
            (address..address + size)
                .step_by(each as usize)
                .map(|address| Constant { address, size: each }),
        );
    }
    constants.sort_by_key(|constant| constant.address);
    constants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_a_map() {
        let map = " .rodata.left-out  0x1 0x2 a.o\nLinker script and memory map\n.rodata 0x20 0x30\n .rodata.a\n                0x28 0x8 a.o\n \
                   .rodata.cst4 0x20 0x8 a.o\n .rodata.none 0x30 0x0 a.o\n .text.b 0x50 0x4 b.o\n";
        let constant = |address, size| Constant { address, size };
        assert_eq!(constants(map), [constant(0x20, 4), constant(0x24, 4), constant(0x28, 8)]);
    }

    #[test]
    fn halves_of_addresses() {
        // `movw r3, #0xfabc`, `movt r3, #1`.
        let code = [0x4f, 0xf6, 0xbc, 0x23, 0xc0, 0xf2, 0x01, 0x03];
        let text = Section { name: ".text", address: 0x100, bytes: &code };
        let relocations = "RELOCATION RECORDS FOR [.text]:\nOFFSET TYPE VALUE\n00000000 R_ARM_THM_MOVW_ABS_NC .rodata\n00000004 R_ARM_THM_MOVT_ABS .rodata\n";
        assert_eq!(references(relocations, &[text]).ok(), Some(vec![(0x104, 0x1_fabc)]));
    }

    #[test]
    fn what_is_reached_by_what_is_reached() {
        assert_eq!(reached([1].into(), &[(2, 3), (1, 2), (4, 5)]), [1, 2, 3].into());
    }
}
