//! The starts and ends of HTML blocks (CommonMark 4.6). The seven kinds have the numbers of the
//! specification.

use crate::scan;
use crate::syntax::fold::behind_blanks;

/// Names that start a block of kind 6, grouped by length, sorted and concatenated.
const BLOCK_NAMES: [&[u8]; 11] = [
    b"",
    b"p",
    b"dddldth1h2h3h4h5h6hrlioltdthtrul",
    b"coldirdivnav",
    b"basebodyformheadhtmllinkmainmenu",
    b"asideframeparamtabletbodytfoottheadtitletrack",
    b"centerdialogfigurefooterheaderiframelegendoptionsearch",
    b"addressarticlecaptiondetailssectionsummary",
    b"basefontcolgroupfieldsetframesetmenuitemnoframesoptgroup",
    b"",
    b"blockquotefigcaption",
];

/// Names that start a block of kind 1 and cannot open a block of kind 7, in the same form.
const RAW_NAMES: [&[u8]; 9] = [b"", b"", b"", b"pre", b"", b"style", b"script", b"", b"textarea"];

/// The starts and ends of blocks of kinds 2 to 5.
const MARKS: [(&[u8], &[u8]); 4] =
    [(b"<!--", b"-->"), (b"<?", b"?>"), (b"<!", b">"), (b"<![CDATA[", b"]]>")];

fn is_one_of(name: &[u8], names: &[&[u8]]) -> bool {
    let mut left = names.get(name.len()).copied().unwrap_or_default();
    while let Some((known, rest)) = left.split_at_checked(name.len())
        && !known.is_empty()
    {
        if known.eq_ignore_ascii_case(name) {
            return true;
        }
        left = rest;
    }
    false
}

fn split_name(text: &[u8]) -> (&[u8], &[u8]) {
    let length = match text.first() {
        Some(first) if first.is_ascii_alphabetic() => {
            text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count()
        }
        _ => 0,
    };
    text.split_at_checked(length).unwrap_or_default()
}

/// The kind of the HTML block that a line starts, from its `<`. Kind 7 cannot interrupt a
/// paragraph.
pub(super) fn start(line: &[u8], in_paragraph: bool) -> Option<u8> {
    for (kind, (start, _)) in (2..).zip(&MARKS) {
        // A declaration starts with its name.
        if line.starts_with(start)
            && (kind != 4 || line.get(2).is_some_and(u8::is_ascii_alphabetic))
        {
            return Some(kind);
        }
    }
    let [b'<', tag @ ..] = line else { return None };
    let (closing, tag) = match tag {
        [b'/', tag @ ..] => (true, tag),
        _ => (false, tag),
    };
    let (name, rest) = split_name(tag);
    if name.is_empty() {
        return None;
    }
    let ended = matches!(rest, [] | [b' ' | b'\t' | b'>', ..]);
    if !closing && is_one_of(name, &RAW_NAMES) {
        return ended.then_some(1);
    }
    if (ended || matches!(rest, [b'/', b'>', ..])) && is_one_of(name, &BLOCK_NAMES) {
        return Some(6);
    }
    let after = if closing { behind_blanks(rest) } else { skip_attributes(rest)? };
    match after {
        [b'>', tail @ ..] if !in_paragraph && behind_blanks(tail).is_empty() => Some(7),
        _ => None,
    }
}

/// Skips the attributes of an open tag, and the `/` before its `>`.
fn skip_attributes(mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        let tail = behind_blanks(rest);
        match tail {
            [b'/', end @ ..] if matches!(end, [b'>', ..]) => return Some(end),
            [b'>', ..] => return Some(tail),
            [first, ..]
                if tail.len() < rest.len()
                    && (first.is_ascii_alphabetic() || matches!(first, b'_' | b':')) =>
            {
                rest = behind(tail, |octet| {
                    octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b':' | b'.' | b'-')
                });
            }
            _ => return None,
        }
        if let [b'=', value @ ..] = behind_blanks(rest) {
            let value = behind_blanks(value);
            rest = match value {
                [quote @ (b'"' | b'\''), inside @ ..] => {
                    behind(inside, |octet| octet != *quote).get(1..)?
                }
                _ => behind(value, |octet| {
                    octet > b' ' && !matches!(octet, b'"' | b'\'' | b'=' | b'<' | b'>' | b'`')
                }),
            };
            if rest.len() == value.len() {
                return None;
            }
        }
    }
}

/// The text after the leading bytes that are wanted.
fn behind(mut text: &[u8], is_wanted: impl Fn(u8) -> bool) -> &[u8] {
    while let [octet, rest @ ..] = text
        && is_wanted(*octet)
    {
        text = rest;
    }
    text
}

/// True if a line ends a block of kinds 1 to 5. Other kinds end at a blank line.
pub(super) fn ends(kind: u8, line: &[u8]) -> bool {
    if kind == 1 {
        let mut rest = line;
        while let Some((_, tail)) =
            scan::memchr(b'<', rest).and_then(|at| rest.split_at_checked(at + 1))
        {
            if let [b'/', tag @ ..] = tail
                && let (name, [b'>', ..]) = split_name(tag)
                && is_one_of(name, &RAW_NAMES)
            {
                return true;
            }
            rest = tail;
        }
        return false;
    }
    MARKS
        .get(usize::from(kind).wrapping_sub(2))
        .is_some_and(|(_, end)| scan::find(line, end).is_some())
}
