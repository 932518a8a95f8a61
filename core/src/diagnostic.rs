//! What the check of a document reports.

use core::fmt;

use crate::scan;
use crate::span::Span;
use crate::syntax::text::Text;

/// How much a diagnostic matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Breaks a SHOULD, or very likely a mistake.
    Warning,
    /// Breaks a MUST, or a required field is missing.
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
        /// What a diagnostic is about: one code means one thing in every format.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        pub enum Code { $(#[doc = $about] $name,)* }

        impl Code {
            /// Every code, in alphabetical order of their names.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The stable kebab-case name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The severity it usually has. A rule that deviates says so in `docs/formats.md`.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// What the span of such a diagnostic covers.
            pub const fn points_at(self) -> &'static str {
                match self { $(Self::$name => $at,)* }
            }

            /// What it means.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$name => $about,)* }
            }
        }
    };
}

// Alphabetical. Columns: variant, code, usual severity, what the span covers, meaning.
codes! {
    BaseUrlPath "base-url-path" Info "the base URL" "The base URL has a path: a rooted reference is appended to it, where RFC 3986 would replace it.",
    ByteOrderMark "byte-order-mark" Info "the mark" "The document starts with a UTF-8 byte order mark, which is skipped.",
    CompanionLocation "companion-location" Warning "the value" "The companion document is named at a place where agents do not look: off the site, or off the well-known path.",
    Contradiction "contradiction" Warning "the value" "Two members disagree about one thing; the stricter one counts.",
    ControlCharacter "control-character" Warning "the character" "A control character other than tab and line end stands in a text document.",
    CredentialInDocument "credential-in-document" Error "the value" "A value looks like a real credential. It is not repeated in the message.",
    CrossOriginEndpoint "cross-origin-endpoint" Error "the endpoint" "An endpoint is on another registrable domain than the document (warning where that cannot be told, info where it is written out as a whole URL).",
    DependencyCycle "dependency-cycle" Error "the key of one action of the cycle" "Actions require one another, so that none of them can ever be run.",
    DisallowedEndpoint "disallowed-endpoint" Warning "the endpoint" "The document's own Disallow rules forbid the endpoint of a capability that it offers.",
    DocumentCut "document-cut" Warning "what is left out" "A robots.txt is longer than is read: from the line that reaches over the limit on, it has no effect.",
    DuplicateAgent "duplicate-agent" Warning "the second name" "Two policies have one agent name (letter case ignored); the last decides.",
    DuplicateField "duplicate-field" Warning "the later key" "A field that has one value is given again; the last wins.",
    DuplicateId "duplicate-id" Error "the second id" "Two capabilities or actions have one id.",
    DuplicateSection "duplicate-section" Warning "the second heading" "A section that is known occurs again; the items of all of them count.",
    EmptyValue "empty-value" Warning "the value, or the key where there is none" "A value or an item of a list is empty.",
    EndpointLocation "endpoint-location" Info "the endpoint" "An endpoint is not at the recommended path.",
    FieldInComment "field-in-comment" Warning "the field in the comment" "A header field stands in a comment, as some generators write it; it is read because the field itself is missing.",
    ImpliedAuth "implied-auth" Warning "the value that implies it" "No authentication type is given, but another field implies one.",
    ImpliedPrefix "implied-prefix" Info "the header" "A header of its own is named without a prefix: the bare key is sent, not `Bearer` and the key.",
    IndentedField "indented-field" Warning "the key" "A top-level field is indented; it is read as top level all the same.",
    InlineComment "inline-comment" Warning "the comment" "A value holds a blank and a #: there are no inline comments, it belongs to the value.",
    InsecureUrl "insecure-url" Error "the value" "A URL is http or ws where a secure scheme is required (info on localhost and loopback addresses).",
    InvalidLength "invalid-length" Error "the value" "A text is shorter or longer than it may be.",
    InvalidRateLimit "invalid-rate-limit" Error "the value" "A rate limit is not a positive integer and a window (warning where it is zero).",
    InvalidTimestamp "invalid-timestamp" Error "the value" "A date and time is not ISO 8601.",
    InvalidUrl "invalid-url" Error "the value" "A value that must be an absolute URL is none.",
    InvalidValue "invalid-value" Error "the value" "A value is outside what the field allows.",
    LoneSurrogate "lone-surrogate" Warning "the value" "A JSON string escapes half of a surrogate pair; it reads as U+FFFD.",
    LongLine "long-line" Warning "the line" "A line is longer than the limit and is skipped.",
    MalformedLine "malformed-line" Error "the line" "A line is neither field nor comment nor blank: it has no colon, or nothing before it.",
    MisplacedField "misplaced-field" Warning "the key" "A field of a block stands where no such block is open.",
    MissingColon "missing-colon" Warning "the line" "A field has no colon; it is read because a blank separates its name from one word.",
    MissingConfirmation "missing-confirmation" Warning "the sensitivity" "An action that cannot be undone asks for no confirmation by a person (info where it is destructive only).",
    MissingRecommendedField "missing-recommended-field" Warning "the object or block" "A field that is expected here is missing.",
    MissingRequiredField "missing-required-field" Error "the object or block" "A required field is missing.",
    NoAccessRules "no-access-rules" Info "the start" "The document has no access rules: only the endpoints of capabilities are permitted.",
    NoKnownSection "no-known-section" Warning "the start" "The document has none of the sections that the specification defines.",
    NonstandardContact "nonstandard-contact" Warning "the value" "A contact is not a bare email address (info where it is one behind mailto:).",
    NonstandardField "nonstandard-field" Warning "the key" "A field is read under a name that the specification does not give it.",
    NonstandardShape "nonstandard-shape" Warning "the value" "A member is read in a shape, or under a name, that the specification does not give it.",
    NotChecked "not-checked" Info "the start" "Part of the check was left out because the scratch space lent to it is too small.",
    NotUtf8 "not-utf8" Warning "the first octet that is none" "The document is not UTF-8; its octets are compared as they stand.",
    OneSpaceIndent "one-space-indent" Warning "the line" "One space is no indentation: the line is read as not indented.",
    OriginMismatch "origin-mismatch" Warning "the value" "The document speaks for another origin than the one it was fetched from.",
    PatternWithoutSlash "pattern-without-slash" Warning "the pattern" "A path pattern begins with neither / nor *, and so matches nothing.",
    Placeholder "placeholder" Warning "the value" "A URL holds a placeholder, which is kept and never resolved.",
    ShadowedSection "shadowed-section" Warning "the heading" "A section says what the front matter says as well; the front matter counts.",
    TooManyDiagnostics "too-many-diagnostics" Info "the next one" "More diagnostics were found than are reported.",
    UnclosedFrontMatter "unclosed-front-matter" Error "the first line" "Front matter is opened and never closed; the document is read as Markdown from its first line on.",
    UnclosedGroup "unclosed-group" Warning "the later User-agent line" "Between two User-agent lines stand fields but no rule, which does not end a group: both agents get the same rules.",
    UnexpectedField "unexpected-field" Warning "the key" "A field is given where the specification does not use it.",
    UnindentedBlockField "unindented-block-field" Warning "the key" "A field of a block is not indented; it is read into the open block.",
    UnknownField "unknown-field" Info "the key" "The specification does not define the field; it is kept as metadata.",
    UnknownProtocol "unknown-protocol" Info "the key" "A protocol is named that is not registered.",
    UnknownReference "unknown-reference" Warning "the reference" "A name refers to nothing in the document.",
    UnsupportedVersion "unsupported-version" Error "the value" "The document follows a version that this library does not know.",
    VagueRecovery "vague-recovery" Info "the value" "A recovery names neither an endpoint nor an action, so that no machine can follow it.",
    WrongType "wrong-type" Error "the value" "A member has another JSON type than the specification gives it, and so no value.",
    YamlUnsupported "yaml-unsupported" Warning "the piece" "A piece of YAML is not read, and counts as absent: an anchor, an alias, a tag, a tab as indentation, or no YAML.",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The specification a rule comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Spec {
    /// draft-car-agents-txt-wellknown-00.
    InternetDraft,
    /// agents.txt 0.1.0 and its companion agents.json 0.1.
    AgentsTxt01,
    /// agents.md 1.0.0-draft.
    AgentsMd,
    /// Agent Web Protocol 0.2.
    Awp,
    /// Agent Discovery Protocol 1.0.
    Adp,
    /// RFC 9309, robots.txt.
    Rfc9309,
    /// RFC 8259, JSON.
    Rfc8259,
    /// A ruling of this project, `docs/formats.md`.
    Ruling,
}

impl Spec {
    /// A short name for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InternetDraft => "draft-car-agents-txt-wellknown-00",
            Self::AgentsTxt01 => "agents.txt 0.1.0",
            Self::AgentsMd => "agents.md 1.0.0-draft",
            Self::Awp => "Agent Web Protocol 0.2",
            Self::Adp => "Agent Discovery Protocol 1.0",
            Self::Rfc9309 => "RFC 9309",
            Self::Rfc8259 => "RFC 8259",
            Self::Ruling => "agentsdisc",
        }
    }
}

/// One thing that the check found.
///
/// It borrows from the document, and its message is written by [`fmt::Display`]: no heap is needed to show it.
///
/// The message is a template in which the first `{}` stands for [`subject`](Self::subject), shown in quotes with
/// control characters escaped and shortened to 80 characters.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Diagnostic<'a> {
    /// What it is about.
    pub code: Code,
    /// How much it matters here.
    pub severity: Severity,
    /// The bytes it speaks of.
    pub span: Span,
    /// The specification it comes from.
    pub spec: Spec,
    /// The section of that specification, such as `2.5`; empty where there is none to name.
    pub section: &'static str,
    /// The message, with `{}` for the subject.
    pub template: &'static str,
    /// What the message quotes.
    pub subject: Text<'a>,
}

impl<'a> Diagnostic<'a> {
    /// A diagnostic with the usual severity of its code.
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
        }
    }

    /// The same with another severity.
    #[must_use]
    pub const fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// The same with a text for `{}` to quote.
    #[must_use]
    pub const fn about(mut self, subject: Text<'a>) -> Self {
        self.subject = subject;
        self
    }
}

impl fmt::Display for Diagnostic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not split_once: the searches of `str` may panic as far as the compiler can see.
        let place = scan::find(self.template.as_bytes(), b"{}");
        let parts = place
            .and_then(|at| Some((self.template.get(..at)?, self.template.get(at..)?.get(2..)?)));
        let Some((before, after)) = parts else {
            return f.write_str(self.template);
        };
        f.write_str(before)?;
        write_quoted(f, self.subject)?;
        f.write_str(after)
    }
}

/// Writes a text in quotes, with control characters escaped, shortened to 80 characters. (Its `Debug` would leave a panic reachable.)
pub(crate) fn write_quoted(f: &mut fmt::Formatter<'_>, text: Text<'_>) -> fmt::Result {
    f.write_str("`")?;
    for (count, c) in text.chars().enumerate() {
        if count == 80 {
            f.write_str("…")?;
            break;
        }
        if c.is_control() {
            write!(f, "\\u{{{:x}}}", u32::from(c))?
        } else {
            fmt::Write::write_char(f, c)?
        }
    }
    f.write_str("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_kebab_case() {
        assert!(
            Code::ALL
                .windows(2)
                .all(|pair| matches!(pair, [a, b] if a.as_str() < b.as_str()))
        );
        for code in Code::ALL {
            assert!(
                code.as_str()
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b == b'-' || b.is_ascii_digit())
            );
        }
    }
}
