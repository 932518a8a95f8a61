//! What several tests share.

pub(crate) mod markdown_oracle;
pub(crate) mod robots_oracle;
pub(crate) mod site;
pub(crate) mod time;
pub(crate) mod vectors;
pub(crate) mod walk;
pub(crate) mod yaml_oracle;

/// The configuration of a property test that runs `count` cases, or the multiple of it that `AGENTSDISC_CASES` gives.
pub(crate) fn cases(count: u32) -> proptest::prelude::ProptestConfig {
    let factor = std::env::var("AGENTSDISC_CASES")
        .ok()
        .and_then(|factor| factor.parse().ok())
        .unwrap_or(1);
    proptest::prelude::ProptestConfig {
        cases: count.saturating_mul(factor),
        failure_persistence: None,
        ..proptest::prelude::ProptestConfig::default()
    }
}
