//! Which field of a table a name belongs to: one look into a table of 64 bytes ([`Perfect`]), one or two comparisons of words.

use super::lookup::Lookup;
use super::record::Record;
use super::view::NAME;
use crate::span::Span;
use crate::syntax::perfect::Perfect;
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
        Self {
            first: first_word(name),
            last,
            name,
            field,
        }
    }
}

/// The names of a view's table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    names: &'static [Name],
    /// The fields whose objects are recorded together with the object around them.
    pub(crate) nested: &'static [Nested],
    places: Perfect<PLACES>,
}

/// A field whose object is recorded together with the object around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nested {
    pub(crate) field: u32,
    /// The names in its object.
    pub(crate) names: &'static Names,
    /// The number that the record gives to the first field of its object.
    pub(crate) base: u32,
    /// One bit for each field of its object.
    pub(crate) bits: u32,
}

impl Nested {
    /// Returns the number of fields that have nested objects. For constants.
    pub(crate) const fn count(mut tables: &[Option<Lookup>]) -> usize {
        let mut count = 0;
        while let [table, rest @ ..] = tables {
            count += table.is_some() as usize;
            tables = rest;
        }
        count
    }

    /// Numbers the fields of nested objects after the fields of the object around them. `tables` has an element for each of those. For constants.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    pub(crate) const fn number<const N: usize>(tables: &[Option<Lookup>]) -> [Self; N] {
        let mut nested = [Self {
            field: 0,
            names: &NO_NAMES,
            base: 0,
            bits: 0,
        }; N];
        let (mut field, mut count, mut base) = (0, 0, tables.len());
        while field < tables.len() {
            if let Some(Lookup { fields, names }) = tables[field] {
                assert!(names.nested.is_empty());
                nested[count] = Self {
                    field: field as u32,
                    names,
                    base: base as u32,
                    bits: ((1 << fields.len()) - 1) << base,
                };
                count += 1;
                base += fields.len();
            }
            field += 1;
        }
        assert!(base <= Record::FIELDS && count <= Record::NESTED);
        nested
    }
}

/// An object without names.
const NO_NAMES: Names = Names::of(&[], &[]);

const PLACES: usize = 64;

impl Names {
    /// The names of a table, no two the same. For constants.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    pub(crate) const fn of(names: &'static [Name], nested: &'static [Nested]) -> Self {
        let mut words = [0; PLACES];
        let mut number = 0;
        while number < names.len() {
            words[number] = word(names[number].first, names[number].name.len());
            number += 1;
        }
        Self {
            names,
            nested,
            places: Perfect::of(words.split_at(names.len()).0),
        }
    }

    /// Returns the place in [`Self::nested`] of the field with this number.
    #[inline]
    pub(crate) const fn nested_at(&self, field: u32) -> Option<usize> {
        let mut at = 0;
        let mut rest = self.nested;
        while let [nested, tail @ ..] = rest {
            if nested.field == field {
                return Some(at);
            }
            at += 1;
            rest = tail;
        }
        None
    }

    /// Returns for a field with nested objects what a record knows them by: their level, and the number of their first field. For constants.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    pub(crate) const fn nested_base(&self, field: u32) -> Option<(usize, u32)> {
        match self.nested_at(field) {
            Some(at) => Some((at + 1, self.nested[at].base)),
            None => None,
        }
    }

    /// The field that `name` belongs to.
    pub(crate) fn find(&self, name: Text<'_>) -> Option<u32> {
        let mut buffer = [0; NAME];
        let plain = super::view::plain_name(name, &mut buffer);
        self.find_at(plain, 0, plain.len())
    }

    /// The same for a name that stands somewhere in `bytes`, which is faster where it has no escapes.
    pub(crate) fn find_in(&self, bytes: &[u8], name: Text<'_>) -> Option<u32> {
        if name.is_escaped() {
            return self.find(name);
        }
        let Span { start, end } = Span::of(name.raw(), bytes);
        self.find_at(bytes, start as usize, end as usize)
    }

    /// The same for a name without escapes, which stands in `bytes` from `start` to `end`.
    #[inline(always)]
    pub(crate) fn find_at(&self, bytes: &[u8], start: usize, end: usize) -> Option<u32> {
        let length = end.wrapping_sub(start);
        let first = match word_at(bytes, start) {
            Some(word) => word & FIRST_BYTES.get(length).unwrap_or(&u64::MAX),
            None => first_word(bytes.get(start..end)?),
        };
        let known = self.names.get(self.places.find(word(first, length)))?;
        if known.first != first || known.name.len() != length {
            return None;
        }
        // Most names are no longer than eight bytes, and nearly all no longer than sixteen.
        let is_same = length <= 8
            || (word_at(bytes, end.wrapping_sub(8)) == Some(known.last)
                && (length <= 16 || bytes.get(start..end) == Some(known.name)));
        is_same.then_some(known.field)
    }
}

/// Masks of the first bytes of a word, by their number.
const FIRST_BYTES: [u64; 8] = [
    0,
    0xff,
    0xffff,
    0x00ff_ffff,
    0xffff_ffff,
    0x00ff_ffff_ffff,
    0xffff_ffff_ffff,
    0x00ff_ffff_ffff_ffff,
];

/// The eight bytes from an offset on.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..at.wrapping_add(8))?.first_chunk()?;
    Some(u64::from_le_bytes(*word))
}

/// A name as the one word by which it is looked up.
#[inline]
const fn word(first: u64, length: usize) -> u64 {
    // The length is put where few names have letters that differ.
    first ^ (length as u64) << 56
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
        const NAMES: &Names = &Names::of(KNOWN, &[]);
        for known in KNOWN {
            // Before other text and at its end, and as an escaped name.
            let text = [known.name, b"\": 1, \"another\": 2}"].concat();
            assert_eq!(NAMES.find_at(&text, 0, known.name.len()), Some(known.field));
            assert_eq!(
                NAMES.find_at(known.name, 0, known.name.len()),
                Some(known.field)
            );
            assert_eq!(NAMES.find(Text::json(known.name)), Some(known.field));
        }
        for other in [
            &b"b"[..],
            b"ab",
            b"a\0",
            b"abcdefgx",
            b"abcdefghj",
            b"abcdefgh-muddle-abcdefgh",
            b"abcdefgh\0",
        ] {
            assert_eq!(NAMES.find_at(other, 0, other.len()), None);
        }
        assert_eq!(NAMES.find(Text::json(br"abcdefg\u0068")), Some(1));
    }
}
