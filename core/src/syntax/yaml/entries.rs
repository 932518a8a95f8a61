//! The entries of a mapping, without counting brackets.

use super::{Event, Events, Reason, Scalar, Unsupported};

/// A value in a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A scalar; an empty plain one where nothing is written.
    Scalar(Scalar<'a>),
    /// A mapping: its text, of which [`entries`] gives the entries.
    Mapping(&'a [u8]),
    /// A sequence: its text, of which [`Events`] gives the items.
    Sequence(&'a [u8]),
    /// Something that is not read.
    Unsupported(Unsupported<'a>),
}

/// The entries of a mapping, in order. Duplicates are given as they come: of two with one key the last counts. What is not
/// read in the place of a whole entry is left out; [`Events`] reports it.
#[derive(Clone, Copy, Debug)]
pub struct Entries<'a> {
    events: Events<'a>,
    root: Option<Event<'a>>,
    too_deep: Option<Unsupported<'a>>,
}

/// The entries of the mapping that `text` is; none where it is something else.
///
/// Where it is something else, all of it is passed at once. Reading them all is linear in the text; reading those of nested mappings as well costs one more walk for each level.
pub fn entries(text: &[u8], depth: usize) -> Entries<'_> {
    let mut entries = Entries { events: Events::new(text, depth), root: None, too_deep: None };
    entries.root = loop {
        match entries.event() {
            Some(Event::Unsupported(_)) => {}
            other => break other,
        }
    };
    if entries.root != Some(Event::Mapping) {
        while entries.event().is_some() {}
    }
    entries
}

/// A place behind an entry, from which another walk can go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) offset: usize,
    /// The column of the mapping's keys; at most 125, for wider indentation is not read.
    pub(crate) column: u8,
    /// Whether the mapping stands in braces.
    pub(crate) flow: bool,
}

impl<'a> Entries<'a> {
    /// Goes on in `text`, which starts at a mark's offset.
    pub(crate) fn resume(text: &'a [u8], depth: usize, column: u8, flow: bool) -> Self {
        Self { events: Events::resume(text, depth, column, flow), root: Some(Event::Mapping), too_deep: None }
    }

    /// Where another walk can go on behind the entry that was given last.
    pub(crate) fn mark(&self) -> Mark {
        let (column, flow) = self.events.mapping();
        Mark { offset: self.events.offset(), column, flow }
    }

    /// What the text starts with: [`Event::Mapping`] where there are entries, `None` where nothing is written.
    pub const fn root(&self) -> Option<Event<'a>> {
        self.root
    }

    /// What was passed up to now and not read because it is too deep, the first piece of it.
    pub const fn too_deep(&self) -> Option<Unsupported<'a>> {
        self.too_deep
    }

    fn event(&mut self) -> Option<Event<'a>> {
        let event = self.events.next();
        if let Some(Event::Unsupported(unsupported)) = event
            && unsupported.reason == Reason::Depth
        {
            self.too_deep.get_or_insert(unsupported);
        }
        event
    }

    /// Passes over the collection that was just opened: its text.
    fn collection(&mut self) -> &'a [u8] {
        let start = self.events.node();
        let outside = self.events.depth().saturating_sub(1);
        while self.events.depth() > outside && self.event().is_some() {}
        self.events.text.get(start..self.events.offset()).unwrap_or_default()
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Scalar<'a>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = loop {
            match self.event()? {
                Event::Key(key) if self.events.depth() == 1 => break key,
                _ => {}
            }
        };
        let value = match self.event()? {
            Event::Unsupported(unsupported) => Value::Unsupported(unsupported),
            Event::Mapping => Value::Mapping(self.collection()),
            Event::Sequence => Value::Sequence(self.collection()),
            Event::Scalar(scalar) | Event::Key(scalar) => Value::Scalar(scalar),
            Event::End => return None,
        };
        Some((key, value))
    }
}
