//! MCP server cards: from bytes to all typed values.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::structs::{Pairs, Str, sum, sum_of};
use crate::{Task, read_unified, touch};

/// This library and its peer. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Card<'_>>(bytes).ok().map(|card| card.touch())
        }),
    ]
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Card<'a> {
    #[serde(borrow, rename = "$schema")]
    schema: Option<Str<'a>>,
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow)]
    title: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    version: Option<Str<'a>>,
    #[serde(borrow)]
    website_url: Option<Str<'a>>,
    #[serde(borrow)]
    repository: Option<Repository<'a>>,
    #[serde(borrow)]
    remotes: Vec<Remote<'a>>,
    #[serde(borrow)]
    tools: Vec<Tool<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Repository<'a> {
    #[serde(borrow)]
    url: Option<Str<'a>>,
    #[serde(borrow)]
    id: Option<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Remote<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    #[serde(borrow)]
    url: Option<Str<'a>>,
    #[serde(borrow)]
    headers: Vec<Header<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Header<'a> {
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    is_required: Option<bool>,
    is_secret: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Tool<'a> {
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow)]
    title: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    input_schema: Option<Schema<'a>>,
    #[serde(borrow)]
    output_schema: Option<Schema<'a>>,
    #[serde(borrow)]
    annotations: Option<Annotations<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Schema<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    #[serde(borrow)]
    properties: Pairs<'a, Property<'a>>,
    #[serde(borrow)]
    required: Vec<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Property<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    default: Option<&'a RawValue>,
    #[serde(borrow)]
    minimum: Option<&'a RawValue>,
    #[serde(borrow)]
    maximum: Option<&'a RawValue>,
    #[serde(borrow)]
    items: Option<&'a RawValue>,
    #[serde(borrow, rename = "enum")]
    options: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Annotations<'a> {
    #[serde(borrow)]
    title: Option<Str<'a>>,
    read_only_hint: Option<bool>,
    destructive_hint: Option<bool>,
}

impl Card<'_> {
    fn touch(&self) -> u64 {
        let mut total = sum_of([
            &self.schema,
            &self.name,
            &self.title,
            &self.description,
            &self.version,
            &self.website_url,
        ]);
        if let Some(repository) = &self.repository {
            total += sum_of([&repository.url, &repository.id]);
        }
        for remote in &self.remotes {
            total += sum_of([&remote.kind, &remote.url]);
            for header in &remote.headers {
                total += sum_of([&header.name, &header.description]);
                total += truths([header.is_required, header.is_secret]);
            }
        }
        total + self.tools.iter().map(Tool::touch).sum::<u64>()
    }
}

impl Tool<'_> {
    fn touch(&self) -> u64 {
        let mut total = sum_of([&self.name, &self.title, &self.description]);
        for schema in self.input_schema.iter().chain(&self.output_schema) {
            total += sum_of([&schema.kind]) + sum(&schema.required);
            for (name, property) in &schema.properties.0 {
                total += sum([name]) + property.touch();
            }
        }
        if let Some(hints) = &self.annotations {
            total += sum_of([&hints.title]);
            total += truths([hints.read_only_hint, hints.destructive_hint]);
        }
        total
    }
}

impl Property<'_> {
    fn touch(&self) -> u64 {
        let raws = [self.default, self.minimum, self.maximum, self.items];
        let raws = raws.into_iter().flatten();
        sum_of([&self.kind, &self.description])
            + raws
                .chain(self.options.iter().flatten().copied())
                .map(|raw| touch(raw.get().as_bytes()))
                .sum::<u64>()
    }
}

fn truths(truths: [Option<bool>; 2]) -> u64 {
    truths.into_iter().flatten().map(u64::from).sum()
}
