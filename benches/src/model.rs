//! Writing the unified model as JSON.

use agentsdisc_core::Document;

use crate::Task;

/// Tasks from the bytes of a document to the unified model as JSON. The peers read JSON and write
/// it again, which is less work, because they translate nothing.
pub fn tasks() -> Vec<Task> {
    let mut buffer = vec![0; 1 << 20];
    let (mut serde, mut sonic) = (Vec::new(), Vec::new());
    vec![
        // Parses, and writes into a buffer of the caller. No heap.
        Task::new("agentsdisc parse + write_json", move |bytes| {
            Document::parse(bytes).ok()?.write_json(&mut buffer).ok().map(|length| length as u64)
        }),
        // Computes the size that the buffer needs.
        Task::new("agentsdisc parse + json_len", |bytes| {
            Some(Document::parse(bytes).ok()?.json_len() as u64)
        }),
        // Reads a tree on the heap, and writes it into a reused buffer. Only for JSON documents.
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
            sonic_rs::to_writer(&mut sonic, &sonic_rs::from_slice::<sonic_rs::Value>(bytes).ok()?)
                .ok()?;
            Some(sonic.len() as u64)
        }),
    ]
}
