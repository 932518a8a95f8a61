//! Sections and their names (agents.md 3).

use super::place_of;
use super::walk::{Entry, Item, Walk};
use crate::syntax::text::Text;

/// The kind of a section, by its name. Case and a colon at the end are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum SectionKind {
    /// `Can`: permissions.
    Can = 0,
    /// `Cannot`, `Can't` or `Can not`: prohibitions.
    Cannot = 1,
    /// `MCP`: the gateway, in YAML.
    Mcp = 2,
    /// `Behavior` or `Behaviour`: rules of conduct.
    Behavior = 3,
    /// `Contact`.
    Contact = 4,
    /// Any other name.
    Other = 5,
}

impl SectionKind {
    /// The name in the specification; empty for [`Other`](Self::Other).
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Can => "Can",
            Self::Cannot => "Cannot",
            Self::Mcp => "MCP",
            Self::Behavior => "Behavior",
            Self::Contact => "Contact",
            Self::Other => "",
        }
    }
}

/// All known names and their kinds. The first name of a kind is that of the specification.
const NAMES: [&str; 9] = [
    "Can",
    "Cannot",
    "Can't",
    "Can\u{2019}t",
    "Can not",
    "MCP",
    "Behavior",
    "Behaviour",
    "Contact",
];
const KINDS: [SectionKind; 9] = [
    SectionKind::Can,
    SectionKind::Cannot,
    SectionKind::Cannot,
    SectionKind::Cannot,
    SectionKind::Cannot,
    SectionKind::Mcp,
    SectionKind::Behavior,
    SectionKind::Behavior,
    SectionKind::Contact,
];

/// The kind of a section, and true if its name is that of the specification.
pub(super) fn section_kind(name: Text<'_>) -> (SectionKind, bool) {
    let bare = match name.raw() {
        [head @ .., b':'] if !name.is_escaped() => Text::plain(head).trim(),
        _ => name,
    };
    let Some(place) = place_of(bare, &NAMES) else {
        return (SectionKind::Other, false);
    };
    let kind = KINDS.get(place).copied().unwrap_or(SectionKind::Other);
    (
        kind,
        NAMES.get(place) == Some(&kind.as_str()) && bare.raw().len() == name.raw().len(),
    )
}

/// A section of an agents.md: an H2 and the text below it, up to the next H2 or H1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section<'a> {
    /// Its kind.
    pub kind: SectionKind,
    /// Its name as written.
    pub name: Text<'a>,
    /// From the line below the heading to the end of the document.
    rest: &'a [u8],
    depth: u16,
}

impl<'a> Section<'a> {
    pub(super) fn new(name: Text<'a>, rest: &'a [u8], depth: u16) -> Self {
        Self {
            kind: section_kind(name).0,
            name,
            rest,
            depth,
        }
    }

    /// From the line below the heading to the end of the document.
    pub(super) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Its entries, in order. Takes linear time in the section.
    pub fn entries(&self) -> SectionEntries<'a> {
        SectionEntries {
            walk: Walk::new(self.rest, self.depth, Some(self.kind)),
            done: false,
        }
    }

    /// Its list items of all depths, without empty ones. Takes linear time in the section.
    pub fn items(&self) -> impl Iterator<Item = Item<'a>> + use<'a> {
        self.entries().filter_map(|entry| match entry {
            Entry::Item(item) if !item.text.raw().is_empty() => Some(item),
            _ => None,
        })
    }

    /// Its paragraphs outside of items. Takes linear time in the section.
    pub fn paragraphs(&self) -> impl Iterator<Item = Text<'a>> + use<'a> {
        self.entries().filter_map(|entry| match entry {
            Entry::Paragraph(text) => Some(text),
            _ => None,
        })
    }
}

/// The entries of one section.
#[derive(Clone, Copy, Debug)]
pub struct SectionEntries<'a> {
    walk: Walk<'a>,
    done: bool,
}

impl<'a> Iterator for SectionEntries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        if self.done {
            return None;
        }
        match self.walk.next() {
            Some(Entry::Section(_) | Entry::Heading(1, _)) | None => {
                self.done = true;
                None
            }
            entry => entry,
        }
    }
}
