//! The members of an object, as offsets: for each field where its last value begins and ends, twelve bytes.
//!
//! Objects of some fields are recorded together with the object around them ([`Nested`](super::names::Nested)). Their fields follow its own.
//!
//! A view is made from a record and from nothing else. A record is filled in two ways: [`Record::read`] takes the members from the tokenizer
//! while they are validated, [`Record::walk`] from a validated object. `read` is the loop that typed reading spends its time in. It is one
//! function for every view of every format, and holds its state in registers. A container that the caller wants to read itself ends the
//! loop, which continues behind it when it is called again.

use super::locate::Locate;
use super::machine::{Core, Step};
use super::names::Names;
use super::tokenizer::TokenKind;
use super::value::{Kind, Member, MemberAt, Value};
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
        (self.kind == TokenKind::String).then(|| self.inside(bytes))
    }

    /// The text between the quotes of a string or name.
    #[inline]
    pub(crate) fn inside(self, bytes: &[u8]) -> Text<'_> {
        let inside = bytes
            .get(self.start as usize + 1..(self.end as usize).wrapping_sub(1))
            .unwrap_or_default();
        if self.escaped {
            Text::json(inside)
        } else {
            Text::plain(inside)
        }
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
    /// For the object and its nested ones, from the first unknown member to the end of the last one; empty where there is none.
    unknown: [Span; 1 + Record::NESTED],
    /// One bit for each field whose container the caller has read.
    given: u32,
    /// The field whose container the caller is reading; its end is not noted yet.
    open: u32,
    /// The object that is being read.
    level: Level,
    slots: [Slot; Record::FIELDS],
}

impl Record {
    /// No view has more fields, those of nested objects included.
    pub(crate) const FIELDS: usize = 24;
    /// No view has more nested objects.
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

    /// Forgets everything, for the object that begins at `start`.
    // The slots of absent fields are never read.
    #[inline]
    pub(crate) fn open(&mut self, start: usize) -> &mut Self {
        (self.start, self.end) = (start as u32, 0);
        (self.named, self.given) = (0, 0);
        (self.open, self.level) = (Self::NO_FIELD, OWN);
        self.unknown = [Span::new(0, 0); 1 + Self::NESTED];
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
        // Members end with the object, also where the bytes are not those that were validated.
        let bytes = bytes.get(..end as usize).unwrap_or_default();
        let mut at = match object.kind() {
            Kind::Object => start as usize + 1,
            _ => bytes.len(),
        };
        while let Some(member) = MemberAt::find(bytes, at) {
            at = member.next;
            let field = self.note_member(member, bytes, names, 0);
            if member.value.kind == TokenKind::ObjectStart
                && let Some(nested_at) = field.and_then(|field| names.nested_at(field))
            {
                self.walk_nested(member.value, bytes, names, nested_at);
            }
            each(field, member.read(bytes));
        }
    }

    /// Notes the members of the object of a nested field.
    #[inline(never)]
    fn walk_nested(&mut self, object: Slot, bytes: &[u8], names: &Names, nested_at: usize) {
        let Some(nested) = names.nested.get(nested_at) else {
            return;
        };
        self.named &= !nested.bits;
        self.enter(nested_at);
        let mut at = object.start as usize + 1;
        while let Some(member) = MemberAt::find(bytes, at) {
            at = member.next;
            self.note_member(member, bytes, nested.names, nested.base);
        }
        self.level = OWN;
    }

    /// Notes a member of the object that is being read, whose first field has the number `base`. Returns the number of its field.
    #[inline(always)]
    fn note_member(
        &mut self,
        member: MemberAt,
        bytes: &[u8],
        names: &Names,
        base: u32,
    ) -> Option<u32> {
        let field = field_of(member.name, bytes, names);
        match field {
            Some(field) => self.set(base.wrapping_add(field), member.value),
            None => self.note_unknown(member.name.start, member.value.end),
        }
        field
    }

    /// Continues in a nested object. The caller forgets its fields.
    #[inline]
    fn enter(&mut self, at: usize) {
        self.level = at.wrapping_add(1);
        if let Some(unknown) = self.unknown.get_mut(self.level) {
            *unknown = Span::new(0, 0);
        }
    }

    /// Notes where the container of a field ends.
    #[inline]
    fn note_end(&mut self, field: u32, end: usize) {
        if let Some(slot) = self.slots.get_mut(field as usize) {
            slot.end = end as u32;
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
    fn note_unknown(&mut self, start: u32, end: u32) {
        if let Some(unknown) = self.unknown.get_mut(self.level) {
            if unknown.end == 0 {
                unknown.start = start;
            }
            unknown.end = end;
        }
    }

    /// Notes that unknown members may be anywhere in the object.
    pub(crate) fn note_unknown_anywhere(&mut self) {
        self.note_unknown(self.start.saturating_add(1), self.end.saturating_sub(1));
    }

    /// Whether the object has unknown members.
    pub(crate) fn has_unknown(&self) -> bool {
        self.unknown.first().is_some_and(|unknown| unknown.end != 0)
    }

    /// Returns where the value of a field is, if it is present.
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
        }
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
        self.note_end(self.open, tokens.position());
        self.open = Self::NO_FIELD;
        loop {
            match self.read_fields(tokens, names, wants)? {
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
                    self.note_end(field, tokens.position());
                }
            }
        }
    }

    /// Reads members up to one that needs more than a note. Continues in nested objects, and after them.
    #[inline(always)]
    fn read_fields<L: Locate>(
        &mut self,
        tokens: &mut Core<'_, L>,
        names: &Names,
        wants: Wants,
    ) -> Result<Paused, Error> {
        let bytes = tokens.bytes();
        // A copy that nobody else can see stays in registers. It lacks the fields that were given, so that those which come again show at the end.
        let mut named = self.named & !self.given;
        let (mut names_here, mut base) = names_of(names, self.level);
        let paused = tokens.in_registers(|machine| {
            let mut start = machine.member_start()?;
            loop {
                let Some((at, byte)) = start else {
                    let Some(nested) = names.nested.get(self.level.wrapping_sub(1)) else {
                        return Ok(Paused::End);
                    };
                    self.note_end(nested.field, machine.position());
                    (self.level, names_here, base) = (OWN, names, 0);
                    start = machine.member_start_after_value()?;
                    continue;
                };
                let name = machine.name(at, byte)?;
                let Some(field) = field_of(Slot::of(name), bytes, names_here) else {
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

/// The object of a record itself, as opposed to a nested one, whose level is its place among those and one.
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

/// Returns the field that a name belongs to.
#[inline(always)]
fn field_of(name: Slot, bytes: &[u8], names: &Names) -> Option<u32> {
    if name.escaped {
        names.find(name.inside(bytes))
    } else {
        names.find_at(
            bytes,
            name.start as usize + 1,
            (name.end as usize).wrapping_sub(1),
        )
    }
}

/// The fields of a recorded object.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'r> {
    record: &'r Record,
    object: Span,
    /// The number of the first field.
    base: u32,
    level: Level,
}

impl<'r> Fields<'r> {
    /// Returns the object.
    #[inline]
    pub(crate) fn object(self, bytes: &[u8]) -> Value<'_> {
        Value::trusted(self.object.slice(bytes))
    }

    /// Returns where the value of a field is, if it is present.
    #[inline]
    pub(crate) fn slot(self, field: u32) -> Option<Slot> {
        self.record.slot(self.base.wrapping_add(field))
    }

    /// Returns where the unknown members are, as offsets into the object.
    #[inline]
    pub(crate) fn unknown(self) -> Span {
        let unknown = self.record.unknown.get(self.level);
        let Span { start, end } = unknown.copied().unwrap_or_default();
        Span::new(
            start.saturating_sub(self.object.start),
            end.saturating_sub(self.object.start),
        )
    }

    /// Returns the fields of the object that a nested field holds; `None` where the value is no object. `table` is what
    /// [`Names::nested_base`] returns for the field.
    #[inline]
    pub(crate) fn nested(self, table: Option<(Level, u32)>, slot: Slot) -> Option<Fields<'r>> {
        let (level, base) = table.filter(|_| slot.kind == TokenKind::ObjectStart)?;
        Some(Fields {
            record: self.record,
            object: Span::new(slot.start, slot.end),
            base,
            level,
        })
    }
}

/// Where [`Record::read_fields`] ended.
enum Paused {
    End,
    Container(u32, Step),
    /// After the bracket of an unknown member, whose name begins at this offset.
    UnknownContainer(u32),
    Unknown(Step),
}

/// Reads a field of a view from its slot. The view is fresh.
#[inline]
pub(crate) fn take_slot<'a, T: Read<'a>>(
    place: &mut Option<T>,
    bytes: &'a [u8],
    slot: Slot,
    nested: Option<Fields<'_>>,
    seen: &mut Seen,
    field: u32,
) {
    seen.kept |= T::KEPT;
    if slot.kind == TokenKind::Null {
        return;
    }
    *place = T::read_slot(bytes, slot, nested);
    seen.present |= 1 << field;
    if place.is_none() {
        seen.ill_typed |= 1 << field;
    }
}
