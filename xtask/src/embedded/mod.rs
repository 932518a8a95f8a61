//! `cargo xtask embedded`: runs the firmware of `embedded/` for a Cortex-M3 in QEMU and inspects
//! it. It must print the same as on the host, contain no heap and no code that panics, not recurse,
//! have a bounded stack that agrees with the measured one, and not grow.
//!
//! `--write` builds it with each selection of features and writes the sizes into docs/embedded.md.

mod constants;
mod firmware;
mod machine;
mod page;
mod sizes;
mod stack;
mod types;

use crate::shell::{Outcome, Shell, Stop, failed};
use firmware::{Firmware, Printed};

/// All features of the firmware.
const EVERYTHING: &str = "six-families,policy,call,discovery,check,write,json,ids";

/// The maximum stack of the parts of the C program, in bytes: slightly above what was measured.
const C_STACK: [(&str, u32); 9] = [
    ("parse", 6144),
    ("read", 6144),
    ("json", 8192),
    ("decide", 7680),
    ("limits", 5632),
    ("call", 24576),
    ("discover", 12288),
    ("check", 22528),
    ("convert", 26624),
];

pub(crate) fn main(rest: &[String]) -> Outcome {
    let mut shell = Shell::loud();
    match rest {
        [] => run(&mut shell),
        [flag] if flag == "--write" => sizes::write(&mut shell),
        [features] if !features.starts_with('-') => sizes::show(&mut shell, features),
        [other, ..] => Err(Stop::Usage(format!(
            "this command accepts --write or a list of features, not `{other}`"
        ))),
    }
}

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    firmware::need_tools()?;
    can_fail(shell)?;
    sizes::check(shell)?;
    let rust = firmware::rust(shell, EVERYTHING)?;
    let expected = firmware::on_the_host(shell, EVERYTHING)?;
    let printed = examine(shell, &rust, &expected)?;
    let in_c = firmware::c(shell)?;
    if let Some((c, rust)) = differing(&firmware::c_on_the_host(shell)?, &expected) {
        return failed(format!(
            "on the host the C program prints `{c}` where the one in Rust prints `{rust}`"
        ));
    }
    let in_c = examine(shell, &in_c, &expected)?;
    for (part, bytes) in &in_c.stack {
        let most = C_STACK.iter().find(|(of, _)| of == part).map_or(0, |(_, most)| *most);
        if *bytes > most {
            return failed(format!(
                "`{part}` took {bytes} bytes of stack in the C program, more than the limit of {most}"
            ));
        }
    }
    Ok(format!(
        "in Rust and in C, {} lines as on the host; no heap, no panic, no recursion",
        printed.text.lines().count()
    ))
}

/// Fails if a deliberate panic and a deliberate recursion in a small firmware are not found,
/// because the checks would then prove nothing.
fn can_fail(shell: &mut Shell) -> Result<(), Stop> {
    let broken = firmware::rust(shell, "robots-txt,deliberate-panic")?;
    let symbols = firmware::symbols(shell, &broken.elf)?;
    if firmware::forbidden(&broken, &symbols)?.is_empty() {
        return failed(
            "the deliberate panic was not found, so the check of symbols proves nothing",
        );
    }
    let broken = firmware::rust(shell, "robots-txt,deliberate-recursion")?;
    match firmware::bound(shell, &broken) {
        Err(Stop::Failed(why)) if why.contains("deep") => Ok(()),
        Err(stop) => Err(stop),
        Ok(_) => failed(
            "the deliberate recursion was not found, so the bound of the stack proves nothing",
        ),
    }
}

/// Runs a firmware and inspects it.
fn examine(shell: &mut Shell, firmware: &Firmware, expected: &str) -> Result<Printed, Stop> {
    let symbols = firmware::symbols(shell, &firmware.elf)?;
    let forbidden = firmware::forbidden(firmware, &symbols)?;
    if !forbidden.is_empty() {
        return failed(forbidden.join("\n    "));
    }
    let printed = firmware::run(shell, &firmware.elf)?;
    if let Some((ours, theirs)) = differing(&printed.text, expected) {
        return failed(format!("the firmware prints `{ours}` where the host prints `{theirs}`"));
    }
    let (machine, depths) = firmware::bound(shell, firmware)?;
    let whole =
        machine.functions.keys().filter_map(|at| depths.below.get(at)).max().copied().unwrap_or(0);
    match printed.stack.iter().find(|(_, bytes)| **bytes > whole) {
        Some((part, bytes)) => failed(format!(
            "`{part}` took {bytes} bytes of stack, more than the computed bound of {whole}; a call was not detected"
        )),
        None => Ok(printed),
    }
}

/// Returns the first pair of lines that differ.
fn differing(ours: &str, theirs: &str) -> Option<(String, String)> {
    let (mut ours, mut theirs) = (ours.lines(), theirs.lines());
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return None,
            (ours, theirs) if ours == theirs => {}
            (ours, theirs) => {
                return Some(
                    [ours, theirs].map(|line| line.unwrap_or("nothing").to_owned()).into(),
                );
            }
        }
    }
}
