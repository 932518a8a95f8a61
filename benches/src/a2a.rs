//! A2A agent cards: from bytes to all typed values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{Task, read_unified, touch};

/// This library and its peers. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Card<'_>>(bytes)
                .ok()
                .map(|card| card.touch())
        }),
        Task::new("sonic-rs structs", |bytes| {
            sonic_rs::from_slice::<Card<'_>>(bytes)
                .ok()
                .map(|card| card.touch())
        }),
    ]
}

#[derive(Deserialize)]
#[serde(transparent)]
struct Str<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Card<'a> {
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    version: Option<Str<'a>>,
    #[serde(borrow)]
    supported_interfaces: Vec<Interface<'a>>,
    #[serde(borrow)]
    security_schemes: BTreeMap<Cow<'a, str>, Scheme<'a>>,
    #[serde(borrow)]
    default_input_modes: Vec<Str<'a>>,
    #[serde(borrow)]
    default_output_modes: Vec<Str<'a>>,
    #[serde(borrow)]
    skills: Vec<Skill<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Interface<'a> {
    #[serde(borrow)]
    url: Option<Str<'a>>,
    #[serde(borrow)]
    protocol_binding: Option<Str<'a>>,
    #[serde(borrow)]
    protocol_version: Option<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Scheme<'a> {
    #[serde(borrow)]
    api_key_security_scheme: Option<ApiKey<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ApiKey<'a> {
    #[serde(borrow)]
    location: Option<Str<'a>>,
    #[serde(borrow)]
    name: Option<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Skill<'a> {
    #[serde(borrow)]
    id: Option<Str<'a>>,
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    tags: Vec<Str<'a>>,
    #[serde(borrow)]
    input_modes: Vec<Str<'a>>,
    #[serde(borrow)]
    output_modes: Vec<Str<'a>>,
}

fn sum<'t, 'a: 't>(texts: impl IntoIterator<Item = &'t Str<'a>>) -> u64 {
    { texts.into_iter() }
        .map(|text| touch(text.0.as_bytes()))
        .sum()
}

impl Card<'_> {
    fn touch(&self) -> u64 {
        let mut total = sum([&self.name, &self.description, &self.version]
            .into_iter()
            .flatten());
        total += sum(self
            .default_input_modes
            .iter()
            .chain(&self.default_output_modes));
        for one in &self.supported_interfaces {
            let texts = [&one.url, &one.protocol_binding, &one.protocol_version];
            total += sum(texts.into_iter().flatten());
        }
        for (name, scheme) in &self.security_schemes {
            total += touch(name.as_bytes());
            if let Some(key) = &scheme.api_key_security_scheme {
                total += sum([&key.location, &key.name].into_iter().flatten());
            }
        }
        for skill in &self.skills {
            total += sum([&skill.id, &skill.name, &skill.description]
                .into_iter()
                .flatten());
            let lists = skill.tags.iter().chain(&skill.input_modes);
            total += sum(lists.chain(&skill.output_modes));
        }
        total
    }
}
