//! The machine code of a firmware, from the output of `objdump`: functions, their stack frames, and
//! their calls.
//!
//! A frame is the sum of all instructions that lower the stack pointer, in any order: never less
//! than the real frame.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::shell::{Shell, Stop, failed};

pub(crate) const OBJDUMP: &str = "arm-none-eabi-objdump";

/// A function, identified by the address of its first instruction.
#[derive(Default)]
pub(crate) struct Function {
    /// Its name for the linker.
    pub(crate) symbol: String,
    /// Bytes of stack, without the functions it calls.
    pub(crate) frame: u32,
    /// The functions that it calls, or jumps to at its end.
    pub(crate) calls: BTreeSet<u32>,
    /// The addresses of its calls through a pointer that it got from elsewhere.
    pub(crate) through_pointers: Vec<u32>,
    /// The functions whose addresses it passes on.
    hands_on: BTreeSet<u32>,
    /// Instructions that make the frame depend on a value.
    pub(crate) unbounded: Vec<String>,
}

/// The code of a firmware.
pub(crate) struct Machine {
    pub(crate) functions: BTreeMap<u32, Function>,
    /// Functions whose addresses are in data, such as the tables of trait objects, or are passed on
    /// by code.
    pub(crate) pointed_to: BTreeSet<u32>,
}

impl Machine {
    /// Reads an ELF file that was linked with `--emit-relocs`: relocations distinguish addresses of
    /// functions from other numbers.
    pub(crate) fn read(shell: &mut Shell, firmware: &Path) -> Result<Self, Stop> {
        let code = shell
            .output(Command::new(OBJDUMP).args(["-d", "-r", "--no-show-raw-insn"]).arg(firmware))?;
        let data = shell.output(
            Command::new(OBJDUMP).args(["-r", "-j", ".rodata", "-j", ".data"]).arg(firmware),
        )?;
        let heads = code.lines().filter_map(head);
        let addresses: BTreeMap<&str, u32> =
            heads.map(|(address, symbol)| (symbol, address)).collect();
        let mut functions = functions(&code, &addresses);
        if functions.is_empty() {
            return failed(format!("{} contains no code", firmware.display()));
        }
        // A jump may lead into another function, after its first instruction.
        let starts: Vec<u32> = functions.keys().copied().collect();
        let start_of = |address: &u32| {
            starts.get(starts.partition_point(|start| start <= address).saturating_sub(1)).copied()
        };
        for (at, function) in &mut functions {
            function.calls = function
                .calls
                .iter()
                .filter_map(start_of)
                .filter(|callee| callee != at)
                .chain(itself(function, *at))
                .collect();
        }
        let in_data = data
            .lines()
            .filter_map(|line| line.split_whitespace().nth(2))
            .filter_map(|name| addresses.get(name));
        let mut pointed_to: BTreeSet<u32> = in_data.copied().collect();
        pointed_to.extend(functions.values().flat_map(|function| &function.hands_on));
        Ok(Self { functions, pointed_to })
    }
}

/// Returns the function's own address if it calls itself: a call of its first instruction is
/// recursion, and any other jump into itself is a loop.
fn itself(function: &Function, at: u32) -> Option<u32> {
    function.calls.contains(&at).then_some(at)
}

/// `00001234 <symbol>:` begins a function.
fn head(line: &str) -> Option<(u32, &str)> {
    let (address, symbol) = line.strip_suffix(">:")?.split_once(" <")?;
    Some((u32::from_str_radix(address, 16).ok()?, symbol))
}

fn functions(code: &str, addresses: &BTreeMap<&str, u32>) -> BTreeMap<u32, Function> {
    let mut functions = BTreeMap::new();
    let literals = literals(code, addresses);
    let mut reading: Option<(u32, Body<'_>)> = None;
    for line in code.lines() {
        if let Some((address, symbol)) = head(line) {
            if let Some((at, body)) = reading.replace((address, Body::new(symbol, &literals))) {
                functions.insert(at, body.finish());
            }
        } else if let Some((_, body)) = &mut reading {
            body.line(line, addresses);
        }
    }
    functions.extend(reading.map(|(at, body)| (at, body.finish())));
    functions
}

/// The addresses of functions that are stored between the code, by their location.
fn literals(code: &str, addresses: &BTreeMap<&str, u32>) -> BTreeMap<u32, u32> {
    let literal = |line: &str| {
        let (at, rest) = line.trim_start().split_once(": R_ARM_ABS32")?;
        Some((u32::from_str_radix(at, 16).ok()?, *addresses.get(rest.trim())?))
    };
    code.lines().filter_map(literal).collect()
}

/// The state while the lines of a function are read.
struct Body<'c> {
    function: Function,
    literals: &'c BTreeMap<u32, u32>,
    /// The functions whose addresses are put into a register, and whether they are called there.
    loads: BTreeMap<String, (BTreeSet<u32>, bool)>,
    /// The registers that hold the address of a function now.
    holds: BTreeSet<String>,
    /// The register that the last instruction wrote.
    written: String,
}

impl<'c> Body<'c> {
    fn new(symbol: &str, literals: &'c BTreeMap<u32, u32>) -> Self {
        let function = Function { symbol: symbol.to_owned(), ..Function::default() };
        Self {
            function,
            literals,
            loads: BTreeMap::new(),
            holds: BTreeSet::new(),
            written: String::new(),
        }
    }

    fn line(&mut self, line: &str, addresses: &BTreeMap<&str, u32>) {
        let Some((at, rest)) = line.trim_start().split_once(':') else {
            return;
        };
        let Ok(at) = u32::from_str_radix(at, 16) else {
            return;
        };
        let rest = rest.trim();
        if let Some(relocation) = rest.strip_prefix("R_ARM_") {
            self.relocation(relocation, addresses);
            return;
        }
        let text = rest.split(['@', ';']).next().unwrap_or_default().trim();
        let (mnemonic, operands) = text.split_once('\t').unwrap_or((text, ""));
        self.instruction(at, mnemonic, operands.trim());
        // `ldr r6, [pc, #412] @ (1c2b4 <symbol+0x1a0>)`; in the wide form, `ldr.w`, without
        // parentheses.
        let literal = rest.split_once("@ ").map(|(_, literal)| literal.trim_start_matches('('));
        let literal =
            literal.and_then(|literal| u32::from_str_radix(literal.split(' ').next()?, 16).ok());
        if let Some(address) = literal
            .filter(|_| operands.contains("[pc"))
            .and_then(|literal| self.literals.get(&literal))
        {
            self.load(*address);
        }
    }

    fn relocation(&mut self, relocation: &str, addresses: &BTreeMap<&str, u32>) {
        let Some((kind, symbol)) = relocation.split_once(char::is_whitespace) else {
            return;
        };
        let Some(&address) = addresses.get(symbol.trim()) else {
            return;
        };
        if matches!(kind, "THM_MOVW_ABS_NC" | "THM_MOVT_ABS") {
            self.load(address);
        }
    }

    /// Records that the register that was just written holds the address of a function.
    fn load(&mut self, address: u32) {
        self.loads.entry(self.written.clone()).or_default().0.insert(address);
        self.holds.insert(self.written.clone());
    }

    fn instruction(&mut self, at: u32, mnemonic: &str, operands: &str) {
        let plain = mnemonic.split('.').next().unwrap_or_default();
        self.frame(plain, operands);
        let first = operands.split(',').next().unwrap_or_default().trim();
        if let Some(target) =
            target(operands).filter(|_| plain.starts_with('b') || plain.starts_with("cb"))
        {
            self.function.calls.insert(target);
        } else if matches!(plain, "bx" | "blx") && first != "lr" || writes_pc(plain, operands) {
            self.call_through(at, first);
        }
        match plain {
            "bl" | "blx" => ["r0", "r1", "r2", "r3", "ip", "lr"]
                .iter()
                .for_each(|register| _ = self.holds.remove(*register)),
            // These do not write their first register; a conditional write counts as a write.
            _ if ["str", "stm", "push", "cmp", "cmn", "tst", "teq", "b", "cb", "it"]
                .iter()
                .any(|start| plain.starts_with(start))
                && !plain.starts_with("bi") => {}
            _ => {
                for register in operands
                    .split([',', '{', '}', ' '])
                    .take(if plain.starts_with("ld") { 16 } else { 1 })
                {
                    self.holds.remove(register);
                }
                self.written = first.to_owned();
            }
        }
        if let ("mov", Some((to, from))) = (plain, operands.split_once(", ")) {
            self.copy(from, to);
        }
    }

    /// Records that a register got the address of a function from another one.
    fn copy(&mut self, from: &str, to: &str) {
        if !self.holds.contains(from) {
            return;
        }
        let Some((targets, _)) = self.loads.get(from) else {
            return;
        };
        let targets = targets.clone();
        self.loads.entry(to.to_owned()).or_default().0.extend(targets);
        self.holds.insert(to.to_owned());
    }

    /// A call through a register: of a function whose address was just put there, or of an unknown
    /// one that only types restrict.
    fn call_through(&mut self, at: u32, register: &str) {
        match self.loads.get_mut(register).filter(|_| self.holds.contains(register)) {
            Some((targets, is_called)) => {
                self.function.calls.extend(&*targets);
                *is_called = true;
            }
            None => self.function.through_pointers.push(at),
        }
    }

    fn frame(&mut self, mnemonic: &str, operands: &str) {
        let function = &mut self.function;
        let number = |text: &str| {
            text.trim()
                .strip_prefix("#-")
                .or_else(|| text.trim().strip_prefix('#'))?
                .parse::<u32>()
                .ok()
        };
        match mnemonic {
            "push" | "vpush" => function.frame += 4 * operands.split(',').count() as u32,
            "stmdb" if operands.starts_with("sp!") => {
                function.frame += 4 * operands.split(',').skip(1).count() as u32
            }
            "sub" | "subw" if operands.starts_with("sp,") => {
                match operands.rsplit(',').next().and_then(number) {
                    // `sub sp, r7, #n` restores a saved stack pointer.
                    Some(_)
                        if operands.split(',').nth(1).is_some_and(|from| from.trim() == "r7") => {}
                    Some(bytes) => function.frame += bytes,
                    None => function.unbounded.push(format!("{mnemonic} {operands}")),
                }
            }
            // Alignment of the stack pointer, to at most 64 bytes: `bfc rX, #0, #bits`. More bits
            // are a mask of a value.
            "bfc" => {
                function.frame += operands
                    .rsplit(',')
                    .next()
                    .and_then(number)
                    .filter(|bits| *bits <= 6)
                    .and_then(|bits| 1u32.checked_shl(bits))
                    .unwrap_or(0)
            }
            _ => {
                let before =
                    operands.split_once("[sp, #-").and_then(|(_, rest)| rest.strip_suffix("]!"));
                function.frame += before.and_then(|bytes| bytes.parse::<u32>().ok()).unwrap_or(0);
            }
        }
    }

    fn finish(mut self) -> Function {
        // An address that is put into a register and not called there may be passed on.
        for (targets, is_called) in self.loads.values() {
            if !is_called {
                self.function.hands_on.extend(targets);
            }
        }
        self.function
    }
}

/// Returns the address that a branch names: `1c2b4 <symbol+0x12>`, after a register for `cbz`.
fn target(operands: &str) -> Option<u32> {
    let (address, _) = operands.split_once(" <")?;
    u32::from_str_radix(address.rsplit(' ').next()?, 16).ok()
}

/// Whether an instruction jumps by writing the program counter. Returns, which pop it from the
/// stack, do not count.
fn writes_pc(mnemonic: &str, operands: &str) -> bool {
    matches!(mnemonic, "mov" | "ldr" | "add")
        && operands.starts_with("pc,")
        && !operands.contains("[sp]")
}
