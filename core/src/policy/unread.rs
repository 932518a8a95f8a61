//! Restrictions that the format of a document does not read.
//!
//! An unrecognized document neither allows nor denies. But every reader of robots.txt understands a
//! `Disallow` line in it, or in a document of a format without such lines, as a restriction. So a
//! decision denies requests that match such a line, and names the line.

use super::agents::disallowed_by_policies;
use super::judge::kind_of;
use super::place::Place;
use super::workspace::Scratch;
use super::{Case, unread_json};
use crate::document::{Document, with_reading};
use crate::format::robots_txt::unread::{Kind, is_path, is_pattern, is_plain, is_quote};
use crate::format::{Format, agents_md, fact, robots_txt};
use crate::model::list::{Cursor, Step};
use crate::model::{Access, Kind as ModelKind, List};
use crate::rules::json::reading::next_text;
use crate::rules::values::is_separator;
use crate::scan;
use crate::sink::copy;
use crate::syntax::line::is_mark;
use crate::syntax::pattern::Pattern;
use crate::syntax::text::{Text, next_utf8, trim};

/// The text of a document, whose lines may contain restrictions that its format does not read;
/// `None` for JSON, and in builds without robots.txt.
// Always inlined, so that the linker can remove the reader of robots.txt.
#[inline(always)]
fn unread_lines<'a>(document: &Document<'a>) -> Option<(&'a [u8], Kind)> {
    if !Format::RobotsTxt.is_built_in() {
        return None;
    }
    let format = document.format();
    (!format.is_json()).then(|| match is_of_operator(document) {
        true => (document.text(), Kind::Other),
        false => (document.text(), fact!(format => lines)),
    })
}

/// Whether a document declares an agent, so that none of its rules are read: it covers no site.
fn is_of_operator(document: &Document<'_>) -> bool {
    kind_of(document) == ModelKind::Agent
}

/// Whether a value in JSON is neither blank nor a pattern.
fn is_unread(text: Text<'_>) -> bool {
    let is_blank = text.chars().all(|c| c.is_ascii_whitespace());
    !is_blank && (!is_pattern(text) || !is_plain(text))
}

/// The restrictions of a document that its format does not read.
pub(super) fn restrictions<'a>(document: &Document<'a>) -> List<'a, Text<'a>> {
    if document.is(Format::AgentsJson) {
        let disallow = with_reading(document, |reading| reading.access()).disallow;
        let step: Step<'a, Text<'a>> = match is_of_operator(document) {
            true => |cursor| next_where(cursor, |text| !text.is_blank()),
            false => |cursor| next_where(cursor, is_unread),
        };
        return List::new(disallow.cursor().bytes, 0, step);
    }
    unread_lines(document)
        .map_or(List::empty(), |(text, kind)| robots_txt::unread::restrictions(text, kind))
}

fn next_where<'a>(cursor: &mut Cursor<'a>, wanted: impl Fn(Text<'a>) -> bool) -> Option<Text<'a>> {
    loop {
        let text = next_text(cursor)?;
        if wanted(text) {
            return Some(text);
        }
    }
}

/// The lines of an agents.md that a person reads as the heading of a list of prohibitions, although
/// they do not begin a section.
#[inline(always)]
pub(super) fn prohibitions<'a>(document: &Document<'a>) -> List<'a, Text<'a>> {
    if !Format::AgentsMd.is_built_in() || document.format() != Format::AgentsMd {
        return List::empty();
    }
    agents_md::unread_prohibitions(document.text())
}

/// The restrictions in a document besides its `Disallow` lines: prose headings that do not begin a
/// section, the values in JSON that cannot be parsed, or those in UTF-16 and UTF-32.
#[inline(always)]
pub(super) fn others<'a>(document: &Document<'a>) -> List<'a, Text<'a>> {
    let in_json = || unread_json::values(document).map(|[_, disallow]| disallow);
    in_utf_16(document).or_else(in_json).unwrap_or_else(|| prohibitions(document))
}

/// The restrictions in a document in UTF-16 or UTF-32 that is not recognized. A decision asks a
/// robots.txt itself.
#[inline(always)]
fn in_utf_16<'a>(document: &Document<'a>) -> Option<List<'a, Text<'a>>> {
    let may_be = Format::RobotsTxt.is_built_in() && document.format() == Format::Unknown;
    may_be.then(|| robots_txt::wide::restrictions(document.text()))?
}

/// Whether any document has restrictions that its format does not read.
pub(super) fn is_there(case: &mut Case<'_>) -> bool {
    let Case { documents, known, .. } = case;
    *known.has_unread.get_or_insert_with(|| {
        documents.iter().any(|document| {
            restrictions(document).next().is_some()
                || unread_json::values(document).is_some()
                || in_utf_16(document).is_some()
                || document.agents_json().is_some_and(|json| {
                    let mut in_policies = disallowed_by_policies(document);
                    in_policies.next().is_some() || json.misspelled_restrictions().next().is_some()
                })
        })
    })
}

/// The first restriction for a request that the format of its document does not read, with its
/// document.
#[inline(never)] // Keeps its buffers off the stack of its callers.
pub(super) fn deciding<'a>(
    case: &Case<'a>,
    place: Option<&Place>,
    asks_query: &mut bool,
    scratch: &mut Scratch,
) -> Option<(usize, &'a Document<'a>, Text<'a>)> {
    let place = place.filter(|place| place.path() != b"/robots.txt");
    let covers = place.is_some() || case.request.target.id().is_some();
    let Scratch { text: decoded, url } = scratch;
    let mut one = |is_allow: bool, value: &[u8]| {
        if !is_allow
            && let Some(id) = case.request.target.id()
            && names(value, id)
        {
            return Some(usize::MAX);
        }
        let place = place?;
        *asks_query |= !is_allow;
        // The value is a URL, a path, or a name such as `admin`, which stands for paths that begin
        // with it.
        let value = match scan::find(value, b"://").and_then(|at| value.get(at + 3..)) {
            Some(behind) => behind.get(scan::memchr(b'/', behind)?..)?,
            None if value.eq_ignore_ascii_case(b"all") => b"/*",
            None => value,
        };
        if is_path(value) {
            let pattern = Pattern::new(value);
            return place.is_matched_by(pattern).then(|| pattern.specificity());
        }
        if is_allow {
            return None;
        }
        let Some((slash, rest)) = url.split_first_mut() else {
            return Some(usize::MAX);
        };
        let Some(room) = rest.get_mut(..value.len()) else {
            return Some(usize::MAX);
        };
        *slash = b'/';
        copy(room, value);
        let pattern = Pattern::new(url.get(..=value.len())?);
        place.is_matched_by(pattern).then(|| pattern.specificity())
    };
    let mut specificity = |is_allow: bool, value: &[u8]| {
        let mut best = one(is_allow, value);
        // Each of several values is a restriction; of the words of a sentence, only paths and the
        // requested id are. A path may contain commas.
        let is_cut = |c| is_separator(c) || matches!(c, '\r' | '\n');
        let has_blank = value.iter().any(|octet| b" \t\r\n".contains(octet));
        if is_path(value)
            && !has_blank
            && is_plain(Text::plain(value))
            && !values(value, is_separator).skip(1).any(is_path)
        {
            return best;
        }
        for item in values(value, is_cut).filter(|item| !is_allow && *item != value) {
            best = best.max(one(false, item));
        }
        let is_blank_or_cut = |c| is_cut(c) || is_mark(c) || matches!(c, ' ' | '\t');
        for word in values(value, is_blank_or_cut).filter(|word| !is_allow && *word != value) {
            let is_named = case.request.target.id().is_some_and(|id| names(word, id));
            if is_named || is_path(word) {
                best = best.max(one(false, word));
            }
        }
        best
    };
    case.documents.indexed().filter(|(_, document)| !document.is(Format::AdpSearch)).find_map(
        |(index, document)| {
            let line = unread_lines(document).and_then(|(text, kind)| {
                robots_txt::unread::deciding(text, kind, case.agent, &mut specificity)
            });
            let found = line
                .or_else(|| deciding_value(document, decoded, &mut specificity))
                .or_else(|| in_utf_16(document)?.find(|_| covers))?;
            Some((index, document, found))
        },
    )
}

/// The value that decides, in an agents.json of the Internet-Draft or in JSON that cannot be parsed.
fn deciding_value<'a>(
    document: &Document<'a>,
    decoded: &mut [u8],
    specificity: &mut impl FnMut(bool, &[u8]) -> Option<usize>,
) -> Option<Text<'a>> {
    if let Some([allow, disallow]) = unread_json::values(document) {
        return longest(allow, disallow, decoded, specificity);
    }
    let misspelled = document.agents_json()?.misspelled_restrictions();
    let Access { allow, disallow, .. } = with_reading(document, |reading| reading.access());
    let no_patterns = disallow
        .chain(disallowed_by_policies(document))
        .filter(|text| is_unread(*text) || is_of_operator(document));
    longest(allow, no_patterns.chain(misspelled), decoded, specificity)
}

/// The longest matching value of `disallow`; `None` if a matching value of `allow` is at least as
/// long.
fn longest<'a>(
    allow: List<'a, Text<'a>>,
    disallow: impl Iterator<Item = Text<'a>>,
    decoded: &mut [u8],
    specificity: &mut impl FnMut(bool, &[u8]) -> Option<usize>,
) -> Option<Text<'a>> {
    let (mut best, mut longest, mut allowed) = (None, 0, 0);
    for text in disallow {
        let found = match without_comment(text, decoded) {
            Some(value) => specificity(false, value),
            None => None,
        };
        if found.is_some_and(|found| found > longest) {
            (best, longest) = (Some(text), found.unwrap_or_default());
        }
    }
    for text in allow.filter(|_| longest > 0) {
        let found = text.decode(decoded).ok();
        let found = found.and_then(|value| specificity(true, trim(value.as_bytes())));
        allowed = allowed.max(found.unwrap_or_default());
    }
    best.filter(|_| longest > allowed)
}

/// A value, decoded and without the comment after it; `None` if it is too long.
fn without_comment<'v>(text: Text<'_>, decoded: &'v mut [u8]) -> Option<&'v [u8]> {
    // One that is too long is unreadable.
    let value = text.decode(decoded).ok()?.as_bytes();
    let end = scan::memchr(b'#', value).unwrap_or(value.len());
    value.get(..end).map(trim)
}

/// The values between separators, without quotes and brackets. Skips empty values.
fn values(list: &[u8], is_cut: impl Fn(char) -> bool) -> impl Iterator<Item = &[u8]> {
    let is_edge = |c| {
        is_mark(c) || is_quote(c) || matches!(c, ' ' | '\t' | '(' | ')' | '[' | ']' | '{' | '}')
    };
    let mut rest = Some(list);
    let pieces = core::iter::from_fn(move || {
        let piece = rest.take()?;
        let mut ahead = piece;
        loop {
            let length = piece.len().saturating_sub(ahead.len());
            match next_utf8(&mut ahead) {
                None => return Some(piece),
                Some(c) if is_cut(c) => {
                    rest = Some(ahead);
                    return piece.get(..length);
                }
                Some(_) => {}
            }
        }
    });
    pieces
        .map(move |value| match scan::text(value) {
            Some(text) => text.trim_matches(is_edge).as_bytes(),
            None => value,
        })
        .filter(|value| !value.is_empty())
}

/// Whether a value restricts a capability: its name, a pattern that matches it, or everything. An id
/// with escapes counts as matched by every pattern, because there is no room to decode it.
fn names(value: &[u8], id: Text<'_>) -> bool {
    let is_all = matches!(value, b"/" | b"/*") || value.eq_ignore_ascii_case(b"all");
    let is_pattern = !value.starts_with(b"/") && value.contains(&b'*');
    is_all
        || id.eq_text_ignore_case(Text::plain(value))
        || is_pattern && (id.is_escaped() || Pattern::new(value).matches(id.raw()))
}
