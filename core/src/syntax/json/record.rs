//! The members of an object, noted while they are validated: of each where it stands and what it is, twelve bytes.
//!
//! [`Core::fields`] is the loop that typed reading spends its time in. It is one piece of code for every view of every format: a view is a
//! table of names to it, and a slice of places to write to. What it needs for each token it holds in registers. A container that the
//! caller wants to read itself ends the loop, which goes on behind it when it is called again.

use super::fused::Unfused;
use super::locate::Locate;
use super::machine::{Core, Step};
use super::names::Names;
use super::tokenizer::TokenKind;
use super::value::{Kind, Value};
use super::view::{Read, Seen};
use crate::span::Span;
use crate::syntax::text::Text;

/// A value, as offsets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// What it begins with.
    pub(crate) kind: TokenKind,
    /// Whether a string holds a backslash.
    pub(crate) escaped: bool,
}

impl Slot {
    const EMPTY: Self = Self {
        start: 0,
        end: 0,
        kind: TokenKind::Null,
        escaped: false,
    };

    #[inline]
    pub(crate) fn of(step: Step) -> Self {
        Self {
            start: step.start as u32,
            end: step.end as u32,
            kind: step.kind,
            escaped: step.escaped,
        }
    }

    /// The place of a value of the document `bytes`.
    pub(crate) fn of_value(value: Value<'_>, bytes: &[u8]) -> Self {
        let kind = match value.kind() {
            Kind::Object => TokenKind::ObjectStart,
            Kind::Array => TokenKind::ArrayStart,
            Kind::String => TokenKind::String,
            Kind::Number => TokenKind::Number,
            Kind::Bool if value.as_bool() == Some(true) => TokenKind::True,
            Kind::Bool => TokenKind::False,
            Kind::Null => TokenKind::Null,
        };
        let Span { start, end } = Span::of(value.raw(), bytes);
        Self {
            start,
            end,
            kind,
            escaped: value.is_escaped(),
        }
    }

    /// The bytes of the value.
    #[inline]
    pub(crate) fn raw(self, bytes: &[u8]) -> &[u8] {
        bytes
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    #[inline]
    pub(crate) fn value<'a>(self, bytes: &'a [u8]) -> Value<'a> {
        let raw = self.raw(bytes);
        if self.kind == TokenKind::String {
            Value::string(raw, self.escaped)
        } else {
            Value::trusted(raw)
        }
    }

    /// The string, where it is one.
    #[inline]
    pub(crate) fn text<'a>(self, bytes: &'a [u8]) -> Option<Text<'a>> {
        if self.kind != TokenKind::String {
            return None;
        }
        let inside = bytes
            .get(self.start as usize + 1..(self.end as usize).wrapping_sub(1))
            .unwrap_or_default();
        Some(if self.escaped {
            Text::json(inside)
        } else {
            Text::plain(inside)
        })
    }
}

/// What was noted of an object besides its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    /// Where the object stands.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// One bit for each field that was named, `null` or not.
    pub(crate) named: u32,
    /// One bit for each field whose container was given to the caller.
    given: u32,
    /// The field whose container the caller is reading; its end is not noted yet.
    open: u32,
    /// Whether there are members that the table does not name.
    pub(crate) unknown: bool,
}

/// Which containers the caller reads itself: one bit for each field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wants {
    pub(crate) objects: u32,
    pub(crate) arrays: u32,
    /// Whether it is told unknown names before their values are read.
    pub(crate) names: bool,
}

impl Wants {
    pub(crate) const NOTHING: Self = Self {
        objects: 0,
        arrays: 0,
        names: false,
    };
}

/// Where [`Core::fields`] ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Met<'a> {
    /// At the end of the object.
    End,
    /// Behind the bracket of a container that the caller wants, in this field.
    Container(u32, Step),
    /// Before the value of an unknown member.
    Unknown(Text<'a>),
}

/// An object: where the values of its fields stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<const N: usize> {
    pub(crate) marks: Marks,
    pub(crate) slots: [Slot; N],
}

impl<const N: usize> Record<N> {
    pub(crate) const fn new() -> Self {
        let marks = Marks {
            start: 0,
            end: 0,
            named: 0,
            given: 0,
            open: u32::MAX,
            unknown: false,
        };
        Self {
            marks,
            slots: [Slot::EMPTY; N],
        }
    }

    /// Forgets everything, for the object whose brace stands at `start`.
    // The slots of fields that are not named are never looked at.
    #[inline]
    pub(crate) fn open(&mut self, start: usize) -> &mut Self {
        self.marks = Marks {
            start: start as u32,
            end: 0,
            named: 0,
            given: 0,
            open: u32::MAX,
            unknown: false,
        };
        self
    }

    /// Reads on in the innermost object; [`Core::fields`].
    #[inline]
    pub(crate) fn read<'a, L: Locate>(
        &mut self,
        tokens: &mut Core<'a, L>,
        names: &Names,
        wants: Wants,
    ) -> Result<Met<'a>, Unfused> {
        tokens.fields(names, wants, &mut self.marks, &mut self.slots)
    }

    /// Reads all of an object that holds nothing the caller wants to read itself.
    #[inline]
    pub(crate) fn read_all<L: Locate>(
        &mut self,
        tokens: &mut Core<'_, L>,
        names: &Names,
    ) -> Result<(), Unfused> {
        self.read(tokens, names, Wants::NOTHING).map(|_| ())
    }

    /// Where the value of a field stands, if it is named.
    #[inline]
    pub(crate) fn slot(&self, field: u32) -> Option<Slot> {
        if self.marks.named.checked_shr(field).unwrap_or(0) & 1 == 0 {
            return None;
        }
        self.slots.get(field as usize).copied()
    }

    /// The object.
    #[inline]
    pub(crate) fn object<'a>(&self, bytes: &'a [u8]) -> Value<'a> {
        Value::trusted(
            bytes
                .get(self.marks.start as usize..self.marks.end as usize)
                .unwrap_or_default(),
        )
    }
}

/// Reads a field of a view from its place; the view is fresh.
#[inline]
pub(crate) fn take_slot<'a, T: Read<'a>>(
    place: &mut Option<T>,
    bytes: &'a [u8],
    slot: Slot,
    seen: &mut Seen,
    field: u32,
) {
    seen.unknown |= T::KEPT;
    if slot.kind == TokenKind::Null {
        return;
    }
    *place = T::read_slot(bytes, slot);
    seen.present |= 1 << field;
    if place.is_none() {
        seen.ill_typed |= 1 << field;
    }
}

impl<'a, L: Locate> Core<'a, L> {
    /// Notes the members of the innermost object, from where the tokens stand: behind its brace, or behind a value in it.
    ///
    /// A field whose container was given to the caller must not come again: what was told cannot be taken back.
    #[inline(never)]
    pub(crate) fn fields(
        &mut self,
        names: &Names,
        wants: Wants,
        marks: &mut Marks,
        slots: &mut [Slot],
    ) -> Result<Met<'a>, Unfused> {
        if let Some(slot) = slots.get_mut(marks.open as usize) {
            slot.end = self.position() as u32;
        }
        marks.open = u32::MAX;
        let bytes = self.bytes();
        let mut named = marks.named;
        let met = loop {
            // A copy that nobody else can see stays in registers. It is put back only where somebody else goes on.
            let paused = self.in_registers(|machine| {
                loop {
                    let Some(name) = machine.next_name()? else {
                        return Ok(Paused::End);
                    };
                    let (from, to) = (name.start + 1, name.end.wrapping_sub(1));
                    let field = if name.escaped {
                        names.find(Text::json(bytes.get(from..to).unwrap_or_default()))
                    } else {
                        names.find_at(bytes, from, to)
                    };
                    let Some(field) = field else {
                        marks.unknown = true;
                        if wants.names {
                            return Ok(Paused::Unknown(name));
                        }
                        let step = machine.next_value()?;
                        if matches!(step.kind, TokenKind::ObjectStart | TokenKind::ArrayStart) {
                            return Ok(Paused::Container(u32::MAX, step));
                        }
                        continue;
                    };
                    let bit = 1_u32.wrapping_shl(field);
                    if marks.given & bit != 0 {
                        return Err(Unfused::Irregular);
                    }
                    named |= bit;
                    let step = machine.next_value()?;
                    if let Some(slot) = slots.get_mut(field as usize) {
                        *slot = Slot::of(step);
                    }
                    if matches!(step.kind, TokenKind::ObjectStart | TokenKind::ArrayStart) {
                        return Ok(Paused::Container(field, step));
                    }
                }
            })?;
            match paused {
                Paused::End => {
                    marks.end = self.position() as u32;
                    break Met::End;
                }
                Paused::Unknown(name) => break Met::Unknown(self.text(name)),
                Paused::Container(field, step) => {
                    let wanted = if step.kind == TokenKind::ObjectStart {
                        wants.objects
                    } else {
                        wants.arrays
                    };
                    if wanted.checked_shr(field).unwrap_or(0) & 1 == 1 {
                        marks.given |= 1_u32.wrapping_shl(field);
                        marks.open = field;
                        break Met::Container(field, step);
                    }
                    self.finish()?;
                    if let Some(slot) = slots.get_mut(field as usize) {
                        slot.end = self.position() as u32;
                    }
                }
            }
        };
        marks.named = named;
        Ok(met)
    }
}

/// Where the loop of [`Core::fields`] is left.
enum Paused {
    End,
    Container(u32, Step),
    Unknown(Step),
}
