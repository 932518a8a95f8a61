//! The folders of the repository, the required programs with their minimum versions, and how to
//! install them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::shell::{Stop, make_folder};

/// Returns the root folder of the repository.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable; the compiled-in path is for direct calls of the program.
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Returns cargo's target folder.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| OsString::from("target")))
}

/// Returns a folder under the target folder for the output of a command.
pub(crate) fn scratch() -> Result<PathBuf, Stop> {
    let folder = target().join("xtask");
    make_folder(&folder)?;
    Ok(folder)
}

/// Whether `CI=true`: then a missing tool is a failure.
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| matches!(value.as_str(), "true" | "1"))
}

static LONG: OnceLock<()> = OnceLock::new();

/// Enables `--long`: checks that take minutes and rarely find anything.
pub(crate) fn run_long() {
    LONG.get_or_init(|| ());
}

/// Whether `--long` is enabled.
pub(crate) fn is_long() -> bool {
    LONG.get().is_some()
}

/// Returns the cargo that runs this program.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command =
        Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.args(arguments);
    command
}

/// Returns the cargo that runs cargo-fuzz: of the nightly toolchain, otherwise the usual one, whose
/// compiler is told to accept the options of the sanitizers.
pub(crate) fn fuzz_cargo(arguments: &[&str]) -> Result<Command, Stop> {
    if !succeeds(Command::new("cargo").args(["fuzz", "--version"])) {
        return Err(Stop::Missing {
            what: "`cargo-fuzz`".into(),
            install: "cargo install cargo-fuzz --locked".into(),
        });
    }
    let mut command = if succeeds(Command::new("rustup").args(["run", "nightly", "rustc", "-V"])) {
        let mut command = Command::new("rustup");
        command.args(["run", "nightly", "cargo"]);
        command
    } else {
        let mut command = Command::new("cargo");
        command.env("RUSTC_BOOTSTRAP", "1");
        command
    };
    command.args(arguments);
    Ok(command)
}

/// Whether a command starts and succeeds; discards its output.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Whether a program is in the search path.
pub(crate) fn has(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&paths).any(|folder| folder.join(&file).is_file())
}

/// Fails with the install command if `program` is missing or too old.
pub(crate) fn need(program: &str) -> Result<(), Stop> {
    if has(program) { need_version(program) } else { Err(missing(program)) }
}

/// Programs whose old versions fail later with an unclear error: how each prints its version, and
/// the oldest that works.
const OLDEST: &[(&str, &[&str], [u32; 2])] = &[
    ("gcc", &["-dumpfullversion"], [9, 0]),
    ("g++", &["-dumpfullversion"], [9, 0]),
    ("clang", &["-dumpversion"], [12, 0]),
    ("clang++", &["-dumpversion"], [12, 0]),
    ("cmake", &["--version"], [3, 15]),
    ("valgrind", &["--version"], [3, 18]),
    ("node", &["--version"], [20, 0]),
    ("arm-none-eabi-gcc", &["-dumpfullversion"], [10, 0]),
    ("qemu-system-arm", &["--version"], [5, 0]),
    ("java", &["-version"], [17, 0]),
];

/// Fails if the version of `program` is too low. Succeeds if the version is unknown.
fn need_version(program: &str) -> Result<(), Stop> {
    let Some((_, arguments, oldest)) = OLDEST.iter().find(|(name, ..)| *name == program) else {
        return Ok(());
    };
    match version_of(Command::new(program).args(*arguments)) {
        Some(found) if found < *oldest => {
            Err(too_old(&format!("`{program}`"), found, *oldest, &how_to_install(program)))
        }
        _ => Ok(()),
    }
}

/// Returns the message for a program that is too old.
pub(crate) fn too_old(what: &str, found: [u32; 2], oldest: [u32; 2], install: &str) -> Stop {
    let [(major, minor), (least_major, least_minor)] = [found, oldest].map(|[a, b]| (a, b));
    Stop::Missing {
        what: format!("{what} {least_major}.{least_minor} or newer (installed: {major}.{minor})"),
        install: install.into(),
    }
}

/// Returns the first two numbers of the version that a command prints.
pub(crate) fn version_of(command: &mut Command) -> Option<[u32; 2]> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr]
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .concat();
    version_in(&text)
}

/// Returns the first version in a text: 1 and 85 for `rustc 1.85.0 (…)`, 14 and 0 for `14`.
pub(crate) fn version_in(text: &str) -> Option<[u32; 2]> {
    let is_version = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let word =
        text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '-' | 'v')).find(is_version)?;
    let mut numbers =
        word.split(|c: char| !c.is_ascii_digit()).map(|number| number.parse().unwrap_or(0));
    Some([numbers.next()?, numbers.next().unwrap_or(0)])
}

/// The packages that contain a program: of apt, dnf and Homebrew.
const PACKAGES: &[(&str, [&str; 3])] = &[
    ("node", ["nodejs npm", "nodejs", "node"]),
    ("gcc", ["gcc", "gcc", "gcc"]),
    ("g++", ["g++", "gcc-c++", "gcc"]),
    ("clang", ["clang", "clang", "llvm"]),
    ("clang++", ["clang", "clang", "llvm"]),
    ("clang sanitizers", ["libclang-rt-14-dev", "compiler-rt", "llvm"]),
    ("gcc sanitizers", ["gcc", "libasan libubsan", "gcc"]),
    ("valgrind", ["valgrind", "valgrind", "valgrind"]),
    ("cmake", ["cmake", "cmake", "cmake"]),
    ("pkg-config", ["pkg-config", "pkgconf-pkg-config", "pkgconf"]),
    ("java", ["openjdk-17-jre-headless", "java-17-openjdk-headless", "openjdk@17"]),
    ("doxygen", ["doxygen", "doxygen", "doxygen"]),
    ("objdump", ["binutils", "binutils", "binutils"]),
    ("nm", ["binutils", "binutils", "binutils"]),
    ("qemu-system-arm", ["qemu-system-arm", "qemu-system-arm", "qemu"]),
    ("arm-none-eabi-gcc", ["gcc-arm-none-eabi", "arm-none-eabi-gcc-cs", "arm-none-eabi-gcc"]),
    (
        "arm-none-eabi-objdump",
        ["gcc-arm-none-eabi", "arm-none-eabi-binutils-cs", "arm-none-eabi-gcc"],
    ),
    ("python3", ["python3 python3-venv", "python3", "python"]),
    ("python3-venv", ["python3-venv", "python3", "python"]),
];

/// Returns how to install a missing program.
pub(crate) fn missing(program: &str) -> Stop {
    Stop::Missing { what: format!("`{program}`"), install: how_to_install(program) }
}

fn how_to_install(program: &str) -> String {
    match program {
        "cargo-fmt" | "rustfmt" => return "rustup component add rustfmt".into(),
        "cargo-clippy" | "clippy-driver" => return "rustup component add clippy".into(),
        "uv" => return "pip install uv".into(),
        "rustup" | "cargo" => return "follow https://rustup.rs".into(),
        _ => {}
    }
    let Some((_, [apt, dnf, brew])) = PACKAGES.iter().find(|(name, _)| *name == program) else {
        return format!("install `{program}` with your system's package manager");
    };
    if has("apt-get") {
        // The package of the sanitizers contains the version of the compiler in its name.
        let version = clang_version().filter(|_| program == "clang sanitizers");
        version.map_or_else(
            || format!("sudo apt-get install {apt}"),
            |v| format!("sudo apt-get install libclang-rt-{v}-dev"),
        )
    } else if has("dnf") {
        format!("sudo dnf install {dnf}")
    } else if has("brew") {
        format!("brew install {brew}")
    } else {
        format!("install {apt} (as Debian calls it) with your system's package manager")
    }
}

fn clang_version() -> Option<String> {
    let output = Command::new("clang").arg("-dumpversion").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    version.split('.').next().map(|major| major.trim().to_owned()).filter(|major| !major.is_empty())
}

/// Returns the name of the package in `folder`, if there is one.
pub(crate) fn package(folder: &str) -> Option<String> {
    let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).ok()?;
    section(&manifest, "package").find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "name").then(|| value.trim().trim_matches('"').to_owned())
    })
}

/// Returns the lines of one table of a TOML file. Sufficient for the manifests of this repository;
/// not a TOML parser.
pub(crate) fn section<'a>(toml: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let header = format!("[{name}]");
    let mut lines = toml.lines().map(str::trim);
    lines.find(|line| *line == header);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Whether a path exists in the repository.
pub(crate) fn exists(path: &str) -> bool {
    root().join(path).exists()
}

/// Returns the files of a folder with names that end with `.EXTENSION`, sorted.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    files.sort();
    files
}

/// Returns the last part of a path.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        for (text, version) in [
            ("rustc 1.85.0 (4d91de4e4 2025-02-17)", Some([1, 85])),
            ("cmake version 3.25.1\n\nCMake suite", Some([3, 25])),
            ("valgrind-3.19.0", Some([3, 19])),
            ("openjdk version \"17.0.9\" 2023-10-17", Some([17, 0])),
            ("14", Some([14, 0])),
            ("no number", None),
        ] {
            assert_eq!(version_in(text), version, "{text}");
        }
    }
}
