//! Finds the field of a table that a name belongs to, with one lookup in a table of 128 bytes
//! ([`Perfect`]) and one or two comparisons of words.

use super::lookup::Lookup;
use super::record::Record;
use super::value::Value;
use super::view::NAME;
use crate::span::Span;
use crate::syntax::perfect::Perfect;
use crate::syntax::text::Text;

/// A name of a view's table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    /// The first eight bytes, padded with zeros, and the last eight bytes of a longer name. The
    /// first word of an alias is inverted, so that the comparison of the specification's names, which
    /// nearly all members have, tells the two apart and costs nothing more.
    first: u64,
    last: u64,
    pub(crate) name: &'static [u8],
    pub(crate) field: u32,
    /// The place among the names of the field: 0 for the name in the specification.
    pub(crate) rank: u8,
    /// If the field has several names, the number of such fields before it; otherwise
    /// [`Meaning::SINGLE`].
    place: u8,
}

/// The names of a field: the one in the specification, followed by other names that are read.
pub(crate) type Keys = [&'static [u8]];

impl Name {
    /// Makes a name of a field.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    const fn of(name: &'static [u8], field: u32, rank: u8, place: u8) -> Self {
        let last = match name.last_chunk::<8>() {
            Some(last) if name.len() > 8 => u64::from_le_bytes(*last),
            _ => 0,
        };
        let first = first_word(name);
        // No text begins with the inverted letter.
        assert!(rank == 0 || name[0] >= 0x40);
        Self { first: if rank == 0 { first } else { !first }, last, name, field, rank, place }
    }

    /// Returns the number of names. Only for constants.
    pub(crate) const fn count(mut fields: &[&Keys]) -> usize {
        let mut count = 0;
        while let [keys, rest @ ..] = fields {
            count += keys.len();
            fields = rest;
        }
        count
    }

    /// Makes the names of all fields. Only for constants.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    pub(crate) const fn table<const N: usize>(fields: &[&'static Keys]) -> [Self; N] {
        let mut names = [Self::of(b"", 0, 0, 0); N];
        let (mut field, mut number, mut place) = (0, 0, 0);
        while field < fields.len() {
            let keys = fields[field];
            let own = if keys.len() > 1 { place } else { Meaning::SINGLE };
            let mut rank = 0;
            while rank < keys.len() {
                names[number] = Self::of(keys[rank], field as u32, rank as u8, own);
                number += 1;
                rank += 1;
            }
            place += (rank > 1) as u8;
            assert!(rank <= Meaning::RANKS && place as usize <= Meaning::PLACES);
            field += 1;
        }
        names
    }

    /// Makes all names fields of their own, numbered in their order. Only for constants.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    pub(crate) const fn singles<const N: usize>(groups: &[&'static Keys]) -> [Self; N] {
        let mut names = [Self::of(b"", 0, 0, Meaning::SINGLE); N];
        let (mut group, mut number) = (0, 0);
        while group < groups.len() {
            let mut at = 0;
            while at < groups[group].len() {
                names[number] = Self::of(groups[group][at], number as u32, 0, Meaning::SINGLE);
                number += 1;
                at += 1;
            }
            group += 1;
        }
        names
    }

    fn meaning(&self) -> Meaning {
        Meaning { field: self.field, rank: self.rank, place: self.place }
    }
}

/// What a name of a table stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Meaning {
    /// The number of the field.
    pub(crate) field: u32,
    /// The place among the names of the field: 0 for the name in the specification.
    pub(crate) rank: u8,
    place: u8,
}

impl Meaning {
    /// The place of a field with one name.
    const SINGLE: u8 = u8::MAX;
    /// The number of bits of a rank.
    const BITS: u32 = 3;
    /// The largest number of names of a field.
    pub(crate) const RANKS: usize = 1 << Self::BITS;
    /// The largest number of fields with several names.
    pub(crate) const PLACES: usize = 10;
    /// The number of bits of the ranks of all fields with several names.
    pub(crate) const PACKED: u32 = Self::PLACES as u32 * Self::BITS;

    /// The index of a field among those with several names, below [`Self::PLACES`]; `None` if it has
    /// one name.
    pub(crate) const fn place(self) -> Option<usize> {
        if self.place == Self::SINGLE { None } else { Some(self.place as usize) }
    }

    /// The rank in its place among the ranks of all fields with several names.
    pub(crate) const fn packed(self) -> u32 {
        (self.rank as u32) << self.shift()
    }

    /// Whether this is the only name of its field, or the one whose rank is among the packed ones.
    pub(crate) const fn is_in(self, packed: u32) -> bool {
        self.place == Self::SINGLE
            || packed >> self.shift() & ((1 << Self::BITS) - 1) == self.rank as u32
    }

    const fn shift(self) -> u32 {
        (self.place as u32 * Self::BITS) & 31
    }
}

/// How strict the value of a field is, if several names of the field occur: the strictest value
/// counts, and of equally strict ones the one under the first name in the table.
pub(crate) type Weigh = fn(Value<'_>) -> u32;

/// The names of a view's table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    pub(crate) names: &'static [Name],
    /// The fields whose objects are recorded together with the enclosing object.
    pub(crate) nested: &'static [Nested],
    /// One function for each field.
    pub(crate) weights: &'static [Weigh],
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
        let mut nested = [Self { field: 0, names: &NO_NAMES, base: 0, bits: 0 }; N];
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
const NO_NAMES: Names = Names::of(&[], &[], &[]);

const PLACES: usize = 128;

impl Names {
    /// Makes the index of a table's names, which must be distinct. Only for constants.
    #[allow(clippy::indexing_slicing)] // Only when the program is compiled.
    pub(crate) const fn of(
        names: &'static [Name],
        nested: &'static [Nested],
        weights: &'static [Weigh],
    ) -> Self {
        let mut words = [0; PLACES];
        let mut number = 0;
        while number < names.len() {
            let Name { first, last, name, rank, .. } = names[number];
            let first = if rank == 0 { first } else { !first };
            words[number] = word(first, last, name.len());
            number += 1;
        }
        Self { names, nested, weights, places: Perfect::of(words.split_at(names.len()).0) }
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

    /// Whether the packed ranks leave the upper bits free, behind one bit for each field. For
    /// constants.
    pub(crate) const fn has_room(&self) -> bool {
        let mut rest = self.names;
        while let [name, tail @ ..] = rest {
            let end = (name.place as u32 + 1) * Meaning::BITS;
            if name.place != Meaning::SINGLE && end > Record::FIELDS as u32 {
                return false;
            }
            rest = tail;
        }
        true
    }

    /// Returns what a name stands for.
    pub(crate) fn find(&self, name: Text<'_>) -> Option<Meaning> {
        let mut buffer = [0; NAME];
        let plain = super::view::plain_name(name, &mut buffer);
        self.meaning_at(plain, 0, plain.len())
    }

    /// Like [`Self::find`], for a name that is a slice of `bytes`; faster if it has no escapes.
    pub(crate) fn find_in(&self, bytes: &[u8], name: Text<'_>) -> Option<Meaning> {
        if name.is_escaped() {
            return self.find(name);
        }
        let Span { start, end } = Span::of(name.raw(), bytes);
        self.meaning_at(bytes, start as usize, end as usize)
    }

    /// Like [`Self::find`], for the name without escapes in `bytes` from `start` to `end`.
    #[inline]
    pub(crate) fn meaning_at(&self, bytes: &[u8], start: usize, end: usize) -> Option<Meaning> {
        let (name, _) = self.name_at(bytes, start, end)?;
        Some(name.meaning())
    }

    /// Returns the field whose name is in `bytes` from `start` to `end`, and whether the name is an
    /// alias.
    #[inline(always)]
    pub(crate) fn find_at(&self, bytes: &[u8], start: usize, end: usize) -> Option<(u32, bool)> {
        let (name, is_alias) = self.name_at(bytes, start, end)?;
        Some((name.field, is_alias))
    }

    /// Returns the name in `bytes` from `start` to `end`, and whether it is an alias.
    #[inline(always)]
    fn name_at(&self, bytes: &[u8], start: usize, end: usize) -> Option<(&'static Name, bool)> {
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
        let known = self.names.get(self.places.find(word(first, last, length)))?;
        let is = |first| {
            known.first == first
                && known.last == last
                && known.name.len() == length
                && (length <= 16 || bytes.get(start..end) == Some(known.name))
        };
        // An unknown name costs one comparison more, not another lookup.
        if is(first) {
            Some((known, false))
        } else if is(!first) {
            Some((known, true))
        } else {
            None
        }
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

    const KEYS: &[&Keys] = &[
        &[b"a"],
        &[b"abcdefgh", b"other", b"another-name"],
        &[b"abcdefghi"],
        &[b"abcdefgh-middle-abcdefgh", b"abcdefgh-muddle-abcdefgi"],
        &[b""],
        &[b"abcdefghijkl"],
        &[b"abcdefghijkm"],
    ];
    const KNOWN: &[Name] = &Name::table::<{ Name::count(KEYS) }>(KEYS);
    const NAMES: &Names = &Names::of(KNOWN, &[], &[]);

    #[test]
    fn names_are_found_and_no_others() {
        for known in KNOWN {
            // Before other text and at its end, and as an escaped name.
            let text = [known.name, b"\": 1, \"another\": 2}"].concat();
            let length = known.name.len();
            let is_alias = known.rank > 0;
            for text in [&text[..], known.name] {
                let found = Some((known.field, is_alias));
                assert_eq!(NAMES.find_at(text, 0, length), found);
                assert_eq!(NAMES.meaning_at(text, 0, length), Some(known.meaning()));
            }
            assert_eq!(NAMES.find(Text::json(known.name)), Some(known.meaning()));
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
            assert_eq!(NAMES.meaning_at(other, 0, other.len()), None);
        }
        let escaped = NAMES.find(Text::json(br"abcdefg\u0068")).unwrap();
        assert_eq!((escaped.field, escaped.rank), (1, 0));
    }

    #[test]
    fn the_rank_of_each_field_with_several_names_has_its_own_bits() {
        let named = |name| NAMES.find(Text::plain(name)).unwrap();
        let (third, last) = (named(b"another-name"), named(b"abcdefgh-muddle-abcdefgi"));
        let packed = third.packed() | last.packed();
        assert_eq!((third.rank, last.rank), (2, 1));
        assert!(third.is_in(packed) && last.is_in(packed));
        for other in [&b"abcdefgh"[..], b"other", b"abcdefgh-middle-abcdefgh"] {
            assert!(!named(other).is_in(packed));
        }
    }

    #[test]
    fn no_order_of_names_changes_which_value_counts() {
        use crate::format::{a2a, agents_json, agents_json_01, ai_catalog, mcp_card};
        use crate::syntax::json::view::Table;
        let tables = [
            <agents_json::CapabilityObject<'_> as Table>::NAMES,
            <agents_json::AuthObject<'_> as Table>::NAMES,
            <mcp_card::Top<'_> as Table>::NAMES,
            <mcp_card::ServerInfo<'_> as Table>::NAMES,
            <a2a::Top<'_> as Table>::NAMES,
            <a2a::ProviderObject<'_> as Table>::NAMES,
            <mcp_card::tools::ToolObject<'_> as Table>::NAMES,
            <mcp_card::servers::ServerObject<'_> as Table>::NAMES,
            <mcp_card::servers::TransportObject<'_> as Table>::NAMES,
            <mcp_card::auth::AuthObject<'_> as Table>::NAMES,
            <mcp_card::auth::SchemeObject<'_> as Table>::NAMES,
            <ai_catalog::Entry<'_> as Table>::NAMES,
            <agents_json_01::Top<'_> as Table>::NAMES,
            <agents_json_01::SessionObject<'_> as Table>::NAMES,
            <agents_json_01::RateLimitObject<'_> as Table>::NAMES,
        ];
        let values = [
            "null",
            "1",
            "20",
            "true",
            "false",
            r#""none""#,
            r#"{"type":"none"}"#,
            r#"{"type":"bearer"}"#,
            r#"["a"]"#,
            r#"["b","c"]"#,
        ];
        let mut pairs = 0;
        for names in tables {
            for alias in names.names.iter().filter(|name| name.rank > 0) {
                let mut own = names.names.iter();
                let own = own.find(|own| own.field == alias.field && own.rank == 0);
                let own = own.unwrap();
                for (one, two) in values.iter().flat_map(|a| values.map(|b| (*a, b))) {
                    pairs += 1;
                    both_orders(names, (own, one), (alias, two));
                }
            }
        }
        assert!(pairs > 10 * values.len());
    }

    /// Checks which of two values counts, whatever the order of their names.
    fn both_orders(names: &Names, (own, one): (&Name, &str), (alias, two): (&Name, &str)) {
        let weigh = names.weights[own.field as usize];
        let weight =
            |value: &str| (value != "null").then(|| weigh(Value::trusted(value.as_bytes())));
        let expected = if weight(two) > weight(one) { two } else { one };
        let member =
            |name: &Name, value: &str| [b"\"", name.name, b"\":", value.as_bytes()].concat();
        let (own_member, alias_member) = (member(own, one), member(alias, two));
        for (first, last) in [(&own_member, &alias_member), (&alias_member, &own_member)] {
            let text = [b"{", &first[..], b",", last, b"}"].concat();
            let mut record = Record::new();
            record.note(&text, 0, names);
            let counts = record.slot(own.field).unwrap().raw(&text);
            assert_eq!(counts, expected.as_bytes(), "{:?}", Text::plain(&text));
        }
    }
}
