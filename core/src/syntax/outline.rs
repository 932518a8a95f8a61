//! The offsets of the top-level fields of a document: the result of parsing.

use crate::kind::Format;
use crate::span::Span;
use crate::syntax::json::record::{Holds, Record, Slot};
use crate::syntax::json::view::Table;
use crate::syntax::json::{TokenKind, Value};
use crate::syntax::text::trim;

/// The result of parsing a document, without its bytes: plain offsets without a lifetime, which can
/// be copied and stored.
///
/// [`Document::attach`](crate::Document::attach) combines it with the bytes.
///
/// INVARIANT: an absent field has the span 0..0. The span of a present field never ends at 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outline {
    pub(crate) format: Format,
    /// Flags of the format, one bit each. In JSON the bit of a field is set if its value is a
    /// string without escapes.
    pub(crate) flags: u32,
    /// The document without its byte order mark and, for robots.txt, without the part beyond the
    /// limit.
    pub(crate) body: Span,
    /// The top-level fields. The format defines their indexes.
    pub(crate) fields: [Span; Outline::FIELDS],
    /// What the fields of a JSON document hold.
    pub(crate) holds: [Holds; Outline::FIELDS],
}

impl Outline {
    /// The maximum number of top-level fields of a format.
    pub(crate) const FIELDS: usize = 24;

    /// Flag: a JSON document has top-level members that its format does not define.
    pub(crate) const UNKNOWN_MEMBERS: u32 = 1 << 31;

    /// Flag: a top-level field of a JSON document occurs under several names.
    const CONTESTED: u32 = 1 << 30;

    /// An outline without fields.
    pub(crate) const fn new(format: Format, body: Span) -> Self {
        Self {
            format,
            flags: 0,
            body,
            fields: [Span::new(0, 0); Self::FIELDS],
            holds: [Holds::UNKNOWN; Self::FIELDS],
        }
    }

    /// The format.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The bytes of a field.
    pub(crate) fn field<'a>(&self, bytes: &'a [u8], field: usize) -> Option<&'a [u8]> {
        let span = self.fields.get(field)?;
        if span.end == 0 { None } else { bytes.get(span.start as usize..span.end as usize) }
    }

    /// The top-level object of a JSON document.
    pub(crate) fn object<'a>(&self, bytes: &'a [u8]) -> Value<'a> {
        Value::trusted(trim(self.body.slice(bytes)))
    }

    /// Records a top-level member of a JSON document under the number of its field; without a
    /// number, as unknown. Of duplicate names, the last one counts.
    pub(crate) fn set_member(&mut self, field: Option<u32>, value: Slot) {
        let Some(field) = field else {
            self.flags |= Self::UNKNOWN_MEMBERS;
            return;
        };
        self.set(field as usize, Span::new(value.start, value.end));
        if let Some(holds) = self.holds.get_mut(field as usize) {
            let is_plain = value.kind == TokenKind::String && !value.escaped;
            self.flags = self.flags & !(1 << field) | u32::from(is_plain) << field;
            *holds = value.holds;
        }
    }

    /// The value of a member of a JSON document.
    #[inline]
    pub(crate) fn member<'a>(&self, bytes: &'a [u8], field: usize) -> Option<Value<'a>> {
        let raw = self.field(bytes, field)?;
        let plain = field < Self::FIELDS && self.flags >> field & 1 == 1;
        Some(if plain { Value::string(raw, false) } else { Value::trusted(raw) })
    }

    /// Records the top-level members of a JSON document.
    pub(crate) fn note(&mut self, record: &Record) {
        if record.fields().contested() != 0 {
            self.flags |= Self::CONTESTED;
        }
        for field in 0..Self::FIELDS {
            if let Some(slot) = record.slot(field as u32) {
                self.set_member(Some(field as u32), slot);
            }
        }
    }

    /// Returns the record of a JSON document's top level, which has no nested objects.
    pub(crate) fn record<T: Table>(&self, bytes: &[u8]) -> Record {
        const { assert!(T::NAMES.nested.is_empty()) }
        self.top(bytes)
    }

    fn top(&self, bytes: &[u8]) -> Record {
        let object = Span::of(self.object(bytes).raw(), bytes);
        let mut record = Record::new();
        record.open(object.start as usize).end = object.end;
        for field in 0..Self::FIELDS {
            if let Some(value) = self.member(bytes, field) {
                let mut slot = Slot::of_value(value, bytes);
                slot.holds = self.holds.get(field).copied().unwrap_or(Holds::UNKNOWN);
                record.set(field as u32, slot);
            }
        }
        record.note_contested(self.flags & Self::CONTESTED != 0);
        if self.flags & Self::UNKNOWN_MEMBERS != 0 {
            record.note_unknown_anywhere();
        }
        record
    }

    /// Extends the range of a list to a line. Returns true if it is the first line.
    #[inline]
    pub(crate) fn extend(&mut self, place: usize, start: usize, end: usize) -> bool {
        let Some(stretch) = self.fields.get_mut(place) else {
            return false;
        };
        let first = stretch.end == 0;
        if first {
            stretch.start = start as u32;
        }
        stretch.end = end as u32;
        first
    }

    /// Records the range of a field; the last one counts. Returns true if it was recorded before.
    pub(crate) fn set(&mut self, field: usize, span: Span) -> bool {
        match self.fields.get_mut(field) {
            Some(place) => core::mem::replace(place, span).end != 0,
            None => false,
        }
    }
}
