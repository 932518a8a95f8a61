//! The arguments of a capability as JSON Schema (2020-12), which the tools of models use.
//!
//! The schema states what [`Call::plan`](super::Call::plan) accepts: the declared types, options,
//! defaults, bounds and required parameters. The `inputSchema` of an MCP tool is written as it is, if it
//! is a schema, and so are the schemas of OpenAPI ([`given`](super::given)).
//!
//! # Rulings
//!
//! - Entities are written where they are used, without `$ref`, because not every model accepts
//!   references. An entity inside of itself, or below [`DEPTH`] others, is an object of any members.
//! - A type that the document does not define (`airport_code`) permits every value.
//! - At most [`MOST`] parameters, fields or options are written. A schema that leaves any parameter
//!   out, or of a capability whose parameters are described elsewhere, does not forbid further
//!   members.
//! - A default value that does not have the declared type is left out.

use super::given::Given;
use super::types::{Types, expression, is_named_number, spend};
use crate::document::{Document, with_reading};
use crate::format::Format;
use crate::format::mcp_card::tools::input_schema;
use crate::format::openapi::refs::budget_for;
use crate::model::{Capability, List, Output, Parameter, Protocol, Raw};
use crate::policy::{Offers, Positions, Source, Workspace};
use crate::sink::Sink;
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;
use crate::syntax::type_expr::{TypeExpr, TypeKind};
use crate::write::{Writer, key};

/// The largest number of parameters, of fields of an entity, and of options.
const MOST: usize = 256;
/// The largest nesting of entities.
const DEPTH: usize = 4;
/// The largest number of bytes of entities that are walked for one schema.
const BUDGET: usize = 1 << 16;

/// Writes the JSON Schema of the arguments of a capability, on one line. `document` declares it.
///
/// At most 64 KB of entities are read for it. Linear in the parameters, except for names of parameters,
/// of which each is compared with those before it.
///
/// ```
/// use agentsdisc_core::Document;
/// use agentsdisc_core::call::put_schema;
/// let text = b"Spec-Version: 1.0
/// Site-Name: Mug Shop
/// Site-URL: https://mugs.example
/// Capability: search
///   Endpoint: https://mugs.example/api/search
///   Protocol: REST
///   Param: q (query, string, required)
/// ";
/// let document = Document::parse(text)?;
/// let search = document.manifest().capabilities().next().unwrap();
/// let mut schema = Vec::new();
/// put_schema(&document, &search, &mut |piece: &[u8]| schema.extend_from_slice(piece));
/// assert_eq!(schema, br#"{"type":"object","properties":{"q":{"type":"string"}},"required":["q"],"additionalProperties":false}"#);
/// # Ok::<(), agentsdisc_core::Error>(())
/// ```
pub fn put_schema<'a>(document: &Document<'a>, capability: &Capability<'a>, sink: &mut impl Sink) {
    put_in(document, capability, &mut Writer::new(sink, true));
}

pub(super) fn put_in<'a, S: Sink>(
    document: &Document<'a>,
    capability: &Capability<'a>,
    w: &mut Writer<'_, S>,
) {
    if document.is(Format::McpServerCard)
        && let Some(schema) = input_schema(capability)
        && let Some(given) = Given::of_tool(schema)
    {
        return given.put(w);
    }
    let budget = budget_for(capability.source.len());
    let refs = document.openapi().map(|description| description.refs(budget));
    let entities = with_reading(document, |reading| reading.entities());
    let made = Schema {
        types: Types::of(entities, false),
        budget: BUDGET,
        given: refs.map(Given::of_operation),
        is_open: is_open(document, capability),
    };
    made.put(document, capability, w);
}

/// Whether the document does not say which parameters the capability has.
fn is_open(document: &Document<'_>, capability: &Capability<'_>) -> bool {
    let protocol = capability.protocol.map_or(Protocol::Rest, |protocol| protocol.value);
    let is_described_elsewhere = document.is(Format::Adp)
        || document.is(Format::AgentsTxt01)
        || capability.openapi.is_some()
        || capability.via.is_some()
        || protocol != Protocol::Rest;
    is_described_elsewhere && capability.parameters.is_empty()
}

struct Schema<'a> {
    types: Types<'a>,
    /// The number of bytes that may still be walked.
    budget: usize,
    /// What writes the schemas of OpenAPI.
    given: Option<Given<'a>>,
    is_open: bool,
}

/// An entity whose fields are being written.
#[derive(Clone, Copy)]
struct Open<'a> {
    entity: Text<'a>,
    fields: List<'a, Output<'a>>,
    /// The field that comes next, and its index.
    rest: List<'a, Output<'a>>,
    index: usize,
    /// The number of braces that end with the entity.
    braces: usize,
}

impl<'a> Schema<'a> {
    fn put<S: Sink>(
        mut self,
        document: &Document<'a>,
        capability: &Capability<'a>,
        w: &mut Writer<'_, S>,
    ) {
        let parameters = capability.parameters;
        let is_whole = { parameters }.nth(MOST).is_none();
        w.braces(|w| {
            w.word(key!("type"), "object");
            w.name(key!("properties"));
            w.braces(|w| {
                if document.is(Format::A2aAgentCard) {
                    w.object(key!("text"), Some(()), |w, ()| {
                        w.word(key!("type"), "string");
                        w.word(key!("description"), "The text of the message to the agent.");
                    });
                }
                for (name, parameter) in named(parameters) {
                    w.member(name);
                    self.put_parameter(&parameter, w);
                }
            });
            let required = named(parameters).filter(|(name, _)| is_required(parameters, *name));
            w.texts(key!("required"), required.map(|(name, _)| name));
            w.truth(key!("additionalProperties"), (is_whole && !self.is_open).then_some(false));
        });
    }

    fn put_parameter<S: Sink>(&mut self, parameter: &Parameter<'a>, w: &mut Writer<'_, S>) {
        if let Some(given) = &mut self.given
            && let Some((schema, object)) = given.schema_of(parameter)
        {
            return given.put_next(schema, object, w);
        }
        w.braces(|w| self.put_members(parameter, w));
    }

    /// Writes what the model knows of a parameter.
    fn put_members<S: Sink>(&mut self, parameter: &Parameter<'a>, w: &mut Writer<'_, S>) {
        let kind = parameter.kind.and_then(|kind| TypeExpr::parse(kind).ok());
        match options_of(parameter) {
            Some(options) => put_options(options, w),
            None => {
                if let Some(kind) = kind {
                    self.put_type(kind, item_type(parameter), w);
                }
            }
        }
        w.optional(key!("description"), parameter.description);
        w.truth(key!("writeOnly"), parameter.secret.filter(|is_secret| *is_secret));
        let default = parameter.default.map(|default| typed(default, kind));
        let fits = |default: &Raw<'a>| match default {
            Raw::Json(value) => self.types.check(parameter, *value).is_ok(),
            Raw::Text(_) => kind.is_none_or(|kind| kind.kind() == TypeKind::String),
        };
        w.raw(key!("default"), default.filter(fits));
        let is_number = kind.is_some_and(is_number);
        w.raw(key!("minimum"), parameter.min.and_then(number).filter(|_| is_number));
        w.raw(key!("maximum"), parameter.max.and_then(number).filter(|_| is_number));
    }

    /// Writes the members of the schema of a type into the open object. `items` is the type of the
    /// items of an array that names none.
    fn put_type<S: Sink>(
        &mut self,
        kind: TypeExpr<'a>,
        items: Option<TypeExpr<'a>>,
        w: &mut Writer<'_, S>,
    ) {
        let mut stack = heapless::Vec::<Open<'a>, DEPTH>::new();
        let mut next = Some((kind, items));
        loop {
            if let Some((kind, items)) = next.take() {
                let mut inner = kind;
                let mut braces = usize::from(!stack.is_empty());
                let mut items = items;
                while inner.kind() == TypeKind::Array {
                    w.word(key!("type"), "array");
                    w.name(key!("items"));
                    w.open(b"{");
                    braces = braces.saturating_add(1);
                    let Some(item) = inner.items().or_else(|| items.take()) else {
                        break;
                    };
                    inner = item;
                }
                match self.open(inner, &stack, w) {
                    Some(open) => {
                        w.name(key!("properties"));
                        w.open(b"{");
                        // The stack has room, because `open` looked.
                        let _ = stack.push(Open { braces: braces.saturating_add(1), ..open });
                    }
                    None => close(braces, w),
                }
            }
            let Some(top) = stack.last_mut() else {
                return;
            };
            let index = top.index;
            let field = top.rest.next().filter(|_| index < MOST && spend(&mut self.budget, 0));
            let Some(field) = field else {
                close(top.braces, w);
                stack.pop();
                continue;
            };
            top.index = index.saturating_add(1);
            if { top.fields }.take(index).any(|earlier| earlier.name == field.name) {
                continue;
            }
            w.member(field.name);
            w.open(b"{");
            next = expression(field.kind)
                .and_then(|kind| TypeExpr::parse(kind).ok())
                .map(|kind| (kind, None));
            if next.is_none() {
                close(1, w);
            }
        }
    }

    /// Writes a type that is not an array. Returns the entity whose fields follow.
    fn open<S: Sink>(
        &mut self,
        kind: TypeExpr<'a>,
        stack: &heapless::Vec<Open<'a>, DEPTH>,
        w: &mut Writer<'_, S>,
    ) -> Option<Open<'a>> {
        let name = match kind.kind() {
            TypeKind::String => "string",
            TypeKind::Integer => "integer",
            TypeKind::Float => "number",
            TypeKind::Boolean => "boolean",
            TypeKind::DateTime | TypeKind::Url => {
                w.word(key!("type"), "string");
                let format = if kind.kind() == TypeKind::Url { "uri" } else { "date-time" };
                w.word(key!("format"), format);
                return None;
            }
            TypeKind::Enum => {
                if kind.options().next().is_some() {
                    w.word(key!("type"), "string");
                    if kind.options().nth(MOST).is_none() {
                        w.texts(key!("enum"), kind.options());
                    }
                }
                return None;
            }
            TypeKind::Named if is_named_number(kind) => "number",
            TypeKind::Object | TypeKind::Named => {
                let entity = kind.entity().unwrap_or(kind.text());
                let is_inside_itself = stack.iter().any(|open| open.entity == entity);
                let fields = if is_inside_itself {
                    None
                } else {
                    self.types.fields_of(entity, &mut self.budget)
                };
                if is_inside_itself || fields.is_some() || kind.kind() == TypeKind::Object {
                    w.word(key!("type"), "object");
                }
                let fields = fields.filter(|_| !stack.is_full())?;
                return Some(Open { entity, fields, rest: fields, index: 0, braces: 0 });
            }
            // `put_type` has written it.
            TypeKind::Array => return None,
        };
        w.word(key!("type"), name);
        None
    }
}

/// The first parameters of a list with their names, each name once.
fn named<'a>(
    parameters: List<'a, Parameter<'a>>,
) -> impl Iterator<Item = (Text<'a>, Parameter<'a>)> {
    { parameters }.take(MOST).enumerate().filter_map(move |(index, parameter)| {
        let name = parameter.name?;
        let is_again = { parameters }.take(index).any(|earlier| earlier.name == Some(name));
        (!is_again).then_some((name, parameter))
    })
}

/// Whether any parameter with this name is required.
fn is_required<'a>(parameters: List<'a, Parameter<'a>>, name: Text<'a>) -> bool {
    { parameters }
        .take(MOST)
        .any(|parameter| parameter.required == Some(true) && parameter.name == Some(name))
}

fn close<S: Sink>(braces: usize, w: &mut Writer<'_, S>) {
    for _ in 0..braces {
        w.close(b"}");
    }
}

/// The type of the items of an array, where the parameter states it separately.
fn item_type<'a>(parameter: &Parameter<'a>) -> Option<TypeExpr<'a>> {
    TypeExpr::parse(expression(parameter.items?)?).ok()
}

/// The options of a parameter; absent if it has none or too many.
fn options_of<'a>(parameter: &Parameter<'a>) -> Option<List<'a, Raw<'a>>> {
    let options = parameter.options;
    let is_some = { options }.next().is_some() && { options }.nth(MOST).is_none();
    is_some.then_some(options)
}

/// Writes options, and their type if all have the same one.
fn put_options<'a, S: Sink>(options: List<'a, Raw<'a>>, w: &mut Writer<'_, S>) {
    let kind = |option: Raw<'_>| match option {
        Raw::Text(_) => Kind::String,
        Raw::Json(value) => value.kind(),
    };
    let first = { options }.next().map(kind);
    let name = match first.filter(|first| { options }.all(|option| kind(option) == *first)) {
        Some(Kind::String) => Some("string"),
        Some(Kind::Number) => Some("number"),
        Some(Kind::Bool) => Some("boolean"),
        _ => None,
    };
    if let Some(name) = name {
        w.word(key!("type"), name);
    }
    w.list(key!("enum"), options, |w, option| w.raw_value(*option));
}

/// A value of a text format as the number or the truth value of its type.
fn typed<'a>(value: Raw<'a>, kind: Option<TypeExpr<'a>>) -> Raw<'a> {
    let is_text = |kind: TypeExpr<'_>| !is_number(kind) && kind.kind() != TypeKind::Boolean;
    match value {
        Raw::Text(text) if !text.is_escaped() && !kind.is_none_or(is_text) => {
            Value::parse(text.raw()).map_or(value, Raw::Json)
        }
        _ => value,
    }
}

/// A bound as a number.
fn number(bound: Raw<'_>) -> Option<Raw<'_>> {
    let value = match bound {
        Raw::Json(value) => value,
        Raw::Text(text) => Value::parse(text.raw()).ok()?,
    };
    let is_exponent = |octet: &u8| matches!(octet, b'e' | b'E');
    let is_plain = value.kind() == Kind::Number && !value.raw().iter().any(is_exponent);
    is_plain.then_some(Raw::Json(value))
}

/// Whether a type is a number.
fn is_number(kind: TypeExpr<'_>) -> bool {
    matches!(kind.kind(), TypeKind::Integer | TypeKind::Float) || is_named_number(kind)
}

impl<'a> Offers<'a> {
    /// Writes the JSON Schema of the arguments of the capability that was returned last, as
    /// [`put_schema`] does; nothing before the first one.
    pub fn put_schema(&self, sink: &mut impl Sink) {
        if let Some((document, capability)) = self.last() {
            put_schema(document, &capability, sink);
        }
    }

    /// Writes all remaining capabilities as JSON to a sink, in pieces: `capabilities`, each with its
    /// `schema` and its `decision`, and once the prose of the documents (`can`, `cannot`, `behavior`,
    /// `unread`). `scratch` is as in [`Decision::put_json`](crate::policy::Decision::put_json).
    pub fn put_json(
        &mut self,
        workspace: &mut Workspace,
        scratch: &mut [u32],
        sink: &mut impl Sink,
    ) {
        let mut positions = Positions::default();
        Writer::new(sink, true).braces(|w| {
            w.name(key!("capabilities"));
            w.open(b"[");
            while let Some(offer) = self.next_with(workspace) {
                w.separate();
                w.braces(|w| {
                    let capability = &offer.capability;
                    w.optional(key!("id"), Some(offer.id));
                    w.optional(key!("description"), capability.description);
                    w.choice(key!("protocol"), key!("protocol_text"), capability.protocol);
                    w.number(key!("document"), Some(offer.document as u64));
                    let source = Source::Document(offer.document);
                    if let Some(position) = positions.of(self.decision(), source, offer.span.start)
                    {
                        w.number(key!("line"), Some(position.line));
                        w.number(key!("column"), Some(position.column));
                    }
                    if let Some(document) = self.document() {
                        w.name(key!("schema"));
                        put_in(document, capability, w);
                    }
                    let chosen = self.decision().chosen();
                    let is_ambiguous =
                        chosen.is_some_and(|chosen| self.decision().is_ambiguous(&chosen));
                    w.truth(key!("ambiguous"), is_ambiguous.then_some(true));
                    w.object(key!("decision"), Some(()), |w, ()| {
                        self.decision().put_members(scratch, &mut positions, w);
                    });
                });
            }
            w.close(b"]");
            w.truth(key!("is_cut"), self.is_cut().then_some(true));
            self.decision().put_words(w);
        });
    }
}
