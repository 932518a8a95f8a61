//! Where the top-level fields of a document stand: the whole result of parsing, as plain offsets.

use crate::kind::Format;
use crate::span::Span;
use crate::syntax::json::record::{Record, Slot};
use crate::syntax::json::view::Table;
use crate::syntax::json::{TokenKind, Value};
use crate::syntax::text::trim;

/// The result of parsing a document, without its bytes: plain offsets, no lifetime, freely copied and stored.
///
/// [`Document::attach`](crate::Document::attach) puts both together again.
///
/// INVARIANT: an absent field is the span 0..0; a field that is there never ends at 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outline {
    pub(crate) format: Format,
    /// What the format notes about the document, one bit each. In JSON the bit of a field says that it is a string without escapes.
    pub(crate) flags: u32,
    /// The document without its byte order mark, and without what a limit cuts from a robots.txt.
    pub(crate) body: Span,
    /// The top-level fields, each in the place that the format gives it.
    pub(crate) fields: [Span; Outline::FIELDS],
}

impl Outline {
    /// How many top-level fields a format can have.
    pub(crate) const FIELDS: usize = 24;

    /// Flag: a JSON document has top-level members that its format does not name.
    pub(crate) const UNKNOWN_MEMBERS: u32 = 1 << 31;

    /// An outline without fields.
    pub(crate) const fn new(format: Format, body: Span) -> Self {
        Self {
            format,
            flags: 0,
            body,
            fields: [Span::new(0, 0); Self::FIELDS],
        }
    }

    /// The format.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The bytes of a field.
    pub(crate) fn field<'a>(&self, bytes: &'a [u8], field: usize) -> Option<&'a [u8]> {
        let span = self.fields.get(field)?;
        if span.end == 0 {
            None
        } else {
            bytes.get(span.start as usize..span.end as usize)
        }
    }

    /// The object that a JSON document is.
    pub(crate) fn object<'a>(&self, bytes: &'a [u8]) -> Value<'a> {
        Value::trusted(trim(self.body.slice(bytes)))
    }

    /// Notes where a member of a JSON document stands, and whether it is a string without escapes; the last one wins.
    pub(crate) fn set_member(&mut self, field: usize, span: Span, plain: bool) {
        self.set(field, span);
        if field < Self::FIELDS {
            self.flags = self.flags & !(1 << field) | u32::from(plain) << field;
        }
    }

    /// The value of a member of a JSON document.
    #[inline]
    pub(crate) fn member<'a>(&self, bytes: &'a [u8], field: usize) -> Option<Value<'a>> {
        let raw = self.field(bytes, field)?;
        let plain = field < Self::FIELDS && self.flags >> field & 1 == 1;
        Some(if plain {
            Value::string(raw, false)
        } else {
            Value::trusted(raw)
        })
    }

    /// Notes the members of a JSON document's top level.
    pub(crate) fn note(&mut self, record: &Record) {
        for field in 0..Self::FIELDS {
            if let Some(slot) = record.slot(field as u32) {
                let plain = slot.kind == TokenKind::String && !slot.escaped;
                self.set_member(field, Span::new(slot.start, slot.end), plain);
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
                record.set(field as u32, Slot::of_value(value, bytes));
            }
        }
        if self.flags & Self::UNKNOWN_MEMBERS != 0 {
            record.note_unknown_anywhere();
        }
        record
    }

    /// Stretches what is noted for a list to the line that stands there. Returns whether it is the first.
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

    /// Notes where a field stands; the last one wins. Returns whether it was noted before.
    pub(crate) fn set(&mut self, field: usize, span: Span) -> bool {
        match self.fields.get_mut(field) {
            Some(place) => core::mem::replace(place, span).end != 0,
            None => false,
        }
    }
}
