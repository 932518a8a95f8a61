//! Links: the http and https URLs in the bytes of a document, whatever its format.

mod json;
mod kind;

use super::Document;
use super::detect::looks_like_json;
pub use crate::rules::link_kind::LinkKind;
use crate::scan;
use crate::span::Span;
use crate::syntax::bare_url::{length, slash_len, without_punctuation};
use crate::syntax::html::Attributes;
use crate::syntax::text::{Text, byte_order_mark};

/// The number of bytes beside a URL that are searched for its label and kind.
const REACH: usize = 240;
/// The maximum number of decoded bytes of a URL that are used to determine its kind, and of bytes of
/// an HTML tag that are searched for its relation.
const JUDGED: usize = 512;

/// A URL in a document.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Link<'a> {
    /// The URL as written; `\/` and other escapes of JSON are decoded by [`Text`].
    pub url: Text<'a>,
    /// Its range in the document.
    pub span: Span,
    /// The name beside it: the key of the member (of an object or list around it, if that key only
    /// says that the value is a URL), the text of a Markdown link, the relation of an HTML link, or
    /// the text before it on its line or in its string, behind the previous URL. Empty if there is
    /// none.
    pub label: Text<'a>,
    /// What it probably leads to.
    pub kind: LinkKind,
}

/// An iterator over the http and https URLs in the bytes of any document, of any or no known
/// format, in order. Takes linear time.
///
/// A link states where something is. It never allows or denies a request.
///
/// ```
/// use agentsdisc_core::document::{LinkKind, Links};
/// let text = b"# Shop\n\n- [API](https://shop.example/openapi.json)\n- MCP: https://shop.example/mcp.\n";
/// let mut links = Links::new(text);
/// let api = links.next().unwrap();
/// assert_eq!(api.url, "https://shop.example/openapi.json");
/// assert_eq!(api.label, "API");
/// assert_eq!(api.kind, LinkKind::OpenApi);
/// assert_eq!(links.next().unwrap().kind, LinkKind::McpEndpoint);
/// assert!(links.next().is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Links<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The end of the last URL.
    last: usize,
    is_json: bool,
}

impl<'a> Document<'a> {
    /// The http and https URLs in the document. For documents of unknown formats use
    /// [`Links::new`].
    pub fn links(&self) -> Links<'a> {
        Links::new(self.bytes)
    }
}

impl<'a> Links<'a> {
    /// Creates an iterator over the URLs in any bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        let text = bytes.get(byte_order_mark(bytes)..).unwrap_or_default();
        Self { bytes, at: 0, last: 0, is_json: looks_like_json(text) }
    }

    /// True if a text ends with a letter or digit that is not part of an escape.
    fn ends_in_word(&self, text: &[u8]) -> bool {
        let escape = |length: usize| text.get(text.len().checked_sub(length)?..);
        let is_escaped = self.is_json
            && (escape(6).is_some_and(|escape| escape.starts_with(br"\u"))
                || escape(2).is_some_and(|escape| escape.starts_with(br"\")));
        text.last().is_some_and(u8::is_ascii_alphanumeric) && !is_escaped
    }

    /// The attributes of the HTML tag around the URL at `start`. `before` is the text before it.
    fn tag_around(&self, start: usize, before: &[u8]) -> Option<Attributes<'a>> {
        let name = tag_start(before)?;
        let from = start.checked_sub(before.len())?.checked_add(name)?;
        let tag = self.bytes.get(from..)?;
        let tag = tag.get(..JUDGED).unwrap_or(tag);
        let behind = tag.iter().position(u8::is_ascii_whitespace)?;
        tag.get(behind..).map(Attributes::of)
    }

    /// The range of the URL around the colon at this offset.
    fn url_at(&self, colon: usize) -> Option<(usize, usize)> {
        let before = self.bytes.get(..colon)?;
        // Most colons of JSON follow a quote.
        if !before.last()?.is_ascii_alphanumeric() {
            return None;
        }
        let written = || {
            ["https", "http"].iter().find_map(|scheme| {
                let start = colon.checked_sub(scheme.len())?;
                let is_here = before.get(start..)?.eq_ignore_ascii_case(scheme.as_bytes());
                is_here.then_some(start)
            })
        };
        let start = match self.is_json {
            true => written().or_else(|| json::scheme_start(before))?,
            false => written()?,
        };
        if before.get(..start).is_some_and(|text| self.ends_in_word(text)) {
            return None;
        }
        let mut host = colon.checked_add(1)?;
        for _ in 0..2 {
            host = host.checked_add(slash_len(self.bytes.get(host..)?, self.is_json)?)?;
        }
        let end = host.checked_add(length(self.bytes.get(host..)?, self.is_json))?;
        let url = self.bytes.get(start..end)?;
        // If a JSON string is nothing but a URL, punctuation at its end belongs to the URL.
        let is_whole = before.get(..start).is_some_and(|text| text.ends_with(b"\""))
            && self.bytes.get(end) == Some(&b'"');
        let kept = if is_whole { url } else { without_punctuation(url) };
        let end = start.checked_add(kept.len())?;
        let begins = match self.bytes.get(host..end)? {
            [b'\\', b'u', ..] => self.is_json,
            [b'-' | b'_', next, ..] => next.is_ascii_alphanumeric(),
            [first, ..] => first.is_ascii_alphanumeric() || matches!(first, b'[' | b'{' | 0x80..),
            [] => false,
        };
        begins.then_some((start, end))
    }
}

impl<'a> Iterator for Links<'a> {
    type Item = Link<'a>;

    fn next(&mut self) -> Option<Link<'a>> {
        loop {
            let length = scan::memchr(b':', self.bytes.get(self.at..)?)?;
            let colon = self.at.checked_add(length)?;
            self.at = colon.checked_add(1)?;
            let Some((start, end)) = self.url_at(colon) else {
                continue;
            };
            self.at = end.max(self.at);
            let raw = self.bytes.get(start..end).unwrap_or_default();
            let reach = start.saturating_sub(REACH);
            let inside = self.bytes.get(reach.max(self.last)..start);
            let inside = inside.unwrap_or_default();
            self.last = end;
            let (label, kind) = if self.is_json {
                let before = self.bytes.get(reach..start).unwrap_or_default();
                let after = self.bytes.get(end..end.saturating_add(REACH));
                let after = after.or_else(|| self.bytes.get(end..));
                let mut around = json::Around::of(before, after.unwrap_or_default());
                if let Some(text) = json::words_of(json::text_before(inside)) {
                    around.label = text;
                }
                let mut buffer = [0; JUDGED];
                let decoded = Text::json(raw).decode(&mut buffer);
                let url = decoded.map_or(raw, str::as_bytes);
                (around.label, kind::of(url, &around))
            } else {
                let label = match self.tag_around(start, inside) {
                    Some(tag) => tag.get("rel").unwrap_or_default(),
                    None => label(inside),
                };
                (label, kind::of(raw, &json::Around::named(label)))
            };
            let text = |raw| {
                if self.is_json { Text::json(raw) } else { Text::plain(raw) }
            };
            return Some(Link {
                url: text(raw),
                span: Span::new(start as u32, end as u32),
                label: text(label),
                kind,
            });
        }
    }
}

/// The offset of the name of the last HTML tag in a text, if the tag does not end in it.
fn tag_start(text: &[u8]) -> Option<usize> {
    let open = text.iter().rposition(|byte| matches!(byte, b'<' | b'>'))?;
    let name = text.get(open..)?;
    matches!(name, [b'<', b'a'..=b'z' | b'A'..=b'Z', ..]).then(|| open.saturating_add(1))
}

/// The name beside a URL, from the text before it.
fn label(before: &[u8]) -> &[u8] {
    let start = before
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(0, |at| at.saturating_add(1));
    let line = before.get(start..).unwrap_or_default();
    if let [text @ .., b']', b'('] | [text @ .., b']', b'(', b'<'] = line {
        let open = text.iter().rposition(|byte| *byte == b'[');
        return open.and_then(|at| text.get(at.saturating_add(1)..)).unwrap_or_default();
    }
    // Not the tag before the text.
    let line = match line.iter().rposition(|byte| *byte == b'>') {
        Some(end) if line.get(..end).is_some_and(|tag| tag_start(tag).is_some()) => {
            line.get(end..).unwrap_or_default()
        }
        _ => line,
    };
    trimmed(line)
}

/// A text without the marks of lists and punctuation around it.
fn trimmed(text: &[u8]) -> &[u8] {
    let first = text.iter().position(|byte| !is_marker(*byte));
    let last = text.iter().rposition(|byte| !is_end(*byte));
    match (first, last) {
        (Some(first), Some(last)) => text.get(first..last.saturating_add(1)).unwrap_or_default(),
        _ => &[],
    }
}

/// True for the marks before a label.
const fn is_marker(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'-' | b'*' | b'#' | b'>' | b'+' | b'|' | b',' | b';' | b'.' | b')' | b'`'
    )
}

/// True for the marks behind a label.
const fn is_end(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b':' | b'=' | b'(' | b'<' | b'"' | b'\'' | b'*' | b'-' | b'|' | b'`'
    )
}
