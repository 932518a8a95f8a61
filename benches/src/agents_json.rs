//! agents.json of the Internet-Draft: from bytes to every typed value.

use std::borrow::Cow;
use std::collections::BTreeMap;

use agentsdisc_core::{Document, Format, ParseOptions};
use jiter::{Jiter, JiterError, Peek};
use serde::Deserialize;

use crate::{Task, Toucher, touch, walk};

/// Ours and the peers.
pub fn tasks() -> Vec<Task> {
    #[allow(unused_mut)]
    let mut tasks = vec![
        // Detection, UTF-8, the whole grammar and limits, while every value is told in one pass; the rest by accessors. Unknown members included.
        // No heap.
        Task::new("agentsdisc read", |bytes| read(bytes, None)),
        // The same with the format given.
        Task::new("agentsdisc read, format forced", |bytes| read(bytes, Some(Format::AgentsJson))),
        // Parsed first; then every accessor of the unified model.
        Task::new("agentsdisc model", |bytes| ours(bytes, None)),
        // The same with the format given.
        Task::new("agentsdisc model, format forced", |bytes| ours(bytes, Some(Format::AgentsJson))),
        // Only what comes before any value can be read.
        Task::new("agentsdisc parse only", |bytes| {
            Document::parse(bytes).ok().map(|document| u64::from(document.outline().format() as u8))
        }),
        // All of the grammar; UTF-8 of strings that are kept. Unknown members are skipped; numbers are converted. Lists are on the heap.
        Task::new("serde_json structs", |bytes| serde_json::from_slice::<Manifest<'_>>(bytes).ok().map(|manifest| manifest.touch())),
        // A tree on the heap, of everything; then all of it is walked.
        Task::new("serde_json Value", |bytes| serde_json::from_slice::<serde_json::Value>(bytes).ok().map(|value| touch_tree(&value))),
        // As for serde_json; UTF-8 of the whole text is checked.
        Task::new("sonic-rs structs", |bytes| sonic_rs::from_slice::<Manifest<'_>>(bytes).ok().map(|manifest| manifest.touch())),
        Task::new("sonic-rs Value", |bytes| sonic_rs::from_slice::<sonic_rs::Value>(bytes).ok().map(|value| touch_sonic(&value))),
        // Two passes of its own (index, tape) in buffers that are used again, then the structs. It unescapes in place: the text is copied first.
        simd_json_structs(),
        simd_json_tree(),
        // Member by member by hand, no structs and no lists: strings are checked for UTF-8, unknown members skipped.
        Task::new("jiter by hand", |bytes| jiter_walk(bytes).ok()),
    ];
    #[cfg(simdjson)]
    tasks.push(crate::simdjson::agents_json_task());
    tasks
}

fn read(bytes: &[u8], format: Option<Format>) -> Option<u64> {
    let mut toucher = Toucher::default();
    walk::read(bytes, &ParseOptions { format, ..ParseOptions::default() }, &mut toucher).ok()?;
    Some(toucher.0)
}

fn ours(bytes: &[u8], format: Option<Format>) -> Option<u64> {
    let document = Document::parse_with(bytes, &ParseOptions { format, ..ParseOptions::default() }).ok()?;
    let mut toucher = Toucher::default();
    walk::manifest(&document.manifest(), &mut toucher);
    Some(toucher.0)
}

/// A string that is borrowed where nothing is escaped.
#[derive(Deserialize)]
#[serde(transparent)]
struct Str<'a>(#[serde(borrow)] Cow<'a, str>);

/// The draft's own shapes, which is what most callers would write down.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Manifest<'a> {
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

/// In the draft's shape or as the string that its author publishes.
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

/// What a default is.
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
    fn touch(&self) -> u64 {
        let mut total =
            sum([&self.spec_version, &self.generated_at, &self.declaration_type, &self.agents_json]) + sum_all(&self.operates_on);
        if let Some(site) = &self.site {
            total += sum([&site.name, &site.url, &site.description, &site.contact, &site.privacy_policy]);
        }
        total += self.capabilities.iter().map(Capability::touch).sum::<u64>();
        if let Some(access) = &self.access {
            total += sum_all(&access.allow) + sum_all(&access.disallow);
        }
        for (name, policy) in &self.agents {
            total += touch(name.as_bytes()) + sum([&policy.agent_declaration]);
            total += policy.rate_limit.as_ref().map_or(0, Rate::touch) + policy.capabilities.as_deref().map_or(0, sum_all);
        }
        total
    }
}

impl Capability<'_> {
    fn touch(&self) -> u64 {
        let auth = match &self.auth {
            Some(Auth::Object(auth)) => sum([&auth.kind, &auth.token_endpoint, &auth.docs_url]) + sum_all(&auth.scopes),
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
            let bounds = [parameter.min, parameter.max].into_iter().flatten().map(|number| number.to_bits() & 0xFF).sum::<u64>();
            sum([&parameter.name, &parameter.location, &parameter.kind, &parameter.description])
                + default
                + bounds
                + u64::from(parameter.required)
        });
        sum([&self.id, &self.description, &self.endpoint, &self.method, &self.protocol, &self.openapi])
            + auth
            + self.rate_limit.as_ref().map_or(0, Rate::touch)
            + parameters.sum::<u64>()
    }
}

impl Rate<'_> {
    fn touch(&self) -> u64 {
        u64::from(self.requests) + sum([&self.window])
    }
}

fn touch_tree(value: &serde_json::Value) -> u64 {
    use serde_json::Value;
    match value {
        Value::String(text) => touch(text.as_bytes()),
        Value::Array(items) => items.iter().map(touch_tree).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| touch(name.as_bytes()) + touch_tree(value)).sum(),
        Value::Number(number) => number.as_u64().unwrap_or_default(),
        Value::Bool(truth) => u64::from(*truth),
        Value::Null => 0,
    }
}

fn touch_sonic(value: &sonic_rs::Value) -> u64 {
    use sonic_rs::{JsonContainerTrait, JsonValueTrait};
    if let Some(text) = value.as_str() {
        touch(text.as_bytes())
    } else if let Some(items) = value.as_array() {
        items.iter().map(touch_sonic).sum()
    } else if let Some(members) = value.as_object() {
        members.iter().map(|(name, value)| touch(name.as_bytes()) + touch_sonic(value)).sum()
    } else {
        value.as_u64().unwrap_or_default()
    }
}

fn simd_json_structs() -> Task {
    let mut copy = Vec::new();
    let mut buffers = simd_json::Buffers::default();
    Task::new("simd-json structs", move |bytes| {
        copy.clear();
        copy.extend_from_slice(bytes);
        simd_json::serde::from_slice_with_buffers::<Manifest<'_>>(&mut copy, &mut buffers).ok().map(|manifest| manifest.touch())
    })
}

fn simd_json_tree() -> Task {
    use simd_json::BorrowedValue;
    fn touch_simd(value: &BorrowedValue<'_>) -> u64 {
        match value {
            BorrowedValue::String(text) => touch(text.as_bytes()),
            BorrowedValue::Array(items) => items.iter().map(touch_simd).sum(),
            BorrowedValue::Object(members) => members.iter().map(|(name, value)| touch(name.as_bytes()) + touch_simd(value)).sum(),
            BorrowedValue::Static(_) => 1,
        }
    }
    let mut copy = Vec::new();
    let mut buffers = simd_json::Buffers::default();
    Task::new("simd-json Value", move |bytes| {
        copy.clear();
        copy.extend_from_slice(bytes);
        simd_json::to_borrowed_value_with_buffers(&mut copy, &mut buffers).ok().map(|value| touch_simd(&value))
    })
}

type Read<T> = Result<T, JiterError>;

fn jiter_walk(bytes: &[u8]) -> Read<u64> {
    let mut jiter = Jiter::new(bytes);
    let peek = jiter.peek()?;
    let total = object(&mut jiter, peek, |name, jiter, peek| match name {
        b"specVersion" | b"generatedAt" | b"declarationType" | b"agentsJson" => text(jiter, peek),
        b"operatesOn" => array(jiter, peek, text),
        b"site" => object(jiter, peek, |name, jiter, peek| match name {
            b"name" | b"url" | b"description" | b"contact" | b"privacyPolicy" => text(jiter, peek),
            _ => skip(jiter, peek),
        }),
        b"capabilities" => array(jiter, peek, capability),
        b"access" => object(jiter, peek, |name, jiter, peek| match name {
            b"allow" | b"disallow" => array(jiter, peek, text),
            _ => skip(jiter, peek),
        }),
        b"agents" if peek == Peek::Object => object(jiter, peek, |name, jiter, peek| {
            let name = touch(name);
            let policy = object(jiter, peek, |name, jiter, peek| match name {
                b"rateLimit" => rate(jiter, peek),
                b"capabilities" => array(jiter, peek, text),
                b"agentDeclaration" => text(jiter, peek),
                _ => skip(jiter, peek),
            })?;
            Ok(name + policy)
        }),
        _ => skip(jiter, peek),
    })?;
    jiter.finish()?;
    Ok(total)
}

fn capability(jiter: &mut Jiter<'_>, peek: Peek) -> Read<u64> {
    object(jiter, peek, |name, jiter, peek| match name {
        b"id" | b"description" | b"endpoint" | b"method" | b"protocol" | b"openapi" => text(jiter, peek),
        b"auth" if peek == Peek::Object => object(jiter, peek, |name, jiter, peek| match name {
            b"type" | b"tokenEndpoint" | b"docsUrl" => text(jiter, peek),
            b"scopes" => array(jiter, peek, text),
            _ => skip(jiter, peek),
        }),
        b"auth" => text(jiter, peek),
        b"rateLimit" => rate(jiter, peek),
        b"parameters" | b"params" => array(jiter, peek, |jiter, peek| {
            object(jiter, peek, |name, jiter, peek| match name {
                b"name" | b"in" | b"location" | b"type" | b"description" => text(jiter, peek),
                b"required" => Ok(u64::from(jiter.known_bool(peek)?)),
                b"default" if peek == Peek::String => text(jiter, peek),
                _ => skip(jiter, peek),
            })
        }),
        _ => skip(jiter, peek),
    })
}

fn rate(jiter: &mut Jiter<'_>, peek: Peek) -> Read<u64> {
    object(jiter, peek, |name, jiter, peek| match name {
        b"requests" => Ok(matches!(jiter.known_int(peek)?, jiter::NumberInt::Int(_)).into()),
        b"window" => text(jiter, peek),
        _ => skip(jiter, peek),
    })
}

fn text(jiter: &mut Jiter<'_>, peek: Peek) -> Read<u64> {
    if peek == Peek::String { Ok(touch(jiter.known_str()?.as_bytes())) } else { skip(jiter, peek) }
}

fn skip(jiter: &mut Jiter<'_>, peek: Peek) -> Read<u64> {
    jiter.known_skip(peek)?;
    Ok(0)
}

fn array<'j>(jiter: &mut Jiter<'j>, peek: Peek, item: impl Fn(&mut Jiter<'j>, Peek) -> Read<u64>) -> Read<u64> {
    if peek != Peek::Array {
        return skip(jiter, peek);
    }
    let mut total = 0;
    let mut next = jiter.known_array()?;
    while let Some(peek) = next {
        total += item(jiter, peek)?;
        next = jiter.array_step()?;
    }
    Ok(total)
}

/// The name is copied, because the reader lends it only until it goes on.
fn object<'j>(jiter: &mut Jiter<'j>, peek: Peek, member: impl Fn(&[u8], &mut Jiter<'j>, Peek) -> Read<u64>) -> Read<u64> {
    if peek != Peek::Object {
        return skip(jiter, peek);
    }
    let mut total = 0;
    let mut name = [0; 64];
    let keep = |text: &str, name: &mut [u8; 64]| {
        let length = text.len().min(name.len());
        if let (Some(place), Some(text)) = (name.get_mut(..length), text.as_bytes().get(..length)) {
            place.copy_from_slice(text);
        }
        length
    };
    let mut next = jiter.known_object()?.map(|text| keep(text, &mut name));
    while let Some(length) = next {
        let peek = jiter.peek()?;
        total += member(name.get(..length).unwrap_or_default(), jiter, peek)?;
        next = jiter.next_key()?.map(|text| keep(text, &mut name));
    }
    Ok(total)
}
