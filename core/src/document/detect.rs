//! Detects the format of a document from its content and, if the content is not sufficient, from
//! hints.
//!
//! No single sign decides: a document without a required member is still recognized, so that the
//! check can report it. An uncertain result is [`Format::Unknown`]. The rules are in
//! `docs/formats/detection.md`. [`json_format`] and [`text_format`] implement them.

use core::fmt;

use crate::error::Error;
use crate::format::{Format, fact};
use crate::rules::signs::{Members, Signs, trim_start};
use crate::scan;
use crate::span::Span;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::record::Slot;
use crate::syntax::json::{self, TokenKind, Value};
use crate::syntax::text::{byte_order_mark, trim};

pub(crate) use members::{json_format, manifest_in_envelope};
pub(crate) use text::text_format;

/// Information about a document besides its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'h> {
    /// The URL from which it was fetched, or only its path.
    pub url: Option<&'h str>,
    /// The Content-Type of the response.
    pub content_type: Option<&'h str>,
}

impl<'h> Hints<'h> {
    /// The path of the URL, without query and fragment.
    fn path(&self) -> &'h [u8] {
        let Some(url) = self.url.map(str::as_bytes) else {
            return b"";
        };
        let path = match scan::find(url, b"://").and_then(|at| url.get(at..)?.strip_prefix(b"://"))
        {
            Some(rest) => scan::memchr(b'/', rest).and_then(|at| rest.get(at..)).unwrap_or(b"/"),
            None => url,
        };
        path.split(|octet| matches!(octet, b'?' | b'#')).next().unwrap_or_default()
    }

    /// True if the path is that of an agents.md.
    fn is_agents_md(&self) -> bool {
        self.path_ends_with("/agents.md") && self.path().ends_with(b"agents.md")
    }

    /// True if the path is that of an `AGENTS.md`, which is for coding agents.
    fn is_for_coding_agents(&self) -> bool {
        self.path().ends_with(b"AGENTS.md")
    }

    /// True if the path is that of an llms.txt or llms-full.txt.
    fn is_llms_txt(&self) -> bool {
        self.path_ends_with("/llms.txt") || self.path_ends_with("/llms-full.txt")
    }

    /// True if the path is that of an auth.md.
    fn is_auth_md(&self) -> bool {
        self.path_ends_with("/auth.md")
    }

    /// True if the path ends with `end`, which begins with a slash. Also true for a bare file name
    /// that equals `end` without its slash.
    fn path_ends_with(&self, end: &str) -> bool {
        self.url.is_some() && ends_with(self.path(), end)
    }
}

/// See [`Hints::path_ends_with`].
fn ends_with(path: &[u8], end: &str) -> bool {
    let end = end.as_bytes();
    let tail = path.len().checked_sub(end.len());
    let tail = tail.and_then(|at| path.get(at..));
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
        || end.split_first().is_some_and(|(_, name)| path.eq_ignore_ascii_case(name))
}

mod members;
mod text;

/// Members and fields that only other vocabularies have, reduced to lower-case letters and digits.
const FOREIGN: [&[u8]; 14] = [
    b"agentjsonversion",
    b"agenttxtversion",
    b"paymentprotocol",
    b"jsonrpc",
    b"w2a",
    b"nameformodel",
    b"bomformat",
    b"spdxversion",
    b"asyncapi",
    b"openrpc",
    b"manifestversion",
    b"metadataversion",
    b"lockfileversion",
    b"mimeversion",
];

/// The first and the last letters of the foreign names, each as the bit `letter & 31`.
const FOREIGN_ENDS: (u32, u32) = {
    // Those of `agents…version`.
    let mut ends = (1 << (b'a' & 31), 1 << (b'n' & 31));
    let mut names = FOREIGN.as_slice();
    while let [name, rest @ ..] = names {
        if let [first, .., last] = *name {
            ends = (ends.0 | 1 << (*first & 31), ends.1 | 1 << (*last & 31));
        }
        names = rest;
    }
    ends
};

/// The letters and digits of a name, in lower case.
fn letters(name: &[u8]) -> impl DoubleEndedIterator<Item = u8> {
    let letters = name.iter().filter(|octet| octet.is_ascii_alphanumeric());
    letters.map(u8::to_ascii_lowercase)
}

/// True for the name of a member or a field that only other vocabularies have. Any name that begins
/// with `agents` and ends with `version`, such as `agents_txt_version`, is one of them.
fn is_foreign(name: &[u8]) -> bool {
    let may_be = |letter: Option<u8>, set: u32| letter.is_some_and(|l| set >> (l & 31) & 1 != 0);
    // The ends of most names differ from those of all foreign names.
    if !may_be(letters(name).next(), FOREIGN_ENDS.0)
        || !may_be(letters(name).next_back(), FOREIGN_ENDS.1)
    {
        return false;
    }
    let is_version =
        letters(name).take(6).eq(*b"agents") && letters(name).rev().take(7).eq(*b"noisrev");
    is_version || FOREIGN.iter().any(|known| letters(name).eq(known.iter().copied()))
}

/// The signs that were found. Each counts once, however often it occurs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// What the members of a JSON object show.
    members: Members,
    /// The signs in the lines of a text, one bit each.
    lines: u64,
}

impl Evidence {
    const NOTHING: Self = Self { members: Members::NOTHING, lines: 0 };

    /// The signs that were found, as text.
    pub fn signs(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.signs_of(Signs::MAX, u64::MAX)
    }

    fn signs_of(&self, members: Signs, lines: u64) -> impl Iterator<Item = &'static str> + use<> {
        let (members, lines) = (self.members.of(members), self.lines & lines);
        let in_members = members::DESCRIPTIONS.iter().enumerate();
        let in_members = in_members.filter(move |(bit, _)| members >> bit & 1 != 0);
        let in_lines = text::SIGNS.iter().filter(move |(sign, _)| lines & sign != 0);
        in_members.map(|(_, text)| *text).chain(in_lines.map(|(_, text)| *text))
    }

    /// The formats that have signs, with the number of signs. A document can have signs of several
    /// formats; the largest number decides, and of equal numbers none.
    ///
    /// ```
    /// use agentsdisc_core::{Format, Hints, detect};
    /// let found = detect(b"Spec-Version: 1.0\nSite-URL: https://a.example\nSite: A\nURL: https://a.example\n", Hints::default());
    /// assert_eq!(found.format, Format::Unknown);
    /// let counts: Vec<_> = found.evidence.counts().collect();
    /// assert_eq!(counts, [(Format::AgentsTxt, 2), (Format::AgentsTxt01, 2)]);
    /// let signs = "agents-txt: field Spec-Version, field Site-URL; agents-txt-0.1: field Site, field URL";
    /// assert_eq!(found.evidence.to_string(), signs);
    /// ```
    pub fn counts(&self) -> impl Iterator<Item = (Format, u32)> + use<> {
        let evidence = *self;
        vocabularies()
            .map(move |(format, members, lines)| {
                let lines = evidence.lines & lines;
                (format, evidence.members.count(members) + lines.count_ones())
            })
            .filter(|(_, count)| *count > 0)
    }

    /// The number of signs of a format.
    pub fn count_of(&self, format: Format) -> u32 {
        let mut counts = self.counts();
        counts.find(|(counted, _)| *counted == format).map_or(0, |(_, count)| count)
    }

    /// Records the top-level members of a JSON object that the table of a format names (a bit
    /// each).
    pub(crate) fn note_fields<'a>(
        &mut self,
        table: Option<Lookup>,
        named: u32,
        value: impl Fn(u32) -> Option<Value<'a>>,
    ) {
        let mut rest = named;
        while rest != 0 {
            let number = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            if let (Some(table), Some(value)) = (table, value(number)) {
                self.note_member(table.name(number), value);
            }
        }
    }
}

/// The signs of each format: those in members, and those in lines.
fn vocabularies() -> impl Iterator<Item = (Format, Signs, u64)> {
    let formats = Format::ALL.iter().copied();
    let members = formats.map(|format| (format, fact!(format => counted), 0));
    let lines = text::VOCABULARIES.iter().map(|&(f, signs)| (f, 0, signs));
    members.chain(lines)
}

/// The signs of each format that has any: `agents-txt: field Spec-Version; awp: member domain`.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for (format, members, lines) in vocabularies() {
            for (number, sign) in self.signs_of(members, lines).enumerate() {
                if number == 0 {
                    write!(f, "{between}{format}: {sign}")?;
                } else {
                    write!(f, ", {sign}")?;
                }
                between = "; ";
            }
        }
        Ok(())
    }
}

/// A detected format and its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The format.
    pub format: Format,
    /// The signs that were found.
    pub evidence: Evidence,
    /// True if a hint was needed.
    pub by_hint: bool,
}

/// The format that the first tag shows: an HTML page or a license of RSL. Examines the bytes after
/// white space, comments and an XML declaration.
pub(crate) fn markup(bytes: &[u8]) -> Option<Format> {
    let mut rest = trim(bytes);
    // Bounded, because a page can begin with a few comments.
    for _ in 0..8 {
        let behind = if rest.starts_with(b"<!--") {
            scan::find(rest, b"-->").map(|at| at + 3)
        } else if rest.starts_with(b"<?xml") {
            scan::find(rest, b"?>").map(|at| at + 2)
        } else {
            None
        };
        match behind.and_then(|at| rest.get(at..)) {
            Some(after) => rest = trim(after),
            None => break,
        }
    }
    let is_html = match begins(rest, b"<!doctype") {
        Some(kind) => begins(kind, b"html").is_some(),
        None => [&b"<html"[..], b"<head", b"<body"].iter().any(|tag| begins(rest, tag).is_some()),
    };
    if is_html { Some(Format::Html) } else { begins(rest, b"<rsl").map(|_| Format::Rsl) }
}

/// The text behind the beginning of a tag, if it has this name: a name ends at a blank or at the
/// end of the tag.
fn begins<'a>(text: &'a [u8], tag: &[u8]) -> Option<&'a [u8]> {
    let (start, behind) = text.split_at_checked(tag.len())?;
    let is_name = matches!(behind.first(), None | Some(b'>' | b'/' | b'\t'..=b' '));
    (start.eq_ignore_ascii_case(tag) && is_name).then(|| trim_start(behind))
}

/// The result for a format that the first tag shows.
pub(crate) const fn by_markup(format: Format) -> Detection {
    Detection { format, evidence: Evidence::NOTHING, by_hint: false }
}

/// True if the text could be a JSON object: its first character is `{`.
pub(crate) fn looks_like_json(bytes: &[u8]) -> bool {
    trim_start(bytes).first() == Some(&b'{')
}

/// Detects the format of a document.
///
/// Reads the whole of a JSON document, because its members can have any order. Of other documents
/// it reads at most the first 64 KB, 512 lines and 64 fields. It stops after the first four lines
/// of content if they are clear: at least two keys belong to robots.txt and none to another format;
/// or the lines look like Markdown, and no key belongs to a text format. It never stops early in an
/// agents.txt. Returns [`Format::Unknown`] for invalid JSON.
///
/// ```
/// use agentsdisc_core::{Format, Hints, detect};
/// let found = detect(b"Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n", Hints::default());
/// assert_eq!(found.format, Format::AgentsTxt);
/// ```
#[inline(never)] // Keeps its buffers off the stack of its callers.
pub fn detect(bytes: &[u8], hints: Hints<'_>) -> Detection {
    let body = bytes.get(byte_order_mark(bytes)..).unwrap_or_default();
    if let Some(format) = markup(body) {
        return by_markup(format);
    }
    if looks_like_json(body) {
        let mut evidence = Evidence::default();
        return match validate(body, 0, crate::Limits::MAX_DEPTH, &mut evidence, None) {
            Ok(_) => {
                let found = json_format(evidence, &hints);
                let inner = manifest_in_envelope(Value::trusted(trim(body)), found, None, &hints);
                inner.map_or(found, |(_, inner)| inner)
            }
            Err(_) => Detection { format: Format::Unknown, evidence, by_hint: false },
        };
    }
    text_format(body, &hints)
}

/// The top-level members of a JSON document whose format is not known yet.
#[derive(Default)]
pub(crate) struct Remembered {
    /// For each its name between the quotes, which has no escapes, and its value.
    pub(crate) members: heapless::Vec<(Span, Slot), REMEMBERED>,
    /// True if there are others, which another pass must read.
    pub(crate) overflow: bool,
}

/// The maximum number of recorded members.
const REMEMBERED: usize = 32;

/// Validates a JSON document from `start`, records the signs of its top-level members and, on
/// request, the members. Returns the kind of the top-level value.
///
/// # Errors
/// Those of [`json::validate`].
#[inline]
pub(crate) fn validate(
    bytes: &[u8],
    start: usize,
    depth: usize,
    evidence: &mut Evidence,
    mut remembered: Option<&mut Remembered>,
) -> Result<TokenKind, Error> {
    json::validate(bytes, start, depth, |name, value| {
        note(evidence, bytes, name, value);
        if let Some(remembered) = &mut remembered {
            let inside = Span::new(name.start.wrapping_add(1), name.end.wrapping_sub(1));
            remembered.overflow |=
                name.escaped || remembered.members.push((inside, value)).is_err();
        }
    })
}

/// Adds the sign of a recorded member, with its name in quotes.
fn note(evidence: &mut Evidence, bytes: &[u8], name: Slot, value: Slot) {
    if let Some(name) = name.value(bytes).as_text() {
        note_text(evidence, name, value.value(bytes));
    }
}

/// Adds the sign of a member. Decodes a name with escapes first.
pub(crate) fn note_text(
    evidence: &mut Evidence,
    name: crate::syntax::text::Text<'_>,
    value: Value<'_>,
) {
    use crate::syntax::json::view::{NAME, plain_name};
    let mut buffer = [0; NAME];
    evidence.note_member(plain_name(name, &mut buffer), value);
}
