//! Decides which texts can be written into a line.
//!
//! A value of one document becomes part of another one, where line ends, colons, commas,
//! parentheses and white space have a meaning. Every text is checked here first, decoded, and is
//! rejected if any reader could misread it. This includes other readers, which split lines at more
//! characters and trim more.

use super::loss::Reason;
use crate::limits::Limits;
use crate::syntax::text::{Escape, Text};

/// Maximum length of a value in bytes. A line with its key and its indentation stays within the
/// limits of readers.
const ROOM: usize = Limits::DEFAULT.line - 64;

/// Why a text cannot be a value; absent if it can.
pub(super) fn value(text: Text<'_>) -> Option<Reason> {
    if text.escape() == Escape::Plain && core::str::from_utf8(text.raw()).is_err() {
        return Some(Reason::NotUtf8);
    }
    let mut length = 0_usize;
    let mut broken = false;
    let (mut first, mut last) = (None, None);
    for c in text.chars() {
        match c {
            _ if is_break(c) => broken = true,
            '\t' => {}
            _ if c.is_control() => return Some(Reason::ControlCharacter),
            _ => {}
        }
        first = first.or(Some(c));
        last = Some(c);
        length = length.saturating_add(c.len_utf8());
    }
    if length > ROOM {
        Some(Reason::TooLong)
    } else if broken {
        Some(Reason::LineBreak)
    } else if first.is_some_and(is_blank) || last.is_some_and(is_blank) {
        Some(Reason::BlankEdge)
    } else {
        None
    }
}

/// Whether prose can be written as a value if its white space is folded.
pub(super) fn can_fold(prose: Text<'_>) -> bool {
    matches!(value(prose), Some(Reason::LineBreak | Reason::BlankEdge))
        && !prose.chars().all(is_blank)
}

/// Whether some readers end a line at a character.
fn is_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Whether some readers trim a character at the ends of a value, or end a line at it.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}' || is_break(c)
}

/// Whether a reader could take a part of a value for a comment.
pub(super) fn holds_comment(text: Text<'_>) -> bool {
    let mut before = ' ';
    text.chars().any(|c| core::mem::replace(&mut before, c).is_whitespace() && c == '#')
}

/// Why a text cannot be a part of a value that ends at any of `ends`.
pub(super) fn part(text: Text<'_>, ends: &[char]) -> Option<Reason> {
    if text.is_empty() {
        return Some(Reason::Empty);
    }
    value(text).or_else(|| text.chars().any(|c| ends.contains(&c)).then_some(Reason::Separator))
}

/// Why a text cannot be the key of an unknown field. `taken` returns whether the target knows a
/// key.
pub(super) fn key(text: Text<'_>, taken: fn(&[u8]) -> bool) -> Option<Reason> {
    let reason = part(text, &[':'])
        .or_else(|| text.chars().next().filter(|c| *c == '#').map(|_| Reason::Separator));
    if reason.is_some() {
        return reason;
    }
    let mut buffer = [0; 64];
    // No format knows a longer key.
    text.decode(&mut buffer).ok().filter(|key| taken(key.as_bytes())).map(|_| Reason::NameTaken)
}

/// Why a valid key and a valid value cannot share a line.
pub(super) fn line(key: Text<'_>, value: Text<'_>) -> Option<Reason> {
    (key.decoded_len().saturating_add(value.decoded_len()) > ROOM).then_some(Reason::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_reader_would_split_or_trim_is_refused() {
        for (text, reason) in [
            ("a\nAuth: none", Reason::LineBreak),
            ("a\rb", Reason::LineBreak),
            ("a\u{2028}b", Reason::LineBreak),
            ("a\u{85}b", Reason::LineBreak),
            ("a\u{1e}b", Reason::LineBreak),
            ("a\0b", Reason::ControlCharacter),
            ("a\u{9b}b", Reason::ControlCharacter),
            (" none", Reason::BlankEdge),
            ("\u{a0}none", Reason::BlankEdge),
            ("none\t", Reason::BlankEdge),
            ("\u{feff}none", Reason::BlankEdge),
        ] {
            assert_eq!(value(Text::plain(text.as_bytes())), Some(reason), "{text:?}");
        }
        assert_eq!(value(Text::json(br"a\nb")), Some(Reason::LineBreak));
        assert_eq!(value(Text::plain(b"\xff")), Some(Reason::NotUtf8));
        for fine in ["", "a b", "a\tb", "# x", "a: b", "é"] {
            assert_eq!(value(Text::plain(fine.as_bytes())), None, "{fine:?}");
        }
    }

    #[test]
    fn a_key_neither_ends_early_nor_is_another_fields() {
        let taken = |key: &[u8]| key.eq_ignore_ascii_case(b"auth");
        for (text, reason) in [
            ("", Reason::Empty),
            ("a:b", Reason::Separator),
            ("#a", Reason::Separator),
            ("AUTH", Reason::NameTaken),
            ("a ", Reason::BlankEdge),
        ] {
            assert_eq!(key(Text::plain(text.as_bytes()), taken), Some(reason), "{text:?}");
        }
        assert_eq!(key(Text::json(br"\u0061uth"), taken), Some(Reason::NameTaken));
        assert_eq!(key(Text::plain(b"X-Note"), taken), None);
    }
}
