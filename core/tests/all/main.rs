//! The tests of the core in one program, which links once: one module for each subject.
//!
//! Tests that need their own program are beside this folder: `backends` (they choose the SIMD back end
//! of the whole process), `no_alloc` (a counting allocator), `built_in` (a few functions, compiled with
//! many selections of features) and `serde` (a feature).
//! `AGENTSDISC_CASES=20` runs each property test with 20 times its cases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // A test may panic.

mod adp;
mod adp_examples;
mod adp_request;
mod agents_md;
mod agents_md_model;
mod agents_txt;
mod awp;
mod call;
#[path = "../common/mod.rs"]
mod common;
mod companion;
mod conformance;
mod convert;
mod corpus;
mod detection;
mod discovery;
mod discovery_freshness;
mod discovery_on_demand;
mod discovery_properties;
mod discovery_redirects;
mod discovery_trail;
mod explained;
mod fix;
mod golden;
mod hostile;
#[cfg(feature = "identity")]
mod identity;
mod json;
mod linear_time;
mod links;
mod markdown;
mod policy;
mod policy_properties;
mod robots;
mod state;
mod text_lists;
mod truncation;
mod valid;
mod wild;
mod yaml;
