//! Generates the page `docs/performance.md` from the measurements.

use std::fmt::Write;

use crate::harness::{Effort, Measured};

/// Returns one sentence about the method.
pub fn method(effort: Effort) -> String {
    format!(
        "Figures are MB/s (10^6 bytes per second) on one core, the best of {} turns of {} ms; in brackets, the speed of the first row relative to this one.",
        effort.rounds,
        effort.turn.as_millis()
    )
}

/// Returns the whole page.
pub fn page(found: &[Measured], grown: Option<&str>, effort: Effort) -> String {
    let mut text = String::from(
        "<!-- Written by `cargo xtask performance`. -->\n\n# Performance compared with other libraries\n\n\
         How fast this library is beside its peers, and where it is slower. One run of `cargo xtask performance` made all figures. Compare ratios, because\n\
         figures depend on the machine. The libraries read the same bytes in turns of a millisecond; `benches/src` says what each validates.\n\n",
    );
    let _ = writeln!(text, "{}\n", method(effort));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let _ = writeln!(
        text,
        "Run on {} with {cores} cores, back end {:?}; {}.\n",
        std::env::consts::ARCH,
        agentsdisc_core::scan::backend(),
        peers()
    );
    text.push_str(
        "Generated documents have realistic proportions (`generator/`), and several of each small size, so that a branch predictor cannot learn one. Real ones are in\n\
         `AGENTSDISC_CORPUS`.\n\n## Where agentsdisc is slower\n\n",
    );
    let losses: Vec<String> = found.iter().flat_map(Measured::losses).collect();
    text.push_str(&if losses.is_empty() {
        "In no measurement of this run.\n".into()
    } else {
        "*Worst* is the smallest part of the other's speed that agentsdisc reaches.\n\n| task | faster | on inputs | worst | on |\n| --- | --- | ---: | ---: | --- |\n".to_owned()
            + &losses.join("\n")
            + "\n"
    });
    text.push_str("\n## Tables\n");
    for table in found.iter().map(Measured::table).chain(grown.map(str::to_owned)) {
        let _ = write!(text, "\n{table}");
    }
    text
}

/// Returns the peers with their versions from the lock file.
fn peers() -> String {
    const LOCK: &str = include_str!("../../Cargo.lock");
    let version = |name: &str| {
        let entry = LOCK
            .split("[[package]]")
            .find(|entry| entry.contains(&format!("name = \"{name}\"\n")))?;
        Some(format!("{name} {}", entry.split("version = \"").nth(1)?.split('"').next()?))
    };
    let names = [
        "serde_json",
        "sonic-rs",
        "simd-json",
        "jiter",
        "serde-json-core",
        "picojson",
        "hifijson",
        "robotstxt",
        "texting_robots",
        "pulldown-cmark",
    ];
    let mut peers: Vec<String> = names.into_iter().filter_map(version).collect();
    #[cfg(simdjson)]
    peers.push(format!("simdjson {}", crate::simdjson::version()));
    #[cfg(not(simdjson))]
    peers.push("without simdjson (not installed)".into());
    peers.join(", ")
}
