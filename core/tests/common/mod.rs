//! Code shared by several tests.

pub(crate) mod again;
pub(crate) mod inside;
pub(crate) mod markdown_oracle;
#[path = "../../../conformance/adapters/rust/questions.rs"]
pub(crate) mod questions;
pub(crate) mod robots_oracle;
pub(crate) mod site;
#[allow(unsafe_code, reason = "a clock of libc")]
pub(crate) mod time;
pub(crate) mod vectors;
pub(crate) mod walk;
pub(crate) mod yaml_oracle;

/// Returns the configuration of a property test with `count` cases, multiplied by
/// `AGENTSDISC_CASES`.
pub(crate) fn cases(count: u32) -> proptest::prelude::ProptestConfig {
    let factor =
        std::env::var("AGENTSDISC_CASES").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    proptest::prelude::ProptestConfig {
        cases: count.saturating_mul(factor),
        failure_persistence: None,
        ..proptest::prelude::ProptestConfig::default()
    }
}
