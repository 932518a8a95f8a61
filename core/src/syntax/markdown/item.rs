//! The text of a list item, between whose paragraphs there are other blocks.

use super::Blocks;
use crate::syntax::fold::Folding;

/// The containers around the content of a list item: items, then block quotes, then items. Items
/// that directly contain each other count as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Around {
    /// The column that the content of the items outside of the quotes must reach; 0 without such
    /// items or quotes.
    pub(crate) outside: u8,
    /// The number of block quotes.
    pub(crate) quotes: u8,
    /// The column that the content of the item must reach, from the quotes on.
    pub(crate) inside: u8,
}

impl Around {
    /// The depth that [`Blocks::in_item`] gives the blocks of the item.
    const fn depth(self) -> u16 {
        1 + (self.outside > 0) as u16
    }
}

/// The paragraphs and headings directly in a list item, in order, without empty ones.
///
/// The slice extends from the first of them to the last, and starts in the middle of a line, after
/// the item's marker. Lists, quotes and code between them are skipped. Takes linear time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paragraphs<'a> {
    rest: &'a [u8],
    around: Around,
    /// True before the first paragraph is read.
    first: bool,
}

impl<'a> Paragraphs<'a> {
    pub(crate) const fn new(raw: &'a [u8], around: Around) -> Self {
        Self { rest: raw, around, first: true }
    }

    /// The folding of each paragraph.
    pub(crate) const fn folding(&self) -> Folding {
        match self.around.quotes {
            0 => Folding::Markdown,
            _ => Folding::MarkdownQuote,
        }
    }
}

impl<'a> Iterator for Paragraphs<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let first = core::mem::take(&mut self.first);
        let mut blocks = Blocks::in_item(self.rest, self.around, first);
        let (depth, quotes) = (self.around.depth(), u16::from(self.around.quotes));
        let block = blocks.find(|block| block.is_text_of_item(depth, quotes))?;
        self.rest = self.rest.get(blocks.mark().offset..).unwrap_or_default();
        Some(block.text.raw())
    }
}
