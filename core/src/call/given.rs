//! The JSON Schemas that documents give: the `inputSchema` of an MCP tool, and the schemas of OpenAPI.
//!
//! A stranger wrote them, and one tool that is no schema makes a model's API refuse the whole request.
//! So each keyword is compared with the meta-schema of JSON Schema 2020-12. One walk does this and
//! writes the schema: first to nowhere, then to the sink.
//!
//! # Rulings
//!
//! - In the schema of a tool, references must lead to a place in the schema itself. What is not a
//!   schema is replaced by one that is made from the parameters that could be read.
//! - A schema of OpenAPI is one of its parameters. Its references are replaced by what they lead to,
//!   because not every model accepts references; of the members beside a reference, only [`BESIDE`]
//!   are kept. A keyword whose value is not valid is left out.
//! - The words of OpenAPI 3.0 are written as those of JSON Schema: `nullable`, and `exclusiveMinimum`
//!   and `exclusiveMaximum` as truth values. Members that are `readOnly` are not sent, so they are
//!   left out.
//! - A schema of OpenAPI inside of itself, below too many others, or behind a reference that leads
//!   nowhere or too far is cut: only its type remains. Where a part that permits more would forbid
//!   something (`not`, `if`, `oneOf`), a parameter with such a cut is written without these keywords,
//!   with `anyOf` for `oneOf`. So the schema never forbids what the document permits.
//!
//! Nothing recurses: the schemas inside of schemas are on a small stack.

use crate::format::openapi::operations::value_at;
use crate::format::openapi::parameters::schema_of;
use crate::format::openapi::refs::{Refs, reference};
use crate::model::Parameter;
use crate::sink::{Sink, SliceSink};
use crate::span::Span;
use crate::syntax::json::{Elements, Kind, Member, Members, Value};
use crate::syntax::pieces::Pieces;
use crate::syntax::text::Text;
use crate::write::{Writer, key};

/// The largest schema, in bytes, with all that its references lead to, and its largest nesting.
const LONGEST: usize = 1 << 16;
const DEPTH: usize = 24;
/// The largest number of required names, which are compared with each other.
const NAMES: usize = 256;
/// The largest number of references; each is followed from the top.
const REFERENCES: usize = 64;

/// What the value of a keyword must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// A schema, or a list of schemas, or an object from names to schemas.
    Schema,
    List,
    Map,
    Text,
    Number,
    /// A number above zero.
    Positive,
    Count,
    Truth,
    Array,
    Type,
    Names,
    Reference,
    /// The keyword is not supported: it refers to elsewhere, or belongs to older versions.
    Never,
    /// An annotation, or a keyword that only OpenAPI has.
    Free,
}

/// The keywords of the vocabularies of JSON Schema 2020-12. Other members are annotations.
const KEYWORDS: &[(&str, Rule)] = &[
    ("type", Rule::Type),
    ("properties", Rule::Map),
    ("description", Rule::Text),
    ("required", Rule::Names),
    ("items", Rule::Schema),
    ("enum", Rule::Array),
    ("additionalProperties", Rule::Schema),
    ("title", Rule::Text),
    ("format", Rule::Text),
    ("minimum", Rule::Number),
    ("maximum", Rule::Number),
    ("exclusiveMinimum", Rule::Number),
    ("exclusiveMaximum", Rule::Number),
    ("multipleOf", Rule::Positive),
    ("minLength", Rule::Count),
    ("maxLength", Rule::Count),
    ("pattern", Rule::Text),
    ("minItems", Rule::Count),
    ("maxItems", Rule::Count),
    ("uniqueItems", Rule::Truth),
    ("minContains", Rule::Count),
    ("maxContains", Rule::Count),
    ("minProperties", Rule::Count),
    ("maxProperties", Rule::Count),
    ("anyOf", Rule::List),
    ("allOf", Rule::List),
    ("oneOf", Rule::List),
    ("prefixItems", Rule::List),
    ("not", Rule::Schema),
    ("if", Rule::Schema),
    ("then", Rule::Schema),
    ("else", Rule::Schema),
    ("contains", Rule::Schema),
    ("propertyNames", Rule::Schema),
    ("unevaluatedItems", Rule::Schema),
    ("unevaluatedProperties", Rule::Schema),
    ("contentSchema", Rule::Schema),
    ("patternProperties", Rule::Map),
    ("dependentSchemas", Rule::Map),
    ("$defs", Rule::Map),
    ("definitions", Rule::Map),
    ("$ref", Rule::Reference),
    ("$comment", Rule::Text),
    ("contentEncoding", Rule::Text),
    ("contentMediaType", Rule::Text),
    ("deprecated", Rule::Truth),
    ("readOnly", Rule::Truth),
    ("writeOnly", Rule::Truth),
    ("examples", Rule::Array),
    ("dependentRequired", Rule::Never),
    ("$id", Rule::Never),
    ("$anchor", Rule::Never),
    ("$vocabulary", Rule::Never),
    ("$dynamicRef", Rule::Never),
    ("$dynamicAnchor", Rule::Never),
    ("$recursiveRef", Rule::Never),
    ("$recursiveAnchor", Rule::Never),
    ("dependencies", Rule::Never),
    ("$schema", Rule::Free),
    ("default", Rule::Free),
    ("nullable", Rule::Free),
    ("discriminator", Rule::Free),
    ("xml", Rule::Free),
    ("externalDocs", Rule::Free),
];

/// The annotations beside a reference, which replace those of its target, each with a bit.
const BESIDE: [(&str, u8); 4] =
    [("title", 1), ("description", 2), ("default", 4), ("deprecated", 8)];

/// The types of JSON Schema.
const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/// What is still to be written of an open container.
#[derive(Clone, Copy)]
enum Rest<'a> {
    /// The keywords of a schema.
    Keywords(Members<'a>),
    Map(Members<'a>),
    /// The members of an object that a schema of OpenAPI describes.
    Properties(Members<'a>),
    List(Elements<'a>),
}

#[derive(Clone, Copy)]
struct Open<'a> {
    rest: Rest<'a>,
    /// The offset of a schema of OpenAPI in its description.
    start: u32,
    /// Which of [`BESIDE`] are written.
    written: u8,
}

/// The schemas that are still to be looked at.
type Stack<'a> = heapless::Vec<Open<'a>, DEPTH>;

/// What follows an item of an open container.
enum Then<'a> {
    Next,
    Schema(Place<'a>, Value<'a>),
    Inside(Rest<'a>),
}

/// Where a schema is.
#[derive(Clone, Copy)]
enum Place<'a> {
    Top,
    Member(Text<'a>),
    Property(Text<'a>),
    Element,
}

/// A schema that a document gives.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    schema: Value<'a>,
    /// The object that contains the schema of a parameter.
    parameter: Value<'a>,
    /// What follows the references of OpenAPI.
    refs: Option<Refs<'a>>,
    /// The number of bytes of schemas of OpenAPI that may still be walked.
    budget: usize,
    /// The number of references; each is followed from the top.
    references: usize,
    is_cut: bool,
    /// Whether keywords are left out with which a cut schema would forbid more.
    is_loose: bool,
}

impl<'a> Given<'a> {
    fn new(schema: Value<'a>, refs: Option<Refs<'a>>) -> Self {
        Self {
            schema,
            parameter: Value::ABSENT,
            refs,
            budget: LONGEST,
            references: 0,
            is_cut: false,
            is_loose: false,
        }
    }

    /// Returns the schema of an MCP tool; absent if it is not the schema of an object, or too long.
    pub(super) fn of_tool(schema: Value<'a>) -> Option<Self> {
        let given = Self::new(schema, None);
        let kind = schema.get("type");
        let is_of_object = kind.is_none_or(|kind| kind.as_text().is_some_and(|k| k == "object"));
        let is_one = schema.kind() == Kind::Object && schema.raw().len() <= LONGEST && is_of_object;
        (is_one && { given }.try_out()).then_some(given)
    }

    /// Returns what writes the schemas of the parameters of an OpenAPI operation.
    pub(super) fn of_operation(refs: Refs<'a>) -> Self {
        Self::new(Value::ABSENT, Some(refs))
    }

    /// Returns the schema of a parameter of the operation, and the object that contains it.
    pub(super) fn schema_of(&self, parameter: &Parameter<'a>) -> Option<(Value<'a>, Value<'a>)> {
        schema_of(parameter, self.refs?)
    }

    /// Writes the schema of a tool.
    pub(super) fn put<S: Sink>(mut self, w: &mut Writer<'_, S>) {
        self.walk(w);
    }

    /// Writes the next schema of an operation. `parameter` is the object that contains it.
    pub(super) fn put_next<S: Sink>(
        &mut self,
        schema: Value<'a>,
        parameter: Value<'a>,
        w: &mut Writer<'_, S>,
    ) {
        (self.schema, self.parameter) = (schema, parameter);
        (self.is_cut, self.is_loose) = (false, false);
        let mut tried = *self;
        tried.try_out();
        self.is_loose = tried.is_cut;
        self.walk(w);
    }

    /// Whether this is a schema. Writes nothing.
    fn try_out(&mut self) -> bool {
        self.walk(&mut Writer::new(&mut SliceSink::new(&mut []), true))
    }

    /// Writes the schema. Returns whether it is one.
    fn walk<S: Sink>(&mut self, w: &mut Writer<'_, S>) -> bool {
        let mut stack = Stack::new();
        let mut next = Some((Place::Top, self.schema));
        loop {
            if let Some((place, schema)) = next.take() {
                let opened = self.open(place, schema, &stack, w);
                if !opened.is_ok_and(|open| open.is_none_or(|open| stack.push(open).is_ok())) {
                    return false;
                }
            }
            let Some(top) = stack.last_mut() else {
                return true;
            };
            let (start, written) = (top.start, top.written);
            let then = match &mut top.rest {
                Rest::Keywords(members) => {
                    members.next().map(|member| self.put_keyword(member, start, written, w))
                }
                Rest::Map(members) => {
                    members.next().map(|m| Ok(Then::Schema(Place::Member(m.name), m.value)))
                }
                Rest::Properties(members) => {
                    members.next().map(|m| Ok(Then::Schema(Place::Property(m.name), m.value)))
                }
                Rest::List(elements) => {
                    elements.next().map(|element| Ok(Then::Schema(Place::Element, element)))
                }
            };
            match then {
                Some(Ok(Then::Next)) => {}
                Some(Ok(Then::Schema(place, schema))) => next = Some((place, schema)),
                Some(Ok(Then::Inside(rest))) => {
                    w.open(if matches!(rest, Rest::List(_)) { b"[" } else { b"{" });
                    if stack.push(Open { rest, start: 0, written: 0 }).is_err() {
                        return false;
                    }
                }
                Some(Err(NotASchema)) => return false,
                None => {
                    w.close(if matches!(top.rest, Rest::List(_)) { b"]" } else { b"}" });
                    stack.pop();
                }
            }
        }
    }

    /// Begins a schema. Returns its keywords, unless it is written already.
    fn open<S: Sink>(
        &mut self,
        place: Place<'a>,
        schema: Value<'a>,
        stack: &Stack<'a>,
        w: &mut Writer<'_, S>,
    ) -> Result<Option<Open<'a>>, NotASchema> {
        let found = match &mut self.refs {
            Some(refs) => refs.follow(schema).unwrap_or(Value::ABSENT),
            None => schema,
        };
        match place {
            Place::Property(_) if self.refs.is_some() && is_read_only(found) => return Ok(None),
            Place::Member(name) | Place::Property(name) => w.member(name),
            Place::Element => w.separate(),
            Place::Top => {}
        }
        if found.kind() == Kind::Bool {
            w.value(found);
            return Ok(None);
        }
        let mut open = Open { rest: Rest::Keywords(found.members()), start: 0, written: 0 };
        let Some(refs) = self.refs else {
            if found.kind() != Kind::Object {
                return Err(NotASchema);
            }
            w.open(b"{");
            if stack.is_empty() && found.get("type").is_none() {
                w.word(key!("type"), "object");
            }
            return Ok(Some(open));
        };
        w.open(b"{");
        let beside = match place {
            Place::Top if self.parameter.get("description").is_some() => self.parameter,
            _ if reference(schema).is_some() => schema,
            _ => Value::ABSENT,
        };
        for (name, bit) in BESIDE {
            let name = Text::plain(name.as_bytes());
            let value = beside.members().find(|member| member.name == name);
            if let Some(Member { value, .. }) = value.filter(|m| fits(rule_of(name).1, m.value)) {
                w.member(name);
                w.value(value);
                open.written |= bit;
            }
        }
        open.start = Span::of(found.raw(), refs.bytes).start;
        // What is inside of a schema that was counted is not counted again.
        let is_inside = !matches!(place, Place::Top) && reference(schema).is_none();
        let cost = if is_inside { 0 } else { found.raw().len() };
        let is_inside_itself = stack
            .iter()
            .any(|outer| outer.start == open.start && matches!(outer.rest, Rest::Keywords(_)));
        // A keyword and what is in it take two places.
        let is_deep = stack.len().saturating_add(2) > DEPTH;
        if found.kind() == Kind::Object && !is_inside_itself && !is_deep && cost <= self.budget {
            self.budget = self.budget.saturating_sub(cost);
            return Ok(Some(open));
        }
        self.is_cut = true;
        if let Some(kind) = found.get("type").filter(|kind| fits(Rule::Type, *kind)) {
            put_type(kind, found, w);
        }
        w.close(b"}");
        Ok(None)
    }

    /// Writes a keyword of a schema, and its value unless that contains schemas.
    fn put_keyword<S: Sink>(
        &mut self,
        member: Member<'a>,
        start: u32,
        written: u8,
        w: &mut Writer<'_, S>,
    ) -> Result<Then<'a>, NotASchema> {
        let (mut keyword, rule) = rule_of(member.name);
        let (value, kind) = (member.value, member.value.kind());
        if let Some(refs) = self.refs {
            let schema = || value_at(refs.bytes, start);
            if BESIDE.iter().any(|(name, bit)| *name == keyword && written & bit != 0) {
                return Ok(Then::Next);
            }
            match keyword {
                "nullable" | "discriminator" | "xml" | "externalDocs" | "$defs" | "definitions" => {
                    return Ok(Then::Next);
                }
                "exclusiveMinimum" | "exclusiveMaximum" if kind == Kind::Bool => {
                    return Ok(Then::Next);
                }
                "not"
                | "if"
                | "then"
                | "else"
                | "maxContains"
                | "unevaluatedItems"
                | "unevaluatedProperties"
                    if self.is_loose =>
                {
                    return Ok(Then::Next);
                }
                "oneOf" if self.is_loose && schema().get("anyOf").is_some() => {
                    return Ok(Then::Next);
                }
                _ if !fits(rule, value) => {
                    self.is_cut = true;
                    return Ok(Then::Next);
                }
                "type" => {
                    put_type(value, schema(), w);
                    return Ok(Then::Next);
                }
                "required" => {
                    self.put_required(value, schema(), w);
                    return Ok(Then::Next);
                }
                "minimum" if is_true(schema(), "exclusiveMinimum") => keyword = "exclusiveMinimum",
                "maximum" if is_true(schema(), "exclusiveMaximum") => keyword = "exclusiveMaximum",
                "oneOf" if self.is_loose => keyword = "anyOf",
                _ => {}
            }
        } else if rule == Rule::Reference {
            self.references = self.references.saturating_add(1);
            if self.references > REFERENCES || !is_inside(self.schema, value) {
                return Err(NotASchema);
            }
        } else if !fits(rule, value) {
            return Err(NotASchema);
        }
        // The dialect is the one that this module writes.
        if keyword == "$schema" {
            return Ok(Then::Next);
        }
        let name = if keyword.is_empty() { member.name } else { Text::plain(keyword.as_bytes()) };
        if rule == Rule::Schema {
            return Ok(Then::Schema(Place::Member(name), value));
        }
        w.member(name);
        Ok(match rule {
            Rule::Map if keyword == "properties" => Then::Inside(Rest::Properties(value.members())),
            Rule::Map => Then::Inside(Rest::Map(value.members())),
            Rule::List => Then::Inside(Rest::List(value.elements())),
            _ => {
                w.value(value);
                Then::Next
            }
        })
    }

    /// Writes the names of the required members that are sent.
    fn put_required<S: Sink>(
        &mut self,
        names: Value<'a>,
        schema: Value<'a>,
        w: &mut Writer<'_, S>,
    ) {
        let properties = schema.get("properties").unwrap_or(Value::ABSENT);
        w.name(key!("required"));
        w.open(b"[");
        for name in names.elements().filter_map(Value::as_text) {
            // Each name is searched for among all members.
            let Some(Ok(())) = self.refs.as_mut().map(|refs| refs.spend(properties.raw().len()))
            else {
                self.is_cut = true;
                break;
            };
            let property = properties.members().find(|member| member.name == name);
            let found = property.and_then(|member| self.refs?.follow(member.value).ok());
            if !found.is_some_and(is_read_only) {
                w.text(name);
            }
        }
        w.close(b"]");
    }
}

/// Whether a member of OpenAPI is only in answers.
fn is_read_only(schema: Value<'_>) -> bool {
    is_true(schema, "readOnly")
}

fn is_true(schema: Value<'_>, name: &str) -> bool {
    schema.get(name).and_then(Value::as_bool) == Some(true)
}

/// Something is not a schema.
struct NotASchema;

/// Writes the type of a schema; with `nullable` of OpenAPI 3.0, also `null`.
fn put_type<S: Sink>(kind: Value<'_>, schema: Value<'_>, w: &mut Writer<'_, S>) {
    w.name(key!("type"));
    match kind.as_text().filter(|name| is_true(schema, "nullable") && *name != "null") {
        Some(name) => {
            w.open(b"[");
            w.text(name);
            w.text(Text::plain(b"null"));
            w.close(b"]");
        }
        None => w.value(kind),
    }
}

/// Returns a keyword and its rule. The keyword is empty for other names.
fn rule_of(name: Text<'_>) -> (&'static str, Rule) {
    let known = KEYWORDS.iter().find(|(keyword, _)| name == *keyword);
    known.copied().unwrap_or(("", Rule::Free))
}

/// Whether a keyword can have a value; the schemas in it are not looked at.
fn fits(rule: Rule, value: Value<'_>) -> bool {
    let kind = value.kind();
    match rule {
        _ if !matches!(rule, Rule::Schema | Rule::Map | Rule::List)
            && has_large_number(value.raw()) =>
        {
            false
        }
        Rule::Schema => matches!(kind, Kind::Object | Kind::Bool),
        Rule::Map => kind == Kind::Object,
        Rule::List => kind == Kind::Array && value.elements().next().is_some(),
        Rule::Text => kind == Kind::String,
        Rule::Number => kind == Kind::Number,
        Rule::Positive => {
            kind == Kind::Number
                && !value.raw().starts_with(b"-")
                && value.raw().iter().any(|octet| matches!(octet, b'1'..=b'9'))
        }
        Rule::Count => kind == Kind::Number && value.raw().iter().all(u8::is_ascii_digit),
        Rule::Truth => kind == Kind::Bool,
        Rule::Array => kind == Kind::Array,
        Rule::Type => match kind {
            Kind::Array => {
                value.elements().next().is_some()
                    && value.elements().all(is_type)
                    && are_different(value)
            }
            _ => is_type(value),
        },
        Rule::Names => {
            kind == Kind::Array
                && value.elements().all(|name| name.kind() == Kind::String)
                && are_different(value)
        }
        Rule::Free => true,
        Rule::Reference | Rule::Never => false,
    }
}

fn is_type(value: Value<'_>) -> bool {
    value.as_text().is_some_and(|name| TYPES.iter().any(|known| name == *known))
}

/// Whether no two of the texts in an array are equal.
fn are_different(array: Value<'_>) -> bool {
    array.elements().nth(NAMES).is_none()
        && array.elements().enumerate().all(|(index, value)| {
            let text = value.as_text();
            !array.elements().take(index).any(|earlier| earlier.as_text() == text)
        })
}

/// Whether a reference leads to a schema in the same schema.
fn is_inside(schema: Value<'_>, reference: Value<'_>) -> bool {
    let Some(text) = reference.as_text().filter(|text| !text.is_escaped()) else {
        return false;
    };
    let Some(path) = text.as_str().and_then(|text| text.strip_prefix('#')) else {
        return false;
    };
    if path.is_empty() {
        return true;
    }
    let is_known = path.starts_with("/$defs/") || path.starts_with("/definitions/");
    if !is_known || path.bytes().any(|octet| matches!(octet, b'%' | b'~')) {
        return false;
    }
    let mut names = Pieces::of(path.as_bytes(), b'/').skip(1);
    let found = names.try_fold(schema, |inside, name| inside.get(crate::scan::text(name)?));
    found.is_some_and(|found| matches!(found.kind(), Kind::Object | Kind::Bool))
}

/// Whether a number in JSON text has an exponent of three digits or more: many readers turn it into
/// infinity, which is not JSON.
fn has_large_number(raw: &[u8]) -> bool {
    let mut rest = raw;
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        if *first == b'"' {
            let end = crate::scan::string_end(behind, 0).0.saturating_add(1);
            rest = behind.get(end..).unwrap_or_default();
        } else if matches!(first, b'0'..=b'9' | b'.')
            && let [b'e' | b'E', exponent @ ..] = behind
        {
            let digits = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+"));
            let digits = digits.unwrap_or(exponent).iter().take_while(|o| o.is_ascii_digit());
            if digits.count() > 2 {
                return true;
            }
        }
    }
    false
}
