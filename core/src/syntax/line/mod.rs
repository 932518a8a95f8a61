//! Lines of `key: value` text: a pull tokenizer over bytes.
//!
//! A line ends with LF, CRLF or a lone CR, or with the document. It is blank, a comment (its first non-blank character is `#`), a field
//! (a key, a colon, a value) or malformed. Blank means space and tab; keys and values have none at their ends.
//!
//! How it works: every line is read once, from left to right; only the blanks at the ends of keys and values are read twice. `Sweep` is the
//! algorithm. A `Search` finds line ends and colons for it: one at a time (`Singly`), for a few lines or for CPUs without a back end, or in
//! masks of a KiB (`Whole`), for whole documents.

mod letters;
mod search;

use crate::error::{Error, ErrorKind};
use crate::scan;

pub(crate) use letters::Names;
pub(crate) use search::{Search, Singly, Whole};

/// How a line is indented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Indent {
    /// Not at all.
    None,
    /// By one space, which is no indentation.
    OneSpace,
    /// By two or more spaces, or at least one tab.
    Indented,
}

/// What stands in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content<'a> {
    /// Nothing but blanks.
    Blank,
    /// A comment: what follows the `#`, without blanks at its ends.
    Comment(&'a [u8]),
    /// A key and a value; the value may be empty.
    Field {
        /// What stands before the first colon. Never empty.
        key: &'a [u8],
        /// What stands behind it; empty, and at the end of the line, where nothing does.
        value: &'a [u8],
    },
    /// A line without a colon, or without a key before it: all of it, without blanks at its ends.
    Malformed(&'a [u8]),
}

/// One line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    /// Offset of its first byte in the text that [`Lines`] was made from.
    pub start: usize,
    /// Offset after its last byte, its end not counted.
    pub end: usize,
    /// How it is indented.
    pub indent: Indent,
    /// What stands in it.
    pub content: Content<'a>,
}

/// The lines of a text, one after the other.
///
/// ```
/// use agentsdisc_core::syntax::line::{Content, Lines};
/// let mut lines = Lines::new(b"# hello\r\n  Auth : none\n");
/// assert_eq!(lines.next().unwrap().content, Content::Comment(b"hello"));
/// assert_eq!(lines.next().unwrap().content, Content::Field { key: b"Auth", value: b"none" });
/// assert_eq!(lines.next(), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a>(Sweep<'a, Singly>);

impl<'a> Lines<'a> {
    /// The lines of `bytes`.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self::starting_at(bytes, 0)
    }

    /// The lines of `bytes` from `position` on, which must be the start of a line. Offsets count from the start of `bytes`.
    pub const fn starting_at(bytes: &'a [u8], position: usize) -> Self {
        Self(Sweep {
            bytes,
            position,
            search: Singly,
        })
    }

    /// Offset of the next line.
    pub const fn position(&self) -> usize {
        self.0.position
    }

    /// As [`Sweep::take_prefixed`].
    #[inline]
    pub(crate) fn take_prefixed(&mut self, prefix: &[u8; 8]) -> Option<(usize, usize, &'a [u8])> {
        self.0.take_prefixed(prefix)
    }

    /// Takes the next line where it begins with exactly this key and a colon, and returns its value.
    #[inline]
    pub(crate) fn take_key(&mut self, key: &[u8]) -> Option<&'a [u8]> {
        let Sweep {
            bytes, position, ..
        } = self.0;
        let [b':', behind @ ..] = bytes.get(position..)?.strip_prefix(key)? else {
            return None;
        };
        let (value, _) = behind.split_at_checked(scan::line_end(behind))?;
        self.0.break_at(
            bytes
                .len()
                .saturating_sub(behind.len())
                .saturating_add(value.len()),
        );
        Some(trim(value))
    }

    /// Refuses a text with a line of more than `limit` bytes, its end not counted.
    ///
    /// # Errors
    /// [`ErrorKind::LineTooLong`] at the start of the first such line.
    pub fn validate(self, limit: usize) -> Result<(), Error> {
        let Sweep {
            bytes,
            position: mut start,
            ..
        } = self.0;
        let mut search = Whole::default();
        while start < bytes.len() {
            let end = search.line_end(bytes, start);
            if end.saturating_sub(start) > limit {
                return Err(Error::new(ErrorKind::LineTooLong, start));
            }
            start = end.saturating_add(1);
        }
        Ok(())
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        self.0.next()
    }
}

/// What [`Lines`] is made of, with a choice of how line ends and colons are found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep<'a, S> {
    bytes: &'a [u8],
    position: usize,
    search: S,
}

impl<'a, S: Search> Sweep<'a, S> {
    /// As [`Lines::starting_at`].
    pub(crate) fn starting_at(bytes: &'a [u8], position: usize) -> Self {
        Self {
            bytes,
            position,
            search: S::default(),
        }
    }

    /// Passes over the next line, where it is indented in a usual way (two spaces, or a tab) and what follows begins with one of some
    /// letters, bit `letter & 31` of `initials` each. Returns its start and its end.
    ///
    /// For a reader who knows that such a line does not matter to it: not looking for a colon is half of the time.
    #[inline]
    pub(crate) fn pass_indented(&mut self, initials: u32) -> Option<(usize, usize)> {
        let (blanks, initial) = match self.bytes.get(self.position..)? {
            [b' ', b' ', initial, ..] => (2, *initial),
            [b'\t', initial, ..] => (1, *initial),
            _ => return None,
        };
        if !initial.is_ascii_alphabetic() || initials >> (initial & 31) & 1 == 0 {
            return None;
        }
        let start = self.position;
        let end = self.search.line_end(self.bytes, start + blanks);
        self.break_at(end);
        Some((start, end))
    }

    /// Takes the next line where it begins with exactly these bytes, an indented key with its colon: its start, its end, and the value.
    ///
    /// For a reader that expects many lines of one key: neither the colon nor the key is searched for. Reads the line in the general way where this
    /// returns `None`.
    #[inline]
    pub(crate) fn take_prefixed(&mut self, prefix: &[u8; 8]) -> Option<(usize, usize, &'a [u8])> {
        let head = self.bytes.get(self.position..)?.first_chunk::<8>()?;
        if u64::from_ne_bytes(*head) != u64::from_ne_bytes(*prefix) {
            return None;
        }
        let start = self.position;
        let end = self.search.line_end(self.bytes, start + prefix.len());
        let value = self.bytes.get(start + prefix.len()..end)?;
        self.break_at(end);
        Some((start, end, trim(value)))
    }

    /// Goes on behind the line end at `end`.
    #[inline]
    fn break_at(&mut self, end: usize) {
        self.position = match self.bytes.get(end) {
            Some(b'\r') if self.bytes.get(end + 1) == Some(&b'\n') => end + 2,
            Some(_) => end + 1,
            None => end,
        };
    }

    #[inline]
    fn next_line(&mut self) -> Option<Line<'a>> {
        let start = self.position;
        let rest = self.bytes.get(start..)?;
        let (indent, blanks) = match rest {
            [] => return None,
            [b' ', b' ', first, ..] if !is_blank(*first) => (Indent::Indented, 2),
            [b' ' | b'\t', ..] => indentation(rest),
            _ => (Indent::None, 0),
        };
        let text = start + blanks;
        let (end, content) = match self.bytes.get(text) {
            None | Some(b'\n' | b'\r') => (text, Content::Blank),
            Some(b'#') => {
                let end = self.search.line_end(self.bytes, text + 1);
                (
                    end,
                    Content::Comment(trim(self.bytes.get(text + 1..end).unwrap_or_default())),
                )
            }
            Some(_) => self.field(text),
        };
        self.break_at(end);
        Some(Line {
            start,
            end,
            indent,
            content,
        })
    }

    /// Returns the end and the content of a line that begins at `text` with neither a blank nor `#`.
    #[inline]
    fn field(&mut self, text: usize) -> (usize, Content<'a>) {
        let bytes = self.bytes;
        let part = |start: usize, end: usize| bytes.get(start..end).unwrap_or_default();
        let colon = self.search.key_end(bytes, text);
        match bytes.get(colon) {
            Some(b':') => {
                let end = self.search.line_end(bytes, colon + 1);
                if colon == text {
                    return (end, Content::Malformed(trim(part(text, end))));
                }
                (
                    end,
                    Content::Field {
                        key: trim_end(part(text, colon)),
                        value: trim(part(colon + 1, end)),
                    },
                )
            }
            _ => (colon, Content::Malformed(trim_end(part(text, colon)))),
        }
    }
}

impl<'a, S: Search> Iterator for Sweep<'a, S> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        self.next_line()
    }
}

/// How a line is indented that begins with a blank, and how many there are.
#[cold]
fn indentation(line: &[u8]) -> (Indent, usize) {
    let blanks = line.iter().take_while(|byte| is_blank(**byte)).count();
    match line {
        [b' ', second, ..] if is_blank(*second) => (Indent::Indented, blanks),
        [b'\t', ..] => (Indent::Indented, blanks),
        _ => (Indent::OneSpace, blanks),
    }
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// `text` without spaces and tabs at its end.
#[inline]
pub(crate) fn trim_end(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}

/// `text` without spaces and tabs at both ends.
#[inline]
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    // From the end first, so that what is blank throughout is the empty slice at its start for every caller.
    let mut text = trim_end(text);
    while let [b' ' | b'\t', rest @ ..] = text {
        text = rest;
    }
    text
}
