//! `cargo xtask release --dry-run`: everything of a release except the upload, which only the workflow
//! does. Each part is checked as its registry would, and what comes out is in `target/xtask/release`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::features::names;
use crate::install::{self, Places};
use crate::shell::{Outcome, Shell, Stop, cannot, failed, make_folder, read};
use crate::tools::{self, cargo, file_name, files, section};
use crate::{abi, js, python, rust};

/// A part: its name, and what it does.
type Part = (&'static str, fn(&mut Shell) -> Outcome);

const PARTS: [Part; 7] = [
    ("crate", publish_crate),
    ("semver", semver),
    ("c", c_library),
    ("npm", npm),
    ("sbom", sbom),
    ("twice", twice),
    ("wheels", wheels),
];

/// What every package must have: the licences, and the notices of what it contains.
const LICENCES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.md"];

/// The packages that are shipped.
const SHIPPED: [&str; 4] = [rust::CORE, "agentsdisc-c", "agentsdisc-wasm", "agentsdisc-python"];

/// The wheels that can be built on Linux with zig as the linker: target, and compatibility.
const WHEELS: [(&str, &str); 4] = [
    ("x86_64-unknown-linux-gnu", "manylinux2014"),
    ("aarch64-unknown-linux-gnu", "manylinux2014"),
    ("x86_64-unknown-linux-musl", "musllinux_1_2"),
    ("aarch64-unknown-linux-musl", "musllinux_1_2"),
];

pub(crate) fn main(arguments: &[String]) -> Outcome {
    let only: Vec<&str> = match arguments {
        [dry] if dry == "--dry-run" => Vec::new(),
        [dry, only, names] if dry == "--dry-run" && only == "--only" => names.split(',').collect(),
        _ => {
            let names = PARTS.map(|(name, _)| name).join(", ");
            return Err(Stop::Usage(format!(
                "only the workflow publishes: `release --dry-run [--only A,B]`; the parts are {names}"
            )));
        }
    };
    let mut shell = Shell::loud();
    let (mut notes, mut failures) = (Vec::new(), 0);
    for (name, part) in PARTS.iter().filter(|(name, _)| only.is_empty() || only.contains(name)) {
        notes.push(match part(&mut shell) {
            Ok(note) => format!("{name:<8} passed   {note}"),
            Err(Stop::Missing { what, install }) if !tools::is_ci() => {
                format!("{name:<8} skipped  {what} is missing; install it: {install}")
            }
            Err(Stop::NotHere(why)) => format!("{name:<8} skipped  {why}"),
            Err(stop) => {
                stop.report();
                failures += 1;
                format!("{name:<8} FAILED")
            }
        });
    }
    println!("{}", notes.join("\n"));
    if failures == 0 { Ok(String::new()) } else { failed("the release is not complete") }
}

/// The folder for what a part makes, empty.
fn fresh(name: &str) -> Result<PathBuf, Stop> {
    let folder = tools::scratch()?.join("release").join(name);
    match fs::remove_dir_all(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            return Err(cannot("empty", &folder, &e));
        }
        _ => make_folder(&folder)?,
    }
    Ok(folder)
}

/// What the registry of crates would check, with the package compiled.
fn publish_crate(shell: &mut Shell) -> Outcome {
    let target = tools::scratch()?.join("packages");
    let arguments = ["publish", "-p", rust::CORE, "--dry-run", "--locked", "--allow-dirty"];
    shell.run(cargo(&arguments).arg("--target-dir").arg(target))?;
    Ok(rust::CORE.into())
}

/// Compares the crate with the release before this one, and the C library with the record of its ABI, also
/// with that of the release if the SONAME is the same.
fn semver(shell: &mut Shell) -> Outcome {
    abi::run(shell, abi::Mode::Check)?;
    let version = install::version(shell)?;
    // The workflow runs for the tag of the release itself.
    let own = tags(shell, &["--points-at", "HEAD"])?;
    if !own.is_empty() && !own.contains(&format!("v{version}")) {
        return failed(format!("the tag {} is not the version {version}", own.join(", ")));
    }
    let before = tags(shell, &["--merged", "HEAD", "--no-contains", "HEAD"])?;
    let Some(last) = before.first() else {
        return Ok("the record of the C ABI; the first release: no other to compare with".into());
    };
    let soname = |version: &str| Ok::<_, Stop>(install::Names::of(version)?.soname);
    if soname(last.trim_start_matches('v'))? == soname(&version)? {
        abi::since(shell, last)?;
    }
    need_cargo("semver-checks")?;
    shell.run(&mut cargo(&["semver-checks", "-p", rust::CORE, "--baseline-rev", last]))?;
    Ok(format!("since {last}"))
}

/// The tags of releases that a filter leaves, the newest version first.
fn tags(shell: &mut Shell, filter: &[&str]) -> Result<Vec<String>, Stop> {
    let mut list = Command::new("git");
    list.args(["tag", "--list", "v*", "--sort=-version:refname"]).args(filter);
    Ok(shell.output(&mut list)?.lines().map(str::to_owned).collect())
}

/// Fails if cargo lacks a command.
fn need_cargo(name: &str) -> Result<(), Stop> {
    if tools::succeeds(&mut cargo(&[name, "--version"])) {
        return Ok(());
    }
    Err(Stop::Missing {
        what: format!("`cargo-{name}`"),
        install: format!("cargo install --locked cargo-{name}"),
    })
}

/// An installation, as a package of a system has it.
fn c_library(shell: &mut Shell) -> Outcome {
    let folder = fresh("c")?;
    let note = install::run(shell, &Places::under(folder.clone()))?;
    has_all("the C library", &names_in(&folder.join("share/doc/agentsdisc")))?;
    Ok(note)
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| file_name(&entry.path())).collect()
}

fn has_all(what: &str, names: &[String]) -> Result<(), Stop> {
    match LICENCES.iter().find(|licence| !names.iter().any(|name| name.ends_with(**licence))) {
        Some(missing) => failed(format!("{what} lacks {missing}")),
        None => Ok(()),
    }
}

/// The npm package.
fn npm(shell: &mut Shell) -> Outcome {
    js::package(shell)?;
    let mut publish = Command::new("npm");
    publish.args(["publish", "./js", "--dry-run", "--json", "--ignore-scripts", "--tag", "test"]);
    let said = shell.output(&mut publish)?;
    let paths: Vec<String> = said
        .split("\"path\": \"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap_or_default().to_owned())
        .collect();
    has_all("the npm package", &paths)?;
    Ok(format!("{} files", paths.len()))
}

/// Bills of materials (CycloneDX) of what is shipped. The npm package has no dependencies but those of
/// its module.
fn sbom(shell: &mut Shell) -> Outcome {
    need_cargo("cyclonedx")?;
    let folder = fresh("sbom")?;
    let mut command = cargo(&["cyclonedx", "--format", "json", "--spec-version", "1.5"]);
    // A time of its own would make each bill different.
    shell.run(command.env("SOURCE_DATE_EPOCH", "0"))?;
    // The command writes a file into the folder of every member.
    let manifest = read(&shell.root.join("Cargo.toml"))?;
    let members = section(&manifest, "workspace").find_map(|line| line.strip_prefix("members = "));
    for member in names(members.unwrap_or_default()) {
        for made in files(&shell.root.join(member), "json") {
            let name = file_name(&made);
            if !name.ends_with(".cdx.json") {
                continue;
            }
            let is_shipped = SHIPPED.iter().any(|shipped| name == format!("{shipped}.cdx.json"));
            let done = if is_shipped {
                fs::rename(&made, folder.join(name))
            } else {
                fs::remove_file(&made)
            };
            done.map_err(|e| cannot("move", &made, &e))?;
        }
    }
    match names_in(&folder).len() {
        count if count == SHIPPED.len() => Ok(format!("{count} files")),
        count => failed(format!("{count} bills of materials were made, not {}", SHIPPED.len())),
    }
}

/// Builds the package of the crate and the C library in two folders, and compares the bytes.
fn twice(shell: &mut Shell) -> Outcome {
    let built = [fresh("first")?, fresh("second")?];
    for folder in &built {
        let package = ["package", "-p", rust::CORE, "--locked", "--allow-dirty", "--no-verify"];
        shell.run(cargo(&package).arg("--target-dir").arg(folder))?;
    }
    // The package has the commit in it, so both are made before a library, which takes minutes.
    for folder in &built {
        install::build_in(shell, folder)?;
    }
    let mut count = 0;
    let [first, second] = built.map(|folder| {
        let package = files(&folder.join("package"), "crate");
        let profile = folder.join(install::PROFILE);
        [package, files(&profile, "a"), files(&profile, "so")].concat()
    });
    for (one, other) in first.iter().zip(&second) {
        let [one_bytes, other_bytes] = [one, other].map(|path| fs::read(path).ok());
        if one_bytes.is_none() || one_bytes != other_bytes {
            return failed(format!("two builds of {} differ", file_name(one)));
        }
        count += 1;
    }
    if count < 2 || first.len() != second.len() {
        return failed("the files of two builds are missing");
    }
    Ok(format!("{count} files are equal"))
}

/// The source distribution, and a wheel for every target of which the standard library is installed.
fn wheels(shell: &mut Shell) -> Outcome {
    let folder = fresh("dist")?;
    let python = python::for_release(shell)?;
    let mut sdist = python::module(&python, "maturin");
    sdist.args(["sdist", "--manifest-path", "python/Cargo.toml", "--out"]);
    shell.run(sdist.arg(&folder))?;
    // Where maturin looks for zig.
    let mut path: Vec<_> = python.parent().map(Path::to_path_buf).into_iter().collect();
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths(path).map_err(|e| Stop::Failed(format!("PATH: {e}")))?;
    let mut lacking = Vec::new();
    for (target, compatibility) in WHEELS {
        let mut rustc = Command::new("rustc");
        let library = shell.output(rustc.args(["--print", "target-libdir", "--target", target]))?;
        if !Path::new(library.trim()).exists() {
            lacking.push(target);
            continue;
        }
        let mut build = python::module(&python, "maturin");
        build.args(["build", "--release", "--locked", "--zig", "--manifest-path"]);
        build.args(["python/Cargo.toml", "--target", target, "--compatibility", compatibility]);
        shell.run(build.args(["-i", "python3.11", "--out"]).arg(&folder).env("PATH", &path))?;
    }
    let wheels = files(&folder, "whl");
    let mut twine = python::module(&python, "twine");
    shell.run(twine.args(["check", "--strict"]).args(&wheels).args(files(&folder, "gz")))?;
    for wheel in &wheels {
        let list =
            "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\\n')";
        let names = shell.output(Command::new(&python).args(["-c", list]).arg(wheel))?;
        let names: Vec<String> = names.lines().map(str::to_owned).collect();
        has_all(&file_name(wheel), &names)?;
    }
    let rest = if lacking.is_empty() {
        String::new()
    } else {
        format!("; without {}, whose standard library is not installed", lacking.join(", "))
    };
    Ok(format!("{} wheels{rest}", wheels.len()))
}
