//! The diagnostics of every vector with their positions and messages, as `core/tests/golden/diagnostics.txt` has them.
//!
//! A vector states the code, the severity and the start of each diagnostic. This file also holds its end and its message, so that a
//! change of the code changes none by accident. If a change is meant, write the file again and read the difference:
//! `AGENTSDISC_GOLDEN=write cargo test -p agentsdisc-core --features serde --test all golden`.
#![cfg(feature = "psl")] // Without it, endpoints on subdomains have other findings.

use crate::common::vectors;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use agentsdisc_core::CheckOptions;

/// Returns the lines of one vector: its path, then its diagnostics by their positions. A check reports them in no particular order.
fn section(path: &Path) -> Option<String> {
    let input = fs::read(path).unwrap();
    let expected = vectors::expected(path);
    let document = vectors::parse(&input, &expected).ok()?;
    let name = path.strip_prefix(vectors::root()).unwrap().display();
    let mut found = Vec::new();
    let options =
        CheckOptions { origin: expected["options"]["origin"].as_str(), ..CheckOptions::default() };
    document.check(&options, |diagnostic| {
        let (span, code, severity) = (diagnostic.span, diagnostic.code, diagnostic.severity);
        let message =
            diagnostic.to_string().replace('\\', r"\\").replace('\n', r"\n").replace('\r', r"\r");
        found.push((span.start, span.end, format!("{severity} {} {message}", code.as_str())));
    });
    found.sort();
    let mut lines = format!("# {name}\n");
    for (start, end, rest) in found {
        writeln!(lines, "{start}..{end} {rest}").unwrap();
    }
    Some(lines)
}

#[test]
fn diagnostics_are_the_golden_ones() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/diagnostics.txt");
    let actual: String = vectors::inputs().iter().filter_map(|path| section(path)).collect();
    if std::env::var_os("AGENTSDISC_GOLDEN").is_some_and(|value| value == "write") {
        fs::create_dir_all(golden.parent().unwrap()).unwrap();
        fs::write(&golden, &actual).unwrap();
    }
    let expected = fs::read_to_string(&golden).unwrap();
    let different =
        expected.lines().zip(actual.lines()).find(|(expected, actual)| expected != actual);
    assert!(different.is_none(), "the first difference, expected and actual: {different:#?}");
    assert_eq!(
        expected.lines().count(),
        actual.lines().count(),
        "one of them has more lines at its end"
    );
}
