//! Which field of a table a name belongs to: one multiplication, one look into a table of 64 bytes, one comparison.
//!
//! The table is made when the program is compiled: a multiplier is looked for that gives every name of a view a place of its own.

use super::view::{Field, NAME};
use crate::syntax::text::Text;

/// The names of a view's table.
#[derive(Debug)]
pub(crate) struct Names {
    fields: &'static [Field],
    multiplier: u64,
    /// For each hash the name that has it: its field, and which of the field's names it is. Any other name is none of them.
    places: [Place; PLACES],
}

#[derive(Clone, Copy, Debug)]
struct Place {
    field: u8,
    name: u8,
}

const PLACES: usize = 64;
const NOBODY: Place = Place { field: u8::MAX, name: 0 };

impl Names {
    /// The names of a table. For constants: it tries one multiplier after the other, and does not end where two names are the same.
    pub(crate) const fn of(fields: &'static [Field]) -> Self {
        // Any odd number may do; this one has its bits well spread.
        let mut multiplier = 0x9E37_79B9_7F4A_7C15_u64;
        loop {
            if let Some(places) = places(fields, multiplier) {
                return Self { fields, multiplier, places };
            }
            multiplier = multiplier.wrapping_mul(0xD129_0D7F_4C95_7F2D).wrapping_add(2) | 1;
        }
    }

    /// The field that `name` belongs to, and which of its names it is.
    pub(crate) fn find(&self, name: Text<'_>) -> Option<(usize, usize)> {
        let mut buffer = [0; NAME];
        let plain = super::view::plain_name(name, &mut buffer);
        self.find_plain(plain, first_word(plain))
    }

    /// The same for a name without escapes, which stands in `bytes` from `start` to `end`.
    #[inline(always)]
    pub(crate) fn find_at(&self, bytes: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
        let rest = bytes.get(start..).unwrap_or_default();
        let length = end.wrapping_sub(start);
        let name = rest.get(..length)?;
        let word = match rest.first_chunk::<8>() {
            Some(first) if length < 8 => u64::from_le_bytes(*first) & ((1_u64 << (length * 8)) - 1),
            Some(first) => u64::from_le_bytes(*first),
            None => first_word(name),
        };
        self.find_plain(name, word)
    }

    #[inline(always)]
    fn find_plain(&self, name: &[u8], word: u64) -> Option<(usize, usize)> {
        let place = self.places.get(hash(word, name.len(), self.multiplier))?;
        let field = self.fields.get(usize::from(place.field))?;
        let known = field.names.get(usize::from(place.name))?;
        same(known, name).then_some((usize::from(place.field), usize::from(place.name)))
    }
}

#[inline(always)]
const fn hash(word: u64, length: usize, multiplier: u64) -> usize {
    // The length stands where the first eight bytes of a name are the least likely to differ.
    ((word ^ (length as u64) << 56).wrapping_mul(multiplier) >> 58) as usize
}

/// The first eight bytes, with zeros behind a shorter name.
const fn first_word(name: &[u8]) -> u64 {
    let mut word = 0;
    let mut shift = 0;
    let mut rest = name;
    while let [byte, tail @ ..] = rest {
        if shift == 64 {
            break;
        }
        word |= (*byte as u64) << shift;
        shift += 8;
        rest = tail;
    }
    word
}

/// Whether two names are the same. Names are short, so they are compared here and not by a call.
#[inline(always)]
fn same(known: &[u8], name: &[u8]) -> bool {
    if known.len() != name.len() {
        return false;
    }
    match (known.first_chunk::<8>(), name.first_chunk::<8>(), known.last_chunk::<8>(), name.last_chunk::<8>()) {
        (Some(a), Some(b), Some(c), Some(d)) => a == b && c == d && (name.len() <= 16 || known == name),
        _ => match (known.first_chunk::<4>(), name.first_chunk::<4>(), known.last_chunk::<4>(), name.last_chunk::<4>()) {
            (Some(a), Some(b), Some(c), Some(d)) => a == b && c == d,
            _ => known.iter().eq(name),
        },
    }
}

/// The table for a multiplier; `None` where two names share a place.
#[allow(clippy::indexing_slicing)] // Only when the program is compiled.
const fn places(fields: &[Field], multiplier: u64) -> Option<[Place; PLACES]> {
    let mut places = [NOBODY; PLACES];
    let mut field = 0;
    while field < fields.len() {
        let names = fields[field].names;
        let mut name = 0;
        while name < names.len() {
            let place = &mut places[hash(first_word(names[name]), names[name].len(), multiplier)];
            if place.field != NOBODY.field {
                return None;
            }
            *place = Place { field: field as u8, name: name as u8 };
            name += 1;
        }
        field += 1;
    }
    Some(places)
}
