//! Checks shared by the JSON formats: the rules that follow from the table of a view, and the
//! checks of all strings. A format that also has a text notation checks its lines by the rules of
//! the same rows.

mod members;
pub(crate) mod reading;
pub(crate) mod schema;

use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::rules::credentials;
use crate::rules::names::Names;
use crate::rules::urls::{self, Others, Secure};
use crate::rules::{Notation, method};
use crate::span::Span;
use crate::syntax::json::{Number, Tokenizer, Value};
use crate::syntax::text::Text;
use crate::syntax::url::Url;

use crate::rules::report::Report;
use crate::rules::values::place_of;
pub(crate) use members::{Welcome, members, wrong_type};
use schema::Profile;

/// The state of a check of a document.
pub(crate) struct Check<'r, 's, 'a> {
    pub(crate) bytes: &'a [u8],
    /// The notation of the document. JSON, unless a format sets the other.
    pub(crate) notation: Notation,
    pub(crate) spec: Spec,
    pub(crate) report: &'r mut Report<'s, 'a>,
    /// Which of the rules for one of several versions apply.
    pub(crate) profile: Profile,
    /// The origin from which the document was fetched.
    pub(crate) origin: Option<&'r str>,
    /// The host of the site, as the document states it.
    pub(crate) host: Option<&'r str>,
    /// The buffer in which names are sorted.
    scratch: &'r mut [u32],
    /// Whether `not-checked` was reported.
    said_not_checked: bool,
}

/// Whether the letter case of a text matters.
#[derive(Clone, Copy)]
pub(crate) enum Case {
    Exact,
    Ignored,
}

impl<'r, 's, 'a> Check<'r, 's, 'a> {
    pub(crate) fn new(bytes: &'a [u8], spec: Spec, report: &'r mut Report<'s, 'a>) -> Self {
        Self {
            bytes,
            notation: Notation::Json,
            spec,
            report,
            profile: Profile::New,
            origin: None,
            host: None,
            scratch: &mut [],
            said_not_checked: false,
        }
    }

    /// Adds the buffer in which names are sorted.
    pub(crate) fn with(self, scratch: &'r mut [u32]) -> Self {
        Self { scratch, ..self }
    }
}

impl<'a> Check<'_, '_, 'a> {
    /// Reports a diagnostic at a span.
    pub(crate) fn add(
        &mut self,
        code: Code,
        span: Span,
        section: &'static str,
        message: &'static str,
    ) {
        self.report.add(Diagnostic::new(code, span, self.spec, section, message));
    }

    /// Reports a diagnostic about a string or key, which the message quotes.
    pub(crate) fn about(
        &mut self,
        code: Code,
        text: Text<'a>,
        section: &'static str,
        message: &'static str,
    ) {
        self.graded(code, code.severity(), text, section, message);
    }

    /// Like [`about`](Self::about), with another severity than the usual one of the code.
    pub(crate) fn graded(
        &mut self,
        code: Code,
        severity: Severity,
        text: Text<'a>,
        section: &'static str,
        message: &'static str,
    ) {
        let diagnostic = Diagnostic::new(code, self.at(text), self.spec, section, message);
        self.report.add(diagnostic.with_severity(severity).about(text));
    }

    /// Returns the span of a text. In JSON, it includes the quotation marks.
    pub(crate) fn at(&self, text: Text<'_>) -> Span {
        match self.notation {
            Notation::Text => Span::of(text.raw(), self.bytes),
            Notation::Json => quoted(text, self.bytes),
        }
    }

    /// Reports a diagnostic about a value, which the message quotes as written.
    pub(crate) fn about_value(
        &mut self,
        code: Code,
        severity: Severity,
        value: Value<'a>,
        section: &'static str,
        message: &'static str,
    ) {
        let diagnostic =
            Diagnostic::new(code, span_of(value, self.bytes), self.spec, section, message);
        self.report.add(diagnostic.with_severity(severity).about(Text::plain(value.raw())));
    }

    /// Reports that an object lacks a member.
    pub(crate) fn lacks(
        &mut self,
        code: Code,
        severity: Severity,
        name: &'static str,
        object: Value<'a>,
        section: &'static str,
        message: &'static str,
    ) {
        let start = span_of(object, self.bytes).start;
        let diagnostic = Diagnostic::new(
            code,
            Span::new(start, start.saturating_add(1)),
            self.spec,
            section,
            message,
        );
        self.report.add(diagnostic.with_severity(severity).about(Text::plain(name.as_bytes())));
    }

    /// Reports a finding about a URL.
    pub(crate) fn finding(
        &mut self,
        finding: urls::Finding,
        text: Text<'a>,
        section: &'static str,
    ) {
        let urls::Finding { code, severity, message, .. } = finding;
        self.graded(code, severity, text, section, message);
    }

    /// Reports a URL that is invalid or not as secure as required. Ignores an empty URL.
    pub(crate) fn url(&mut self, text: Option<Text<'a>>, secure: Secure, section: &'static str) {
        let Some(text) = text.filter(|text| !text.is_blank()) else {
            return;
        };
        let finding = self.private(text).or_else(|| urls::judge(text, secure));
        if let Some(finding) = finding {
            self.finding(finding, text, section);
        }
    }

    /// Returns a finding if a URL in a card is private. A card is published, so its servers must be
    /// public.
    fn private(&self, text: Text<'a>) -> Option<urls::Finding> {
        let is_card = matches!(self.spec, Spec::A2a | Spec::McpServerCard);
        is_card.then(|| urls::judge_private(text)).flatten()
    }

    /// Reports a URL that a public document should not refer to. Ignores an empty URL.
    pub(crate) fn public_url(
        &mut self,
        text: Option<Text<'a>>,
        secure: Secure,
        others: Others,
        section: &'static str,
    ) {
        let Some(text) = text.filter(|text| !text.is_blank()) else {
            return;
        };
        if let Some(finding) = urls::judge_public(text, secure, others) {
            self.finding(finding, text, section);
        }
    }

    /// Reports an empty list where at least one item is required.
    pub(crate) fn some(
        &mut self,
        array: Value<'a>,
        severity: Severity,
        section: &'static str,
        message: &'static str,
    ) {
        if array.elements().next().is_none() {
            let span = span_of(array, self.bytes);
            let empty = Diagnostic::new(Code::EmptyValue, span, self.spec, section, message);
            self.report.add(empty.with_severity(severity));
        }
    }

    /// Reports an endpoint that is neither a path of the site nor a valid URL, with the message
    /// `neither`, and a URL that is not as secure as required. Ignores an empty endpoint.
    pub(crate) fn endpoint(
        &mut self,
        endpoint: Option<Text<'a>>,
        secure: Secure,
        section: &'static str,
        neither: &'static str,
    ) {
        let Some(endpoint) = endpoint.filter(|endpoint| !endpoint.is_blank()) else {
            return;
        };
        let finding = self.private(endpoint);
        let finding = finding.or_else(|| urls::judge_endpoint(endpoint, secure, neither));
        if let Some(finding) = finding {
            self.finding(finding, endpoint, section);
        }
    }

    /// Reports an endpoint that is certainly on another domain than the site. Does nothing if
    /// `host` is unknown.
    pub(crate) fn elsewhere(&mut self, host: Option<&str>, endpoint: Option<Text<'a>>) {
        let (Some(host), Some(endpoint)) = (host, endpoint) else {
            return;
        };
        if Url::lazily(endpoint, &mut None).is_some_and(|url| urls::is_elsewhere(host, url.host()))
        {
            self.report.add(urls::elsewhere(endpoint, quoted(endpoint, self.bytes)));
        }
    }

    /// Reports a text that is none of `names`. Ignores an empty text.
    pub(crate) fn one_of(
        &mut self,
        text: Option<Text<'a>>,
        names: &[&str],
        case: Case,
        section: &'static str,
        message: &'static str,
    ) {
        if let Some(text) = text.filter(|text| !text.is_blank() && !is_one_of(*text, names, case)) {
            self.about(Code::InvalidValue, text, section, message);
        }
    }

    /// Reports an invalid method. Ignores an empty method.
    pub(crate) fn method(&mut self, text: Option<Text<'a>>, section: &'static str) {
        let Some(text) = text.filter(|text| !text.is_blank()) else {
            return;
        };
        if let Some((severity, message)) = method::judge(text) {
            self.graded(Code::InvalidValue, severity, text, section, message);
        }
    }

    /// Reports a number of requests that is invalid or zero.
    pub(crate) fn requests(&mut self, number: Option<Number<'a>>, section: &'static str) {
        let Some(number) = number else { return };
        let value = Value::trusted(number.raw());
        let message = "{} is not a valid rate limit; write a positive whole number";
        let found = crate::rules::rate_limit(
            self.spec,
            section,
            span_of(value, self.bytes),
            number.as_u32(),
            message,
        );
        if let Some(diagnostic) = found {
            self.report.add(diagnostic.about(Text::plain(value.raw())));
        }
    }

    /// Reports repeated names in an object whose members may have any name. (For objects with a
    /// table of fields, the walk over their members does this.)
    fn repeated_in(&mut self, object: Value<'a>, scratch: &mut [u32]) {
        let names = object.members().map(|member| member.name);
        let Some(names) = self.sorted(names, scratch) else {
            return;
        };
        for name in names.repeated() {
            let message = "{} is repeated; the last one counts, remove the others";
            let again = Diagnostic::new(
                Code::DuplicateField,
                quoted(name, self.bytes),
                Spec::Rfc8259,
                "4",
                message,
            );
            self.report.add(again.about(name));
        }
    }

    /// Sorts names. If the scratch buffer is too small, reports that and returns `None`.
    pub(crate) fn sorted<'n>(
        &mut self,
        names: impl Iterator<Item = Text<'a>>,
        scratch: &'n mut [u32],
    ) -> Option<Names<'n, 'a>> {
        let names = Names::sort(names, self.bytes, Notation::Json, false, scratch);
        if names.is_none() {
            self.not_checked();
        }
        names
    }

    /// Sorts names, and reports repeated names with the given severity.
    pub(crate) fn unique<'n>(
        &mut self,
        names: impl Iterator<Item = Text<'a>>,
        severity: Severity,
        section: &'static str,
        message: &'static str,
        scratch: &'n mut [u32],
    ) -> Option<Names<'n, 'a>> {
        let names = self.sorted(names, scratch)?;
        for name in names.repeated() {
            self.graded(Code::DuplicateId, severity, name, section, message);
        }
        Some(names)
    }

    /// Reports, once per document, that the scratch buffer is too small.
    pub(crate) fn not_checked(&mut self) {
        if !core::mem::replace(&mut self.said_not_checked, true) {
            let message = "not all names were compared, because the scratch buffer of the check is too small; check with a larger one";
            self.report.add(Diagnostic::new(
                Code::NotChecked,
                Span::default(),
                Spec::Ruling,
                "",
                message,
            ));
        }
    }
}

/// Whether a text is one of some names.
fn is_one_of(text: Text<'_>, names: &[&str], case: Case) -> bool {
    names.iter().any(|name| match case {
        Case::Exact => text == **name,
        Case::Ignored => text.eq_ignore_case(name),
    })
}

/// Returns the span of a JSON value. The span of a string includes its quotation marks.
pub(crate) fn span_of(value: Value<'_>, bytes: &[u8]) -> Span {
    Span::of(value.raw(), bytes)
}

/// Returns the span of a JSON string with its quotation marks. `text` must be the content of a
/// string of the document.
pub(crate) fn quoted(text: Text<'_>, bytes: &[u8]) -> Span {
    let inside = Span::of(text.raw(), bytes);
    Span::new(inside.start.saturating_sub(1), inside.end.saturating_add(1))
}

/// Returns the decoded text. `None` if the text has escapes and the buffer is too small.
pub(crate) fn decoded<'b>(text: Text<'b>, buffer: &'b mut [u8]) -> Option<&'b str> {
    match text.as_str() {
        Some(text) => Some(text),
        None => text.decode(buffer).ok(),
    }
}

/// Checks all strings of the document for lone surrogates and credentials.
/// Returns early if the document contains neither escapes nor credentials.
pub(crate) fn strings(check: &mut Check<'_, '_, '_>, start: usize) {
    let suspects = credentials::Suspects::of(check.bytes);
    if suspects == credentials::Suspects::None {
        return;
    }
    let (spec, section) = match check.spec {
        Spec::InternetDraft => (Spec::InternetDraft, "6"),
        _ => (Spec::Ruling, ""),
    };
    let mut tokens = Tokenizer::at(check.bytes, start, crate::Limits::MAX_DEPTH);
    while let Ok(Some(token)) = tokens.next_token() {
        let Some(text) = token.text() else { continue };
        if text.is_escaped() && has_lone_surrogate(text.raw()) {
            let template = "a \\u escape is half of a surrogate pair, which reads as U+FFFD; write both halves";
            check.report.add(Diagnostic::new(
                Code::LoneSurrogate,
                token.span,
                Spec::Rfc8259,
                "8.2",
                template,
            ));
        }
        if suspects.has(text) {
            check.report.add(Diagnostic::new(
                Code::CredentialInDocument,
                token.span,
                spec,
                section,
                credentials::MESSAGE,
            ));
        }
    }
}

/// Whether JSON-escaped text contains one half of a surrogate pair without the other.
fn has_lone_surrogate(raw: &[u8]) -> bool {
    let mut rest = raw;
    let mut high = false;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'\\' {
            if high {
                return true;
            }
            continue;
        }
        let Some((&kind, tail)) = rest.split_first() else {
            break;
        };
        rest = tail;
        let unit = if kind == b'u' { crate::syntax::text::hex(rest, 4) } else { None };
        if unit.is_some() {
            rest = rest.get(4..).unwrap_or_default();
        }
        match unit {
            Some(0xD800..0xDC00) if high => return true,
            Some(0xD800..0xDC00) => high = true,
            Some(0xDC00..0xE000) if high => high = false,
            Some(0xDC00..0xE000) => return true,
            _ if high => return true,
            _ => {}
        }
    }
    high
}

/// Reports the member `location` of a parameter, which the specifications do not define. If `in` is
/// present, `location` has no effect. `places` are the values of `in` and of `location`.
pub(crate) fn other_location<'a>(
    parameter: Value<'a>,
    places: (Option<Text<'a>>, Option<Text<'a>>),
    section: &'static str,
    check: &mut Check<'_, '_, 'a>,
) {
    let others = parameter.members();
    let (location, Some(other)) = places else {
        return;
    };
    let location = location.filter(|location| !location.is_blank());
    let Some(member) = others.filter(|member| member.name == "location").last() else {
        return;
    };
    let (code, message) = match location {
        Some(location) if !other.is_empty() && place_of(location) != place_of(other) => (
            Code::Contradiction,
            "`location` is {}, but `in` names another place, which counts; remove `location`",
        ),
        Some(_) => (Code::NonstandardShape, "{} has no effect beside `in`; remove it"),
        None => (
            Code::NonstandardShape,
            "{} is read, but the specification defines another name; use `in`",
        ),
    };
    if code == Code::Contradiction {
        check.about(code, other, section, message);
    } else {
        let span = quoted(member.name, check.bytes);
        let diagnostic = Diagnostic::new(code, span, check.spec, section, message);
        check.report.add(diagnostic.about(member.name));
    }
}
