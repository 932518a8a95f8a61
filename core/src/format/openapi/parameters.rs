//! Reads the parameters of an operation: those of its path, its own, and the members of its JSON body.

use super::operations::{OperationObject, PathItemObject, json_content, value_at};
use super::refs::Refs;
use super::{Schema, check};
use crate::model::list::{Cursor, states};
use crate::model::{Choice, Enumeration, List, Location, Parameter};
use crate::rules::json::reading::{content_start, kept, raw, raws};
use crate::span::Span;
use crate::syntax::json::view::{Also, Array, Object, view};
use crate::syntax::json::{Kind, Value, next_element, next_member};
use crate::syntax::markdown::Containers;
use crate::syntax::text::Text;

view! {
    /// A parameter.
    pub struct ParameterObject at "4.8.12" welcomes Extensions then parameter {
        /// `name`, required.
        name: Text<'a> = b"name" [Need],
        /// `in`, required: `path`, `query`, `header`, `cookie`, or `querystring` of 3.2.
        location: Text<'a> = b"in" [Need, OneOf(LOCATIONS, Case::Exact, NO_LOCATION)],
        /// `description`.
        description: Text<'a> = b"description",
        /// `required`.
        required: bool = b"required",
        /// `deprecated`.
        deprecated: Also<bool> = b"deprecated",
        /// `allowEmptyValue`.
        allow_empty: Also<bool> = b"allowEmptyValue",
        /// `style`: how lists and objects are written.
        style: Also<Text<'a>> = b"style",
        /// `explode`.
        explode: Also<bool> = b"explode",
        /// `allowReserved`.
        allow_reserved: Also<bool> = b"allowReserved",
        /// `schema`.
        schema: Schema<'a> = b"schema",
        /// `content`: a media type and its schema, instead of `schema`.
        content: Also<Object<'a>> = b"content",
        /// `example`.
        example: Value<'a> = b"example",
        /// `examples`.
        examples: Also<Object<'a>> = b"examples",
    }

    /// A schema. Only what the model shows.
    pub struct SchemaObject {
        /// `type`: a name, or a list of names in 3.1.
        kind: Value<'a> = b"type",
        /// `description`.
        description: Text<'a> = b"description",
        /// `default`.
        default: Value<'a> = b"default",
        /// `example`.
        example: Value<'a> = b"example",
        /// `enum`.
        options: Array<'a> = b"enum",
        /// `minimum`.
        minimum: Value<'a> = b"minimum",
        /// `maximum`.
        maximum: Value<'a> = b"maximum",
        /// `items`.
        items: Value<'a> = b"items",
        /// `properties`.
        properties: Object<'a> = b"properties",
        /// `required`.
        required: Array<'a> = b"required",
        /// `allOf`.
        all_of: Array<'a> = b"allOf",
        /// `readOnly`: the member is only in responses.
        read_only: bool = b"readOnly",
    }
}

impl<'a> SchemaObject<'a> {
    /// Returns the only type besides `null`.
    pub(super) fn one_type(&self) -> Option<Text<'a>> {
        let kind = self.kind?;
        let mut names = kind.elements().filter_map(Value::as_text).filter(|name| *name != "null");
        let first = kind.as_text().or_else(|| names.next())?;
        names.next().is_none().then_some(first)
    }
}

/// Which parameters are next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Those of the path item.
    Shared,
    /// Those of the operation.
    Own,
    /// The members of the body.
    Body,
    /// The members of the next schemas in `allOf`.
    Parts,
}

states!(Stage: Shared, Own, Body, Parts);

states! {
    /// The state of a list of parameters.
    struct Progress {
        stage: Stage,
        /// Whether the body is required.
        is_needed: bool,
        /// The bytes that may still be searched for references, in units of 64.
        budget: u32[24],
        /// How many schemas of `allOf` were read.
        parts: u32[4],
    }
}

const _: () = assert!(super::refs::MOST >> 6 < 1 << 24);

/// How many schemas of `allOf` are read: each repeats its members in the model.
const PARTS: u32 = 15;

/// What the list knows besides, as offsets.
#[derive(Clone, Copy)]
pub(super) struct Places {
    components: u32,
    /// The operation; behind its own parameters, the names that its body requires.
    operation: u32,
    /// The start of `schemas`; behind them, the names that a schema in `allOf` requires.
    required: u32,
    /// The end of `schemas`; behind them, the next schema in `allOf`.
    parts: u32,
}

impl Places {
    fn of(cursor: &Cursor<'_>) -> Self {
        let [components, operation, required, parts] = cursor.containers.numbers();
        Self { components, operation, required, parts }
    }

    fn note(self, cursor: &mut Cursor<'_>) {
        let Self { components, operation, required, parts } = self;
        cursor.containers = Containers::of_numbers([components, operation, required, parts]);
    }
}

/// Returns the parameters of an operation.
pub(super) fn of_operation<'a>(
    refs: &Refs<'a>,
    item: &PathItemObject<'a>,
    operation: &OperationObject<'a>,
) -> List<'a, Parameter<'a>> {
    if item.parameters.is_none()
        && operation.parameters.is_none()
        && operation.request_body.is_none()
    {
        return List::empty();
    }
    let bytes = refs.bytes;
    let start = |value: Value<'a>| Span::of(value.raw(), bytes).start;
    let (stage, list) = match item.parameters {
        Some(list) => (Stage::Shared, Some(list)),
        None => (Stage::Own, operation.parameters),
    };
    let progress = Progress { stage, is_needed: false, budget: refs.budget >> 6, parts: 0 };
    // Nothing begins at the end.
    let position = list.map_or(u32::MAX, |Array(list)| start(list).saturating_add(1));
    let mut parameters = List::new(bytes, progress, next_parameter).from(position);
    if let Some(cursor) = parameters.cursor_mut() {
        let operation = start(operation.object);
        let (required, parts) = refs.schemas;
        Places { components: refs.components, operation, required, parts }.note(cursor);
    }
    parameters
}

fn next_parameter<'a>(cursor: &mut Cursor<'a>) -> Option<Parameter<'a>> {
    loop {
        let (progress, places): (Progress, _) = (cursor.state(), Places::of(cursor));
        let is_listed = matches!(progress.stage, Stage::Shared | Stage::Own);
        let mut refs = Refs {
            bytes: cursor.bytes,
            components: places.components,
            schemas: if is_listed { (places.required, places.parts) } else { (0, 0) },
            budget: progress.budget << 6,
        };
        let found = match progress.stage {
            Stage::Shared | Stage::Own => next_listed(cursor, &mut refs),
            Stage::Body | Stage::Parts => next_of_body(cursor, &mut refs),
        };
        cursor.change(|progress: &mut Progress| progress.budget = refs.budget >> 6);
        match found {
            Next::Is(parameter) => return Some(parameter),
            Next::Skipped => {}
            Next::End => match progress.stage {
                Stage::Shared => {
                    let operation = OperationObject::read(value_at(cursor.bytes, places.operation));
                    cursor.change(|progress: &mut Progress| progress.stage = Stage::Own);
                    cursor.position = u32::MAX;
                    if let Some(Array(own)) = operation.parameters {
                        cursor.go_inside(own.raw());
                    }
                }
                Stage::Own => {
                    let body = open_body(cursor, &places, &mut refs);
                    cursor.change(|progress: &mut Progress| progress.budget = refs.budget >> 6);
                    if body.is_some() {
                        return body;
                    }
                }
                Stage::Body | Stage::Parts => next_part(cursor, &mut refs)?,
            },
        }
    }
}

// Without a heap, the parameter cannot be boxed.
#[allow(clippy::large_enum_variant)]
enum Next<'a> {
    Is(Parameter<'a>),
    /// There is one, but it is not a parameter here.
    Skipped,
    End,
}

/// Returns the next parameter of a list.
fn next_listed<'a>(cursor: &mut Cursor<'a>, refs: &mut Refs<'a>) -> Next<'a> {
    let Some(written) = next_element(cursor.bytes, &mut cursor.position) else {
        return Next::End;
    };
    if written.kind() != Kind::Object {
        return Next::Skipped;
    }
    // What cannot be found is shown as written.
    let value = refs.follow(written).unwrap_or(written);
    let parameter = ParameterObject::read(value);
    let is_shared = cursor.state::<Progress>().stage == Stage::Shared;
    if is_ignored(&parameter) || is_shared && is_overridden(cursor, &parameter, refs) {
        return Next::Skipped;
    }
    let schema = parameter.schema.map_or(Value::ABSENT, |Schema(schema)| schema);
    let schema = SchemaObject::read(refs.follow(schema).unwrap_or(schema));
    let location = match parameter.content {
        // How its value is written is not known.
        Some(_) => Some(Choice { value: Location::UNKNOWN, text: Some(Text::plain(b"content")) }),
        None => parameter.location.map(Choice::read),
    };
    Next::Is(Parameter {
        name: parameter.name,
        location,
        required: parameter.required.or((parameter.location == Some(PATH)).then_some(true)),
        description: parameter.description,
        example: raw(&parameter.example).or(raw(&schema.example)),
        metadata: kept::<ParameterObject<'_>>(&parameter.object, &parameter.seen),
        source: value.raw(),
        ..of_schema(&schema)
    })
}

/// Returns the schema of a parameter as the description has it, and the object that contains it: the
/// parameter or the request body; none for a member of the body. `None` if there is no schema, or if
/// its reference leads nowhere.
pub(crate) fn schema_of<'a>(
    parameter: &Parameter<'a>,
    mut refs: Refs<'a>,
) -> Option<(Value<'a>, Value<'a>)> {
    let source = Value::trusted(parameter.source);
    let is_member = parameter.location.is_some_and(|place| place.value == Location::Body);
    let (schema, object) = if is_member {
        (source, Value::ABSENT)
    } else {
        let object = refs.follow(source).ok()?;
        let written = object.get("schema").or_else(|| json_content(object)?.get("schema"));
        (written?, object)
    };
    refs.follow(schema).ok().map(|_| (schema, object))
}

const PATH: Text<'static> = Text::plain(b"path");
const BODY: Text<'static> = Text::plain(b"body");
/// The place of a body whose members are not known, so that no argument can be put there.
const NO_PLACE: Text<'static> = Text::plain(b"requestBody");

/// What a schema says of a parameter.
fn of_schema<'a>(schema: &SchemaObject<'a>) -> Parameter<'a> {
    Parameter {
        kind: schema.one_type(),
        description: schema.description,
        default: raw(&schema.default),
        example: raw(&schema.example),
        min: raw(&schema.minimum),
        max: raw(&schema.maximum),
        items: raw(&schema.items),
        options: raws(schema.options),
        ..Parameter::default()
    }
}

/// Whether a header is ignored, because other members of the description define it.
pub(super) fn is_ignored(parameter: &ParameterObject<'_>) -> bool {
    let names = ["accept", "content-type", "authorization"];
    parameter.location.is_some_and(|location| location == "header") && { parameter.name }
        .is_some_and(|name| names.iter().any(|own| name.eq_ignore_case(own)))
}

/// The number of parameters of an operation that are compared with one of its path.
const COMPARED: usize = 64;

/// Whether the operation has a parameter of its own instead of one of its path.
fn is_overridden<'a>(
    cursor: &Cursor<'a>,
    shared: &ParameterObject<'a>,
    refs: &mut Refs<'a>,
) -> bool {
    let operation = OperationObject::read(value_at(cursor.bytes, Places::of(cursor).operation));
    let own = operation.parameters.map_or(Value::ABSENT, |Array(own)| own);
    own.elements().take(COMPARED).any(|own| {
        let own = ParameterObject::read(refs.follow(own).unwrap_or(own));
        own.name.is_some() && own.name == shared.name && own.location == shared.location
    })
}

/// Moves to the members of the body. Returns a parameter for a body whose members are not known,
/// which nothing can be sent for.
fn open_body<'a>(
    cursor: &mut Cursor<'a>,
    places: &Places,
    refs: &mut Refs<'a>,
) -> Option<Parameter<'a>> {
    let operation = OperationObject::read(value_at(cursor.bytes, places.operation));
    let written = operation.request_body.map(|Also(Object(body))| body);
    cursor.position = u32::MAX;
    let mut after = Places { operation: 0, required: 0, parts: 0, ..*places };
    let (mut is_needed, mut unread) = (false, None);
    if let Some(written) = written {
        let body = refs.follow(written).unwrap_or(written);
        is_needed = body.get("required").and_then(Value::as_bool) == Some(true);
        let schema = json_content(body).and_then(|media| media.get("schema"));
        let schema = schema.and_then(|schema| refs.follow(schema).ok());
        let schema = SchemaObject::read(schema.unwrap_or(Value::ABSENT));
        let inside = |list: Option<Array<'a>>| {
            list.map_or(0, |Array(list)| content_start(list, cursor.bytes))
        };
        (after.operation, after.parts) = (inside(schema.required), inside(schema.all_of));
        match schema.properties {
            Some(Object(properties)) => cursor.go_inside(properties.raw()),
            None if after.parts > 0 => {}
            None => {
                unread = Some(Parameter {
                    name: Some(NO_PLACE),
                    location: Some(Choice { value: Location::UNKNOWN, text: Some(NO_PLACE) }),
                    required: Some(is_needed),
                    source: written.raw(),
                    ..Parameter::default()
                });
            }
        }
    }
    after.note(cursor);
    cursor.change(|progress: &mut Progress| {
        (progress.stage, progress.is_needed) = (Stage::Body, is_needed);
    });
    unread
}

/// Returns the next member of the body.
fn next_of_body<'a>(cursor: &mut Cursor<'a>, refs: &mut Refs<'a>) -> Next<'a> {
    let Some(member) = next_member(cursor.bytes, &mut cursor.position) else {
        return Next::End;
    };
    let value = refs.follow(member.value).unwrap_or(member.value);
    let schema = SchemaObject::read(value);
    if schema.read_only == Some(true) {
        return Next::Skipped;
    }
    let (places, progress): (_, Progress) = (Places::of(cursor), cursor.state());
    let is_named = |list| is_required(cursor.bytes, list, member.name);
    let is_required = is_named(places.operation) || is_named(places.required);
    Next::Is(Parameter {
        name: Some(member.name),
        location: Some(Choice { value: Location::Body, text: Some(BODY) }),
        required: Some(progress.is_needed && is_required),
        metadata: kept::<SchemaObject<'_>>(&schema.object, &schema.seen),
        source: member.value.raw(),
        ..of_schema(&schema)
    })
}

/// The number of required names that are compared with a member.
const NAMES: usize = 64;

/// Whether the list of names at an offset contains a name.
fn is_required(bytes: &[u8], list: u32, name: Text<'_>) -> bool {
    let mut position = list;
    let names = core::iter::from_fn(|| next_element(bytes, &mut position));
    list > 0 && names.take(NAMES).any(|own| own.as_text() == Some(name))
}

/// Moves to the members of the next schema in `allOf`. `None` behind the last one.
fn next_part<'a>(cursor: &mut Cursor<'a>, refs: &mut Refs<'a>) -> Option<()> {
    let mut places = Places::of(cursor);
    if places.parts == 0 || cursor.state::<Progress>().parts == PARTS {
        return None;
    }
    loop {
        let part = next_element(cursor.bytes, &mut places.parts)?;
        let schema = SchemaObject::read(refs.follow(part).unwrap_or(Value::ABSENT));
        let Some(Object(properties)) = schema.properties else { continue };
        places.required =
            schema.required.map_or(0, |Array(list)| content_start(list, cursor.bytes));
        places.note(cursor);
        cursor.change(|progress: &mut Progress| {
            (progress.stage, progress.budget) = (Stage::Parts, refs.budget >> 6);
            progress.parts = progress.parts.saturating_add(1);
        });
        cursor.go_inside(properties.raw());
        return Some(());
    }
}
