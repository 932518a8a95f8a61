//! Blanks and invisible marks besides the space and the tab.
//!
//! Editors and word processors write them where a person sees a blank or nothing. So they count as
//! blanks at the ends of keys and values; otherwise such a line would lose its restriction.

use crate::syntax::text::next_utf8;

/// Whether a character shows nothing or a blank, and is neither a space, a tab nor a line end.
pub(crate) const fn is_mark(c: char) -> bool {
    is_break(c)
        || matches!(
            c,
            '\u{a0}'
                | '\u{ad}'
                | '\u{61c}'
                | '\u{1680}'
                | '\u{180e}'
                | '\u{2800}'
                | '\u{3000}'
                | '\u{3164}'
                | '\u{feff}'
        )
        || matches!(c, '\u{2000}'..='\u{200f}' | '\u{202a}'..='\u{202f}' | '\u{205f}'..='\u{206f}')
}

/// Whether a mark is a line break for some editors.
pub(crate) const fn is_break(c: char) -> bool {
    matches!(c, '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a byte is a blank, or may be the first or the last one of a mark. Also true for control
/// characters: one comparison tells all of them, as a signed number, from visible ASCII.
#[inline]
pub(super) const fn may_be_blank(octet: u8) -> bool {
    octet as i8 <= b' ' as i8
}

/// The length of the mark at the start of a text; 0 if there is none.
#[cold]
fn mark_at_start(text: &[u8]) -> usize {
    let mut rest = text;
    match next_utf8(&mut rest) {
        Some(c) if is_mark(c) => text.len().saturating_sub(rest.len()),
        _ => 0,
    }
}

/// The length of the mark at the end of a text; 0 if there is none.
#[cold]
fn mark_at_end(text: &[u8]) -> usize {
    (1..=3)
        .find(|length| {
            let last = text.len().checked_sub(*length).and_then(|at| text.get(at..));
            last.is_some_and(|last| mark_at_start(last) == *length)
        })
        .unwrap_or(0)
}

/// `text` without blanks and marks at its end.
#[inline]
pub(crate) fn strip_end(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., last] = text
        && may_be_blank(*last)
    {
        text = match last {
            b' ' | b'\t' => rest,
            _ => match mark_at_end(text) {
                0 => return text,
                length => text.get(..text.len().saturating_sub(length)).unwrap_or_default(),
            },
        };
    }
    text
}

/// `text` without blanks and marks at its start.
#[inline]
pub(crate) fn strip_start(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && may_be_blank(*first)
    {
        text = match first {
            b' ' | b'\t' => rest,
            _ => match mark_at_start(text) {
                0 => return text,
                length => text.get(length..).unwrap_or_default(),
            },
        };
    }
    text
}

/// `text` without blanks and marks at both ends.
#[inline]
pub(crate) fn strip(text: &[u8]) -> &[u8] {
    // The end first, so a blank text gives the empty slice at its start.
    strip_start(strip_end(text))
}

/// The width of the blanks at the start of a line in columns: a tab counts as two, an invisible
/// mark as none. Also their number of bytes.
#[cold]
pub(super) fn width(line: &[u8]) -> (usize, usize) {
    let blanks = line.len().saturating_sub(strip_start(line).len());
    let mut rest = line.get(..blanks).unwrap_or_default();
    let mut columns = 0_usize;
    while let Some(c) = next_utf8(&mut rest) {
        columns = columns.saturating_add(match c {
            '\t' => 2,
            c if is_break(c) => 0,
            c => usize::from(c.is_whitespace()),
        });
    }
    (columns, blanks)
}
