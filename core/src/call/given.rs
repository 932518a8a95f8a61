//! Whether a JSON Schema that a document gives is one, and may be shown to a model.
//!
//! A stranger wrote it, and one tool that is no schema makes a model's API refuse the whole request.
//! So each keyword is compared with the meta-schema of JSON Schema 2020-12. References must lead to a
//! place in the schema itself. What is not a schema is replaced by one that is made from the
//! parameters that could be read.
//!
//! Nothing recurses: the schemas inside of schemas are on a small stack.

use crate::sink::Sink;
use crate::syntax::json::{Elements, Kind, Members, Value};
use crate::syntax::pieces::Pieces;
use crate::syntax::text::Text;
use crate::write::{Writer, key};

/// The largest schema, in bytes, and its largest nesting.
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
];

/// The types of JSON Schema.
const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/// The schemas that are still to be looked at.
#[derive(Clone, Copy)]
enum Open<'a> {
    /// The keywords of a schema.
    Keywords(Members<'a>),
    Map(Members<'a>),
    List(Elements<'a>),
}

/// Whether a value is a schema of an object, and not too long.
pub(super) fn is_schema(schema: Value<'_>) -> bool {
    let mut stack = heapless::Vec::<Open<'_>, DEPTH>::new();
    let is_of_object =
        schema.get("type").is_none_or(|kind| kind.as_text().is_some_and(|kind| kind == "object"));
    if schema.raw().len() > LONGEST || !is_of_object || has_large_number(schema.raw()) {
        return false;
    }
    let mut references = 0;
    let mut next = Some(schema);
    loop {
        if let Some(inner) = next.take() {
            let is_pushed = match inner.kind() {
                Kind::Bool => true,
                Kind::Object => stack.push(Open::Keywords(inner.members())).is_ok(),
                _ => false,
            };
            if !is_pushed {
                return false;
            }
        }
        let Some(top) = stack.last_mut() else {
            return true;
        };
        let opened = match top {
            Open::Map(members) => {
                next = members.next().map(|member| member.value);
                None
            }
            Open::List(elements) => {
                next = elements.next();
                None
            }
            Open::Keywords(members) => match members.next() {
                None => None,
                Some(member) => {
                    let rule = rule_of(member.name);
                    let (value, kind) = (member.value, member.value.kind());
                    references += u32::from(rule == Some(Rule::Reference));
                    let fits = match rule {
                        Some(Rule::Reference) => {
                            references as usize <= REFERENCES && is_inside(schema, value)
                        }
                        Some(rule) => fits(rule, value),
                        None => true,
                    };
                    if !fits {
                        return false;
                    }
                    match rule {
                        Some(Rule::Schema) if kind == Kind::Object => {
                            Some(Open::Keywords(value.members()))
                        }
                        Some(Rule::Map) => Some(Open::Map(value.members())),
                        Some(Rule::List) => Some(Open::List(value.elements())),
                        _ => continue,
                    }
                }
            },
        };
        match opened {
            Some(open) if stack.push(open).is_err() => return false,
            None if next.is_none() => drop(stack.pop()),
            _ => {}
        }
    }
}

/// Writes a schema as it is given, without the dialect that it names.
pub(super) fn put_given<S: Sink>(schema: Value<'_>, w: &mut Writer<'_, S>) {
    w.braces(|w| {
        if schema.get("type").is_none() {
            w.word(key!("type"), "object");
        }
        for member in schema.members().filter(|member| member.name != "$schema") {
            w.member(member.name);
            w.value(member.value);
        }
    });
}

fn rule_of(name: Text<'_>) -> Option<Rule> {
    KEYWORDS.iter().find(|(keyword, _)| name == *keyword).map(|(_, rule)| *rule)
}

fn fits(rule: Rule, value: Value<'_>) -> bool {
    let kind = value.kind();
    match rule {
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
