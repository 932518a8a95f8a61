//! The restrictions in text that is encoded in UTF-16 or UTF-32.
//!
//! No format can read such a text, but its author wrote restrictions in it. In these encodings,
//! NULs separate the letters of ASCII. So a `Disallow` whose letters are separated by NULs is a
//! restriction, in lines and in JSON. Its value and its agents are not read: it restricts
//! everything.

use super::line::Key;
use crate::model::List;
use crate::model::list::Cursor;
use crate::scan;
use crate::syntax::text::Text;

/// The most letters of a key that are compared.
const NAME: usize = 16;

/// The restrictions in a text, from the first letter of each key to the end of its line; `None` for
/// a text without NULs. Linear.
pub(crate) fn restrictions(text: &[u8]) -> Option<List<'_, Text<'_>>> {
    scan::memchr(0, text).is_some().then(|| List::new(text, 0, next_restriction))
}

/// Whether a robots.txt is in UTF-16 or UTF-32: it has a byte order mark of these encodings, or a
/// NUL beside its first letter. Constant time.
pub(super) fn is_wide(bytes: &[u8]) -> bool {
    let start = bytes.get(..4).unwrap_or(bytes);
    matches!(start, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) || start.contains(&0)
}

fn next_restriction<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let mut word = Word::default();
    let start = cursor.position as usize;
    for (at, &octet) in cursor.bytes.iter().enumerate().skip(start) {
        if word.ends_with(octet, at) && has_value(cursor.bytes.get(at..)?) {
            let line = cursor.bytes.get(word.start..)?;
            let length = scan::memchr2(b'\n', b'\r', line).unwrap_or(line.len());
            // One restriction of a line is enough, and keeps the walk linear.
            cursor.position = word.start.saturating_add(length).max(at) as u32;
            return Some(Text::plain(line.get(..length)?));
        }
    }
    cursor.position = cursor.bytes.len() as u32;
    None
}

/// The last word before the current octet.
#[derive(Default)]
struct Word {
    letters: heapless::Vec<u8, NAME>,
    /// The offset of its first letter.
    start: usize,
    /// The number of NULs between its letters.
    gaps: usize,
    /// Whether the current octet is behind it, and only blanks and quotes are between.
    is_over: bool,
}

impl Word {
    /// Whether an octet ends the key of a restriction; otherwise adds the octet to the word.
    fn ends_with(&mut self, octet: u8, at: usize) -> bool {
        match octet {
            0 => self.gaps = self.gaps.saturating_add(1),
            b':' | b'/' | b'*' => {
                let is_key = self.is_disallow() && (octet == b':' || self.is_over);
                let word = core::mem::take(self);
                self.start = word.start;
                return is_key;
            }
            b' ' | b'\t' | b'"' | b'\'' => self.is_over = true,
            _ if octet.is_ascii_alphabetic() && !self.is_over => self.push(octet, at),
            _ => {
                *self = Self::default();
                if octet.is_ascii_alphabetic() {
                    self.push(octet, at);
                }
            }
        }
        false
    }

    fn push(&mut self, letter: u8, at: usize) {
        if self.letters.is_empty() {
            (self.start, self.gaps) = (at, 0);
        }
        // A key only needs to begin with a name, so the other letters do not matter.
        self.letters.push(letter).ok();
    }

    fn is_disallow(&self) -> bool {
        let between = self.letters.len().saturating_sub(1);
        self.gaps >= between && Key::of(&self.letters) == Key::Disallow
    }
}

/// Whether a value follows: in the line, in a list of JSON, or in an indented line or an item below.
/// The text begins with the colon, or with the value.
fn has_value(text: &[u8]) -> bool {
    let (mut is_list, mut is_below) = (false, false);
    for &octet in text {
        match octet {
            0 | b':' | b'"' | b'\'' => {}
            b'[' => is_list = true,
            b'\r' | b'\n' => is_below = true,
            b' ' | b'\t' if is_below && !is_list => is_list = true,
            b' ' | b'\t' => {}
            b'#' | b']' | b'}' | b',' => return false,
            _ => return !is_below || is_list || octet == b'-',
        }
    }
    false
}
