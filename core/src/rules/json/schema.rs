//! The rules for the members of an object, as the rows of a format's tables state them, and the one
//! interpreter that checks documents by these rules.
//!
//! A row of [`view!`](crate::syntax::json::view::view) may end with rules in brackets:
//!
//! ```text
//! pub struct SkillObject at "4.4.5" {
//!     id: Text<'a> = b"id" [Need, Unique(SKILL_TWICE)],
//!     input_modes: Texts<'a> = b"inputModes" [Texts, EachText(MODE)],
//! }
//! ```
//!
//! The types and names of members follow from the rest of the table. What no rule of the list
//! expresses is a function of the format ([`Rule::Then`]).
//!
//! The interpreter is not generic, and it does not call itself: the containers that are still to be
//! checked are on a stack of its own ([`Pending`]), which the compiler proves to be large enough for
//! each table ([`Schema::fits`]). A function of a format never calls the interpreter.

mod pending;

use super::members::{Walk, Welcome, wrong_type};
use super::{Case, Check, is_one_of, quoted, span_of, strings};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::rules::Notation;
use crate::rules::names::Names;
use crate::rules::urls::{Others, Secure};
use crate::scan;
use crate::span::Span;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::view::{Shape, View};
use crate::syntax::json::{Kind, Member, Record, Value};
use crate::syntax::text::Text;
pub(crate) use pending::Nest;
use pending::{Container, MOST, Pending};

/// What the module `check` of a format makes available to its tables.
pub(crate) mod rules {
    pub(crate) use super::Profile::{New, Old};
    pub(crate) use super::Rule::{self, *};
    pub(crate) use super::{From, Nest, Row, Say, Schema, says, within};
    pub(crate) use crate::rules::json::{Case, Check, Welcome, wrong_type};
    pub(crate) use crate::rules::urls::{Others, Secure};
    pub(crate) use crate::syntax::json::view::Shape;
}

/// The rules for the objects of one table.
pub(crate) struct Schema {
    pub(crate) table: Lookup,
    /// The section of the specification that defines the object.
    pub(crate) section: &'static str,
    pub(crate) welcome: Welcome,
    /// The rules of each row.
    pub(crate) rows: &'static [&'static [Rule]],
    /// What no row alone can state.
    pub(crate) then: Option<Hook>,
}

impl Schema {
    /// Whether the containers of an object, and of the objects in them, fit on the stack. A schema
    /// that contains itself does not compile.
    pub(crate) const fn fits(&self) -> bool {
        self.most(true) <= MOST
    }

    /// Returns the maximum number of containers that are on the stack at a time: each container of
    /// an object is checked while those before it wait. `is_first` is false where
    /// [`Rule::Again`] leads.
    const fn most(&self, is_first: bool) -> usize {
        let (mut most, mut waiting, mut rows) = (0_usize, 0_usize, self.rows);
        while let [rules, other_rows @ ..] = rows {
            let mut rules = *rules;
            while let [rule, other_rules @ ..] = rules {
                let inside = match rule.innermost() {
                    Rule::Inside(schema)
                    | Rule::Each(schema)
                    | Rule::Map(schema)
                    | Rule::MapOrTexts(schema, _)
                    | Rule::Among(schema) => Some(schema.most(true)),
                    Rule::Again(_) if is_first => Some(self.most(false)),
                    _ => None,
                };
                if let Some(inside) = inside {
                    waiting = waiting.saturating_add(1);
                    let all = waiting.saturating_add(inside);
                    most = if all > most { all } else { most };
                }
                rules = other_rules;
            }
            rows = other_rows;
        }
        most
    }
}

/// Checks what no rule of the list expresses.
pub(crate) type Hook = for<'a> fn(&Row<'_, 'a>, &mut Check<'_, '_, 'a>);
/// Checks the text of a member, which is not empty, by what no rule of the list expresses.
pub(crate) type TextHook = for<'a> fn(Text<'a>, &Row<'_, 'a>, &mut Check<'_, '_, 'a>);
/// Checks the value of a member by what no rule of the list expresses.
pub(crate) type ValueHook = for<'a> fn(Value<'a>, &Row<'_, 'a>, &mut Check<'_, '_, 'a>);
/// Whether a rule applies to an object.
pub(crate) type When = fn(&Row<'_, '_>) -> bool;

/// What a document follows, such as a version of the specification. Each format has its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    New,
    Old,
}

/// A rule for a member. `null` is absent, and an empty string follows no rule for texts, because it
/// is reported as empty.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// The member is required. A member of the wrong type counts as present.
    Need,
    /// Reports an absent member.
    Want(&'static Say),
    /// The member is of an older version; the text replaces it.
    Gone(&'static Say, &'static str),
    /// Reports an array without elements, or an object without members.
    Filled(&'static Say),
    /// A URL.
    Url(Secure),
    /// A URL to which a public document may refer.
    PublicUrl(Secure, Others),
    /// A URL, or a path of the site; the text is the message about anything else.
    Endpoint(Secure, &'static str),
    /// Reports a URL on another domain than that of the site.
    OnSite,
    /// One of some names.
    OneOf(&'static [&'static str], Case, &'static Say),
    /// A text for which a function is true.
    Fits(fn(Text<'_>) -> bool, &'static Say),
    /// Reports the text.
    Report(&'static Say),
    /// An array of strings.
    Texts,
    /// A rule for each string of an array.
    EachText(&'static Rule),
    /// An object with a schema.
    Inside(&'static Schema),
    /// An array of objects with a schema.
    Each(&'static Schema),
    /// An object from names to objects with a schema.
    Map(&'static Schema),
    /// An object from names to objects with a schema, or to strings, which are read and reported.
    MapOrTexts(&'static Schema, &'static Say),
    /// Objects with the schema of this object, in which this rule is not followed again.
    Again(Nest),
    /// The objects in an array or an object, with a schema. Other values may stand beside them, and
    /// their members may have any names and types.
    Among(&'static Schema),
    /// No two members of the object have one name.
    Names,
    /// No two objects of a list have the same text here.
    Unique(&'static Say),
    /// Calls a function with the text.
    Then(TextHook),
    /// Reports a value that is no object, for a member that a view shows whatever its type.
    IsObject(&'static Say),
    /// Calls a function with the value, whatever its type.
    ThenValue(ValueHook),
    /// A rule of one profile.
    In(Profile, &'static Rule),
    /// A rule for some objects.
    If(When, &'static Rule),
    /// A rule of another section than that of the object.
    At(&'static str, &'static Rule),
}

impl Rule {
    /// Whether the member is required, at least in some objects, so that it is never empty.
    pub(super) fn needs(&self) -> bool {
        match self.innermost() {
            Self::Need => true,
            Self::Want(say) => {
                say.code == Code::MissingRequiredField && say.severity == Severity::Error
            }
            _ => false,
        }
    }

    /// Returns the rule without its conditions.
    const fn innermost(mut self: &Self) -> &Self {
        while let Self::In(_, rule) | Self::If(_, rule) | Self::At(_, rule) = self {
            self = rule;
        }
        self
    }
}

/// A diagnostic of a rule.
#[derive(Clone, Copy)]
pub(crate) struct Say {
    code: Code,
    severity: Severity,
    /// The section, if it is another one than that of the object.
    section: Option<&'static str>,
    message: &'static str,
    /// The message for lines, if it is another one.
    in_text: Option<&'static str>,
}

/// A member of a map is no object.
const NO_OBJECT: &Say = &Say::new(Code::WrongType, wrong_type(Shape::Object));
/// A required member is missing.
const NEEDED: &Say =
    &Say::new(Code::MissingRequiredField, "the required member {} is missing; add it");

impl Say {
    pub(crate) const fn new(code: Code, message: &'static str) -> Self {
        Self { code, severity: code.severity(), section: None, message, in_text: None }
    }

    pub(crate) const fn as_severe(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    pub(crate) const fn message(&self) -> &'static str {
        self.message
    }

    pub(crate) const fn at(self, section: &'static str) -> Self {
        Self { section: Some(section), ..self }
    }

    pub(crate) const fn in_text(self, message: &'static str) -> Self {
        Self { in_text: Some(message), ..self }
    }
}

/// Makes the diagnostics of a format: name, code, severity if it is not the usual one of the code,
/// section if it is not that of the object, message, and the message for lines if it is another one.
macro_rules! says {
    ($($name:ident: $code:ident $($severity:ident)? $($section:literal)?, $message:expr $(, $in_text:expr)?;)*) => {$(
        pub(crate) const $name: &$crate::rules::json::schema::Say =
            &$crate::rules::json::schema::Say::new($crate::diagnostic::Code::$code, $message)
                $(.as_severe($crate::diagnostic::Severity::$severity))? $(.at($section))? $(.in_text($in_text))?;
    )*};
}
pub(crate) use says;

/// Where an object is.
#[derive(Clone, Copy)]
pub(crate) enum From<'a> {
    /// It is the document.
    Start,
    /// In the field of the enclosing object with this number, or in the array of that field.
    Field(u32),
    /// In a map, under this name.
    Name(Text<'a>),
}

/// An object that is being checked, and one of its fields.
#[derive(Clone, Copy)]
pub(crate) struct Row<'r, 'a> {
    bytes: &'a [u8],
    record: &'r Record,
    schema: &'static Schema,
    pub(crate) section: &'static str,
    pub(crate) object: Value<'a>,
    pub(crate) from: From<'a>,
    is_again: bool,
    pub(crate) field: u32,
}

impl<'a> Row<'_, 'a> {
    /// Returns the view of the object. `V` is the type whose table has the row.
    pub(crate) fn view<V: View<'a>>(&self) -> V {
        debug_assert_eq!(self.schema.table.fields.len(), V::FIELDS.len());
        V::of_fields(self.bytes, self.record.fields())
    }

    /// Returns the value of the row's field, unless it is `null`.
    fn value(&self) -> Option<Value<'a>> {
        self.value_of(self.field)
    }

    /// Returns the value of a field of the object, unless it is `null`.
    pub(crate) fn value_of(&self, field: u32) -> Option<Value<'a>> {
        let value = self.record.slot(field)?.value(self.bytes);
        Some(value).filter(|value| !value.is_null())
    }

    /// Returns the text of the row's field, unless it is empty.
    fn text(&self) -> Option<Text<'a>> {
        self.text_of(self.field)
    }

    /// Returns the text of a field of the object, unless it is empty.
    pub(crate) fn text_of(&self, field: u32) -> Option<Text<'a>> {
        self.record.slot(field)?.text(self.bytes).filter(|text| !text.is_blank())
    }

    /// Whether a value can be read into the field.
    fn reads(&self, value: Value<'_>) -> bool {
        let field = self.schema.table.fields.get(self.field as usize);
        field.is_some_and(|field| (field.reads)(value))
    }

    /// Returns the name of the field in the specification.
    pub(crate) fn name(&self) -> &'static str {
        self.name_of(self.field)
    }

    /// Returns the name of a field of the same object.
    pub(crate) fn name_of(&self, field: u32) -> &'static str {
        core::str::from_utf8(self.schema.table.name(field)).unwrap_or_default()
    }
}

/// Whether an object is in one of the fields of the enclosing object with these bits.
pub(crate) fn within<const FIELDS: u32>(row: &Row<'_, '_>) -> bool {
    matches!(row.from, From::Field(field) if FIELDS.checked_shr(field).unwrap_or(0) & 1 == 1)
}

impl<'a> Check<'_, '_, 'a> {
    /// Checks the object of a document by a schema.
    pub(crate) fn document(&mut self, object: Value<'a>, schema: &'static Schema) {
        // The document may be an object around this one.
        strings(self, scan::memchr(b'{', self.bytes).unwrap_or_default());
        self.inside(object, From::Start, schema);
    }

    /// Checks an object, and the objects in it, by a schema. For objects to which no rule leads.
    pub(crate) fn inside(&mut self, object: Value<'a>, from: From<'a>, schema: &'static Schema) {
        let (mut pending, mut record) = (Pending::new(), Record::new());
        let first = Container::new(schema, Nest::One, object, u32::MAX);
        self.object(object, from, &first, &mut record, &mut pending);
        while let Some((container, from, value)) = pending.next() {
            if self.report.is_full() {
                return;
            }
            if value.kind() == Kind::Object {
                self.object(value, from, &container, &mut record, &mut pending);
            } else if !container.is_free {
                self.no_object(value, from, &container);
            }
        }
    }

    fn no_object(&mut self, value: Value<'a>, from: From<'a>, container: &Container<'a>) {
        let section = container.schema.section;
        match (value.kind(), container.nest, from) {
            (Kind::Null, Nest::Map(_), _) => {}
            (Kind::String, Nest::Map(Some(say)), From::Name(name)) => {
                self.say_member(say, Member { name, value }, section);
            }
            (_, _, From::Name(name)) => self.say_member(NO_OBJECT, Member { name, value }, section),
            _ => self.not_an_object(value, section),
        }
    }

    fn object(
        &mut self,
        object: Value<'a>,
        from: From<'a>,
        container: &Container<'a>,
        record: &mut Record,
        pending: &mut Pending<'a>,
    ) {
        let Container { schema, is_free, is_again, .. } = *container;
        let Schema { table, rows, section, .. } = *schema;
        let welcome = if is_free { Welcome::Anything } else { schema.welcome };
        Walk { object, table, rows, welcome, section }.run(record, self);
        let (bytes, field) = (self.bytes, u32::MAX);
        let mut row = Row { bytes, record, schema, section, object, from, is_again, field };
        for (rules, field) in schema.rows.iter().zip(0..).filter(|(rules, _)| !rules.is_empty()) {
            row.field = field;
            let value = row.value();
            rules.iter().for_each(|rule| self.rule(rule, value, &row, pending));
        }
        if let Some(then) = schema.then {
            then(&row, self);
        }
    }

    /// Follows a rule for the field of a row, with its value, unless it is `null`.
    fn rule(
        &mut self,
        mut rule: &'static Rule,
        value: Option<Value<'a>>,
        row: &Row<'_, 'a>,
        pending: &mut Pending<'a>,
    ) {
        let mut section = None;
        loop {
            match rule {
                Rule::In(profile, inner) if self.profile == *profile => rule = inner,
                Rule::If(when, inner) if when(row) => rule = inner,
                Rule::At(other, inner) => (section, rule) = (Some(*other), inner),
                Rule::In(..) | Rule::If(..) => return,
                _ => break,
            }
        }
        let there;
        let row = match section {
            Some(section) => {
                there = Row { section, ..*row };
                &there
            }
            None => row,
        };
        let Some(value) = value else {
            return match rule {
                Rule::Need => self.missing(NEEDED, row),
                Rule::Want(say) => self.missing(say, row),
                Rule::Gone(say, new) => self.gone(say, new, row),
                _ => {}
            };
        };
        match (rule, value.kind()) {
            (Rule::Need | Rule::Want(_), _) => {}
            (Rule::Gone(say, new), _) => self.gone(say, new, row),
            (Rule::IsObject(say), kind) => {
                if kind != Kind::Object {
                    let name = Text::plain(row.name().as_bytes());
                    self.say_member(say, Member { name, value }, row.section);
                }
            }
            (Rule::ThenValue(hook), _) => hook(value, row, self),
            (_, Kind::Object) => self.rule_of_object(rule, value, row, pending),
            (_, Kind::Array) => self.rule_of_array(rule, value, row, pending),
            _ => {
                // A text can stand for a list of one.
                let rule = match rule {
                    Rule::EachText(inner) if row.reads(value) => inner,
                    rule => rule,
                };
                if let Some(text) = row.text() {
                    self.rule_of_text(rule, text, row);
                }
            }
        }
    }

    fn rule_of_object(
        &mut self,
        rule: &Rule,
        object: Value<'a>,
        row: &Row<'_, 'a>,
        pending: &mut Pending<'a>,
    ) {
        let new = |schema, nest| Container::new(schema, nest, object, row.field);
        match *rule {
            Rule::Filled(say) if row.reads(object) && object.members().next().is_none() => {
                self.say_at(say, object, row)
            }
            Rule::Inside(schema) => pending.push(new(schema, Nest::One)),
            Rule::Map(schema) => pending.push(new(schema, Nest::Map(None))),
            Rule::MapOrTexts(schema, say) => pending.push(new(schema, Nest::Map(Some(say)))),
            Rule::Again(nest) if !row.is_again => pending.push(new(row.schema, nest).again()),
            Rule::Among(schema) => pending.push(new(schema, Nest::Map(None)).free()),
            Rule::Names => self.with_scratch(|check, scratch| check.repeated_in(object, scratch)),
            _ => {}
        }
    }

    fn rule_of_array(
        &mut self,
        rule: &Rule,
        array: Value<'a>,
        row: &Row<'_, 'a>,
        pending: &mut Pending<'a>,
    ) {
        match rule {
            Rule::Filled(say) => {
                let section = say.section.unwrap_or(row.section);
                self.some(array, say.severity, section, say.message);
            }
            Rule::Texts => self.texts(array, row.section),
            Rule::EachText(rule) => {
                let texts = array.elements().filter_map(Value::as_text);
                for text in texts.filter(|text| !text.is_blank()) {
                    self.rule_of_text(rule, text, row);
                }
            }
            Rule::Each(schema) => {
                pending.push(Container::new(schema, Nest::List, array, row.field));
                self.repeated_texts(array, schema);
            }
            Rule::Among(schema) => {
                let list = Container::new(schema, Nest::List, array, row.field);
                pending.push(list.free());
            }
            _ => {}
        }
    }

    /// Checks a text of another notation by the rules for texts in a row.
    pub(crate) fn line(&mut self, rules: &[Rule], text: Text<'a>, section: &'static str) {
        for rule in rules {
            let rule = if let Rule::EachText(inner) = rule { inner } else { rule };
            self.rule_in(rule, text, section);
        }
    }

    fn rule_of_text(&mut self, rule: &Rule, text: Text<'a>, row: &Row<'_, 'a>) {
        match rule {
            Rule::Then(hook) => hook(text, row, self),
            _ => self.rule_in(rule, text, row.section),
        }
    }

    /// Checks a text by a rule that needs no object.
    fn rule_in(&mut self, rule: &Rule, text: Text<'a>, section: &'static str) {
        match *rule {
            Rule::Url(secure) => self.url(Some(text), secure, section),
            Rule::Endpoint(secure, neither) => {
                self.endpoint(Some(text), secure, section, neither);
            }
            Rule::OnSite => self.elsewhere(self.host, Some(text)),
            Rule::PublicUrl(secure, others) => {
                self.public_url(Some(text), secure, others, section);
            }
            Rule::OneOf(names, case, say) if !is_one_of(text, names, case) => {
                self.say_in(say, text, section);
            }
            Rule::Fits(fits, say) if !fits(text) => self.say_in(say, text, section),
            Rule::Report(say) => self.say_in(say, text, section),
            _ => {}
        }
    }

    /// Reports the texts that several objects of a list have, in each row where they must differ.
    fn repeated_texts(&mut self, array: Value<'a>, schema: &'static Schema) {
        let (bytes, names) = (self.bytes, schema.table.names);
        for (rules, field) in schema.rows.iter().zip(0..) {
            for rule in *rules {
                let Rule::Unique(say) = rule else { continue };
                let mut record = Record::new();
                let texts = array.elements().filter_map(move |object| {
                    record.walk(object, bytes, names, |_, _| {});
                    record.slot(field)?.text(bytes)
                });
                let section = say.section.unwrap_or(schema.section);
                self.with_scratch(|check, scratch| {
                    check.unique(texts, say.severity, section, say.message, scratch);
                });
            }
        }
    }

    /// Lends the scratch buffer to a function that also needs the check.
    pub(crate) fn with_scratch(&mut self, run: impl FnOnce(&mut Self, &mut [u32])) {
        let scratch = core::mem::take(&mut self.scratch);
        run(self, scratch);
        self.scratch = scratch;
    }

    /// Calls a function with sorted names, unless the scratch buffer is too small for them.
    pub(crate) fn with_names(
        &mut self,
        names: impl Iterator<Item = Text<'a>>,
        run: impl FnOnce(&Names<'_, 'a>, &mut Self),
    ) {
        self.with_scratch(|check, scratch| {
            if let Some(names) = check.sorted(names, scratch) {
                run(&names, check);
            }
        });
    }

    /// Reports a finding about a text of a row.
    pub(crate) fn say(&mut self, say: &Say, text: Text<'a>, row: &Row<'_, 'a>) {
        self.say_in(say, text, row.section);
    }

    /// Reports a finding about a text in a section.
    pub(crate) fn say_in(&mut self, say: &Say, text: Text<'a>, section: &'static str) {
        self.say_about(say, self.at(text), text, section);
    }

    /// Reports a finding at a span. The message quotes `subject`.
    pub(crate) fn say_about(
        &mut self,
        say: &Say,
        span: Span,
        subject: Text<'a>,
        section: &'static str,
    ) {
        let section = say.section.unwrap_or(section);
        let in_text = say.in_text.filter(|_| self.notation == Notation::Text);
        let message = in_text.unwrap_or(say.message);
        let found = Diagnostic::new(say.code, span, self.spec, section, message);
        self.report.add(found.with_severity(say.severity).about(subject));
    }

    /// Reports that the object of a row lacks the member of the row.
    fn missing(&mut self, say: &Say, row: &Row<'_, 'a>) {
        self.without(say, row.name(), row);
    }

    /// Reports that the object of a row lacks a member with this name.
    pub(crate) fn without(&mut self, say: &Say, name: &'static str, row: &Row<'_, 'a>) {
        self.without_in(say, name, row.object, row.section);
    }

    /// Reports that an object, which this section defines, lacks a member with this name.
    pub(crate) fn without_in(
        &mut self,
        say: &Say,
        name: &'static str,
        object: Value<'a>,
        section: &'static str,
    ) {
        let section = say.section.unwrap_or(section);
        self.lacks(say.code, say.severity, name, object, section, say.message);
    }

    /// Reports a member that another one replaces, under each of its names.
    pub(crate) fn gone(&mut self, say: &Say, new: &'static str, row: &Row<'_, 'a>) {
        if row.record.slot(row.field).is_none() {
            return;
        }
        let table = row.schema.table;
        for member in row.object.members().filter(|member| !member.value.is_null()) {
            if table.number_in(self.bytes, member.name) == Some(row.field) {
                self.say_meaning(say, member.name, new, row);
            }
        }
    }

    /// Reports a finding about a text or a key, whose message also has a name of the specification.
    pub(crate) fn say_meaning(
        &mut self,
        say: &Say,
        text: Text<'a>,
        name: &'static str,
        row: &Row<'_, 'a>,
    ) {
        let section = say.section.unwrap_or(row.section);
        let span = quoted(text, self.bytes);
        let found = Diagnostic::new(say.code, span, self.spec, section, say.message);
        self.report.add(found.with_severity(say.severity).about(text).meaning(name));
    }

    /// Reports a finding about a value, which the message quotes as written.
    pub(crate) fn say_value(&mut self, say: &Say, value: Value<'a>, section: &'static str) {
        let section = say.section.unwrap_or(section);
        self.about_value(say.code, say.severity, value, section, say.message);
    }

    /// Reports a finding at the value of a member, whose message has the name of the member.
    pub(crate) fn say_member(&mut self, say: &Say, member: Member<'a>, section: &'static str) {
        let section = say.section.unwrap_or(section);
        let span = span_of(member.value, self.bytes);
        let found = Diagnostic::new(say.code, span, self.spec, section, say.message);
        self.report.add(found.with_severity(say.severity).about(member.name));
    }

    /// Reports a finding at a text, whose message has only a part of it.
    pub(crate) fn say_part(
        &mut self,
        say: &Say,
        part: Text<'a>,
        text: Text<'a>,
        row: &Row<'_, 'a>,
    ) {
        let section = say.section.unwrap_or(row.section);
        let span = quoted(text, self.bytes);
        let found = Diagnostic::new(say.code, span, self.spec, section, say.message);
        self.report.add(found.with_severity(say.severity).about(part));
    }

    /// Reports a finding at a value, which the message does not quote.
    pub(crate) fn say_at(&mut self, say: &Say, value: Value<'a>, row: &Row<'_, 'a>) {
        let section = say.section.unwrap_or(row.section);
        let span = span_of(value, self.bytes);
        let found = Diagnostic::new(say.code, span, self.spec, section, say.message);
        self.report.add(found.with_severity(say.severity));
    }
}
