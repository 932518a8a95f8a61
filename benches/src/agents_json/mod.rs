//! agents.json of the Internet-Draft: from bytes to all typed values.

mod jiter;
mod structs;

use agentsdisc_core::{Document, Format, ParseOptions};

use crate::{Task, Toucher, read_unified, touch, walk};
use structs::Manifest;

/// This library and its peers.
pub fn tasks() -> Vec<Task> {
    #[allow(unused_mut)]
    let mut tasks = vec![
        // Detection, UTF-8, the whole grammar and limits, while a visitor receives the items of the
        // unified model; then all accessors of the model for the rest, including unknown members.
        // No heap.
        Task::new("agentsdisc read, unified", read_unified),
        // Parses first, then calls all accessors of the unified model.
        Task::new("agentsdisc model", |bytes| ours(bytes, None)),
        // The same with a given format.
        Task::new("agentsdisc model, format forced", |bytes| ours(bytes, Some(Format::AgentsJson))),
        // Only the work before any value can be read.
        Task::new("agentsdisc parse only", |bytes| {
            Document::parse(bytes).ok().map(|document| u64::from(document.outline().format() as u8))
        }),
        // Validates all of the grammar, and UTF-8 of kept strings. Skips unknown members; converts
        // numbers. Lists are on the heap.
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Manifest<'_>>(bytes).ok().map(|manifest| manifest.touch())
        }),
        // Builds a tree of everything on the heap, then walks all of it.
        Task::new("serde_json Value", |bytes| {
            serde_json::from_slice::<serde_json::Value>(bytes).ok().map(|value| touch_tree(&value))
        }),
        // Like serde_json, but validates UTF-8 of the whole text.
        Task::new("sonic-rs structs", |bytes| {
            sonic_rs::from_slice::<Manifest<'_>>(bytes).ok().map(|manifest| manifest.touch())
        }),
        Task::new("sonic-rs Value", |bytes| {
            sonic_rs::from_slice::<sonic_rs::Value>(bytes).ok().map(|value| touch_sonic(&value))
        }),
        // Two passes (index, tape) in reused buffers, then the structs. It unescapes in place, so
        // the text is copied first.
        simd_json_structs(),
        simd_json_tree(),
        // Member by member, without structs and lists: validates UTF-8 of strings, skips unknown
        // members.
        Task::new("jiter by hand", |bytes| jiter::walk(bytes).ok()),
    ];
    #[cfg(simdjson)]
    tasks.push(crate::simdjson::agents_json_task());
    tasks
}

fn ours(bytes: &[u8], format: Option<Format>) -> Option<u64> {
    let document =
        Document::parse_with(bytes, &ParseOptions { format, ..ParseOptions::default() }).ok()?;
    let mut toucher = Toucher::default();
    walk::manifest(&document.manifest(), &mut toucher);
    Some(toucher.0)
}

fn touch_tree(value: &serde_json::Value) -> u64 {
    use serde_json::Value;
    match value {
        Value::String(text) => touch(text.as_bytes()),
        Value::Array(items) => items.iter().map(touch_tree).sum(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| touch(name.as_bytes()) + touch_tree(value)).sum()
        }
        Value::Number(number) => number.as_u64().unwrap_or_default(),
        Value::Bool(truth) => u64::from(*truth),
        Value::Null => 0,
    }
}

fn touch_sonic(value: &sonic_rs::Value) -> u64 {
    use sonic_rs::{JsonContainerTrait, JsonValueTrait};
    if let Some(text) = value.as_str() {
        touch(text.as_bytes())
    } else if let Some(items) = value.as_array() {
        items.iter().map(touch_sonic).sum()
    } else if let Some(members) = value.as_object() {
        members.iter().map(|(name, value)| touch(name.as_bytes()) + touch_sonic(value)).sum()
    } else {
        value.as_u64().unwrap_or_default()
    }
}

fn simd_json_structs() -> Task {
    let mut copy = Vec::new();
    let mut buffers = simd_json::Buffers::default();
    Task::new("simd-json structs", move |bytes| {
        copy.clear();
        copy.extend_from_slice(bytes);
        simd_json::serde::from_slice_with_buffers::<Manifest<'_>>(&mut copy, &mut buffers)
            .ok()
            .map(|manifest| manifest.touch())
    })
}

fn simd_json_tree() -> Task {
    use simd_json::BorrowedValue;
    fn touch_simd(value: &BorrowedValue<'_>) -> u64 {
        match value {
            BorrowedValue::String(text) => touch(text.as_bytes()),
            BorrowedValue::Array(items) => items.iter().map(touch_simd).sum(),
            BorrowedValue::Object(members) => {
                members.iter().map(|(name, value)| touch(name.as_bytes()) + touch_simd(value)).sum()
            }
            BorrowedValue::Static(_) => 1,
        }
    }
    let mut copy = Vec::new();
    let mut buffers = simd_json::Buffers::default();
    Task::new("simd-json Value", move |bytes| {
        copy.clear();
        copy.extend_from_slice(bytes);
        simd_json::to_borrowed_value_with_buffers(&mut copy, &mut buffers)
            .ok()
            .map(|value| touch_simd(&value))
    })
}
