//! The check of an agents.txt: the rules of its notation, line by line. The rules that it shares
//! with agents.json are in [`draft`].

use super::keys::{self, Above, Entry, Field, Key, Open, Place, Role};
use super::{AgentsTxt, field_in_comment};
use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::format::draft::check::{self as draft, Notation};
use crate::model::{Enumeration, Location};
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
use crate::syntax::outline::Outline;
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
    control_characters(bytes, report);
    let credentials = is_in(bytes);
    let mut walk = Walk {
        bytes,
        outline: &document.outline,
        above: Above::of(Open::None),
        after_field: false,
        seen: 0,
        seen_in_block: 0,
        credentials,
        report,
    };
    for line in Sweep::<'_, Whole>::starting_at(
        bytes.get(..body.end as usize).unwrap_or_default(),
        body.start as usize,
    ) {
        if walk.report.is_full() {
            return;
        }
        marks_around(&line, bytes, walk.report);
        walk.line(line);
    }
    draft::check(
        document,
        bytes,
        &draft::Options { notation: Notation::Text, top: Span::new(0, 0), origin },
        scratch,
        report,
    );
}

const OF_DOCUMENT: &str = "{} belongs to the document, not to a block; do not indent it";
const OF_ALL_AGENTS: &str =
    "{} is in the block of an agent, but it is for all agents; do not indent it";
const OF_AGENT: &str =
    "{} is in the block of an agent, so it permits only that agent; do not indent it to permit all";
const OF_UNNAMED: &str = "{} is below a line that may name an agent, but is not read, so it permits nobody; write `Agent: NAME` above it, or do not indent it";
const UNREAD_LIST: &str =
    "{} is not a field, so the agent gets no capability; write `Capabilities: a, b`";

/// Whether the specification requires the field, always or depending on another field.
const fn is_required(role: Role) -> bool {
    matches!(
        role,
        Role::Opens(_)
            | Role::Document(Field::SpecVersion | Field::SiteName | Field::SiteUrl)
            | Role::Block(Field::Endpoint | Field::Protocol | Field::AuthEndpoint)
    )
}

/// The state of the pass over the lines.
struct Walk<'r, 's, 'a> {
    bytes: &'a [u8],
    outline: &'r Outline,
    above: Above,
    /// True if no blank line follows the last field, whose value could continue.
    after_field: bool,
    /// The fields of the document that were found so far, one bit each.
    seen: u32,
    /// The fields of the open block that were found so far.
    seen_in_block: u32,
    /// True if the document may contain credentials.
    credentials: bool,
    report: &'r mut Report<'s, 'a>,
}

impl<'a> Walk<'_, '_, 'a> {
    fn line(&mut self, line: Line<'a>) {
        if self.credentials
            && let Some(span) = credential_in(&line, self.bytes)
        {
            self.report.add(Diagnostic::new(
                Code::CredentialInDocument,
                span,
                Spec::InternetDraft,
                "6",
                MESSAGE,
            ));
        }
        match line.content {
            Content::Blank => self.after_field = false,
            Content::Comment(comment) => self.comment(comment),
            Content::Malformed(text) => {
                let message = if self.after_field || line.indent == Indent::Indented {
                    "{} is not a field, and a value cannot continue on the next line; write the value on one line, or `#` before a comment"
                } else {
                    "{} is not a field; write `Key: value`, or `#` before a comment"
                };
                self.add(Code::MalformedLine, text, Spec::InternetDraft, "2.2", message);
                if let Some(entry) = Entry::of(line.content)
                    && let Role::Opens(_) = self.above.take(&entry, line.indent)
                {
                    self.seen_in_block = 0;
                }
            }
            Content::Field { key, value } => {
                self.after_field = true;
                if line.indent == Indent::OneSpace {
                    let span = Span::new(line.start as u32, line.end as u32);
                    let message = "one space does not count as indentation; indent the fields of a block with two, and no other fields";
                    self.report.add(Diagnostic::new(
                        Code::OneSpaceIndent,
                        span,
                        Spec::InternetDraft,
                        "2.2",
                        message,
                    ));
                }
                if let Some(entry) = Entry::of(line.content) {
                    self.field(line.indent, &entry, key, value);
                }
            }
        }
    }

    fn comment(&mut self, comment: &'a [u8]) {
        let Some((field, key, value)) = field_in_comment(comment) else {
            return;
        };
        let (used, message) = match field {
            Field::SpecVersion => {
                (super::reading::USED_SPEC_VERSION, "{} is in a comment; write it as a field")
            }
            _ => (
                super::reading::USED_GENERATED,
                "{} is in a comment; write `Generated-At` as a field",
            ),
        };
        if self.outline.flags & used != 0 {
            self.add(Code::FieldInComment, key, Spec::Ruling, "", message);
            self.inline_comment(None, value);
        }
    }

    fn field(&mut self, indent: Indent, entry: &Entry<'a>, key: &'a [u8], written: &'a [u8]) {
        let (known, value) = (entry.known, entry.value);
        let section = known.map_or("2.2", |key| key.field.section());
        let indented = indent == Indent::Indented;
        let role = self.above.take(entry, indent);
        match role {
            Role::Opens(_) => {
                self.seen_in_block = 0;
                self.indented(indented, key, OF_DOCUMENT);
            }
            Role::Document(field) => {
                let message = match (field, self.above.open) {
                    (Field::Disallow, Open::Agent) => OF_ALL_AGENTS,
                    _ => OF_DOCUMENT,
                };
                self.indented(indented, key, message);
                self.once(known, key, true);
            }
            Role::BlockMetadata if matches!(known, Some(key) if key.place == Place::Document) => {
                self.indented(true, key, OF_AGENT);
            }
            Role::DocumentMetadata if matches!(known, Some(key) if key.place == Place::Document) => {
                self.indented(true, key, OF_UNNAMED);
            }
            _ if self.above.open == Open::Agent && entry.is_unread_list() => {
                self.add(Code::MisspelledField, key, Spec::Ruling, "0", UNREAD_LIST);
            }
            Role::Alias(field) => self.alias(field, known, key, value),
            Role::Block(_) => {
                if !indented {
                    let message = "{} belongs to the block above; indent it with two spaces";
                    self.add(Code::UnindentedBlockField, key, Spec::InternetDraft, "2.2", message);
                }
                self.once(known, key, false);
            }
            Role::BlockMetadata | Role::DocumentMetadata => self.loose(known, indented, key),
        }
        // Empty values of required fields are reported by `draft`.
        if value.is_empty() && !is_required(role) {
            // Removing one of these lines would grant more, so the message does not propose it.
            let message = match role {
                Role::Block(Field::Auth | Field::Capabilities) => {
                    "{} has no value, so it grants nothing; add one after the colon"
                }
                Role::Block(Field::AuthEndpoint | Field::Scopes | Field::RateLimit)
                | Role::Document(Field::Disallow) => "{} has no value; add one after the colon",
                _ => "{} has no value; add one after the colon, or remove the line",
            };
            self.add(Code::EmptyValue, key, Spec::InternetDraft, section, message);
        } else if !value.is_empty() {
            self.value(role, value, section);
        }
        self.inline_comment(known, written);
    }

    fn indented(&mut self, indented: bool, key: &'a [u8], message: &'static str) {
        if indented {
            self.add(Code::IndentedField, key, Spec::InternetDraft, "2.2", message);
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
            self.add(
                Code::DuplicateField,
                key,
                Spec::Ruling,
                "",
                "{} is repeated, and only the last one counts; keep one",
            );
        }
    }

    /// Checks a field under another name. Reports the alias if it is read; otherwise reports it as
    /// an unknown or misplaced field.
    fn alias(&mut self, field: Field, known: Option<&'static Key>, key: &'a [u8], value: &'a [u8]) {
        let (used, own, message) = match field {
            Field::Description => (
                super::USED_DESCRIPTION,
                Field::SiteDescription,
                "{} before the first block is read as `Site-Description`; use that name",
            ),
            Field::Contact => (
                super::USED_CONTACT,
                Field::SiteContact,
                "{} is read as `Site-Contact`; use that name",
            ),
            _ => (
                super::USED_PRIVACY_POLICY,
                Field::SitePrivacyPolicy,
                "{} is read as `Site-Privacy-Policy`; use that name",
            ),
        };
        if self.outline.flags & used == 0 {
            if let Some(stated) = self.outline.field(self.bytes, own as usize) {
                // Compared once, so that many lines take linear time; the others are repetitions.
                let is_first = self.seen & 1 << (field as u32) == 0;
                self.once(known, key, true);
                if is_first && value != stated {
                    self.contradiction(key, stated);
                }
                return;
            }
            return self.loose(
                known.filter(|_| field as u8 == Field::Description as u8),
                false,
                key,
            );
        }
        self.add(Code::NonstandardField, key, Spec::InternetDraft, "2.4", message);
        self.once(known, key, true);
    }

    /// Reports an alias and the field's own name, whose value is another one.
    fn contradiction(&mut self, alias: &'a [u8], stated: &'a [u8]) {
        let start = Span::of(stated, self.bytes).start as usize;
        let before = self.bytes.get(..start).unwrap_or_default();
        let line = scan::memrchr2(b'\n', b'\r', before).map_or(0, |at| at.wrapping_add(1));
        let line = before.get(line..).unwrap_or_default();
        let own = trim(line.get(..scan::memchr(b':', line).unwrap_or(line.len())).unwrap_or(line));
        for (key, beside, message) in [(alias, own, DOES_NOT_COUNT), (own, alias, COUNTS)] {
            let span = Span::of(key, self.bytes);
            let beside = Span::of(beside, self.bytes);
            let diagnostic =
                Diagnostic::new(Code::Contradiction, span, Spec::InternetDraft, "2.4", message);
            let diagnostic = diagnostic.naming(self.bytes, [beside]);
            self.report.add(diagnostic.about(Text::plain(key)));
        }
    }

    /// Reports a field that has no meaning at its position.
    fn loose(&mut self, known: Option<&'static Key>, indented: bool, key: &'a [u8]) {
        let Some(known) = known.filter(|key| key.place != keys::Place::Alias) else {
            if let Some(meant) = meant(Text::plain(key), keys::names(self.above.open != Open::None))
            {
                let span = Span::of(key, self.bytes);
                let message = "the specification does not define {}; did you mean `{}`?";
                let diagnostic = Diagnostic::new(
                    Code::MisspelledField,
                    span,
                    Spec::InternetDraft,
                    "2.5",
                    message,
                );
                return self.report.add(diagnostic.about(Text::plain(key)).meaning(meant));
            }
            let message = "the specification does not define {}; agents ignore it";
            return self.add(Code::UnknownField, key, Spec::InternetDraft, "2.5", message);
        };
        // An unindented `Description` belongs to the open block, even if this is an `Agent` block.
        if known.field as u8 == Field::Description as u8
            && self.above.open == Open::Agent
            && !indented
        {
            let message = "{} belongs to the block above; indent it with two spaces";
            self.add(Code::UnindentedBlockField, key, Spec::InternetDraft, "2.2", message);
        }
        let message = match known.place {
            keys::Place::Block { agent: false, .. } => {
                "{} is only valid in a `Capability` block; move it into one"
            }
            keys::Place::Block { capability: false, .. } => {
                "{} is only valid in an `Agent` block; move it into one"
            }
            _ => "{} is only valid in a block; move it below a `Capability` or `Agent` line",
        };
        self.add(Code::MisplacedField, key, Spec::InternetDraft, known.field.section(), message);
    }

    /// Checks a value that is not empty.
    fn value(&mut self, role: Role, value: &'a [u8], section: &'static str) {
        match role {
            Role::Block(Field::RateLimit) => draft::rate_limit(
                self.report,
                Notation::Text,
                Span::of(value, self.bytes),
                Text::plain(value),
                rate_limit_of(value).map(|limit| limit.requests),
                if self.above.open == Open::Agent { "2.7" } else { section },
            ),
            Role::Block(Field::Param) => self.param(value),
            Role::Block(Field::Scopes | Field::Capabilities) => {
                for item in Items::new(value).filter(|item| item.is_empty()) {
                    let message = "an item of the list is empty; remove the comma";
                    self.report.add(Diagnostic::new(
                        Code::EmptyValue,
                        Span::of(item, self.bytes),
                        Spec::InternetDraft,
                        section,
                        message,
                    ));
                }
            }
            _ => {}
        }
    }

    fn inline_comment(&mut self, known: Option<&'static Key>, value: &'a [u8]) {
        let field = known.map(|key| key.field);
        if let Some(field) = field.filter(|field| field.has_comment()) {
            if let Some(comment) = field.split(value).1 {
                self.add(
                    Code::InlineComment,
                    comment,
                    Spec::InternetDraft,
                    "2.2",
                    "{} is read as a comment, but other readers take it for a part of the value; move it to a line of its own",
                );
            } else if let Some(at) = value.iter().position(|octet| *octet == b'#') {
                self.add(
                    Code::InlineComment,
                    value.get(at..).unwrap_or_default(),
                    Spec::InternetDraft,
                    "2.2",
                    "{} may be a comment or a part of the value, so the value grants nothing; move it to a line of its own",
                );
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
            self.add(Code::InlineComment, comment, Spec::InternetDraft, "2.2", COMMENT);
        }
    }

    fn param(&mut self, value: &'a [u8]) {
        let message = "{} is not a valid parameter; write `name (location, type[, required]) [- description]`";
        let Some(param) = grammar::param(value) else {
            return self.add(Code::InvalidValue, value, Spec::InternetDraft, "2.5", message);
        };
        if !param.regular {
            self.add(Code::InvalidValue, value, Spec::InternetDraft, "2.5", message);
        }
        if let Some(location) = param
            .location
            .filter(|location| Location::of(Text::plain(location)) == Location::Unknown)
        {
            self.add(Code::InvalidValue, location, Spec::InternetDraft, "2.5", draft::LOCATION);
        }
        if let Some(kind) = param.kind.filter(|kind| !draft::is_parameter_type(Text::plain(kind))) {
            self.add(Code::InvalidValue, kind, Spec::InternetDraft, "2.5", draft::PARAMETER_TYPE);
        }
    }

    /// Reports a slice of the document, which the message quotes.
    fn add(
        &mut self,
        code: Code,
        part: &'a [u8],
        spec: Spec,
        section: &'static str,
        message: &'static str,
    ) {
        let diagnostic = Diagnostic::new(code, Span::of(part, self.bytes), spec, section, message);
        self.report.add(diagnostic.about(Text::plain(part)));
    }
}
