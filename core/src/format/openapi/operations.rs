//! Reads the operations of a description.

use super::parameters::{self, SchemaObject};
use super::refs::{Refs, budget_for};
use super::{DocsObject, OpenApi, check, security};
use crate::model::list::{Cursor, states};
use crate::model::{Capability, List, Output, Raw, Skill};
use crate::rules::json::reading::{Texts, content_start, entries, kept, start_of, texts};
use crate::rules::media::is_json;
use crate::span::Span;
use crate::syntax::json::view::{Also, Array, Object, view};
use crate::syntax::json::{Kind, Value, next_element, next_member};
use crate::syntax::markdown::Containers;
use crate::syntax::text::{Escape, Text};

view! {
    /// The operations of a path. Its operations are the members with the names of methods.
    pub struct PathItemObject at "4.8.9" welcomes Others {
        /// `$ref`: where the path item is.
        reference: Text<'a> = b"$ref",
        /// `summary`.
        summary: Text<'a> = b"summary",
        /// `description`.
        description: Text<'a> = b"description",
        /// `servers`: other servers than those of the description.
        servers: Array<'a> = b"servers" [Each(super::ServerObject::RULES)],
        /// `parameters` of all operations.
        parameters: Array<'a> = b"parameters",
    }

    /// An operation.
    pub struct OperationObject at "4.8.10" welcomes Extensions {
        /// `operationId`.
        id: Text<'a> = b"operationId",
        /// `summary`.
        summary: Text<'a> = b"summary",
        /// `description`.
        description: Text<'a> = b"description",
        /// `tags`.
        tags: Texts<'a> = b"tags" [Texts],
        /// `deprecated`.
        deprecated: Also<bool> = b"deprecated",
        /// `externalDocs`.
        external_docs: Also<Object<'a>> = b"externalDocs" [Inside(DocsObject::RULES)],
        /// `servers`: other servers than those of the description.
        servers: Also<Array<'a>> = b"servers" [Each(super::ServerObject::RULES)],
        /// `parameters`.
        parameters: Array<'a> = b"parameters",
        /// `requestBody`.
        request_body: Also<Object<'a>> = b"requestBody",
        /// `responses`. Required in 3.0.
        responses: Also<Object<'a>> = b"responses" [In(Old, &Need)],
        /// `callbacks`: requests that the service sends.
        callbacks: Also<Object<'a>> = b"callbacks",
        /// `security`: a list of alternatives, instead of those of the description.
        security: Array<'a> = b"security",
    }
}

/// Returns the number of the method that a member of a path item names, in lower case, and the
/// method.
pub(super) fn method_of(name: Text<'_>) -> Option<(u8, &'static str)> {
    let is_lower = !name.chars().any(|c| c.is_ascii_uppercase());
    let mut methods = (0..).zip(Escape::METHODS).filter(|_| is_lower);
    methods.find(|(_, method)| name.eq_ignore_case(method))
}

states! {
    /// The state of the list of operations.
    struct Progress {
        /// Whether the next one is searched for among the members of a path item, and not among the
        /// paths.
        is_inside: bool,
        /// The end of `schemas`.
        schemas_end: u32[31],
    }
}

/// What the list of operations knows besides between two operations, as offsets.
struct Around {
    components: u32,
    /// `schemas`.
    schemas: u32,
    /// The name of the path.
    path: u32,
    /// The path item.
    item: u32,
}

impl Around {
    fn of(cursor: &Cursor<'_>) -> Self {
        let [components, schemas, path, item] = cursor.containers.numbers();
        Self { components, schemas, path, item }
    }

    fn note(self, cursor: &mut Cursor<'_>) {
        let Self { components, schemas, path, item } = self;
        cursor.containers = Containers::of_numbers([components, schemas, path, item]);
    }

    /// What follows references in an object of this length.
    fn refs<'a>(&self, cursor: &Cursor<'a>, length: usize) -> Refs<'a> {
        Refs {
            bytes: cursor.bytes,
            components: self.components,
            schemas: (self.schemas, cursor.state::<Progress>().schemas_end),
            budget: budget_for(length),
        }
    }
}

/// Returns the operations of a description.
pub(super) fn capabilities<'a>(description: &OpenApi<'a>) -> List<'a, Capability<'a>> {
    let (bytes, paths) = (description.top.object.raw(), description.top.paths);
    let Some(Object(paths)) = paths.filter(|_| description.is_read()) else {
        return List::empty();
    };
    let Refs { components, schemas: (schemas, schemas_end), .. } = description.refs(0);
    let mut list = List::new(bytes, Progress { is_inside: false, schemas_end }, next_operation)
        .from(content_start(paths, bytes));
    if let Some(cursor) = list.cursor_mut() {
        Around { components, schemas, path: 0, item: 0 }.note(cursor);
    }
    list
}

/// Returns the next operation. Path items that cannot be read have none.
fn next_operation<'a>(cursor: &mut Cursor<'a>) -> Option<Capability<'a>> {
    let bytes = cursor.bytes;
    loop {
        let (around, is_inside) = (Around::of(cursor), cursor.state::<Progress>().is_inside);
        let Some(member) = next_member(bytes, &mut cursor.position) else {
            if !is_inside {
                return None;
            }
            // Goes on behind the path.
            cursor.position = around.path;
            next_member(bytes, &mut cursor.position)?;
            cursor.change(|progress: &mut Progress| progress.is_inside = false);
            continue;
        };
        if is_inside {
            if let Some(method) = method_of(member.name)
                && member.value.kind() == Kind::Object
            {
                let refs = around.refs(cursor, member.value.raw().len());
                return Some(capability(refs, &around, method, member.value));
            }
            continue;
        }
        let Ok(item) = around.refs(cursor, member.value.raw().len()).follow(member.value) else {
            continue;
        };
        if member.name.chars().next() == Some('/') && item.kind() == Kind::Object {
            let path = Span::of(member.name.raw(), bytes).start.saturating_sub(1);
            let start = Span::of(item.raw(), bytes).start;
            Around { path, item: start, ..around }.note(cursor);
            cursor.position = start.saturating_add(1);
            cursor.change(|progress: &mut Progress| progress.is_inside = true);
        }
    }
}

/// Returns the value at an offset of a description.
pub(crate) fn value_at(bytes: &[u8], offset: u32) -> Value<'_> {
    next_element(bytes, &mut { offset }).unwrap_or(Value::ABSENT)
}

fn capability<'a>(
    mut refs: Refs<'a>,
    around: &Around,
    (number, method): (u8, &'static str),
    value: Value<'a>,
) -> Capability<'a> {
    let operation = OperationObject::read(value);
    let item = PathItemObject::read(value_at(refs.bytes, around.item));
    let path = value_at(refs.bytes, around.path).as_text().unwrap_or_default();
    let (auth, is_optional) = security::of_operation(&operation, &mut refs);
    let named = operation.id.filter(|id| !id.is_blank());
    let own_servers = operation.servers.map(|Also(Array(servers))| servers);
    let servers = own_servers.or(item.servers.map(|Array(servers)| servers));
    let is_there = operation.summary.is_some() || operation.tags.is_some();
    Capability {
        id: named.or(Some(Text::escaped(path.raw(), Escape::operation(number)))),
        description: [operation.description, operation.summary, item.description, item.summary]
            .into_iter()
            .flatten()
            .find(|text| !text.is_blank()),
        // The path is not at the servers of the description.
        endpoint: Some(servers.filter(|list| has_elements(*list)).map_or(path, start_of)),
        method: Some(Text::plain(method.as_bytes())),
        auth,
        auth_required: is_optional.then_some(false),
        parameters: parameters::of_operation(&refs, &item, &operation),
        outputs: outputs(&operation, &mut refs),
        skill: is_there.then(|| Skill {
            title: operation.summary,
            tags: texts(operation.tags),
            ..Skill::default()
        }),
        metadata: kept::<OperationObject<'_>>(&operation.object, &operation.seen),
        source: value.raw(),
        ..Capability::default()
    }
}

fn has_elements(list: Value<'_>) -> bool {
    list.elements().next().is_some()
}

/// Returns the members of the JSON object that a successful call returns.
fn outputs<'a>(operation: &OperationObject<'a>, refs: &mut Refs<'a>) -> List<'a, Output<'a>> {
    let schema = operation.responses.and_then(|Also(Object(responses))| {
        let is_success =
            |name: Text<'_>| name.chars().next() == Some('2') && name.decoded_len() == 3;
        let response = responses.members().find(|response| is_success(response.name))?;
        let response = refs.follow(response.value).ok()?;
        let schema = refs.follow(json_content(response)?.get("schema")?).ok()?;
        SchemaObject::read(schema).properties
    });
    entries(schema, |cursor| {
        let member = cursor.next_entry()?;
        let kind = SchemaObject::read(member.value).one_type();
        Some(Output { name: member.name, kind: kind.map_or(Raw::Json(member.value), Raw::Text) })
    })
}

/// Returns the first JSON media type in the `content` of a body or a response.
pub(super) fn json_content(body: Value<'_>) -> Option<Value<'_>> {
    let content = body.get("content")?;
    let found = content.members().find(|media| is_json(media.name))?;
    Some(found.value)
}
