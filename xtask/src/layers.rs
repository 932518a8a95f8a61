//! `cargo xtask test --only layers`: checks that the modules of the core import only lower layers.
//!
//! A layer is a folder or a file directly in `core/src`. Imports are `crate::` paths, and `super::`
//! paths that leave the layer. Tests and `lib.rs` may import everything.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{Outcome, Shell, failed};
use crate::tools::root;

/// The layers, lowest first. Layers of one line do not import each other.
const LAYERS: &[&[&str]] = &[
    &["limits", "span", "sink", "kind"],
    &["scan"],
    &["error"],
    &["syntax"],
    &["diagnostic"],
    &["model"],
    &["rules"],
    &["format"],
    &["document", "message"],
    &["write", "discovery", "identity", "serde_support"],
    &["policy"],
    &["call"],
];

/// Reads the imports of the core, and fails if one leads upwards.
pub(crate) fn run(_: &mut Shell) -> Outcome {
    let source = root().join("core/src");
    let library = fs::read_to_string(source.join("lib.rs")).unwrap_or_default();
    let mut upward = BTreeSet::new();
    let mut unknown = BTreeSet::new();
    for path in files(&source) {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let file = path.strip_prefix(&source).unwrap_or(&path);
        let file = file.to_string_lossy().replace('\\', "/");
        let module = module_of(&file);
        let Some(own) = module.first().filter(|_| !module.is_empty()) else {
            continue;
        };
        for name in imports(&text, module.len()) {
            let layer = if rank(&name).is_some() {
                name
            } else {
                reexported(&library, &name).unwrap_or(name)
            };
            match (rank(own), rank(&layer)) {
                _ if *own == layer => {}
                (Some(from), Some(to)) if from > to => {}
                (Some(_), Some(_)) => {
                    upward.insert((file.clone(), layer));
                }
                _ => {
                    unknown.insert(format!("{file} imports {layer}"));
                }
            }
        }
    }
    judge(&upward, &unknown)
}

fn judge(upward: &BTreeSet<(String, String)>, unknown: &BTreeSet<String>) -> Outcome {
    if !unknown.is_empty() {
        let names: Vec<&str> = unknown.iter().map(String::as_str).collect();
        return failed(format!(
            "these modules belong to no layer; add them to LAYERS in xtask/src/layers.rs:\n{}",
            names.join("\n")
        ));
    }
    if !upward.is_empty() {
        let imports: Vec<String> =
            upward.iter().map(|(file, layer)| format!("    {file} imports {layer}")).collect();
        return failed(format!(
            "imports lead upwards; move the code to a lower layer (LAYERS in xtask/src/layers.rs has the order):\n{}",
            imports.join("\n")
        ));
    }
    Ok(String::new())
}

/// Returns the position of a layer in the order.
fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|layers| layers.contains(&layer))
}

/// Returns all source files except tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            found.extend(files(&path));
        } else if name.ends_with(".rs") && name != "tests.rs" && name != "lib.rs" {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the path of a file's module: `format::adp` for `format/adp/mod.rs`.
fn module_of(file: &str) -> Vec<&str> {
    let file = file.strip_suffix(".rs").unwrap_or(file);
    let file = file.strip_suffix("/mod").unwrap_or(file);
    file.split('/').collect()
}

/// Returns the top-level names that a file at this depth imports.
fn imports(text: &str, depth: usize) -> BTreeSet<String> {
    let code: String = text
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default()
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let mut found = BTreeSet::new();
    let to_crate = "super::".repeat(depth);
    for start in ["crate::", to_crate.as_str()] {
        for (at, _) in code.match_indices(start) {
            let before = code.get(..at).unwrap_or_default();
            let is_inside = before.ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c));
            // `crate` is a word of its own, or follows the `$` of a macro; a longer chain of
            // `super` does not compile.
            if !is_inside {
                found.extend(names(code.get(at + start.len()..).unwrap_or_default()));
            }
        }
    }
    found
}

/// Returns the first names after `crate::`: one, or a group in braces.
fn names(path: &str) -> Vec<String> {
    let name = |text: &str| {
        let text = text.trim_start();
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        text.split_at(end.unwrap_or(text.len())).0.to_owned()
    };
    let Some(group) = path.strip_prefix('{') else {
        // An exported macro is at the root of the crate, whatever its layer.
        let first = name(path);
        let is_macro = path.get(first.len()..).is_some_and(|rest| rest.starts_with('!'));
        return if is_macro { Vec::new() } else { vec![first] };
    };
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices() {
        let ends = matches!(c, ',' | '}') && depth == 0;
        if ends {
            found.push(name(group.get(start..at).unwrap_or_default()));
            start = at + 1;
        }
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            _ => {}
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

/// Returns the layer that defines a re-exported name: `pub use limits::Limits;`.
fn reexported(library: &str, name: &str) -> Option<String> {
    let is_word = |line: &str| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    };
    let line = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub use "))
        .find(|line| is_word(line))?;
    Some(line.split("::").next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, depth: usize) -> Vec<String> {
        imports(text, depth).into_iter().collect()
    }

    #[test]
    fn paths_to_the_crate_are_imports() {
        assert_eq!(found("use crate::span::Span;", 2), ["span"]);
        assert_eq!(found("use crate::{a::{b, c}, d, E};", 1), ["E", "a", "d"]);
        assert_eq!(found("let x = crate::scan::text(y);", 1), ["scan"]);
        assert_eq!(found("&$crate::document::Outline", 1), ["document"]);
        assert_eq!(found("crate::document! { members 'a }", 1), [""; 0]);
        assert_eq!(found("use super::super::write::Sink;", 2), ["write"]);
        assert_eq!(found("use super::write::Sink;", 2), [""; 0]);
        assert_eq!(found("// use crate::a;\nuse my_crate::b;", 1), [""; 0]);
        assert_eq!(found("#[cfg(test)]\nmod tests { use crate::a; }", 1), [""; 0]);
    }

    #[test]
    fn modules_are_named_by_their_files() {
        assert_eq!(module_of("span.rs"), ["span"]);
        assert_eq!(module_of("format/adp/mod.rs"), ["format", "adp"]);
        assert_eq!(module_of("format/adp/check.rs"), ["format", "adp", "check"]);
    }
}
