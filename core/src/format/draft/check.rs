//! The check of the unified model, shared by both notations of the Internet-Draft.
//!
//! The texts of the model are slices of the document, so the check can report their positions:
//! [`Check::at`] returns the range of a value, [`Check::key`] the range of its name. These
//! functions hide the difference between the notations.
//!
//! The check takes linear time, with two exceptions. The search for duplicates and references sorts
//! the offsets of names in the scratch buffer (`rules/names.rs`). The comparison of rules with
//! endpoints is limited by [`BUDGET`].

mod capability;
mod names;
mod positions;
mod required;
mod urls;

use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::model::{Access, AgentPolicy, Head, Kind, List, Member, Reading, Service};
pub(crate) use crate::rules::Notation;
use crate::rules::agent_names::Named;
use crate::rules::email::is_email;
use crate::rules::lines::MARK;
use crate::rules::method::is_token_octet;
use crate::rules::names::Gathered;
use crate::rules::report::Report;
use crate::rules::urls::{Secure, is_url};
use crate::rules::values::{is_separator, patterns_of};
use crate::rules::{REQUIRED_IS_EMPTY, timestamp};
use crate::span::Span;
use crate::syntax::line::is_mark;
use crate::syntax::text::Text;
use crate::syntax::url::Url;
pub(crate) use capability::{LOCATION, PARAMETER_TYPE, is_parameter_type, rate_limit};
use names::Agents;
use required::Required;

/// The properties of a document that the check needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options<'o> {
    /// The notation of the document.
    pub(crate) notation: Notation,
    /// The range to report for a field that is missing in the document.
    pub(crate) top: Span,
    /// The origin of the document.
    pub(crate) origin: Option<&'o str>,
}

/// Checks a document. `scratch` needs two numbers for each name: the number of capabilities, of
/// agents, or of parameters of one capability, whichever is largest. If it is too small, names are
/// not compared, which is reported. O(n log n).
pub(crate) fn check<'a>(
    reading: &dyn Reading<'a>,
    bytes: &'a [u8],
    options: &Options<'_>,
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let head = reading.head();
    let service = reading.service();
    let mut buffer = None;
    let site =
        service.and_then(|service| service.url).and_then(|text| Url::lazily(text, &mut buffer));
    let origin = options.origin.and_then(|origin| Url::parse(origin.as_bytes()));
    let access = reading.access();
    let mut check = Check {
        bytes,
        notation: options.notation,
        top: options.top,
        site,
        origin,
        access,
        budget: BUDGET,
        report,
    };
    check.head(reading, &head);
    check.service(reading, service);
    check.access(&head);
    let mut ids = Gathered::new(bytes, scratch);
    for capability in reading.capabilities() {
        if check.report.is_full() {
            return;
        }
        check.capability(&capability);
        capability.id.into_iter().for_each(|id| ids.add(id));
    }
    let mut agents = Agents::default();
    for agent in reading.agents() {
        if check.report.is_full() {
            return;
        }
        check.agent(&agent);
        agents.named = agents
            .named
            .saturating_add(usize::from(agent.name.is_some_and(|name| !name.is_empty())));
        agents.refer |= agent.capabilities.is_some();
    }
    let Some(ids) = ids.sort(options.notation, false) else {
        return check.not_checked();
    };
    check.ids(&ids, reading, &agents);
    check.agent_names(reading, &agents, scratch);
    check.parameter_names(reading, scratch);
}

/// True if a pattern looks like several patterns: text follows a blank (paths contain no blanks), a
/// slash follows a separator, or a separator ends the text.
fn holds_patterns(pattern: Text<'_>) -> bool {
    let mut before = '\0';
    pattern.trim().chars().take_while(|c| *c != '#').any(|c| {
        match core::mem::replace(&mut before, c) {
            ' ' | '\t' => !matches!(c, ' ' | '\t'),
            separator => is_separator(separator) && c == '/',
        }
    }) || is_separator(before)
}

/// The maximum number of bytes of paths and patterns, including the text between patterns, that are
/// read to compare endpoints with rules. Real documents need far fewer.
const BUDGET: usize = 1 << 26;

struct Check<'r, 's, 'a, 'u> {
    bytes: &'a [u8],
    notation: Notation,
    top: Span,
    /// The URL of the site.
    site: Option<Url<'u>>,
    /// The origin of the document.
    origin: Option<Url<'u>>,
    access: Access<'a>,
    budget: usize,
    report: &'r mut Report<'s, 'a>,
}

impl<'a> Check<'_, '_, 'a, '_> {
    /// Returns the range of a list.
    fn at_list<T>(&self, list: &List<'a, T>) -> Span {
        let span = Span::of(list.bytes(), self.bytes);
        match (self.notation, self.byte_before(span.start)) {
            (Notation::Json, Some(b'[')) => {
                Span::new(span.start.saturating_sub(1), span.end.saturating_add(1))
            }
            _ => span,
        }
    }

    fn add(&mut self, code: Code, span: Span, section: &'static str, message: &'static str) {
        self.report.add(Diagnostic::new(code, span, Spec::InternetDraft, section, message));
    }

    fn about(&mut self, code: Code, text: Text<'a>, section: &'static str, message: &'static str) {
        let diagnostic =
            Diagnostic::new(code, self.at(text), Spec::InternetDraft, section, message);
        self.report.add(diagnostic.about(text));
    }

    fn warn(&mut self, code: Code, text: Text<'a>, section: &'static str, message: &'static str) {
        let diagnostic =
            Diagnostic::new(code, self.at(text), Spec::InternetDraft, section, message);
        self.report.add(diagnostic.with_severity(Severity::Warning).about(text));
    }

    /// Returns the text if it is not empty. Reports an empty text in JSON. (In the text notation,
    /// the pass over the lines reports it.)
    fn filled(&mut self, text: Option<Text<'a>>, section: &'static str) -> Option<Text<'a>> {
        let text = text?;
        if self.notation == Notation::Json || !text.is_empty() {
            return self.not_empty(text, section);
        }
        None
    }

    /// Returns the text if it is not empty. Reports an empty text in both notations.
    fn not_empty(&mut self, text: Text<'a>, section: &'static str) -> Option<Text<'a>> {
        if !text.is_blank() {
            return Some(text);
        }
        // The message does not propose to remove the value: that could grant more.
        let message = "the value is empty; write one";
        self.add(Code::EmptyValue, self.at_empty(text), section, message);
        None
    }

    /// Returns the range to report for an empty value.
    fn at_empty(&self, text: Text<'a>) -> Span {
        match self.notation {
            Notation::Text => self.key(self.at(text)),
            Notation::Json => self.at(text),
        }
    }

    /// Returns the text of a required field if it is not empty. Reports a field that is absent or
    /// empty, in both notations. Does not report a value of the wrong type, which is in the
    /// metadata `kept`; other code does.
    fn required(
        &mut self,
        text: Option<Text<'a>>,
        name: Required,
        owner: Span,
        mut kept: List<'a, Member<'a>>,
    ) -> Option<Text<'a>> {
        let is_json = self.notation == Notation::Json;
        let (code, span, message) = match text {
            Some(text) if !text.is_blank() => return Some(text),
            // The value has the wrong type.
            _ if is_json && kept.any(|member| member.name == name.in_json) => return None,
            Some(text) => (Code::EmptyValue, self.at_empty(text), REQUIRED_IS_EMPTY),
            None => (Code::MissingRequiredField, owner, name.message),
        };
        let subject = if is_json { name.in_json } else { name.in_text };
        let diagnostic = Diagnostic::new(code, span, Spec::InternetDraft, name.section, message);
        self.report
            .add(diagnostic.with_severity(Severity::Error).about(Text::plain(subject.as_bytes())));
        None
    }

    fn head(&mut self, reading: &dyn Reading<'a>, head: &Head<'a>) {
        let version =
            self.required(head.spec_version, required::SPEC_VERSION, self.top, reading.metadata());
        if let Some(version) = version.filter(|version| *version != "1.0") {
            self.about(
                Code::UnsupportedVersion,
                version,
                "2.3",
                "version {} is unknown; this specification is 1.0",
            );
        }
        if let Some(time) = self.filled(head.generated_at, "2.3")
            && !timestamp::is_iso_8601(time)
        {
            self.about(
                Code::InvalidTimestamp,
                time,
                "2.3",
                "{} is not a valid timestamp; use RFC 3339, for example 2026-02-01T00:00:00Z",
            );
        }
        if let Some(kind) = self.filled(head.kind.text, "2.3")
            && head.kind.value == Kind::Unknown
        {
            self.about(
                Code::InvalidValue,
                kind,
                "2.3",
                "{} is not a declaration type; use platform or agent",
            );
        }
        let mut platforms = reading.operates_on();
        if head.kind.value == Kind::Agent && platforms.is_empty() {
            let message = "the declaration of an agent should name the platforms on which it works; add `Operates-On`";
            self.add(Code::MissingRecommendedField, self.top, "2.3", message);
        }
        let mut first = true;
        for platform in &mut platforms {
            if head.kind.value == Kind::Platform && (first || self.notation == Notation::Text) {
                let key = self.key(self.at(platform));
                self.add(
                    Code::UnexpectedField,
                    key,
                    "2.3",
                    "only the declaration of an agent names platforms; remove this",
                );
            }
            first = false;
            if let Some(platform) = self.filled(Some(platform), "2.3") {
                self.url(platform, "2.3", Secure::NotAsked);
            }
        }
        if let Some(companion) = self.filled(head.companion, "3.2") {
            self.companion(companion);
        }
    }

    fn service(&mut self, reading: &dyn Reading<'a>, service: Option<Service<'a>>) {
        let Some(service) = service else {
            if self.notation == Notation::Json {
                self.required(None, required::SITE, self.top, reading.metadata());
            } else {
                self.required(None, required::SITE_NAME, self.top, List::empty());
                self.required(None, required::SITE_URL, self.top, List::empty());
            }
            return;
        };
        let owner = if self.notation == Notation::Json {
            self.at_owner(None, service.source)
        } else {
            self.top
        };
        self.required(service.name, required::SITE_NAME, owner, service.metadata);
        if let Some(url) = self.required(service.url, required::SITE_URL, owner, service.metadata) {
            let site = self.site;
            self.judge(url, site.as_ref(), "2.4", Secure::Http);
            if let (Some(site), Some(origin)) = (&self.site, &self.origin)
                && !site.is_same_origin(origin)
            {
                self.about(
                    Code::OriginMismatch,
                    url,
                    "2.4",
                    "the document is for {}, but it was fetched from another origin",
                );
            }
        }
        self.filled(service.description, "2.4");
        for contact in service.contact {
            if let Some(contact) = self.filled(Some(contact), "2.4") {
                self.contact(contact);
            }
        }
        if let Some(policy) = self.filled(service.privacy_policy, "2.4") {
            self.url(policy, "2.4", Secure::NotAsked);
        }
    }

    fn contact(&mut self, contact: Text<'a>) {
        if is_email(contact.chars()) {
            return;
        }
        if contact.starts_with_ignore_case("mailto:")
            && is_email(contact.chars().skip("mailto:".len()))
        {
            let diagnostic = Diagnostic::new(
                Code::NonstandardContact,
                self.at(contact),
                Spec::InternetDraft,
                "2.4",
                "{} is read as the address after `mailto:`; write only the address",
            );
            self.report.add(diagnostic.with_severity(Severity::Info).about(contact));
        } else if is_url(contact) {
            self.about(
                Code::NonstandardContact,
                contact,
                "2.4",
                "{} is a URL; use an email address",
            );
        } else {
            self.warn(Code::InvalidValue, contact, "2.4", "{} is not an email address; use one");
        }
    }

    fn access(&mut self, head: &Head<'a>) {
        let access = self.access;
        if access.allow.is_empty() && access.disallow.is_empty() && head.kind.value != Kind::Agent {
            let message = "there are no access rules, so agents may only access the endpoints of capabilities; if this is not intended, add `Allow` or `Disallow`";
            self.add(Code::NoAccessRules, self.top, "2.6", message);
        }
        for pattern in access.allow.chain(access.disallow) {
            if self.report.is_full() {
                return;
            }
            self.pattern(pattern);
        }
    }

    fn pattern(&mut self, pattern: Text<'a>) {
        if let Some(pattern) = self.filled(Some(pattern), "2.6") {
            if !matches!(pattern.chars().next(), Some('/' | '*')) {
                let message = "{} matches nothing; a pattern begins with / or *";
                self.about(Code::PatternWithoutSlash, pattern, "2.6", message);
            }
            if pattern.starts_with_ignore_case("//") {
                let message = "{} begins with two slashes, which paths of a site do not; write the path alone, such as /admin";
                self.warn(Code::InvalidValue, pattern, "2.6", message);
            }
            if pattern.chars().any(is_mark) {
                self.warn(Code::ControlCharacter, pattern, "2.6", MARK);
            }
            if holds_patterns(pattern) {
                let message = match self.notation {
                    Notation::Text => {
                        "{} counts as one pattern; write each pattern on a line of its own"
                    }
                    Notation::Json => {
                        "{} counts as one pattern; write each pattern as an item of its own"
                    }
                };
                self.about(Code::SeveralValues, pattern, "2.6", message);
            }
        }
    }

    fn agent(&mut self, agent: &AgentPolicy<'a>) {
        // In an array of policies, each policy must name its agent.
        if let Some(name) = self.required(
            agent.name,
            required::AGENT_NAME,
            self.at_owner(None, agent.source),
            agent.metadata,
        ) {
            self.agent_name(name);
        }
        if let Some(declaration) = self.filled(agent.declaration, "2.7") {
            self.url(declaration, "2.7", Secure::Http);
        }
        for id in agent.capabilities.into_iter().flatten() {
            self.item(id, "2.7");
        }
        for name in ["allow", "disallow"] {
            patterns_of(agent.metadata, name).for_each(|pattern| self.pattern(pattern));
        }
    }

    fn agent_name(&mut self, name: Text<'a>) {
        let is_part = |c: char| {
            let byte = u8::try_from(c).unwrap_or(b'a');
            c == '/' || c != '*' && (is_token_octet(byte) || !byte.is_ascii())
        };
        let named = Named::of(name, Text::default());
        if named.agents == 0 {
            let message = "{} names no agent, so it could be for any agent; write the first word of its User-Agent, or * for all agents";
            self.about(Code::InvalidValue, name, "2.7", message);
        } else if named.agents > 1 {
            let message = match self.notation {
                Notation::Text => {
                    "{} has several words; write an `Agent` block for each agent, with the first word of its User-Agent"
                }
                Notation::Json => {
                    "{} has several words; write a policy for each agent, with the first word of its User-Agent"
                }
            };
            self.about(Code::SeveralValues, name, "2.7", message);
        } else if name != "*" && !name.chars().all(is_part) {
            let message = "{} is more than the name of an agent; write only the first word of its User-Agent, or * for all agents";
            self.warn(Code::InvalidValue, name, "2.7", message);
        }
    }
}
