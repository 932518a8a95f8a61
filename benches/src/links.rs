//! The URLs of any text, whatever its format.

use agentsdisc_core::document::Links;

use crate::{Task, touch};

/// Only this library: no peer finds URLs in bytes of any format.
pub fn tasks() -> Vec<Task> {
    // Searches all bytes; reads each URL and its label. No heap.
    vec![Task::new("agentsdisc links", |bytes| {
        Some(Links::new(bytes).map(|link| touch(link.url.raw()) + touch(link.label.raw())).sum())
    })]
}
