//! Text over several lines that is read as one line: flow scalars of YAML and paragraphs of
//! Markdown.
//!
//! [`Fold`] decodes characters from the start of a raw slice. A line break and the blanks around it
//! are one unit, which decodes to nothing, a space or line feeds. Whether a run of blanks belongs
//! to such a unit shows only at its end, so each run is measured once and stored in
//! [`Fold::blanks`]. Measuring again at each blank would take quadratic time.

use super::text::next_utf8;
use super::yaml::decode::next_double_escape;
use crate::scan;

/// The end of the line that contains `from`, without and with its line break (LF, CRLF or CR).
#[inline]
pub(crate) fn line_end(text: &[u8], from: usize) -> (usize, usize) {
    let rest = text.get(from..).unwrap_or_default();
    let length = scan::line_end(rest);
    let end = text.len() - rest.len() + length;
    (end, end + break_len(rest.get(length..).unwrap_or_default()))
}

/// The length of the line break at the start, or 0.
#[inline]
pub(crate) const fn break_len(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// The number of spaces and tabs at the start.
#[inline]
pub(crate) fn blanks_len(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The text after the spaces and tabs at the start.
#[inline]
pub(crate) fn behind_blanks(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = text {
        text = rest;
    }
    text
}

/// The kind of folded text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Folding {
    /// A plain scalar.
    YamlPlain,
    /// The inside of a single-quoted scalar.
    YamlSingle,
    /// The inside of a double-quoted scalar.
    YamlDouble,
    /// Markdown paragraphs.
    Markdown,
    /// Markdown paragraphs in block quotes, with `>` at the start of lines.
    MarkdownQuote,
}

/// A decoder of folded text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fold<'a> {
    rest: &'a [u8],
    folding: Folding,
    /// Blanks at the start of `rest` that are known to be within a line.
    blanks: usize,
    /// Line feeds to return before continuing with `rest`.
    feeds: usize,
}

impl<'a> Fold<'a> {
    pub(crate) const fn new(raw: &'a [u8], folding: Folding) -> Self {
        Self { rest: raw, folding, blanks: 0, feeds: 0 }
    }

    /// The next paragraph of a Markdown text, with the gap before it.
    pub(crate) const fn after_gap(raw: &'a [u8], folding: Folding) -> Self {
        Self { feeds: 2, ..Self::new(raw, folding) }
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// Takes the line breaks at the start and all blanks between and after them. Returns the number
    /// of line breaks.
    fn take_breaks(&mut self) -> usize {
        let mut count = 0_usize;
        loop {
            let length = break_len(self.rest);
            if length == 0 {
                return count;
            }
            count = count.saturating_add(1);
            self.skip(length);
            self.skip(blanks_len(self.rest));
            if self.folding == Folding::MarkdownQuote {
                while let [b'>', ..] = self.rest {
                    self.skip(1);
                    self.skip(blanks_len(self.rest));
                }
            }
        }
    }

    /// The first character for `count` line breaks; the others are counted in `feeds`.
    fn folded(&mut self, count: usize) -> char {
        if count == 1 {
            return ' ';
        }
        self.feeds = match self.folding {
            // Any number of blank lines between two paragraphs is one gap.
            Folding::Markdown | Folding::MarkdownQuote => 1,
            _ => count.saturating_sub(2),
        };
        '\n'
    }
}

impl Iterator for Fold<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        // Each iteration shortens `rest` or `feeds`, or returns a character.
        loop {
            if let Some(feeds) = self.feeds.checked_sub(1) {
                self.feeds = feeds;
                return Some('\n');
            }
            match self.rest {
                [blank @ (b' ' | b'\t'), tail @ ..] => {
                    if self.blanks == 0 {
                        let run = blanks_len(self.rest);
                        if break_len(self.rest.get(run..).unwrap_or_default()) > 0 {
                            self.skip(run);
                            continue;
                        }
                        self.blanks = run;
                    }
                    self.blanks = self.blanks.saturating_sub(1);
                    self.rest = tail;
                    return Some(char::from(*blank));
                }
                [b'\n' | b'\r', ..] => {
                    let count = self.take_breaks();
                    return Some(self.folded(count));
                }
                [b'\\', ..] if self.folding == Folding::YamlDouble => {
                    self.skip(1);
                    if break_len(self.rest) == 0 {
                        return Some(next_double_escape(&mut self.rest));
                    }
                    // An escaped line break decodes to nothing; empty lines after it are line
                    // feeds.
                    self.feeds = self.take_breaks().saturating_sub(1);
                }
                [b'\'', b'\'', tail @ ..] if self.folding == Folding::YamlSingle => {
                    self.rest = tail;
                    return Some('\'');
                }
                _ => return next_utf8(&mut self.rest),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::String;

    use super::*;

    fn decode(raw: &str, folding: Folding) -> String {
        Fold::new(raw.as_bytes(), folding).collect()
    }

    #[test]
    fn one_break_is_a_space_and_more_are_one_less() {
        for folding in [Folding::YamlPlain, Folding::YamlSingle, Folding::YamlDouble] {
            assert_eq!(decode("a \t\n  b", folding), "a b");
            assert_eq!(decode("a\r\n\r\n \r\nb  c", folding), "a\n\nb  c");
        }
        assert_eq!(decode("\n", Folding::YamlDouble), " ");
        assert_eq!(decode("  ", Folding::YamlSingle), "  ");
    }

    #[test]
    fn quotes_and_escapes() {
        assert_eq!(decode("it''s", Folding::YamlSingle), "it's");
        assert_eq!(decode("it''s", Folding::YamlPlain), "it''s");
        assert_eq!(decode("a \\\n   b", Folding::YamlDouble), "a b");
        assert_eq!(decode("a\\\n\n   b\\t\n c", Folding::YamlDouble), "a\nb\t c");
        assert_eq!(decode("\\x41\\u00e9\\U0001F600\\\"", Folding::YamlDouble), "Aé😀\"");
    }

    #[test]
    fn paragraphs_keep_their_gap() {
        assert_eq!(decode("one\n  two\n\n\n  three", Folding::Markdown), "one two\n\nthree");
        assert_eq!(
            decode("one\n> two\n>\n> three > four", Folding::MarkdownQuote),
            "one two\n\nthree > four"
        );
    }
}
