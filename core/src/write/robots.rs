//! Translates a robots.txt into the terms of the Internet-Draft, whose access rules apply to all
//! agents.
//!
//! The rules for `*` become access rules and the rate limit of `Agent: *`. A group for another
//! agent that disallows something makes the conversion fail.

use super::adapt::Source;
use super::loss::{Part, Path, Reason};
use super::out::{Name, Out};
use crate::diagnostic::Severity::{Error, Info, Warning};
use crate::format::robots_txt::CrawlDelay;
use crate::model::{List, RobotsGroup, RobotsRule, Window};
use crate::span::Span;
use crate::syntax::text::Text;

impl<'a> Source<'a, '_> {
    /// The groups of a robots.txt.
    fn robots(&self) -> List<'a, RobotsGroup<'a>> {
        self.reading.robots_txt().unwrap_or_default().groups
    }

    /// Whether a robots.txt has rules for every agent without a group of its own.
    pub(super) fn has_robots_rules(&self) -> bool {
        self.robots().filter(is_for_all).any(|group| !group.rules.is_empty())
    }

    /// Whether an `Allow: /` must be added, so that unmatched paths stay allowed. In the draft, a
    /// document with an `Allow` rule or without any `Disallow` rule allows nothing else. Not if a
    /// `Disallow` pattern has one character, because the two rules would tie.
    fn opens_the_rest(&self) -> bool {
        let (mut allows, mut forbids) = (false, false);
        for rule in self.robots().filter(is_for_all).flat_map(|group| group.rules) {
            match (rule.allow, rule.pattern.raw().len()) {
                // An empty pattern matches nothing.
                (_, 0) => {}
                (true, _) if rule.pattern == "/" => return false,
                (true, _) => allows = true,
                (false, 1) => return false,
                (false, _) => forbids = true,
            }
        }
        allows || !forbids
    }
}

fn is_for_all(group: &RobotsGroup<'_>) -> bool {
    group.agents.into_iter().any(|agent| agent == "*")
}

/// Reports the changes to the groups of a robots.txt.
pub(super) fn groups<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let opens = |group: &RobotsGroup<'_>| {
        group.rules.into_iter().any(|rule| rule.allow && !rule.pattern.is_empty())
    };
    let opening = source.robots().filter(|group| is_for_all(group) && opens(group)).take(2).count();
    out.within(Part::object("robots"), out.place, |out| {
        for (group, index) in source.robots().zip(0..) {
            let mut agents = group.agents;
            let span = agents.next().map_or(out.place, |agent| out.span(agent));
            let forbids =
                group.rules.into_iter().any(|rule| !rule.allow && !rule.pattern.is_empty());
            let is_for_all = is_for_all(&group);
            // An agent that a group names beside `*` is not bound by the other groups for `*`,
            // which may allow what this group denies.
            let is_for_others = group.agents.into_iter().any(|agent| agent != "*")
                && opening > usize::from(opens(&group));
            let (reason, severity) = match (is_for_all && !is_for_others, forbids) {
                (true, _) => (Reason::Changed, Info),
                // Without the group, an agent would follow rules that may allow more.
                (false, true) => (Reason::NoPlace, Error),
                (false, false) if is_for_all => (Reason::Changed, Info),
                (false, false) => (Reason::NoPlace, Warning),
            };
            out.lose(Part::item("groups", index), reason, severity, span);
            if let Some(delay) = group.crawl_delay {
                let (reason, severity) = match milliseconds(delay).filter(|delay| *delay > 0) {
                    None => (Reason::NoPlace, Warning),
                    Some(delay) if is_for_all && rate_of(delay).is_some() => {
                        (Reason::Changed, Info)
                    }
                    Some(_) => (Reason::NoPlace, source.severity()),
                };
                out.within(Part::item("groups", index), out.place, |out| {
                    out.lose_text("crawl_delay", Some(delay), reason, severity)
                });
            }
        }
    });
}

/// The rate of the longest `Crawl-delay` for every agent, in the smallest window with at least one
/// request, rounded down.
pub(super) fn rate(source: &Source<'_, '_>) -> Option<(u32, Window)> {
    let delays =
        source.robots().filter(is_for_all).filter_map(|group| milliseconds(group.crawl_delay?));
    delays.max().and_then(rate_of)
}

fn milliseconds(delay: Text<'_>) -> Option<u64> {
    CrawlDelay { text: delay, span: Span::default(), line: 0 }.milliseconds()
}

/// The number of requests in a window, with this delay between them.
fn rate_of(milliseconds: u64) -> Option<(u32, Window)> {
    [Window::Second, Window::Minute, Window::Hour, Window::Day].into_iter().find_map(|window| {
        let requests = u64::from(window.seconds()?).checked_mul(1000)?.checked_div(milliseconds)?;
        u32::try_from(requests)
            .ok()
            .filter(|requests| *requests > 0)
            .map(|requests| (requests, window))
    })
}

/// Writes the rules for every agent. Reports a pattern that cannot be written under its path in the
/// model of the source.
pub(super) fn rules<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    allow: &Name,
    disallow: &Name,
) {
    for (group, index) in source.robots().zip(0..).filter(|(group, _)| is_for_all(group)) {
        let path = Path::default().then(Part::object("robots")).then(Part::item("groups", index));
        for (rule, number) in group.rules.zip(0..) {
            if let Some(reason) = out.problem(rule.pattern) {
                out.lose_path(
                    path.then(Part::item("rules", number)),
                    reason,
                    Error,
                    out.span(rule.pattern),
                );
            }
        }
    }
    // Patterns that cannot be written are already reported.
    let groups = || source.robots().filter(is_for_all);
    let says =
        |rule: &RobotsRule<'_>, allows: bool| rule.allow == allows && !rule.pattern.is_empty();
    let rules = |allows: bool| {
        groups().flat_map(|group| group.rules).filter(move |rule| says(rule, allows))
    };
    let rest = source.opens_the_rest().then(|| Text::plain(b"/"));
    out.texts(allow, rest.into_iter().chain(rules(true).map(|rule| rule.pattern)), None);
    out.texts(disallow, rules(false).map(|rule| rule.pattern), None);
}
