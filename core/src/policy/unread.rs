//! Restrictions in documents whose format does not read them.
//!
//! An unrecognised document neither allows nor denies. But a `Disallow` line in it, or in a document
//! of a format without such lines, is a restriction for every reader of robots.txt, so a decision
//! names it and advises against what it matches.

use super::judge::is_of_site;
use super::place::Place;
use super::workspace::Scratch;
use super::{Case, Target};
use crate::document::Document;
use crate::format::{Format, agents_md, robots_txt};
use crate::model::List;
use crate::scan;
use crate::sink::copy;
use crate::syntax::pattern::Pattern;
use crate::syntax::text::Text;

/// The lines of a text, which can have restrictions that its format does not read; `None` for other
/// documents, and in builds without robots.txt. True for the Internet-Draft, which reads most of
/// them.
// Inlined everywhere, because only then the linker can remove the reader of robots.txt.
#[inline(always)]
fn unread_lines<'a>(document: &Document<'a>) -> Option<(&'a [u8], bool)> {
    if !Format::RobotsTxt.is_built_in() {
        return None;
    }
    let format = document.format();
    let is_text = !format.is_json() && format != Format::RobotsTxt;
    is_text.then(|| (document.text(), format == Format::AgentsTxt))
}

/// The restrictions of a document that its format does not read.
pub(super) fn restrictions<'a>(document: &Document<'a>) -> List<'a, Text<'a>> {
    unread_lines(document).map_or(List::empty(), |(text, is_draft)| {
        robots_txt::unread::restrictions(text, is_draft)
    })
}

/// The lines of an agents.md that open no section, although a person reads them as the heading of a
/// list of what is forbidden.
#[inline(always)]
pub(super) fn prohibitions<'a>(document: &Document<'a>) -> List<'a, Text<'a>> {
    if !Format::AgentsMd.is_built_in() || document.format() != Format::AgentsMd {
        return List::empty();
    }
    agents_md::unread_prohibitions(document.text())
}

/// The first restriction for a request that the format of its document does not read, with its
/// document.
pub(super) fn deciding<'a>(
    case: &Case<'a>,
    place: Option<&Place>,
    asks_query: &mut bool,
    scratch: &mut Scratch,
) -> Option<(usize, &'a Document<'a>, Text<'a>)> {
    let place = place.filter(|place| place.path() != b"/robots.txt");
    let agent = case.request.agent.trim_ascii_start().as_bytes();
    let mut one = |is_allow: bool, value: &[u8]| {
        if !is_allow
            && let Target::Capability(id) = case.request.target
            && names(value, id)
        {
            return Some(usize::MAX);
        }
        let place = place?;
        *asks_query |= !is_allow;
        // A URL, or a name such as `admin`, which means the path that begins with it.
        let value = match scan::find(value, b"://").and_then(|at| value.get(at + 3..)) {
            Some(behind) => behind.get(scan::memchr(b'/', behind)?..)?,
            None if value.eq_ignore_ascii_case(b"all") => b"/",
            None => value,
        };
        if is_path(value) {
            let pattern = Pattern::new(value);
            return place.is_matched_by(pattern).then(|| pattern.specificity());
        }
        if is_allow {
            return None;
        }
        let Some((slash, rest)) = scratch.url.split_first_mut() else {
            return Some(usize::MAX);
        };
        let Some(room) = rest.get_mut(..value.len()) else {
            return Some(usize::MAX);
        };
        *slash = b'/';
        copy(room, value);
        let pattern = Pattern::new(scratch.url.get(..=value.len())?);
        place.is_matched_by(pattern).then(|| pattern.specificity())
    };
    let mut specificity = |is_allow: bool, value: &[u8]| {
        let mut best = one(is_allow, value);
        // Each of several values restricts; of a sentence, only the paths do. A path can have commas.
        let has_blank = value.iter().any(|octet| matches!(octet, b' ' | b'\t'));
        if is_path(value) && !has_blank && !values(value, b",;|").skip(1).any(is_path) {
            return best;
        }
        for item in values(value, b",;|").filter(|item| !is_allow && *item != value) {
            best = best.max(one(false, item));
        }
        for word in values(value, b",;| \t").filter(|word| !is_allow && *word != value) {
            let is_named = matches!(case.request.target, Target::Capability(id) if names(word, id));
            if is_named || is_path(word) {
                best = best.max(one(false, word));
            }
        }
        best
    };
    case.documents
        .indexed()
        .filter(|(_, document)| is_of_site(document))
        .find_map(|(index, document)| {
            let (text, is_draft) = unread_lines(document)?;
            let found = robots_txt::unread::deciding(text, is_draft, agent, &mut specificity)?;
            Some((index, document, found))
        })
}

/// Whether a value is a path, and not a name.
fn is_path(value: &[u8]) -> bool {
    matches!(value, [b'/' | b'*', ..])
}

/// The values between separators, without quotes and brackets. None is empty.
fn values<'v>(list: &'v [u8], separators: &'static [u8]) -> impl Iterator<Item = &'v [u8]> {
    let is_edge = |octet: &u8| b" \t\"'`()[]{}".contains(octet);
    list.split(move |octet| separators.contains(octet))
        .filter_map(move |value| {
            let start = value.iter().position(|octet| !is_edge(octet))?;
            let end = value.iter().rposition(|octet| !is_edge(octet))?;
            value.get(start..=end)
        })
}

/// Whether a value restricts a capability: its name, a pattern that matches it, or everything.
fn names(value: &[u8], id: &str) -> bool {
    let is_all = matches!(value, b"/" | b"/*") || value.eq_ignore_ascii_case(b"all");
    let is_pattern = !value.starts_with(b"/") && value.contains(&b'*');
    is_all
        || value.eq_ignore_ascii_case(id.as_bytes())
        || is_pattern && Pattern::new(value).matches(id.as_bytes())
}
