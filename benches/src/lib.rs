//! Benchmarks of this library and its peers.
//!
//! Each kind of work is a list of [`Task`]s, this library's first, that do the same with the same
//! bytes. The criterion benches and the program `table` run the same lists. The comment on a task
//! states what the library validates.

pub mod a2a;
pub mod acp;
pub mod adp;
pub mod agent_skills;
pub mod agents_json;
pub mod agents_md;
pub mod agents_txt;
pub mod ai_catalog;
pub mod api_catalog;
pub mod auth_md;
pub mod awp;
pub mod growth;
pub mod harness;
pub mod inputs;
pub mod json;
pub mod links;
pub mod llms_txt;
pub mod mcp_card;
pub mod model;
pub mod oauth;
pub mod openapi;
pub mod report;
pub mod robots_txt;
pub mod signature_directory;
#[cfg(simdjson)]
#[allow(unsafe_code, reason = "a library in C++")]
pub mod simdjson;
mod structs;
mod task;
pub mod ucp;
mod works;
pub mod x402;

#[path = "../../core/tests/common/walk.rs"]
pub mod walk;

pub use task::{Task, touch};
pub use works::{WORKS, Work};

use agentsdisc_core::ParseOptions;
use agentsdisc_core::manifest::Raw;
use agentsdisc_core::syntax::text::Text;

/// Detection, UTF-8, the whole grammar and limits, while a visitor receives the items of the
/// unified model; then all accessors of the model for the rest, including unknown members. No heap.
pub fn read_unified(bytes: &[u8]) -> Option<u64> {
    let mut toucher = Toucher::default();
    walk::read(bytes, &ParseOptions::default(), &mut toucher).ok().map(|()| toucher.0)
}

/// Reads everything in a manifest.
#[derive(Default)]
pub struct Toucher(pub u64);

impl walk::Visitor for Toucher {
    #[inline(always)]
    fn text(&mut self, text: Text<'_>) {
        self.0 = self.0.wrapping_add(touch(text.raw()));
    }

    #[inline(always)]
    fn raw(&mut self, raw: Raw<'_>) {
        let raw = match raw {
            Raw::Json(value) => value.raw(),
            Raw::Text(text) => text.raw(),
        };
        self.0 = self.0.wrapping_add(touch(raw));
    }

    #[inline(always)]
    fn number(&mut self, number: u64) {
        self.0 = self.0.wrapping_add(number);
    }
}
