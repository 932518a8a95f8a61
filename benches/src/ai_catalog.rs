//! AI Catalogs: from bytes to all typed values.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::structs::{Str, sum, sum_of};
use crate::{Task, read_unified, touch};

/// This library and its peer. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Catalog<'_>>(bytes).ok().map(|catalog| catalog.touch())
        }),
    ]
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Catalog<'a> {
    #[serde(borrow)]
    spec_version: Option<Str<'a>>,
    #[serde(borrow)]
    host: Option<Host<'a>>,
    #[serde(borrow)]
    entries: Vec<Entry<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Host<'a> {
    #[serde(borrow)]
    display_name: Option<Str<'a>>,
    #[serde(borrow)]
    identifier: Option<Str<'a>>,
    #[serde(borrow)]
    documentation_url: Option<Str<'a>>,
    #[serde(borrow)]
    logo_url: Option<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Entry<'a> {
    #[serde(borrow)]
    identifier: Option<Str<'a>>,
    #[serde(borrow)]
    display_name: Option<Str<'a>>,
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    #[serde(borrow)]
    url: Option<Str<'a>>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    tags: Vec<Str<'a>>,
    #[serde(borrow)]
    capabilities: Vec<Str<'a>>,
    #[serde(borrow)]
    representative_queries: Vec<Str<'a>>,
    #[serde(borrow)]
    version: Option<Str<'a>>,
    #[serde(borrow)]
    updated_at: Option<Str<'a>>,
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
    #[serde(borrow)]
    trust_manifest: Option<&'a RawValue>,
}

impl Catalog<'_> {
    fn touch(&self) -> u64 {
        let mut total = sum_of([&self.spec_version]);
        if let Some(host) = &self.host {
            total += sum_of([
                &host.display_name,
                &host.identifier,
                &host.documentation_url,
                &host.logo_url,
            ]);
        }
        for entry in &self.entries {
            total += sum_of([
                &entry.identifier,
                &entry.display_name,
                &entry.kind,
                &entry.url,
                &entry.description,
                &entry.version,
                &entry.updated_at,
            ]);
            let lists = entry.tags.iter().chain(&entry.capabilities);
            total += sum(lists.chain(&entry.representative_queries));
            let raws = [entry.data, entry.metadata, entry.trust_manifest];
            total +=
                { raws.into_iter().flatten() }.map(|raw| touch(raw.get().as_bytes())).sum::<u64>();
        }
        total
    }
}
