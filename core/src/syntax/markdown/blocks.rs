//! The line-driven parser behind [`Blocks`].
//!
//! The state is a stack of open containers (block quotes and list items), at most one open leaf
//! (paragraph, code, HTML), and an offset in the current line. [`Blocks::start_line`] compares a
//! line with the open containers. [`Blocks::open`] then opens containers and leaves from the rest
//! of the line, one step at a time. A step returns at most one block. If a new block closes the
//! open leaf, the step returns that leaf. The step then runs again without an open leaf, and opens
//! the new block. (For a list item, the common case, [`Phase::Item`] keeps the marker, so that it
//! is not searched again.)
//!
//! A container is one byte: 0 for a block quote, otherwise the column that its content must reach,
//! relative to the container around it. Lists have no entry, because no caller needs to know which
//! items form one list.
//!
//! EXAMPLE
//!
//! ```text
//! > - a
//! >   b
//! c
//! - d
//! ```
//!
//! 1. Nothing is open, so the first line has no container to continue. The steps open a quote (0 on
//!    the stack), an item whose content must reach column 2 inside the quote (2 on the stack), and a
//!    paragraph.
//! 2. The second line has the `>` of the quote and the two columns of the item: both continue, and
//!    `matched == depth == 2`. The rest opens nothing, so it is a line of the paragraph.
//! 3. The third line continues no container: `matched == 0`. It opens nothing, and a paragraph is
//!    open, so it continues that paragraph lazily. The stack stays as it is.
//! 4. The fourth line continues no container either, but opens an item. This closes the paragraph
//!    `a b c`, which the step returns. The containers that were not matched leave the stack, and the
//!    next step opens the new item.
//!
//! INVARIANTS
//! - Without an open leaf, `matched == depth`: every container on the stack continues in this line.
//! - `matched < depth` only while a paragraph is open that the line may continue lazily (CommonMark
//!   5.1).
//! - `at` and `column` are the same position. If only a part of a tab is consumed, `at` stays on it
//!   and `column` is inside it.
//! - Each line is read a bounded number of times, and costs at most its length plus the depth.
//!   Blank lines, which continue any number of list items, pass them in one search.

mod mark;

use super::html;
use super::plain::{empty_lines, plain_item};
use super::start::{
    atx_heading, closes_fence, fence, is_break, is_plain_item, list_marker, setext_underline,
    trim_blanks_end,
};
use super::{Around, Block, Kind};
use crate::limits::Limits;
use crate::scan;
use crate::syntax::fold::line_end;
use crate::syntax::text::{Escape, Text};
pub(crate) use mark::{Containers, Mark};

const QUOTE: u8 = 0;

/// The number of columns that a [`Mark`] can hold for all open containers: an item counts its
/// marker and the blanks after it, a quote counts one.
const WIDEST: u16 = 128;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// The next line must be read.
    Line,
    /// The rest of the line may open something.
    Open,
    /// A list item starts here. Its marker, of this length, was already found; then the paragraph
    /// that it ends was returned.
    Item(Next, usize),
    Done,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leaf {
    None,
    Paragraph,
    Fence { mark: u8, length: usize },
    Indented,
    Html(u8),
}

/// The next text in the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Next {
    /// Columns of blanks before it.
    indent: usize,
    at: usize,
    /// `None` if the rest of the line is blank.
    first: Option<u8>,
}

/// An iterator over the blocks of a Markdown document.
///
/// Reads at most `depth` nested containers. The markers of deeper ones are read as text, and
/// [`overflow`](Self::overflow) returns the offset of the first. The whole iteration takes linear
/// time. The state is smaller than 512 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    text: &'a [u8],
    /// The start and the end of the current line, and the start of the next one.
    line: usize,
    line_end: usize,
    next: usize,
    at: usize,
    column: usize,
    phase: Phase,
    leaf: Leaf,
    leaf_start: usize,
    leaf_end: usize,
    /// True if the open paragraph has more than one line.
    lines: bool,
    /// True if the innermost container is a list item without content so far.
    empty_item: bool,
    depth: u16,
    matched: u16,
    limit: u16,
    items: u16,
    /// The sum of the widths of the open containers; a quote counts one.
    columns: u16,
    too_wide: Option<usize>,
    overflow: Option<usize>,
    containers: [u8; Limits::MAX_DEPTH],
}

impl<'a> Blocks<'a> {
    /// Reads `text` with at most `depth` nested containers (at most [`Limits::MAX_DEPTH`]).
    pub fn new(text: &'a [u8], depth: usize) -> Self {
        Self {
            text,
            line: 0,
            line_end: 0,
            next: 0,
            at: 0,
            column: 0,
            phase: Phase::Line,
            leaf: Leaf::None,
            leaf_start: 0,
            leaf_end: 0,
            lines: false,
            empty_item: false,
            depth: 0,
            matched: 0,
            limit: depth.min(Limits::MAX_DEPTH) as u16,
            items: 0,
            columns: 0,
            too_wide: None,
            overflow: None,
            containers: [0; Limits::MAX_DEPTH],
        }
    }

    /// The offset of the first container that was not opened because it would be too deep.
    pub const fn overflow(&self) -> Option<usize> {
        self.overflow
    }

    /// The offset at which a [`Mark`] could no longer hold the open containers: they reach more
    /// than 128 columns to the right.
    pub(crate) const fn too_wide(&self) -> Option<usize> {
        self.too_wide
    }

    /// The offset of the next line. After a heading outside of containers, another pass can start
    /// there.
    pub const fn next_line(&self) -> usize {
        self.next
    }

    /// Reads the content of a list item. With `inside`, the text starts in the middle of a line,
    /// behind the marker.
    pub(crate) fn in_item(text: &'a [u8], around: Around, inside: bool) -> Self {
        let mut blocks = Self::new(text, Limits::MAX_DEPTH);
        if around.outside > 0 {
            blocks.push(around.outside);
        }
        for _ in 0..around.quotes {
            blocks.push(QUOTE);
        }
        blocks.push(around.inside);
        if inside {
            blocks.column = usize::from(blocks.columns);
            (blocks.line_end, blocks.next) = line_end(text, 0);
            blocks.phase = Phase::Open;
        }
        blocks
    }

    /// The containers around the content of the innermost open item. `None` if the containers are
    /// not items, then block quotes, then items, or if they are too wide.
    pub(crate) fn around(&self) -> Option<Around> {
        let mut around = Around::default();
        let open = self.containers.get(..usize::from(self.depth))?;
        for &container in open {
            if container != QUOTE {
                around.inside = around.inside.checked_add(container)?;
            } else if around.quotes == 0 {
                around = Around { outside: around.inside, quotes: 1, inside: 0 };
            } else if around.inside == 0 {
                around.quotes = around.quotes.checked_add(1)?;
            } else {
                return None;
            }
        }
        Some(around)
    }

    /// Skips the plain items that come next, without returning blocks. Returns true if it skipped
    /// any. For callers that do not need items.
    #[inline]
    pub(crate) fn pass_plain_items(&mut self) -> bool {
        if self.phase != Phase::Line || self.leaf != Leaf::None || self.limit == 0 {
            return false;
        }
        self.pass_empty_lines();
        let before = self.next;
        while let Some((_, length)) = plain_item(self.text.get(self.next..).unwrap_or_default()) {
            self.next += length;
        }
        if self.next == before {
            return false;
        }
        self.matched = 0;
        self.close_unmatched();
        true
    }

    #[inline]
    fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.text.get(start..end).unwrap_or_default()
    }

    #[inline]
    fn rest_of_line(&self, from: usize) -> &'a [u8] {
        self.slice(from, self.line_end)
    }

    #[inline]
    fn block(&self, kind: Kind, text: Text<'a>) -> Block<'a> {
        Block {
            kind,
            depth: self.items,
            quotes: self.depth.saturating_sub(self.items),
            in_item: self.depth > 0 && self.container(self.depth - 1) != QUOTE,
            text,
        }
    }

    #[inline]
    fn look(&self) -> Next {
        let mut column = self.column;
        let line = self.rest_of_line(self.at);
        for (i, &byte) in line.iter().enumerate() {
            match byte {
                b' ' => column += 1,
                b'\t' => column += 4 - column % 4,
                _ => {
                    return Next {
                        indent: column - self.column,
                        at: self.at + i,
                        first: Some(byte),
                    };
                }
            }
        }
        Next { indent: column - self.column, at: self.line_end, first: None }
    }

    /// Advances by columns of blanks. Can stop within a tab.
    fn skip_columns(&mut self, mut count: usize) {
        while count > 0 {
            let width = match self.text.get(self.at) {
                Some(b'\t') => 4 - self.column % 4,
                Some(_) => 1,
                None => return,
            };
            if width > count {
                self.column += count;
                return;
            }
            self.column += width;
            self.at += 1;
            count -= width;
        }
    }

    /// Advances to `next` and over `length` bytes that are not tabs.
    fn skip_to(&mut self, next: Next, length: usize) {
        self.at = next.at + length;
        self.column += next.indent + length;
    }

    fn container(&self, index: u16) -> u8 {
        self.containers.get(usize::from(index)).copied().unwrap_or(QUOTE)
    }

    fn push(&mut self, container: u8) {
        if let Some(place) = self.containers.get_mut(usize::from(self.depth)) {
            *place = container;
            self.depth += 1;
            self.items += u16::from(container != QUOTE);
            self.columns += width(container);
            if self.columns > WIDEST && self.too_wide.is_none() {
                self.too_wide = Some(self.at);
            }
        }
        self.matched = self.depth;
        self.empty_item = false;
    }

    /// Closes the containers that do not continue.
    #[inline]
    fn close_unmatched(&mut self) {
        while self.depth > self.matched {
            self.depth -= 1;
            let container = self.container(self.depth);
            self.items -= u16::from(container != QUOTE);
            self.columns -= width(container);
            self.empty_item = false;
        }
    }

    /// Closes the leaf, then the containers that do not continue.
    fn close(&mut self) -> Option<Block<'a>> {
        let raw = self.slice(self.leaf_start, self.leaf_end);
        let block = match self.leaf {
            Leaf::None => None,
            Leaf::Paragraph => Some(self.block(Kind::Paragraph, self.paragraph(raw))),
            Leaf::Fence { .. } | Leaf::Indented => Some(self.block(Kind::Code, Text::plain(raw))),
            Leaf::Html(_) => Some(self.block(Kind::Html, Text::plain(raw))),
        };
        self.leaf = Leaf::None;
        self.close_unmatched();
        block
    }

    fn paragraph(&self, raw: &'a [u8]) -> Text<'a> {
        let escape = match self.lines {
            false => Escape::Plain,
            true if self.depth > self.items => Escape::MarkdownQuote,
            true => Escape::Markdown,
        };
        Text::escaped(raw, escape)
    }

    fn open_leaf(&mut self, leaf: Leaf, start: usize, end: usize) {
        self.leaf = leaf;
        self.leaf_start = start;
        self.leaf_end = end;
        self.lines = false;
        self.empty_item = false;
        self.phase = Phase::Line;
    }

    /// Skips empty lines, if no leaf is open and they do not close a container. They would close
    /// quotes and empty items.
    #[inline]
    fn pass_empty_lines(&mut self) {
        if self.depth == self.items && !self.empty_item {
            self.next += empty_lines(self.text.get(self.next..).unwrap_or_default());
        }
    }

    /// Takes the next line if it is a heading at the start of a line, after skipping empty lines.
    #[inline]
    fn plain_line(&mut self) -> Option<Block<'a>> {
        if self.leaf != Leaf::None {
            return None;
        }
        self.pass_empty_lines();
        let rest = self.text.get(self.next..)?;
        if !matches!(rest, [b'#', ..]) {
            return None;
        }
        let (end, next) = line_end(rest, 0);
        let (level, text) = atx_heading(rest.get(..end)?)?;
        self.next += next;
        self.matched = 0;
        self.close_unmatched();
        Some(self.block(Kind::Heading(level), Text::plain(text)))
    }

    /// Reads a line: finds out which containers continue, and whether the leaf continues.
    fn start_line(&mut self) -> Option<Block<'a>> {
        if self.next >= self.text.len() {
            self.phase = Phase::Done;
            return self.close();
        }
        self.line = self.next;
        self.at = self.next;
        self.column = 0;
        (self.line_end, self.next) = line_end(self.text, self.at);
        self.matched = 0;
        let next = self.match_containers();
        if self.matched < self.depth {
            return match self.leaf {
                Leaf::Paragraph if next.first.is_some() => {
                    self.phase = Phase::Open;
                    None
                }
                _ => {
                    self.phase = if next.first.is_some() { Phase::Open } else { Phase::Line };
                    self.close()
                }
            };
        }
        match (self.leaf, next.first) {
            (Leaf::None, None) => None,
            (Leaf::None | Leaf::Paragraph, Some(_)) => {
                self.phase = Phase::Open;
                None
            }
            (Leaf::Paragraph, None) | (Leaf::Html(6 | 7), None) => self.close(),
            (Leaf::Fence { mark, length }, _) => {
                if next.indent < 4 && closes_fence(self.rest_of_line(next.at), mark, length) {
                    return self.close();
                }
                self.leaf_end = self.next;
                None
            }
            (Leaf::Indented, None) => None,
            (Leaf::Indented, Some(_)) => {
                if next.indent < 4 {
                    self.phase = Phase::Open;
                    return self.close();
                }
                self.leaf_end = self.line_end;
                None
            }
            (Leaf::Html(kind), _) => {
                self.leaf_end = self.line_end;
                if html::ends(kind, self.rest_of_line(self.at)) { self.close() } else { None }
            }
        }
    }

    /// Counts the containers that continue in the line and skips their markers.
    #[inline]
    fn match_containers(&mut self) -> Next {
        let mut next = self.look();
        while self.matched < self.depth {
            let container = self.container(self.matched);
            if container == QUOTE {
                if next.indent > 3 || next.first != Some(b'>') {
                    break;
                }
                self.pass_quote(next);
            } else if next.first.is_none() {
                // A blank line continues every item up to the next block quote, except an empty
                // item.
                let rest = self
                    .containers
                    .get(usize::from(self.matched)..usize::from(self.depth))
                    .unwrap_or_default();
                let items = scan::memchr(QUOTE, rest).unwrap_or(rest.len());
                self.matched += items as u16;
                self.matched -= u16::from(self.matched == self.depth && self.empty_item);
                break;
            } else if next.indent >= usize::from(container) {
                self.skip_columns(usize::from(container));
            } else {
                break;
            }
            self.matched += 1;
            next = self.look();
        }
        next
    }

    /// Skips `>` and one column of blanks after it.
    fn pass_quote(&mut self, next: Next) {
        self.skip_to(next, 1);
        if self.at < self.line_end && matches!(self.text.get(self.at), Some(b' ' | b'\t')) {
            self.skip_columns(1);
        }
    }

    /// Runs one step in the rest of the line. Only a paragraph can be open here.
    fn open(&mut self) -> Option<Block<'a>> {
        let next = self.look();
        let paragraph = self.leaf == Leaf::Paragraph;
        let Some(first) = next.first else {
            self.phase = Phase::Line;
            return None;
        };
        if next.indent >= 4 {
            if paragraph {
                return self.open_paragraph(next);
            }
            self.open_leaf(Leaf::Indented, self.at, self.line_end);
            return None;
        }
        let line = self.rest_of_line(next.at);
        match first {
            b'>' if self.has_room(next) => {
                if paragraph {
                    return self.close();
                }
                self.pass_quote(next);
                self.push(QUOTE);
                return None;
            }
            b'#' => {
                if let Some((level, text)) = atx_heading(line) {
                    return self.whole_line(Kind::Heading(level), text);
                }
            }
            b'`' | b'~' => {
                if let Some((mark, length)) = fence(line) {
                    if paragraph {
                        return self.close();
                    }
                    self.open_leaf(Leaf::Fence { mark, length }, self.next, self.next);
                    return None;
                }
            }
            b'<' => {
                if let Some(kind) = html::start(line, paragraph) {
                    if paragraph {
                        return self.close();
                    }
                    self.open_leaf(Leaf::Html(kind), next.at, self.line_end);
                    return if html::ends(kind, line) { self.close() } else { None };
                }
            }
            b'-' | b'=' | b'*' | b'_' | b'+' | b'0'..=b'9' => {
                let goes_on = paragraph && self.matched == self.depth;
                if goes_on && let Some(level) = setext_underline(line) {
                    self.phase = Phase::Line;
                    let heading = self.close()?;
                    return Some(Block { kind: Kind::Heading(level), ..heading });
                }
                if !is_plain_item(line) && is_break(line) {
                    return self.whole_line(Kind::Break, trim_blanks_end(line));
                }
                if let Some(length) = list_marker(line, goes_on)
                    && self.has_room(next)
                {
                    if paragraph {
                        self.phase = Phase::Item(next, length);
                        return self.close();
                    }
                    return Some(self.open_item(next, length));
                }
            }
            _ => {}
        }
        self.open_paragraph(next)
    }

    /// True if another container may be opened.
    fn has_room(&mut self, next: Next) -> bool {
        if self.matched < self.limit {
            return true;
        }
        if self.overflow.is_none() {
            self.overflow = Some(next.at);
        }
        false
    }

    /// Returns a block made of the rest of this line. If a paragraph is open, returns the paragraph
    /// first; the step then runs again.
    fn whole_line(&mut self, kind: Kind, text: &'a [u8]) -> Option<Block<'a>> {
        if self.leaf == Leaf::Paragraph {
            return self.close();
        }
        self.phase = Phase::Line;
        self.empty_item = false;
        Some(self.block(kind, Text::plain(text)))
    }

    fn open_item(&mut self, next: Next, length: usize) -> Block<'a> {
        self.phase = Phase::Open;
        let marker = self.slice(next.at, next.at + length);
        self.skip_to(next, length);
        let content = self.look();
        // The content starts at the next text, unless that is far enough to be code, or missing.
        let blanks = if content.first.is_none() || content.indent > 4 { 1 } else { content.indent };
        if content.first.is_none() {
            self.at = self.line_end;
        } else {
            self.skip_columns(blanks);
        }
        self.push((next.indent + length + blanks) as u8);
        self.empty_item = content.first.is_none();
        self.block(Kind::Item, Text::plain(marker))
    }

    /// Continues the paragraph, lazily or not, or opens one.
    fn open_paragraph(&mut self, next: Next) -> Option<Block<'a>> {
        let end = next.at + trim_blanks_end(self.rest_of_line(next.at)).len();
        if self.leaf == Leaf::Paragraph {
            self.leaf_end = end;
            self.lines = true;
            self.phase = Phase::Line;
        } else {
            self.open_leaf(Leaf::Paragraph, next.at, end);
        }
        None
    }
}

/// The columns of a container that count towards [`WIDEST`].
const fn width(container: u8) -> u16 {
    if container == QUOTE { 1 } else { container as u16 }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        loop {
            let block = match self.phase {
                Phase::Line => match self.plain_line() {
                    None => self.start_line(),
                    heading => heading,
                },
                Phase::Open => self.open(),
                Phase::Item(next, length) => Some(self.open_item(next, length)),
                Phase::Done => return None,
            };
            if block.is_some() {
                return block;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn passing_plain_items_leaves_out_nothing_else(
            lines in prop::collection::vec(prop::sample::select(std::vec![
                "- a\n", "- b c\n", "* d\r\n", "+ e\r", "- a\n\n", "\n", "  \n", "  f\n", "g\n", "- - h\n", "- > i\n", "> j\n", "> - k\n", "-\n",
                "## l\n", "# m\n", "===\n", "---\n", "```\n", "    n\n", "<b>\n", "<!--\n", "-->\n", "1. o\n", "- [p\n", "- é",
            ]), 0..24),
            depth in 0_usize..4,
        ) {
            let text = lines.concat();
            let outside = |block: &Block<'_>| block.depth == 0;
            let mut plain = Blocks::new(text.as_bytes(), depth);
            let expected: Vec<_> = plain.by_ref().filter(outside).collect();
            let (mut passing, mut found) = (Blocks::new(text.as_bytes(), depth), Vec::new());
            loop {
                passing.pass_plain_items();
                let Some(block) = passing.next() else { break };
                found.push(block);
            }
            found.retain(outside);
            prop_assert_eq!(found, expected);
            prop_assert_eq!((passing.overflow(), passing.too_wide()), (plain.overflow(), plain.too_wide()));
        }
    }
}
