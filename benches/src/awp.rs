//! AWP documents: from bytes to all typed values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{Task, read_unified, touch};

/// This library and its peers. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        // Detection, UTF-8, the whole grammar and limits, while a visitor receives the items of the
        // unified model; then all accessors of the model for the rest, including unknown members.
        // No heap.
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Manifest<'_>>(bytes).ok().map(|manifest| manifest.touch())
        }),
        Task::new("sonic-rs structs", |bytes| {
            sonic_rs::from_slice::<Manifest<'_>>(bytes).ok().map(|manifest| manifest.touch())
        }),
    ]
}

type Str<'a> = Cow<'a, str>;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Manifest<'a> {
    #[serde(borrow)]
    awp_version: Str<'a>,
    #[serde(borrow)]
    domain: Str<'a>,
    #[serde(borrow)]
    intent: Str<'a>,
    #[serde(borrow)]
    protocols: BTreeMap<Str<'a>, Protocol<'a>>,
    #[serde(borrow)]
    auth: Auth<'a>,
    #[serde(borrow)]
    entities: BTreeMap<Str<'a>, Entity<'a>>,
    #[serde(borrow)]
    actions: Vec<Action<'a>>,
    #[serde(borrow)]
    errors: BTreeMap<Str<'a>, Recovery<'a>>,
    #[serde(borrow)]
    dependencies: BTreeMap<Str<'a>, Vec<Str<'a>>>,
    #[serde(borrow)]
    agent_hints: BTreeMap<Str<'a>, Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Protocol<'a> {
    #[serde(borrow)]
    version: Str<'a>,
    #[serde(borrow)]
    endpoint: Str<'a>,
    #[serde(borrow)]
    transport: Str<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Auth<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    #[serde(borrow)]
    required_for: Vec<Str<'a>>,
    #[serde(borrow)]
    token_expiry: Str<'a>,
    #[serde(borrow)]
    refresh_endpoint: Str<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Entity<'a> {
    #[serde(borrow)]
    fields: BTreeMap<Str<'a>, Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Action<'a> {
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    description: Str<'a>,
    auth_required: bool,
    #[serde(borrow)]
    inputs: BTreeMap<Str<'a>, Input<'a>>,
    #[serde(borrow)]
    outputs: BTreeMap<Str<'a>, Str<'a>>,
    #[serde(borrow)]
    endpoint: Str<'a>,
    #[serde(borrow)]
    method: Str<'a>,
    #[serde(borrow)]
    sensitivity: Str<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Input<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    required: bool,
    #[serde(borrow)]
    description: Str<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Recovery<'a> {
    #[serde(borrow)]
    recovery: Str<'a>,
}

fn sum(texts: &[&Str<'_>]) -> u64 {
    texts.iter().map(|text| touch(text.as_bytes())).sum()
}

impl Manifest<'_> {
    fn touch(&self) -> u64 {
        let mut total = sum(&[&self.awp_version, &self.domain, &self.intent]);
        total += self
            .protocols
            .iter()
            .map(|(name, p)| sum(&[name, &p.version, &p.endpoint, &p.transport]))
            .sum::<u64>();
        total += sum(&[&self.auth.kind, &self.auth.token_expiry, &self.auth.refresh_endpoint]);
        total += self.auth.required_for.iter().map(|text| sum(&[text])).sum::<u64>();
        for (name, entity) in &self.entities {
            total += sum(&[name])
                + entity.fields.iter().map(|(name, kind)| sum(&[name, kind])).sum::<u64>();
        }
        for action in &self.actions {
            total += sum(&[
                &action.id,
                &action.description,
                &action.endpoint,
                &action.method,
                &action.sensitivity,
            ]);
            total += u64::from(action.auth_required);
            for (name, input) in &action.inputs {
                total += sum(&[name, &input.kind, &input.description]) + u64::from(input.required);
            }
            total += action.outputs.iter().map(|(name, kind)| sum(&[name, kind])).sum::<u64>();
        }
        total += self.errors.iter().map(|(name, error)| sum(&[name, &error.recovery])).sum::<u64>();
        for (name, requires) in &self.dependencies {
            total += sum(&[name]) + requires.iter().map(|text| sum(&[text])).sum::<u64>();
        }
        total + self.agent_hints.iter().map(|(name, hint)| sum(&[name, hint])).sum::<u64>()
    }
}
