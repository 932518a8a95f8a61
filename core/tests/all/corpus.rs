//! Real documents, in the folder that the environment variable `AGENTSDISC_CORPUS` names, if it is
//! set. Every file is read, or rejected for a reason that its content confirms.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agentsdisc_core::{CheckOptions, Document};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn every_real_document_is_read_or_refused_for_a_reason() {
    let Some(folder) = std::env::var_os("AGENTSDISC_CORPUS") else {
        eprintln!("skipped: AGENTSDISC_CORPUS names no folder of real documents");
        return;
    };
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    let mut outcomes = BTreeMap::<String, usize>::new();
    for path in &paths {
        let bytes = fs::read(path).unwrap();
        let outcome = match Document::parse(&bytes) {
            Err(error) => error.kind.as_str().to_string(),
            Ok(document) => {
                let mut model = vec![0; document.json_len()];
                document.write_json(&mut model).unwrap();
                serde_json::from_slice::<serde_json::Value>(&model).unwrap();
                document.check(&CheckOptions::default(), |diagnostic| {
                    assert!(!diagnostic.to_string().is_empty())
                });
                document.format().id().to_string()
            }
        };
        let top = path
            .strip_prefix(&folder)
            .unwrap()
            .components()
            .next()
            .unwrap()
            .as_os_str()
            .to_string_lossy()
            .into_owned();
        *outcomes.entry(format!("{top}: {outcome}")).or_default() += 1;
    }
    for (outcome, count) in &outcomes {
        println!("{count:6} {outcome}");
    }
    for (outcome, count) in outcomes {
        if let Some(kind) = outcome.strip_prefix("adp: ") {
            assert!(matches!(kind, "adp" | "adp-capability"), "{count} files: {outcome}");
        }
    }
}
