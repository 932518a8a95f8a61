//! AI preferences: what the content of a site may be used for.
//!
//! `Content-Usage: [path] train-ai=n` is a rule of a group (aipref-attach section 3). The statement
//! with the longest matching path counts; if several have the same path, the stricter one counts.
//! `Content-Signal: ai-train=no` is a field of a group that does not end its list of agents; before
//! the first group, it applies to every agent. Both fields share one list of purposes
//! ([`Purpose`]). If both apply, the stricter one counts.

use super::line::{Key, Line, Lines, trim};
use super::target::{Target, with_target};
use super::{Binding, Group, RobotsTxt, Walk};
use crate::model::{Choice, Enumeration, Purpose, Stance, Vocabulary};
use crate::rules::user_agent::{AgentName, UserAgent};
use crate::scan;
use crate::span::Span;
use crate::syntax::pattern::Pattern;
use crate::syntax::structured_field::dictionary;
use crate::syntax::text::Text;

/// The statement of a line about one purpose.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Preference<'a> {
    /// The purpose, with its name as written.
    pub purpose: Choice<'a, Purpose>,
    /// Whether that use is allowed, with the text as written; [`Stance::NotStated`] if the text is
    /// neither of the two values of the field.
    pub preference: Choice<'a, Stance>,
    /// The pattern of paths as written; empty for all paths.
    pub path: Text<'a>,
    /// The field.
    pub source: Vocabulary,
    /// Byte offsets of name and value.
    pub span: Span,
    /// The line number, from 1.
    pub line: u32,
    /// Name and value as written.
    pub text: Text<'a>,
    /// The group; absent before the first group, where a `Content-Signal` applies to every agent.
    pub group: Option<Group<'a>>,
}

/// The answer of [`RobotsTxt::preference`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Preferred<'a> {
    /// Whether the use is allowed.
    pub stance: Stance,
    /// The statement that decides. With [`Stance::NotStated`], the `Content-Signal` of a group for
    /// `*` that does not reach the agent, because another group names it. Absent without either.
    pub statement: Option<Preference<'a>>,
    /// Whether the agent may fetch the URL. If not, no preference applies to it (aipref-attach
    /// section 3.1).
    pub crawlable: bool,
}

impl<'a> RobotsTxt<'a> {
    /// Returns whether the content at a URL may be used for a purpose, according to the
    /// `Content-Usage` and `Content-Signal` lines for `agent`.
    ///
    /// `agent` and `url_or_path` have the same meaning as in [`decide`](Self::decide). `purpose` is
    /// the name of a [`Purpose`], in either vocabulary, or another label as written. Uses the
    /// statements in the groups that [`decide`](Self::decide) uses, and the `Content-Signal` lines
    /// before the first group. Linear in the document and, for each line of the agent, in the URL.
    ///
    /// ```
    /// use agentsdisc_core::format::robots_txt::RobotsTxt;
    /// use agentsdisc_core::manifest::Stance;
    /// let robots = RobotsTxt::parse(b"User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /open/ train-ai=y\n");
    /// assert_eq!(robots.preference("ExampleBot", "/a", "train-ai").stance, Stance::Disallow);
    /// let open = robots.preference("ExampleBot", "https://example.com/open/a", "ai-train");
    /// assert_eq!((open.stance, open.statement.unwrap().line), (Stance::Allow, 3));
    /// ```
    pub fn preference(
        &self,
        agent: impl AsRef<[u8]>,
        url_or_path: impl AsRef<[u8]>,
        purpose: impl AsRef<[u8]>,
    ) -> Preferred<'a> {
        let agent = UserAgent::of(agent.as_ref());
        self.preference_of(agent, url_or_path.as_ref(), purpose.as_ref())
    }

    /// Like [`preference`](Self::preference), but also reads the value of the `Content-Usage`
    /// header of the response. Several header lines must be joined by commas. The stricter of both
    /// counts (aipref-vocab section 5.1). Also returns whether the header decides.
    pub fn preference_with(
        &self,
        agent: impl AsRef<[u8]>,
        url_or_path: impl AsRef<[u8]>,
        purpose: impl AsRef<[u8]>,
        content_usage: impl AsRef<[u8]>,
    ) -> (Preferred<'a>, bool) {
        let stated = self.preference(agent, url_or_path, purpose.as_ref());
        let header = stance_of_header(content_usage.as_ref(), purpose.as_ref());
        match header > stated.stance {
            true => {
                let by_header = Preferred { stance: header, statement: None, ..stated };
                (by_header, true)
            }
            false => (stated, false),
        }
    }

    pub(crate) fn preference_of(
        &self,
        agent: UserAgent<'_>,
        url_or_path: &[u8],
        purpose: &[u8],
    ) -> Preferred<'a> {
        let found = with_target(url_or_path, |target| {
            let crawlable = self.decide_at(agent, target).allowed;
            self.preference_at(agent, target, purpose, crawlable)
        });
        found.unwrap_or(Preferred { stance: Stance::NotStated, statement: None, crawlable: false })
    }

    fn preference_at(
        &self,
        agent: UserAgent<'_>,
        target: Target<'_>,
        purpose: &[u8],
        crawlable: bool,
    ) -> Preferred<'a> {
        self.strictest(
            agent,
            |name| self.preference_for(name, target, purpose, crawlable),
            |preferred| preferred.stance,
        )
    }

    /// Whether an agent may fetch the root of the site.
    pub(super) fn is_root_allowed(&self, agent: &[u8]) -> bool {
        let decided = |target: Target<'_>| self.decide_at(UserAgent::of(agent), target).allowed;
        with_target(b"/", decided).unwrap_or_default()
    }

    /// Whether one of the answers of [`preference`](Self::preference) for the root of the site and
    /// each purpose `is_wanted`. The agent may fetch the root.
    pub(super) fn any_at_root<'p>(
        &self,
        agent: &[u8],
        mut purposes: impl Iterator<Item = &'p str>,
        mut is_wanted: impl FnMut(Preferred<'a>) -> bool,
    ) -> bool {
        let agent = UserAgent::of(agent);
        let found = with_target(b"/", |target| {
            purposes.any(|purpose| {
                is_wanted(self.preference_at(agent, target, purpose.as_bytes(), true))
            })
        });
        found.unwrap_or_default()
    }

    fn preference_for(
        &self,
        agent: AgentName<'_>,
        target: Target<'_>,
        purpose: &[u8],
        crawlable: bool,
    ) -> (Preferred<'a>, Binding) {
        let mut walk = Walk::new(agent);
        // The best matches of both fields for each kind of binding, and the signals of the current
        // group.
        let (mut found, mut open) = ([Fields::default(); 3], Fields::default());
        for line in self.lines() {
            let binding = match line.key {
                Key::UserAgent => {
                    if walk.opens_group() {
                        Fields::join(&mut found, walk.open, &mut open);
                    }
                    walk.user_agent(line);
                    continue;
                }
                Key::Allow | Key::Disallow => {
                    walk.rule();
                    continue;
                }
                Key::ContentUsage if walk.rule() == Binding::None => continue,
                Key::ContentUsage | Key::ContentSignal => walk.open,
                _ => continue,
            };
            let statement = Statement::of(line, purpose);
            let pattern = Pattern::new(statement.path);
            if !statement.path.is_empty() && !target.is_matched_by(pattern) {
                continue;
            }
            let best = Best {
                specificity: pattern.specificity(),
                stance: statement.stance(purpose),
                line: Some((line, walk.group)),
            };
            match (statement.field, walk.group.1) {
                (Vocabulary::ContentUsage, _) => {
                    if let Some(fields) = found.get_mut(binding as usize) {
                        fields.usage.meet(best);
                    }
                }
                (_, 0) => found.iter_mut().for_each(|fields| fields.signal.meet(best)),
                _ => open.signal.meet(best),
            }
        }
        Fields::join(&mut found, walk.open, &mut open);
        // By reference, because a copy is large for a small stack.
        let nothing = Best::default();
        let decides = match found.get(walk.binding() as usize) {
            Some(own) if own.usage.stance >= own.signal.stance => &own.usage,
            Some(own) => &own.signal,
            None => &nothing,
        };
        let is_stated = crawlable && decides.stance != Stance::NotStated;
        let shown = match (walk.binding(), &found) {
            _ if is_stated => decides,
            // The signals of the groups for `*` do not reach an agent that other groups name.
            (Binding::Named, [_, Fields { signal, .. }, _]) if crawlable => signal,
            _ => &nothing,
        };
        let statement = shown.line.filter(|_| shown.stance != Stance::NotStated);
        let statement = statement.and_then(|(line, group)| {
            let statement = Statement::of(line, purpose);
            let part = statement.deciding(purpose)?;
            Some(self.stated(&statement, part, line.number, self.group_at(group)))
        });
        let stance = if is_stated { decides.stance } else { Stance::NotStated };
        let preferred = Preferred { stance, statement, crawlable };
        (preferred, walk.binding())
    }

    /// The preferences, in document order, one for each purpose of a line. Without `Content-Usage`
    /// lines before the first group, which have no effect.
    pub fn preferences(&self) -> Preferences<'a> {
        Preferences {
            robots: *self,
            lines: self.lines(),
            line: None,
            next: 0,
            place: Place::default(),
            group: (b"", 0),
        }
    }

    fn group_at(&self, (from, line): (&'a [u8], u32)) -> Option<Group<'a>> {
        (line > 0).then_some(Group { robots: *self, from, line })
    }

    fn stated(
        &self,
        statement: &Statement<'a>,
        part: Part<'a>,
        line: u32,
        group: Option<Group<'a>>,
    ) -> Preference<'a> {
        Preference {
            purpose: Choice { value: part.purpose, text: Some(Text::plain(part.label)) },
            preference: Choice { value: part.stance, text: Some(Text::plain(part.value)) },
            path: Text::plain(statement.path),
            source: statement.field,
            span: self.span(part.text),
            text: Text::plain(part.text),
            line,
            group,
        }
    }
}

/// Returns the stance on a purpose that the value of a `Content-Usage` header states (aipref-vocab
/// section 6).
pub(crate) fn stance_of_header(value: &[u8], purpose: &[u8]) -> Stance {
    Statement::of_usage(b"", value, purpose).stance(purpose)
}

/// The best match of a field so far.
#[derive(Clone, Copy)]
struct Best<'a> {
    specificity: usize,
    stance: Stance,
    /// The line and its group.
    line: Option<(Line<'a>, (&'a [u8], u32))>,
}

impl Default for Best<'_> {
    fn default() -> Self {
        Self { specificity: 0, stance: Stance::NotStated, line: None }
    }
}

impl Best<'_> {
    /// Replaces this match by `other` if the path of `other` is longer, or equally long and `other`
    /// is stricter.
    fn meet(&mut self, other: Self) {
        if (other.specificity, other.stance) > (self.specificity, self.stance) {
            *self = other;
        }
    }
}

/// The best matches of both fields.
#[derive(Clone, Copy, Default)]
struct Fields<'a> {
    usage: Best<'a>,
    signal: Best<'a>,
}

impl Fields<'_> {
    /// Adds the signals of a group, at its end, where its binding is known.
    fn join(found: &mut [Self; 3], binding: Binding, group: &mut Self) {
        if let Some(fields) = found.get_mut(binding as usize)
            && binding != Binding::None
        {
            fields.signal.meet(group.signal);
        }
        *group = Self::default();
    }
}

/// The maximum number of listed labels of a statement that are not names of purposes
/// (`UNKNOWN_PARTS`), and of all listed labels (`PARTS`), including the names of purposes and the
/// wanted label.
const UNKNOWN_PARTS: usize = 12;
const PARTS: usize = UNKNOWN_PARTS + Purpose::NAMES.len() + 1;

/// The value of a line: a path, and a value for each label.
pub(super) struct Statement<'a> {
    pub(super) field: Vocabulary,
    /// The pattern of paths; empty for all paths.
    pub(super) path: &'a [u8],
    parts: [Part<'a>; PARTS],
    count: usize,
    /// Whether the value follows its grammar.
    pub(super) is_regular: bool,
    /// A label that is repeated with another value.
    pub(super) repeated: Option<Part<'a>>,
    /// The first label that is not listed because there are too many labels.
    pub(super) left_out: Option<Part<'a>>,
}

/// A label with its value.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) label: &'a [u8],
    pub(super) value: &'a [u8],
    /// In a `Content-Usage`, the parameters behind the value.
    parameters: &'a [u8],
    /// Label and value.
    pub(super) text: &'a [u8],
    pub(super) purpose: Purpose,
    pub(super) stance: Stance,
}

impl<'a> Part<'a> {
    const NONE: Self = Self {
        label: b"",
        value: b"",
        parameters: b"",
        text: b"",
        purpose: Purpose::Unknown,
        stance: Stance::NotStated,
    };

    /// Returns the first parameter with the name of a purpose.
    pub(super) fn purpose_in_parameters(&self) -> Option<&'a [u8]> {
        let parameters = self.parameters.split(|octet| *octet == b';').map(trim);
        parameters.skip(1).find(|parameter| {
            let name = parameter.split(|octet| *octet == b'=').next();
            Purpose::of(Text::plain(name.unwrap_or_default())) != Purpose::Unknown
        })
    }

    fn is_for(&self, purpose: &[u8]) -> bool {
        let wanted = purpose_named(purpose);
        match self.purpose {
            Purpose::Unknown => self.label == purpose,
            own => own == wanted,
        }
    }
}

impl<'a> Statement<'a> {
    /// Reads the value of a line of either field. The label for the purpose `wanted` is always
    /// listed, however many labels precede it.
    pub(super) fn of(line: Line<'a>, wanted: &[u8]) -> Self {
        let end = match line.value {
            [b'/', ..] => scan::memchr2(b' ', b'\t', line.value).unwrap_or(line.value.len()),
            _ => 0,
        };
        let (path, value) = line.value.split_at_checked(end).unwrap_or_default();
        match line.key {
            Key::ContentSignal => Self::of_signals(path, value, wanted),
            _ => Self::of_usage(path, value, wanted),
        }
    }

    const fn new(field: Vocabulary, path: &'a [u8]) -> Self {
        Self {
            field,
            path,
            parts: [Part::NONE; PARTS],
            count: 0,
            is_regular: true,
            repeated: None,
            left_out: None,
        }
    }

    fn of_usage(path: &'a [u8], value: &'a [u8], wanted: &[u8]) -> Self {
        let mut statement = Self::new(Vocabulary::ContentUsage, path);
        let is_regular = dictionary(value, |member| {
            let stance = match member.token {
                Some(b"y") => Stance::Allow,
                Some(b"n") => Stance::Disallow,
                _ => Stance::NotStated,
            };
            let value = member.text.get(member.key.len()..).unwrap_or_default();
            statement.add(
                Part {
                    label: member.key,
                    value: member
                        .token
                        .unwrap_or_else(|| value.strip_prefix(b"=").unwrap_or(value)),
                    parameters: member.parameters,
                    text: member.text,
                    purpose: Purpose::of(Text::plain(member.key)),
                    stance,
                },
                wanted,
            );
        });
        if !is_regular {
            statement.count = 0;
        }
        statement.is_regular = is_regular && statement.count > 0;
        statement
    }

    fn of_signals(path: &'a [u8], value: &'a [u8], wanted: &[u8]) -> Self {
        let mut statement = Self::new(Vocabulary::ContentSignal, path);
        let mut rest = Some(value);
        while let Some(value) = rest {
            let (text, behind) = first_signal(value);
            statement.is_regular &= !behind.starts_with(b" ") && !behind.starts_with(b"\t");
            rest = behind.get(1..);
            let text = trim(text);
            let equals = scan::memchr2(b'=', b':', text).and_then(|at| text.split_at_checked(at));
            let Some((label, [sign, value @ ..])) = equals else {
                statement.is_regular = false;
                continue;
            };
            let (label, value) = (trim(label), trim(value));
            let (bare, label) = (unquoted(value), unquoted(label));
            let is = |words: &[&str]| {
                words.iter().any(|word| bare.eq_ignore_ascii_case(word.as_bytes()))
            };
            let is_word = is(&["yes", "no"]);
            let stance = match () {
                () if is(&["yes", "y", "true", "allow", "1"]) => Stance::Allow,
                () if is(&["no", "n", "false", "disallow", "deny", "0"]) => Stance::Disallow,
                () => Stance::NotStated,
            };
            let is_stated = is_word || stance == Stance::NotStated;
            let is_bare = scan::memchr2(b'"', b'\'', text).is_none();
            statement.is_regular &= !label.is_empty() && *sign == b'=' && is_stated && is_bare;
            statement.add(
                Part { label, value, parameters: b"", text, purpose: purpose_named(label), stance },
                wanted,
            );
        }
        statement.is_regular &= statement.count > 0;
        statement
    }

    /// Adds a label. If a label is repeated, its last value counts in a `Content-Usage` (RFC 9651),
    /// its stricter value in a `Content-Signal`.
    fn add(&mut self, part: Part<'a>, wanted: &[u8]) {
        let is_kept =
            part.purpose != Purpose::Unknown || (!wanted.is_empty() && part.is_for(wanted));
        let signals = self.field == Vocabulary::ContentSignal;
        let is_same = |own: &&mut Part<'a>| match signals {
            true => own.label.eq_ignore_ascii_case(part.label),
            false => own.label == part.label,
        };
        if let Some(own) = self.parts.iter_mut().take(self.count).find(is_same) {
            if own.stance != part.stance {
                self.repeated = Some(part);
            }
            if !signals || part.stance > own.stance {
                *own = part;
            }
        } else if (is_kept || self.unknown_count() < UNKNOWN_PARTS)
            && let Some(free) = self.parts.get_mut(self.count)
        {
            *free = part;
            self.count = self.count.wrapping_add(1);
        } else {
            self.left_out = self.left_out.or(Some(part));
        }
    }

    fn unknown_count(&self) -> usize {
        let is_unknown = |part: &&Part<'_>| part.purpose == Purpose::Unknown;
        self.parts().iter().filter(is_unknown).count()
    }

    pub(super) fn parts(&self) -> &[Part<'a>] {
        self.parts.get(..self.count).unwrap_or_default()
    }

    /// Returns the label that decides about a purpose: the strictest one.
    fn deciding(&self, purpose: &[u8]) -> Option<Part<'a>> {
        let parts = self.parts().iter().filter(|part| part.is_for(purpose));
        parts.copied().max_by_key(|part| part.stance)
    }

    pub(super) fn stance(&self, purpose: &[u8]) -> Stance {
        self.deciding(purpose).map_or(Stance::NotStated, |part| part.stance)
    }
}

/// Returns the purpose of a label in a `Content-Signal` or of a question, ignoring the separators
/// between its words, and blanks around it.
fn purpose_named(label: &[u8]) -> Purpose {
    fn letters(name: &[u8]) -> impl Iterator<Item = u8> {
        let is_separator = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'-' | b'_');
        let letters = name.iter().filter(move |byte| !is_separator(byte));
        letters.map(u8::to_ascii_lowercase)
    }
    let mut names = Purpose::NAMES.iter();
    let named = names.find(|(name, _)| letters(name.as_bytes()).eq(letters(label)));
    named.map_or(Purpose::Unknown, |(_, purpose)| *purpose)
}

/// Returns a text without the quotation marks at its ends.
fn unquoted(mut text: &[u8]) -> &[u8] {
    while let [b'"' | b'\'', rest @ ..] | [rest @ .., b'"' | b'\''] = text {
        text = rest;
    }
    text
}

/// Returns the first signal of a list, and the text from the separator behind it on. The separator
/// is a comma, a semicolon, or a blank before the next label.
fn first_signal(value: &[u8]) -> (&[u8], &[u8]) {
    let next = |from: usize| {
        let is_sign = |byte: &u8| matches!(byte, b',' | b';' | b'=' | b':');
        let length = value.get(from..)?.iter().position(is_sign)?;
        let at = from.checked_add(length)?;
        let equals = matches!(value.get(at), Some(b'=' | b':'));
        Some((at, equals))
    };
    let mut sign = next(0);
    let mut from = 0;
    while let Some((at, true)) = sign {
        let label = value.get(from..at).unwrap_or_default().trim_ascii_end();
        let blank = label.iter().rposition(u8::is_ascii_whitespace);
        let blank = blank.map(|blank| from.saturating_add(blank));
        let has_value = |blank: &usize| {
            let value = value.get(from..*blank).unwrap_or_default();
            from > 0 && !value.trim_ascii().is_empty()
        };
        if let Some(blank) = blank.filter(has_value) {
            return value.split_at_checked(blank).unwrap_or_default();
        }
        from = at.saturating_add(1);
        sign = next(from);
    }
    let end = sign.map_or(value.len(), |(at, _)| at);
    value.split_at_checked(end).unwrap_or_default()
}

/// The state of a walk over the preferences, without its position.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Place {
    /// The number of groups so far.
    pub(super) groups: u32,
    /// True if the next `User-agent` line belongs to the last group.
    pub(super) in_agents: bool,
}

/// The preferences of a robots.txt.
#[derive(Clone, Copy, Debug)]
pub struct Preferences<'a> {
    pub(super) robots: RobotsTxt<'a>,
    pub(super) lines: Lines<'a>,
    /// The line whose purposes are being returned, and the index of the next purpose.
    pub(super) line: Option<Line<'a>>,
    pub(super) next: u8,
    pub(super) place: Place,
    pub(super) group: (&'a [u8], u32),
}

impl<'a> Iterator for Preferences<'a> {
    type Item = Preference<'a>;

    fn next(&mut self) -> Option<Preference<'a>> {
        loop {
            if let Some(line) = self.line {
                let statement = Statement::of(line, b"");
                if let Some(part) = statement.parts().get(usize::from(self.next)) {
                    self.next = self.next.wrapping_add(1);
                    let group = self.robots.group_at(self.group);
                    return Some(self.robots.stated(&statement, *part, line.number, group));
                }
                self.line = None;
            }
            let line = self.lines.next()?;
            match line.key {
                Key::UserAgent if !self.place.in_agents => {
                    self.place.groups = self.place.groups.saturating_add(1);
                    self.group = (line.from, line.number);
                }
                _ => {}
            }
            match line.key {
                Key::UserAgent => self.place.in_agents = true,
                key if key.is_rule() => self.place.in_agents = false,
                _ => {}
            }
            let is_stated = match line.key {
                Key::ContentSignal => true,
                Key::ContentUsage => self.place.groups > 0,
                _ => false,
            };
            if is_stated {
                (self.line, self.next) = (Some(line), 0);
            }
        }
    }
}
