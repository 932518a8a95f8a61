//! The starts of blocks: patterns that are compared with a line after its indentation.

use crate::scan;
use crate::syntax::fold::behind_blanks;
pub(super) use crate::syntax::line::trim_end as trim_blanks_end;

/// The level and the text of an ATX heading (CommonMark 4.2).
pub(super) fn atx_heading(line: &[u8]) -> Option<(u8, &[u8])> {
    let (mut level, mut rest) = (0, line);
    while let [b'#', tail @ ..] = rest
        && level < 7
    {
        (level, rest) = (level + 1, tail);
    }
    if !(1..=6).contains(&level) || !matches!(rest, [] | [b' ' | b'\t', ..]) {
        return None;
    }
    let text = trim_blanks(rest);
    // A closing sequence counts if a blank or nothing stands before it.
    let mut open = text;
    while let [head @ .., b'#'] = open {
        open = head;
    }
    let closed = open.len() < text.len() && matches!(open, [] | [.., b' ' | b'\t']);
    Some((level, if closed { trim_blanks(open) } else { text }))
}

/// The line without spaces and tabs at both ends; for a blank line the empty slice at its end.
pub(super) fn trim_blanks(line: &[u8]) -> &[u8] {
    trim_blanks_end(behind_blanks(line))
}

/// The level of the heading that a setext underline makes of a paragraph (4.3).
pub(super) fn setext_underline(line: &[u8]) -> Option<u8> {
    let mark = *line.first()?;
    let level = match mark {
        b'=' => 1,
        b'-' => 2,
        _ => return None,
    };
    trim_blanks_end(line).iter().all(|&byte| byte == mark).then_some(level)
}

/// True if the line is a thematic break (4.1): at least three equal marks, and blanks.
pub(super) fn is_break(line: &[u8]) -> bool {
    let Some(&mark @ (b'*' | b'-' | b'_')) = line.first() else {
        return false;
    };
    let mut marks = 0_usize;
    for &byte in line {
        match byte {
            b' ' | b'\t' => {}
            _ if byte == mark => marks += 1,
            _ => return false,
        }
    }
    marks >= 3
}

/// True if the line is a mark, a space and text. Most candidates for thematic breaks are such
/// items.
#[inline]
pub(super) fn is_plain_item(line: &[u8]) -> bool {
    matches!(line, [b'-' | b'*' | b'+', b' ', first, ..] if !matches!(first, b' ' | b'\t' | b'-' | b'*' | b'_'))
}

/// The mark and the length of an opening code fence (4.5).
pub(super) fn fence(line: &[u8]) -> Option<(u8, usize)> {
    let mark = *line.first()?;
    let length = fence_len(line, mark);
    if length < 3 || (mark == b'`' && scan::memchr(b'`', line.get(length..)?).is_some()) {
        return None;
    }
    Some((mark, length))
}

/// True if the line closes a fence of `length` marks.
pub(super) fn closes_fence(line: &[u8], mark: u8, length: usize) -> bool {
    let found = fence_len(line, mark);
    found >= length && trim_blanks_end(line).len() == found
}

fn fence_len(line: &[u8], mark: u8) -> usize {
    line.iter().take_while(|&&byte| byte == mark).count()
}

/// The length of a list marker (5.2). A marker that interrupts a paragraph must be a bullet or 1,
/// with text after it.
pub(super) fn list_marker(line: &[u8], interrupts: bool) -> Option<usize> {
    let length = match line {
        [b'-' | b'+' | b'*', ..] => 1,
        _ => {
            let digits = line.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
            if !(1..=9).contains(&digits) || !matches!(line.get(digits), Some(b'.' | b')')) {
                return None;
            }
            let number = line.get(..digits)?;
            if interrupts
                && !matches!(number, [zeros @ .., b'1'] if zeros.iter().all(|&digit| digit == b'0'))
            {
                return None;
            }
            digits + 1
        }
    };
    let rest = line.get(length..)?;
    match rest.first() {
        None => (!interrupts).then_some(length),
        Some(b' ' | b'\t') => (!interrupts || !behind_blanks(rest).is_empty()).then_some(length),
        Some(_) => None,
    }
}
