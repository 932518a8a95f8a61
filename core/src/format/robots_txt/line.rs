//! Reads the lines of a robots.txt in one pass.
//!
//! One search finds the next line end or comment sign. The first eight bytes identify a
//! well-written line ([`quick`]). [`Field::of`] reads all other lines. It can read well-written
//! lines, too, with the same result; tests compare both.

use crate::scan;
use crate::syntax::text::starts_with;

/// The kind of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Key {
    Disallow,
    Allow,
    UserAgent,
    Sitemap,
    CrawlDelay,
    ContentSignal,
    ContentUsage,
    Agentmap,
    License,
    /// A field that neither RFC 9309 nor this library defines.
    Unknown,
    /// Neither a field nor a comment nor a blank line.
    Malformed,
    /// Longer than the limit.
    Long,
}

/// The names of keys. First the usual name of each key, in the order of [`Key`], the most frequent
/// first. Then the other spellings that the widely used open-source parser accepts, and other
/// spellings of `Content-Signal`, which is read leniently. A key of RFC 9309 only needs to begin
/// with a name.
pub(crate) const NAMES: [(&str, Key); 22] = [
    ("disallow", Key::Disallow),
    ("allow", Key::Allow),
    ("user-agent", Key::UserAgent),
    ("sitemap", Key::Sitemap),
    ("crawl-delay", Key::CrawlDelay),
    ("content-signal", Key::ContentSignal),
    ("content-usage", Key::ContentUsage),
    ("agentmap", Key::Agentmap),
    ("license", Key::License),
    ("useragent", Key::UserAgent),
    ("user agent", Key::UserAgent),
    ("site-map", Key::Sitemap),
    ("dissallow", Key::Disallow),
    ("dissalow", Key::Disallow),
    ("disalow", Key::Disallow),
    ("diasllow", Key::Disallow),
    ("disallaw", Key::Disallow),
    ("crawldelay", Key::CrawlDelay),
    ("contentsignal", Key::ContentSignal),
    ("content-signals", Key::ContentSignal),
    ("content_signal", Key::ContentSignal),
    ("content signal", Key::ContentSignal),
];

/// The number of usual names at the start of [`NAMES`] (`USUAL`), and of the names that a
/// well-written line can have (`WELL_WRITTEN`).
const USUAL: usize = 9;
const WELL_WRITTEN: usize = 5;

/// The usual names as they are written.
pub(super) const USUAL_NAMES: [&str; USUAL] = [
    "Disallow",
    "Allow",
    "User-agent",
    "Sitemap",
    "Crawl-delay",
    "Content-Signal",
    "Content-Usage",
    "Agentmap",
    "License",
];

impl Key {
    /// Returns the key with this name, as a reader of robots.txt identifies it.
    pub(crate) fn of(name: &[u8]) -> Self {
        let first = name.first().map(u8::to_ascii_lowercase);
        for &(known, key) in &NAMES {
            let known = known.as_bytes();
            let begins = first == known.first().copied() && starts_with(name, known);
            if begins && (key.may_be_longer() || name.len() == known.len()) {
                return key;
            }
        }
        Self::Unknown
    }

    const fn may_be_longer(self) -> bool {
        matches!(self, Self::Disallow | Self::Allow | Self::UserAgent | Self::Sitemap)
    }

    /// True for the rules of a group. A rule ends the list of agents of its group.
    pub(super) const fn is_rule(self) -> bool {
        matches!(self, Self::Disallow | Self::Allow | Self::ContentUsage)
    }

    /// Returns the key that `text` begins with, if it is one of the first names in [`NAMES`], and
    /// the length of the name.
    #[inline]
    fn written_well(text: &[u8]) -> Option<(Self, usize)> {
        let start = word(*text.first_chunk()?) | SMALL;
        Self::begins::<0>(text, start)
            .or_else(|| Self::begins::<1>(text, start))
            .or_else(|| Self::begins::<2>(text, start))
            .or_else(|| Self::begins::<3>(text, start))
            .or_else(|| Self::begins::<4>(text, start))
    }

    /// Returns the key with the name `NAMES[N]` if `text` begins with this name, and the length of
    /// the name. `start` is the first eight bytes of `text` in lower case. `N` is a constant, so
    /// the comparison uses constants.
    #[inline]
    #[allow(clippy::indexing_slicing)] // The index is a constant; an invalid one does not compile.
    fn begins<const N: usize>(text: &[u8], start: u64) -> Option<(Self, usize)> {
        let ((name, key), (bytes, mask)) = const { (NAMES[N], STARTS[N]) };
        let is_name = start & mask == bytes
            && match name.as_bytes().get(8..) {
                None | Some([]) => true,
                Some(tail) => text.get(8..name.len())?.eq_ignore_ascii_case(tail),
            };
        is_name.then_some((key, name.len()))
    }

    /// The usual name in lower case; empty if the line is not a known field.
    pub(super) const fn name(self) -> &'static str {
        match NAMES.as_slice().split_at_checked(self as usize) {
            Some((before, [(name, _), ..])) if before.len() < USUAL => name,
            _ => "",
        }
    }
}

/// The first eight bytes of the usual names in lower case, and a mask of the bytes that count.
#[allow(clippy::indexing_slicing)] // Runs only at compile time.
const STARTS: [(u64, u64); WELL_WRITTEN] = {
    let mut starts = [(0, 0); WELL_WRITTEN];
    let mut i = 0;
    while i < WELL_WRITTEN {
        let name = NAMES[i].0.as_bytes();
        let (mut bytes, mut mask) = ([0; 8], [0; 8]);
        let mut at = 0;
        while at < 8 && at < name.len() {
            (bytes[at], mask[at]) = (name[at], u8::MAX);
            at += 1;
        }
        starts[i] = (word(bytes), word(mask));
        i += 1;
    }
    starts
};

/// A line that is not blank and not a comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// The line number, from 1.
    pub(super) number: u32,
    pub(super) key: Key,
    /// The value without blanks at its ends; empty if the line is not a field.
    pub(super) value: &'a [u8],
    /// The document from the start of this line.
    pub(super) from: &'a [u8],
    /// The line without its line end and without its comment. A line that is longer than the limit
    /// includes its comment.
    pub(super) text: &'a [u8],
}

impl<'a> Line<'a> {
    /// Returns the name of an unknown field, as written.
    pub(super) fn unknown_name(&self) -> Option<&'a [u8]> {
        let field = Field::of(self.text).filter(|field| !field.without_colon)?;
        (self.key == Key::Unknown).then_some(field.name)
    }
}

/// An iterator over the lines that are not blank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// The number of the last line.
    number: u32,
    limit: usize,
}

impl<'a> Lines<'a> {
    /// Iterates over the lines of `rest`. `number` is the number of the first line. Lines longer
    /// than `limit` bytes have the key [`Key::Long`].
    pub(super) const fn new(rest: &'a [u8], number: u32, limit: usize) -> Self {
        Self { rest, number: number.wrapping_sub(1), limit }
    }

    /// The part that is not read yet.
    pub(super) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Takes the next line. Returns its text without the comment, and its length with the comment.
    #[inline]
    fn take(&mut self) -> Option<(&'a [u8], usize)> {
        if self.rest.is_empty() {
            return None;
        }
        let rest = self.rest;
        let text_end = scan::text_end(rest);
        let (text, mut tail) = rest.split_at_checked(text_end)?;
        let mut length = text_end;
        if let [b'#', ..] = tail {
            let comment = scan::memchr2(b'\n', b'\r', tail).unwrap_or(tail.len());
            length = length.saturating_add(comment);
            tail = tail.get(comment..).unwrap_or_default();
        }
        self.go_on(tail);
        Some((text, length))
    }

    /// Continues after the line end at the start of `tail`.
    #[inline]
    fn go_on(&mut self, tail: &'a [u8]) {
        self.rest = match tail {
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
            [] => &[],
        };
        self.number = self.number.wrapping_add(1);
    }

    /// Skips the next line if `passed` accepts its start and the line is not longer than the limit.
    /// Does not parse the rest of the line. Returns whether the line was skipped.
    #[inline]
    fn pass_where(&mut self, passed: impl Fn(&[u8]) -> bool) -> bool {
        let rest = self.rest;
        if !passed(rest) {
            return false;
        }
        match rest.split_at_checked(scan::line_end(rest)) {
            Some((line, tail)) if line.len() <= self.limit => {
                self.go_on(tail);
                true
            }
            _ => false,
        }
    }

    /// Skips the next line if it is a well-written rule.
    #[inline]
    pub(super) fn pass_rule(&mut self) -> bool {
        self.pass_where(|rest| match Key::written_well(rest) {
            Some((Key::Allow | Key::Disallow, length)) => rest.get(length) == Some(&b':'),
            _ => false,
        })
    }

    /// Skips the lines that start with `#` or with a letter other than `s`, the first letter of
    /// `Sitemap`.
    pub(super) fn pass_others_than_sitemaps(&mut self) {
        while self.pass_where(|rest| match rest {
            [first, ..] => (first.is_ascii_alphabetic() && *first | 0x20 != b's') || *first == b'#',
            [] => false,
        }) {}
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        loop {
            let from = self.rest;
            let (text, length) = self.take()?;
            let line =
                |key, value, text| Some(Line { number: self.number, key, value, from, text });
            if length > self.limit {
                return line(Key::Long, &[], from.get(..length).unwrap_or_default());
            }
            if text.is_empty() {
                continue;
            }
            if let Some((key, value)) = quick(text) {
                return line(key, trim(value), text);
            }
            match Field::of(text) {
                None => {}
                Some(Field { key, value, .. }) => return line(key, value, text),
            }
        }
    }
}

const SMALL: u64 = word([0x20; 8]);

const fn word(text: [u8; 8]) -> u64 {
    u64::from_le_bytes(text)
}

/// Returns the key and the untrimmed value of a well-written line. It must have no blanks at its
/// start.
///
/// Setting bit 5 turns upper case into lower case. It maps no other byte to a letter. It maps CR to
/// the hyphen, but lines do not contain CR.
#[inline]
fn quick(text: &[u8]) -> Option<(Key, &[u8])> {
    let (key, length) = Key::written_well(text)?;
    match text.get(length..)? {
        [b':', value @ ..] | [b' ', b':', value @ ..] => Some((key, value)),
        _ => None,
    }
}

/// A line split into its parts.
pub(super) struct Field<'a> {
    pub(super) key: Key,
    /// The name as written; empty if there is none.
    pub(super) name: &'a [u8],
    pub(super) value: &'a [u8],
    /// True if a blank replaces the colon.
    pub(super) without_colon: bool,
}

impl<'a> Field<'a> {
    /// Returns the same as [`of`](Self::of) for a well-written line; `None` for other lines.
    #[inline]
    pub(super) fn quick(text: &'a [u8]) -> Option<Self> {
        let (key, value) = quick(text)?;
        Some(Self {
            key,
            name: text.get(..key.name().len())?,
            value: trim(value),
            without_colon: false,
        })
    }

    /// Splits a line without its comment into its parts; `None` for a blank line.
    ///
    /// The name ends at the first colon. A line of two words without a colon is also a field.
    pub(super) fn of(text: &'a [u8]) -> Option<Self> {
        let text = trim(text);
        if text.is_empty() {
            return None;
        }
        let colon = scan::memchr(b':', text);
        let without_colon = colon.is_none();
        let mut field = Self { key: Key::Malformed, name: b"", value: b"", without_colon };
        if let Some(at) = colon.or_else(|| scan::memchr2(b' ', b'\t', text)) {
            let (name, value) = split_around(text, at);
            let value = trim(value);
            if !without_colon {
                field.name = trim(name);
            } else if scan::memchr2(b' ', b'\t', value).is_none() {
                field.name = name;
            }
            if !field.name.is_empty() {
                (field.key, field.value) = (Key::of(field.name), value);
            }
        }
        Some(field)
    }
}

/// Returns the parts before and after the byte at `at`.
fn split_around(text: &[u8], at: usize) -> (&[u8], &[u8]) {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, b""));
    (before, after.get(1..).unwrap_or_default())
}

/// `text` without ASCII whitespace at both ends.
#[inline]
pub(super) fn trim(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t'..=b'\r', rest @ ..] = text {
        text = rest;
    }
    while let [rest @ .., b' ' | b'\t'..=b'\r'] = text {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    fn keys(text: &str) -> Vec<(u32, Key, &str)> {
        Lines::new(text.as_bytes(), 1, 100)
            .map(|line| (line.number, line.key, std::str::from_utf8(line.value).unwrap()))
            .collect()
    }

    #[test]
    fn line_ends_and_comments() {
        let text = "Allow: /a\nDISALLOW:/b\r\n\rUser-Agent : x#y\r#z\n  Sitemap\t:  u:v \n\nCrawl-delay: 1";
        let expected = [
            (1, Key::Allow, "/a"),
            (2, Key::Disallow, "/b"),
            (4, Key::UserAgent, "x"),
            (6, Key::Sitemap, "u:v"),
            (8, Key::CrawlDelay, "1"),
        ];
        assert_eq!(keys(text), expected);
    }

    #[test]
    fn keys_as_they_are_misspelt() {
        for name in [
            "disallow",
            "dissallow",
            "Dissalow",
            "disalow",
            "diasllow",
            "DISALLAW",
            "disallowed",
            "disallow all",
        ] {
            assert_eq!(keys(&std::format!("{name}: /x")), [(1, Key::Disallow, "/x")], "{name}");
        }
        for (key, names) in [
            (Key::UserAgent, &["user-agent", "useragent", "User Agent", "user-agents"][..]),
            (Key::Sitemap, &["sitemap", "site-map", "Sitemaps"]),
            (
                Key::ContentSignal,
                &["ContentSignal", "content-signals", "content_signal", "Content Signal"],
            ),
        ] {
            for name in names {
                assert_eq!(keys(&std::format!("{name}: x")), [(1, key, "x")], "{name}");
            }
        }
        for name in [
            "noindex",
            "disallo",
            "user\0agent",
            "crawl-delays",
            "content-signal-x",
            "content-us",
            "agentmaps",
            "x allow",
            "host",
        ] {
            assert_eq!(keys(&std::format!("{name}: x")), [(1, Key::Unknown, "x")], "{name}");
        }
    }

    #[test]
    fn a_blank_for_a_colon_needs_two_words() {
        assert_eq!(keys("Disallow /x \t"), [(1, Key::Disallow, "/x")]);
        assert_eq!(keys("user-agent\t*"), [(1, Key::UserAgent, "*")]);
        assert_eq!(keys("user agent x"), [(1, Key::Malformed, "")]);
        assert_eq!(keys("Disallow"), [(1, Key::Malformed, "")]);
        assert_eq!(keys(" : /x"), [(1, Key::Malformed, "")]);
        assert_eq!(keys("Disallow:"), [(1, Key::Disallow, "")]);
    }

    #[test]
    fn long_lines_are_reported() {
        let text =
            std::format!("Allow: /{}\nAllow: /b#{}\nAllow: /c", "a".repeat(92), "b".repeat(91));
        let found: Vec<_> = Lines::new(text.as_bytes(), 1, 100).map(|line| line.key).collect();
        assert_eq!(found, [Key::Allow, Key::Long, Key::Allow]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn what_is_passed_is_what_it_is_taken_for(text in "((?i)disallow|allow|sitemap|[a-z]{0,3}|#|) ?(:|)[ \t]?[/a: #]{0,6}[\n\r]{0,2}[a\r\n]{0,2}", limit in 5_usize..20) {
            let next = |mut lines: Lines<'_>| (lines.next().map(|line| (line.number, line.key)), lines.rest().len());
            let (mut passing, whole) = (Lines::new(text.as_bytes(), 1, limit), Lines::new(text.as_bytes(), 1, limit));
            if passing.pass_rule() {
                let (found, rest) = next(whole);
                prop_assert!(matches!(found, Some((1, Key::Allow | Key::Disallow))));
                prop_assert_eq!((passing.rest().len(), passing.number), (rest, 1));
            }
            let (mut passing, sitemaps) = (whole, |lines: Lines<'_>| lines.filter(|line| line.key == Key::Sitemap).map(|line| line.number).collect::<Vec<_>>());
            passing.pass_others_than_sitemaps();
            prop_assert_eq!(sitemaps(passing), sitemaps(whole));
        }

        #[test]
        fn the_quick_way_is_the_whole_truth(text in "((?i)disallow|allow|user-agent|sitemap|crawl-delay|user[-x ]agent|[a-z]{0,3}) ?(:|)[ \t]?[/a: \u{0}]{0,6}") {
            if let Some((key, value)) = quick(text.as_bytes()) {
                let field = Field::of(text.as_bytes()).unwrap();
                prop_assert_eq!((key, trim(value), false), (field.key, field.value, field.without_colon));
            }
        }
    }

    proptest::proptest! {
        /// [`Field::quick`] returns the same as [`Field::of`].
        #[test]
        fn the_quick_way_reads_as_the_other(line in "([Dd]is)?[Aa]llow ?:? ?[/a: ]{0,6}|(?i)(user-?agent|sitemap|crawl-?delay|disalow)[ \\t]{0,2}:?[ \\t:/a*]{0,6}|[a-z: \\t]{0,12}") {
            let parts = |field: Field<'_>| (field.key, field.name.to_vec(), field.value.to_vec(), field.without_colon);
            if let Some(quick) = Field::quick(line.as_bytes()) {
                proptest::prop_assert_eq!(Field::of(line.as_bytes()).map(parts), Some(parts(quick)));
            }
        }
    }
}
