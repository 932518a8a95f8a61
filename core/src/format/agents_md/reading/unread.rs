//! Finds the text by which an agents.md forbids something outside of its section Cannot.

use super::{Cursor, Position};
use crate::format::agents_md::SectionKind;
use crate::format::agents_md::section::Place;
use crate::format::agents_md::words::{forbids, html_that_forbids, is_hidden};
use crate::model::List;
use crate::syntax::markdown::{Block, Blocks, Kind};
use crate::syntax::text::Text;

/// Returns the prohibitions in a body that no section has: lines that a person reads as a heading
/// above a list of forbidden things, although they open no section Cannot; the texts below these
/// lines; and code and HTML in Cannot and Behavior.
pub(crate) fn unread_prohibitions(body: &[u8]) -> List<'_, Text<'_>> {
    List::new(body, Place::new(None), next_unread)
}

/// Returns the next text that forbids something and is not read.
fn next_unread<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let mut blocks = Blocks::resume(cursor.bytes, cursor.containers);
    let mut place: Place = cursor.state();
    while let Some(block) = blocks.next() {
        let was_forbidden = place.forbids;
        place.pass(&block);
        place.heed(&block);
        if let Some(text) = unread(&block, &place, was_forbidden) {
            cursor.set(place);
            return Some(cursor.go_to(text, Position::after(&blocks)));
        }
    }
    cursor.bytes = b"";
    None
}

/// Returns the text of a block, if it is a prohibition that is not read.
fn unread<'a>(block: &Block<'a>, place: &Place, was_forbidden: bool) -> Option<Text<'a>> {
    let is_code_lost = matches!(place.section, Some(SectionKind::Cannot | SectionKind::Behavior));
    match block.kind {
        Kind::Html if is_hidden(block.text.raw()) => None,
        Kind::Html if !was_forbidden && !is_code_lost => {
            html_that_forbids(block.text.raw()).map(Text::plain)
        }
        Kind::Html => Some(block.text),
        Kind::Code if was_forbidden || is_code_lost => {
            Some(block.text).filter(|text| !text.is_blank())
        }
        Kind::Paragraph | Kind::Heading(_) if place.forbids || place.is_below(block.depth) => {
            Some(block.text).filter(|text| !text.raw().is_empty())
        }
        // A paragraph in Can that forbids something.
        Kind::Paragraph if place.section == Some(SectionKind::Can) && !place.is_of_item(block) => {
            Some(block.text).filter(|text| forbids(*text))
        }
        _ => None,
    }
}
