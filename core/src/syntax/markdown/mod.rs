//! The block structure of Markdown according to CommonMark 0.31: headings, list items, paragraphs,
//! code, HTML.
//!
//! [`Blocks`] returns the blocks of a document in order, each with the number of list items and
//! block quotes around it. Inline markup is not parsed: texts stay as written. Link reference
//! definitions are read as paragraphs.
//!
//! ```
//! use agentsdisc_core::syntax::markdown::{Blocks, Kind};
//! let mut blocks = Blocks::new(b"## Can ##\n- Search\n  the catalog\n", 64);
//! let heading = blocks.next().unwrap();
//! assert_eq!((heading.kind, heading.text.as_str()), (Kind::Heading(2), Some("Can")));
//! assert_eq!(blocks.next().unwrap().kind, Kind::Item);
//! let paragraph = blocks.next().unwrap();
//! assert_eq!((paragraph.kind, paragraph.depth), (Kind::Paragraph, 1));
//! assert_eq!(paragraph.text, "Search the catalog");
//! ```

mod blocks;
mod html;
mod item;
mod link;
mod plain;
mod start;

use super::text::Text;

pub use blocks::Blocks;
pub(crate) use blocks::{Containers, Mark};
pub(crate) use item::{Around, Paragraphs};
pub(crate) use link::{Link, Target, definition, first_link, may_hold_link};
pub(crate) use plain::{plain_heading, plain_item};

/// The kind of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// A heading, ATX or setext, with its level from 1 to 6 (CommonMark 4.2, 4.3).
    Heading(u8),
    /// A paragraph (4.8).
    Paragraph,
    /// The start of a list item (5.2). Its blocks follow.
    Item,
    /// Fenced or indented code (4.4, 4.5).
    Code,
    /// HTML (4.6).
    Html,
    /// A thematic break (4.1).
    Break,
}

/// A block of a Markdown document, or the start of a list item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block<'a> {
    /// The kind.
    pub kind: Kind,
    /// The number of list items around it; an item counts itself. 0 outside of lists.
    pub depth: u16,
    /// The number of block quotes around it.
    pub quotes: u16,
    /// True if a list item is the innermost container around it, not a block quote.
    pub in_item: bool,
    /// The text of a heading or paragraph; the marker of an item, such as `-` or `1.`; the lines of
    /// code (without fences) and of HTML; the line of a thematic break.
    pub text: Text<'a>,
}

impl Block<'_> {
    /// True if it is a paragraph or a heading directly in an item of this depth within so many
    /// block quotes, and not empty.
    pub(crate) fn is_text_of_item(&self, depth: u16, quotes: u16) -> bool {
        matches!(self.kind, Kind::Paragraph | Kind::Heading(_))
            && self.in_item
            && (self.depth, self.quotes) == (depth, quotes)
            && !self.text.raw().is_empty()
    }
}
