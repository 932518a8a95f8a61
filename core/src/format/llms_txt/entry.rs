//! Reads the link of a list item, or of a line that is used like a list item.

use super::list::definitions;
use super::text;
use crate::scan;
use crate::syntax::fold::behind_blanks;
use crate::syntax::markdown::{Link, Target, definition, first_link};
use crate::syntax::text::{Escape, Text, trim};

/// The position of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In a list item.
    Item,
    /// On a line of a paragraph.
    Line,
}

/// A link with the text around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub(super) title: Option<Text<'a>>,
    pub(super) url: Option<Text<'a>>,
    pub(super) description: Option<Text<'a>>,
    pub(super) link: Link<'a>,
    /// The text behind the link.
    pub(super) behind: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Returns the entry in a text; `None` if it is not an entry. Definitions are looked up at the
    /// end of `bytes`.
    pub(super) fn of(entry: Text<'a>, place: Place, bytes: &'a [u8]) -> Option<Self> {
        let raw = entry.raw();
        let link = first_link(raw).or_else(|| shortcut(raw, place, bytes))?;
        let before = label(raw.get(..link.start)?);
        let behind = raw.get(link.end..)?;
        if place == Place::Line && !is_entry(raw, &link, before) {
            return None;
        }
        let url = match link.target {
            Target::Url(url) => Some(url),
            Target::Definition(name) => definition(definitions(bytes), name),
        };
        let part = |part: &'a [u8]| (!part.is_empty()).then(|| text(part, entry.escape()));
        let (title, described) = match link.label {
            Some(title) => (part(trim(title)), part(before)),
            None => (part(before), None),
        };
        Some(Self {
            title,
            url: url
                .filter(|url| !url.is_empty())
                .map(|url| destination(url, link.label.is_some())),
            description: part(description(behind)).or(described),
            link,
            behind,
        })
    }
}

/// Returns the URL of a link. That of a text without brackets has no escapes.
fn destination(url: &[u8], is_bracketed: bool) -> Text<'_> {
    let is_escaped = is_bracketed && scan::memchr2(b'\\', b'&', url).is_some();
    Text::escaped(url, if is_escaped { Escape::DESTINATION } else { Escape::Plain })
}

/// Returns the link `[definition]` at the start of a text.
fn shortcut<'a>(raw: &'a [u8], place: Place, bytes: &[u8]) -> Option<Link<'a>> {
    let start = raw.iter().position(|byte| !is_mark(*byte))?;
    let inside = raw.get(start..)?.strip_prefix(b"[")?;
    let end = inside.iter().position(|byte| matches!(byte, b'[' | b']'))?;
    let (name, behind) = inside.split_at_checked(end)?;
    // A line `[name]: url` is a definition.
    if place == Place::Line && behind.starts_with(b"]:") {
        return None;
    }
    definition(definitions(bytes), name)?;
    Some(Link { label: Some(name), target: Target::Definition(name), start, end: start + end + 2 })
}

/// True if a line of a paragraph is an entry: it begins with a link, or it consists of a title, a
/// colon and a URL. `before` is the text before the link, without marks.
fn is_entry(raw: &[u8], link: &Link<'_>, before: &[u8]) -> bool {
    // A definition is not an entry.
    if raw.starts_with(b"[") && link.start > 0 {
        return false;
    }
    let last = raw
        .get(..link.start)
        .and_then(|before| before.iter().rfind(|byte| !is_mark(**byte) && **byte != b'<'));
    before.is_empty()
        || link.label.is_none() && last == Some(&b':') && scan::find(before, b". ").is_none()
}

/// True for marks of emphasis and code, and for blanks.
const fn is_mark(byte: u8) -> bool {
    matches!(byte, b'*' | b'_' | b'`' | b' ' | b'\t')
}

/// Returns the text before a URL, without a check box, marks around the text, and the separator
/// behind it.
fn label(mut before: &[u8]) -> &[u8] {
    if let [b'[', b' ' | b'x' | b'X', b']', rest @ ..] = before {
        before = rest;
    }
    if before.iter().all(|byte| is_mark(*byte)) {
        return b"";
    }
    // A backtick at the end belongs to the text if it closes code in the text.
    let ticks = before.iter().filter(|byte| **byte == b'`').count();
    let mut is_open = !ticks.is_multiple_of(2);
    loop {
        let length = before.len();
        before = trim(before);
        before = before.strip_suffix(b"<").unwrap_or(before);
        if is_open && let Some(rest) = before.strip_suffix(b"`") {
            (before, is_open) = (rest, false);
        }
        for separator in ["-", "–", "—", ":", "|", "=", "→", "("] {
            before = before.strip_suffix(separator.as_bytes()).unwrap_or(before);
        }
        before = match before {
            [b'*', b'*', inside @ .., b'*', b'*'] | [b'_', b'_', inside @ .., b'_', b'_'] => inside,
            [b'*', inside @ .., b'*'] | [b'_', inside @ .., b'_'] | [b'`', inside @ .., b'`'] => {
                inside
            }
            _ => before,
        };
        if before.len() == length {
            // An unclosed backtick at the start opens code that continues behind the text.
            let code = before.strip_prefix(b"`");
            return code.filter(|code| scan::memchr(b'`', code).is_none()).unwrap_or(before);
        }
    }
}

/// Returns the text behind a link, without the marks that close around the link and without the
/// separator.
fn description(behind: &[u8]) -> &[u8] {
    let mut text = behind;
    while let [b'*' | b'_' | b'`' | b'>' | b')', rest @ ..] = text {
        text = rest;
    }
    loop {
        text = trim(text);
        if matches!(text, [first, ..] if first.is_ascii_alphanumeric()) {
            return text;
        }
        let rest = separated(text);
        if rest.len() == text.len() {
            return text;
        }
        text = rest;
    }
}

/// Returns the text behind a separator; the text itself if it does not begin with a separator.
fn separated(text: &[u8]) -> &[u8] {
    if let [b':', rest @ ..] = text {
        return rest;
    }
    let marks = ["-", "–", "—", "|", "→", ",", ".", ";", "*", "**"];
    let ends = |rest: &&[u8]| matches!(rest, [] | [b' ' | b'\t' | b'\r' | b'\n', ..]);
    marks
        .iter()
        .find_map(|mark| text.strip_prefix(mark.as_bytes()).filter(ends))
        .map_or(text, behind_blanks)
}
