//! The block structure of Markdown, as CommonMark 0.31 reads it: headings, list items, paragraphs, code, HTML.
//!
//! [`Blocks`] gives the blocks of a document one after another, each with the list items and block quotes it stands in. Inline
//! markup is not read: texts stay as they are written. Link reference definitions are read as paragraphs.
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
mod plain;
mod start;

use super::text::Text;

pub use blocks::Blocks;
pub(crate) use blocks::{Containers, Mark};
pub(crate) use plain::{plain_heading, plain_item};

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// A heading, ATX or setext, with its level from 1 to 6 (CommonMark 4.2, 4.3).
    Heading(u8),
    /// A paragraph (4.8).
    Paragraph,
    /// A list item starts (5.2). The blocks in it follow.
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
    /// What it is.
    pub kind: Kind,
    /// How many list items it stands in; an item counts itself. 0 outside lists.
    pub depth: u16,
    /// How many block quotes it stands in.
    pub quotes: u16,
    /// For a heading or paragraph its text; for an item its marker, such as `-` or `1.`; for code and HTML the lines as they stand in the
    /// document (without the fences); for a thematic break its line.
    pub text: Text<'a>,
}
