//! Blocks: the lines from `Capability:` or `Agent:` to the next such line.
//!
//! A block is read in one pass. Its scalar fields are taken as they come; for its lists the pass notes the stretch from the first line
//! to the last one, and whether there is any, so that reading a list later costs no more than the lines it stands in.

use super::grammar::{self, Param};
use super::keys::{self, Field, Open, Role};
use crate::manifest::list::Cursor;
use crate::manifest::{AgentPolicy, AuthType, Capability, CapabilityAuth, Choice, List, Member, Parameter, RateLimit, Raw};
use crate::syntax::line::{Content, Line, Lines};
use crate::syntax::text::Text;

/// How a line of the most frequent field nearly always begins. It is looked for first; other spellings are read all the same.
const PARAM: &[u8; 8] = b"  Param:";

/// The lines from the first of a kind to the last.
#[derive(Clone, Copy, Default)]
struct Stretch {
    start: usize,
    end: usize,
}

impl Stretch {
    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn extend(&mut self, start: usize, end: usize) {
        if self.end == 0 {
            self.start = start;
        }
        self.end = end;
    }

    /// The list that `step` reads from these lines.
    fn list<'a, T>(self, bytes: &'a [u8], mode: u32, step: fn(&mut Cursor<'a>) -> Option<T>) -> List<'a, T> {
        match bytes.get(self.start..self.end) {
            Some(stretch) if self.end != 0 => List::new(stretch, mode, step),
            _ => List::empty(),
        }
    }
}

/// A name and a text as the model passes them on.
pub(super) fn member<'a>(key: &'a [u8], value: &'a [u8]) -> Member<'a> {
    Member { name: Text::plain(key), value: Raw::Text(Text::plain(value)) }
}

/// Goes to the next block of a kind, and returns what its first line names.
fn next_block<'a>(lines: &mut Lines<'a>, kind: Open) -> Option<(usize, &'a [u8])> {
    for line in lines {
        if let Content::Field { key, value } = line.content
            && keys::role(keys::find(key), line.indent, Open::None) == Role::Opens(kind)
        {
            return Some((line.start, value));
        }
    }
    None
}

/// The next `Capability` block. The position is that of a line that opens a block.
pub(super) fn next_capability<'a>(cursor: &mut Cursor<'a>) -> Option<Capability<'a>> {
    let bytes = cursor.bytes;
    let mut lines = Lines::starting_at(bytes, cursor.position as usize);
    let Some((start, id)) = next_block(&mut lines, Open::Capability) else {
        cursor.position = u32::MAX;
        return None;
    };
    let mut capability = Capability { id: Some(Text::plain(id)), ..Capability::default() };
    let (mut auth, mut auth_endpoint, mut auth_docs, mut scopes, mut rate_limit) = (None, None, None, None, None);
    let (mut parameters, mut metadata) = (Stretch::default(), Stretch::default());
    let mut end = bytes.len();
    loop {
        while let Some((start, end, value)) = lines.take_prefixed(PARAM) {
            if grammar::has_name(value) { &mut parameters } else { &mut metadata }.extend(start, end);
        }
        let Some(line) = lines.next() else { break };
        let Content::Field { key, value } = line.content else { continue };
        let text = Some(Text::plain(value));
        match keys::role(keys::find(key), line.indent, Open::Capability) {
            Role::Block(field) => match field {
                Field::Param if grammar::has_name(value) => parameters.extend(line.start, line.end),
                Field::Param => metadata.extend(line.start, line.end),
                Field::Endpoint => capability.endpoint = text,
                Field::Protocol => capability.protocol = Some(Choice::read(Text::plain(value))),
                Field::Method => capability.method = text,
                Field::Description => capability.description = text,
                Field::OpenApi => capability.openapi = text,
                Field::Auth => auth = text,
                Field::AuthEndpoint => auth_endpoint = text,
                Field::AuthDocs => auth_docs = text,
                Field::Scopes => scopes = Some(value),
                Field::RateLimit => {
                    rate_limit = Some(value);
                    if grammar::rate_limit(value).is_none() {
                        metadata.extend(line.start, line.end);
                    }
                }
                _ => {}
            },
            Role::BlockMetadata => metadata.extend(line.start, line.end),
            Role::Opens(_) => {
                end = line.start;
                break;
            }
            Role::Document(_) | Role::DocumentMetadata | Role::Alias(_) => {}
        }
    }
    if auth.is_some() || auth_endpoint.is_some() || auth_docs.is_some() || scopes.is_some() {
        capability.auth = Some(CapabilityAuth {
            kind: match auth {
                Some(kind) => Choice::read(kind),
                None if auth_endpoint.is_some() => Choice::implied(AuthType::BearerToken),
                None if scopes.is_some() => Choice::implied(AuthType::OAuth2),
                None => Choice::implied(AuthType::None),
            },
            token_url: auth_endpoint,
            docs_url: auth_docs,
            scopes: scopes.map_or(List::empty(), |scopes| List::new(scopes, 0, next_item)),
            metadata: List::empty(),
            source: b"",
        });
    }
    capability.rate_limits = rate_limit.map_or(List::empty(), |value| List::new(value, 0, only_rate_limit));
    capability.parameters = parameters.list(bytes, 0, next_parameter);
    capability.metadata = metadata.list(bytes, Open::Capability as u32, next_metadata);
    capability.source = bytes.get(start..end).unwrap_or_default();
    cursor.position = end as u32;
    Some(capability)
}

/// The next `Agent` block. The position is that of a line that opens a block.
pub(super) fn next_agent<'a>(cursor: &mut Cursor<'a>) -> Option<AgentPolicy<'a>> {
    let bytes = cursor.bytes;
    let mut lines = Lines::starting_at(bytes, cursor.position as usize);
    let Some((start, name)) = next_block(&mut lines, Open::Agent) else {
        cursor.position = u32::MAX;
        return None;
    };
    let mut agent = AgentPolicy { name: Some(Text::plain(name)), ..AgentPolicy::default() };
    let mut rate_limit = None;
    let mut metadata = Stretch::default();
    let mut end = bytes.len();
    for line in &mut lines {
        let Content::Field { key, value } = line.content else { continue };
        match keys::role(keys::find(key), line.indent, Open::Agent) {
            Role::Block(Field::Capabilities) => agent.capabilities = Some(List::new(value, 0, next_item)),
            Role::Block(Field::AgentDeclaration) => agent.declaration = Some(Text::plain(value)),
            Role::Block(_) => {
                rate_limit = Some(value);
                if grammar::rate_limit(value).is_none() {
                    metadata.extend(line.start, line.end);
                }
            }
            Role::BlockMetadata => metadata.extend(line.start, line.end),
            Role::Opens(_) => {
                end = line.start;
                break;
            }
            Role::Document(_) | Role::DocumentMetadata | Role::Alias(_) => {}
        }
    }
    agent.rate_limits = rate_limit.map_or(List::empty(), |value| List::new(value, 0, only_rate_limit));
    agent.metadata = metadata.list(bytes, Open::Agent as u32, next_metadata);
    agent.source = bytes.get(start..end).unwrap_or_default();
    cursor.position = end as u32;
    Some(agent)
}

/// The next parameter of a stretch of a `Capability` block.
fn next_parameter<'a>(cursor: &mut Cursor<'a>) -> Option<Parameter<'a>> {
    let mut lines = Lines::starting_at(cursor.bytes, cursor.position as usize);
    loop {
        let value = match lines.take_prefixed(PARAM) {
            Some((_, _, value)) => value,
            None => match lines.next() {
                Some(Line { content: Content::Field { key, value }, .. }) if key.eq_ignore_ascii_case(b"param") => value,
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

/// The next member of the metadata of a block, whose kind is the mode.
fn next_metadata<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    let mut lines = Lines::starting_at(cursor.bytes, cursor.position as usize);
    while let Some(line) = lines.next() {
        let Content::Field { key, value } = line.content else { continue };
        let is_member = match keys::role(keys::find(key), line.indent, Open::from_bits(cursor.mode)) {
            Role::BlockMetadata => true,
            Role::Block(Field::RateLimit) => grammar::rate_limit(value).is_none(),
            Role::Block(Field::Param) => !grammar::has_name(value),
            _ => false,
        };
        if is_member {
            cursor.position = lines.position() as u32;
            return Some(member(key, value));
        }
    }
    cursor.position = u32::MAX;
    None
}

/// The next value of a field of the document that may be repeated; the field is the mode.
pub(super) fn next_value<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let mut lines = Lines::starting_at(cursor.bytes, cursor.position as usize);
    while let Some(line) = lines.next() {
        if let Content::Field { key, value } = line.content
            && keys::find(key).is_some_and(|key| key.field as u32 == cursor.mode)
        {
            cursor.position = lines.position() as u32;
            return Some(Text::plain(value));
        }
    }
    cursor.position = u32::MAX;
    None
}

/// The next item of a list with commas; empty ones are passed over.
fn next_item<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let mut items = grammar::Items::new(cursor.bytes.get(cursor.position as usize..)?);
    let item = items.find(|item| !item.is_empty());
    cursor.position = match items.rest() {
        Some(rest) => cursor.bytes.len().saturating_sub(rest.len()) as u32,
        None => u32::MAX,
    };
    item.map(Text::plain)
}

/// The whole value as the one item of a list.
pub(super) fn whole<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let first = core::mem::replace(&mut cursor.position, 1) == 0;
    if first { Some(Text::plain(cursor.bytes)) } else { None }
}

/// The rate limit that the whole value is, where it is one.
fn only_rate_limit<'a>(cursor: &mut Cursor<'a>) -> Option<RateLimit<'a>> {
    let first = core::mem::replace(&mut cursor.position, 1) == 0;
    if first { grammar::rate_limit(cursor.bytes) } else { None }
}
