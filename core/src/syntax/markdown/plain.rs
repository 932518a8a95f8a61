//! Items and headings on one line, for readers that skip most of a list.
//!
//! INVARIANT: [`Blocks`](super::Blocks) reads what is read here in the same way, and reads everything else. The tests of `Blocks` and of the
//! lists of the unified model compare both.

use super::start::{atx_heading, trim_blanks_end};
use crate::syntax::fold::{break_len, line_end};

/// The item that the line at the front of `text` is, and where the next line that is not empty starts.
///
/// Nothing but containers may be open there: the line closes all of them, as it is not indented. It is a bullet, a space and words, and the
/// lines behind it show that the words are all of the item: another such item, or an empty line and then one that is not indented, or nothing.
#[inline]
pub(crate) fn plain_item(text: &[u8]) -> Option<(&[u8], usize)> {
    if !starts_plain_item(text) {
        return None;
    }
    let (end, next) = line_end(text, 2);
    let words = trim_blanks_end(text.get(2..end)?);
    let rest = text.get(next..)?;
    let empty = empty_lines(rest);
    match rest.get(empty..)? {
        [] => {}
        [b' ' | b'\t', ..] => return None,
        // A line right behind the item may go on with it.
        tail if empty == 0 && !starts_plain_item(tail) => return None,
        _ => {}
    }
    Some((words, next + empty))
}

/// Level and text of the heading that the line at the front of `text` is, and where the next line that is not empty starts. As [`plain_item`], where
/// nothing but containers is open.
#[inline]
pub(crate) fn plain_heading(text: &[u8]) -> Option<(u8, &[u8], usize)> {
    if !matches!(text, [b'#', ..]) {
        return None;
    }
    let (end, next) = line_end(text, 0);
    let (level, name) = atx_heading(text.get(..end)?)?;
    Some((level, name, next + empty_lines(text.get(next..)?)))
}

/// A bullet, a space, and what begins with a letter or something else that can only be the start of a paragraph.
#[inline]
fn starts_plain_item(text: &[u8]) -> bool {
    match text {
        [b'-' | b'*' | b'+', b' ', first, ..] => starts_paragraph(*first),
        _ => false,
    }
}

/// Whether a line that begins so can only be a paragraph.
#[inline]
const fn starts_paragraph(first: u8) -> bool {
    first > b' '
        && !matches!(
            first,
            b'>' | b'#' | b'`' | b'~' | b'<' | b'-' | b'=' | b'*' | b'_' | b'+' | b'0'..=b'9'
        )
}

/// The length of the empty lines at the front.
#[inline]
pub(super) fn empty_lines(text: &[u8]) -> usize {
    let mut length = 0;
    while let Some(count @ 1..) = text.get(length..).map(break_len) {
        length += count;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_ends_where_nothing_can_go_on_with_it() {
        for (text, words, next) in [
            ("- a b \n", "a b", 7),
            ("- a", "a", 3),
            ("* a\r\n- b", "a", 5),
            ("+ é\n\n\r\nnot of it", "é", 8),
            ("- [x]\n\n", "[x]", 7),
        ] {
            assert_eq!(
                plain_item(text.as_bytes()),
                Some((words.as_bytes(), next)),
                "{text:?}"
            );
        }
        for text in [
            "",
            "-",
            "- ",
            "-  a",
            " - a",
            "- - a",
            "- 1. a",
            "- # a",
            "- a\nb",
            "- a\n  b",
            "- a\n\n  b",
            "- a\n \nb",
            "- a\n===",
            "- a\n- - b",
        ] {
            assert_eq!(plain_item(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn a_heading_is_one_line() {
        assert_eq!(
            plain_heading(b"## Can ##\n\n\n- a"),
            Some((2, &b"Can"[..], 12))
        );
        assert_eq!(plain_heading(b"#"), Some((1, &b""[..], 1)));
        assert_eq!(plain_heading(b"#a\n"), None);
        assert_eq!(plain_heading(b" # a\n"), None);
    }
}
