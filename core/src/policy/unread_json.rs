//! The restrictions in JSON that cannot be parsed.
//!
//! A surplus comma must not lift the restrictions of a document. The structure of such a text is
//! unknown, so only the values after the names `disallow` and `allow` are read.

use crate::document::Document;
use crate::format::robots_txt::line::Key;
use crate::format::{Format, READS_JSON};
use crate::model::List;
use crate::model::list::{Cursor, states};
use crate::scan;
use crate::syntax::json::Value;
use crate::syntax::text::{HAS_ESCAPES, Text, trim};

states! {
    /// The state of a list of values.
    struct Walk {
        /// Whether values of `allow` are looked for instead of `disallow`.
        allow: bool,
        /// Whether the position is in a list of values.
        in_list: bool,
    }
}

/// The longest name that is compared.
const NAME: usize = 32;

/// The values of `allow` and of `disallow` in a document that begins like JSON and cannot be parsed.
/// Linear.
#[inline(always)]
pub(super) fn values<'a>(document: &Document<'a>) -> Option<[List<'a, Text<'a>>; 2]> {
    let may_be = READS_JSON && document.format() == Format::Unknown;
    (may_be && is_broken(document.text())).then(|| {
        [true, false]
            .map(|allow| List::new(document.text(), Walk { allow, in_list: false }, next_value))
    })
}

/// Whether a text begins like JSON and cannot be parsed.
#[inline(never)] // Keeps the buffers of the validation off the stack of its callers.
fn is_broken(text: &[u8]) -> bool {
    matches!(trim(text).first(), Some(b'{' | b'[' | b'/')) && Value::parse(text).is_err()
}

fn next_value<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    loop {
        let walk: Walk = cursor.state();
        if !walk.in_list {
            find_member(cursor, walk.allow)?;
        }
        let at = cursor.position as usize;
        let rest = cursor.bytes.get(at..)?;
        let blanks = rest.iter().take_while(|octet| is_between(**octet)).count();
        let rest = rest.get(blanks..)?;
        let (text, length) = match *rest.first()? {
            bracket @ (b'[' | b']' | b'}') => {
                cursor.change(|walk: &mut Walk| walk.in_list = bracket == b'[');
                (None, 1)
            }
            quote @ (b'"' | b'\'') => {
                let (text, length) = quoted(rest, quote)?;
                // The list was not closed, and the next member begins.
                if length < NAME && behind_colon(rest, length).is_some() {
                    cursor.change(|walk: &mut Walk| walk.in_list = false);
                    (None, 0)
                } else {
                    (Some(text), length)
                }
            }
            _ => bare(rest)?,
        };
        cursor.position = at.saturating_add(blanks).saturating_add(length) as u32;
        let found = text.filter(|text| !text.is_blank() && text.raw() != b"null");
        if found.is_some() {
            return found;
        }
    }
}

/// Moves to the position after the colon of the next member with the wanted name. The name may have
/// no quotes, as in a script.
fn find_member(cursor: &mut Cursor<'_>, allow: bool) -> Option<()> {
    loop {
        let start = cursor.position as usize;
        let rest = cursor.bytes.get(start..)?;
        let colon = scan::memchr(b':', rest)?;
        cursor.position = cursor.position.saturating_add(colon as u32).saturating_add(1);
        let before = rest.get(..colon)?;
        let name = name_before(before.get(before.len().saturating_sub(NAME)..)?);
        let is_wanted = match allow {
            true => name.eq_ignore_ascii_case(b"allow"),
            false => Key::of(name) == Key::Disallow,
        };
        if is_wanted {
            return Some(());
        }
    }
}

/// The name at the end of a text, without its quotes. One without quotes begins a line, or follows a
/// brace or a comma; otherwise it is a word of a text.
fn name_before(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let (quote, inside) = match text {
        [inside @ .., quote @ (b'"' | b'\'')] => (Some(*quote), inside),
        _ => (None, text),
    };
    let is_name = |octet: &u8| match quote {
        Some(quote) => *octet != quote,
        None => octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-' | b'$'),
    };
    let length = inside.iter().rev().take_while(|octet| is_name(octet)).count();
    let (before, name) =
        inside.split_at_checked(inside.len().saturating_sub(length)).unwrap_or((b"", inside));
    let is_first = match quote {
        Some(_) => !name.ends_with(b"\\"),
        None => {
            let blanks = before.len().saturating_sub(before.trim_ascii_end().len());
            let gap = before.get(before.len().saturating_sub(blanks)..).unwrap_or_default();
            let is_line = gap.iter().any(|octet| matches!(octet, b'\r' | b'\n'));
            is_line || matches!(before.trim_ascii_end(), [.., b'{' | b',' | b'/'])
        }
    };
    if is_first { name } else { b"" }
}

/// The offset after the colon that follows a string ending at `end`.
fn behind_colon(text: &[u8], end: usize) -> Option<usize> {
    let rest = text.get(end..)?.trim_ascii_start();
    let rest = rest.strip_prefix(b":")?;
    Some(text.len().saturating_sub(rest.len()))
}

/// The text between quotes, and its length including the quotes. It ends at the end of the line at
/// the latest.
fn quoted(rest: &[u8], quote: u8) -> Option<(Text<'_>, usize)> {
    let inside = rest.get(1..)?;
    let mut is_escaped = false;
    let end = inside.iter().position(|&octet| {
        let ends = (octet == quote && !is_escaped) || matches!(octet, b'\r' | b'\n');
        is_escaped = octet == b'\\' && !is_escaped;
        ends
    });
    let end = end.unwrap_or(inside.len());
    let text = inside.get(..end)?;
    let has_escapes = HAS_ESCAPES && scan::memchr(b'\\', text).is_some();
    let text = match has_escapes {
        true => Text::json(text),
        false => Text::plain(text),
    };
    Some((text, end.saturating_add(2)))
}

/// A value without quotes, up to its separator, or an object as a whole.
fn bare(rest: &[u8]) -> Option<(Option<Text<'_>>, usize)> {
    let is_object = rest.first() == Some(&b'{');
    let end = rest.iter().position(|octet| match is_object {
        true => *octet == b'}',
        false => b",]}\r\n".contains(octet),
    });
    let end = end.unwrap_or(rest.len());
    Some((Some(Text::plain(trim(rest.get(..end)?))), end.max(1)))
}

const fn is_between(octet: u8) -> bool {
    octet == b',' || octet.is_ascii_whitespace()
}
