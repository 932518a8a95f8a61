//! The ranges that diagnostics report. These functions hide the difference between the notations.

use super::{Check, Notation};
use crate::span::Span;
use crate::syntax::text::{Text, byte_order_mark};

impl<'a> Check<'_, '_, 'a, '_> {
    /// Returns the range of a value. In JSON, it includes the quotation marks.
    pub(super) fn at(&self, text: Text<'a>) -> Span {
        let span = Span::of(text.raw(), self.bytes);
        match self.notation {
            Notation::Text => span,
            Notation::Json => Span::new(span.start.saturating_sub(1), span.end.saturating_add(1)),
        }
    }

    pub(super) fn byte_before(&self, offset: u32) -> Option<u8> {
        self.bytes.get(offset.checked_sub(1)? as usize).copied()
    }

    /// Returns the range to report for a field that is missing in a block or object: the name of
    /// the block, or the opening brace of the object.
    pub(super) fn at_owner(&self, name: Option<Text<'a>>, source: &'a [u8]) -> Span {
        match (self.notation, name) {
            (Notation::Text, Some(name)) => self.at(name),
            _ => Span::of(source.get(..1).unwrap_or_default(), self.bytes),
        }
    }

    /// Returns the range of the key of a value. The value can be the first item of a list.
    pub(super) fn key(&self, value: Span) -> Span {
        let before = self.bytes.get(..value.start as usize).unwrap_or_default();
        let key = match self.notation {
            Notation::Text => {
                let line = before
                    .iter()
                    .rposition(|byte| matches!(byte, b'\n' | b'\r'))
                    .map_or(0, |end| end.saturating_add(1));
                let line = before.get(line..).unwrap_or_default();
                let line = line.get(byte_order_mark(line)..).unwrap_or_default();
                crate::syntax::line::trim(
                    line.split(|&byte| byte == b':').next().unwrap_or_default(),
                )
            }
            Notation::Json => {
                let is_between =
                    |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b':' | b'[');
                let end = before
                    .iter()
                    .rposition(|byte| !is_between(byte))
                    .map_or(0, |last| last.saturating_add(1));
                let inner = before.get(..end.saturating_sub(1)).unwrap_or_default();
                let start = inner.iter().rposition(|&byte| byte == b'"').unwrap_or(end);
                before.get(start..end).unwrap_or_default()
            }
        };
        Span::of(key, self.bytes)
    }
}
