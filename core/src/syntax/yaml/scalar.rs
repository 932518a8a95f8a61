//! Scalars: their start, their end, and their type in the core schema.
//!
//! The functions in this file find ends and check that a scalar is well-formed. They decode nothing
//! (see `decode.rs` and `fold.rs`). Each takes linear time in the text that it passes and stops at
//! the first line that cannot belong to the scalar. So an unclosed quote costs no more than the
//! block that contains it.

use super::decode::{Chomp, Header, escape_len, spaces_len};
use crate::syntax::fold::{blanks_len, break_len, line_end};
use crate::syntax::text::{Escape, Text};

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// In single quotes.
    SingleQuoted,
    /// In double quotes.
    DoubleQuoted,
    /// A literal block, `|`.
    Literal,
    /// A folded block, `>`.
    Folded,
}

/// A scalar of YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar<'a> {
    /// Its text, without quotes.
    pub text: Text<'a>,
    /// Its style.
    pub style: Style,
}

/// The type of a scalar in the core schema (YAML 1.2.2, 10.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resolved {
    /// Empty, `~`, `null`, `Null` or `NULL`.
    Null,
    /// `true` or `false`, also capitalized or in capitals. `yes` and `no` are strings.
    Bool(bool),
    /// An integer: decimal, `0o` octal or `0x` hexadecimal.
    Int,
    /// A number with a fraction or an exponent, an infinity or `.nan`.
    Float,
    /// Everything else, and every quoted or block scalar.
    Str,
}

impl<'a> Scalar<'a> {
    /// A missing value, at the start of `at`.
    pub(super) fn absent(at: &'a [u8]) -> Self {
        Self { text: Text::plain(at.get(..0).unwrap_or_default()), style: Style::Plain }
    }

    pub(super) fn plain(raw: &'a [u8], lines: bool) -> Self {
        let escape = if lines { Escape::YamlPlain } else { Escape::Plain };
        Self { text: Text::escaped(raw, escape), style: Style::Plain }
    }

    /// Its type in the core schema. Takes linear time in its length.
    pub fn resolve(self) -> Resolved {
        if self.style != Style::Plain || self.text.is_escaped() {
            return Resolved::Str;
        }
        let text = self.text.raw();
        match text {
            [] => return Resolved::Null,
            // Most scalars begin with a letter that none of the special values begins with.
            [first, ..]
                if !matches!(
                    first,
                    b'~' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'.' | b'+' | b'-' | b'0'
                        ..=b'9'
                ) =>
            {
                return Resolved::Str;
            }
            [b'0', base @ (b'o' | b'x'), digits @ ..] => {
                let is_digit = |octet: &u8| {
                    if *base == b'o' {
                        matches!(octet, b'0'..=b'7')
                    } else {
                        octet.is_ascii_hexdigit()
                    }
                };
                return if !digits.is_empty() && digits.iter().all(is_digit) {
                    Resolved::Int
                } else {
                    Resolved::Str
                };
            }
            [b'0'..=b'9', ..] => return resolve_number(text),
            _ => {}
        }
        let (is_signed, bare) = match text {
            [b'+' | b'-', number @ ..] => (true, number),
            _ => (false, text),
        };
        match bare {
            b".inf" | b".Inf" | b".INF" => Resolved::Float,
            // Of the words, only infinity may have a sign.
            _ if is_signed => resolve_number(bare),
            b".nan" | b".NaN" | b".NAN" => Resolved::Float,
            b"true" | b"True" | b"TRUE" => Resolved::Bool(true),
            b"false" | b"False" | b"FALSE" => Resolved::Bool(false),
            b"~" | b"null" | b"Null" | b"NULL" => Resolved::Null,
            _ => resolve_number(bare),
        }
    }
}

fn resolve_number(number: &[u8]) -> Resolved {
    let (whole, rest) = split_digits(number);
    if rest.is_empty() && whole > 0 {
        return Resolved::Int;
    }
    let (fraction, rest) = match rest {
        [b'.', tail @ ..] => split_digits(tail),
        _ => (0, rest),
    };
    if whole == 0 && fraction == 0 {
        return Resolved::Str;
    }
    let exponent = match rest {
        [] => return Resolved::Float,
        [b'e' | b'E', b'+' | b'-', digits @ ..] | [b'e' | b'E', digits @ ..] => digits,
        _ => return Resolved::Str,
    };
    let (digits, rest) = split_digits(exponent);
    if digits > 0 && rest.is_empty() { Resolved::Float } else { Resolved::Str }
}

fn split_digits(text: &[u8]) -> (usize, &[u8]) {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count, text.get(count..).unwrap_or_default())
}

/// The end of a plain scalar on a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    LineEnd,
    Comment,
    Colon,
    /// One of `,[]{}` in a flow collection.
    Flow,
}

const fn is_flow_indicator(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}

/// True if a colon at the start ends a plain scalar, because of the text after it.
fn colon_ends(after: Option<&u8>, flow: bool) -> bool {
    match after {
        None | Some(b' ' | b'\t' | b'\n' | b'\r') => true,
        Some(&byte) => flow && is_flow_indicator(byte),
    }
}

/// True if a plain scalar can start with this text (7.3.3).
pub(super) fn starts_plain(text: &[u8], flow: bool) -> bool {
    match text {
        [] => false,
        [b'-' | b'?' | b':', tail @ ..] => !colon_ends(tail.first(), flow),
        [
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
            | b'"' | b'%' | b'@' | b'`' | b' ' | b'\t' | b'\n' | b'\r',
            ..,
        ] => false,
        _ => true,
    }
}

/// The length of the plain scalar on the first line of `text`, without blanks at its end, and the
/// kind of its end.
pub(super) fn plain_on_line(text: &[u8], flow: bool) -> (usize, Stop) {
    if flow {
        return plain_in_flow(text);
    }
    let (length, stop, _) = plain_in_block(text);
    (length, stop)
}

/// Like [`plain_on_line`] outside of flow collections, where only a colon or a comment can end the
/// scalar before its line ends. Also returns the start of the next line.
pub(super) fn plain_in_block(text: &[u8]) -> (usize, Stop, usize) {
    let (end, next) = line_end(text, 0);
    let line = text.get(..end).unwrap_or_default();
    let mut stop = Stop::LineEnd;
    let found = memchr::memchr2_iter(b':', b'#', line).find(|&at| {
        let is_colon = line.get(at) == Some(&b':');
        stop = if is_colon { Stop::Colon } else { Stop::Comment };
        match is_colon {
            true => colon_ends(line.get(at + 1), false),
            // A `#` begins a comment at the start of the line or after a blank.
            false => at
                .checked_sub(1)
                .is_none_or(|before| matches!(line.get(before), Some(b' ' | b'\t'))),
        }
    });
    let (end, stop) = found.map_or((line.len(), Stop::LineEnd), |at| (at, stop));
    let mut scalar = line.get(..end).unwrap_or_default();
    while let [head @ .., b' ' | b'\t'] = scalar {
        scalar = head;
    }
    (scalar.len(), stop, next)
}

/// Like [`plain_on_line`] in flow collections.
fn plain_in_flow(text: &[u8]) -> (usize, Stop) {
    let mut last = b' ';
    let mut length = 0;
    let mut stop = Stop::LineEnd;
    for (i, &byte) in text.iter().enumerate() {
        match byte {
            b'\n' | b'\r' => break,
            b' ' | b'\t' => {
                last = byte;
                continue;
            }
            b':' if colon_ends(text.get(i + 1), true) => stop = Stop::Colon,
            b'#' if matches!(last, b' ' | b'\t') => stop = Stop::Comment,
            _ if is_flow_indicator(byte) => stop = Stop::Flow,
            _ => {
                last = byte;
                length = i + 1;
                continue;
            }
        }
        break;
    }
    (length, stop)
}

/// True if a line starts with a document marker: `---` or `...`, then a blank or nothing.
pub(super) fn marker(line: &[u8]) -> Option<u8> {
    match line {
        [b'-', b'-', b'-', tail @ ..] | [b'.', b'.', b'.', tail @ ..]
            if matches!(tail, [] | [b' ' | b'\t' | b'\n' | b'\r', ..]) =>
        {
            line.first().copied()
        }
        _ => None,
    }
}

/// The offset of the text on the next line that continues a scalar whose lines must be indented to
/// column `least`. Skips empty lines. `None` if the scalar ends.
pub(super) fn continuation(text: &[u8], mut at: usize, least: usize) -> Option<usize> {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let blanks = blanks_len(rest);
        let tail = rest.get(blanks..).unwrap_or_default();
        match break_len(tail) {
            0 if tail.is_empty() => return None,
            0 => {
                let fits = spaces_len(rest) >= least && marker(rest).is_none();
                return fits.then_some(at + blanks);
            }
            length => at += blanks + length,
        }
    }
}

/// The quoted scalar whose opening quote is at `at`, and its end. `None` if it does not close
/// before a line that is indented less than `least`, or contains an invalid escape. With `least:
/// None` it must close on its line.
pub(super) fn quoted(text: &[u8], at: usize, least: Option<usize>) -> Option<(Scalar<'_>, usize)> {
    let quote = *text.get(at)?;
    let double = quote == b'"';
    let start = at + 1;
    let mut at = start;
    let mut decoded = false;
    loop {
        let rest = text.get(at..)?;
        match rest {
            [] => return None,
            [b'\'', b'\'', ..] if !double => {
                decoded = true;
                at += 2;
            }
            [first, ..] if *first == quote => break,
            [b'\\', tail @ ..] if double => {
                decoded = true;
                // The next iteration counts the length of an escaped line break.
                at += 1 + if break_len(tail) > 0 { 0 } else { escape_len(tail)? };
            }
            [b'\n' | b'\r', ..] => {
                decoded = true;
                at = continuation(text, at + break_len(rest), least?)?;
            }
            _ => at += 1,
        }
    }
    let raw = text.get(start..at)?;
    let (style, escape) = if double {
        (Style::DoubleQuoted, Escape::YamlDouble)
    } else {
        (Style::SingleQuoted, Escape::YamlSingle)
    };
    let escape = if decoded { escape } else { Escape::Plain };
    Some((Scalar { text: Text::escaped(raw, escape), style }, at + 1))
}

/// The plain scalar that starts at `at`, and the start of the line after it or after the comment
/// that ends it. Its other lines are indented to column `least`. `None` if a `:` makes it invalid.
pub(super) fn plain(text: &[u8], at: usize, least: usize) -> Option<(Scalar<'_>, usize)> {
    let mut line_at = at;
    let mut lines = false;
    let mut end;
    let mut next;
    loop {
        let (length, stop, line_next) = plain_in_block(text.get(line_at..)?);
        end = line_at + length;
        next = line_at + line_next;
        match stop {
            Stop::Colon | Stop::Flow => return None,
            Stop::Comment => break,
            Stop::LineEnd => {}
        }
        match continuation(text, next, least) {
            Some(found) if text.get(found) != Some(&b'#') => line_at = found,
            _ => break,
        }
        lines = true;
    }
    Some((Scalar::plain(text.get(at..end)?, lines), next))
}

/// The block scalar whose `|` or `>` is at `at`, and the start of the line after it. Its content is
/// indented to column `least` or more. `root` is true outside of collections. `None` if the header
/// or the indentation is invalid.
pub(super) fn block(
    text: &[u8],
    at: usize,
    least: usize,
    root: bool,
) -> Option<(Scalar<'_>, usize)> {
    let (header_end, content_at) = line_end(text, at);
    let line = text.get(at..header_end)?;
    let header = Header::read(line);
    if !ends_line(line.get(header.len..)?) {
        return None;
    }
    let explicit = match header.indent {
        Some(_) if root => return None,
        Some((digit, _)) => Some(digit + least.saturating_sub(1)),
        None => None,
    };
    // The decoder does not know columns. A digit is the indentation of the content if the parent is
    // in column 0. Otherwise it is removed, and the first line must have the same indentation.
    let start = match header.indent {
        Some((_, end)) if least != 1 => {
            if end != 2 {
                return None;
            }
            at + end
        }
        _ => at,
    };
    let (first, content_end, next) = block_lines(text, content_at, least, explicit)?;
    if start != at && first.is_some() && first != explicit {
        return None;
    }
    let end = if header.chomp == Chomp::Keep { next } else { content_end };
    let (style, escape) = match line.first() {
        Some(b'>') => (Style::Folded, Escape::YamlFolded),
        _ => (Style::Literal, Escape::YamlLiteral),
    };
    Some((Scalar { text: Text::escaped(text.get(start..end)?, escape), style }, next))
}

/// The lines of a block scalar: the indentation of the first line that is not empty, the end of the
/// last such line, and the start of the line after all of them.
fn block_lines(
    text: &[u8],
    mut at: usize,
    least: usize,
    explicit: Option<usize>,
) -> Option<(Option<usize>, usize, usize)> {
    let mut indent = explicit;
    let mut first = None;
    let mut end = at;
    let mut widest = 0;
    loop {
        let (line_stop, next) = line_end(text, at);
        let line = text.get(at..line_stop)?;
        let spaces = spaces_len(line);
        if spaces == line.len() && indent.is_none_or(|indent| spaces <= indent) {
            widest = widest.max(spaces);
            if next == line_stop {
                return Some((first, end, next));
            }
            at = next;
            continue;
        }
        let content = indent.unwrap_or(spaces.max(least));
        if spaces < content || marker(line).is_some() {
            // A tab here is neither content nor the indentation of the next text.
            return if line.get(spaces) == Some(&b'\t') { None } else { Some((first, end, at)) };
        }
        if first.is_none() {
            // Empty lines before the content must not be wider than it. At the top level a tab
            // could be read as indentation.
            if explicit.is_none()
                && (widest > spaces || (least == 0 && line.get(spaces) == Some(&b'\t')))
            {
                return None;
            }
            first = Some(spaces);
        }
        indent = Some(content);
        end = next;
        if next == line_stop {
            return Some((first, end, next));
        }
        at = next;
    }
}

/// True if `rest`, the end of a line, contains only blanks and a comment after a blank.
pub(super) fn ends_line(rest: &[u8]) -> bool {
    let blanks = blanks_len(rest);
    match rest.get(blanks) {
        None => true,
        Some(b'#') => blanks > 0,
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A reference implementation, byte by byte.
    fn plainly(text: &[u8]) -> (usize, Stop) {
        let (mut blank, mut length) = (true, 0);
        for (i, &byte) in text.iter().enumerate() {
            match byte {
                b'\n' | b'\r' => break,
                b':' if colon_ends(text.get(i + 1), false) => return (length, Stop::Colon),
                b'#' if blank => return (length, Stop::Comment),
                b' ' | b'\t' => blank = true,
                _ => (blank, length) = (false, i + 1),
            }
        }
        (length, Stop::LineEnd)
    }

    proptest! {
        #[test]
        fn a_scalar_ends_where_byte_by_byte_it_does(text in "[ab:# \t,\\[é]{0,12}[\n\r]?[a: #]{0,4}") {
            prop_assert_eq!(plain_on_line(text.as_bytes(), false), plainly(text.as_bytes()));
        }
    }
}
