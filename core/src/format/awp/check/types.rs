//! The checks of type expressions (section 8). A text that is not a type is reported with the type
//! that is probably meant.

use super::references::members;
use super::*;
use crate::diagnostic::{Code, Diagnostic};
use crate::format::awp::Input;
use crate::rules::json::quoted;
use crate::rules::names::Names;
use crate::scan;
use crate::span::Span;
use crate::syntax::json::view::{Array, Object};
use crate::syntax::type_expr::{TypeExpr, TypeKind};

says! {
    EMPTY: EmptyValue, "the type of {} is empty; write a type";
    OBJECT: NonstandardShape, "the type of {} is an object, which is kept but not interpreted; write a string";
    NO_STRING: WrongType, "the type of {} must be a string; its value is ignored";
    NO_TYPE: InvalidValue, "{} is not a valid type; write a name, `enum[a, b]`, `array[type]` or `object[entity]`, with matching brackets";
    NO_ENTITY: UnknownReference Error, "{} names an entity that is not declared; declare it in `entities`";
    NO_ITEM: UnknownReference, "the items of {} have an unknown type; write a known type, or declare the entity in `entities`";
    BARS: InvalidValue, "the values of {} are separated by `|`, so they are read as one; write commas between them";
    NO_VALUES: InvalidValue Warning, "{} has no values; write them in brackets, or in `options`";
}

/// Checks type expressions, and that the entities in them are declared.
pub(super) fn check<'a>(document: &Awp<'a>, check: &mut Check<'_, '_, 'a>) {
    let entities = || members(document.top.entities);
    check.with_names(entities().map(|entity| entity.name), |names, check| {
        for entity in entities() {
            types(EntityObject::read(entity.value).fields, names, "8", check);
        }
        for action in document.actions() {
            if check.report.is_full() {
                return;
            }
            types(action.outputs, names, "9", check);
            for input in members(action.inputs) {
                let read = Input::read(input.value);
                let has_options =
                    read.options.is_some_and(|Array(options)| options.elements().next().is_some());
                if let Some(kind) = read.kind.or(input.value.as_text()) {
                    type_expr(kind, has_options, names, "9", check);
                }
            }
        }
    });
}

/// Checks the values of a map from names to types.
fn types<'a>(
    map: Option<Object<'a>>,
    names: &Names<'_, '_>,
    section: &'static str,
    check: &mut Check<'_, '_, 'a>,
) {
    for member in members(map) {
        let say = match (member.value.kind(), member.value.as_text()) {
            (Kind::Null, _) => continue,
            (_, Some(text)) if !text.is_blank() => {
                type_expr(text, false, names, section, check);
                continue;
            }
            (Kind::String, _) => EMPTY,
            (Kind::Object, _) => OBJECT,
            _ => NO_STRING,
        };
        check.say_member(say, member, section);
    }
}

/// Checks a type expression. `has_options` is whether the values of an enumeration are listed
/// outside of it.
fn type_expr<'a>(
    text: Text<'a>,
    has_options: bool,
    names: &Names<'_, '_>,
    section: &'static str,
    check: &mut Check<'_, '_, 'a>,
) {
    if text.is_blank() {
        return;
    }
    let expression = TypeExpr::parse(text);
    if let Some((subject, meant)) = meant_by_expression(text, expression.ok(), names) {
        return meant.report(quoted(text, check.bytes), subject, section, check);
    }
    let Ok(expression) = expression else { return check.say_in(NO_TYPE, text, section) };
    let (inner, is_array) = (expression.innermost(), expression.kind() == TypeKind::Array);
    let say = match inner.kind() {
        TypeKind::Object if inner.entity().is_some_and(|entity| !names.contains(entity)) => {
            NO_ENTITY
        }
        TypeKind::Named if is_array && !names.contains(inner.text()) => NO_ITEM,
        TypeKind::Enum if inner.options().any(|option| option.chars().any(|c| c == '|')) => BARS,
        TypeKind::Enum if !has_options && inner.options().next().is_none() => NO_VALUES,
        _ => return,
    };
    check.say_in(say, text, section);
}

/// Returns the part of a text that is not a type of the specification, and the type that it means.
fn meant_by_expression<'a>(
    text: Text<'a>,
    expression: Option<TypeExpr<'a>>,
    names: &Names<'_, '_>,
) -> Option<(Text<'a>, Meant<'a>)> {
    let inner = expression.map(|expression| expression.innermost());
    let subject = inner.map_or(text, |inner| inner.text());
    // The name of a declared entity is a valid type, even if it looks like a misspelled type, and
    // even without `object[…]` around it.
    let is_open =
        inner.is_none_or(|inner| inner.kind() == TypeKind::Named && !names.contains(inner.text()));
    if is_open && let Some(meant) = subject.as_str().and_then(meant) {
        return Some((subject, meant));
    }
    // Types are compared without letter case.
    let in_other_case = |part: Text<'a>| Some((part, in_other_case(part.as_str()?)?));
    in_other_case(text).or_else(|| in_other_case(subject))
}

/// Names that say nothing about the values.
const VAGUE_NAMES: [&str; 11] = [
    "any",
    "anything",
    "mixed",
    "never",
    "nil",
    "none",
    "null",
    "undefined",
    "unknown",
    "variant",
    "void",
];

/// The type that is meant by a text that is not a type of the specification.
struct Meant<'t> {
    severity: Severity,
    message: &'static str,
    /// The part of the text that the message repeats.
    part: Option<&'t str>,
}

impl<'t> Meant<'t> {
    const fn error(message: &'static str, part: Option<&'t str>) -> Self {
        Self { severity: Severity::Error, message, part }
    }

    fn report<'a>(
        &self,
        span: Span,
        subject: Text<'a>,
        section: &'static str,
        check: &mut Check<'_, '_, 'a>,
    ) {
        let diagnostic =
            Diagnostic::new(Code::InvalidValue, span, Spec::Awp, section, self.message)
                .with_severity(self.severity)
                .about(subject);
        let part = self.part.map(|part| Span::of(part.as_bytes(), check.bytes));
        let bytes = check.bytes;
        check.report.add(diagnostic.naming(bytes, part));
    }
}

/// A type of the specification, with other names for it and two messages that propose it: as a
/// type, and as the item type of an array.
struct Canonical {
    name: &'static str,
    aliases: &'static [&'static str],
    message: &'static str,
    array: &'static str,
}

macro_rules! canonical {
    ($($name:literal: $($alias:literal)*;)*) => {
        &[$(Canonical {
            name: $name,
            aliases: &[$($alias),*],
            message: concat!("{} is not a type of the specification; write `", $name, "`"),
            array: concat!("{} is not a type of the specification; write `array[", $name, "]`"),
        },)*]
    };
}

const TYPES: &[Canonical] = canonical! {
    "string": "str" "text" "varchar" "char" "uuid";
    "integer": "int" "int32" "int64" "long" "short" "uint" "bigint";
    "float": "number" "double" "decimal" "real" "numeric" "float32" "float64";
    "boolean": "bool";
    "ISO8601": "date" "datetime" "date-time" "date_time" "timestamp" "iso-8601" "iso_8601" "iso 8601";
    "url": "uri" "href" "link";
    "object": "map" "dict" "dictionary" "record" "hash" "json" "struct";
    "array": "list" "set" "sequence" "vector" "tuple";
};

const ENUM: &str = "{} is not a type of the specification; write `enum[a, b]` with the values";
const ENUM_NAME: &str = "{} is not a type of the specification; write `enum` in lower case";
const VAGUE: &str = "{} is not a type of the specification; write the type of the values, such as `string` or `object`";
const ARRAY_OF: &str = "{} is not a type of the specification; write `array[{}]`";
const OBJECT_OF: &str = "{} is not a type of the specification; write `object[{}]`";
const ARRAY: &str = "{} is not a type of the specification; write `array[type]`, with the type of the items in brackets";
const WHOLE: &str = "{} is not a type of the specification; write `{}`";
const UNION: &str = "{} names several types, but a value has one type; write one of them, and the others in the description";
const NAME: &str = "{} is not a type of the specification; write a name without spaces and special characters, `enum[a, b]`, `array[type]` or `object[entity]`";

/// Returns the type that a text means, if it differs from a type of the specification only by
/// letter case.
fn in_other_case(text: &str) -> Option<Meant<'_>> {
    let end = text.bytes().position(|byte| byte == b'[');
    let name = text.get(..end.unwrap_or(text.len()))?;
    let (known, message) = match canonical(name) {
        Some(found) => (found.name, found.message),
        None => ("enum", ENUM_NAME),
    };
    let is_other = name.eq_ignore_ascii_case(known) && name != known;
    let inside = end.and_then(|end| text.get(end..)?.strip_prefix('[')?.strip_suffix(']'));
    let whole = match (known, inside) {
        ("array", Some(item)) => array_of(item),
        ("object", Some(entity)) => Meant::error(OBJECT_OF, Some(entity)),
        _ => Meant::error(message, None),
    };
    is_other.then_some(Meant { severity: Severity::Info, ..whole })
}

/// Returns the type that is meant by a text, if the text is not a type of the specification. A
/// plain name may be a type of the document, unless other languages use it as the name of a type.
fn meant(text: &str) -> Option<Meant<'_>> {
    let text = text.trim();
    let mut known = options(text).filter(|option| !is_vague(option));
    let first = known.next();
    if known.next().is_some() {
        let is_type = |option: &str| {
            canonical(option).is_some() || scan::memchr(b'[', option.as_bytes()).is_some()
        };
        let message = if options(text).any(is_type) { UNION } else { ENUM };
        return Some(Meant::error(message, None));
    }
    let Some(one) = first.map(|one| one.strip_suffix('?').unwrap_or(one).trim()) else {
        return (!text.is_empty()).then_some(Meant::error(VAGUE, None));
    };
    if one == text {
        return meant_by_one(text);
    }
    // A type does not say whether its value may be absent, so a union with `null` or a `?` is an
    // error.
    let meant = meant_by_one(one).or_else(|| of_name(one));
    Some(Meant { severity: Severity::Error, ..meant.unwrap_or(Meant::error(WHOLE, Some(one))) })
}

/// Returns the options of a union: the parts of a text between `|` outside of brackets.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    let pieces = text.split(move |c| {
        match c {
            '[' | '<' | '(' | '{' => depth = depth.saturating_add(1),
            ']' | '>' | ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '|' && depth == 0
    });
    pieces.map(str::trim)
}

/// Whether a name says nothing about the values.
fn is_vague(name: &&str) -> bool {
    name.is_empty() || VAGUE_NAMES.iter().any(|vague| name.eq_ignore_ascii_case(vague))
}

/// Like [`meant`], for one option of a union.
fn meant_by_one(text: &str) -> Option<Meant<'_>> {
    let error = |message| Meant::error(message, None);
    if let Some(found) = canonical(text) {
        let is_alias = !text.eq_ignore_ascii_case(found.name);
        return is_alias.then_some(Meant { severity: Severity::Warning, ..error(found.message) });
    }
    let item = text
        .strip_suffix("[]")
        .or_else(|| text.strip_prefix('[')?.strip_suffix(']'))
        .or_else(|| text.strip_prefix("array of "))
        .or_else(|| text.strip_prefix("list of "));
    if let Some(item) = item {
        let is_array = canonical(item).is_some_and(|found| found.name == "array");
        return Some(if is_array { error(ARRAY) } else { array_of(item) });
    }
    if text.starts_with('{') {
        return Some(error(canonical("map")?.message));
    }
    let open = text.bytes().position(|byte| matches!(byte, b'[' | b'<' | b'('));
    let Some((name, rest)) = open.and_then(|at| text.split_at_checked(at)) else {
        return (!is_name(text)).then_some(error(NAME));
    };
    let inside = rest.get(1..).and_then(|rest| rest.strip_suffix([']', '>', ')']))?;
    if name.eq_ignore_ascii_case("enum") {
        return (!rest.starts_with('[')).then_some(error(ENUM));
    }
    Some(match canonical(name).map(|found| found.name) {
        Some("array") => array_of(inside),
        Some("object") if name.eq_ignore_ascii_case("object") && is_name(inside) => {
            Meant::error(OBJECT_OF, Some(inside))
        }
        Some("object") => error(canonical("map")?.message),
        Some(_) => of_name(name)?,
        None => {
            of_name(inside).filter(|_| name.eq_ignore_ascii_case("optional")).unwrap_or(error(NAME))
        }
    })
}

/// Returns the array type that is meant by this item type.
fn array_of(item: &str) -> Meant<'_> {
    let item = item.trim();
    let singular = item.strip_suffix('s').unwrap_or(item);
    match canonical(item).or_else(|| canonical(singular)) {
        Some(found) => Meant::error(found.array, None),
        None if is_name(item) => Meant::error(ARRAY_OF, Some(item)),
        None => Meant::error(ARRAY, None),
    }
}

/// Returns the type that a known name means.
fn of_name<'t>(name: &str) -> Option<Meant<'t>> {
    Some(Meant::error(canonical(name.trim())?.message, None))
}

/// Returns the type of the specification that has this name or alias, ignoring letter case.
fn canonical(name: &str) -> Option<&'static Canonical> {
    TYPES.iter().find(|found| {
        name.eq_ignore_ascii_case(found.name)
            || found.aliases.iter().any(|alias| name.eq_ignore_ascii_case(alias))
    })
}

/// Whether a text may be the name of a type of the document.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/'))
}
