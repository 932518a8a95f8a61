//! The structs that most callers would write for serde, with borrowed strings.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use crate::touch;

/// A string that is borrowed if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Str<'a>(#[serde(borrow)] Cow<'a, str>);

/// The shapes of the draft, as most callers would write them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub(super) struct Manifest<'a> {
    #[serde(borrow)]
    spec_version: Option<Str<'a>>,
    #[serde(borrow)]
    generated_at: Option<Str<'a>>,
    #[serde(borrow)]
    declaration_type: Option<Str<'a>>,
    #[serde(borrow)]
    operates_on: Vec<Str<'a>>,
    #[serde(borrow)]
    agents_json: Option<Str<'a>>,
    #[serde(borrow)]
    site: Option<Site<'a>>,
    #[serde(borrow)]
    capabilities: Vec<Capability<'a>>,
    #[serde(borrow)]
    access: Option<Access<'a>>,
    #[serde(borrow)]
    agents: BTreeMap<Cow<'a, str>, Policy<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Site<'a> {
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow)]
    url: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    contact: Option<Str<'a>>,
    #[serde(borrow)]
    privacy_policy: Option<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Capability<'a> {
    #[serde(borrow)]
    id: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    endpoint: Option<Str<'a>>,
    #[serde(borrow)]
    method: Option<Str<'a>>,
    #[serde(borrow)]
    protocol: Option<Str<'a>>,
    #[serde(borrow)]
    auth: Option<Auth<'a>>,
    #[serde(borrow)]
    rate_limit: Option<Rate<'a>>,
    #[serde(borrow)]
    openapi: Option<Str<'a>>,
    #[serde(borrow, alias = "params")]
    parameters: Vec<Parameter<'a>>,
}

/// Either the shape of the draft, or the string that its author publishes.
#[derive(Deserialize)]
#[serde(untagged)]
enum Auth<'a> {
    #[serde(borrow)]
    Object(AuthObject<'a>),
    #[serde(borrow)]
    Type(Str<'a>),
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct AuthObject<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    #[serde(borrow)]
    token_endpoint: Option<Str<'a>>,
    #[serde(borrow)]
    docs_url: Option<Str<'a>>,
    #[serde(borrow)]
    scopes: Vec<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Rate<'a> {
    requests: u32,
    #[serde(borrow)]
    window: Option<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Parameter<'a> {
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow, rename = "in", alias = "location")]
    location: Option<Str<'a>>,
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    required: bool,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    default: Option<Scalar<'a>>,
    min: Option<f64>,
    max: Option<f64>,
}

/// The type of a default value.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar<'a> {
    Bool(bool),
    Number(f64),
    #[serde(borrow)]
    Text(Str<'a>),
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Access<'a> {
    #[serde(borrow)]
    allow: Vec<Str<'a>>,
    #[serde(borrow)]
    disallow: Vec<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Policy<'a> {
    #[serde(borrow)]
    rate_limit: Option<Rate<'a>>,
    #[serde(borrow)]
    capabilities: Option<Vec<Str<'a>>>,
    #[serde(borrow)]
    agent_declaration: Option<Str<'a>>,
}

fn sum<const N: usize>(texts: [&Option<Str<'_>>; N]) -> u64 {
    texts.into_iter().flatten().map(|text| touch(text.0.as_bytes())).sum()
}

fn sum_all(texts: &[Str<'_>]) -> u64 {
    texts.iter().map(|text| touch(text.0.as_bytes())).sum()
}

impl Manifest<'_> {
    pub(super) fn touch(&self) -> u64 {
        let mut total = sum([
            &self.spec_version,
            &self.generated_at,
            &self.declaration_type,
            &self.agents_json,
        ]) + sum_all(&self.operates_on);
        if let Some(site) = &self.site {
            total += sum([
                &site.name,
                &site.url,
                &site.description,
                &site.contact,
                &site.privacy_policy,
            ]);
        }
        total += self.capabilities.iter().map(Capability::touch).sum::<u64>();
        if let Some(access) = &self.access {
            total += sum_all(&access.allow) + sum_all(&access.disallow);
        }
        for (name, policy) in &self.agents {
            total += touch(name.as_bytes()) + sum([&policy.agent_declaration]);
            total += policy.rate_limit.as_ref().map_or(0, Rate::touch)
                + policy.capabilities.as_deref().map_or(0, sum_all);
        }
        total
    }
}

impl Capability<'_> {
    fn touch(&self) -> u64 {
        let auth = match &self.auth {
            Some(Auth::Object(auth)) => {
                sum([&auth.kind, &auth.token_endpoint, &auth.docs_url]) + sum_all(&auth.scopes)
            }
            Some(Auth::Type(text)) => touch(text.0.as_bytes()),
            None => 0,
        };
        let parameters = self.parameters.iter().map(|parameter| {
            let default = match &parameter.default {
                Some(Scalar::Text(text)) => touch(text.0.as_bytes()),
                Some(Scalar::Number(number)) => number.to_bits() & 0xFF,
                Some(Scalar::Bool(truth)) => u64::from(*truth),
                None => 0,
            };
            let bounds = [parameter.min, parameter.max]
                .into_iter()
                .flatten()
                .map(|number| number.to_bits() & 0xFF)
                .sum::<u64>();
            sum([&parameter.name, &parameter.location, &parameter.kind, &parameter.description])
                + default
                + bounds
                + u64::from(parameter.required)
        });
        sum([
            &self.id,
            &self.description,
            &self.endpoint,
            &self.method,
            &self.protocol,
            &self.openapi,
        ]) + auth
            + self.rate_limit.as_ref().map_or(0, Rate::touch)
            + parameters.sum::<u64>()
    }
}

impl Rate<'_> {
    fn touch(&self) -> u64 {
        u64::from(self.requests) + sum([&self.window])
    }
}
