//! llms.txt: a title, a summary in a block quote, and sections with lists of links.
//!
//! Decisions beyond the specification:
//! - The title is the first H1 outside of lists and block quotes. The summary consists of the
//!   paragraphs of the block quote between the title and the next H1 or H2. Front matter is
//!   skipped.
//! - A section begins with an H2 or a later H1. Where neither precedes, it begins with a heading of
//!   a lower level. If a heading is a link, its name is the text of the link.
//! - A list item with a link is a reference, at any depth, even in a block quote. Its link is the
//!   first link in its first paragraph: `[title](url)`, `[title][definition]`, or an http or https
//!   URL, whose title is the text before it.
//! - A line of a paragraph outside of lists is a reference if it begins with a link, or if it
//!   consists of a title, a colon and a URL. Links in sentences are not references;
//!   [`Document::links`](crate::Document::links) returns them.
//! - Only definitions in the last 4 KiB of the document are found.
//!
//! llms-full.txt is read in the same way; the documents that it contains are not separated.

mod about;
pub(crate) mod check;
mod entry;
mod list;

use crate::error::Error;
use crate::format::Format;
use crate::format::agents_md::front_matter;
use crate::limits::Limits;
use crate::model::{List, Reading, Reference, Service};
use crate::scan;
use crate::span::Span;
use crate::syntax::markdown::{Blocks, Kind};
use crate::syntax::outline::Outline;
use crate::syntax::text::{Escape, Text};

/// The number of bytes at the end of a document in which definitions of links are looked up. It is
/// limited, because each reference may need a lookup.
const DEFINITIONS: usize = 4096;

// The fields of the outline: the title, the summary, the part with the references, and the
// Markdown.
const TITLE: usize = 0;
const SUMMARY: usize = 1;
const LISTS: usize = 2;
const BODY: usize = 3;
/// The number of these fields.
pub(crate) const FIELDS: usize = 4;

/// A parsed llms.txt.
#[derive(Clone, Copy, Debug)]
pub struct LlmsTxt<'a> {
    pub(crate) bytes: &'a [u8],
    /// The Markdown: the document without a byte order mark and front matter.
    body: &'a [u8],
    title: Option<&'a [u8]>,
    summary: Option<&'a [u8]>,
    lists: &'a [u8],
}

impl<'a> LlmsTxt<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self {
            bytes,
            body: outline.field(bytes, BODY).unwrap_or_default(),
            title: outline.field(bytes, TITLE),
            summary: outline.field(bytes, SUMMARY),
            lists: outline.field(bytes, LISTS).unwrap_or_default(),
        }
    }

    /// The name of the project or site. Absent if there is no H1, or if the H1 is empty.
    pub fn title(&self) -> Option<Text<'a>> {
        let title = self.title.filter(|title| !title.is_empty())?;
        Some(text(list::name_of(title), Escape::Markdown))
    }

    /// The summary in the block quote below the title.
    pub fn summary(&self) -> Option<Text<'a>> {
        let summary = self.summary.filter(|summary| !summary.is_empty())?;
        Some(text(summary, Escape::MarkdownQuote))
    }

    /// The links in lists, in the order of the document.
    pub fn references(&self) -> List<'a, Reference<'a>> {
        if self.lists.is_empty() {
            return List::empty();
        }
        List::new(self.lists, 0, list::next_reference)
    }
}

/// Reads the title and the summary of a document. The lists are read on request.
pub(crate) fn parse(bytes: &[u8], body: Span, limits: &Limits) -> Result<Outline, Error> {
    parse_as(Format::LlmsTxt, bytes, body, limits)
}

/// Reads a document of a format whose title and lists are written like those of an llms.txt.
pub(crate) fn parse_as(
    format: Format,
    bytes: &[u8],
    body: Span,
    limits: &Limits,
) -> Result<Outline, Error> {
    let mut outline = Outline::new(format, body);
    let (_, _, start) = front_matter(body.slice(bytes));
    let start = body.start as usize + start;
    let text = bytes.get(start..).unwrap_or_default();
    let span = |part| {
        let Span { start, end } = Span::of(part, bytes);
        Span::new(start, end.max(1))
    };
    let mut blocks = Blocks::new(text, limits.depth_limit());
    let (mut title, mut summary) = (None, None::<Span>);
    // True if items precede the title.
    let mut is_late = false;
    loop {
        let passed = blocks.pass_plain_items();
        is_late |= passed && title.is_none();
        if passed && summary.is_some() {
            break;
        }
        let Some(block) = blocks.next() else { break };
        let is_top = block.depth == 0 && block.quotes == 0;
        match block.kind {
            Kind::Heading(1) if is_top && title.is_none() => {
                title = Some((block.text.raw(), blocks.next_line()));
            }
            Kind::Heading(1 | 2) if is_top && title.is_some() => break,
            Kind::Paragraph if block.quotes > 0 && block.depth == 0 && title.is_some() => {
                let part = span(block.text.raw());
                let start = summary.map_or(part.start, |summary| summary.start);
                summary = Some(Span::new(start, part.end));
            }
            _ if summary.is_some() => break,
            kind => is_late |= kind == Kind::Item && title.is_none(),
        }
    }
    let mut lists = start;
    if let Some((name, behind)) = title {
        outline.set(TITLE, span(name));
        if !is_late {
            lists = start + behind;
        }
    }
    if let Some(summary) = summary {
        outline.set(SUMMARY, summary);
    }
    for (field, start) in [(LISTS, lists), (BODY, start)] {
        if start < bytes.len() {
            outline.set(field, Span::new(start as u32, bytes.len() as u32));
        }
    }
    Ok(outline)
}

/// Returns a piece of Markdown as text. It needs no escape if it is on one line.
fn text(raw: &[u8], escape: Escape) -> Text<'_> {
    let is_folded = escape != Escape::Plain && scan::memchr2(b'\n', b'\r', raw).is_some();
    Text::escaped(raw, if is_folded { escape } else { Escape::Plain })
}

impl<'a> Reading<'a> for LlmsTxt<'a> {
    fn service(&self) -> Option<Service<'a>> {
        let (name, description) = (self.title(), self.summary());
        if name.is_none() && description.is_none() {
            return None;
        }
        Some(Service { name, description, ..Service::default() })
    }

    fn references(&self) -> List<'a, Reference<'a>> {
        self.references()
    }
}
