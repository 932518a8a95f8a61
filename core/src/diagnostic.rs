//! Diagnostics: what the check of a document reports.

use core::fmt;

use crate::scan;
use crate::span::Span;
use crate::syntax::text::Text;

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

macro_rules! codes {
    ($($name:ident $text:literal $severity:ident $at:literal $about:literal,)*) => {
        /// The kind of a diagnostic. A code has the same meaning in every format.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        pub enum Code { $(#[doc = $about] $name,)* }

        impl Code {
            /// All codes, in alphabetical order.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// Returns the stable kebab-case name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Returns the usual severity. `docs/formats.md` lists the rules that use another one.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// Returns what the span of such a diagnostic covers.
            pub const fn points_at(self) -> &'static str {
                match self { $(Self::$name => $at,)* }
            }

            /// Returns the meaning of the code.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$name => $about,)* }
            }
        }
    };
}

// Alphabetical. Columns: variant, code, usual severity, what the span covers, meaning.
codes! {
    BaseUrlPath "base-url-path" Info "the base URL" "The base URL has a path: a reference that is a path is appended to it, although RFC 3986 would replace it or its last segment.",
    BaseUrlQuery "base-url-query" Warning "the base URL" "The base URL has a query or fragment, which is dropped where a reference is resolved with it.",
    ByteOrderMark "byte-order-mark" Info "the mark" "The document starts with a UTF-8 byte order mark, which is skipped.",
    CompanionLocation "companion-location" Warning "the value" "The URL of the companion document is off the site or off the well-known path, where agents do not look.",
    Contradiction "contradiction" Warning "the value" "Two members contradict each other; the stricter one counts, or the one that the message names.",
    ControlCharacter "control-character" Warning "the character" "A text document contains a control character other than tab and line end, or a blank or an invisible mark that is not ASCII.",
    CredentialInDocument "credential-in-document" Error "the value" "A value looks like a real credential. The message does not repeat it.",
    CrossOriginEndpoint "cross-origin-endpoint" Error "the endpoint" "An endpoint is on another registrable domain than the document (warning if that is uncertain, info if it is written as an absolute URL).",
    DependencyCycle "dependency-cycle" Error "the key of one action of the cycle" "Actions require each other, so none of them can ever run.",
    DeprecatedField "deprecated-field" Info "the key" "A field is of an older version of the specification; it is read.",
    DisallowedEndpoint "disallowed-endpoint" Warning "the endpoint" "The document's own Disallow rules deny the endpoint of a capability that it declares.",
    DocumentCut "document-cut" Warning "what is left out" "A robots.txt is longer than the limit: the line that crosses the limit and everything after it have no effect.",
    DuplicateAgent "duplicate-agent" Warning "the second name" "Two policies have the same agent name (letter case ignored); the last one counts.",
    DuplicateField "duplicate-field" Warning "the later key (of `Flow-Description` the earlier one)" "A field with a single value is repeated; the last one counts.",
    DuplicateId "duplicate-id" Error "the second id" "Two capabilities or actions have the same id (warning for flows of one name).",
    DuplicateSection "duplicate-section" Warning "the second heading" "A known section occurs again; the items of all of them count.",
    EmptyValue "empty-value" Warning "the value, or the key if there is none" "A value or an item of a list is empty (error if it is required).",
    EndpointLocation "endpoint-location" Info "the endpoint" "An endpoint is not at the recommended path.",
    EntryWithoutLink "entry-without-link" Info "the item" "An item in a section of links has no link; only the first one of a section is reported.",
    FieldInComment "field-in-comment" Warning "the field in the comment" "A header field is in a comment, as some generators write it; it is read because the field itself is missing.",
    ImpliedAuth "implied-auth" Warning "the value that implies it" "No authentication type is given, but another field implies one.",
    ImpliedPrefix "implied-prefix" Info "the header" "A custom header is named without a prefix: agents send the bare key, without `Bearer`.",
    IndentedField "indented-field" Warning "the key" "A top-level field is indented; it is still read as a top-level field, except for what the block of an agent allows.",
    InlineComment "inline-comment" Warning "the comment" "A value contains a blank and a #. In patterns, agent names and lists of capabilities of agents.txt this begins a comment; elsewhere it is part of the value.",
    InsecureUrl "insecure-url" Error "the value" "A URL is http or ws where a secure scheme is required (info on localhost and loopback addresses).",
    InvalidLength "invalid-length" Error "the value" "A text is shorter or longer than allowed.",
    InvalidRateLimit "invalid-rate-limit" Error "the value" "A rate limit is not a positive integer and a window (warning if it is zero).",
    InvalidTimestamp "invalid-timestamp" Error "the value" "A date and time is not in ISO 8601 format.",
    InvalidUrl "invalid-url" Error "the value" "A value is not a valid absolute URL.",
    InvalidValue "invalid-value" Error "the value" "A value is not one of the values that the field allows.",
    LinkWithoutUrl "link-without-url" Warning "the link" "A link has no URL, or refers to a definition that is missing.",
    LoneSurrogate "lone-surrogate" Warning "the value" "A JSON string escapes half of a surrogate pair; it reads as U+FFFD.",
    LongLine "long-line" Warning "the line" "A line is longer than the limit and is skipped.",
    MalformedLine "malformed-line" Error "the line" "A line is not a field, a comment or blank: it has no colon, or nothing before it.",
    MisplacedField "misplaced-field" Warning "the key" "A field of a block appears outside such a block.",
    MisplacedFrontMatter "misplaced-front-matter" Error "the line" "What looks like front matter does not start on the first line, or its first line is not exactly three dashes; it is read as Markdown.",
    MisplacedPart "misplaced-part" Warning "the part" "A part of the document is not where the specification puts it: text before the title, a summary behind other text, a link in no section, a heading of a lower level (info for the last two).",
    MissingColon "missing-colon" Warning "the line" "A field has no colon; it is read because a blank separates its name from a single word.",
    MissingConfirmation "missing-confirmation" Warning "the sensitivity" "An irreversible action does not require confirmation by a person (info if it is only destructive).",
    MissingRecommendedField "missing-recommended-field" Warning "the object or block" "A field that is expected here is missing.",
    MissingRequiredField "missing-required-field" Error "the object or block" "A required field is missing.",
    MisspelledField "misspelled-field" Warning "the key" "The specification does not define the field, but one with a similar name; the field has no effect.",
    NoAccessRules "no-access-rules" Info "the start" "The document has no access rules: only the endpoints of capabilities are permitted.",
    NoKnownSection "no-known-section" Warning "the start" "The document has none of the sections that the specification defines.",
    NonstandardContact "nonstandard-contact" Warning "the value" "A contact is not a plain email address (info if it is a mailto: URL).",
    NonstandardField "nonstandard-field" Warning "the key" "A field has a name that the specification does not define; it is read.",
    NonstandardLink "nonstandard-link" Warning "the link" "An entry is not a list item that begins with a link; it is read (info if only the colon before the notes is missing).",
    NonstandardShape "nonstandard-shape" Warning "the value" "A member has a shape or name that the specification does not define; it is read.",
    NotChecked "not-checked" Info "the start" "Part of the check was skipped because the scratch buffer is too small.",
    NotUtf8 "not-utf8" Warning "the first invalid byte" "The document is not UTF-8; its bytes are compared as they are.",
    OneSpaceIndent "one-space-indent" Warning "the line" "One space does not count as indentation: the line is read as not indented.",
    OriginMismatch "origin-mismatch" Warning "the value" "The document names another origin than the one it was fetched from.",
    PatternWithoutSlash "pattern-without-slash" Warning "the pattern" "A path pattern does not begin with / or *, so it matches nothing.",
    Placeholder "placeholder" Warning "the value" "A URL contains a placeholder, which is kept and not resolved.",
    PrivateAddress "private-address" Warning "the URL" "A public document refers to an address of a private or local network, which nobody else can reach.",
    RelativeUrl "relative-url" Info "the URL" "A URL is relative, so readers must know where the document comes from.",
    RequiredExtension "required-extension" Info "the identifier" "An extension of the protocol is required, so callers that do not support it are refused.",
    SectionWithoutLinks "section-without-links" Warning "the heading" "A section that is for links has none.",
    SelfReference "self-reference" Warning "the URL" "A catalog lists itself, so a reader that follows its entries would not end.",
    SeveralTitles "several-titles" Warning "the later heading" "The document has more than one heading of the first level; the first one is its title.",
    SeveralValues "several-values" Warning "the value" "A value looks like a list of values, but may be read as a single value.",
    ShadowedSection "shadowed-section" Warning "the heading" "The front matter has the same content as this section; the front matter counts.",
    TooManyDiagnostics "too-many-diagnostics" Info "the next one" "More diagnostics were found than are reported.",
    UnclosedFrontMatter "unclosed-front-matter" Error "the first line" "Front matter is not closed; the document is read as Markdown from its first line.",
    UnclosedGroup "unclosed-group" Warning "the later User-agent line" "Two User-agent lines have fields but no rule between them, which does not end a group: both agents get the same rules.",
    UnexpectedField "unexpected-field" Warning "the key" "A field appears where the specification does not use it.",
    UnindentedBlockField "unindented-block-field" Warning "the key" "A field of a block is not indented; it is read into the open block.",
    UnknownField "unknown-field" Info "the key" "The specification does not define the field; it is kept as metadata.",
    UnknownProtocol "unknown-protocol" Info "the key" "The name of a protocol is not registered.",
    UnknownReference "unknown-reference" Warning "the reference" "A name refers to something that the document does not define.",
    UnreadSection "unread-section" Warning "the line or block" "A line looks like the heading of a known section but starts no section, or Cannot contains code or HTML; it is not read.",
    UnsupportedVersion "unsupported-version" Error "the value" "The document follows a version that this library does not support.",
    VagueRecovery "vague-recovery" Info "the value" "A recovery names no endpoint or action, and does not say to wait or retry, so software cannot follow it.",
    WrongType "wrong-type" Error "the value" "A member has a different JSON type than the specification defines, so it has no value.",
    YamlUnsupported "yaml-unsupported" Warning "the piece" "A piece of YAML is not supported and counts as absent: an anchor, an alias, a tag, a tab as indentation, or invalid YAML.",
}

impl fmt::Display for Code {
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
    /// The OpenAPI Specification.
    OpenApi = "OpenAPI",
    /// RFC 8259, JSON.
    Rfc8259 = "RFC 8259",
    /// A decision of this project, described in `docs/formats.md`.
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
