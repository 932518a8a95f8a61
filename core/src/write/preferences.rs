//! Writes a robots.txt that states its AI preferences in both fields, `Content-Signal` and
//! `Content-Usage`, so that readers of either field see them.
//!
//! The bytes of the document do not change; lines are only added. After the last line of each
//! group, a line for each field states what only the other field of the group states. No line is
//! added between two `User-agent` lines, because a `Content-Usage` line would end their group.
//! Preferences before the first group are for every agent; they are repeated in each group, and in
//! a new group for `*` if there is none.
//!
//! INVARIANT: no result of [`RobotsTxt::preference`] or [`RobotsTxt::allowed`] changes. The
//! stricter statement of both fields counts, so a copy changes nothing, unless a statement with a
//! path overrides the original but not the copy.

use super::loss::{Part, Reason};
use super::out::Out;
use crate::diagnostic::Severity::{Info, Warning};
use crate::format::robots_txt::sections::{LABELS, NOTHING, Section, Stances};
use crate::format::robots_txt::{Preference, RobotsTxt};
use crate::limits::Limits;
use crate::model::{Stance, Vocabulary};
use crate::scan;

/// The largest number of collected names of agents with a path. If there are more, every agent
/// counts as one of them.
const NAMES: usize = 64;

/// An upper bound of the bytes that are added to a group.
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

/// Reports that preferences are added, and the preferences that only one field states.
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
                    out.lose(Part::item("preferences", index), Reason::OneField, Warning, one.span);
                }
            }
        }
        if is_changed {
            out.lose(Part::object("preferences"), Reason::Changed, Info, out.place);
        }
    });
}

/// The data that determine which lines are added.
struct Both<'a> {
    /// Whether lines may be added. False if a `Content-Signal` has a path, or if the result would
    /// exceed the size that readers read.
    is_free: bool,
    /// What `Content-Signal` states before the first group.
    global: Stances,
    /// Whether there is a group for `*`.
    has_any: bool,
    /// The names of agents for which a `Content-Usage` with a path is stated; lines in their other
    /// groups would override it. `has_more` states whether there are more names.
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
        let changed =
            robots.sections().filter(|section| both.missing(section) != (NOTHING, NOTHING));
        let added = changed.count().saturating_add(1).saturating_mul(ADDED);
        both.is_free &= robots.bytes().len().saturating_add(added) <= Limits::DEFAULT.robots;
        both
    }

    /// What the `Content-Signal` lines for a section state.
    fn signal(&self, section: &Section<'_>) -> Stances {
        stricter(section.signal, self.global)
    }

    /// What the `Content-Usage` lines for a section state. Preferences for every agent are stated
    /// in the groups.
    fn usage(&self, section: &Section<'_>) -> Stances {
        match section.group {
            None if self.is_free => self.global,
            _ => section.usage,
        }
    }

    /// What is added to a section: for `Content-Signal`, and for `Content-Usage`.
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

    /// Whether preferences for every agent need a new group for `*`.
    fn needs_group(&self) -> bool {
        self.is_free && !self.has_any && self.global != NOTHING
    }
}

/// The stricter stance for each purpose.
fn stricter(mut one: Stances, other: Stances) -> Stances {
    for (one, other) in one.iter_mut().zip(other) {
        *one = other.max(*one);
    }
    one
}

/// The stances that `other` states and `own` does not.
fn lacking(mut own: Stances, other: Stances) -> Stances {
    for (own, other) in own.iter_mut().zip(other) {
        *own = match own {
            Stance::NotStated => other,
            _ => Stance::NotStated,
        };
    }
    own
}
