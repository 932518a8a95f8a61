//! robots.txt in the unified model: its groups and sitemaps, and nothing else.

use super::line::{Key, Lines};
use super::{BYTE_ORDER_MARK, RobotsTxt};
use crate::document::Outline;
use crate::error::Error;
use crate::format::Format;
use crate::limits::Limits;
use crate::manifest::list::Cursor;
use crate::manifest::{List, Reading, RobotsGroup, RobotsRule};
use crate::span::Span;
use crate::syntax::text::Text;

/// Notes what is read of a robots.txt, and the limit of its lines (in the flags). Never fails.
#[cfg_attr(target_os = "none", inline(never))] // So that the stack is not as deep as all formats need together.
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
    /// The document whose outline this is.
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { bytes, body: outline.body.slice(bytes), line_limit: outline.flags as usize }
    }

    /// The groups as the unified model has them, in a list that is plain data. Each step is linear in the group.
    pub fn group_list(&self) -> List<'a, RobotsGroup<'a>> {
        Reading::robots(self)
    }

    /// The sitemaps as the unified model has them, in a list that is plain data.
    pub fn sitemap_list(&self) -> List<'a, Text<'a>> {
        Reading::sitemaps(self)
    }

    /// What is left of a walk over `cursor.bytes`.
    fn walk(cursor: &Cursor<'a>) -> Self {
        let body = cursor.bytes.get(cursor.position as usize..).unwrap_or_default();
        Self { bytes: body, body, line_limit: cursor.mode as usize }
    }
}

impl<'a> Reading<'a> for RobotsTxt<'a> {
    fn robots(&self) -> List<'a, RobotsGroup<'a>> {
        let limit = self.line_limit as u32;
        List::new(self.body, limit, |cursor| {
            let mut groups = Self::walk(cursor).groups();
            let group = groups.next()?;
            let length = cursor.bytes.len() as u32;
            cursor.position = groups.next().map_or(length, |next| Span::of(next.from, cursor.bytes).start);
            Some(RobotsGroup {
                agents: List::new(group.from, cursor.mode, |cursor| {
                    next_of_group(cursor, |key| key == Key::UserAgent, |key| matches!(key, Key::Allow | Key::Disallow))
                        .map(|(_, text)| text)
                }),
                rules: List::new(group.from, cursor.mode, |cursor| {
                    // Behind the first rule, the next agent is another group's.
                    let in_rules = cursor.position > 0;
                    let is_rule = |key| matches!(key, Key::Allow | Key::Disallow);
                    let (key, pattern) = next_of_group(cursor, is_rule, |key| in_rules && key == Key::UserAgent)?;
                    Some(RobotsRule { allow: key == Key::Allow, pattern })
                }),
                crawl_delay: group.crawl_delay().map(|delay| delay.text),
            })
        })
    }

    fn sitemaps(&self) -> List<'a, Text<'a>> {
        List::new(self.body, self.line_limit as u32, |cursor| {
            next_of_group(cursor, |key| key == Key::Sitemap, |_| false).map(|(_, text)| text)
        })
    }
}

/// The next line with a wanted key, unless one that ends the walk comes first.
fn next_of_group<'a>(cursor: &mut Cursor<'a>, wanted: impl Fn(Key) -> bool, ends: impl Fn(Key) -> bool) -> Option<(Key, Text<'a>)> {
    let rest = cursor.bytes.get(cursor.position as usize..).unwrap_or_default();
    let mut lines = Lines::new(rest, 1, cursor.mode as usize);
    while let Some(line) = lines.next() {
        if ends(line.key) {
            break;
        }
        if wanted(line.key) {
            cursor.position = (cursor.bytes.len() - lines.rest().len().min(cursor.bytes.len())) as u32;
            return Some((line.key, Text::plain(line.value)));
        }
    }
    cursor.position = cursor.bytes.len() as u32;
    None
}
