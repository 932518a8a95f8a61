//! Reads agents.md into the unified model.
//!
//! A pass over Markdown has a stack of open containers, which is too large for a list of the model.
//! But a list stops only between two blocks, where the state is small: the offset of the next line,
//! and the open containers with their columns in 128 bits
//! ([`blocks::Mark`](crate::syntax::markdown::Mark)). Parsing rejects documents that would need
//! more. From there, the next step starts a new pass. Each step reads up to the block after its
//! item, and the next step reads that block again, so no line is read more than twice.
//!
//! An item can start on the same line as the item that contains it. So the position of the list is
//! behind the marker of the last item that was returned from the first line, and 0 if none was.
//!
//! A text with several items (the lines of a contact, the entries of YAML) stays open between the
//! steps. Then the bytes of the list start at the rest of the text, and the position is behind it.
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
use crate::model::list::{Cursor, states};
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

/// How the open YAML is read on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Yaml {
    /// From its start.
    #[default]
    Whole,
    /// As a mapping whose first key is in the column.
    Opened,
    /// Behind an entry of a mapping whose keys are in the column.
    Block,
    /// Behind an entry of a mapping in braces.
    Braces,
}

states!(Yaml: Whole, Opened, Block, Braces);

states! {
    /// The state of a list.
    #[derive(Default)]
    struct Between {
        /// The first step was not made yet.
        is_fresh: bool,
        /// There is only one section of the kind.
        is_last: bool,
        /// The document mentions authentication in a way that is not read.
        has_unread_auth: bool,
        /// The depths of the place where the next pass begins.
        loose: u32[7],
        below: u32[7],
        /// A text is open, up to the position.
        is_open: bool,
        /// The open text is in a block quote.
        is_quoted: bool,
        /// After the open text, the rest of its line is skipped.
        skips_line: bool,
        /// After that, one more line is skipped: the blank line, underline or fence that ended the
        /// text.
        skips_next: bool,
        yaml: Yaml,
        column: u32[7],
    }
}

impl<'a> Cursor<'a> {
    fn advance(&mut self, count: usize) {
        self.bytes = self.bytes.get(count..).unwrap_or_default();
    }

    /// Opens a text, which is a part of the bytes. `mark` is the position after it.
    fn open(&mut self, text: &'a [u8], is_quoted: bool, mark: Mark) {
        let Span { start, end } = Span::of(text, self.bytes);
        let is_whole = end == 0 || matches!(self.bytes.get(end as usize - 1), Some(b'\n' | b'\r'));
        let next_line = if is_whole { end as usize } else { line_end(self.bytes, end as usize).1 };
        self.change(|state: &mut Between| {
            (state.is_open, state.is_quoted) = (true, is_quoted);
            (state.skips_line, state.skips_next) = (!is_whole, mark.offset > next_line);
        });
        self.containers = mark.containers;
        self.advance(start as usize);
        self.position = end - start;
    }

    /// Continues after a text.
    fn go_to(&mut self, text: Text<'a>, position: Position) -> Text<'a> {
        self.advance(position.mark.offset);
        self.containers = position.mark.containers;
        self.position = position.passed.saturating_sub(position.mark.offset as u32);
        text
    }

    /// True if the pass begins in a section of the wanted kind: in every step except the first.
    fn begins_inside(&mut self) -> bool {
        let is_fresh = self.state::<Between>().is_fresh;
        self.change(|state: &mut Between| state.is_fresh = false);
        !is_fresh
    }

    fn keep(&mut self, place: &Place) {
        self.change(|state: &mut Between| {
            (state.loose, state.below) = (place.loose, place.below);
        });
    }

    /// The rest of the open text.
    fn text(&self) -> &'a [u8] {
        self.bytes.get(..self.position as usize).unwrap_or_default()
    }

    /// Closes the open text.
    fn leave(&mut self) {
        let state: Between = self.state();
        self.advance(self.position as usize);
        for skips in [state.skips_line, state.skips_next] {
            if skips {
                self.advance(line_end(self.bytes, 0).1);
            }
        }
        self.set(Between { is_last: state.is_last, ..Between::default() });
        self.position = 0;
    }
}

/// Returns the next wanted text in the sections of a kind.
fn next_item<'a>(cursor: &mut Cursor<'a>, kind: SectionKind, wanted: Wanted) -> Option<Text<'a>> {
    next_text(cursor, kind, wanted).map(|(text, position)| cursor.go_to(text, position))
}

fn next_can<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    next_item(cursor, SectionKind::Can, Wanted::Items)
}

fn next_cannot<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    next_item(cursor, SectionKind::Cannot, Wanted::Items)
}

/// Returns the next paragraph outside of items in the sections of Cannot.
fn next_prose<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    next_item(cursor, SectionKind::Cannot, Wanted::Prose)
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
        let Between { is_open, is_quoted, .. } = cursor.state();
        if !is_open {
            let (text, position) = next_text(cursor, SectionKind::Contact, Wanted::All)?;
            cursor.open(text.raw(), text.escape() == Escape::MarkdownQuote, position.mark);
            continue;
        }
        let escape = if is_quoted { Escape::MarkdownQuote } else { Escape::Markdown };
        let mut text = Text::escaped(cursor.text(), escape);
        let line = take_line(&mut text).unwrap_or_default();
        let left = text.raw().len();
        cursor.advance((cursor.position as usize).saturating_sub(left));
        cursor.position = left as u32;
        if left == 0 {
            cursor.leave();
        }
        if !line.is_empty() {
            return Some(Text::plain(line));
        }
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
    /// The offset behind the marker of the last item that was returned.
    passed: u32,
}

impl Position {
    fn after(blocks: &Blocks<'_>) -> Self {
        Self { mark: blocks.mark(), passed: 0 }
    }
}

/// Returns the next wanted text in a section of a kind, and the position after it.
fn next_text<'a>(
    cursor: &mut Cursor<'a>,
    kind: SectionKind,
    wanted: Wanted,
) -> Option<(Text<'a>, Position)> {
    let mut blocks = Blocks::resume(cursor.bytes, cursor.containers);
    let mut position = Position::after(&blocks);
    let mut held = None;
    let Between { is_last, loose, below, .. } = cursor.state();
    let section = cursor.begins_inside().then_some(kind);
    let mut place = Place { loose, below, ..Place::new(section) };
    while let Some(block) = held.take().or_else(|| blocks.next()) {
        place.pass(&block);
        let inside = wanted.takes(&place, kind, 0);
        if block.kind == Kind::Item {
            let marker = Span::of(block.text.raw(), cursor.bytes);
            position.passed = marker.end;
            if marker.start < cursor.position {
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
        if !inside && is_last {
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
    let state: Between = cursor.state();
    let mut entries: Entries<'a> = match (state.yaml, kept) {
        (Yaml::Whole, Kept::AtTop) => yaml::whole_entries(text, Limits::MAX_DEPTH),
        (Yaml::Whole, Kept::OfMcp) => yaml::entries(text, Limits::MAX_DEPTH),
        (Yaml::Opened, _) => {
            let column = state.column as usize;
            Entries::of(Events::behind(text, Limits::MAX_DEPTH, column), false)
        }
        (yaml, _) => {
            let is_flow = yaml == Yaml::Braces;
            Entries::resume(text, Limits::MAX_DEPTH, state.column as u8, is_flow)
        }
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
        cursor.position = cursor.position.saturating_sub(mark.offset as u32);
        let yaml = match (mark.is_outside, mark.flow) {
            (true, _) => Yaml::Whole,
            (false, true) => Yaml::Braces,
            (false, false) => Yaml::Block,
        };
        let column = mark.column.into();
        cursor.set(Between { yaml, column, ..state });
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
    cursor.state::<Between>().is_open.then(|| next_entry(cursor, Kept::AtTop))?
}

fn next_of_mcp<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    cursor.state::<Between>().is_open.then(|| next_entry(cursor, Kept::OfMcp))?
}

fn next_of_section<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    loop {
        while cursor.state::<Between>().is_open {
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
            cursor.change(|state: &mut Between| {
                (state.yaml, state.column) = (Yaml::Opened, column);
            });
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
        if !*inside && cursor.state::<Between>().is_last {
            return None;
        }
    }
    None
}

/// The entries of a mapping in the front matter.
fn members<'a>(yaml: &'a [u8], step: fn(&mut Cursor<'a>) -> Option<Member<'a>>) -> Metadata<'a> {
    List::new(yaml, Between { is_open: true, ..Between::default() }, step).from(yaml.len() as u32)
}

states! {
    /// The state of the list with the gateway of the front matter.
    struct OfFrontMatter {
        /// Some entries of the gateway are kept as metadata.
        has_extra: bool,
        /// Authentication is mentioned in a way that is not read.
        has_unread_auth: bool,
    }
}

/// Returns the gateway of the front matter. Then the position is 1.
fn next_gateway<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    if !is_first(cursor) {
        return None;
    }
    let mut gateway = Gateway::NONE;
    gateway.read(Piece::new(cursor.bytes), cursor.bytes, Limits::MAX_DEPTH);
    let OfFrontMatter { has_extra, has_unread_auth } = cursor.state();
    gateway.note_unread_auth(has_unread_auth);
    let extra = if has_extra { members(cursor.bytes, next_of_mcp) } else { List::empty() };
    Some(gateway.endpoint(cursor.bytes, extra))
}

/// Returns the gateway for an `mcp` with an invalid value: it requires some authentication.
fn next_unreadable<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    if !is_first(cursor) {
        return None;
    }
    let gateway = Gateway { auth: Slot::UNREADABLE, ..Gateway::NONE };
    Some(gateway.endpoint(b"", List::empty()))
}

/// Returns the gateway of the MCP sections, in the first step.
fn next_of_sections<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    let start: Between = cursor.state();
    let mut inside = cursor.begins_inside();
    if inside {
        return None;
    }
    let mut gateway = Gateway::NONE;
    let mut blocks = Blocks::resume(cursor.bytes, cursor.containers);
    while let Some(piece) = next_piece(&mut blocks, cursor, &mut inside) {
        gateway.read(piece, cursor.bytes, Limits::MAX_DEPTH);
    }
    gateway.note_unread_auth(start.has_unread_auth);
    Some(gateway.endpoint(cursor.bytes, List::new(cursor.bytes, start, next_of_section)))
}

impl<'a> AgentsMd<'a> {
    /// Returns the document for an outline.
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        AgentsMdOutline::unpack(outline).attach(bytes)
    }

    /// Returns a list over the sections of a kind.
    fn list<T>(&self, kind: SectionKind, step: fn(&mut Cursor<'a>) -> Option<T>) -> List<'a, T> {
        self.list_from(kind, step, Between::default())
    }

    /// Returns a list over the sections of a kind that starts in this state.
    fn list_from<T>(
        &self,
        kind: SectionKind,
        step: fn(&mut Cursor<'a>) -> Option<T>,
        state: Between,
    ) -> List<'a, T> {
        let bit = kind as u8;
        let Some(Some(start)) = self.outline.first.get(usize::from(bit)) else {
            return List::empty();
        };
        let bytes = self.bytes.get(*start as usize..).unwrap_or_default();
        let is_last = self.outline.repeated >> bit & 1 == 0;
        List::new(bytes, Between { is_last, is_fresh: true, ..state }, step)
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
        let has_unread_auth = self.outline.gateway.auth.state() == SlotState::Unreadable;
        match self.outline.mcp {
            None => List::empty(),
            Some(McpSource::Section) => {
                let state = Between { has_unread_auth, ..Between::default() };
                self.list_from(SectionKind::Mcp, next_of_sections, state)
            }
            // The value is empty, or not a mapping.
            Some(McpSource::FrontMatter) if self.outline.mcp_yaml.is_empty() => {
                List::new(b"", 0, next_unreadable)
            }
            Some(McpSource::FrontMatter) => {
                let has_extra = self.outline.kept & AgentsMdOutline::KEPT_OF_MCP != 0;
                let state = OfFrontMatter { has_extra, has_unread_auth };
                List::new(self.outline.mcp_yaml.slice(self.bytes), state, next_gateway)
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
