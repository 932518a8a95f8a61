//! Writes a robots.txt whose AI preferences stand in both fields, `Content-Signal` and `Content-Usage`, so that readers of either see them.
//!
//! The bytes of the document stay. Behind the last line of each group, a line states what only the other field of the group states; no line is
//! added between two `User-agent` lines, because a `Content-Usage` would end their group. What is said to every agent before the first group is
//! said to each group, and to a new group for `*` if there is none.
//!
//! INVARIANT: no answer of [`RobotsTxt::preference`] or [`RobotsTxt::allowed`] changes. Of both fields the stricter statement counts, so a copy
//! changes nothing unless a statement with a path overrides the original, but not the copy.

use super::loss::{Part, Reason};
use super::out::Out;
use crate::diagnostic::Severity::{Info, Warning};
use crate::format::robots_txt::sections::{LABELS, NOTHING, Section, Stances};
use crate::format::robots_txt::{Preference, RobotsTxt};
use crate::limits::Limits;
use crate::model::{Stance, Vocabulary};
use crate::scan;

/// How many names of agents with paths are collected. If there are more, every agent counts as one of them.
const NAMES: usize = 64;

/// More bytes than are added to a group.
const ADDED: usize = 192;

/// Writes the document, and reports the preferences that only one field states.
pub(super) fn write<'a>(out: &mut Out<'_, 'a>, robots: &RobotsTxt<'a>) {
    let both = Both::of(robots);
    report(out, robots, &both);
    let bytes = out.bytes;
    let first = scan::memchr(b'\n', bytes).and_then(|at| bytes.get(..at));
    let end: &[u8] = match first {
        Some([.., b'\r']) => b"\r\n",
        _ => b"\n",
    };
    let mut copied = 0;
    for section in robots.sections() {
        let (signal, usage) = both.missing(&section);
        if signal == NOTHING && usage == NOTHING {
            continue;
        }
        let before = bytes.get(copied..section.end).unwrap_or_default();
        out.copy(before);
        copied = section.end;
        if !before.ends_with(b"\n") && !before.ends_with(b"\r") {
            out.copy(end);
        }
        put(out, Vocabulary::ContentSignal, signal, end);
        put(out, Vocabulary::ContentUsage, usage, end);
    }
    out.copy(bytes.get(copied..).unwrap_or_default());
    if both.needs_group() {
        for piece in [end, b"User-agent: *", end] {
            out.copy(piece);
        }
        put(out, Vocabulary::ContentUsage, both.global, end);
    }
}

/// Writes a line, if it states anything.
fn put(out: &mut Out<'_, '_>, field: Vocabulary, stances: Stances, end: &[u8]) {
    let mut before: &[u8] = match field {
        Vocabulary::ContentSignal => b"Content-Signal: ",
        _ => b"Content-Usage: ",
    };
    for ((_, usage, signal), stance) in LABELS.into_iter().zip(stances) {
        let (label, value) = match (field, stance) {
            (_, Stance::Unknown | Stance::NotStated) => continue,
            (Vocabulary::ContentSignal, Stance::Allow) => (signal, "=yes"),
            (Vocabulary::ContentSignal, Stance::Disallow) => (signal, "=no"),
            (_, Stance::Allow) => (usage, "=y"),
            (_, Stance::Disallow) => (usage, "=n"),
        };
        for piece in [before, label.as_bytes(), value.as_bytes()] {
            out.copy(piece);
        }
        before = b", ";
    }
    if stances != NOTHING {
        out.copy(end);
    }
}

/// Reports what is added, and the preferences that the other field does not state as well.
fn report<'a>(out: &mut Out<'_, 'a>, robots: &RobotsTxt<'a>, both: &Both<'a>) {
    let mut preferences = robots.preferences().zip(0..);
    let mut next = preferences.next();
    let mut is_changed = both.needs_group();
    out.within(Part::object("robots"), out.place, |out| {
        for section in robots.sections() {
            let (signal, usage) = both.missing(&section);
            is_changed |= signal != NOTHING || usage != NOTHING;
            let signal = stricter(both.signal(&section), signal);
            let usage = stricter(both.usage(&section), usage);
            let is_here = |(one, _): &(Preference<'a>, u32)| {
                one.group.map(|group| group.line()) == section.group.map(|group| group.line())
            };
            while let Some((one, index)) = next.filter(is_here) {
                next = preferences.next();
                let same = LABELS.into_iter().zip(signal).zip(usage);
                let mut same = same.filter(|((_, signal), usage)| signal == usage);
                let is_said = one.path.is_empty()
                    && one.preference.value != Stance::NotStated
                    && same.any(|(((purpose, ..), _), _)| purpose == one.purpose.value);
                if !is_said {
                    out.lose(
                        Part::item("preferences", index),
                        Reason::OneField,
                        Warning,
                        one.span,
                    );
                }
            }
        }
        if is_changed {
            out.lose(
                Part::object("preferences"),
                Reason::Changed,
                Info,
                out.place,
            );
        }
    });
}

/// What decides which lines are added.
struct Both<'a> {
    /// Whether lines are added: not if a `Content-Signal` has a path, nor if readers would not read all of the result.
    is_free: bool,
    /// What `Content-Signal` states before the first group.
    global: Stances,
    /// Whether there is a group for `*`.
    has_any: bool,
    /// The names of agents with paths of `Content-Usage`, which their other groups would override, and whether there are more.
    names: heapless::Vec<&'a [u8], NAMES>,
    has_more: bool,
}

impl<'a> Both<'a> {
    fn of(robots: &RobotsTxt<'a>) -> Self {
        let mut both = Self {
            is_free: !robots.is_cut(),
            global: NOTHING,
            has_any: false,
            names: heapless::Vec::new(),
            has_more: false,
        };
        for section in robots.sections() {
            both.is_free &= !section.has_signal_path;
            both.has_any |= section.is_for_all();
            if section.group.is_none() {
                both.global = section.signal;
            }
            if section.has_usage_path {
                for name in section.names() {
                    both.has_more |= both.names.push(name).is_err();
                }
            }
        }
        let changed = robots
            .sections()
            .filter(|section| both.missing(section) != (NOTHING, NOTHING));
        let added = changed.count().saturating_add(1).saturating_mul(ADDED);
        both.is_free &= robots.bytes().len().saturating_add(added) <= Limits::DEFAULT.robots;
        both
    }

    /// What the `Content-Signal` lines for a section state.
    fn signal(&self, section: &Section<'_>) -> Stances {
        stricter(section.signal, self.global)
    }

    /// What the `Content-Usage` lines for a section state. What holds for every agent is stated in the groups.
    fn usage(&self, section: &Section<'_>) -> Stances {
        match section.group {
            None if self.is_free => self.global,
            _ => section.usage,
        }
    }

    /// What is added to a section: `Content-Signal`, and `Content-Usage`.
    fn missing(&self, section: &Section<'_>) -> (Stances, Stances) {
        if !self.is_free || section.group.is_none() {
            return (NOTHING, NOTHING);
        }
        let (signal, usage) = (self.signal(section), section.usage);
        let is_overridden =
            |name: &[u8]| self.names.iter().any(|own| own.eq_ignore_ascii_case(name));
        match self.has_more || section.names().any(is_overridden) {
            true => (NOTHING, lacking(usage, signal)),
            false => (lacking(signal, usage), lacking(usage, signal)),
        }
    }

    /// Whether what holds for every agent needs a group for `*`.
    fn needs_group(&self) -> bool {
        self.is_free && !self.has_any && self.global != NOTHING
    }
}

/// The stricter stance on each purpose.
fn stricter(mut one: Stances, other: Stances) -> Stances {
    for (one, other) in one.iter_mut().zip(other) {
        *one = other.max(*one);
    }
    one
}

/// What `other` states and `own` does not.
fn lacking(mut own: Stances, other: Stances) -> Stances {
    for (own, other) in own.iter_mut().zip(other) {
        *own = match own {
            Stance::NotStated => other,
            _ => Stance::NotStated,
        };
    }
    own
}
