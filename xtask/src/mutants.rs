//! `cargo xtask mutants`: counts the changes of the code that no test notices. cargo-mutants makes
//! the changes one at a time, in a copy of the repository. `.cargo/mutants.toml` excludes changes
//! that cannot be noticed.

use crate::rust::CORE;
use crate::shell::{Outcome, Shell, Stop, make_folder, read};
use crate::tools::{self, cargo};

/// The modules: their names, their files, and the tests that run for them besides the conformance
/// vectors.
const MODULES: [(&str, &str, &[&str]); 4] = [
    ("policy", "core/src/policy/*", &["policy", "call"]),
    ("pattern", "core/src/syntax/pattern.rs", &["pattern", "robots", "policy", "call"]),
    ("detection", "core/src/document/detect{.rs,/*}", &["detect"]),
    ("discovery", "core/src/discovery/*", &["discovery"]),
];

/// The number of changes that are tried in a module.
const SAMPLE: usize = 200;

pub(crate) fn main(arguments: &[String]) -> Outcome {
    if !tools::succeeds(&mut cargo(&["mutants", "--version"])) {
        return Err(Stop::Missing {
            what: "`cargo-mutants`".into(),
            install: "cargo install --locked cargo-mutants".into(),
        });
    }
    let only = arguments.first();
    let seed = arguments.get(1).map_or("1", String::as_str);
    let mut notes = Vec::new();
    for (name, file, judges) in MODULES {
        if only.is_none_or(|only| only == name) {
            notes.push(run(&mut Shell::loud(), name, file, judges, seed)?);
        }
    }
    if notes.is_empty() {
        let names = MODULES.map(|(name, ..)| name).join(", ");
        return Err(Stop::Usage(format!("the modules are {names}")));
    }
    Ok(notes.join("\n"))
}

fn run(shell: &mut Shell, name: &str, file: &str, judges: &[&str], seed: &str) -> Outcome {
    let mutants = || cargo(&["mutants", "--package", CORE, "--file", file]);
    let listed = shell.output(mutants().arg("--list"))?;
    let mut sample: Vec<&str> = listed.lines().collect();
    sample.sort_by_key(|mutant| hash(seed, mutant));
    sample.truncate(SAMPLE);
    let names: Vec<_> = sample.iter().map(|mutant| escaped(mutant)).collect();
    let output = tools::scratch()?.join("mutants").join(name);
    make_folder(&output)?;
    let mut command = mutants();
    command.args(["--re", &format!("^({})$", names.join("|"))]);
    command.arg("--output").arg(&output);
    command.args(["--", "--", "conformance"]).args(judges);
    // The command fails if a change was not noticed.
    shell.status(&mut command)?;
    let count =
        |result| read(&output.join("mutants.out").join(result)).map(|text| text.lines().count());
    let missed = count("missed.txt")?;
    let noticed = count("caught.txt")? + count("timeout.txt")?;
    Ok(format!("{name}: no test notices {missed} of {} changes", missed + noticed))
}

/// Returns a sort key that orders the changes randomly. The order depends only on the seed (FNV-1a,
/// mixed).
fn hash(seed: &str, mutant: &str) -> u64 {
    let octets = seed.bytes().chain([b' ']).chain(mutant.bytes());
    let hash = octets.fold(0xcbf2_9ce4_8422_2325_u64, |hash, octet| {
        (hash ^ u64::from(octet)).wrapping_mul(0x100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ (mixed >> 32)
}

/// Returns a regular expression that matches exactly this text.
fn escaped(text: &str) -> String {
    let is_special = |c: char| r"\.+*?()|[]{}^$#&-~".contains(c);
    let escape = |c| is_special(c).then_some('\\').into_iter().chain([c]);
    text.chars().flat_map(escape).collect()
}
