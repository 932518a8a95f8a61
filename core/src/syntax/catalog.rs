//! Names in one text: what firmware has for a table of names, as references to each of them would be half of all its constants.

use super::pieces::Pieces;
use super::text::Text;
use crate::scan;

/// What stands between the names of one entry, and in none of them.
pub(crate) const BETWEEN: u8 = b'|';
/// What stands behind each entry but the last, and in no name.
pub(crate) const BEHIND: u8 = b',';

/// Entries that have a name, or several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Catalog(&'static str);

#[cfg_attr(not(any(target_os = "none", test)), allow(dead_code))]
impl Catalog {
    /// For constants.
    #[allow(clippy::panic)] // Only when the program is compiled.
    pub(crate) const fn of_bytes(text: &'static [u8]) -> Self {
        match core::str::from_utf8(text) {
            Ok(text) => Self(text),
            Err(_) => panic!("a name is no text"),
        }
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
        for (number, mut names) in Pieces::of(self.0.as_bytes(), BEHIND)
            .map(|names| Pieces::of(names, BETWEEN))
            .enumerate()
        {
            if names.any(is_same) {
                return Some(number);
            }
        }
        None
    }

    /// The first name of an entry; empty where there is none.
    pub(crate) const fn name(self, number: usize) -> &'static str {
        self.entry(number, BETWEEN)
    }

    /// All names of an entry, with [`BETWEEN`] between them; empty where there is none.
    pub(crate) const fn names(self, number: usize) -> &'static str {
        self.entry(number, BEHIND)
    }

    /// An entry up to an octet, or to its end.
    const fn entry(self, number: usize, until: u8) -> &'static str {
        let (mut before, mut start, mut end) = (number, 0_usize, 0_usize);
        let mut octets = self.0.as_bytes();
        while let [octet, rest @ ..] = octets {
            if before == 0 && (*octet == BEHIND || *octet == until) {
                break;
            }
            end = end.wrapping_add(1);
            if *octet == BEHIND {
                (before, start) = (before.wrapping_sub(1), end);
            }
            octets = rest;
        }
        let Some((names, _)) = self.0.split_at_checked(end) else {
            return "";
        };
        match names.split_at_checked(start) {
            Some((_, name)) if before == 0 => name,
            _ => "",
        }
    }
}

/// The text of a catalog while it is put together, which only the compiler does. Where there is no room for it, its length is all that comes of it.
pub(crate) struct Entries<const LENGTH: usize> {
    text: [u8; LENGTH],
    pub(crate) length: usize,
}

#[allow(clippy::indexing_slicing, clippy::panic)] // Only when the program is compiled.
impl<const LENGTH: usize> Entries<LENGTH> {
    const NONE: Self = Self {
        text: [0; LENGTH],
        length: 0,
    };

    /// Entries with all of their names.
    pub(crate) const fn of(mut entries: &[&[&[u8]]]) -> Self {
        let mut text = Self::NONE;
        while let [names, rest @ ..] = entries {
            let (mut names, mut before) = (*names, BEHIND);
            while let [name, others @ ..] = names {
                text.add(before, name);
                (names, before) = (others, BETWEEN);
            }
            entries = rest;
        }
        text
    }

    /// The names of a table, each an entry.
    pub(crate) const fn of_table<T>(mut table: &[(&str, T)]) -> Self {
        let mut text = Self::NONE;
        while let [(name, _), rest @ ..] = table {
            text.add(BEHIND, name.as_bytes());
            table = rest;
        }
        text
    }

    const fn add(&mut self, before: u8, mut name: &[u8]) {
        if self.length != 0 {
            self.put(before);
        }
        while let [octet, rest @ ..] = name {
            assert!(
                *octet != BETWEEN && *octet != BEHIND,
                "a name has what stands between names"
            );
            self.put(*octet);
            name = rest;
        }
    }

    const fn put(&mut self, octet: u8) {
        if self.length < LENGTH {
            self.text[self.length] = octet;
        }
        self.length += 1;
    }

    pub(crate) const fn text(self) -> [u8; LENGTH] {
        self.text
    }
}

/// The catalog of what one of the functions of [`Entries`] takes: `catalog!(of: NAMES)`.
macro_rules! catalog {
    ($function:ident: $names:expr) => {{
        use $crate::syntax::catalog::{Catalog, Entries};
        const LENGTH: usize = Entries::<0>::$function($names).length;
        const TEXT: [u8; LENGTH] = Entries::$function($names).text();
        const CATALOG: Catalog = Catalog::of_bytes(&TEXT);
        CATALOG
    }};
}
pub(crate) use catalog;

/// What a name means, if anything: by a `match`, which compares words; on firmware from a catalog and a table.
macro_rules! by_name {
    ($name:expr => $type:ty; $($($known:literal)|+ => $meaning:expr,)*) => {
        if cfg!(target_os = "none") {
            const NAMES: &[&[&[u8]]] = &[$(&[$($known),+]),*];
            const MEANINGS: &[$type] = &[$($meaning),*];
            $crate::syntax::catalog::catalog!(of: NAMES).number($name).and_then(|number| MEANINGS.get(number)).copied()
        } else {
            match $name {
                $($($known)|+ => Some($meaning),)*
                _ => None,
            }
        }
    };
}
pub(crate) use by_name;

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    const ENTRIES: &[&[&[u8]]] = &[&[b"a"], &[b"one", b"Two", b"three"], &[b"b"]];
    const CATALOG: Catalog = catalog!(of: ENTRIES);
    const TABLE: &[(&str, u8)] = &[("name", 1), ("other name", 2)];

    #[test]
    fn every_name_is_found_and_no_other() {
        assert_eq!(CATALOG.0, "a,one|Two|three,b");
        for (number, names) in ENTRIES.iter().enumerate() {
            assert_eq!(CATALOG.name(number).as_bytes(), names[0]);
            assert_eq!(CATALOG.names(number).as_bytes(), names.join(&BETWEEN));
            for name in *names {
                assert_eq!(CATALOG.number(name), Some(number));
                assert_eq!(
                    CATALOG.number_ignoring_case(Text::plain(&name.to_ascii_uppercase())),
                    Some(number)
                );
            }
        }
        for other in [&b""[..], b"o", b"two", b"ones", b"a,one", b"one|Two", b"c"] {
            assert_eq!(CATALOG.number(other), None, "{other:?}");
        }
        assert_eq!((CATALOG.name(3), CATALOG.names(3)), ("", ""));
        assert_eq!(CATALOG.name(usize::MAX), "");
        assert_eq!(catalog!(of_table: TABLE).0, "name,other name");
    }
}
