//! The check of an agents.txt, line by line: the rules of its notation, and those of the rows of the
//! vocabulary. A rule applies to the value that counts, which the outline knows for a field of the
//! document, and [`Notes`] for a field of a block.

use super::block::Notes;
use super::keys::{self, Above, Entry, Field, Key, Open, Place, Role};
use super::reading::{alias_of, own_name};
use super::{AgentsTxt, field_in_comment};
use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::format::draft::check::{self as draft, *};
use crate::format::draft::vocabulary::{LINES, ParameterObject};
use crate::model::{Kind, Protocol};
use crate::rules::credentials::{MESSAGE, is_in};
use crate::rules::lines::{COMMENT, comment_in, control_characters, credential_in, marks_around};
use crate::rules::near::meant;
use crate::rules::report::Report;
use crate::rules::values::rate_limit_of;
use crate::rules::{COUNTS, DOES_NOT_COUNT};
use crate::scan;
use crate::span::Span;
use crate::syntax::grammar::{self, Items};
use crate::syntax::line::{Content, Indent, Line, Sweep, Whole, trim};
use crate::syntax::text::Text;

/// Reports all diagnostics. Takes linear time, except for the use of `scratch` in [`draft::check`].
pub(crate) fn check<'a>(
    document: &AgentsTxt<'a>,
    origin: Option<&str>,
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let bytes = document.bytes;
    let body = document.outline.body;
    let credentials = is_in(bytes);
    let mut check = Check::new(bytes, Spec::InternetDraft, report).with(scratch);
    (check.notation, check.origin) = (Notation::Text, origin);
    control_characters(bytes, check.report);
    let mut walk = Walk {
        check,
        document,
        above: Above::of(Open::None),
        after_field: false,
        seen: 0,
        seen_in_block: 0,
        notes: Notes::default(),
        credentials,
    };
    let top = Span::new(0, 0);
    walk.missing(Place::Document, top);
    for line in Sweep::<'_, Whole>::starting_at(
        bytes.get(..body.end as usize).unwrap_or_default(),
        body.start as usize,
    ) {
        if walk.check.report.is_full() {
            return;
        }
        marks_around(&line, bytes, walk.check.report);
        walk.line(line);
    }
    draft::check(document, top, &mut walk.check);
}

says! {
    CREDENTIAL: CredentialInDocument "6", MESSAGE;
    NO_FIELD: MalformedLine "2.2", "{} is not a field; write `Key: value`, or `#` before a comment";
    CONTINUED: MalformedLine "2.2", "{} is not a field, and a value cannot continue on the next line; write the value on one line, or `#` before a comment";
    ONE_SPACE: OneSpaceIndent "2.2", "one space does not count as indentation; indent the fields of a block with two, and no other fields";
    OF_DOCUMENT: IndentedField "2.2", "{} belongs to the document, not to a block; do not indent it";
    OF_ALL_AGENTS: IndentedField "2.2", "{} is in the block of an agent, but it is for all agents; do not indent it";
    OF_AGENT: IndentedField "2.2", "{} is in the block of an agent, so it permits only that agent; do not indent it to permit all";
    OF_UNNAMED: IndentedField "2.2", "{} is below a line that may name an agent, but is not read, so it permits nobody; write `Agent: NAME` above it, or do not indent it";
    OF_BLOCK: UnindentedBlockField "2.2", "{} belongs to the block above; indent it with two spaces";
    IN_CAPABILITY_ONLY: MisplacedField, "{} is only valid in a `Capability` block; move it into one";
    IN_AGENT_ONLY: MisplacedField, "{} is only valid in an `Agent` block; move it into one";
    IN_BLOCK_ONLY: MisplacedField, "{} is only valid in a block; move it below a `Capability` or `Agent` line";
    FOR_DESCRIPTION: NonstandardField "2.4", "{} before the first block is read as `Site-Description`; use that name";
    FOR_CONTACT: NonstandardField "2.4", "{} is read as `Site-Contact`; use that name";
    FOR_PRIVACY_POLICY: NonstandardField "2.4", "{} is read as `Site-Privacy-Policy`; use that name";
    UNKNOWN: UnknownField "2.5", "the specification does not define {}; agents ignore it";
    GRANTS_NOTHING: EmptyValue, "{} has no value, so it grants nothing; add one after the colon";
    NEEDS_VALUE: EmptyValue, "{} has no value; add one after the colon";
    NO_VALUE: EmptyValue, "{} has no value; add one after the colon, or remove the line";
    EMPTY_ITEM: EmptyValue, "an item of the list is empty; remove the comma";
    NO_PARAMETER: InvalidValue "2.5", "{} is not a valid parameter; write `name (location, type[, required]) [- description]`";
    READ_COMMENT: InlineComment "2.2", "{} is read as a comment, but other readers take it for a part of the value; move it to a line of its own";
    UNCLEAR_COMMENT: InlineComment "2.2", "{} may be a comment or a part of the value, so the value grants nothing; move it to a line of its own";
    UNREAD_COMMENT: InlineComment "2.2", COMMENT;
}

/// The state of the pass over the lines.
struct Walk<'d, 'r, 's, 'a> {
    check: Check<'r, 's, 'a>,
    document: &'d AgentsTxt<'a>,
    above: Above,
    /// True if no blank line follows the last field, whose value could continue.
    after_field: bool,
    /// The fields of the document that were found so far, one bit each.
    seen: u32,
    /// The fields of the open block that were found so far.
    seen_in_block: u32,
    /// The open block.
    notes: Notes<'a>,
    /// True if the document may contain credentials.
    credentials: bool,
}

impl<'a> Walk<'_, '_, '_, 'a> {
    /// Reports the required fields that the document or the open block lacks. `owner` is the range
    /// to report.
    fn missing(&mut self, place: Place, owner: Span) {
        for line in LINES.iter().filter(|line| line.place == place) {
            let wanted = line.rules().iter().find_map(|rule| match rule {
                Want(say) => Some(*say),
                _ => None,
            });
            if let Some(say) = wanted
                && self.counting(place, line.field).is_none()
            {
                let name = Text::plain(line.name.as_bytes());
                self.check.say_about(say, owner, name, line.section);
            }
        }
    }

    /// Returns the value of a field that counts: the last one.
    fn counting(&self, place: Place, field: Field) -> Option<&'a [u8]> {
        match place {
            Place::Document => self.document.outline.field(self.check.bytes, field as usize),
            _ => self.notes.value(field),
        }
    }

    /// Opens a block, whose first line begins at an offset.
    fn open(&mut self, kind: Open, start: usize, name: &'a [u8]) {
        self.seen_in_block = 0;
        self.notes = Notes::of(self.check.bytes, start, kind);
        if kind == Open::Capability {
            self.missing(Place::InCapability, Span::of(name, self.check.bytes));
        }
    }

    fn line(&mut self, line: Line<'a>) {
        if self.credentials
            && let Some(span) = credential_in(&line, self.check.bytes)
        {
            self.check.say_about(CREDENTIAL, span, Text::EMPTY, "6");
        }
        match line.content {
            Content::Blank => self.after_field = false,
            Content::Comment(comment) => self.comment(comment),
            Content::Malformed(text) => {
                let is_continued = self.after_field || line.indent == Indent::Indented;
                self.say(if is_continued { CONTINUED } else { NO_FIELD }, text);
                if let Some(entry) = Entry::of(line.content)
                    && let Role::Opens(kind) = self.above.take(&entry, line.indent)
                {
                    self.open(kind, line.start, entry.value);
                    self.by_rules(Role::Opens(kind), &entry);
                }
            }
            Content::Field { key, value } => {
                self.after_field = true;
                if line.indent == Indent::OneSpace {
                    let span = Span::new(line.start as u32, line.end as u32);
                    self.check.say_about(ONE_SPACE, span, Text::EMPTY, "2.2");
                }
                if let Some(entry) = Entry::of(line.content) {
                    self.field(&line, &entry, key, value);
                }
            }
        }
    }

    fn comment(&mut self, comment: &'a [u8]) {
        let Some((field, key, value)) = field_in_comment(comment) else {
            return;
        };
        if alias_of(field, &self.document.outline).is_none() {
            return;
        }
        let message = match field {
            Field::SpecVersion => "{} is in a comment; write it as a field",
            _ => "{} is in a comment; write `Generated-At` as a field",
        };
        self.ruling(Code::FieldInComment, key, "", message);
        self.rules_of(field, value);
        self.inline_comment(None, value);
    }

    fn field(&mut self, line: &Line<'a>, entry: &Entry<'a>, key: &'a [u8], written: &'a [u8]) {
        let (known, value) = (entry.known, entry.value);
        let section = known.map_or("2.2", |key| key.field.section());
        let indented = line.indent == Indent::Indented;
        let role = self.above.take(entry, line.indent);
        match role {
            Role::Opens(kind) => {
                self.open(kind, line.start, value);
                self.indented(indented, key, OF_DOCUMENT);
            }
            Role::Document(field) => {
                let say = match (field, self.above.open) {
                    (Field::Disallow, Open::Agent) => OF_ALL_AGENTS,
                    _ => OF_DOCUMENT,
                };
                self.indented(indented, key, say);
                self.once(known, key, true);
            }
            Role::BlockMetadata if matches!(known, Some(key) if key.place == Place::Document) => {
                self.indented(true, key, OF_AGENT);
            }
            Role::DocumentMetadata if matches!(known, Some(key) if key.place == Place::Document) => {
                self.indented(true, key, OF_UNNAMED);
            }
            _ if self.above.open == Open::Agent && entry.is_unread_list() => {
                let message = "{} is not a field, so the agent gets no capability; write `Capabilities: a, b`";
                self.ruling(Code::MisspelledField, key, "0", message);
            }
            Role::Alias(field) => self.alias(field, known, key, value),
            Role::Block(_) => {
                if !indented {
                    self.say(OF_BLOCK, key);
                }
                self.once(known, key, false);
            }
            Role::BlockMetadata | Role::DocumentMetadata => self.loose(known, indented, key),
        }
        self.by_rules(role, entry);
        if value.is_empty() && !known.is_some_and(|known| self.is_required(role, known.field)) {
            // Removing one of these lines would grant more, so the message does not propose it.
            let say = match role {
                Role::Block(Field::Auth | Field::Capabilities) => GRANTS_NOTHING,
                Role::Block(Field::AuthEndpoint | Field::Scopes | Field::RateLimit)
                | Role::Document(Field::Disallow) => NEEDS_VALUE,
                _ => NO_VALUE,
            };
            self.check.say_in(say, Text::plain(key), section);
        } else if !value.is_empty() {
            self.value(role, value, section);
        }
        self.inline_comment(known, written);
    }

    /// Applies the rules of the row, if the value counts.
    fn by_rules(&mut self, role: Role, entry: &Entry<'a>) {
        let (field, place) = match role {
            Role::Opens(_) => (entry.known.map(|key| key.field), Place::Opening),
            Role::Document(field) => (Some(field), Place::Document),
            Role::Block(field) => (Some(field), Place::InBoth),
            Role::Alias(field) => (alias_of(field, &self.document.outline), Place::Document),
            Role::DocumentMetadata | Role::BlockMetadata => (None, Place::Alias),
        };
        let Some(field) = field else { return };
        let (key, value) = (entry.key, entry.value);
        let is_beside = match field {
            Field::OperatesOn if self.kind() == Kind::Platform => Some(OF_AGENTS),
            Field::Method | Field::Param if self.is_other_than_rest() => Some(REST_ONLY),
            _ => None,
        };
        let at = Span::of(value, self.check.bytes);
        let counts = field.is_repeatable()
            || self.counting(place, field).is_some_and(|one| Span::of(one, self.check.bytes) == at);
        if !counts {
            return;
        }
        if let Some(say) = is_beside {
            self.check.say_about(say, Span::of(key, self.check.bytes), Text::EMPTY, "");
        }
        if !value.is_empty() {
            self.rules_of(field, value);
        } else if self.is_required(role, field) {
            let name = Text::plain(field.name().as_bytes());
            let key = Span::of(key, self.check.bytes);
            self.check.say_about(EMPTY, key, name, field.section());
        }
    }

    /// Applies the rules of a row to a value, or to each item of a list.
    fn rules_of(&mut self, field: Field, value: &'a [u8]) {
        let Some(line) = LINES.get(field as usize) else { return };
        match field {
            Field::Scopes | Field::Capabilities => {
                let items = Items::new(value).filter(|item| !item.is_empty());
                items.for_each(|item| {
                    self.check.line(line.rules(), Text::plain(item), line.section)
                });
            }
            _ => self.check.line(line.rules(), Text::plain(value), line.section),
        }
    }

    /// True if an empty value is reported as that of a required field.
    fn is_required(&self, role: Role, field: Field) -> bool {
        let is_defined = matches!(role, Role::Opens(_) | Role::Document(_) | Role::Block(_));
        is_defined
            && LINES.get(field as usize).is_some_and(|line| line.is_required())
            && match field {
                // It still states some authentication.
                Field::Auth => false,
                Field::AuthEndpoint => {
                    self.notes.auth_kind().is_some_and(|kind| needs_token(kind.value))
                }
                _ => true,
            }
    }

    fn kind(&self) -> Kind {
        self.document.declaration_type().value
    }

    fn is_other_than_rest(&self) -> bool {
        let protocol = self.notes.protocol();
        is_other_than_rest(protocol.map_or(Protocol::Unknown, |protocol| protocol.value))
    }

    fn indented(&mut self, indented: bool, key: &'a [u8], say: &Say) {
        if indented {
            self.say(say, key);
        }
    }

    /// Reports a repeated field, if it can have only one value.
    fn once(&mut self, known: Option<&'static Key>, key: &'a [u8], in_document: bool) {
        let Some(known) = known else { return };
        let seen = if in_document { &mut self.seen } else { &mut self.seen_in_block };
        let bit = 1 << (known.field as u32);
        let again = *seen & bit != 0;
        *seen |= bit;
        if again && !known.field.is_repeatable() {
            let message = "{} is repeated, and only the last one counts; keep one";
            self.ruling(Code::DuplicateField, key, "", message);
        }
    }

    /// Checks a field under another name. Reports the alias if it is read; otherwise reports it as
    /// an unknown or misplaced field.
    fn alias(&mut self, field: Field, known: Option<&'static Key>, key: &'a [u8], value: &'a [u8]) {
        let outline = &self.document.outline;
        if alias_of(field, outline).is_none() {
            let stated =
                own_name(field).and_then(|own| outline.field(self.check.bytes, own as usize));
            if let Some(stated) = stated {
                // Compared once, so that many lines take linear time; the others are repetitions.
                let is_first = self.seen & 1 << (field as u32) == 0;
                self.once(known, key, true);
                if is_first && value != stated {
                    self.contradiction(key, stated);
                }
                return;
            }
            return self.loose(known.filter(|_| field == Field::Description), false, key);
        }
        let say = match field {
            Field::Description => FOR_DESCRIPTION,
            Field::Contact => FOR_CONTACT,
            _ => FOR_PRIVACY_POLICY,
        };
        self.say(say, key);
        self.once(known, key, true);
    }

    /// Reports an alias and the field's own name, whose value is another one.
    fn contradiction(&mut self, alias: &'a [u8], stated: &'a [u8]) {
        let start = Span::of(stated, self.check.bytes).start as usize;
        let before = self.check.bytes.get(..start).unwrap_or_default();
        let line = scan::memrchr2(b'\n', b'\r', before).map_or(0, |at| at.wrapping_add(1));
        let line = before.get(line..).unwrap_or_default();
        let own = trim(line.get(..scan::memchr(b':', line).unwrap_or(line.len())).unwrap_or(line));
        for (key, beside, message) in [(alias, own, DOES_NOT_COUNT), (own, alias, COUNTS)] {
            let span = Span::of(key, self.check.bytes);
            let beside = Span::of(beside, self.check.bytes);
            let diagnostic =
                Diagnostic::new(Code::Contradiction, span, Spec::InternetDraft, "2.4", message);
            let diagnostic = diagnostic.naming(self.check.bytes, [beside]);
            self.check.report.add(diagnostic.about(Text::plain(key)));
        }
    }

    /// Reports a field that has no meaning at its position.
    fn loose(&mut self, known: Option<&'static Key>, indented: bool, key: &'a [u8]) {
        let Some(known) = known.filter(|key| key.place != Place::Alias) else {
            if let Some(meant) = meant(Text::plain(key), keys::names(self.above.open != Open::None))
            {
                let span = Span::of(key, self.check.bytes);
                let message = "the specification does not define {}; did you mean `{}`?";
                let (code, spec) = (Code::MisspelledField, Spec::InternetDraft);
                let found = Diagnostic::new(code, span, spec, "2.5", message);
                return self.check.report.add(found.about(Text::plain(key)).meaning(meant));
            }
            return self.say(UNKNOWN, key);
        };
        // An unindented `Description` belongs to the open block, even if this is an `Agent` block.
        if known.field == Field::Description && self.above.open == Open::Agent && !indented {
            self.say(OF_BLOCK, key);
        }
        let say = match known.place {
            Place::InCapability => IN_CAPABILITY_ONLY,
            Place::InAgent => IN_AGENT_ONLY,
            _ => IN_BLOCK_ONLY,
        };
        self.check.say_in(say, Text::plain(key), known.field.section());
    }

    /// Checks a value that is not empty.
    fn value(&mut self, role: Role, value: &'a [u8], section: &'static str) {
        match role {
            Role::Block(Field::RateLimit) => draft::rate_limit(
                self.check.report,
                Notation::Text,
                Span::of(value, self.check.bytes),
                Text::plain(value),
                rate_limit_of(value).map(|limit| limit.requests),
                if self.above.open == Open::Agent { "2.7" } else { section },
            ),
            Role::Block(Field::Param) => self.param(value),
            Role::Block(Field::Scopes | Field::Capabilities) => {
                for item in Items::new(value).filter(|item| item.is_empty()) {
                    self.check.say_in(EMPTY_ITEM, Text::plain(item), section);
                }
            }
            _ => {}
        }
    }

    fn inline_comment(&mut self, known: Option<&'static Key>, value: &'a [u8]) {
        let field = known.map(|key| key.field);
        if let Some(field) = field.filter(|field| field.has_comment()) {
            if let Some(comment) = field.split(value).1 {
                self.say(READ_COMMENT, comment);
            } else if let Some(at) = value.iter().position(|octet| *octet == b'#') {
                self.say(UNCLEAR_COMMENT, value.get(at..).unwrap_or_default());
            }
            return;
        }
        let Some(comment) = comment_in(value) else {
            return;
        };
        let is_free = match field {
            Some(Field::SiteName | Field::SiteDescription | Field::Description) => true,
            // The description of a parameter is free text up to the end of the line. Only the part
            // before the description is checked.
            Some(Field::Param) => {
                let description = grammar::param(value).and_then(|param| param.description);
                description.is_some_and(|description| comment.len() <= description.len())
            }
            _ => false,
        };
        if !is_free {
            self.say(UNREAD_COMMENT, comment);
        }
    }

    fn param(&mut self, value: &'a [u8]) {
        let Some(param) = grammar::param(value) else {
            return self.say(NO_PARAMETER, value);
        };
        if !param.regular {
            self.say(NO_PARAMETER, value);
        }
        let rows = ParameterObject::RULES.rows;
        for (field, text) in
            [(ParameterObject::location, param.location), (ParameterObject::kind, param.kind)]
        {
            if let (Some(rules), Some(text)) = (rows.get(field as usize), text) {
                self.check.line(rules, Text::plain(text), "2.5");
            }
        }
    }

    /// Reports a slice of the document, which the message quotes.
    fn say(&mut self, say: &Say, part: &'a [u8]) {
        self.check.say_in(say, Text::plain(part), "");
    }

    /// Reports a slice of the document by a rule that the specification does not have.
    fn ruling(&mut self, code: Code, part: &'a [u8], section: &'static str, message: &'static str) {
        let span = Span::of(part, self.check.bytes);
        let found = Diagnostic::new(code, span, Spec::Ruling, section, message);
        self.check.report.add(found.about(Text::plain(part)));
    }
}
