//! What the checks of the JSON formats share: everything that follows from a view's table alone, and what is asked of every string.

mod members;

use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::format::check::names::Names;
use crate::format::check::urls::{self, Secure};
use crate::format::check::{Notation, method};
use crate::format::credentials;
use crate::span::Span;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::view::{Object, Seen, Table};
use crate::syntax::json::{Number, Tokenizer, Value};
use crate::syntax::text::Text;
use crate::syntax::url::Url;

use super::report::Report;
pub(crate) use members::{elements, known, members, strings_in, wrong_type};

/// What the checks of a JSON format carry with them.
pub(crate) struct Check<'r, 's, 'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) spec: Spec,
    pub(crate) report: &'r mut Report<'s, 'a>,
    /// Whether what is empty is reported with what follows from the tables. Of the Internet-Draft, `draft` reports it for both notations.
    says_empty: bool,
    /// Whether it was said that names are not compared.
    said_not_checked: bool,
}

impl<'r, 's, 'a> Check<'r, 's, 'a> {
    pub(crate) fn new(bytes: &'a [u8], spec: Spec, report: &'r mut Report<'s, 'a>) -> Self {
        Self {
            bytes,
            spec,
            report,
            says_empty: !matches!(spec, Spec::InternetDraft),
            said_not_checked: false,
        }
    }
}

impl<'a> Check<'_, '_, 'a> {
    /// Reports something at a place.
    pub(crate) fn add(
        &mut self,
        code: Code,
        span: Span,
        section: &'static str,
        message: &'static str,
    ) {
        self.report
            .add(Diagnostic::new(code, span, self.spec, section, message));
    }

    /// Reports something about a string (or a key), which the message quotes.
    pub(crate) fn about(
        &mut self,
        code: Code,
        text: Text<'a>,
        section: &'static str,
        message: &'static str,
    ) {
        self.graded(code, code.severity(), text, section, message);
    }

    /// The same with another severity than the code usually has.
    pub(crate) fn graded(
        &mut self,
        code: Code,
        severity: Severity,
        text: Text<'a>,
        section: &'static str,
        message: &'static str,
    ) {
        let diagnostic =
            Diagnostic::new(code, quoted(text, self.bytes), self.spec, section, message);
        self.report
            .add(diagnostic.with_severity(severity).about(text));
    }

    /// Reports something about a value, which the message quotes as it is written.
    pub(crate) fn about_value(
        &mut self,
        code: Code,
        severity: Severity,
        value: Value<'a>,
        section: &'static str,
        message: &'static str,
    ) {
        let diagnostic = Diagnostic::new(
            code,
            span_of(value, self.bytes),
            self.spec,
            section,
            message,
        );
        self.report.add(
            diagnostic
                .with_severity(severity)
                .about(Text::plain(value.raw())),
        );
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
        self.report.add(
            diagnostic
                .with_severity(severity)
                .about(Text::plain(name.as_bytes())),
        );
    }

    /// Reports a required member that is not there. One that cannot be read is reported as such, not as missing.
    pub(crate) fn need<V: Table>(
        &mut self,
        object: Value<'a>,
        seen: &Seen,
        name: &'static str,
        section: &'static str,
    ) -> bool {
        let there = Lookup::of::<V>()
            .number(Text::plain(name.as_bytes()))
            .is_some_and(|field| seen.has(field));
        if !there {
            self.lacks(
                Code::MissingRequiredField,
                Severity::Error,
                name,
                object,
                section,
                "the required member {} is missing; add it",
            );
        }
        there
    }

    /// The same for a string, which is returned where there is something in it. (That one is empty, [`members`] reports.)
    pub(crate) fn need_text<V: Table>(
        &mut self,
        object: Value<'a>,
        seen: &Seen,
        name: &'static str,
        text: Option<Text<'a>>,
        section: &'static str,
    ) -> Option<Text<'a>> {
        self.need::<V>(object, seen, name, section);
        text.filter(|text| !text.is_empty())
    }

    /// Reports a URL that is none, or not as secure as it must be.
    pub(crate) fn url(&mut self, text: Option<Text<'a>>, secure: Secure, section: &'static str) {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return;
        };
        if let Some(finding) = urls::judge(text, secure) {
            self.graded(
                finding.code,
                finding.severity,
                text,
                section,
                finding.message,
            );
        }
    }

    /// Reports an endpoint that is neither a path of the site nor such a URL, which `neither` says of it; an empty one is reported elsewhere.
    pub(crate) fn endpoint(
        &mut self,
        endpoint: Option<Text<'a>>,
        secure: Secure,
        section: &'static str,
        neither: &'static str,
    ) {
        let Some(endpoint) = endpoint.filter(|endpoint| !endpoint.is_empty()) else {
            return;
        };
        if let Some(finding) = urls::judge_endpoint(endpoint, secure, neither) {
            self.graded(
                finding.code,
                finding.severity,
                endpoint,
                section,
                finding.message,
            );
        }
    }

    /// Reports an endpoint that is surely on another domain than the site, where the host of that is known.
    pub(crate) fn elsewhere(&mut self, host: Option<&str>, endpoint: Option<Text<'a>>) {
        let (Some(host), Some(endpoint)) = (host, endpoint) else {
            return;
        };
        if Url::lazily(endpoint, &mut None).is_some_and(|url| urls::is_elsewhere(host, url.host()))
        {
            self.report
                .add(urls::elsewhere(endpoint, quoted(endpoint, self.bytes)));
        }
    }

    /// Reports a method that is none.
    pub(crate) fn method(&mut self, text: Option<Text<'a>>, section: &'static str) {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return;
        };
        if let Some((severity, message)) = method::judge(text) {
            self.graded(Code::InvalidValue, severity, text, section, message);
        }
    }

    /// Reports a number of requests that is none, or zero.
    pub(crate) fn requests(&mut self, number: Option<Number<'a>>, section: &'static str) {
        let Some(number) = number else { return };
        let value = Value::trusted(number.raw());
        let message = "{} is no rate limit; write a positive whole number";
        let found = super::check::rate_limit(
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

    /// Reports names that are given again. (Of objects whose members a table names, [`members`] does it.)
    pub(crate) fn repeated(&mut self, object: Option<Object<'a>>, scratch: &mut [u32]) {
        let Some(Object(object)) = object else { return };
        let names = object.members().map(|member| member.name);
        let Some(names) = Names::sort(names, self.bytes, Notation::Json, false, scratch) else {
            return self.not_checked();
        };
        for name in names.repeated() {
            let message = "{} is given again; the last one counts, remove the others";
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

    /// Says, once, that the scratch space is too small.
    pub(crate) fn not_checked(&mut self) {
        if !core::mem::replace(&mut self.said_not_checked, true) {
            let message = "not all names were compared, because the scratch space is too small; lend more (see `check_with`)";
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

/// Where a JSON value stands, as diagnostics give it: from its first character on, a string's quote included.
pub(crate) fn span_of(value: Value<'_>, bytes: &[u8]) -> Span {
    Span::of(value.raw(), bytes)
}

/// Where the content of a JSON string stands, with its quotes. For text that was read from a string.
pub(crate) fn quoted(text: Text<'_>, bytes: &[u8]) -> Span {
    let inside = Span::of(text.raw(), bytes);
    Span::new(inside.start.saturating_sub(1), inside.end.saturating_add(1))
}

/// Looks at every string of the document: half surrogate pairs, and credentials in values. Without escapes there are no surrogates.
pub(crate) fn strings(check: &mut Check<'_, '_, '_>, start: usize) {
    if !credentials::may_stand_in(check.bytes) {
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
            let template = "a \\u escape holds half of a surrogate pair; it reads as U+FFFD";
            check.report.add(Diagnostic::new(
                Code::LoneSurrogate,
                token.span,
                Spec::Rfc8259,
                "8.2",
                template,
            ));
        }
        if credentials::holds_credential(text) {
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

/// Whether JSON-escaped text has half of a surrogate pair alone.
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
        let unit = if kind == b'u' {
            crate::syntax::text::hex4(rest)
        } else {
            None
        };
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
