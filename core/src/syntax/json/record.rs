//! The members of an object, as offsets: for each field where its last value begins and ends, twelve bytes.
//!
//! A view is made from a record and from nothing else. A record is filled in two ways: [`Record::read`] takes the members from the tokenizer
//! while they are validated, [`Record::walk`] from a validated object. `read` is the loop that typed reading spends its time in. It is one
//! function for every view of every format, and holds its state in registers. A container that the caller wants to read itself ends the
//! loop, which continues behind it when it is called again.

use super::locate::Locate;
use super::machine::{Core, Step};
use super::names::Names;
use super::tokenizer::TokenKind;
use super::value::{Kind, Member, Value};
use super::view::{Read, Seen};
use crate::error::Error;
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
        kind: TokenKind::ObjectStart,
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

/// Which containers the caller reads itself: one bit for each field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wants {
    pub(crate) objects: u32,
    pub(crate) arrays: u32,
    /// Whether the caller receives unknown names before their values are read.
    pub(crate) names: bool,
}

impl Wants {
    pub(crate) const NOTHING: Self = Self {
        objects: 0,
        arrays: 0,
        names: false,
    };

    const fn container(self, field: u32, kind: TokenKind) -> bool {
        let wanted = match kind {
            TokenKind::ObjectStart => self.objects,
            _ => self.arrays,
        };
        field < u32::BITS && wanted >> field & 1 == 1
    }
}

/// Where [`Record::read`] ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Met<'a> {
    /// At the end of the object.
    End,
    /// Behind the bracket of a container that the caller wants, in this field.
    Container(u32, Step),
    /// Before the value of an unknown member.
    Unknown(Text<'a>),
}

/// An object: where the values of its fields are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Where the object is.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// One bit for each field that is present, `null` or not.
    pub(crate) named: u32,
    /// From the first unknown member to the end of the last one; empty where there is none.
    pub(crate) unknown: Span,
    /// One bit for each field whose container the caller has read.
    given: u32,
    /// The field whose container the caller is reading; its end is not noted yet.
    open: u32,
    slots: [Slot; Record::FIELDS],
}

impl Record {
    /// No view has more fields.
    pub(crate) const FIELDS: usize = 24;

    const NO_FIELD: u32 = u32::MAX;

    pub(crate) const fn new() -> Self {
        Self {
            start: 0,
            end: 0,
            named: 0,
            unknown: Span::new(0, 0),
            given: 0,
            open: Self::NO_FIELD,
            slots: [Slot::EMPTY; Self::FIELDS],
        }
    }

    /// Forgets everything, for the object that begins at `start`.
    // The slots of absent fields are never read.
    #[inline]
    pub(crate) fn open(&mut self, start: usize) -> &mut Self {
        (self.start, self.end) = (start as u32, 0);
        (self.named, self.unknown) = (0, Span::new(0, 0));
        (self.given, self.open) = (0, Self::NO_FIELD);
        self
    }

    /// Notes the members of a validated value, with offsets into its own bytes. What is no object has no members.
    pub(crate) fn note(&mut self, value: Value<'_>, names: &Names) {
        self.walk(value, value.raw(), names, |_, _| {});
    }

    /// Notes the members of a validated object, with offsets into `bytes`, and calls `each` with each of them and the number of its field.
    #[inline]
    pub(crate) fn walk<'a>(
        &mut self,
        object: Value<'a>,
        bytes: &'a [u8],
        names: &Names,
        mut each: impl FnMut(Option<u32>, Member<'a>),
    ) {
        let Span { start, end } = Span::of(object.raw(), bytes);
        self.open(start as usize).end = end;
        for member in object.members() {
            let field = names.find_in(bytes, member.name);
            match field {
                Some(field) => self.set(field, Slot::of_value(member.value, bytes)),
                None => {
                    let name = Span::of(member.name.raw(), bytes).start.saturating_sub(1);
                    self.note_unknown(name, Span::of(member.value.raw(), bytes).end);
                }
            }
            each(field, member);
        }
    }

    /// Notes the value of a field; the last one counts.
    #[inline]
    pub(crate) fn set(&mut self, field: u32, value: Slot) {
        self.named |= 1_u32.wrapping_shl(field);
        if let Some(slot) = self.slots.get_mut(field as usize) {
            *slot = value;
        }
    }

    /// Notes an unknown member, from the quote of its name to the end of its value.
    #[inline]
    pub(crate) fn note_unknown(&mut self, start: u32, end: u32) {
        if self.unknown.end == 0 {
            self.unknown.start = start;
        }
        self.unknown.end = end;
    }

    /// Returns where the value of a field is, if it is present.
    #[inline]
    pub(crate) fn slot(&self, field: u32) -> Option<Slot> {
        if self.named.checked_shr(field).unwrap_or(0) & 1 == 0 {
            return None;
        }
        self.slots.get(field as usize).copied()
    }

    /// Returns where the unknown members are, as offsets into the object.
    #[inline]
    pub(crate) fn unknown_in_object(&self) -> Span {
        Span::new(
            self.unknown.start.saturating_sub(self.start),
            self.unknown.end.saturating_sub(self.start),
        )
    }

    /// Returns the object.
    #[inline]
    pub(crate) fn object<'a>(&self, bytes: &'a [u8]) -> Value<'a> {
        Value::trusted(
            bytes
                .get(self.start as usize..self.end as usize)
                .unwrap_or_default(),
        )
    }

    /// Reads all of the object that was just opened.
    #[inline]
    pub(crate) fn read_all<L: Locate>(
        &mut self,
        tokens: &mut Core<'_, L>,
        names: &Names,
    ) -> Result<(), Error> {
        self.read(tokens, names, Wants::NOTHING).map(|_| ())
    }

    /// Reads the members of the innermost object, from where the tokens are: behind its brace, or behind a value in it.
    ///
    /// A field whose container the caller has read must not come again, because what was reported cannot be taken back. Then the container is
    /// not given to the caller, and the tokens are marked ([`Core::repeats`]).
    #[inline(never)]
    pub(crate) fn read<'a, L: Locate>(
        &mut self,
        tokens: &mut Core<'a, L>,
        names: &Names,
        wants: Wants,
    ) -> Result<Met<'a>, Error> {
        if let Some(slot) = self.slots.get_mut(self.open as usize) {
            slot.end = tokens.position() as u32;
        }
        self.open = Self::NO_FIELD;
        loop {
            match self.read_scalars(tokens, names, wants)? {
                Paused::End => {
                    self.end = tokens.position() as u32;
                    return Ok(Met::End);
                }
                Paused::Unknown(name) => return Ok(Met::Unknown(tokens.text(name))),
                Paused::UnknownContainer(name) => {
                    tokens.finish()?;
                    self.note_unknown(name, tokens.position() as u32);
                }
                Paused::Container(field, step) => {
                    if wants.container(field, step.kind) && !tokens.repeats {
                        self.given |= 1_u32.wrapping_shl(field);
                        self.open = field;
                        return Ok(Met::Container(field, step));
                    }
                    tokens.finish()?;
                    if let Some(slot) = self.slots.get_mut(field as usize) {
                        slot.end = tokens.position() as u32;
                    }
                }
            }
        }
    }

    /// Reads members up to one that needs more than a note.
    #[inline(always)]
    fn read_scalars<L: Locate>(
        &mut self,
        tokens: &mut Core<'_, L>,
        names: &Names,
        wants: Wants,
    ) -> Result<Paused, Error> {
        let bytes = tokens.bytes();
        let given = self.given;
        // A copy that nobody else can see stays in registers.
        let (mut named, mut again) = (self.named, false);
        let paused = tokens.in_registers(|machine| {
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
                    if wants.names {
                        return Ok(Paused::Unknown(name));
                    }
                    let step = machine.next_value()?;
                    if step.opens() {
                        return Ok(Paused::UnknownContainer(name.start as u32));
                    }
                    self.note_unknown(name.start as u32, step.end as u32);
                    continue;
                };
                let bit = 1_u32.wrapping_shl(field);
                again |= given & bit != 0;
                named |= bit;
                let step = machine.next_value()?;
                if let Some(slot) = self.slots.get_mut(field as usize) {
                    *slot = Slot::of(step);
                }
                if step.opens() {
                    return Ok(Paused::Container(field, step));
                }
            }
        });
        self.named = named;
        tokens.repeats |= again;
        paused
    }
}

/// Where [`Record::read_scalars`] ended.
enum Paused {
    End,
    Container(u32, Step),
    /// Behind the bracket of an unknown member, whose name begins at this offset.
    UnknownContainer(u32),
    Unknown(Step),
}

/// Reads a field of a view from its slot. The view is fresh.
#[inline]
pub(crate) fn take_slot<'a, T: Read<'a>>(
    place: &mut Option<T>,
    bytes: &'a [u8],
    slot: Slot,
    seen: &mut Seen,
    field: u32,
) {
    seen.kept |= T::KEPT;
    if slot.kind == TokenKind::Null {
        return;
    }
    *place = T::read_slot(bytes, slot);
    seen.present |= 1 << field;
    if place.is_none() {
        seen.ill_typed |= 1 << field;
    }
}
