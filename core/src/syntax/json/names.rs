//! Which field of a table a name belongs to: one look into a table of 64 bytes ([`Perfect`]), one or two comparisons of words.

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
    places: Perfect<PLACES>,
}

const PLACES: usize = 64;

impl Names {
    /// The names of a table, no two the same. For constants.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    pub(crate) const fn of(names: &'static [Name]) -> Self {
        let mut words = [0; PLACES];
        let mut number = 0;
        while number < names.len() {
            words[number] = word(names[number].first, names[number].name.len());
            number += 1;
        }
        Self {
            names,
            places: Perfect::of(words.split_at(names.len()).0),
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

    #[inline(always)]
    fn find_plain(&self, name: &[u8], first: u64) -> Option<u32> {
        let known = self.names.get(self.places.find(word(first, name.len())))?;
        if known.first != first || known.name.len() != name.len() {
            return None;
        }
        // Most names are no longer than eight bytes, and nearly all no longer than sixteen.
        let same = match name.last_chunk::<8>() {
            Some(last) if name.len() > 8 => {
                known.last == u64::from_le_bytes(*last) && (name.len() <= 16 || known.name == name)
            }
            _ => true,
        };
        same.then_some(known.field)
    }
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
        const NAMES: &Names = &Names::of(KNOWN);
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
