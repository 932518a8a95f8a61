//! Iterates over the entries of the body: sections, items, paragraphs.
//!
//! [`Walk`] combines the blocks of Markdown into entries. It returns an item when its whole text is
//! known, that is, at the first block that does not belong to the text. It keeps this block for the
//! next call.

use super::section::{Place, Section, is_outside, opens_cannot};
use super::{RateGuidance, SectionKind, behavior};
use crate::syntax::fold::{blanks_len, line_end};
use crate::syntax::markdown::{Around, Block, Blocks, Kind};
use crate::syntax::text::{Escape, Text, starts_with};

/// A list item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item<'a> {
    /// 1 for an item of a list, 2 for an item within an item, and so on.
    pub depth: u16,
    /// Its paragraphs and headings, including those after a list, a quote or code inside the item.
    /// If it has none, the first paragraph of a quote inside the item; otherwise empty. In a list
    /// in a quote in a list in a quote, only the paragraphs before the first other block.
    pub text: Text<'a>,
    /// Its marker, such as `-` or `1.`.
    pub marker: Text<'a>,
}

impl Item<'_> {
    /// The rate in an item of Behavior, if it contains exactly one in an unambiguous form, such as
    /// `1 request/second`.
    pub fn rate(&self) -> Option<RateGuidance> {
        behavior::rate(self.text)
    }

    /// The cache time in seconds in an item of Behavior, such as `Cache forecasts 30 minutes`.
    pub fn cache_seconds(&self) -> Option<u32> {
        behavior::cache_seconds(self.text)
    }
}

/// An entry of the body of an agents.md.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry<'a> {
    /// An H2: a section starts.
    Section(Section<'a>),
    /// A heading of another level, with its level and its text. An H1 ends the section before it. A
    /// heading Cannot opens that section, even in a list or a quote.
    Heading(u8, Text<'a>),
    /// A list item, possibly empty.
    Item(Item<'a>),
    /// A paragraph that is not the text of an item.
    Paragraph(Text<'a>),
    /// The lines of fenced or indented code.
    Code(&'a [u8]),
    /// The lines of HTML.
    Html(&'a [u8]),
}

/// An iterator over the entries of a body. Takes linear time in total.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a> {
    body: &'a [u8],
    depth: u16,
    blocks: Blocks<'a>,
    held: Option<Block<'a>>,
    place: Place,
    /// True if items are returned with their whole text. Otherwise, the paragraphs of an item after
    /// its first other block are separate entries.
    whole: bool,
    /// The depth of the last entry if it is an item, otherwise 0.
    depth_of_item: u16,
}

impl<'a> Walk<'a> {
    pub(super) fn new(body: &'a [u8], depth: u16, section: Option<SectionKind>) -> Self {
        Self {
            body,
            depth,
            blocks: Blocks::new(body, usize::from(depth)),
            held: None,
            place: Place::new(section),
            whole: true,
            depth_of_item: 0,
        }
    }

    /// Returns the same walk, but the paragraphs of an item after its first other block are
    /// separate entries.
    fn by_paragraph(self) -> Self {
        Self { whole: false, ..self }
    }

    /// The section of the last entry; `None` before the first section, after a later H1, and in Can
    /// and Behavior behind words that forbid.
    pub fn section(&self) -> Option<SectionKind> {
        let depth = self.depth_of_item;
        self.place.section.filter(|kind| self.place.is_read(*kind, depth))
    }

    /// The place of the last entry.
    pub(super) const fn place(&self) -> &Place {
        &self.place
    }

    /// True if the last entry is an item, and the next block is an item inside it.
    pub(super) fn has_inner_item(&self) -> bool {
        let is_inner =
            |block: Block<'_>| block.kind == Kind::Item && block.depth > self.depth_of_item;
        self.depth_of_item > 0 && self.held.is_some_and(is_inner)
    }

    fn item(&mut self, start: Block<'a>) -> Item<'a> {
        let place = &mut self.place;
        let (item, held) = item(self.body, &mut self.blocks, start, self.whole, place, |_| {});
        self.held = held;
        self.depth_of_item = item.depth;
        item
    }
}

/// Returns the item that starts with a block, and the block after its first paragraphs. `before` is
/// called before each block is read, the last time before the returned block. If `whole`, the text
/// contains all paragraphs of the item: callers must skip the paragraphs that follow
/// ([`Block::is_text_of_item`]). Updates `place` for the blocks that become the text.
#[inline]
pub(super) fn item<'a>(
    body: &'a [u8],
    blocks: &mut Blocks<'a>,
    start: Block<'a>,
    whole: bool,
    place: &mut Place,
    mut before: impl FnMut(&Blocks<'a>),
) -> (Item<'a>, Option<Block<'a>>) {
    let around = blocks.around();
    let mut item = Item { depth: start.depth, text: Text::EMPTY, marker: start.text };
    let mut first: Option<Block<'a>> = None;
    let mut held;
    loop {
        before(blocks);
        held = blocks.next();
        match (first.map(|block| block.kind), held) {
            (_, Some(block)) if (block.depth, block.quotes) != (start.depth, start.quotes) => break,
            (_, Some(block)) if opens_cannot(&block) => break,
            (None, Some(block)) if matches!(block.kind, Kind::Paragraph | Kind::Heading(_)) => {
                item.text = block.text;
                first = held;
                place.pass(&block);
            }
            // The text of a heading cannot be joined with other lines. A paragraph that announces
            // what is forbidden is a text of its own.
            (Some(Kind::Paragraph), Some(block))
                if block.kind == Kind::Paragraph && !place.turns_at(&block) =>
            {
                item.text = joined(body, item.text, block);
                place.pass(&block);
            }
            _ => break,
        }
    }
    if whole && held.is_some_and(|block| is_inside(&block, &start)) {
        if let Some(around) = around
            && let Some(text) = whole_text(body, &start, around, first, held, *blocks)
        {
            item.text = text;
        }
        // If the item has no paragraph of its own, a paragraph of a quote is its text.
        if item.text.raw().is_empty()
            && let Some(block) = held
            && block.depth == start.depth
            && block.kind == Kind::Paragraph
        {
            item.text = block.text;
            place.pass(&block);
            before(blocks);
            held = blocks.next();
        }
    }
    (item, held)
}

/// True if a block belongs to the item that starts with `start`. A heading Cannot ends it.
fn is_inside(block: &Block<'_>, start: &Block<'_>) -> bool {
    match block.kind {
        Kind::Item => block.depth > start.depth,
        _ => block.depth >= start.depth && !opens_cannot(block),
    }
}

/// Returns the text of an item from its `first` paragraph or heading to the last one, if there are
/// more from `next` on. `next` is the first other block in the item.
fn whole_text<'a>(
    body: &'a [u8],
    start: &Block<'a>,
    around: Around,
    first: Option<Block<'a>>,
    mut next: Option<Block<'a>>,
    mut blocks: Blocks<'a>,
) -> Option<Text<'a>> {
    let mut first = first.filter(|block| block.is_text_of_item(start.depth, start.quotes));
    let mut last = None;
    while let Some(block) = next.filter(|block| is_inside(block, start)) {
        if block.is_text_of_item(start.depth, start.quotes) {
            last = Some(block);
            first = first.or(last);
        }
        next = blocks.next();
    }
    let (first, last) = (first?, last?);
    let end = crate::span::Span::of(last.text.raw(), body).end as usize;
    // Two blocks can have the same text.
    if crate::span::Span::of(first.text.raw(), body).end as usize == end {
        return Some(first.text);
    }
    let from = start_of(body, &first);
    let raw = body.get(from..end).unwrap_or_default();
    Some(Text::escaped(raw, Escape::markdown_item(around)))
}

/// The offset of a paragraph or a heading, including the `#` of a heading.
fn start_of(body: &[u8], block: &Block<'_>) -> usize {
    let start = crate::span::Span::of(block.text.raw(), body).start as usize;
    let mut before = body.get(..start).unwrap_or_default();
    while let [head @ .., b' ' | b'\t'] = before {
        before = head;
    }
    if matches!(block.kind, Kind::Paragraph) || !matches!(before, [.., b'#']) {
        return start;
    }
    while let [head @ .., b'#'] = before {
        before = head;
    }
    before.len()
}

/// Returns the text of a paragraph, joined with the next paragraph.
pub(super) fn joined<'a>(body: &'a [u8], text: Text<'a>, next: Block<'a>) -> Text<'a> {
    let start = crate::span::Span::of(text.raw(), body).start as usize;
    let end = crate::span::Span::of(next.text.raw(), body).end as usize;
    let quoted = next.quotes > 0 || text.escape() == Escape::MarkdownQuote;
    let escape = if quoted { Escape::MarkdownQuote } else { Escape::Markdown };
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
            self.place.pass(&block);
            self.depth_of_item = 0;
            return Some(match block.kind {
                Kind::Heading(2) if is_outside(&block) => {
                    // The parser returns a heading before it reads any later line.
                    let rest = self.body.get(self.blocks.next_line()..).unwrap_or_default();
                    Entry::Section(Section::new(block.text, rest, self.depth))
                }
                Kind::Heading(level) if is_outside(&block) || opens_cannot(&block) => {
                    Entry::Heading(level, block.text)
                }
                Kind::Item => Entry::Item(self.item(block)),
                Kind::Paragraph | Kind::Heading(_)
                    if self.whole && self.place.is_of_item(&block) =>
                {
                    continue;
                }
                Kind::Paragraph | Kind::Heading(_) => Entry::Paragraph(block.text),
                Kind::Code => Entry::Code(block.text.raw()),
                Kind::Html => Entry::Html(block.text.raw()),
                Kind::Break => continue,
            });
        }
    }
}

/// An iterator over the items of all sections of a kind, without empty items. For Behavior, it also
/// returns paragraphs.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a> {
    pub(super) walk: Walk<'a>,
    pub(super) kind: SectionKind,
    /// True if there is only one section of this kind.
    pub(super) last: bool,
    /// True if items behind words that forbid are returned, too.
    pub(super) all: bool,
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        loop {
            let entry = self.walk.next()?;
            if self.walk.place.section != Some(self.kind) {
                if self.last {
                    return None;
                }
                continue;
            }
            if !self.all && self.walk.section().is_none() {
                continue;
            }
            match entry {
                Entry::Item(item) if !item.text.raw().is_empty() => return Some(item),
                Entry::Paragraph(text)
                    if self.kind == SectionKind::Behavior && !text.raw().is_empty() =>
                {
                    return Some(Item { depth: 0, text, marker: Text::EMPTY });
                }
                _ => {}
            }
        }
    }
}

/// The kind of a contact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ContactKind {
    /// An email address, possibly with `mailto:` or in angle brackets.
    Email,
    /// An HTTP or HTTPS URL, possibly in angle brackets.
    Url,
    /// Any other text.
    Other,
}

/// One line of a Contact section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contact<'a> {
    /// The line, without its list marker and without blanks at its ends.
    pub text: Text<'a>,
    /// Its kind.
    pub kind: ContactKind,
}

/// An iterator over the non-empty lines of all texts in Contact sections.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<'a> {
    walk: Walk<'a>,
    last: bool,
    lines: Text<'a>,
}

impl<'a> Contacts<'a> {
    pub(super) fn new(walk: Walk<'a>, last: bool) -> Self {
        Self { walk: walk.by_paragraph(), last, lines: Text::EMPTY }
    }
}

impl<'a> Iterator for Contacts<'a> {
    type Item = Contact<'a>;

    fn next(&mut self) -> Option<Contact<'a>> {
        loop {
            while let Some(line) = take_line(&mut self.lines) {
                if !line.is_empty() {
                    return Some(Contact { text: Text::plain(line), kind: contact_kind(line) });
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

/// Takes the first line of a Markdown text. Removes the blanks before it and, in a block quote, the
/// `>`.
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
    if inner.iter().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'>')) {
        return ContactKind::Other;
    }
    if starts_with(inner, b"https://") || starts_with(inner, b"http://") {
        return ContactKind::Url;
    }
    let address =
        if starts_with(inner, b"mailto:") { inner.get(7..).unwrap_or_default() } else { inner };
    let mut parts = address.split(|&byte| byte == b'@');
    match (parts.next(), parts.next(), parts.next()) {
        (Some([_, ..]), Some([_, .., last]), None) if *last != b'.' && !address.contains(&b'/') => {
            ContactKind::Email
        }
        _ => ContactKind::Other,
    }
}
