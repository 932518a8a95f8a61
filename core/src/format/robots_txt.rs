//! robots.txt (RFC 9309): who may fetch what.
//!
//! Nothing is stored: a query walks over the lines once and keeps the best rule so far, of the groups that name the
//! agent and of the groups for `*` at once. So parsing costs next to nothing, and a query about as much as finding the
//! line ends.
//!
//! Rulings, where RFC 9309 leaves a case open or the widely used open parser is more lenient:
//!
//! - Lines end in LF, CRLF or CR; `#` begins a comment anywhere. A key may be misspelt in the usual ways, be longer than
//!   the name it begins with, and lack its colon where the line is two words.
//! - Only `Allow` and `Disallow` end the list of agents of a group. Other fields between two `User-agent` lines do not
//!   (2.2.4), and so `Crawl-delay` does not; it binds the agents that are named above it in its group.
//! - A `User-agent` value names what its first letters, `-` and `_` spell; `*` may be followed by a blank and more.
//! - Rules before any group bind nobody.
//! - `Allow: …/index.html` (also `.htm`) that does not match allows the directory itself.
//! - A pattern that begins with neither `/` nor `*` matches nothing, an empty one neither.

mod check;
pub(crate) mod line;
pub(crate) mod reading;
mod target;

use crate::limits::Limits;
use crate::scan;
use crate::span::Span;
use crate::syntax::pattern::Pattern;
use crate::syntax::text::Text;
use line::{Key, Line, Lines};
use target::Target;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A robots.txt, in any encoding.
///
/// It is read whatever is built in: the Cargo feature `robots-txt` is about what [`Document`](crate::Document), policy and discovery read.
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
    /// What is read: without byte order mark, and cut.
    body: &'a [u8],
    line_limit: usize,
}

impl<'a> RobotsTxt<'a> {
    /// What counts where there is no robots.txt, as after a 4xx status (RFC 9309 section 2.3.1.3).
    pub const ALLOW_ALL: RobotsTxt<'static> = RobotsTxt::whole(b"");

    /// What counts where the robots.txt cannot be had, as after a 5xx status (RFC 9309 section 2.3.1.4).
    pub const DISALLOW_ALL: RobotsTxt<'static> = RobotsTxt::whole(b"User-agent: *\nDisallow: /\n");

    const fn whole(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            body: bytes,
            line_limit: Limits::DEFAULT.line,
        }
    }

    /// Reads a robots.txt with the usual limits. Never fails; constant time.
    pub fn parse(bytes: &'a [u8]) -> Self {
        Self::parse_with(bytes, &Limits::DEFAULT)
    }

    /// Reads the first [`Limits::robots`] octets of a robots.txt, without the line that reaches over that limit (section
    /// 2.5; half a path would forbid or allow more than was meant). Lines over [`Limits::line`] are skipped.
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
            body: read.strip_prefix(BYTE_ORDER_MARK).unwrap_or(read),
            line_limit: limits.line,
        }
    }

    /// The document as it was given, also what is not read of it.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether the document is longer than is read.
    pub fn is_cut(&self) -> bool {
        (Span::of(self.body, self.bytes).end as usize) < self.bytes.len()
    }

    /// Whether `agent` may fetch `url_or_path`: [`decide`](Self::decide) in short.
    pub fn allowed(&self, agent: impl AsRef<[u8]>, url_or_path: impl AsRef<[u8]>) -> bool {
        self.decide(agent, url_or_path).allowed
    }

    /// Whether `agent` may fetch `url_or_path`, and why (sections 2.2.1 to 2.2.3).
    ///
    /// The agent is given as its product token, or as a User-Agent that begins with it: only its first letters, `-` and
    /// `_` count, in either letter case. All groups that name it count, and those for `*` only where there is none. The
    /// longest pattern that matches decides, `Allow` among equally long ones; where none matches, it may.
    ///
    /// Of a URL, path and query are matched, whatever its origin is. Linear in the document; each rule of the agent may
    /// take time linear in the URL besides, so a caller who takes URLs from strangers should bound their length.
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
        self.decide_octets(agent.as_ref(), url_or_path.as_ref())
    }

    fn decide_octets(&self, agent: &[u8], url_or_path: &[u8]) -> Verdict<'a> {
        let target = Target::of(url_or_path);
        if target.is_robots_file() {
            return Verdict {
                allowed: true,
                rule: None,
                binding: Binding::None,
                reason: Reason::RobotsFile,
            };
        }
        let mut walk = Walk::new(agent);
        let (mut named, mut any) = (None, None);
        for line in self.lines() {
            let allow = match line.key {
                Key::UserAgent => {
                    walk.user_agent(line);
                    continue;
                }
                Key::Allow => true,
                Key::Disallow => false,
                _ => continue,
            };
            let best: &mut Option<Candidate<'a>> = match walk.rule() {
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
        match best {
            None => {
                let reason = if binding == Binding::None {
                    Reason::NoGroup
                } else {
                    Reason::NoRule
                };
                Verdict {
                    allowed: true,
                    rule: None,
                    binding,
                    reason,
                }
            }
            Some(best) => {
                let group = Group {
                    robots: *self,
                    from: best.group.0,
                    line: best.group.1,
                };
                let rule = self.rule(best.allow, best.pattern, best.line, group);
                Verdict {
                    allowed: best.allow,
                    rule: Some(rule),
                    binding,
                    reason: Reason::Rule,
                }
            }
        }
    }

    /// The groups, in the order of the document. Groups of one agent are not merged here. Linear as a whole.
    ///
    /// ```
    /// use agentsdisc_core::format::robots_txt::RobotsTxt;
    /// let robots = RobotsTxt::parse(b"User-agent: a\nUser-agent: b\nDisallow: /x\nAllow: /x/y\nUser-agent: *\nDisallow:\n");
    /// assert_eq!(robots.groups().map(|group| (group.agents().count(), group.rules().count())).collect::<Vec<_>>(), [(2, 2), (1, 1)]);
    /// ```
    pub fn groups(&self) -> Groups<'a> {
        Groups {
            robots: *self,
            lines: self.lines(),
            open: false,
        }
    }

    /// The `Sitemap` lines (section 2.2.4), which belong to no group.
    pub fn sitemaps(&self) -> Sitemaps<'a> {
        Sitemaps {
            robots: *self,
            lines: self.lines(),
        }
    }

    /// The `Crawl-delay` for `agent`: the first one that binds it, of the groups that name it; of the groups for `*` only
    /// where none does. An extension that RFC 9309 does not define. Absent where there is none. Linear.
    ///
    /// ```
    /// use agentsdisc_core::format::robots_txt::RobotsTxt;
    /// let robots = RobotsTxt::parse(b"User-agent: *\nCrawl-delay: 2.5\n\nUser-agent: FooBot\nDisallow: /x\n");
    /// assert_eq!(robots.crawl_delay("BarBot").unwrap().milliseconds(), Some(2500));
    /// assert!(robots.crawl_delay("FooBot").is_none());
    /// ```
    pub fn crawl_delay(&self, agent: impl AsRef<[u8]>) -> Option<CrawlDelay<'a>> {
        let mut walk = Walk::new(agent.as_ref());
        // The first of those that bind so.
        let mut found = [None; 3];
        for line in self.lines() {
            match line.key {
                Key::UserAgent => walk.user_agent(line),
                Key::Allow | Key::Disallow => {
                    walk.rule();
                }
                Key::CrawlDelay => {
                    if let Some(place) = found.get_mut(walk.open as usize) {
                        place.get_or_insert((line.value, line.number));
                    }
                }
                _ => {}
            }
        }
        let (value, line) = found
            .get(walk.binding() as usize)
            .copied()
            .flatten()
            .filter(|_| walk.binding() != Binding::None)?;
        Some(self.delay(value, line))
    }

    fn lines(&self) -> Lines<'a> {
        Lines::new(self.body, 1, self.line_limit)
    }

    fn span(&self, part: &[u8]) -> Span {
        Span::of(part, self.bytes)
    }

    fn rule(&self, allow: bool, pattern: &'a [u8], line: u32, group: Group<'a>) -> Rule<'a> {
        Rule {
            allow,
            pattern: Text::plain(pattern),
            span: self.span(pattern),
            line,
            group,
        }
    }

    fn delay(&self, value: &'a [u8], line: u32) -> CrawlDelay<'a> {
        CrawlDelay {
            text: Text::plain(value),
            span: self.span(value),
            line,
        }
    }
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

/// How specific the match of a rule is, where it matches.
#[inline]
fn specificity(allow: bool, value: &[u8], target: Target<'_>) -> Option<usize> {
    let pattern = Pattern::new(value);
    if target.is_matched_by(pattern) {
        return Some(pattern.specificity());
    }
    if !allow {
        return None;
    }
    // The directory is what its index page is a page of.
    let slash = scan::memrchr(b'/', value)?;
    let (directory, page) = value.split_at_checked(slash.saturating_add(1))?;
    let pattern = Pattern::anchored(directory);
    if page.starts_with(b"index.htm") && target.is_matched_by(pattern) {
        Some(pattern.specificity())
    } else {
        None
    }
}

/// Which groups bind an agent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Binding {
    /// None: the document says nothing about the agent.
    None,
    /// Those for `*`.
    Any,
    /// Those that name it.
    Named,
}

/// Which group the walk over the lines is in, and how it binds the agent.
struct Walk<'a, 'q> {
    token: &'q [u8],
    /// How the agents named so far in the open group bind.
    open: Binding,
    /// The same over all groups.
    best: Binding,
    /// Whether a rule has ended the list of agents.
    in_rules: bool,
    /// The open group: its first line, and the number of that.
    group: (&'a [u8], u32),
}

impl<'a, 'q> Walk<'a, 'q> {
    fn new(agent: &'q [u8]) -> Self {
        Self {
            token: product_token(agent),
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
        } else if names(line.value, self.token) {
            self.open = Binding::Named;
        }
        self.best = self.best.max(self.open);
    }

    /// Ends the list of agents, and says how a rule of the open group binds; one that cannot count any more does not.
    #[inline]
    fn rule(&mut self) -> Binding {
        self.in_rules = true;
        if self.open < self.best {
            Binding::None
        } else {
            self.open
        }
    }

    const fn binding(&self) -> Binding {
        self.best
    }
}

/// What an agent is known by (section 2.2.1): the letters, `-` and `_` at the start of its name. May be empty.
///
/// ```
/// use agentsdisc_core::format::robots_txt::product_token;
/// assert_eq!(product_token(b"Foo-Bot/2.1 (+https://example.com)"), b"Foo-Bot");
/// ```
pub fn product_token(agent: &[u8]) -> &[u8] {
    let end = agent
        .iter()
        .position(|&octet| !is_token_octet(octet))
        .unwrap_or(agent.len());
    agent.get(..end).unwrap_or_default()
}

const fn is_token_octet(octet: u8) -> bool {
    octet.is_ascii_alphabetic() || octet == b'-' || octet == b'_'
}

/// Whether the value of a `User-agent` line stands for every agent.
fn is_any(value: &[u8]) -> bool {
    matches!(value, [b'*'] | [b'*', b' ' | b'\t'..=b'\r', ..])
}

/// Whether the value of a `User-agent` line names the agent with this token. The empty token is nobody's.
fn names(value: &[u8], token: &[u8]) -> bool {
    match value.split_at_checked(token.len()) {
        Some((name, rest)) => {
            !token.is_empty()
                && name.eq_ignore_ascii_case(token)
                && !rest.first().is_some_and(|&octet| is_token_octet(octet))
        }
        None => false,
    }
}

/// Why an agent may fetch something, or may not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A rule says so.
    Rule,
    /// No rule of the agent's groups matches.
    NoRule,
    /// No group is for the agent, nor for `*`.
    NoGroup,
    /// It is the robots.txt itself, which everyone may fetch (section 2.2.2).
    RobotsFile,
}

impl Reason {
    /// The stable kebab-case name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::NoRule => "no-rule",
            Self::NoGroup => "no-group",
            Self::RobotsFile => "robots-file",
        }
    }
}

/// Whether an agent may fetch something, and why.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Verdict<'a> {
    /// Whether it may.
    pub allowed: bool,
    /// The rule that says so; absent unless the reason is [`Reason::Rule`].
    pub rule: Option<Rule<'a>>,
    /// Which groups bind the agent; [`Binding::None`] for the robots.txt itself.
    pub binding: Binding,
    /// Why.
    pub reason: Reason,
}

/// An `Allow` or `Disallow` line (section 2.2.2).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rule<'a> {
    /// Whether it allows.
    pub allow: bool,
    /// The pattern as written; may be empty, and then the rule says nothing.
    pub pattern: Text<'a>,
    /// Where the pattern stands.
    pub span: Span,
    /// Its line, from 1.
    pub line: u32,
    /// The group it is of.
    pub group: Group<'a>,
}

/// One or more `User-agent` lines and the rules for them (section 2.1).
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    robots: RobotsTxt<'a>,
    /// From the first `User-agent` line on.
    from: &'a [u8],
    line: u32,
}

impl<'a> Group<'a> {
    /// Its first line, from 1.
    pub const fn line(&self) -> u32 {
        self.line
    }

    /// Its `User-agent` lines.
    pub fn agents(&self) -> Agents<'a> {
        Agents {
            robots: self.robots,
            lines: self.lines(),
        }
    }

    /// Its rules, those with an empty pattern too.
    pub fn rules(&self) -> Rules<'a> {
        Rules {
            group: *self,
            lines: self.lines(),
            in_rules: false,
        }
    }

    /// The first `Crawl-delay` in it; absent where there is none.
    pub fn crawl_delay(&self) -> Option<CrawlDelay<'a>> {
        let mut in_rules = false;
        for line in self.lines() {
            match line.key {
                Key::UserAgent if in_rules => return None,
                Key::Allow | Key::Disallow => in_rules = true,
                Key::CrawlDelay => return Some(self.robots.delay(line.value, line.number)),
                _ => {}
            }
        }
        None
    }

    fn lines(&self) -> Lines<'a> {
        Lines::new(self.from, self.line, self.robots.line_limit)
    }
}

/// A `User-agent` line (section 2.2.1).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Agent<'a> {
    /// The value as written.
    pub name: Text<'a>,
    /// Where the value stands.
    pub span: Span,
    /// Its line, from 1.
    pub line: u32,
}

impl<'a> Agent<'a> {
    /// Whether it stands for every agent.
    pub fn is_any(&self) -> bool {
        is_any(self.name.raw())
    }

    /// What an agent must be called to be meant; empty for `*`, and where nobody is.
    pub fn token(&self) -> &'a [u8] {
        product_token(self.name.raw())
    }
}

/// A `Sitemap` line (section 2.2.4).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Sitemap<'a> {
    /// The value as written: a URL, unless it is empty or wrong.
    pub url: Text<'a>,
    /// Where the value stands.
    pub span: Span,
    /// Its line, from 1.
    pub line: u32,
}

/// A `Crawl-delay` line, an extension: how long to wait between two requests.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CrawlDelay<'a> {
    /// The value as written.
    pub text: Text<'a>,
    /// Where the value stands.
    pub span: Span,
    /// Its line, from 1.
    pub line: u32,
}

impl CrawlDelay<'_> {
    /// The delay in milliseconds: the value is in seconds, with or without decimals (those after the third are
    /// dropped). Absent where it is no such number, or 2^64 milliseconds and more.
    pub fn milliseconds(&self) -> Option<u64> {
        let (mut value, mut decimals, mut is_empty) = (0_u64, None, true);
        for &octet in self.text.raw() {
            if octet == b'.' && decimals.is_none() {
                decimals = Some(0_u8);
                continue;
            }
            if !octet.is_ascii_digit() {
                return None;
            }
            is_empty = false;
            match &mut decimals {
                Some(3) => continue,
                Some(count) => *count = count.saturating_add(1),
                None => {}
            }
            value = with_digit(value, octet)?;
        }
        for _ in decimals.unwrap_or(0)..3 {
            value = with_digit(value, b'0')?;
        }
        Some(value).filter(|_| !is_empty)
    }
}

/// A number with one more digit behind it; absent where that is too large.
fn with_digit(value: u64, digit: u8) -> Option<u64> {
    value
        .checked_mul(10)?
        .checked_add(u64::from(digit.wrapping_sub(b'0')))
}

/// The groups of a robots.txt.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'a> {
    robots: RobotsTxt<'a>,
    lines: Lines<'a>,
    /// Whether the last `User-agent` line began a group that has no rule yet.
    open: bool,
}

impl<'a> Iterator for Groups<'a> {
    type Item = Group<'a>;

    fn next(&mut self) -> Option<Group<'a>> {
        for line in self.lines.by_ref() {
            match line.key {
                Key::UserAgent if !self.open => {
                    self.open = true;
                    return Some(Group {
                        robots: self.robots,
                        from: line.from,
                        line: line.number,
                    });
                }
                Key::Allow | Key::Disallow => self.open = false,
                _ => {}
            }
        }
        None
    }
}

/// The `User-agent` lines of a group.
#[derive(Clone, Copy, Debug)]
pub struct Agents<'a> {
    robots: RobotsTxt<'a>,
    lines: Lines<'a>,
}

impl<'a> Iterator for Agents<'a> {
    type Item = Agent<'a>;

    fn next(&mut self) -> Option<Agent<'a>> {
        for line in self.lines.by_ref() {
            match line.key {
                Key::UserAgent => {
                    return Some(Agent {
                        name: Text::plain(line.value),
                        span: self.robots.span(line.value),
                        line: line.number,
                    });
                }
                Key::Allow | Key::Disallow => break,
                _ => {}
            }
        }
        self.lines = Lines::new(b"", 1, 0);
        None
    }
}

/// The rules of a group.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    group: Group<'a>,
    lines: Lines<'a>,
    in_rules: bool,
}

impl<'a> Iterator for Rules<'a> {
    type Item = Rule<'a>;

    fn next(&mut self) -> Option<Rule<'a>> {
        for line in self.lines.by_ref() {
            match line.key {
                Key::UserAgent if self.in_rules => break,
                Key::Allow | Key::Disallow => {
                    self.in_rules = true;
                    return Some(self.group.robots.rule(
                        line.key == Key::Allow,
                        line.value,
                        line.number,
                        self.group,
                    ));
                }
                _ => {}
            }
        }
        self.lines = Lines::new(b"", 1, 0);
        None
    }
}

/// The `Sitemap` lines of a robots.txt.
#[derive(Clone, Copy, Debug)]
pub struct Sitemaps<'a> {
    robots: RobotsTxt<'a>,
    lines: Lines<'a>,
}

impl<'a> Iterator for Sitemaps<'a> {
    type Item = Sitemap<'a>;

    fn next(&mut self) -> Option<Sitemap<'a>> {
        let line = self.lines.find(|line| line.key == Key::Sitemap)?;
        Some(Sitemap {
            url: Text::plain(line.value),
            span: self.robots.span(line.value),
            line: line.number,
        })
    }
}
