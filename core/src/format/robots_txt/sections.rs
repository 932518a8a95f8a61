//! Iterates over the groups of a robots.txt, each with the preferences that it states for all
//! paths.

use super::RobotsTxt;
use super::line::{Key, Lines};
use super::parts::Group;
use super::preferences::Statement;
use crate::model::{Purpose, Stance, Vocabulary};

/// The purposes with the labels of `Content-Usage` and `Content-Signal`.
pub(crate) const LABELS: [(Purpose, &str, &str); 3] = [
    (Purpose::TrainAi, "train-ai", "ai-train"),
    (Purpose::Search, "search", "search"),
    (Purpose::AiInput, "ai-input", "ai-input"),
];

/// A stance for each purpose of [`LABELS`].
pub(crate) type Stances = [Stance; LABELS.len()];

pub(crate) const NOTHING: Stances = [Stance::NotStated; LABELS.len()];

/// A group from its first line up to the next group, or the lines before the first group.
#[derive(Clone, Copy)]
pub(crate) struct Section<'a> {
    /// Absent for the lines before the first group.
    pub(crate) group: Option<Group<'a>>,
    /// The offset in the document behind the last line that belongs to the group.
    pub(crate) end: usize,
    /// The stances that its `Content-Usage` lines without a path state. If several lines state one,
    /// the strictest counts.
    pub(crate) usage: Stances,
    /// The stances that its `Content-Signal` lines without a path state. If several lines state
    /// one, the strictest counts.
    pub(crate) signal: Stances,
    /// Whether one of its `Content-Usage` lines has a path.
    pub(crate) has_usage_path: bool,
    /// Whether one of its `Content-Signal` lines has a path.
    pub(crate) has_signal_path: bool,
}

impl<'a> Section<'a> {
    /// The names of its agents. The name of `*` is empty.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let agents = self.group.into_iter().flat_map(|group| group.agents());
        agents.map(|agent| agent.token())
    }

    /// Whether it applies to every agent that has no group of its own.
    pub(crate) fn is_for_all(&self) -> bool {
        self.group.is_some_and(|group| group.agents().any(|agent| agent.is_any()))
    }

    /// Reads the lines of `bytes`, which begin at `offset` in the document.
    fn of(group: Option<Group<'a>>, bytes: &'a [u8], offset: usize, line_limit: usize) -> Self {
        let mut section = Self {
            group,
            end: offset,
            usage: NOTHING,
            signal: NOTHING,
            has_usage_path: false,
            has_signal_path: false,
        };
        let mut lines = Lines::new(bytes, 1, line_limit);
        while let Some(line) = lines.next() {
            let is_preference = match line.key {
                Key::ContentSignal => true,
                // Before the first group, a `Content-Usage` has no effect.
                Key::ContentUsage => group.is_some(),
                _ => false,
            };
            if is_preference {
                section.add(&Statement::of(line, b""));
            }
            let is_of_group =
                line.key.is_rule() || matches!(line.key, Key::UserAgent | Key::CrawlDelay);
            if is_preference || is_of_group {
                let length = bytes.len().saturating_sub(lines.rest().len());
                section.end = offset.saturating_add(length);
            }
        }
        section
    }

    fn add(&mut self, statement: &Statement<'a>) {
        let (stances, has_path) = match statement.field {
            Vocabulary::ContentUsage => (&mut self.usage, &mut self.has_usage_path),
            _ => (&mut self.signal, &mut self.has_signal_path),
        };
        if !statement.path.is_empty() {
            *has_path = true;
            return;
        }
        for part in statement.parts() {
            let purpose = part.purpose;
            let own = stances.iter_mut().zip(LABELS);
            for (stance, _) in own.filter(|(_, (label, ..))| *label == purpose) {
                *stance = part.stance.max(*stance);
            }
        }
    }
}

impl<'a> RobotsTxt<'a> {
    /// The lines before the first group, then each group. Iterating over all of them takes linear
    /// time.
    pub(crate) fn sections(&self) -> impl Iterator<Item = Section<'a>> + use<'a> {
        let (robots, mut groups) = (*self, self.groups());
        let start = robots.span(robots.body).start as usize;
        let mut next = Some((None, robots.body));
        core::iter::from_fn(move || {
            let (group, from) = next?;
            next = groups.next().map(|group| (Some(group), group.from));
            let rest = next.map_or(0, |(_, rest)| rest.len());
            let bytes = from.get(..from.len().saturating_sub(rest))?;
            let offset = start.saturating_add(robots.body.len().saturating_sub(from.len()));
            Some(Section::of(group, bytes, offset, robots.line_limit))
        })
    }
}
