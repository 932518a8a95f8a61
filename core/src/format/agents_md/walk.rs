//! The body, from top to bottom: sections, items, paragraphs.
//!
//! [`Walk`] puts the blocks of Markdown together to entries: an item is given once all its text is known, that is when the next
//! block does not belong to it. That block is held back for the next call.

use super::section::Section;
use super::{RateGuidance, SectionKind, behavior, starts_line};
use crate::syntax::fold::{blanks_len, line_end};
use crate::syntax::markdown::{Block, Blocks, Kind};
use crate::syntax::text::{Escape, Text};

/// A list item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item<'a> {
    /// 1 for an item of a list, 2 for one in an item, and so on.
    pub depth: u16,
    /// Its paragraphs, up to the first other thing in it. Empty where it starts with a list, with code or with nothing.
    pub text: Text<'a>,
    /// Its marker, such as `-` or `1.`.
    pub marker: Text<'a>,
}

impl Item<'_> {
    /// The rate that an item of Behavior gives, where it gives exactly one in words that leave no doubt, such as `1 request/second`.
    pub fn rate(&self) -> Option<RateGuidance> {
        behavior::rate(self.text.raw())
    }

    /// How many seconds an item of Behavior lets its data be cached, such as `Cache forecasts 30 minutes`.
    pub fn cache_seconds(&self) -> Option<u32> {
        behavior::cache_seconds(self.text.raw())
    }
}

/// One thing in the body of an agents.md.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry<'a> {
    /// An H2: a section starts.
    Section(Section<'a>),
    /// A heading of another level, with it and its text. An H1 ends the section before it.
    Heading(u8, Text<'a>),
    /// A list item, empty ones included.
    Item(Item<'a>),
    /// A paragraph that is not the text of an item.
    Paragraph(Text<'a>),
    /// The lines of fenced or indented code.
    Code(&'a [u8]),
}

/// The entries of a body, in order. Linear in all; what stands in HTML is left out.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a> {
    body: &'a [u8],
    depth: u16,
    blocks: Blocks<'a>,
    held: Option<Block<'a>>,
    section: Option<SectionKind>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(body: &'a [u8], depth: u16, section: Option<SectionKind>) -> Self {
        Self {
            body,
            depth,
            blocks: Blocks::new(body, usize::from(depth)),
            held: None,
            section,
        }
    }

    /// The section that the last entry stands in; `None` before the first and behind a later H1.
    pub const fn section(&self) -> Option<SectionKind> {
        self.section
    }

    fn item(&mut self, start: Block<'a>) -> Item<'a> {
        let (item, held) = item(self.body, &mut self.blocks, start, |_| {});
        self.held = held;
        item
    }
}

/// The item that starts with a block, and the block behind it, before which `before` was called last.
#[inline]
pub(super) fn item<'a>(
    body: &'a [u8],
    blocks: &mut Blocks<'a>,
    start: Block<'a>,
    mut before: impl FnMut(&Blocks<'a>),
) -> (Item<'a>, Option<Block<'a>>) {
    let mut item = Item {
        depth: start.depth,
        text: Text::EMPTY,
        marker: start.text,
    };
    let mut open = true;
    loop {
        before(blocks);
        let held = blocks.next();
        let Some(block) = held else {
            return (item, None);
        };
        let empty = item.text.raw().is_empty();
        match block.kind {
            _ if block.depth != start.depth || !open => return (item, held),
            Kind::Paragraph if empty => item.text = block.text,
            Kind::Paragraph if block.quotes == start.quotes => {
                item.text = joined(body, item.text, block)
            }
            // The text of a heading does not stand in lines that could be joined with others.
            Kind::Heading(_) if empty => {
                item.text = block.text;
                open = false;
            }
            _ => return (item, held),
        }
    }
}

/// The text of a paragraph and the one after it.
pub(super) fn joined<'a>(body: &'a [u8], text: Text<'a>, next: Block<'a>) -> Text<'a> {
    let start = crate::span::Span::of(text.raw(), body).start as usize;
    let end = crate::span::Span::of(next.text.raw(), body).end as usize;
    let quoted = next.quotes > 0 || text.escape() == Escape::MarkdownQuote;
    let escape = if quoted {
        Escape::MarkdownQuote
    } else {
        Escape::Markdown
    };
    Text::escaped(body.get(start..end).unwrap_or_default(), escape)
}

impl<'a> Iterator for Walk<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        loop {
            let block = match self.held.take() {
                Some(block) => block,
                None => self.blocks.next()?,
            };
            let top = block.depth == 0 && block.quotes == 0;
            return Some(match block.kind {
                Kind::Heading(2) if top => {
                    // A heading is given before any later line is read.
                    let rest = self.body.get(self.blocks.next_line()..).unwrap_or_default();
                    let section = Section::new(block.text, rest, self.depth);
                    self.section = Some(section.kind);
                    Entry::Section(section)
                }
                Kind::Heading(level) if top => {
                    if level == 1 {
                        self.section = None;
                    }
                    Entry::Heading(level, block.text)
                }
                Kind::Item => Entry::Item(self.item(block)),
                Kind::Paragraph | Kind::Heading(_) => Entry::Paragraph(block.text),
                Kind::Code => Entry::Code(block.text.raw()),
                Kind::Html | Kind::Break => continue,
            });
        }
    }
}

/// The items of all sections of one kind, in order; empty ones are left out.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a> {
    pub(super) walk: Walk<'a>,
    pub(super) kind: SectionKind,
    /// No other section of this kind follows.
    pub(super) last: bool,
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        loop {
            let entry = self.walk.next()?;
            if self.walk.section() != Some(self.kind) {
                if self.last {
                    return None;
                }
                continue;
            }
            match entry {
                Entry::Item(item) if !item.text.raw().is_empty() => return Some(item),
                _ => {}
            }
        }
    }
}

/// What kind of contact a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ContactKind {
    /// An email address, also behind `mailto:` or in angle brackets.
    Email,
    /// An http or https URL, also in angle brackets.
    Url,
    /// Something else.
    Other,
}

/// One line of a Contact section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contact<'a> {
    /// The line, without list marker and blanks at its ends.
    pub text: Text<'a>,
    /// What it looks like.
    pub kind: ContactKind,
}

/// The non-empty lines of all texts in Contact sections.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<'a> {
    pub(super) walk: Walk<'a>,
    pub(super) last: bool,
    pub(super) lines: Text<'a>,
}

impl<'a> Iterator for Contacts<'a> {
    type Item = Contact<'a>;

    fn next(&mut self) -> Option<Contact<'a>> {
        loop {
            while let Some(line) = take_line(&mut self.lines) {
                if !line.is_empty() {
                    return Some(Contact {
                        text: Text::plain(line),
                        kind: contact_kind(line),
                    });
                }
            }
            let entry = self.walk.next()?;
            if self.walk.section() != Some(SectionKind::Contact) {
                if self.last {
                    return None;
                }
                continue;
            }
            match entry {
                Entry::Item(Item { text, .. }) | Entry::Paragraph(text) => self.lines = text,
                _ => {}
            }
        }
    }
}

/// Takes the first line of a Markdown text: without the blanks, and in a block quote the `>`, before it.
pub(super) fn take_line<'a>(text: &mut Text<'a>) -> Option<&'a [u8]> {
    let raw = text.raw();
    if raw.is_empty() {
        return None;
    }
    let (end, next) = line_end(raw, 0);
    let mut line = raw.get(..end).unwrap_or_default();
    line = line.get(blanks_len(line)..).unwrap_or_default();
    while text.escape() == Escape::MarkdownQuote
        && let [b'>', rest @ ..] = line
    {
        line = rest.get(blanks_len(rest)..).unwrap_or_default();
    }
    *text = Text::escaped(raw.get(next..).unwrap_or_default(), text.escape());
    Some(line.trim_ascii_end())
}

fn contact_kind(line: &[u8]) -> ContactKind {
    let inner = match line {
        [b'<', inner @ .., b'>'] => inner,
        _ => line,
    };
    if inner
        .iter()
        .any(|byte| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'>'))
    {
        return ContactKind::Other;
    }
    if starts_line(inner, b"https://") || starts_line(inner, b"http://") {
        return ContactKind::Url;
    }
    let address = if starts_line(inner, b"mailto:") {
        inner.get(7..).unwrap_or_default()
    } else {
        inner
    };
    let mut parts = address.split(|&byte| byte == b'@');
    match (parts.next(), parts.next(), parts.next()) {
        (Some([_, ..]), Some([_, .., last]), None) if *last != b'.' && !address.contains(&b'/') => {
            ContactKind::Email
        }
        _ => ContactKind::Other,
    }
}
