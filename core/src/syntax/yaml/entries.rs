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
    let mut entries = Entries {
        events: Events::new(text, depth),
        root: None,
        too_deep: None,
    };
    entries.start();
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
    /// Finds what the text is, and passes it where it is no mapping.
    fn start(&mut self) {
        self.root = loop {
            match self.event() {
                Some(Event::Unsupported(_)) => {}
                other => break other,
            }
        };
        if self.root != Some(Event::Mapping) {
            while self.event().is_some() {}
        }
    }

    /// Goes on in `text`, which starts at a mark's offset.
    pub(crate) fn resume(text: &'a [u8], depth: usize, column: u8, flow: bool) -> Self {
        Self {
            events: Events::resume(text, depth, column, flow),
            root: Some(Event::Mapping),
            too_deep: None,
        }
    }

    /// Where another walk can go on behind the entry that was given last.
    pub(crate) fn mark(&self) -> Mark {
        let (column, flow) = self.events.mapping();
        Mark {
            offset: self.events.offset(),
            column,
            flow,
        }
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
        while self.events.depth() > outside
            && (self.events.plain_entry().is_some() || self.event().is_some())
        {}
        self.events
            .text
            .get(start..self.events.offset())
            .unwrap_or_default()
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Scalar<'a>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.events.depth() == 1
            && let Some((key, value)) = self.events.plain_entry()
        {
            return Some((key, Value::Scalar(value)));
        }
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

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;
    use proptest::prelude::*;

    /// The entries by events alone.
    fn plainly(text: &[u8], depth: usize) -> Vec<(Scalar<'_>, Value<'_>)> {
        let mut entries = entries(text, depth);
        let mut found = Vec::new();
        loop {
            let key = loop {
                match entries.event() {
                    None => return found,
                    Some(Event::Key(key)) if entries.events.depth() == 1 => break key,
                    Some(_) => {}
                }
            };
            let value = match entries.event() {
                None | Some(Event::End) => return found,
                Some(Event::Unsupported(unsupported)) => Value::Unsupported(unsupported),
                Some(Event::Scalar(scalar) | Event::Key(scalar)) => Value::Scalar(scalar),
                Some(event @ (Event::Mapping | Event::Sequence)) => {
                    let start = entries.events.node();
                    while entries.events.depth() > 1 && entries.event().is_some() {}
                    let text = text.get(start..entries.events.offset()).unwrap_or_default();
                    if event == Event::Mapping {
                        Value::Mapping(text)
                    } else {
                        Value::Sequence(text)
                    }
                }
            };
            found.push((key, value));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn plain_entries_are_what_events_make_of_them(
            lines in prop::collection::vec((prop::sample::select(std::vec!["", "", "", " ", "  ", "  ", "    ", "\t"]), prop::sample::select(std::vec![
                "a: b", "c_d: e f  ", "g: https://h.test/#i # j", "k: l: m", "n:", "o: p:", "q: 'r'", "s:  t", "u:\tv", "- w: x", "- y", "# z", "", "A: 1.0",
                "b c", "---", "...", "- ", "d: [e]", "f: |", "g: {h: i}", "j-k: l", "m: n\t# o", "p: q\r\n", "r: é", "? s", "t: u #v", "{w: x", "n: #",
            ])), 0..16),
            depth in 1_usize..5,
            cut in any::<bool>(),
        ) {
            let mut text = std::string::String::new();
            for (indent, line) in lines {
                text += indent;
                text += line;
                text.push('\n');
            }
            if cut {
                text.pop();
            }
            let mut walk = entries(text.as_bytes(), depth);
            let found: Vec<_> = walk.by_ref().collect();
            prop_assert_eq!(found, plainly(text.as_bytes(), depth));
        }
    }
}
