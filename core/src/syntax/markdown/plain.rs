//! Items and headings on one line, for callers that skip most of a list.
//!
//! INVARIANT: [`Blocks`](super::Blocks) gives the same result for these lines, and reads all other
//! lines. The tests of `Blocks` and of the lists of the unified model compare both.

use super::start::{atx_heading, trim_blanks_end};
use crate::syntax::fold::{break_len, line_end};

/// The text of the item on the first line of `text`, and the offset of the next line that is not
/// empty.
///
/// Only containers may be open at this line. The line closes all of them, because it is not
/// indented. It is a bullet, a space and words. The next lines must show that the item ends:
/// another such item, an empty line and then an unindented line, or the end.
#[inline]
pub(crate) fn plain_item(text: &[u8]) -> Option<(&[u8], usize)> {
    if !starts_plain_item(text) {
        return None;
    }
    let (end, next) = line_end(text, 2);
    let rest = text.get(next..)?;
    let empty = match rest {
        [] => 0,
        [b'\n' | b'\r', ..] => {
            let empty = empty_lines(rest);
            if let Some(b' ' | b'\t') = rest.get(empty) {
                return None;
            }
            empty
        }
        _ if starts_plain_item(rest) => 0,
        // Any other line directly after the item may continue it.
        _ => return None,
    };
    Some((trim_blanks_end(text.get(2..end)?), next + empty))
}

/// The level and the text of the heading on the first line of `text`, and the offset of the next
/// line that is not empty. As for [`plain_item`], only containers may be open.
#[inline]
pub(crate) fn plain_heading(text: &[u8]) -> Option<(u8, &[u8], usize)> {
    if !matches!(text, [b'#', ..]) {
        return None;
    }
    let (end, next) = line_end(text, 0);
    let (level, name) = atx_heading(text.get(..end)?)?;
    Some((level, name, next + empty_lines(text.get(next..)?)))
}

/// True if the line is a bullet, a space and a byte that can only start a paragraph.
#[inline(always)] // A call costs more than the comparison.
fn starts_plain_item(text: &[u8]) -> bool {
    match text {
        [b'-' | b'*' | b'+', b' ', first, ..] => {
            STARTS_PARAGRAPH.get(usize::from(*first)) == Some(&true)
        }
        _ => false,
    }
}

/// For each byte, true if a line that starts with it can only be a paragraph.
#[allow(clippy::indexing_slicing)] // Runs only when the program is compiled.
static STARTS_PARAGRAPH: [bool; 256] = {
    let mut starts = [false; 256];
    let mut byte = b'!';
    while byte < u8::MAX {
        starts[byte as usize] = !matches!(
            byte,
            b'>' | b'#' | b'`' | b'~' | b'<' | b'-' | b'=' | b'*' | b'_' | b'+' | b'0'..=b'9'
        );
        byte += 1;
    }
    starts
};

/// The length of the empty lines at the start.
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
            assert_eq!(plain_item(text.as_bytes()), Some((words.as_bytes(), next)), "{text:?}");
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
        assert_eq!(plain_heading(b"## Can ##\n\n\n- a"), Some((2, &b"Can"[..], 12)));
        assert_eq!(plain_heading(b"#"), Some((1, &b""[..], 1)));
        assert_eq!(plain_heading(b"#a\n"), None);
        assert_eq!(plain_heading(b" # a\n"), None);
    }
}
