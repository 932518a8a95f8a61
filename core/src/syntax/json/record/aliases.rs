//! Which value of a field counts if the field occurs under several names.

use super::{Holds, Level, OWN, Record, Slot};
use crate::span::Span;
use crate::syntax::json::names::{Meaning, Names};
use crate::syntax::json::tokenizer::TokenKind;
use crate::syntax::json::value::{MemberAt, Value};
use crate::syntax::json::view::{Seen, Table};

impl Record {
    /// Decides which values count in an object in which an alias occurs ([`Weigh`]).
    ///
    /// Reading stores the last value of a field. This walks the object again, which only objects
    /// with aliases pay for.
    ///
    /// [`Weigh`]: crate::syntax::json::names::Weigh
    #[cold]
    #[inline(never)]
    pub(super) fn settle(&mut self, bytes: &[u8], names: &Names) {
        self.named &= !CONTESTED;
        self.contest(bytes, self.start, (names, OWN, 0));
        for (nested, level) in names.nested.iter().zip(1..) {
            if let Some(slot) = self.slot(nested.field) {
                self.named &= !nested.bits;
                if slot.kind == TokenKind::ObjectStart {
                    self.contest(bytes, slot.start, (nested.names, level, nested.base));
                }
            }
        }
    }

    /// Decides the contested fields of the object that begins at `start`. Of equal names, the last
    /// one counts; `null` is absent.
    fn contest(&mut self, bytes: &[u8], start: u32, (names, level, base): (&Names, Level, u32)) {
        let mut best = [(0_u8, 0_u32); Self::FIELDS];
        let (mut found, mut at) = (0_u32, start as usize + 1);
        while let Some(member) = MemberAt::find(bytes, at) {
            at = member.next;
            let Some(Meaning { field, rank, .. }) = meaning_of(member.name, bytes, names) else {
                continue;
            };
            let value = member.value.value(bytes);
            let weight = match names.weights.get(field as usize) {
                // 0 is `null`. The pointer is called here, where the proof of the stack knows its type.
                Some(weigh) if !value.is_null() => weigh(value).saturating_add(1),
                _ => 0,
            };
            let Some((best_rank, best_weight)) = best.get_mut(field as usize) else {
                continue;
            };
            if found.wrapping_shr(field) & 1 == 1 && rank != *best_rank {
                if weight > 0 && *best_weight > 0 {
                    self.named |= contested(level);
                }
                if stays((*best_weight, *best_rank), (weight, rank)) {
                    continue;
                }
            }
            found |= 1_u32.wrapping_shl(field);
            (*best_rank, *best_weight) = (rank, weight);
            let holds = Holds::of(value);
            self.set(base.wrapping_add(field), Slot { holds, ..member.value });
        }
    }

    /// Returns the fields that are present, including those with `null`.
    pub(crate) fn named(&self) -> u32 {
        self.named & !CONTESTED
    }

    /// Returns the ranks of the names that count in an object, packed ([`Meaning::packed`]).
    #[cold]
    #[inline(never)]
    pub(crate) fn ranks(object: Value<'_>, names: &Names) -> u32 {
        let bytes = object.raw();
        let mut record = Self::new();
        record.note(bytes, 0, names);
        let mut ranks = 0;
        for member in object.members() {
            if let Some(meaning) = names.find_in(bytes, member.name)
                && record
                    .slot(meaning.field)
                    .is_some_and(|slot| slot.start == Span::of(member.value.raw(), bytes).start)
            {
                ranks |= meaning.packed();
            }
        }
        ranks
    }

    /// Records whether a field occurs under several names.
    pub(crate) fn note_contested(&mut self, is_contested: bool) {
        if is_contested {
            self.named |= contested(OWN);
        }
    }
}

/// Returns the value that counts of a field, as a view of this table reads it.
///
/// For functions that weigh: a view weighs the values of its fields, so what reads one in order to
/// weigh would weigh the values in a value again, and take exponential time.
pub(crate) fn counted<'a, V: Table>(
    object: Value<'a>,
    field: u32,
    weigh: impl Fn(Value<'a>) -> u32,
) -> Option<Value<'a>> {
    let mut best = None;
    for member in object.members() {
        let meaning = V::NAMES.find_in(object.raw(), member.name);
        let Some(Meaning { rank, .. }) = meaning.filter(|meaning| meaning.field == field) else {
            continue;
        };
        let is_null = member.value.is_null();
        let now = (if is_null { 0 } else { weigh(member.value).saturating_add(1) }, rank);
        if best.is_none_or(|(_, best)| !stays(best, now)) {
            best = Some((member.value, now));
        }
    }
    best.map(|(value, _)| value).filter(|value| !value.is_null())
}

/// Whether the value that counts so far stays, beside another one of its field: if it is stricter, or
/// as strict and under an earlier name. Both are a weight and the rank of a name. Of equal names, the
/// last one counts.
fn stays(best: (u32, u8), now: (u32, u8)) -> bool {
    now.1 != best.1 && (now.0, best.1) < (best.0, now.1)
}

/// Returns what a name stands for.
fn meaning_of(name: Slot, bytes: &[u8], names: &Names) -> Option<Meaning> {
    if name.escaped {
        return names.find(name.inside(bytes));
    }
    let end = (name.end as usize).wrapping_sub(1);
    names.meaning_at(bytes, name.start as usize + 1, end)
}

/// The bit of a level in [`Record::named`].
pub(super) const fn contested(level: Level) -> u32 {
    Seen::CONTESTED.wrapping_shr(level as u32)
}

/// The bits of all levels.
pub(super) const CONTESTED: u32 = contested(0) | contested(1) | contested(2);
const _: () = assert!(CONTESTED.trailing_zeros() as usize >= Record::FIELDS && Record::NESTED == 2);
