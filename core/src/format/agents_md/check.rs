//! The check of an agents.md: one pass over the front matter, one over the body, in document order.

mod body;
mod mcp;

use core::iter::Peekable;

use super::read::{BOM, misplaced_front_matter};
use super::{AgentsMd, FrontMatter, MCP_FIELDS, TOP_FIELDS};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::rules::credentials::{MESSAGE, Secrets, Suspects};
use crate::rules::lines::{CONTROL, controls};
use crate::rules::near::meant;
use crate::span::Span;
use crate::syntax::text::Text;
use crate::syntax::yaml::{Event, Events, Reason, Resolved, Scalar, Unsupported};

impl<'a> AgentsMd<'a> {
    /// Reports all diagnostics, in document order. `origin` is the URL of the document, or its
    /// origin; without it, other hosts are not reported. Takes linear time.
    pub fn findings(&self, origin: Option<&str>, sink: impl FnMut(Diagnostic<'a>)) {
        Check {
            document: self,
            origin,
            sink,
            scanned: 0,
            suspects: Suspects::of(self.bytes),
            secrets: Secrets::new(self.bytes).peekable(),
            reported: 0,
        }
        .run();
    }
}

struct Check<'a, 's, S> {
    document: &'s AgentsMd<'a>,
    origin: Option<&'s str>,
    sink: S,
    /// The offset up to which control characters were searched.
    scanned: usize,
    /// The texts that may contain credentials.
    suspects: Suspects,
    /// The credentials in the document that are written without escapes, from the last diagnostic
    /// on.
    secrets: Peekable<Secrets<'a>>,
    /// The end of the last text that was reported to contain a credential.
    reported: usize,
}

/// The mapping that contains an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Mcp,
}

/// The known fields of a mapping that were found so far.
#[derive(Clone, Copy, Default)]
struct Seen {
    bits: u8,
}

impl Seen {
    /// Records a field. Returns true if it was recorded before.
    fn again(&mut self, bit: u8) -> bool {
        let was = self.bits & (1 << bit) != 0;
        self.bits |= 1 << bit;
        was
    }
}

impl<'a, S: FnMut(Diagnostic<'a>)> Check<'a, '_, S> {
    fn run(&mut self) {
        let bytes = self.document.bytes;
        if bytes.starts_with(BOM) {
            let template = "the document starts with a byte order mark, which is ignored; save the file without one";
            self.put(Diagnostic::new(
                Code::ByteOrderMark,
                Span::new(0, BOM.len() as u32),
                Spec::Ruling,
                "",
                template,
            ));
        }
        // All sections are optional: a document with only a gateway, or only a title, is valid,
        // too.
        let document = self.document;
        let has_content = document.outline.mcp.is_some()
            || document.title().is_some() && document.sections().next().is_none();
        if !document.has_known_section() && !has_content {
            let template =
                "the document has none of the sections Can, Cannot, MCP, Behavior and Contact";
            self.put(Diagnostic::new(
                Code::NoKnownSection,
                Span::default(),
                Spec::AgentsMd,
                "3",
                template,
            ));
        }
        if self.document.front_matter() == FrontMatter::Unclosed {
            let start = self.document.outline.body;
            let template =
                "no line `---` closes the front matter, so the whole document is read as Markdown";
            self.put(Diagnostic::new(
                Code::UnclosedFrontMatter,
                Span::new(start, start + 3),
                Spec::AgentsMd,
                "2",
                template,
            ));
        }
        if self.document.front_matter() == FrontMatter::Absent
            && let Some(line) = misplaced_front_matter(bytes, self.document.outline.body as usize)
        {
            let template = "front matter starts on the first line, with `---` alone, so this is read as Markdown; remove what stands before and behind it";
            self.put(Diagnostic::new(
                Code::MisplacedFrontMatter,
                line,
                Spec::AgentsMd,
                "2",
                template,
            ));
        }
        self.front_matter();
        self.body();
        self.catch_up(bytes.len());
    }

    /// Reports a diagnostic, after the diagnostics for the text before it.
    fn put(&mut self, diagnostic: Diagnostic<'a>) {
        self.catch_up(diagnostic.span.start as usize);
        (self.sink)(diagnostic);
    }

    /// Reports control characters up to `end`, and credentials that are not in a text already
    /// reported: in comments, links and keys.
    fn catch_up(&mut self, end: usize) {
        // Not `next_if`, which panics if the iterator yields nothing after `peek`.
        while let Some(secret) = self.secrets.peek().cloned()
            && secret.start < end
        {
            self.secrets.next();
            if secret.start >= self.reported {
                self.controls(secret.start);
                (self.sink)(Diagnostic::new(
                    Code::CredentialInDocument,
                    Span::new(secret.start as u32, secret.end as u32),
                    Spec::Ruling,
                    "",
                    MESSAGE,
                ));
            }
        }
        self.controls(end);
    }

    fn controls(&mut self, end: usize) {
        let bytes = self.document.bytes.get(self.scanned..end).unwrap_or_default();
        let before = self.scanned as u32;
        for span in controls(bytes) {
            let span = Span::new(before + span.start, before + span.end);
            let code = Code::ControlCharacter;
            (self.sink)(Diagnostic::new(code, span, Spec::Ruling, "", CONTROL));
        }
        self.scanned = self.scanned.max(end);
    }

    fn span(&self, text: Text<'a>) -> Span {
        Span::of(text.raw(), self.document.bytes)
    }

    fn about(&mut self, code: Code, text: Text<'a>, section: &'static str, template: &'static str) {
        self.put(
            Diagnostic::new(code, self.span(text), Spec::AgentsMd, section, template).about(text),
        );
    }

    /// Reports a text that contains a credential.
    fn credential(&mut self, text: Text<'a>) {
        if self.suspects.has(text) {
            let span = self.span(text);
            self.put(Diagnostic::new(Code::CredentialInDocument, span, Spec::Ruling, "", MESSAGE));
            self.reported = self.reported.max(span.end as usize);
        }
    }

    /// Returns the next event of YAML. Searches every value for credentials.
    fn event(&mut self, events: &mut Events<'a>) -> Option<Event<'a>> {
        let event = events.next();
        match event {
            Some(Event::Scalar(scalar) | Event::Key(scalar)) => self.credential(scalar.text),
            Some(Event::Unsupported(unsupported)) => self.credential(Text::plain(unsupported.raw)),
            _ => {}
        }
        event
    }

    fn unsupported(&mut self, unsupported: Unsupported<'a>) {
        let span = Span::of(unsupported.raw, self.document.bytes);
        let message = match unsupported.reason {
            _ if matches!(unsupported.raw, [b'`', ..] | [b'*', b'*', ..]) => {
                "emphasis and backticks are not YAML, so this is ignored; write only `key: value`"
            }
            Reason::Anchor => {
                "anchors are not supported, and the value counts as absent; write only the value"
            }
            Reason::Alias => {
                "aliases are not supported and count as absent; write the value itself"
            }
            Reason::Tag => {
                "tags are not supported, and the value counts as absent; write only the value"
            }
            Reason::Directive => "directives are not supported; remove it",
            Reason::Documents => "a second document is not supported; remove it",
            Reason::Tab => {
                "YAML does not allow tabs as indentation, and the indented text counts as absent; indent with spaces"
            }
            Reason::Key => {
                "a key must be a scalar on one line; this one is not supported and counts as absent; write `key: value`"
            }
            Reason::Flow => {
                "only simple flow collections on one line are supported; this one counts as absent, with all lines up to its closing bracket; write one entry per line, without brackets"
            }
            Reason::Depth => "the nesting exceeds the limit; this value counts as absent",
            Reason::Malformed => "this line is not valid YAML and is ignored; write `key: value`",
        };
        self.put(Diagnostic::new(Code::YamlUnsupported, span, Spec::Ruling, "", message));
    }

    fn front_matter(&mut self) {
        let mut events =
            Events::new(self.document.yaml(), usize::from(self.document.outline.depth));
        let mut top = Seen::default();
        while let Some(event) = self.event(&mut events) {
            match event {
                Event::Unsupported(unsupported) => self.unsupported(unsupported),
                Event::Key(key) if events.depth() == 1 => {
                    if key.text.eq_ignore_case("mcp") {
                        self.known(key, "mcp", top.again(0));
                        self.mcp_value(key, &mut events);
                    } else if key.text.eq_ignore_case("version") {
                        self.known(key, "version", top.again(1));
                        self.version_value(key, &mut events);
                    } else {
                        self.unknown(key, Place::Top);
                    }
                }
                Event::Scalar(scalar) if events.depth() == 0 => {
                    self.about(
                        Code::WrongType,
                        scalar.text,
                        "2",
                        "the front matter is not a mapping of keys to values",
                    );
                }
                Event::Sequence if events.depth() == 1 => {
                    // The sequence starts at the previous byte: its first dash or its bracket.
                    let yaml = self.document.outline.yaml;
                    let span = Span::new(
                        (yaml.start + events.offset() as u32).saturating_sub(1),
                        yaml.end,
                    );
                    let template = "the front matter is not a mapping of keys to values";
                    self.put(Diagnostic::new(Code::WrongType, span, Spec::AgentsMd, "2", template));
                }
                _ => {}
            }
        }
    }

    fn known(&mut self, key: Scalar<'a>, name: &'static str, again: bool) {
        if again {
            self.about(Code::DuplicateField, key.text, "B", "{} is repeated; the last one counts");
        }
        if key.text != name {
            self.about(
                Code::NonstandardField,
                key.text,
                "B",
                "{} is read although the specification writes it in lower case",
            );
        }
    }

    fn unknown(&mut self, key: Scalar<'a>, place: Place) {
        let known: &[&'static str] = match place {
            Place::Top => &TOP_FIELDS,
            Place::Mcp => &MCP_FIELDS,
        };
        if let Some(meant) = meant(key.text, known.iter().copied()) {
            let template = "the specification does not define {} here; did you mean `{}`?";
            let span = self.span(key.text);
            let diagnostic =
                Diagnostic::new(Code::MisspelledField, span, Spec::AgentsMd, "B", template);
            return self.put(diagnostic.about(key.text).meaning(meant));
        }
        let template = match place {
            Place::Top => "the specification does not define {}; it is kept as metadata",
            Place::Mcp => "the specification does not define {} for MCP; it is kept as metadata",
        };
        self.about(Code::UnknownField, key.text, "B", template);
    }

    /// Skips the rest of a collection that was just opened, and reports unsupported parts in it.
    fn pass(&mut self, events: &mut Events<'a>) {
        let outside = events.depth().saturating_sub(1);
        while events.depth() > outside {
            match self.event(events) {
                Some(Event::Unsupported(unsupported)) => self.unsupported(unsupported),
                Some(_) => {}
                None => return,
            }
        }
    }

    fn version_value(&mut self, key: Scalar<'a>, events: &mut Events<'a>) {
        match self.event(events) {
            Some(Event::Scalar(scalar)) => match scalar.resolve() {
                Resolved::Null => self.null(key, scalar),
                Resolved::Bool(_) => self.about(
                    Code::WrongType,
                    scalar.text,
                    "8",
                    "{} is not a version; write one such as 1.0",
                ),
                Resolved::Int | Resolved::Float | Resolved::Str => {
                    if !is_version_1(scalar.text) {
                        self.about(
                            Code::UnsupportedVersion,
                            scalar.text,
                            "8",
                            "version {} is not supported; this library supports 1.x",
                        );
                    }
                }
            },
            Some(Event::Unsupported(unsupported)) => self.unsupported(unsupported),
            Some(_) => {
                self.about(
                    Code::WrongType,
                    key.text,
                    "8",
                    "{} must be a string; write it on one line, in quotes",
                );
                self.pass(events);
            }
            None => {}
        }
    }

    fn null(&mut self, key: Scalar<'a>, value: Scalar<'a>) {
        if value.text.raw().is_empty() {
            let is_required = ["mcp", "endpoint"].iter().any(|name| key.text.eq_ignore_case(name));
            let (severity, message) = if is_required {
                let message = "{} has no value, and the gateway needs an endpoint; write its URL";
                (Severity::Error, message)
            } else {
                (Severity::Warning, "{} has no value; add one")
            };
            let empty = Diagnostic::new(
                Code::EmptyValue,
                self.span(key.text),
                Spec::AgentsMd,
                "3",
                message,
            );
            self.put(empty.with_severity(severity).about(key.text));
        }
    }
}

/// True if the major version is 1 (agents.md 8).
fn is_version_1(text: Text<'_>) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('1') && matches!(chars.next(), None | Some('.'))
}
