//! The check of the gateway: `mcp` of the front matter, and the MCP section.

use super::{Check, Place, Seen};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::format::agents_md::gateway::mentions_auth;
use crate::format::agents_md::piece::yaml_of;
use crate::format::agents_md::section::{Section, is_outside, opens_cannot};
use crate::format::agents_md::{
    McpAuth, McpField, McpTransport, RECOMMENDED_ENDPOINT, SlotState, mcp_field,
};
use crate::rules::urls::{AMBIGUOUS, is_refused};
use crate::span::Span;
use crate::syntax::markdown::{Blocks, Kind};
use crate::syntax::text::Text;
use crate::syntax::url::{self, Relation, Url};
use crate::syntax::yaml::{Event, Events, Reason, Resolved, Scalar};

impl<'a, S: FnMut(Diagnostic<'a>)> Check<'a, '_, S> {
    pub(super) fn mcp_value(&mut self, key: Scalar<'a>, events: &mut Events<'a>) {
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
            Some(Event::Unsupported(unsupported)) => {
                // Unsupported YAML may contain an endpoint; invalid YAML does not.
                if matches!(unsupported.reason, Reason::Tab | Reason::Malformed) {
                    self.missing_endpoint(self.span(key.text));
                }
                self.unsupported(unsupported);
            }
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

    /// Reports a gateway without an endpoint, at `span`.
    pub(super) fn missing_endpoint(&mut self, span: Span) {
        if self.document.outline.gateway.endpoint.state() == SlotState::Absent {
            let template =
                "the MCP gateway has no `endpoint`; write `endpoint:` with its https URL";
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
                (Some(_), _) => self.about(
                    Code::WrongType,
                    scalar.text,
                    "3",
                    "{} must be a string; write it on one line, in quotes",
                ),
            },
            Some(Event::Mapping | Event::Sequence) => {
                if field.is_some() {
                    self.about(
                        Code::WrongType,
                        key.text,
                        "3",
                        "{} must be a string; write it on one line, in quotes",
                    );
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
            _ if text.is_empty() => self.about(
                Code::EmptyValue,
                text,
                "3",
                "the value is empty; write one, or remove the key",
            ),
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
                let template =
                    "{} is not a valid authentication; write `none`, `api_key` or `oauth2`";
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
            let severity = if url.is_loopback() { Severity::Info } else { Severity::Error };
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
                    (Severity::Error, "the MCP endpoint {} is on another registrable domain")
                } else {
                    (Severity::Warning, "the MCP endpoint {} may be on another registrable domain")
                };
                let diagnostic =
                    Diagnostic::new(Code::CrossOriginEndpoint, span, Spec::AgentsMd, "5", template);
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

    pub(super) fn mcp_section(&mut self, section: Section<'a>) {
        let depth = usize::from(self.document.outline.depth);
        let mut seen = Seen::default();
        for block in Blocks::new(section.rest(), depth) {
            let is_section = matches!(block.kind, Kind::Heading(1 | 2)) && is_outside(&block);
            if is_section || opens_cannot(&block) {
                break;
            }
            let Some(piece) = yaml_of(section.rest(), &block) else {
                self.credential(block.text);
                if mentions_auth(block.text.raw()) {
                    let template = "quotes, headings and HTML are not read as YAML, so {} counts as some authentication; write `auth: value` on a line of its own";
                    self.about(Code::YamlUnsupported, block.text, "3", template);
                }
                continue;
            };
            let mut events = piece.events(depth);
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
