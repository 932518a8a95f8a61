//! The check of an agents.md: one pass over the front matter, one over the body, in document order.

use core::iter::Peekable;

use super::read::{BOM, yaml_of};
use super::section::{Section, section_kind};
use super::walk::{Entry, Item};
use super::{
    AgentsMd, FrontMatter, McpAuth, McpField, McpSource, McpTransport, RECOMMENDED_ENDPOINT,
    SectionKind, SlotState, behavior, mcp_field,
};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::format::check::lines::may_hold_controls;
use crate::format::check::urls::{AMBIGUOUS, is_refused};
use crate::format::credentials::{MESSAGE, Secrets, holds_credential, may_stand_in};
use crate::span::Span;
use crate::syntax::markdown::{Blocks, Kind};
use crate::syntax::text::Text;
use crate::syntax::url::{self, Relation, Url};
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
            credentials: may_stand_in(self.bytes),
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
    /// True if the document may contain credentials.
    credentials: bool,
    /// The credentials in it without escapes, after the last diagnostic.
    secrets: Peekable<Secrets<'a>>,
    /// The end of the last text that was reported to contain one.
    reported: usize,
}

/// The owner of the entries of a mapping.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Mcp,
}

/// The fields of a mapping so far.
#[derive(Clone, Copy, Default)]
struct Seen {
    bits: u8,
}

impl Seen {
    /// True if the field was there before.
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
            let template = "the document starts with a byte order mark, which is ignored";
            self.put(Diagnostic::new(
                Code::ByteOrderMark,
                Span::new(0, BOM.len() as u32),
                Spec::Ruling,
                "",
                template,
            ));
        }
        if !self.document.has_known_section() {
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
        self.front_matter();
        self.body();
        self.catch_up(bytes.len());
    }

    /// Reports a diagnostic, after the diagnostics for the text before it.
    fn put(&mut self, diagnostic: Diagnostic<'a>) {
        self.catch_up(diagnostic.span.start as usize);
        (self.sink)(diagnostic);
    }

    /// Reports control characters up to `end`, and credentials outside of reported texts: in
    /// comments, links, keys.
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
        let bytes = self
            .document
            .bytes
            .get(self.scanned..end)
            .unwrap_or_default();
        let bytes = if may_hold_controls(bytes) { bytes } else { &[] };
        for (i, byte) in bytes.iter().enumerate() {
            if byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r') {
                let at = (self.scanned + i) as u32;
                let template = "the document contains a control character";
                (self.sink)(Diagnostic::new(
                    Code::ControlCharacter,
                    Span::new(at, at + 1),
                    Spec::Ruling,
                    "",
                    template,
                ));
            }
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
        if self.credentials && holds_credential(text) {
            let span = self.span(text);
            self.put(Diagnostic::new(
                Code::CredentialInDocument,
                span,
                Spec::Ruling,
                "",
                MESSAGE,
            ));
            self.reported = self.reported.max(span.end as usize);
        }
    }

    /// The next event of YAML. Searches every value for credentials.
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
        self.put(Diagnostic::new(
            Code::YamlUnsupported,
            span,
            Spec::Ruling,
            "",
            message,
        ));
    }

    fn front_matter(&mut self) {
        let mut events = Events::new(
            self.document.yaml(),
            usize::from(self.document.outline.depth),
        );
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
                    // It starts with the previous byte, its first dash or its bracket.
                    let yaml = self.document.outline.yaml;
                    let span = Span::new(
                        (yaml.start + events.offset() as u32).saturating_sub(1),
                        yaml.end,
                    );
                    let template = "the front matter is not a mapping of keys to values";
                    self.put(Diagnostic::new(
                        Code::WrongType,
                        span,
                        Spec::AgentsMd,
                        "2",
                        template,
                    ));
                }
                _ => {}
            }
        }
    }

    fn known(&mut self, key: Scalar<'a>, name: &'static str, again: bool) {
        if again {
            self.about(
                Code::DuplicateField,
                key.text,
                "B",
                "{} is repeated; the last one counts",
            );
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
                Resolved::Bool(_) => {
                    self.about(Code::WrongType, scalar.text, "8", "{} is not a version")
                }
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
                self.about(Code::WrongType, key.text, "8", "{} is not a text");
                self.pass(events);
            }
            None => {}
        }
    }

    fn null(&mut self, key: Scalar<'a>, value: Scalar<'a>) {
        if value.text.raw().is_empty() {
            self.about(Code::EmptyValue, key.text, "3", "{} has no value");
        }
    }

    fn mcp_value(&mut self, key: Scalar<'a>, events: &mut Events<'a>) {
        match self.event(events) {
            Some(Event::Mapping) => {
                self.missing_endpoint(self.span(key.text));
                let mut seen = Seen::default();
                let depth = events.depth();
                while events.depth() >= depth {
                    match self.event(events) {
                        Some(Event::Key(key)) => self.mcp_entry(key, events, &mut seen),
                        Some(Event::Unsupported(unsupported)) => self.unsupported(unsupported),
                        Some(_) => {}
                        None => break,
                    }
                }
            }
            Some(Event::Scalar(scalar)) if scalar.resolve() == Resolved::Null => {
                self.null(key, scalar)
            }
            Some(Event::Unsupported(unsupported)) => self.unsupported(unsupported),
            Some(event) => {
                self.about(
                    Code::WrongType,
                    key.text,
                    "B",
                    "{} is not a mapping, so it has no endpoint",
                );
                if event == Event::Sequence {
                    self.pass(events);
                }
            }
            None => {}
        }
    }

    /// Reports a gateway without an endpoint at `span`, its description.
    fn missing_endpoint(&mut self, span: Span) {
        if self.document.outline.gateway.endpoint.state() == SlotState::Absent {
            let template = "the MCP gateway has no `endpoint`";
            self.put(Diagnostic::new(
                Code::MissingRequiredField,
                span,
                Spec::AgentsMd,
                "3",
                template,
            ));
        }
    }

    fn mcp_entry(&mut self, key: Scalar<'a>, events: &mut Events<'a>, seen: &mut Seen) {
        let field = mcp_field(key.text);
        match field {
            Some((name, field)) => {
                let again = seen.again(field as u8);
                self.known(key, name, again);
            }
            None => self.unknown(key, Place::Mcp),
        }
        match self.event(events) {
            Some(Event::Unsupported(unsupported)) => self.unsupported(unsupported),
            Some(Event::Scalar(scalar)) => match (field, scalar.resolve()) {
                (None, _) => {}
                (Some(_), Resolved::Null) => self.null(key, scalar),
                (Some((_, field)), Resolved::Str) => self.mcp_field(field, scalar.text),
                (Some(_), _) => self.about(Code::WrongType, scalar.text, "3", "{} is not a text"),
            },
            Some(Event::Mapping | Event::Sequence) => {
                if field.is_some() {
                    self.about(Code::WrongType, key.text, "3", "{} is not a text");
                }
                self.pass(events);
            }
            _ => {}
        }
    }

    fn mcp_field(&mut self, field: McpField, text: Text<'a>) {
        match field {
            McpField::Endpoint if text.is_blank() => {
                let message = "the endpoint is required, but it is empty; write its URL";
                let empty = Diagnostic::new(
                    Code::EmptyValue,
                    self.span(text),
                    Spec::AgentsMd,
                    "3",
                    message,
                );
                self.put(empty.with_severity(Severity::Error));
            }
            _ if text.is_empty() => self.about(Code::EmptyValue, text, "3", "the value is empty"),
            McpField::Endpoint => self.endpoint(text),
            McpField::Transport if McpTransport::from_text(text) == McpTransport::Unknown => {
                self.about(
                    Code::InvalidValue,
                    text,
                    "3",
                    "the transport {} is neither `streamable-http` nor `sse`",
                );
            }
            McpField::Auth if McpAuth::from_text(text) == McpAuth::Unknown => {
                let template = "the authentication {} is none of `none`, `api_key` and `oauth2`; it counts as some authentication";
                self.about(Code::InvalidValue, text, "3", template);
            }
            McpField::Transport | McpField::Auth => {}
        }
    }

    fn endpoint(&mut self, text: Text<'a>) {
        let mut buffer = None;
        let is = |url: &Url<'_>, scheme: &str| url.scheme().eq_ignore_ascii_case(scheme);
        let url = Url::lazily(text, &mut buffer).filter(|url| is(url, "https") || is(url, "http"));
        let Some(url) = url else {
            return self.about(
                Code::InvalidUrl,
                text,
                "3",
                "the MCP endpoint {} is not an absolute http or https URL",
            );
        };
        let span = self.span(text);
        if is_refused(&url) {
            self.put(
                Diagnostic::new(Code::InvalidUrl, span, Spec::Ruling, "", AMBIGUOUS).about(text),
            );
        }
        if !url.host().is_ascii() {
            let template = "the host of the MCP endpoint {} is not ASCII; write it as in the DNS";
            let diagnostic = Diagnostic::new(Code::InvalidUrl, span, Spec::Ruling, "", template);
            self.put(diagnostic.with_severity(Severity::Warning).about(text));
        }
        if !is(&url, "https") {
            let template = "the MCP endpoint {} is not https";
            let severity = if url.is_loopback() {
                Severity::Info
            } else {
                Severity::Error
            };
            self.put(
                Diagnostic::new(Code::InsecureUrl, span, Spec::AgentsMd, "5", template)
                    .with_severity(severity)
                    .about(text),
            );
        }
        if let Some(origin) = self.origin.and_then(|origin| Url::parse(origin.as_bytes())) {
            let related = url::relation(origin.host(), url.host());
            if related.relation == Relation::Other {
                let (severity, template) = if related.verified {
                    (
                        Severity::Error,
                        "the MCP endpoint {} is on another registrable domain",
                    )
                } else {
                    (
                        Severity::Warning,
                        "the MCP endpoint {} may be on another registrable domain",
                    )
                };
                let diagnostic = Diagnostic::new(
                    Code::CrossOriginEndpoint,
                    span,
                    Spec::AgentsMd,
                    "5",
                    template,
                );
                self.put(diagnostic.with_severity(severity).about(text));
            }
        }
        if url.path() != RECOMMENDED_ENDPOINT {
            self.about(
                Code::EndpointLocation,
                text,
                "4",
                "the MCP endpoint {} is not at the recommended `/.well-known/mcp`",
            );
        }
    }

    fn body(&mut self) {
        let mut sections = Seen::default();
        let mut walk = self.document.walk();
        while let Some(entry) = walk.next() {
            // The MCP section is checked as a whole, at its start.
            let is_read = walk.section() == Some(SectionKind::Mcp)
                && self.document.outline.mcp == Some(McpSource::Section);
            match entry {
                Entry::Section(section) => {
                    self.credential(section.name);
                    self.section(section, &mut sections);
                    continue;
                }
                _ if is_read => continue,
                Entry::Heading(_, text)
                | Entry::Paragraph(text)
                | Entry::Item(Item { text, .. }) => self.credential(text),
                Entry::Code(lines) => self.credential(Text::plain(lines)),
            }
            match entry {
                Entry::Item(item) if item.text.raw().is_empty() && walk.section().is_some() => {
                    self.about(
                        Code::EmptyValue,
                        item.marker,
                        "2",
                        "the list item {} has no text of its own",
                    );
                }
                Entry::Item(item) if walk.section() == Some(SectionKind::Behavior) => {
                    self.rate(item.text)
                }
                _ => {}
            }
        }
    }

    fn rate(&mut self, text: Text<'a>) {
        if behavior::rate(text).is_some_and(|rate| rate.requests == 0) {
            let diagnostic = Diagnostic::new(
                Code::InvalidRateLimit,
                self.span(text),
                Spec::AgentsMd,
                "3",
                "the rate in {} is zero",
            );
            self.put(diagnostic.with_severity(Severity::Warning).about(text));
        }
    }

    fn section(&mut self, section: Section<'a>, seen: &mut Seen) {
        let (kind, exact) = section_kind(section.name);
        if section.name.is_empty() {
            self.about(Code::EmptyValue, section.name, "3", "a section has no name");
        }
        if kind == SectionKind::Other {
            return;
        }
        let again = seen.again(kind as u8);
        if again {
            self.about(
                Code::DuplicateSection,
                section.name,
                "3",
                "the section {} is repeated; the items of both count",
            );
        }
        if !exact {
            let diagnostic = Diagnostic::new(
                Code::NonstandardField,
                self.span(section.name),
                Spec::AgentsMd,
                "3",
                "the section {} is read, but the specification uses another name",
            );
            self.put(diagnostic.with_severity(Severity::Info).about(section.name));
        }
        if kind == SectionKind::Mcp {
            if self.document.outline.mcp == Some(McpSource::FrontMatter) {
                self.about(
                    Code::ShadowedSection,
                    section.name,
                    "3",
                    "the section {} is ignored, because the front matter has `mcp`",
                );
            } else {
                // If there are two, the endpoint can be in either one.
                if !again {
                    self.missing_endpoint(self.span(section.name));
                }
                self.mcp_section(section);
            }
        }
    }

    fn mcp_section(&mut self, section: Section<'a>) {
        let depth = usize::from(self.document.outline.depth);
        let mut seen = Seen::default();
        for block in Blocks::new(section.rest(), depth) {
            if matches!(block.kind, Kind::Heading(1 | 2)) && block.depth == 0 && block.quotes == 0 {
                break;
            }
            let Some(text) = yaml_of(section.rest(), &block) else {
                self.credential(block.text);
                continue;
            };
            let mut events = Events::new(text, depth);
            while let Some(event) = self.event(&mut events) {
                match event {
                    Event::Key(key) if events.depth() == 1 => {
                        self.mcp_entry(key, &mut events, &mut seen)
                    }
                    Event::Unsupported(unsupported) => self.unsupported(unsupported),
                    Event::Scalar(scalar) if events.depth() == 0 => {
                        let template =
                            "{} is not a key and a value; the MCP section consists of these";
                        self.about(Code::YamlUnsupported, scalar.text, "3", template);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// True if the major version is 1 (agents.md 8).
fn is_version_1(text: Text<'_>) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('1') && matches!(chars.next(), None | Some('.'))
}
