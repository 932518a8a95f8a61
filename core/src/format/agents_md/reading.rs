//! Reads agents.md into the unified model.
//!
//! A pass over Markdown has a stack of open containers, which is too large for a list of the model.
//! But a list stops only between two blocks, where the state is small: the offset of the next line,
//! and the open containers with their columns in 128 bits
//! ([`blocks::Mark`](crate::syntax::markdown::Mark)). Parsing rejects documents that would need
//! more. From there, the next step starts a new pass. Each step reads up to the block after its
//! item, and the next step reads that block again, so no line is read more than twice.
//!
//! An item can start on the same line as the item that contains it. `mode` then counts the items on
//! the next line that were already returned.
//!
//! A text with several items (the lines of a contact, the entries of YAML) stays open between the
//! steps. Then the bytes of the list start at the rest of the text, `mode` is the length of this
//! rest, and `position` has the flags below, which say how to continue behind the text.
//!
//! INVARIANT of the lists over sections: if no text is open, the bytes start at a line in a section
//! of the wanted kind. In the first step they may start at a line before its heading, where no
//! container is open.

mod unread;

use super::gateway::Gateway;
use super::piece::{Piece, kept_at_top, slot, yaml_of};
use super::read::empty_outline;
use super::section::{Place, is_outside, opens_cannot};
use super::walk::{item, take_line};
use super::{
    AgentsMd, AgentsMdOutline, McpSource, SectionKind, Slot, SlotState, TOP_FIELDS, behavior,
    mcp_field, one_time, place_of,
};
use crate::error::Error;
use crate::limits::Limits;
use crate::model::list::Cursor;
use crate::model::{
    Endpoint, Head, List, Member, Metadata, Permissions, RateLimit, Raw, Reading, Service,
};
use crate::rules::values::is_first;
use crate::span::Span;
use crate::syntax::fold::line_end;
use crate::syntax::markdown::{Blocks, Kind, Mark};
use crate::syntax::outline::Outline;
use crate::syntax::text::{Escape, Text};
use crate::syntax::yaml::{self, Entries, Events, Scalar, Value};

pub(crate) use unread::unread_prohibitions;

/// Parses a document. `bytes` must be valid UTF-8 within the size limit. `body` is the part after a
/// byte order mark.
pub(crate) fn parse(bytes: &[u8], body: Span, limits: &Limits) -> Result<Outline, Error> {
    let mut outline = empty_outline(limits);
    outline.read_valid(bytes, limits)?;
    Ok(outline.pack(body))
}

// Flags in the position of a list.
/// There is only one section of the kind.
const LAST: u32 = 1;
/// A text is open.
const OPEN: u32 = 1 << 1;
/// The open text is in a block quote.
const QUOTED: u32 = 1 << 2;
/// After the open text, skip the rest of its line.
const LINE: u32 = 1 << 3;
/// After that, skip one more line: the blank line, underline or fence that ended the text.
const NEXT: u32 = 1 << 4;
/// An entry of the open YAML was returned. The mapping is in braces if `FLOW` is set; otherwise the
/// column of its keys is in the bits from `COLUMN`.
const ENTERED: u32 = 1 << 5;
const FLOW: u32 = 1 << 6;
/// The open YAML is a mapping. The bits from `COLUMN` have the column of its first key.
const OPENED: u32 = 1 << 25;
/// The document mentions authentication in a way that is not read.
const AUTH: u32 = 1 << 26;
/// The first step was not made yet.
const FRESH: u32 = 1 << 24;
/// The first bit of the column, or of the depth that [`Cursor::place`] reads.
const COLUMN: u32 = 8;
const DEPTH: u32 = 0xFFFF << COLUMN;

impl<'a> Cursor<'a> {
    fn advance(&mut self, count: usize) {
        self.bytes = self.bytes.get(count..).unwrap_or_default();
    }

    /// Opens a text, which is a part of the bytes. `mark` is the position after it.
    fn open(&mut self, text: &'a [u8], quoted: bool, mark: Mark) {
        let Span { start, end } = Span::of(text, self.bytes);
        let fresh = end == 0 || matches!(self.bytes.get(end as usize - 1), Some(b'\n' | b'\r'));
        let next_line = if fresh { end as usize } else { line_end(self.bytes, end as usize).1 };
        self.containers = mark.containers;
        self.position = self.position & LAST
            | OPEN
            | if quoted { QUOTED } else { 0 }
            | if fresh { 0 } else { LINE }
            | if mark.offset > next_line { NEXT } else { 0 };
        self.advance(start as usize);
        self.mode = end - start;
    }

    /// Continues after a text.
    fn go_to(&mut self, text: Text<'a>, position: Position) -> Text<'a> {
        self.advance(position.mark.offset);
        self.containers = position.mark.containers;
        self.mode = position.items;
        text
    }

    /// True if the pass begins in a section of the wanted kind: in every step except the first.
    const fn begins_inside(&mut self) -> bool {
        let is_fresh = self.position & FRESH != 0;
        self.position &= !FRESH;
        !is_fresh
    }

    /// Returns the place where the pass begins. Each section uses only one of its two depths.
    fn place(&self, section: Option<SectionKind>) -> Place {
        let depth = (self.position >> COLUMN) as u16;
        let mut place = Place::new(section);
        match section {
            Some(SectionKind::Cannot) => place.loose = depth,
            _ => place.below = depth,
        }
        place
    }

    fn keep(&mut self, place: &Place) {
        let depth = match place.section {
            Some(SectionKind::Cannot) => place.loose,
            _ => place.below,
        };
        self.position = self.position & !DEPTH | u32::from(depth) << COLUMN;
    }

    /// The rest of the open text.
    fn text(&self) -> &'a [u8] {
        self.bytes.get(..self.mode as usize).unwrap_or_default()
    }

    /// Closes the open text.
    fn leave(&mut self) {
        self.advance(self.mode as usize);
        for flag in [LINE, NEXT] {
            if self.position & flag != 0 {
                self.advance(line_end(self.bytes, 0).1);
            }
        }
        self.position &= LAST;
        self.mode = 0;
    }
}

/// Returns the next item with a text in the sections of a kind.
fn next_item<'a>(cursor: &mut Cursor<'a>, kind: SectionKind, wanted: Wanted) -> Option<Text<'a>> {
    let inside = cursor.begins_inside();
    next_text(cursor, kind, inside, wanted).map(|(text, position)| cursor.go_to(text, position))
}

fn next_can<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    next_item(cursor, SectionKind::Can, Wanted::Items)
}

fn next_cannot<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    next_item(cursor, SectionKind::Cannot, Wanted::Items)
}

/// Returns the next paragraph outside of items in the sections of Cannot.
fn next_prose<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let inside = cursor.begins_inside();
    next_text(cursor, SectionKind::Cannot, inside, Wanted::Prose)
        .map(|(text, position)| cursor.go_to(text, position))
}

fn next_rule<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    next_item(cursor, SectionKind::Behavior, Wanted::Rules)
}

/// The next rate in Behavior.
fn next_rate<'a>(cursor: &mut Cursor<'a>) -> Option<RateLimit<'a>> {
    loop {
        let rule = next_item(cursor, SectionKind::Behavior, Wanted::Rates)?;
        if let Some(rate) = behavior::rate(rule) {
            return Some(rate.limit());
        }
    }
}

/// The next line of a contact.
fn next_contact<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    loop {
        while cursor.position & OPEN != 0 {
            let escape = if cursor.position & QUOTED != 0 {
                Escape::MarkdownQuote
            } else {
                Escape::Markdown
            };
            let mut text = Text::escaped(cursor.text(), escape);
            let line = take_line(&mut text).unwrap_or_default();
            let left = text.raw().len();
            cursor.advance((cursor.mode as usize).saturating_sub(left));
            cursor.mode = left as u32;
            if left == 0 {
                cursor.leave();
            }
            if !line.is_empty() {
                return Some(Text::plain(line));
            }
        }
        let inside = cursor.begins_inside();
        let (text, position) = next_text(cursor, SectionKind::Contact, inside, Wanted::All)?;
        cursor.open(text.raw(), text.escape() == Escape::MarkdownQuote, position.mark);
    }
}

/// The texts that a list returns.
#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    /// Items, each with all its paragraphs.
    Items,
    /// Paragraphs that are not the text of an item.
    Prose,
    /// Items and paragraphs in document order. The paragraphs of an item are separate texts.
    All,
    /// Items and paragraphs in document order. An item contains all its paragraphs.
    Rules,
    /// Like `Rules`, including texts behind words that forbid.
    Rates,
}

impl Wanted {
    /// True if texts in an item of this depth are wanted. A depth of 0 is outside of items.
    fn takes(self, place: &Place, kind: SectionKind, depth: u16) -> bool {
        match self {
            Self::Rates => place.section == Some(kind),
            _ => place.is_read(kind, depth),
        }
    }
}

/// A position between two blocks.
#[derive(Clone, Copy)]
struct Position {
    mark: Mark,
    /// The number of items from the mark on that were already returned. An item can start on the
    /// same line as the item that contains it.
    items: u32,
}

impl Position {
    fn after(blocks: &Blocks<'_>) -> Self {
        Self { mark: blocks.mark(), items: 0 }
    }
}

/// Returns the next wanted text in a section of a kind, and the position after it. `inside` is true
/// if the pass starts in such a section.
fn next_text<'a>(
    cursor: &mut Cursor<'a>,
    kind: SectionKind,
    inside: bool,
    wanted: Wanted,
) -> Option<(Text<'a>, Position)> {
    let mut blocks = Blocks::resume(cursor.bytes, cursor.containers);
    let mut position = Position::after(&blocks);
    let mut passed = cursor.mode;
    let mut held = None;
    let mut place = cursor.place(inside.then_some(kind));
    while let Some(block) = held.take().or_else(|| blocks.next()) {
        place.pass(&block);
        let inside = wanted.takes(&place, kind, 0);
        if block.kind == Kind::Item {
            position.items += 1;
            if passed > 0 {
                passed -= 1;
                continue;
            }
            let whole = wanted != Wanted::All;
            let mut is_first = true;
            let before = |blocks: &Blocks<'a>| {
                if !core::mem::take(&mut is_first) {
                    position = Position::after(blocks);
                }
            };
            let (item, behind) = item(cursor.bytes, &mut blocks, block, whole, &mut place, before);
            held = behind;
            let is_taken = wanted.takes(&place, kind, item.depth) && wanted != Wanted::Prose;
            if is_taken && !item.text.raw().is_empty() {
                cursor.keep(&place);
                return Some((item.text, position));
            }
            continue;
        }
        position = Position::after(&blocks);
        if !inside && cursor.position & LAST != 0 {
            break;
        }
        let is_text = match (block.kind, wanted) {
            (_, Wanted::Items) => false,
            // The paragraphs of an item belong to the text of the item.
            (_, Wanted::Prose | Wanted::Rules | Wanted::Rates) if place.is_of_item(&block) => false,
            (Kind::Paragraph, _) => true,
            (Kind::Heading(_), _) => !is_outside(&block) && !opens_cannot(&block),
            _ => false,
        };
        if is_text && inside && !block.text.raw().is_empty() {
            cursor.keep(&place);
            return Some((block.text, position));
        }
    }
    cursor.bytes = b"";
    None
}

/// The rule that decides whether an entry is kept as metadata.
#[derive(Clone, Copy)]
enum Kept {
    AtTop,
    OfMcp,
}

/// Whether an entry of the gateway is kept: its key is unknown or its value invalid.
fn kept_of_mcp(key: Scalar<'_>, value: Value<'_>) -> bool {
    mcp_field(key.text).is_none() || slot(value, b"", false).state() == SlotState::Unreadable
}

/// Returns the next entry of the open YAML that is kept. Closes the text after the last entry.
fn next_entry<'a>(cursor: &mut Cursor<'a>, kept: Kept) -> Option<Member<'a>> {
    let text = cursor.text();
    let flags = cursor.position;
    let mut entries: Entries<'a> = if flags & OPENED != 0 {
        {
            let column = (flags >> COLUMN & 0xFF) as usize;
            Entries::of(Events::behind(text, Limits::MAX_DEPTH, column), false)
        }
    } else if flags & ENTERED == 0 {
        match kept {
            Kept::AtTop => yaml::whole_entries(text, Limits::MAX_DEPTH),
            Kept::OfMcp => yaml::entries(text, Limits::MAX_DEPTH),
        }
    } else {
        Entries::resume(text, Limits::MAX_DEPTH, (flags >> COLUMN) as u8, flags & FLOW != 0)
    };
    while let Some((key, value)) = entries.next() {
        let stays = match kept {
            Kept::AtTop => kept_at_top(place_of(key.text, &TOP_FIELDS), value),
            Kept::OfMcp => kept_of_mcp(key, value),
        };
        if !stays {
            continue;
        }
        let mark = entries.mark();
        cursor.advance(mark.offset);
        cursor.mode = cursor.mode.saturating_sub(mark.offset as u32);
        cursor.position = flags & (LAST | OPEN | QUOTED | LINE | NEXT)
            | if mark.is_outside { 0 } else { ENTERED }
            | if mark.flow { FLOW } else { 0 }
            | u32::from(mark.column) << COLUMN;
        let value = match value {
            Value::Scalar(scalar) => scalar.text,
            // The indentation of the first line is kept, because the lines below must match it.
            Value::Mapping(source) | Value::Sequence(source) => {
                Text::plain(source.trim_ascii_end())
            }
            Value::Unsupported(unsupported) => Text::plain(unsupported.whole),
        };
        return Some(Member { name: key.text, value: Raw::Text(value) });
    }
    cursor.leave();
    None
}

fn next_of_front_matter<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    let is_open = cursor.position & OPEN != 0;
    is_open.then(|| next_entry(cursor, Kept::AtTop))?
}

fn next_of_mcp<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    let is_open = cursor.position & OPEN != 0;
    is_open.then(|| next_entry(cursor, Kept::OfMcp))?
}

fn next_of_section<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    loop {
        while cursor.position & OPEN != 0 {
            if let Some(member) = next_entry(cursor, Kept::OfMcp) {
                return Some(member);
            }
        }
        let mut blocks = Blocks::resume(cursor.bytes, cursor.containers);
        let mut inside = cursor.begins_inside();
        let Some(piece) = next_piece(&mut blocks, cursor, &mut inside) else {
            cursor.bytes = b"";
            return None;
        };
        let mark = blocks.mark();
        cursor.open(piece.text, false, mark);
        if let Some(column) = piece.open_column() {
            cursor.position |= OPENED | column << COLUMN;
        }
    }
}

/// Returns the next block of YAML in the MCP sections of a list. `inside` is true in such a
/// section.
fn next_piece<'a>(
    blocks: &mut Blocks<'a>,
    cursor: &Cursor<'a>,
    inside: &mut bool,
) -> Option<Piece<'a>> {
    let mut place = Place::new(inside.then_some(SectionKind::Mcp));
    for block in blocks {
        place.pass(&block);
        *inside = place.section == Some(SectionKind::Mcp);
        if *inside && let Some(piece) = yaml_of(cursor.bytes, &block) {
            return Some(piece);
        }
        if !*inside && cursor.position & LAST != 0 {
            return None;
        }
    }
    None
}

/// The entries of a mapping in the front matter.
fn members<'a>(yaml: &'a [u8], step: fn(&mut Cursor<'a>) -> Option<Member<'a>>) -> Metadata<'a> {
    List::new(yaml, yaml.len() as u32, step).from(OPEN)
}

/// A bit in the mode of [`next_gateway`]: some entries of the gateway are kept as metadata.
const EXTRA: u32 = 1;
/// Another bit: authentication is mentioned in a way that is not read.
const UNREAD_AUTH: u32 = 1 << 1;

/// Returns the gateway of the front matter. Then the position is 1.
fn next_gateway<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    if !is_first(cursor) {
        return None;
    }
    let mut gateway = Gateway::NONE;
    gateway.read(Piece::new(cursor.bytes), cursor.bytes, Limits::MAX_DEPTH);
    gateway.note_unread_auth(cursor.mode & UNREAD_AUTH != 0);
    Some(gateway.endpoint(
        cursor.bytes,
        if cursor.mode & EXTRA == 0 { List::empty() } else { members(cursor.bytes, next_of_mcp) },
    ))
}

/// Returns the gateway for an `mcp` with an invalid value: it requires some authentication.
fn next_unreadable<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    if !is_first(cursor) {
        return None;
    }
    let gateway = Gateway { auth: Slot::UNREADABLE, ..Gateway::NONE };
    Some(gateway.endpoint(b"", List::empty()))
}

/// Returns the gateway of the MCP sections. Then the mode is 1.
fn next_of_sections<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    if core::mem::replace(&mut cursor.mode, 1) != 0 {
        return None;
    }
    let mut gateway = Gateway::NONE;
    let mut blocks = Blocks::resume(cursor.bytes, cursor.containers);
    let (position, mut inside) = (cursor.position & !AUTH, cursor.begins_inside());
    while let Some(piece) = next_piece(&mut blocks, cursor, &mut inside) {
        gateway.read(piece, cursor.bytes, Limits::MAX_DEPTH);
    }
    gateway.note_unread_auth(cursor.position & AUTH != 0);
    Some(gateway.endpoint(cursor.bytes, List::new(cursor.bytes, 0, next_of_section).from(position)))
}

impl<'a> AgentsMd<'a> {
    /// Returns the document for an outline.
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        AgentsMdOutline::unpack(outline).attach(bytes)
    }

    /// Returns a list over the sections of a kind.
    fn list<T>(&self, kind: SectionKind, step: fn(&mut Cursor<'a>) -> Option<T>) -> List<'a, T> {
        self.list_from(kind, step, 0)
    }

    /// Like [`list`](Self::list), with the flags `more`.
    fn list_from<T>(
        &self,
        kind: SectionKind,
        step: fn(&mut Cursor<'a>) -> Option<T>,
        more: u32,
    ) -> List<'a, T> {
        let bit = kind as u8;
        let Some(Some(start)) = self.outline.first.get(usize::from(bit)) else {
            return List::empty();
        };
        let bytes = self.bytes.get(*start as usize..).unwrap_or_default();
        let flags = match self.outline.repeated >> bit & 1 {
            0 => LAST,
            _ => 0,
        };
        List::new(bytes, 0, step).from(flags | more | FRESH)
    }
}

impl<'a> Reading<'a> for AgentsMd<'a> {
    fn head(&self) -> Head<'a> {
        Head { spec_version: self.version(), ..Head::default() }
    }

    fn service(&self) -> Option<Service<'a>> {
        let contact = self.list(SectionKind::Contact, next_contact);
        let (name, description) = (self.title(), self.description());
        if name.is_none() && description.is_none() && contact.is_empty() {
            return None;
        }
        Some(Service { name, description, contact, ..Service::default() })
    }

    fn endpoints(&self) -> List<'a, Endpoint<'a>> {
        let is_unread = self.outline.gateway.auth.state() == SlotState::Unreadable;
        match self.outline.mcp {
            None => List::empty(),
            Some(McpSource::Section) => {
                let position = if is_unread { AUTH } else { 0 };
                self.list_from(SectionKind::Mcp, next_of_sections, position)
            }
            // The value is empty, or not a mapping.
            Some(McpSource::FrontMatter) if self.outline.mcp_yaml.is_empty() => {
                List::new(b"", 0, next_unreadable)
            }
            Some(McpSource::FrontMatter) => {
                let stays = self.outline.kept & AgentsMdOutline::KEPT_OF_MCP != 0;
                let mode = if stays { EXTRA } else { 0 } | if is_unread { UNREAD_AUTH } else { 0 };
                List::new(self.outline.mcp_yaml.slice(self.bytes), mode, next_gateway)
            }
        }
    }

    fn permissions(&self) -> Permissions<'a> {
        Permissions {
            can: self.list(SectionKind::Can, next_can),
            cannot: self.list(SectionKind::Cannot, next_cannot),
            cannot_prose: self.list(SectionKind::Cannot, next_prose),
            behavior: self.list(SectionKind::Behavior, next_rule),
        }
    }

    fn rate_limits(&self) -> List<'a, RateLimit<'a>> {
        self.list(SectionKind::Behavior, next_rate)
    }

    fn cache_seconds(&self) -> Option<u32> {
        one_time(
            self.list(SectionKind::Behavior, next_rule)
                .filter_map(|rule| behavior::cache_seconds(rule)),
        )
    }

    fn metadata(&self) -> Metadata<'a> {
        if self.outline.kept & AgentsMdOutline::KEPT_AT_TOP == 0 {
            List::empty()
        } else {
            members(self.yaml(), next_of_front_matter)
        }
    }
}
