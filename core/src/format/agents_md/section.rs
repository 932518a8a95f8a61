//! Sections and their names (agents.md 3).

use super::walk::{Entry, Item, Walk};
use crate::syntax::text::{Chars, Text};

/// The kind of a section, by its name. Case, emphasis, digits and symbols around it are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum SectionKind {
    /// `Can`: permissions.
    Can = 0,
    /// `Cannot`, `Can't`, `Cant` or `Can not`: prohibitions.
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
const NAMES: [(&str, SectionKind); 10] = [
    ("Can", SectionKind::Can),
    ("Cannot", SectionKind::Cannot),
    ("Can't", SectionKind::Cannot),
    ("Can\u{2019}t", SectionKind::Cannot),
    ("Can not", SectionKind::Cannot),
    ("Cant", SectionKind::Cannot),
    ("MCP", SectionKind::Mcp),
    ("Behavior", SectionKind::Behavior),
    ("Behaviour", SectionKind::Behavior),
    ("Contact", SectionKind::Contact),
];

/// The kind of a section, and true if its name is that of the specification. Emphasis, digits and
/// symbols around a known name are ignored.
pub(super) fn section_kind(name: Text<'_>) -> (SectionKind, bool) {
    let known = NAMES
        .iter()
        .find(|(known, _)| name.eq_ignore_case(known))
        .map(|(known, kind)| (*kind, *known == kind.as_str()));
    if let Some(known) = known {
        return known;
    }
    // Only now the characters, because most names are made of letters.
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    if !name.is_escaped() && is_letter(name.raw().first()) && is_letter(name.raw().last()) {
        return (SectionKind::Other, false);
    }
    (around(name, |rest| rest.all(is_symbol)), false)
}

/// The kind of section that a text seems to name: a known name, with other words behind it or none.
pub(super) fn named_section(text: Text<'_>) -> SectionKind {
    // A heading over several lines is not a name.
    if text.is_escaped() {
        return SectionKind::Other;
    }
    around(text, |rest| {
        rest.next().is_none_or(|c| !c.is_alphanumeric())
    })
}

/// The kind of the longest known name after the symbols at the start of a text, if the rest of the
/// text `fits`.
fn around(text: Text<'_>, fits: impl Fn(&mut Chars<'_>) -> bool) -> SectionKind {
    let mut start = text.chars();
    let mut rest = start;
    while rest.next().is_some_and(is_symbol) {
        start = rest;
    }
    let mut found = (SectionKind::Other, 0);
    for (name, kind) in NAMES {
        let mut rest = start;
        let same = |c: char| {
            rest.next()
                .is_some_and(|other| other.eq_ignore_ascii_case(&c))
        };
        if name.len() > found.1 && name.chars().all(same) && fits(&mut rest) {
            found = (kind, name.len());
        }
    }
    found.0
}

/// True for everything but letters. (The symbol for information counts as a letter in Unicode.)
fn is_symbol(c: char) -> bool {
    !c.is_alphabetic() || c == '\u{2139}'
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
