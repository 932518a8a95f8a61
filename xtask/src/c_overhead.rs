//! `cargo xtask c-overhead`: compares a full walk of documents in C and C++, with the installed
//! form of the library, to a full walk in Rust.
//!
//! Three programs (`ffi-c/overhead`) read all values of the same documents, one of each format, and
//! add them up. Callgrind counts instructions; times are the minimum of several runs. Each number
//! is the difference of two runs, one with more iterations, so that startup and reading files are
//! excluded.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::c::WARNINGS;
use crate::install::{self, SYSTEM};
use crate::shell::{Outcome, Shell, Stop, failed, make_folder, write};
use crate::tools::{self, cargo};

/// How many more times the second run parses and walks the documents under callgrind.
const COUNTED: u32 = 10;
/// How many more times the second run walks them for the clock.
const TIMED: u32 = 2000;
const RUNS: u32 = 5;

/// Instructions of one program.
#[derive(Clone, Copy, Default)]
struct Cost {
    parse: u64,
    walk: u64,
}

impl Cost {
    const fn both(self) -> u64 {
        self.parse + self.walk
    }
}

/// The costs of the documents of one format, or of all formats, in the order of the programs.
struct Row {
    name: String,
    costs: Vec<Cost>,
}

/// Builds the programs: in Rust, and in C and C++ with the installed form of the library.
pub(crate) fn programs(shell: &mut Shell, folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    for program in ["gcc", "g++", "valgrind"] {
        tools::need(program)?;
    }
    make_folder(folder)?;
    shell.run(&mut cargo(&["build", "--release", "-p", "agentsdisc-c", "--example", "walk"]))?;
    let mut programs = vec![tools::target().join("release/examples/walk")];
    let library = install::libraries(shell)?.join("libagentsdisc.a");
    for (compiler, standard, extension) in [("gcc", "-std=c11", "c"), ("g++", "-std=c++17", "cpp")]
    {
        let program = folder.join(format!("walk-{extension}"));
        let mut command = Command::new(compiler);
        command
            .args([standard, "-O2", "-Iinclude"])
            .args(WARNINGS)
            .arg(format!("ffi-c/overhead/walk.{extension}"))
            .arg("-o")
            .arg(&program);
        shell.run(command.arg(&library).args(SYSTEM))?;
        programs.push(program);
    }
    Ok(programs)
}

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    let folder = tools::scratch()?.join("c-overhead");
    let programs = programs(shell, &folder)?;
    let documents = documents(shell, &folder, 16384)?;
    let (kinds, documents): (Vec<_>, Vec<_>) = documents.into_iter().unzip();
    let mut said = Vec::new();
    for program in &programs {
        said.push(shell.output(Command::new(program).args(["2", "3"]).args(&documents))?);
    }
    if said.windows(2).any(|two| two.first() != two.last()) {
        return failed(format!("the programs read different values: {said:?}"));
    }
    let mut rows = Vec::new();
    for (name, document) in kinds.into_iter().zip(&documents) {
        let costs = programs
            .iter()
            .map(|program| cost(shell, program, document))
            .collect::<Result<Vec<_>, _>>()?;
        rows.push(Row { name, costs });
    }
    let all = |at: usize| {
        rows.iter().filter_map(|row| row.costs.get(at)).fold(Cost::default(), |sum, cost| Cost {
            parse: sum.parse + cost.parse,
            walk: sum.walk + cost.walk,
        })
    };
    let sum = Row { name: "all".to_owned(), costs: (0..programs.len()).map(all).collect() };
    rows.push(sum);
    let mut times = Vec::new();
    for program in &programs {
        times.push(
            timed(shell, program, TIMED, &documents)?
                .saturating_sub(timed(shell, program, 0, &documents)?)
                / TIMED,
        );
    }
    println!("{}", table(&rows));
    println!(
        "Microseconds of a walk over all, through Rust, C and C++: {:?}",
        times.iter().map(Duration::as_micros).collect::<Vec<_>>()
    );
    Ok(String::new())
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| document | a walk in Rust | in C | in C++ | parsing and a walk in Rust | in C | in C++ |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for Row { name, costs } in rows {
        let Some((base, others)) = costs.split_first() else {
            continue;
        };
        text += &format!("| {name} ");
        for part in [|cost: &Cost| cost.walk, |cost: &Cost| cost.both()] {
            text += &format!("| {} ", part(base));
            for other in others {
                text +=
                    &format!("| {:+.1} % ", (part(other) as f64 / part(base) as f64 - 1.0) * 100.0);
            }
        }
        text += "|\n";
    }
    text
}

/// Writes one generated document of each format. Returns the files by the id of the format.
pub(crate) fn documents(
    shell: &mut Shell,
    folder: &Path,
    size: u32,
) -> Result<Vec<(String, PathBuf)>, Stop> {
    let mut generator = |arguments: &[&str]| {
        let mut command = cargo(&["run", "-q", "--release", "-p", "agentsdisc-generator", "--"]);
        shell.output(command.args(arguments))
    };
    let mut found = Vec::new();
    for kind in generator(&["kinds"])?.lines() {
        let text = generator(&["document", kind, "--size", &size.to_string()])?;
        let file = folder.join(kind);
        write(&file, &text)?;
        found.push((kind.to_owned(), file));
    }
    Ok(found)
}

/// Measures the instructions of one program for a document.
fn cost(shell: &mut Shell, program: &Path, document: &Path) -> Result<Cost, Stop> {
    let once = counted(shell, program, [1, 1], document)?;
    let mut more = |times| {
        Ok::<_, Stop>(
            counted(shell, program, times, document)?.saturating_sub(once) / u64::from(COUNTED),
        )
    };
    Ok(Cost { parse: more([1 + COUNTED, 1])?, walk: more([1, 1 + COUNTED])? })
}

/// Counts the instructions of a whole run of a program, by callgrind.
pub(crate) fn counted<const N: usize>(
    shell: &mut Shell,
    program: &Path,
    arguments: [impl ToString; N],
    document: &Path,
) -> Result<u64, Stop> {
    let file = tools::scratch()?.join("callgrind");
    let mut command = Command::new("valgrind");
    command
        .args(["--quiet", "--tool=callgrind"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(program);
    shell.output(command.args(arguments.map(|argument| argument.to_string())).arg(document))?;
    let text = crate::shell::read(&file)?;
    let total = text
        .lines()
        .find_map(|line| line.strip_prefix("totals: ").or_else(|| line.strip_prefix("summary: ")));
    total
        .and_then(|total| total.trim().parse().ok())
        .ok_or_else(|| Stop::Failed("callgrind prints no total".into()))
}

fn timed(
    shell: &mut Shell,
    program: &Path,
    walks: u32,
    documents: &[PathBuf],
) -> Result<Duration, Stop> {
    let mut least = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        shell.output(Command::new(program).args(["1", &walks.to_string()]).args(documents))?;
        least = least.min(start.elapsed());
    }
    Ok(least)
}
