//! Reads the operations of a description.

use super::parameters::{self, SchemaObject};
use super::refs::{Refs, budget_for};
use super::{DocsObject, OpenApi, check, security};
use crate::model::list::{Cursor, states};
use crate::model::{Capability, List, Output, Raw, Skill};
use crate::rules::json::reading::{Texts, content_start, entries, kept, start_of, texts};
use crate::rules::media::is_json;
use crate::rules::method::is_token;
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
        /// `additionalOperations` of 3.2: from another method, as it is sent, to its operation.
        additional: Object<'a> = b"additionalOperations" [Names, ThenValue(additional_methods)],
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

/// Whether a member of `additionalOperations` is an operation: its name is a method (RFC 9110 section
/// 5.6.2) that no member of the path item stands for.
pub(super) fn is_additional(name: Text<'_>) -> bool {
    !name.is_blank()
        && is_token(name.chars())
        && !Escape::METHODS.iter().any(|method| name == **method)
}

/// Returns the number of the method that a member of a path item names, in lower case, and the
/// method.
pub(super) fn method_of(name: Text<'_>) -> Option<(u8, &'static str)> {
    let is_lower = !name.chars().any(|c| c.is_ascii_uppercase());
    let mut methods = (0..).zip(Escape::METHODS).filter(|_| is_lower);
    methods.find(|(_, method)| name.eq_ignore_case(method))
}

/// Where the next operation is searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Among the paths.
    Paths,
    /// Among the members of a path item.
    Item,
    /// In its `additionalOperations`.
    Additional,
}

states!(Stage: Paths, Item, Additional);

states! {
    /// The state of the list of operations.
    struct Progress {
        stage: Stage,
        /// The end of `schemas`.
        schemas_end: u32[30],
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
    let Refs { components, schemas, .. } = description.refs(0);
    // An end that the state has no room for would lead back to the start.
    let (schemas, schemas_end) = if schemas.1 >> 30 == 0 { schemas } else { (0, 0) };
    let mut list = List::new(bytes, Progress { stage: Stage::Paths, schemas_end }, next_operation)
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
        let (around, stage) = (Around::of(cursor), cursor.state::<Progress>().stage);
        let go = |cursor: &mut Cursor<'a>, stage| {
            cursor.change(|progress: &mut Progress| progress.stage = stage);
        };
        let Some(member) = next_member(bytes, &mut cursor.position) else {
            let item = match stage {
                Stage::Paths => return None,
                Stage::Item => PathItemObject::read(value_at(bytes, around.item)).additional,
                Stage::Additional => None,
            };
            if let Some(Object(additional)) = item {
                cursor.go_inside(additional.raw());
                go(cursor, Stage::Additional);
            } else {
                // Goes on behind the path.
                cursor.position = around.path;
                next_member(bytes, &mut cursor.position)?;
                go(cursor, Stage::Paths);
            }
            continue;
        };
        if stage != Stage::Paths {
            let method = match stage {
                Stage::Item => method_of(member.name).map(|(number, method)| {
                    (Some(Escape::operation(number)), Text::plain(method.as_bytes()))
                }),
                _ => is_additional(member.name).then_some((None, member.name)),
            };
            if let Some(method) = method.filter(|_| member.value.kind() == Kind::Object) {
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
            go(cursor, Stage::Item);
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
    (with_method, method): (Option<Escape>, Text<'a>),
    value: Value<'a>,
) -> Capability<'a> {
    let operation = OperationObject::read(value);
    let item = PathItemObject::read(value_at(refs.bytes, around.item));
    let path = value_at(refs.bytes, around.path).as_text().unwrap_or_default();
    let (auth, is_optional) = security::of_operation(&operation, &mut refs);
    let named = operation.id.filter(|id| !id.is_blank());
    let made = with_method.map_or(path, |escape| Text::escaped(path.raw(), escape));
    let own_servers = operation.servers.map(|Also(Array(servers))| servers);
    let servers = own_servers.or(item.servers.map(|Array(servers)| servers));
    let is_there = operation.summary.is_some() || operation.tags.is_some();
    Capability {
        id: named.or(Some(made)),
        description: [operation.description, operation.summary, item.description, item.summary]
            .into_iter()
            .flatten()
            .find(|text| !text.is_blank()),
        // The path is not at the servers of the description.
        endpoint: Some(servers.filter(|list| has_elements(*list)).map_or(path, start_of)),
        method: Some(method),
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

/// Returns the response to a successful call, with its status.
fn success<'a>(
    operation: &OperationObject<'a>,
    refs: &mut Refs<'a>,
) -> Option<(Text<'a>, Value<'a>)> {
    let Also(Object(responses)) = operation.responses?;
    let is_success = |name: Text<'_>| name.chars().next() == Some('2') && name.decoded_len() == 3;
    let response = responses.members().find(|response| is_success(response.name))?;
    Some((response.name, refs.follow(response.value).ok()?))
}

/// The examples that a description states for an operation.
pub(crate) struct Examples<'a> {
    /// The body of the request.
    pub(crate) body: Option<Value<'a>>,
    /// The status of a successful response, and its body.
    pub(crate) response: Option<(u32, Option<Value<'a>>)>,
}

impl<'a> OpenApi<'a> {
    /// Returns the examples of the operation with these bytes. A response with JSON content counts
    /// only with an example of it.
    pub(crate) fn examples(&self, operation: &'a [u8]) -> Examples<'a> {
        let operation = OperationObject::read(Value::trusted(operation));
        let mut refs = self.refs(budget_for(operation.object.raw().len()));
        let body = operation.request_body.and_then(|Also(Object(body))| {
            let body = refs.follow(body).ok()?;
            example_of(json_content(body)?, &mut refs)
        });
        let response = success(&operation, &mut refs).and_then(|(status, response)| {
            let mut digits = status.chars().map(|c| c.to_digit(10));
            let status = digits.try_fold(0_u32, |number, digit| {
                Some(number.saturating_mul(10).saturating_add(digit?))
            })?;
            if response.get("content").is_none() {
                return Some((status, None));
            }
            Some((status, Some(example_of(json_content(response)?, &mut refs)?)))
        });
        Examples { body, response }
    }
}

/// Returns the first example of a media type, or that of its schema.
fn example_of<'a>(media: Value<'a>, refs: &mut Refs<'a>) -> Option<Value<'a>> {
    if let Some(example) = media.get("example") {
        return Some(example);
    }
    let first = media.get("examples").and_then(|examples| examples.members().next());
    if let Some(first) = first
        && let Ok(example) = refs.follow(first.value)
        && let Some(value) = example.get("value")
    {
        return Some(value);
    }
    SchemaObject::read(refs.follow(media.get("schema")?).ok()?).example
}

/// Returns the members of the JSON object that a successful call returns.
fn outputs<'a>(operation: &OperationObject<'a>, refs: &mut Refs<'a>) -> List<'a, Output<'a>> {
    let schema = success(operation, refs).and_then(|(_, response)| {
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
