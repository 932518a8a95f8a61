//! `cargo xtask notices`: writes THIRD-PARTY.md, the licences of everything that the C library,
//! the wheel and the npm package contain, from the packages of Cargo.lock as cargo has unpacked them.
//!
//! Of a package that leaves the choice, the MIT licence is taken, because its text names the authors.
//! Equal texts occur once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::header::settle_file;
use crate::shell::{Outcome, Shell, Stop, cannot, failed, read};
use crate::tools::{cargo, file_name};

const PAGE: &str = "THIRD-PARTY.md";

const HEAD: &str = "\
<!-- Written by `cargo xtask notices`. -->

# Third-party notices

What the packages of this project contain besides its own code, which is under MIT or Apache-2.0, as built for Linux on x86-64, and
for WebAssembly in the npm package.

The table of public suffixes (`core/src/syntax/url/suffixes.bin`, in all of them) is made from the Public Suffix List, which is subject to the terms of the
Mozilla Public License 2.0 (<https://mozilla.org/MPL/2.0/>). Its source form is at <https://publicsuffix.org/list/public_suffix_list.dat>, and in the package
psl at the version of `Cargo.lock`; `cargo xtask suffixes` makes the table.

The wheel, the npm package, and the C library if it is built with the feature `std`, contain parts of the Rust standard library (<https://github.com/rust-lang/rust>, MIT or
Apache-2.0).
";

/// What is shipped: the package, its target, and the name of what contains it.
const SHIPPED: [(&str, &str, &str); 3] = [
    ("agentsdisc-c", "x86_64-unknown-linux-gnu", "the C library"),
    ("agentsdisc-python", "x86_64-unknown-linux-gnu", "the wheel"),
    ("agentsdisc-wasm", "wasm32-unknown-unknown", "the npm package"),
];

/// Code of others inside of a package, with a licence of its own.
const INSIDE: [(&str, &str); 2] =
    [("libdeflate-sys ", "libdeflate"), ("libmimalloc-sys ", "c_src/mimalloc/v2")];

/// A package without a text, and the one of the same repository that has it.
const ELSEWHERE: [(&str, &str); 1] = [("alloc-stdlib ", "alloc-no-stdlib ")];

/// Packages that run only while something is compiled.
const AT_BUILD: [&str; 6] =
    ["heck", "proc-macro2", "pyo3-macros-backend", "quote", "syn", "unicode-ident"];

#[derive(Default)]
struct Package {
    licence: String,
    repository: String,
    /// What contains it.
    shipped: Vec<&'static str>,
}

pub(crate) fn run(shell: &mut Shell, check: bool) -> Outcome {
    let packages = packages(shell)?;
    let folders = folders(shell)?;
    let mut table = String::from("\n| package | licence | in |\n| --- | --- | --- |\n");
    // The texts, and the packages of each.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, package) in &packages {
        let (licence, repository) = (&package.licence, &package.repository);
        table +=
            &format!("| [{name}]({repository}) | {licence} | {} |\n", package.shipped.join(", "));
        let other = ELSEWHERE.iter().find(|(without, _)| name.starts_with(without));
        let holder =
            other.and_then(|(_, with)| packages.keys().find(|holder| holder.starts_with(with)));
        let folder = folders.get(holder.unwrap_or(name)).ok_or_else(|| {
            Stop::Failed(format!("{name} is not unpacked; run `cargo fetch --locked`"))
        })?;
        let mut found = licences(folder, licence)?;
        for (_, inside) in INSIDE.iter().filter(|(package, _)| name.starts_with(package)) {
            found.extend(licences(&folder.join(inside), licence)?);
        }
        for text in found {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut texts: Vec<(Vec<String>, String)> =
        texts.into_iter().map(|(text, names)| (names, text)).collect();
    texts.sort();
    let mut page = format!("{HEAD}{table}");
    for (names, text) in texts {
        page +=
            &format!("\n## {}\n\n```text\n{}\n```\n", names.join(", "), text.trim_matches('\n'));
    }
    settle_file(shell, PAGE, &page, check, "cargo xtask notices")
}

/// The packages that are shipped, by name and version.
fn packages(shell: &mut Shell) -> Result<BTreeMap<String, Package>, Stop> {
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    for (root, target, what) in SHIPPED {
        let tree = shell.output(&mut cargo(&[
            "tree",
            "--locked",
            "-p",
            root,
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--target",
            target,
            "--format",
            "{p}|{l}|{r}",
        ]))?;
        for line in tree.lines() {
            let mut parts = line.trim_end_matches(" (*)").split('|');
            let (Some(package), Some(licence), Some(repository)) =
                (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let mut words = package.split_whitespace();
            let (name, version) =
                (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            // Our own packages are the ones with a folder.
            if package.contains('/')
                || package.ends_with("(proc-macro)")
                || AT_BUILD.contains(&name)
            {
                continue;
            }
            let entry =
                packages.entry(format!("{name} {}", version.trim_start_matches('v'))).or_default();
            entry.licence = licence.replace('/', " OR ");
            entry.repository = repository.to_owned();
            if entry.shipped.last() != Some(&what) {
                entry.shipped.push(what);
            }
        }
    }
    Ok(packages)
}

/// The folders of the unpacked packages, by name and version.
pub(crate) fn folders(shell: &mut Shell) -> Result<BTreeMap<String, PathBuf>, Stop> {
    let metadata = shell.output(&mut cargo(&["metadata", "--format-version", "1", "--locked"]))?;
    let mut found = BTreeMap::new();
    for rest in metadata.split("\"manifest_path\":\"") {
        let path = rest.split('"').next().unwrap_or_default().replace("\\\\", "\\");
        let Some(folder) = Path::new(&path).parent() else { continue };
        let name = file_name(folder);
        let version = name.match_indices('-').find(|(at, _)| {
            name.get(at + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        });
        if let Some((at, _)) = version
            && let Some((name, version)) = name.split_at_checked(at)
        {
            found.insert(format!("{name} {}", version.trim_start_matches('-')), folder.to_owned());
        }
    }
    Ok(found)
}

/// The texts that have to come with a package: its licence, of those to choose from MIT or else Apache, and notices.
fn licences(folder: &Path, licence: &str) -> Result<Vec<String>, Stop> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(|e| cannot("read", folder, &e))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            let name = file_name(path).to_uppercase();
            path.is_file()
                && ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
                    .iter()
                    .any(|start| name.starts_with(start))
        })
        .collect();
    files.sort();
    let is_choice = licence.contains(" OR ") && !licence.contains(" AND ");
    for chosen in ["MIT", "APACHE"].into_iter().filter(|_| is_choice) {
        let is_chosen = |path: &PathBuf| file_name(path).to_uppercase().contains(chosen);
        if files.iter().any(is_chosen) {
            let is_notice = |path: &PathBuf| file_name(path).to_uppercase().starts_with("NOTICE");
            files.retain(|path| is_chosen(path) || is_notice(path));
            break;
        }
    }
    if files.is_empty() {
        return failed(format!("{} has no licence text", folder.display()));
    }
    files.iter().map(|path| read(path).map(|text| text.replace("\r\n", "\n"))).collect()
}
