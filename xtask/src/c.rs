//! The C tests: compiles each program of `ffi-c/tests/c` (C11) and `ffi-c/tests/cpp` (C++17)
//! without warnings, links it with the static and the shared library, and runs it with the folder
//! of the conformance vectors as argument. Also compiles the programs in other standards, and each
//! header alone.
//!
//! gcc links the library with overflow checks and debug assertions, clang the installed one;
//! `--long` tests both with each compiler.

use std::path::PathBuf;
use std::process::Command;

use crate::c_docs;
use crate::install::{self, SYSTEM};
use crate::rust;
use crate::shell::{Outcome, Shell, Stop, failed, make_folder, read, write};
use crate::tools::{self, file_name, files};

pub(crate) const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
/// Additional warnings.
const STRICT: [&str; 5] =
    ["-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wcast-qual", "-Wundef"];
const SANITIZERS: [&str; 4] =
    ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"];

/// A C compiler and its C++ counterpart.
#[derive(Clone, Copy)]
pub(crate) struct Compiler {
    pub(crate) c: &'static str,
    pub(crate) cpp: &'static str,
}

pub(crate) const GCC: Compiler = Compiler { c: "gcc", cpp: "g++" };
pub(crate) const CLANG: Compiler = Compiler { c: "clang", cpp: "clang++" };

/// The build of the libraries: as installed, or with overflow checks and debug assertions.
#[derive(Clone, Copy, PartialEq)]
enum Profile {
    Installed,
    Debug,
}

/// How a program is linked.
#[derive(Clone, Copy, PartialEq)]
enum Linked {
    Static,
    Shared,
}

const BOTH: &[Linked] = &[Linked::Static, Linked::Shared];
const STATIC: &[Linked] = &[Linked::Static];

pub(crate) fn gcc(shell: &mut Shell) -> Outcome {
    every_function_is_wrapped(shell)?;
    with(shell, GCC, Profile::Debug, STATIC)
}

pub(crate) fn clang(shell: &mut Shell) -> Outcome {
    with(shell, CLANG, Profile::Installed, BOTH)
}

fn with(shell: &mut Shell, compiler: Compiler, profile: Profile, linked: &[Linked]) -> Outcome {
    other_standards(shell, compiler)?;
    let programs = compile(shell, compiler, compiler.c, profile, linked, &["-O2"])?;
    let mut count = run_all(shell, &programs, None, profile)?;
    if tools::is_long() {
        for profile in [Profile::Installed, Profile::Debug] {
            let programs = compile(shell, compiler, compiler.c, profile, BOTH, &["-O2"])?;
            count = run_all(shell, &programs, None, profile)?;
        }
    }
    Ok(count)
}

/// C functions whose form in C++ is an operator or a constructor.
const OPERATORS: [&str; 3] = ["agd_text_from", "agd_text_eq_str", "agd_text_eq_str_ignore_case"];

/// Fails if a function of the C header does not occur in the C++ headers, other than by the range of
/// its list.
fn every_function_is_wrapped(shell: &Shell) -> Result<(), Stop> {
    let header = |name: &str| read(&shell.root.join("include").join(name));
    let mut cpp = header("agentsdisc.hpp")?;
    cpp += &header("agentsdisc_call.hpp")?;
    cpp += &header("agentsdisc_functions.hpp")?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let used: Vec<&str> = cpp.split(|c| !is_word(c)).collect();
    for function in c_docs::names(&header("agentsdisc.h")?) {
        let list = function.strip_suffix("_next").map(|list| format!("AGENTSDISC_RANGE({list},"));
        let named = function.strip_prefix("agd_").map(|name| format!("AGENTSDISC_NAME({name})"));
        let is_wrapped = used.contains(&function.as_str())
            || OPERATORS.contains(&function.as_str())
            || [list, named].iter().flatten().any(|macro_| cpp.contains(macro_.as_str()));
        if !is_wrapped {
            return failed(format!("{function} has no form in C++"));
        }
    }
    Ok(())
}

/// Compiles the programs in other standards (C99, and C++20 without exceptions), and each header
/// alone in the oldest supported C++, with more warnings.
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
    look(compiler.cpp, &alone("-std=c++14"), vec![headers.join("agentsdisc.h")])?;
    for name in ["agentsdisc.hpp", "agentsdisc_call.hpp", "agentsdisc_functions.hpp"] {
        look(compiler.cpp, &alone("-std=c++17"), vec![headers.join(name)])?;
    }
    let bare = [&["-std=c++20", "-fno-exceptions", "-fno-rtti"][..], &of_cpp].concat();
    look(compiler.cpp, &bare, files(&tests.join("cpp"), "cpp"))
}

/// Builds the reference of the headers in HTML, and checks that each function has its place in it.
pub(crate) fn reference(shell: &mut Shell) -> Outcome {
    tools::need("doxygen")?;
    let folder = tools::scratch()?.join("c-reference");
    make_folder(&folder)?;
    let settings = read(&shell.root.join("ffi-c/Doxyfile"))?;
    let file = folder.join("Doxyfile");
    write(&file, &format!("{settings}OUTPUT_DIRECTORY = {}\n", folder.display()))?;
    shell.run(Command::new("doxygen").arg(&file))?;
    let mut pages = String::new();
    for page in files(&folder.join("html"), "html") {
        if file_name(&page).starts_with("group__") {
            pages += &read(&page)?;
        }
    }
    let functions = c_docs::names(&read(&shell.root.join("include/agentsdisc.h"))?);
    match functions.iter().find(|name| !pages.contains(&format!(">{name}<"))) {
        Some(name) => failed(format!("{name} is in no section of the reference")),
        None => Ok(format!("{} functions", functions.len())),
    }
}

/// Both compilers have equivalent sanitizers, so the second one runs with `--long` only.
pub(crate) fn sanitizers(shell: &mut Shell) -> Outcome {
    let mut done = Vec::new();
    let mut lacking = None;
    for (compiler, package) in [(CLANG, "clang sanitizers"), (GCC, "gcc sanitizers")] {
        if !done.is_empty() && !tools::is_long() {
            break;
        }
        // Some systems install a compiler without the libraries of its sanitizers.
        let found = tools::need(compiler.c).and_then(|()| {
            if can_sanitize(shell, compiler)? { Ok(()) } else { Err(tools::missing(package)) }
        });
        match found {
            Ok(()) => {}
            Err(stop @ Stop::Missing { .. }) => {
                lacking = Some(stop);
                continue;
            }
            Err(stop) => return Err(stop),
        }
        let linked = if tools::is_long() { BOTH } else { STATIC };
        let label = format!("{}-sanitized", compiler.c);
        let programs = compile(shell, compiler, &label, Profile::Debug, linked, &SANITIZERS)?;
        run_all(shell, &programs, None, Profile::Debug)?;
        done.push(compiler.c);
    }
    match lacking {
        Some(stop) if done.is_empty() || tools::is_ci() => Err(stop),
        _ => Ok(done.join(" and ")),
    }
}

pub(crate) fn valgrind(shell: &mut Shell) -> Outcome {
    if !tools::is_long() {
        return Ok("with --long".into());
    }
    tools::need("valgrind")?;
    let flags = ["-g", "-O1"];
    let programs = compile(shell, GCC, "valgrind", Profile::Debug, STATIC, &flags)?;
    let checker =
        ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", "--track-origins=yes"];
    run_all(shell, &programs, Some(&checker), Profile::Debug)
}

/// Compiles each program once, and links it with the libraries.
fn compile(
    shell: &mut Shell,
    compiler: Compiler,
    label: &str,
    profile: Profile,
    linked: &[Linked],
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
        tools::need(compiler)?;
        for source in sources {
            let object = folder.join(format!("{}.o", file_name(source)));
            let mut command = Command::new(compiler);
            command.args([standard, "-Iinclude", "-c"]).args(WARNINGS).args(flags);
            shell.run(command.arg(source).arg("-o").arg(&object))?;
            for linked in linked {
                let program = object.with_extension(match linked {
                    Linked::Static => "static",
                    Linked::Shared => "shared",
                });
                let mut command = Command::new(compiler);
                command.args(flags).arg(&object);
                match linked {
                    Linked::Static => command.arg(libraries.join("libagentsdisc.a")).args(SYSTEM),
                    Linked::Shared => command
                        .arg(format!("-L{}", libraries.display()))
                        .arg("-lagentsdisc")
                        .arg(format!("-Wl,-rpath,{}", libraries.display())),
                };
                shell.run(command.arg("-o").arg(&program))?;
                programs.push(program);
            }
        }
    }
    Ok(programs)
}

/// Builds the libraries and returns their folder.
fn libraries(shell: &mut Shell, profile: Profile) -> Result<PathBuf, Stop> {
    match profile {
        Profile::Installed => install::libraries(shell),
        Profile::Debug => rust::debug_library(shell).map(|()| tools::target().join("debug")),
    }
}

fn run_all(
    shell: &mut Shell,
    programs: &[PathBuf],
    under: Option<&[&str]>,
    profile: Profile,
) -> Outcome {
    let vectors = shell.root.join("conformance");
    let libraries = libraries(shell, profile)?;
    for program in programs {
        let mut command = match under.and_then(<[_]>::split_first) {
            Some((checker, arguments)) => {
                let mut command = Command::new(checker);
                // Skips tests that take minutes under valgrind.
                command.args(arguments).arg(program).env("AGENTSDISC_SLOW", "1");
                command
            }
            None => Command::new(program),
        };
        // `cargo run` sets this variable to folders that may contain another build of the library.
        command.env("LD_LIBRARY_PATH", &libraries).env("UBSAN_OPTIONS", "print_stacktrace=1");
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
