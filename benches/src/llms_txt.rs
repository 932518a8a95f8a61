//! llms.txt: from bytes to all values.

use crate::{Task, agents_md, read_unified};

/// This library, and a Markdown parser alone.
pub fn tasks() -> Vec<Task> {
    vec![
        // Detection, and Markdown blocks; then all accessors of the unified model. No heap.
        Task::new("agentsdisc read, unified", read_unified),
        agents_md::pulldown_cmark(),
    ]
}
