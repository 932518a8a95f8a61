//! The check of an agents.txt 0.1.0: one pass over its lines, and two over its flows. One of these
//! finds repeated names of flows, the other looks up the steps among the capabilities.
//!
//! Only the last value of a repeated field is checked, because the reader uses only this value.

use super::{AgentsTxt01, Field, read_rate, read_truth, read_ttl, split_flow};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::format::robots_txt::line::Key;
use crate::model::{Reading, Window};
use crate::rules::credentials::{MESSAGE, is_in};
use crate::rules::email::is_email;
use crate::rules::lines::{COMMENT, comment_in, control_characters, credential_in, marks_around};
use crate::rules::names::{Gathered, Names};
use crate::rules::near::meant;
use crate::rules::report::Report;
use crate::rules::urls::{Secure, is_elsewhere, is_url, judge};
use crate::rules::values::rate_limit_of;
use crate::rules::{self, Notation, REQUIRED_IS_EMPTY};
use crate::rules::{COUNTS, DOES_NOT_COUNT};
use crate::scan;
use crate::span::Span;
use crate::syntax::grammar::Items;
use crate::syntax::line::{Content, Lines, Sweep, Whole};
use crate::syntax::text::Text;
use crate::syntax::url::Url;

/// Reports all diagnostics. `scratch` needs two numbers for each capability, and for each flow.
/// Takes O(n log n).
pub(crate) fn check<'a>(
    document: &AgentsTxt01<'a>,
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let bytes = document.bytes;
    control_characters(bytes, report);
    flow_names(document, scratch, report);
    let names = Gathered::new(bytes, scratch);
    // Few documents contain a credential, so lines are searched only if one may be there.
    let credentials = is_in(bytes);
    let mut walk = Walk {
        document,
        seen: 0,
        after_flow: false,
        described: None,
        names_of: [[None; 2]; 2],
        names,
        report,
    };
    let body = document.outline.body;
    let text = bytes.get(..body.end as usize).unwrap_or_default();
    for line in Sweep::<'_, Whole>::starting_at(text, body.start as usize) {
        if walk.report.is_full() {
            return;
        }
        marks_around(&line, bytes, walk.report);
        if credentials && let Some(span) = credential_in(&line, bytes) {
            walk.report.add(Diagnostic::new(
                Code::CredentialInDocument,
                span,
                Spec::Ruling,
                "",
                MESSAGE,
            ));
        }
        match line.content {
            Content::Field { key, value } => walk.field(key, value),
            Content::Malformed(text) => {
                walk.add(
                    Code::MalformedLine,
                    text,
                    "Format Rules",
                    "{} is not a field; write `Key: value`, or `#` before a comment",
                );
            }
            Content::Blank | Content::Comment(_) => {}
        }
    }
    walk.contradictions();
    walk.whole();
    walk.names(Lines::starting_at(text, body.start as usize));
}

/// Reports names that two flows have.
fn flow_names<'a>(document: &AgentsTxt01<'a>, scratch: &mut [u32], report: &mut Report<'_, 'a>) {
    let names = document.flows().filter_map(|flow| flow.name);
    let Some(names) = Names::sort(names, document.bytes, Notation::Text, true, scratch) else {
        let message = "duplicate flows were not checked, because the scratch buffer is too small; provide two numbers for each flow";
        return report.add(not_checked(message));
    };
    for name in names.repeated() {
        let span = Span::of(name.raw(), document.bytes);
        let message = "the flow {} is described twice; rename or remove one";
        let diagnostic =
            Diagnostic::new(Code::DuplicateId, span, Spec::AgentsTxt01, "Flow Field", message);
        report.add(diagnostic.with_severity(Severity::Warning).about(name));
    }
}

const fn not_checked<'a>(message: &'static str) -> Diagnostic<'a> {
    Diagnostic::new(Code::NotChecked, Span::new(0, 0), Spec::Ruling, "", message)
}

/// A key and its value.
type Line<'a> = (&'a [u8], &'a [u8]);

struct Walk<'d, 'r, 's, 'n, 'a> {
    document: &'d AgentsTxt01<'a>,
    /// The fields that were found so far, one bit each.
    seen: u32,
    /// True if there is a flow before this line.
    after_flow: bool,
    /// The key of the last description of that flow.
    described: Option<&'a [u8]>,
    /// The last lines with the own name and with the older name of `Site` and of `Agents-JSON`: the
    /// key and the value.
    names_of: [[Option<Line<'a>>; 2]; 2],
    /// The names of capabilities.
    names: Gathered<'n, 'a>,
    report: &'r mut Report<'s, 'a>,
}

/// The names of the fields.
const FIELDS: [&str; 12] = [
    "Site",
    "URL",
    "Description",
    "Contact",
    "Allow",
    "Agents-JSON",
    "Rate-Limit",
    "Session-TTL",
    "Audit",
    "Audit-Endpoint",
    "Flow",
    "Flow-Description",
];

impl<'a> Walk<'_, '_, '_, '_, 'a> {
    fn field(&mut self, key: &'a [u8], value: &'a [u8]) {
        let Some((field, older)) = Field::of(key) else {
            if let Some(meant) = meant(Text::plain(key), FIELDS.into_iter())
                && Key::of(key) == Key::Unknown
            {
                let message = "the specification does not define {}; did you mean `{}`?";
                let diagnostic = Diagnostic::new(
                    Code::MisspelledField,
                    self.at(key),
                    Spec::AgentsTxt01,
                    "Fields",
                    message,
                );
                self.report.add(diagnostic.about(Text::plain(key)).meaning(meant));
                return self.value(None, key, value);
            }
            let (code, message) = match Key::of(key) {
                Key::Disallow | Key::CrawlDelay => (
                    Code::UnexpectedField,
                    "{} is a field of robots.txt, not of this format: decisions respect it, but other readers may not; write it in robots.txt",
                ),
                _ => (Code::UnknownField, "the specification does not define {}; agents ignore it"),
            };
            self.add(code, key, "Fields", message);
            return self.value(None, key, value);
        };
        let place = match field {
            Field::Site => Some(0),
            Field::AgentsJson => Some(1),
            _ => None,
        };
        let names = place.and_then(|place| self.names_of.get_mut(place));
        let bit = 1 << (field as u32);
        // Each name of a field with an older one may occur once.
        let is_repeated = match names.and_then(|names| names.get_mut(usize::from(older))) {
            Some(name) => name.replace((key, value)).is_some(),
            None => self.seen & bit != 0,
        };
        if older && !AgentsTxt01::is_replaced(&self.document.outline, field, true) {
            let message = match field {
                Field::Site => "{} is an older name; use `Site`",
                Field::AgentsJson => "{} is an older name; use `Agents-JSON`",
                _ => {
                    "{} is the older form of a list of capabilities; write an `Allow` line for each"
                }
            };
            self.add(Code::NonstandardField, key, "Fields", message);
        }
        if field.is_scalar() && is_repeated {
            self.repeated(key);
        }
        self.seen |= bit;
        match field {
            Field::Flow => (self.after_flow, self.described) = (true, None),
            Field::FlowDescription if !self.after_flow => {
                let message = "{} has no flow before it; write it directly after its `Flow`";
                self.add(Code::MisplacedField, key, "Fields", message);
            }
            Field::FlowDescription => {
                if let Some(earlier) = self.described.replace(key) {
                    self.repeated(earlier);
                }
            }
            _ => {}
        }
        self.value(Some(field), key, value);
    }

    /// Reports fields whose own name and older name have different values.
    fn contradictions(&mut self) {
        for [own, older] in self.names_of {
            let (Some((own, value)), Some((older, other))) = (own, older) else {
                continue;
            };
            if value == other {
                continue;
            }
            for (key, beside, message) in [(older, own, DOES_NOT_COUNT), (own, older, COUNTS)] {
                let span = self.at(key);
                let diagnostic = Diagnostic::new(
                    Code::Contradiction,
                    span,
                    Spec::AgentsTxt01,
                    "Fields",
                    message,
                );
                let beside = self.at(beside);
                let diagnostic = diagnostic.naming(self.document.bytes, [beside]);
                self.report.add(diagnostic.about(Text::plain(key)));
            }
        }
    }

    fn repeated(&mut self, key: &'a [u8]) {
        let message = "{} is repeated, and only the last one counts; keep one";
        let diagnostic =
            Diagnostic::new(Code::DuplicateField, self.at(key), Spec::Ruling, "", message);
        self.report.add(diagnostic.about(Text::plain(key)));
    }

    /// Checks a value: first the rules for all values, then the rules for its field.
    fn value(&mut self, field: Option<Field>, key: &'a [u8], value: &'a [u8]) {
        if Text::plain(value).is_blank() {
            let (severity, message) = match field {
                Some(Field::Site | Field::Url) => (Severity::Error, REQUIRED_IS_EMPTY),
                _ => (
                    Severity::Warning,
                    "{} has no value; add one after the colon, or remove the line",
                ),
            };
            return self.graded(Code::EmptyValue, severity, key, "Fields", message);
        }
        if !matches!(field, Some(Field::Site | Field::Description | Field::FlowDescription))
            && let Some(comment) = comment_in(value)
        {
            self.add(Code::InlineComment, comment, "Format Rules", COMMENT);
        }
        let Some(field) = field else { return };
        let counts = !field.is_scalar()
            || self.document.value(field).is_some_and(|last| last.as_ptr() == value.as_ptr());
        if counts {
            self.value_of(field, value);
        }
    }

    fn value_of(&mut self, field: Field, value: &'a [u8]) {
        match field {
            Field::Url => self.url(value, Secure::Http),
            Field::AgentsJson => self.companion(value),
            Field::AuditEndpoint => {
                self.url(value, Secure::Http);
                if !has_session_id(value) {
                    let message = "{} has no `:session_id`, which agents replace by the id of their session; add it";
                    self.suspect(value, "Fields", message);
                }
                if self.is_elsewhere(value) {
                    let message = "{} is on another site, to which agents do not send the ids of their sessions; serve it on the site of `URL`";
                    self.graded(
                        Code::CrossOriginEndpoint,
                        Severity::Warning,
                        value,
                        "Fields",
                        message,
                    );
                }
            }
            Field::Contact => {
                let text = Text::plain(value);
                let is_mail = is_email(text.chars())
                    || (text.starts_with_ignore_case("mailto:")
                        && is_email(text.chars().skip("mailto:".len())));
                if !is_mail && !is_url(text) {
                    let message = "{} is neither an email address nor a URL; use one of them";
                    self.suspect(value, "Fields", message);
                }
            }
            Field::RateLimit => self.rate_limit(value),
            Field::SessionTtl if read_ttl(value).is_none() => {
                self.add(
                    Code::InvalidValue,
                    value,
                    "Fields",
                    "{} is not a number of seconds; write for example 1800s",
                );
            }
            Field::SessionTtl if read_ttl(value).is_some_and(|seconds| seconds < 60) => {
                let message = "{} is shorter than the 60 seconds of a session in agents.json 0.1; write at least 60s";
                self.suspect(value, "Fields", message);
            }
            Field::SessionTtl if !value.ends_with(b"s") => {
                self.add(
                    Code::NonstandardShape,
                    value,
                    "Fields",
                    "{} is read as seconds; add the unit, for example 1800s",
                );
            }
            Field::Audit if read_truth(value).is_none() => {
                self.add(
                    Code::InvalidValue,
                    value,
                    "Fields",
                    "{} is neither true nor false; use one of them",
                );
            }
            Field::Allow => self.capability(value),
            Field::Capabilities => {
                self.items(value, "Fields");
                let names = Items::new(value).filter(|name| !Text::plain(name).is_blank());
                names.for_each(|name| self.capability(name));
            }
            Field::Flow => self.flow(value),
            _ => {}
        }
    }

    fn capability(&mut self, name: &'a [u8]) {
        let text = Text::plain(name);
        self.names.add(text);
        let is_path = |c| matches!(c, '/' | '*' | '?');
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ':');
        if text.chars().any(is_path) {
            let message =
                "{} is a path as in robots.txt; write the name of a capability, such as search";
            self.suspect(name, "Allow Field", message);
        } else if !text.chars().all(is_name) && comment_in(name).is_none() {
            let message = "{} is read as one name; write an `Allow` line for each capability, with a name of letters, digits, `.`, `_` and `-`";
            self.suspect(name, "Allow Field", message);
        }
    }

    /// Checks the URL of the companion. Agents do not request a companion on another site.
    fn companion(&mut self, value: &'a [u8]) {
        self.url(value, Secure::Http);
        if self.is_elsewhere(value) {
            let message = "{} is on another site, where agents do not look for the companion; serve it on the site of `URL`";
            self.add(Code::CompanionLocation, value, "Fields", message);
        }
    }

    /// Whether a URL is on another site than `URL` of the document.
    fn is_elsewhere(&self, url: &[u8]) -> bool {
        let site = self.document.value(Field::Url).and_then(Url::parse);
        site.zip(Url::parse(url)).is_some_and(|(site, url)| is_elsewhere(site.host(), url.host()))
    }

    fn url(&mut self, value: &'a [u8], secure: Secure) {
        if let Some(finding) = judge(Text::plain(value), secure) {
            self.graded(finding.code, finding.severity, value, "Fields", finding.message);
        }
    }

    fn rate_limit(&mut self, value: &'a [u8]) {
        let limit = read_rate(value);
        let message =
            "{} is not a valid rate limit; write a number per minute, for example 60/minute";
        let requests = limit.map(|limit| limit.requests);
        if let Some(diagnostic) =
            rules::rate_limit(Spec::AgentsTxt01, "Fields", self.at(value), requests, message)
        {
            self.report.add(diagnostic.about(Text::plain(value)));
        }
        if limit.is_some()
            && rate_limit_of(value).is_none_or(|limit| limit.window.value != Window::Minute)
        {
            self.add(
                Code::NonstandardShape,
                value,
                "Fields",
                "{} is read, but the specification only has limits per minute; write N/minute",
            );
        }
    }

    fn flow(&mut self, value: &'a [u8]) {
        let (name, steps, plain_arrow) = split_flow(value);
        // Without an arrow, the whole value is the name.
        if name.len() == value.len() {
            let message = "{} has no arrow; write `name → step, step`";
            return self.add(Code::InvalidValue, value, "Flow Field", message);
        }
        if plain_arrow && let Some(at) = scan::find(value, b"->") {
            let arrow = value.get(at..at.saturating_add(2)).unwrap_or_default();
            self.add(
                Code::NonstandardShape,
                arrow,
                "Flow Field",
                "{} is read as the arrow, but the specification uses →",
            );
        }
        if name.is_empty() {
            self.hole(name, "the flow has no name; add one before the arrow");
        }
        if steps.is_empty() {
            self.hole(steps, "the flow has no steps; add them after the arrow");
        }
        self.items(steps, "Flow Field");
    }

    fn items(&mut self, list: &'a [u8], section: &'static str) {
        for item in Items::new(list).filter(|item| Text::plain(item).is_blank()) {
            let message = "an item of the list is empty; remove the comma";
            self.report.add(Diagnostic::new(
                Code::EmptyValue,
                self.at(item),
                Spec::AgentsTxt01,
                section,
                message,
            ));
        }
    }

    fn hole(&mut self, part: &'a [u8], message: &'static str) {
        self.report.add(Diagnostic::new(
            Code::EmptyValue,
            self.at(part),
            Spec::AgentsTxt01,
            "Flow Field",
            message,
        ));
    }

    /// Reports missing fields of the document.
    fn whole(&mut self) {
        let has =
            |fields: &[Field]| fields.iter().any(|field| self.seen >> (*field as u32) & 1 == 1);
        let missing = [
            (has(&[Field::Site]), "Site"),
            (has(&[Field::Url]), "URL"),
            (!self.document.capabilities().is_empty(), "Allow"),
        ];
        let companion = has(&[Field::AgentsJson]);
        for (_, name) in missing.into_iter().filter(|(there, _)| !there) {
            let missing = Diagnostic::new(
                Code::MissingRequiredField,
                Span::default(),
                Spec::AgentsTxt01,
                "Fields",
                "{} is missing in the document; add it",
            );
            self.report.add(missing.about(Text::plain(name.as_bytes())));
        }
        if !companion && self.document.needs_companion() {
            let message = "a site with sessions or an audit must serve agents.json 0.1; create it with `agentsdisc convert --to agents-json-0.1`, and name it in `Agents-JSON` or serve it at `URL`/.well-known/agents.json";
            let missing = Diagnostic::new(
                Code::MissingRecommendedField,
                Span::default(),
                Spec::AgentsTxt01,
                "Notes",
                message,
            );
            self.report.add(missing.with_severity(Severity::Info));
        }
    }

    /// Reports duplicate capabilities, and steps that are not capabilities.
    fn names(&mut self, lines: Lines<'a>) {
        let Some(names) = self.names.take().sort(Notation::Text, false) else {
            let message = "duplicate capabilities and the steps of flows were not checked, because the scratch buffer is too small; provide two numbers for each capability";
            return self.report.add(not_checked(message));
        };
        for name in names.repeated() {
            self.add(
                Code::DuplicateId,
                name.raw(),
                "Allow Field",
                "the capability {} is declared twice; remove one",
            );
        }
        if self.seen >> (Field::Flow as u32) & 1 == 0 {
            return;
        }
        for line in lines {
            let Content::Field { key, value } = line.content else {
                continue;
            };
            if !super::is(key, Field::Flow) {
                continue;
            }
            for step in Items::new(split_flow(value).1).filter(|step| !Text::plain(step).is_blank())
            {
                if self.report.is_full() {
                    return;
                }
                if !names.contains(Text::plain(step)) {
                    let message =
                        "{} is not a capability of this document; allow it, or correct the step";
                    self.add(Code::UnknownReference, step, "Flow Field", message);
                }
            }
        }
    }

    fn at(&self, part: &[u8]) -> Span {
        Span::of(part, self.document.bytes)
    }

    /// Reports a slice of the document, which the message quotes.
    fn add(&mut self, code: Code, part: &'a [u8], section: &'static str, message: &'static str) {
        self.graded(code, code.severity(), part, section, message);
    }

    /// Reports a value that is probably a mistake.
    fn suspect(&mut self, part: &'a [u8], section: &'static str, message: &'static str) {
        self.graded(Code::InvalidValue, Severity::Warning, part, section, message);
    }

    fn graded(
        &mut self,
        code: Code,
        severity: Severity,
        part: &'a [u8],
        section: &'static str,
        message: &'static str,
    ) {
        let diagnostic = Diagnostic::new(code, self.at(part), Spec::AgentsTxt01, section, message);
        self.report.add(diagnostic.with_severity(severity).about(Text::plain(part)));
    }
}

/// True if a URL has the placeholder `:session_id`. A longer name that begins with it does not
/// count.
fn has_session_id(url: &[u8]) -> bool {
    const PLACEHOLDER: &[u8] = b":session_id";
    // No fragment reaches a server.
    let mut rest = url.split(|octet| *octet == b'#').next().unwrap_or_default();
    while let Some(behind) =
        scan::find(rest, PLACEHOLDER).and_then(|at| rest.get(at + PLACEHOLDER.len()..))
    {
        let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || *octet == b'_';
        if !behind.first().is_some_and(is_part) {
            return true;
        }
        rest = behind;
    }
    false
}
