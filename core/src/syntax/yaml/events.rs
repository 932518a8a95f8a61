//! The tokenizer.
//!
//! The state is a cursor `at`, a stack of open collections, and a [`State`] with the next expected
//! syntax. `next` runs steps until one returns an event. A step moves the cursor, opens or closes a
//! collection, or changes the state. A frame stores the indentation of a collection relative to the
//! one around it, so it is one byte.
//!
//! INVARIANTS
//! - `indent` is the sum of the frames on the stack: the column of the innermost block collection.
//! - In [`State::Entry`], `at` is the start of a line and everything before it was processed. In
//!   [`State::Key`], it is a key that [`Events::block_key`] has accepted.
//! - A scalar is accepted only together with the rest of its line, so nothing is undone.
//! - Rejected text goes through [`Events::reject`], which skips the lines that can only belong to
//!   it. The search for the end of such text never goes past those lines. That keeps the time
//!   linear.

use super::flow::end_of_flow;
use super::scalar::{
    self, Scalar, Stop, ends_line, marker, plain_in_block, plain_on_line, starts_plain,
};
use super::{Event, Reason, Unsupported};
use crate::limits::Limits;
use crate::syntax::fold::{blanks_len, break_len, line_end};

/// The maximum length of a key in bytes. (YAML 1.2.2, 7.4.2 limits it to as many characters.)
pub(super) const KEY_LIMIT: usize = 1024;

/// The maximum length of a key that is read as [a plain one](Events::plain_entry).
const PLAIN_KEY: usize = 32;

/// The largest relative indentation that a frame can hold.
const WIDEST: usize = 0x7D;
/// Set in the frame of a block sequence.
const SEQUENCE: u8 = 0x80;
pub(super) const FLOW_MAPPING: u8 = 0xFE;
pub(super) const FLOW_SEQUENCE: u8 = 0xFF;
/// A pair without braces in a flow sequence: a mapping of one entry.
pub(super) const FLOW_PAIR: u8 = 0x7F;
/// No frame: no collection is open.
const OUTSIDE: u8 = 0x7E;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Before the document.
    Start,
    /// A value is expected at or after `at`.
    Node(Lead),
    /// The next entry of the innermost block collection, or its end, is expected.
    Entry,
    /// A key is at `at`.
    Key,
    /// In a flow collection: an item, a key or the end is expected.
    FlowItem,
    /// After a key in a flow mapping.
    FlowColon,
    /// After the colon in a flow mapping.
    FlowValue,
    /// After an item in a flow collection.
    FlowAfter,
    Done,
}

/// The text before a value on its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lead {
    /// A key or `---`: no block collection can start on the line.
    Key,
    /// The `-` of a sequence.
    Dash,
    /// Only spaces.
    Indent,
}

/// The next line after empty lines and comments.
enum Ahead {
    End,
    /// `---` or `...`.
    Marker(u8),
    /// A line with its first character in this column, or with a tab before it.
    Line {
        column: usize,
        tab: bool,
    },
}

/// An iterator over the events of one document. At most [`Limits::MAX_DEPTH`] collections are open
/// at once. Uses no heap.
///
/// There is at most one value at the top level. After unsupported YAML there can be more than one
/// mapping, because the rest is still read. A byte order mark is not expected. The whole iteration
/// takes linear time.
#[derive(Clone, Copy, Debug)]
pub struct Events<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
    /// The start of the line that contains `at`.
    line: usize,
    indent: usize,
    pub(super) depth: usize,
    limit: usize,
    pub(super) state: State,
    /// The start of the last collection: of its line if only blanks precede it, otherwise of its
    /// bracket.
    pub(super) node: usize,
    frames: [u8; Limits::MAX_DEPTH],
}

impl<'a> Events<'a> {
    /// Reads `text` with at most `depth` nested collections (at most [`Limits::MAX_DEPTH`]).
    pub fn new(text: &'a [u8], depth: usize) -> Self {
        let limit = depth.min(Limits::MAX_DEPTH);
        Self {
            text,
            at: 0,
            line: 0,
            indent: 0,
            depth: 0,
            limit,
            state: State::Start,
            node: 0,
            frames: [0; Limits::MAX_DEPTH],
        }
    }

    /// Continues after an entry of a mapping with keys in `column`, or in braces.
    pub(super) fn resume(text: &'a [u8], depth: usize, column: u8, flow: bool) -> Self {
        let mut events = Self::new(text, depth.max(1));
        events.state = if flow { State::FlowAfter } else { State::Entry };
        if flow {
            events.push(FLOW_MAPPING);
        } else {
            events.push_block(false, usize::from(column));
        }
        events
    }

    /// Reads a mapping whose first key starts the text, in this column of its line.
    pub(crate) fn behind(text: &'a [u8], depth: usize, column: usize) -> Self {
        let mut events = Self::new(text, depth);
        if column > 0 && events.block_key().is_some() && events.push_block(false, column) {
            events.state = State::Key;
        }
        events
    }

    /// True if nothing is open, and the rest is read as a text of its own.
    pub(super) const fn begins_anew(&self) -> bool {
        self.depth == 0 && matches!(self.state, State::Start | State::Node(_))
    }

    /// The column of the keys of the top-level mapping, and true if it is in braces.
    pub(super) const fn mapping(&self) -> (u8, bool) {
        let [frame, ..] = self.frames;
        if self.depth == 0 {
            (0, false)
        } else if frame == FLOW_MAPPING {
            (0, true)
        } else {
            (frame & !SEQUENCE, false)
        }
    }

    /// The number of open collections.
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// The offset up to which the text is read.
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// The start of the last collection: the text from there to its end parses as that collection.
    pub(super) const fn node(&self) -> usize {
        self.node
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn rest_of_line(&self) -> &'a [u8] {
        let (end, _) = line_end(self.text, self.at);
        self.text.get(self.at..end).unwrap_or_default()
    }

    /// The frame of the innermost collection.
    pub(super) fn frame(&self) -> u8 {
        self.frames.get(self.depth.wrapping_sub(1)).copied().unwrap_or(OUTSIDE)
    }

    pub(super) fn push(&mut self, frame: u8) -> bool {
        if self.depth >= self.limit {
            return false;
        }
        let Some(place) = self.frames.get_mut(self.depth) else {
            return false;
        };
        *place = frame;
        self.depth += 1;
        true
    }

    pub(super) fn pop(&mut self) {
        let frame = self.frame();
        if !is_flow(frame) {
            self.indent = self.indent.saturating_sub(usize::from(frame & !SEQUENCE));
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn push_block(&mut self, sequence: bool, column: usize) -> bool {
        let distance = column.saturating_sub(self.indent);
        let Ok(frame) = u8::try_from(distance) else {
            return false;
        };
        if distance > WIDEST || !self.push(if sequence { frame | SEQUENCE } else { frame }) {
            return false;
        }
        self.indent = column;
        true
    }

    fn in_sequence(&self) -> bool {
        self.frame() & SEQUENCE != 0
    }

    /// The smallest column of content of the innermost collection.
    fn least(&self) -> usize {
        if self.depth == 0 { 0 } else { self.indent + 1 }
    }

    /// Skips empty lines and comments from the start of a line.
    fn ahead(&mut self) -> Ahead {
        loop {
            self.line = self.at;
            let rest = self.rest();
            let spaces = super::decode::spaces_len(rest);
            let blanks = spaces + blanks_len(rest.get(spaces..).unwrap_or_default());
            let tail = rest.get(blanks..).unwrap_or_default();
            match tail {
                [] => {
                    self.at = self.text.len();
                    return Ahead::End;
                }
                [b'\n' | b'\r', ..] => self.at += blanks + break_len(tail),
                [b'#', ..] => self.next_line(),
                _ => {
                    return match marker(rest) {
                        Some(byte) => Ahead::Marker(byte),
                        None => Ahead::Line { column: spaces, tab: blanks > spaces },
                    };
                }
            }
        }
    }

    pub(super) fn next_line(&mut self) {
        (_, self.at) = line_end(self.text, self.at);
    }

    /// Skips the text at `at`, and reports it as unsupported. Skips its line, or all lines of a
    /// flow collection. Then skips the lines below that are indented as its content and, in a
    /// mapping, sequence items in the column of the keys.
    pub(super) fn reject(&mut self, reason: Reason) -> Option<Event<'a>> {
        let raw = self.rest_of_line().trim_ascii();
        let (start, column) = (self.at, self.at.saturating_sub(self.line));
        self.at = end_of_flow(self.text, self.at);
        self.next_line();
        if self.depth == 0 {
            self.restart(column);
            return self.unsupported(raw, start, reason);
        }
        let mapping = !self.in_sequence();
        while let Ahead::Line { column, tab } = self.ahead() {
            let item = mapping
                && column == self.indent
                && is_dash(self.text.get(self.at + column..).unwrap_or_default());
            if !(tab || item || column >= self.least()) {
                break;
            }
            self.next_line();
        }
        self.state = State::Entry;
        self.unsupported(raw, start, reason)
    }

    fn reject_line(&mut self, reason: Reason) -> Option<Event<'a>> {
        let (raw, start) = (self.rest_of_line().trim_ascii(), self.at);
        self.next_line();
        self.unsupported(raw, start, reason)
    }

    /// Returns the event for the text that was skipped, from `start` to `at`.
    fn unsupported(&self, raw: &'a [u8], start: usize, reason: Reason) -> Option<Event<'a>> {
        let whole = self.text.get(start..self.at).unwrap_or_default().trim_ascii();
        Some(Event::Unsupported(Unsupported { raw, whole, reason }))
    }

    /// Continues after unsupported YAML at the top level: at the next line that starts with a key.
    /// Skips keys that are indented more than the column `rejected`, because they belong to the
    /// unsupported YAML.
    fn restart(&mut self, rejected: usize) {
        self.state = State::Entry;
        while let Ahead::Line { column, tab } = self.ahead() {
            let line = self.at;
            self.at += column;
            let key = !tab && column <= rejected && self.block_key().is_some();
            self.at = line;
            if key {
                self.state = State::Node(Lead::Indent);
                break;
            }
            self.next_line();
        }
    }

    fn start(&mut self) -> Option<Event<'a>> {
        match self.ahead() {
            Ahead::Line { tab: true, .. } => return self.reject_line(Reason::Tab),
            Ahead::Line { .. } if self.rest().first() == Some(&b'%') => {
                return self.reject_line(Reason::Directive);
            }
            Ahead::Line { .. } => self.state = State::Node(Lead::Indent),
            Ahead::Marker(b'-') => {
                self.at += 3;
                self.state = State::Node(Lead::Key);
            }
            Ahead::Marker(_) | Ahead::End => self.state = State::Entry,
        }
        None
    }

    /// Reads a value.
    fn value(&mut self, mut lead: Lead) -> Option<Event<'a>> {
        let mut tab = false;
        if lead != Lead::Indent {
            let rest = self.rest();
            let blanks = blanks_len(rest);
            tab = rest.get(..blanks).unwrap_or_default().contains(&b'\t');
            let tail = rest.get(blanks..).unwrap_or_default();
            if matches!(tail, [] | [b'\n' | b'\r' | b'#', ..]) {
                self.next_line();
                lead = Lead::Indent;
            } else {
                self.at += blanks;
            }
        }
        if lead != Lead::Indent {
            return self.node_at(lead, tab);
        }
        match self.ahead() {
            Ahead::Line { tab: true, .. } => return self.reject(Reason::Tab),
            Ahead::Line { column, .. } => {
                let start = self.at + column;
                let item = column == self.indent && self.depth > 0 && !self.in_sequence();
                if column >= self.least()
                    || (item && is_dash(self.text.get(start..).unwrap_or_default()))
                {
                    self.at = start;
                    return self.node_at(Lead::Indent, false);
                }
            }
            Ahead::End | Ahead::Marker(_) => {}
        }
        self.state = State::Entry;
        Some(Event::Scalar(Scalar::absent(self.rest())))
    }

    /// Reads a value that starts at `at`.
    fn node_at(&mut self, lead: Lead, tab: bool) -> Option<Event<'a>> {
        let column = self.at.saturating_sub(self.line);
        let (rest, least) = (self.rest(), self.least());
        let scalar = match rest {
            [b'-', ..] if is_dash(rest) => return self.open_block(true, lead, tab, column),
            [b'&' | b'*' | b'!', ..] => return self.reject(unread(rest)),
            [b'|' | b'>', ..] => scalar::block(self.text, self.at, least, self.depth == 0),
            [b'[' | b'{', ..] => return self.open_flow(),
            [b'?', tail @ ..] if is_blank(tail) => return self.reject(Reason::Key),
            // No block key can follow another key on its line, and such text is not a scalar
            // either.
            _ if (lead != Lead::Key || matches!(rest, [b'"' | b'\'', ..]))
                && self.block_key().is_some() =>
            {
                return self.open_block(false, lead, tab, column);
            }
            [b'"' | b'\'', ..] => {
                scalar::quoted(self.text, self.at, Some(least)).and_then(|(scalar, end)| {
                    let (line_stop, next) = line_end(self.text, end);
                    self.text.get(end..line_stop).is_some_and(ends_line).then_some((scalar, next))
                })
            }
            _ if starts_plain(rest, false) => scalar::plain(self.text, self.at, least),
            _ => None,
        };
        let Some((scalar, next)) = scalar else {
            return self.reject(Reason::Malformed);
        };
        self.at = next;
        self.state = State::Entry;
        Some(Event::Scalar(scalar))
    }

    fn open_block(
        &mut self,
        sequence: bool,
        lead: Lead,
        tab: bool,
        column: usize,
    ) -> Option<Event<'a>> {
        if lead == Lead::Key {
            return self.reject(Reason::Malformed);
        }
        if tab {
            return self.reject(Reason::Tab);
        }
        self.node = if lead == Lead::Indent { self.line } else { self.at };
        if !self.push_block(sequence, column) {
            return self.reject(Reason::Depth);
        }
        if sequence {
            self.at += 1;
            self.state = State::Node(Lead::Dash);
            return Some(Event::Sequence);
        }
        self.state = State::Key;
        Some(Event::Mapping)
    }

    /// Opens a flow collection, after checking that it ends on its line.
    fn open_flow(&mut self) -> Option<Event<'a>> {
        let mut probe = *self;
        let outside = probe.depth;
        probe.state = State::FlowValue;
        loop {
            if probe.flow().is_none() {
                let deep = probe.depth >= probe.limit && matches!(probe.rest(), [b'[' | b'{', ..]);
                return self.reject(if deep { Reason::Depth } else { Reason::Flow });
            }
            if probe.depth == outside {
                break;
            }
        }
        if !ends_line(probe.rest_of_line()) {
            return self.reject(Reason::Flow);
        }
        self.node = self.at;
        self.state = State::FlowValue;
        self.flow()
    }

    /// Sets the state after the end of a flow collection.
    pub(super) fn after_flow(&mut self) {
        if is_flow(self.frame()) {
            self.state = State::FlowAfter;
        }
    }

    /// The key that starts at `at`, and the offset after its colon.
    fn block_key(&self) -> Option<(Scalar<'a>, usize)> {
        let rest = self.rest();
        let (scalar, end) = match rest {
            [b'"' | b'\'', ..] => scalar::quoted(self.text, self.at, None)?,
            _ if starts_plain(rest, false) => {
                let (length, _) = plain_on_line(rest, false);
                (Scalar::plain(rest.get(..length)?, false), self.at + length)
            }
            _ => return None,
        };
        let colon = end + blanks_len(self.text.get(end..)?);
        match self.text.get(colon..)? {
            [b':', tail @ ..] if is_blank(tail) && colon - self.at <= KEY_LIMIT => {
                Some((scalar, colon + 1))
            }
            _ => None,
        }
    }

    fn key(&mut self) -> Option<Event<'a>> {
        let Some((key, next)) = self.block_key() else {
            return self.reject(unread(self.rest()));
        };
        self.at = next;
        self.state = State::Node(Lead::Key);
        Some(Event::Key(key))
    }

    /// Takes the next entry of the innermost block mapping if it has the most frequent form: a key
    /// of letters, a space, and a plain scalar on the rest of the line that the next line does not
    /// continue. [`next`](Self::next) reads all other entries, and these with the same result.
    pub(super) fn plain_entry(&mut self) -> Option<(Scalar<'a>, Scalar<'a>)> {
        if self.frame() >= OUTSIDE {
            return None;
        }
        let key_at = match self.state {
            State::Entry => self.at + self.indent,
            State::Key => self.at,
            _ => return None,
        };
        let text = self.text;
        let is_indented = text.get(self.at..key_at)?.iter().all(|&byte| byte == b' ');
        let rest = text.get(key_at..)?;
        let (key, tail) = plain_key(rest)?;
        if !is_indented {
            return None;
        }
        let (length, stop, next) = plain_in_block(tail);
        let below = tail.get(next..)?;
        let column = super::decode::spaces_len(below.get(..=self.indent).unwrap_or(below));
        let ends = match below.get(column) {
            None => true,
            Some(b'\t' | b'\n' | b'\r') => false,
            Some(_) => column <= self.indent,
        };
        if stop == Stop::Colon || !ends {
            return None;
        }
        self.at = key_at + key.len() + 2 + next;
        self.state = State::Entry;
        Some((Scalar::plain(key, false), Scalar::plain(tail.get(..length)?, false)))
    }

    fn close(&mut self) -> Option<Event<'a>> {
        self.pop();
        Some(Event::End)
    }

    /// Reads the next entry of the innermost block collection, or its end.
    fn entry(&mut self) -> Option<Event<'a>> {
        let (column, tab) = match self.ahead() {
            Ahead::Line { column, tab } => (column, tab),
            Ahead::End | Ahead::Marker(_) if self.depth > 0 => return self.close(),
            Ahead::End => {
                self.state = State::Done;
                return None;
            }
            Ahead::Marker(byte) => return self.behind_document(byte),
        };
        if tab {
            return self.reject(Reason::Tab);
        }
        if self.depth == 0 {
            return self.reject(Reason::Malformed);
        }
        if column < self.indent {
            return self.close();
        }
        let start = self.at + column;
        let dash = is_dash(self.text.get(start..).unwrap_or_default());
        if column == self.indent && self.in_sequence() {
            if dash {
                self.at = start + 1;
                self.state = State::Node(Lead::Dash);
                return None;
            }
            if self.frame() == SEQUENCE && self.depth > 1 {
                return self.close();
            }
        }
        self.at = start;
        if column > self.indent || self.in_sequence() || dash {
            return self.reject(Reason::Malformed);
        }
        self.state = State::Key;
        None
    }

    /// After the document: only comments may follow `...`.
    fn behind_document(&mut self, marker: u8) -> Option<Event<'a>> {
        let start = self.at;
        if marker == b'.' {
            self.at += 3;
            let clean = ends_line(self.rest_of_line());
            self.next_line();
            if clean && matches!(self.ahead(), Ahead::End) {
                self.state = State::Done;
                return None;
            }
            if !clean {
                self.at = start;
            }
        }
        let (raw, start) = (self.rest_of_line().trim_ascii_end(), self.at);
        self.at = self.text.len();
        self.state = State::Done;
        self.unsupported(raw, start, Reason::Documents)
    }
}

/// The key of a plain entry, and the text from its value on.
#[inline]
fn plain_key(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = text
        .iter()
        .take(PLAIN_KEY)
        .take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'_')
        .count();
    let (key, tail) = text.split_at_checked(length)?;
    match tail {
        [b':', b' ', value @ ..] if !key.is_empty() && value.first()?.is_ascii_alphanumeric() => {
            Some((key, value))
        }
        _ => None,
    }
}

/// The reason why text is not supported in place of a key. The first three also apply to values.
fn unread(text: &[u8]) -> Reason {
    match text {
        [b'&', ..] => Reason::Anchor,
        [b'*', ..] => Reason::Alias,
        [b'!', ..] => Reason::Tag,
        [b'[' | b'{', ..] => Reason::Key,
        [b'?' | b':', tail @ ..] if is_blank(tail) => Reason::Key,
        _ => Reason::Malformed,
    }
}

/// True for the frame of a flow collection.
const fn is_flow(frame: u8) -> bool {
    matches!(frame, FLOW_PAIR | FLOW_MAPPING | FLOW_SEQUENCE)
}

/// True if `text` starts with a blank or a line end, or is empty.
pub(super) fn is_blank(text: &[u8]) -> bool {
    matches!(text, [] | [b' ' | b'\t' | b'\n' | b'\r', ..])
}

/// True if `text` starts with the `-` of a sequence item.
fn is_dash(text: &[u8]) -> bool {
    matches!(text, [b'-', tail @ ..] if is_blank(tail))
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        loop {
            let event = match self.state {
                State::Start => self.start(),
                State::Node(lead) => self.value(lead),
                State::Entry => self.entry(),
                State::Key => self.key(),
                State::FlowItem | State::FlowColon | State::FlowValue | State::FlowAfter => {
                    let event = self.flow();
                    if !is_flow(self.frame()) {
                        // Nothing else follows on this line; that was checked before.
                        self.next_line();
                        self.state = State::Entry;
                    }
                    event
                }
                State::Done => return None,
            };
            if event.is_some() {
                return event;
            }
        }
    }
}
