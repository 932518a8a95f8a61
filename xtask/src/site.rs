//! The documentation site: what is written from the command line, the pages, and the references of
//! each language. `cargo xtask site` builds everything; the step `site` builds the pages. In both, a
//! broken link is a failure.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::rust::CORE;
use crate::shell::{Outcome, Shell, Stop, cannot, make_folder, read, write};
use crate::tools::{self, cargo};
use crate::{c, js, python};

/// What writes pages and pictures from the command line.
const WRITERS: [&str; 2] = ["xtask/site/commands.py", "xtask/site/pictures.py"];
/// Counts the words that are written by hand.
const WORDS: &str = "xtask/site/words.py";
/// Checks every link of the built site.
const LINKS: &str = "xtask/site/links.py";
/// The first pages of the parts that only the whole site has; `hooks.py` puts empty ones in their place.
const PARTS: [&str; 4] = [
    "playground/index.html",
    "reference/javascript/index.html",
    "reference/rust/agentsdisc_core/index.html",
    "reference/c/index.html",
];
/// The configuration of the site.
const SETTINGS: &str = "xtask/site/mkdocs.yml";

/// The origin of the site that the step checks with our own `check`.
const ORIGIN: &str = "https://docs.mugs.example";

/// Builds the pages, and checks them as a site for agents.
pub(crate) fn check(shell: &mut Shell) -> Outcome {
    let python = python::for_tests(shell)?;
    for script in WRITERS.iter().chain(&[WORDS]) {
        shell.run(Command::new(&python).args([script, "--check"]))?;
    }
    let mut program = Command::new(python::for_site(shell)?);
    // `check` looks at a whole site, not at a folder of one.
    program.env("AGENTSDISC_SITE_URL", format!("{ORIGIN}/"));
    let note = build(shell, &mut program)?;
    let mut links = Command::new(&python);
    links.env("AGENTSDISC_SITE_URL", format!("{ORIGIN}/"));
    shell.run(links.arg(LINKS).arg(folder()?).args(PARTS))?;
    let mut check = Command::new(python);
    check.args(["-m", "agentsdisc", "check", "--canonical-origin", ORIGIN]).arg(folder()?);
    shell.run(&mut check)?;
    Ok(note)
}

/// Writes what is written from the command line, and builds the whole site.
pub(crate) fn run(shell: &mut Shell) -> Outcome {
    let python = python::for_tests(shell)?;
    for writer in WRITERS {
        shell.run(Command::new(&python).arg(writer))?;
    }
    let parts = tools::scratch()?.join("site/parts");
    if parts.exists() {
        fs::remove_dir_all(&parts).map_err(|e| cannot("remove", &parts, &e))?;
    }
    make_folder(&parts.join("reference"))?;
    let mut documentation = cargo(&["doc", "--no-deps", "--all-features", "-p", CORE]);
    shell.run(&mut documentation)?;
    copy(&tools::target().join("doc"), &parts.join("reference/rust"))?;
    c::reference(shell)?;
    copy(&tools::scratch()?.join("c-reference/html"), &parts.join("reference/c"))?;
    copy(&js::playground(shell)?, &parts.join("playground"))?;
    typescript(shell, &parts.join("reference/javascript"))?;
    let mut program = Command::new(python::for_site(shell)?);
    let note = build(shell, program.env("AGENTSDISC_SITE_PARTS", parts))?;
    shell.run(Command::new(python).arg(LINKS).arg(folder()?))?;
    Ok(note)
}

fn build(shell: &mut Shell, python: &mut Command) -> Outcome {
    let site = folder()?;
    let build = ["-m", "mkdocs", "build", "--strict", "--config-file", SETTINGS];
    // Material's notice that it has a successor.
    python.args(build).arg("--site-dir").arg(&site).env("NO_MKDOCS_2_WARNING", "1");
    shell.run(python)?;
    Ok(format!("the site is in {}", site.display()))
}

/// The folder with the built site.
fn folder() -> Result<PathBuf, Stop> {
    Ok(tools::scratch()?.join("site/html"))
}

/// Writes the reference of the npm package, with the programs that the lock file names.
fn typescript(shell: &mut Shell, to: &Path) -> Result<(), Stop> {
    let folder = tools::scratch()?.join("site/typedoc");
    make_folder(&folder)?;
    for file in ["package.json", "package-lock.json"] {
        write(&folder.join(file), &read(&shell.root.join("xtask/site").join(file))?)?;
    }
    let install = ["ci", "--no-audit", "--no-fund", "--prefix"];
    shell.run(Command::new("npm").args(install).arg(&folder))?;
    let mut typedoc = Command::new("node");
    typedoc.arg(folder.join("node_modules/typedoc/bin/typedoc"));
    shell.run(typedoc.args(["--options", "xtask/site/typedoc.json", "--out"]).arg(to))
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) -> Result<(), Stop> {
    make_folder(to)?;
    let entries = fs::read_dir(from).map_err(|e| cannot("read", from, &e))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target).map_err(|e| cannot("copy", &path, &e))?;
        }
    }
    Ok(())
}
