//! The first link in the text of a block: inline links and references (CommonMark 6.3), and URLs
//! with or without angle brackets (6.5).
//!
//! Reads a text once, from left to right. Nested parentheses of a destination are limited, so each
//! byte is read a bounded number of times.

use crate::scan;
use crate::syntax::bare_url::{length, without_punctuation};
use crate::syntax::fold::{behind_blanks, break_len};
use crate::syntax::text::starts_with;

/// The maximum number of open brackets, and of nested parentheses in a destination.
const NESTED: usize = 16;

/// A link in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Link<'a> {
    /// The text in brackets; `None` for a URL without a text.
    pub(crate) label: Option<&'a [u8]>,
    /// Where it leads.
    pub(crate) target: Target<'a>,
    /// Its range in the text.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Where a link leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target<'a> {
    /// The destination as written; empty in `[name]()`.
    Url(&'a [u8]),
    /// The name of a definition, as in `[name][definition]` and `[definition][]`.
    Definition(&'a [u8]),
}

/// The first link in a text. Skips images, HTML tags and code. A URL in backticks is a link, also
/// after an HTTP method.
pub(crate) fn first_link(text: &[u8]) -> Option<Link<'_>> {
    if let Some(link) = plain_link(text) {
        return Some(link);
    }
    let from = first_sign(text)?;
    let mut open = heapless::Vec::<usize, NESTED>::new();
    let (mut deeper, mut at, mut passing) = (0_usize, from, Passing::default());
    // A URL in brackets is the link only if the brackets are not a link themselves.
    let mut bare: Option<Link<'_>> = None;
    while let Some(rest @ [byte, tail @ ..]) = text.get(at..) {
        let mut step = 1;
        match byte {
            b'\\' => step = 2,
            b'`' => step = passing.code_len(rest),
            b'<' => step = passing.tag_len(rest),
            b'[' => deeper += usize::from(open.push(at).is_err()),
            b']' if deeper > 0 => deeper -= 1,
            b']' => {
                if let Some(start) = open.pop()
                    && let Some((target, behind)) = target(text.get(start + 1..at)?, tail)
                {
                    let end = at + 1 + behind;
                    let is_image = text.get(..start).is_some_and(|text| text.ends_with(b"!"));
                    if is_image {
                        step = end - at;
                    } else {
                        let found = Link { label: text.get(start + 1..at), target, start, end };
                        return Some(bare.filter(|bare| bare.start < start).unwrap_or(found));
                    }
                }
            }
            b'h' | b'H' if bare.is_none() => {
                if let Some(url) = url(rest)
                    && !text.get(..at).is_some_and(ends_in_word)
                {
                    step = url.len();
                    let found =
                        Link { label: None, target: Target::Url(url), start: at, end: at + step };
                    if open.is_empty() {
                        return Some(found);
                    }
                    bare = Some(found);
                }
            }
            _ => {}
        }
        at += step;
    }
    bare
}

/// Skips text that contains no link: code and HTML tags.
#[derive(Default)]
struct Passing {
    /// The lengths of runs of backticks that do not occur again.
    unclosed: u32,
    /// True if no `>` follows.
    no_tag: bool,
}

impl Passing {
    /// The number of bytes to skip at a run of backticks: the whole code, but only the backticks if
    /// the code is a URL or is not closed.
    fn code_len(&mut self, text: &[u8]) -> usize {
        let ticks = ticks(text);
        let bit = u32::try_from(ticks).ok().and_then(|ticks| 1_u32.checked_shl(ticks));
        let Some(bit) = bit.filter(|bit| self.unclosed & bit == 0) else {
            return ticks;
        };
        let mut end = ticks;
        while let Some(rest) = text.get(end..)
            && let Some(next) = scan::memchr(b'`', rest)
        {
            let inside = text.get(ticks..end + next).unwrap_or_default();
            end += next;
            let closing = self::ticks(text.get(end..).unwrap_or_default());
            end += closing;
            if closing == ticks {
                return if is_url(inside) { ticks } else { end };
            }
        }
        self.unclosed |= bit;
        ticks
    }

    /// The number of bytes to skip at a `<`: an HTML tag, but only the `<` before a URL or other
    /// text.
    fn tag_len(&mut self, text: &[u8]) -> usize {
        let inside = text.get(1..).unwrap_or_default();
        let is_tag = matches!(inside, [b'a'..=b'z' | b'A'..=b'Z' | b'/', ..]);
        if !is_tag || self.no_tag || url(inside).is_some() {
            return 1;
        }
        let end = scan::memchr(b'>', inside);
        self.no_tag = end.is_none();
        end.map_or(1, |end| end + 2)
    }
}

/// True if the code consists only of a URL, or of an HTTP method and a URL.
fn is_url(code: &[u8]) -> bool {
    let code = code.trim_ascii();
    let method = code.iter().position(|byte| !byte.is_ascii_uppercase());
    let behind = code.get(method.unwrap_or(0)..).unwrap_or_default();
    let text = match behind.trim_ascii_start() {
        text if text.len() < behind.len() => text,
        _ => code,
    };
    url(text).is_some_and(|url| url.len() == text.len())
}

/// The number of backticks at the start of a text.
fn ticks(text: &[u8]) -> usize {
    { text.iter() }.take_while(|byte| **byte == b'`').count()
}

/// The link at the start of a text, if it is an inline link without escapes and other brackets.
/// This is the fast path of [`first_link`].
#[inline]
fn plain_link(text: &[u8]) -> Option<Link<'_>> {
    let inside = text.strip_prefix(b"[")?;
    let (label, behind) = inside.split_at_checked(scan::memchr(b']', inside)?)?;
    let behind = behind.strip_prefix(b"](")?;
    let url = behind.get(..scan::memchr(b')', behind)?)?;
    // Without branches, so the compiler vectorizes these loops.
    let is_odd = |odd: bool, byte: &u8| odd | (*byte == b'[') | (*byte == b'\\') | (*byte == b'`');
    let is_odd_url = |odd: bool, byte: &u8| {
        odd | (*byte <= b' ') | (*byte == b'(') | (*byte == b'<') | (*byte == b'\\')
    };
    if label.iter().fold(false, is_odd) || url.iter().fold(false, is_odd_url) {
        return None;
    }
    Some(Link {
        label: Some(label),
        target: Target::Url(url),
        start: 0,
        end: label.len() + url.len() + 4,
    })
}

/// The offset before which no link starts; `None` if the text has no link.
fn first_sign(text: &[u8]) -> Option<usize> {
    let url = scan::find(text, b"://").map(|colon| colon.saturating_sub(5));
    let mut from = match scan::memchr2(b'[', b'`', text) {
        Some(_) if url.is_none() && scan::memchr(b'[', text).is_none() => return None,
        Some(mark) => url.map_or(mark, |url| url.min(mark)),
        None => url?,
    };
    if let Some(tag) = text.get(..from).and_then(|text| scan::memchr(b'<', text)) {
        from = tag;
    }
    while from > 0 && text.get(from - 1) == Some(&b'\\') {
        from -= 1;
    }
    Some(from)
}

/// True if the text may contain a link. Cheaper than [`first_link`].
pub(crate) fn may_hold_link(text: &[u8]) -> bool {
    scan::find(text, b"://").is_some() || scan::find(text, b"](").is_some()
}

fn ends_in_word(text: &[u8]) -> bool {
    text.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// The http or https URL at the start of a text.
fn url(text: &[u8]) -> Option<&[u8]> {
    let slashes = if starts_with(text, b"https://") {
        8
    } else if starts_with(text, b"http://") {
        7
    } else {
        return None;
    };
    let end = slashes + length(text.get(slashes..)?, false);
    let url = without_punctuation(text.get(..end)?);
    (url.len() > slashes).then_some(url)
}

/// The target in the text behind the brackets of a link, and its length. `label` is the text in the
/// brackets.
fn target<'a>(label: &'a [u8], behind: &'a [u8]) -> Option<(Target<'a>, usize)> {
    match behind {
        [b'(', inside @ ..] => {
            let (url, rest) = destination(inside)?;
            Some((Target::Url(url), behind.len() - rest.len()))
        }
        [b'[', inside @ ..] => {
            let end = inside.iter().position(|byte| matches!(byte, b']' | b'['))?;
            let (name, rest) = inside.split_at_checked(end)?;
            if !rest.starts_with(b"]") {
                return None;
            }
            let name = if name.is_empty() { label } else { name };
            Some((Target::Definition(name), end + 2))
        }
        _ => None,
    }
}

/// The destination of an inline link, and the text behind its closing parenthesis.
fn destination(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = behind_space(text);
    let (url, rest) = match text {
        [b'<', inside @ ..] => {
            let mut is_escaped = false;
            let end = inside.iter().position(|byte| {
                let is_plain = !core::mem::replace(&mut is_escaped, false);
                is_escaped = is_plain && *byte == b'\\';
                is_plain && matches!(byte, b'>' | b'<') || matches!(byte, b'\n' | b'\r')
            })?;
            let (url, rest) = inside.split_at_checked(end)?;
            (url, rest.strip_prefix(b">")?)
        }
        _ => text.split_at_checked(plain_destination(text)?)?,
    };
    let rest = behind_space(rest);
    let rest = match rest {
        [quote @ (b'"' | b'\''), title @ ..] => {
            let end = title.iter().position(|byte| byte == quote)?;
            behind_space(title.get(end + 1..)?)
        }
        _ => rest,
    };
    Some((url, rest.strip_prefix(b")")?))
}

/// The length of a destination without angle brackets: up to a blank, or to the parenthesis that
/// closes the link.
fn plain_destination(text: &[u8]) -> Option<usize> {
    let (mut at, mut open) = (0, 0);
    while let Some(byte) = text.get(at) {
        match byte {
            0..=b' ' => break,
            b'\\' => at += 1,
            b'(' if open == NESTED => return None,
            b'(' => open += 1,
            b')' if open == 0 => break,
            b')' => open -= 1,
            _ => {}
        }
        at += 1;
    }
    Some(at)
}

/// The text after blanks and line breaks.
fn behind_space(mut text: &[u8]) -> &[u8] {
    loop {
        text = behind_blanks(text);
        match break_len(text) {
            0 => return text,
            length => text = text.get(length..).unwrap_or_default(),
        }
    }
}

/// The destination of a definition `[name]: destination` in the lines of a text. Names are compared
/// without case.
pub(crate) fn definition<'a>(lines: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let (mut line, mut at) = (0, 0);
    while let Some(colon) = scan::memchr(b':', lines.get(at..)?) {
        let end = at.wrapping_add(colon);
        let before = lines.get(at..end)?;
        if let Some(last) = scan::memrchr2(b'\n', b'\r', before) {
            line = at.wrapping_add(last).wrapping_add(1);
        }
        at = end.wrapping_add(1);
        if let [b'[', own @ .., b']'] = behind_blanks(lines.get(line..end)?)
            && own.eq_ignore_ascii_case(name)
        {
            let behind = lines.get(at..)?;
            let length = scan::memchr2(b'\n', b'\r', behind).unwrap_or(behind.len());
            let behind = behind_blanks(behind.get(..length)?);
            let url = match behind {
                [b'<', inside @ ..] => inside.split(|byte| *byte == b'>').next()?,
                _ => behind.split(|byte| *byte <= b' ').next()?,
            };
            return (!url.is_empty()).then_some(url);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::String;

    use super::*;

    fn found(text: &str) -> Option<(String, String, &str, &str)> {
        let link = first_link(text.as_bytes())?;
        let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let target = match link.target {
            Target::Url(url) => string(url),
            Target::Definition(name) => std::format!("[{}]", string(name)),
        };
        let label = link.label.map_or(String::from("-"), string);
        Some((label, target, &text[..link.start], &text[link.end..]))
    }

    #[test]
    fn the_first_link_of_a_text() {
        for (text, label, target, before, after) in [
            ("[a](b): c", "a", "b", "", ": c"),
            ("**[a]( <b c> \"t)\" )** c", "a", "b c", "**", "** c"),
            ("x [a](b(c)d) e", "a", "b(c)d", "x ", " e"),
            (r"[a](<b\>c\\>) d", "a", r"b\>c\\", "", " d"),
            ("[a]() b", "a", "", "", " b"),
            ("[a] [b](c)", "b", "c", "[a] ", ""),
            ("[a [b] c](d)", "a [b] c", "d", "", ""),
            ("[![i](j)](k) l", "![i](j)", "k", "", " l"),
            ("![i](j) [k](l)", "k", "l", "![i](j) ", ""),
            ("\\[a](b) [c](d)", "c", "d", "\\[a](b) ", ""),
            ("`[a](b)` [c](d)", "c", "d", "`[a](b)` ", ""),
            ("[a][b] c", "a", "[b]", "", " c"),
            ("[a][] c", "a", "[a]", "", " c"),
            ("[a\nb](c\n'd'\n) e", "a\nb", "c", "", " e"),
            ("A: https://e.test/x. B", "-", "https://e.test/x", "A: ", ". B"),
            ("A `HTTP://e.test/x`", "-", "HTTP://e.test/x", "A `", "`"),
            ("``[a](b) ` c`` [c](d)", "c", "d", "``[a](b) ` c`` ", ""),
            ("A `POST https://e.test/x`", "-", "https://e.test/x", "A `POST ", "`"),
            (
                "`run https://a.test` https://b.test",
                "-",
                "https://b.test",
                "`run https://a.test` ",
                "",
            ),
            (
                "<a href=\"https://a.test\">b</a> [c](d)",
                "c",
                "d",
                "<a href=\"https://a.test\">b</a> ",
                "",
            ),
            ("<a https://a.test", "-", "https://a.test", "<a ", ""),
            ("` https://a.test", "-", "https://a.test", "` ", ""),
            ("<https://e.test/x> B", "-", "https://e.test/x", "<", "> B"),
            ("[https://a.test](https://b.test)", "https://a.test", "https://b.test", "", ""),
            ("[https://a.test] [b](c)", "-", "https://a.test", "[", "] [b](c)"),
            ("[see https://a.test", "-", "https://a.test", "[see ", ""),
        ] {
            let expected = (label.into(), target.into(), before, after);
            assert_eq!(found(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "a",
            "[a]",
            "[a](b",
            "[a](b c)",
            "[a](<b)",
            "[a](b \"c)",
            "http://",
            "xhttp://a.test",
            "![a](b)",
            "[a][b",
            "mailto:a@b.test",
            "Run `curl https://a.test/v1/pay`",
            "`[t](https://a.test)`",
            "<a href=\"https://a.test/w\">w</a>",
            "<img src='https://a.test/w'/>",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn definitions() {
        let lines =
            b"x\n [A b]: <https://a.test/x y> 'z'\r\n[c]: /d \"e\"\n[f]:\n[g]: [h]: /i\rs [t]: /u";
        let find = |name: &str| definition(lines, name.as_bytes());
        assert_eq!(find("a B"), Some(&b"https://a.test/x y"[..]));
        assert_eq!(find("c"), Some(&b"/d"[..]));
        assert_eq!((find("f"), find("a"), find("x")), (None, None, None));
        assert_eq!((find("g"), find("h"), find("t")), (Some(&b"[h]:"[..]), None, None));
        assert_eq!(find("g]: [h"), Some(&b"/i"[..]));
    }
}
