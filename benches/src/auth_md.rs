//! auth.md: from bytes to all values.

use crate::agents_md::pulldown_cmark;
use crate::{Task, read_unified};

/// This library, and a Markdown parser alone.
pub fn tasks() -> Vec<Task> {
    vec![Task::new("agentsdisc read, unified", read_unified), pulldown_cmark()]
}
