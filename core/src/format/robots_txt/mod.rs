//! robots.txt (RFC 9309): which agent may fetch which URL.
//!
//! Parsing only determines the part of the document that is read. A query reads the lines once. It
//! keeps the best matching rule of the groups that name the agent, and the best matching rule of
//! the groups for `*`.
//!
//! RFC 9309 leaves some cases open, and the widely used open-source parser is more lenient in
//! others. This parser decides as follows:
//!
//! - Lines end in LF, CRLF or CR. `#` starts a comment anywhere. A key may have one of the usual
//!   misspellings. It may be longer than a known name that it begins with. Its colon may be missing
//!   if the line has two words.
//! - Only `Allow`, `Disallow` and `Content-Usage` end the list of agents of a group. Other fields
//!   between two `User-agent` lines do not (2.2.4). One of these is `Crawl-delay`, which applies to
//!   the agents named above it in its group; another is `Content-Signal`, which applies to all
//!   agents of its group.
//! - The name in a `User-agent` value ends at a blank, `/`, `*`, a bracket, a comma or a semicolon.
//!   So it may have digits, unlike the product token of RFC 9309. Whole names are compared. A blank
//!   and more text may follow `*`.
//! - An incomplete byte order mark is skipped like a complete one.
//! - Rules before the first group have no effect.
//! - If `Allow: …/index.html` (or `.htm`) does not match, it also allows the directory.
//! - A pattern that does not begin with `/` or `*` matches nothing.
//! - A robots.txt in UTF-16 or UTF-32 cannot be read. A `Disallow` with a value in it disallows
//!   everything.

mod about;
mod check;
mod compiled;
pub(crate) mod line;
mod parts;
mod preferences;
pub(crate) mod reading;
pub(crate) mod sections;
mod target;
pub(crate) mod unread;
pub(crate) mod wide;

use crate::limits::Limits;
use crate::rules::user_agent::{AgentName, UserAgent};
use crate::scan;
use crate::span::Span;
use crate::syntax::pattern::Pattern;
use crate::syntax::text::{Text, byte_order_mark, starts_with};
pub use compiled::{Compiled, CompiledRule};
use line::{Key, Line, Lines};
pub use parts::{
    Agent, Agents, CrawlDelay, Group, Groups, Other, Others, Rule, Rules, Sitemap, Sitemaps,
};
pub(crate) use preferences::stance_of_header;
pub use preferences::{Preference, Preferences, Preferred};
use target::{Target, with_target};

/// A robots.txt, in any encoding.
///
/// Available in every build. The Cargo feature `robots-txt` only decides whether
/// [`Document`](crate::Document), the policy and discovery read the format.
///
/// ```
/// use agentsdisc_core::format::robots_txt::RobotsTxt;
/// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /private\nAllow: /private/but-this\n");
/// assert!(!robots.allowed("ExampleBot", "https://example.com/private/x"));
/// assert!(robots.allowed("ExampleBot", "/private/but-this?q"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RobotsTxt<'a> {
    bytes: &'a [u8],
    /// The part that is read: without a byte order mark, up to the size limit.
    body: &'a [u8],
    line_limit: usize,
}

/// Returns the length of the byte order marks at the start of a robots.txt, in bytes. Some tools
/// write two, or omit the first bytes of one.
pub(crate) fn byte_order_marks(bytes: &[u8]) -> usize {
    let first = byte_order_mark(bytes);
    let rest = bytes.get(first..).unwrap_or_default();
    first.saturating_add(match rest {
        [0xBB, 0xBF, ..] => 2,
        [0xBF, ..] => 1,
        _ => byte_order_mark(rest),
    })
}

impl<'a> RobotsTxt<'a> {
    /// The rules to use if there is no robots.txt, for example after a 4xx status (RFC 9309 section
    /// 2.3.1.3).
    pub const ALLOW_ALL: RobotsTxt<'static> = RobotsTxt::whole(b"");

    /// The rules to use if robots.txt is unreachable, for example after a 5xx status (RFC 9309
    /// section 2.3.1.4).
    pub const DISALLOW_ALL: RobotsTxt<'static> = RobotsTxt::whole(b"User-agent: *\nDisallow: /\n");

    const fn whole(bytes: &'a [u8]) -> Self {
        Self { bytes, body: bytes, line_limit: Limits::DEFAULT.line }
    }

    /// Reads a robots.txt with the default limits. Never fails. Takes constant time.
    pub fn parse(bytes: &'a [u8]) -> Self {
        Self::parse_with(bytes, &Limits::DEFAULT)
    }

    /// Reads the first [`Limits::robots`] bytes of a robots.txt (section 2.5). Ignores the line
    /// that crosses this limit, because half a path would match more URLs. Skips lines longer than
    /// [`Limits::line`].
    pub fn parse_with(bytes: &'a [u8], limits: &Limits) -> Self {
        // Offsets have 32 bits.
        let limit = limits.robots.min(u32::MAX as usize);
        let read = match bytes.split_at_checked(limit) {
            None | Some((_, [])) => bytes,
            Some((read, [b'\n' | b'\r', ..])) => read,
            Some((read, _)) => {
                let end = scan::memrchr2(b'\n', b'\r', read).map_or(0, |at| at.wrapping_add(1));
                read.get(..end).unwrap_or_default()
            }
        };
        Self {
            bytes,
            body: read.get(byte_order_marks(read)..).unwrap_or_default(),
            line_limit: limits.line,
        }
    }

    /// The whole document, including the part that is not read.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// True if a part of the document is not read because of the size limit.
    pub fn is_cut(&self) -> bool {
        (Span::of(self.body, self.bytes).end as usize) < self.bytes.len()
    }

    /// True if `agent` may fetch `url_or_path`. See [`decide`](Self::decide).
    pub fn allowed(&self, agent: impl AsRef<[u8]>, url_or_path: impl AsRef<[u8]>) -> bool {
        self.decide(agent, url_or_path).allowed
    }

    /// Decides whether `agent` may fetch `url_or_path`, and returns the reason (sections 2.2.1 to
    /// 2.2.3).
    ///
    /// `agent` is a name or a User-Agent; letter case is ignored. For a User-Agent in the style of a
    /// browser, `Mozilla/5.0 (compatible; FooBot/1.0)`, it is the agent's own name; that of a
    /// browser has none. An invalid agent may fetch nothing. All groups that name the agent apply;
    /// if none does, all groups for `*` apply. The longest matching pattern decides; if two have
    /// the same length, `Allow` wins. Without a match, the agent may fetch the URL. If the
    /// User-Agent has more names, a denial in the groups of any of them counts. A `Disallow` in
    /// UTF-16 or UTF-32, whose value and agents cannot be read, disallows everything; its line is
    /// the pattern of the rule.
    ///
    /// Only the path and the query of a URL are matched, without dot segments, written as `.` or
    /// `%2e`. Takes linear time in the document, plus linear time in the URL for each rule of the
    /// agent, so limit the length of untrusted URLs.
    ///
    /// ```
    /// use agentsdisc_core::format::robots_txt::{Reason, RobotsTxt};
    /// let robots = RobotsTxt::parse(b"User-agent: FooBot\nDisallow: /*.pdf$ # no files\n");
    /// let verdict = robots.decide("foobot/2.1", "https://example.com/a.pdf");
    /// assert_eq!((verdict.allowed, verdict.reason), (false, Reason::Rule));
    /// let rule = verdict.rule.unwrap();
    /// assert_eq!(rule.pattern, "/*.pdf$");
    /// # assert_eq!(robots.decide("BarBot", "/a.pdf").reason, Reason::NoGroup);
    /// ```
    pub fn decide(&self, agent: impl AsRef<[u8]>, url_or_path: impl AsRef<[u8]>) -> Verdict<'a> {
        self.decide_for(UserAgent::of(agent.as_ref()), url_or_path.as_ref())
    }

    pub(crate) fn decide_for(&self, agent: UserAgent<'_>, url_or_path: &[u8]) -> Verdict<'a> {
        with_target(url_or_path, |target| self.decide_at(agent, target))
            .unwrap_or(Verdict::INVALID_URL)
    }

    fn decide_at(&self, agent: UserAgent<'_>, target: Target<'_>) -> Verdict<'a> {
        self.decided(agent.is_valid(), target, || {
            self.strictest(agent, |name| self.verdict(name, target), Verdict::strictness)
        })
    }

    /// The verdict, if it needs no rules, otherwise that of `by_rules`.
    #[inline]
    fn decided(
        &self,
        is_agent: bool,
        target: Target<'_>,
        by_rules: impl FnOnce() -> Verdict<'a>,
    ) -> Verdict<'a> {
        if !is_agent {
            return Verdict::without_rule(false, Reason::InvalidAgent);
        }
        if target.is_robots_file() {
            return Verdict::without_rule(true, Reason::RobotsFile);
        }
        if let Some(line) = self.unread_restriction() {
            return self.unread_verdict(line);
        }
        by_rules()
    }

    /// The strictest answer for the names of an agent. `ask` also returns which groups apply.
    fn strictest<T, K: PartialOrd>(
        &self,
        agent: UserAgent<'_>,
        mut ask: impl FnMut(AgentName<'_>) -> (T, Binding),
        strictness: impl Fn(&T) -> K,
    ) -> T {
        let (own, _) = ask(agent.name());
        strictest_of(own, agent.names().skip(1).map(ask), strictness)
    }

    /// The first `Disallow` with a value in a robots.txt in UTF-16 or UTF-32, to the end of its line.
    /// Constant time for other encodings.
    pub(crate) fn unread_restriction(&self) -> Option<Text<'a>> {
        wide::is_wide(self.bytes).then(|| wide::restrictions(self.body)?.next())?
    }

    #[cold]
    #[inline(never)]
    fn unread_verdict(&self, line: Text<'a>) -> Verdict<'a> {
        let start = self.span(line.raw()).start as usize;
        let above = self.bytes.iter().take(start).filter(|octet| **octet == b'\n').count();
        let group = Group { robots: *self, from: self.body, line: 1 };
        let rule = self.rule(false, line.raw(), (above as u32).saturating_add(1), group);
        Verdict { allowed: false, rule: Some(rule), binding: Binding::Any, reason: Reason::Rule }
    }

    fn verdict(&self, agent: AgentName<'_>, target: Target<'_>) -> (Verdict<'a>, Binding) {
        let mut walk = Walk::new(agent);
        let (mut named, mut any) = (None, None);
        for line in self.lines() {
            let Some(binding) = walk.pass(line) else { continue };
            let allow = line.key == Key::Allow;
            let best: &mut Option<Candidate<'a>> = match binding {
                Binding::None => continue,
                Binding::Any => &mut any,
                Binding::Named => &mut named,
            };
            if let Some(specificity) = specificity(allow, line.value, target)
                && best.is_none_or(|best| {
                    specificity > best.specificity
                        || (specificity == best.specificity && allow && !best.allow)
                })
            {
                *best = Some(Candidate {
                    specificity,
                    allow,
                    line: line.number,
                    pattern: line.value,
                    group: walk.group,
                });
            }
        }
        let binding = walk.binding();
        let best = match binding {
            Binding::None => None,
            Binding::Any => any,
            Binding::Named => named,
        };
        (self.answer(binding, best), binding)
    }

    /// The verdict by the best rule of the groups that apply.
    fn answer(&self, binding: Binding, best: Option<Candidate<'a>>) -> Verdict<'a> {
        match best {
            None => {
                let reason =
                    if binding == Binding::None { Reason::NoGroup } else { Reason::NoRule };
                Verdict { allowed: true, rule: None, binding, reason }
            }
            Some(best) => {
                let group = Group { robots: *self, from: best.group.0, line: best.group.1 };
                let rule = self.rule(best.allow, best.pattern, best.line, group);
                Verdict { allowed: best.allow, rule: Some(rule), binding, reason: Reason::Rule }
            }
        }
    }

    /// The groups, in document order. Groups of the same agent are not merged. Iterating over all
    /// of them takes linear time.
    ///
    /// ```
    /// use agentsdisc_core::format::robots_txt::RobotsTxt;
    /// let robots = RobotsTxt::parse(b"User-agent: a\nUser-agent: b\nDisallow: /x\nAllow: /x/y\nUser-agent: *\nDisallow:\n");
    /// assert_eq!(robots.groups().map(|group| (group.agents().count(), group.rules().count())).collect::<Vec<_>>(), [(2, 2), (1, 1)]);
    /// ```
    pub fn groups(&self) -> Groups<'a> {
        Groups { robots: *self, lines: self.lines(), open: false }
    }

    /// The `Sitemap` lines (section 2.2.4). They do not belong to groups.
    pub fn sitemaps(&self) -> Sitemaps<'a> {
        Sitemaps { robots: *self, lines: self.lines(), key: Key::Sitemap }
    }

    /// The `Agentmap` lines: URLs of AI catalogs. They do not belong to groups.
    pub fn agentmaps(&self) -> Sitemaps<'a> {
        Sitemaps { key: Key::Agentmap, ..self.sitemaps() }
    }

    /// The `License` lines: URLs of licences of Really Simple Licensing. They do not belong to groups.
    pub fn licenses(&self) -> Sitemaps<'a> {
        Sitemaps { key: Key::License, ..self.sitemaps() }
    }

    /// The lines with fields that neither RFC 9309 nor this library defines (section 2.2.4).
    pub fn other_fields(&self) -> Others<'a> {
        Others { robots: *self, lines: self.lines() }
    }

    /// The first `Crawl-delay` for `agent` in the groups that name it; if no group names it, in the
    /// groups for `*`. The longest one, if the User-Agent has several names. An extension of RFC
    /// 9309. Takes linear time.
    ///
    /// ```
    /// use agentsdisc_core::format::robots_txt::RobotsTxt;
    /// let robots = RobotsTxt::parse(b"User-agent: *\nCrawl-delay: 2.5\n\nUser-agent: FooBot\nDisallow: /x\n");
    /// assert_eq!(robots.crawl_delay("BarBot").unwrap().milliseconds(), Some(2500));
    /// assert!(robots.crawl_delay("FooBot").is_none());
    /// ```
    pub fn crawl_delay(&self, agent: impl AsRef<[u8]>) -> Option<CrawlDelay<'a>> {
        self.delay_for(UserAgent::of(agent.as_ref()))
    }

    pub(crate) fn delay_for(&self, agent: UserAgent<'_>) -> Option<CrawlDelay<'a>> {
        self.strictest(
            agent,
            |name| self.delay_of(name),
            |delay| delay.map(|delay| delay.milliseconds()),
        )
    }

    fn delay_of(&self, agent: AgentName<'_>) -> (Option<CrawlDelay<'a>>, Binding) {
        let mut walk = Walk::new(agent);
        // The first delay for each kind of binding.
        let mut found = [None; 3];
        for line in self.lines() {
            if line.key != Key::CrawlDelay {
                walk.pass(line);
            } else if let Some(place) = found.get_mut(walk.open as usize) {
                place.get_or_insert((line.value, line.number));
            }
        }
        let binding = walk.binding();
        let delay = found
            .get(binding as usize)
            .copied()
            .flatten()
            .filter(|_| binding != Binding::None)
            .map(|(value, line)| self.delay(value, line));
        (delay, binding)
    }

    fn lines(&self) -> Lines<'a> {
        Lines::new(self.body, 1, self.line_limit)
    }

    fn span(&self, part: &[u8]) -> Span {
        Span::of(part, self.bytes)
    }

    fn rule(&self, allow: bool, pattern: &'a [u8], line: u32, group: Group<'a>) -> Rule<'a> {
        Rule { allow, pattern: Text::plain(pattern), span: self.span(pattern), line, group }
    }

    fn delay(&self, value: &'a [u8], line: u32) -> CrawlDelay<'a> {
        CrawlDelay { text: Text::plain(value), span: self.span(value), line }
    }
}

/// The strictest of the answer for an agent's own name, and those for its other names if groups
/// name them.
fn strictest_of<T, K: PartialOrd>(
    own: T,
    others: impl Iterator<Item = (T, Binding)>,
    strictness: impl Fn(&T) -> K,
) -> T {
    let mut strictest = own;
    for (answer, binding) in others {
        if binding == Binding::Named && strictness(&answer) > strictness(&strictest) {
            strictest = answer;
        }
    }
    strictest
}

/// The best rule so far.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    specificity: usize,
    allow: bool,
    line: u32,
    pattern: &'a [u8],
    group: (&'a [u8], u32),
}

/// Returns the specificity of a rule if it matches.
#[inline]
fn specificity(allow: bool, value: &[u8], target: Target<'_>) -> Option<usize> {
    let pattern = Pattern::new(value);
    if target.is_matched_by(pattern) {
        return Some(pattern.specificity());
    }
    if !allow {
        return None;
    }
    let pattern = Pattern::anchored(directory_of_index(value)?);
    target.is_matched_by(pattern).then(|| pattern.specificity())
}

/// The directory of an index page. If the page is allowed, the directory is, too.
fn directory_of_index(value: &[u8]) -> Option<&[u8]> {
    let slash = scan::memrchr(b'/', value)?;
    let (directory, page) = value.split_at_checked(slash.saturating_add(1))?;
    page.starts_with(b"index.htm").then_some(directory)
}

/// The groups that apply to an agent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Binding {
    /// No group.
    None,
    /// The groups for `*`.
    Any,
    /// The groups that name the agent.
    Named,
}

/// Tracks the current group during a pass over the lines, and whether it applies to the agent.
struct Walk<'a, 'q> {
    name: &'q [u8],
    /// The binding by the `User-agent` lines of the current group so far.
    open: Binding,
    /// The strongest binding of all groups so far.
    best: Binding,
    /// True once a rule has ended the list of agents.
    in_rules: bool,
    /// The current group: the document from its first line, and the number of that line.
    group: (&'a [u8], u32),
}

impl<'a, 'q> Walk<'a, 'q> {
    fn new(agent: AgentName<'q>) -> Self {
        Self {
            name: agent_name(agent.word),
            open: Binding::None,
            best: Binding::None,
            in_rules: true,
            group: (b"", 0),
        }
    }

    #[inline]
    fn user_agent(&mut self, line: Line<'a>) {
        if self.in_rules {
            self.in_rules = false;
            self.open = Binding::None;
            self.group = (line.from, line.number);
        }
        if is_any(line.value) {
            self.open = self.open.max(Binding::Any);
        } else if names(line.value, self.name) {
            self.open = Binding::Named;
        }
        self.best = self.best.max(self.open);
    }

    /// Passes a line. Returns the binding of an `Allow` or `Disallow`, as [`rule`](Self::rule).
    #[inline]
    fn pass(&mut self, line: Line<'a>) -> Option<Binding> {
        match line.key {
            Key::UserAgent => {
                self.user_agent(line);
                None
            }
            Key::Allow | Key::Disallow => Some(self.rule()),
            Key::ContentUsage => {
                self.rule();
                None
            }
            _ => None,
        }
    }

    /// True if the next `User-agent` line begins a group.
    const fn opens_group(&self) -> bool {
        self.in_rules
    }

    /// Ends the list of agents, and returns the binding of a rule in the current group. Returns
    /// [`Binding::None`] if an earlier group has a stronger binding.
    #[inline]
    fn rule(&mut self) -> Binding {
        self.in_rules = true;
        if self.open < self.best { Binding::None } else { self.open }
    }

    const fn binding(&self) -> Binding {
        self.best
    }
}

/// Returns the name at the start of the value of a `User-agent` line: the bytes before a blank, `/`,
/// `*`, a bracket, a comma or a semicolon. May be empty. RFC 9309 section 2.2.1 allows only letters,
/// `-` and `_`; the names of real agents have other characters, too.
///
/// ```
/// use agentsdisc_core::format::robots_txt::agent_name;
/// assert_eq!(agent_name(b"Foo-Bot/2.1 (+https://example.com)"), b"Foo-Bot");
/// assert_eq!(agent_name(b"360Spider"), b"360Spider");
/// ```
pub fn agent_name(agent: &[u8]) -> &[u8] {
    let end = agent.iter().position(|&octet| ends_name(octet));
    agent.get(..end.unwrap_or(agent.len())).unwrap_or_default()
}

const fn ends_name(octet: u8) -> bool {
    matches!(
        octet,
        b' ' | b'\t'
            ..=b'\r'
                | b'/'
                | b'*'
                | b'('
                | b')'
                | b'['
                | b']'
                | b'{'
                | b'}'
                | b'<'
                | b'>'
                | b','
                | b';'
    )
}

/// True if the value of a `User-agent` line is `*`.
fn is_any(value: &[u8]) -> bool {
    // A blank may follow, including Unicode blanks: U+00A0, U+2000 and similar ones, U+3000,
    // U+FEFF.
    matches!(
        value,
        [b'*']
            | [b'*', b' ' | b'\t'..=b'\r', ..]
            | [b'*', 0xC2, 0xA0, ..]
            | [b'*', 0xE2, 0x80, ..]
            | [b'*', 0xE3, 0x80, 0x80, ..]
            | [b'*', 0xEF, 0xBB, 0xBF, ..]
    )
}

/// True if the value of a `User-agent` line has this name, also as a whole User-Agent in the style
/// of a browser. False for the empty name.
#[inline]
fn names(value: &[u8], name: &[u8]) -> bool {
    begins_with(value, name)
        || matches!(value, [b'M' | b'm', ..]) && names_in_user_agent(value, name)
}

#[cold]
#[inline(never)]
fn names_in_user_agent(value: &[u8], name: &[u8]) -> bool {
    starts_with(value, b"Mozilla/")
        && UserAgent::of(value).names().any(|own| begins_with(own.word, name))
}

/// True if a text begins with this name. False for the empty name.
fn begins_with(value: &[u8], name: &[u8]) -> bool {
    match value.split_at_checked(name.len()) {
        Some((start, rest)) => {
            !name.is_empty()
                && start.eq_ignore_ascii_case(name)
                && rest.first().is_none_or(|&octet| ends_name(octet))
        }
        None => false,
    }
}

/// The reason for a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A rule matches.
    Rule,
    /// No rule of the agent's groups matches.
    NoRule,
    /// There is no group for the agent and no group for `*`.
    NoGroup,
    /// The URL is the URL of robots.txt, which every agent may fetch (section 2.2.2).
    RobotsFile,
    /// The agent is neither a name nor a User-Agent, as in [`policy`](crate::policy). It may fetch
    /// nothing.
    InvalidAgent,
    /// The URL has dot segments and is longer than 2,048 bytes. Nobody may fetch it.
    InvalidUrl,
}

impl Reason {
    /// The stable kebab-case name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::NoRule => "no-rule",
            Self::NoGroup => "no-group",
            Self::RobotsFile => "robots-file",
            Self::InvalidAgent => "invalid-agent",
            Self::InvalidUrl => "invalid-url",
        }
    }
}

/// The answer of [`RobotsTxt::decide`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Verdict<'a> {
    /// True if the agent may fetch the URL.
    pub allowed: bool,
    /// The rule that decided, if the reason is [`Reason::Rule`].
    pub rule: Option<Rule<'a>>,
    /// The groups that apply to the agent; [`Binding::None`] for robots.txt itself, and for an
    /// invalid agent or URL.
    pub binding: Binding,
    /// The reason.
    pub reason: Reason,
}

impl Verdict<'_> {
    const INVALID_URL: Self = Self::without_rule(false, Reason::InvalidUrl);

    const fn strictness(&self) -> (bool, Binding) {
        (!self.allowed, self.binding)
    }

    const fn without_rule(allowed: bool, reason: Reason) -> Self {
        Self { allowed, rule: None, binding: Binding::None, reason }
    }
}
