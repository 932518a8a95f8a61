//! The page `docs/performance.md`, made of what was measured.

use std::fmt::Write;

use crate::harness::{Effort, Measured};

/// How it was measured, in a sentence.
pub fn method(effort: Effort) -> String {
    format!(
        "MB/s (10^6 bytes each second), one core, the best of {} turns of {} ms; in brackets how many times as fast the first row is.",
        effort.rounds,
        effort.turn.as_millis()
    )
}

/// The whole page.
pub fn page(found: &[Measured], grown: Option<&str>, effort: Effort) -> String {
    let mut text = String::from(
        "<!-- Written by `cargo xtask performance`. -->\n\n# Speed, beside other libraries\n\n\
         Every figure on this page comes from one run of `cargo xtask performance`, on the same bytes, the libraries taking turns of a millisecond. Ratios say more\n\
         than figures do: another machine has other figures. What each library checks and does stands with its task in `benches/src`; hardly two do the same.\n\n",
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
        "Generated documents are in realistic proportions (`generator/`), several of each small size, so that no branch predictor learns one by heart; real ones are \
         read\nwhere `AGENTSDISC_CORPUS` names a folder of them.\n\n## Where ours is slower\n\n",
    );
    let losses: Vec<String> = found.iter().flat_map(Measured::losses).collect();
    text.push_str(&if losses.is_empty() {
        "Nowhere in this run.\n".into()
    } else {
        losses.join("\n") + "\n"
    });
    text.push_str("\n## Tables\n");
    for table in found
        .iter()
        .map(Measured::table)
        .chain(grown.map(str::to_owned))
    {
        let _ = write!(text, "\n{table}");
    }
    text
}

/// The peers and their versions, as the lock file has them.
fn peers() -> String {
    const LOCK: &str = include_str!("../../Cargo.lock");
    let version = |name: &str| {
        let entry = LOCK
            .split("[[package]]")
            .find(|entry| entry.contains(&format!("name = \"{name}\"\n")))?;
        Some(format!(
            "{name} {}",
            entry.split("version = \"").nth(1)?.split('"').next()?
        ))
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
    peers.push("without simdjson, which is not installed".into());
    peers.join(", ")
}
