//! The rules that follow from the table of a view: which members an object may have, and their
//! types.
//!
//! [`Walk`] walks over an object once and records the span of the value of each field. Later lookups
//! use these spans, not the object. The object is walked again only if the first walk found a problem
//! with a name: first to report unknown names, then to report repeated and nonstandard names.

use super::schema::Rule;
use super::{Check, quoted, span_of};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::rules::near::meant;
use crate::rules::{COUNTS, DOES_NOT_COUNT, REQUIRED_IS_EMPTY};
use crate::span::Span;
use crate::syntax::json::Record;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::names::Meaning;
use crate::syntax::json::view::{Field, Shape, View};
use crate::syntax::json::{Kind, Member, Value};
use crate::syntax::text::Text;

/// Reports unknown members, nonstandard names, duplicates, wrong types and empty strings, according
/// to the table of `V`, whose rules do not apply.
pub(crate) fn members<'a, V: View<'a>>(
    object: Value<'a>,
    check: &mut Check<'_, '_, 'a>,
    section: &'static str,
) {
    let (table, welcome) = (Lookup::of::<V>(), Welcome::Nothing);
    Walk { object, table, rows: &[], welcome, section }.run(&mut Record::new(), check);
}

/// Which problems are accepted and not reported.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Welcome {
    Nothing,
    /// Values of wrong types are not errors, but warnings, because the specification defines no
    /// types here.
    OtherTypes,
    /// Members whose names begin with `x-` are accepted.
    Extensions,
    /// Members outside the table are accepted.
    Others,
    /// Members outside the table, and aliases of fields, are accepted.
    OtherNames,
    /// Values of any type are accepted, too.
    Anything,
}

/// A walk over the members of an object. It is not generic, so all tables share one copy of the
/// code.
pub(super) struct Walk<'a> {
    pub(super) object: Value<'a>,
    pub(super) table: Lookup,
    /// The rules of each row of the table, if they are known.
    pub(super) rows: &'static [&'static [Rule]],
    pub(super) welcome: Welcome,
    pub(super) section: &'static str,
}

impl<'a> Walk<'a> {
    pub(super) fn run(&self, record: &mut Record, check: &mut Check<'_, '_, 'a>) {
        let bytes = check.bytes;
        // Whether a name is repeated or nonstandard, whether a value has a wrong type, and whether
        // a value is empty.
        let (mut odd, mut misshapen, mut empty) = (false, false, false);
        let mut named = 0_u32;
        record.walk(self.object, bytes, self.table.names, |number, member| {
            let Some(field) = number.and_then(|number| self.table.fields.get(number as usize))
            else {
                return;
            };
            let bit = 1_u32.wrapping_shl(number.unwrap_or_default());
            odd |= named & bit != 0 || self.is_odd(field, member.name);
            named |= bit;
            misshapen |= !has_shape(field, member.value);
            empty |= is_empty(member.value);
        });
        use Welcome::{Extensions, Nothing, OtherTypes};
        if record.has_unknown() && matches!(self.welcome, Nothing | OtherTypes | Extensions) {
            self.unknown(check);
        }
        if odd {
            self.odd(check);
        }
        if record.fields().contested() != 0 {
            self.contradictions(record, check);
        }
        if self.welcome == Welcome::Anything {
            return;
        }
        if misshapen {
            self.misshapen(record, check);
        }
        if empty {
            self.empty(record, check);
        }
    }

    /// Whether a field has another name than in the specification, and this must be reported.
    fn is_odd(&self, field: &Field, name: Text<'_>) -> bool {
        !matches!(self.welcome, Welcome::OtherNames | Welcome::Anything)
            && !is_first_name(field, name)
    }

    fn field(&self, name: Text<'a>, bytes: &[u8]) -> Option<(u32, &'static Field)> {
        let number = self.table.number_in(bytes, name)?;
        Some((number, self.table.fields.get(number as usize)?))
    }

    #[cold]
    fn unknown(&self, check: &mut Check<'_, '_, 'a>) {
        let is_extension = |name: Text<'_>| {
            self.welcome == Welcome::Extensions && name.starts_with_ignore_case("x-")
        };
        let others = self.object.members().filter(|member| !is_extension(member.name));
        for member in others.filter(|member| self.field(member.name, check.bytes).is_none()) {
            if check.report.is_full() {
                return;
            }
            let known = self.table.fields.iter();
            let known = known.filter_map(|field| core::str::from_utf8(field.name()).ok());
            let Some(meant) = meant(member.name, known) else {
                check.about(
                    Code::UnknownField,
                    member.name,
                    self.section,
                    "the specification does not define {} here; it is kept as metadata",
                );
                continue;
            };
            let diagnostic = Diagnostic::new(
                Code::MisspelledField,
                quoted(member.name, check.bytes),
                check.spec,
                self.section,
                "the specification does not define {} here; did you mean `{}`?",
            );
            check.report.add(diagnostic.about(member.name).meaning(meant));
        }
    }

    #[cold]
    fn odd(&self, check: &mut Check<'_, '_, 'a>) {
        let named = self.named(check);
        // One bit for each name of each field.
        let mut seen = [0_u8; Record::FIELDS];
        for member in self.object.members() {
            let Some(meaning) = self.table.find_in(check.bytes, member.name) else {
                continue;
            };
            let Meaning { field, rank, .. } = meaning;
            let (Some(names), Some(field)) =
                (seen.get_mut(field as usize), self.table.fields.get(field as usize))
            else {
                continue;
            };
            let key = quoted(member.name, check.bytes);
            let bit = 1_u8.wrapping_shl(u32::from(rank));
            let is_again = *names & bit != 0;
            *names |= bit;
            if is_again {
                let message = "{} is repeated; the last one counts, remove the others";
                check.report.add(
                    Diagnostic::new(Code::DuplicateField, key, Spec::Rfc8259, "4", message)
                        .about(member.name),
                );
            }
            let others = meaning.place().and_then(|place| named.get(place));
            if self.is_odd(field, member.name) && others.is_none_or(|others| is_alone(others)) {
                let message = "{} is read as `{}`; use that name";
                let diagnostic =
                    Diagnostic::new(Code::NonstandardShape, key, check.spec, self.section, message);
                let meant = core::str::from_utf8(field.name()).unwrap_or_default();
                check.report.add(diagnostic.about(member.name).meaning(meant));
            }
        }
    }

    /// Returns the members of the fields with several names: for each name the last member that is
    /// not `null`.
    fn named(&self, check: &Check<'_, '_, 'a>) -> Named<'a> {
        let mut named = [[None; Meaning::RANKS]; Meaning::PLACES];
        for member in self.object.members().filter(|member| !member.value.is_null()) {
            let meaning = self.table.find_in(check.bytes, member.name);
            if let Some(meaning) = meaning
                && let Some(names) = meaning.place().and_then(|place| named.get_mut(place))
                && let Some(place) = names.get_mut(usize::from(meaning.rank))
            {
                *place = Some(member);
            }
        }
        named
    }

    /// Reports fields whose values under several names differ: the name that counts and each of the
    /// others.
    #[cold]
    fn contradictions(&self, record: &Record, check: &mut Check<'_, '_, 'a>) {
        for names in self.named(check) {
            if is_alone(&names) {
                continue;
            }
            let members = || names.iter().flatten();
            let counts = members().find(|member| {
                let meaning = self.table.find_in(check.bytes, member.name);
                let slot = meaning.and_then(|meaning| record.slot(meaning.field));
                slot.is_some_and(|slot| slot.start == span_of(member.value, check.bytes).start)
            });
            let Some(counts) = counts else { continue };
            let mut other = None;
            for member in members().filter(|member| !member.value.agrees_with(counts.value)) {
                other = Some(member.name);
                self.contradicts(member.name, counts.name, DOES_NOT_COUNT, check);
            }
            if let Some(other) = other {
                self.contradicts(counts.name, other, COUNTS, check);
            }
        }
    }

    fn contradicts(
        &self,
        name: Text<'a>,
        other: Text<'a>,
        message: &'static str,
        check: &mut Check<'_, '_, 'a>,
    ) {
        let key = quoted(name, check.bytes);
        let diagnostic =
            Diagnostic::new(Code::Contradiction, key, check.spec, self.section, message);
        let other = Span::of(other.raw(), check.bytes);
        check.report.add(diagnostic.about(name).naming(check.bytes, [other]));
    }

    /// Returns the fields that are present, with their numbers and last values.
    fn values(
        &self,
        record: &Record,
        bytes: &'a [u8],
    ) -> impl Iterator<Item = (u32, &'static Field, Value<'a>)> {
        let fields = (0..).zip(self.table.fields);
        fields.filter_map(move |(number, field)| {
            Some((number, field, record.slot(number)?.value(bytes)))
        })
    }

    #[cold]
    fn empty(&self, record: &Record, check: &mut Check<'_, '_, 'a>) {
        let bytes = check.bytes;
        for (number, field, value) in self
            .values(record, bytes)
            .filter(|(_, field, value)| is_empty(*value) && is_text_read(field, *value))
        {
            let name = field.name();
            // An empty `prefix` is valid: the key is then sent without a prefix.
            if name != b"prefix" {
                let mut rules = self.rows.get(number as usize).into_iter().copied().flatten();
                let (severity, message) = if field.required || rules.any(Rule::needs) {
                    (Severity::Error, REQUIRED_IS_EMPTY)
                } else {
                    (Severity::Warning, "{} is empty; write a value")
                };
                let diagnostic = Diagnostic::new(
                    Code::EmptyValue,
                    span_of(value, bytes),
                    check.spec,
                    self.section,
                    message,
                );
                check.report.add(diagnostic.with_severity(severity).about(Text::plain(name)));
            }
        }
    }

    #[cold]
    fn misshapen(&self, record: &Record, check: &mut Check<'_, '_, 'a>) {
        let bytes = check.bytes;
        for (_, field, value) in
            self.values(record, bytes).filter(|(_, field, value)| !has_shape(field, *value))
        {
            let (code, message) = if (field.reads)(value) {
                (Code::NonstandardShape, nonstandard(field.shape))
            } else if self.welcome == Welcome::OtherTypes {
                let message = "{} is {}, which is kept as metadata only; write a string, as the examples of the specification do";
                (Code::NonstandardShape, message)
            } else {
                (Code::WrongType, wrong_type(field.shape))
            };
            let name = Text::plain(field.name());
            check.report.add(
                Diagnostic::new(
                    code,
                    span_of(value, check.bytes),
                    check.spec,
                    self.section,
                    message,
                )
                .about(name)
                .meaning(name_of(value.kind())),
            );
        }
    }
}

/// For each field with several names, its members by their names.
type Named<'a> = [[Option<Member<'a>>; Meaning::RANKS]; Meaning::PLACES];

/// Whether at most one name of a field occurs.
fn is_alone(names: &[Option<Member<'_>>]) -> bool {
    names.iter().flatten().nth(1).is_none()
}

/// Returns the name of a JSON type, with its article.
const fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "a boolean",
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Array => "an array",
        Kind::Object => "an object",
    }
}

/// Whether a value has the type that the specification defines for the field, or is `null`, which
/// counts as absent.
fn has_shape(field: &Field, value: Value<'_>) -> bool {
    field.shape.fits(value) || value.is_null()
}

/// Whether the field should be a text, or reads this one in place of another type.
fn is_text_read(field: &Field, text: Value<'_>) -> bool {
    match field.shape {
        Shape::Text => true,
        Shape::Any => false,
        _ => (field.reads)(text),
    }
}

fn is_empty(value: Value<'_>) -> bool {
    value.as_text().is_some_and(Text::is_blank)
}

/// Whether a name of a field is its name in the specification, not an alias.
fn is_first_name(field: &Field, name: Text<'_>) -> bool {
    field.names.len() == 1 || name == Text::plain(field.name())
}

/// Returns the message for a member of the wrong type.
pub(crate) const fn wrong_type(expected: Shape) -> &'static str {
    match expected {
        Shape::Text => "{} must be a string; its value is ignored",
        Shape::Bool => "{} must be true or false; its value is ignored",
        Shape::Number => "{} must be a number; its value is ignored",
        Shape::Object => "{} must be an object; its value is ignored",
        Shape::Array => "{} must be an array; its value is ignored",
        Shape::Any => "{} cannot be read",
    }
}

/// Returns the message for a member of another type that is readable nevertheless.
const fn nonstandard(expected: Shape) -> &'static str {
    match expected {
        Shape::Text => "{} is {}, which is read; the specification defines a string; write one",
        Shape::Bool => {
            "{} is {}, which is read; the specification defines a boolean; write true or false"
        }
        Shape::Number => "{} is {}, which is read; the specification defines a number; write one",
        Shape::Object => "{} is {}, which is read; the specification defines an object; write one",
        Shape::Array => "{} is {}, which is read; the specification defines an array; write one",
        Shape::Any => "{} is {}, which is read; the specification does not define this type",
    }
}

impl<'a> Check<'_, '_, 'a> {
    /// Calls `each` with the objects of an array, until the report is full. Reports the other
    /// elements, which readers skip.
    pub(crate) fn objects(
        &mut self,
        array: Value<'a>,
        section: &'static str,
        mut each: impl FnMut(Value<'a>, &mut Self),
    ) {
        for element in array.elements() {
            if self.report.is_full() {
                return;
            }
            if element.kind() == Kind::Object {
                each(element, self);
            } else {
                self.not_an_object(element, section);
            }
        }
    }

    pub(super) fn not_an_object(&mut self, element: Value<'a>, section: &'static str) {
        let message = "this item must be an object; it is ignored";
        self.add(Code::WrongType, span_of(element, self.bytes), section, message);
    }

    /// Reports array elements that are not strings, which readers skip, and empty strings.
    pub(crate) fn texts(&mut self, array: Value<'a>, section: &'static str) {
        for element in array.elements() {
            let (code, message) = match element.as_text() {
                None => (Code::WrongType, "this item must be a string; it is ignored"),
                Some(text) if text.is_blank() => {
                    (Code::EmptyValue, "this item is empty; write a value")
                }
                Some(_) => continue,
            };
            self.add(code, span_of(element, self.bytes), section, message);
        }
    }
}
