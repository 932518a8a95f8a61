//! Where HTML blocks start and end (CommonMark 4.6): seven kinds, numbered as there.

use crate::syntax::fold::blanks_len;

/// Names that start a block of kind 6, sorted.
const BLOCK_NAMES: &[&[u8]] = &[
    b"address",
    b"article",
    b"aside",
    b"base",
    b"basefont",
    b"blockquote",
    b"body",
    b"caption",
    b"center",
    b"col",
    b"colgroup",
    b"dd",
    b"details",
    b"dialog",
    b"dir",
    b"div",
    b"dl",
    b"dt",
    b"fieldset",
    b"figcaption",
    b"figure",
    b"footer",
    b"form",
    b"frame",
    b"frameset",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"header",
    b"hr",
    b"html",
    b"iframe",
    b"legend",
    b"li",
    b"link",
    b"main",
    b"menu",
    b"menuitem",
    b"nav",
    b"noframes",
    b"ol",
    b"optgroup",
    b"option",
    b"p",
    b"param",
    b"search",
    b"section",
    b"summary",
    b"table",
    b"tbody",
    b"td",
    b"tfoot",
    b"th",
    b"thead",
    b"title",
    b"tr",
    b"track",
    b"ul",
];

/// Names that start a block of kind 1, and that no block of kind 7 opens with.
const RAW_NAMES: &[&[u8]] = &[b"pre", b"script", b"style", b"textarea"];

fn is_one_of(name: &[u8], names: &[&[u8]]) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn split_name(text: &[u8]) -> (&[u8], &[u8]) {
    let length = match text.first() {
        Some(first) if first.is_ascii_alphabetic() => text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count(),
        _ => 0,
    };
    text.split_at_checked(length).unwrap_or_default()
}

/// The kind of HTML block that a line starts, from its `<` on. Kind 7 cannot interrupt a paragraph.
pub(super) fn start(line: &[u8], in_paragraph: bool) -> Option<u8> {
    let tag = match line {
        [b'<', b'!', b'-', b'-', ..] => return Some(2),
        [b'<', b'?', ..] => return Some(3),
        [b'<', b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => return Some(5),
        [b'<', b'!', letter, ..] if letter.is_ascii_alphabetic() => return Some(4),
        [b'<', tag @ ..] => tag,
        _ => return None,
    };
    let (closing, tag) = match tag {
        [b'/', tag @ ..] => (true, tag),
        _ => (false, tag),
    };
    let (name, rest) = split_name(tag);
    if name.is_empty() {
        return None;
    }
    let ended = matches!(rest, [] | [b' ' | b'\t' | b'>', ..]);
    if !closing && is_one_of(name, RAW_NAMES) {
        return ended.then_some(1);
    }
    if (ended || matches!(rest, [b'/', b'>', ..])) && is_one_of(name, BLOCK_NAMES) {
        return Some(6);
    }
    let after = if closing { rest.get(blanks_len(rest)..) } else { skip_attributes(rest) }?;
    match after {
        [b'>', tail @ ..] if !in_paragraph && blanks_len(tail) == tail.len() => Some(7),
        _ => None,
    }
}

/// Passes the attributes of an open tag, and the `/` before its `>`.
fn skip_attributes(mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        let blanks = blanks_len(rest);
        let tail = rest.get(blanks..)?;
        match tail {
            [b'/', b'>', ..] => return tail.get(1..),
            [b'>', ..] => return Some(tail),
            [first, ..] if blanks > 0 && (first.is_ascii_alphabetic() || matches!(first, b'_' | b':')) => {
                let name = tail.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.' | b'-')).count();
                rest = tail.get(name..)?;
            }
            _ => return None,
        }
        let value = rest.get(blanks_len(rest)..)?;
        if let [b'=', value @ ..] = value {
            let value = value.get(blanks_len(value)..)?;
            rest = match value {
                [quote @ (b'"' | b'\''), inside @ ..] => inside.get(inside.iter().position(|byte| byte == quote)? + 1..)?,
                _ => {
                    let length = value.iter().take_while(|b| **b > b' ' && !matches!(b, b'"' | b'\'' | b'=' | b'<' | b'>' | b'`')).count();
                    if length == 0 {
                        return None;
                    }
                    value.get(length..)?
                }
            };
        }
    }
}

/// Whether a line ends a block of kind 1 to 5. The others end at a blank line.
pub(super) fn ends(kind: u8, line: &[u8]) -> bool {
    match kind {
        1 => memchr::memchr_iter(b'<', line).any(|at| match line.get(at + 1..) {
            Some([b'/', tag @ ..]) => {
                let (name, rest) = split_name(tag);
                rest.first() == Some(&b'>') && is_one_of(name, RAW_NAMES)
            }
            _ => false,
        }),
        2 => line.windows(3).any(|window| window == b"-->"),
        3 => line.windows(2).any(|window| window == b"?>"),
        4 => line.contains(&b'>'),
        5 => line.windows(3).any(|window| window == b"]]>"),
        _ => false,
    }
}
