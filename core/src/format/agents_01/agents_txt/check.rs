//! The check of an agents.txt 0.1.0: one pass over its lines, and two over its flows. One of these
//! finds repeated names of flows, the other looks up the steps among the capabilities.
//!
//! Only the last value of a repeated field is checked, because the reader uses only this value.

use super::{AgentsTxt01, Field, KEYS, read_rate, read_truth, read_ttl, split_flow};
use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::format::robots_txt::line::Key;
use crate::model::{Reading, Window};
use crate::rules::credentials::{MESSAGE, is_in};
use crate::rules::email::is_email;
use crate::rules::json::schema::rules::*;
use crate::rules::lines::{COMMENT, comment_in, control_characters, credential_in, marks_around};
use crate::rules::names::{Gathered, Names};
use crate::rules::near::meant;
use crate::rules::report::Report;
use crate::rules::urls::{is_elsewhere, is_url};
use crate::rules::values::rate_limit_of;
use crate::rules::{self, Notation, REQUIRED_IS_EMPTY};
use crate::rules::{COUNTS, DOES_NOT_COUNT};
use crate::scan;
use crate::span::Span;
use crate::syntax::grammar::Items;
use crate::syntax::line::{Content, Lines, Sweep, Whole};
use crate::syntax::text::Text;
use crate::syntax::url::Url;

says! {
    MALFORMED: MalformedLine "Format Rules", "{} is not a field; write `Key: value`, or `#` before a comment";
    MISSING: MissingRequiredField, "{} is missing in the document; add it";
    REQUIRED: EmptyValue Error, REQUIRED_IS_EMPTY;
    EMPTY: EmptyValue, "{} has no value; add one after the colon, or remove the line";
    EMPTY_ITEM: EmptyValue, "an item of the list is empty; remove the comma";
    COMMENTED: InlineComment "Format Rules", COMMENT;
    OF_ROBOTS: UnexpectedField, "{} is a field of robots.txt, not of this format: decisions respect it, but other readers may not; write it in robots.txt";
    UNKNOWN: UnknownField, "the specification does not define {}; agents ignore it";
    OLDER_SITE: NonstandardField, "{} is an older name; use `Site`";
    OLDER_COMPANION: NonstandardField, "{} is an older name; use `Agents-JSON`";
    OLDER_LIST: NonstandardField, "{} is the older form of a list of capabilities; write an `Allow` line for each";
    NO_COMPANION: MissingRecommendedField Info "Notes", "a site with sessions or an audit must serve agents.json 0.1; create it with `agentsdisc convert --to agents-json-0.1`, and name it in `Agents-JSON` or serve it at `URL`/.well-known/agents.json";
    OTHER_COMPANION: CompanionLocation, "{} is on another site, where agents do not look for the companion; serve it on the site of `URL`";
    NO_SESSION_ID: InvalidValue Warning, "{} has no `:session_id`, which agents replace by the id of their session; add it";
    OTHER_AUDIT: CrossOriginEndpoint Warning, "{} is on another site, to which agents do not send the ids of their sessions; serve it on the site of `URL`";
    NO_CONTACT: InvalidValue Warning, "{} is neither an email address nor a URL; use one of them";
    OTHER_WINDOW: NonstandardShape, "{} is read, but the specification only has limits per minute; write N/minute";
    NO_SECONDS: InvalidValue, "{} is not a number of seconds; write for example 1800s";
    NO_UNIT: NonstandardShape, "{} is read as seconds; add the unit, for example 1800s";
    NO_TRUTH: InvalidValue, "{} is neither true nor false; use one of them";
    PATH: InvalidValue Warning "Allow Field", "{} is a path as in robots.txt; write the name of a capability, such as search";
    SEVERAL_NAMES: InvalidValue Warning "Allow Field", "{} is read as one name; write an `Allow` line for each capability, with a name of letters, digits, `.`, `_` and `-`";
    NAME_TWICE: DuplicateId "Allow Field", "the capability {} is declared twice; remove one";
    NO_FLOW: MisplacedField, "{} has no flow before it; write it directly after its `Flow`";
    FLOW_TWICE: DuplicateId Warning "Flow Field", "the flow {} is described twice; rename or remove one";
    NO_ARROW: InvalidValue "Flow Field", "{} has no arrow; write `name → step, step`";
    PLAIN_ARROW: NonstandardShape "Flow Field", "{} is read as the arrow, but the specification uses →";
    NO_NAME: EmptyValue "Flow Field", "the flow has no name; add one before the arrow";
    NO_STEPS: EmptyValue "Flow Field", "the flow has no steps; add them after the arrow";
    NO_CAPABILITY: UnknownReference "Flow Field", "{} is not a capability of this document; allow it, or correct the step";
}

/// The rules for the values of a field, and for each name in a list of capabilities.
const fn rules_of(field: Field) -> &'static [Rule] {
    match field {
        Field::Url | Field::AgentsJson => &[Rule::Url(Secure::Http)],
        Field::Contact => &[Fits(is_contact, NO_CONTACT)],
        Field::RateLimit => &[Fits(is_per_minute, OTHER_WINDOW)],
        Field::SessionTtl => &[Fits(is_ttl, NO_SECONDS), Fits(has_unit, NO_UNIT)],
        Field::Audit => &[Fits(is_truth, NO_TRUTH)],
        Field::AuditEndpoint => &[Rule::Url(Secure::Http), Fits(has_session_id, NO_SESSION_ID)],
        Field::Allow | Field::Capabilities => {
            &[Fits(is_no_path, PATH), Fits(is_one_name, SEVERAL_NAMES)]
        }
        _ => &[],
    }
}

/// Reports all diagnostics. `scratch` needs two numbers for each capability, and for each flow.
/// Takes O(n log n).
pub(crate) fn check<'a>(
    document: &AgentsTxt01<'a>,
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let bytes = document.bytes;
    let mut check = Check::new(bytes, Spec::AgentsTxt01, report);
    check.notation = Notation::Text;
    control_characters(bytes, check.report);
    flow_names(document, scratch, &mut check);
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
        check,
    };
    let body = document.outline.body;
    let text = bytes.get(..body.end as usize).unwrap_or_default();
    for line in Sweep::<'_, Whole>::starting_at(text, body.start as usize) {
        if walk.check.report.is_full() {
            return;
        }
        marks_around(&line, bytes, walk.check.report);
        if credentials && let Some(span) = credential_in(&line, bytes) {
            let code = Code::CredentialInDocument;
            walk.check.report.add(Diagnostic::new(code, span, Spec::Ruling, "", MESSAGE));
        }
        match line.content {
            Content::Field { key, value } => walk.field(key, value),
            Content::Malformed(text) => walk.say(MALFORMED, text),
            Content::Blank | Content::Comment(_) => {}
        }
    }
    walk.contradictions();
    walk.whole();
    walk.names(Lines::starting_at(text, body.start as usize));
}

/// Reports names that two flows have.
fn flow_names<'a>(document: &AgentsTxt01<'a>, scratch: &mut [u32], check: &mut Check<'_, '_, 'a>) {
    let names = document.flows().filter_map(|flow| flow.name);
    let Some(names) = Names::sort(names, document.bytes, Notation::Text, true, scratch) else {
        let message = "duplicate flows were not checked, because the scratch buffer is too small; provide two numbers for each flow";
        return check.report.add(not_checked(message));
    };
    names.repeated().for_each(|name| check.say_in(FLOW_TWICE, name, ""));
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
    check: Check<'r, 's, 'a>,
}

impl<'a> Walk<'_, '_, '_, '_, 'a> {
    fn field(&mut self, key: &'a [u8], value: &'a [u8]) {
        let Some((field, older)) = Field::of(key) else {
            self.unknown(key);
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
            let say = match field {
                Field::Site => OLDER_SITE,
                Field::AgentsJson => OLDER_COMPANION,
                _ => OLDER_LIST,
            };
            self.say(say, key);
        }
        if field.is_scalar() && is_repeated {
            self.repeated(key);
        }
        self.seen |= bit;
        match field {
            Field::Flow => (self.after_flow, self.described) = (true, None),
            Field::FlowDescription if !self.after_flow => self.say(NO_FLOW, key),
            Field::FlowDescription => {
                if let Some(earlier) = self.described.replace(key) {
                    self.repeated(earlier);
                }
            }
            _ => {}
        }
        self.value(Some(field), key, value);
    }

    /// Reports a field that the specification does not define.
    fn unknown(&mut self, key: &'a [u8]) {
        let names = KEYS.iter().filter(|(_, (_, is_older))| !is_older).map(|(name, _)| *name);
        match (Key::of(key), meant(Text::plain(key), names)) {
            (Key::Unknown, Some(meant)) => {
                let message = "the specification does not define {}; did you mean `{}`?";
                let (code, spec) = (Code::MisspelledField, Spec::AgentsTxt01);
                let found = Diagnostic::new(code, self.at(key), spec, "Fields", message);
                self.check.report.add(found.about(Text::plain(key)).meaning(meant));
            }
            (Key::Disallow | Key::CrawlDelay, _) => self.say(OF_ROBOTS, key),
            _ => self.say(UNKNOWN, key),
        }
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
                self.check.report.add(diagnostic.about(Text::plain(key)));
            }
        }
    }

    fn repeated(&mut self, key: &'a [u8]) {
        let message = "{} is repeated, and only the last one counts; keep one";
        let diagnostic =
            Diagnostic::new(Code::DuplicateField, self.at(key), Spec::Ruling, "", message);
        self.check.report.add(diagnostic.about(Text::plain(key)));
    }

    /// Checks a value: first the rules for all values, then the rules for its field.
    fn value(&mut self, field: Option<Field>, key: &'a [u8], value: &'a [u8]) {
        if Text::plain(value).is_blank() {
            let is_required = matches!(field, Some(Field::Site | Field::Url));
            return self.say(if is_required { REQUIRED } else { EMPTY }, key);
        }
        if !matches!(field, Some(Field::Site | Field::Description | Field::FlowDescription))
            && let Some(comment) = comment_in(value)
        {
            self.say(COMMENTED, comment);
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
            Field::Allow => return self.capability(value),
            Field::Capabilities => {
                self.items(value, "Fields");
                let names = Items::new(value).filter(|name| !Text::plain(name).is_blank());
                return names.for_each(|name| self.capability(name));
            }
            _ => self.check.line(rules_of(field), Text::plain(value), "Fields"),
        }
        match field {
            Field::AgentsJson if self.is_elsewhere(value) => self.say(OTHER_COMPANION, value),
            Field::AuditEndpoint if self.is_elsewhere(value) => self.say(OTHER_AUDIT, value),
            Field::RateLimit => self.rate_limit(value),
            Field::Flow => self.flow(value),
            _ => {}
        }
    }

    fn capability(&mut self, name: &'a [u8]) {
        let name = Text::plain(name);
        self.names.add(name);
        self.check.line(rules_of(Field::Allow), name, "Allow Field");
    }

    /// Whether a URL is on another site than `URL` of the document.
    fn is_elsewhere(&self, url: &[u8]) -> bool {
        let site = self.document.value(Field::Url).and_then(Url::parse);
        site.zip(Url::parse(url)).is_some_and(|(site, url)| is_elsewhere(site.host(), url.host()))
    }

    fn rate_limit(&mut self, value: &'a [u8]) {
        let message =
            "{} is not a valid rate limit; write a number per minute, for example 60/minute";
        let requests = read_rate(value).map(|limit| limit.requests);
        if let Some(diagnostic) =
            rules::rate_limit(Spec::AgentsTxt01, "Fields", self.at(value), requests, message)
        {
            self.check.report.add(diagnostic.about(Text::plain(value)));
        }
    }

    fn flow(&mut self, value: &'a [u8]) {
        let (name, steps, plain_arrow) = split_flow(value);
        // Without an arrow, the whole value is the name.
        if name.len() == value.len() {
            return self.say(NO_ARROW, value);
        }
        if plain_arrow && let Some(at) = scan::find(value, b"->") {
            self.say(PLAIN_ARROW, value.get(at..at.saturating_add(2)).unwrap_or_default());
        }
        if name.is_empty() {
            self.say(NO_NAME, name);
        }
        if steps.is_empty() {
            self.say(NO_STEPS, steps);
        }
        self.items(steps, "Flow Field");
    }

    fn items(&mut self, list: &'a [u8], section: &'static str) {
        for item in Items::new(list).filter(|item| Text::plain(item).is_blank()) {
            self.check.say_in(EMPTY_ITEM, Text::plain(item), section);
        }
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
            let name = Text::plain(name.as_bytes());
            self.check.say_about(MISSING, Span::default(), name, "Fields");
        }
        if !companion && self.document.needs_companion() {
            self.check.say_about(NO_COMPANION, Span::default(), Text::EMPTY, "Notes");
        }
    }

    /// Reports duplicate capabilities, and steps that are not capabilities.
    fn names(&mut self, lines: Lines<'a>) {
        let Some(names) = self.names.take().sort(Notation::Text, false) else {
            let message = "duplicate capabilities and the steps of flows were not checked, because the scratch buffer is too small; provide two numbers for each capability";
            return self.check.report.add(not_checked(message));
        };
        for name in names.repeated() {
            self.say(NAME_TWICE, name.raw());
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
                if self.check.report.is_full() {
                    return;
                }
                if !names.contains(Text::plain(step)) {
                    self.say(NO_CAPABILITY, step);
                }
            }
        }
    }

    fn at(&self, part: &[u8]) -> Span {
        Span::of(part, self.document.bytes)
    }

    /// Reports a slice of the document, which the message quotes.
    fn say(&mut self, say: &Say, part: &'a [u8]) {
        self.check.say_in(say, Text::plain(part), "Fields");
    }
}

fn is_contact(text: Text<'_>) -> bool {
    let is_mailto = text.starts_with_ignore_case("mailto:");
    is_email(text.chars())
        || is_mailto && is_email(text.chars().skip("mailto:".len()))
        || is_url(text)
}

/// False for a limit with another window than a minute, and for one without a window.
fn is_per_minute(limit: Text<'_>) -> bool {
    read_rate(limit.raw()).is_none()
        || rate_limit_of(limit.raw()).is_some_and(|limit| limit.window.value == Window::Minute)
}

fn is_ttl(ttl: Text<'_>) -> bool {
    read_ttl(ttl.raw()).is_some()
}

fn has_unit(ttl: Text<'_>) -> bool {
    ttl.raw().ends_with(b"s") || !is_ttl(ttl)
}

fn is_truth(text: Text<'_>) -> bool {
    read_truth(text.raw()).is_some()
}

fn is_no_path(name: Text<'_>) -> bool {
    !name.chars().any(|c| matches!(c, '/' | '*' | '?'))
}

/// False for a name with other characters, unless another finding is about it.
fn is_one_name(name: Text<'_>) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ':');
    !is_no_path(name) || name.chars().all(is_part) || comment_in(name.raw()).is_some()
}

/// True if a URL has the placeholder `:session_id`. A longer name that begins with it does not
/// count.
fn has_session_id(url: Text<'_>) -> bool {
    const PLACEHOLDER: &[u8] = b":session_id";
    // No fragment reaches a server.
    let mut rest = url.raw().split(|octet| *octet == b'#').next().unwrap_or_default();
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
