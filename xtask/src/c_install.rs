//! Tests the installed library: installs it into a temporary folder, inspects it, and builds
//! clients that only know that folder, through pkg-config and CMake, with the shared and the static
//! library.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::c::{CLANG, Compiler, GCC, WARNINGS};
use crate::install::{self, Names, Places};
use crate::shell::{Outcome, Shell, Stop, cannot, failed, make_folder, read};
use crate::symbols::{self, Kind};
use crate::{abi, tools};

/// The maximum size of the shared library, in bytes, with all formats, all parts and the Public
/// Suffix List.
const LARGEST: u64 = 3_600_000;

/// An installed library, as clients see it.
struct Installed {
    prefix: PathBuf,
    libraries: PathBuf,
    version: String,
    soname: String,
    /// Whether pkg-config lists everything that a fully static program needs. cargo-c lists what
    /// rustc prints, which includes gcc_s, a library that is only shared.
    is_for_static: bool,
}

pub(crate) fn run(shell: &mut Shell) -> Outcome {
    if cfg!(not(target_os = "linux")) {
        return Err(Stop::NotHere("this checks ELF files and runs on Linux only".into()));
    }
    for program in ["cmake", "pkg-config", "nm", "objdump", "gcc", "g++"] {
        tools::need(program)?;
    }
    let folder = tools::scratch()?.join("c-install");
    // The path contains a space to find missing quotes.
    let ours = Places::under(fresh(&folder.join("a prefix"))?);
    install::run(shell, &ours)?;
    let mut done = vec![check(shell, &ours.prefix, true)?];
    if !tools::is_long() {
        done.push("`cargo cinstall` and clang with --long".into());
    } else if shell
        .status(&mut tools::cargo(&["capi", "--version"]))
        .is_ok_and(|status| status.success())
    {
        let prefix = fresh(&folder.join("cargo-c"))?;
        let target = tools::scratch()?.join("cargo-c");
        let mut command = tools::cargo(&[
            "cinstall",
            "--profile",
            install::PROFILE,
            "--no-default-features",
            "--features",
            install::FEATURES,
            "-p",
            "agentsdisc-c",
            "--libdir",
            "lib",
            "--prefix",
        ]);
        shell.run(command.arg(&prefix).arg("--target-dir").arg(&target))?;
        check(shell, &prefix, false)?;
        same_files(&ours.prefix, &prefix)?;
        done.push("`cargo cinstall`".into());
    } else {
        done.push(
            "`cargo cinstall` not tried; `cargo install cargo-c --locked` installs it".into(),
        );
    }
    Ok(done.join("; "))
}

/// Creates an empty folder.
pub(crate) fn fresh(folder: &Path) -> Result<PathBuf, Stop> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|e| cannot("remove", folder, &e))?;
    }
    make_folder(folder)?;
    Ok(folder.to_path_buf())
}

fn check(shell: &mut Shell, prefix: &Path, is_for_static: bool) -> Outcome {
    let version = install::version(shell)?;
    let soname = Names::of(&version)?.soname;
    let installed = Installed {
        prefix: prefix.to_path_buf(),
        libraries: prefix.join("lib"),
        version,
        soname,
        is_for_static,
    };
    library(shell, &installed)?;
    let mut clients = 0;
    for compiler in [GCC, CLANG] {
        if compiler.c == CLANG.c && !tools::is_long() {
            break;
        }
        if tools::has(compiler.c) && tools::has(compiler.cpp) {
            clients += through_pkg_config(shell, &installed, compiler)?
                + through_cmake(shell, &installed, compiler)?;
        } else if tools::is_ci() {
            return Err(tools::missing(compiler.cpp));
        }
    }
    if tools::is_long() {
        fetched(shell)?;
    }
    Ok(format!("{clients} clients"))
}

/// Builds and runs a program that has the library by CMake's FetchContent.
fn fetched(shell: &mut Shell) -> Result<(), Stop> {
    let folder = fresh(&tools::scratch()?.join("c-install/fetch"))?;
    shell.run(Command::new("cmake").args(["-S", "ffi-c/tests/fetch", "-B"]).arg(&folder))?;
    shell.run(Command::new("cmake").arg("--build").arg(&folder))?;
    shell.run(Command::new(folder.join("fetched")).arg("conformance"))
}

/// Checks that the shared library has its soname, exports exactly the functions of the ABI record,
/// and does not exceed its size.
fn library(shell: &mut Shell, installed: &Installed) -> Result<(), Stop> {
    let file = installed.libraries.join("libagentsdisc.so");
    let headers = shell.output(Command::new("objdump").arg("-p").arg(&file))?;
    if !says(&headers, "SONAME", &installed.soname) {
        return failed(format!("{} does not have the soname {}", file.display(), installed.soname));
    }
    if cfg!(target_os = "linux")
        && !headers.lines().any(|line| line.contains("NEEDED") && line.contains("libc.so"))
    {
        return failed(format!("{} does not name the C library that it calls", file.display()));
    }
    let exported = symbols::list(shell, &file, Kind::Defined)?;
    let recorded = abi::functions(shell)?;
    let (unknown, missing): (BTreeSet<_>, BTreeSet<_>) =
        (exported.difference(&recorded).collect(), recorded.difference(&exported).collect());
    if !unknown.is_empty() || !missing.is_empty() {
        return failed(format!(
            "the shared library exports {unknown:?}, which {} does not list, and does not export {missing:?}",
            abi::RECORD
        ));
    }
    let bytes = fs::metadata(&file).map_err(|e| cannot("read", &file, &e))?.len();
    if bytes > LARGEST {
        return failed(format!("the shared library has {bytes} bytes; the limit is {LARGEST}"));
    }
    let undefined = symbols::list(shell, &file, Kind::Undefined)?;
    match undefined.iter().find(|name| name.starts_with("agd_")) {
        Some(name) => failed(format!("the shared library uses {name} without defining it")),
        None => Ok(()),
    }
}

/// Whether `objdump -p` lists an entry of this kind with this value.
fn says(headers: &str, kind: &str, value: &str) -> bool {
    headers.lines().any(|line| line.split_whitespace().eq([kind, value]))
}

/// Runs a client, and checks that it is linked as intended.
fn run_client(
    shell: &mut Shell,
    installed: &Installed,
    program: &Path,
    is_shared: bool,
) -> Result<(), Stop> {
    let headers = shell.output(Command::new("objdump").arg("-p").arg(program))?;
    if says(&headers, "NEEDED", &installed.soname) != is_shared {
        return failed(format!(
            "{} is{} linked with the shared library",
            program.display(),
            if is_shared { " not" } else { "" }
        ));
    }
    let mut command = Command::new(program);
    // `cargo run` prepends its own folders, which may contain another build of the library.
    command.env_remove("LD_LIBRARY_PATH");
    if is_shared {
        command.env("LD_LIBRARY_PATH", &installed.libraries);
    }
    shell.run(command.arg("conformance"))
}

fn through_pkg_config(
    shell: &mut Shell,
    installed: &Installed,
    compiler: Compiler,
) -> Result<usize, Stop> {
    let version = pkg_config(shell, installed, &["--modversion"])?;
    if version != [installed.version.as_str()] {
        return failed(format!("agentsdisc.pc has version {version:?}"));
    }
    let folder = tools::scratch()?.join("c-install/pkg-config").join(compiler.c);
    make_folder(&folder)?;
    let mut count = 0;
    for (compiler, standard, source) in
        [(compiler.c, "-std=c11", "c/api.c"), (compiler.cpp, "-std=c++17", "cpp/api.cpp")]
    {
        for is_shared in [true, false] {
            let program = folder.join(format!(
                "{}-{}",
                if is_shared { "shared" } else { "static" },
                source.replace('/', "-")
            ));
            let mut command = Command::new(compiler);
            command
                .arg(standard)
                .args(WARNINGS)
                .arg(format!("ffi-c/tests/{source}"))
                .arg("-o")
                .arg(&program);
            if is_shared {
                command.args(pkg_config(shell, installed, &["--cflags", "--libs"])?);
            } else {
                let words = pkg_config(shell, installed, &["--static", "--cflags", "--libs"])?;
                if installed.is_for_static {
                    command.arg("-static").args(words);
                } else {
                    let (ours, of_system) = ("-Wl,-Bstatic,-lagentsdisc,-Bdynamic", "-lagentsdisc");
                    command.args(
                        words.iter().map(
                            |word| {
                                if word == of_system { ours } else { word.as_str() }
                            },
                        ),
                    );
                }
            }
            shell.run(&mut command)?;
            run_client(shell, installed, &program, is_shared)?;
            count += 1;
        }
    }
    Ok(count)
}

/// Returns the words that pkg-config prints.
fn pkg_config(
    shell: &mut Shell,
    installed: &Installed,
    arguments: &[&str],
) -> Result<Vec<String>, Stop> {
    let mut command = Command::new("pkg-config");
    command.args(arguments).arg("agentsdisc");
    command
        .env("PKG_CONFIG_PATH", installed.libraries.join("pkgconfig"))
        .env_remove("PKG_CONFIG_LIBDIR");
    let answer = shell.output(&mut command)?;
    // As in a shell, a space after a backslash is part of the word.
    let hidden = answer.replace("\\ ", "\0");
    Ok(hidden.split_whitespace().map(|word| word.replace('\0', " ")).collect())
}

fn through_cmake(
    shell: &mut Shell,
    installed: &Installed,
    compiler: Compiler,
) -> Result<usize, Stop> {
    let folder = fresh(&tools::scratch()?.join("c-install/cmake").join(compiler.c))?;
    let mut command = Command::new("cmake");
    command.args(["-S", "ffi-c/tests/install", "-B"]).arg(&folder);
    command
        .arg(format!("-DCMAKE_C_COMPILER={}", compiler.c))
        .arg(format!("-DCMAKE_CXX_COMPILER={}", compiler.cpp));
    command
        .arg(format!("-DCMAKE_PREFIX_PATH={}", installed.prefix.display()))
        .arg(format!("-DWANTED={}", installed.version));
    shell.run(&mut command)?;
    shell.run(Command::new("cmake").arg("--build").arg(&folder))?;
    let mut count = 0;
    for language in ["c", "cpp"] {
        for (target, is_shared) in [("agentsdisc", true), ("shared", true), ("static", false)] {
            run_client(shell, installed, &folder.join(format!("{language}-{target}")), is_shared)?;
            count += 1;
        }
    }
    Ok(count)
}

/// Checks that both ways install the same files. The files for pkg-config may differ in form.
fn same_files(ours: &Path, theirs: &Path) -> Result<(), Stop> {
    let (ours, theirs) = (listed(ours)?, listed(theirs)?);
    if ours != theirs {
        let differing: Vec<_> = ours.symmetric_difference(&theirs).collect();
        return failed(format!(
            "`cargo xtask install` and `cargo cinstall` install different files: {differing:?}"
        ));
    }
    Ok(())
}

/// Returns the paths of all files in a folder, with the content of text files.
fn listed(folder: &Path) -> Result<BTreeSet<(PathBuf, String)>, Stop> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).map_err(|e| cannot("read", &next, &e))?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                // cargo-c installs no licences.
                if !path.ends_with("share/doc") {
                    open.push(path);
                }
                continue;
            }
            let is_text = path.extension().is_some_and(|extension| {
                ["h", "hpp", "cmake"].iter().any(|text| extension == *text)
            });
            let text = if is_text { read(&path)? } else { String::new() };
            found.insert((path.strip_prefix(folder).unwrap_or(&path).to_path_buf(), text));
        }
    }
    Ok(found)
}
