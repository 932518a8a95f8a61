//! `cargo xtask install --prefix DIR`: installs libagentsdisc like `cargo cinstall`, but without
//! cargo-c: both libraries, the shared one with a SONAME, the headers, and the files for pkg-config
//! and CMake.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{Outcome, Shell, Stop, cannot, failed, make_folder, read, write};
use crate::tools::{self, cargo, section};

/// The system libraries that Rust's static library needs.
pub(crate) const SYSTEM: &[&str] = if cfg!(target_os = "macos") {
    &["-liconv", "-lSystem", "-lm"]
} else {
    &["-lpthread", "-ldl", "-lm"]
};

/// The profile of Cargo.toml for the C library.
pub(crate) const PROFILE: &str = "c";

/// The features of the C library.
pub(crate) const FEATURES: &str = "installed";

/// The folders of an installation.
pub(crate) struct Places {
    /// The folder in which programs find the library; absolute.
    pub(crate) prefix: PathBuf,
    /// The folder of the libraries in `prefix`, such as `lib/x86_64-linux-gnu`.
    pub(crate) libdir: String,
    /// For packagers: prepended to all paths that are written to, but not written into any file.
    pub(crate) destdir: Option<PathBuf>,
}

impl Places {
    /// The usual folders under `prefix`.
    pub(crate) fn under(prefix: PathBuf) -> Self {
        Self { prefix, libdir: "lib".into(), destdir: None }
    }

    fn folder(&self, name: &str) -> PathBuf {
        let folder = self.prefix.join(name);
        match &self.destdir {
            Some(destdir) => destdir.join(folder.strip_prefix("/").unwrap_or(&folder)),
            None => folder,
        }
    }
}

pub(crate) fn main(arguments: &[String]) -> Outcome {
    let (mut prefix, mut libdir, mut destdir) = (None, "lib".to_owned(), None);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let (flag, attached) = argument
            .split_once('=')
            .map_or((argument.as_str(), None), |(flag, value)| (flag, Some(value.to_owned())));
        let mut value = || {
            attached
                .clone()
                .or_else(|| rest.next().cloned())
                .ok_or_else(|| Stop::Usage(format!("{flag} needs a folder")))
        };
        match flag {
            "--prefix" => prefix = Some(absolute(&value()?)?),
            "--libdir" => libdir = value()?,
            "--destdir" => destdir = Some(absolute(&value()?)?),
            _ => return Err(Stop::Usage(format!("`install` has no option `{argument}`"))),
        }
    }
    let prefix = prefix.ok_or_else(|| {
        Stop::Usage("`install` needs --prefix DIR, such as --prefix /usr/local".into())
    })?;
    if Path::new(&libdir).is_absolute() || libdir.split('/').any(|part| part == "..") {
        return Err(Stop::Usage("--libdir is a folder in the prefix, such as lib or lib64".into()));
    }
    run(&mut Shell::loud(), &Places { prefix, libdir, destdir })
}

fn absolute(path: &str) -> Result<PathBuf, Stop> {
    std::path::absolute(path).map_err(|e| cannot("find", Path::new(path), &e))
}

/// Builds and installs.
pub(crate) fn run(shell: &mut Shell, places: &Places) -> Outcome {
    if cfg!(windows) {
        return Err(Stop::NotHere(
            "this runs on Linux and macOS only; elsewhere use `cargo cinstall` (package cargo-c)"
                .into(),
        ));
    }
    let version = version(shell)?;
    let names = Names::of(&version)?;
    let built = build(shell, places, &names)?;
    let libraries = places.folder(&places.libdir);
    let headers = places.folder("include");
    let cmake = places.folder("share/cmake/agentsdisc");
    copy(&built.join("libagentsdisc.a"), &libraries.join("libagentsdisc.a"))?;
    copy(&built.join(&names.plain), &libraries.join(&names.full))?;
    link(&names.full, &libraries.join(&names.soname))?;
    link(&names.full, &libraries.join(&names.plain))?;
    for name in
        ["agentsdisc.h", "agentsdisc.hpp", "agentsdisc_call.hpp", "agentsdisc_functions.hpp"]
    {
        copy(&shell.root.join("include").join(name), &headers.join(name))?;
    }
    for name in ["agentsdiscConfig.cmake", "agentsdiscConfigVersion.cmake"] {
        copy(&shell.root.join("ffi-c/cmake").join(name), &cmake.join(name))?;
    }
    let licences = places.folder("share/doc/agentsdisc");
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.md"] {
        copy(&shell.root.join(name), &licences.join(name))?;
    }
    let template = read(&shell.root.join("ffi-c/cmake/agentsdisc.pc.in"))?;
    // A space ends a word in pkg-config.
    let text = template
        .replace("@PREFIX@", &places.prefix.display().to_string().replace(' ', "\\ "))
        .replace("@LIBDIR@", &format!("${{exec_prefix}}/{}", places.libdir.replace(' ', "\\ ")))
        .replace("@VERSION@", &version)
        .replace("@SYSTEM@", &SYSTEM.join(" "));
    write(&libraries.join("pkgconfig/agentsdisc.pc"), &text)?;
    Ok(format!("libagentsdisc {version} is installed in {}", places.folder("").display()))
}

/// Returns the version of all packages of the workspace.
pub(crate) fn version(shell: &Shell) -> Result<String, Stop> {
    let manifest = read(&shell.root.join("Cargo.toml"))?;
    let version =
        section(&manifest, "workspace.package").find_map(|line| line.strip_prefix("version = "));
    version
        .map(|version| version.trim_matches('"').to_owned())
        .ok_or_else(|| Stop::Failed("Cargo.toml has no version".into()))
}

/// The names of the shared library.
pub(crate) struct Names {
    /// The name that a linker searches for.
    plain: String,
    /// The name that a linked program loads.
    pub(crate) soname: String,
    /// The name of the file.
    full: String,
}

impl Names {
    /// Before 1.0, each minor version may break programs and has its own soname.
    pub(crate) fn of(version: &str) -> Result<Self, Stop> {
        let full = version.split(['-', '+']).next().unwrap_or(version);
        let [major, minor, _] = full.split('.').collect::<Vec<_>>()[..] else {
            return failed(format!("the version {version} does not have three parts"));
        };
        let major = if major == "0" { format!("0.{minor}") } else { major.to_owned() };
        let name = |version: &str| {
            if cfg!(target_os = "macos") {
                format!("libagentsdisc{version}.dylib")
            } else {
                format!("libagentsdisc.so{version}")
            }
        };
        Ok(Self {
            plain: name(""),
            soname: name(&format!(".{major}")),
            full: name(&format!(".{full}")),
        })
    }
}

/// Builds the libraries as installed, for tests, and returns their folder.
pub(crate) fn libraries(shell: &mut Shell) -> Result<PathBuf, Stop> {
    let names = Names::of(&version(shell)?)?;
    let built = build(shell, &Places::under(shell.root.join("target")), &names)?;
    // Programs load the library by its soname.
    link(&names.plain, &built.join(&names.soname))?;
    Ok(built)
}

/// Builds both libraries as installed, in a folder.
pub(crate) fn build_in(shell: &mut Shell, target: &Path) -> Result<(), Stop> {
    let names = Names::of(&version(shell)?)?;
    build_at(shell, &Places::under(shell.root.join("target")), &names, target).map(drop)
}

/// Builds both libraries in a separate folder, because other builds must not contain the soname.
fn build(shell: &mut Shell, places: &Places, names: &Names) -> Result<PathBuf, Stop> {
    build_at(shell, places, names, &tools::scratch()?.join("install"))
}

fn build_at(
    shell: &mut Shell,
    places: &Places,
    names: &Names,
    target: &Path,
) -> Result<PathBuf, Stop> {
    let name = if cfg!(target_os = "macos") {
        format!(
            "-Wl,-install_name,{}",
            places.prefix.join(&places.libdir).join(&names.soname).display()
        )
    } else {
        format!("-Wl,-soname,{}", names.soname)
    };
    let mut command = cargo(&[
        "rustc",
        "--profile",
        PROFILE,
        "-p",
        "agentsdisc-c",
        "--lib",
        "--crate-type",
        "staticlib,cdylib",
        "--no-default-features",
        "--features",
        FEATURES,
        "--target-dir",
    ]);
    shell.run(command.arg(target).args(["--", "-C", &format!("link-arg={name}")]))?;
    Ok(target.join(PROFILE))
}

fn copy(from: &Path, to: &Path) -> Result<(), Stop> {
    make_folder(to.parent().unwrap_or(Path::new(".")))?;
    // Replaces the library instead of overwriting it: a running program may have it mapped.
    remove(to)?;
    fs::copy(from, to).map(drop).map_err(|e| cannot("write", to, &e))
}

fn remove(path: &Path) -> Result<(), Stop> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(cannot("replace", path, &e)),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn link(to: &str, at: &Path) -> Result<(), Stop> {
    remove(at)?;
    std::os::unix::fs::symlink(to, at).map_err(|e| cannot("link", at, &e))
}

#[cfg(not(unix))]
fn link(_: &str, at: &Path) -> Result<(), Stop> {
    failed(format!("{} is a symbolic link", at.display()))
}
