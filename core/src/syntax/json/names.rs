//! Which field of a table a name belongs to: one multiplication, one look into a table of 64 bytes, one or two comparisons of words.
//!
//! The table is made when the program is compiled: a multiplier is looked for that gives every name of a view a place of its own.

use super::view::NAME;
use crate::syntax::text::Text;

/// A name of a view's table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    /// Its first eight bytes, with zeros behind a shorter name, and its last eight, where it has more.
    first: u64,
    last: u64,
    name: &'static [u8],
    field: u32,
}

impl Name {
    /// A name of a field.
    pub(crate) const fn of(name: &'static [u8], field: u32) -> Self {
        let last = match name.last_chunk::<8>() {
            Some(last) if name.len() > 8 => u64::from_le_bytes(*last),
            _ => 0,
        };
        Self { first: first_word(name), last, name, field }
    }
}

/// The names of a view's table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    names: &'static [Name],
    multiplier: u64,
    /// For each hash the number of the name that has it.
    places: [u8; PLACES],
}

const PLACES: usize = 64;
const NOBODY: u8 = u8::MAX;

impl Names {
    /// The names of a table. For constants: it tries one multiplier after the other, and does not end where two names are the same.
    pub(crate) const fn of(names: &'static [Name]) -> Self {
        // Any odd number may do; this one has its bits well spread.
        let mut multiplier = 0x9E37_79B9_7F4A_7C15_u64;
        loop {
            if let Some(places) = places(names, multiplier) {
                return Self { names, multiplier, places };
            }
            multiplier = multiplier.wrapping_mul(0xD129_0D7F_4C95_7F2D).wrapping_add(2) | 1;
        }
    }

    /// The field that `name` belongs to.
    pub(crate) fn find(&self, name: Text<'_>) -> Option<u32> {
        let mut buffer = [0; NAME];
        let plain = super::view::plain_name(name, &mut buffer);
        self.find_at(plain, 0, plain.len())
    }

    /// The same for a name without escapes, which stands in `bytes` from `start` to `end`.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) fn find_at(&self, bytes: &[u8], start: usize, end: usize) -> Option<u32> {
        let rest = bytes.get(start..).unwrap_or_default();
        let length = end.wrapping_sub(start);
        let name = rest.get(..length)?;
        let first = match rest.first_chunk::<8>() {
            Some(first) if length < 8 => u64::from_le_bytes(*first) & !(u64::MAX << (length * 8)),
            Some(first) => u64::from_le_bytes(*first),
            None => first_word(name),
        };
        self.find_plain(name, first)
    }

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn find_plain(&self, name: &[u8], first: u64) -> Option<u32> {
        let place = *self.places.get(hash(first, name.len(), self.multiplier))?;
        let known = self.names.get(usize::from(place))?;
        if known.first != first || known.name.len() != name.len() {
            return None;
        }
        // Most names are no longer than eight bytes, and nearly all no longer than sixteen.
        let same = match name.last_chunk::<8>() {
            Some(last) if name.len() > 8 => known.last == u64::from_le_bytes(*last) && (name.len() <= 16 || known.name == name),
            _ => true,
        };
        same.then_some(known.field)
    }
}

#[cfg_attr(not(target_os = "none"), inline(always))]
const fn hash(first: u64, length: usize, multiplier: u64) -> usize {
    // The length is put where few names have letters that differ.
    ((first ^ (length as u64) << 56).wrapping_mul(multiplier) >> 58) as usize
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

/// The table for a multiplier; `None` where two names share a place.
#[allow(clippy::indexing_slicing)] // Only when the program is compiled.
const fn places(names: &[Name], multiplier: u64) -> Option<[u8; PLACES]> {
    let mut places = [NOBODY; PLACES];
    let mut number = 0;
    while number < names.len() {
        let place = &mut places[hash(names[number].first, names[number].name.len(), multiplier)];
        if *place != NOBODY {
            return None;
        }
        *place = number as u8;
        number += 1;
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_no_others() {
        const KNOWN: &[Name] = &[
            Name::of(b"a", 0),
            Name::of(b"abcdefgh", 1),
            Name::of(b"abcdefghi", 2),
            Name::of(b"abcdefgh-middle-abcdefgh", 3),
            Name::of(b"", 4),
        ];
        const NAMES: &Names = &Names::of(KNOWN);
        for known in KNOWN {
            // Before other text and at its end, and as an escaped name.
            let text = [known.name, b"\": 1, \"another\": 2}"].concat();
            assert_eq!(NAMES.find_at(&text, 0, known.name.len()), Some(known.field));
            assert_eq!(NAMES.find_at(known.name, 0, known.name.len()), Some(known.field));
            assert_eq!(NAMES.find(Text::json(known.name)), Some(known.field));
        }
        for other in [&b"b"[..], b"ab", b"a\0", b"abcdefgx", b"abcdefghj", b"abcdefgh-muddle-abcdefgh", b"abcdefgh\0"] {
            assert_eq!(NAMES.find_at(other, 0, other.len()), None);
        }
        assert_eq!(NAMES.find(Text::json(br"abcdefg\u0068")), Some(1));
    }
}
