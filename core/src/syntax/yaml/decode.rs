//! The characters of YAML scalars: the escapes of double quotes, and block scalars.
//!
//! Plain and quoted scalars over several lines are folded by [`super::super::fold`].

use crate::syntax::fold::{break_len, line_end};
use crate::syntax::text::{hex, next_utf8};

/// Decodes the text after a backslash in a double-quoted scalar (YAML 1.2.2, 5.7). The tokenizer
/// accepts only valid escapes.
pub(crate) fn next_double_escape(rest: &mut &[u8]) -> char {
    let Some((&kind, tail)) = rest.split_first() else {
        return char::REPLACEMENT_CHARACTER;
    };
    if let Some(digits) = hex_digits(kind) {
        let value = hex(tail, digits);
        *rest = tail.get(digits..).unwrap_or_default();
        return value.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    if let Some(c) = simple_escape(kind) {
        *rest = tail;
        return c;
    }
    // Not an escape of YAML: the character stands for itself.
    next_utf8(rest).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The length of the escape without its backslash; `None` if it is not an escape of a character.
pub(super) fn escape_len(rest: &[u8]) -> Option<usize> {
    let (&kind, tail) = rest.split_first()?;
    match hex_digits(kind) {
        Some(digits) => hex(tail, digits).and_then(char::from_u32).map(|_| digits + 1),
        None => simple_escape(kind).map(|_| 1),
    }
}

const fn hex_digits(kind: u8) -> Option<usize> {
    match kind {
        b'x' => Some(2),
        b'u' => Some(4),
        b'U' => Some(8),
        _ => None,
    }
}

/// Escapes of one letter and their characters, the frequent ones first.
const ESCAPES: (&[u8; 18], &[u16; 18]) = (
    b"n\"\\t/r0abvfe \tN_LP",
    &[0xA, 0x22, 0x5C, 9, 0x2F, 0xD, 0, 7, 8, 0xB, 0xC, 0x1B, 0x20, 9, 0x85, 0xA0, 0x2028, 0x2029],
);

fn simple_escape(kind: u8) -> Option<char> {
    let (letters, characters) = ESCAPES;
    let place = letters.iter().position(|letter| *letter == kind)?;
    char::from_u32(u32::from(*characters.get(place)?))
}

/// The treatment of the line breaks at the end of a block scalar (8.1.1.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chomp {
    Strip,
    Clip,
    Keep,
}

/// The header of a block scalar: `|` or `>`, then an indentation digit and a chomping sign in
/// either order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) chomp: Chomp,
    /// The digit, and its end in the line.
    pub(super) indent: Option<(usize, usize)>,
    /// The length of the indicators. Only blanks and a comment may follow.
    pub(super) len: usize,
}

impl Header {
    /// Parses a header. The indicator `|` or `>` is missing if the tokenizer removed the digit.
    pub(super) fn read(line: &[u8]) -> Self {
        let mut header = Self {
            chomp: Chomp::Clip,
            indent: None,
            len: usize::from(matches!(line, [b'|' | b'>', ..])),
        };
        let mut signed = false;
        loop {
            match line.get(header.len) {
                Some(digit @ b'1'..=b'9') if header.indent.is_none() => {
                    header.indent = Some((usize::from(digit - b'0'), header.len + 1));
                }
                Some(b'-') if !signed => (header.chomp, signed) = (Chomp::Strip, true),
                Some(b'+') if !signed => (header.chomp, signed) = (Chomp::Keep, true),
                _ => return header,
            }
            header.len += 1;
        }
    }
}

/// The number of spaces at the start.
pub(super) fn spaces_len(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte == b' ').count()
}

/// A decoder of block scalars.
///
/// INVARIANT: `rest` starts inside a content line (`in_line`) or at the start of a line. The line
/// feeds between two content lines are counted in `feeds` and returned before the next line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    rest: &'a [u8],
    /// The number of columns before the content. Larger than every line if all lines are empty.
    indent: usize,
    folded: bool,
    chomp: Chomp,
    in_line: bool,
    /// A space replaces the line break.
    space: bool,
    feeds: usize,
    /// True if the last content line starts with a blank, and so is not folded. `None` before the
    /// first.
    last_spaced: Option<bool>,
}

impl<'a> Block<'a> {
    /// A decoder of a block scalar with its header line. A digit in the header is the indentation
    /// of the content.
    pub(crate) fn new(raw: &'a [u8], folded: bool) -> Self {
        let (end, next) = line_end(raw, 0);
        let header = Header::read(raw.get(..end).unwrap_or_default());
        let rest = raw.get(next..).unwrap_or_default();
        let indent = match header.indent {
            Some((digit, _)) => digit,
            None => detect_indent(rest),
        };
        Self {
            rest,
            indent,
            folded,
            chomp: header.chomp,
            in_line: false,
            space: false,
            feeds: 0,
            last_spaced: None,
        }
    }

    /// Called at the start of a line: counts the empty lines up to the next content line, and sets
    /// the characters for them and for the previous line break. Returns false at the end.
    fn next_line(&mut self) -> bool {
        // The break that ended the last content line was already taken.
        let mut empty = 0_usize;
        loop {
            let (end, next) = line_end(self.rest, 0);
            let line = self.rest.get(..end).unwrap_or_default();
            let spaces = spaces_len(line);
            if spaces < line.len() || spaces > self.indent {
                let content = line.get(self.indent.min(spaces)..).unwrap_or_default();
                self.start_line(empty, matches!(content, [b' ' | b'\t', ..]));
                self.rest = self.rest.get(self.indent.min(spaces)..).unwrap_or_default();
                return true;
            }
            if next == end {
                self.rest = &[];
                self.end(empty);
                return false;
            }
            empty = empty.saturating_add(1);
            self.rest = self.rest.get(next..).unwrap_or_default();
        }
    }

    fn start_line(&mut self, empty: usize, spaced: bool) {
        self.feeds = match self.last_spaced {
            None => empty,
            Some(last) if self.folded && !last && !spaced => {
                self.space = empty == 0;
                empty
            }
            Some(_) => empty.saturating_add(1),
        };
        self.last_spaced = Some(spaced);
        self.in_line = true;
    }

    fn end(&mut self, empty: usize) {
        let content = self.last_spaced.is_some();
        self.feeds = match self.chomp {
            Chomp::Strip => 0,
            Chomp::Clip => usize::from(content),
            Chomp::Keep => empty.saturating_add(usize::from(content)),
        };
        // A second call must not count anything again.
        self.last_spaced = None;
        self.chomp = Chomp::Strip;
    }
}

/// The indentation of the first line that is not empty.
fn detect_indent(mut rest: &[u8]) -> usize {
    loop {
        let spaces = spaces_len(rest);
        let tail = rest.get(spaces..).unwrap_or_default();
        match break_len(tail) {
            0 if tail.is_empty() => return usize::MAX,
            0 => return spaces,
            length => rest = tail.get(length..).unwrap_or_default(),
        }
    }
}

impl Iterator for Block<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        loop {
            if let Some(feeds) = self.feeds.checked_sub(1) {
                self.feeds = feeds;
                return Some('\n');
            }
            if self.space {
                self.space = false;
                return Some(' ');
            }
            if self.in_line {
                match break_len(self.rest) {
                    0 if self.rest.is_empty() => {
                        // The text ends without a line break, so there is none to keep.
                        self.last_spaced = None;
                        return None;
                    }
                    0 => return next_utf8(&mut self.rest),
                    length => {
                        self.rest = self.rest.get(length..).unwrap_or_default();
                        self.in_line = false;
                    }
                }
            }
            if !self.next_line() && self.feeds == 0 {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::String;

    use super::*;

    fn literal(raw: &str) -> String {
        Block::new(raw.as_bytes(), false).collect()
    }

    fn folded(raw: &str) -> String {
        Block::new(raw.as_bytes(), true).collect()
    }

    #[test]
    fn chomping() {
        assert_eq!(literal("|\n  a\n   b\n\n"), "a\n b\n");
        assert_eq!(literal("|-\n  a\n\n"), "a");
        assert_eq!(literal("|+ # note\n  a\n\n \n"), "a\n\n\n");
        assert_eq!(literal("|+\n\n\n"), "\n\n");
        assert_eq!(literal("|\n\n\n"), "");
        assert_eq!(literal("|2\n   a\n  b\n"), " a\nb\n");
        assert_eq!(literal("|"), "");
    }

    #[test]
    fn folding() {
        assert_eq!(folded(">\n\n a\n b\n\n c\n"), "\na b\nc\n");
        assert_eq!(folded(">-\n a\n   b\n c\n\n   d\n e"), "a\n  b\nc\n\n  d\ne");
        assert_eq!(folded(">\r\n a\r\n b\r\n"), "a b\n");
    }
}
