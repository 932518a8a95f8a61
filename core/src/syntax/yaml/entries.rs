//! The entries of a mapping.

use super::{Event, Events, Reason, Scalar, Unsupported};

/// A value in a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A scalar; an empty plain one if no value is written.
    Scalar(Scalar<'a>),
    /// A mapping: its text. [`entries`] returns its entries.
    Mapping(&'a [u8]),
    /// A sequence: its text. [`Events`] returns its items.
    Sequence(&'a [u8]),
    /// YAML that is not supported.
    Unsupported(Unsupported<'a>),
}

/// An iterator over the entries of a mapping, in order. Duplicates are returned as well; the last
/// one counts. Unsupported YAML in place of a whole entry is a key without a value.
#[derive(Clone, Copy, Debug)]
pub struct Entries<'a> {
    events: Events<'a>,
    root: Option<Event<'a>>,
    /// True if unsupported YAML outside of the mapping is returned, too.
    whole: bool,
    /// Unsupported YAML before the root, to be returned first. The root is not known yet.
    before: Option<Unsupported<'a>>,
    too_deep: Option<Unsupported<'a>>,
}

/// The entries of the mapping in `text`; none if it is not a mapping.
///
/// Text that is not a mapping is skipped at once. Reading all entries takes linear time; reading
/// nested mappings takes another pass for each level.
pub fn entries(text: &[u8], depth: usize) -> Entries<'_> {
    Entries::of(Events::new(text, depth), false)
}

/// Like [`entries`], and also returns unsupported YAML around the mapping.
pub(crate) fn whole_entries(text: &[u8], depth: usize) -> Entries<'_> {
    Entries::of(Events::new(text, depth), true)
}

/// A position after an entry, from which another pass can continue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) offset: usize,
    /// The column of the mapping's keys, at most 125. Wider indentation is not supported.
    pub(crate) column: u8,
    /// True if the mapping is in braces.
    pub(crate) flow: bool,
    /// True if no mapping is open, so that another pass begins anew.
    pub(crate) is_outside: bool,
}

impl<'a> Entries<'a> {
    /// The entries of a mapping that starts here, or was just opened.
    pub(crate) fn of(events: Events<'a>, whole: bool) -> Self {
        let is_open = events.depth() > 0;
        let mut entries = Self {
            events,
            root: is_open.then_some(Event::Mapping),
            whole,
            before: None,
            too_deep: None,
        };
        if !is_open {
            entries.start();
        }
        entries
    }

    /// Finds the root of the text, and skips the text if it is not a mapping.
    fn start(&mut self) {
        self.root = loop {
            match self.event() {
                Some(Event::Unsupported(unsupported)) if self.whole => {
                    self.before = Some(unsupported);
                    return;
                }
                Some(Event::Unsupported(_)) => {}
                other => break other,
            }
        };
        if self.root != Some(Event::Mapping) {
            while self.event().is_some() {}
        }
    }

    /// Continues in `text`, which starts at the offset of a mark.
    pub(crate) fn resume(text: &'a [u8], depth: usize, column: u8, flow: bool) -> Self {
        Self {
            events: Events::resume(text, depth, column, flow),
            root: Some(Event::Mapping),
            whole: true,
            before: None,
            too_deep: None,
        }
    }

    /// The position after the last entry, from which another pass can continue.
    pub(crate) fn mark(&self) -> Mark {
        let (column, flow) = self.events.mapping();
        Mark { offset: self.events.offset(), column, flow, is_outside: self.events.begins_anew() }
    }

    /// The root: [`Event::Mapping`] if there are entries, `None` if the text is empty.
    pub const fn root(&self) -> Option<Event<'a>> {
        self.root
    }

    /// The first part that was skipped because it is nested too deep; `None` if there is none so
    /// far.
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

    /// True if unsupported YAML at the current depth is returned as an entry.
    const fn is_line(&self) -> bool {
        match self.events.depth() {
            0 => self.whole,
            depth => depth == 1,
        }
    }

    /// Skips the collection that was just opened and returns its text.
    fn collection(&mut self) -> &'a [u8] {
        let start = self.events.node();
        let outside = self.events.depth().saturating_sub(1);
        while self.events.depth() > outside
            && (self.events.plain_entry().is_some() || self.event().is_some())
        {}
        self.events.text.get(start..self.events.offset()).unwrap_or_default()
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Scalar<'a>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.whole && self.root.is_none() && self.before.is_none() {
            self.start();
        }
        if let Some(unsupported) = self.before.take() {
            return Some(line(unsupported));
        }
        if self.events.depth() == 1
            && let Some((key, value)) = self.events.plain_entry()
        {
            return Some((key, Value::Scalar(value)));
        }
        let key = loop {
            match self.event()? {
                Event::Key(key) if self.events.depth() == 1 => break key,
                Event::Unsupported(unsupported) if self.is_line() => {
                    return Some(line(unsupported));
                }
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

/// Unsupported YAML in place of an entry.
fn line<'a>(unsupported: Unsupported<'a>) -> (Scalar<'a>, Value<'a>) {
    let absent =
        Scalar::absent(unsupported.whole.get(unsupported.whole.len()..).unwrap_or_default());
    (Scalar::plain(unsupported.whole, false), Value::Scalar(absent))
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;
    use proptest::prelude::*;

    /// A reference implementation that reads entries only from events.
    fn plainly(text: &[u8], depth: usize) -> Vec<(Scalar<'_>, Value<'_>)> {
        let mut entries = entries(text, depth);
        let mut found = Vec::new();
        loop {
            let key = loop {
                match entries.event() {
                    None => return found,
                    Some(Event::Key(key)) if entries.events.depth() == 1 => break key,
                    Some(Event::Unsupported(unsupported)) if entries.events.depth() == 1 => {
                        found.push(line(unsupported));
                    }
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
