//! What the checks of the JSON formats share: everything that follows from a view's table alone, and what is asked of every string.

use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::format::credentials;
use crate::span::Span;
use crate::syntax::json::view::{Field, Shape, Table, find};
use crate::syntax::json::{Kind, TokenKind, Tokenizer, Value};
use crate::syntax::text::Text;

use super::report::Report;

/// What the checks of a JSON format carry with them.
pub(crate) struct Check<'r, 's, 'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) spec: Spec,
    pub(crate) report: &'r mut Report<'s, 'a>,
}

/// Where a JSON value stands, as diagnostics give it: from its first character on, a string's quote included.
pub(crate) fn span_of(value: Value<'_>, bytes: &[u8]) -> Span {
    Span::of(value.raw(), bytes)
}

/// Where the content of a JSON string stands, with its quotes. For text that was read from a string.
pub(crate) fn quoted(text: Text<'_>, bytes: &[u8]) -> Span {
    let inside = Span::of(text.raw(), bytes);
    Span::new(inside.start.saturating_sub(1), inside.end.saturating_add(1))
}

/// Reports what the table of `V` says about the members of an object: unknown ones, ones under other names, duplicates, wrong types.
///
/// Of duplicates only the last one is looked at further, for the others are not read.
pub(crate) fn members<'a, V: Table>(object: Value<'a>, check: &mut Check<'_, '_, 'a>, section: &'static str) {
    let mut seen = 0_u32;
    for member in object.members() {
        let found = find(V::FIELDS, member.name);
        let key = quoted(member.name, check.bytes);
        let Some((index, name)) = found else {
            let unknown = Diagnostic::new(Code::UnknownField, key, check.spec, section, "{} is not defined here; it is kept as metadata");
            check.report.add(unknown.about(member.name));
            continue;
        };
        if seen >> index & 1 == 1 {
            let twice =
                Diagnostic::new(Code::DuplicateField, key, Spec::Rfc8259, "4", "{} is given again; the last one counts, remove the others");
            check.report.add(twice.about(member.name));
        }
        seen |= 1 << index;
        if name > 0 {
            let other = Diagnostic::new(
                Code::NonstandardShape,
                key,
                check.spec,
                section,
                "{} is read, but the specification has another name for it",
            );
            check.report.add(other.about(member.name));
        }
    }
    // The last one of each name, found from the bits that are still set when the members are walked again.
    let mut last = [Span::default(); 32];
    for member in object.members() {
        if let Some((index, _)) = find(V::FIELDS, member.name)
            && let Some(place) = last.get_mut(index)
        {
            *place = span_of(member.value, check.bytes);
        }
    }
    for (field, span) in V::FIELDS.iter().zip(last) {
        if span.end != 0 {
            check_type(field, Value::trusted(span.slice(check.bytes)), check, section);
        }
    }
}

fn check_type<'a>(field: &Field, value: Value<'a>, check: &mut Check<'_, '_, 'a>, section: &'static str) {
    if value.is_null() || field.shape.fits(value) {
        return;
    }
    let span = span_of(value, check.bytes);
    let name = field.names.first().copied().map_or(Text::EMPTY, Text::plain);
    if (field.reads)(value) {
        let shape =
            Diagnostic::new(Code::NonstandardShape, span, check.spec, section, "{} is read, but the specification gives it another shape");
        check.report.add(shape.about(name));
    } else {
        check.report.add(Diagnostic::new(Code::WrongType, span, check.spec, section, wrong_type(field.shape)).about(name));
    }
}

/// The message for a member of the wrong type.
pub(crate) const fn wrong_type(expected: Shape) -> &'static str {
    match expected {
        Shape::Text => "{} must be a string; it is not read",
        Shape::Bool => "{} must be true or false; it is not read",
        Shape::Number => "{} must be a number; it is not read",
        Shape::Object => "{} must be an object; it is not read",
        Shape::Array => "{} must be an array; it is not read",
        Shape::Any => "{} cannot be read",
    }
}

/// Reports the elements of an array that are not of the kind they should be. They are passed over when it is read.
pub(crate) fn elements<'a>(array: Value<'a>, kind: Kind, check: &mut Check<'_, '_, 'a>, section: &'static str) {
    for element in array.elements().filter(|element| element.kind() != kind) {
        let span = span_of(element, check.bytes);
        let template = match kind {
            Kind::String => "an item of this list must be a string; it is passed over",
            _ => "an item of this list must be an object; it is passed over",
        };
        check.report.add(Diagnostic::new(Code::WrongType, span, check.spec, section, template));
    }
}

/// Looks at every string of the document: half surrogate pairs, and credentials in values.
pub(crate) fn strings(check: &mut Check<'_, '_, '_>, start: usize) {
    let mut tokens = Tokenizer::at(check.bytes, start, crate::Limits::MAX_DEPTH);
    while let Ok(Some(token)) = tokens.next_token() {
        let Some(text) = token.text() else { continue };
        if text.is_escaped() && has_lone_surrogate(text.raw()) {
            let template = "a \\u escape holds half of a surrogate pair; it reads as U+FFFD";
            check.report.add(Diagnostic::new(Code::LoneSurrogate, token.span, Spec::Rfc8259, "8.2", template));
        }
        if token.kind == TokenKind::String && credentials::holds_credential(text) {
            check.report.add(Diagnostic::new(Code::CredentialInDocument, token.span, Spec::InternetDraft, "5", credentials::MESSAGE));
        }
    }
}

/// Whether JSON-escaped text has half of a surrogate pair alone.
fn has_lone_surrogate(raw: &[u8]) -> bool {
    let mut rest = raw;
    let mut high = false;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'\\' {
            if high {
                return true;
            }
            continue;
        }
        let Some((&kind, tail)) = rest.split_first() else { break };
        rest = tail;
        let unit = if kind == b'u' { crate::syntax::text::hex4(rest) } else { None };
        if unit.is_some() {
            rest = rest.get(4..).unwrap_or_default();
        }
        match unit {
            Some(0xD800..0xDC00) if high => return true,
            Some(0xD800..0xDC00) => high = true,
            Some(0xDC00..0xE000) if high => high = false,
            Some(0xDC00..0xE000) => return true,
            _ if high => return true,
            _ => {}
        }
    }
    high
}
