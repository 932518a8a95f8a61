//! Manifests of the Agent Discovery Protocol: from bytes to every typed value.

use std::borrow::Cow;

use agentsdisc_core::format::adp;
use agentsdisc_core::manifest::{Part, Visitor};
use agentsdisc_core::{Document, ParseOptions};
use serde::Deserialize;

use crate::{Sum, Task, read_unified, touch};

/// Ours and the peers. What each validates is said in `agents_json`.
pub fn tasks() -> Vec<Task> {
    vec![
        // Detection, UTF-8, the whole grammar and limits, while every part is told in one pass, as the format's own views. No heap.
        Task::new("agentsdisc read", typed),
        // The same; then every accessor of the unified model for the rest, unknown members included.
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Manifest<'_>>(bytes)
                .ok()
                .map(|manifest| manifest.touch())
        }),
        Task::new("sonic-rs structs", |bytes| {
            sonic_rs::from_slice::<Manifest<'_>>(bytes)
                .ok()
                .map(|manifest| manifest.touch())
        }),
        simd_json_structs(),
    ]
}

/// Touches what the protocol names.
#[derive(Default)]
struct Seen(Sum);

impl<'a> Visitor<'a> for Seen {
    #[inline(always)]
    fn part(&mut self, part: Part<'_, 'a>) {
        let Part::Adp(part) = part else { return };
        match part {
            adp::Part::Top(top) => {
                self.0
                    .texts([top.spec_version, top.name, top.description, top.base_url])
            }
            adp::Part::Auth(a) => self.0.texts([
                a.kind,
                a.header,
                a.prefix,
                a.setup_url,
                a.authorization_url,
                a.token_url,
            ]),
            adp::Part::Scope(text) => self.0.texts([Some(text)]),
            adp::Part::Plan(plan) => self.0.texts([plan.name, plan.price, plan.limits]),
            adp::Part::Pricing(pricing) => self.0.texts([pricing.kind]),
            adp::Part::Entry(c) => {
                self.0
                    .texts([c.name, c.description, c.detail_url, c.endpoint, c.method])
            }
            _ => {}
        }
    }
}

fn typed(bytes: &[u8]) -> Option<u64> {
    read(bytes, &ParseOptions::default())
}

/// Every typed value.
pub fn read(bytes: &[u8], options: &ParseOptions<'_>) -> Option<u64> {
    let mut seen = Seen::default();
    Document::read(bytes, options, &mut seen).ok()?;
    Some(seen.0.0)
}

#[derive(Deserialize)]
#[serde(transparent)]
struct Str<'a>(#[serde(borrow)] Cow<'a, str>);

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

fn sum<const N: usize>(texts: [&Option<Str<'_>>; N]) -> u64 {
    texts
        .into_iter()
        .flatten()
        .map(|text| touch(text.0.as_bytes()))
        .sum()
}

impl Manifest<'_> {
    fn touch(&self) -> u64 {
        let mut total = sum([
            &self.spec_version,
            &self.name,
            &self.description,
            &self.base_url,
        ]);
        if let Some(auth) = &self.auth {
            total += sum([
                &auth.kind,
                &auth.header,
                &auth.prefix,
                &auth.setup_url,
                &auth.authorization_url,
                &auth.token_url,
            ]);
            total += auth
                .scopes
                .iter()
                .flatten()
                .map(|text| touch(text.0.as_bytes()))
                .sum::<u64>();
        }
        if let Some(pricing) = &self.pricing {
            total += sum([&pricing.kind]);
            total += pricing
                .plans
                .iter()
                .flatten()
                .map(|plan| sum([&plan.name, &plan.price, &plan.limits]))
                .sum::<u64>();
        }
        total
            + self
                .capabilities
                .iter()
                .map(|c| {
                    sum([
                        &c.name,
                        &c.description,
                        &c.detail_url,
                        &c.endpoint,
                        &c.method,
                    ])
                })
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
