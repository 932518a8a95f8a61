//! Lines of `key: value` text: a pull tokenizer over bytes.
//!
//! A line ends with LF, CRLF, a lone CR or the document. It is blank, a comment (its first
//! non-blank character is `#`), a field (a key, a colon, a value) or malformed. Blanks are spaces,
//! tabs and the marks in `marks`; keys and values have none at their ends.
//!
//! Every line is read once, from left to right; only the blanks at the ends of keys and values are
//! read twice. `Sweep` is the algorithm. A `Search` finds line ends and colons for it: one at a
//! time (`Singly`), for a few lines and for CPUs without a back end, or in masks of 1 KiB
//! (`Whole`), for whole documents.

mod letters;
mod marks;
mod search;

use crate::error::{Error, ErrorKind};
use crate::scan;

pub(crate) use letters::{Letters, Names};
use marks::may_be_blank;
pub(crate) use marks::{is_break, is_mark, strip, strip_end};
pub(crate) use search::{Search, Singly, Whole};

/// The indentation of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Indent {
    /// No indentation.
    None,
    /// One space, which does not count as indentation.
    OneSpace,
    /// Two or more spaces, or at least one tab.
    Indented,
}

/// The content of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content<'a> {
    /// Only blanks.
    Blank,
    /// A comment: the text after the `#`, without blanks at its ends.
    Comment(&'a [u8]),
    /// A key and a value; the value may be empty.
    Field {
        /// The text before the first colon. Never empty.
        key: &'a [u8],
        /// The text after it. If there is none, the empty slice at the end of the line.
        value: &'a [u8],
    },
    /// A line without a colon, or without a key before it: its text, without blanks at its ends.
    Malformed(&'a [u8]),
}

/// One line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    /// The offset of its first byte in the text of [`Lines`].
    pub start: usize,
    /// The offset after its last byte, without its line end.
    pub end: usize,
    /// The indentation.
    pub indent: Indent,
    /// The content.
    pub content: Content<'a>,
}

/// An iterator over the lines of a text.
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

    /// The lines of `bytes` from `position`, the start of a line. Offsets count from the start of
    /// `bytes`.
    pub const fn starting_at(bytes: &'a [u8], position: usize) -> Self {
        Self(Sweep { bytes, position, search: Singly })
    }

    /// The offset of the next line.
    pub const fn position(&self) -> usize {
        self.0.position
    }

    /// See [`Sweep::take_prefixed`].
    #[inline]
    pub(crate) fn take_prefixed(&mut self, prefix: &[u8; 8]) -> Option<(usize, usize, &'a [u8])> {
        self.0.take_prefixed(prefix)
    }

    /// Takes the next line if it begins with exactly this key and a colon, and returns its value.
    #[inline]
    pub(crate) fn take_key(&mut self, key: &[u8]) -> Option<&'a [u8]> {
        let Sweep { bytes, position, .. } = self.0;
        let [b':', behind @ ..] = bytes.get(position..)?.strip_prefix(key)? else {
            return None;
        };
        let (value, _) = behind.split_at_checked(scan::line_end(behind))?;
        self.0.break_at(bytes.len().saturating_sub(behind.len()).saturating_add(value.len()));
        Some(strip(value))
    }

    /// Rejects a text with a line longer than `limit` bytes, without its line end.
    ///
    /// # Errors
    /// [`ErrorKind::LineTooLong`] at the start of the first such line.
    pub fn validate(self, limit: usize) -> Result<(), Error> {
        let Sweep { bytes, position: mut start, .. } = self.0;
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

/// The implementation of [`Lines`], with a choice of how to find line ends and colons.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep<'a, S> {
    bytes: &'a [u8],
    position: usize,
    search: S,
}

impl<'a, S: Search> Sweep<'a, S> {
    /// See [`Lines::starting_at`].
    pub(crate) fn starting_at(bytes: &'a [u8], position: usize) -> Self {
        Self { bytes, position, search: S::default() }
    }

    /// Skips the next line if it has the usual indentation (two spaces or a tab) and begins with
    /// one of the letters in `initials`, which has the bit `letter & 31` for each. Returns its
    /// start and its end.
    ///
    /// For callers that do not need the line: skipping the search for a colon saves half of the
    /// time.
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

    /// Takes the next line if it begins with exactly these bytes, an indented key with its colon.
    /// Returns its start, its end and the value.
    ///
    /// For callers that expect many lines of one key: it searches neither for the colon nor for the
    /// key. If it returns `None`, read the line in the general way.
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
        Some((start, end, strip(value)))
    }

    /// Continues after the line end at `end`.
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
            [b' ', b' ', first, ..] if !may_be_blank(*first) => (Indent::Indented, 2),
            [b'\n' | b'\r', ..] => (Indent::None, 0),
            [first, ..] if may_be_blank(*first) => indentation(rest),
            _ => (Indent::None, 0),
        };
        let text = start + blanks;
        let (end, content) = match self.bytes.get(text) {
            None | Some(b'\n' | b'\r') => (text, Content::Blank),
            Some(b'#') => {
                let end = self.search.line_end(self.bytes, text + 1);
                (end, Content::Comment(strip(self.bytes.get(text + 1..end).unwrap_or_default())))
            }
            Some(_) => self.field(text),
        };
        self.break_at(end);
        Some(Line { start, end, indent, content })
    }

    /// The end and the content of a line that starts at `text` with neither a blank nor `#`.
    #[inline]
    fn field(&mut self, text: usize) -> (usize, Content<'a>) {
        let bytes = self.bytes;
        let part = |start: usize, end: usize| bytes.get(start..end).unwrap_or_default();
        let colon = self.search.key_end(bytes, text);
        match bytes.get(colon) {
            Some(b':') => {
                let end = self.search.line_end(bytes, colon + 1);
                if colon == text {
                    return (end, Content::Malformed(strip(part(text, end))));
                }
                (
                    end,
                    Content::Field {
                        key: strip_end(part(text, colon)),
                        value: strip(part(colon + 1, end)),
                    },
                )
            }
            _ => (colon, Content::Malformed(strip_end(part(text, colon)))),
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

/// The indentation of a line that begins with a blank, and the number of bytes of its blanks.
#[cold]
fn indentation(line: &[u8]) -> (Indent, usize) {
    let (columns, blanks) = marks::width(line);
    let indent = match columns {
        0 => Indent::None,
        1 => Indent::OneSpace,
        _ => Indent::Indented,
    };
    (indent, blanks)
}

/// `text` without spaces and tabs at its end.
#[inline]
pub(crate) fn trim_end(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}

/// The comment behind a value: a `#` after a blank, and everything after it.
pub(crate) fn comment_in(value: &[u8]) -> Option<&[u8]> {
    let mut rest = value;
    while let Some(at) = scan::memchr(b'#', rest) {
        let (before, comment) = rest.split_at_checked(at)?;
        if let [.., b' ' | b'\t'] = before {
            return Some(comment);
        }
        rest = comment.get(1..)?;
    }
    None
}

/// Splits a value and the comment behind it, as robots.txt has them. A `#` at the start of the
/// value begins a comment, too.
pub(crate) fn split_comment(value: &[u8]) -> (&[u8], Option<&[u8]>) {
    let comment = match value {
        [b'#', ..] => Some(value),
        _ => comment_in(value),
    };
    let length = value.len().saturating_sub(comment.map_or(0, <[u8]>::len));
    (strip_end(value.get(..length).unwrap_or_default()), comment)
}

/// Like [`split_comment`], but any `#` begins the comment.
pub(crate) fn split_inside(value: &[u8]) -> (&[u8], Option<&[u8]>) {
    let at = scan::memchr(b'#', value).unwrap_or(value.len());
    let (value, comment) = value.split_at_checked(at).unwrap_or((value, b""));
    (strip_end(value), Some(comment).filter(|comment| !comment.is_empty()))
}

/// `text` without spaces and tabs at both ends.
#[inline]
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    // The end is trimmed first, so a blank text gives the empty slice at its start.
    let mut text = trim_end(text);
    while let [b' ' | b'\t', rest @ ..] = text {
        text = rest;
    }
    text
}
