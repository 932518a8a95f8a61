//! Compiles and runs C and C++ programs for the tests. Without a compiler, the tests are skipped unless
//! `CI` is set.

#![allow(dead_code, reason = "each test uses a part")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of this package.
pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The conformance vectors.
pub(crate) fn vectors() -> PathBuf {
    package().join("../conformance")
}

/// The folder of the libraries built with this test.
fn libraries() -> PathBuf {
    // The test is deps/NAME in the folder of its profile.
    std::env::current_exe().unwrap().parent().unwrap().to_path_buf()
}

/// The installed compilers of a language.
pub(crate) fn compilers(of: &Path) -> Vec<&'static str> {
    let all: &[&str] = if of.extension().is_some_and(|extension| extension == "c") {
        &["gcc", "clang"]
    } else {
        &["g++", "clang++"]
    };
    let found: Vec<_> = all
        .iter()
        .copied()
        .filter(|compiler| {
            Command::new(compiler)
                .arg("--version")
                .output()
                .is_ok_and(|output| output.status.success())
        })
        .collect();
    assert!(!found.is_empty() || std::env::var_os("CI").is_none(), "none of {all:?} is installed");
    found
}

/// Compiles a program without a warning and links it with the static library. Returns its path. Another process may do
/// the same at the same time, or run the program.
pub(crate) fn compile(compiler: &str, source: &Path) -> PathBuf {
    compile_with(compiler, source, &[])
}

/// Compiles and links with additional libraries.
pub(crate) fn compile_with(compiler: &str, source: &Path, more_libraries: &[&str]) -> PathBuf {
    let stem = source.file_stem().unwrap().to_str().unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let program = folder.join(format!(
        "{}-{stem}-{compiler}",
        source.parent().unwrap().file_name().unwrap().to_str().unwrap()
    ));
    // A running program cannot be overwritten, and a program cannot run while it is written. Test
    // processes share the folder, so each process links to a file of its own, and renames it when
    // it is complete.
    let unfinished = program.with_extension(std::process::id().to_string());
    let standard = if source.extension().is_some_and(|extension| extension == "c") {
        "-std=c11"
    } else {
        "-std=c++17"
    };
    let mut command = Command::new(compiler);
    command.arg(standard).args([
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Wconversion",
        "-Wshadow",
        "-Wcast-qual",
        "-Werror",
        "-g",
        "-O1",
    ]);
    command.arg("-I").arg(package().join("../include")).arg(source).arg("-o").arg(&unfinished);
    command.arg(libraries().join("libagentsdisc.a")).args(more_libraries).args([
        "-lpthread",
        "-ldl",
        "-lm",
    ]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    std::fs::rename(&unfinished, &program).unwrap();
    program
}

/// Runs a program, which must succeed.
pub(crate) fn run(program: &Path, arguments: &[&Path]) -> Output {
    let output = Command::new(program).args(arguments).output().unwrap();
    let (stdout, stderr) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(
        output.status.success(),
        "{}: {}\n{stderr}\n{}",
        program.display(),
        output.status,
        stdout.get(..2000).unwrap_or(&stdout)
    );
    output
}
