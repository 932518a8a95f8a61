//! The parts of a robots.txt: groups with their agents and rules, sitemaps and crawl delays, and
//! the iterators over them.

use super::line::{Key, Lines};
use super::{RobotsTxt, agent_name, is_any};
use crate::span::Span;
use crate::syntax::text::Text;

/// An `Allow` or `Disallow` line (section 2.2.2).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rule<'a> {
    /// True for `Allow`.
    pub allow: bool,
    /// The pattern as written. A rule with an empty pattern has no effect.
    pub pattern: Text<'a>,
    /// Byte offsets of the pattern.
    pub span: Span,
    /// The line number, from 1.
    pub line: u32,
    /// The group that contains the rule.
    pub group: Group<'a>,
}

/// One or more `User-agent` lines and the rules for them (section 2.1).
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    pub(super) robots: RobotsTxt<'a>,
    /// The document from the first `User-agent` line of the group.
    pub(super) from: &'a [u8],
    pub(super) line: u32,
}

impl<'a> Group<'a> {
    /// The number of its first line, from 1.
    pub const fn line(&self) -> u32 {
        self.line
    }

    /// Its `User-agent` lines.
    pub fn agents(&self) -> Agents<'a> {
        Agents { robots: self.robots, lines: self.lines() }
    }

    /// Its rules, including those with an empty pattern.
    pub fn rules(&self) -> Rules<'a> {
        Rules { group: *self, lines: self.lines(), in_rules: false }
    }

    /// Its first `Crawl-delay`, if any.
    pub fn crawl_delay(&self) -> Option<CrawlDelay<'a>> {
        let mut in_rules = false;
        for line in self.lines() {
            match line.key {
                Key::UserAgent if in_rules => return None,
                key if key.is_rule() => in_rules = true,
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
    /// Byte offsets of the value.
    pub span: Span,
    /// The line number, from 1.
    pub line: u32,
}

impl<'a> Agent<'a> {
    /// True if it applies to every agent (`*`).
    pub fn is_any(&self) -> bool {
        is_any(self.name.raw())
    }

    /// The name of the agents that it applies to ([`agent_name`]). Empty for `*` and for an invalid
    /// name.
    pub fn token(&self) -> &'a [u8] {
        agent_name(self.name.raw())
    }
}

/// A `Sitemap` line (section 2.2.4), an `Agentmap` line, which names an AI catalog, or a `License` line,
/// which names a licence.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Sitemap<'a> {
    /// The value as written. It may be empty or an invalid URL.
    pub url: Text<'a>,
    /// Byte offsets of the value.
    pub span: Span,
    /// The line number, from 1.
    pub line: u32,
}

/// A line with a field that neither RFC 9309 nor this library defines (section 2.2.4).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Other<'a> {
    /// The name as written.
    pub name: Text<'a>,
    /// The value as written.
    pub value: Text<'a>,
    /// Byte offsets of the name.
    pub span: Span,
    /// The line number, from 1.
    pub line: u32,
}

/// A `Crawl-delay` line: the time to wait between two requests. An extension of RFC 9309.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CrawlDelay<'a> {
    /// The value as written.
    pub text: Text<'a>,
    /// Byte offsets of the value.
    pub span: Span,
    /// The line number, from 1.
    pub line: u32,
}

impl CrawlDelay<'_> {
    /// The delay in milliseconds. The value is in seconds and may have decimals; decimals after the
    /// third are ignored. `None` if the value is not a number, or if the result does not fit into
    /// 64 bits.
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

/// Appends a digit to a number; `None` on overflow.
fn with_digit(value: u64, digit: u8) -> Option<u64> {
    value.checked_mul(10)?.checked_add(u64::from(digit.wrapping_sub(b'0')))
}

/// The groups of a robots.txt.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'a> {
    pub(super) robots: RobotsTxt<'a>,
    pub(super) lines: Lines<'a>,
    /// True while the current group has agents but no rule yet.
    pub(super) open: bool,
}

impl<'a> Iterator for Groups<'a> {
    type Item = Group<'a>;

    fn next(&mut self) -> Option<Group<'a>> {
        for line in self.lines.by_ref() {
            match line.key {
                Key::UserAgent if !self.open => {
                    self.open = true;
                    return Some(Group { robots: self.robots, from: line.from, line: line.number });
                }
                key if key.is_rule() => self.open = false,
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
                key if key.is_rule() => break,
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
                Key::ContentUsage => self.in_rules = true,
                _ => {}
            }
        }
        self.lines = Lines::new(b"", 1, 0);
        None
    }
}

/// The `Sitemap`, `Agentmap` or `License` lines of a robots.txt.
#[derive(Clone, Copy, Debug)]
pub struct Sitemaps<'a> {
    pub(super) robots: RobotsTxt<'a>,
    pub(super) lines: Lines<'a>,
    pub(super) key: Key,
}

impl<'a> Iterator for Sitemaps<'a> {
    type Item = Sitemap<'a>;

    fn next(&mut self) -> Option<Sitemap<'a>> {
        let key = self.key;
        let line = self.lines.find(|line| line.key == key)?;
        Some(Sitemap {
            url: Text::plain(line.value),
            span: self.robots.span(line.value),
            line: line.number,
        })
    }
}

/// The lines with fields that are not defined.
#[derive(Clone, Copy, Debug)]
pub struct Others<'a> {
    pub(super) robots: RobotsTxt<'a>,
    pub(super) lines: Lines<'a>,
}

impl<'a> Iterator for Others<'a> {
    type Item = Other<'a>;

    fn next(&mut self) -> Option<Other<'a>> {
        let robots = self.robots;
        self.lines.find_map(|line| {
            let name = line.unknown_name()?;
            Some(Other {
                name: Text::plain(name),
                value: Text::plain(line.value),
                span: robots.span(name),
                line: line.number,
            })
        })
    }
}
