//! The list of references.
//!
//! Between two steps, the list is between two blocks, possibly with open containers, like the lists
//! of agents.md; or within a paragraph, behind one of its lines. Its cursor holds:
//!
//! - `bytes`: the document from the name of the section to its end.
//! - the state: the length of the name, and the flags of [`Section`].
//! - `position`: the offset where reading continues.
//! - `containers`: the open containers; within a paragraph, the offset of its end.

use super::entry::{Entry, Place};
use super::{Escape, text};
use crate::model::Reference;
use crate::model::list::{Cursor, states};
use crate::scan;
use crate::span::Span;
use crate::syntax::fold::line_end;
use crate::syntax::markdown::{
    Blocks, Containers, Kind, first_link, may_hold_link, plain_heading, plain_item,
};
use crate::syntax::text::Text;

states! {
    /// The section of the next reference.
    struct Section {
        /// The length of its name; 0 without a section. A name of half a gigabyte is ignored.
        length: u32[29],
        /// The position is in a paragraph.
        in_paragraph: bool,
        /// The name is on several lines.
        is_folded: bool,
        /// It is a heading of level 3 to 6. The next heading replaces it.
        is_low: bool,
    }
}

/// Returns the next reference.
pub(super) fn next_reference<'a>(cursor: &mut Cursor<'a>) -> Option<Reference<'a>> {
    loop {
        let (entry, place) = next_text(cursor)?;
        if let Some(found) = Entry::of(entry, place, cursor.bytes) {
            let section = section(cursor);
            let is_optional = section.is_some_and(|name| name.eq_ignore_case("optional"));
            return Some(Reference {
                title: found.title,
                url: found.url,
                description: found.description,
                section,
                optional: is_optional.then_some(true),
                source: entry.raw(),
                ..Reference::default()
            });
        }
    }
}

/// Returns the name of the section at the position.
fn section<'a>(cursor: &Cursor<'a>) -> Option<Text<'a>> {
    let section: Section = cursor.state();
    let name = cursor.bytes.get(..section.length as usize)?;
    let escape = if section.is_folded { Escape::Markdown } else { Escape::Plain };
    (!name.is_empty()).then(|| Text::escaped(name, escape))
}

/// Returns the name that a heading gives to its section: the heading, or the text of the link if
/// the heading is only a link.
pub(super) fn name_of(heading: &[u8]) -> &[u8] {
    first_link(heading)
        .filter(|link| link.start == 0 && link.end == heading.len())
        .and_then(|link| link.label)
        .unwrap_or(heading)
}

impl<'a> Cursor<'a> {
    /// Enters the section that a heading opens.
    fn enter(&mut self, level: u8, heading: &'a [u8]) {
        let is_low = level > 2;
        let above: Section = self.state();
        if is_low && above.length != 0 && !above.is_low {
            return;
        }
        let name = name_of(heading);
        let start = Span::of(name, self.bytes).start;
        self.bytes = self.bytes.get(start as usize..).unwrap_or_default();
        self.position = self.position.saturating_sub(start);
        let is_folded = text(name, Escape::Markdown).is_escaped();
        let length = name.len() as u32;
        self.set(Section { length, in_paragraph: false, is_folded, is_low });
    }

    fn pass(&mut self, length: usize, containers: Containers) {
        self.position = self.position.saturating_add(length as u32);
        self.containers = containers;
    }

    /// Returns the next line of the open paragraph.
    fn next_line(&mut self) -> &'a [u8] {
        let [end, ..] = self.containers.numbers();
        let (end, at) = (end as usize, self.position as usize);
        let rest = self.bytes.get(at..).unwrap_or_default();
        let (line, next) = line_end(rest, 0);
        self.position = self.position.saturating_add(next as u32);
        if self.position as usize >= end || next == 0 {
            self.change(|section: &mut Section| section.in_paragraph = false);
            self.containers = Containers::NONE;
        }
        rest.get(..line).unwrap_or_default()
    }
}

/// Returns the next text that can be a reference: the first paragraph of a list item, or a line of
/// another paragraph.
fn next_text<'a>(cursor: &mut Cursor<'a>) -> Option<(Text<'a>, Place)> {
    loop {
        if cursor.state::<Section>().in_paragraph {
            return Some((Text::plain(cursor.next_line()), Place::Line));
        }
        let rest = cursor.bytes.get(cursor.position as usize..)?;
        if let Some((words, length)) = plain_item(rest) {
            cursor.pass(length, Containers::NONE);
            return Some((Text::plain(words), Place::Item));
        }
        if let Some((level, name, length)) = plain_heading(rest) {
            cursor.pass(length, Containers::NONE);
            cursor.enter(level, name);
            continue;
        }
        if rest.is_empty() {
            return None;
        }
        if let Some(found) = next_in_blocks(cursor, rest) {
            return Some(found);
        }
    }
}

/// Reads blocks up to the next text or heading, and returns the text. Returns `None` at a heading,
/// at a paragraph whose lines are read next, and at the end.
fn next_in_blocks<'a>(cursor: &mut Cursor<'a>, rest: &'a [u8]) -> Option<(Text<'a>, Place)> {
    let mut blocks = Blocks::resume(rest, cursor.containers);
    let mut is_item = false;
    while let Some(block) = blocks.next() {
        let is_first = core::mem::replace(&mut is_item, block.kind == Kind::Item);
        let raw = block.text.raw();
        match block.kind {
            Kind::Heading(level) if block.depth == 0 && block.quotes == 0 => {
                let mark = blocks.mark();
                cursor.pass(mark.offset, mark.containers);
                cursor.enter(level, raw);
                return None;
            }
            Kind::Paragraph | Kind::Heading(_) if is_first && block.depth > 0 => {
                let mark = blocks.mark();
                cursor.pass(mark.offset, mark.containers);
                return Some((block.text, Place::Item));
            }
            Kind::Paragraph if block.depth == 0 && block.quotes == 0 && may_hold_link(raw) => {
                let Span { start, end } = Span::of(raw, cursor.bytes);
                cursor.position = start;
                cursor.containers = Containers::of_numbers([end, 0, 0, 0]);
                cursor.change(|section: &mut Section| section.in_paragraph = true);
                return None;
            }
            _ => {}
        }
    }
    cursor.position = cursor.bytes.len() as u32;
    None
}

/// Returns the lines at the end of the document in which definitions are looked up.
pub(super) fn definitions(bytes: &[u8]) -> &[u8] {
    let start = bytes.len().saturating_sub(super::DEFINITIONS);
    let tail = bytes.get(start..).unwrap_or_default();
    if start == 0 {
        return tail;
    }
    // The first line may be cut.
    scan::memchr(b'\n', tail).and_then(|at| tail.get(at..)).unwrap_or_default()
}
