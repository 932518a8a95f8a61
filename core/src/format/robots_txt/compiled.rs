//! The rules for one agent, in the order in which they decide, for callers that ask often.
//!
//! [`RobotsTxt::decide`] reads all lines for each URL. [`RobotsTxt::compile`] reads them once, and
//! leaves in memory of the caller what a decision needs: for each name of the agent to which groups
//! apply a head, the groups, and the rules with the most specific first. So the first rule that
//! matches decides, and most rules are passed over by a comparison of eight bytes.
//!
//! A [`CompiledRule`] has offsets instead of references, so that the memory can be kept beside the
//! bytes, as [`Document::attach`](crate::Document::attach) does it with positions. Offsets into
//! other bytes lead to wrong answers, never outside of the bytes.
//!
//! The scan is the oracle: the tests compare both, verdict by verdict.

use core::num::NonZeroUsize;

use super::line::Key;
use super::target::{Target, with_target};
use super::{
    Binding, Candidate, CrawlDelay, Reason, RobotsTxt, Verdict, Walk, directory_of_index,
    strictest_of,
};
use crate::rules::names::heap_sort;
use crate::rules::user_agent::{AgentName, UserAgent};
use crate::syntax::pattern::Pattern;

/// 24 bytes of compiled rules. The content is private; use [`Default`] to make a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct CompiledRule {
    /// Of a rule: its first bytes as they must stand at the start of a path, and zeros. While rules
    /// are sorted: what comes first. Of a head: [`Head`].
    key: u64,
    /// Where the pattern of a rule begins, the first line of a group, or the delay of a head.
    offset: u32,
    /// The length of the pattern or the delay, and the flags of a rule.
    length: u32,
    /// The line number, from 1; 0 for a head without a delay.
    line: u32,
    /// Of a rule: the number of its group among those of the head.
    group: u32,
}

const _: () = assert!(size_of::<CompiledRule>() == 24);

/// A rule that allows.
const ALLOW: u32 = 1 << 31;
/// A rule that allows the directory of an index page.
const DIRECTORY: u32 = 1 << 30;
const LENGTH: u32 = DIRECTORY - 1;

/// Sorts rules behind the groups.
const IS_RULE: u64 = 1 << 63;

/// The first entry for a name: how many entries follow for it, and whether groups name it.
#[derive(Clone, Copy)]
struct Head {
    entries: u32,
    binding: Binding,
}

impl Head {
    fn of(entry: &CompiledRule) -> Self {
        let binding = match entry.key >> 32 {
            0 => Binding::None,
            1 => Binding::Any,
            _ => Binding::Named,
        };
        Self { entries: entry.key as u32, binding }
    }

    const fn key(self) -> u64 {
        (self.binding as u64) << 32 | self.entries as u64
    }
}

/// The rules of a robots.txt for one agent; see [`RobotsTxt::compile`].
#[derive(Clone, Copy, Debug)]
pub struct Compiled<'a, 'b> {
    robots: RobotsTxt<'a>,
    entries: &'b [CompiledRule],
}

impl<'a> RobotsTxt<'a> {
    /// Reads the rules for an agent into a buffer, for many decisions about it. `agent` as in
    /// [`decide`](Self::decide).
    ///
    /// A rule takes one element of 24 bytes, one that allows an index page two; each group of the
    /// agent takes one, and each of its names that apply. If the buffer is too short, returns how
    /// many are needed; a robots.txt of 1 GiB or more needs `usize::MAX`. Takes the time of two
    /// to three decisions for each name, and that of sorting the rules.
    ///
    /// ```
    /// use agentsdisc_core::format::robots_txt::{CompiledRule, RobotsTxt};
    /// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /private\nAllow: /private/but-this\n");
    /// let mut buffer = [CompiledRule::default(); 64];
    /// let compiled = robots.compile("ExampleBot/1.0", &mut buffer).unwrap();
    /// assert!(!compiled.allowed("https://example.com/private/x"));
    /// assert!(compiled.allowed("/private/but-this?q"));
    /// assert_eq!(robots.compile("ExampleBot", &mut []).unwrap_err().get(), 4);
    /// ```
    pub fn compile<'b>(
        &self,
        agent: impl AsRef<[u8]>,
        buffer: &'b mut [CompiledRule],
    ) -> Result<Compiled<'a, 'b>, NonZeroUsize> {
        let used = self.compile_for(UserAgent::of(agent.as_ref()), buffer)?;
        Ok(self.with_compiled(buffer.get(..used).unwrap_or_default()))
    }

    /// The rules that [`compile`](Self::compile) has left in a buffer for this robots.txt. Those of
    /// another one lead to wrong answers. Nothing is allowed by an empty buffer.
    pub const fn with_compiled<'b>(&self, rules: &'b [CompiledRule]) -> Compiled<'a, 'b> {
        Compiled { robots: *self, entries: rules }
    }

    fn compile_for(
        &self,
        agent: UserAgent<'_>,
        buffer: &mut [CompiledRule],
    ) -> Result<usize, NonZeroUsize> {
        if self.bytes.len() > LENGTH as usize {
            return Err(NonZeroUsize::MAX);
        }
        if !agent.is_valid() {
            return Ok(0);
        }
        let delay = self.delay_for(agent);
        let mut used = 0_usize;
        for name in agent.names() {
            let is_first = used == 0;
            let (_, binding) = self.delay_of(name);
            if !is_first && binding != Binding::Named {
                continue;
            }
            let head = used;
            used = self.gather(name, binding, buffer, used.saturating_add(1));
            let entries = used.saturating_sub(head).saturating_sub(1) as u32;
            let Some((place, rest)) = buffer.get_mut(head..used).and_then(<[_]>::split_first_mut)
            else {
                continue;
            };
            let delay = delay.filter(|_| is_first);
            *place = CompiledRule {
                key: Head { entries, binding }.key(),
                offset: delay.map_or(0, |delay| delay.span.start),
                length: delay.map_or(0, |delay| delay.text.raw().len() as u32),
                line: delay.map_or(0, |delay| delay.line),
                group: 0,
            };
            heap_sort(rest, |a, b| a.key.cmp(&b.key).then(a.line.cmp(&b.line)));
            for rule in rest.iter_mut().filter(|rule| rule.is_rule()) {
                rule.key = self.pattern(rule).first_bytes();
            }
        }
        match NonZeroUsize::new(used) {
            Some(needed) if used > buffer.len() => Err(needed),
            _ => Ok(used),
        }
    }

    /// Writes the groups and the rules that apply to a name, from an index on, as far as there is
    /// room. Returns the index after them.
    fn gather(
        &self,
        name: AgentName<'_>,
        binding: Binding,
        buffer: &mut [CompiledRule],
        mut at: usize,
    ) -> usize {
        let mut walk = Walk::new(name);
        let (mut groups, mut group_line) = (0_u32, 0);
        let mut put = |entry: CompiledRule| {
            if let Some(place) = buffer.get_mut(at) {
                *place = entry;
            }
            at = at.saturating_add(1);
        };
        for line in self.lines() {
            let Some(applies) = walk.pass(line) else { continue };
            let pattern = Pattern::new(line.value);
            if applies != binding || binding == Binding::None || pattern.is_empty() {
                continue;
            }
            if walk.group.1 != group_line {
                group_line = walk.group.1;
                put(CompiledRule {
                    key: u64::from(groups),
                    offset: self.span(walk.group.0).start,
                    line: group_line,
                    ..CompiledRule::default()
                });
                groups = groups.saturating_add(1);
            }
            let allow = line.key == Key::Allow;
            let mut rule = |pattern: Pattern<'_>, flags: u32| {
                // At most three times the length, so it fits.
                let unspecific = u32::MAX.saturating_sub(pattern.specificity() as u32);
                put(CompiledRule {
                    key: IS_RULE | u64::from(unspecific) << 1 | u64::from(!allow),
                    offset: self.span(line.value).start,
                    length: line.value.len() as u32 | flags,
                    line: line.number,
                    group: groups.saturating_sub(1),
                });
            };
            rule(pattern, if allow { ALLOW } else { 0 });
            if let Some(directory) = directory_of_index(line.value).filter(|_| allow) {
                rule(Pattern::anchored(directory), ALLOW | DIRECTORY);
            }
        }
        at
    }

    fn value(&self, entry: &CompiledRule) -> &'a [u8] {
        let rest = self.bytes.get(entry.offset as usize..).unwrap_or_default();
        rest.get(..(entry.length & LENGTH) as usize).unwrap_or_default()
    }

    fn pattern(&self, rule: &CompiledRule) -> Pattern<'a> {
        let value = self.value(rule);
        if rule.length & DIRECTORY == 0 {
            return Pattern::new(value);
        }
        Pattern::anchored(directory_of_index(value).unwrap_or_default())
    }
}

impl CompiledRule {
    /// True for a rule that is being sorted.
    const fn is_rule(&self) -> bool {
        self.key & IS_RULE != 0
    }

    const fn allows(&self) -> bool {
        self.length & ALLOW != 0
    }
}

impl<'a, 'b> Compiled<'a, 'b> {
    /// The robots.txt.
    pub const fn robots(&self) -> RobotsTxt<'a> {
        self.robots
    }

    /// The part of the buffer that is used, for [`RobotsTxt::with_compiled`].
    pub const fn rules(&self) -> &'b [CompiledRule] {
        self.entries
    }

    /// True if the agent may fetch `url_or_path`.
    pub fn allowed(&self, url_or_path: impl AsRef<[u8]>) -> bool {
        self.decide(url_or_path).allowed
    }

    /// What [`RobotsTxt::decide`] returns for the agent. Takes linear time in the number of its rules
    /// and, for each that begins like the URL, in the URL.
    pub fn decide(&self, url_or_path: impl AsRef<[u8]>) -> Verdict<'a> {
        with_target(url_or_path.as_ref(), |target| {
            self.robots.decided(!self.entries.is_empty(), target, || self.strictest(target))
        })
        .unwrap_or(Verdict::INVALID_URL)
    }

    /// What [`RobotsTxt::crawl_delay`] returns for the agent; `None` for an invalid one. Takes constant
    /// time.
    pub fn crawl_delay(&self) -> Option<CrawlDelay<'a>> {
        let head = self.entries.first().filter(|head| head.line != 0)?;
        Some(self.robots.delay(self.robots.value(head), head.line))
    }

    fn strictest(&self, target: Target<'_>) -> Verdict<'a> {
        let mut rest = self.entries;
        let mut answers = core::iter::from_fn(|| {
            let (head, behind) = rest.split_first()?;
            let head = Head::of(head);
            let (entries, after) = behind.split_at_checked(head.entries as usize)?;
            rest = after;
            Some(self.verdict(head.binding, entries, target))
        });
        match answers.next() {
            Some((own, _)) => strictest_of(own, answers, Verdict::strictness),
            None => Verdict::without_rule(false, Reason::InvalidAgent),
        }
    }

    fn verdict(
        &self,
        binding: Binding,
        entries: &[CompiledRule],
        target: Target<'_>,
    ) -> (Verdict<'a>, Binding) {
        let (start, known) = target.first_bytes();
        let matching = |rule: &&CompiledRule| {
            begin_alike(rule.key, start, known)
                && rule.length != 0
                && target.is_matched_by(self.robots.pattern(rule))
        };
        let best = entries.iter().find(matching).map(|rule| {
            let group = entries.get(rule.group as usize);
            Candidate {
                // Nothing is compared any more.
                specificity: 0,
                allow: rule.allows(),
                line: rule.line,
                pattern: self.robots.value(rule),
                group: group.map_or((b"", 0), |group| {
                    let end = self.robots.span(self.robots.body).end as usize;
                    let from = self.robots.bytes.get(group.offset as usize..end);
                    (from.unwrap_or_default(), group.line)
                }),
            }
        });
        (self.robots.answer(binding, best), binding)
    }
}

/// True if all bytes of a key that are not zero are those of the path, as far as those are known. All
/// bytes are ASCII, so the addition sets the highest bit of exactly those that are not zero.
const fn begin_alike(key: u64, start: u64, known: u64) -> bool {
    const SEVEN: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let (different, stated) = ((key ^ start).wrapping_add(SEVEN), key.wrapping_add(SEVEN));
    different & stated & known & !SEVEN == 0
}
