//! ADP manifests: from bytes to all typed values.

use serde::Deserialize;

use crate::structs::{Str, sum, sum_of};
use crate::{Task, read_unified};

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
        simd_json_structs(),
    ]
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Manifest<'a> {
    #[serde(borrow)]
    spec_version: Option<Str<'a>>,
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    base_url: Option<Str<'a>>,
    #[serde(borrow)]
    auth: Option<Auth<'a>>,
    #[serde(borrow)]
    pricing: Option<Pricing<'a>>,
    #[serde(borrow)]
    capabilities: Vec<Entry<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Auth<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    #[serde(borrow)]
    header: Option<Str<'a>>,
    #[serde(borrow)]
    prefix: Option<Str<'a>>,
    #[serde(borrow)]
    setup_url: Option<Str<'a>>,
    #[serde(borrow)]
    authorization_url: Option<Str<'a>>,
    #[serde(borrow)]
    token_url: Option<Str<'a>>,
    #[serde(borrow)]
    scopes: Option<Vec<Str<'a>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Pricing<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    #[serde(borrow)]
    plans: Option<Vec<Plan<'a>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Plan<'a> {
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow)]
    price: Option<Str<'a>>,
    #[serde(borrow)]
    limits: Option<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Entry<'a> {
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    detail_url: Option<Str<'a>>,
    #[serde(borrow)]
    endpoint: Option<Str<'a>>,
    #[serde(borrow)]
    method: Option<Str<'a>>,
}

impl Manifest<'_> {
    fn touch(&self) -> u64 {
        let mut total = sum_of([&self.spec_version, &self.name, &self.description, &self.base_url]);
        if let Some(auth) = &self.auth {
            total += sum_of([
                &auth.kind,
                &auth.header,
                &auth.prefix,
                &auth.setup_url,
                &auth.authorization_url,
                &auth.token_url,
            ]);
            total += sum(auth.scopes.iter().flatten());
        }
        if let Some(pricing) = &self.pricing {
            total += sum_of([&pricing.kind]);
            total += pricing
                .plans
                .iter()
                .flatten()
                .map(|plan| sum_of([&plan.name, &plan.price, &plan.limits]))
                .sum::<u64>();
        }
        total
            + self
                .capabilities
                .iter()
                .map(|c| sum_of([&c.name, &c.description, &c.detail_url, &c.endpoint, &c.method]))
                .sum::<u64>()
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
