//! robots.txt in the unified model: its groups and its sitemaps.

use super::line::{Key, Lines};
use super::{BYTE_ORDER_MARK, RobotsTxt};
use crate::error::Error;
use crate::format::Format;
use crate::limits::Limits;
use crate::model::list::Cursor;
use crate::model::{List, Reading, Robots, RobotsGroup, RobotsRule};
use crate::span::Span;
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

/// Makes the outline: the part of the document that is read and, in the flags, the line limit.
/// Never fails.
pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<Outline, Error> {
    let robots = RobotsTxt::parse_with(bytes, limits);
    let mut body = Span::of(robots.body, bytes);
    if body.is_empty() && bytes.starts_with(BYTE_ORDER_MARK) {
        body = Span::new(BYTE_ORDER_MARK.len() as u32, BYTE_ORDER_MARK.len() as u32);
    }
    let mut outline = Outline::new(Format::RobotsTxt, body);
    outline.flags = u32::try_from(limits.line).unwrap_or(u32::MAX);
    Ok(outline)
}

impl<'a> RobotsTxt<'a> {
    /// The document for an outline.
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self {
            bytes,
            body: outline.body.slice(bytes),
            line_limit: outline.flags as usize,
        }
    }

    /// The groups in the unified model. The list is plain data. Each step takes linear time in the
    /// group.
    pub fn group_list(&self) -> List<'a, RobotsGroup<'a>> {
        List::new(self.body, self.line_limit as u32, next_group)
    }

    /// The next rule of a list of the unified model, the same as its iterator returns. Direct calls
    /// let the compiler inline the step.
    #[inline]
    pub fn next_rule(rules: &mut List<'a, RobotsRule<'a>>) -> Option<RobotsRule<'a>> {
        next_rule(rules.cursor_mut()?)
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
}

impl<'a> Reading<'a> for RobotsTxt<'a> {
    fn robots_txt(&self) -> Option<Robots<'a>> {
        Some(Robots {
            groups: self.group_list(),
            sitemaps: self.sitemap_list(),
        })
    }
}

/// The remaining lines of a list. The mode of the cursor is the line limit.
fn lines<'a>(cursor: &Cursor<'a>) -> Lines<'a> {
    Lines::new(
        cursor
            .bytes
            .get(cursor.position as usize..)
            .unwrap_or_default(),
        1,
        cursor.mode as usize,
    )
}

/// The offset of `rest` in the bytes of the list.
fn position(cursor: &Cursor<'_>, rest: &[u8]) -> u32 {
    cursor.bytes.len().saturating_sub(rest.len()) as u32
}

/// The next group. One pass over its lines also finds the ranges of its lists.
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
            Key::Allow | Key::Disallow if agents.end > 0 => &mut rules,
            Key::CrawlDelay if agents.end > 0 => {
                crawl_delay = crawl_delay.or(Some(Text::plain(line.value)));
                continue;
            }
            _ => continue,
        };
        extend(stretch, line.from, lines.rest());
    };
    let (bytes, limit) = (cursor.bytes, cursor.mode);
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
    Some(RobotsRule {
        allow: key == Key::Allow,
        pattern,
    })
}

/// The next line with a wanted key.
fn next_line<'a>(cursor: &mut Cursor<'a>, wanted: impl Fn(Key) -> bool) -> Option<(Key, Text<'a>)> {
    let mut lines = lines(cursor);
    let line = lines.find(|line| wanted(line.key));
    cursor.position = position(cursor, lines.rest());
    line.map(|line| (line.key, Text::plain(line.value)))
}
