//! Blocks: the lines from `Capability:` or `Agent:` to the next such line.
//!
//! A block is read in one pass. The pass takes the values of its scalar fields. For each list it
//! records the range from the first line to the last, so the list later reads only these lines.

use super::keys::{self, Above, Entry, Field, Open, Role};
use super::next_entry;
use super::reading::{HAS_AUTH, within_limit};
use crate::error::Error;
use crate::limits::Limits;
use crate::model::list::{Cursor, State, states};
use crate::model::{
    AgentPolicy, AuthType, Capability, CapabilityAuth, Choice, List, Member, Parameter, Protocol,
    RateLimit, Raw, Visitor,
};
use crate::rules::values::{is_first, next_item, rate_limit_of};
use crate::syntax::grammar::{self, Param};
use crate::syntax::line::{Content, Line, Lines, Sweep, Whole};
use crate::syntax::text::Text;

/// The usual start of a line of the most frequent field. It is tried first; other spellings are
/// read as well.
const PARAM: &[u8; 8] = b"  Param:";

/// The range from the first line of a list to the last.
#[derive(Clone, Copy, Default)]
struct Stretch {
    start: usize,
    end: usize,
}

impl Stretch {
    #[inline]
    fn extend(&mut self, start: usize, end: usize) {
        if self.end == 0 {
            self.start = start;
        }
        self.end = end;
    }

    /// Returns the list that `step` reads from this range.
    fn list<'a, T>(
        self,
        bytes: &'a [u8],
        state: impl State,
        step: fn(&mut Cursor<'a>) -> Option<T>,
    ) -> List<'a, T> {
        match bytes.get(self.start..self.end) {
            Some(stretch) if self.end != 0 => List::new(stretch, state, step),
            _ => List::empty(),
        }
    }
}

/// Returns a line as a metadata member of the model.
pub(super) fn member<'a>(entry: &Entry<'a>) -> Member<'a> {
    Member { name: Text::plain(entry.key), value: Raw::Text(Text::plain(entry.value)) }
}

/// Advances to the next block of a kind, and returns the value of its first line.
fn next_block<'a>(lines: &mut Lines<'a>, kind: Open) -> Option<(usize, &'a [u8])> {
    for line in lines {
        if let Some(entry) = Entry::of(line.content)
            && Above::of(Open::None).take(&entry, line.indent) == Role::Opens(kind)
        {
            return Some((line.start, entry.value));
        }
    }
    None
}

/// The number of fields from `Description` to `Agent-Declaration`: the fields of blocks.
const SCALARS: usize = Field::AgentDeclaration as usize - Field::Description as usize + 1;

/// The result of reading the lines of a block: the last value of every field, and the ranges of its
/// lists. It has a third of the size of a capability of the model, and all fields that a decision
/// needs.
#[derive(Clone, Copy, Default)]
pub(super) struct Notes<'a> {
    scalars: [Option<&'a [u8]>; SCALARS],
    /// Whether a line that is not read seems to state the authentication.
    has_unread_auth: bool,
    /// Whether a line outside of the blocks of capabilities seems to state the authentication of
    /// those that state none.
    has_common_auth: bool,
    parameters: Stretch,
    metadata: Stretch,
}

/// The index of a field.
const fn slot(field: Field) -> usize {
    (field as usize).wrapping_sub(Field::Description as usize)
}

impl<'a> Notes<'a> {
    /// Reads the block of a kind whose first line begins at an offset.
    pub(super) fn of(bytes: &'a [u8], start: usize, kind: Open) -> Self {
        let mut notes = Self::default();
        let mut cursor = Cursor::new(bytes);
        cursor.position = start as u32;
        note_next(&mut cursor, kind, &mut notes);
        notes
    }

    /// Records a `Param` line. Returns true if it is a valid parameter; otherwise it is metadata.
    #[inline]
    fn param(&mut self, start: usize, end: usize, value: &[u8]) -> bool {
        let is_parameter = grammar::has_name(value);
        if is_parameter { &mut self.parameters } else { &mut self.metadata }.extend(start, end);
        is_parameter
    }

    /// Records any other field. If a line seems to be a list of capabilities but is not read, the
    /// agent gets an empty list, unless another list is read.
    #[inline]
    fn field(&mut self, line: &Line<'_>, role: Role, entry: &Entry<'a>) {
        let (field, value) = match role {
            Role::Block(field) => (field, entry.value),
            _ if entry.is_unread_list() && self.value(Field::Capabilities).is_none() => {
                (Field::Capabilities, &b""[..])
            }
            _ => (Field::Capability, &b""[..]),
        };
        if let Some(scalar) = self.scalars.get_mut(slot(field)) {
            *scalar = Some(value);
        } else {
            self.has_unread_auth |= entry.is_unread_auth();
        }
        let is_metadata = match role {
            Role::Block(Field::RateLimit) => rate_limit_of(value).is_none(),
            // Metadata of the document between the lines of a block are included: such a line may
            // name another agent.
            Role::BlockMetadata | Role::DocumentMetadata => true,
            _ => false,
        };
        if is_metadata {
            self.metadata.extend(line.start, line.end);
        }
    }

    /// Returns the last value of a field that is no list of lines.
    #[inline]
    pub(super) fn value(&self, field: Field) -> Option<&'a [u8]> {
        self.scalars.get(slot(field)).copied().flatten()
    }

    #[inline]
    fn text(&self, field: Field) -> Option<Text<'a>> {
        self.value(field).map(Text::plain)
    }

    #[inline]
    pub(super) fn protocol(&self) -> Option<Choice<'a, Protocol>> {
        self.text(Field::Protocol).map(Choice::read)
    }

    /// Returns the authentication of a capability, if any field describes it.
    #[inline]
    pub(super) fn auth_kind(&self) -> Option<Choice<'a, AuthType>> {
        let stated = self.text(Field::Auth).map(Choice::read);
        let is_none = |kind: Choice<'_, AuthType>| kind.value == AuthType::None;
        if self.has_unread_auth && stated.is_none_or(is_none) {
            return Some(Choice::unreadable());
        }
        if stated.is_some() {
            return stated;
        }
        let implied = [
            (Field::AuthEndpoint, AuthType::BearerToken),
            (Field::Scopes, AuthType::OAuth2),
            (Field::AuthDocs, AuthType::None),
        ];
        let implied = implied.iter().find(|(field, _)| self.value(*field).is_some());
        match implied {
            None | Some((Field::AuthDocs, _)) if self.has_common_auth => Some(Choice::unreadable()),
            _ => implied.map(|(_, kind)| Choice::implied(*kind)),
        }
    }

    #[inline]
    fn scopes(&self) -> List<'a, Text<'a>> {
        self.value(Field::Scopes).map_or(List::empty(), |scopes| List::new(scopes, 0, next_item))
    }

    #[inline]
    fn rate_limits(&self) -> List<'a, RateLimit<'a>> {
        self.value(Field::RateLimit)
            .map_or(List::empty(), |value| List::new(value, 0, only_rate_limit))
    }

    /// Returns the capability of a block from `start` to `end`. Inlined, so the item of the model
    /// is built in the caller's memory, without a copy on the stack.
    #[inline]
    fn capability(
        &self,
        id: &'a [u8],
        bytes: &'a [u8],
        start: usize,
        end: usize,
    ) -> Capability<'a> {
        let auth = self.auth_kind().map(|kind| CapabilityAuth {
            kind,
            token_url: self.text(Field::AuthEndpoint),
            docs_url: self.text(Field::AuthDocs),
            scopes: self.scopes(),
            metadata: List::empty(),
            source: b"",
        });
        Capability {
            id: Some(Text::plain(id)),
            description: self.text(Field::Description),
            endpoint: self.text(Field::Endpoint),
            method: self.text(Field::Method),
            protocol: self.protocol(),
            openapi: self.text(Field::OpenApi),
            auth,
            rate_limits: self.rate_limits(),
            parameters: self.parameters.list(bytes, 0, next_parameter),
            metadata: self.metadata.list(bytes, Above::of(Open::Capability), next_metadata),
            source: bytes.get(start..end).unwrap_or_default(),
            ..Capability::default()
        }
    }

    /// Returns the policy of an `Agent` block from `start` to `end`.
    #[inline]
    fn agent(&self, name: &'a [u8], bytes: &'a [u8], start: usize, end: usize) -> AgentPolicy<'a> {
        AgentPolicy {
            name: Some(Text::plain(name)),
            rate_limits: self.rate_limits(),
            capabilities: self.value(Field::Capabilities).map(|ids| List::new(ids, 0, next_item)),
            declaration: self.text(Field::AgentDeclaration),
            metadata: self.metadata.list(bytes, Above::of(Open::Agent), next_metadata),
            source: bytes.get(start..end).unwrap_or_default(),
        }
    }
}

/// Returns the next `Capability` block. The position must be a line that opens a block. The state of
/// the list is whether a line outside of these blocks seems to state the authentication.
pub(super) fn next_capability<'a>(cursor: &mut Cursor<'a>) -> Option<Capability<'a>> {
    let mut notes = Notes::default();
    let (id, start) = note_next(cursor, Open::Capability, &mut notes)?;
    Some(notes.capability(id, cursor.bytes, start, cursor.position as usize))
}

/// Reads the next block of a kind, and moves the cursor behind it. Returns the value of its first
/// line and the offset of that line.
#[inline]
fn note_next<'a>(
    cursor: &mut Cursor<'a>,
    kind: Open,
    notes: &mut Notes<'a>,
) -> Option<(&'a [u8], usize)> {
    let mut lines = Lines::starting_at(cursor.bytes, cursor.position as usize);
    cursor.position = u32::MAX;
    notes.has_common_auth = cursor.state();
    let (start, name) = next_block(&mut lines, kind)?;
    let mut above = Above::of(kind);
    let mut end = cursor.bytes.len();
    loop {
        while kind == Open::Capability
            && let Some((start, end, value)) = lines.take_prefixed(PARAM)
        {
            notes.param(start, end, value);
        }
        let Some(line) = lines.next() else { break };
        let Some(entry) = Entry::of(line.content) else {
            continue;
        };
        match above.take(&entry, line.indent) {
            Role::Opens(_) => {
                end = line.start;
                break;
            }
            Role::Block(Field::Param) => {
                notes.param(line.start, line.end, entry.value);
            }
            role => notes.field(&line, role, &entry),
        }
    }
    cursor.position = end as u32;
    Some((name, start))
}

/// Returns the next `Agent` block. The position must be a line that opens a block.
pub(super) fn next_agent<'a>(cursor: &mut Cursor<'a>) -> Option<AgentPolicy<'a>> {
    let mut notes = Notes::default();
    let (name, start) = note_next(cursor, Open::Agent, &mut notes)?;
    Some(notes.agent(name, cursor.bytes, start, cursor.position as usize))
}

/// Reports every block to a visitor when it ends, so parameters precede their block.
pub(super) struct OpenBlock<'a, 'v, V> {
    bytes: &'a [u8],
    visitor: &'v mut V,
    start: usize,
    kind: Open,
    /// The value of the first line of the open block.
    name: &'a [u8],
    notes: Notes<'a>,
}

impl<'a, 'v, V: Visitor<'a>> OpenBlock<'a, 'v, V> {
    pub(super) fn new(bytes: &'a [u8], visitor: &'v mut V) -> Self {
        Self { bytes, visitor, start: 0, kind: Open::None, name: b"", notes: Notes::default() }
    }

    /// Takes the next `Param` lines of a `Capability` block.
    ///
    /// # Errors
    /// [`ErrorKind::LineTooLong`](crate::ErrorKind::LineTooLong).
    #[inline]
    pub(super) fn take_params(
        &mut self,
        lines: &mut Sweep<'a, Whole>,
        limits: &Limits,
    ) -> Result<(), Error> {
        while self.kind == Open::Capability
            && let Some((start, end, value)) = lines.take_prefixed(PARAM)
        {
            within_limit(start, end, limits)?;
            self.param(start, end, value);
        }
        Ok(())
    }

    #[inline]
    fn param(&mut self, start: usize, end: usize, value: &'a [u8]) {
        if self.notes.param(start, end, value)
            && let Some(param) = grammar::param(value)
        {
            self.visitor.parameter(&parameter(value, param));
        }
    }

    /// Records a field of the open block.
    #[inline]
    pub(super) fn field(&mut self, line: &Line<'a>, role: Role, entry: &Entry<'a>) {
        match (self.kind, role) {
            (Open::Capability, Role::Block(Field::Param)) => {
                self.param(line.start, line.end, entry.value)
            }
            _ => self.notes.field(line, role, entry),
        }
    }

    /// Opens a block whose first line has the value `name`. `flags` are those of the outline.
    #[inline]
    pub(super) fn open(&mut self, kind: Open, start: usize, name: &'a [u8], flags: u32) {
        (self.kind, self.start, self.name) = (kind, start, name);
        self.notes = Notes { has_common_auth: flags & HAS_AUTH != 0, ..Notes::default() };
    }

    /// Reports the open block, if any. It ends at `end`.
    #[inline]
    pub(super) fn close(&mut self, end: usize) {
        let (notes, name, bytes, start) = (&self.notes, self.name, self.bytes, self.start);
        match self.kind {
            Open::None => {}
            Open::Agent => self.visitor.agent(&notes.agent(name, bytes, start, end)),
            Open::Capability => self.visitor.capability(&notes.capability(name, bytes, start, end)),
        }
    }
}

/// Returns the next parameter in the range of a `Capability` block.
fn next_parameter<'a>(cursor: &mut Cursor<'a>) -> Option<Parameter<'a>> {
    let mut lines = Lines::starting_at(cursor.bytes, cursor.position as usize);
    loop {
        let value = match lines.take_prefixed(PARAM) {
            Some((_, _, value)) => value,
            None => match lines.next() {
                Some(Line { content: Content::Field { key, value }, .. })
                    if key.eq_ignore_ascii_case(b"param") =>
                {
                    value
                }
                Some(_) => continue,
                None => break,
            },
        };
        if let Some(param) = grammar::param(value) {
            cursor.position = lines.position() as u32;
            return Some(parameter(value, param));
        }
    }
    cursor.position = u32::MAX;
    None
}

fn parameter<'a>(value: &'a [u8], param: Param<'a>) -> Parameter<'a> {
    Parameter {
        name: Some(Text::plain(param.name)),
        location: param.location.map(|location| Choice::read(Text::plain(location))),
        kind: param.kind.map(Text::plain),
        required: Some(true).filter(|_| param.required),
        description: param.description.map(Text::plain),
        source: value,
        ..Parameter::default()
    }
}

/// Returns the next metadata member of a block. The state of the list is the state above the next
/// line, at first the kind of the block.
fn next_metadata<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    let mut above: Above = cursor.state();
    while let Some((indent, entry)) = next_entry(cursor) {
        let role = above.take(&entry, indent);
        cursor.set(above);
        let is_member = match role {
            Role::BlockMetadata => true,
            Role::Block(Field::RateLimit) => rate_limit_of(entry.value).is_none(),
            Role::Block(Field::Param) => !grammar::has_name(entry.value),
            _ => false,
        };
        if is_member {
            return Some(member(&entry));
        }
    }
    None
}

states! {
    /// The state of a list of the values of one document field.
    pub(super) struct Values {
        /// The number of the field.
        pub(super) number: u32[8],
        /// The state above the next line.
        pub(super) above: Above,
    }
}

/// Returns the next value of a document field that can be repeated.
pub(super) fn next_value<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let Values { number, mut above } = cursor.state();
    let field = Field::repeated(number);
    let name = keys::name(number).as_bytes();
    let mut lines = Lines::starting_at(cursor.bytes, cursor.position as usize);
    loop {
        // The usual spelling needs no search for the colon or the key.
        let value = match lines.take_key(name) {
            Some(value) => {
                above.is_unnamed = false;
                field.split(value).0
            }
            None => {
                let Some(line) = lines.next() else { break };
                let Some(entry) = Entry::of(line.content) else {
                    continue;
                };
                match above.take(&entry, line.indent) {
                    Role::Document(field) if field as u32 == number => entry.value,
                    _ => continue,
                }
            }
        };
        cursor.set(Values { number, above });
        cursor.position = lines.position() as u32;
        return Some(Text::plain(value));
    }
    cursor.position = u32::MAX;
    None
}

/// Returns the rate limit in the value, if it is valid.
fn only_rate_limit<'a>(cursor: &mut Cursor<'a>) -> Option<RateLimit<'a>> {
    if is_first(cursor) { rate_limit_of(cursor.bytes) } else { None }
}
