//! OpenAPI descriptions: from bytes to the typed values of all operations.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::structs::{Pairs, Str, sum_of};
use crate::{Task, read_unified, touch};

/// This library and its peer. `agents_json` describes what each of them validates. Besides, this
/// library follows references, joins the URL of a server and a path, and finds which security counts
/// for an operation.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Description<'_>>(bytes).ok().map(|it| it.touch())
        }),
    ]
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Description<'a> {
    #[serde(borrow)]
    openapi: Option<Str<'a>>,
    #[serde(borrow)]
    info: Info<'a>,
    #[serde(borrow)]
    servers: Vec<Server<'a>>,
    #[serde(borrow)]
    paths: Pairs<'a, Pairs<'a, Operation<'a>>>,
    components: Option<IgnoredAny>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Info<'a> {
    #[serde(borrow)]
    title: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    version: Option<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Server<'a> {
    #[serde(borrow)]
    url: Option<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Operation<'a> {
    #[serde(borrow)]
    operation_id: Option<Str<'a>>,
    #[serde(borrow)]
    summary: Option<Str<'a>>,
    #[serde(borrow)]
    parameters: Vec<Parameter<'a>>,
    #[serde(borrow)]
    request_body: Option<Body<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Parameter<'a> {
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow, rename = "in")]
    location: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    required: bool,
    #[serde(borrow)]
    schema: Schema<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Schema<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    properties: Pairs<'a, Property<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Property<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Body<'a> {
    #[serde(borrow)]
    content: Pairs<'a, Media<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Media<'a> {
    #[serde(borrow)]
    schema: Schema<'a>,
}

impl Schema<'_> {
    fn touch(&self) -> u64 {
        let members = self.properties.0.iter();
        let members = members.map(|(name, one)| {
            touch(name.0.as_bytes()).wrapping_add(sum_of([&one.kind, &one.description]))
        });
        members.fold(sum_of([&self.kind, &self.description]), u64::wrapping_add)
    }
}

impl Operation<'_> {
    fn touch(&self) -> u64 {
        let parameters = self.parameters.iter().map(|one| {
            sum_of([&one.name, &one.location, &one.description])
                .wrapping_add(one.schema.touch())
                .wrapping_add(u64::from(one.required))
        });
        let bodies = self.request_body.iter().flat_map(|body| &body.content.0);
        let bodies =
            bodies.map(|(name, media)| touch(name.0.as_bytes()).wrapping_add(media.schema.touch()));
        let own = sum_of([&self.operation_id, &self.summary]);
        parameters.chain(bodies).fold(own, u64::wrapping_add)
    }
}

impl Description<'_> {
    fn touch(&self) -> u64 {
        let Info { title, description, version } = &self.info;
        let servers = self.servers.iter().map(|server| sum_of([&server.url]));
        let operations = self.paths.0.iter().flat_map(|(path, item)| {
            let operations = item
                .0
                .iter()
                .map(|(method, one)| touch(method.0.as_bytes()).wrapping_add(one.touch()));
            operations.chain([touch(path.0.as_bytes())])
        });
        let own = sum_of([&self.openapi, title, description, version])
            .wrapping_add(u64::from(self.components.is_some()));
        servers.chain(operations).fold(own, u64::wrapping_add)
    }
}
