//! Reads the tools that a card lists.

use super::{McpServerCard, Transports, auth, check};
use crate::model::list::Cursor;
use crate::model::{
    Capability, Choice, List, Output, Parameter, Protocol, Raw, Reading, Sensitivity, Skill,
};
use crate::rules::json::reading::{
    Texts, entries, guarded, guards, has_unread_auth, kept, raw, raws, texts,
};
use crate::scan;
use crate::span::Span;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::record::{Fields, Slot};
use crate::syntax::json::view::{Array, Object, Read, Shape, View, view};
use crate::syntax::json::{Holds, Kind, Value, next_element};
use crate::syntax::text::Text;

view! {
    /// A tool.
    pub struct ToolObject at "" welcomes Anything then tool {
        /// `name`, required.
        name: Text<'a> = b"name" [If(is_listed, &Need)],
        /// `title`.
        title: Text<'a> = b"title",
        /// `description`.
        description: Text<'a> = b"description",
        /// `inputSchema`: a JSON Schema; also read: an object from name to parameter, or a list of
        /// parameters.
        input: Input<'a> = b"inputSchema" | b"input_schema" | b"parameters" | b"params",
        /// `outputSchema`.
        output: Results<'a> = b"outputSchema" | b"output_schema",
        /// `annotations`.
        annotations: Annotations<'a> = b"annotations",
        /// The URL of a tool that is called without MCP, possibly after its method.
        endpoint: Text<'a> = b"endpoint" | b"url",
        /// The HTTP method of such a tool.
        method: Text<'a> = b"method",
        /// Whether callers must authenticate.
        auth_required: bool = b"auth_required" | b"requiresAuth" | b"requires_auth"
            | b"authRequired" => guards,
        /// How callers authenticate.
        security: Value<'a> = b"securitySchemes" | b"authentication" | b"auth" => auth::weight [Inside(auth::AuthObject::RULES), Among(auth::SchemeObject::RULES)],
        /// Whether a person must confirm the call.
        confirmation: bool = b"requires_confirmation" | b"requiresConfirmation" => guards,
        /// Keywords.
        tags: Texts<'a> = b"tags",
        /// Example requests.
        examples: Texts<'a> = b"examples",
    }

    /// The JSON Schema of the input or the output.
    pub struct SchemaObject {
        /// `type`.
        kind: Text<'a> = b"type",
        /// `properties`.
        properties: Object<'a> = b"properties",
        /// `required`.
        required: Array<'a> = b"required",
    }

    /// The hints of a tool.
    pub struct AnnotationObject {
        /// `title`.
        title: Text<'a> = b"title",
        /// `readOnlyHint`.
        read_only: bool = b"readOnlyHint",
        /// `destructiveHint`.
        destructive: bool = b"destructiveHint",
    }

    /// A property of the input.
    pub struct PropertyObject {
        /// `name`, in a list.
        name: Text<'a> = b"name",
        /// `type`.
        kind: Text<'a> = b"type",
        /// `description`.
        description: Text<'a> = b"description",
        /// `required`.
        required: bool = b"required",
        /// `default`.
        default: Value<'a> = b"default",
        /// `example`.
        example: Value<'a> = b"example",
        /// `minimum`.
        minimum: Value<'a> = b"minimum",
        /// `maximum`.
        maximum: Value<'a> = b"maximum",
        /// `items`.
        items: Value<'a> = b"items",
        /// `enum`.
        options: Array<'a> = b"enum" | b"options",
    }
}

const AUTH_REQUIRED: u32 = ToolObject::auth_required;
const CONFIRMATION: u32 = ToolObject::confirmation;
const DESTRUCTIVE: u32 = AnnotationObject::destructive;

/// A list of tools, or an object from name to tool.
#[derive(Clone, Copy, Debug)]
pub struct Tools<'a>(pub Value<'a>);

impl<'a> Read<'a> for Tools<'a> {
    const SHAPE: Shape = Shape::Any;

    const KEPT: bool = true;
    const WHOLE: Holds = Holds::OBJECTS;

    fn read(value: Value<'a>) -> Option<Self> {
        super::is_container(value).then_some(Self(value))
    }

    fn keeps(value: Value<'a>) -> bool {
        !value.elements().all(is_tool) || !value.members().all(|member| is_tool(member.value))
    }
}

fn is_object(value: Value<'_>) -> bool {
    value.kind() == Kind::Object
}

/// Whether an item of a list is a tool. The string `dynamic` is not a tool: it means that only the
/// server knows its tools.
fn is_tool(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::String => value.as_text().is_some_and(|name| name != "dynamic"),
        kind => kind == Kind::Object,
    }
}

/// The input of a tool: a JSON Schema, an object from name to parameter, or a list of parameters.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(pub SchemaObject<'a>);

impl<'a> Read<'a> for Input<'a> {
    const SHAPE: Shape = Shape::Object;
    const KEPT: bool = true;
    const NESTED: Option<Lookup> = Some(Lookup::of::<SchemaObject<'_>>());

    fn read(value: Value<'a>) -> Option<Self> {
        super::is_container(value).then(|| Self(SchemaObject::read(value)))
    }

    #[inline]
    fn read_slot(bytes: &'a [u8], slot: Slot, nested: Option<Fields<'_>>) -> Option<Self> {
        match nested {
            Some(fields) => Some(Self(SchemaObject::of_fields(bytes, fields))),
            None => Self::read(slot.value(bytes)),
        }
    }

    /// True if a schema contains more than its properties, or a list contains items that are not
    /// objects.
    fn keeps(value: Value<'a>) -> bool {
        SchemaObject::read(value).is_kept()
    }

    fn is_kept(&self, _: &'a [u8], _: Slot) -> bool {
        self.0.is_kept()
    }
}

impl SchemaObject<'_> {
    /// Whether this is a JSON Schema, and not an object from name to parameter.
    fn is_schema(&self) -> bool {
        self.kind.is_some() || self.properties.is_some()
    }

    /// Whether the input is kept as metadata, too: it is a schema that contains more than its
    /// properties, or a list with items that are not objects.
    fn is_kept(&self) -> bool {
        (self.is_schema() && self.says_more()) || !self.object.elements().all(is_object)
    }

    /// Whether the schema has members that the view does not read.
    fn says_more(&self) -> bool {
        self.seen.unknown != Span::default() || self.seen.ill_typed != 0
    }
}

/// The output of a tool, a JSON Schema.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a>(pub Value<'a>);

impl<'a> Read<'a> for Results<'a> {
    const SHAPE: Shape = Shape::Object;
    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        (value.kind() == Kind::Object).then_some(Self(value))
    }

    /// The model shows only the properties, so a schema that contains more is kept.
    fn keeps(value: Value<'a>) -> bool {
        let schema = SchemaObject::read(value);
        schema.says_more() || schema.required.is_some()
    }
}

/// The hints of a tool. They are kept as metadata, because the model shows only a part of them.
#[derive(Clone, Copy, Debug)]
pub struct Annotations<'a>(pub AnnotationObject<'a>);

impl<'a> Read<'a> for Annotations<'a> {
    const SHAPE: Shape = Shape::Object;
    const KEPT: bool = true;
    const NESTED: Option<Lookup> = Some(Lookup::of::<AnnotationObject<'_>>());

    fn read(value: Value<'a>) -> Option<Self> {
        (value.kind() == Kind::Object).then(|| Self(AnnotationObject::read(value)))
    }

    #[inline]
    fn read_slot(bytes: &'a [u8], slot: Slot, nested: Option<Fields<'_>>) -> Option<Self> {
        match nested {
            Some(fields) => Some(Self(AnnotationObject::of_fields(bytes, fields))),
            None => Self::read(slot.value(bytes)),
        }
    }
}

/// The maximum length of the URL of a server that is repeated in each of its tools, in bytes.
const URL: usize = 512;

/// Returns the tools of a card from the top level, otherwise from `capabilities`, otherwise from
/// `transports` or `endpoints`.
pub(super) fn capabilities<'a>(card: &McpServerCard<'a>) -> List<'a, Capability<'a>> {
    let Some(tools) = listed(card) else {
        return List::empty();
    };
    let bytes = card.top.object.raw();
    // The state is the offset of the URL of the first server, or 0.
    let url = card.endpoints().find_map(|endpoint| endpoint.url);
    let url = url.map_or(&b""[..], Text::raw);
    let server = match url.len() {
        1..=URL => Span::of(url, bytes).start.saturating_sub(1),
        _ => 0,
    };
    let step = match tools.kind() {
        Kind::Array => next_tool,
        _ => next_named_tool,
    };
    let start = Span::of(tools.raw(), bytes).start.saturating_add(1);
    List::new(bytes, server, step).from(start)
}

fn listed<'a>(card: &McpServerCard<'a>) -> Option<Value<'a>> {
    let top = &card.top;
    let inside = |object: Option<Value<'a>>| {
        let tools = object?.get("tools")?;
        (tools.kind() == Kind::Array).then_some(tools)
    };
    top.tools
        .map(|Tools(tools)| tools)
        .or_else(|| inside(top.capabilities.map(|Object(flags)| flags)))
        .or_else(|| inside(top.transports.map(|Transports(list)| list)))
}

/// Returns the JSON Schema of the input of a tool, as given.
pub(crate) fn input_schema<'a>(tool: &Capability<'a>) -> Option<Value<'a>> {
    let Input(schema) = ToolObject::read(Value::trusted(tool.source)).input?;
    schema.is_schema().then_some(schema.object)
}

/// Returns the URL of the first server.
fn url_at<'a>(cursor: &Cursor<'a>) -> Option<Text<'a>> {
    let mut url: u32 = cursor.state();
    if url == 0 {
        return None;
    }
    next_element(cursor.bytes, &mut url)?.as_text()
}

fn next_tool<'a>(cursor: &mut Cursor<'a>) -> Option<Capability<'a>> {
    loop {
        let tool: ToolObject<'_> = cursor.next_element_view()?;
        if is_tool(tool.object) {
            return Some(capability(None, &tool, url_at(cursor)));
        }
    }
}

fn next_named_tool<'a>(cursor: &mut Cursor<'a>) -> Option<Capability<'a>> {
    loop {
        let (name, tool) = cursor.next_entry_view::<ToolObject<'_>>()?;
        if is_tool(tool.object) {
            return Some(capability(Some(name), &tool, url_at(cursor)));
        }
    }
}

/// Reads a tool. A string in a list is the name of a tool; a string in an object is the description
/// of the tool.
fn capability<'a>(
    name: Option<Text<'a>>,
    tool: &ToolObject<'a>,
    server: Option<Text<'a>>,
) -> Capability<'a> {
    let text = tool.object.as_text();
    let is_unread = has_unread_auth::<ToolObject<'_>>(&tool.object, &tool.seen);
    let id = tool.name.or(name).or(text);
    let own = tool.endpoint.map(split);
    // A tool with a URL of its own is called at that URL, without MCP.
    let by_protocol = own.is_none();
    let (method, endpoint) = match own {
        Some((method, url)) => (tool.method.or(method), Some(url)),
        None => (tool.method, server),
    };
    Capability {
        id,
        description: tool.description.or(text.filter(|_| name.is_some())),
        endpoint,
        method,
        protocol: by_protocol.then_some(Choice::implied(Protocol::Mcp)),
        via: by_protocol.then_some(Text::plain(b"mcp")),
        operation: id.filter(|_| by_protocol),
        auth: tool.security.or(is_unread.then_some(Value::ABSENT)).map(auth::of_tool),
        auth_required: guarded(tool.auth_required, &tool.seen, AUTH_REQUIRED),
        parameters: tool.input.map_or_else(List::empty, |Input(schema)| parameters(&schema)),
        outputs: outputs(tool.output),
        sensitivity: sensitivity(tool.annotations),
        requires_confirmation: guarded(tool.confirmation, &tool.seen, CONFIRMATION),
        skill: skill(tool),
        metadata: kept::<ToolObject<'_>>(&tool.object, &tool.seen),
        source: tool.object.raw(),
        ..Capability::default()
    }
}

/// Returns the method before a URL, if there is one, and the URL.
fn split(endpoint: Text<'_>) -> (Option<Text<'_>>, Text<'_>) {
    let parts = || {
        let at = scan::memchr(b' ', endpoint.raw())?;
        let (method, rest) = endpoint.raw().split_at_checked(at)?;
        let is_method = !method.is_empty() && method.iter().all(u8::is_ascii_uppercase);
        is_method.then(|| {
            let part = |raw| Text::escaped(raw, endpoint.escape());
            (Some(part(method)), part(rest.trim_ascii()))
        })
    };
    parts().unwrap_or((None, endpoint))
}

/// Returns the sensitivity that the hints state. `destructiveHint` takes precedence over
/// `readOnlyHint`.
fn sensitivity(annotations: Option<Annotations<'_>>) -> Option<Choice<'_, Sensitivity>> {
    let Annotations(hints) = annotations?;
    match hints.destructive {
        Some(true) => Some(Choice::implied(Sensitivity::Destructive)),
        None if hints.seen.is_ill_typed(DESTRUCTIVE) => Some(Choice::unreadable()),
        Some(false) => Some(Choice::implied(Sensitivity::Standard)),
        None if hints.read_only == Some(true) => Some(Choice::implied(Sensitivity::Standard)),
        None => None,
    }
}

fn skill<'a>(tool: &ToolObject<'a>) -> Option<Skill<'a>> {
    let title = tool.title.or(tool.annotations.and_then(|Annotations(hints)| hints.title));
    let is_there = title.is_some() || tool.tags.is_some() || tool.examples.is_some();
    is_there.then(|| Skill {
        title,
        tags: texts(tool.tags),
        examples: texts(tool.examples),
        ..Skill::default()
    })
}

fn outputs(schema: Option<Results<'_>>) -> List<'_, Output<'_>> {
    let properties = schema.and_then(|Results(schema)| SchemaObject::read(schema).properties);
    entries(properties, |cursor| {
        let member = cursor.next_entry()?;
        Some(Output { name: member.name, kind: Raw::Json(member.value) })
    })
}

/// Returns the parameters of a tool. References in a schema are not followed.
fn parameters<'a>(schema: &SchemaObject<'a>) -> List<'a, Parameter<'a>> {
    let object = schema.object;
    let Some(Object(properties)) = schema.properties else {
        return match object.kind() {
            Kind::Array => List::new(object.inside(b'['), 0, |cursor| {
                cursor.next_view().map(|value| property(None, &value))
            }),
            _ if schema.is_schema() => List::empty(),
            _ => List::new(object.inside(b'{'), 0, next_by_name),
        };
    };
    let bytes = object.raw();
    let offset = |value: Value<'_>| Span::of(value.raw(), bytes).start.saturating_add(1);
    let required = schema.required.map_or(0, |Array(names)| offset(names));
    List::new(bytes, required, next_property).from(offset(properties))
}

/// Returns the next parameter of an object from name to parameter. `$ref` and similar names are not
/// parameters.
fn next_by_name<'a>(cursor: &mut Cursor<'a>) -> Option<Parameter<'a>> {
    loop {
        let (name, value) = cursor.next_entry_view()?;
        if name.raw().first() != Some(&b'$') {
            return Some(property(Some(name), &value));
        }
    }
}

/// Returns the next property of a schema. The state is the byte offset of the required names that
/// are not found yet, or 0.
fn next_property<'a>(cursor: &mut Cursor<'a>) -> Option<Parameter<'a>> {
    let (name, value) = cursor.next_entry_view()?;
    let required = takes_required(cursor, name).then_some(true);
    let parameter = property(Some(name), &value);
    Some(Parameter { required: required.or(parameter.required), ..parameter })
}

/// The maximum number of required names that are compared with a property (`NAMES`), and of their
/// bytes (`NAME_BYTES`).
const NAMES: usize = 64;
const NAME_BYTES: usize = 2048;

/// Whether a property is one of the next 64 required names. If it is the first of them, skips this
/// name. So required names in the order of the properties are all found, however many there are.
fn takes_required(cursor: &mut Cursor<'_>, name: Text<'_>) -> bool {
    let start: u32 = cursor.state();
    if start == 0 {
        return false;
    }
    let rest = cursor.bytes.get(start as usize..).unwrap_or_default();
    let names = rest.get(..NAME_BYTES).unwrap_or(rest);
    let mut position = 0;
    for number in 0..NAMES {
        let Some(required) = next_element(names, &mut position) else {
            return false;
        };
        if required.as_text() == Some(name) {
            if number == 0 {
                cursor.set(start.saturating_add(position));
            }
            return true;
        }
    }
    false
}

fn property<'a>(name: Option<Text<'a>>, property: &PropertyObject<'a>) -> Parameter<'a> {
    Parameter {
        name: name.or(property.name),
        // A property may be its type alone, as a string.
        kind: property.kind.or(property.object.as_text()),
        required: property.required,
        description: property.description,
        default: raw(&property.default),
        example: raw(&property.example),
        min: raw(&property.minimum),
        max: raw(&property.maximum),
        items: raw(&property.items),
        options: raws(property.options),
        metadata: kept::<PropertyObject<'_>>(&property.object, &property.seen),
        source: property.object.raw(),
        ..Parameter::default()
    }
}
