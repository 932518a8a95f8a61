//! Diagnostics: what the check of a document reports.

mod codes;

use core::fmt;

use crate::scan;
use crate::span::Span;
use crate::syntax::text::Text;
pub use codes::{Code, Example, Group};

/// How serious a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Information only.
    Info,
    /// A SHOULD is broken, or a mistake is very likely.
    Warning,
    /// A MUST is broken, or a required field is missing.
    Error,
}

impl Severity {
    /// `info`, `warning` or `error`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! specs {
    ($($(#[doc = $doc:literal])* $name:ident = $text:literal,)*) => {
        /// The specification that defines a rule.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        pub enum Spec {
            $($(#[doc = $doc])* $name,)*
        }

        impl Spec {
            /// Returns the short display name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

specs! {
    /// draft-car-agents-txt-wellknown-00.
    InternetDraft = "draft-car-agents-txt-wellknown-00",
    /// agents.txt 0.1.0 and its companion agents.json 0.1.
    AgentsTxt01 = "agents.txt 0.1.0",
    /// agents.md 1.0.0-draft.
    AgentsMd = "agents.md 1.0.0-draft",
    /// Agent Web Protocol 0.2.
    Awp = "Agent Web Protocol 0.2",
    /// Agent Discovery Protocol 1.0.
    Adp = "Agent Discovery Protocol 1.0",
    /// RFC 9309, robots.txt.
    Rfc9309 = "RFC 9309",
    /// llms.txt.
    LlmsTxt = "llms.txt",
    /// The A2A protocol: agent cards.
    A2a = "A2A",
    /// MCP server cards.
    McpServerCard = "MCP server card",
    /// Agentic Resource Discovery: AI catalogs.
    Ard = "Agentic Resource Discovery",
    /// Agent Skills Discovery.
    AgentSkills = "Agent Skills Discovery",
    /// RFC 9727, API catalogs.
    Rfc9727 = "RFC 9727",
    /// RFC 9264, link sets.
    Rfc9264 = "RFC 9264",
    /// RFC 8414, metadata of OAuth authorization servers.
    Rfc8414 = "RFC 8414",
    /// RFC 9728, metadata of OAuth protected resources.
    Rfc9728 = "RFC 9728",
    /// auth.md: how agents register.
    AuthMd = "auth.md",
    /// Web Bot Auth: directories of keys for HTTP message signatures.
    WebBotAuth = "Web Bot Auth",
    /// The Universal Commerce Protocol: profiles.
    Ucp = "UCP",
    /// The Agentic Commerce Protocol: discovery.
    Acp = "ACP",
    /// x402: payment terms.
    X402 = "x402",
    /// Really Simple Licensing 1.0.
    Rsl = "RSL 1.0",
    /// The OpenAPI Specification.
    OpenApi = "OpenAPI",
    /// RFC 8259, JSON.
    Rfc8259 = "RFC 8259",
    /// A decision of this project, described in `docs/formats/`.
    Ruling = "agentsdisc",
}

/// One problem that the check found.
///
/// Borrows from the document. [`fmt::Display`] writes the message without a heap.
///
/// The message is a template. Its first `{}` is replaced by [`subject`](Self::subject) in quotes,
/// with control characters escaped, shortened to 80 characters. Further texts, such as the actions
/// of a cycle, replace the second `{}`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Diagnostic<'a> {
    /// The kind of problem.
    pub code: Code,
    /// The severity in this case.
    pub severity: Severity,
    /// The bytes that the diagnostic covers.
    pub span: Span,
    /// The specification that defines the rule.
    pub spec: Spec,
    /// The section of that specification, such as `2.5`; empty if there is none.
    pub section: &'static str,
    /// The message, with `{}` for the subject.
    pub template: &'static str,
    /// The text that the message quotes; empty if it quotes nothing.
    pub subject: Text<'a>,
    /// Further texts of the message.
    names: Names<'a>,
}

/// The maximum number of further texts of a message.
const NAMES: usize = 7;

/// Further texts of a message, as spans in the document.
#[derive(Clone, Copy, Debug)]
struct Names<'a> {
    document: &'a [u8],
    spans: [Span; NAMES],
}

impl<'a> Names<'a> {
    const NONE: Self = Self { document: b"", spans: [Span::new(0, 0); NAMES] };

    fn texts(&self) -> impl Iterator<Item = Text<'a>> {
        let document = self.document;
        let spans = { self.spans }.into_iter();
        spans.filter(|span| span.end > span.start).map(move |span| Text::json(span.slice(document)))
    }
}

impl<'a> Diagnostic<'a> {
    /// Creates a diagnostic with the usual severity of its code.
    pub const fn new(
        code: Code,
        span: Span,
        spec: Spec,
        section: &'static str,
        template: &'static str,
    ) -> Self {
        Self {
            code,
            severity: code.severity(),
            span,
            spec,
            section,
            template,
            subject: Text::EMPTY,
            names: Names::NONE,
        }
    }

    /// Returns the diagnostic with another severity.
    #[must_use]
    pub const fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Returns the diagnostic with a subject, which replaces `{}` in the message.
    #[must_use]
    pub const fn about(mut self, subject: Text<'a>) -> Self {
        self.subject = subject;
        self
    }

    /// Returns the diagnostic with further texts, parts of the JSON strings of the document, which
    /// replace the second `{}` in the message. A message has room for seven of them.
    #[must_use]
    pub(crate) fn naming(
        mut self,
        document: &'a [u8],
        spans: impl IntoIterator<Item = Span>,
    ) -> Self {
        self.names.document = document;
        for (place, span) in self.names.spans.iter_mut().zip(spans) {
            *place = span;
        }
        self
    }

    /// Returns the diagnostic with a name of a specification, which replaces the second `{}`.
    #[must_use]
    pub(crate) fn meaning(self, name: &'static str) -> Self {
        self.naming(name.as_bytes(), [Span::new(0, name.len() as u32)])
    }

    /// The texts that the message quotes.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Text<'a>> {
        core::iter::once(self.subject).chain(self.names.texts())
    }

    /// Replaces the texts that the message quotes by `(withheld)`.
    pub(crate) fn withhold(&mut self) {
        self.subject = Text::plain(b"(withheld)");
        self.names = Names::NONE;
    }
}

impl fmt::Display for Diagnostic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not `split_once`: the compiler cannot prove that the searches of `str` never panic.
        let place = scan::find(self.template.as_bytes(), b"{}");
        let parts = place
            .and_then(|at| Some((self.template.get(..at)?, self.template.get(at..)?.get(2..)?)));
        let Some((before, after)) = parts else {
            return f.write_str(self.template);
        };
        f.write_str(before)?;
        write_quoted(f, self.subject)?;
        let Some(place) = scan::find(after.as_bytes(), b"{}") else {
            return f.write_str(after);
        };
        f.write_str(after.get(..place).unwrap_or_default())?;
        for (count, name) in self.names.texts().enumerate() {
            if count > 0 {
                f.write_str(" → ")?;
            }
            write_shortened(f, name)?;
        }
        f.write_str(after.get(place.saturating_add(2)..).unwrap_or_default())
    }
}

/// Writes a text in quotes, with control characters escaped, shortened to 80 characters. (Unlike
/// `Debug` of `str`, it never panics as far as the compiler can see.)
pub(crate) fn write_quoted(f: &mut fmt::Formatter<'_>, text: Text<'_>) -> fmt::Result {
    f.write_str("`")?;
    write_shortened(f, text)?;
    f.write_str("`")
}

fn write_shortened(f: &mut fmt::Formatter<'_>, text: Text<'_>) -> fmt::Result {
    // A value on several lines is quoted on one, without its indentation.
    let is_break = |c: char| !text.is_escaped() && matches!(c, '\n' | '\r' | '\t');
    let mut broken = false;
    for (count, c) in text.chars().enumerate() {
        if count == 80 {
            return f.write_str("…");
        }
        if is_break(c) || (broken && c == ' ') {
            broken = true;
            continue;
        }
        if core::mem::take(&mut broken) {
            f.write_str(" ")?;
        }
        if c.is_control() {
            write!(f, "\\u{{{:x}}}", u32::from(c))?
        } else {
            fmt::Write::write_char(f, c)?
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_kebab_case() {
        assert!(Code::ALL.windows(2).all(|pair| matches!(pair, [a, b] if a.as_str() < b.as_str())));
        for code in Code::ALL {
            assert!(
                code.as_str()
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b == b'-' || b.is_ascii_digit())
            );
        }
    }
}
