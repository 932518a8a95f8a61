//! A2A agent cards: from bytes to all typed values.

use serde::Deserialize;

use crate::structs::{Pairs, Str, sum, sum_of};
use crate::{Task, read_unified};

/// This library and its peers. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Card<'_>>(bytes).ok().map(|card| card.touch())
        }),
        Task::new("sonic-rs structs", |bytes| {
            sonic_rs::from_slice::<Card<'_>>(bytes).ok().map(|card| card.touch())
        }),
    ]
}

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
    documentation_url: Option<Str<'a>>,
    #[serde(borrow)]
    icon_url: Option<Str<'a>>,
    #[serde(borrow)]
    provider: Option<Provider<'a>>,
    #[serde(borrow)]
    supported_interfaces: Vec<Interface<'a>>,
    #[serde(borrow)]
    capabilities: Features<'a>,
    #[serde(borrow)]
    security_schemes: Pairs<'a, Scheme<'a>>,
    #[serde(borrow)]
    security_requirements: Vec<Requirement<'a>>,
    #[serde(borrow)]
    default_input_modes: Vec<Str<'a>>,
    #[serde(borrow)]
    default_output_modes: Vec<Str<'a>>,
    #[serde(borrow)]
    skills: Vec<Skill<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Provider<'a> {
    #[serde(borrow)]
    organization: Option<Str<'a>>,
    #[serde(borrow)]
    url: Option<Str<'a>>,
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
struct Features<'a> {
    streaming: Option<bool>,
    push_notifications: Option<bool>,
    extended_agent_card: Option<bool>,
    #[serde(borrow)]
    extensions: Vec<Extension<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Extension<'a> {
    #[serde(borrow)]
    uri: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    required: Option<bool>,
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
    description: Option<Str<'a>>,
    #[serde(borrow)]
    location: Option<Str<'a>>,
    #[serde(borrow)]
    name: Option<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Requirement<'a> {
    #[serde(borrow)]
    schemes: Pairs<'a, Scopes<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Scopes<'a> {
    #[serde(borrow)]
    list: Vec<Str<'a>>,
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
    examples: Vec<Str<'a>>,
    #[serde(borrow)]
    input_modes: Vec<Str<'a>>,
    #[serde(borrow)]
    output_modes: Vec<Str<'a>>,
    #[serde(borrow)]
    security_requirements: Vec<Requirement<'a>>,
}

impl Card<'_> {
    fn touch(&self) -> u64 {
        let mut total = sum_of([
            &self.name,
            &self.description,
            &self.version,
            &self.documentation_url,
            &self.icon_url,
        ]);
        let modes = self.default_input_modes.iter();
        total += sum(modes.chain(&self.default_output_modes));
        if let Some(provider) = &self.provider {
            total += sum_of([&provider.organization, &provider.url]);
        }
        for one in &self.supported_interfaces {
            total += sum_of([&one.url, &one.protocol_binding, &one.protocol_version]);
        }
        let features = &self.capabilities;
        let flags = [features.streaming, features.push_notifications, features.extended_agent_card];
        total += flags.into_iter().flatten().map(u64::from).sum::<u64>();
        for extension in &features.extensions {
            total += sum_of([&extension.uri, &extension.description]);
            total += u64::from(extension.required.unwrap_or_default());
        }
        for (name, scheme) in &self.security_schemes.0 {
            total += sum([name]);
            if let Some(key) = &scheme.api_key_security_scheme {
                total += sum_of([&key.description, &key.location, &key.name]);
            }
        }
        total += required(&self.security_requirements);
        total + self.skills.iter().map(Skill::touch).sum::<u64>()
    }
}

impl Skill<'_> {
    fn touch(&self) -> u64 {
        let lists = self.tags.iter().chain(&self.examples);
        let lists = lists.chain(&self.input_modes).chain(&self.output_modes);
        sum_of([&self.id, &self.name, &self.description])
            + sum(lists)
            + required(&self.security_requirements)
    }
}

fn required(requirements: &[Requirement<'_>]) -> u64 {
    { requirements.iter() }
        .flat_map(|one| &one.schemes.0)
        .map(|(name, scopes)| sum([name]) + sum(&scopes.list))
        .sum()
}
