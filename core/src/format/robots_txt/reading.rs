//! Reads robots.txt into the unified model.

use super::line::{Key, Lines};
use super::preferences::{Place, Preferences};
use super::{RobotsTxt, byte_order_marks};
use crate::error::Error;
use crate::format::Format;
use crate::limits::Limits;
use crate::model::list::{Cursor, states};
use crate::model::{
    Choice, List, Reading, Robots, RobotsField, RobotsGroup, RobotsPreference, RobotsRule,
};
use crate::span::Span;
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

/// Returns the outline: the part of the document that is read, and, in the flags, the line limit.
/// Never fails.
pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<Outline, Error> {
    let robots = RobotsTxt::parse_with(bytes, limits);
    let mut body = Span::of(robots.body, bytes);
    if body.is_empty() {
        let start = byte_order_marks(bytes) as u32;
        body = Span::new(start, start);
    }
    let mut outline = Outline::new(Format::RobotsTxt, body);
    outline.flags = u32::try_from(limits.line).unwrap_or(u32::MAX);
    Ok(outline)
}

impl<'a> RobotsTxt<'a> {
    /// Returns the document for an outline.
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { bytes, body: outline.body.slice(bytes), line_limit: outline.flags as usize }
    }

    /// The groups in the unified model. The list is plain data. Each step takes linear time in the
    /// group.
    pub fn group_list(&self) -> List<'a, RobotsGroup<'a>> {
        List::new(self.body, self.line_limit as u32, next_group)
    }

    /// The sitemaps in the unified model. The list is plain data.
    pub fn sitemap_list(&self) -> List<'a, Text<'a>> {
        List::new(self.body, self.line_limit as u32, |cursor| {
            let mut lines = lines(cursor);
            loop {
                lines.pass_others_than_sitemaps();
                match lines.next() {
                    Some(line) if line.key == Key::Sitemap => {
                        cursor.position = position(cursor, lines.rest());
                        return Some(Text::plain(line.value));
                    }
                    Some(_) => {}
                    None => {
                        cursor.position = cursor.bytes.len() as u32;
                        return None;
                    }
                }
            }
        })
    }

    /// The preferences in the unified model. The list is plain data.
    pub fn preference_list(&self) -> List<'a, RobotsPreference<'a>> {
        let limit = (self.line_limit as u32).min(MAX_LIMIT);
        List::new(self.body, Progress { limit, next: 0, in_agents: false }, next_preference)
    }

    fn agentmap_list(&self) -> List<'a, Text<'a>> {
        List::new(self.body, self.line_limit as u32, |cursor| {
            next_line(cursor, |key| key == Key::Agentmap).map(|(_, url)| url)
        })
    }

    fn license_list(&self) -> List<'a, Text<'a>> {
        List::new(self.body, self.line_limit as u32, |cursor| {
            next_line(cursor, |key| key == Key::License).map(|(_, url)| url)
        })
    }

    fn field_list(&self) -> List<'a, RobotsField<'a>> {
        List::new(self.body, self.line_limit as u32, |cursor| {
            let mut lines = lines(cursor);
            let field = lines.find_map(|line| {
                Some(RobotsField {
                    name: Text::plain(line.unknown_name()?),
                    value: Text::plain(line.value),
                })
            });
            cursor.position = position(cursor, lines.rest());
            field
        })
    }
}

impl<'a> Reading<'a> for RobotsTxt<'a> {
    fn robots_txt(&self) -> Option<Robots<'a>> {
        Some(Robots {
            groups: self.group_list(),
            sitemaps: self.sitemap_list(),
            preferences: self.preference_list(),
            agentmaps: self.agentmap_list(),
            licenses: self.license_list(),
            fields: self.field_list(),
        })
    }
}

states! {
    /// The state of a list of preferences. The bytes of the cursor begin at the line that is read
    /// next, or at the line with more preferences to return.
    struct Progress {
        /// The line limit, at most [`MAX_LIMIT`].
        limit: u32[LIMIT_BITS],
        in_agents: bool,
        /// The index of the next preference of the first line.
        next: u32[5],
    }
}

const LIMIT_BITS: u32 = 26;
const MAX_LIMIT: u32 = (1 << LIMIT_BITS) - 1;

/// Returns the next preference.
fn next_preference<'a>(cursor: &mut Cursor<'a>) -> Option<RobotsPreference<'a>> {
    let progress: Progress = cursor.state();
    let robots =
        RobotsTxt { bytes: cursor.bytes, body: cursor.bytes, line_limit: progress.limit as usize };
    let mut walk = Preferences {
        next: progress.next as u8,
        place: Place { groups: cursor.position, in_agents: progress.in_agents },
        ..robots.preferences()
    };
    if progress.next > 0 {
        walk.line = walk.lines.next();
    }
    let found = walk.next();
    cursor.bytes = walk.line.map_or_else(|| walk.lines.rest(), |line| line.from);
    cursor.position = walk.place.groups;
    cursor.set(Progress {
        limit: progress.limit,
        next: if walk.line.is_some() { walk.next.into() } else { 0 },
        in_agents: walk.place.in_agents,
    });
    found.map(|found| RobotsPreference {
        purpose: found.purpose,
        preference: found.preference,
        path: Some(found.path).filter(|path| !path.is_empty()),
        group: cursor.position.checked_sub(1),
        source: Choice::implied(found.source),
    })
}

/// Returns the remaining lines of a list. The state of the cursor is the line limit.
fn lines<'a>(cursor: &Cursor<'a>) -> Lines<'a> {
    Lines::new(
        cursor.bytes.get(cursor.position as usize..).unwrap_or_default(),
        1,
        cursor.state::<u32>() as usize,
    )
}

/// Returns the offset of `rest` in the bytes of the list.
fn position(cursor: &Cursor<'_>, rest: &[u8]) -> u32 {
    cursor.bytes.len().saturating_sub(rest.len()) as u32
}

/// Returns the next group. One pass over its lines also finds the ranges of its lists.
fn next_group<'a>(cursor: &mut Cursor<'a>) -> Option<RobotsGroup<'a>> {
    let (mut agents, mut rules) = (Span::default(), Span::default());
    let extend = |stretch: &mut Span, from: &[u8], rest: &[u8]| {
        if stretch.end == 0 {
            stretch.start = position(cursor, from);
        }
        stretch.end = position(cursor, rest);
    };
    let mut crawl_delay = None;
    let mut lines = lines(cursor);
    let end = loop {
        let from = lines.rest();
        if lines.pass_rule() {
            if agents.end > 0 {
                extend(&mut rules, from, lines.rest());
            }
            continue;
        }
        let Some(line) = lines.next() else {
            break cursor.bytes.len() as u32;
        };
        let stretch = match line.key {
            Key::UserAgent if rules.end > 0 => break position(cursor, line.from),
            Key::UserAgent => &mut agents,
            key if key.is_rule() && agents.end > 0 => &mut rules,
            Key::CrawlDelay if agents.end > 0 => {
                crawl_delay = crawl_delay.or(Some(Text::plain(line.value)));
                continue;
            }
            _ => continue,
        };
        extend(stretch, line.from, lines.rest());
    };
    let (bytes, limit) = (cursor.bytes, cursor.state::<u32>());
    cursor.position = end;
    if agents.end == 0 {
        return None;
    }
    Some(RobotsGroup {
        agents: List::new(agents.slice(bytes), limit, |cursor| {
            next_line(cursor, |key| key == Key::UserAgent).map(|(_, name)| name)
        }),
        rules: List::new(rules.slice(bytes), limit, next_rule),
        crawl_delay,
    })
}

#[inline]
fn next_rule<'a>(cursor: &mut Cursor<'a>) -> Option<RobotsRule<'a>> {
    let (key, pattern) = next_line(cursor, |key| matches!(key, Key::Allow | Key::Disallow))?;
    Some(RobotsRule { allow: key == Key::Allow, pattern })
}

/// Returns the key and the value of the next line with a wanted key.
fn next_line<'a>(cursor: &mut Cursor<'a>, wanted: impl Fn(Key) -> bool) -> Option<(Key, Text<'a>)> {
    let mut lines = lines(cursor);
    let line = lines.find(|line| wanted(line.key));
    cursor.position = position(cursor, lines.rest());
    line.map(|line| (line.key, Text::plain(line.value)))
}
