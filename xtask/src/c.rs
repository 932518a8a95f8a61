//! The C side: every program of `ffi-c/tests/c` (C11) and `ffi-c/tests/cpp` (C++17) is compiled without a warning, linked
//! with the static and with the shared library, and run with the folder of the conformance vectors as its argument. Headers and programs
//! are also looked at in other standards.

use std::path::PathBuf;
use std::process::Command;

use crate::install::SYSTEM;
use crate::shell::{Outcome, Shell, Stop, failed, make_folder, write};
use crate::tools::{self, cargo, file_name, files};

pub(crate) const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
/// What careful programs are compiled with besides.
const STRICT: [&str; 5] = [
    "-Wconversion",
    "-Wsign-conversion",
    "-Wshadow",
    "-Wcast-qual",
    "-Wundef",
];
const SANITIZERS: [&str; 4] = [
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
];

/// A compiler of C and its sibling for C++.
#[derive(Clone, Copy)]
pub(crate) struct Compiler {
    pub(crate) c: &'static str,
    pub(crate) cpp: &'static str,
}

pub(crate) const GCC: Compiler = Compiler {
    c: "gcc",
    cpp: "g++",
};
pub(crate) const CLANG: Compiler = Compiler {
    c: "clang",
    cpp: "clang++",
};

/// How Rust builds the libraries: as they ship, or with its checks of overflow and its own assertions.
#[derive(Clone, Copy)]
enum Profile {
    Release,
    Debug,
}

pub(crate) fn gcc(shell: &mut Shell) -> Outcome {
    both(shell, GCC)
}

pub(crate) fn clang(shell: &mut Shell) -> Outcome {
    both(shell, CLANG)
}

fn both(shell: &mut Shell, compiler: Compiler) -> Outcome {
    let programs = compile(shell, compiler, compiler.c, Profile::Release, &["-O2"])?;
    other_standards(shell, compiler)?;
    run_all(shell, &programs, None, Profile::Release)
}

/// The programs in standards that they are not built in: C99, and C++20 without exceptions; and each header by itself in the oldest C++ that it is for.
/// Nothing must make a compiler warn that is asked to be strict.
fn other_standards(shell: &mut Shell, compiler: Compiler) -> Result<(), Stop> {
    let (headers, tests) = (shell.root.join("include"), shell.root.join("ffi-c/tests"));
    let mut look = |compiler: &str, arguments: &[&str], sources: Vec<PathBuf>| {
        let mut command = Command::new(compiler);
        command
            .args(WARNINGS)
            .args(STRICT)
            .args(arguments)
            .args(["-fsyntax-only", "-Iinclude"])
            .args(sources);
        shell.run(&mut command)
    };
    let of_c = ["-std=c99", "-Wstrict-prototypes", "-Wmissing-prototypes"];
    look(compiler.c, &of_c, files(&tests.join("c"), "c"))?;
    let of_cpp = ["-Wold-style-cast", "-Wzero-as-null-pointer-constant"];
    let alone = |standard| [&["-x", "c++", standard][..], &of_cpp].concat();
    look(
        compiler.cpp,
        &alone("-std=c++14"),
        vec![headers.join("agentsdisc.h")],
    )?;
    look(
        compiler.cpp,
        &alone("-std=c++17"),
        vec![headers.join("agentsdisc.hpp")],
    )?;
    let bare = [&["-std=c++20", "-fno-exceptions", "-fno-rtti"][..], &of_cpp].concat();
    look(compiler.cpp, &bare, files(&tests.join("cpp"), "cpp"))
}

pub(crate) fn sanitizers(shell: &mut Shell) -> Outcome {
    let mut done = Vec::new();
    let mut lacking = None;
    for (compiler, package) in [(GCC, "gcc sanitizers"), (CLANG, "clang sanitizers")] {
        // A compiler may be there without the run-time libraries of its sanitizers.
        match tools::need(compiler.c).and_then(|()| {
            if can_sanitize(shell, compiler)? {
                Ok(())
            } else {
                Err(tools::missing(package))
            }
        }) {
            Ok(()) => {}
            Err(stop @ Stop::Missing { .. }) => {
                lacking = Some(stop);
                continue;
            }
            Err(stop) => return Err(stop),
        }
        let programs = compile(
            shell,
            compiler,
            &format!("{}-sanitized", compiler.c),
            Profile::Debug,
            &SANITIZERS,
        )?;
        run_all(shell, &programs, None, Profile::Debug)?;
        done.push(compiler.c);
    }
    match lacking {
        // One compiler's sanitizers show as much as two do; still, on a machine that must have everything, say so.
        Some(stop) if done.is_empty() || tools::is_ci() => Err(stop),
        _ => Ok(done.join(" and ")),
    }
}

pub(crate) fn valgrind(shell: &mut Shell) -> Outcome {
    tools::need("valgrind")?;
    let programs = compile(shell, GCC, "valgrind", Profile::Debug, &["-g", "-O1"])?;
    let checker = [
        "valgrind",
        "--quiet",
        "--error-exitcode=99",
        "--leak-check=full",
        "--track-origins=yes",
    ];
    run_all(shell, &programs, Some(&checker), Profile::Debug)
}

/// Compiles every program against both libraries.
fn compile(
    shell: &mut Shell,
    compiler: Compiler,
    label: &str,
    profile: Profile,
    flags: &[&str],
) -> Result<Vec<PathBuf>, Stop> {
    if cfg!(windows) {
        return Err(Stop::NotHere(
            "the C tests are built by gcc and clang, on Linux and macOS".into(),
        ));
    }
    let tests = shell.root.join("ffi-c/tests");
    let languages = [
        (compiler.c, "-std=c11", files(&tests.join("c"), "c")),
        (compiler.cpp, "-std=c++17", files(&tests.join("cpp"), "cpp")),
    ];
    if languages.iter().all(|(.., sources)| sources.is_empty()) {
        return failed("there are no programs in ffi-c/tests/c and ffi-c/tests/cpp");
    }
    let libraries = libraries(shell, profile)?;
    let folder = tools::scratch()?.join("c").join(label);
    make_folder(&folder)?;
    let mut programs = Vec::new();
    for (compiler, standard, sources) in &languages {
        for source in sources {
            tools::need(compiler)?;
            for linked in ["static", "shared"] {
                let program = folder.join(format!("{}.{linked}", file_name(source)));
                let mut command = Command::new(compiler);
                command
                    .arg(standard)
                    .args(WARNINGS)
                    .args(flags)
                    .arg("-Iinclude")
                    .arg(source)
                    .arg("-o")
                    .arg(&program);
                if linked == "static" {
                    command.arg(libraries.join("libagentsdisc.a")).args(SYSTEM);
                } else {
                    command
                        .arg(format!("-L{}", libraries.display()))
                        .arg("-lagentsdisc");
                    command.arg(format!("-Wl,-rpath,{}", libraries.display()));
                }
                shell.run(&mut command)?;
                programs.push(program);
            }
        }
    }
    Ok(programs)
}

/// Builds the libraries and says in which folder they are.
fn libraries(shell: &mut Shell, profile: Profile) -> Result<PathBuf, Stop> {
    let mut command = cargo(&["build", "-p", "agentsdisc-c"]);
    if matches!(profile, Profile::Release) {
        command.arg("--release");
    }
    shell.run(&mut command)?;
    Ok(library_folder(profile))
}

fn library_folder(profile: Profile) -> PathBuf {
    tools::target().join(match profile {
        Profile::Release => "release",
        Profile::Debug => "debug",
    })
}

fn run_all(
    shell: &mut Shell,
    programs: &[PathBuf],
    under: Option<&[&str]>,
    profile: Profile,
) -> Outcome {
    let vectors = shell.root.join("conformance");
    for program in programs {
        let mut command = match under.and_then(<[_]>::split_first) {
            Some((checker, arguments)) => {
                let mut command = Command::new(checker);
                // What takes seconds takes minutes there.
                command
                    .args(arguments)
                    .arg(program)
                    .env("AGENTSDISC_SLOW", "1");
                command
            }
            None => Command::new(program),
        };
        // `cargo run` puts its own folders in front, and another build of the library may lie there.
        command
            .env("LD_LIBRARY_PATH", library_folder(profile))
            .env("UBSAN_OPTIONS", "print_stacktrace=1");
        shell.run(command.arg(&vectors))?;
    }
    Ok(format!("{} programs", programs.len()))
}

fn can_sanitize(shell: &mut Shell, compiler: Compiler) -> Result<bool, Stop> {
    let folder = tools::scratch()?;
    let source = folder.join("nothing.c");
    write(&source, "int main(void) { return 0; }\n")?;
    let status = shell.status(
        Command::new(compiler.c)
            .args(SANITIZERS)
            .arg(&source)
            .arg("-o")
            .arg(folder.join("nothing")),
    )?;
    Ok(status.success())
}
