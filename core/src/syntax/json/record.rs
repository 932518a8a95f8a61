//! Stores the members of an object as byte offsets: for each field the start and the end of its
//! last value, in twelve bytes.
//!
//! The objects of some fields are recorded together with the enclosing object
//! ([`Nested`](super::names::Nested)). Their fields follow its own.
//!
//! A view is made from a record only. There are two ways to fill a record: [`Record::read`] takes
//! the members from the tokenizer during validation, [`Record::walk`] from a validated object.
//! Typed reading spends most of its time in the loop of `read`, so that loop is a single function
//! for all views of all formats, and keeps its state in registers. At a container that the caller
//! wants to read, the loop returns; the next call continues after the container.

mod aliases;

use super::locate::Locate;
use super::machine::{Core, Step};
use super::names::Names;
use super::tokenizer::TokenKind;
use super::value::{Kind, Member, MemberAt, Value, comma_end, value_at};
use super::view::{Read, Seen};
use crate::error::Error;
use crate::span::Span;
use crate::syntax::text::Text;
pub(crate) use aliases::counted;
use aliases::{CONTESTED, contested};

/// A value as byte offsets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The kind of the first token.
    pub(crate) kind: TokenKind,
    /// Whether a string contains a backslash.
    pub(crate) escaped: bool,
    /// The types of the elements of an array, or of the values of an object.
    pub(crate) holds: Holds,
}

/// The type that all elements of an array, or all values of an object, are known to have: one bit
/// for each type, so that an empty container has both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Holds(u8);

impl Holds {
    /// Not known, or values of several types or of another type.
    pub(crate) const UNKNOWN: Self = Self(0);
    pub(crate) const TEXTS: Self = Self(1);
    pub(crate) const OBJECTS: Self = Self(2);
    /// Nothing yet; as an argument of [`Self::are`], only texts or only objects.
    pub(crate) const TEXTS_OR_OBJECTS: Self = Self(Self::TEXTS.0 | Self::OBJECTS.0);

    /// Adds the value that ends with a token of this kind. The name of a member changes nothing.
    #[inline(always)]
    pub(crate) fn add(&mut self, kind: TokenKind) {
        self.0 &= match kind {
            TokenKind::String => Self::TEXTS.0,
            TokenKind::ObjectEnd => Self::OBJECTS.0,
            TokenKind::Name => Self::TEXTS_OR_OBJECTS.0,
            _ => Self::UNKNOWN.0,
        };
    }

    /// Finds out what a value holds. Linear.
    pub(crate) fn of(value: Value<'_>) -> Self {
        let mut holds = match value.kind() {
            Kind::Array | Kind::Object => Self::TEXTS_OR_OBJECTS,
            _ => Self::UNKNOWN,
        };
        let values = value.members().map(|member| member.value);
        for value in value.elements().chain(values) {
            holds.add(match value.kind() {
                Kind::String => TokenKind::String,
                Kind::Object => TokenKind::ObjectEnd,
                _ => TokenKind::ArrayEnd,
            });
        }
        holds
    }

    /// Whether all elements are known to have the same one of these types.
    #[inline]
    pub(crate) const fn are(self, types: Self) -> bool {
        self.0 & types.0 != 0
    }
}

impl Slot {
    pub(crate) const EMPTY: Self = Self {
        start: 0,
        end: 0,
        kind: TokenKind::ObjectStart,
        escaped: false,
        holds: Holds::UNKNOWN,
    };

    #[inline]
    pub(crate) fn of(step: Step) -> Self {
        Self {
            start: step.start as u32,
            end: step.end as u32,
            kind: step.kind,
            escaped: step.escaped,
            holds: Holds::UNKNOWN,
        }
    }

    /// Returns the slot of a value of the document `bytes`.
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
        Self { start, end, kind, escaped: value.is_escaped(), holds: Holds::UNKNOWN }
    }

    /// Returns the bytes of the value.
    #[inline]
    pub(crate) fn raw(self, bytes: &[u8]) -> &[u8] {
        bytes.get(self.start as usize..self.end as usize).unwrap_or_default()
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

    /// Returns the string, if the value is one.
    #[inline]
    pub(crate) fn text<'a>(self, bytes: &'a [u8]) -> Option<Text<'a>> {
        (self.kind == TokenKind::String).then(|| self.inside(bytes))
    }

    /// Returns the text between the quotes of a string or name.
    #[inline]
    pub(crate) fn inside(self, bytes: &[u8]) -> Text<'_> {
        let inside = bytes
            .get(self.start as usize + 1..(self.end as usize).wrapping_sub(1))
            .unwrap_or_default();
        if self.escaped { Text::json(inside) } else { Text::plain(inside) }
    }
}

/// The containers that the caller reads itself: one bit for each field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wants {
    pub(crate) objects: u32,
    pub(crate) arrays: u32,
    /// Whether the caller receives unknown names before the values are read.
    pub(crate) names: bool,
}

impl Wants {
    pub(crate) const NOTHING: Self = Self { objects: 0, arrays: 0, names: false };

    const fn container(self, field: u32, kind: TokenKind) -> bool {
        let wanted = match kind {
            TokenKind::ObjectStart => self.objects,
            _ => self.arrays,
        };
        field < u32::BITS && wanted >> field & 1 == 1
    }
}

/// Why [`Record::read`] returned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Met<'a> {
    /// The object ended.
    End,
    /// The bracket of a container that the caller wants was consumed; the container belongs to this
    /// field.
    Container(u32, Step),
    /// The next value belongs to an unknown member.
    Unknown(Text<'a>),
}

/// An object with the offsets of the values of its fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// The offset of the object.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// One bit for each field that is present, including `null`; and for the object and its nested
    /// ones, whether an alias occurs, or after [`Record::settle`], whether a field occurs under
    /// several names ([`contested`]).
    named: u32,
    /// For the object and its nested ones, the span from the first to the last unknown member;
    /// empty if there is none.
    unknown: [Span; 1 + Record::NESTED],
    /// One bit for each field whose container the caller received.
    given: u32,
    /// The field whose container the caller is reading; its end is not stored yet.
    open: u32,
    /// The object that is being read.
    level: Level,
    slots: [Slot; Record::FIELDS],
}

impl Record {
    /// The largest number of fields of a view, including those of nested objects.
    pub(crate) const FIELDS: usize = 24;
    /// The largest number of nested objects of a view.
    pub(crate) const NESTED: usize = 2;

    const NO_FIELD: u32 = u32::MAX;

    pub(crate) const fn new() -> Self {
        Self {
            start: 0,
            end: 0,
            named: 0,
            unknown: [Span::new(0, 0); 1 + Self::NESTED],
            given: 0,
            open: Self::NO_FIELD,
            level: OWN,
            slots: [Slot::EMPTY; Self::FIELDS],
        }
    }

    /// Clears the record, for the object that begins at `start`.
    // The slots of absent fields are never read.
    #[inline]
    pub(crate) fn open(&mut self, start: usize) -> &mut Self {
        (self.start, self.end) = (start as u32, 0);
        (self.named, self.given) = (0, 0);
        (self.open, self.level) = (Self::NO_FIELD, OWN);
        self.unknown = [Span::new(0, 0); 1 + Self::NESTED];
        self
    }

    /// Records the members of the validated value at an offset, up to the brace that closes it. A
    /// value that is not an object has no members.
    pub(crate) fn note(&mut self, bytes: &[u8], start: usize, names: &Names) {
        if bytes.get(start) == Some(&b'{') {
            self.walk_from(bytes, start, names, |_, _| {});
        } else {
            self.open(start).end = value_at(bytes, start).end;
        }
    }

    /// Records the members of a validated object, with offsets into `bytes`, and calls `each` with
    /// each of them and the number of its field.
    #[inline]
    pub(crate) fn walk<'a>(
        &mut self,
        object: Value<'a>,
        bytes: &'a [u8],
        names: &Names,
        each: impl FnMut(Option<u32>, Member<'a>),
    ) {
        let Span { start, end } = Span::of(object.raw(), bytes);
        // Members end with the object, even if the bytes are not the validated ones.
        let bytes = bytes.get(..end as usize).unwrap_or_default();
        if object.kind() == Kind::Object {
            self.walk_from(bytes, start as usize, names, each);
        } else {
            self.open(start as usize);
        }
        self.end = end;
    }

    /// Like [`walk`](Self::walk), for the object at an offset. No name follows the closing brace of
    /// the object, so its end need not be known.
    #[inline(always)]
    fn walk_from<'a>(
        &mut self,
        bytes: &'a [u8],
        start: usize,
        names: &Names,
        mut each: impl FnMut(Option<u32>, Member<'a>),
    ) {
        self.open(start);
        let mut at = start + 1;
        while let Some((name, value_start)) = MemberAt::begin(bytes, at) {
            let field = field_of(name, bytes, names, OWN, &mut self.named);
            let nested = match field {
                Some(field) if bytes.get(value_start) == Some(&b'{') => names.nested_at(field),
                _ => None,
            };
            let value = match nested {
                Some(nested_at) => self.walk_nested(bytes, value_start, names, nested_at),
                None => value_at(bytes, value_start),
            };
            let member = MemberAt::new(name, value, bytes);
            self.note_member(field, member);
            each(field, member.read(bytes));
            at = member.next;
        }
        self.end = object_end(bytes, start, at);
        if self.named & CONTESTED != 0 {
            self.settle(bytes, names);
        }
    }

    /// Records the members of the object of a nested field, and returns the object.
    #[inline(never)]
    fn walk_nested(&mut self, bytes: &[u8], start: usize, names: &Names, nested_at: usize) -> Slot {
        let Some(nested) = names.nested.get(nested_at) else {
            return value_at(bytes, start);
        };
        self.named &= !nested.bits;
        self.enter(nested_at);
        let mut at = start + 1;
        while let Some(member) = MemberAt::find(bytes, at) {
            let (level, names) = (self.level, nested.names);
            let field = field_of(member.name, bytes, names, level, &mut self.named);
            self.note_member(field.map(|field| nested.base.wrapping_add(field)), member);
            at = member.next;
        }
        self.level = OWN;
        Slot { start: start as u32, end: object_end(bytes, start, at), ..Slot::EMPTY }
    }

    /// Records a member of the object that is being read.
    #[inline(always)]
    fn note_member(&mut self, field: Option<u32>, member: MemberAt) {
        match field {
            Some(field) => self.set(field, member.value),
            None => self.note_unknown(member.name.start, member.value.end),
        }
    }

    /// Continues in a nested object. The caller clears its fields.
    #[inline]
    fn enter(&mut self, at: usize) {
        self.level = at.wrapping_add(1);
        if let Some(unknown) = self.unknown.get_mut(self.level) {
            *unknown = Span::new(0, 0);
        }
    }

    /// Stores the end and the content of the container of a field.
    #[inline]
    fn note_end(&mut self, field: u32, end: usize, holds: Holds) {
        if let Some(slot) = self.slots.get_mut(field as usize) {
            (slot.end, slot.holds) = (end as u32, holds);
        }
    }

    /// Stores the end and the content of the container that the caller received from [`Self::read`]
    /// and has read.
    pub(crate) fn close(&mut self, end: usize, holds: Holds) {
        self.note_end(self.open, end, holds);
        self.open = Self::NO_FIELD;
    }

    /// Stores the value of a field, replacing an earlier one.
    #[inline]
    pub(crate) fn set(&mut self, field: u32, value: Slot) {
        self.named |= 1_u32.wrapping_shl(field);
        if let Some(slot) = self.slots.get_mut(field as usize) {
            *slot = value;
        }
    }

    /// Records an unknown member, from the quote of its name to the end of its value.
    #[inline]
    fn note_unknown(&mut self, start: u32, end: u32) {
        if let Some(unknown) = self.unknown.get_mut(self.level) {
            if unknown.end == 0 {
                unknown.start = start;
            }
            unknown.end = end;
        }
    }

    /// Records that unknown members may be anywhere in the object.
    pub(crate) fn note_unknown_anywhere(&mut self) {
        self.note_unknown(self.start.saturating_add(1), self.end.saturating_sub(1));
    }

    /// Whether the object has unknown members.
    pub(crate) fn has_unknown(&self) -> bool {
        self.unknown.first().is_some_and(|unknown| unknown.end != 0)
    }

    /// Returns the slot of a field's value, if it is present.
    #[inline]
    pub(crate) fn slot(&self, field: u32) -> Option<Slot> {
        if self.named.checked_shr(field).unwrap_or(0) & 1 == 0 {
            return None;
        }
        self.slots.get(field as usize).copied()
    }

    /// Returns the fields of the object.
    #[inline]
    pub(crate) fn fields(&self) -> Fields<'_> {
        Fields {
            record: self,
            object: Span::new(self.start, self.end),
            base: 0,
            level: OWN,
            of_document: false,
        }
    }

    /// Reads the whole object that was just opened.
    #[inline]
    pub(crate) fn read_all<L: Locate>(
        &mut self,
        tokens: &mut Core<'_, L>,
        names: &Names,
    ) -> Result<(), Error> {
        self.read(tokens, names, Wants::NOTHING).map(|_| ())
    }

    /// Reads the members of the innermost object, from a position after its brace or after a value
    /// in it.
    ///
    /// Reported items cannot be withdrawn. If a field occurs again whose container the caller
    /// received, under the same name or another one, the tokens are marked ([`Core::repeats`]); the
    /// caller does not receive a second container.
    #[inline(never)]
    pub(crate) fn read<'a, L: Locate>(
        &mut self,
        tokens: &mut Core<'a, L>,
        names: &Names,
        wants: Wants,
    ) -> Result<Met<'a>, Error> {
        loop {
            match self.read_fields(tokens, names, wants)? {
                Paused::End => {
                    self.end = tokens.position() as u32;
                    if self.named & CONTESTED != 0 {
                        self.settle(tokens.bytes(), names);
                        // The caller may have received the container of the name that does not count.
                        tokens.repeats |= self.named & CONTESTED != 0 && self.given != 0;
                    }
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
                    let holds = tokens.finish()?;
                    self.note_end(field, tokens.position(), holds);
                }
            }
        }
    }

    /// Reads members up to one that needs more than to be recorded. Enters nested objects, and
    /// continues after them.
    #[inline(always)]
    fn read_fields<L: Locate>(
        &mut self,
        tokens: &mut Core<'_, L>,
        names: &Names,
        wants: Wants,
    ) -> Result<Paused, Error> {
        let bytes = tokens.bytes();
        // No other reference to this copy exists, so it stays in registers. It lacks the fields the
        // caller received, so that repeated ones show at the end.
        let mut named = self.named & !self.given;
        let (mut names_here, mut base) = names_of(names, self.level);
        let paused = tokens.in_registers(|machine| {
            let mut start = machine.member_start()?;
            loop {
                let Some((at, byte)) = start else {
                    let Some(nested) = names.nested.get(self.level.wrapping_sub(1)) else {
                        return Ok(Paused::End);
                    };
                    self.note_end(nested.field, machine.position(), Holds::UNKNOWN);
                    (self.level, names_here, base) = (OWN, names, 0);
                    start = machine.member_start_after_value()?;
                    continue;
                };
                let name = machine.name(at, byte)?;
                let slot = Slot::of(name);
                let Some(field) = field_of(slot, bytes, names_here, self.level, &mut named) else {
                    if wants.names && self.level == OWN {
                        return Ok(Paused::Unknown(name));
                    }
                    let step = machine.next_value()?;
                    if step.opens() {
                        return Ok(Paused::UnknownContainer(name.start as u32));
                    }
                    self.note_unknown(name.start as u32, step.end as u32);
                    start = machine.member_start_after_value()?;
                    continue;
                };
                let field = base.wrapping_add(field);
                named |= 1_u32.wrapping_shl(field);
                let step = machine.next_value()?;
                if let Some(slot) = self.slots.get_mut(field as usize) {
                    *slot = Slot::of(step);
                }
                if step.opens() {
                    if step.kind == TokenKind::ObjectStart
                        && self.level == OWN
                        && let Some(at) = names.nested_at(field)
                        && let Some(nested) = names.nested.get(at)
                    {
                        named &= !nested.bits;
                        self.enter(at);
                        (names_here, base) = (nested.names, nested.base);
                        start = machine.member_start()?;
                        continue;
                    }
                    return Ok(Paused::Container(field, step));
                }
                start = machine.member_start_after_value()?;
            }
        });
        tokens.repeats |= named & self.given != 0;
        self.named = named | self.given;
        paused
    }
}

/// The level of the record's own object. The level of a nested object is its index plus one.
const OWN: Level = 0;
type Level = usize;

/// Returns the names of an object, and the number of its first field.
#[inline]
fn names_of(names: &Names, level: Level) -> (&Names, u32) {
    match names.nested.get(level.wrapping_sub(1)) {
        Some(nested) => (nested.names, nested.base),
        None => (names, 0),
    }
}

/// Returns the field with a name; if the name is an alias, sets the bit of the level.
#[inline(always)]
fn field_of(name: Slot, bytes: &[u8], names: &Names, level: Level, named: &mut u32) -> Option<u32> {
    let (field, is_alias) = if name.escaped {
        let meaning = names.find(name.inside(bytes))?;
        (meaning.field, meaning.rank > 0)
    } else {
        let end = (name.end as usize).wrapping_sub(1);
        names.find_at(bytes, name.start as usize + 1, end)?
    };
    if is_alias {
        *named |= contested(level);
    }
    Some(field)
}

/// Returns the offset after the brace that closes the object at `start`; `at` is the offset after
/// its last member, as in [`MemberAt::next`].
#[inline]
fn object_end(bytes: &[u8], start: usize, at: usize) -> u32 {
    let is_empty = at == start + 1;
    let end = if is_empty { comma_end(bytes, at) } else { at };
    end.min(bytes.len()) as u32
}

/// The fields of a recorded object.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'r> {
    record: &'r Record,
    object: Span,
    /// The number of the first field.
    base: u32,
    level: Level,
    /// Whether the object is a document.
    pub(crate) of_document: bool,
}

impl<'r> Fields<'r> {
    /// Returns the fields as those of the object of a document.
    pub(crate) const fn of_document(self) -> Self {
        Self { of_document: true, ..self }
    }

    /// Returns the object.
    #[inline]
    pub(crate) fn object(self, bytes: &[u8]) -> Value<'_> {
        Value::trusted(self.object.slice(bytes))
    }

    /// Returns [`Seen::CONTESTED`] if a field occurs under several names.
    #[inline]
    pub(crate) const fn contested(self) -> u32 {
        self.record.named.wrapping_shl(self.level as u32) & Seen::CONTESTED
    }

    /// Returns the slot of a field's value, if it is present.
    #[inline]
    pub(crate) fn slot(self, field: u32) -> Option<Slot> {
        self.record.slot(self.base.wrapping_add(field))
    }

    /// Returns the span of the unknown members, as offsets into the object.
    #[inline]
    pub(crate) fn unknown(self) -> Span {
        let unknown = self.record.unknown.get(self.level);
        let Span { start, end } = unknown.copied().unwrap_or_default();
        Span::new(start.saturating_sub(self.object.start), end.saturating_sub(self.object.start))
    }

    /// Returns the fields of the object of a nested field; `None` if the value is not an object.
    /// `table` is the result of [`Names::nested_base`] for the field.
    #[inline]
    pub(crate) fn nested(self, table: Option<(Level, u32)>, slot: Slot) -> Option<Fields<'r>> {
        let (level, base) = table.filter(|_| slot.kind == TokenKind::ObjectStart)?;
        Some(Fields {
            record: self.record,
            object: Span::new(slot.start, slot.end),
            base,
            level,
            of_document: false,
        })
    }
}

/// Why [`Record::read_fields`] returned.
enum Paused {
    End,
    Container(u32, Step),
    /// The bracket of an unknown member was consumed; its name begins at this offset.
    UnknownContainer(u32),
    Unknown(Step),
}

/// Reads a field of a new view from its slot, and decides whether the value stays as metadata.
#[inline]
pub(crate) fn take_slot<'a, T: Read<'a>>(
    place: &mut Option<T>,
    (bytes, slot): (&'a [u8], Slot),
    nested: Option<Fields<'_>>,
    seen: &mut Seen,
    field: u32,
    of_document: bool,
) {
    if slot.kind == TokenKind::Null {
        return;
    }
    *place = T::read_slot(bytes, slot, nested);
    seen.present |= 1 << field;
    match place {
        Some(read)
            if T::KEPT
                && !slot.holds.are(T::WHOLE)
                && (of_document || read.is_kept(bytes, slot)) =>
        {
            seen.kept |= 1 << field;
        }
        Some(_) => {}
        None => seen.ill_typed |= 1 << field,
    }
}
