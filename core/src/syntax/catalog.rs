//! Names in one text: what firmware has for a table of names, as references to each of them would be half of all its constants.

use super::pieces::{Pieces, before};
use super::text::Text;
use crate::scan;

/// What stands between the names of one entry, and in none of them.
pub(crate) const BETWEEN: u8 = b'|';
/// What stands behind each entry but the last, and in no name.
pub(crate) const BEHIND: u8 = b',';

/// Entries that have a name, or several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Catalog(&'static [u8]);

#[cfg_attr(not(any(target_os = "none", test)), allow(dead_code))]
impl Catalog {
    /// The entries of a text that [`together`] makes, or that is written so.
    pub(crate) const fn of(text: &'static [u8]) -> Self {
        Self(text)
    }

    /// The number of the first entry that has this name.
    pub(crate) fn number(self, name: &[u8]) -> Option<usize> {
        self.find(Text::plain(name), false)
    }

    /// The same, letter case ignored.
    pub(crate) fn number_ignoring_case(self, name: Text<'_>) -> Option<usize> {
        self.find(name, true)
    }

    #[inline(never)] // One piece of code for both.
    fn find(self, name: Text<'_>, ignoring_case: bool) -> Option<usize> {
        let is_same = |own: &[u8]| match ignoring_case {
            true => scan::text(own).is_some_and(|own| name.eq_ignore_case(own)),
            false => name.raw() == own,
        };
        for (number, mut names) in Pieces::of(self.0, BEHIND).map(|names| Pieces::of(names, BETWEEN)).enumerate() {
            if names.any(is_same) {
                return Some(number);
            }
        }
        None
    }

    /// The first name of an entry; empty where there is none.
    pub(crate) fn name(self, number: usize) -> &'static [u8] {
        before(Pieces::of(self.0, BEHIND).nth(number).unwrap_or_default(), BETWEEN)
    }
}

/// How long the names of all entries are together. For constants, as is [`together`].
pub(crate) const fn length_together(mut entries: &[&[&[u8]]]) -> usize {
    let mut length = 0;
    while let [names, rest @ ..] = entries {
        let mut names = *names;
        while let [name, others @ ..] = names {
            length += name.len() + !(others.is_empty() && rest.is_empty()) as usize;
            names = others;
        }
        entries = rest;
    }
    length
}

/// The names of all entries in one text.
#[allow(clippy::indexing_slicing)] // Only when the program is compiled.
pub(crate) const fn together<const LENGTH: usize>(mut entries: &[&[&[u8]]]) -> [u8; LENGTH] {
    let mut text = [BEHIND; LENGTH];
    let mut at = 0;
    while let [names, rest @ ..] = entries {
        let mut names = *names;
        while let [name, others @ ..] = names {
            let mut i = 0;
            while i < name.len() {
                text[at] = name[i];
                (at, i) = (at + 1, i + 1);
            }
            if !others.is_empty() {
                text[at] = BETWEEN;
            }
            (at, names) = (at + 1, others);
        }
        entries = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    const ENTRIES: &[&[&[u8]]] = &[&[b"a"], &[b"one", b"Two", b"three"], &[b"b"]];
    const CATALOG: Catalog = Catalog::of(&together::<{ length_together(ENTRIES) }>(ENTRIES));

    #[test]
    fn every_name_is_found_and_no_other() {
        assert_eq!(CATALOG.0, b"a,one|Two|three,b");
        for (number, names) in ENTRIES.iter().enumerate() {
            assert_eq!(CATALOG.name(number), names[0]);
            for name in *names {
                assert_eq!(CATALOG.number(name), Some(number));
                assert_eq!(CATALOG.number_ignoring_case(Text::plain(&name.to_ascii_uppercase())), Some(number));
            }
        }
        for other in [&b""[..], b"o", b"two", b"ones", b"a,one", b"one|Two", b"c"] {
            assert_eq!(CATALOG.number(other), None, "{other:?}");
        }
        assert_eq!(CATALOG.name(3), b"");
    }
}
