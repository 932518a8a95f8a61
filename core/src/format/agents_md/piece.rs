//! The YAML of an agents.md: where it stands in Markdown, and the values that are read from it.

use super::{Slot, SlotState};
use crate::limits::Limits;
use crate::span::Span;
use crate::syntax::markdown::{Block, Kind};
use crate::syntax::yaml::{Events, Resolved, Value};

/// The YAML in a block of an MCP section.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a [u8],
    /// The column where its first line starts, if the marker of an item precedes it; otherwise 0.
    column: usize,
}

impl<'a> Piece<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Self { text, column: 0 }
    }

    /// Returns the column, if the first line is an entry of a mapping in this column.
    pub(super) fn open_column(self) -> Option<u32> {
        let is_open = self.events(Limits::MAX_DEPTH).depth() > 0;
        is_open.then_some(self.column as u32)
    }

    pub(super) fn events(self, depth: usize) -> Events<'a> {
        Events::behind(self.text, depth, self.column)
    }
}

/// Returns the YAML in a block. If only blanks precede its first line, they are included, because
/// the columns of the lines matter.
pub(super) fn yaml_of<'a>(body: &'a [u8], block: &Block<'a>) -> Option<Piece<'a>> {
    if block.quotes > 0 || !matches!(block.kind, Kind::Paragraph | Kind::Code) {
        return None;
    }
    let raw = block.text.raw();
    let start = Span::of(raw, body).start as usize;
    let before = body.get(..start).unwrap_or_default();
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let line = before.iter().rposition(is_break).map_or(0, |at| at + 1);
    let indent = body.get(line..start).unwrap_or_default();
    if indent.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
        return Some(Piece::new(body.get(line..start + raw.len())?));
    }
    Some(Piece { text: raw, column: indent.len() })
}

/// Returns the slot for the value of a field, which must be a scalar. A number is read as text only
/// if `number` is true.
pub(super) fn slot(value: Value<'_>, bytes: &[u8], number: bool) -> Slot {
    let Value::Scalar(scalar) = value else {
        return Slot::UNREADABLE;
    };
    match scalar.resolve() {
        // An empty value is an error; `null` means absent.
        Resolved::Null if scalar.text.raw().is_empty() => Slot::UNREADABLE,
        Resolved::Null => Slot::ABSENT,
        Resolved::Int | Resolved::Float if number => Slot::of(scalar.text, bytes),
        Resolved::Str => Slot::of(scalar.text, bytes),
        Resolved::Bool(_) | Resolved::Int | Resolved::Float => Slot::UNREADABLE,
    }
}

/// Whether an entry at the top level is kept: its key is unknown or its value invalid. `field` is
/// the index of the key in [`TOP_FIELDS`].
pub(super) fn kept_at_top(field: Option<usize>, value: Value<'_>) -> bool {
    match (field, value) {
        (None, _) => true,
        (Some(0), _) => slot(value, b"", true).state() == SlotState::Unreadable,
        (Some(_), Value::Mapping(_)) => false,
        (Some(_), Value::Scalar(scalar)) => scalar.resolve() != Resolved::Null,
        (Some(_), Value::Sequence(_) | Value::Unsupported(_)) => true,
    }
}
