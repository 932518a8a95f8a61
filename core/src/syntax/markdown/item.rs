//! The text of a list item that other blocks interrupt.

use super::Blocks;

/// The paragraphs and headings directly in a list item, in order, without empty ones.
///
/// Reads the text from the first of them to the last, which starts in the middle of its line. The
/// lists, quotes and code between them are passed. Takes linear time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paragraphs<'a> {
    rest: &'a [u8],
    /// The column that the content of the item must reach.
    column: u8,
    /// True before the first one.
    first: bool,
}

impl<'a> Paragraphs<'a> {
    pub(crate) const fn new(raw: &'a [u8], column: u8) -> Self {
        Self {
            rest: raw,
            column,
            first: true,
        }
    }
}

impl<'a> Iterator for Paragraphs<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let first = core::mem::take(&mut self.first);
        let mut blocks = Blocks::in_item(self.rest, self.column, first);
        let block = blocks.find(|block| block.is_text_of_item(1))?;
        self.rest = self.rest.get(blocks.mark().offset..).unwrap_or_default();
        Some(block.text.raw())
    }
}
