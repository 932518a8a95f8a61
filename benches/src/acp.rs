//! Discovery documents of the Agentic Commerce Protocol: from bytes to all typed values.

use serde::Deserialize;

use crate::structs::{Str, sum, sum_of};
use crate::{Task, read_unified};

/// This library and its peer. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Discovery<'_>>(bytes).ok().map(|document| document.touch())
        }),
    ]
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Discovery<'a> {
    #[serde(borrow)]
    protocol: Protocol<'a>,
    #[serde(borrow)]
    api_base_url: Option<Str<'a>>,
    #[serde(borrow)]
    transports: Vec<Str<'a>>,
    #[serde(borrow)]
    capabilities: Capabilities<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Protocol<'a> {
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow)]
    version: Option<Str<'a>>,
    #[serde(borrow)]
    supported_versions: Vec<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Capabilities<'a> {
    #[serde(borrow)]
    services: Vec<Str<'a>>,
    #[serde(borrow)]
    extensions: Vec<Extension<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Extension<'a> {
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow)]
    spec: Option<Str<'a>>,
    #[serde(borrow)]
    schema: Option<Str<'a>>,
}

impl Discovery<'_> {
    fn touch(&self) -> u64 {
        let Protocol { name, version, supported_versions } = &self.protocol;
        let extension = |one: &Extension<'_>| sum_of([&one.name, &one.spec, &one.schema]);
        let extensions = self.capabilities.extensions.iter().map(extension);
        sum_of([name, version, &self.api_base_url])
            + sum(supported_versions)
            + sum(&self.transports)
            + sum(&self.capabilities.services)
            + extensions.sum::<u64>()
    }
}
