//! Profiles of the Universal Commerce Protocol: from bytes to all typed values.

use serde::Deserialize;

use crate::structs::{Pairs, Str, sum_of};
use crate::{Task, read_unified, touch};

/// This library and its peer. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Profile<'_>>(bytes).ok().map(|profile| profile.ucp.touch())
        }),
    ]
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Profile<'a> {
    #[serde(borrow)]
    ucp: Ucp<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Ucp<'a> {
    #[serde(borrow)]
    version: Option<Str<'a>>,
    #[serde(borrow)]
    services: Pairs<'a, Vec<Entry<'a>>>,
    #[serde(borrow)]
    capabilities: Pairs<'a, Vec<Entry<'a>>>,
    #[serde(borrow)]
    payment_handlers: Pairs<'a, Vec<Entry<'a>>>,
}

/// An entry of a registry.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Entry<'a> {
    #[serde(borrow)]
    id: Option<Str<'a>>,
    #[serde(borrow)]
    version: Option<Str<'a>>,
    #[serde(borrow)]
    transport: Option<Str<'a>>,
    #[serde(borrow)]
    endpoint: Option<Str<'a>>,
    #[serde(borrow)]
    spec: Option<Str<'a>>,
    #[serde(borrow)]
    schema: Option<Str<'a>>,
}

impl Ucp<'_> {
    fn touch(&self) -> u64 {
        let entry = |entry: &Entry<'_>| {
            sum_of([
                &entry.id,
                &entry.version,
                &entry.transport,
                &entry.endpoint,
                &entry.spec,
                &entry.schema,
            ])
        };
        let registry = |registry: &Pairs<'_, Vec<Entry<'_>>>| {
            let named = registry.0.iter();
            named
                .map(|(name, entries)| {
                    touch(name.0.as_bytes()) + entries.iter().map(entry).sum::<u64>()
                })
                .sum::<u64>()
        };
        sum_of([&self.version])
            + registry(&self.services)
            + registry(&self.capabilities)
            + registry(&self.payment_handlers)
    }
}
