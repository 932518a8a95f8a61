//! The check of a robots.txt.

use super::line::{Field, Key, Line, USUAL_NAMES};
use super::preferences::{Preferred, Statement};
use super::unread::{hides_key, is_plain};
use super::{CrawlDelay, RobotsTxt, Walk, agent_name, byte_order_marks, is_any};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::model::{Enumeration, Purpose, Stance};
use crate::rules::credentials::{MESSAGE, Secrets};
use crate::rules::lines::{CONTROL, MARK, controls};
use crate::rules::near::meant;
use crate::rules::urls::{Others, Secure, judge_public};
use crate::rules::user_agent::AgentName;
use crate::span::Span;
use crate::syntax::line::{is_mark, strip};
use crate::syntax::text::Text;
use crate::syntax::url::Url;

/// The maximum number of groups for which the check asks whether signals reach them.
const MOST_REACHED: usize = 20;
/// The purposes of earlier drafts of the vocabulary of AI preferences.
const OLDER: [&str; 7] = ["ai", "ai-use", "all", "bots", "genai", "tdm", "train-genai"];

impl<'a> RobotsTxt<'a> {
    /// Reports errors and doubtful lines, in document order. Takes linear time.
    ///
    /// Does not report several groups for one agent, because RFC 9309 section 2.2.1 merges them.
    ///
    /// ```
    /// use agentsdisc_core::format::robots_txt::RobotsTxt;
    /// let mut found = Vec::new();
    /// RobotsTxt::parse(b"User-agent: *\nDissallow /private\n").findings(|finding| found.push(finding.code.as_str()));
    /// assert_eq!(found, ["missing-colon", "nonstandard-field"]);
    /// ```
    pub fn findings(&self, mut sink: impl FnMut(Diagnostic<'a>)) {
        let mark = byte_order_marks(self.bytes);
        if mark > 0 {
            let message = match mark {
                _ if mark.is_multiple_of(3) => {
                    "the document starts with a byte order mark, which is ignored; save the file without one"
                }
                _ => {
                    "the document starts with part of a byte order mark, which is ignored; save the file without it"
                }
            };
            sink(finding(Code::ByteOrderMark, Span::new(0, mark as u32), "2.2", message));
        }
        // Only the first invalid UTF-8 sequence is reported, together with its line.
        let mut not_utf8 = core::str::from_utf8(self.body)
            .err()
            .and_then(|error| self.body.get(error.valid_up_to()..)?.get(..1));
        let mut state = State::default();
        let mut secrets = Secrets::new(self.body).peekable();
        let mut report_secrets = |until: u32, sink: &mut dyn FnMut(Diagnostic<'a>)| {
            while let Some(secret) = secrets.peek().copied() {
                let span = self.span(self.body.get(secret.start..secret.end).unwrap_or_default());
                if span.start >= until {
                    return;
                }
                secrets.next();
                sink(Diagnostic::new(Code::CredentialInDocument, span, Spec::Ruling, "", MESSAGE));
            }
        };
        let mut signals = Signals::new();
        for line in self.lines() {
            signals.pass(line);
            report_secrets(self.span(line.text).start, &mut sink);
            if let Some(octet) = not_utf8
                && self.span(octet).start < self.span(line.text).end
            {
                not_utf8 = None;
                self.report_encoding(octet, &mut sink);
            }
            self.check_line(line, &mut state, &mut sink);
        }
        if let Some(octet) = not_utf8 {
            self.report_encoding(octet, &mut sink);
        }
        report_secrets(u32::MAX, &mut sink);
        if signals.exist {
            self.check_reach(signals.are_of_agents, &mut sink);
        }
        if self.is_cut() {
            let rest = Span::new(
                self.span(self.body).end,
                u32::try_from(self.bytes.len()).unwrap_or(u32::MAX),
            );
            sink(finding(
                Code::DocumentCut,
                rest,
                "2.5",
                "the document exceeds the size limit; the rest has no effect",
            ));
        }
    }

    fn report_encoding(&self, octet: &'a [u8], sink: &mut impl FnMut(Diagnostic<'a>)) {
        let message = match self.unread_restriction() {
            Some(_) => "the document is UTF-16 or UTF-32, not UTF-8; its rules cannot be read",
            None => "the document is not UTF-8; its bytes are compared as they are",
        };
        sink(finding(Code::NotUtf8, self.span(octet), "2.2", message));
    }

    fn check_line(
        &self,
        line: Line<'a>,
        state: &mut State<'a>,
        sink: &mut impl FnMut(Diagnostic<'a>),
    ) {
        let whole = self.span(line.text);
        if line.key == Key::Long {
            return sink(finding(
                Code::LongLine,
                whole,
                "2.5",
                "the line exceeds the length limit and is ignored",
            ));
        }
        let control = controls(line.text).next();
        if let Some(control) = control {
            let span = Span::new(whole.start + control.start, whole.start + control.end);
            sink(finding(Code::ControlCharacter, span, "2.2", CONTROL));
        }
        let is_marked = |text: &[u8]| !text.is_ascii() && Text::plain(text).chars().any(is_mark);
        // Only at the ends and in rules: a comment or a sentence may have such blanks.
        let is_rule = matches!(line.key, Key::Allow | Key::Disallow | Key::UserAgent);
        let has_edge = strip(line.text).len() < super::line::trim(line.text).len();
        let is_doubtful = has_edge || is_rule && is_marked(line.text) || hides_key(line.text);
        let is_blank = line.key != Key::Malformed && Text::plain(line.value).is_blank();
        if control.is_none() && is_doubtful && !is_blank {
            sink(finding(Code::ControlCharacter, whole, "2.2", MARK));
        }
        let quick = Field::quick(line.text);
        let is_standard = quick.is_some();
        let Some(field) = quick.or_else(|| Field::of(line.text)) else {
            return;
        };
        let name = self.span(field.name);
        let report = |code, span, section, message, subject| {
            finding(code, span, section, message).about(Text::plain(subject))
        };
        if field.key == Key::Malformed || (field.key == Key::Unknown && field.without_colon) {
            let message = "{} is not a field; write a name, a colon and a value";
            return sink(report(
                Code::MalformedLine,
                whole,
                "2.2",
                message,
                super::line::trim(line.text),
            ));
        }
        if field.without_colon {
            sink(report(
                Code::MissingColon,
                whole,
                "2.2",
                "the colon after {} is missing",
                field.name,
            ));
        }
        if field.key == Key::Unknown {
            let subject = Text::plain(field.name);
            let message = "{} is not defined by RFC 9309 and has no effect";
            let unknown = finding(Code::UnknownField, name, "2.2.4", message).about(subject);
            sink(match meant(subject, USUAL_NAMES.into_iter()) {
                Some(meant) => {
                    let message = "{} is not a known field and has no effect; did you mean `{}`?";
                    finding(Code::UnknownField, name, "2.2.4", message)
                        .about(subject)
                        .meaning(meant)
                        .with_severity(Severity::Warning)
                }
                None => unknown,
            });
        } else if !is_standard && !field.name.eq_ignore_ascii_case(field.key.name().as_bytes()) {
            let message = match field.key {
                Key::UserAgent => "{} is read as User-agent",
                Key::Allow => "{} is read as Allow",
                Key::Disallow => "{} is read as Disallow",
                Key::Sitemap => "{} is read as Sitemap",
                Key::ContentSignal => "{} is read as Content-Signal",
                Key::ContentUsage => "{} is read as Content-Usage",
                Key::Agentmap => "{} is read as Agentmap",
                Key::License => "{} is read as License",
                _ => "{} is read as Crawl-delay",
            };
            sink(report(Code::NonstandardField, name, "2.2", message, field.name));
        }
        match field.key {
            Key::UserAgent => self.check_agent(&field, name, state, sink),
            Key::Allow | Key::Disallow => {
                if !state.in_group {
                    let message = "{} is before the first User-agent line and has no effect";
                    sink(report(Code::MisplacedField, name, "2.1", message, field.name));
                }
                *state = State { in_rules: true, other_field: false, ..*state };
                self.check_pattern(&field, name, sink);
            }
            Key::CrawlDelay => {
                state.other_field = true;
                let span = self.span(field.value);
                if (CrawlDelay { text: Text::plain(field.value), span, line: line.number })
                    .milliseconds()
                    .is_none()
                {
                    let message = "{} is not a valid crawl delay; use a number of seconds";
                    sink(
                        report(Code::InvalidValue, span, "2.2.4", message, field.value)
                            .with_severity(Severity::Warning),
                    );
                }
            }
            Key::ContentSignal | Key::ContentUsage => {
                self.check_preference(line, name, state, sink)
            }
            Key::Agentmap => {
                state.other_field = true;
                let empty = "the Agentmap has no URL; write that of an AI catalog";
                self.check_url(&field, name, (Spec::Ard, "6.1"), empty, sink);
            }
            Key::License => {
                state.other_field = true;
                let empty = "the License has no URL; write that of the licence";
                self.check_url(&field, name, (Spec::Rsl, ""), empty, sink);
            }
            Key::Sitemap => {
                state.other_field = true;
                let span = self.span(field.value);
                if Text::plain(field.value).is_blank() {
                    let message = "the sitemap has no URL";
                    sink(finding(Code::EmptyValue, name, "2.2.4", message));
                } else if Url::parse(field.value).is_none() {
                    let message = "the sitemap {} is not an absolute URL";
                    sink(
                        report(Code::InvalidUrl, span, "2.2.4", message, field.value)
                            .with_severity(Severity::Warning),
                    );
                }
            }
            Key::Unknown => state.other_field = true,
            Key::Malformed | Key::Long => {}
        }
    }

    /// Checks the URL of a line that names a document, which a specification defines.
    fn check_url(
        &self,
        field: &Field<'a>,
        name: Span,
        (spec, section): (Spec, &'static str),
        empty: &'static str,
        sink: &mut impl FnMut(Diagnostic<'a>),
    ) {
        let report = |code, span, message| Diagnostic::new(code, span, spec, section, message);
        if Text::plain(field.value).is_blank() {
            return sink(report(Code::EmptyValue, name, empty));
        }
        let url = Text::plain(field.value);
        if let Some(found) = judge_public(url, Secure::Http, Others::No) {
            let severity = found.severity.min(Severity::Warning);
            let found = report(found.code, self.span(field.value), found.message);
            sink(found.with_severity(severity).about(url));
        }
    }

    /// Reports groups of named agents that the `Content-Signal` of the group for `*` does not reach.
    fn check_reach(&self, are_of_agents: bool, sink: &mut impl FnMut(Diagnostic<'a>)) {
        // The answer for an agent whose groups state nothing.
        let mut shared = None;
        for group in self.groups().take(MOST_REACHED) {
            let Some(agent) = group.agents().next().filter(|agent| !agent.is_any()) else {
                continue;
            };
            let name = agent.token();
            if !self.is_root_allowed(name) {
                continue;
            }
            let is_octet = |octet: &u8| octet.is_ascii_alphanumeric() || *octet == b'-';
            let is_shared = !are_of_agents && !name.is_empty() && name.iter().all(is_octet);
            let (is_silent, signal) = match shared.filter(|_| is_shared) {
                Some(answer) => answer,
                None => {
                    let mut unreached = None;
                    // A group with signals of its own states what it wants.
                    let is_stated = |preferred: Preferred<'a>| {
                        unreached = unreached.or(preferred.statement);
                        preferred.stance != Stance::NotStated
                    };
                    // Other names of a purpose have the same answer.
                    let is_first = |(name, purpose): &&(&str, Purpose)| *name == purpose.as_str();
                    let purposes = Purpose::NAMES.iter().filter(is_first).map(|(name, _)| *name);
                    let is_silent = !self.any_at_root(name, purposes, is_stated);
                    (is_silent, unreached)
                }
            };
            if is_shared {
                shared = Some((is_silent, signal));
            }
            if let Some(signal) = signal.filter(|_| is_silent) {
                let message = "{} of the group for * does not reach the agents of this group; repeat the Content-Signal here";
                let found = Diagnostic::new(
                    Code::MissingRecommendedField,
                    agent.span,
                    Spec::Ruling,
                    "10",
                    message,
                );
                sink(found.about(signal.text));
            }
        }
    }

    fn check_agent(
        &self,
        field: &Field<'a>,
        name: Span,
        state: &mut State<'a>,
        sink: &mut impl FnMut(Diagnostic<'a>),
    ) {
        if state.in_group && !state.in_rules && state.other_field {
            let message = "no rule ends the group above, so {} shares a group with its agents";
            sink(
                finding(Code::UnclosedGroup, name, "2.2.4", message)
                    .about(Text::plain(field.value)),
            );
        }
        if !state.in_group || state.in_rules {
            state.stated = Stated::default();
        }
        *state = State { in_group: true, in_rules: false, other_field: false, ..*state };
        let agent = agent_name(field.value);
        let is_token_octet =
            |octet: &u8| octet.is_ascii_alphabetic() || matches!(octet, b'-' | b'_');
        let message = if Text::plain(field.value).is_blank() {
            return sink(finding(
                Code::EmptyValue,
                name,
                "2.2.1",
                "the User-agent line has no value",
            ));
        } else if is_any(field.value) {
            if field.value.len() == 1 {
                return;
            }
            "{} is read as *"
        } else if agent.is_empty() {
            "{} matches no agent; write a name of letters, - and _"
        } else if !agent.iter().all(is_token_octet) {
            "other readers compare only the letters, - and _ at the start of {}"
        } else if agent.len() < field.value.len() {
            "only the name at the start of {} is compared"
        } else {
            return;
        };
        let span = self.span(field.value);
        sink(
            finding(Code::InvalidValue, span, "2.2.1", message)
                .with_severity(Severity::Warning)
                .about(Text::plain(field.value)),
        );
    }

    fn check_preference(
        &self,
        line: Line<'a>,
        name: Span,
        state: &mut State<'a>,
        sink: &mut impl FnMut(Diagnostic<'a>),
    ) {
        let report = |code, span, message, subject| {
            Diagnostic::new(code, span, Spec::Ruling, "10", message)
                .with_severity(Severity::Warning)
                .about(Text::plain(subject))
        };
        let is_usage = line.key == Key::ContentUsage;
        if is_usage && !state.in_group {
            let message = "{} is before the first User-agent line and has no effect";
            let written = name.slice(self.bytes);
            sink(report(Code::MisplacedField, name, message, written));
        }
        match is_usage {
            true => (state.in_rules, state.other_field) = (true, false),
            false => state.other_field = true,
        }
        let statement = Statement::of(line, b"");
        if !statement.is_regular {
            let message = match is_usage {
                true => usage_message(line.value),
                false if line.value.is_empty() => {
                    "the line has no signals; write for example search=yes, ai-train=no"
                }
                false => {
                    "{} is not a valid list of signals; write yes or no, for example search=yes, ai-train=no"
                }
            };
            let span = self.span(line.value);
            sink(report(Code::InvalidValue, span, message, line.value));
        }
        if let Some(part) = statement.left_out {
            let message = "{} and the labels behind it are not listed, because the line has more than 12 labels that are not purposes; use several lines";
            let span = self.span(part.text);
            sink(report(Code::UnknownField, span, message, part.label));
        }
        for part in statement.parts() {
            if let Some(parameter) = part.purpose_in_parameters() {
                let message =
                    "{} is behind a semicolon, so it states nothing; write a comma instead";
                let span = self.span(parameter);
                sink(report(Code::InvalidValue, span, message, parameter));
            }
            let (purpose, span) = (part.purpose, self.span(part.text));
            let is_named = |name: &str| part.label.eq_ignore_ascii_case(name.as_bytes());
            if is_named("ai-training") || is_named(if is_usage { "ai-train" } else { "train-ai" }) {
                let message = "{} is read as train-ai; write ai-train in Content-Signal, train-ai in Content-Usage";
                sink(report(Code::NonstandardField, span, message, part.label));
            }
            let is_respelt = purpose != Purpose::of(Text::plain(part.label));
            if is_respelt {
                let message =
                    "{} is read without regard to hyphens; write ai-train, search or ai-input";
                sink(report(Code::NonstandardField, span, message, part.label));
            }
            // `use` is part of `Content-Signal`, but not a purpose.
            let is_use = !is_usage && part.label.eq_ignore_ascii_case(b"use");
            if is_use {
                continue;
            }
            if is_usage && purpose == Purpose::AiInput {
                let message = "{} is a purpose of Content-Signal; Content-Usage defines train-ai and search, so others may ignore it";
                let info = report(Code::NonstandardField, span, message, part.label);
                sink(info.with_severity(Severity::Info));
            }
            if is_usage && OLDER.iter().any(|name| part.label == name.as_bytes()) {
                let message = "{} is a purpose of an earlier draft, and readers ignore it; write train-ai or search, which are still defined";
                sink(report(Code::DeprecatedField, span, message, part.label));
            } else if purpose == Purpose::Unknown {
                let message = "{} is not a known purpose: train-ai, search or ai-input";
                let info = report(Code::UnknownField, span, message, part.label);
                sink(info.with_severity(Severity::Info));
            } else if part.stance == Stance::NotStated {
                let message = match is_usage {
                    true => "{} is neither y nor n, so nothing is stated",
                    false => "{} is neither yes nor no, so nothing is stated",
                };
                sink(report(Code::InvalidValue, span, message, part.text));
            } else if state.stated.contradicts(statement.path, purpose, part.stance) {
                let message = "{} contradicts an earlier statement for the same group and path; the stricter one counts";
                sink(report(Code::Contradiction, span, message, part.text));
            }
        }
        if let Some(part) = statement.repeated {
            let message = match is_usage {
                true => "{} repeats a label with another value; the last one counts",
                false => "{} repeats a label with another value; the stricter one counts",
            };
            let span = self.span(part.text);
            sink(report(Code::Contradiction, span, message, part.text));
        }
    }

    fn check_pattern(&self, field: &Field<'a>, name: Span, sink: &mut impl FnMut(Diagnostic<'a>)) {
        match field.value {
            [b'/' | b'*', ..] => {
                let (pattern, message) = (
                    Text::plain(field.value),
                    "{} ends with a mark that is a part of the pattern; write the path alone",
                );
                let mut pairs = field.value.windows(2);
                let is_second = |pair: &[u8]| matches!(pair, [b' ' | b'\t', b'/' | b'*']);
                if pairs.any(is_second) {
                    let message = "{} looks like several patterns, but is read as one with a blank, which no URL has; write a line for each";
                    let found =
                        finding(Code::SeveralValues, self.span(field.value), "2.2.2", message);
                    sink(found.about(pattern));
                } else if !is_plain(pattern) && !pattern.chars().any(is_mark) {
                    let found =
                        finding(Code::InvalidValue, self.span(field.value), "2.2.2", message);
                    sink(found.with_severity(Severity::Warning).about(pattern));
                }
            }
            [] if field.key == Key::Disallow => {}
            [] => sink(finding(Code::EmptyValue, name, "2.2.2", "an empty Allow matches nothing")),
            value => {
                let message = "{} matches nothing; a pattern begins with / or *";
                sink(
                    finding(Code::PatternWithoutSlash, self.span(value), "2.2.2", message)
                        .about(Text::plain(value)),
                );
            }
        }
    }
}

/// Where the document states preferences, as far as the lines are passed.
struct Signals<'a> {
    walk: Walk<'a, 'static>,
    /// True if there is a `Content-Signal`.
    exist: bool,
    /// True if a group that names an agent other than `*` states a preference. Otherwise all such
    /// agents have the same preferences, if they may fetch the URL.
    are_of_agents: bool,
    /// The current group names such an agent.
    names: bool,
    /// The current group states a preference.
    states: bool,
}

impl<'a> Signals<'a> {
    fn new() -> Self {
        // Only where groups begin matters.
        let walk = Walk::new(AgentName { word: b"", token: b"" });
        Self { walk, exist: false, are_of_agents: false, names: false, states: false }
    }

    fn pass(&mut self, line: Line<'a>) {
        match line.key {
            Key::UserAgent => {
                if self.walk.opens_group() {
                    (self.names, self.states) = (false, false);
                }
                self.names |= !is_any(line.value);
            }
            Key::ContentUsage => self.states = true,
            Key::ContentSignal => (self.states, self.exist) = (true, true),
            _ => {}
        }
        self.walk.pass(line);
        self.are_of_agents |= self.names && self.states;
    }
}

/// Returns the message for a `Content-Usage` that is unreadable.
fn usage_message(value: &[u8]) -> &'static str {
    let mut words = value.split(|octet| matches!(octet, b' ' | b'\t'));
    let first = words.next().unwrap_or_default();
    let (is_path, is_alone) = (first.starts_with(b"/"), words.next().is_none());
    let is_blank_beside = |pair: &[u8]| matches!(pair, [b'=', b' ' | b'\t'] | [b' ' | b'\t', b'=']);
    if value.is_empty() {
        "the line has no preferences; write for example train-ai=n, search=y"
    } else if is_path && is_alone {
        "{} is a path without preferences; write them behind it, as in /path train-ai=n"
    } else if !is_path && !is_alone && first.contains(&b'/') {
        "{} has a path that does not begin with a slash; write it as in /path train-ai=n"
    } else if value.windows(2).any(is_blank_beside) {
        "{} has a blank beside an equals sign; write it without, as in train-ai=n, search=y"
    } else if value.iter().any(u8::is_ascii_uppercase) {
        "{} is not a statement of preferences; write labels in lower case, as in train-ai=n, search=y"
    } else {
        "{} is not a statement of preferences; write labels and values with commas between them, as in train-ai=n, search=y"
    }
}

/// The state of the check within the groups.
#[derive(Default)]
struct State<'a> {
    in_group: bool,
    in_rules: bool,
    /// True if a field other than a rule or User-agent followed the last User-agent line.
    other_field: bool,
    stated: Stated<'a>,
}

/// The preferences that a group states, for its first 8 paths.
#[derive(Clone, Copy, Default)]
struct Stated<'a> {
    paths: [Option<(&'a [u8], [Stance; Purpose::NAMES.len()])>; 8],
}

impl<'a> Stated<'a> {
    /// Records the stance of a line on a purpose. Returns whether an earlier line with the same
    /// path states the opposite.
    fn contradicts(&mut self, path: &'a [u8], purpose: Purpose, stance: Stance) -> bool {
        let is_free = |place: &&mut Option<(&[u8], _)>| place.is_none_or(|(own, _)| own == path);
        let Some(place) = self.paths.iter_mut().find(is_free) else {
            return false;
        };
        let (_, stances) = place.get_or_insert((path, [Stance::NotStated; Purpose::NAMES.len()]));
        let Some(own) = stances.get_mut(purpose as usize) else {
            return false;
        };
        let is_opposite =
            *own != Stance::NotStated && stance != Stance::NotStated && *own != stance;
        *own = stance.max(*own);
        is_opposite
    }
}

const fn finding<'a>(
    code: Code,
    span: Span,
    section: &'static str,
    message: &'static str,
) -> Diagnostic<'a> {
    Diagnostic::new(code, span, Spec::Rfc9309, section, message)
}
