//! Writing the unified model as JSON.

use agentsdisc_core::Document;

use crate::Task;

/// From the bytes of a document to the unified model as JSON, and peers that read JSON and write it again: less work, since they translate nothing.
pub fn tasks() -> Vec<Task> {
    let mut buffer = vec![0; 1 << 20];
    let (mut serde, mut sonic) = (Vec::new(), Vec::new());
    vec![
        // Parses and writes into a buffer of the caller's. No heap.
        Task::new("agentsdisc parse + write_json", move |bytes| {
            Document::parse(bytes)
                .ok()?
                .write_json(&mut buffer)
                .ok()
                .map(|length| length as u64)
        }),
        // What is needed to know how large the buffer must be.
        Task::new("agentsdisc parse + json_len", |bytes| {
            Some(Document::parse(bytes).ok()?.json_len() as u64)
        }),
        // A tree on the heap and back, into a buffer that is used again. Only where the document is JSON.
        Task::new("serde_json Value + to_writer", move |bytes| {
            serde.clear();
            serde_json::to_writer(
                &mut serde,
                &serde_json::from_slice::<serde_json::Value>(bytes).ok()?,
            )
            .ok()?;
            Some(serde.len() as u64)
        }),
        Task::new("sonic-rs Value + to_writer", move |bytes| {
            sonic.clear();
            sonic_rs::to_writer(
                &mut sonic,
                &sonic_rs::from_slice::<sonic_rs::Value>(bytes).ok()?,
            )
            .ok()?;
            Some(sonic.len() as u64)
        }),
    ]
}
