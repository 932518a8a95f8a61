//! Finds the field of a table that a name belongs to, with one lookup in a table of 128 bytes
//! ([`Perfect`]) and one or two comparisons of words.

use super::lookup::Lookup;
use super::record::Record;
use super::view::NAME;
use crate::span::Span;
use crate::syntax::perfect::Perfect;
use crate::syntax::text::Text;

/// A name of a view's table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    /// The first eight bytes, padded with zeros, and the last eight bytes of a longer name.
    first: u64,
    last: u64,
    name: &'static [u8],
    field: u32,
}

impl Name {
    /// Makes the name of a field.
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
    /// The fields whose objects are recorded together with the enclosing object.
    pub(crate) nested: &'static [Nested],
    places: Perfect<PLACES>,
}

/// A field whose object is recorded together with the enclosing object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nested {
    pub(crate) field: u32,
    /// The names in the object.
    pub(crate) names: &'static Names,
    /// The number of the first field of the object in the record.
    pub(crate) base: u32,
    /// One bit for each field of the object.
    pub(crate) bits: u32,
}

impl Nested {
    /// Returns the number of fields with nested objects. Only for constants.
    pub(crate) const fn count(mut tables: &[Option<Lookup>]) -> usize {
        let mut count = 0;
        while let [table, rest @ ..] = tables {
            count += table.is_some() as usize;
            tables = rest;
        }
        count
    }

    /// Numbers the fields of nested objects after the fields of the enclosing object. `tables` has
    /// one element for each field of the enclosing object. Only for constants.
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

const PLACES: usize = 128;

impl Names {
    /// Makes the index of a table's names, which must be distinct. Only for constants.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    pub(crate) const fn of(names: &'static [Name], nested: &'static [Nested]) -> Self {
        let mut words = [0; PLACES];
        let mut number = 0;
        while number < names.len() {
            let Name {
                first, last, name, ..
            } = names[number];
            words[number] = word(first, last, name.len());
            number += 1;
        }
        Self {
            names,
            nested,
            places: Perfect::of(words.split_at(names.len()).0),
        }
    }

    /// Returns the index in [`Self::nested`] of the field with this number.
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

    /// Returns the level of a field with nested objects, and the number of its first field in the
    /// record. Only for constants.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    pub(crate) const fn nested_base(&self, field: u32) -> Option<(usize, u32)> {
        match self.nested_at(field) {
            Some(at) => Some((at + 1, self.nested[at].base)),
            None => None,
        }
    }

    /// Returns the field with this name.
    pub(crate) fn find(&self, name: Text<'_>) -> Option<u32> {
        let mut buffer = [0; NAME];
        let plain = super::view::plain_name(name, &mut buffer);
        self.find_at(plain, 0, plain.len())
    }

    /// Like [`Self::find`], for a name that is a slice of `bytes`; faster if it has no escapes.
    pub(crate) fn find_in(&self, bytes: &[u8], name: Text<'_>) -> Option<u32> {
        if name.is_escaped() {
            return self.find(name);
        }
        let Span { start, end } = Span::of(name.raw(), bytes);
        self.find_at(bytes, start as usize, end as usize)
    }

    /// Like [`Self::find`], for the name without escapes in `bytes` from `start` to `end`.
    #[inline(always)]
    pub(crate) fn find_at(&self, bytes: &[u8], start: usize, end: usize) -> Option<u32> {
        let length = end.wrapping_sub(start);
        let first = match word_at(bytes, start) {
            Some(word) => word & FIRST_BYTES.get(length).unwrap_or(&u64::MAX),
            None => first_word(bytes.get(start..end)?),
        };
        // Most names have at most eight bytes, and nearly all have at most sixteen.
        let last = match length {
            0..=8 => 0,
            _ => word_at(bytes, end.wrapping_sub(8))?,
        };
        let known = self
            .names
            .get(self.places.find(word(first, last, length)))?;
        if known.first != first || known.last != last || known.name.len() != length {
            return None;
        }
        let is_same = length <= 16 || bytes.get(start..end) == Some(known.name);
        is_same.then_some(known.field)
    }
}

/// Masks of the first bytes of a word, indexed by the number of bytes.
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

/// Returns the eight bytes at an offset.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..at.wrapping_add(8))?.first_chunk()?;
    Some(u64::from_le_bytes(*word))
}

/// Returns the word by which a name is looked up.
#[inline]
const fn word(first: u64, last: u64, length: usize) -> u64 {
    // The length goes to a byte in which few names differ.
    first ^ last ^ (length as u64) << 56
}

/// Returns the first eight bytes, padded with zeros.
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
            Name::of(b"abcdefghijkl", 5),
            Name::of(b"abcdefghijkm", 6),
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
