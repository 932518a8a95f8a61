//! URLs and paths with names in braces, such as `/orders/{id}`.

use super::text::{Chars, Text};
use crate::scan;

/// A character of a URL or path, or a name in braces.
pub(crate) enum Piece<'a> {
    Char(char),
    Name(Text<'a>),
}

/// Returns the characters and the names in braces of a URL or path. Empty braces and an unclosed
/// brace are returned as characters. Linear.
pub(crate) fn pieces(text: Text<'_>) -> impl Iterator<Item = Piece<'_>> {
    let mut chars = text.chars();
    core::iter::from_fn(move || {
        let c = chars.next()?;
        let name = if c == '{' { name_in_braces(&mut chars, text) } else { None };
        Some(name.map_or(Piece::Char(c), Piece::Name))
    })
}

/// Reads the name behind an opening brace, and moves behind the closing brace. Returns `None`, and
/// does not move, if the braces are empty or if no closing brace precedes the next opening brace.
fn name_in_braces<'a>(chars: &mut Chars<'a>, text: Text<'a>) -> Option<Text<'a>> {
    let start = chars.rest();
    let mut ahead = *chars;
    loop {
        let here = ahead.rest();
        match ahead.next()? {
            '{' => return None,
            '}' => {
                let name = start.get(..start.len().saturating_sub(here.len()))?;
                if name.is_empty() {
                    return None;
                }
                *chars = ahead;
                return Some(Text::escaped(name, text.escape()));
            }
            _ => {}
        }
    }
}

/// Returns the names in braces in a URL or path; skips empty braces.
pub(crate) fn placeholders<'a>(text: Text<'a>) -> impl Iterator<Item = Text<'a>> {
    let text = if may_have_braces(text) { text } else { Text::EMPTY };
    pieces(text).filter_map(|piece| match piece {
        Piece::Name(name) => Some(name),
        Piece::Char(_) => None,
    })
}

/// Whether every brace of a URL or path belongs to a name.
pub(crate) fn has_whole_braces(text: Text<'_>) -> bool {
    let is_brace = |piece| matches!(piece, Piece::Char('{' | '}'));
    !may_have_braces(text) || !pieces(text).any(is_brace)
}

/// Whether a text may have braces: a cheap test, because most texts have none.
fn may_have_braces(text: Text<'_>) -> bool {
    text.is_escaped() || scan::memchr2(b'{', b'}', text.raw()).is_some()
}
