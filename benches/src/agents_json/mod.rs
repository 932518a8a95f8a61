//! agents.json of the Internet-Draft: from bytes to every typed value.

mod jiter;
mod structs;

use agentsdisc_core::format::agents_json::{self, AuthValue, RateValue};
use agentsdisc_core::manifest::{Part, Visitor};
use agentsdisc_core::{Document, Format, ParseOptions};

use crate::{Sum, Task, Toucher, read_unified, touch, walk};
use structs::Manifest;

/// Ours and the peers.
pub fn tasks() -> Vec<Task> {
    #[allow(unused_mut)]
    let mut tasks = vec![
        // Detection, UTF-8, the whole grammar and limits, while every part is told in one pass, as the format's own views: the values that the
        // structs of the peers hold. No heap.
        Task::new("agentsdisc read", typed),
        // The same; then every accessor of the unified model for the rest, unknown members included.
        Task::new("agentsdisc read, unified", read_unified),
        // Parsed first; then every accessor of the unified model.
        Task::new("agentsdisc model", |bytes| ours(bytes, None)),
        // The same with the format given.
        Task::new("agentsdisc model, format forced", |bytes| {
            ours(bytes, Some(Format::AgentsJson))
        }),
        // Only what comes before any value can be read.
        Task::new("agentsdisc parse only", |bytes| {
            Document::parse(bytes)
                .ok()
                .map(|document| u64::from(document.outline().format() as u8))
        }),
        // All of the grammar; UTF-8 of strings that are kept. Unknown members are skipped; numbers are converted. Lists are on the heap.
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Manifest<'_>>(bytes)
                .ok()
                .map(|manifest| manifest.touch())
        }),
        // A tree on the heap, of everything; then all of it is walked.
        Task::new("serde_json Value", |bytes| {
            serde_json::from_slice::<serde_json::Value>(bytes)
                .ok()
                .map(|value| touch_tree(&value))
        }),
        // As for serde_json; UTF-8 of the whole text is checked.
        Task::new("sonic-rs structs", |bytes| {
            sonic_rs::from_slice::<Manifest<'_>>(bytes)
                .ok()
                .map(|manifest| manifest.touch())
        }),
        Task::new("sonic-rs Value", |bytes| {
            sonic_rs::from_slice::<sonic_rs::Value>(bytes)
                .ok()
                .map(|value| touch_sonic(&value))
        }),
        // Two passes of its own (index, tape) in buffers that are used again, then the structs. It unescapes in place: the text is copied first.
        simd_json_structs(),
        simd_json_tree(),
        // Member by member by hand, no structs and no lists: strings are checked for UTF-8, unknown members skipped.
        Task::new("jiter by hand", |bytes| jiter::walk(bytes).ok()),
    ];
    #[cfg(simdjson)]
    tasks.push(crate::simdjson::agents_json_task());
    tasks
}

/// Touches what the draft names.
#[derive(Default)]
struct Draft(Sum);

impl Draft {
    #[inline(always)]
    fn rate(&mut self, rate: Option<RateValue<'_>>) {
        if let Some(RateValue { limit, .. }) = rate {
            self.0.0 += u64::from(limit.requests) + limit.window.as_str().len() as u64;
        }
    }
}

impl<'a> Visitor<'a> for Draft {
    #[inline(always)]
    fn part(&mut self, part: Part<'_, 'a>) {
        let Part::AgentsJson(part) = part else { return };
        match part {
            agents_json::Part::Parameter(p) => {
                self.0.texts([p.name, p.location, p.kind, p.description]);
                self.0.0 += u64::from(p.required.unwrap_or_default());
                for value in [p.default, p.min, p.max].into_iter().flatten() {
                    self.0.0 += touch(value.raw());
                }
            }
            agents_json::Part::Capability(c) => {
                self.0.texts([
                    c.id,
                    c.description,
                    c.endpoint,
                    c.method,
                    c.protocol,
                    c.openapi,
                    c.auth_endpoint,
                ]);
                match c.auth {
                    Some(AuthValue::Object(auth)) => {
                        self.0
                            .texts([auth.kind, auth.token_endpoint, auth.docs_url])
                    }
                    Some(AuthValue::Type(text)) => self.0.texts([Some(text)]),
                    None => {}
                }
                self.rate(c.rate_limit);
            }
            agents_json::Part::Agent(name, policy) => {
                self.0.texts([name, policy.name, policy.agent_declaration]);
                self.rate(policy.rate_limit);
            }
            agents_json::Part::Site(site) => {
                self.0
                    .texts([site.name, site.url, site.description, site.privacy_policy]);
                site.contact
                    .into_iter()
                    .for_each(|contact| self.0.list(contact.0));
            }
            agents_json::Part::Top(top) => {
                self.0.texts([
                    top.spec_version,
                    top.generated_at,
                    top.declaration_type,
                    top.agents_json,
                ]);
            }
            agents_json::Part::Text(_, text) => self.0.texts([Some(text)]),
            _ => {}
        }
    }
}

fn typed(bytes: &[u8]) -> Option<u64> {
    read(bytes, &ParseOptions::default())
}

/// Every typed value.
pub fn read(bytes: &[u8], options: &ParseOptions<'_>) -> Option<u64> {
    let mut draft = Draft::default();
    Document::read(bytes, options, &mut draft).ok()?;
    Some(draft.0.0)
}

fn ours(bytes: &[u8], format: Option<Format>) -> Option<u64> {
    let document = Document::parse_with(
        bytes,
        &ParseOptions {
            format,
            ..ParseOptions::default()
        },
    )
    .ok()?;
    let mut toucher = Toucher::default();
    walk::manifest(&document.manifest(), &mut toucher);
    Some(toucher.0)
}

fn touch_tree(value: &serde_json::Value) -> u64 {
    use serde_json::Value;
    match value {
        Value::String(text) => touch(text.as_bytes()),
        Value::Array(items) => items.iter().map(touch_tree).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| touch(name.as_bytes()) + touch_tree(value))
            .sum(),
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
        members
            .iter()
            .map(|(name, value)| touch(name.as_bytes()) + touch_sonic(value))
            .sum()
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
            BorrowedValue::Object(members) => members
                .iter()
                .map(|(name, value)| touch(name.as_bytes()) + touch_simd(value))
                .sum(),
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
